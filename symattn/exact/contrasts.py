"""Do the leading contrasts of a stack determine the next score? An exact test on rays ``rho X`` through chosen inputs.

Let the tokens that enter a layer with slope ``g = h'(0) != 0`` be ``rho m + rho^alpha Delta_a + ..`` on the ray, where m is the mean of X
and the Delta_a have mean zero. With ``C = (1/n) sum_a Delta_a Delta_a^T`` the layer adds ``g rho^(2 alpha + 1) C M^T m + ..`` to the token
mean (B.cloud). Its outgoing contrast has order ``3 alpha`` or more whatever M is, so later layers contribute to the mean from
``6 alpha + 1`` on (C.orders). If two networks share L and the layers before this one, equal outputs therefore force ``L C N^T m = 0`` on
every ray, N the difference of the two scores. Where the computed rays leave only ``N = 0``, the jet of order ``2 alpha + 1``
determines the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from symattn.arithmetic import DEFAULT_PRIMES, ModularSeries, RationalSeries, SeriesMatrix
from symattn.arithmetic.linear_algebra import rank
from symattn.arithmetic.series import Series
from symattn.network.attention import Layer, trace_stack
from symattn.network.banks import draw_bank
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix, identity, multiply, transpose

__all__ = ["ScoreReading", "score_readings"]

_PRECISIONS = (16, 64, 256)


@dataclass(frozen=True)
class ScoreReading:
    """What the rays say about the score of one layer (from 1): ``rank`` independent linear equations for its ``unknowns`` entries.

    They come from the rays with the least contrast order, ``contrast_order`` = alpha; ``None`` if no contrast was seen below ``bound``.
    """

    layer: int
    contrast_order: int | None
    rank: int
    unknowns: int
    bound: int

    @property
    def is_determined(self) -> bool:
        """Whether ``L C N^T m = 0`` on the rays forces ``N = 0`` (proven)."""
        return self.rank == self.unknowns

    @property
    def degree(self) -> int | None:
        """The jet order ``2 alpha + 1`` that shows the score."""
        return None if self.contrast_order is None else 2 * self.contrast_order + 1


def score_readings(network: Network, layers: int, *, seed: int = 1) -> list[ScoreReading]:
    """For each of the first ``layers`` layers, what the rays say about its score once the layers before it are known (A.isolation).

    The normalizers of these layers must have a nonzero slope, k = 1. Raises :class:`UndecidedError` for irrational coefficients.
    """
    d = network.width
    inputs = draw_bank(network.tokens, d, 2 * d * d + 2, seed)
    precision = _sufficient_precision(network, layers - 1, inputs[:2])
    contrasts = _leading_contrasts(network, layers - 1, inputs, RationalSeries(precision))
    return [_reading(network, i, inputs, found, precision) for i, found in enumerate(contrasts, start=1)]


def _sufficient_precision(network: Network, layers: int, inputs: Sequence[RationalMatrix]) -> int:
    """A precision in u at which contrasts are seen, if they are below the largest one tried: nonzero modulo a prime is nonzero."""
    seen: list[int] = []
    for precision in _PRECISIONS:
        contrasts = _leading_contrasts(network, layers, inputs, ModularSeries(DEFAULT_PRIMES[0], precision))
        orders = [max((found[0] for found in stage if found), default=None) for stage in contrasts]
        seen = [order for order in orders if order is not None]
        if len(seen) == len(orders):
            break
    return 1 + max(seen)


def _leading_contrasts(
    network: Network, layers: int, inputs: Sequence[RationalMatrix], ring: Series
) -> list[list[tuple[int, RationalMatrix] | None]]:
    """Before each layer and on each ray: the order f in ``u = rho^2`` of the contrast of ``F(rho X) / rho``, and its leading matrix."""
    unit = ring.matrix(identity(network.width))
    stack = [
        Layer(phi, ring.shift(ring.matrix(score), 1), unit)
        for phi, score in zip(network.normalizers[:layers], network.parameters.M[:layers], strict=True)
    ]
    tokens = [ring.matrix(x) for x in inputs]
    stages = [tokens, *([trace.output for trace in traces] for traces in trace_stack(ring, stack, tokens))]
    n = network.tokens
    centre = ring.matrix([[Fraction(int(a == b)) - Fraction(1, n) for b in range(n)] for a in range(n)])
    return [[_leading(centre @ x) for x in stage] for stage in stages]


def _leading(contrast: SeriesMatrix) -> tuple[int, RationalMatrix] | None:
    order = contrast.valuation()
    if order is None:
        return None
    rows = contrast.coefficient(order).tolist()
    return order, tuple(tuple(_fraction(x) for x in row) for row in rows)


def _fraction(value: Any) -> Fraction:
    """A rational number, or the least representative of a residue."""
    return Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else Fraction(int(value))


def _reading(
    network: Network, layer: int, inputs: Sequence[RationalMatrix], contrasts: Sequence[tuple[int, RationalMatrix] | None], precision: int
) -> ScoreReading:
    """Rank of the equations ``L C N^T m = 0`` from the rays of least order."""
    unknowns = network.width**2
    seen = [(contrast[0], contrast[1], x) for contrast, x in zip(contrasts, inputs, strict=True) if contrast is not None]
    if not seen:
        return ScoreReading(layer, None, 0, unknowns, 2 * precision + 1)
    least = min(order for order, _, _ in seen)
    equations = []
    for order, contrast, x in seen:
        if order == least:
            total = [sum(column, Fraction(0)) for column in zip(*x, strict=True)]
            for row in multiply(network.parameters.L, multiply(transpose(contrast), contrast)):
                equations.append([entry * m for entry in row for m in total])
    return ScoreReading(layer, 1 + 2 * least, rank(equations), unknowns, 2 * precision + 1)
