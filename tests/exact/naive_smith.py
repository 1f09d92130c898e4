"""Naive twins of the local Smith form: elimination entry by entry in plain Python, and determinantal divisors by brute force."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import Any, Protocol

__all__ = ["ModularIntegers", "RamifiedIntegers", "RationalPolynomials", "determinantal_exponents", "eliminated_exponents"]


class Ring(Protocol):
    """A truncated valuation ring; ``valuation`` of what is zero to its precision is ``None``."""

    def valuation(self, x: Any) -> int | None: ...
    def product(self, x: Any, y: Any) -> Any: ...
    def difference(self, x: Any, y: Any) -> Any: ...
    def quotient(self, x: Any, y: Any) -> Any: ...


class ModularIntegers:
    """``Z/p^N``: entries are Python integers."""

    def __init__(self, prime: int, precision: int) -> None:
        self.prime = prime
        self.precision = precision
        self.modulus = prime**precision

    def valuation(self, x: int) -> int | None:
        return next((v for v in range(self.precision) if x % self.prime ** (v + 1)), None)

    def product(self, x: int, y: int) -> int:
        return x * y % self.modulus

    def difference(self, x: int, y: int) -> int:
        return (x - y) % self.modulus

    def quotient(self, x: int, y: int) -> int:
        power = self.prime ** (self.valuation(y) or 0)
        return x // power * pow(y // power, -1, self.modulus) % self.modulus


class RamifiedIntegers:
    """``Z[t]/(t^2 - p, t^(2N))``: an entry ``a + b t`` is the pair ``(a, b)``; valuations count powers of t."""

    def __init__(self, prime: int, precision: int) -> None:
        self.base = ModularIntegers(prime, precision)

    def valuation(self, x: tuple[int, int]) -> int | None:
        found = [2 * v + odd for odd in (0, 1) if (v := self.base.valuation(x[odd])) is not None]
        return min(found, default=None)

    def product(self, x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
        (a, b), (c, d) = x, y
        return (a * c + self.base.prime * b * d) % self.base.modulus, (a * d + b * c) % self.base.modulus

    def difference(self, x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
        return self.base.difference(x[0], y[0]), self.base.difference(x[1], y[1])

    def quotient(self, x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
        for _ in range(self.valuation(y) or 0):
            x, y = ((b, a // self.base.prime) for a, b in (x, y))
        norm = pow(y[0] ** 2 - self.base.prime * y[1] ** 2, -1, self.base.modulus)
        return self.product(x, (y[0] * norm, -y[1] * norm))


class RationalPolynomials:
    """``Q[u]/(u^N)``: an entry is the list of its N coefficients."""

    def __init__(self, precision: int) -> None:
        self.precision = precision

    def valuation(self, x: Sequence[Fraction]) -> int | None:
        return next((v for v in range(self.precision) if x[v]), None)

    def product(self, x: Sequence[Fraction], y: Sequence[Fraction]) -> list[Fraction]:
        return [sum((x[i] * y[j - i] for i in range(j + 1)), Fraction(0)) for j in range(self.precision)]

    def difference(self, x: Sequence[Fraction], y: Sequence[Fraction]) -> list[Fraction]:
        return [a - b for a, b in zip(x, y, strict=True)]

    def quotient(self, x: Sequence[Fraction], y: Sequence[Fraction]) -> list[Fraction]:
        shift = self.valuation(y) or 0
        above, below = [[*z[shift:], *[Fraction(0)] * shift] for z in (x, y)]
        result: list[Fraction] = []
        for j in range(self.precision):
            known = sum((result[i] * below[j - i] for i in range(j)), Fraction(0))
            result.append((above[j] - known) / below[0])
        return result


def eliminated_exponents(table: Sequence[Sequence[Any]], ring: Ring) -> list[int]:
    """The exponents below the precision, ascending: the entry of least valuation clears its row and column, again and again."""
    rows = [list(row) for row in table]
    exponents = []
    while True:
        places = [(v, i, j) for i, row in enumerate(rows) for j, x in enumerate(row) if (v := ring.valuation(x)) is not None]
        if not places:
            return exponents
        least, pivot_row, pivot_column = min(places)
        exponents.append(least)
        pivot = rows.pop(pivot_row)
        for row in rows:
            factor = ring.quotient(row[pivot_column], pivot[pivot_column])
            row[:] = [ring.difference(x, ring.product(factor, y)) for x, y in zip(row, pivot, strict=True)]
        # The pivot divides its whole row, so column operations clear that without touching any other row.
        for row in rows:
            row.pop(pivot_column)


def determinantal_exponents(table: Sequence[Sequence[int]], prime: int, weights: Sequence[int], ramification: int) -> list[int]:
    """The exponents of an integer matrix over the p-adic integers, from the valuations of all its minors.

    A column of weight w stands for ``t^w`` times the integers given, with ``t^ramification = p``.
    """
    rows, columns = len(table), len(table[0]) if table else 0
    divisors = [0]
    for size in range(1, min(rows, columns) + 1):
        orders = [
            ramification * valuation + sum(weights[j] for j in own)
            for chosen in combinations(range(rows), size)
            for own in combinations(range(columns), size)
            if (valuation := _valuation(_determinant([[table[i][j] for j in own] for i in chosen]), prime)) is not None
        ]
        if not orders:
            break
        divisors.append(min(orders))
    return [after - before for before, after in pairwise(divisors)]


def _determinant(square: Sequence[Sequence[int]]) -> int:
    total = 0
    for order in permutations(range(len(square))):
        inversions = sum(order[i] > order[j] for i, j in combinations(range(len(square)), 2))
        term = (-1) ** inversions
        for i, j in enumerate(order):
            term *= square[i][j]
        total += term
    return total


def _valuation(value: int, prime: int) -> int | None:
    if not value:
        return None
    found = 0
    while value % prime == 0:
        value //= prime
        found += 1
    return found
