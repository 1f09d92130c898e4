"""The sheet that every plot is drawn on (extra ``plot``, matplotlib): axes, a title, a caption, and two files that are written whole."""

from __future__ import annotations

import importlib
import io
import logging
import os
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symattn.errors import InputError
from symattn.network.documents import check_output, write_files
from symattn.reports.escaping import one_line

__all__ = ["COLOURS", "MARKERS", "Plot", "check_plot", "draw", "plain", "powers_of_ten", "whole_numbers"]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The colours of Okabe and Ito, which stay apart for colour-blind readers."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""One more than there are colours, so that no pair repeats among the first 56."""

_CAPTION_WIDTH = 130
_STYLE = {"svg.hashsalt": "symattn", "axes.axisbelow": True}


@dataclass(frozen=True)
class Plot:
    """A plot that was written: what it shows, what of that is proven, and its two files."""

    title: str
    caption: str
    png: Path
    svg: Path

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn plot --json``."""
        return {"title": self.title, "caption": self.caption, "files": [str(self.png), str(self.svg)]}


def check_plot(prefix: str | os.PathLike[str], source: str | os.PathLike[str] | None = None) -> None:
    """Raise :class:`InputError` if matplotlib is missing or a file of the plot cannot be written; to be asked before a long computation."""
    for path in _paths(prefix):
        check_output(path, source)
    with _matplotlib():
        pass


@contextmanager
def draw(prefix: str | os.PathLike[str], title: str, caption: str, x: str, y: str) -> Iterator[tuple[Any, Plot]]:
    """Axes to draw on, and the plot that they become: ``PREFIX.png`` and ``PREFIX.svg``, written together at the end.

    The files depend on the data only, not on the time or on a user's settings of matplotlib. Raises what :func:`check_plot` raises.
    """
    plot = Plot(title, caption, *_paths(prefix))
    with _matplotlib():
        figure = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 5.6), layout="constrained")
        axes = figure.add_subplot()
        yield axes, plot
        axes.set_title(title, fontsize=11, parse_math=False)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.grid(visible=True, linewidth=0.4, color="#DDDDDD")
        axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
        wrapped = textwrap.fill(caption, _CAPTION_WIDTH)
        figure.supxlabel(wrapped, fontsize=8, x=0.015, ha="left", parse_math=False)
        png, svg = io.BytesIO(), io.BytesIO()
        figure.savefig(png, format="png", dpi=150, metadata={"Title": title, "Description": caption})
        figure.savefig(svg, format="svg", metadata={"Title": title, "Description": caption, "Date": None})
    write_files({plot.png: png.getvalue(), plot.svg: svg.getvalue()})


def plain(text: str, most: int = 60) -> str:
    """Text from outside in characters that every font has, and not longer than a caption allows."""
    shown = one_line(text).encode("ascii", "backslashreplace").decode()
    return shown if len(shown) <= most else f"{shown[: most - 2]}.."


def whole_numbers(axis: Any) -> None:
    """Ticks at integers only."""
    axis.set_major_locator(importlib.import_module("matplotlib.ticker").MaxNLocator(nbins=9, integer=True, min_n_ticks=1))


def powers_of_ten(axis: Any) -> None:
    """Label an axis of logarithms to base ten with the powers; values beyond the range of doubles stay possible that way."""
    whole_numbers(axis)
    axis.set_major_formatter(importlib.import_module("matplotlib.ticker").FuncFormatter(lambda value, _: f"$10^{{{value:.0f}}}$"))


def _paths(prefix: str | os.PathLike[str]) -> tuple[Path, Path]:
    return Path(f"{os.fspath(prefix)}.png"), Path(f"{os.fspath(prefix)}.svg")


@contextmanager
def _matplotlib() -> Iterator[None]:
    """matplotlib in its default style and silent, restored at the end; :class:`InputError` if it is missing."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    # At first use it says that it builds a cache of fonts.
    logger.setLevel(logging.ERROR)
    try:
        try:
            matplotlib = importlib.import_module("matplotlib")
        except ModuleNotFoundError:
            raise InputError("matplotlib is needed: pip install 'symattn[plot]'", where="plot") from None
        except Exception as error:  # for example a backend in the environment that it does not know
            raise InputError(f"matplotlib cannot be loaded: {error}", where="plot") from None
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(_STYLE)
            yield
    finally:
        logger.setLevel(level)
