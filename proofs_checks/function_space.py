"""The dimension of the realized function space (Section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from proofs_checks.drawing import case, describe, search_options, with_drawn_values
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from symattn.arithmetic.linear_algebra import rank
from symattn.exact.spectrum import find_spectrum
from symattn.network.gauges import kernel_directions
from symattn.network.instance import Instance
from symattn.network.parameters import NativeParameters


@statement(
    "HMK.dim",
    label="Conj. 3.10 of Henry-Marchetti-Kohn; (40)",
    group="Identification",
    claim="the generic dimension of the realized function space is d^2 + sum r_i (2d - r_i)",
)
def function_space(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = _FUNCTION_SPACES[: effort.pick(3, 6, None)]
    for each in cases:
        effort.report(str(each))
        instance = with_drawn_values(each.instance())
        found = find_spectrum(instance, options=search_options(instance, divisibility=0))
        claimed = function_space_dimension(each.width, each.ranks)
        evidence.equal(found.rank, claimed, f"the germ has at least this dimension (rank of the native Jacobian), {each}")
        # Directions that are independent at one point are so generically, and every gauge direction is in the kernel everywhere.
        gauges = _independent_gauges(instance)
        evidence.equal(found.shape[1] - gauges, claimed, f"and at most this one (independent gauge directions), {each}")
    return evidence.outcome(
        f"{describe(cases)} with invertible values, on the collapse path at the p-adic point: "
        "a minor that is not zero there is not zero generically, and gauge directions that are independent there are so generically"
    )


_FUNCTION_SPACES = (
    *(case(3, d, (2, 2), "exp(s)") for d in (3, 4)),
    case(2, 2, (1, 2, 1), "1/(1 - s)"),
    *(case(3, d, (2, 2), "exp(s)") for d in (5, 6)),
    case(4, 3, (3, 1), "cosh(s)"),
    *(case(3, d, (2, 2), "exp(s)") for d in (7, 8, 9, 10)),
    case(3, 4, (1, 2, 3), "exp(s)"),
)


def _independent_gauges(instance: Instance) -> int:
    """The rank over Q of all factor and interface directions at the instance's own factors and values."""
    layers = instance.layers
    point = NativeParameters(
        Q=tuple(layer.U for layer in layers), K=tuple(layer.W for layer in layers), V=tuple(layer.V for layer in layers)
    )
    return rank([direction.entries for direction in kernel_directions(point)])


def function_space_dimension(width: int, ranks: Sequence[int]) -> int:
    """``d^2 + sum r_i (2d - r_i)``: the dimension of the realized functions, equal widths (Conj. 3.10 of Henry-Marchetti-Kohn)."""
    return width**2 + sum(rank * (2 * width - rank) for rank in ranks)
