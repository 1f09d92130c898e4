"""The effective fiber of a tuple: by a statement, else by an exact computation on the tuple itself, else what is known of an open one."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from symattn.errors import UndecidedError
from symattn.exact.contrasts import ScoreReading, score_readings
from symattn.exact.jets import JetDifferential, jet_differential
from symattn.network.parameters import Network
from symattn.progress import Report, silent
from symattn.theory.determinations import Determination
from symattn.theory.fibers import Fiber, Suffix, determined_fiber, effective_fiber, first_collapse_of
from symattn.theory.orders import jet_orders
from symattn.theory.prediction import Hypothesis

__all__ = ["FiberReport", "find_fiber"]

_MONOMIALS = 4000
"""Most monomials of the jet whose derivative is computed for an open fiber: a few seconds."""

_LONGEST_JET = 21

_WIDEST, _DEEPEST = 6, 4
"""Larger stacks are not searched for leading contrasts: their orders are in the hundreds."""


@dataclass(frozen=True)
class FiberReport:
    """A fiber, and for an open one what exact computation says: the differential of a jet at the tuple, or why there is none."""

    fiber: Fiber
    differential: JetDifferential | None = None
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn fiber --json`` (spec 07)."""
        network, found = self.fiber.network, self.differential
        document = {"file": network.source, "exactness": network.exactness, **self.fiber.to_json(), "notes": list(self.notes)}
        if found is not None:
            document["jet"] = {
                "order": found.order,
                "rank": found.rank,
                "parameters": found.parameters,
                "kernel": len(found.kernel),
                "first_degrees": found.first_degrees,
            }
        return document


def find_fiber(network: Network, report: Report = silent) -> FiberReport:
    """The fiber by a statement (:func:`symattn.theory.fibers.effective_fiber`); where none applies, by leading contrasts
    (:mod:`symattn.exact.contrasts`) if all slopes up to the first collapse are nonzero; otherwise open, with rank, kernel and first degrees
    of a jet at the tuple, as far as some seconds go."""
    fiber = effective_fiber(network)
    if fiber.kind != "open":
        return FiberReport(fiber)
    suffix = first_collapse_of(network)
    notes = []
    try:
        report("leading contrasts")
        statement = _by_leading_contrasts(network, suffix)
        if statement is not None and statement.holds:
            return FiberReport(determined_fiber(network, statement, suffix))
        if statement is not None:
            notes = [f"exact computation: {h.name} is not established ({h.where}: {h.how})" for h in statement.hypotheses if not h.holds]
        report("a jet and its derivative")
        return FiberReport(fiber, _affordable_differential(network), tuple(notes))
    except UndecidedError as error:
        return FiberReport(fiber, None, (f"no exact computation: {error}",))


def _by_leading_contrasts(network: Network, suffix: Suffix) -> Determination | None:
    """The layers up to the first collapse determined one after the other, if the leading contrasts are rich enough (A.isolation)."""
    last = suffix.last
    if any(phi.k != 1 for phi in network.normalizers[:last]) or network.width > _WIDEST or last > _DEEPEST:
        return None
    readings = score_readings(network, last)
    hypotheses = tuple(
        Hypothesis("the leading contrasts determine the score", reading.is_determined or None, f"M[{reading.layer}]", _how(reading))
        for reading in readings
    )
    degree = max((reading.degree for reading in readings if reading.degree is not None), default=None)
    is_sharp = True if degree == jet_orders([1] * last)[-1] else None
    return Determination("exact computation of leading contrasts", hypotheses, degree, is_sharp)


def _how(reading: ScoreReading) -> str:
    if reading.contrast_order is None:
        return f"no contrast was seen below degree {reading.bound}"
    return f"rank {reading.rank} of {reading.unknowns} in degree {reading.degree}"


def _affordable_differential(network: Network) -> JetDifferential | None:
    """``D T_N`` for the largest odd N up to a bound that some seconds allow, at least 3."""
    variables = network.tokens * network.width
    orders = [order for order in range(3, _LONGEST_JET + 1, 2) if comb(order + variables, variables) <= _MONOMIALS]
    return jet_differential(network, orders[-1]) if orders else None
