"""A naive p-adic contact spectrum that knows no theorem: the twin against which predictions are tested.

The network with ``phi_i(s) = 1 + s**k_i`` is evaluated at ``t = p`` modulo ``p**precision`` with one dual number per entry, and the
valuations of the elementary divisors of its Jacobian are read off by plain elimination.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from symattn.network.instance import Instance, PathLayer
from symattn.network.rational import RationalMatrix, identity, rational_matrix
from symattn.normalizers import normalizer

PRIME = 10007


class Dual:
    """A residue and its derivatives in all native parameters; ``None`` stands for no derivative."""

    def __init__(self, value: int, tangent: list[int] | None = None) -> None:
        self.value = value
        self.tangent = tangent

    def plus(self, other: Dual, modulus: int) -> Dual:
        if self.tangent is None or other.tangent is None:
            return Dual((self.value + other.value) % modulus, self.tangent or other.tangent)
        return Dual((self.value + other.value) % modulus, [(a + b) % modulus for a, b in zip(self.tangent, other.tangent, strict=True)])

    def times(self, other: Dual, modulus: int) -> Dual:
        x, y, dx, dy = self.value, other.value, self.tangent, other.tangent
        if dx is None and dy is None:
            return Dual(x * y % modulus)
        zero = [0] * len(dx or dy or [])
        return Dual(x * y % modulus, [(x * b + y * a) % modulus for a, b in zip(dx or zero, dy or zero, strict=True)])

    def inverse(self, modulus: int) -> Dual:
        y = pow(self.value, -1, modulus)
        return Dual(y, None if self.tangent is None else [-y * y * a % modulus for a in self.tangent])


Matrix = list[list[Dual]]


def contact_spectrum(instance: Instance, precision: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """``(order, multiplicity)`` for the orders below the precision, and the number of columns not seen below it."""
    modulus = PRIME**precision
    rows: list[list[int]] = []
    for x in instance.bank:
        for token in _outputs(instance, x, modulus):
            rows += [entry.tangent or [0] * instance.parameter_count for entry in token]
    exponents = _elementary_divisors(rows, precision)
    return tuple(sorted(Counter(exponents).items())), instance.parameter_count - len(exponents)


def _outputs(instance: Instance, x: RationalMatrix, modulus: int) -> Matrix:
    count, used = instance.parameter_count, 0

    def variables(matrix: RationalMatrix, scale: int) -> Matrix:
        nonlocal used
        result = []
        for row in matrix:
            result.append([])
            for entry in row:
                tangent = [0] * count
                tangent[used] = 1
                used += 1
                result[-1].append(Dual(_residue(entry, modulus) * scale % modulus, tangent))
        return result

    def product(left: Matrix, right: Matrix) -> Matrix:
        return [
            [_sum([a.times(row[j], modulus) for a, row in zip(line, right, strict=True)], modulus) for j in range(len(right[0]))]
            for line in left
        ]

    tokens = [[Dual(_residue(entry, modulus)) for entry in row] for row in x]
    for layer, k in zip(instance.layers, instance.degrees, strict=True):
        queries, keys, values = variables(layer.U, PRIME), variables(layer.W, PRIME), variables(layer.V, 1)
        scores = product(product(tokens, queries), _transposed(product(tokens, keys)))
        weights = []
        for line in scores:
            powers = line
            for _ in range(k - 1):
                powers = [a.times(b, modulus) for a, b in zip(powers, line, strict=True)]
            numerators = [Dual(1).plus(power, modulus) for power in powers]
            total = _sum(numerators, modulus).inverse(modulus)
            weights.append([numerator.times(total, modulus) for numerator in numerators])
        tokens = product(product(weights, tokens), _transposed(values))
    return tokens


def _transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def _sum(terms: Sequence[Dual], modulus: int) -> Dual:
    total = terms[0]
    for term in terms[1:]:
        total = total.plus(term, modulus)
    return total


def _residue(entry: Fraction, modulus: int) -> int:
    return entry.numerator * pow(entry.denominator, -1, modulus) % modulus


def _valuation(value: int, precision: int) -> int:
    for exponent in range(precision):
        if value % PRIME ** (exponent + 1):
            return exponent
    return precision


def _elementary_divisors(rows: list[list[int]], precision: int) -> list[int]:
    """Valuations below the precision, ascending: divide by a pivot of least valuation, eliminate, repeat."""
    modulus = PRIME**precision
    rows = [row[:] for row in rows]
    exponents: list[int] = []
    least = 0
    while rows and rows[0]:
        while (place := _entry_of_valuation(rows, least)) is None:
            least += 1
            if least == precision:
                return exponents
        i, j = place
        pivot_row = rows.pop(i)
        pivot = pivot_row[j]
        unit = pow(pivot // PRIME**least, -1, modulus)
        exponents.append(least)
        for row in rows:
            if row[j]:
                factor = row[j] // PRIME**least * unit % modulus
                row[:] = [(a - factor * b) % modulus for a, b in zip(row, pivot_row, strict=True)]
        for row in rows:
            del row[j]
    return exponents


def _entry_of_valuation(rows: list[list[int]], exponent: int) -> tuple[int, int] | None:
    divisor = PRIME ** (exponent + 1)
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            if entry % divisor:
                return i, j
    return None


def random_matrix(rng: random.Random, rows: int, columns: int) -> RationalMatrix:
    return rational_matrix([[rng.randint(-30, 30) for _ in range(columns)] for _ in range(rows)])


def random_layer(rng: random.Random, width: int, rank: int) -> PathLayer:
    return PathLayer(random_matrix(rng, width, rank), random_matrix(rng, width, rank), identity(width))


def path(tokens: int, degrees: Sequence[int], layers: Sequence[PathLayer]) -> Instance:
    return Instance(tokens, len(layers[0].U), tuple(normalizer(f"1 + s**{k}") for k in degrees), tuple(layers))


def random_bank(rng: random.Random, instance: Instance, size: int) -> Instance:
    return instance.with_bank(tuple(random_matrix(rng, instance.tokens, instance.width) for _ in range(size)), "random, for a test")
