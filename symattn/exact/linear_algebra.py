"""Row reduction over a field, as the searches need it: pivot columns, and matrices handed to FLINT."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

__all__ = ["pivot_columns", "rank", "solve", "to_flint"]


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
