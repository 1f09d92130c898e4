"""Enclosed singular values as a table for a terminal."""

from __future__ import annotations

from fractions import Fraction

from symattn.reports.tables import Column, Table, to_text
from symattn.reports.texts import labelled
from symattn.verification.enclosures import EnclosureReport
from symattn.verification.uniform_bounds import UniformReport

__all__ = ["band_table", "constants_table", "constants_text", "enclosure_text", "value_table"]


def value_table(report: EnclosureReport) -> Table:
    """Every enclosure with its multiplicity, largest first."""
    rows = tuple((*value.bounds(report.digits + 2), value.multiplicity) for value in report.values.values)
    columns = (
        Column("lower", "proven lower bound, rounded down"),
        Column("upper", "proven upper bound, rounded up"),
        Column("multiplicity", "how many singular values lie between the bounds; more than one where they could not be separated"),
    )
    caption = f"All positive singular values of the native Jacobian at t = {report.values.t}; {report.source}"
    return Table("Singular values", caption, columns, rows)


def band_table(report: EnclosureReport) -> Table:
    """One row per contact order: how many values, between which bounds, and what it takes to see them."""
    rows = tuple(
        (
            band.order,
            band.multiplicity,
            band.smallest.bounds(6)[0],
            band.largest.bounds(6)[1],
            band.digits,
            band.fisher_order,
        )
        for band in report.bands
    )
    known = "exact" if report.finding.is_exact else "not proven from below (see the caveats)"
    columns = (
        Column("order", f"contact order beta, {known}: the values shrink like |t|^beta as t -> 0; grouped by size at this t"),
        Column("values", "how many singular values have this order"),
        Column("lower", "proven lower bound of the smallest; noise of this standard deviation starts to drown the band"),
        Column("upper", "proven upper bound of the largest; noise above it drowns the whole band"),
        Column("digits", "decimal digits of working precision that resolve the band; a Gram matrix needs twice as many"),
        Column("Fisher", "order in t of the eigenvalues sigma^2/tau^2 of the Fisher information"),
    )
    return Table("Bands", "", columns, rows)


def enclosure_text(report: EnclosureReport) -> str:
    """The values, the bands, and the rank beside the numerical rank."""
    rank = report.rank_at_cutoff
    shown = "undecided: a value is too close to the cutoff; more digits would decide it" if rank is None else str(rank)
    lines = [
        ("rank", f"{report.values.rank} (exact: every value above is proven to be positive)"),
        ("kernel", f"{report.values.kernel} (exactly zero, by explicit directions)"),
        ("rank at cutoff", f"{shown} (values above {_short(report.cutoff)} times the largest)"),
        ("precision", f"balls of {report.values.precision} bits, relative radius below 10^-{report.digits}"),
        *(("caveat", caveat) for caveat in report.caveats),
        ("numbers", report.exactness),
    ]
    parts = [to_text(value_table(report)), labelled(lines)]
    if report.bands:
        parts.insert(1, to_text(band_table(report)))
    return "\n\n".join(parts)


def constants_table(report: UniformReport) -> Table:
    """One row per contact order, with the two constants."""
    rows = tuple((band.order, band.multiplicity, *band.bounds()) for band in report.bounds.bands)
    columns = (
        Column("order", "contact order beta, exact on the premise below"),
        Column("values", "how many singular values have this order, counted from the largest on"),
        Column("c", "proven: each of these values is at least c |t|^beta on the whole interval; rounded down"),
        Column("C", "proven: each of these values is at most C |t|^beta on the whole interval; rounded up"),
    )
    caption = f"Singular values of the native Jacobian at all t with 0 < |t| <= {report.bounds.t0}; {report.source}"
    return Table("Two-sided bounds", caption, columns, rows)


def constants_text(report: UniformReport) -> str:
    """The constants, what they prove, and how."""
    bounds = report.bounds
    pieces = f"{bounds.pieces} piece{'s' * (bounds.pieces > 1)}"
    how = f"evaluated at {bounds.nodes} values of t in balls of {bounds.precision} bits and on the disc |t^2| <= {bounds.rho}; {pieces}"
    lines = [
        ("rank", f"{bounds.rank} at every such t"),
        ("kernel", f"{bounds.kernel} (exactly zero, by explicit directions)"),
        ("how", how),
        *(("proven", sentence) for sentence in report.proves),
        ("premise", f"these powers of t divide the columns: {report.lower.how}"),
        *(("caveat", caveat) for caveat in report.caveats),
        ("numbers", report.exactness),
    ]
    return "\n\n".join((to_text(constants_table(report)), labelled(lines)))


def _short(cutoff: Fraction) -> str:
    """A power of ten as such, any other number as a fraction."""
    digits = len(str(cutoff.denominator)) - 1
    return f"1e-{digits}" if cutoff == Fraction(1, 10**digits) else str(cutoff)
