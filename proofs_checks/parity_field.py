"""Symbolic networks whose unknown normalizers are even, or have an odd logarithm: what holds then for every such normalizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symattn.arithmetic import RationalFunction, SymbolicField, SymbolicMatrix, UndefinedNormalizer

__all__ = ["EvenNormalizer", "OddLogarithm", "ParityField", "skew_symbols"]


@dataclass(frozen=True)
class EvenNormalizer(UndefinedNormalizer):
    """An unknown function with ``phi(-s) = phi(s)``."""


@dataclass(frozen=True)
class OddLogarithm(UndefinedNormalizer):
    """An unknown function with ``phi(0) = 1`` and ``phi(-s) = 1 / phi(s)``: ``log phi`` is odd, as for softmax."""


class ParityField(SymbolicField):
    """Rational functions in which a normalizer of known parity has one symbol for the scores s and -s.

    >>> field = ParityField()
    >>> b = field.symbol("b")
    >>> [(value, slope)] = field.normalize(OddLogarithm("phi"), [field.matrix([[b, b * -1, 0]])])
    >>> print(value)
    [['phi_1', '(1)/(phi_1)', '1']]
    """

    def normalize(self, normalizer: Any, scores: Sequence[SymbolicMatrix]) -> list[tuple[SymbolicMatrix, SymbolicMatrix]]:
        """Symbols for ``phi`` and ``phi'``, the relations of the parity used; see :class:`SymbolicField` for other normalizers."""
        if not isinstance(normalizer, (EvenNormalizer, OddLogarithm)):
            return super().normalize(normalizer, scores)
        results = []
        for score in scores:
            [(values, slopes)] = super().normalize(normalizer, [score.map(_folded)])
            rows, columns = score.shape
            pairs = [[self._pair(normalizer, score[i, j], values[i, j], slopes[i, j]) for j in range(columns)] for i in range(rows)]
            results.append(
                (self.matrix([[value for value, _ in row] for row in pairs]), self.matrix([[slope for _, slope in row] for row in pairs]))
            )
        return results

    def _pair(
        self, normalizer: UndefinedNormalizer, score: RationalFunction, value: RationalFunction, slope: RationalFunction
    ) -> tuple[RationalFunction, RationalFunction]:
        """``phi`` and ``phi'`` at a score, from those at the one of s and -s that has a symbol."""
        is_even, is_flipped = isinstance(normalizer, EvenNormalizer), _folded(score) != score
        if score.is_zero():
            return (value, self.element(0)) if is_even else (self.element(1), slope)
        if is_even:
            return value, -slope if is_flipped else slope
        return (self.element(1) / value, slope / (value * value)) if is_flipped else (value, slope)


def _folded(score: RationalFunction) -> RationalFunction:
    """The one of s and -s whose first coefficient is positive."""
    if score.is_zero() or score.numerator.leading_coefficient() > 0:
        return score
    return -score


def skew_symbols(field: SymbolicField, name: str, size: int) -> SymbolicMatrix:
    """The skew matrix with independent symbols above its diagonal."""
    entries = field.symbols(name, size, size)
    above = [[entries[i, j] if i < j else -entries[j, i] if i > j else field.element(0) for j in range(size)] for i in range(size)]
    return field.matrix(above)
