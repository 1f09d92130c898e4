"""The orders of mean and contrast from layer to layer, and the jet order that first sees a layer (Section 4, Appendix C)."""

from __future__ import annotations

from typing import Any

from flint import fmpq_mpoly

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.signatures import leading_contrast, leading_mean
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import SymbolicField
from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeries
from symattn.network.attention import evaluate
from symattn.theory.orders import contrast_orders, jet_orders

GROUP = "Finite jets"
Number = Any

FIRST_CONTRAST = 1
"""``alpha_0``: the contrast of the inputs is of order 1 in the inputs."""


def next_contrast(alpha: Number, k: Number) -> Number:
    """``3 alpha + 2 k - 2``: the order of the contrast after a layer of degree k (C.orders, C.recurrence)."""
    return 3 * alpha + 2 * k - 2


def mean_order(alpha: Number, k: Number) -> Number:
    """``2 alpha + 2 k - 1``: the order at which the layer moves the mean; the jet order ``N_i`` (C.orders, C.recurrence)."""
    return 2 * alpha + 2 * k - 1


def monomial_excess(alpha: Number, j: Number) -> Number:
    """``(j - 1)(alpha - 1)``: by how much a monomial with j contrast factors exceeds ``alpha + 2 r - 1`` (C.orders, (C.1))."""
    return (j - 1) * (alpha - 1)


