"""Truncated power series ``K[u]/(u^N)`` over ``K = Q`` or ``K = Z/p``: the collapse path itself, coefficient by coefficient.

A matrix of series is kept as the list of its coefficient matrices, so that products are FLINT matrix products.
Entrywise operations go through FLINT polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpq_mat, fmpq_poly, nmod, nmod_mat, nmod_poly

from symattn.arithmetic.primes import require_prime
from symattn.errors import BudgetError, UndecidedError

if TYPE_CHECKING:
    from symattn.normalizers import Normalizer

__all__ = ["ModularSeries", "RationalSeries", "Series", "SeriesMatrix"]


@dataclass(frozen=True)
class _Field:
    """The coefficient field: how FLINT spells its matrices, polynomials and numbers."""

    name: str
    matrix: Callable[[int, int, list[Any]], Any]
    polynomial: Callable[[list[Any]], Any]
    number: Callable[[Any], Any]


def _rational_field() -> _Field:
    return _Field("Q", fmpq_mat, fmpq_poly, _to_rational)


def _prime_field(prime: int) -> _Field:
    def number(value: Any) -> nmod:
        rational = _to_rational(value)
        if rational.q % prime == 0:
            raise UndecidedError(f"the number {rational} has the prime {prime} in its denominator: take another prime")
        return nmod(int(rational.p), prime) / nmod(int(rational.q), prime)

    return _Field(
        f"Z/{prime}",
        lambda rows, columns, entries: nmod_mat(rows, columns, entries, prime),
        lambda coefficients: nmod_poly(coefficients, prime),
        number,
    )


def _to_rational(value: Any) -> fmpq:
    return fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else fmpq(value)


class SeriesMatrix:
    """A matrix over ``K[u]/(u^N)``; see :class:`symattn.arithmetic.protocol.LocalMatrix`."""

    __slots__ = ("_coefficients", "_field", "_level", "_nonzero")

    def __init__(self, coefficients: list[Any], field: _Field, precision: int) -> None:
        # At least one coefficient matrix is kept (it carries the shape); zero ones at the end are dropped.
        kept = coefficients[:precision]
        while len(kept) > 1 and _is_zero(kept[-1]):
            kept.pop()
        self._coefficients = kept
        self._field = field
        self._level = precision
        self._nonzero: list[tuple[int, Any]] | None = None

    def _support(self) -> list[tuple[int, Any]]:
        """The powers of u that occur, with their coefficient matrices."""
        if self._nonzero is None:
            self._nonzero = [(j, matrix) for j, matrix in enumerate(self._coefficients) if not _is_zero(matrix)]
        return self._nonzero

    def _like(self, coefficients: list[Any]) -> SeriesMatrix:
        return SeriesMatrix(coefficients, self._field, self._level)

    def _require(self, fits: bool, other: SeriesMatrix) -> None:
        """Refuse an operation on shapes that do not fit or between rings of two precisions."""
        if not fits or self._level != other._level:
            raise ValueError(f"{self._describe()} and {other._describe()} do not fit together")

    def _describe(self) -> str:
        return f"a {self.shape[0]} x {self.shape[1]} matrix over {self._field.name}[u]/(u^{self._level})"

    @property
    def shape(self) -> tuple[int, int]:
        return self._coefficients[0].nrows(), self._coefficients[0].ncols()

    def precision(self) -> int:
        return self._level

    def coefficient(self, power: int) -> Any:
        """The FLINT matrix of coefficients of ``u^power``."""
        if power < len(self._coefficients):
            return self._coefficients[power]
        return self._field.matrix(*self.shape, [0] * (self.shape[0] * self.shape[1]))

    def truncated(self, precision: int) -> SeriesMatrix:
        """The matrix over the ring of a lower precision."""
        return SeriesMatrix(self._coefficients[:precision], self._field, precision)

    def __add__(self, other: SeriesMatrix) -> SeriesMatrix:
        self._require(self.shape == other.shape, other)
        length = max(len(self._coefficients), len(other._coefficients))
        return self._like([self.coefficient(j) + other.coefficient(j) for j in range(length)])

    def __sub__(self, other: SeriesMatrix) -> SeriesMatrix:
        self._require(self.shape == other.shape, other)
        length = max(len(self._coefficients), len(other._coefficients))
        return self._like([self.coefficient(j) - other.coefficient(j) for j in range(length)])

    def __matmul__(self, other: SeriesMatrix) -> SeriesMatrix:
        self._require(self.shape[1] == other.shape[0], other)
        left, right = self._support(), other._support()
        products: dict[int, Any] = {}
        for i, a in left:
            for j, b in right:
                if i + j >= self._level:
                    break
                products[i + j] = products[i + j] + a * b if i + j in products else a * b
        rows, columns = self.shape[0], other.shape[1]
        zero = self._field.matrix(rows, columns, [0] * (rows * columns))
        return self._like([products.get(j, zero) for j in range(max(products, default=0) + 1)])

    def transpose(self) -> SeriesMatrix:
        return self._like([matrix.transpose() for matrix in self._coefficients])

    def hadamard(self, other: SeriesMatrix) -> SeriesMatrix:
        self._require(self.shape == other.shape, other)
        pairs = zip(self.polynomials(), other.polynomials(), strict=True)
        return self.from_polynomials(*self.shape, [a.mul_low(b, self._level) for a, b in pairs])

    def scale(self, factor: Fraction | int) -> SeriesMatrix:
        number = self._field.number(factor)
        return self._like([matrix * number for matrix in self._coefficients])

    def is_zero(self) -> bool:
        return len(self._coefficients) == 1 and _is_zero(self._coefficients[0])

    def agrees_with(self, other: SeriesMatrix) -> bool:
        return self.shape == other.shape and (self - other).is_zero()

    def polynomials(self) -> list[Any]:
        """The entries row by row, as FLINT polynomials in ``u``."""
        columns = [matrix.entries() for matrix in self._coefficients]
        return [self._field.polynomial(list(series)) for series in zip(*columns, strict=True)]

    def from_polynomials(self, rows: int, columns: int, polynomials: Sequence[Any]) -> SeriesMatrix:
        """A matrix of this ring with these entries, row by row."""
        return _from_polynomials(self._field, self._level, rows, columns, polynomials)

    def take(self, rows: Sequence[int], columns: Sequence[int]) -> SeriesMatrix:
        tables = [matrix.tolist() for matrix in self._coefficients]
        picked = [[table[i][j] for i in rows for j in columns] for table in tables]
        return self._like([self._field.matrix(len(rows), len(columns), entries) for entries in picked])

    def valuation(self) -> int | None:
        return next((j for j, _ in self._support()), None)

    def divide(self, valuation: int) -> SeriesMatrix:
        coefficients = [self.coefficient(j) for j in range(valuation, max(valuation + 1, len(self._coefficients)))]
        return SeriesMatrix(coefficients, self._field, self._level - valuation)

    def residue(self) -> Any:
        return self._coefficients[0]

    def lift(self, residue: Any) -> SeriesMatrix:
        return self._like([residue])


class Series:
    """``K[u]/(u^N)`` for one of the two fields; use :class:`RationalSeries` or :class:`ModularSeries`."""

    proves = ""

    def __init__(self, field: _Field, precision: int) -> None:
        if precision < 1:
            raise BudgetError(f"a series precision of at least 1 is needed, not {precision}")
        self.precision = precision
        self._field = field

    @property
    def name(self) -> str:
        return f"{self._field.name}[u]/(u^{self.precision})"

    def matrix(self, rows: Sequence[Sequence[Fraction | int]]) -> SeriesMatrix:
        entries = [self._field.number(entry) for row in rows for entry in row]
        values = self._field.matrix(len(rows), len(rows[0]) if rows else 0, entries)
        return SeriesMatrix([values], self._field, self.precision)

    def constant(self, rows: int, columns: int, value: int) -> SeriesMatrix:
        return SeriesMatrix([self._field.matrix(rows, columns, [value] * (rows * columns))], self._field, self.precision)

    def shift(self, matrix: SeriesMatrix, power: int) -> SeriesMatrix:
        rows, columns = matrix.shape
        zero = self._field.matrix(rows, columns, [0] * (rows * columns))
        kept = [matrix.coefficient(j) for j in range(self.precision)]
        return SeriesMatrix([zero] * power + kept, self._field, self.precision)

    def reciprocal(self, matrix: SeriesMatrix) -> SeriesMatrix:
        return matrix.from_polynomials(*matrix.shape, [self._inverse(entry) for entry in matrix.polynomials()])

    def assemble(self, rows: Sequence[Sequence[SeriesMatrix]]) -> SeriesMatrix:
        entries = [entry for blocks in rows for block in blocks for entry in block.polynomials()]
        return _from_polynomials(self._field, self.precision, len(rows), len(entries) // len(rows) if rows else 0, entries)

    def normalize(self, normalizer: Normalizer, scores: Sequence[SeriesMatrix]) -> list[tuple[SeriesMatrix, SeriesMatrix]]:
        polynomial = normalizer.log_polynomial
        if polynomial is None:
            return [self._evaluate(normalizer, score) for score in scores]
        slope = [self._field.number(j * coefficient) for j, coefficient in enumerate(polynomial)][1:]
        terms = [self._field.number(coefficient) for coefficient in polynomial]
        pairs = []
        for score in scores:
            logits = self._compose(terms, score)
            columns = score.shape[1]
            centred = logits - (logits @ self.constant(columns, columns, 1)).scale(Fraction(1, columns))
            weights = self._exponential(centred)
            pairs.append((weights, weights.hadamard(self._compose(slope, score))))
        return pairs

    def _evaluate(self, normalizer: Normalizer, score: SeriesMatrix) -> tuple[SeriesMatrix, SeriesMatrix]:
        terms = self._term_count(score)
        coefficients = normalizer.coefficients(terms + 1)
        slopes = [j * coefficient for j, coefficient in enumerate(coefficients)][1:]
        return (
            self._compose([self._field.number(c) for c in coefficients[:-1]], score),
            self._compose([self._field.number(c) for c in slopes], score),
        )

    def _exponential(self, exponents: SeriesMatrix) -> SeriesMatrix:
        terms = [fmpq(1)]
        for j in range(1, self._term_count(exponents)):
            terms.append(terms[-1] / j)
        return self._compose([self._field.number(term) for term in terms], exponents)

    def _term_count(self, matrix: SeriesMatrix) -> int:
        least = matrix.valuation()
        if least is None:
            return 1
        if least == 0:
            raise UndecidedError("a score does not vanish at u = 0: a formal power series converges only on scores that do")
        return -(-self.precision // least)

    def _compose(self, coefficients: Sequence[Any], matrix: SeriesMatrix) -> SeriesMatrix:
        """A polynomial at every entry, by Horner's rule."""
        constants = [self._field.polynomial([coefficient]) for coefficient in coefficients]
        values = []
        for entry in matrix.polynomials():
            value = constants[-1]
            for constant in constants[-2::-1]:
                value = value.mul_low(entry, self.precision) + constant
            values.append(value)
        return matrix.from_polynomials(*matrix.shape, values)

    def _inverse(self, series: Any) -> Any:
        """The inverse of a unit, by Newton's iteration ``x <- x (2 - a x)``."""
        constant = series[0]
        if constant == 0:
            raise UndecidedError(f"a weight sum vanishes at u = 0 over {self._field.name}")
        inverse = self._field.polynomial([1 / constant])
        two = self._field.polynomial([2])
        known = 1
        while known < self.precision:
            known = min(2 * known, self.precision)
            inverse = inverse.mul_low(two - series.mul_low(inverse, known), known)
        return inverse


