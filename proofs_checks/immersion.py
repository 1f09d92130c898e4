"""Theorem 3: the jet order from which the tuple is seen to first order, and below which the last score is not seen (Section 4)."""

from __future__ import annotations

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import NetworkCase, listed, network_case
from proofs_checks.symbolic_stacks import symbolic_stack
from symattn.arithmetic.polynomial_series import GenericNormalizer
from symattn.exact.jets import jet_differential
from symattn.theory.orders import jet_orders

GROUP = "Finite jets"


def jet_rank(order: int, width: int, outputs: int, degrees: tuple[int, ...]) -> int:
    """The rank of ``D T_N`` at a regular tuple: ``p d`` for L and ``d^2`` for every layer with ``N_i <= N`` (T3, Prop. C.1)."""
    return outputs * width + width**2 * sum(order >= first for first in jet_orders(degrees))


@statement(
    "T3",
    label="Theorem 3, Prop. C.1",
    group=GROUP,
    claim="T_N is an immersion at regular tuples for N = N_D; every lower jet is independent of M_D",
)
def immersion(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick(_SIZES[:2], _SIZES[:7], _SIZES)
    for n, d, degrees in sizes:
        effort.report(f"n = {n}, d = {d}, k = {degrees}")
        _check_independence(evidence, n, d, degrees)
    cases = effort.pick(_CASES[:6], _CASES[:-2], _CASES)
    for case in cases:
        effort.report(str(case))
        _check_ranks(evidence, case)
    return evidence.outcome(
        "independence: all tuples and all log phi of first degree k, "
        f"(n, d, k) = {', '.join(str(size).replace(' ', '') for size in sizes)}; "
        f"the rank at every N <= N_D: {listed(cases)}; the full rank at N_D hence generically"
    )


_SIZES = [
    (2, 1, (1, 1)),
    (2, 2, (2,)),
    (2, 1, (2, 1)),
    (3, 1, (1, 1)),
    (2, 2, (1, 1)),
    (2, 1, (3, 1)),
    (2, 1, (1, 1, 1)),
    (3, 2, (1, 1)),
]

_CASES = [
    network_case(2, 1, "exp(s)", "1 + s**2"),
    network_case(2, 1, *("exp(s)",) * 3),
    network_case(2, 2, "exp(s**2)"),
    network_case(3, 1, *("exp(s)",) * 2),
    network_case(2, 2, *("exp(s)",) * 2),
    network_case(2, 1, *("exp(s**3)",) * 2),
    network_case(2, 1, "1 + s**3", "sigmoid(s)", "cosh(s)"),
    network_case(2, 1, *("exp(s**2)",) * 3),
    network_case(2, 1, *("exp(s**3)",) * 3),
    network_case(2, 2, "exp(s**2)", "exp(s)"),
    network_case(2, 2, "1/(1 - s)", "1 + s**3", outputs=2),
    network_case(2, 2, *("exp(s**2)",) * 2),
    network_case(2, 2, *("exp(s**3)",) * 2),
    network_case(2, 3, *("exp(s)",) * 2),
    network_case(3, 1, "exp(s**2)", "exp(s)"),
    network_case(3, 1, *("exp(s**3)",) * 2),
    network_case(3, 2, "exp(s)"),
    network_case(3, 2, "exp(s**3)"),
    network_case(3, 2, *("exp(s)",) * 2),
    network_case(4, 1, *("1/(1 - s)",) * 2),
    network_case(3, 1, *("exp(s)",) * 3),
    network_case(2, 2, *("exp(s)",) * 3),
    network_case(3, 2, "exp(s**2)", "exp(s)"),
    network_case(3, 3, *("exp(s)",) * 2),
    network_case(3, 2, *("exp(s**2)",) * 2),
]


def _check_ranks(evidence: Evidence, case: NetworkCase) -> None:
    last = jet_orders(case.degrees)[-1]
    found = jet_differential(case.network(), last)
    claimed = {order: jet_rank(order, case.width, case.outputs, case.degrees) for order in range(1, last + 1, 2)}
    evidence.equal(found.ranks, claimed, f"the rank of D T_N for every N up to {last}, {case}", kind="instance")
    evidence.equal(found.least_immersion_order, last, f"the least N with an immersion, {case}", kind="instance")
    first = {f"M{i}": order for i, order in enumerate(jet_orders(case.degrees), start=1)}
    evidence.equal(found.first_degrees, {"L": 1, **first}, f"the degrees that first see L and each score, {case}", kind="instance")


def _check_independence(evidence: Evidence, n: int, d: int, degrees: tuple[int, ...]) -> None:
    """Below ``u^((N_D - 1) / 2)`` no entry of ``M_D`` occurs in the output; there one does."""
    power = (jet_orders(degrees)[-1] - 1) // 2
    stack = symbolic_stack((n, d, 1), [GenericNormalizer(k, f"b{i}_") for i, k in enumerate(degrees, start=1)], power + 1)
    names = [str(entry) for row in stack.scores[-1].coefficient(0) for entry in row]
    places = [stack.ring.symbols.index(name) for name in names]
    output = stack.output()
    name = f"n = {n}, d = {d}, k = {degrees}"
    for j in range(power + 1):
        polynomial = output.coefficient(j)[0][0]
        occurs = any(polynomial.degrees()[place] > 0 for place in places)  # -1 for the zero polynomial
        if j < power:
            evidence.equal(occurs, False, f"M_D does not occur in degree {2 * j + 1}, {name}")
        else:
            evidence.equal(occurs, True, f"M_D occurs in degree {2 * j + 1}, {name}")
