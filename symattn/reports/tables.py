"""A table of exact values, and its renderings: text, Markdown, LaTeX, CSV, JSON. Pure functions of a stored result."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10

from symattn.errors import BudgetError, InputError
from symattn.reports.escaping import latex, markdown, one_line
from symattn.theory.orders import MAXIMAL_DIGITS

__all__ = ["FORMATS", "Cell", "Column", "Table", "render", "to_csv", "to_latex", "to_markdown", "to_text"]

Cell = int | Fraction | str | bool | None
"""One entry: an exact number, text, yes or no, or nothing."""

FORMATS = ("text", "markdown", "latex", "csv", "json")
"""The names that :func:`render` knows."""

_GAP = 2
_NARROWEST = 6


@dataclass(frozen=True)
class Column:
    """A column: its header, what it means for a reader who is new to it, and the header as LaTeX source if text will not do."""

    header: str
    meaning: str = ""
    latex: str = ""


@dataclass(frozen=True)
class Table:
    """Title, caption, columns and rows. Raises :class:`InputError` for a row of another length or a float,
    and :class:`BudgetError` for an integer that is too long to be printed."""

    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            where = f"table {one_line(self.title)!r}, row {number}"
            if len(row) != len(self.columns):
                raise InputError(f"{len(self.columns)} cells were expected, not {len(row)}", where=where)
            for cell in row:
                if not isinstance(cell, (int, Fraction, str, type(None))):
                    raise InputError(f"an exact number or text was expected, not {type(cell).__name__}", where=where)
                if isinstance(cell, (int, Fraction)) and max(cell.numerator.bit_length(), cell.denominator.bit_length()) > _MAXIMAL_BITS:
                    raise BudgetError(f"{where}: a number has more than {MAXIMAL_DIGITS} digits; a smaller depth gives shorter numbers")

    def is_numeric(self, column: int) -> bool:
        """Whether the column (from 0) holds numbers only, so that it is aligned to the right."""
        cells = [row[column] for row in self.rows]
        return all(cell is None or (isinstance(cell, (int, Fraction)) and not isinstance(cell, bool)) for cell in cells)

    def to_json(self) -> dict[str, object]:
        """Title, caption, columns and rows; integers as numbers, fractions as exact strings such as "3/7"."""
        return {
            "title": self.title,
            "caption": self.caption,
            "columns": [{"header": column.header, "meaning": column.meaning} for column in self.columns],
            "rows": [[str(cell) if isinstance(cell, Fraction) else cell for cell in row] for row in self.rows],
        }


_MAXIMAL_BITS = int(MAXIMAL_DIGITS / log10(2))


def render(table: Table, format: str = "text", width: int = 100) -> str:  # noqa: A002 - the word of the command line
    """The table in one of :data:`FORMATS`; ``width`` is the line length of the text format. Ends without a line break.

    >>> table = Table("Squares", "", (Column("n"), Column("n^2")), ((2, 4), (10, 100)))
    >>> print(render(table, "csv"))
    n,n^2
    2,4
    10,100
    """
    if format == "text":
        return to_text(table, width)
    if format == "json":
        return json.dumps(table.to_json(), indent=2, ensure_ascii=False)
    writers = {"markdown": to_markdown, "latex": to_latex, "csv": to_csv}
    if format not in writers:
        raise InputError(f"one of {', '.join(FORMATS)} was expected, not {one_line(format)[:40]!r}", where="format")
    return writers[format](table)


def to_text(table: Table, width: int = 100) -> str:
    """Aligned columns for a terminal of ``width`` characters; long cells are wrapped, numbers only if nothing else helps."""
    headers = [one_line(column.header) for column in table.columns]
    cells = [[one_line(_shown(cell, "-")) for cell in row] for row in table.rows]
    numeric = [table.is_numeric(index) for index in range(len(headers))]
    widths = _column_widths([headers, *cells], numeric, width)
    lines = _wrapped(one_line(table.title), width) + _wrapped(one_line(table.caption), width)
    if lines:
        lines.append("")
    for row in [headers, ["-" * size for size in widths], *cells]:
        lines += _text_row(row, widths, numeric)
    meanings = [(header, one_line(column.meaning)) for header, column in zip(headers, table.columns, strict=True) if column.meaning]
    if meanings:
        lines.append("")
        indent = max(len(header) for header, _ in meanings) + _GAP
        for header, meaning in meanings:
            lines += _wrapped(meaning, width, initial=header.ljust(indent), later=" " * indent)
    return "\n".join(lines)


def to_markdown(table: Table) -> str:
    """A pipe table below its title and caption, with the meanings of the columns as a list."""
    blocks = []
    if table.title:
        blocks.append(f"**{markdown(table.title)}**")
    if table.caption:
        blocks.append(markdown(table.caption))
    headers = [markdown(column.header) for column in table.columns]
    rules = ["---:" if table.is_numeric(index) else "---" for index in range(len(headers))]
    rows = [[markdown(_shown(cell, "-")) for cell in row] for row in table.rows]
    blocks.append("\n".join("| " + " | ".join(row) + " |" for row in [headers, rules, *rows]))
    meanings = [f"* {header}: {markdown(column.meaning)}" for header, column in zip(headers, table.columns, strict=True) if column.meaning]
    if meanings:
        blocks.append("\n".join(meanings))
    return "\n\n".join(blocks)


def to_latex(table: Table) -> str:
    """A ``table`` environment with ``booktabs`` rules; the meanings of the columns end the caption."""
    headers = [column.latex or latex(column.header) for column in table.columns]
    meanings = [f"{header}: {latex(column.meaning)}" for header, column in zip(headers, table.columns, strict=True) if column.meaning]
    parts = [latex(table.title), latex(table.caption), "; ".join(meanings)]
    caption = " ".join(part if part.endswith((".", "?", "!")) else part + "." for part in parts if part)
    alignment = "".join("r" if table.is_numeric(index) else "l" for index in range(len(headers)))
    rows = [" & ".join(latex(_shown(cell, "--")) for cell in row) + r" \\" for row in table.rows]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{{alignment}}}",
            r"\toprule",
            " & ".join(headers) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def to_csv(table: Table) -> str:
    """Header line and rows, without title and caption; an empty cell stands for nothing."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([one_line(column.header) for column in table.columns])
    writer.writerows([[one_line(_shown(cell, "")) for cell in row] for row in table.rows])
    return buffer.getvalue().rstrip("\n")


