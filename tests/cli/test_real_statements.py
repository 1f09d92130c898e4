"""``symattn verify`` with the real checks: confirmed as they stand, refuted with a formula changed by one."""

from __future__ import annotations

import pytest

from proofs_checks import framework
from symattn.theory import hypotheses, orders

KNOWN = {entry.id for entry in framework.statements()}


def test_the_statements_of_the_main_job_have_checks() -> None:
    assert {"A.consensus", "A.affine", "A.reduction", "A.gauge", "D.smith", "D.kernel", "D.count", "T4", "P4.2"} <= KNOWN


@pytest.mark.parametrize("name", ["A.affine", "D.count"])
def test_quick_checks_are_confirmed(run, name: str) -> None:
    ran = run("verify", name, "--quick")
    assert (ran.code, ran.err) == (0, "")
    assert name in ran.out


@pytest.mark.parametrize("by", [1, -1])
def test_a_contact_order_changed_by_one_is_refuted(run, monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    right = orders.contact_orders
    for module in (orders, hypotheses):
        monkeypatch.setattr(module, "contact_orders", lambda degrees: (*right(degrees)[:-1], right(degrees)[-1] + by))
    ran = run("verify", "T4", "--quick")
    assert ran.code == 1
    assert "refuted" in ran.out


@pytest.mark.parametrize("by", [1, -1])
def test_a_multiplicity_changed_by_one_is_refuted(run, monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    right = orders.layer_multiplicity
    for module in (orders, hypotheses):
        monkeypatch.setattr(module, "layer_multiplicity", lambda *arguments: right(*arguments) + by)
    assert run("verify", "T4", "--quick").code == 1
