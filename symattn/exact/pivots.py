"""Rows and columns of a Jacobian at a p-adic point that show its contact orders: elimination with complete pivoting over ``Z/p^N``.

The pivot of least order in t among all that is left divides the rest, so the orders of the pivots are those of the whole Smith form. This
is the plain twin of :mod:`symattn.exact.smith`; it is slower, but it names the rows and columns that a certificate needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symattn.arithmetic.padic import PadicMatrix

__all__ = ["Pivot", "complete_pivots"]


@dataclass(frozen=True)
class Pivot:
    """A pivot: row and column (from 0), its valuation in u, and its order ``2 valuation + weight`` in t."""

    row: int
    column: int
    valuation: int
    order: int


def complete_pivots(matrix: PadicMatrix, weights: Sequence[int], columns: Sequence[int], prime: int) -> list[Pivot]:
    """Pivots among these columns in ascending order in t, until what is left vanishes modulo ``p^N``.

    ``weights`` are those of all columns (0 or 1, see :mod:`symattn.exact.smith`).

    >>> from symattn.arithmetic import PadicPoint
    >>> complete_pivots(PadicPoint(7, 5).matrix([[7, 1], [98, 7]]), [0, 1], [0, 1], 7)
    [Pivot(row=0, column=1, valuation=0, order=1), Pivot(row=1, column=0, valuation=2, order=4)]
    """
    modulus = prime ** matrix.precision()
    rows = dict(enumerate(matrix.integers()))
    left = list(columns)
    pivots: list[Pivot] = []
    order = 0
    while rows and left and order < 2 * matrix.precision():
        place = _entry_of_order(rows, left, weights, order, prime)
        if place is None:
            order += 1
            continue
        i, c = place
        pivot_row = rows.pop(i)
        left.remove(c)
        valuation = (order - weights[c]) // 2
        power = prime**valuation
        inverse = pow(pivot_row[c] // power, -1, modulus)
        for row in rows.values():
            if row[c]:
                factor = row[c] // power * inverse % modulus
                for j in left:
                    row[j] = (row[j] - factor * pivot_row[j]) % modulus
        pivots.append(Pivot(i, c, valuation, order))
    return pivots


def _entry_of_order(
    rows: dict[int, list[int]], columns: Sequence[int], weights: Sequence[int], order: int, prime: int
) -> tuple[int, int] | None:
    """An entry of this order in t, where none is of less: only columns whose weight has the parity of the order have one."""
    own = [c for c in columns if weights[c] == order % 2]
    above = prime ** ((order - order % 2) // 2 + 1)
    for i, row in rows.items():
        for c in own:
            if row[c] % above:
                return i, c
    return None
