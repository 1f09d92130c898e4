"""Immutable rational matrices: tuples of rows of ``fractions.Fraction``, as instances and tuples hold them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["RationalMatrix", "identity", "multiply", "negative", "rational_matrix", "shape", "transpose"]

RationalMatrix = tuple[tuple[Fraction, ...], ...]


def rational_matrix(rows: Sequence[Sequence[Fraction | int | str]]) -> RationalMatrix:
    """The matrix with these rows; entries are integers, fractions, or strings that ``Fraction`` reads exactly.

    Floats are refused (``TypeError``): a float is not taken for a rational silently.

    >>> rational_matrix([[1, "1/2"]])
    ((Fraction(1, 1), Fraction(1, 2)),)
    """
    for row in rows:
        for entry in row:
            if not isinstance(entry, (int, str, Fraction)):
                raise TypeError(f"a rational entry was expected, not {type(entry).__name__}")
    return tuple(tuple(Fraction(entry) for entry in row) for row in rows)


def shape(matrix: RationalMatrix) -> tuple[int, int]:
    """Number of rows and of columns."""
    return len(matrix), len(matrix[0]) if matrix else 0


def identity(size: int) -> RationalMatrix:
    """The identity matrix of this size."""
    return tuple(tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size))


def transpose(matrix: RationalMatrix) -> RationalMatrix:
    """The transpose."""
    return tuple(zip(*matrix, strict=True))


def multiply(left: RationalMatrix, right: RationalMatrix) -> RationalMatrix:
    """The matrix product over Q."""
    columns = transpose(right)
    return tuple(tuple(sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns) for row in left)


def negative(matrix: RationalMatrix) -> RationalMatrix:
    """The matrix with every sign changed."""
    return tuple(tuple(-entry for entry in row) for row in matrix)
