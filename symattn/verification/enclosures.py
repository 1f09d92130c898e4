"""Enclosed singular values beside the exact contact orders of the same instance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symattn.enclosures.bands import Band, bands_of
from symattn.enclosures.singular_values import SingularValue, SingularValues, enclose_singular_values
from symattn.exact.finding import Finding
from symattn.network.instance import Instance
from symattn.progress import Report
from symattn.verification.spectrum import verify_spectrum, with_generic_bank

__all__ = ["DEFAULT_CUTOFF", "EnclosureReport", "enclose_spectrum"]

DEFAULT_CUTOFF = Fraction(1, 10**10)
"""The relative cutoff of the published numerical rank."""


@dataclass(frozen=True)
class EnclosureReport:
    """All positive singular values of an instance at one scale, enclosed, in bands of the contact orders that exact arithmetic found.

    ``bands`` is empty where the exact rank is not decided or is another one on this bank; ``caveats`` says so then.
    """

    source: str
    exactness: str
    digits: int
    cutoff: Fraction
    values: SingularValues
    finding: Finding
    bands: tuple[Band, ...]
    caveats: tuple[str, ...]

    @property
    def rank_at_cutoff(self) -> int | None:
        """The numerical rank: singular values above ``cutoff`` times the largest; ``None`` if one is too close to tell."""
        return self.values.rank_at_cutoff(self.cutoff)

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn enclose --json`` (spec 07): bounds are decimal texts, rounded outward."""

        def bounds(value: SingularValue) -> list[str]:
            return list(value.bounds(self.digits + 2))

        return {
            "instance": self.source,
            "exactness": self.exactness,
            "t": str(self.values.t),
            "digits": self.digits,
            "precision": self.values.precision,
            "values": [[*bounds(value), value.multiplicity] for value in self.values.values],
            "rank": self.values.rank,
            "kernel": self.values.kernel,
            "orders": [list(pair) for pair in self.finding.orders],
            "orders_are_exact": self.finding.is_exact,
            "bands": [
                {
                    "order": band.order,
                    "multiplicity": band.multiplicity,
                    "lower": bounds(band.smallest)[0],
                    "upper": bounds(band.largest)[1],
                    "digits_needed": band.digits,
                    "fisher_order": band.fisher_order,
                    "noise_level": bounds(band.smallest),
                }
                for band in self.bands
            ],
            "cutoff": str(self.cutoff),
            "rank_at_cutoff": self.rank_at_cutoff,
            "caveats": list(self.caveats),
        }


def enclose_spectrum(
    instance: Instance,
    t: Fraction | int | str,
    digits: int = 15,
    cutoff: Fraction = DEFAULT_CUTOFF,
    report: Report = lambda message: None,
) -> EnclosureReport:
    """Enclose all positive singular values at ``t`` to ``digits`` relative digits, and group them by the exact contact orders (D.sv).

    An instance without a bank gets a generic one. Raises what :func:`symattn.enclosures.singular_values.enclose_singular_values` and
    :func:`symattn.verification.verify_spectrum` raise.
    """
    instance = with_generic_bank(instance)
    values = enclose_singular_values(instance, t, digits, 8192 + 8 * digits, report)
    finding = verify_spectrum(instance, report=report).finding
    caveats = list(finding.caveats)
    bands: tuple[Band, ...] = ()
    if finding.rank == values.rank:
        bands = bands_of(values, finding.orders)
    else:
        caveats.append(f"exact arithmetic resolved {finding.rank} contact orders for {values.rank} positive values: no bands are formed")
    return EnclosureReport(instance.source, instance.exactness, digits, cutoff, values, finding, bands, tuple(caveats))
