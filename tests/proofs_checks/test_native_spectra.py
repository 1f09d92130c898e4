"""Spectra, frames, cokernels and dimensions: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofs_checks import function_space, native_corollaries, native_frame, native_spectra
from proofs_checks.drawing import Case, case
from symattn.arithmetic import DEFAULT_PRIMES
from symattn.exact.leading import divided_frame
from symattn.theory import hypotheses

CHECKS = ["D.smith", "T4", "D.2", "D.3", "E.cokernel", "D.divisibility", "D.frame", "HMK.dim"]


@pytest.mark.parametrize("identifier", CHECKS)
def test_confirmed(check, identifier):
    outcome = check(identifier)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", "instance")


@pytest.mark.slow
@pytest.mark.parametrize("identifier", CHECKS)
def test_confirmed_at_default_effort(check, identifier):
    assert check(identifier, "default").verdict == "confirmed"


def _shifted(right, layer, amount):
    return lambda degrees: tuple(order + amount * (i == min(layer, len(degrees))) for i, order in enumerate(right(degrees), start=1))


@pytest.mark.parametrize(("layer", "amount"), [(1, 1), (1, -1), (2, 2), (2, -2)])
def test_no_wrong_contact_order_survives_the_grid(monkeypatch, check, layer, amount):
    monkeypatch.setattr(hypotheses, "contact_orders", _shifted(hypotheses.contact_orders, layer, amount))
    assert check("T4").verdict == "refuted"


@pytest.mark.parametrize("amount", [-1, 1])
def test_no_wrong_multiplicity_survives_the_grid(monkeypatch, check, amount):
    right = hypotheses.layer_multiplicity
    monkeypatch.setattr(hypotheses, "layer_multiplicity", lambda *arguments: right(*arguments) + amount)
    assert check("T4").verdict == "refuted"


@pytest.mark.parametrize("module", [native_spectra, native_corollaries])
@pytest.mark.parametrize(
    "change",
    [
        lambda row: replace(row, contact_order=row.contact_order + 1),
        lambda row: replace(row, contact_order=row.contact_order - 1),
        lambda row: replace(row, multiplicity=row.multiplicity + 1),
    ],
)
def test_no_wrong_ladder_survives(monkeypatch, assert_refuted, module, change):
    right = module.ladder

    def wrong(instance):
        claimed = right(instance)
        return replace(claimed, rows=(*claimed.rows[:-1], change(claimed.rows[-1])))

    monkeypatch.setattr(module, "ladder", wrong)
    for identifier in {native_spectra: ["D.smith"], native_corollaries: ["D.2", "D.3", "E.cokernel"]}[module]:
        assert_refuted(identifier)


def test_cokernel_without_its_free_part(monkeypatch, assert_refuted):
    right = native_corollaries.cokernel_length
    monkeypatch.setattr(native_corollaries, "cokernel_length", lambda claimed, power: right(claimed, power) - power * claimed.kernel)
    assert_refuted("E.cokernel", naming="length of coker")


@pytest.mark.parametrize("corollary", ["D.2", "D.3"])
def test_corollaries_need_their_own_hypotheses(monkeypatch, check, corollary):
    statements = {"D.2": "_skew_invertible", "D.3": "_skew_of_rank_two"}
    zero = native_corollaries.draw_matrix

    def vanishing(width, seed):
        rank = width if corollary == "D.2" else 2
        nothing = tuple(tuple(entry - entry for entry in row) for row in zero(native_corollaries.random.Random(0), width, rank))
        return nothing, nothing

    monkeypatch.setattr(native_corollaries, statements[corollary], vanishing)
    assert check(corollary).verdict == "refuted"


@pytest.mark.parametrize("amount", [-2, 2])
def test_no_wrong_power_divides(monkeypatch, assert_refuted, amount):
    monkeypatch.setattr(native_frame, "contact_orders", _shifted(native_frame.contact_orders, 2, amount))
    assert_refuted("D.divisibility", naming="powers of t that divide")


@pytest.mark.parametrize("amount", [-2, 2])
def test_the_frame_is_dependent_after_division_by_another_power(monkeypatch, assert_refuted, amount):
    monkeypatch.setattr(native_frame, "contact_orders", _shifted(native_frame.contact_orders, 2, amount))
    assert_refuted("D.frame", naming="rank of the divided columns")


def test_the_leading_mean_with_one_coefficient_changed(monkeypatch, assert_refuted):
    right = native_frame.leading_mean

    def wrong(score, mean, contrast, slope, degree, prime):
        return right(score, mean, contrast, slope, degree + (degree > 1), prime)

    monkeypatch.setattr(native_frame, "leading_mean", wrong)
    assert_refuted("D.frame", naming="leading mean of layer 2")


def test_the_leading_forms_with_a_wrong_rank(monkeypatch, assert_refuted):
    right = native_frame.divided_frame

    def wrong(instance, prime):
        frame = right(instance, prime)
        return replace(frame, rank=frame.rank - 1)

    monkeypatch.setattr(native_frame, "divided_frame", wrong)
    assert_refuted("D.frame", naming="rank of the leading forms")


@pytest.mark.parametrize("amount", [-1, 1])
def test_function_space_of_another_dimension(monkeypatch, assert_refuted, amount):
    right = function_space.function_space_dimension
    monkeypatch.setattr(function_space, "function_space_dimension", lambda width, ranks: right(width, ranks) + amount)
    assert_refuted("HMK.dim")


def test_generic_normalizers_of_a_higher_degree_have_other_orders(monkeypatch, assert_refuted):
    right = native_frame.GenericNormalizer
    monkeypatch.setattr(native_frame, "GenericNormalizer", lambda k, prefix: right(k + 1, prefix))
    assert_refuted("D.divisibility", naming="generic normalizers")


def test_an_instance_is_drawn_again_if_its_bank_does_not_separate(monkeypatch):
    right = Case.instance

    def degenerate_at_first(self, seed=1, spare_inputs=0):
        instance = right(self, seed, spare_inputs)
        return instance.with_bank((instance.bank[0],) * len(instance.bank)) if seed == 1 else instance

    monkeypatch.setattr(Case, "instance", degenerate_at_first)
    deep = case(2, 1, (1,) * 3, "exp(s)")
    assert not divided_frame(deep.instance(1), DEFAULT_PRIMES[0]).is_independent
    assert divided_frame(native_spectra.separating_instance(deep), DEFAULT_PRIMES[0]).is_independent
