"""Linear algebra over a field by FLINT's row reduction: rank, pivot columns, nullspace, solution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

__all__ = ["nullspace", "pivot_columns", "rank", "row_space", "solve", "to_flint"]


def to_flint(rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    """The FLINT matrix over Q with these rows; there must be at least one."""
    return fmpq_mat([[fmpq(entry.numerator, entry.denominator) for entry in row] for row in rows])


def pivot_columns(matrix: Any) -> list[int]:
    """The pivot columns of a FLINT matrix over a field: the first maximal independent set of columns, from the left."""
    reduced, rank = matrix.rref()
    return [next(j for j, entry in enumerate(row) if entry) for row in reduced.tolist()[: int(rank)]]


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    """The rank over Q of a matrix with at least one row."""
    return int(to_flint(rows).rank())


def solve(rows: Sequence[Sequence[Fraction]], values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The vector x with ``rows x = values`` for an invertible matrix over Q."""
    solution = to_flint(rows).solve(to_flint([[value] for value in values]))
    return tuple(Fraction(int(entry.p), int(entry.q)) for entry in solution.entries())


def nullspace(matrix: Any) -> list[list[Any]]:
    """A basis of the right nullspace of a FLINT matrix over a field: one vector for each column that is no pivot, with a 1 there.

    >>> nullspace(to_flint([[Fraction(1), Fraction(2)]]))
    [[-2, 1]]
    """
    reduced, matrix_rank = matrix.rref()
    table = reduced.tolist()[: int(matrix_rank)]
    size = matrix.ncols()
    pivots = [next(j for j in range(size) if row[j]) for row in table]
    zero = reduced[0, 0] * 0
    basis = []
    for free in sorted(set(range(size)) - set(pivots)):
        vector = [zero] * size
        vector[free] = zero + 1
        for row, pivot in zip(table, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def row_space(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The nonzero rows of the reduced echelon form over Q, for rows of FLINT rationals or integers; none for no rows."""
    if not rows:
        return []
    reduced, size = fmpq_mat([list(row) for row in rows]).rref()
    table: list[list[Any]] = reduced.tolist()
    return table[: int(size)]
