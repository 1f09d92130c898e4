"""One layer on a small collinear cloud: how the mean and the contrast move (Section 2, Appendix A)."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

from proofs_checks.centred import centred_softmax, homogeneous
from proofs_checks.collinear import CloudSize, Scalars, Series, collinear_stack
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.signatures import contrast_signature, mean_signature
from symattn.arithmetic.polynomial_series import PolynomialSeries, PolynomialSeriesMatrix
from symattn.network.attention import evaluate
from symattn.normalizers import normalizer

GROUP = "Identification"


def two_token_mean(v: Any) -> Any:
    """The coefficient of ``e^2 z`` in the mean of two softmax tokens: ``m^T M z`` (A.two-token, (10))."""
    return v


def two_token_half_difference(w: Any) -> Any:
    """The coefficient of ``e^3 z`` in the half-difference of two softmax tokens: ``z^T M z`` (A.two-token, (11))."""
    return w


@statement(
    "A.two-token",
    label="(10), (11)",
    group=GROUP,
    claim="softmax, tokens m +- e z: mean m + e^2 z (m^T M z) + O(e^4), half-difference e^3 z (z^T M z) + O(e^5)",
)
def two_token(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    stack = collinear_stack(CloudSize(2, 1, 1), 5, [normalizer("exp(s)")])
    zero, known = stack.ring.zero, stack.scalars[0]
    mean = [stack.mean(1, power) for power in range(4)]
    half = [stack.contrast(1, power)[0] for power in range(5)]
    evidence.equal(mean, [zero, zero, two_token_mean(known.v), zero], "the mean to e^3, from the four scalars")
    evidence.equal(half, [zero, zero, zero, two_token_half_difference(known.w), zero], "the half-difference to e^4, from the four scalars")
    widths = effort.pick((1,), (1, 2), (1, 2, 3))
    for width in widths:
        _check_two_tokens(evidence, width)
    return evidence.outcome(
        f"for all m, z and M of every width, by the reduction to the line; at d = {', '.join(map(str, widths))} also without that reduction"
    )


def _check_two_tokens(evidence: Evidence, d: int) -> None:
    names = [f"M{i}_{j}" for i in range(d) for j in range(d)]
    ring = PolynomialSeries([f"{letter}{j}" for letter in "mz" for j in range(d)] + names, 5)
    point, direction = (ring.from_polynomials([[ring.symbol(f"{letter}{j}") for j in range(d)]]) for letter in "mz")
    score = ring.from_polynomials([[ring.symbol(f"M{i}_{j}") for j in range(d)] for i in range(d)])
    tokens = ring.constant(2, 1, 1) @ point + ring.shift(ring.matrix([[1], [-1]]) @ direction, 1)
    [output] = evaluate(ring, [centred_softmax(ring, score, point)], [homogeneous(ring, tokens)])
    v, w = ((left @ score @ direction.transpose()).coefficient(0)[0][0] for left in (point, direction))
    along = direction.coefficient(0)[0]
    for name, sign, order, claimed in (("mean", 1, 2, two_token_mean(v)), ("half-difference", -1, 3, two_token_half_difference(w))):
        found = ring.matrix([[Fraction(1, 2), Fraction(sign, 2)]]) @ output
        start = point if sign == 1 else ring.constant(1, d, 0)
        for power in range(order + 2):
            expected = [z * claimed for z in along] if power == order else start.coefficient(power)[0]
            evidence.equal(found.coefficient(power)[0][:d], expected, f"the {name} at e^{power}, d = {d}")


def token_shift(ring: PolynomialSeries, moments: tuple[Any, Any], known: Any, curvature: Any, s: Any) -> Series:
    """``T_a = mu_2 g(q_a) v_a + (mu_3 / 2) (phi''/phi)(q_a) v_a^2 + O(4)``, ``q_a = q + s_a u``, ``v_a = v + s_a w`` (A.one-layer, (15)).

    A series in e to ``e^3``, the moments ``mu_j`` being of order ``e^j``. ``curvature`` is ``(phi''/phi)(q)``.
    """
    second, third = moments
    slope_there: Series = {0: known.slope, 1: known.slope_change * known.u * s}
    value_there: Series = {0: known.v, 1: known.w * s}
    first = ring.product({2: second}, ring.product(slope_there, value_there))
    constant = ring.zero + third * curvature * known.v * known.v / 2
    return {2: first.get(2, ring.zero), 3: first.get(3, ring.zero) + constant}


@statement(
    "A.one-layer",
    label="(15), A.1",
    group=GROUP,
    claim="tokens m + s_a z: output m + T_a z, T_a = mu_2 g(q_a) v_a + (mu_3/2) (phi''/phi)(q_a) v_a^2 + O(4); "
    "the mean moves by z mu_2 H_M, the contrast becomes z mu_2 s_a K_M",
)
def one_layer(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    _check_moments(evidence)
    counts = effort.pick((2,), (2, 3, 4), (2, 3, 4, 5))
    for count in counts:
        _check_tokens(evidence, count)
    return evidence.outcome(
        "for all clouds of any number of tokens (symbolic moments), all m, z, M and phi (symbolic derivatives at q); "
        f"again with explicit tokens, n = {', '.join(map(str, counts))}"
    )


def _check_moments(evidence: Evidence) -> None:
    """From the scores ``q + e (s u + t v) + e^2 s t w`` of a query at s on keys at t, averaged over t by ``t^j -> mu_j``, ``mu_1 = 0``."""
    names = ["u", "v", "w", "s", "t", *(f"f{j}" for j in range(1, 5)), *(f"mu{j}" for j in range(2, 6))]
    ring = PolynomialSeries(names, 4)
    u, v, w, s, t, f1, f2, f3, f4, second, third, *_ = map(ring.symbol, names)
    # f_j stands for the j-th derivative of phi at q over phi(q).
    derivatives = [ring.context.constant(1), f1, f2, f3, f4]
    score: Series = {1: s * u + t * v, 2: s * t * w}
    weight: Series = {}
    power: Series = {0: ring.context.constant(1)}
    for j, derivative in enumerate(derivatives):
        weight = ring.dot([{0: ring.context.constant(1)}, {0: derivative / factorial(j)}], [weight, power])
        power = ring.product(power, score)
    total, weighted = averaged(ring, weight, "t"), averaged(ring, ring.product({1: t}, weight), "t")
    inverse = ring.reciprocal(PolynomialSeriesMatrix([[total]], ring))[0, 0]
    shift = ring.product(weighted, inverse)
    known = Scalars(u, v, w, f1, f2 - f1 * f1)
    evidence.equal(shift, token_shift(ring, (second, third), known, f2, s), "T_a to e^3, symbolic moments")
    mean = averaged(ring, shift, "s")
    evidence.equal(mean.get(2), second * mean_signature(known.slope, v), "the mean at e^2, symbolic moments")
    contrast = ring.dot([{0: ring.context.constant(1)}, {0: ring.context.constant(-1)}], [shift, mean])
    evidence.equal(
        contrast, {3: second * s * contrast_signature(known.slope, known.slope_change, u, v, w)}, "the contrast to e^3, symbolic moments"
    )


def averaged(ring: PolynomialSeries, series: Series, name: str) -> Series:
    """The mean over tokens: a power ``name^j`` becomes the moment ``mu_j``, with ``mu_0 = 1`` and ``mu_1 = 0``."""
    place = ring.symbols.index(name)
    result: Series = {}
    for power, polynomial in series.items():
        total = ring.zero
        for exponents, coefficient in polynomial.terms():
            j = int(exponents[place])
            rest = [0 if i == place else e for i, e in enumerate(exponents)]
            if j != 1:
                total += ring.context.from_dict({tuple(rest): coefficient}) * (ring.symbol(f"mu{j}") if j else 1)
        if total:
            result[power] = total
    return result


def _check_tokens(evidence: Evidence, count: int) -> None:
    stack = collinear_stack(CloudSize(count, 1, 3), 4)
    ring, known = stack.ring, stack.scalars[0]
    second, third = stack.second_moment, stack.third_moment
    curvature = known.slope_change + known.slope * known.slope
    for a, s in enumerate(stack.contrasts):
        found = [stack.coefficient(1, a, power) for power in range(4)]
        claimed = token_shift(ring, (second, third), known, curvature, s)
        evidence.equal(found, [claimed.get(power, ring.zero) for power in range(4)], f"T_a to e^3, n = {count}")
    evidence.equal(stack.mean(1, 2), second * mean_signature(known.slope, known.v), f"the mean at e^2, n = {count}")
    contrast = contrast_signature(known.slope, known.slope_change, known.u, known.v, known.w)
    evidence.equal(stack.contrast(1, 3), [second * s * contrast for s in stack.contrasts], f"the contrast at e^3, n = {count}")
    zeros = [ring.zero] * count
    evidence.equal([stack.contrast(1, power) for power in range(3)], [zeros] * 3, f"the contrast below e^3, n = {count}")
