"""Real balls (Arb): every number is a midpoint with a radius, and every result contains the true value (spec 03).

The precision in bits is a property of the system and is set only while one of its operations runs; FLINT's process-wide
precision is restored afterwards, also on error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, arb_mat, ctx, fmpq

from symattn.errors import BudgetError, UndecidedError

if TYPE_CHECKING:
    from symattn.normalizers import Normalizer

__all__ = ["BallMatrix", "Balls", "rational_ball"]


class BallMatrix:
    """A matrix of balls; see :class:`symattn.arithmetic.protocol.Matrix`. Operations run at the precision of its system."""

    __slots__ = ("_precision", "values")

    def __init__(self, values: arb_mat, precision: int) -> None:
        self.values = values
        self._precision = precision

    def _at(self, operation: Callable[[], arb_mat]) -> BallMatrix:
        with ctx.workprec(self._precision):
            return BallMatrix(operation(), self._precision)

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.nrows(), self.values.ncols()

    def __getitem__(self, place: tuple[int, int]) -> arb:
        return self.values[place]

    def __add__(self, other: BallMatrix) -> BallMatrix:
        return self._at(lambda: self.values + other.values)

    def __sub__(self, other: BallMatrix) -> BallMatrix:
        return self._at(lambda: self.values - other.values)

    def __matmul__(self, other: BallMatrix) -> BallMatrix:
        return self._at(lambda: self.values * other.values)

    def transpose(self) -> BallMatrix:
        return self._at(self.values.transpose)

    def hadamard(self, other: BallMatrix) -> BallMatrix:
        if self.shape != other.shape:
            raise ValueError(f"matrices of one shape are needed, not {self.shape} and {other.shape}")
        pairs = zip(self.values.entries(), other.values.entries(), strict=True)
        return self._at(lambda: arb_mat(*self.shape, [a * b for a, b in pairs]))

    def scale(self, factor: Fraction | int) -> BallMatrix:
        return self._at(lambda: self.values * rational_ball(factor))

    def is_zero(self) -> bool:
        return all(bool(entry == 0) for entry in self.values.entries())

    def agrees_with(self, other: BallMatrix) -> bool:
        """Whether the shapes agree and every pair of balls overlaps: equality is not refuted."""
        return self.shape == other.shape and bool(self.values.overlaps(other.values))

    def entries(self) -> list[arb]:
        """The balls row by row."""
        balls: list[arb] = self.values.entries()
        return balls


class Balls:
    """Real numbers enclosed by balls with ``precision`` bits, with the path parameter ``u`` at an exact rational number."""

    proves = "the enclosure: the true value lies in the ball"

    def __init__(self, precision: int, u: Fraction | int = 1) -> None:
        if precision < 2:
            raise BudgetError(f"a precision of at least 2 bits is needed, not {precision}")
        self.precision = precision
        self.u = Fraction(u)

    @property
    def name(self) -> str:
        return f"balls of {self.precision} bits, u = {self.u}"

    def _make(self, rows: int, columns: int, entries: Callable[[], list[Any]]) -> BallMatrix:
        with ctx.workprec(self.precision):
            return BallMatrix(arb_mat(rows, columns, entries()), self.precision)

    def matrix(self, rows: Sequence[Sequence[Fraction | int]]) -> BallMatrix:
        return self._make(len(rows), len(rows[0]) if rows else 0, lambda: [rational_ball(entry) for row in rows for entry in row])

    def constant(self, rows: int, columns: int, value: int) -> BallMatrix:
        return self._make(rows, columns, lambda: [arb(value)] * (rows * columns))

    def shift(self, matrix: BallMatrix, power: int) -> BallMatrix:
        return matrix.scale(self.u**power)

    def reciprocal(self, matrix: BallMatrix) -> BallMatrix:
        result = self._make(*matrix.shape, lambda: [1 / entry for entry in matrix.entries()])
        if not all(entry.is_finite() for entry in result.entries()):
            raise UndecidedError(f"a weight sum is not separated from zero at {self.precision} bits: a higher precision may tell")
        return result

    def assemble(self, rows: Sequence[Sequence[BallMatrix]]) -> BallMatrix:
        entries = [entry for blocks in rows for block in blocks for entry in block.entries()]
        return self._make(len(rows), len(entries) // len(rows) if rows else 0, lambda: entries)

    def normalize(self, normalizer: Normalizer, scores: Sequence[BallMatrix]) -> list[tuple[BallMatrix, BallMatrix]]:
        from symattn.normalizers.evaluation import evaluate_ball

        pairs = []
        for score in scores:
            with ctx.workprec(self.precision):
                values = [evaluate_ball(normalizer, entry) for entry in score.entries()]
                if not all(value.is_finite() and slope.is_finite() for value, slope in values):
                    raise UndecidedError(f"{normalizer.text} could not be enclosed at a score (a singularity in the ball)")
                phi = arb_mat(*score.shape, [value for value, _ in values])
                slopes = arb_mat(*score.shape, [slope for _, slope in values])
            pairs.append((BallMatrix(phi, self.precision), BallMatrix(slopes, self.precision)))
        return pairs


def rational_ball(value: Fraction | int) -> arb:
    """A ball around a rational number, at FLINT's working precision; ``TypeError`` for a float."""
    if not isinstance(value, (int, Fraction)):
        raise TypeError(f"a rational number was expected, not {type(value).__name__}")
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))
