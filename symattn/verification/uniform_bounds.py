"""Constants of two-sided bounds over an interval of scales, for the exact contact orders of the same instance (Theorem 4, D.sv)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symattn.enclosures.path_columns import path_columns
from symattn.enclosures.uniform_bounds import UniformBounds, enclose_uniformly
from symattn.errors import UndecidedError
from symattn.exact.divisibility import LowerBound
from symattn.exact.finding import Finding
from symattn.network.instance import Instance
from symattn.progress import Report, silent
from symattn.verification.spectrum import verify_spectrum, with_generic_bank

__all__ = ["UniformReport", "enclose_interval"]


@dataclass(frozen=True)
class UniformReport:
    """Constants for all bands of an instance at all scales up to t0, with the finding that they rest on."""

    source: str
    exactness: str
    bounds: UniformBounds
    finding: Finding
    lower: LowerBound
    proves: tuple[str, ...]
    caveats: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn enclose --constants --json``: constants are decimal texts, rounded outward."""
        bands = []
        for band in self.bounds.bands:
            lower, upper = band.bounds(12)
            bands.append({"order": band.order, "multiplicity": band.multiplicity, "lower": lower, "upper": upper})
        return {
            "instance": self.source,
            "exactness": self.exactness,
            "t0": str(self.bounds.t0),
            "bands": bands,
            "rank": self.bounds.rank,
            "kernel": self.bounds.kernel,
            "orders": [list(pair) for pair in self.finding.orders],
            "analytic_radius": str(self.bounds.rho),
            "scales": self.bounds.nodes,
            "pieces": self.bounds.pieces,
            "precision": self.bounds.precision,
            "lower_bound": {"layers": list(self.lower.layers), "how": self.lower.how},
            "proves": list(self.proves),
            "caveats": list(self.caveats),
        }


def enclose_interval(instance: Instance, t0: Fraction | int | str, report: Report = silent) -> UniformReport:
    """Constants c, C for each contact order with ``c |t|^order <= sigma <= C |t|^order`` at every t with ``0 < |t| <= t0``.

    An instance without a bank gets a generic one. Raises :class:`UndecidedError` unless the contact orders on the bank are exact and are
    those of the columns, and what :func:`symattn.enclosures.uniform_bounds.enclose_uniformly` raises.
    """
    instance = with_generic_bank(instance)
    finding = verify_spectrum(instance, report=report).finding
    lower = finding.lower
    if lower is None or not finding.is_exact:
        raise UndecidedError("constants need exact contact orders, which were not found on this bank: a larger bank may have them")
    orders = path_columns(instance, lower.layers).orders
    if list(orders) != finding.exponents():
        raise UndecidedError("the contact orders on this bank are not those of single columns: no constants are proven for them")
    bounds = enclose_uniformly(instance, t0, lower.layers, report=report)
    proves = (
        f"at every t with 0 < |t| <= {bounds.t0} exactly {bounds.rank} singular values are positive, and with them in descending order, "
        "order after order, c |t|^beta <= sigma <= C |t|^beta",
        f"the Jacobian is analytic in t^2 for |t^2| <= {bounds.rho}",
    )
    return UniformReport(
        instance.source,
        instance.exactness,
        bounds,
        finding,
        lower,
        proves,
        finding.caveats,
    )
