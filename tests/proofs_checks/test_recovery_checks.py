"""Recovery, signs and the rational inverse: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs_checks import generic_tuples, networks, rational_inverse, recovered_tuples, signs
from symattn.exact.germs import JetGerm
from symattn.exact.jets import jet_of
from symattn.exact.recovery import Recovery, recover
from symattn.network.parameters import EffectiveParameters


@pytest.mark.parametrize(
    ("identifier", "evidence", "level"),
    [
        ("T1", "instance", "quick"),
        ("A.generic", "identity", "default"),
        ("C.rational-inverse", "instance", "quick"),
        ("C.4", "instance", "quick"),
        pytest.param("T1", "instance", "full", marks=pytest.mark.slow),
        pytest.param("C.4", "instance", "full", marks=pytest.mark.slow),
        pytest.param("C.rational-inverse", "instance", "full", marks=pytest.mark.slow),
    ],
)
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence), outcome


MUTATIONS = [
    (recovered_tuples, "free_signs", lambda network: (), "T1", "which signs are free"),
    (recovered_tuples, "free_signs", lambda network: (1,), "T1", "which signs are free"),
    (recovered_tuples, "up_to_sign", lambda score: score, "T1", "signs ("),
    (recovered_tuples, "difference_degree", lambda network, other, order: None, "T1", "a change of L is seen"),
    (rational_inverse, "score_image", lambda c, a, slope, along: c / (a * slope * along), "C.rational-inverse", "M_2"),
    (rational_inverse, "score_image", lambda c, a, slope, along: c / (a * a * slope * along * 2), "C.rational-inverse", "M_1"),
    (rational_inverse, "next_amplitude", lambda a, moment, k: moment * a * a * k, "C.rational-inverse", ""),
    (signs, "sign_orders", lambda degrees, odd: tuple(2 * k + 1 for k in degrees), "C.4", "sign of layer 1"),
    (signs, "sign_orders", lambda degrees, odd: (9, 19)[: len(degrees)], "C.4", "sign of layer 1"),
]


@pytest.mark.parametrize(("module", "name", "value", "identifier", "naming"), MUTATIONS)
def test_broken_claim_is_refuted(monkeypatch, check, module, name, value, identifier, naming):
    monkeypatch.setattr(module, name, value)
    level = "default" if (name, identifier) == ("next_amplitude", "C.rational-inverse") else "quick"  # n > 2 or D > 2 must occur
    outcome = check(identifier, level)
    assert outcome.verdict == "refuted"
    assert naming in outcome.details[0]


def test_recovery_with_one_wrong_entry(monkeypatch, assert_refuted):
    def wrong(jet):
        found = recover(jet)
        score = networks.moved_entries(found.parameters.M[-1])[0]
        parameters = EffectiveParameters(found.parameters.L, (*found.parameters.M[:-1], score))
        return Recovery(**{**found.__dict__, "parameters": parameters})

    monkeypatch.setattr(recovered_tuples, "recover", wrong)
    assert_refuted("T1", naming="the tuple from the jet")


def test_rank_one_point_with_a_key_elsewhere(monkeypatch, assert_refuted):
    right = generic_tuples.rank_one_point

    def wrong(field, widths, ranks):
        native = right(field, widths, ranks)
        return replace(native, K=tuple((*reversed(key),) for key in native.K))

    monkeypatch.setattr(generic_tuples, "rank_one_point", wrong)
    assert_refuted("A.generic", naming="M_1")


@pytest.mark.parametrize(("text", "degree"), [("exp(s**2 + s**3)", 7), ("exp(s**2 + s**5)", 11), ("exp(s**4 + s**5)", 11)])
def test_sign_is_seen_at_its_degree_and_not_below(text, degree):
    network = networks.network_case(2, 1, text).network()
    flipped = networks.with_score(network, 1, signs.negated(network.parameters.M[0]))
    assert signs.difference_degree(network, flipped, degree - 1) is None
    assert signs.difference_degree(network, flipped, degree) == degree


def test_rational_inverse_of_a_changed_jet_is_another_tuple():
    network = networks.network_case(2, 1, "exp(s)", "exp(s)").network()
    jet = jet_of(network, 7)
    (exponents, values), *_ = jet.part(7).items()
    changed = replace(jet, coefficients={**jet.coefficients, exponents: (values[0] + Fraction(1, 10**6),)})
    found = rational_inverse.parameters_from(JetGerm(changed), 2, 1, network.normalizers)
    assert found != network.parameters
