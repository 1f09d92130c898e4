"""The Gram matrix of the divided native Jacobian, enclosed for all scales ``0 <= u <= u0`` at once (``u = t^2``; D.sv).

The entries of ``H = G^T G`` (:mod:`symattn.enclosures.path_columns`) are analytic in u. One evaluation on discs bounds them on
``|u| <= rho``; evaluations at real nodes, where balls are narrow, give a polynomial P that interpolates H; and Hermite's remainder formula
``|H - P|(u) <= max |H| rho / (rho - u) prod |u - u_i| / (rho - u_i)`` bounds what the polynomial misses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import cos, pi

from flint import arb, arb_mat, ctx

from symattn.arithmetic.balls import rational_ball
from symattn.enclosures.norms import entry_bounds, frobenius_norm, upper_inverse
from symattn.enclosures.path_columns import PathColumns
from symattn.enclosures.singular_values import cholesky
from symattn.errors import BudgetError, UndecidedError
from symattn.progress import Report

__all__ = ["GramModel", "gram_model", "relative_effect"]

_COARSE = 64
"""Bits where only a size is wanted."""

_LARGEST_RADIUS = 64
_LEAST_RATIO = Fraction(5, 4)
_MOST_NODES = 240
_NODE_BITS = 20

_HARMLESS = Fraction(1, 2**20)
"""Relative effect of the remainder at u0; pieces of the interval measure it again, each at its own centre."""

_CHECK_BITS = 32
"""How much closer to 0 than u0, in bits, the model is compared with a direct evaluation, where a power that does not divide shows."""

_MOST_BITS = 1 << 16
"""Most bits that may cancel in a Gram matrix."""

_HINTS = 24
"""Smaller discs that are tried, by factors of 4, to tell which t may do."""


@dataclass(frozen=True)
class GramModel:
    """H on ``[0, u0]``: the polynomial ``sum_m coefficients[m] (u / u0)^m``, and what it misses at most, entry by entry.

    ``rho`` is the radius of the disc of the bounds, ``precision`` the bits of the evaluations, ``bits`` a precision that the
    coefficients still deserve.
    """

    u0: Fraction
    coefficients: tuple[arb_mat, ...]
    remainder: arb_mat
    rho: Fraction
    precision: int
    bits: int

    @property
    def nodes(self) -> int:
        """How many evaluations the polynomial interpolates."""
        return len(self.coefficients)

    def taylor(self, center: Fraction) -> list[arb_mat]:
        """The coefficients of the polynomial in powers of ``(u - center) / u0``, at FLINT's working precision."""
        moved = [matrix * arb(1) for matrix in self.coefficients]
        step = rational_ball(center / self.u0)
        for k in range(len(moved) - 1):
            for m in range(len(moved) - 2, k - 1, -1):
                moved[m] = moved[m] + moved[m + 1] * step
        return moved

    def contradicts(self, u: Fraction, gram: arb_mat) -> bool:
        """Whether balls for H(u) cannot agree with the model: then the powers do not divide the columns."""
        with ctx.workprec(self.precision):
            value = arb_mat(gram.nrows(), gram.ncols())
            for matrix in reversed(self.coefficients):
                value = value * rational_ball(u / self.u0) + matrix
            pairs = zip(value.entries(), self.remainder.entries(), gram.entries(), strict=True)
            return any(bool(abs(entry - found) > missed) for entry, missed, found in pairs)


