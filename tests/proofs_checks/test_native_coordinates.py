"""Coordinates, homogeneity and kernel: each check is confirmed, and refuted when one of its claims is broken."""

from __future__ import annotations

import pytest

from proofs_checks import homogeneity, native_coordinates, native_kernel
from symattn.network.parameters import NativeParameters


@pytest.mark.parametrize(
    ("identifier", "evidence", "level"),
    [
        ("P4.2", "instance", "default"),
        ("D.coordinates", "identity", "default"),
        ("D.homogeneity", "identity", "quick"),
        ("D.kernel", "instance", "quick"),
        ("D.count", "identity", "default"),
    ],
)
def test_confirmed(check, identifier, evidence, level):
    outcome = check(identifier, level)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", evidence)


def test_rank_formula_off_by_one(monkeypatch, assert_refuted):
    right = native_coordinates.reduction_rank
    monkeypatch.setattr(native_coordinates, "reduction_rank", lambda width, ranks: right(width, ranks) + 1)
    assert_refuted("P4.2", naming="rank of the reduction's differential")


def test_normal_form_with_a_block_transposed(monkeypatch, assert_refuted):
    right = native_coordinates.normal_form

    def wrong(a, b, core):
        first, second, third, fourth = right(a, b, core)
        return [first, second, third, fourth.scale(-1)]

    monkeypatch.setattr(native_coordinates, "normal_form", wrong)
    assert_refuted("P4.2", naming="block a C b^T")


@pytest.mark.parametrize("name", ["Q", "K", "V"])
def test_coordinates_with_one_inverse_formula_left_out(monkeypatch, assert_refuted, name):
    right = native_coordinates.from_coordinates

    def wrong(given):
        weights = right(given)
        return NativeParameters(**{factor: getattr(given if factor == name else weights, factor) for factor in ("Q", "K", "V")})

    monkeypatch.setattr(native_coordinates, "from_coordinates", wrong)
    assert_refuted("D.coordinates", naming="and back")


@pytest.mark.parametrize(
    ("name", "value", "naming"),
    [
        ("OUTPUT_POWER", 1, "small scores"),
        ("DIRECTION_POWER", 2, "dM_1"),
        ("DERIVATIVE_POWER", -2, "derivative in score 1"),
        ("next_contrast", lambda alpha, k: 3 * alpha + 2 * k - 1, "e_i = alpha_i - 1"),
        ("jet_order", lambda alpha, k: 2 * alpha + 2 * k, "N_i = beta_i + 2"),
        ("next_excess", lambda e, k: 3 * e + k, "e_i = alpha_i - 1"),
        ("contact_order", lambda e, k: 2 * k - 1 + 3 * e, "N_i = beta_i + 2"),
        ("contact_orders", lambda degrees: (1,) * len(degrees), "contact orders of symattn.theory"),
        ("jet_orders", lambda degrees: (3,) * len(degrees), "jet orders of symattn.theory"),
    ],
)
def test_homogeneity_with_a_wrong_power(monkeypatch, assert_refuted, name, value, naming):
    monkeypatch.setattr(homogeneity, name, value)
    assert_refuted("D.homogeneity", naming=naming)


def test_kernel_dimension_off_by_one(monkeypatch, assert_refuted):
    right = native_kernel.kernel_dimension
    monkeypatch.setattr(native_kernel, "kernel_dimension", lambda width, ranks: right(width, ranks) - 1)
    assert_refuted("D.kernel", naming="rank of the gauge directions")


def test_kernel_direction_with_a_wrong_sign(monkeypatch, assert_refuted):
    right = native_kernel.kernel_directions

    def wrong(native):
        for direction in right(native):
            yield NativeParameters(Q=direction.Q, K=tuple(tuple(tuple(-x for x in row) for row in k) for k in direction.K), V=direction.V)

    monkeypatch.setattr(native_kernel, "kernel_directions", wrong)
    assert_refuted("D.kernel", naming="images of all gauge")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kernel_count", lambda d, depth, squares: depth * d * d + squares),
        ("parameter_count", lambda d, depth, ranks: depth * d * d + d * ranks),
        ("layer_multiplicity", lambda width, rank: rank * (2 * width - 1)),
    ],
)
def test_count_with_a_wrong_term(monkeypatch, assert_refuted, name, value):
    monkeypatch.setattr(native_kernel, name, value)
    assert_refuted("D.count")