def _shown(cell: Cell, nothing: str) -> str:
    if cell is None:
        return nothing
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return str(cell)


def _column_widths(rows: Sequence[Sequence[str]], numeric: Sequence[bool], width: int) -> list[int]:
    """Natural widths; where they do not fit, the widest text column gives way first, and a numeric one only after all text."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(numeric))]
    while (excess := sum(widths) + _GAP * (len(widths) - 1) - width) > 0:
        shrinkable = [index for index, size in enumerate(widths) if size > _NARROWEST]
        if not shrinkable:
            break
        index = max(shrinkable, key=lambda index: (not numeric[index], widths[index]))
        # Down to the next widest column of its kind, so that equal columns share what is missing.
        rivals = [widths[other] for other in shrinkable if numeric[other] == numeric[index] and widths[other] < widths[index]]
        widths[index] = max(widths[index] - excess, min(max(rivals, default=_NARROWEST), widths[index] - 1), _NARROWEST)
    return widths


def _text_row(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    pieces = [_wrapped(cell, size) or [""] for cell, size in zip(cells, widths, strict=True)]
    lines = []
    for level in range(max(len(piece) for piece in pieces)):
        texts = [piece[level] if level < len(piece) else "" for piece in pieces]
        padded = [text.rjust(size) if right else text.ljust(size) for text, size, right in zip(texts, widths, numeric, strict=True)]
        lines.append((" " * _GAP).join(padded).rstrip())
    return lines


def _wrapped(text: str, width: int, initial: str = "", later: str = "") -> list[str]:
    room = max(width, len(later) + _NARROWEST)
    return textwrap.wrap(text, room, initial_indent=initial, subsequent_indent=later, break_on_hyphens=False)
