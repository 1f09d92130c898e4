"""Networks whose tokens, readout, scores and normalizers are all symbols, as power series in ``u``: jets for all parameters at once.

Scores carry a factor u, so that the part of degree ``2j + 1`` of the output is the coefficient of ``u^j``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from proofs_checks.symbols import unit_matrix
from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeries, PolynomialSeriesMatrix
from symattn.network.attention import Layer, evaluate
from symattn.normalizers import Normalizer

__all__ = ["SymbolicStack", "symbolic_stack"]

AnyNormalizer = Normalizer | GenericNormalizer


@dataclass(frozen=True)
class SymbolicStack:
    """Tokens ``x1_1 ..`` (n x d), readout ``L_1_1 ..`` (p x d), scores ``M1_1_1 ..``, and a normalizer for each layer."""

    ring: PolynomialSeries
    tokens: PolynomialSeriesMatrix
    readout: PolynomialSeriesMatrix
    scores: tuple[PolynomialSeriesMatrix, ...]
    normalizers: tuple[AnyNormalizer, ...]

    def stages(self) -> list[PolynomialSeriesMatrix]:
        """The tokens at the input and after every layer, the readout not applied."""
        stages = [self.tokens]
        unit = unit_matrix(self.ring, self.tokens.shape[1])
        for phi, score in zip(self.normalizers, self.scores, strict=True):
            stages.extend(evaluate(self.ring, [Layer(cast(Normalizer, phi), self.ring.shift(score, 1), unit)], [stages[-1]]))
        return stages

    def output(self) -> PolynomialSeriesMatrix:
        """The n x p output."""
        return self.stages()[-1] @ self.readout.transpose()


def symbolic_stack(
    size: tuple[int, int, int],
    normalizers: Sequence[AnyNormalizer],
    precision: int,
    kind: type[PolynomialSeries] = PolynomialSeries,
    known_scores: dict[int, Any] | None = None,
) -> SymbolicStack:
    """The stack with n tokens of width d and p outputs, ``size = (n, d, p)``; ``known_scores`` (from 1) are rational instead of symbols."""
    n, d, p = size
    known = known_scores or {}
    names: list[str] = []

    def entries(letter: str, rows: int, columns: int) -> list[list[str]]:
        table = [[f"{letter}_{i}_{j}" for j in range(1, columns + 1)] for i in range(1, rows + 1)]
        names.extend(name for row in table for name in row)
        return table

    tokens, readout = entries("x", n, d), entries("L", p, d)
    scores = {i: entries(f"M{i}", d, d) for i in range(1, len(normalizers) + 1) if i not in known}
    for phi in normalizers:
        if isinstance(phi, GenericNormalizer):
            names.extend(phi.symbols(precision + 1))
    ring = kind(names, precision)

    def matrix(table: list[list[str]]) -> PolynomialSeriesMatrix:
        return ring.from_polynomials([[ring.symbol(name) for name in row] for row in table])

    all_scores = tuple(matrix(scores[i]) if i in scores else ring.matrix(known[i]) for i in range(1, len(normalizers) + 1))
    return SymbolicStack(ring, matrix(tokens), matrix(readout), all_scores, tuple(normalizers))
