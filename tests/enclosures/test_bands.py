"""Bands and slopes: against plain arithmetic on the enclosed values, and close to the exact orders."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb, ctx
from mpmath import mpf

from symattn.enclosures.bands import bands_of, enclose_slopes, slope_bands
from symattn.enclosures.singular_values import SingularValue, SingularValues, enclose_singular_values
from symattn.errors import UndecidedError

from .conftest import drawn


def plain(t: Fraction, *values: tuple[str, int]) -> SingularValues:
    with ctx.workprec(200):
        return SingularValues(t, tuple(SingularValue(arb(value), count) for value, count in values), 0, 200)


LARGE = plain(Fraction(1, 10), ("8", 1), ("5", 2), ("0.001", 1))
SMALL = plain(Fraction(1, 20), ("8", 1), ("4", 2), ("0.0000625", 1))


def test_bands_by_rank() -> None:
    first, second = bands_of(LARGE, [(0, 3), (4, 1)])
    assert (first.largest, first.smallest, first.digits) == (LARGE.values[0], LARGE.values[1], 1)
    assert (second.largest, second.smallest, second.digits) == (LARGE.values[2],) * 2 + (4,)
    assert (first.fisher_order, second.fisher_order) == (0, 8)


def test_digits_are_those_of_the_ratio() -> None:
    """10^digits exceeds the ratio of the largest value to the smallest of the band, and no smaller power does."""
    found = enclose_singular_values(drawn(), "1/50")
    for band in bands_of(found, [(0, 1), (1, 1), (5, 1)]):
        ratio = mpf(found.values[0].bounds()[0]) / mpf(band.smallest.bounds()[0])
        assert mpf(10) ** (band.digits - 1) <= ratio * (1 + mpf(10) ** -9) < mpf(10) ** band.digits


def test_slopes() -> None:
    with ctx.workprec(200):
        for slope, factor in zip(enclose_slopes(LARGE, SMALL), ("1", "1.25", "1.25", "16"), strict=True):
            assert slope.overlaps(arb(factor).log() / arb(2).log())
            assert slope.rad() < arb(10) ** -50
    least = [band.least for band in slope_bands(LARGE, SMALL, [(0, 3), (4, 1)])]
    largest = [band.largest for band in slope_bands(LARGE, SMALL, [(0, 3), (4, 1)])]
    assert least[0].contains(0)
    assert not largest[0].contains(0)
    assert least[1].contains(4)
    assert largest[1].contains(4)
    assert enclose_slopes(SMALL, LARGE)[3].contains(4)  # either scale may come first


def test_slopes_approach_the_orders() -> None:
    values = [enclose_singular_values(drawn(), t) for t in ("1/500", "1/1000")]
    for slope, order in zip(enclose_slopes(*values), (0, 1, 5), strict=True):
        assert abs(slope - order) < 1e-3
        assert not abs(slope - order - 1) < 1e-1


def test_what_does_not_fit_is_undecided() -> None:
    with pytest.raises(UndecidedError, match="3 contact orders for 4"):
        bands_of(LARGE, [(0, 2), (4, 1)])
    with pytest.raises(UndecidedError, match="twice"):
        enclose_slopes(LARGE, replace(SMALL, t=Fraction(-1, 10)))
    with pytest.raises(UndecidedError, match="ranks 4 and 3"):
        enclose_slopes(LARGE, replace(SMALL, values=SMALL.values[:2]))
