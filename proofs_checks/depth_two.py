"""Depth two with three tokens or more: the jet of degree seven decides (Section 4, Cor. 4.1).

At slope the statements hold against **every** competitor of an instance, not only against drawn ones. Degree 1 is ``L mean(x)``. In
degree 3 only L and the first score occur, the latter linearly, and in degree 7 the second score is new and occurs linearly. So L, then
``M_1``, then ``M_2`` is determined exactly if the blocks of the differential have full rank at these degrees.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq_mpoly

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, SKEW_3, ZERO, NetworkCase, listed, network_case, with_readout
from proofs_checks.symbolic_stacks import symbolic_stack
from symattn.exact.jets import jet_differential
from symattn.network.rational import rational_matrix
from symattn.theory.fibers import effective_fiber

DEGREES = (3, 7)
"""The degrees that determine ``M_1`` and ``M_2`` (C4.1): 7 suffices when ``M_1 != 0``, 3 when ``M_1 = 0``; both are sharp."""


@statement(
    "C4.1",
    label="Cor. 4.1",
    group="Exceptional fibers",
    claim="D = 2, n >= 3, slopes nonzero. L, M_1 != 0: the degree-7 jet fixes the tuple and is an immersion, no lower jet sees M_2; "
    "M_1 = 0: M_2 is free and degree 3 is sharp; L = 0: all scores are free",
)
def depth_two(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = effort.pick(_CASES[:3], _CASES[:7], _CASES)
    for case in cases:
        effort.report(str(case))
        _check(evidence, case)
    return evidence.outcome(f"against all competitors of the instance: {listed(cases)}; M_1 not skew, skew and zero; L = 0")


_CASES = [
    network_case(3, 1, *("1/(1 - s)",) * 2),
    network_case(3, 2, *("exp(s)",) * 2, scores={1: SKEW}),
    network_case(3, 2, *("exp(s)",) * 2, scores={1: ZERO}),
    network_case(3, 2, *("exp(s)",) * 2),
    network_case(4, 1, "sigmoid(s)", "exp(s)"),
    network_case(3, 2, "sigmoid(s)", "1 + s", scores={1: SKEW, 2: SKEW}),
    network_case(3, 2, "1/(1 - s)", "exp(s)", outputs=2, scores={1: ZERO, 2: SKEW}),
    network_case(4, 2, *("exp(s)",) * 2, scores={1: SKEW}),
    network_case(3, 2, "exp(s)", "1 + s", outputs=2),
    network_case(3, 3, *("exp(s)",) * 2, scores={1: SKEW_3}),
]


def _check(evidence: Evidence, case: NetworkCase) -> None:
    network = case.network()
    d, p = case.width, case.outputs
    first, second = DEGREES
    collapses = not any(map(any, network.parameters.M[0]))
    found = jet_differential(network, second)
    claimed = {degree: p * d + d * d * ((degree >= first) + (degree >= second and not collapses)) for degree in range(1, second + 1, 2)}
    evidence.equal(found.ranks, claimed, f"the rank of D T_N for every N up to {second}, {case}")
    evidence.equal(
        found.first_degrees, {"L": 1, "M1": first, "M2": None if collapses else second}, f"the degrees that first see L, M_1, M_2, {case}"
    )
    _check_linearity(evidence, case, collapses)
    fiber = effective_fiber(network)
    kind = ("free-suffix", (2,), first) if collapses else ("singleton", (), second)
    evidence.equal((fiber.kind, fiber.free_layers, fiber.degree), kind, f"the fiber of symattn.theory, {case}")
    silent = effective_fiber(with_readout(network, rational_matrix([[0] * d] * p)))
    evidence.equal((silent.kind, silent.free_layers), ("zero-readout", (1, 2)), f"the fiber at L = 0, {case}")


def _check_linearity(evidence: Evidence, case: NetworkCase, collapses: bool) -> None:
    """Where the scores occur in the jet, all of them symbols in degree 3, and ``M_2`` alone in degree 7."""
    network, (first, second) = case.network(), DEGREES
    size = (case.tokens, case.width, case.outputs)
    low = symbolic_stack(size, network.normalizers, (first + 1) // 2)
    names = [[str(entry) for row in score.coefficient(0) for entry in row] for score in low.scores]
    parts = [entry for j in range((first + 1) // 2) for entry in low.output().coefficient(j)[0]]
    evidence.equal(_degree(parts, low.ring.symbols, names[0]), 1, f"M_1 occurs linearly up to degree {first}, {case}")
    evidence.equal(_degree(parts, low.ring.symbols, names[1]), 0, f"M_2 does not occur up to degree {first}, {case}")
    high = symbolic_stack(size, network.normalizers, (second + 1) // 2, known_scores={1: network.parameters.M[0]})
    output = high.output()
    lower = [entry for j in range((second - 1) // 2) for entry in output.coefficient(j)[0]]
    evidence.equal(_degree(lower, high.ring.symbols, names[1]), 0, f"M_2 does not occur below degree {second}, {case}")
    last = output.coefficient((second - 1) // 2)[0]
    evidence.equal(
        _degree(last, high.ring.symbols, names[1]), int(not collapses), f"M_2 occurs linearly in degree {second}, or not at all, {case}"
    )


def _degree(polynomials: Sequence[fmpq_mpoly], symbols: Sequence[str], names: Sequence[str]) -> int:
    """The highest total degree in the named symbols."""
    places = [symbols.index(name) for name in names]
    return max((sum(exponents[place] for place in places) for p in polynomials for exponents in p.to_dict()), default=0)
