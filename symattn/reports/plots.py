"""Plots of stored results (extra ``plot``, matplotlib): spectra against t, the noise curve, the ladder of contact orders.

Each function writes ``PREFIX.png`` and ``PREFIX.svg`` and returns the two paths. The colours are those of Okabe and Ito, which stay
apart for colour-blind readers; every series has a marker of its own as well.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from fractions import Fraction
from itertools import cycle
from math import log10
from pathlib import Path
from typing import Any

from flint import arb

from symattn.enclosures.noise import NoiseRow
from symattn.enclosures.singular_values import SingularValues
from symattn.errors import InputError
from symattn.theory import OrderLadder

__all__ = ["plot_ladder", "plot_noise", "plot_spectrum"]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def plot_spectrum(
    scales: Sequence[SingularValues], orders: Sequence[tuple[int, int]], prefix: str | Path, cutoff: Fraction = Fraction(1, 10**10)
) -> tuple[Path, Path]:
    """Every singular value at every scale by contact order, the powers ``|t|^beta`` through the smallest scale, and the relative cutoff.

    Raises :class:`InputError` if matplotlib is missing, or where ranks and orders do not fit.
    """
    if not scales or any(values.rank != sum(count for _, count in orders) for values in scales):
        raise InputError("at least one scale, with as many positive singular values as contact orders, was expected", where="plot_spectrum")
    ordered = sorted(scales, key=lambda values: abs(values.t))
    ts = [abs(float(values.t)) for values in ordered]
    logs = [[_log10(value.ball) for value in values.values for _ in range(value.multiplicity)] for values in ordered]
    figure, axes = _axes(
        "scale t", "log10 of the singular values", "Singular values of the native Jacobian, and the powers of t of their orders"
    )
    axes.set_xscale("log")
    start = 0
    for (order, count), colour, marker in zip(orders, cycle(_COLOURS), cycle(_MARKERS), strict=False):
        for j in range(start, start + count):
            label = f"order {order} ({count} values)" if j == start else None
            axes.plot(ts, [own[j] for own in logs], marker, color=colour, markersize=4, label=label)
        guide = [logs[0][start] + order * (log10(t) - log10(ts[0])) for t in ts]
        axes.plot(ts, guide, "--", color=colour, linewidth=0.8)
        start += count
    level = log10(float(cutoff))
    axes.plot(ts, [own[0] + level for own in logs], ":", color="#000000", label=f"cutoff {float(cutoff):g} of the largest")
    return _saved(figure, axes, prefix)


def plot_noise(rows: Sequence[NoiseRow], prefix: str | Path) -> tuple[Path, Path]:
    """The relative error of the recovered weight against the noise level. Raises :class:`InputError` if matplotlib is missing."""
    figure, axes = _axes("noise level tau", "relative root mean square error", "Error of one recovered weight under noise")
    axes.set_xscale("log")
    axes.set_yscale("log")
    points = ([float(row.tau.mid()) for row in rows], [float(row.relative_error.mid()) for row in rows])
    axes.plot(*points, "o-", color=_COLOURS[0], label="relative error (midpoints of enclosures)")
    axes.axhline(1, linestyle=":", color="#000000", label="error as large as the weight")
    return _saved(figure, axes, prefix)


def plot_ladder(ladders: Sequence[OrderLadder], prefix: str | Path) -> tuple[Path, Path]:
    """The contact orders ``beta_i`` of each layer, one curve per ladder. Raises :class:`InputError` if matplotlib is missing."""
    figure, axes = _axes("layer", "contact order beta", "Contact orders by layer")
    axes.set_yscale("log")
    for ladder, colour, marker in zip(ladders, cycle(_COLOURS), cycle(_MARKERS), strict=False):
        degrees = ", ".join(dict.fromkeys(str(row.degree) for row in ladder.rows))
        points = ([row.layer for row in ladder.rows], [row.contact_order for row in ladder.rows])
        axes.plot(*points, marker + "-", color=colour, label=f"k = {degrees}")
    axes.xaxis.get_major_locator().set_params(integer=True)
    return _saved(figure, axes, prefix)


def _axes(x: str, y: str, title: str) -> tuple[Any, Any]:
    try:
        figure = importlib.import_module("matplotlib.figure").Figure(figsize=(7, 5), layout="constrained")
    except ImportError:
        raise InputError("matplotlib is needed: pip install 'symattn[plot]'", where="plot") from None
    axes = figure.add_subplot()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, fontsize=11)
    axes.grid(visible=True, linewidth=0.3)
    return figure, axes


def _saved(figure: Any, axes: Any, prefix: str | Path) -> tuple[Path, Path]:
    axes.legend(fontsize=8)
    paths = Path(f"{prefix}.png"), Path(f"{prefix}.svg")
    for path in paths:
        figure.savefig(path, dpi=150)
    return paths


def _log10(ball: Any) -> float:
    """The logarithm of the midpoint of a ball, which may be far below the least double."""
    return float((ball.mid().log() / arb(10).log()).mid())
