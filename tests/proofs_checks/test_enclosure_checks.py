"""Enclosed spectra and published evidence: confirmed as they stand, refuted or undecided once a figure is broken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import arb, ctx

from proofs_checks import enclosed_spectra, native_spectra, published_evidence
from symattn.verification.published import function_space, recovery_noise, scalar_stack
from symattn.verification.published.figures import Figure, Item


@pytest.mark.parametrize(
    ("identifier", "kind"), [("D.sv", "enclosure"), ("D.fisher", "enclosure"), ("N1", "enclosure"), ("N4", "instance")]
)
def test_confirmed(check, identifier, kind):
    outcome = check(identifier)
    assert (outcome.verdict, outcome.evidence) == ("confirmed", kind), outcome


@pytest.mark.slow
@pytest.mark.parametrize("identifier", ["D.sv", "D.fisher", "N2", "N3", "N4"])
def test_confirmed_at_default_effort(check, identifier):
    assert check(identifier, "default").verdict == "confirmed"


@pytest.mark.parametrize("identifier", ["D.sv", "D.fisher"])
@pytest.mark.parametrize("amount", [-1, 1])
def test_no_wrong_order_survives(monkeypatch, assert_refuted, identifier, amount):
    def wrong(instance):
        claimed = native_spectra.ladder(instance)
        row = claimed.rows[-1]
        return replace(claimed, rows=(*claimed.rows[:-1], replace(row, contact_order=row.contact_order + amount)))

    monkeypatch.setattr(enclosed_spectra, "ladder", wrong)
    assert_refuted(identifier, naming="slopes of all")


@pytest.mark.parametrize("amount", [-1, 1])
def test_no_wrong_multiplicity_survives(monkeypatch, assert_refuted, amount):
    def wrong(instance):
        claimed = native_spectra.ladder(instance)
        row = claimed.rows[-1]
        return replace(claimed, rows=(*claimed.rows[:-1], replace(row, multiplicity=row.multiplicity + amount)))

    monkeypatch.setattr(enclosed_spectra, "ladder", wrong)
    assert_refuted("D.sv", naming="positive values and exact kernel")


def test_a_shifted_ball_changes_the_trace(monkeypatch, assert_refuted):
    right = enclosed_spectra.enclose_singular_values

    def shifted(instance, t):
        found = right(instance, t)
        with ctx.workprec(found.precision):
            first = replace(found.values[0], ball=found.values[0].ball * (1 + arb(10) ** -6))
        return replace(found, values=(first, *found.values[1:]))

    monkeypatch.setattr(enclosed_spectra, "enclose_singular_values", shifted)
    assert_refuted("D.fisher", naming="trace of J^T J")


@pytest.mark.parametrize(("lower", "upper"), [(2, 1), (1, 2)])
def test_constants_that_are_too_good_are_refuted(monkeypatch, assert_refuted, lower, upper):
    right = enclosed_spectra.enclose_interval

    def better(instance, t0):
        found = right(instance, t0)
        last = found.bounds.bands[-1]
        last = replace(last, lower=last.lower * lower, upper=last.upper / upper)
        return replace(found, bounds=replace(found.bounds, bands=(*found.bounds.bands[:-1], last)))

    monkeypatch.setattr(enclosed_spectra, "enclose_interval", better)
    assert_refuted("D.sv", naming="constants at t = 1/1000000000000")


def test_constants_for_other_orders_are_refuted(monkeypatch, assert_refuted):
    right = enclosed_spectra.enclose_interval

    def other(instance, t0):
        found = right(instance, t0)
        last = replace(found.bounds.bands[-1], order=found.bounds.bands[-1].order + 1)
        return replace(found, bounds=replace(found.bounds, bands=(*found.bounds.bands[:-1], last)))

    monkeypatch.setattr(enclosed_spectra, "enclose_interval", other)
    assert_refuted("D.sv", naming="orders with constants")


def test_an_enlarged_ball_decides_nothing(monkeypatch, check):
    right = enclosed_spectra.enclose_singular_values

    def enlarged(instance, t):
        found = right(instance, t)
        with ctx.workprec(found.precision):
            last = replace(found.values[-1], ball=found.values[-1].ball * arb(1, 0.5))
        return replace(found, values=(*found.values[:-1], last))

    monkeypatch.setattr(enclosed_spectra, "enclose_singular_values", enlarged)
    assert check("D.sv").verdict == "undecided"


@pytest.mark.parametrize("published", ["0.999993", "0.999995", "1.999994"])
def test_another_published_slope_is_refuted(monkeypatch, assert_refuted, published):
    monkeypatch.setattr(scalar_stack, "SLOPES", (published, *scalar_stack.SLOPES[1:]))
    assert_refuted("N1", naming="slope t = 0.04 to 0.02, order 1")


def test_other_published_orders_are_refuted(monkeypatch, assert_refuted):
    monkeypatch.setattr(scalar_stack, "ORDERS", (1, 5, 17, 52))
    assert_refuted("N1", naming="contact orders")


def test_another_published_error_is_refuted(monkeypatch, assert_refuted):
    right = recovery_noise.recover_weights
    monkeypatch.setattr(recovery_noise, "recover_weights", lambda draws, alphas: right(draws[:20], alphas))
    assert_refuted("N3", naming="relative RMSE")


@pytest.mark.parametrize("amount", [-1, 1])
def test_another_dimension_is_refuted(monkeypatch, assert_refuted, amount):
    right = function_space.published_dimension
    monkeypatch.setattr(function_space, "published_dimension", lambda width, **options: right(width, **options) + amount)
    assert_refuted("N4", naming="softmax, d = 3")


def test_every_published_figure_counts():
    figures = (Figure("a", "1", "1", True), Figure("b", "", "2"), Figure("c", "3", "?", None))
    assert published_evidence.compared(Item("N0", "", figures), "enclosure", "nothing").verdict == "undecided"
    figures += (Figure("d", "4", "5", False),)
    assert published_evidence.compared(Item("N0", "", figures), "enclosure", "nothing").verdict == "refuted"
