"""Plots: both files are written where matplotlib is installed; one line says what is missing where it is not."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from fractions import Fraction
from math import log10
from pathlib import Path
from typing import Any

import pytest
from flint import arb

from symattn.enclosures.noise import recover_weights
from symattn.enclosures.singular_values import SingularValue, SingularValues
from symattn.errors import InputError, UndecidedError
from symattn.exact.finding import Finding
from symattn.reports import canvas, plots
from symattn.theory import order_ladder
from symattn.verification.published.recovery_noise import NoiseCurve
from symattn.verification.scales import ScaledSpectrum

SCALES = tuple(
    SingularValues(t, (SingularValue(arb(2), 1), SingularValue(arb(float(t) ** 5), 1)), 3, 53) for t in (Fraction(1, 20), Fraction(1, 10))
)
FINDING = Finding(((0, 1), (5, 1)), 2, 3, (4, 5), 4, "padic", (10007,), 8, 8, True, None, ())
SPECTRUM = ScaledSpectrum("folder/instance.json", 15, Fraction(1, 10**10), SCALES, FINDING)
CURVE = NoiseCurve(recover_weights([Fraction(1), Fraction(-1)], [Fraction(1, 10), Fraction(1)]), 2)
LADDERS = [order_ladder((k,) * 3, width=1, ranks=(1, 1, 1)) for k in (1, 2)]


@pytest.fixture
def matplotlib() -> Any:
    pytest.importorskip("matplotlib.figure")
    return pytest.importorskip("matplotlib")


@pytest.fixture
def drawn(matplotlib: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are saved."""
    figures: list[Any] = []
    save = matplotlib.figure.Figure.savefig

    def kept(figure: Any, *arguments: Any, **options: Any) -> None:
        figures.append(figure)
        save(figure, *arguments, **options)

    monkeypatch.setattr(matplotlib.figure.Figure, "savefig", kept)
    return figures


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for attempt in (lambda: plots.plot_spectrum(SPECTRUM, tmp_path / "spectrum"), lambda: canvas.check_plot(tmp_path / "spectrum")):
        with pytest.raises(InputError, match=r"plot: matplotlib is needed: pip install 'symattn\[plot\]'"):
            attempt()
    assert list(tmp_path.iterdir()) == []


def test_ranks_and_orders_must_fit() -> None:
    with pytest.raises(UndecidedError, match="resolved 1 contact orders for 2 positive singular values at t = 1/20"):
        replace(SPECTRUM, finding=replace(FINDING, orders=((0, 1),)))
    with pytest.raises(InputError, match="at least one scale"):
        replace(SPECTRUM, scales=())


def test_files(matplotlib: Any, tmp_path: Path) -> None:
    written = [
        plots.plot_spectrum(SPECTRUM, tmp_path / "spectrum"),
        plots.plot_noise(CURVE, tmp_path / "noise"),
        plots.plot_ladder(LADDERS, tmp_path / "ladder"),
    ]
    for plot in written:
        assert [path.suffix for path in (plot.png, plot.svg)] == [".png", ".svg"]
        assert all(path.stat().st_size > 2000 for path in (plot.png, plot.svg))
        assert plot.title in plot.svg.read_text()
    assert len(list(tmp_path.iterdir())) == 6


def test_the_marks_are_the_values(drawn: list[Any], tmp_path: Path) -> None:
    plots.plot_spectrum(SPECTRUM, tmp_path / "spectrum")
    lines = drawn[0].axes[0].get_lines()
    marks = [[10**y for y in line.get_ydata()] for line in lines if line.get_marker() not in ("None", None)]
    assert marks == [pytest.approx([2, 2]), pytest.approx([0.05**5, 0.1**5])]
    guides = [[10**y for y in line.get_ydata()] for line in lines if line.get_linestyle() == "--"]
    assert guides == [pytest.approx([2, 2]), pytest.approx([0.05**5, 0.1**5])]
    (cutoff,) = [[10**y for y in line.get_ydata()] for line in lines if line.get_linestyle() == ":"]
    assert cutoff == pytest.approx([2e-10, 2e-10])
    assert [text.get_text() for text in drawn[0].axes[0].get_xticklabels()] == ["0.05", "0.1"]


