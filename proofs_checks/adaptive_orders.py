"""Jet orders at every tuple, skew and zero scores included, where slopes do not vanish (Section 4, Cor. C.2 and Prop. C.3)."""

from __future__ import annotations

from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, ZERO, NetworkCase, listed, moved_entries, network_case, with_readout, with_score
from proofs_checks.signs import difference_degree
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import SymbolicField, UndefinedNormalizer
from symattn.exact.jets import jet_differential
from symattn.network.attention import evaluate
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix, transpose
from symattn.theory.determining_orders import adaptive_bound, adaptive_orders, first_collapse, two_token_order

GROUP = "Finite jets"
Number = Any


def next_deficit(v: Number, is_skew: bool) -> Number:
    """``v_i = 3 v_(i-1) + 2 [M_i skew]`` (C.2)."""
    return 3 * v + 2 * int(is_skew)


def adaptive_order(power: Number, v: Number) -> Number:
    """``N_j^ad = 2 * 3^(j-1) + 2 v_(j-1) + 1``; ``power`` is ``3^(j-1)`` (C.2)."""
    return 2 * power + 2 * v + 1


@statement(
    "C.2",
    label="Cor. C.2",
    group=GROUP,
    claim="g_i(0) g_i'(0) != 0: the jet through 4 * 3^(D-1) - 1 determines the fiber at every tuple; v_i = 3 v_(i-1) + 2 [M_i skew] "
    "<= 3^i - 1, N_j^ad = 2 * 3^(j-1) + 2 v_(j-1) + 1",
)
def every_tuple(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    _check_recurrence(evidence)
    for count in (2, 3):
        _check_free_suffix(evidence, count, 1)
    cases = effort.pick(_ADAPTIVE[:3], _ADAPTIVE[:6], _ADAPTIVE)
    for case in cases:
        effort.report(str(case))
        _check_adaptive(evidence, case)
    return evidence.outcome(
        f"the recurrence and its bound: all depths, by induction; a zero score frees what follows: every normalizer, n = 2, 3; "
        f"the orders: {listed(cases)}, skew and zero scores among them"
    )


def _check_recurrence(evidence: Evidence) -> None:
    field = SymbolicField()
    power = field.symbol("P")
    evidence.equal(next_deficit(power - 1, True), 3 * power - 1, "v_i = 3^i - 1 is kept by skew scores")
    slack = field.symbol("x")  # v = P - 1 - x, x >= 0
    for is_skew in (True, False):
        gap = 3 * power - 1 - next_deficit(power - 1 - slack, is_skew)
        evidence.equal(gap, 3 * slack + 2 * (1 - int(is_skew)), f"v_i <= 3^i - 1, skew: {is_skew}")
    evidence.equal(adaptive_order(power, power - 1), 4 * power - 1, "N^ad at v = 3^(D-1) - 1")
    for skew in ((True,) * 4, (False, True, False), (True, False, True, True)):
        v, claimed = 0, []
        for j, is_skew in enumerate(skew):
            claimed.append(adaptive_order(3**j, v))
            v = next_deficit(v, is_skew)
        evidence.equal(adaptive_orders(skew), tuple(claimed), f"symattn.theory, skew scores {skew}")
        evidence.equal(adaptive_bound(len(skew)), 4 * 3 ** (len(skew) - 1) - 1, f"the bound of symattn.theory, D = {len(skew)}")


def _check_free_suffix(evidence: Evidence, n: int, depth: int) -> None:
    """After a zero score all tokens are their mean, whatever follows."""
    field = SymbolicField()
    d = 2
    tokens, unit = field.symbols("x", n, d), unit_matrix(field, d)
    layers = [unknown_layer(UndefinedNormalizer("phi0"), field.constant(d, d, 0), unit)]
    layers += [unknown_layer(UndefinedNormalizer(f"phi{i}"), field.symbols(f"M{i}", d, d), unit) for i in range(1, depth + 1)]
    [output] = evaluate(field, layers, [tokens])
    evidence.equal(output, (field.constant(n, n, 1) @ tokens).scale(field.element(1) / n), f"a zero score frees later ones, n = {n}")


_ADAPTIVE = [
    network_case(2, 2, "sigmoid(s)", scores={1: SKEW}),
    network_case(2, 2, *("exp(s + s**2)",) * 2, scores={1: SKEW}),
    network_case(2, 2, *("1/(1 - s)",) * 2, scores={1: ZERO}),
    network_case(2, 2, "sigmoid(s)", "1 + s", scores={1: SKEW, 2: SKEW}),
    network_case(2, 2, *("1/(1 - s)",) * 2, scores={2: SKEW}),
    network_case(3, 2, *("exp(s + s**2)",) * 2, scores={1: ZERO}),
    network_case(2, 2, *("exp(s + s**2)",) * 3, scores={2: SKEW}),
    network_case(2, 2, *("sigmoid(s)",) * 3, scores={2: ZERO}),
]


def _check_adaptive(evidence: Evidence, case: NetworkCase) -> None:
    """For two tokens the adaptive orders are the first degrees that see each layer; through the bound the fiber is determined."""
    network, depth = case.network(), len(case.normalizers)
    kinds = score_kinds(network)
    last = first_zero(kinds)
    claimed = adaptive_orders([kind == "skew" for kind in kinds])
    evidence.equal(claimed[last - 1] <= adaptive_bound(depth), True, f"N^ad is within the bound, {case}", kind="instance")
    _check_fiber(evidence, network, last, claimed[last - 1], str(case))
    if case.tokens == 2:
        found = jet_differential(network, claimed[last - 1]).first_degrees
        orders = {f"M{j}": (order if j <= last else None) for j, order in enumerate(claimed, start=1)}
        evidence.equal(found, {"L": 1, **orders}, f"the degrees that first see each layer, {case}", kind="instance")


def score_kinds(network: Network) -> list[str]:
    """For every layer "zero", "skew" (and not zero) or "general"."""
    return [score_kind(score) for score in network.parameters.M]


def score_kind(score: RationalMatrix) -> str:
    """Whether a score is zero, skew (and not zero), or neither."""
    if not any(map(any, score)):
        return "zero"
    return "skew" if transpose(score) == tuple(tuple(-x for x in row) for row in score) else "general"


def first_zero(kinds: list[str]) -> int:
    """The first layer (from 1) with a zero score, or the last layer."""
    return kinds.index("zero") + 1 if "zero" in kinds else len(kinds)


def _check_fiber(evidence: Evidence, network: Network, last: int, order: int, name: str) -> list[int]:
    """Every change of L or of a layer up to ``last`` is seen by degree ``order``, later layers are not: the degrees that see ``last``."""
    for readout in moved_entries(network.parameters.L):
        found = difference_degree(network, with_readout(network, readout), order)
        evidence.nonzero(found or 0, f"a change of L is seen, {name}", kind="instance")
    degrees = []
    for i, score in enumerate(network.parameters.M, start=1):
        for moved in moved_entries(score):
            # A later layer would be seen within some degrees more if the contrast did not collapse.
            found = difference_degree(network, with_score(network, i, moved), order + 8 * int(i > last))
            if i > last:
                evidence.equal(found, None, f"M_{i} is free, {name}", kind="instance")
            else:
                evidence.nonzero(found or 0, f"a change of M_{i} is seen, {name}", kind="instance")
            if i == last:
                degrees.append(found or 0)
    return degrees


@statement(
    "C.3",
    label="Prop. C.3",
    group=GROUP,
    claim="n = 2, slopes nonzero: alpha_i = 3 alpha_(i-1), or (l_i + 1) alpha_(i-1) + l_i at a nonzero skew score; the least jet order "
    "that determines the fiber is 2 alpha_(s-1) + 1, s the first collapse",
)
def two_tokens(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = effort.pick(_TWO_TOKENS[:4], _TWO_TOKENS[:8], _TWO_TOKENS)
    for case in cases:
        effort.report(str(case))
        network = case.network()
        kinds, evens = score_kinds(network), [phi.first_even_degree for phi in network.normalizers]
        last, claimed = first_collapse(kinds, evens), two_token_order(kinds, evens)
        degrees = _check_fiber(evidence, network, last, claimed, str(case))
        evidence.equal(set(degrees), {claimed}, f"the jets of all single-entry changes of M_{last} are equal below {claimed}, {case}")
    return evidence.outcome(f"equal jets below, different ones at that order: {listed(cases)}, skew and zero scores among them")


_TWO_TOKENS = [
    network_case(2, 2, "exp(s)", "1/(1 - s)", scores={1: SKEW}),
    network_case(2, 2, *("exp(s + s**2)",) * 2, scores={1: SKEW}),
    network_case(2, 2, "exp(s + s**4)", "exp(s)", scores={1: SKEW}),
    network_case(2, 2, "sigmoid(s)", "exp(s)", scores={1: ZERO}),
    network_case(2, 2, "exp(s)", "exp(s)", scores={2: SKEW}),
    network_case(2, 2, "1/(1 - s)", "exp(s)", scores={1: SKEW, 2: SKEW}),
    network_case(2, 2, "exp(s + s**3)", "1 + s", scores={1: SKEW}),
    network_case(2, 2, "exp(s + s**2)", "exp(s)", "1 + s", scores={1: SKEW, 2: SKEW}),
    network_case(2, 2, "exp(s + s**6)", "exp(s)", scores={1: SKEW}),
    network_case(2, 2, *("exp(s + s**2)",) * 3, scores={2: SKEW}),
]
