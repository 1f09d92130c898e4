"""The p-adic point: the collapse path evaluated at ``u = p`` in ``Z/p^N`` (spec 03).

Every number of the network at ``u = p`` is a p-adic integer, so the whole forward and backward pass is integer matrix
arithmetic modulo ``p^N``, done by FLINT. p-adic valuations of minors bound the orders of the minors in ``u`` from above.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpz, fmpz_mod_ctx, fmpz_mod_mat, fmpz_poly, nmod_mat, nmod_poly

from symattn.arithmetic.primes import require_prime
from symattn.errors import BudgetError, UndecidedError

if TYPE_CHECKING:
    from symattn.normalizers import Normalizer

__all__ = ["DEFAULT_PRIMES", "PadicMatrix", "PadicPoint", "constant_generator"]

# The largest primes below 2^31: one 64-bit word holds a product, and a random collision modulo p is unlikely.
DEFAULT_PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549)


@lru_cache(maxsize=256)
def _context(prime: int, precision: int) -> fmpz_mod_ctx:
    return fmpz_mod_ctx(fmpz(prime) ** precision)


class PadicMatrix:
    """A matrix over ``Z/p^N``; see :class:`symattn.arithmetic.protocol.LocalMatrix`."""

    __slots__ = ("_level", "_prime", "_values")

    def __init__(self, values: fmpz_mod_mat, prime: int, precision: int) -> None:
        self._values = values
        self._prime = prime
        self._level = precision

    def _like(self, values: fmpz_mod_mat) -> PadicMatrix:
        return PadicMatrix(values, self._prime, self._level)

    def _build(self, rows: int, columns: int, entries: list[Any]) -> PadicMatrix:
        return self._like(fmpz_mod_mat(rows, columns, entries, _context(self._prime, self._level)))

    @property
    def shape(self) -> tuple[int, int]:
        return self._values.nrows(), self._values.ncols()

    def precision(self) -> int:
        return self._level

    def __add__(self, other: PadicMatrix) -> PadicMatrix:
        return self._like(self._values + other._values)

    def __sub__(self, other: PadicMatrix) -> PadicMatrix:
        return self._like(self._values - other._values)

    def __matmul__(self, other: PadicMatrix) -> PadicMatrix:
        return self._like(self._values * other._values)

    def transpose(self) -> PadicMatrix:
        return self._like(self._values.transpose())

    def hadamard(self, other: PadicMatrix) -> PadicMatrix:
        if self.shape != other.shape:
            raise ValueError(f"matrices of shapes {self.shape} and {other.shape} have no entrywise product")
        products = [a * b for a, b in zip(self._values.entries(), other._values.entries(), strict=True)]
        return self._build(*self.shape, products)

    def scale(self, factor: Fraction | int) -> PadicMatrix:
        return self._like(self._values * _to_integer(factor, self._prime, self._level))

    def is_zero(self) -> bool:
        return all(entry == 0 for entry in self._values.entries())

    def agrees_with(self, other: PadicMatrix) -> bool:
        return bool(self._values == other._values)

    def entries(self) -> list[Any]:
        """The entries row by row, as ``fmpz_mod``."""
        entries: list[Any] = self._values.entries()
        return entries

    def integers(self) -> list[list[int]]:
        """The entries as integers in ``[0, p^N)``."""
        return [[int(entry) for entry in row] for row in self._values.tolist()]

    def take(self, rows: Sequence[int], columns: Sequence[int]) -> PadicMatrix:
        table = self._values.tolist()
        return self._build(len(rows), len(columns), [table[i][j] for i in rows for j in columns])

    def valuation(self) -> int | None:
        # The gcd of all entries and p^N is the power of p wanted; it settles after a few entries, and then each
        # further entry costs one division.
        common = fmpz(self._prime) ** self._level
        for entry in self._values.entries():
            value = fmpz(int(entry))
            if value % common:
                common = common.gcd(value)
                if common == 1:
                    return 0
        level = _power_of(common, self._prime)
        return None if level == self._level else level

    def divide(self, valuation: int) -> PadicMatrix:
        if valuation == 0:
            return self
        power = fmpz(self._prime) ** valuation
        quotients = [fmpz(int(entry)) // power for entry in self._values.entries()]
        level = self._level - valuation
        return PadicMatrix(fmpz_mod_mat(*self.shape, quotients, _context(self._prime, level)), self._prime, level)

    def residue(self) -> nmod_mat:
        return nmod_mat(*self.shape, [int(entry) % self._prime for entry in self._values.entries()], self._prime)

    def lift(self, residue: nmod_mat) -> PadicMatrix:
        return self._build(residue.nrows(), residue.ncols(), [int(entry) for entry in residue.entries()])


def constant_generator(constant: Any) -> tuple[str, int]:
    """The name of the number that generates an irrational sympy constant, and the power it is of it: ``1/log(2)`` is ``log(2)^-1``.

    Only transcendental constants are taken apart: an algebraic one is named by itself, as its minimal polynomial belongs to it.
    """
    base, exponent = constant.as_base_exp()
    if exponent.is_Integer and not constant.is_algebraic:
        return str(base), int(exponent)
    return str(constant), 1


class PadicPoint:
    """The ring ``Z/p^N`` with the path parameter sent to ``u = p``.

    ``prime`` must be a prime that divides neither the token count nor a denominator of the data, and must exceed the number
    of Taylor terms in use; raises :class:`InputError` for a number that is not a prime, :class:`UndecidedError` for data that
    are not p-integral and :class:`BudgetError` where ``p`` is too small for the precision.
    """

    def __init__(self, prime: int, precision: int) -> None:
        if precision < 1:
            raise BudgetError(f"a p-adic precision of at least 1 is needed, not {precision}")
        require_prime(prime, precision)
        self.prime = prime
        self.precision = precision
        self._context = _context(prime, precision)

    @property
    def name(self) -> str:
        return f"Z/p^{self.precision}, u = p = {self.prime}"

    @property
    def proves(self) -> str:
        return (
            "every determinantal order found is an upper bound for this instance and bank, and for generic ones; "
            "the rank found is a lower bound"
        )

    def _wrap(self, rows: int, columns: int, entries: list[Any]) -> PadicMatrix:
        return PadicMatrix(fmpz_mod_mat(rows, columns, entries, self._context), self.prime, self.precision)

    def matrix(self, rows: Sequence[Sequence[Fraction | int]]) -> PadicMatrix:
        entries = [_to_integer(entry, self.prime, self.precision) for row in rows for entry in row]
        return self._wrap(len(rows), len(rows[0]) if rows else 0, entries)

    def constant(self, rows: int, columns: int, value: int) -> PadicMatrix:
        return self._wrap(rows, columns, [value] * (rows * columns))

    def shift(self, matrix: PadicMatrix, power: int) -> PadicMatrix:
        return PadicMatrix(matrix._values * (fmpz(self.prime) ** min(power, self.precision)), self.prime, self.precision)

    def reciprocal(self, matrix: PadicMatrix) -> PadicMatrix:
        # One inversion for the whole matrix: running products forward, then peeled off backward.
        entries = matrix.entries()
        running = [self._context(1)]
        for entry in entries:
            running.append(running[-1] * entry)
        if int(running[-1]) % self.prime == 0:
            raise UndecidedError(f"a weight sum is divisible by the prime {self.prime}: take another prime")
        inverse = running[-1].inverse()
        inverses = []
        for entry, before in zip(reversed(entries), reversed(running[:-1]), strict=True):
            inverses.append(inverse * before)
            inverse = inverse * entry
        return self._wrap(*matrix.shape, inverses[::-1])

    def assemble(self, rows: Sequence[Sequence[PadicMatrix]]) -> PadicMatrix:
        entries = [entry for blocks in rows for block in blocks for entry in block.entries()]
        return self._wrap(len(rows), len(entries) // len(rows) if rows else 0, entries)

    def normalize(self, normalizer: Normalizer, scores: Sequence[PadicMatrix]) -> list[tuple[PadicMatrix, PadicMatrix]]:
        polynomial = normalizer.log_polynomial
        if polynomial is None:
            return self._pairs(scores, self._evaluate(normalizer, [entry for score in scores for entry in score.entries()]))
        logits = [self._polynomial(polynomial, score) for score in scores]
        centred = [logit - self._row_means(logit) for logit in logits]
        weights = self._exponentials(centred)
        slope = [j * coefficient for j, coefficient in enumerate(polynomial)][1:]
        return [(weight, weight.hadamard(self._polynomial(slope, score))) for weight, score in zip(weights, scores, strict=True)]

    def _polynomial(self, coefficients: Sequence[Fraction], matrix: PadicMatrix) -> PadicMatrix:
        """A rational polynomial at every entry, by Horner's rule."""
        values = [self._context(_to_integer(coefficient, self.prime, self.precision)) for coefficient in coefficients]
        return self._wrap(*matrix.shape, [_horner(values, entry) for entry in matrix.entries()])

    def _row_means(self, matrix: PadicMatrix) -> PadicMatrix:
        columns = matrix.shape[1]
        return (matrix @ self.constant(columns, columns, 1)).scale(Fraction(1, columns))

    def _exponentials(self, matrices: Sequence[PadicMatrix]) -> list[PadicMatrix]:
        entries = [entry for matrix in matrices for entry in matrix.entries()]
        terms = self._term_count(entries)
        coefficients = [fmpq(1)]
        for j in range(1, terms):
            coefficients.append(coefficients[-1] / j)
        (values,) = self._power_sums(entries, [coefficients])
        sizes = [matrix.shape for matrix in matrices]
        return [self._wrap(*size, chunk) for size, chunk in zip(sizes, _chunks(values, sizes), strict=True)]

    def _evaluate(self, normalizer: Normalizer, entries: list[Any]) -> list[list[Any]]:
        """``phi`` and ``phi'`` at these numbers, all divisible by p, from the Taylor coefficients of ``phi``."""
        coefficients = self._taylor(normalizer, self._term_count(entries) + 1)
        slopes = [j * coefficient for j, coefficient in enumerate(coefficients)][1:]
        return self._power_sums(entries, [coefficients[:-1], slopes])

    def _taylor(self, normalizer: Normalizer, terms: int) -> list[fmpq]:
        """The Taylor coefficients of ``phi``, or integers that stand for them modulo p^N where they involve one constant."""
        if normalizer.is_rational:
            return normalizer.coefficients(terms)
        constant, rows = normalizer.coefficients_in_constant(terms)
        name, power = constant_generator(constant)
        image = self._context(self._constant_image(name, normalizer.constant_minimal_polynomial()))
        image = image.inverse() ** -power if power < 0 else image**power
        coefficients = []
        for row in rows:
            values = [_to_integer(Fraction(int(c.p), int(c.q)), self.prime, self.precision) for c in row]
            coefficients.append(fmpq(int(_horner(values or [0], image))))
        return coefficients

    def _constant_image(self, name: str, minimal_polynomial: fmpz_poly | None) -> int:
        """Where an irrational constant goes: a transcendental one to a unit drawn from its name (a minor that is nonzero there is a
        nonzero polynomial in the constant), an algebraic one to a root of its minimal polynomial, lifted by Newton's iteration.
        """
        if minimal_polynomial is None:
            return random.Random(f"{name} {self.prime}").randrange(1, self.prime)
        polynomial = [int(coefficient) for coefficient in minimal_polynomial.coeffs()]
        simple = [int(root) for root, multiplicity in nmod_poly(polynomial, self.prime).roots() if multiplicity == 1]
        if polynomial[-1] % self.prime == 0 or not simple:
            raise UndecidedError(f"the minimal polynomial of {name} has no simple root modulo {self.prime}: take another prime")
        root, known = self._context(min(simple)), 1
        slope = [j * coefficient for j, coefficient in enumerate(polynomial)][1:]
        while known < self.precision:
            root = root - _horner(polynomial, root) * _horner(slope, root).inverse()
            known *= 2
        return int(root)

    def _pairs(self, scores: Sequence[PadicMatrix], values: list[list[Any]]) -> list[tuple[PadicMatrix, PadicMatrix]]:
        sizes = [score.shape for score in scores]
        chunks = zip(sizes, _chunks(values[0], sizes), _chunks(values[1], sizes), strict=True)
        return [(self._wrap(*size, first), self._wrap(*size, second)) for size, first, second in chunks]

    def _term_count(self, entries: list[Any]) -> int:
        """How many Taylor terms matter modulo p^N when every argument has the least valuation found here."""
        least = self._wrap(1, len(entries), entries).valuation() if entries else None
        if least is None:
            return 1
        if least == 0:
            raise UndecidedError("a score is not divisible by p: normalizers converge only on scores that vanish at the collapse")
        return -(-self.precision // least)

    def _power_sums(self, entries: list[Any], series: Sequence[list[fmpq]]) -> list[list[Any]]:
        """Several power series at many arguments by rectangular splitting.

        With ``c_(gB+j)`` in row j and column g, one integer matrix product turns the powers ``s^0 .. s^(B-1)`` of every
        argument into the coefficients of a polynomial in ``s^B``, which Horner's rule then sums.
        """
        terms = len(series[0])
        width = max(1, isqrt(terms))
        powers, steps = [], []
        for entry in entries:
            row = [self._context(1)]
            for _ in range(width - 1):
                row.append(row[-1] * entry)
            powers.extend(row)
            steps.append(row[-1] * entry)
        table = fmpz_mod_mat(len(entries), width, powers, self._context)
        results = []
        for coefficients in series:
            groups = -(-terms // width)
            numerators, denominator = _common_denominator(coefficients)
            if denominator % self.prime == 0:
                raise UndecidedError(f"a Taylor coefficient has the prime {self.prime} in its denominator: take another prime")
            padded = numerators + [fmpz(0)] * (groups * width - terms)
            block = fmpz_mod_mat(width, groups, [padded[g * width + j] for j in range(width) for g in range(groups)], self._context)
            inverse = self._context(denominator).inverse()
            sums = []
            for row, step in zip((table * block).tolist(), steps, strict=True):
                sums.append(_horner(row, step) * inverse)
            results.append(sums)
        return results


def _horner(coefficients: Sequence[Any], point: Any) -> Any:
    """The polynomial with these ascending coefficients (integers or elements of the ring) at a point."""
    value = point * 0 + coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = value * point + coefficient
    return value


def _chunks(values: list[Any], sizes: Sequence[tuple[int, int]]) -> list[list[Any]]:
    """The flat list cut into consecutive pieces for matrices of these sizes."""
    pieces, start = [], 0
    for rows, columns in sizes:
        pieces.append(values[start : start + rows * columns])
        start += rows * columns
    return pieces


def _common_denominator(coefficients: Sequence[fmpq]) -> tuple[list[fmpz], fmpz]:
    denominator = fmpz(1)
    for coefficient in coefficients:
        denominator = denominator.lcm(coefficient.q)
    return [coefficient.p * (denominator // coefficient.q) for coefficient in coefficients], denominator


@lru_cache(maxsize=65536, typed=True)  # typed: 0.5 equals the fraction 1/2 and must not find its image
def _to_integer(value: Fraction | int, prime: int, precision: int) -> int:
    """The image of a p-integral rational in ``Z/p^N``."""
    if not isinstance(value, (int, Fraction)):
        raise TypeError(f"a rational number was expected, not {type(value).__name__}")
    if value.denominator == 1:
        return value.numerator
    if value.denominator % prime == 0:
        raise UndecidedError(f"the number {value} has the prime {prime} in its denominator: take another prime")
    context = _context(prime, precision)
    return int(context(value.numerator) * context(value.denominator).inverse())


def _power_of(value: fmpz, prime: int) -> int:
    level = 0
    while value % prime == 0 and value:
        value //= prime
        level += 1
    return level