def test_values_and_orders_beyond_doubles(drawn: list[Any], tmp_path: Path) -> None:
    tiny = SingularValues(Fraction(1, 10**400), (SingularValue(arb(2), 1), SingularValue(arb(10) ** -2000, 1)), 3, 53)
    plots.plot_spectrum(replace(SPECTRUM, scales=(tiny,)), tmp_path / "tiny")
    assert drawn[0].axes[0].get_lines()[2].get_ydata()[0] == pytest.approx(-2000)
    assert [text.get_text() for text in drawn[0].axes[0].get_xticklabels()] == ["~$10^{-400}$"]
    plots.plot_ladder([order_ladder((1,) * 1000, width=1, ranks=(1,) * 1000)], tmp_path / "deep")
    assert drawn[2].axes[0].get_lines()[0].get_ydata()[-1] == pytest.approx(log10(2) + 999 * log10(3))


def test_series_are_told_apart_without_colour(drawn: list[Any], tmp_path: Path) -> None:
    plots.plot_ladder([order_ladder((k,), width=1, ranks=(1,)) for k in range(1, 21)], tmp_path / "many")
    looks = [(line.get_color(), line.get_marker()) for line in drawn[0].axes[0].get_lines()]
    assert len(set(looks)) == 20
    assert len({marker for _, marker in looks[:8]}) == 8


def test_captions_say_what_is_proven() -> None:
    caption = plots._spectrum_caption(SPECTRUM)
    assert "the 2 positive singular values" in caption
    assert "the other 3 are exactly zero" in caption
    assert "on this bank, proven by exact arithmetic" in caption
    assert "Instance: instance.json." in caption
    open_ = plots._spectrum_caption(replace(SPECTRUM, finding=replace(FINDING, is_exact=False)))
    assert "not proven from both sides" in open_


def test_a_hostile_file_name_is_drawn_as_text(matplotlib: Any, tmp_path: Path) -> None:
    plot = plots.plot_spectrum(replace(SPECTRUM, source="/x/$\\frac{$\x1b[31m\n\udcff語" + "n" * 300), tmp_path / "hostile")
    assert plot.caption.isascii()
    assert plot.caption.isprintable()
    assert len(plot.caption) < 1000


def test_settings_of_matplotlib_do_not_matter_and_are_kept(matplotlib: Any, tmp_path: Path) -> None:
    plain = plots.plot_ladder(LADDERS, tmp_path / "plain").png.read_bytes()
    level = logging.getLogger("matplotlib").level
    with matplotlib.rc_context({"lines.linewidth": 9, "axes.facecolor": "black"}):
        assert plots.plot_ladder(LADDERS, tmp_path / "other").png.read_bytes() == plain
        assert matplotlib.rcParams["lines.linewidth"] == 9
        with pytest.raises(InputError), canvas.draw(tmp_path / "no" / "plot", "", "", "", "") as (axes, _):
            axes.plot([1], [1], label="one")
        assert matplotlib.rcParams["lines.linewidth"] == 9
    assert logging.getLogger("matplotlib").level == level


@pytest.mark.parametrize(
    ("value", "text"),
    [("3/50", "0.06"), ("1/3", "1/3"), ("12345/67891", "~0.1818"), ("1", "1"), ("1/1000000", "1e-06")],
)
def test_labels_of_scales(value: str, text: str) -> None:
    assert plots._short(Fraction(value)) == text


def test_no_ladder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least one ladder"):
        plots.plot_ladder([], tmp_path / "none")


def test_the_noise_curve(drawn: list[Any], tmp_path: Path) -> None:
    """It is drawn at the midpoints of the rows."""
    plots.plot_noise(CURVE, tmp_path / "noise")
    line = drawn[0].axes[0].get_lines()[0]
    assert list(line.get_xdata()) == [float(row.tau.mid()) for row in CURVE.rows]
    assert list(line.get_ydata()) == [float(row.relative_error.mid()) for row in CURVE.rows]
