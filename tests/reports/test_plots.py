"""Plots: both files are written where matplotlib is installed; one line says what is missing where it is not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb

from symattn.enclosures.noise import recover_weights
from symattn.enclosures.singular_values import SingularValue, SingularValues
from symattn.errors import InputError
from symattn.reports import plots
from symattn.theory import order_ladder

SCALES = [
    SingularValues(t, (SingularValue(arb(2), 1), SingularValue(arb(float(t) ** 5), 1)), 0, 53) for t in (Fraction(1, 10), Fraction(1, 20))
]
ORDERS = [(0, 1), (5, 1)]


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(plots.importlib, "import_module", missing)
    with pytest.raises(InputError, match="matplotlib is needed"):
        plots.plot_spectrum(SCALES, ORDERS, tmp_path / "spectrum")


def test_ranks_and_orders_must_fit(tmp_path: Path) -> None:
    for scales, orders in (([], ORDERS), (SCALES, [(0, 1)])):
        with pytest.raises(InputError, match="as many positive singular values"):
            plots.plot_spectrum(scales, orders, tmp_path / "spectrum")


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    written = [
        *plots.plot_spectrum(SCALES, ORDERS, tmp_path / "spectrum"),
        *plots.plot_noise(recover_weights([Fraction(1), Fraction(-1)], [Fraction(1, 10), Fraction(1)]), tmp_path / "noise"),
        *plots.plot_ladder([order_ladder((k,) * 3, width=1, ranks=(1, 1, 1)) for k in (1, 2)], tmp_path / "ladder"),
    ]
    assert [path.suffix for path in written] == [".png", ".svg"] * 3
    assert all(path.stat().st_size > 2000 for path in written)
