"""The local Smith form over a truncated discrete valuation ring, block by block (spec 03).

Over ``R = Z/p^N`` or ``K[u]/(u^N)`` every matrix is equivalent to a diagonal of powers of the uniformizer. Each step divides by
the least valuation, finds a maximal invertible block modulo the uniformizer, lifts its inverse by Newton's iteration and
takes the Schur complement. All large work is matrix multiplication in FLINT.

Columns may carry weights: with ramification e a column of weight w stands for ``t^w`` times the stored one, ``t^e`` being the
uniformizer. Pivots are taken in the order of ``e * valuation + weight``; then every elimination factor is integral:
a pivot of weight w at valuation v leaves in the columns of smaller weight only valuations above v.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from symattn.arithmetic.linear_algebra import pivot_columns
from symattn.arithmetic.protocol import LocalMatrix

__all__ = ["SmithForm", "local_smith"]

L = TypeVar("L", bound=LocalMatrix)


@dataclass(frozen=True)
class SmithForm:
    """The exponents of a local Smith form.

    ``orders`` lists ``(order, multiplicity)`` in ascending order, in powers of ``t`` (of the uniformizer where the
    ramification is 1). ``unresolved`` elementary divisors are zero to the precision: their orders are at least ``bound``,
    or they belong to the kernel.
    """

    orders: tuple[tuple[int, int], ...]
    unresolved: int
    bound: int

    @property
    def rank(self) -> int:
        """The number of exponents seen: a lower bound for the rank."""
        return sum(multiplicity for _, multiplicity in self.orders)

    def exponents(self) -> list[int]:
        """The exponents seen, each as often as it occurs, ascending."""
        return [order for order, multiplicity in self.orders for _ in range(multiplicity)]


def local_smith(matrix: LocalMatrix, weights: Sequence[int] | None = None, ramification: int = 1) -> SmithForm:
    """The local Smith form of a matrix over ``Z/p^N`` or ``K[u]/(u^N)``.

    ``weights`` gives each column a weight in ``0 .. ramification - 1`` (see the module); by default all are 0.

    >>> from symattn.arithmetic import PadicPoint
    >>> local_smith(PadicPoint(7, 5).matrix([[1, 7], [7, 98]]))
    SmithForm(orders=((0, 1), (2, 1)), unresolved=0, bound=5)
    """
    rows, columns = matrix.shape
    column_weights = list(weights) if weights is not None else [0] * columns
    if len(column_weights) != columns or any(not 0 <= weight < ramification for weight in column_weights):
        raise ValueError("one weight in 0 .. ramification - 1 is needed for each column")
    found: Counter[int] = Counter()
    level = 0
    remaining: Any = matrix
    while 0 not in remaining.shape:
        least = remaining.valuation()
        if least is None:
            break
        remaining, level = remaining.divide(least), level + least
        for weight in sorted(set(column_weights)):
            own = [j for j, other in enumerate(column_weights) if other == weight]
            if not own or 0 in remaining.shape:
                continue
            rows_chosen, columns_chosen = _maximal_invertible_block(remaining, own)
            if rows_chosen:
                found[ramification * level + weight] += len(rows_chosen)
                remaining = _schur_complement(remaining, rows_chosen, columns_chosen)
                column_weights = [w for j, w in enumerate(column_weights) if j not in set(columns_chosen)]
    rank = sum(found.values())
    bound = ramification * (level + remaining.precision())
    return SmithForm(tuple(sorted(found.items())), min(rows, columns) - rank, bound)


def _maximal_invertible_block(matrix: LocalMatrix, columns: Sequence[int]) -> tuple[list[int], list[int]]:
    """Rows and columns (among those given) of a largest submatrix that is invertible modulo the uniformizer."""
    residue = matrix.residue()
    table = residue.tolist()
    chosen = [columns[j] for j in pivot_columns(_same_field(residue, [[row[j] for j in columns] for row in table]))]
    if not chosen:
        return [], []
    return pivot_columns(_same_field(residue, [[row[j] for row in table] for j in chosen])), chosen


def _same_field(like: Any, rows: list[list[Any]]) -> Any:
    entries = [entry for row in rows for entry in row]
    arguments = (entries, like.modulus()) if hasattr(like, "modulus") else (entries,)
    return type(like)(len(rows), len(rows[0]), *arguments)


def _schur_complement(matrix: L, rows: Sequence[int], columns: Sequence[int]) -> L:
    """``F - E B^(-1) C`` for the invertible block B on these rows and columns."""
    other_rows = [i for i in range(matrix.shape[0]) if i not in set(rows)]
    other_columns = [j for j in range(matrix.shape[1]) if j not in set(columns)]
    block = matrix.take(rows, columns)
    solved = _inverse(block) @ matrix.take(rows, other_columns)
    return matrix.take(other_rows, other_columns) - matrix.take(other_rows, columns) @ solved


def _inverse(block: L) -> L:
    """The inverse of a matrix that is invertible modulo the uniformizer: ``X <- X (2 - B X)`` doubles the precision."""
    inverse = block.lift(block.residue().inv())
    known = 1
    while known < block.precision():
        inverse = inverse + inverse - inverse @ (block @ inverse)
        known *= 2
    return inverse
