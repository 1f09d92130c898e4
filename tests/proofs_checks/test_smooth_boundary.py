"""The smooth boundary case: confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

import pytest

from proofs_checks import smooth_boundary
from symattn.errors import NotAnalyticError
from symattn.normalizers import normalizer


@pytest.mark.parametrize("level", ["quick", "default", "full"])
def test_confirmed(check, level):
    outcome = check("E.smooth", level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", "enclosure")


@pytest.mark.parametrize(
    ("name", "value", "naming"),
    [
        ("derivative_of_monomial", lambda m: {m + 3: 2}, "derivative 1"),
        ("derivative_of_monomial", lambda m: {m + 3: 2, m + 1: m}, "derivative 1"),
        ("EXPONENT", -1, "below 2^-1000"),
        ("FLAT", 1, "the jet is that of averaging"),
        ("SCORES", (1, 1), "the outputs of the two scores differ"),
        ("SCORES", (0, 1), "the outputs of score 1 and averaging differ"),
        ("half_bump", lambda side, sign, b, zero: b if sign else zero, "b_+ b_- = 0"),
        ("half_bump", lambda side, sign, b, zero: zero, "b_+ is not zero"),
        ("TEXT", "exp(s)", "is refused as a normalizer"),
    ],
)
def test_a_broken_claim_is_refuted(monkeypatch, assert_refuted, name, value, naming):
    monkeypatch.setattr(smooth_boundary, name, value)
    assert_refuted("E.smooth", naming)


@pytest.mark.parametrize("text", ["exp(s*exp(-1/s**2))", "1 + exp(-1/s**2)", "exp(s + exp(-1/s**2))", "exp(exp(-1/Abs(s)))"])
def test_flat_terms_are_refused(text):
    with pytest.raises(NotAnalyticError, match="not analytic at 0"):
        normalizer(text)
