"""Invertible prefixes, two-planes and banks: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, arb_mat, ctx, fmpq_mat

from proofs_checks import positive_cone, prefix_instances, second_moments, separating_banks, two_planes
from symattn.errors import HypothesisError


@pytest.mark.parametrize(
    ("identifier", "evidence", "level"),
    [
        ("C.5", "enclosure", "quick"),
        ("C.6", "instance", "quick"),
        ("C.bank", "instance", "quick"),
        pytest.param("C.5", "enclosure", "full", marks=pytest.mark.slow),
        pytest.param("C.6", "instance", "full", marks=pytest.mark.slow),
        pytest.param("C.bank", "instance", "default", marks=pytest.mark.slow),
    ],
)
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence), outcome


MUTATIONS = [
    (second_moments, "next_contrast_matrix", lambda x, m, c, g: x @ m.transpose() @ c @ g, "C.5", "the contrast of degree 3"),
    (second_moments, "next_moment", lambda m, c: c @ m @ c @ m.transpose() @ c, "C.5", "its second moments"),
    (second_moments, "CONTRACTION", Fraction(2, 5), "C.5", "contracts by 2/5"),
    (second_moments, "CONTRACTION", Fraction(3, 5), "C.5", "contracts by 3/5"),
    (second_moments, "symmetric_solution", lambda u, v: v @ u.transpose(), "C.5", "C u = v"),
    (prefix_instances, "prefix_order", lambda depth: 2 * 3 ** (depth - 1) + 3, "C.5", "the least degree"),
    (prefix_instances, "prefix_order", lambda depth: 2 * 3 ** (depth - 1) - 1, "C.6", "the least degree"),
    (two_planes, "restricted_score", lambda m, u: u.transpose() @ m.transpose() @ u, "C.6", "S_M(UZ)"),
    (two_planes, "restricted_determinant", lambda form: form * form * -1, "C.6", "det(U^T M U)"),
    (separating_banks, "bank_bound", lambda dimension: 1, "C.bank", "at most as many inputs"),
]


@pytest.mark.parametrize(("module", "name", "value", "identifier", "naming"), MUTATIONS)
def test_broken_claim_is_refuted(monkeypatch, assert_refuted, module, name, value, identifier, naming):
    monkeypatch.setattr(module, name, value)
    assert_refuted(identifier, naming=naming)


def test_bank_that_is_cut_short(monkeypatch, assert_refuted):
    right = separating_banks.greedy_bank
    monkeypatch.setattr(separating_banks, "greedy_bank", lambda functions: right(functions)[:-1])
    assert_refuted("C.bank", naming="the bank separates")


def test_wrong_solution_is_refuted(monkeypatch, assert_refuted):
    right = second_moments.enclosed_solution
    monkeypatch.setattr(second_moments, "enclosed_solution", lambda b: right(b) * 2)
    assert_refuted("C.5", naming="S M^T S M S = P")


def test_box_that_does_not_close_is_undecided(monkeypatch, check):
    monkeypatch.setattr(second_moments, "enclosed_solution", lambda b: None)
    assert check("C.5").verdict == "undecided"


def test_greedy_bank_refuses_dependent_functions():
    one = {(1, 0): Fraction(1)}
    with pytest.raises(HypothesisError, match="not linearly independent"):
        separating_banks.greedy_bank([one, {(1, 0): Fraction(2)}])


def test_greedy_bank_separates_monomials():
    functions = [{(j,): Fraction(1)} for j in range(1, 6)]
    bank = separating_banks.greedy_bank(functions)
    assert len(bank) == 5
    assert separating_banks.vanishing_combination(functions, bank) is None


def test_precision_is_restored_after_an_error():
    before = ctx.prec
    with pytest.raises(ZeroDivisionError), positive_cone.working_precision(77):
        raise ZeroDivisionError
    assert ctx.prec == before


def test_scalar_solution_is_the_cube_root():
    """For ``d = 1``: ``b^2 x^3 = 1``."""
    with positive_cone.working_precision(200):
        box = positive_cone.enclosed_solution(arb_mat([[8]]))
        assert box[0, 0].contains(arb("0.25"))
        assert box[0, 0].rad() < arb(2) ** -60


def test_distance_of_proportional_matrices():
    with positive_cone.working_precision(100):
        distance = positive_cone.thompson_distance(fmpq_mat([[2, 1], [1, 3]]), fmpq_mat([[10, 5], [5, 15]]))
        assert distance.overlaps(arb(5).log())
