"""symattn expand: keys, variables, LaTeX, and input that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import ROOT

SYMBOLIC = str(ROOT / "examples" / "scalar_symbolic.json")


def test_the_document(run) -> None:
    ran = run("expand", SYMBOLIC, "--order", "6", "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    assert (document["variable"], document["order"], document["remainder"]) == ("t", 6, "O(t^7)")
    assert document["symbols"] == ["b", "c", "m", "z"]
    assert [layer["layer"] for layer in document["layers"]] == [1, 2]
    assert document["layers"][0]["mean"] == [{"0": "m", "2": "b*m*z**2", "6": "-1/3*b**3*m**3*z**4 - b**3*m*z**6"}]
    assert document["layers"][1]["contrast"] == [[{}], [{}]]
    assert document["input"]["tokens"] == [[{"0": "m + z"}], [{"0": "m - z"}]]


@pytest.mark.parametrize(("variable", "first"), [("t", "m + (b*m*z**2) t^2 + O(t^4)"), ("eps", "m + (b*m*z**2) eps^2 + O(eps^4)")])
def test_the_text(run, variable: str, first: str) -> None:
    ran = run("expand", SYMBOLIC, "--order", "3", "--in", variable)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert f"  mean: {first}" in lines
    assert "after layer 2" in lines


def test_latex(run) -> None:
    ran = run("expand", SYMBOLIC, "--order", "2", "--latex")
    assert ran.out.startswith("\\begin{aligned}\n\\mu^{(1)} &= m + b m z^{2} t^{2} + O")


def test_a_file_without_symbols(run) -> None:
    document = run("expand", str(ROOT / "examples" / "scalar_depth_four.json"), "--order", "4", "--input", "2", "--json").document
    assert document["symbols"] == []
    assert len(document["layers"]) == 4
    other = run("expand", str(ROOT / "examples" / "scalar_depth_four.json"), "--order", "4", "--json").document
    assert other["layers"] != document["layers"]


def test_bad_input_is_one_line(run, tmp_path: Path) -> None:
    run("expand", SYMBOLIC, "--order", "2", "--input", "2").assert_one_line(2, "input: an input from 1 to 1 was expected")
    run("expand", "missing.json", "--order", "2").assert_one_line(2, "missing.json", "cannot be read")
    data = json.loads(Path(SYMBOLIC).read_text())
    file = tmp_path / "s.json"
    for change, message in (
        ({"bank": [[["m +"], [1]]]}, "bank[1][1][1]"),
        ({"bank": [[["t"], [1]]]}, "another name"),
        ({"normalizers": "2**s"}, "log"),
    ):
        file.write_text(json.dumps(data | change))
        ran = run("expand", str(file), "--order", "2")
        ran.assert_one_line(3 if "normalizers" in change else 2, message)


def test_hostile_input_ends(process, tmp_path: Path) -> None:
    """Deep nesting, huge orders and polynomials that would fill the memory, with 2 GB and 60 seconds."""
    process("expand", SYMBOLIC, "--order", "9" * 50).assert_one_line(2, "--order")
    file = tmp_path / "s.json"
    tokens = [[["a+b+c+d+e+f+g"], ["a*b+c*d+e*f*g"]]]
    layers = [{"U": [["a+b+c+d+e+f+g+h+i"]], "W": [[1]]}] * 3
    file.write_text(json.dumps({"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": layers, "bank": tokens}))
    process("expand", str(file), "--order", "60").assert_one_line(3, "too many terms")
