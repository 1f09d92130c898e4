"""Depth: the contrast that survives several layers, and the coefficient that isolates one of them (Section 2, Appendix A)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq

from proofs_checks.centred import centred_softmax, homogeneous
from proofs_checks.collinear import CloudSize, CollinearStack, Scalars, collinear_stack
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, NetworkCase, listed, network_case
from proofs_checks.signatures import contrast_signature, mean_signature, next_amplitude
from symattn.arithmetic.polynomial_series import PolynomialSeries
from symattn.network.attention import evaluate
from symattn.network.rational import RationalMatrix
from symattn.theory.signatures import amplitudes as library_amplitudes

GROUP = "Identification"


def contrast_order(layers: int) -> int:
    """``3^j``: the order in e of the contrast after j layers (A.amplitude, (17))."""
    return int(3**layers)


def isolation_order(layer: int) -> int:
    """``2 * 3^(i-1)``: the order in e at which layer i first moves the mean (A.isolation, (18))."""
    return 2 * contrast_order(layer - 1)


def amplitudes(stack: CollinearStack) -> list[Any]:
    """``a_0 = 1, a_1, .., a_D`` for the stack, from the signatures alone."""
    result = [stack.ring.context.constant(1)]
    for signature in _contrast_signatures(stack):
        result.append(next_amplitude(result[-1], stack.second_moment, signature))
    return result


def _contrast_signatures(stack: CollinearStack) -> list[Any]:
    return [contrast_signature(known.slope, known.slope_change, known.u, known.v, known.w) for known in stack.scalars]


@statement(
    "A.amplitude",
    label="(17)",
    group=GROUP,
    claim="after j layers the contrast is e^(3^j) a_j c_a z + .., a_0 = 1, a_j = a_(j-1)^3 K_(M_j) (for mean c_a^2 = 1)",
)
def amplitude(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick(_AMPLITUDES[:1], _AMPLITUDES[:3], _AMPLITUDES)
    for size in sizes:
        effort.report(str(size))
        stack = collinear_stack(size, contrast_order(size.depth) + 1)
        known_amplitudes = amplitudes(stack)
        if size.tokens == 2:  # mu_2 = 1, as in (17)
            evidence.equal(list(library_amplitudes(_contrast_signatures(stack))), known_amplitudes, f"a_j of symattn.theory, {size}")
        for j, a in enumerate(known_amplitudes):
            found = stack.contrast(j, contrast_order(j))
            evidence.equal(found, [a * c for c in stack.contrasts], f"the contrast after layer {j} at e^{contrast_order(j)}, {size}")
            below = [entry for power in range(contrast_order(j)) for entry in stack.contrast(j, power)]
            evidence.equal(below, [stack.ring.zero] * len(below), f"the contrast after layer {j} at lower powers, {size}")
    return evidence.outcome(_scope(sizes))


# log phi is expanded around m^T M m; the degree 9 is all that matters at D = 2.
_AMPLITUDES = [CloudSize(2, 2, 9), CloudSize(3, 2, 2), CloudSize(2, 3, 2, is_scalar=True), CloudSize(3, 2, 3), CloudSize(2, 3, 2)]


@statement(
    "A.isolation",
    label="(18), (19), (A.2)",
    group=GROUP,
    claim="[e^(2 * 3^(i-1))] (mean F - L mu_(i-1)) = a_(i-1)^2 (Lz) H_(M_i); later layers start at e^(2 * 3^i) or higher",
)
def isolation(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick(_ISOLATIONS[:2], _ISOLATIONS[:3], _ISOLATIONS)
    for size in sizes:
        effort.report(str(size))
        depth = size.depth
        stack = collinear_stack(size, isolation_order(depth) + 1)
        known_amplitudes = amplitudes(stack)
        for i, known in enumerate(stack.scalars, start=1):
            order = isolation_order(i)
            step = [stack.mean(depth, power) - stack.mean(i - 1, power) for power in range(order + 1)]
            square = known_amplitudes[i - 1] * known_amplitudes[i - 1] * stack.second_moment
            evidence.equal(step[order], square * mean_signature(known.slope, known.v), f"the coefficient of layer {i}, {size}")
            evidence.equal(step[:order], [stack.ring.zero] * order, f"nothing below it for layer {i} and later ones, {size}")
    cases = effort.pick(_INSTANCES[:1], _INSTANCES[:2], _INSTANCES)
    for instance in cases:
        _check_instance(evidence, instance)
    return evidence.outcome(f"the coefficients: {_scope(sizes)}, degenerate later layers included; again without the line: {listed(cases)}")


_ISOLATIONS = [CloudSize(2, 2, 7), CloudSize(3, 2, 2), CloudSize(2, 3, 2), CloudSize(3, 2, 7), CloudSize(2, 3, 19)]

_INSTANCES = [
    network_case(2, 2, *("exp(s)",) * 3),
    network_case(3, 2, *("exp(s)",) * 3, scores={3: SKEW}),
    network_case(3, 3, *("exp(s)",) * 3, outputs=2),
]


def _check_instance(evidence: Evidence, case: NetworkCase) -> None:
    """Softmax on ``m + e z, m - e z, m, ..`` for a drawn tuple, all coordinates of the mean output."""
    network = case.network()
    d, n, readout, scores = case.width, case.tokens, network.parameters.L, network.parameters.M
    ring = PolynomialSeries(["unused"], isolation_order(case.network().depth) + 1)
    m, z = [Fraction(j + 1) for j in range(d)], [Fraction(3 - 2 * j) for j in range(d)]
    signs = [1, -1, *(0,) * (n - 2)]
    start = ring.constant(n, 1, 1) @ ring.matrix([m]) + ring.shift(ring.matrix([[c] for c in signs]) @ ring.matrix([z]), 1)
    tokens, average, a = homogeneous(ring, start), ring.matrix([[Fraction(1, n)] * n]), Fraction(1)
    means = [average @ tokens]
    for score in scores:
        [tokens] = evaluate(ring, [centred_softmax(ring, ring.matrix(score), ring.matrix([m]))], [tokens])
        means.append(average @ tokens)
    spread = Fraction(2, n)
    for i, score in enumerate(scores, start=1):
        known = softmax_scalars(score, m, z)
        order = isolation_order(i)
        found = [_number(entry) for entry in (means[-1] - means[i - 1]).coefficient(order)[0][:d]]
        along = [sum((x * y for x, y in zip(row, z, strict=True)), Fraction(0)) for row in readout]
        observed = [sum((x * y for x, y in zip(row, found, strict=True)), Fraction(0)) for row in readout]
        claimed = [spread * a * a * mean_signature(known.slope, known.v) * value for value in along]
        evidence.equal(observed, claimed, f"the coefficient of layer {i} in the output, {case}", kind="instance")
        a = next_amplitude(a, spread, contrast_signature(known.slope, known.slope_change, known.u, known.v, known.w))


def softmax_scalars(score: RationalMatrix, m: list[Fraction], z: list[Fraction]) -> Scalars:
    """The scalars of a softmax layer on the line: the slope of its logarithm is 1."""
    u, v, w = (
        sum((x * entry * y for x, row in zip(left, score, strict=True) for entry, y in zip(row, right, strict=True)), Fraction(0))
        for left, right in ((z, m), (m, z), (z, z))
    )
    return Scalars(u, v, w, Fraction(1), Fraction(0))


def _number(polynomial: Any) -> Fraction:
    value = polynomial.leading_coefficient() if polynomial else fmpq(0)
    return Fraction(int(value.p), int(value.q))


def _scope(sizes: list[CloudSize]) -> str:
    listed = "; ".join(map(str, sizes))
    return f"all m, z, scores (of every width, by the reduction to the line) and normalizers, on collinear clouds: {listed}"
