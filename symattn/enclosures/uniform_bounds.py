"""Two-sided bounds ``c |t|^beta <= sigma_j(t) <= C |t|^beta`` for all t in an interval, with proven constants for each band (D.sv, D.4).

* Columns. Up to a factor near 1 the singular values are those of G D, with G analytic in ``u = t^2`` and D the diagonal matrix of the
  powers of t that divide the columns (:mod:`symattn.enclosures.path_columns`).
* Interval. ``G^T G`` is enclosed on ``[0, t0^2]`` by a polynomial and a remainder (:mod:`symattn.enclosures.divided_gram`).
* Pieces. On a piece of the interval it is compared with that of the centre, where bands can be read off (:mod:`symattn.enclosures.pieces`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from symattn.arithmetic.balls import rational_ball
from symattn.enclosures.divided_gram import GramModel, gram_model
from symattn.enclosures.path_columns import PathColumns, path_columns
from symattn.enclosures.pieces import Piece, piece_at
from symattn.enclosures.singular_values import decimal_bounds, exact_scale
from symattn.errors import BudgetError
from symattn.network.instance import Instance
from symattn.progress import Report, silent

__all__ = ["UniformBand", "UniformBounds", "enclose_uniformly"]

_VARIATION = Fraction(1, 8)
"""How much the Gram matrix may vary on one piece: it widens the bounds by half as much."""

_MOST_PIECES = 300

_CLEARED = 4
"""Up to which power blocks between bands are cleared at first."""

_SHORTEST = Fraction(1, 2**30)
"""Shortest piece, relative to the interval."""


@dataclass(frozen=True)
class UniformBand:
    """The singular values of one contact order: each is at least ``lower |t|^order`` and at most ``upper |t|^order`` on the interval."""

    order: int
    multiplicity: int
    lower: arb
    upper: arb

    def bounds(self, digits: int = 6) -> tuple[str, str]:
        """The two constants as decimals, rounded outward."""
        return decimal_bounds(self.lower, digits)[0], decimal_bounds(self.upper, digits)[1]


@dataclass(frozen=True)
class UniformBounds:
    """Constants that hold for all t with ``0 < |t| <= t0``: the values in descending order, band after band.

    The other ``kernel`` values are zero. The constants are proven under the premise that the given powers of t do divide the columns.
    On ``|u| <= rho`` the Jacobian is proven to be analytic in ``u = t^2``; ``nodes`` is the number of scales at which it was evaluated,
    with ``precision`` bits, and ``pieces`` that of the pieces of ``[0, t0^2]``.
    """

    t0: Fraction
    bands: tuple[UniformBand, ...]
    kernel: int
    rho: Fraction
    nodes: int
    pieces: int
    precision: int

    @property
    def rank(self) -> int:
        """The number of positive singular values, the same at all these t."""
        return sum(band.multiplicity for band in self.bands)


def enclose_uniformly(
    instance: Instance,
    t0: Fraction | int | str,
    layer_orders: Sequence[int],
    max_precision: int = 8192,
    report: Report = silent,
) -> UniformBounds:
    """Constants of two-sided bounds for all singular values at every t with ``0 < |t| <= t0`` (D.sv).

    ``layer_orders[i]`` is a power of t that divides the query and key columns of layer i + 1 on the bank: a premise. The bounds exist
    if the divided columns are independent at ``t = 0``, that is if these powers are the contact orders of the bank.
    Raises :class:`InputError` for another t0 or powers that cannot be, :class:`UndecidedError` where a power is seen not to divide,
    :class:`BudgetError` where independence is not seen on the whole interval, for example because t0 is too large.

    >>> from symattn.network.files import instance_from_dict
    >>> layers, bank = [{"U": [[1]], "W": [[1]]}], [[[1], [2]]]
    >>> scalar = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": layers, "bank": bank}
    >>> for band in enclose_uniformly(instance_from_dict(scalar), "1/10", (1,)).bands:
    ...     print(band.order, band.multiplicity, *band.bounds(3))
    0 1 2.08e+0 2.17e+0
    1 1 2.44e-1 2.55e-1
    """
    t0 = abs(exact_scale(t0))
    columns = path_columns(instance, layer_orders)
    model = gram_model(columns, t0 * t0, max_precision, report)
    return _bounds(columns, model, t0, report)


def _bounds(columns: PathColumns, model: GramModel, t0: Fraction, report: Report) -> UniformBounds:
    with ctx.workprec(model.bits):
        excess = columns.excess()
    found: list[list[tuple[arb, arb]]] = []
    start, half, cleared = Fraction(0), model.u0 / 2, _CLEARED
    while start < model.u0:
        report(f"piece {len(found) + 1}, from t^2 = {float(start):.3g} of {float(model.u0):.3g}")
        if len(found) == _MOST_PIECES:
            raise BudgetError(f"{_MOST_PIECES} pieces end at t^2 = {float(start):.3g} of {float(model.u0):.3g}: a smaller t may help")
        piece, half, factors = _next_piece(columns, model, start, min(half, (model.u0 - start) / 2), cleared)
        cleared = len(piece.clearing)
        with ctx.workprec(model.bits):
            variation = piece.variation(half / model.u0)
            low, high = (1 - variation).sqrt(), ((1 + variation) * (1 + rational_ball(start + 2 * half) * excess)).sqrt()
            found.append([(low * least, high * largest) for least, largest in factors])
        start += 2 * half
        if _varies_little(piece, model, 2 * half):
            half *= 2
    bands = []
    for place, order in enumerate(sorted(set(columns.orders))):
        lower, upper = arb("inf"), arb(0)
        for each in found:
            lower, upper = lower.min(each[place][0].lower()), upper.max(each[place][1].upper())
        bands.append(UniformBand(order, columns.orders.count(order), lower.lower(), upper.upper()))
    kernel = columns.instance.parameter_count - len(columns.orders)
    return UniformBounds(t0, tuple(bands), kernel, model.rho, model.nodes, len(found), model.precision)


def _next_piece(
    columns: PathColumns, model: GramModel, start: Fraction, half: Fraction, cleared: int
) -> tuple[Piece, Fraction, list[tuple[arb, arb]]]:
    """The comparison on a piece that starts at ``u = start``, its half length (at most the given one), and the factors of the bands."""
    while half >= _SHORTEST * model.u0:
        piece = piece_at(model, columns.orders, start + half, cleared)
        if piece is not None and _varies_little(piece, model, half):
            with ctx.workprec(model.bits):
                end = rational_ball(start + 2 * half).sqrt()
            factors = piece.band_factors(half / model.u0, end)
            if factors is not None:
                return piece, half, factors
        elif piece is not None and cleared < model.nodes and piece.cleared_variation(half / model.u0) < rational_ball(_VARIATION):
            cleared *= 2
            continue
        half /= 2
        # The same comparison tells about how long a piece may be here; the next one is made at its own centre.
        while piece is not None and half >= _SHORTEST * model.u0 and not _varies_little(piece, model, half):
            half /= 2
    raise BudgetError(
        f"the divided columns are not seen to be independent near t^2 = {float(start):.3g}: a smaller t may help, "
        "or the powers of t are not the contact orders of this bank"
    )


def _varies_little(piece: Piece, model: GramModel, half: Fraction) -> bool:
    return bool(piece.variation(half / model.u0) < rational_ball(_VARIATION))
