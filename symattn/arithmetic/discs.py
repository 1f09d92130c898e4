"""Complex discs with real midpoints: bounds for analytic functions on a whole disc of the path parameter u.

An entry is a pair: a real ball of midpoints and a real ball of radii. It stands for a complex number z with ``|z - m| <= r`` for some
m and r in these balls. Sums and products follow from the triangle inequality. A network whose entries are evaluated at the disc
``|u| <= rho`` without an error is analytic there: every operation met only arguments at which it is analytic. One evaluation so
bounds all its values on the disc, and with them (Cauchy) all its Taylor coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import acb, arb, arb_mat, ctx

from symattn.arithmetic.balls import rational_ball
from symattn.errors import BudgetError, UndecidedError

if TYPE_CHECKING:
    from symattn.normalizers import Normalizer

__all__ = ["DiscMatrix", "Discs"]


class DiscMatrix:
    """A matrix of discs; see :class:`symattn.arithmetic.protocol.Matrix`. Operations run at the precision of its system."""

    __slots__ = ("_precision", "midpoints", "radii")

    def __init__(self, midpoints: arb_mat, radii: arb_mat, precision: int) -> None:
        self.midpoints = midpoints
        self.radii = radii
        self._precision = precision

    def _at(self, operation: Callable[[], tuple[arb_mat, arb_mat]]) -> DiscMatrix:
        with ctx.workprec(self._precision):
            return DiscMatrix(*operation(), self._precision)

    @property
    def shape(self) -> tuple[int, int]:
        return self.midpoints.nrows(), self.midpoints.ncols()

    def __add__(self, other: DiscMatrix) -> DiscMatrix:
        return self._at(lambda: (self.midpoints + other.midpoints, self.radii + other.radii))

    def __sub__(self, other: DiscMatrix) -> DiscMatrix:
        return self._at(lambda: (self.midpoints - other.midpoints, self.radii + other.radii))

    def __matmul__(self, other: DiscMatrix) -> DiscMatrix:
        def product() -> tuple[arb_mat, arb_mat]:
            left, right = _sizes(self.midpoints), _sizes(other.midpoints)
            return self.midpoints * other.midpoints, left * other.radii + self.radii * (right + other.radii)

        return self._at(product)

    def transpose(self) -> DiscMatrix:
        return self._at(lambda: (self.midpoints.transpose(), self.radii.transpose()))

    def hadamard(self, other: DiscMatrix) -> DiscMatrix:
        if self.shape != other.shape:
            raise ValueError(f"matrices of one shape are needed, not {self.shape} and {other.shape}")

        def product() -> tuple[arb_mat, arb_mat]:
            pairs = list(zip(self.entries(), other.entries(), strict=True))
            midpoints = [a * b for (a, _), (b, _) in pairs]
            radii = [abs(a) * s + r * (abs(b) + s) for (a, r), (b, s) in pairs]
            return arb_mat(*self.shape, midpoints), arb_mat(*self.shape, radii)

        return self._at(product)

    def scale(self, factor: Fraction | int) -> DiscMatrix:
        return self._at(lambda: (self.midpoints * rational_ball(factor), self.radii * abs(rational_ball(factor))))

    def is_zero(self) -> bool:
        return all(bool(m == 0 and r == 0) for m, r in self.entries())

    def agrees_with(self, other: DiscMatrix) -> bool:
        """Whether the shapes agree and every pair of discs may meet: equality is not refuted."""
        if self.shape != other.shape:
            return False
        with ctx.workprec(self._precision):
            pairs = zip(self.entries(), other.entries(), strict=True)
            return not any(abs(a - b) > r + s for (a, r), (b, s) in pairs)

    def entries(self) -> list[tuple[arb, arb]]:
        """Midpoints and radii row by row."""
        return list(zip(self.midpoints.entries(), self.radii.entries(), strict=True))

    def bounds(self) -> arb_mat:
        """Upper bounds of the absolute values of all entries, as exact numbers."""
        with ctx.workprec(self._precision):
            return arb_mat(*self.shape, [(abs(m) + r).upper() for m, r in self.entries()])


class Discs:
    """Complex numbers enclosed by discs, with the path parameter u anywhere in ``|u| <= radius``."""

    proves = "the enclosure: for every u in the disc the true value lies in its disc, and it is analytic in u"

    def __init__(self, precision: int, radius: Fraction | int) -> None:
        if precision < 2:
            raise BudgetError(f"a precision of at least 2 bits is needed, not {precision}")
        self.precision = precision
        self.radius = Fraction(radius)

    @property
    def name(self) -> str:
        return f"complex discs of {self.precision} bits, |u| <= {self.radius}"

    def _make(self, rows: int, columns: int, entries: Callable[[], Sequence[tuple[arb, arb]]]) -> DiscMatrix:
        with ctx.workprec(self.precision):
            return self._join((rows, columns), entries())

    def _join(self, shape: tuple[int, int], entries: Sequence[tuple[arb, arb]]) -> DiscMatrix:
        midpoints, radii = arb_mat(*shape, [m for m, _ in entries]), arb_mat(*shape, [r for _, r in entries])
        return DiscMatrix(midpoints, radii, self.precision)

    def matrix(self, rows: Sequence[Sequence[Fraction | int]]) -> DiscMatrix:
        return self._make(len(rows), len(rows[0]) if rows else 0, lambda: [(rational_ball(entry), arb(0)) for row in rows for entry in row])

    def constant(self, rows: int, columns: int, value: int) -> DiscMatrix:
        return self._make(rows, columns, lambda: [(arb(value), arb(0))] * (rows * columns))

    def shift(self, matrix: DiscMatrix, power: int) -> DiscMatrix:
        if power == 0:
            return matrix
        factor = self.radius**power
        return self._make(*matrix.shape, lambda: [(arb(0), (abs(m) + r) * rational_ball(factor)) for m, r in matrix.entries()])

    def reciprocal(self, matrix: DiscMatrix) -> DiscMatrix:
        def inverse(m: arb, r: arb) -> tuple[arb, arb]:
            size = abs(m)
            if not size > r:
                raise UndecidedError(f"a weight sum is not separated from zero on the disc |u| <= {self.radius}: a smaller one may do")
            return 1 / m, r / (size * (size - r))

        return self._make(*matrix.shape, lambda: [inverse(m, r) for m, r in matrix.entries()])

    def assemble(self, rows: Sequence[Sequence[DiscMatrix]]) -> DiscMatrix:
        entries = [entry for blocks in rows for block in blocks for entry in block.entries()]
        return self._make(len(rows), len(entries) // len(rows) if rows else 0, lambda: entries)

    def normalize(self, normalizer: Normalizer, scores: Sequence[DiscMatrix]) -> list[tuple[DiscMatrix, DiscMatrix]]:
        from symattn.normalizers.evaluation import evaluate_complex_ball

        def value(m: arb, r: arb) -> tuple[acb, acb]:
            around = r * arb(0, 1)
            return evaluate_complex_ball(normalizer, acb(m + around, around))

        pairs = []
        for score in scores:
            with ctx.workprec(self.precision):
                found = [value(m, r) for m, r in score.entries()]
                phi, slopes = [_disc(box) for box, _ in found], [_disc(box) for _, box in found]
            pairs.append((self._join(score.shape, phi), self._join(score.shape, slopes)))
        return pairs


def _sizes(matrix: arb_mat) -> arb_mat:
    return arb_mat(matrix.nrows(), matrix.ncols(), [abs(entry) for entry in matrix.entries()])


def _disc(box: acb) -> tuple[arb, arb]:
    """A disc around a real midpoint that contains a box."""
    middle = box.real.mid()
    return middle, abs(box - middle).upper()
