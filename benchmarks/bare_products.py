"""The big-integer products that the p-adic point performs, recorded and replayed as bare FLINT products without reduction.

Recorded are the matrix products with the shapes and bit sizes of their operands, and the entrywise products (hadamard products,
batched reciprocals, powers and Horner sums of the normalizer). Replayed are products of random integers of the same sizes:
``fmpz_mat * fmpz_mat`` for matrices, ``fmpz * fmpz`` in a list for entries. Linear-time work (sums, transposes, reductions, lists) is not.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isqrt
from typing import Any

from flint import fmpz, fmpz_mat

from symattn.arithmetic.padic import PadicMatrix, PadicPoint

_ROUNDING = 32  # bit sizes are rounded up to multiples of this, so that products of nearly equal size are replayed together


@dataclass
class Products:
    """How often each product was performed: matrices by ``(rows, inner, columns, left bits, right bits)``, entries by bits."""

    matrices: Counter[tuple[int, int, int, int, int]] = field(default_factory=Counter)
    entries: Counter[int] = field(default_factory=Counter)

    def replay(self) -> tuple[float, float]:
        """Processor seconds of the bare matrix products and of the bare entrywise products."""
        source = random.Random(1)
        of_matrices = of_entries = 0.0
        for (rows, inner, columns, left_bits, right_bits), count in self.matrices.items():
            left, right = _draw(source, rows, inner, left_bits), _draw(source, inner, columns, right_bits)
            start = time.process_time()
            for _ in range(count):
                left * right
            of_matrices += time.process_time() - start
        for bits, count in self.entries.items():
            a, b = (fmpz(source.getrandbits(bits) | 1 << (bits - 1)) for _ in range(2))
            start = time.process_time()
            for _ in range(count):
                a * b
            of_entries += time.process_time() - start
        return of_matrices, of_entries


@contextmanager
def recorded_products() -> Iterator[Products]:
    """Records every product inside the block; the methods of the p-adic point are put back afterwards."""
    products = Products()
    kept = (PadicMatrix.__matmul__, PadicMatrix.hadamard, PadicPoint.reciprocal, PadicPoint._power_sums)
    matmul, hadamard, reciprocal, power_sums = kept

    def recording_matmul(left: PadicMatrix, right: PadicMatrix) -> PadicMatrix:
        products.matrices[(*left.shape, right.shape[1], _bits(left), _bits(right))] += 1
        return matmul(left, right)

    def recording_hadamard(left: PadicMatrix, right: PadicMatrix) -> PadicMatrix:
        products.entries[_rounded(_modulus_bits(left))] += left.shape[0] * left.shape[1]
        return hadamard(left, right)

    def recording_reciprocal(point: PadicPoint, matrix: PadicMatrix) -> PadicMatrix:
        products.entries[_rounded(_modulus_bits(matrix))] += 3 * matrix.shape[0] * matrix.shape[1]
        return reciprocal(point, matrix)

    def recording_power_sums(point: PadicPoint, entries: list[Any], series: Any) -> list[list[Any]]:
        # Rectangular splitting: the powers s^0 .. s^B of every argument, one matrix product and one Horner sum for each series.
        bits = _rounded((point.prime**point.precision).bit_length())
        width = max(1, isqrt(len(series[0])))
        groups = -(-len(series[0]) // width)
        products.entries[bits] += len(entries) * (width + len(series) * groups)
        products.matrices[(len(entries), width, groups, bits, bits)] += len(series)
        return power_sums(point, entries, series)

    _put((recording_matmul, recording_hadamard, recording_reciprocal, recording_power_sums))
    try:
        yield products
    finally:
        _put(kept)


def _put(methods: tuple[Callable[..., Any], ...]) -> None:
    names = ((PadicMatrix, "__matmul__"), (PadicMatrix, "hadamard"), (PadicPoint, "reciprocal"), (PadicPoint, "_power_sums"))
    for (owner, name), method in zip(names, methods, strict=True):
        setattr(owner, name, method)


def _bits(matrix: PadicMatrix) -> int:
    return _rounded(max((int(entry).bit_length() for entry in matrix.entries()), default=0))


def _modulus_bits(matrix: PadicMatrix) -> int:
    return int(matrix._prime ** matrix.precision()).bit_length()


def _rounded(bits: int) -> int:
    return max(1, -(-bits // _ROUNDING)) * _ROUNDING


def _draw(source: random.Random, rows: int, columns: int, bits: int) -> fmpz_mat:
    return fmpz_mat(rows, columns, [source.getrandbits(bits) for _ in range(rows * columns)])