class RationalSeries(Series):
    """``Q[u]/(u^N)``: exact Taylor coefficients below ``u^N``; a missing exponent is "``>= N``", never zero."""

    proves = "every coefficient below the precision, exactly; an order not seen is at least the precision"

    def __init__(self, precision: int) -> None:
        super().__init__(_rational_field(), precision)


class ModularSeries(Series):
    """``(Z/p)[u]/(u^N)``: a coefficient that is nonzero modulo p is nonzero over Q; orders found are upper bounds."""

    proves = "every determinantal order found is an upper bound; the rank found is a lower bound"

    def __init__(self, prime: int, precision: int) -> None:
        require_prime(prime, precision)
        super().__init__(_prime_field(prime), precision)
        self.prime = prime


def _is_zero(matrix: Any) -> bool:
    return not any(matrix.entries())


def _from_polynomials(field: _Field, precision: int, rows: int, columns: int, polynomials: Sequence[Any]) -> SeriesMatrix:
    series = [polynomial.coeffs() for polynomial in polynomials]
    length = max((len(coefficients) for coefficients in series), default=1) or 1
    matrices = [
        field.matrix(rows, columns, [coefficients[j] if j < len(coefficients) else 0 for coefficients in series])
        for j in range(min(length, precision))
    ]
    return SeriesMatrix(matrices, field, precision)
