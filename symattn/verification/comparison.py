"""A finding held against a prediction: what is confirmed, what is refuted, and what stays open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from symattn.exact.finding import Finding
from symattn.theory.prediction import Prediction

__all__ = ["Comparison", "Verdict", "compare"]

Verdict = Literal["confirmed", "refuted", "undecided"]


@dataclass(frozen=True)
class Comparison:
    """A verdict and the reasons for it, in sentences."""

    verdict: Verdict
    reasons: tuple[str, ...]


def compare(finding: Finding, prediction: Prediction) -> Comparison:
    """Confirmed only if proven orders, rank and kernel are the predicted ones; refuted only by something proven.

    A finding bounds determinantal orders from above, so smaller partial sums than predicted refute on any bank. Larger orders
    refute only where they are exact and the bank is known to separate, for too small a bank raises orders. Bounds that depend on a
    condition neither confirm nor refute.
    """
    if prediction.status == "none" or prediction.rank is None or prediction.kernel is None:
        failing = tuple(f"hypothesis fails: {h.name} ({h.where}: {h.how})" for h in prediction.failing)
        return Comparison("undecided", ("no statement applies, so the finding stands alone", *failing))
    if finding.explicit_kernel > prediction.kernel:
        reason = f"the kernel has at least {finding.explicit_kernel} dimensions, predicted were {prediction.kernel}"
        return Comparison("refuted", (reason,))
    contradiction = _contradiction(finding, prediction.orders, prediction.rank, prediction.kernel)
    if contradiction and finding.condition:
        return Comparison("undecided", (f"{contradiction}, which refutes the prediction provided that {finding.condition}",))
    if contradiction:
        return Comparison("refuted", (contradiction,))
    agrees = finding.orders == prediction.orders and finding.kernel == prediction.kernel
    if agrees and finding.is_exact:
        return Comparison("confirmed", (f"orders, rank and kernel are those of {prediction.source}",))
    if agrees:
        reason = "the orders found agree with the prediction, but only as upper bounds"
        return Comparison("undecided", (reason, *finding.caveats))
    if prediction.applies and finding.is_exact:
        return Comparison("refuted", ("all hypotheses hold, and the exact orders are other than predicted",))
    if finding.unresolved:
        count = f"{finding.unresolved} columns remain" if finding.unresolved > 1 else "1 column remains"
        reasons = [
            f"{count} beside the rank and the explicit kernel: of order at least {finding.bound}, which a higher precision would show, "
            "or in the kernel, which it would not"
        ]
    else:
        reasons = ["the orders found are other than predicted, and not all hypotheses of the prediction are established"]
    for hypothesis in prediction.hypotheses:
        if not hypothesis.holds:
            reasons.append(f"not established: {hypothesis.name} ({hypothesis.how}); on other banks orders can only be larger")
    return Comparison("undecided", tuple(reasons))


def _contradiction(finding: Finding, orders: Sequence[tuple[int, int]], rank: int, kernel: int) -> str:
    """Where the upper bounds of a finding contradict a prediction, on whatever bank they were found; "" if nowhere."""
    if finding.rank > rank:
        return f"the rank is at least {finding.rank}, predicted was {rank}"
    if (most := finding.shape[1] - finding.rank) < kernel:
        return f"the kernel has at most {most} dimensions, predicted were {kernel}"
    predicted = [order for order, multiplicity in orders for _ in range(multiplicity)]
    for j, (above, claimed) in enumerate(zip(accumulate(finding.exponents()), accumulate(predicted), strict=False), start=1):
        if above < claimed:
            return f"the {j} smallest orders sum to at most {above}, predicted was {claimed}"
    return ""
