"""Each identification check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

import pytest

from proofs_checks import identification
from symattn.network import parameters
from symattn.network.gauges import factor_gauge, interface_change
from symattn.network.rational import rational_matrix


@pytest.mark.parametrize("level", ["quick", "default"])
@pytest.mark.parametrize(
    ("identifier", "evidence"),
    [("A.consensus", "identity"), ("A.affine", "identity"), ("A.reduction", "instance"), ("A.gauge", "identity")],
)
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence)


def test_consensus_with_a_wrong_output(monkeypatch, assert_refuted):
    monkeypatch.setattr(identification, "consensus_output", lambda token, readout: (token @ readout.transpose()).scale(2))
    assert_refuted("A.consensus", naming="F at consensus")


def test_affine_with_a_wrong_weight_sum(monkeypatch, assert_refuted):
    monkeypatch.setattr(identification, "WEIGHT_SUM", 2)
    assert_refuted("A.affine", naming="weight sums")


@pytest.mark.parametrize(("identifier", "naming"), [("A.consensus", "a layer fixes consensus"), ("A.affine", "a hyperplane is kept")])
def test_layers_that_stretch_their_tokens(monkeypatch, assert_refuted, identifier, naming):
    right = identification.unit_matrix
    monkeypatch.setattr(identification, "unit_matrix", lambda arithmetic, size: right(arithmetic, size).scale(2))
    assert_refuted(identifier, naming)


def test_reduction_with_the_score_transposed(monkeypatch, assert_refuted):
    monkeypatch.setattr(identification, "reduced_score", lambda score, change: change.transpose() @ score.transpose() @ change)
    assert_refuted("A.reduction", naming="S_A(PX)")


def test_reduction_with_a_wrong_effective_tuple(monkeypatch, assert_refuted):
    def wrong(native):
        effective = parameters.reduce_native(native)
        return parameters.EffectiveParameters(L=effective.L, M=(effective.M[1], *effective.M[1:]))

    monkeypatch.setattr(identification, "reduce_native", wrong)
    assert_refuted("A.reduction", naming="native and effective")


def test_factor_gauge_without_the_transpose(monkeypatch, assert_refuted):
    def wrong(native, layer, change):
        inverse = identification.adjugate_inverse(change)
        changes = {"Q": identification._times(native.Q[layer - 1], change), "K": identification._times(native.K[layer - 1], inverse)}
        return identification._with(native, layer, **changes)

    monkeypatch.setattr(identification, "factor_action", wrong)
    assert_refuted("A.gauge", naming="factor gauge, layer 2")


def test_interface_change_that_forgets_the_keys(monkeypatch, assert_refuted):
    right = identification.interface_action

    def wrong(native, interface, change):
        return identification._with(right(native, interface, change), interface + 1, K=native.K[interface])

    monkeypatch.setattr(identification, "interface_action", wrong)
    assert_refuted("A.gauge", naming="interface 1")


def test_gauges_of_the_package_are_the_actions_of_the_check():
    from proofs_checks.drawing import draw_native
    from symattn.arithmetic import SymbolicField

    field = SymbolicField()
    native = draw_native((2, 2, 2), (2, 2), seed=2)
    matrix = rational_matrix([[1, 2], [3, 5]])
    for found, claimed in (
        (factor_gauge(native, 1, matrix), identification.factor_action(native, 1, field.matrix(matrix))),
        (interface_change(native, 1, matrix), identification.interface_action(native, 1, field.matrix(matrix))),
    ):
        assert field.matrix([found.entries]).agrees_with(field.matrix([claimed.entries]))
