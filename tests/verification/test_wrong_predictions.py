"""A wrong prediction is refuted: every formula changed by one, in either direction, on instances of several kinds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symattn import cli
from symattn.network.files import instance_from_dict
from symattn.theory import orders
from symattn.verification import verify_spectrum

from .mutations import FORMULAS, change

REGULAR = [{"U": [[1], [2]], "W": [[3], [-1]]}, {"U": [[1, 2], [0, 1]], "W": [[2, 1], [1, 1]]}]
WITH_VALUES = [{**REGULAR[0], "V": [[1, 2], [3, 4]]}, REGULAR[1]]
SCALAR = [{"U": [[u]], "W": [[w]]} for u, w in ((2, 3), (-1, 5), (7, 2), (3, -4))]

INSTANCES = {
    "regular": (3, 2, "exp(s)", REGULAR),
    "mixed degrees": (3, 2, ["exp(s**2)", "1+s"], REGULAR),
    "invertible values": (3, 2, "exp(s)", WITH_VALUES),
    "irrational constant": (3, 2, "2**s", REGULAR),
    "skew invertible prefix": (3, 2, "exp(s)", [{"U": [[1, 0], [0, 1]], "W": [[0, -1], [1, 0]]}, REGULAR[1]]),
    # The last order, 53, is beyond the reach of divisibility over Q by default, so the order lemma has to do.
    "deep": (2, 1, "exp(s)", SCALAR),
}


def document(name: str) -> dict[str, object]:
    tokens, width, normalizers, layers = INSTANCES[name]
    return {"symattn": 1, "tokens": tokens, "width": width, "normalizers": normalizers, "layers": layers}


@pytest.mark.parametrize("name", INSTANCES)
def test_the_right_prediction_is_confirmed(name: str) -> None:
    assert verify_spectrum(instance_from_dict(document(name))).verdict == "confirmed"


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("name", INSTANCES)
def test_a_formula_changed_by_one_is_refuted(monkeypatch: pytest.MonkeyPatch, name: str, formula: str, by: int) -> None:
    change(monkeypatch, formula, by)
    report = verify_spectrum(instance_from_dict(document(name)))
    assert report.verdict == "refuted", report.reasons


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("formula", FORMULAS)
def test_the_leading_route_refutes_as_well(monkeypatch: pytest.MonkeyPatch, formula: str, by: int) -> None:
    change(monkeypatch, formula, by)
    assert verify_spectrum(instance_from_dict(document("deep")), "leading").verdict == "refuted"


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("formula", FORMULAS)
def test_the_commands_say_refuted_and_exit_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, formula: str, by: int
) -> None:
    file = tmp_path / "instance.json"
    file.write_text(json.dumps(document("regular")))
    change(monkeypatch, formula, by)
    assert cli.main(["spectrum", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "refuted"
    assert cli.main(["table", "--depth", "3", "--k", "1,2", "--verify", "--json"]) == 1
    verified = json.loads(capsys.readouterr().out)["verified"]
    assert verified["verdict"] == "refuted"
    assert any("refuted" in reason for reason in verified["reasons"])


@pytest.mark.parametrize("by", [1, -1])
def test_a_table_that_differs_from_the_prediction_is_refuted_too(monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    # The kernel of the table has a formula of its own; the prediction of an instance does not use it.
    right = orders.kernel_dimension
    monkeypatch.setattr(orders, "kernel_dimension", lambda *arguments: right(*arguments) + by)
    assert cli.main(["table", "--depth", "2", "--verify"]) == 1
