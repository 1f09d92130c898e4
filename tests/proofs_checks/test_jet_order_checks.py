"""Jet orders and jets: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

import pytest

from proofs_checks import adaptive_orders, immersion, jet_orders, jet_polynomials, networks
from symattn.normalizers import normalizer
from symattn.theory import orders


@pytest.mark.parametrize(
    ("identifier", "evidence", "level"),
    [
        ("C.orders", "identity", "default"),
        ("C.recurrence", "identity", "default"),
        ("C.polynomial", "instance", "default"),
        ("T3", "instance", "quick"),
        ("C.2", "instance", "quick"),
        ("C.3", "instance", "quick"),
        pytest.param("T3", "instance", "default", marks=pytest.mark.slow),
        pytest.param("C.2", "instance", "full", marks=pytest.mark.slow),
        pytest.param("C.3", "instance", "full", marks=pytest.mark.slow),
    ],
)
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence), outcome


MUTATIONS = [
    (jet_orders, "next_contrast", lambda alpha, k: 3 * alpha + 2 * k - 1, "C.orders", "first term of the contrast"),
    (jet_orders, "mean_order", lambda alpha, k: 2 * alpha + 2 * k, "C.orders", "first term of the mean change"),
    (jet_orders, "monomial_excess", lambda alpha, j: j * (alpha - 1), "C.orders", "the monomial bound"),
    (jet_orders, "leading_mean", lambda k, q, v: q**k * v, "C.orders", "mu_2 b k P_k"),
    (jet_orders, "leading_contrast", lambda k, b, q, u, v, w: b * k * q ** (k - 1) * v, "C.orders", "mu_2 kappa"),
    (jet_orders, "FIRST_CONTRAST", 2, "C.recurrence", "alpha_0"),
    (jet_orders, "next_contrast", lambda alpha, k: 3 * alpha + 2 * k - 1, "C.recurrence", "one more layer"),
    (jet_orders, "mean_order", lambda alpha, k: 2 * alpha + 2 * k - 2, "C.recurrence", "N_D"),
    (jet_orders, "common_contrast", lambda k, power: k * power, "C.recurrence", "alpha_0"),
    (jet_orders, "common_jet_order", lambda k, power: 2 * k * power, "C.recurrence", "N_D"),
    (jet_orders, "jet_orders", lambda degrees: (3,) * len(degrees), "C.recurrence", "symattn.theory"),
    (jet_orders, "contrast_orders", lambda degrees: (1,) * len(degrees), "C.recurrence", "symattn.theory"),
    (jet_polynomials, "denominator_base", lambda tokens: tokens + 1, "C.polynomial", "denominators but for"),
    (immersion, "jet_rank", lambda order, width, outputs, degrees: outputs * width, "T3", "the rank of D T_N"),
    (immersion, "jet_orders", lambda degrees: tuple(n + 2 for n in orders.jet_orders(degrees)), "T3", "M_D does not occur"),
    (immersion, "jet_orders", lambda degrees: tuple(n - 2 for n in orders.jet_orders(degrees)), "T3", "M_D occurs"),
    (adaptive_orders, "next_deficit", lambda v, is_skew: 3 * v + 3 * int(is_skew), "C.2", "v_i"),
    (adaptive_orders, "adaptive_order", lambda power, v: 2 * power + 2 * v + 3, "C.2", "N^ad"),
    (adaptive_orders, "adaptive_orders", lambda skew: (3, 7, 19, 55)[: len(skew)], "C.2", "symattn.theory"),
    (adaptive_orders, "adaptive_bound", lambda depth: 4 * 3 ** (depth - 1) - 3, "C.2", "the bound of symattn.theory"),
    (adaptive_orders, "two_token_order", lambda kinds, evens: 13, "C.3", "equal below 13"),
    (adaptive_orders, "first_collapse", lambda kinds, evens: 2, "C.3", "a change of M_2 is seen"),
    (adaptive_orders, "first_collapse", lambda kinds, evens: 1, "C.3", "M_2 is free"),
]


@pytest.mark.parametrize(("module", "name", "value", "identifier", "naming"), MUTATIONS)
def test_broken_claim_is_refuted(monkeypatch, assert_refuted, module, name, value, identifier, naming):
    monkeypatch.setattr(module, name, value)
    assert_refuted(identifier, naming=naming)


def test_jet_with_one_changed_coefficient(monkeypatch, assert_refuted):
    right = jet_polynomials.jet_of

    def wrong(network, order):
        jet = right(network, order)
        exponents = max(jet.coefficients, key=sum)
        jet.coefficients[exponents] = tuple(value + 1 for value in jet.coefficients[exponents])
        return jet

    monkeypatch.setattr(jet_polynomials, "jet_of", wrong)
    assert_refuted("C.polynomial", naming="the polynomials at a drawn tuple")


def test_jet_polynomials_of_other_normalizers(monkeypatch, assert_refuted):
    right = jet_polynomials.jet_polynomials

    def wrong(tokens, width, outputs, normalizers, order):
        return right(tokens, width, outputs, [normalizer("1 + s")] * len(normalizers), order)

    monkeypatch.setattr(jet_polynomials, "jet_polynomials", wrong)
    assert_refuted("C.polynomial", naming="the polynomials of symattn.exact")


@pytest.mark.parametrize("kind", ["skew", "zero"])
def test_immersion_order_at_an_exceptional_tuple_is_not_the_regular_one(kind):
    """The hypothesis of Theorem 3 is needed: after a skew or zero first score ``N_D = 7`` does not do for two tokens."""
    from symattn.exact.jets import jet_differential

    case = networks.network_case(2, 2, *("exp(s + s**2)",) * 2, scores={1: networks.SKEW if kind == "skew" else networks.ZERO})
    found = jet_differential(case.network(), 11)
    assert found.ranks[7] < found.parameters
    assert found.least_immersion_order == (11 if kind == "skew" else None)


def test_three_tokens_see_more_than_two_after_a_skew_score():
    """With ``n = 3`` a non-collinear cloud keeps its contrast at order 3, so that degree 7 suffices where two tokens need degree 11."""
    from symattn.exact.jets import jet_differential

    degrees = []
    for tokens in (2, 3):
        case = networks.network_case(tokens, 2, *("exp(s + s**2)",) * 2, scores={1: networks.SKEW})
        degrees.append(jet_differential(case.network(), 11 if tokens == 2 else 7).first_degrees["M2"])
    assert degrees == [11, 7]
