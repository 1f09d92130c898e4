"""Constants rest on an exact finding: without one nothing is claimed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from symattn.errors import UndecidedError
from symattn.network.files import read_instance
from symattn.verification import uniform_bounds as module
from symattn.verification.enclosures import enclose_spectrum
from symattn.verification.uniform_bounds import enclose_interval

FILE = "examples/rank_deficient_factors.json"


def test_factors_and_values_of_lesser_rank() -> None:
    report = enclose_interval(read_instance(FILE), "1/100")
    found = enclose_spectrum(read_instance(FILE), "1/200")
    assert [(band.order, band.multiplicity) for band in report.bounds.bands] == list(found.finding.orders)
    for bound, band in zip(report.bounds.bands, found.bands, strict=True):
        assert bound.lower < band.smallest.ball * 200**band.order
        assert band.largest.ball * 200**band.order < bound.upper
    document = json.loads(json.dumps(report.to_json()))
    assert document["t0"] == "1/100"
    assert "0 < |t| <= 1/100" in document["proves"][0]
    assert "vanish over Q" in document["lower_bound"]["how"]
    assert document["caveats"] == []


@pytest.mark.parametrize("change", [{"is_exact": False}, {"lower": None}, {"orders": ((0, 4), (1, 8))}])
def test_without_exact_orders_of_columns_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch, change: dict[str, object]) -> None:
    right = module.verify_spectrum

    def changed(instance, report):
        found = right(instance, report=report)
        return replace(found, finding=replace(found.finding, **change))

    monkeypatch.setattr(module, "verify_spectrum", changed)
    with pytest.raises(UndecidedError, match="exact contact orders|not those of single columns"):
        enclose_interval(read_instance(FILE), "1/100")


@pytest.mark.slow
def test_the_fixture() -> None:
    instance = read_instance("examples/matrix_spectrum_fixture.json")
    report = enclose_interval(instance, "0.06")
    for t, scale in (("0.06", 50 / 3), ("0.01", 100.0)):
        found = enclose_spectrum(instance, t)
        for bound, band in zip(report.bounds.bands, found.bands, strict=True):
            low, high = (float(end.ball) * scale**band.order for end in (band.smallest, band.largest))
            assert float(bound.lower) < low < 1.1 * float(bound.lower)
            assert float(bound.upper) / 1.1 < high < float(bound.upper)
