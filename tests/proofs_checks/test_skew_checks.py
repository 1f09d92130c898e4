"""Skew layers: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

import pytest

from proofs_checks import skew_clouds, skew_pairs
from proofs_checks.parity_field import EvenNormalizer, OddLogarithm, ParityField, skew_symbols

CHECKS = [
    "B.zero-score",
    "B.skew-K",
    "B.two-token-skew",
    "B.skew-order",
    "B.softmax-skew",
    "B.cloud",
    "B.three-token-skew",
    "B.collinear-skew",
]


@pytest.mark.parametrize("level", ["quick", "default"])
@pytest.mark.parametrize("identifier", CHECKS)
def test_confirmed(check, identifier, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", "identity")


@pytest.mark.parametrize(
    ("module", "name", "value", "identifier", "naming"),
    [
        (skew_clouds, "averaged", lambda tokens, ones, count: ones @ tokens, "B.zero-score", "S_0(X)"),
        (skew_clouds, "skew_signature", lambda second, v: second * v * v, "B.skew-K", "K_M"),
        (skew_clouds, "skew_signature", lambda second, v: -second * v, "B.skew-K", "K_M"),
        (skew_clouds, "covariance", lambda tokens, count: tokens.transpose() @ tokens, "B.cloud", "the mean at e^2"),
        (skew_clouds, "three_token_contrast", lambda kappa, a, b: (a + b).scale(kappa), "B.three-token-skew", "n C M^T y"),
        (skew_clouds, "SOFTMAX", "exp(s + s**2)", "B.collinear-skew", "the rows of weights"),
        (skew_pairs, "half_tangent", lambda p: (p - 1) / (p + 2), "B.two-token-skew", "the output of token 1"),
        (skew_pairs, "half_difference", lambda p, r: (p - r) / ((p + 1) * (r + 1)), "B.two-token-skew", "the half difference"),
        (skew_pairs, "oddness", lambda p, r: p * r - 2, "B.two-token-skew", "D_h is a nonzero multiple"),
        (skew_pairs, "leading_coefficient", lambda even, c, x, v: x ** (even + 1) * v**even * c * -(2**even), "B.skew-order", "x^4, l = 2"),
        (skew_pairs, "contrast_signature", lambda slope, change, u, v, w: slope * w, "B.skew-order", "a general score"),
        (skew_pairs, "softmax_shift", lambda p: (1 - p) / (p + 1), "B.softmax-skew", "both outputs"),
        (skew_pairs, "SOFTMAX", "1/(1 - s)", "B.softmax-skew", "log phi is odd"),
    ],
)
def test_a_broken_claim_is_refuted(monkeypatch, assert_refuted, module, name, value, identifier, naming):
    monkeypatch.setattr(module, name, value)
    assert_refuted(identifier, naming)


def _general(field, name, size):
    return field.symbols(name, size, size)


@pytest.mark.parametrize(
    ("module", "identifier"),
    [
        (skew_pairs, "B.two-token-skew"),
        (skew_pairs, "B.softmax-skew"),
        (skew_clouds, "B.skew-K"),
        (skew_clouds, "B.three-token-skew"),
        (skew_clouds, "B.collinear-skew"),
    ],
)
def test_skewness_is_needed(monkeypatch, assert_refuted, module, identifier):
    monkeypatch.setattr(module, "skew_symbols", _general)
    assert_refuted(identifier)


def test_an_odd_logarithm_is_needed(monkeypatch, assert_refuted):
    monkeypatch.setattr(skew_pairs, "OddLogarithm", skew_pairs.UndefinedNormalizer)
    assert_refuted("B.softmax-skew", naming="both outputs")


def test_parities_of_values_and_slopes():
    field = ParityField()
    s = field.symbol("s")
    [(values, slopes)] = field.normalize(EvenNormalizer("phi"), [field.matrix([[s, -s, 0]])])
    assert values[0, 0] == values[0, 1]
    assert slopes[0, 0] == -slopes[0, 1]
    assert slopes[0, 2].is_zero()
    [(values, slopes)] = field.normalize(OddLogarithm("psi"), [field.matrix([[s, -s, 0]])])
    assert values[0, 0] * values[0, 1] == values[0, 2] == field.element(1)
    # From psi(s) psi(-s) = 1: psi'(s) psi(-s) = psi(s) psi'(-s).
    assert slopes[0, 0] * values[0, 1] == values[0, 0] * slopes[0, 1]


def test_skew_symbols_are_skew():
    field = ParityField()
    score = skew_symbols(field, "M", 3)
    assert (score + score.transpose()).is_zero()
    assert not score.is_zero()
