"""Enclosed singular values in bands of one contact order: sizes, digits, information, and slopes between two scales (D.sv, D.fisher).

The contact orders come from outside, as a list. The j-th largest singular value goes with the j-th smallest order: that is
its order as ``t -> 0`` (paper D.4); at a given ``t`` the grouping is by rank alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from flint import arb, ctx

from symattn.arithmetic.balls import rational_ball
from symattn.enclosures.singular_values import SingularValue, SingularValues, exact_value
from symattn.errors import UndecidedError

__all__ = ["Band", "SlopeBand", "bands_of", "enclose_slopes", "slope_bands"]


@dataclass(frozen=True)
class Band:
    """The singular values of one contact order at one scale.

    ``largest`` and ``smallest`` enclose the extreme ones. The Fisher information ``J^T J / tau^2`` under Gaussian noise of
    standard deviation tau has the eigenvalues ``sigma^2 / tau^2``, of order ``2 order`` (52); below 1 the noise drowns a
    unit change of the weights, so ``smallest`` is also the noise level at which the first direction of the band drowns, and
    ``largest`` the one at which the last one does. ``digits`` decimal digits of working precision keep rounding of the size of the largest
    singular value below the smallest of the band; a Gram matrix needs twice as many.
    """

    order: int
    multiplicity: int
    largest: SingularValue
    smallest: SingularValue
    digits: int

    @property
    def fisher_order(self) -> int:
        """The order in t of the eigenvalues of the Fisher information."""
        return 2 * self.order


@dataclass(frozen=True)
class SlopeBand:
    """Balls that contain the least and the largest two-scale slope ``log(sigma(t)/sigma(t')) / log(t/t')`` of one contact order."""

    order: int
    multiplicity: int
    least: arb
    largest: arb


def bands_of(values: SingularValues, orders: Sequence[tuple[int, int]]) -> tuple[Band, ...]:
    """The singular values grouped by contact orders ``(order, multiplicity)``, ascending.

    Raises :class:`UndecidedError` where the multiplicities do not add up to the rank.
    """
    expanded = _expanded(values, orders)
    bands, start = [], 0
    with ctx.workprec(values.precision):
        for order, multiplicity in orders:
            largest, smallest = expanded[start], expanded[start + multiplicity - 1]
            start += multiplicity
            digits = (expanded[0].ball / smallest.ball).log() / arb(10).log()
            bands.append(Band(order, multiplicity, largest, smallest, floor(exact_value(digits.upper())) + 1))
    return tuple(bands)


def enclose_slopes(first: SingularValues, second: SingularValues) -> tuple[arb, ...]:
    """The slope of every singular value, in descending order, between two scales of one instance (D.sv).

    Raises :class:`UndecidedError` for one scale twice, or for different ranks.
    """
    if abs(first.t) == abs(second.t):
        raise UndecidedError(f"a slope needs two scales, not t = {first.t} twice")
    if first.rank != second.rank:
        raise UndecidedError(f"ranks {first.rank} and {second.rank} at the two scales: their singular values do not correspond")
    ratio = abs(first.t / second.t)
    with ctx.workprec(max(first.precision, second.precision)):
        step = rational_ball(ratio).log()
        pairs = zip(_balls(first), _balls(second), strict=True)
        return tuple((large / small).log() / step for large, small in pairs)


def slope_bands(first: SingularValues, second: SingularValues, orders: Sequence[tuple[int, int]]) -> tuple[SlopeBand, ...]:
    """The extreme two-scale slopes of every contact order; errors are those of :func:`enclose_slopes` and :func:`bands_of`."""
    _expanded(first, orders)
    slopes = enclose_slopes(first, second)
    bands, start = [], 0
    with ctx.workprec(max(first.precision, second.precision)):
        for order, multiplicity in orders:
            own = slopes[start : start + multiplicity]
            start += multiplicity
            least, largest = own[0], own[0]
            for slope in own[1:]:
                least, largest = least.min(slope), largest.max(slope)
            bands.append(SlopeBand(order, multiplicity, least, largest))
    return tuple(bands)


def _balls(values: SingularValues) -> list[arb]:
    return [value.ball for value in values.values for _ in range(value.multiplicity)]


def _expanded(values: SingularValues, orders: Sequence[tuple[int, int]]) -> list[SingularValue]:
    claimed = sum(multiplicity for _, multiplicity in orders)
    if claimed != values.rank:
        raise UndecidedError(f"{claimed} contact orders for {values.rank} positive singular values: they cannot be grouped")
    return [value for value in values.values for _ in range(value.multiplicity)]
