"""Where the signatures of a layer come from, and their lowest parts in the mean (Appendices A and C)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.jet_orders import FIRST_CONTRAST, next_contrast
from proofs_checks.signatures import contrast_signature, leading_contrast, mean_signature
from symattn.arithmetic import SymbolicField, SymbolicMatrix, UndefinedNormalizer
from symattn.theory.signatures import signature_identities, symbolic_signatures

Number = Any


@statement(
    "A.signatures",
    label="(13), (A.1)",
    group="Identification",
    claim="H_M = g(m^T M m) m^T M z; K_M = g(m^T M m) z^T M z + g'(m^T M m) (z^T M m)(m^T M z)",
)
def signatures(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    widths = effort.pick((1, 2), (1, 2, 3), (1, 2, 3))
    for width in widths:
        _check_derivatives(evidence, width)
        _check_library(evidence, width)
    return evidence.outcome(
        f"for all m, z, M and normalizers, d = {', '.join(map(str, widths))}: the derivatives of log phi(x^T M y) along z"
    )


def _check_derivatives(evidence: Evidence, d: int) -> None:
    """H is the derivative of ``log phi(x^T M y)`` in the key along z, K that of H in the query along z, also away from ``x = y = m``."""
    field = SymbolicField()
    m, z, score = field.symbols("m", d, 1), field.symbols("z", d, 1), field.symbols("M", d, d)
    query, key = (m + z.scale(field.symbol(name)) for name in ("sigma", "tau"))
    value = _form(query, score, key)
    [(phi, phi_slope)] = field.normalize(UndefinedNormalizer("phi"), [field.matrix([[value]])])
    slope = phi_slope[0, 0] / phi[0, 0]
    v, u, w = _form(query, score, z), _form(z, score, key), _form(z, score, z)
    found = field.derivative(phi, "tau")[0, 0] / phi[0, 0]
    evidence.equal(found, mean_signature(slope, v), f"H, d = {d}")
    # g' = (d g / d tau) / v, by the chain rule.
    slope_change = field.derivative(field.matrix([[slope]]), "tau")[0, 0] / v
    found = field.derivative(field.matrix([[found]]), "sigma")[0, 0]
    evidence.equal(found, contrast_signature(slope, slope_change, u, v, w), f"K, d = {d}")


def _check_library(evidence: Evidence, d: int) -> None:
    """The signatures of ``symattn.theory`` are these formulas."""
    import sympy

    known, _ = symbolic_signatures(d)
    slope, slope_change = sympy.symbols("g dg")
    u, v, w = ((left.T * known.M * right)[0, 0] for left, right in ((known.z, known.m), (known.m, known.z), (known.z, known.z)))
    evidence.zero(sympy.expand(known.mean(slope) - mean_signature(slope, v)), f"H of symattn.theory, d = {d}")
    contrast = contrast_signature(slope, slope_change, u, v, w)
    evidence.zero(sympy.expand(known.contrast(slope, slope_change) - contrast), f"K of symattn.theory, d = {d}")


def _form(left: SymbolicMatrix, score: SymbolicMatrix, right: SymbolicMatrix) -> Any:
    return (left.transpose() @ score @ right)[0, 0]


def scalar_contrast(k: Number, b: Number, s: Number) -> Number:
    """``b k^2 s^k``: the lowest part of K at ``z = m``, with ``s = m^T M m`` (A.K-nonzero, A.3; C.kappa)."""
    return b * k**2 * s**k


@statement(
    "A.K-nonzero",
    label="A.3",
    group="Identification",
    claim="on z = m, s = m^T M m: K = s g + s^2 g' = b k^2 s^k + O(s^(k+1)), so K != 0 when sym M != 0",
)
def contrast_is_nonzero(effort: Effort) -> Outcome:
    import sympy

    evidence = Evidence("identity")
    s, b, k = sympy.symbols("s b k", positive=True)
    slope = sympy.diff(b * s**k, s)
    found = contrast_signature(slope, sympy.diff(slope, s), s, s, s)
    # K is linear in log phi, so that this is the contribution of every term b s^k, the first and the later ones.
    evidence.zero(_quotient(found - scalar_contrast(k, b, s), s**k), "K of a term b s^k at z = m, symbolic k")
    for width in effort.pick((2,), (1, 2, 3), (1, 2, 3, 4)):
        field = SymbolicField()
        m, score = field.symbols("m", width, 1), field.symbols("M", width, width)
        symmetric = (score + score.transpose()).scale(field.element(1) / 2)
        evidence.equal(_form(m, score, m), _form(m, symmetric, m), f"m^T M m depends on sym M only, d = {width}")
        hessian = [
            field.derivative(field.derivative(field.matrix([[_form(m, score, m)]]), f"m_{i + 1}_1"), f"m_{j + 1}_1")[0, 0] / 2
            for i in range(width)
            for j in range(width)
        ]
        evidence.equal(hessian, symmetric.entries(), f"and determines it, d = {width}")
    return evidence.outcome(
        "for all k and b, and all terms of log phi, by linearity; m^T M m is zero only if sym M is, at the sizes listed"
    )


def mean_degree(k: Number) -> Number:
    """``2 k - 2``: the degree in m of kappa (C.kappa)."""
    return 2 * k - 2


def next_mean_degree(v: Number, k: Number) -> Number:
    """``v_i = 3 v_(i-1) + 2 k_i - 2``: the degree in m of the lowest part of ``a_i`` (C.kappa, C.2)."""
    return 3 * v + 2 * k - 2


@statement(
    "C.kappa",
    label="C.2",
    group="Finite jets",
    claim="the lowest part of K in m is kappa = b k (q^(k-1) z^T M z + (k-1) q^(k-2) (z^T M m)(m^T M z)), b k^2 q^k at z = m; "
    "v_i = 3 v_(i-1) + 2 k_i - 2, alpha_i = 3^i + v_i",
)
def leading_contrast_part(effort: Effort) -> Outcome:
    import sympy

    evidence = Evidence("identity")
    s, q, u, v, w, b, c, k, j, rho = sympy.symbols("s q u v w b c k j rho", positive=True)
    slope = sympy.diff(b * s**k + c * s ** (k + j), s)
    found = contrast_signature(slope.subs(s, q), sympy.diff(slope, s).subs(s, q), u, v, w)
    claimed = leading_contrast(k, b, q, u, v, w)
    later = leading_contrast(k + j, c, q, u, v, w)
    evidence.zero(_quotient(found - claimed - later, q**k), "K of b s^k + c s^(k+j), symbolic k and j")
    scaled = leading_contrast(k, b, rho**2 * q, rho * u, rho * v, w)
    evidence.zero(_quotient(scaled - rho ** mean_degree(k) * claimed, rho ** (2 * k) * q**k), "the degree in m of kappa is 2 k - 2")
    evidence.zero(_quotient(leading_contrast(k, b, q, q, q, q) - scalar_contrast(k, b, q), q**k), "kappa at z = m")
    _check_library_identities(evidence, effort.pick((1,), (1, 2), (1, 2, 3)), ("C.kappa", "A.K-nonzero"))
    power, degree = sympy.symbols("P v")
    evidence.zero(sympy.expand(next_mean_degree(degree, k) - 3 * degree - mean_degree(k)), "v_i from a_i = a_(i-1)^3 K_i")
    step = next_contrast(power + degree, k) - (3 * power + next_mean_degree(degree, k))
    evidence.zero(sympy.expand(step), "alpha_i = 3^i + v_i is kept from layer to layer")
    evidence.equal(FIRST_CONTRAST, 3**0 + 0, "alpha_0 = 3^0 + v_0 with v_0 = 0")
    return evidence.outcome("for all k, b, m, z, M and all later terms of log phi; alpha_i = 3^i + v_i for all layers, by induction")


def _check_library_identities(evidence: Evidence, widths: Sequence[int], ids: Sequence[str]) -> None:
    """The identities of ``symattn.theory`` for general scores and symbolic k that belong to these statements."""
    for d in widths:
        for known in signature_identities(d):
            if known.statement in ids:
                evidence.equal(known.holds(), True, f"symattn.theory: {known.name}, d = {d}")


def _quotient(numerator: Any, denominator: Any) -> Any:
    """The quotient in lowest terms, powers with symbolic exponents taken together: 0 only where the numerator is 0."""
    import sympy

    return sympy.simplify(sympy.powsimp(sympy.expand(numerator / denominator)))
