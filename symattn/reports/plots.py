"""Plots of stored results (extra ``plot``, matplotlib): spectra against t, the noise curve, the ladder of contact orders.

Each function writes ``PREFIX.png`` and ``PREFIX.svg`` and returns the :class:`symattn.reports.canvas.Plot`, whose caption says what is
shown and what of it is proven. Every series has a colour and a marker of its own.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from itertools import cycle
from math import ceil, floor, log10
from typing import Any

from flint import arb

from symattn.errors import InputError
from symattn.reports.canvas import COLOURS, MARKERS, Plot, draw, plain, powers_of_ten, whole_numbers
from symattn.theory import OrderLadder
from symattn.verification.published.recovery_noise import NoiseCurve
from symattn.verification.scales import ScaledSpectrum

__all__ = ["plot_ladder", "plot_noise", "plot_spectrum"]

_MOST_LABELS = 24
"""Up to so many points of a ladder have their order beside them."""

_MOST_MARKS = 60
"""Up to so many marks on a curve of a ladder."""

_APART = 0.07
"""The least distance of two labels on the axis of t, as a part of its length."""


def plot_spectrum(spectrum: ScaledSpectrum, prefix: str | os.PathLike[str]) -> Plot:
    """Every singular value at every scale by contact order, a power ``|t|^beta`` for each order, and the cutoff of the rank (D.sv).

    Raises :class:`InputError` if matplotlib is missing or a file cannot be written.
    """
    ts = [_log10_of(values.t) for values in spectrum.scales]
    logs = [[_log10(value.ball) for value in values.values for _ in range(value.multiplicity)] for values in spectrum.scales]
    with draw(prefix, "Singular values of the native Jacobian", _spectrum_caption(spectrum), "scale t", "singular value") as (axes, plot):
        start = 0
        for (order, count), colour, marker in zip(spectrum.finding.orders, cycle(COLOURS), cycle(MARKERS), strict=False):
            for j in range(start, start + count):
                label = f"order {order}  ({count})" if j == start else None
                axes.plot(ts, [own[j] for own in logs], marker, color=colour, ms=4.5, mew=0.5, fillstyle="none", label=label)
            guide = [logs[0][start] + order * (t - ts[0]) for t in ts]
            axes.plot(ts, guide, "--", color=colour, linewidth=0.8)
            start += count
        level = log10(spectrum.cutoff.numerator) - log10(spectrum.cutoff.denominator)
        dash = "_:" if len(ts) == 1 else ":"  # a line through one point would not be seen
        axes.plot(ts, [own[0] + level for own in logs], dash, color="#000000", linewidth=1.2, label=f"cutoff $10^{{{level:.4g}}}$")
        _decades(axes, [value for own in logs for value in (*own, own[0] + level)])
        _ticks_at(axes, ts, [_short(values.t) for values in spectrum.scales])
    return plot


def plot_noise(curve: NoiseCurve, prefix: str | os.PathLike[str]) -> Plot:
    """The relative error of the recovered weight against the noise level (N3).

    Raises :class:`InputError` if matplotlib is missing or a file cannot be written.
    """
    caption = (
        f"Marks: root mean square error of one weight w recovered from one noisy output, over {curve.draws} stored draws of Gaussian "
        "noise, divided by the true w; midpoints of intervals that are proven for these draws. The draws are a sample: their mean is not "
        "an expectation. Lines between the marks only guide the eye. Above the dotted line the error is larger than the weight itself."
    )
    x, y = "noise level tau (standard deviation)", "relative root mean square error"
    with draw(prefix, "Recovery of one weight under noise", caption, x, y) as (axes, plot):
        axes.set_xscale("log")
        axes.set_yscale("log")
        points = ([float(row.tau.mid()) for row in curve.rows], [float(row.relative_error.mid()) for row in curve.rows])
        axes.plot(*points, "o-", color=COLOURS[0], linewidth=1, label="relative error")
        axes.axhline(1, linestyle=":", color="#000000", label="error = weight")
    return plot


def plot_ladder(ladders: Sequence[OrderLadder], prefix: str | os.PathLike[str]) -> Plot:
    """The contact orders ``beta_i`` that Theorem 4 has for each layer, one curve per ladder.

    Raises :class:`InputError` without ladders, if matplotlib is missing, or if a file cannot be written.
    """
    if not ladders:
        raise InputError("at least one ladder was expected", where="plot_ladder")
    caption = (
        "Marks: contact order beta_i of layer i for normalizers of first nonconstant degree k, as Theorem 4 gives it under its hypotheses: "
        "singular values that belong to the queries and keys of layer i shrink like |t|^beta_i as t -> 0. Exact integers from the formula, "
        "drawn on a logarithmic scale; nothing is computed from a network here (symattn table --verify does that)."
    )
    with draw(prefix, "Contact orders by layer", caption, "layer i", r"contact order $\beta_i$") as (axes, plot):
        is_labelled = sum(len(ladder.rows) for ladder in ladders) <= _MOST_LABELS
        for ladder, colour, marker in zip(ladders, cycle(COLOURS), cycle(MARKERS), strict=False):
            degrees = ", ".join(dict.fromkeys(str(row.degree) for row in ladder.rows))
            # Orders may be far beyond the range of doubles, their logarithms are not.
            points = [(row.layer, log10(row.contact_order)) for row in ladder.rows]
            every = ceil(len(points) / _MOST_MARKS)
            axes.plot(*zip(*points, strict=True), marker + "-", color=colour, lw=1, ms=5, markevery=every, label=f"k = {degrees}")
            for row, point in zip(ladder.rows if is_labelled else (), points, strict=False):
                axes.annotate(str(row.contact_order), point, xytext=(6, -3), textcoords="offset points", fontsize=7, color=colour)
        _decades(axes, [log10(row.contact_order) for ladder in ladders for row in ladder.rows])
        deepest = max(ladder.depth for ladder in ladders)
        pad = max(0.5, 0.03 * deepest)  # room for the labels of the last layer
        axes.set_xlim(1 - pad, deepest + pad)
        whole_numbers(axes.xaxis)
    return plot


def _spectrum_caption(spectrum: ScaledSpectrum) -> str:
    values, finding = spectrum.scales[0], spectrum.finding
    proof = "proven by exact arithmetic" if finding.is_exact else "found by exact arithmetic but not proven from both sides"
    name = os.path.basename(spectrum.source)
    return (
        f"Marks: the {values.rank} positive singular values at each t, midpoints of proven intervals of relative radius below "
        f"10^-{spectrum.digits}; the other {values.kernel} are exactly zero. Colours: contact orders of this instance on this bank, "
        f"{proof} (in brackets: how many values), given to the values by size. Dashed: |t|^order through the largest value of each order "
        "at the smallest t, a guide and not a bound. Dotted: the cutoff of a numerical rank, relative to the largest value. "
        f"Instance: {plain(name)}."
    )


def _decades(axes: Any, logs: Sequence[float]) -> None:
    """Limits around the logarithms with at least one power of ten between them, and ticks at the powers."""
    low, high = floor(min(logs)), max(max(logs), floor(min(logs)) + 1)
    margin = 0.04 * (high - low)
    axes.set_ylim(low - margin, high + margin)
    powers_of_ten(axes.yaxis)


def _ticks_at(axes: Any, places: Sequence[float], texts: Sequence[str]) -> None:
    """Ticks at the given places of the horizontal axis; the labels of places too close together are left out."""
    reach = max(places[-1] - places[0], 1e-9)
    axes.set_xlim(places[0] - 0.05 * reach, places[-1] + 0.05 * reach)
    labels, last = [], float("-inf")
    for place, text in zip(places, texts, strict=True):
        fits = place - last >= _APART * reach
        labels.append(text if fits else "")
        last = place if fits else last
    axes.set_xticks(places, labels)


def _short(value: Fraction) -> str:
    """A number as a short decimal or fraction, or else rounded and marked; out of the range of doubles as a power of ten."""
    logarithm = _log10_of(value)
    if abs(logarithm) > 300:
        return f"~$10^{{{logarithm:.4g}}}$"
    text = f"{float(value):.4g}"
    return text if Fraction(text) == value else str(value) if max(value.numerator, value.denominator) < 1000 else f"~{text}"


def _log10_of(value: Fraction) -> float:
    return log10(abs(value.numerator)) - log10(value.denominator)


def _log10(ball: Any) -> float:
    """The logarithm of the midpoint of a ball, which may be far below the least double."""
    return float((ball.mid().log() / arb(10).log()).mid())
