"""Two tokens under a skew score: the half difference, its order, and softmax, which erases it (Section 3, Appendix B).

For two tokens ``m +- z`` and skew M the scores are ``0, -2b, 2b, 0`` with ``b = m^T M z``. In formulas with ``log phi = h``, p stands for
``exp(h(2b))`` and r for ``exp(h(-2b))``; then ``tanh(h(2b)/2) = (p - 1)/(p + 1)``.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq_mpoly

from proofs_checks.collinear import CloudSize, collinear_stack
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.parity_field import OddLogarithm, ParityField, skew_symbols
from proofs_checks.signatures import contrast_signature
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import SymbolicField, UndefinedNormalizer
from symattn.arithmetic.polynomial_series import LocalNormalizer, PolynomialSeries
from symattn.network.attention import evaluate
from symattn.normalizers import normalizer

GROUP = "Exceptional fibers"
SOFTMAX = "exp(s)"
Number = Any


def half_tangent(p: Number) -> Number:
    """``tanh(h/2)`` for ``p = exp(h)``."""
    return (p - 1) / (p + 1)


def half_difference(p: Number, r: Number) -> Number:
    """``D_h(u) = -(tanh(h(u)/2) + tanh(h(-u)/2))/2`` for ``p = exp(h(u))`` and ``r = exp(h(-u))`` (B.two-token-skew, (B.1))."""
    return (half_tangent(p) + half_tangent(r)) / -2


def oddness(p: Number, r: Number) -> Number:
    """``p r - 1``: it vanishes exactly if ``h(u) + h(-u) = 0``."""
    return p * r - 1


def leading_coefficient(even_degree: int, c: Number, x: Number, v: Number) -> Number:
    """``-2^(l-1) c_l x^(l+1) v^l``: the outgoing half difference along z for an incoming one x, ``v = m^T M z`` (B.skew-order, (B.2))."""
    return x ** (even_degree + 1) * v**even_degree * c * -(2 ** (even_degree - 1))


def softmax_shift(p: Number) -> Number:
    """``tanh(b)`` for ``p = exp(2b)``: how far both tokens move along z under softmax (B.softmax-skew, (27))."""
    return half_tangent(p)


def _pair(field: SymbolicField, d: int) -> tuple[Any, Any, Any]:
    """Rows m and z, and the tokens ``m + z, m - z``."""
    m, z = field.symbols("m", 1, d), field.symbols("z", 1, d)
    tokens = field.constant(2, 1, 1) @ m + field.matrix([[1], [-1]]) @ z
    return m, z, tokens


@statement(
    "B.two-token-skew",
    label="(B.1)",
    group=GROUP,
    claim="n = 2, tokens m +- z, skew M, b = m^T M z: scores 0, -2b, 2b, 0; y_+- = m -+ z tanh(h(-+2b)/2); half difference z D_h(2b), "
    "which vanishes identically iff h is odd",
)
def two_token_skew(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick((2,), (2, 3), (2, 3, 4))
    for d in sizes:
        field = SymbolicField()
        m, z, tokens = _pair(field, d)
        score = skew_symbols(field, "M", d)
        b = (m @ score @ z.transpose())[0, 0]
        claimed = field.matrix([[field.element(0), b * -2], [b * 2, field.element(0)]])
        evidence.equal(tokens @ score @ tokens.transpose(), claimed, f"the four scores, d = {d}")
        phi = UndefinedNormalizer("phi")
        [output] = evaluate(field, [unknown_layer(phi, score, unit_matrix(field, d))], [tokens])
        [(values, _)] = field.normalize(phi, [claimed])
        r, p = values[0, 1] / values[0, 0], values[1, 0] / values[1, 1]
        for a, sign, value in ((0, -1, r), (1, 1, p)):
            row = field.matrix([[output[a, j] for j in range(d)]])
            evidence.equal(row, m + z.scale(half_tangent(value) * sign), f"the output of token {a + 1}, d = {d}")
        difference = field.matrix([[(output[0, j] - output[1, j]) / 2 for j in range(d)]])
        evidence.equal(difference, z.scale(half_difference(p, r)), f"the half difference, d = {d}")
    _check_parity(evidence)
    return evidence.outcome(
        f"for all m, z, skew M (d = {', '.join(map(str, sizes))}) and all normalizers; positive values leave no other zero of D_h"
    )


def _check_parity(evidence: Evidence) -> None:
    field = SymbolicField()
    p, r = field.symbol("p"), field.symbol("r")
    # tanh(x/2) is the solution of T' = (1 - T^2)/2 with T(0) = 0; exp(x) is its own derivative.
    tangent = field.matrix([[half_tangent(p)]])
    slope = field.derivative(tangent, "p")[0, 0] * p
    evidence.equal(slope, (1 - half_tangent(p) * half_tangent(p)) / 2, "T' = (1 - T^2)/2 for T = (e^x - 1)/(e^x + 1)")
    evidence.zero(half_tangent(field.element(1)), "T(0) = 0")
    product = -(oddness(p, r)) / ((p + 1) * (r + 1))
    evidence.equal(half_difference(p, r), product, "D_h is a nonzero multiple of exp(h(u) + h(-u)) - 1")


@statement(
    "B.skew-order",
    label="(B.2)",
    group=GROUP,
    claim="D_h(u) = -(c_l/2) u^l + O(u^(l+2)), l the first even degree of h; an incoming half difference a e^r z leaves "
    "with order (l+1) r and "
    "coefficient -2^(l-1) c_l a^(l+1) (m^T M z)^l z; a non-skew score gives 3r",
)
def skew_order(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    degrees = effort.pick((2, 4), (2, 4, 6), (2, 4, 6, 8))
    for even in degrees:
        _check_skew_order(evidence, even)
    stack = collinear_stack(CloudSize(2, 1, 3), 4)
    known = stack.scalars[0]
    signature = contrast_signature(known.slope, known.slope_change, known.u, known.v, known.w)
    zero = stack.ring.zero
    evidence.equal(
        [stack.contrast(1, power)[0] for power in range(4)], [zero] * 3 + [signature], "a general score: order 3r, coefficient a^3 K_M"
    )
    return evidence.outcome(
        "for all m, z, skew M (of every width, by the reduction to the line), odd parts of h and further even terms, l = "
        f"{', '.join(map(str, degrees))}; "
        "an incoming half difference x z of any order r is substituted for x"
    )


def _check_skew_order(evidence: Evidence, even: int) -> None:
    """Tokens ``m +- x z``: the half difference along z as a power series in x (the series variable)."""
    precision = even + 4
    names = ["v", *(f"b{j}" for j in range(1, precision + 1) if j % 2 or j >= even)]
    ring = PolynomialSeries(names, precision)
    coefficients = [ring.symbol(f"b{j}") if f"b{j}" in names else ring.zero for j in range(precision + 1)]
    phi: Any = LocalNormalizer(ring.zero, tuple(coefficients))
    v, zero, one = ring.symbol("v"), ring.zero, ring.context.constant(1)
    tokens = ring.constant(2, 1, 1) @ ring.matrix([[1, 0]]) + ring.shift(ring.matrix([[0, 1], [0, -1]]), 1)
    score = ring.from_polynomials([[zero, v], [-v, zero]])
    [output] = evaluate(ring, [unknown_layer(phi, score, unit_matrix(ring, 2))], [tokens])
    found: list[fmpq_mpoly] = []
    for power in range(precision):
        plus, minus = (output[a, 1].get(power, zero) for a in (0, 1))
        found.append((plus - minus) / 2)
    claimed = [zero] * precision
    claimed[even + 1] = leading_coefficient(even, ring.symbol(f"b{even}"), one, v)
    evidence.equal(found[: even + 3], claimed[: even + 3], f"the half difference to x^{even + 2}, l = {even}")
    evidence.nonzero(found[even + 3], f"the next term is x^{even + 3}, l = {even}")


@statement(
    "B.softmax-skew",
    label="(27)",
    group=GROUP,
    claim="n = 2, softmax, skew M: y_+ = y_- = m + z tanh(m^T M z)",
)
def softmax_skew(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    evidence.equal(normalizer(SOFTMAX).log_is_odd, True, "log phi is odd for softmax")
    sizes = effort.pick((2,), (2, 3), (2, 3, 4))
    for d in sizes:
        field = ParityField()
        m, z, tokens = _pair(field, d)
        score = skew_symbols(field, "M", d)
        phi = OddLogarithm("phi")
        [output] = evaluate(field, [unknown_layer(phi, score, unit_matrix(field, d))], [tokens])
        [(values, _)] = field.normalize(phi, [(m @ score @ z.transpose()).scale(2)])
        claimed = m + z.scale(softmax_shift(values[0, 0]))
        evidence.equal(output, field.constant(2, 1, 1) @ claimed, f"both outputs, d = {d}")
    return evidence.outcome(
        f"for all m, z and skew M (d = {', '.join(map(str, sizes))}), and every phi with odd log phi in the place of "
        "softmax, tanh(h(2b)/2) "
        "in the place of tanh(b)"
    )
