"""Truncated power series in ``u`` whose coefficients are polynomials over Q in named symbols: ``Q[symbols][u]/(u^N)``.

The ring of exact Taylor expansions with symbolic tokens, scores, and normalizer coefficients. A series is a dictionary from powers
of u to nonzero FLINT polynomials, so that expansions in which many powers are absent stay sparse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from symattn.errors import BudgetError, InputError, UndecidedError

if TYPE_CHECKING:
    from symattn.normalizers import Normalizer

__all__ = ["GenericNormalizer", "LocalNormalizer", "PolynomialSeries", "PolynomialSeriesMatrix"]

Coefficients = dict[int, fmpq_mpoly]

_MOST_TERM_PAIRS = 2 * 10**8
"""Most pairs of terms multiplied in one ring, about a minute of work: an expansion beyond that fills the memory before it ends."""


@dataclass(frozen=True)
class GenericNormalizer:
    """A normalizer with symbolic logarithm ``log phi = b_k s^k + b_(k+1) s^(k+1) + ..``: an expansion in it holds for all of degree k.

    The symbols are ``<prefix>k, <prefix>k+1, ..``; those beyond the needed degree never occur.
    """

    k: int
    prefix: str = "b"

    def symbols(self, terms: int) -> tuple[str, ...]:
        """The names of the coefficients of degrees k to ``terms - 1``."""
        return tuple(f"{self.prefix}{degree}" for degree in range(self.k, terms))


@dataclass(frozen=True)
class LocalNormalizer:
    """A normalizer seen from a score other than 0: ``log phi(point + s)`` has these Taylor coefficients in s, from degree 0.

    The scores that it is applied to must have the constant term ``point``. Coefficients beyond the listed ones are unknown: a
    list that is too short for the precision is refused.
    """

    point: fmpq_mpoly
    coefficients: tuple[fmpq_mpoly, ...]


class PolynomialSeriesMatrix:
    """A matrix over ``Q[symbols][u]/(u^N)``; see :class:`symattn.arithmetic.protocol.Matrix`."""

    __slots__ = ("_ring", "_rows", "_width")

    def __init__(self, rows: Sequence[Sequence[Coefficients]], ring: PolynomialSeries) -> None:
        self._rows = tuple(tuple(row) for row in rows)
        self._width = len(self._rows[0]) if self._rows else 0
        self._ring = ring

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._rows), self._width

    def __getitem__(self, place: tuple[int, int]) -> Coefficients:
        """The series at a row and column, as a dictionary from powers of u to polynomials."""
        return self._rows[place[0]][place[1]]

    def coefficient(self, power: int) -> list[list[fmpq_mpoly]]:
        """The matrix of coefficients of ``u^power``."""
        return [[entry.get(power, self._ring.zero) for entry in row] for row in self._rows]

    def _entrywise(
        self, other: PolynomialSeriesMatrix, operation: Callable[[Coefficients, Coefficients], Coefficients]
    ) -> PolynomialSeriesMatrix:
        self._require_same_ring(other)
        if self.shape != other.shape:
            raise ValueError(f"matrices of one shape are needed, not {self.shape} and {other.shape}")
        rows = [[operation(a, b) for a, b in zip(*pair, strict=True)] for pair in zip(self._rows, other._rows, strict=True)]
        return PolynomialSeriesMatrix(rows, self._ring)

    def _require_same_ring(self, other: PolynomialSeriesMatrix) -> None:
        mine, theirs = self._ring, other._ring
        if mine is not theirs and (mine.precision, mine.symbols) != (theirs.precision, theirs.symbols):
            raise ValueError(f"matrices over {self._ring.name} and {other._ring.name} do not fit")

    def __add__(self, other: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
        return self._entrywise(other, _add)

    def __sub__(self, other: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
        return self._entrywise(other, _subtract)

    def hadamard(self, other: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
        return self._entrywise(other, self._ring.product)

    def __matmul__(self, other: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
        self._require_same_ring(other)
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"shapes {self.shape} and {other.shape} do not fit")
        columns = list(zip(*other._rows, strict=True))
        rows = [[self._ring.dot(row, column) for column in columns] for row in self._rows]
        return PolynomialSeriesMatrix(rows, self._ring)

    def transpose(self) -> PolynomialSeriesMatrix:
        return PolynomialSeriesMatrix(list(zip(*self._rows, strict=True)), self._ring)

    def scale(self, factor: Fraction | int) -> PolynomialSeriesMatrix:
        number = _number(factor)
        if not number:
            return PolynomialSeriesMatrix([[{} for _ in row] for row in self._rows], self._ring)
        return PolynomialSeriesMatrix([[{j: p * number for j, p in entry.items()} for entry in row] for row in self._rows], self._ring)

    def is_zero(self) -> bool:
        return not any(entry for row in self._rows for entry in row)

    def agrees_with(self, other: PolynomialSeriesMatrix) -> bool:
        return self.shape == other.shape and (self - other).is_zero()

    def entries(self) -> list[Coefficients]:
        """The series row by row."""
        return [entry for row in self._rows for entry in row]


class PolynomialSeries:
    """``Q[symbols][u]/(u^N)`` for a fixed list of symbols; scores must vanish at ``u = 0``.

    Raises :class:`InputError` for repeated symbols and for unknown ones, :class:`BudgetError` for a precision below 1.
    """

    proves = "the expansion, exactly, for all values of the symbols; nothing beyond the precision"

    def __init__(self, symbols: Sequence[str], precision: int) -> None:
        if precision < 1:
            raise BudgetError(f"a series precision of at least 1 is needed, not {precision}")
        if len(set(symbols)) != len(symbols):
            raise InputError("every symbol was expected once", where="symbols")
        self.precision = precision
        self.symbols = tuple(symbols)
        self.context = fmpq_mpoly_ctx.get(self.symbols, Ordering.degrevlex)
        self.zero = self.context.constant(0)
        self._generators = dict(zip(self.symbols, self.context.gens(), strict=True))
        self._term_pairs = 0

    @property
    def name(self) -> str:
        return f"Q[{', '.join(self.symbols)}][u]/(u^{self.precision})"

    def symbol(self, name: str) -> fmpq_mpoly:
        """The polynomial that a symbol is."""
        if name not in self._generators:
            raise InputError(f"one of {', '.join(self.symbols)} was expected, not {name!r}", where="symbol")
        return self._generators[name]

    # Matrices

    def matrix(self, rows: Sequence[Sequence[Fraction | int]]) -> PolynomialSeriesMatrix:
        return self.from_polynomials([[self.context.constant(_number(entry)) for entry in row] for row in rows])

    def from_polynomials(self, rows: Sequence[Sequence[fmpq_mpoly]]) -> PolynomialSeriesMatrix:
        """The matrix with these polynomials as entries, constant in u."""
        return PolynomialSeriesMatrix([[{0: entry} if entry else {} for entry in row] for row in rows], self)

    def constant(self, rows: int, columns: int, value: int) -> PolynomialSeriesMatrix:
        return self.matrix([[value] * columns for _ in range(rows)])

    def shift(self, matrix: PolynomialSeriesMatrix, power: int) -> PolynomialSeriesMatrix:
        rows, columns = matrix.shape
        shifted = [
            [{j + power: p for j, p in matrix[i, c].items() if j + power < self.precision} for c in range(columns)] for i in range(rows)
        ]
        return PolynomialSeriesMatrix(shifted, self)

    def assemble(self, rows: Sequence[Sequence[PolynomialSeriesMatrix]]) -> PolynomialSeriesMatrix:
        return PolynomialSeriesMatrix([[entry for block in blocks for entry in block.entries()] for blocks in rows], self)

    def reciprocal(self, matrix: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
        return PolynomialSeriesMatrix([[self._inverse(entry) for entry in row] for row in matrix._rows], self)

    # Series

    def product(self, left: Coefficients, right: Coefficients) -> Coefficients:
        """The product modulo ``u^N``."""
        return self.dot((left,), (right,))

    def dot(self, left: Sequence[Coefficients], right: Sequence[Coefficients]) -> Coefficients:
        """The sum of products modulo ``u^N``.

        Raises :class:`BudgetError` once this ring has multiplied so many terms that the expansion would fill the memory.
        """
        total: Coefficients = {}
        for a, b in zip(left, right, strict=True):
            for i, p in a.items():
                room = self.precision - i
                for j, q in b.items():
                    if j < room:
                        term = self._multiplied(p, q)
                        total[i + j] = total[i + j] + term if i + j in total else term
        return {power: p for power, p in total.items() if p}

    def _multiplied(self, left: fmpq_mpoly, right: fmpq_mpoly) -> fmpq_mpoly:
        self._term_pairs += len(left) * len(right)
        if self._term_pairs > _MOST_TERM_PAIRS:
            raise BudgetError(
                f"the polynomials have too many terms: more than {_MOST_TERM_PAIRS} pairs would be multiplied; "
                "a lower order, fewer symbols or numbers in their place are needed"
            )
        return left * right

    def _inverse(self, series: Coefficients) -> Coefficients:
        constant = series.get(0, self.zero)
        if not constant.is_constant() or not constant:
            raise UndecidedError(
                "a weight sum is not a nonzero number at u = 0: its inverse is not a power series with polynomial coefficients"
            )
        first = 1 / constant.leading_coefficient()
        # x_j = -first * sum_(i>0) a_i x_(j-i): exact, and as sparse as the series.
        inverse: Coefficients = {0: self.context.constant(first)}
        later = {i: p * -first for i, p in series.items() if i}
        for power in range(1, self.precision):
            terms = [self._multiplied(p, inverse[power - i]) for i, p in later.items() if power - i in inverse]
            if terms and (value := sum(terms[1:], terms[0])):
                inverse[power] = value
        return inverse

    def normalize(
        self, normalizer: Normalizer | GenericNormalizer | LocalNormalizer, scores: Sequence[PolynomialSeriesMatrix]
    ) -> list[tuple[PolynomialSeriesMatrix, PolynomialSeriesMatrix]]:
        """``phi`` and ``phi'`` up to a factor per row: ``exp(h(s_ab) - mean_b h(s_ab))`` and ``h'(s_ab)`` times it, h = log phi."""
        results = []
        for score in scores:
            if isinstance(normalizer, LocalNormalizer):
                score = score - self.from_polynomials([[normalizer.point] * score.shape[1]] * score.shape[0])
            least = min((min(entry) for entry in score.entries() if entry), default=self.precision)
            if least == 0:
                raise UndecidedError("a score does not vanish at u = 0: a formal power series in it makes no sense")
            logarithm = self._logarithm(normalizer, -(-self.precision // least) + 1)
            logits, slopes = self._compose(logarithm, score), self._compose([j * c for j, c in enumerate(logarithm)][1:], score)
            columns = score.shape[1]
            centred = logits - (logits @ self.constant(columns, columns, 1)).scale(Fraction(1, columns))
            weights = self._exponential(centred)
            results.append((weights, weights.hadamard(slopes)))
        return results

    def _logarithm(self, normalizer: Normalizer | GenericNormalizer | LocalNormalizer, terms: int) -> list[fmpq_mpoly]:
        if isinstance(normalizer, LocalNormalizer):
            if len(normalizer.coefficients) < terms:
                raise BudgetError(
                    f"{terms} coefficients of the normalizer are needed at this precision, not {len(normalizer.coefficients)}"
                )
            return list(normalizer.coefficients[:terms])
        if isinstance(normalizer, GenericNormalizer):
            return [self.zero] * min(normalizer.k, terms) + [self.symbol(name) for name in normalizer.symbols(terms)]
        return [self.context.constant(coefficient) for coefficient in normalizer.log_coefficients(terms)]

    def _compose(self, coefficients: Sequence[fmpq_mpoly], matrix: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
        """The power series with these coefficients at every entry, term by term while the powers do not vanish."""
        return PolynomialSeriesMatrix([[self._composed(coefficients, entry) for entry in row] for row in matrix._rows], self)

    def _composed(self, coefficients: Sequence[fmpq_mpoly], entry: Coefficients) -> Coefficients:
        last = max((j for j, coefficient in enumerate(coefficients) if coefficient), default=-1)
        total: Coefficients = {0: coefficients[0]} if coefficients and coefficients[0] else {}
        power: Coefficients = {0: self.context.constant(1)}
        for j in range(1, last + 1):
            power = self.product(power, entry)
            if not power:
                break
            if coefficients[j]:
                total = _add(total, {i: self._multiplied(p, coefficients[j]) for i, p in power.items()})
        return total

    def _exponential(self, matrix: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
        """``exp`` of every entry by ``j e_j = sum_i i a_i e_(j-i)``."""
        return PolynomialSeriesMatrix([[self._exponentiated(entry) for entry in row] for row in matrix._rows], self)

    def _exponentiated(self, entry: Coefficients) -> Coefficients:
        result: Coefficients = {0: self.context.constant(1)}
        weighted = {i: p * i for i, p in entry.items()}
        for power in range(1, self.precision):
            terms = [self._multiplied(p, result[power - i]) for i, p in weighted.items() if power - i in result]
            if terms and (value := sum(terms[1:], terms[0])):
                result[power] = value / power
        return result


def _add(left: Coefficients, right: Coefficients) -> Coefficients:
    total = dict(left)
    for power, p in right.items():
        value = total[power] + p if power in total else p
        if value:
            total[power] = value
        else:
            del total[power]
    return total


def _subtract(left: Coefficients, right: Coefficients) -> Coefficients:
    return _add(left, {power: -p for power, p in right.items()})


def _number(value: Any) -> fmpq:
    return fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else fmpq(value)