def gram_model(divided: PathColumns, u0: Fraction, max_precision: int, report: Report) -> GramModel:
    """A model of H on ``[0, u0]`` whose remainder is harmless at u0.

    Raises :class:`BudgetError` where the network is not seen to be analytic on a disc that is larger than u0, or too many nodes or bits
    are needed, and :class:`UndecidedError` where a power of u is seen not to divide its column.
    """
    precision, deepest = 256, max(divided.powers)
    cancelled = _vanishing(deepest, u0 / 2**_CHECK_BITS)
    if cancelled > _MOST_BITS:
        raise BudgetError(f"{cancelled} bits cancel at this scale; a larger t, whose constants hold for all smaller ones, costs less")
    while True:
        if precision > max_precision:
            raise BudgetError(
                f"{max_precision} bits do not show the divided columns to be independent at u = {u0}: a smaller t may help, or they are not"
            )
        gram = divided.gram_at(u0, precision + _vanishing(deepest, u0))
        with ctx.workprec(precision):
            condition = relative_effect(gram, entry_bounds(gram))
        if condition is not None and condition < arb(2) ** (precision // 2):
            break
        precision *= 2

    def effect(error: arb_mat) -> arb:
        with ctx.workprec(precision):
            found = relative_effect(gram, error)
            assert found is not None
            return found.upper()

    rho, bounds, count = _best_disc(divided, u0, effect, report)
    # A Cholesky factor and its inverse each cost the condition; interpolation costs up to 3.5 bits a node.
    bits = 2 * max(16, _exponent(condition)) + 64
    precision = max(precision, bits + 4 * count)
    places = _places(count)
    nodes = [u0 * Fraction(place, 1 << _NODE_BITS) for place in places]
    values = []
    for number, node in enumerate(nodes, start=1):
        report(f"scale {number} of {count} in balls of {precision} bits")
        values.append(divided.gram_at(node, precision + _vanishing(deepest, node)))
    with ctx.workprec(precision):
        coefficients = _interpolated(values, [node / u0 for node in nodes])
        model = GramModel(u0, tuple(coefficients), bounds * _remainder(places, rho / u0), rho, precision, bits)
    tiny = u0 / 2**_CHECK_BITS
    if model.contradicts(tiny, divided.gram_at(tiny, precision + _vanishing(deepest, tiny))):
        raise UndecidedError("a power of t does not divide the columns that it was claimed to divide: nothing is proven")
    return model


def relative_effect(gram: arb_mat, error: arb_mat) -> arb | None:
    """A bound of ``||T^-T E T^-1||`` for every E whose entries are at most ``error``, ``T^T T`` the Gram matrix; ``None`` if that is not
    seen to be positive definite at FLINT's working precision.
    """
    lower = cholesky(gram)
    if lower is None:
        return None
    sizes = entry_bounds(upper_inverse(lower.transpose()))
    return frobenius_norm(sizes.transpose() * error * sizes)


def _vanishing(power: int, u: Fraction) -> int:
    """Bits that cancel in a Gram matrix of columns of this power at u."""
    return 2 * power * max(0, u.denominator.bit_length() - u.numerator.bit_length() + 1)


def _best_disc(divided: PathColumns, u0: Fraction, effect: Callable[[arb_mat], arb], report: Report) -> tuple[Fraction, arb_mat, int]:
    """The disc on which the fewest nodes suffice, of those that were tried: its radius, the bounds on it, and how many nodes."""
    best: tuple[Fraction, arb_mat, int] | None = None
    rho, refusal = Fraction(_LARGEST_RADIUS), ""
    while rho < 16 * u0:
        rho *= 2
    while rho >= _LEAST_RATIO * u0:
        report(f"a bound on the disc |u| <= {float(rho):.3g}")
        try:
            bounds = divided.gram_bounds(rho)
        except UndecidedError as error:
            refusal = f"{error}; "
        else:
            count = _nodes_needed(rho / u0, effect(bounds), _MOST_NODES if best is None else best[2] - 1)
            if count is not None:
                best = (rho, bounds, count)
            elif best is not None:
                break
        # Near u0 a factor of 2 leaves no disc.
        rho = rho / 2 if rho >= 4 * u0 else rho * 4 / 5
    if best is None:
        raise BudgetError(
            f"{refusal}on no disc around t^2 = 0 do {_MOST_NODES} scales determine the Jacobian up to t^2 = {float(u0):.3g}: "
            f"a smaller t may help{_hint(divided, rho)}"
        )
    return best


def _hint(divided: PathColumns, rho: Fraction) -> str:
    """Which t may do: the disc should be some times larger than t^2."""
    for _ in range(_HINTS):
        try:
            divided.gram_bounds(rho)
        except UndecidedError:
            rho /= 4
        else:
            return f", up to about {float(rho) ** 0.5 / 2:.1g}"
    return ""


def _nodes_needed(ratio: Fraction, effect: arb, most: int) -> int | None:
    """How many nodes, an even number of at most ``most``, make the remainder harmless, for ``rho / u0 = ratio``."""

    def suffices(count: int) -> bool:
        with ctx.workprec(_COARSE):
            return bool(effect * _remainder(_places(count), ratio) < rational_ball(_HARMLESS))

    low, high = 1, most // 2
    if high < low or not suffices(2 * high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(2 * middle) else (middle + 1, high)
    return 2 * low


def _places(count: int) -> list[int]:
    """Distinct integers k, ascending: the nodes are ``u0 k / 2^20``, near the Chebyshev points, which is a matter of cost, not of proof."""
    return [round((1 << _NODE_BITS) * (1 - cos((2 * i + 1) * pi / (2 * count))) / 2) for i in range(count)]


def _remainder(places: Sequence[int], ratio: Fraction) -> arb:
    """An upper bound of ``rho / (rho - u) prod |u - u_i| / (rho - u_i)`` for all u in ``[0, u0]``, at FLINT's working precision.

    ``ratio`` is ``rho / u0``. Between two neighbours each factor is at most its larger value at the two ends.
    """
    unit = 1 << _NODE_BITS
    distances = [rational_ball(ratio * unit - place) for place in places]
    largest = arb(0)
    for low, high in pairwise((0, *places, unit)):
        bound = arb(1)
        for place, distance in zip(places, distances, strict=True):
            bound = bound * max(abs(low - place), abs(high - place)) / distance
        largest = largest.max(bound)
    return (largest * rational_ball(ratio / (ratio - 1))).upper()


def _interpolated(values: Sequence[arb_mat], places: Sequence[Fraction]) -> list[arb_mat]:
    """The coefficients of the polynomial matrix with these values at these places."""
    vandermonde = arb_mat([[rational_ball(place) ** power for power in range(len(places))] for place in places])
    size = values[0].nrows()
    return [arb_mat(size, size, row) for row in vandermonde.solve(arb_mat([value.entries() for value in values])).tolist()]


def _exponent(size: arb) -> int:
    """About the binary logarithm."""
    mantissa, exponent = size.mid().man_exp()
    return int(mantissa).bit_length() + int(exponent)
