"""``symattn verify`` with the real checks: confirmed as they stand, refuted with any formula changed by one."""

from __future__ import annotations

import pytest

from proofs_checks import framework

from ..verification.mutations import FORMULAS, change


def test_the_statements_of_the_main_job_have_checks() -> None:
    identification = {"A.consensus", "A.affine", "A.reduction", "A.gauge"}
    spectra = {"D.coordinates", "D.homogeneity", "D.divisibility", "D.frame", "D.smith", "D.kernel", "D.count", "T4", "D.2", "D.3"}
    assert identification | spectra | {"P4.2", "HMK.dim", "E.cokernel"} <= {entry.id for entry in framework.statements()}


@pytest.mark.parametrize("name", ["A.affine", "D.count"])
def test_quick_checks_are_confirmed(run, name: str) -> None:
    ran = run("verify", name, "--quick")
    assert (ran.code, ran.err) == (0, "")
    assert name in ran.out


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_changed_by_one_is_refuted(run, monkeypatch: pytest.MonkeyPatch, formula: str, by: int) -> None:
    change(monkeypatch, formula, by)
    ran = run("verify", "T4", "--quick", "--json")
    assert ran.code == 1, ran
    assert ran.document["summary"]["verdict"] == "refuted"
