"""The contact-order table: what the theorem says per layer, and beside it what exact computation found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symattn.errors import InputError
from symattn.reports.tables import Cell, Column, Table
from symattn.theory.orders import OrderLadder
from symattn.verification import ContactTableReport

__all__ = ["FoundOrder", "contact_report_table", "contact_table"]

_COLUMNS = (
    Column("k", "first nonconstant degree of the layer's normalizer", "$k$"),
    Column("i", "layer, counted from 1; 0 stands for the value matrices of all layers together", "$i$"),
    Column("beta_i", "contact order: the singular values that belong to layer i are comparable to |t|^beta_i as t -> 0", r"$\beta_i$"),
    Column("multiplicity", "number of singular values of that order"),
    Column("alpha_i", "contrast order: the degree in the tokens at which differences between tokens survive i layers", r"$\alpha_i$"),
    Column("N_i", "jet order: no Taylor polynomial of the network of a degree below N_i depends on layer i", "$N_i$"),
)
_FOUND = Column("found", "order (multiplicity) from exact computation, which does not know the formula")


@dataclass(frozen=True)
class FoundOrder:
    """What exact computation found in the place of one row: an order with its multiplicity, or the reason why there is none."""

    order: int | None = None
    multiplicity: int | None = None
    reason: str = ""

    def beside(self, order: int | None, multiplicity: int | None) -> str:
        """The cell next to a predicted order and multiplicity (``None``: nothing was predicted here)."""
        if self.order is None:
            return f"not computed ({self.reason})"
        differs = (self.order, self.multiplicity) != (order, multiplicity)
        return f"{self.order} ({self.multiplicity})" + (", differs" if differs else "")


def contact_table(ladders: Sequence[OrderLadder], found: Sequence[Sequence[FoundOrder]] | None = None) -> Table:
    """The rows of ``symattn table`` for ladders of one architecture (equal widths and ranks; D.smith, Theorem 4, Prop. D.1).

    ``found`` holds, per ladder, the value block and then the layers, in ascending order: entry 0 stands beside order 0,
    entry i beside ``beta_i``. Further entries are orders that the theorem does not have; they get rows of their own.
    Raises :class:`InputError` for ladders of different architectures, and for missing entries of ``found``.

    >>> from symattn.theory import common_order_ladder
    >>> table = contact_table([common_order_ladder(1, 2, width=4, rank=2)])
    >>> table.rows
    ((1, 0, 0, 16, 1, None), (1, 1, 1, 12, 3, 3), (1, 2, 5, 12, 9, 7))
    """
    if not ladders:
        raise InputError("at least one ladder is needed", where="contact table")
    first = ladders[0]
    if any((ladder.width, _ranks(ladder)) != (first.width, _ranks(first)) for ladder in ladders):
        raise InputError("ladders of one width and the same ranks were expected", where="contact table")
    if found is not None and (len(found) != len(ladders) or any(len(row) <= first.depth for row in found)):
        raise InputError(f"{first.depth + 1} found orders per ladder were expected, the value block first", where="contact table")
    rows: list[tuple[Cell, ...]] = []
    for index, ladder in enumerate(ladders):
        predicted = _predicted_rows(ladder)
        if found is None:
            rows += predicted
            continue
        extra: list[tuple[Cell, ...]] = [(None,) * len(_COLUMNS)] * (len(found[index]) - len(predicted))
        for row, entry in zip([*predicted, *extra], found[index], strict=True):
            order, multiplicity = row[2], row[3]
            rows.append(
                (*row, entry.beside(order if isinstance(order, int) else None, multiplicity if isinstance(multiplicity, int) else None))
            )
    return Table(
        f"Contact orders of {first.depth} attention layers of width {first.width}",
        _caption(first),
        _COLUMNS if found is None else (*_COLUMNS, _FOUND),
        tuple(rows),
    )


def contact_report_table(report: ContactTableReport) -> Table:
    """The table of ``symattn table``, with a column of what was found if the report was verified."""
    if report.found is None:
        return contact_table(report.ladders)
    beyond = FoundOrder(reason="beyond the budget")
    found = []
    for ladder, pairs in zip(report.ladders, report.found, strict=True):
        missing = [beyond] * (ladder.depth + 1 - len(pairs))
        found.append([*(FoundOrder(*pair) for pair in pairs), *missing])
    return contact_table(report.ladders, found)


def _ranks(ladder: OrderLadder) -> tuple[int, ...]:
    return tuple(row.rank for row in ladder.rows)


def _predicted_rows(ladder: OrderLadder) -> list[tuple[Cell, ...]]:
    """The value row, which has no jet order and only a common degree, and one row per layer."""
    degrees = {row.degree for row in ladder.rows}
    value: tuple[Cell, ...] = (degrees.pop() if len(degrees) == 1 else None, 0, 0, ladder.width**2, 1, None)
    return [value, *((r.degree, r.layer, r.contact_order, r.multiplicity, r.contrast_order, r.jet_order) for r in ladder.rows)]


def _caption(ladder: OrderLadder) -> str:
    ranks = sorted(set(_ranks(ladder)))
    width = f"width {ranks[0]}" if len(ranks) == 1 else "widths " + ", ".join(map(str, _ranks(ladder)))
    return (
        "All query and key matrices shrink together, Q = t U and K = t W with t -> 0, and the values are the identity. "
        f"The table says how fast each singular value of the Jacobian in all {ladder.parameter_count} native parameters vanishes "
        f"(Theorem 4, Proposition D.1; factors of {width}, generic inputs). {ladder.rank} singular values are positive, and the kernel, "
        f"directions in parameter space that never change the network, has dimension {ladder.kernel}."
    )
