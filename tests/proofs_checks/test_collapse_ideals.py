"""Ideals and learning coefficients at a collapse: confirmed, and refuted when one of their claims is broken."""

from __future__ import annotations

import pytest

from proofs_checks import collapse_ideals, learning_coefficients
from proofs_checks.networks import SKEW, ZERO, network_case
from symattn.exact.ideals import MonomialIdeal
from symattn.network.rational import rational_matrix
from symattn.theory.learning_coefficient import LearningCoefficient


@pytest.mark.parametrize("level", ["quick", "default"])
@pytest.mark.parametrize(("identifier", "evidence"), [("E.1", "instance"), ("E.2", "instance"), ("E.llc", "identity")])
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence)


@pytest.mark.parametrize("shift", [-1, 1])
def test_wrong_generators_are_refuted(monkeypatch, assert_refuted, shift):
    right = collapse_ideals.claimed_variables
    monkeypatch.setattr(collapse_ideals, "claimed_variables", lambda width, outputs, first: right(width, outputs, first + shift))
    assert_refuted("E.1", naming="the ideal of all residuals")


def test_a_jet_that_is_too_short_is_refuted(monkeypatch, assert_refuted):
    case = network_case(2, 1, *("exp(s)",) * 2, scores={2: rational_matrix([[0]])})
    monkeypatch.setattr(collapse_ideals, "_CASES", [(case, 5)])
    assert_refuted("E.1", naming="the ideal of all residuals")


def test_a_zero_score_behind_a_skew_one(monkeypatch, check):
    case = network_case(3, 2, *("exp(s)",) * 2, scores={1: SKEW, 2: ZERO})
    monkeypatch.setattr(collapse_ideals, "_CASES", [(case, 7)])
    assert check("E.1").verdict == "confirmed"


@pytest.mark.parametrize(
    ("counts", "naming"),
    [(lambda depth: (2 * depth, 2**depth), "the serial collapse"), (lambda depth: (2, 2 * depth), "independent layers")],
)
def test_wrong_component_counts_are_refuted(monkeypatch, assert_refuted, counts, naming):
    monkeypatch.setattr(collapse_ideals, "component_counts", counts)
    assert_refuted("E.2", naming)


def test_an_intersection_that_is_a_sum_is_refuted(monkeypatch, assert_refuted):
    monkeypatch.setattr(MonomialIdeal, "intersection", MonomialIdeal.__add__)
    assert_refuted("E.2", naming="by least common multiples")


def test_elimination_sees_a_wrong_ideal(monkeypatch, check):
    monkeypatch.setattr(collapse_ideals, "score_ideal", lambda layer, d: MonomialIdeal.of_variables([f"q{layer}_1"]))
    outcome = check("E.2", "default")
    assert outcome.verdict == "refuted"
    assert any(line.startswith("refuted") and "by elimination" in line for line in outcome.details)


@pytest.mark.parametrize(
    ("name", "value", "naming"),
    [
        ("serial_collapse", lambda d: LearningCoefficient(d / 2, 1), "at most the order 1, serial"),
        ("serial_collapse", lambda d: LearningCoefficient(d / 2, 3), "at least the order 3, serial"),
        ("serial_collapse", lambda d: LearningCoefficient(d, 2), "at least the order 2, serial"),
        ("independent_collapse", lambda d, depth: LearningCoefficient(d * depth / 2, 2 * depth), "independent, D = 2"),
        ("independent_collapse", lambda d, depth: LearningCoefficient(d / 2, depth + 1), "independent, D = 2"),
        ("radial_exponent", lambda z, d: 2 * z + d + 1, "at least the order 2, serial"),
        ("log_integral", lambda s, j: s / s ** (j + 2), "(-log x)^2"),
    ],
)
def test_wrong_learning_coefficients_are_refuted(monkeypatch, assert_refuted, name, value, naming):
    monkeypatch.setattr(learning_coefficients, name, value)
    assert_refuted("E.llc", naming)
