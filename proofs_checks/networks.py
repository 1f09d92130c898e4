"""Networks with drawn rational tuples, for the checks of jets and of recovery: made again from a stated seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from proofs_checks.drawing import draw_matrix
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, rational_matrix
from symattn.normalizers import normalizer

__all__ = ["SKEW", "SKEW_3", "ZERO", "ZERO_3", "NetworkCase", "listed", "moved_entries", "network_case", "with_readout", "with_score"]

SKEW = rational_matrix([[0, 1], [-1, 0]])
SKEW_3 = rational_matrix([[0, 1, 2], [-1, 0, 3], [-2, -3, 0]])
ZERO = rational_matrix([[0, 0], [0, 0]])
ZERO_3 = rational_matrix([[0] * 3] * 3)


@dataclass(frozen=True)
class NetworkCase:
    """A network that can be drawn: tokens n, width d, outputs p, a normalizer for each layer, and scores that are fixed (from 1)."""

    tokens: int
    width: int
    outputs: int
    normalizers: tuple[str, ...]
    scores: Mapping[int, RationalMatrix] = field(default_factory=dict)

    def __str__(self) -> str:
        normalizers = ", ".join(self.normalizers if len(set(self.normalizers)) > 1 else self.normalizers[:1])
        fixed = "".join(f", M_{i} = {[[str(x) for x in row] for row in score]}".replace("'", "") for i, score in self.scores.items())
        return f"n = {self.tokens}, d = {self.width}, D = {len(self.normalizers)}, phi = {normalizers}{fixed}"

    @property
    def degrees(self) -> tuple[int, ...]:
        """The first nonconstant degrees of the normalizers."""
        return tuple(normalizer(text).k for text in self.normalizers)

    def network(self, seed: int = 1) -> Network:
        """Drawn readout and scores; drawn scores have nonzero diagonals, hence a symmetric part."""
        source = random.Random(f"network {self.tokens} {self.width} {self.outputs} {self.normalizers} {seed}")
        readout = draw_matrix(source, self.outputs, self.width)
        scores = [draw_matrix(source, self.width, self.width) for _ in self.normalizers]
        for layer, score in self.scores.items():
            scores[layer - 1] = score
        parameters = EffectiveParameters(readout, tuple(scores))
        return Network(self.tokens, tuple(map(normalizer, self.normalizers)), parameters)


def network_case(
    tokens: int, width: int, *normalizers: str, outputs: int = 1, scores: Mapping[int, RationalMatrix] | None = None
) -> NetworkCase:
    """A case with as many layers as normalizers.

    >>> print(network_case(2, 1, "exp(s)", "exp(s)"))
    n = 2, d = 1, D = 2, phi = exp(s)
    """
    return NetworkCase(tokens, width, outputs, normalizers, scores or {})


def listed(cases: Sequence[NetworkCase]) -> str:
    """What a list of cases covers, in one line.

    >>> listed([network_case(2, 1, "exp(s)"), network_case(3, 1, "exp(s)", "1 + s")])
    '2 drawn networks, n = 2 to 3, d = 1, D = 1 to 2, phi among exp(s), 1 + s'
    """
    ranges = []
    for name, values in (
        ("n", [case.tokens for case in cases]),
        ("d", [case.width for case in cases]),
        ("D", [len(case.normalizers) for case in cases]),
    ):
        low, high = min(values), max(values)
        ranges.append(f"{name} = {low}" if low == high else f"{name} = {low} to {high}")
    normalizers = dict.fromkeys(text for case in cases for text in case.normalizers)
    return f"{len(cases)} drawn networks, {', '.join(ranges)}, phi among {', '.join(normalizers)}"


def with_score(network: Network, layer: int, score: RationalMatrix) -> Network:
    """The network with another score in one layer (from 1)."""
    parameters = network.parameters
    scores = (*parameters.M[: layer - 1], score, *parameters.M[layer:])
    return replace(network, parameters=EffectiveParameters(parameters.L, scores))


def with_readout(network: Network, readout: RationalMatrix) -> Network:
    """The network with another readout."""
    return replace(network, parameters=EffectiveParameters(readout, network.parameters.M))


def moved_entries(matrix: RationalMatrix) -> list[RationalMatrix]:
    """The matrices that differ from this one in one entry, by one."""
    places = [(i, j) for i, row in enumerate(matrix) for j in range(len(row))]
    return [tuple(tuple(x + Fraction(int((i, j) == place)) for j, x in enumerate(row)) for i, row in enumerate(matrix)) for place in places]
