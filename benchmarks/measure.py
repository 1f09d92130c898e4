"""What the benchmarks share: processor seconds, medians and small tables.

Processor time of the process is compared, not the time on the wall, so that other work on the machine disturbs ratios less.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import TypeVar

__all__ = ["interleaved", "print_table", "timed"]

T = TypeVar("T")


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """The result of a run and its processor seconds."""
    start = time.process_time()
    result = run()
    return result, time.process_time() - start


def interleaved(runs: Sequence[Callable[[], object]], repetitions: int) -> list[float]:
    """The median processor seconds of each run; the runs take turns, so that a slow spell of the machine meets all of them."""
    seconds: list[list[float]] = [[] for _ in runs]
    for _ in range(repetitions):
        for run, own in zip(runs, seconds, strict=True):
            own.append(timed(run)[1])
    return [median(own) for own in seconds]


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table."""
    cells = [[_text(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[j]) for row in cells) for j in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells]
    print("\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]), flush=True)


def _text(cell: object) -> str:
    return f"{cell:.3g}" if isinstance(cell, float) and cell < 100 else f"{cell:.0f}" if isinstance(cell, float) else str(cell)
