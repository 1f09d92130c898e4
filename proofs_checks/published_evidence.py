"""The published numerical evidence N1 .. N4: every published figure against an exact or enclosed one of ours."""

from __future__ import annotations

from proofs_checks.evidence import Evidence, Kind, Outcome, Verdict
from proofs_checks.framework import Effort, statement
from symattn.verification.published.figures import Item
from symattn.verification.published.function_space import WIDTHS, function_space_item
from symattn.verification.published.matrix_spectrum import SCALES, matrix_spectrum_item
from symattn.verification.published.recovery_noise import recovery_noise_item
from symattn.verification.published.scalar_stack import scalar_stack_item

GROUP = "Native spectra"

_VERDICTS: dict[bool | None, Verdict] = {True: "confirmed", False: "refuted", None: "undecided"}


@statement(
    "N1",
    label="numerical evidence",
    group=GROUP,
    claim="scalar depth four, means observed: contact orders 1, 5, 17, 53 exactly; published slopes and weakest singular value 3.86e-92",
)
def scalar_depth_four(effort: Effort) -> Outcome:
    return compared(scalar_stack_item(effort.report), "enclosure", "the published stack and its four inputs, t = 0.08, 0.04, 0.02")


@statement(
    "N2",
    label="numerical evidence",
    group=GROUP,
    claim="the 48-input fixture: rank 52, kernel 44, orders 0, 1, 5, 17 exactly; 52 separate positive singular values, 40 above the cutoff",
)
def matrix_spectrum(effort: Effort) -> Outcome:
    scales = effort.pick(SCALES[-1:], SCALES[-2:], SCALES)
    item = matrix_spectrum_item(effort.report, scales)
    return compared(item, "enclosure", f"the published fixture at t = {', '.join(map(str, scales))}; all 52 values to 15 digits")


@statement(
    "N3",
    label="numerical evidence",
    group=GROUP,
    claim="one unknown parameter under noise: relative RMSE from 0.0050 to 1.31 as tau rises from 1.57e-10 to 1.57e-7",
)
def recovery_under_noise(effort: Effort) -> Outcome:
    return compared(recovery_noise_item(effort.report), "enclosure", "the 400 published draws at four noise levels, every inverse enclosed")


@statement(
    "N4",
    label="numerical evidence",
    group=GROUP,
    claim="function-space dimension d^2 + l a (2d - a) for softmax, less by l for the unnormalized layer: l = 2, a = 2, d = 3 .. 10",
)
def function_space_dimensions(effort: Effort) -> Outcome:
    largest = effort.pick(5, 7, WIDTHS[-1])
    item = function_space_item(effort.report, largest)
    return compared(item, "instance", f"exact generic ranks for d = {WIDTHS[0]} .. {largest}, 3 tokens, 2 layers, a = 2, both layers")


def compared(item: Item, kind: Kind, scope: str) -> Outcome:
    """The outcome of an item: one piece of evidence for each published figure."""
    evidence = Evidence(kind)
    for figure in item.figures:
        if figure.published:
            evidence.judge(_VERDICTS[figure.agrees], f"{figure.name}: published {figure.published}", f"ours {figure.ours}")
    return evidence.outcome(scope)
