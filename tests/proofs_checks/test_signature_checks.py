"""Mean and contrast of small clouds: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofs_checks import depth, one_layer, signature_fibers, signature_identities
from proofs_checks.collinear import CloudSize, collinear_stack
from symattn.theory import signatures as library


@pytest.mark.parametrize("level", ["quick", "default"])
@pytest.mark.parametrize(
    ("identifier", "evidence"),
    [
        ("A.two-token", "identity"),
        ("A.one-layer", "identity"),
        ("A.signatures", "identity"),
        ("A.K-nonzero", "identity"),
        ("A.amplitude", "identity"),
        ("A.isolation", "instance"),
        ("A.signature-fiber", "identity"),
        ("C.kappa", "identity"),
        ("C.kernel-DP", "instance"),
    ],
)
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence), outcome


def wrong_h(slope, v):
    return slope * v * 2


def wrong_k(slope, slope_change, u, v, w):
    return slope * w - slope_change * u * v


MUTATIONS = [
    # A.two-token and A.one-layer
    (one_layer, "two_token_mean", lambda v: v * 2, "A.two-token", "the mean"),
    (one_layer, "two_token_half_difference", lambda w: -w, "A.two-token", "the half-difference"),
    (one_layer, "mean_signature", wrong_h, "A.one-layer", "the mean at e^2"),
    (one_layer, "contrast_signature", wrong_k, "A.one-layer", "the contrast"),
    # A.signatures, K, kappa
    (signature_identities, "mean_signature", wrong_h, "A.signatures", "H, d = 1"),
    (signature_identities, "contrast_signature", wrong_k, "A.signatures", "K, d = 1"),
    (signature_identities, "contrast_signature", wrong_k, "A.K-nonzero", "K of a term"),
    (signature_identities, "scalar_contrast", lambda k, b, s: b * k * s**k, "A.K-nonzero", "K of a term"),
    (signature_identities, "scalar_contrast", lambda k, b, s: b * (k + 1) ** 2 * s**k, "C.kappa", "kappa at z = m"),
    (signature_identities, "leading_contrast", lambda k, b, q, u, v, w: b * k * q ** (k - 1) * w, "C.kappa", "K of b s^k"),
    (signature_identities, "next_mean_degree", lambda v, k: 3 * v + 2 * k - 1, "C.kappa", "v_i from"),
    (signature_identities, "mean_degree", lambda k: 2 * k - 1, "C.kappa", "the degree in m"),
    (signature_identities, "next_contrast", lambda alpha, k: 3 * alpha + 2 * k - 1, "C.kappa", "alpha_i = 3^i + v_i"),
    (signature_identities, "FIRST_CONTRAST", 2, "C.kappa", "alpha_0"),
    # depth
    (depth, "next_amplitude", lambda a, moment, k: moment * a * a * k, "A.amplitude", "a_j of symattn.theory"),
    (depth, "contrast_order", lambda j: 3**j + 1, "A.amplitude", "the contrast after layer"),
    (depth, "contrast_signature", wrong_k, "A.amplitude", "the contrast after layer"),
    (depth, "library_amplitudes", lambda signatures: [1, *signatures], "A.amplitude", "a_j of symattn.theory"),
    (depth, "mean_signature", wrong_h, "A.isolation", "the coefficient of layer 1"),
    (depth, "contrast_signature", wrong_k, "A.isolation", "the coefficient of layer 2"),
    (depth, "isolation_order", lambda layer: 2 * 3 ** (layer - 1) + 1, "A.isolation", "layer 1"),
    # fibers and kernels of signatures
    (signature_fibers, "real_ratios", lambda k: (1,), "A.signature-fiber", "no real zero"),
    (signature_fibers, "real_ratios", lambda k: (-1, 1), "A.signature-fiber", "k = 3"),
    (signature_fibers, "negative_branch", lambda j, b: 2 * j * b, "A.signature-fiber", "H_M - H_(-M)"),
    (signature_fibers, "leading_mean", lambda k, q, v: q**k * v, "A.signature-fiber", "the lowest part"),
    (signature_fibers, "leading_mean_derivative", lambda k, q, v, dq, dv: q ** (k - 1) * dv, "C.kernel-DP", "D P_k(M)[T]"),
    (signature_fibers, "kernel_dimension", lambda k, width, is_skew: 1, "C.kernel-DP", "the kernel of"),
]


@pytest.mark.parametrize(("module", "name", "value", "identifier", "naming"), MUTATIONS)
def test_broken_claim_is_refuted(monkeypatch, assert_refuted, module, name, value, identifier, naming):
    monkeypatch.setattr(module, name, value)
    assert_refuted(identifier, naming=naming)


def test_token_shift_without_the_third_moment(monkeypatch, assert_refuted):
    right = one_layer.token_shift
    monkeypatch.setattr(one_layer, "token_shift", lambda ring, moments, known, curvature, s: right(ring, moments, known, curvature * 2, s))
    assert_refuted("A.one-layer", naming="T_a to e^3")


@pytest.mark.parametrize(
    ("name", "value", "identifier", "naming"),
    [
        ("mean", lambda self, slope: slope * self.quadratic, "A.signatures", "H of symattn.theory"),
        ("contrast", lambda self, slope, derivative: slope * self.mean_pairing, "A.signatures", "K of symattn.theory"),
    ],
)
def test_broken_formula_of_the_library_is_refuted(monkeypatch, assert_refuted, name, value, identifier, naming):
    monkeypatch.setattr(library.Signatures, name, value)
    assert_refuted(identifier, naming=naming)


def test_broken_kappa_of_the_library_is_refuted(monkeypatch, assert_refuted):
    right = library.Signatures.contrast_form
    monkeypatch.setattr(library.Signatures, "contrast_form", lambda self, k, b: 2 * right(self, k, b))
    assert_refuted("C.kappa", naming="symattn.theory: the leading part of K is kappa")


def test_cloud_of_two_softmax_tokens_against_the_hyperbolic_tangent():
    """``y_+- = m + e z tanh(e v +- e^2 w)``, to e^9."""
    import sympy

    from symattn.normalizers import normalizer

    stack = collinear_stack(CloudSize(2, 1, 1), 10, [normalizer("exp(s)")])
    e, v, w = sympy.symbols("e v1 w1")
    expected = sympy.series(e * sympy.tanh(e * v + e**2 * w), e, 0, 10).removeO()
    for power in range(10):
        assert sympy.expand(sympy.sympify(str(stack.coefficient(1, 0, power)).replace("^", "**")) - expected.coeff(e, power)) == 0


def test_degenerate_layer_keeps_later_layers_at_a_higher_order():
    """With ``K = 0`` in layer 1 the contrast after it starts above ``e^3``, and layer 2 moves the mean above ``e^6``."""
    stack = collinear_stack(CloudSize(2, 2, 2), 10)
    zero = {stack.ring.symbols.index(name): 0 for name in ("w1", "c1_2")}
    assert not stack.contrast(1, 3)[0].subs(zero)
    for power in range(7):
        assert not (stack.mean(2, power) - stack.mean(1, power)).subs(zero)


def test_sizes_differ():
    assert str(replace(CloudSize(2, 3, 2), is_scalar=True)) == "n = 2, D = 3, log phi of degree 2, z = m"
