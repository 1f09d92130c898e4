"""symattn equal: yes with a reason, no with witnesses, undecided with a degree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tuple_file(tmp_path: Path):
    """Write a tuple of two tokens of width one with these changes, and return its file."""

    def write(name: str, **changes: Any) -> str:
        data: dict[str, Any] = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "L": [[1]], "M": [[[2]]]}
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(data | changes))
        return str(path)

    return write


def test_yes(run, tuple_file) -> None:
    files = tuple_file("a", normalizers="exp(2*s)"), tuple_file("b", M=[[[4]]])
    ran = run("equal", *files, "--json")
    assert (ran.code, ran.err, ran.document["equal"], ran.document["witness"]) == (0, "", True, None)
    assert "the scores differ by that factor" in ran.document["because"]
    assert run("equal", *files).out.startswith("equal    yes\n")


def test_no(run, tuple_file) -> None:
    files = tuple_file("a"), tuple_file("b", M=[[["2.5"]]])
    ran = run("equal", *files, "--json")
    assert (ran.code, ran.document["equal"]) == (1, False)
    witness = ran.document["witness"]
    assert witness["monomial"] == {"monomial": "x1_1^3", "degree": 3, "values": [["1/2"], ["5/8"]]}
    assert {"input", "output", "values", "exact"} == witness["input"].keys()
    text = run("equal", *files).out
    assert "x1_1^3 in the output of token 1: coefficients (1/2) and (5/8)" in text


def test_exact_values_for_rational_normalizers(run, tuple_file) -> None:
    files = tuple_file("a", normalizers="1+s"), tuple_file("b", normalizers="1/(1-s)")
    witness = run("equal", *files, "--json").document["witness"]
    assert witness["input"]["exact"] is True
    assert all("/" in value for value in witness["input"]["values"])


def test_shapes(run, tuple_file) -> None:
    ran = run("equal", tuple_file("a"), tuple_file("b", tokens=3))
    assert ran.code == 1
    assert "different shapes: tokens 2 and 3" in ran.out


def test_undecided(run, tuple_file) -> None:
    files = tuple_file("a", normalizers="gamma(1+s)"), tuple_file("b", normalizers="gamma(1+s)+gamma(1+s)")
    ran = run("equal", *files, "--json")
    assert (ran.code, ran.document["equal"], ran.document["agree_to"]) == (3, None, None)
    assert run("equal", *files).out.startswith("equal    undecided\n")


def test_max_degree(run, tuple_file) -> None:
    deep = {"normalizers": "exp(s)", "M": [[[1]], [[1]], [[1]]]}
    files = tuple_file("a", **deep), tuple_file("b", **deep | {"M": [[[1]], [[1]], [[2]]]})
    short, long = (run("equal", *files, "--max-degree", degree, "--json").document for degree in ("17", "19"))
    assert (short["equal"], short["witness"]["monomial"], short["agree_to"]) == (False, None, 17)
    assert (long["equal"], long["witness"]["monomial"]["degree"], long["agree_to"]) == (False, 19, 18)
    run("equal", *files, "--max-degree", "0").assert_one_line(2, "--max-degree", "an integer from 1")


def test_the_examples_differ_and_each_is_itself(run) -> None:
    effective, native = (str(ROOT / "examples" / f"tuple_{name}.json") for name in ("effective", "native"))
    assert run("equal", effective, native).code == 1
    assert run("equal", native, native).code == 0


def test_bad_files(run, tuple_file) -> None:
    run("equal", tuple_file("a"), tuple_file("b", M=[[["x"]]])).assert_one_line(2, "b.json: M[1][1][1]")
    run("equal", tuple_file("a"), "/nowhere/b.json").assert_one_line(2, "/nowhere/b.json")
    run("equal", tuple_file("a")).assert_one_line(2, "required: B")
