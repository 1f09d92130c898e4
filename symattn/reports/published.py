"""The published evidence beside ours, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.reports.tables import Column, Table, to_text
from symattn.reports.texts import labelled
from symattn.verification.published import Item

__all__ = ["published_table", "published_text"]

_WIDTH = 132


def published_table(item: Item) -> Table:
    """One row per figure: what it is, the published value, ours, and whether they agree to every published digit."""
    rows = tuple(
        (figure.name, figure.published or "-", figure.ours, _agreement(figure.published, figure.agrees)) for figure in item.figures
    )
    columns = (
        Column("figure"),
        Column("published", "as printed; - where no figure was published"),
        Column("ours", "exact, or [lower, upper]: a proven enclosure, rounded outward"),
        Column("agrees", "yes: the whole enclosure rounds to every published digit"),
    )
    return Table(f"{item.id}. {item.title}", "", columns, rows)


def published_text(items: Sequence[Item]) -> str:
    """The table of every item with its verdict and notes."""
    parts = []
    for item in items:
        notes = labelled([("verdict", item.verdict), *(("note", note) for note in item.notes)])
        parts.append(f"{to_text(published_table(item), _WIDTH)}\n\n{notes}")
    return "\n\n\n".join(parts)


def _agreement(published: str, agrees: bool | None) -> str:
    if not published:
        return "-"
    return {True: "yes", False: "no", None: "undecided"}[agrees]
