"""N2: the complete matrix spectrum of the 48-input fixture at six scales."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symattn.enclosures.bands import slope_bands
from symattn.enclosures.singular_values import SingularValues, enclose_singular_values
from symattn.enclosures.subspaces import weakest_angle
from symattn.network.instance import Instance
from symattn.progress import Report
from symattn.verification.enclosures import DEFAULT_CUTOFF
from symattn.verification.published.data import matrix_fixture
from symattn.verification.published.double_precision import double_precision_error
from symattn.verification.published.figures import Figure, Item, exact_figure, own_figure
from symattn.verification.spectrum import verify_spectrum

__all__ = ["BANDS", "SCALES", "enclose_scales", "matrix_spectrum_item"]


SCALES = tuple(Fraction(text) for text in ("0.6", "0.4", "0.25", "0.16", "0.1", "0.06"))
BANDS = ((0, 16), (1, 12), (5, 12), (17, 12))

_PRECISION = 512
_DIGITS = 15


def enclose_scales(
    instance: Instance, scales: tuple[Fraction, ...] = SCALES, report: Report = lambda message: None
) -> list[SingularValues]:
    """All positive singular values at every scale, with 15 proven digits."""
    values = []
    for t in scales:
        report(f"enclosures at t = {t}")
        values.append(enclose_singular_values(instance, t, _DIGITS, precision=_PRECISION))
    return values


def matrix_spectrum_item(report: Report = lambda message: None, scales: tuple[Fraction, ...] = SCALES) -> Item:
    """Exact rank, kernel and orders; enclosed values, slopes and numerical ranks; the angle; double precision where numpy is installed."""
    instance = matrix_fixture()
    report("exact spectrum")
    finding = verify_spectrum(instance).finding
    figures: list[Figure] = [
        exact_figure("outputs x native entries", (768, 96), finding.shape),
        exact_figure("rank, exact", 52, finding.rank),
        exact_figure("kernel, exact", 44, finding.kernel),
        exact_figure("contact orders and multiplicities, exact", BANDS, finding.orders),
    ]
    every = enclose_scales(instance, scales, report)
    for values in every:
        separate = sum(value.multiplicity == 1 for value in values.values)
        figures.append(exact_figure(f"positive singular values enclosed, each apart, at t = {values.t}", 52, separate))
    for values in every:
        rank, name = values.rank_at_cutoff(DEFAULT_CUTOFF), f"rank at cutoff 1e-10 at t = {values.t}"
        # Published for the small scales, where the twelve weakest values lie below the cutoff.
        figures.append(exact_figure(name, 40, rank) if values.t <= Fraction(1, 10) else own_figure(name, rank))
    if len(every) > 1:
        figures += _slope_figures(every[-2], every[-1], finding.orders)
    start = 0
    for order, multiplicity in finding.orders:
        for values in every:
            own = values.values[start : start + multiplicity]
            figures.append(own_figure(f"largest value of order {order} at t = {values.t}", own[0].ball))
            figures.append(own_figure(f"smallest value of order {order} at t = {values.t}", own[-1].ball))
        start += multiplicity
    report("angle of the weakest directions")
    angle = weakest_angle(instance, every[-1].t, 3, BANDS[-1][1])
    figures.append(own_figure(f"sine of the largest principal angle at t = {every[-1].t}", angle))
    error, note = double_precision_error(instance, Fraction(1, 10))
    if error is not None:
        figures.append(own_figure("relative Frobenius error of double-precision derivatives at t = 1/10", error))
    listed = {str(values.t): [value.bounds(_DIGITS + 2) for value in values.values] for values in every}
    notes = (
        f"{instance.exactness}; relative radii below 10^-{_DIGITS}, proven, take the place of a comparison of 90 and 120 digits",
        "angle: the 12 weakest left singular directions against the query/key derivatives of layer 3, those of L, M_1, M_2 projected out",
        note,
    )
    return Item("N2", "The complete matrix spectrum: 48 inputs, n = d = 4, D = 3, r = 2", tuple(figures), notes, listed)


def _slope_figures(first: SingularValues, second: SingularValues, orders: Sequence[tuple[int, int]]) -> list[Figure]:
    """The least and the largest slope of every band between two scales."""
    figures = []
    for band in slope_bands(first, second, orders):
        name = f"slope t = {first.t} to {second.t}, order {band.order} ({band.multiplicity} values)"
        figures += [own_figure(f"least {name}", band.least), own_figure(f"largest {name}", band.largest)]
    return figures
