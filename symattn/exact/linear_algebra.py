"""Row reduction over a field, as the searches need it: pivot columns, and matrices handed to FLINT."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

__all__ = ["pivot_columns", "to_flint"]


def to_flint(rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    """The FLINT matrix over Q with these rows; there must be at least one."""
    return fmpq_mat([[fmpq(entry.numerator, entry.denominator) for entry in row] for row in rows])


def pivot_columns(matrix: Any) -> list[int]:
    """The pivot columns of a FLINT matrix over a field: the first maximal independent set of columns, from the left."""
    reduced, rank = matrix.rref()
    return [next(j for j, entry in enumerate(row) if entry) for row in reduced.tolist()[: int(rank)]]
