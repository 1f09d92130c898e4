"""symattn recover: from the file of symattn jet back to the tuple, and exit codes for jets that do not allow it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SCALAR: dict[str, Any] = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": ["exp(s)", "exp(s)"], "L": [[2]], "M": [[["-1/3"]], [[5]]]}


@pytest.fixture
def jet(run, tmp_path: Path):
    """Write the jet of a changed tuple and return its file."""

    def write(order: int, **changes: Any) -> Path:
        source, out = tmp_path / "tuple.json", tmp_path / "jet.json"
        source.write_text(json.dumps(SCALAR | changes))
        assert run("jet", str(source), "--order", str(order), "--out", str(out)).code == 0
        return out

    return write


def test_there_and_back(run, jet) -> None:
    ran = run("recover", str(jet(7)), "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    assert {"L", "M", "signs", "degree_used", "unresolved", "checked"} <= document.keys()
    assert (document["L"], document["M"]) == ([["2"]], [[["-1/3"]], [["5"]]])
    assert (document["signs"], document["degree_used"], document["unresolved"], document["N_sign"]) == ([], 7, {}, 7)
    assert "M_1          [[-1/3]]" in run("recover", str(jet(7))).out


def test_free_signs(run, jet) -> None:
    file = str(jet(11, normalizers=["cosh(s)", "exp(s)"]))
    assert run("recover", file, "--json").document["signs"] == [1]
    assert "the normalizer is even" in run("recover", file).out


def test_an_open_sign_is_undecided(run, jet) -> None:
    file = str(jet(5, normalizers=["exp(s**2+s**5)"], M=[[[-3]]]))
    ran = run("recover", file, "--json")
    assert (ran.code, ran.document["unresolved"], ran.document["M"]) == (3, {"1": 11}, [[["3"]]])
    assert "open: a jet of degree 11 decides it" in run("recover", file).out


def test_a_jet_that_is_too_short(run, jet) -> None:
    run("recover", str(jet(5))).assert_one_line(2, "the score of layer 2 needs a jet of degree 7; this one has degree 5")
    three = jet(5, normalizers=["exp(s)"] * 3, M=[[[1]]] * 3)
    run("recover", str(three)).assert_one_line(
        2, "layer 2 needs a jet of degree 7", "all layers and signs of a regular tuple need degree 19"
    )


def test_a_changed_jet_is_not_realizable(run, jet) -> None:
    file = jet(7)
    document = json.loads(file.read_text())
    for position in (0, 3, len(document["coefficients"]) - 1):
        changed = json.loads(file.read_text())
        changed["coefficients"][position][1] = ["1/1000003"]
        other = file.with_name("changed.json")
        other.write_text(json.dumps(changed))
        run("recover", str(other)).assert_one_line(1, "not realizable: the coefficient of x")


@pytest.mark.parametrize(
    ("changes", "message"), [({"M": [[[0]], [[1]]]}, "the score of layer 1 is zero"), ({"L": [[0]]}, "the readout L is zero")]
)
def test_a_tuple_that_is_not_regular_is_undecided(run, jet, changes: dict[str, Any], message: str) -> None:
    run("recover", str(jet(7, **changes))).assert_one_line(3, message)


def test_other_files_are_refused(run, tmp_path: Path) -> None:
    file = tmp_path / "tuple.json"
    file.write_text(json.dumps(SCALAR))
    run("recover", str(file)).assert_one_line(2, 'a jet file, with "kind": "jet", was expected')


def test_a_small_file_of_a_huge_jet_ends(process, tmp_path: Path) -> None:
    file = tmp_path / "jet.json"
    head = {"symattn": 1, "kind": "jet", "tokens": 1024, "width": 1024, "outputs": 1024, "normalizers": ["exp(s)"] * 1000}
    file.write_text(json.dumps(head | {"order": 99999, "coefficients": []}))
    process("recover", str(file)).assert_one_line(3, "monomials")
    file.write_text(
        json.dumps(head | {"tokens": 2, "width": 1, "outputs": 1, "order": 999, "coefficients": [[[1, 0], [1]], [[0, 1], [1]]]})
    )
    process("recover", str(file)).assert_one_line(3, "not regular")
