"""Fibers and comparisons of tuples as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.reports.texts import labelled
from symattn.verification.equality import Equality
from symattn.verification.fibers import FiberReport

__all__ = ["equality_text", "fiber_text"]

_KINDS = {
    "singleton": "singleton: no other tuple (L, M_1, .., M_D) gives the same network",
    "signs": "signs: the same network for every choice of signs of the scores below, and for no other tuple",
    "free-suffix": "free-suffix: layers behind the first one that erases all contrast are arbitrary",
    "zero-readout": "zero-readout: L = 0, every score is arbitrary",
    "open": "open: no statement covers this tuple, and the exact computation below does not decide it",
}
_HOLDS = {True: "holds", False: "fails", None: "undecided"}


def fiber_text(report: FiberReport) -> str:
    """The kind of a fiber and what is free in it, the statement and its hypotheses, the jet degree; for an open one what is missing."""
    fiber, found = report.fiber, report.differential
    lines = [("fiber", _KINDS[fiber.kind])]
    if fiber.sign_layers:
        lines.append(("free signs", f"{_layers(fiber.sign_layers)}: the normalizer is even, M and -M give the same layer"))
    if fiber.free_layers:
        lines.append(("free scores", _layers(fiber.free_layers)))
    if fiber.kind != "open":
        lines.append(("source", fiber.source))
        sharp = "no lower degree does" if fiber.degree_is_sharp else "whether a lower degree does is not known"
        lines.append(("degree", f"the Taylor coefficients up to degree {fiber.degree} determine it; {sharp}"))
        lines += [("hypothesis", f"{h.name}: {_HOLDS[h.holds]} ({h.where}: {h.how})") for h in fiber.hypotheses]
    lines += [("missing", reason) for reason in fiber.missing]
    if found is not None:
        lines.append(("jet", f"order {found.order}: its derivative in L and the scores has rank {found.rank} of {found.parameters}"))
        lines.append(("kernel", f"{len(found.kernel)} directions up to this order"))
        seen = (f"{name}: {degree if degree is not None else 'not up to this order'}" for name, degree in found.first_degrees.items())
        lines.append(("first degrees", ", ".join(seen)))
    lines += [("note", note) for note in report.notes]
    return labelled([*lines, ("numbers", fiber.network.exactness)])


def equality_text(result: Equality) -> str:
    """The answer, its reason, and the witnesses of a difference."""
    lines = [("equal", {True: "yes", False: "no", None: "undecided"}[result.equal]), ("because", result.because)]
    if (monomial := result.monomial) is not None:
        values = " and ".join(f"({', '.join(map(str, side))})" for side in (monomial.first, monomial.second))
        lines.append(("monomial", f"{monomial.monomial} in the output of token 1: coefficients {values}"))
    if (found := result.input_witness) is not None:
        tokens = ", ".join(f"[{', '.join(map(str, row))}]" for row in found.tokens)
        how = "exactly" if found.is_exact else "enclosed"
        lines.append(("input", f"tokens {tokens}"))
        lines.append(("outputs", f"token {found.token}, coordinate {found.coordinate}, {how}: {found.first} and {found.second}"))
    if result.agree_to:
        lines.append(("agree", f"all Taylor coefficients up to degree {result.agree_to}"))
    return labelled([*lines, ("numbers", result.exactness)])


def _layers(numbers: Sequence[int]) -> str:
    return f"layer{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