@statement(
    "C.orders",
    label="(C.1), (C.2)",
    group=GROUP,
    claim="incoming contrast of order alpha: mean change of order 2 alpha + 2k - 1, contrast of order 3 alpha + 2k - 2; "
    "2(r-j) + j(alpha+1) >= alpha + 2r - 1 is (j-1)(alpha-1) >= 0",
)
def orders(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    field = SymbolicField()
    alpha, r, j, k = (field.symbol(name) for name in ("alpha", "r", "j", "k"))
    excess = (r - j) * 2 + j * (alpha + 1) - (alpha + 2 * r - 1)
    evidence.equal(excess, monomial_excess(alpha, j), "the monomial bound")
    # A monomial rho^(2i+1) e^j of the output, e = rho^(alpha-1), has the order 2 i + 1 + j (alpha - 1) in rho.
    for claimed, power, what in ((mean_order(alpha, k), 2, "mean change"), (next_contrast(alpha, k), 3, "contrast")):
        evidence.equal(_order(k, power, alpha), claimed, f"the order of rho^(2k+1) e^{power}, the first term of the {what}")
    cases = effort.pick([(1, 2), (2, 2)], [(1, 2), (2, 2), (3, 2), (1, 3), (2, 3)], [(k, n) for k in (1, 2, 3, 4) for n in (2, 3)])
    for degree, count in cases:
        _check_first_terms(evidence, degree, count)
    return evidence.outcome(
        "for all alpha, r, j, k the arithmetic; the terms: for all m, z, M (of every width, by the reduction to the line), all log phi "
        f"of first degree k, to u^(k+1), (k, n) = {', '.join(map(str, cases))}"
    )


def _order(i: Number, j: int, alpha: Number) -> Number:
    return 2 * i + 1 + j * (alpha - 1)


def _check_first_terms(evidence: Evidence, k: int, count: int) -> None:
    """Tokens ``rho (m + e c_a z)``: the output over rho is a series in ``u = rho^2`` with polynomials in e as coefficients."""
    precision = k + 2
    phi = GenericNormalizer(k)
    names = ["e", *"quvw", *phi.symbols(precision + 1), *(f"s{a}" for a in range(1, count))]
    ring = PolynomialSeries(names, precision)
    e, q, u, v, w = map(ring.symbol, names[:5])
    free = [ring.symbol(f"s{a}") for a in range(1, count)]
    contrasts = [*free, -sum(free, ring.zero)]
    one = ring.context.constant(1)
    tokens = ring.from_polynomials([[one, e * c] for c in contrasts])
    score = ring.shift(ring.from_polynomials([[q, v], [u, w]]), 1)
    [output] = evaluate(ring, [unknown_layer(phi, score, unit_matrix(ring, 2))], [tokens])
    moment, b = sum((c * c for c in contrasts), ring.zero) / count, ring.symbol(f"b{k}")
    positions = [output[a, 1] for a in range(count)]
    zero = ring.zero
    name = f"k = {k}, n = {count}"
    for power in range(precision):
        mean = sum((position.get(power, zero) for position in positions), zero) / count
        parts = [position.get(power, zero) - mean for position in positions]
        evidence.zero(_below(mean, 2 if power >= k else None), f"no term of the mean change below u^{k} e^2, {name}")
        low = [_below(part, 3 if power >= k else None) for part in parts]
        evidence.equal(low, [zero] * count, f"no term of the contrast below u^{k} e^3, {name}")
        if power == k:
            evidence.equal(_part(mean, 2), moment * b * k * leading_mean(k, q, v), f"mu_2 b k P_k at u^{k} e^2, {name}")
            kappa = leading_contrast(k, b, q, u, v, w)
            evidence.equal([_part(part, 3) for part in parts], [moment * c * kappa for c in contrasts], f"mu_2 kappa at u^{k} e^3, {name}")


def _part(polynomial: fmpq_mpoly, power: int) -> fmpq_mpoly:
    """The coefficient of ``e^power``; e is the first symbol."""
    terms = {(0, *exponents[1:]): value for exponents, value in polynomial.to_dict().items() if exponents[0] == power}
    return polynomial.context().from_dict(terms)


def _below(polynomial: fmpq_mpoly, power: int | None) -> fmpq_mpoly:
    """The terms of lower degree in e; all of them if there is no bound."""
    terms = {exponents: value for exponents, value in polynomial.to_dict().items() if power is None or exponents[0] < power}
    return polynomial.context().from_dict(terms)


def common_contrast(k: Number, power: Number) -> Number:
    """``alpha_i = k 3^i + 1 - k`` when all layers have the degree k; ``power`` is ``3^i`` (C.recurrence)."""
    return k * power + 1 - k


def common_jet_order(k: Number, power: Number) -> Number:
    """``N_D = 2 k 3^(D-1) + 1`` when all layers have the degree k; ``power`` is ``3^(D-1)`` (C.recurrence)."""
    return 2 * k * power + 1


@statement(
    "C.recurrence",
    label="Prop. C.1",
    group=GROUP,
    claim="alpha_0 = 1, alpha_i = 3 alpha_(i-1) + 2 k_i - 2, N_i = 2 alpha_(i-1) + 2 k_i - 1; common k: alpha_i = k 3^i + 1 - k, "
    "N_D = 2 k 3^(D-1) + 1",
)
def recurrence(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    field = SymbolicField()
    k, power = field.symbol("k"), field.symbol("P")
    evidence.equal(common_contrast(k, field.element(1)), field.element(FIRST_CONTRAST), "alpha_0 of the closed form")
    evidence.equal(next_contrast(common_contrast(k, power), k), common_contrast(k, 3 * power), "one more layer of degree k")
    evidence.equal(mean_order(common_contrast(k, power), k), common_jet_order(k, power), "N_D of the closed form")
    for degrees in effort.pick(_DEGREES[:3], _DEGREES, _DEGREES):
        alpha = [FIRST_CONTRAST]
        for degree in degrees:
            alpha.append(next_contrast(alpha[-1], degree))
        claimed = tuple(mean_order(a, degree) for a, degree in zip(alpha, degrees, strict=False))
        evidence.equal((contrast_orders(degrees), jet_orders(degrees)), (tuple(alpha), claimed), f"symattn.theory, k = {degrees}")
    return evidence.outcome("for all k and depths, by induction (P stands for 3^i)")


_DEGREES = [(1, 1, 1, 1), (2, 2, 2), (3, 1, 2), (1, 5, 1, 4, 2), (7,) * 12]
