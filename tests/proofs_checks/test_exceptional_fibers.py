"""Theorem 2, the slope counterexample and Cor. 4.1: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofs_checks import depth_two, exceptional_fibers, slope_needed
from proofs_checks.networks import network_case
from symattn.network.rational import rational_matrix
from symattn.theory.collapse import Collapse


@pytest.mark.parametrize("level", ["quick", "default"])
@pytest.mark.parametrize(("identifier", "evidence"), [("T2", "enclosure"), ("B.slope-needed", "refutation"), ("C4.1", "instance")])
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence)


@pytest.mark.parametrize(
    ("locus", "naming"),
    [
        (lambda tokens, log_is_odd: {"zero"}, "collapse, n = 2, phi = exp(s), M skew"),
        (lambda tokens, log_is_odd: {"zero", "skew"} if tokens == 2 else {"zero"}, "collapse, n = 2, phi = sigmoid(s), M skew"),
        (lambda tokens, log_is_odd: {"zero", "skew"} if log_is_odd else {"zero"}, "collapse, n = 3, phi = exp(s), M skew"),
        (lambda tokens, log_is_odd: {"skew"} if tokens == 2 and log_is_odd else set(), "collapse, n = 2, phi = exp(s), M zero"),
    ],
)
def test_a_wrong_locus_is_refuted(monkeypatch, assert_refuted, locus, naming):
    monkeypatch.setattr(exceptional_fibers, "collapse_locus", locus)
    assert_refuted("T2", naming)


def test_a_wrong_separation_is_refuted(monkeypatch, assert_refuted):
    right = exceptional_fibers.separation
    monkeypatch.setattr(exceptional_fibers, "separation", lambda p, p_zero, tokens: right(p, p_zero, tokens) * 2)
    assert_refuted("T2", naming="a cloud that keeps contrast")


def test_a_fiber_that_ends_at_the_collapse_is_refuted(monkeypatch, assert_refuted):
    monkeypatch.setattr(exceptional_fibers, "fiber_kind", lambda first, depth, is_zero: ("singleton", ()))
    assert_refuted("T2", naming="the fiber")


def test_a_theory_that_frees_the_collapsed_layer_too_is_refuted(monkeypatch, assert_refuted):
    right = exceptional_fibers.effective_fiber

    def wrong(network):
        found = right(network)
        return replace(found, free_layers=tuple(range(max(1, min(found.free_layers, default=2) - 1), network.depth + 1)))

    monkeypatch.setattr(exceptional_fibers, "effective_fiber", wrong)
    assert_refuted("T2")


def test_a_witness_that_collapses_is_refuted(monkeypatch, assert_refuted):
    monkeypatch.setattr(
        exceptional_fibers,
        "layer_collapse",
        lambda phi, tokens, score: Collapse(False, "wrong", ((exceptional_fibers.Fraction(1),) * 2,) * tokens),
    )
    assert_refuted("T2", naming="collapse, n = 2")


def test_free_suffix_of_a_layer_that_keeps_contrast_is_refuted(monkeypatch, assert_refuted):
    monkeypatch.setattr(exceptional_fibers, "OddLogarithm", exceptional_fibers.UndefinedNormalizer)
    assert_refuted("T2", naming="two more layers change nothing: M_1 skew")


def test_the_counterexample_needs_slope_zero(monkeypatch, assert_refuted):
    monkeypatch.setattr(slope_needed, "FIRST", "exp(s)")
    assert_refuted("B.slope-needed")


def test_the_counterexample_prints_both_tuples(check):
    outcome = check("B.slope-needed")
    for text in ("L = [[1, 1]]", "M_1 = [[0, 1], [-1, 0]]", "M_1 = [[0, 2], [-2, 0]]", "M_2 = 0"):
        assert text in outcome.scope


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SCORES", (rational_matrix([[0, 1], [-1, 0]]), rational_matrix([[1, 2], [-2, 0]]))),
        ("ZERO", rational_matrix([[0, 1], [-1, 1]])),
        ("AT_SLOPE", "exp(s**2)"),
    ],
)
def test_a_counterexample_that_is_none_is_refuted(monkeypatch, assert_refuted, name, value):
    monkeypatch.setattr(slope_needed, name, value)
    assert_refuted("B.slope-needed")


def test_the_counterexample_needs_even_normalizers(monkeypatch, assert_refuted):
    monkeypatch.setattr(slope_needed, "EvenNormalizer", slope_needed.UndefinedNormalizer)
    assert_refuted("B.slope-needed", naming="layer 1 keeps the mean")


@pytest.mark.parametrize("degrees", [(3, 5), (5, 7), (1, 7)])
def test_wrong_degrees_are_refuted(monkeypatch, assert_refuted, degrees):
    monkeypatch.setattr(depth_two, "DEGREES", degrees)
    assert_refuted("C4.1")


def test_a_larger_degree_is_not_sharp(monkeypatch, assert_refuted):
    monkeypatch.setattr(depth_two, "DEGREES", (3, 9))
    monkeypatch.setattr(depth_two, "_CASES", [network_case(3, 1, *("1/(1 - s)",) * 2)])
    assert_refuted("C4.1", naming="rank of D T_N")


def test_three_tokens_are_needed(monkeypatch, assert_refuted):
    monkeypatch.setattr(depth_two, "_CASES", [network_case(2, 2, *("exp(s)",) * 2, scores={1: depth_two.SKEW})])
    assert_refuted("C4.1")


def test_slopes_are_needed(monkeypatch, assert_refuted):
    monkeypatch.setattr(depth_two, "_CASES", [network_case(3, 1, "exp(s**2)", "exp(s)")])
    assert_refuted("C4.1")
