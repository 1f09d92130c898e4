"""What a signature says about its score: equal signatures force equal scores up to sign, no tangent direction is lost (Appendices A, C)."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from proofs_checks.drawing import draw_matrix
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.signatures import leading_mean, leading_mean_derivative, mean_signature
from symattn.arithmetic.linear_algebra import rank
from symattn.network.rational import RationalMatrix

Number = Any


def real_ratios(k: int) -> tuple[int, ...]:
    """The real numbers ``q_N / q_M`` with ``q_N^k = q_M^k``: 1, and -1 for even k (A.signature-fiber)."""
    return (-1, 1) if k % 2 == 0 else (1,)


def negative_branch(j: int, b: Number) -> Number:
    """The coefficient of ``q^(j-1)`` in ``g(q) + g(-q)``, zero where ``H_(-M) = H_M``: ``2 j b_j`` for odd j (A.signature-fiber)."""
    return 2 * j * b if j % 2 else 0 * b


@statement(
    "A.signature-fiber",
    label="A.2",
    group="Identification",
    claim="H_M = H_N forces N = M, or N = -M with phi even (sym M != 0, or any M where g(0) != 0)",
)
def signature_fiber(effort: Effort) -> Outcome:
    import sympy

    evidence = Evidence("identity")
    s, q, v, b, c, k, j = sympy.symbols("s q v b c k j", positive=True)
    slope = sympy.diff(b * s**k + c * s ** (k + j), s).subs(s, q)
    lowest = sympy.powsimp(sympy.expand((mean_signature(slope, v) - c * (k + j) * leading_mean(k + j, q, v)) / q**k))
    evidence.zero(sympy.simplify(lowest - b * k * leading_mean(k, q, v) / q**k), "the lowest part of H is b k q^(k-1) v, symbolic k")
    evidence.zero(leading_mean(1, q, v) - v, "k = 1: it is linear in M, so that m^T M z = m^T N z")
    evidence.zero(sympy.powsimp(leading_mean(k, q, q)) - q**k, "at z = m: q_M^k = q_N^k, symbolic k")
    x, y = sympy.symbols("x y")
    degrees = range(2, effort.pick(4, 6, 12) + 1)
    for degree in degrees:
        difference, ratios = sympy.Poly(x**degree - y**degree, x, y), real_ratios(degree)
        factor = sympy.prod([sympy.Poly(x - ratio * y, x, y) for ratio in ratios])
        quotient, remainder = sympy.div(difference, factor)
        evidence.zero(remainder.as_expr(), f"x^k - y^k vanishes on the real ratios, k = {degree}")
        on_line = sympy.Poly(quotient.as_expr().subs(y, 1), x)
        claim = f"the other factor of x^k - y^k has no real zero but 0, k = {degree}"
        evidence.equal((on_line.count_roots(), quotient.coeff_monomial(x ** on_line.degree()) != 0), (0, True), claim)
        for ratio in ratios:
            same = leading_mean(degree, ratio * q, ratio * v) - leading_mean(degree, q, v)
            evidence.zero(sympy.expand(same), f"q_N = {ratio} q_M leaves N = {ratio} M, k = {degree}")
    _check_negative_branch(evidence, effort.pick(6, 10, 20))
    return evidence.outcome(
        "for all m, z, M, N; the lowest part and z = m: symbolic k; the roots of unity: "
        f"k = 2 to {degrees[-1]}; the negative branch: coefficients of log phi to degree {effort.pick(6, 10, 20)}"
    )


def _check_negative_branch(evidence: Evidence, count: int) -> None:
    import sympy

    q, v = sympy.symbols("q v")
    coefficients = sympy.symbols(f"b1:{count + 1}")
    slopes = [sum(j * b * x ** (j - 1) for j, b in enumerate(coefficients, start=1)) for x in (q, -q)]
    gap = sympy.Poly(sympy.expand(mean_signature(slopes[0], v) - mean_signature(slopes[1], -v)), q, v)
    for j, b in enumerate(coefficients, start=1):
        evidence.zero(
            sympy.expand(gap.coeff_monomial(q ** (j - 1) * v) - negative_branch(j, b)), "H_M - H_(-M), coefficient by coefficient"
        )


def kernel_dimension(k: int, width: int, is_skew: bool) -> int:
    """The dimension of the kernel of ``D P_k(M)``: 0, but at skew M skew directions for ``k = 2`` and all for ``k > 2`` (C.kernel-DP)."""
    if not is_skew or k == 1:
        return 0
    return width * (width - 1) // 2 if k == 2 else width * width


@statement(
    "C.kernel-DP",
    label="C.2",
    group="Finite jets",
    claim="P_k(M) = (m^T M m)^(k-1) m^T M z; D P_k(M)[T] = 0 forces T = 0 when sym M != 0 (any M for k = 1)",
)
def leading_mean_kernel(effort: Effort) -> Outcome:
    import sympy

    evidence = Evidence("identity")
    q, v, dq, dv, k, step = sympy.symbols("q v dq dv k step", positive=True)
    moved = sympy.diff(leading_mean(k, q + step * dq, v + step * dv), step).subs(step, 0)
    claimed = leading_mean_derivative(k, q, v, dq, dv)
    evidence.zero(sympy.simplify(sympy.powsimp(sympy.expand((moved - claimed) / q**k))), "D P_k(M)[T], symbolic k")
    at_mean = leading_mean_derivative(k, q, q, dq, dq) / q ** (k - 1)
    evidence.zero(sympy.simplify(sympy.powsimp(sympy.expand(at_mean - k * dq))), "at z = m: k q^(k-1) m^T T m, which forces m^T T m = 0")
    rest = leading_mean_derivative(k, q, v, sympy.Integer(0), dv) / q ** (k - 1)
    evidence.zero(sympy.simplify(rest - dv), "then q^(k-1) m^T T z is left, which forces T = 0")
    evidence.zero(leading_mean_derivative(1, q, v, dq, dv) - dv, "k = 1: m^T T z, for any M")
    sizes = [(d, degree) for d in effort.pick((2,), (1, 2, 3), (1, 2, 3, 4)) for degree in effort.pick((1, 2), (1, 2, 3), (1, 2, 3, 4, 5))]
    for d, degree in sizes:
        score = draw_matrix(random.Random(f"score {d} {degree}"), d, d)
        what = f"the kernel of D P_{degree}(M), d = {d}"
        evidence.equal(d * d - rank(_derivative_rows(score, degree)), kernel_dimension(degree, d, False), what, kind="instance")
    for d, degree in effort.pick([(2, 2)], [(2, 1), (2, 2), (3, 2), (3, 3)], [(2, 1), (2, 2), (3, 2), (3, 3), (4, 2)]):
        drawn = draw_matrix(random.Random(f"skew {d}"), d, d)
        score = tuple(tuple(drawn[i][j] - drawn[j][i] for j in range(d)) for i in range(d))
        what = f"the kernel of D P_{degree}(M) at a skew M, d = {d}"
        evidence.equal(d * d - rank(_derivative_rows(score, degree)), kernel_dimension(degree, d, True), what, kind="instance")
    return evidence.outcome(
        f"the chain: all m, z, T and symbolic k; ranks: drawn M at drawn points, (d, k) = {', '.join(map(str, sizes))}; "
        "skew M show that sym M != 0 is needed for k > 1"
    )


def _derivative_rows(score: RationalMatrix, k: int) -> list[list[Fraction]]:
    """``D P_k(M)`` at drawn points (m, z), one row each: its rank bounds that of the polynomial map from below."""
    d = len(score)
    source = random.Random(f"points {d} {k}")
    rows = []
    for _ in range(2 * d * d):
        m, z = ([Fraction(source.randint(-5, 5)) for _ in range(d)] for _ in range(2))
        q, v = (sum((m[i] * score[i][j] * y[j] for i in range(d) for j in range(d)), Fraction(0)) for y in (m, z))
        rows.append([leading_mean_derivative(k, q, v, m[i] * m[j], m[i] * z[j]) for i in range(d) for j in range(d)])
    return rows
