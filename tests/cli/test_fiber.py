"""symattn fiber: kinds, exit codes, LaTeX, and files that are not tuples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
KEYS = {"kind", "sign_layers", "free_layers", "source", "degree", "degree_is_sharp", "hypotheses", "missing", "exactness"}


@pytest.fixture
def tuple_file(tmp_path: Path):
    """Write a tuple of two tokens of width one with these changes, and return its file."""

    def write(name: str = "tuple.json", **changes: Any) -> str:
        data: dict[str, Any] = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "L": [[1]], "M": [[[2]]]}
        path = tmp_path / name
        path.write_text(json.dumps(data | changes))
        return str(path)

    return write


@pytest.mark.parametrize(
    ("changes", "kind", "signs", "free", "degree"),
    [
        ({}, "singleton", [], [], 3),
        ({"normalizers": "cosh(s)", "M": [[[2]], [[3]]]}, "signs", [1, 2], [], 13),
        ({"M": [[[2]], [[0]], [[3]]]}, "free-suffix", [], [3], 7),
        ({"L": [[0]]}, "zero-readout", [], [1], 1),
    ],
)
def test_covered_fibers(run, tuple_file, changes: dict[str, Any], kind: str, signs: list[int], free: list[int], degree: int) -> None:
    ran = run("fiber", tuple_file(**changes), "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    assert document.keys() >= KEYS
    assert [document[key] for key in ("kind", "sign_layers", "free_layers", "degree")] == [kind, signs, free, degree]
    text = run("fiber", tuple_file(**changes)).out
    assert text.split()[:2] == ["fiber", f"{kind}:"]
    assert f"up to degree {degree} determine it" in " ".join(text.split())


def test_open_fibers_exit_with_three_and_show_a_jet(run, tuple_file) -> None:
    skew = {"width": 2, "L": [[1, 1]], "M": [[[0, 1], [-1, 0]], [[1, 2], [3, 4]]], "normalizers": ["exp(s**2)", "exp(s)"]}
    ran = run("fiber", tuple_file(**skew), "--json")
    assert ran.code == 3
    assert ran.document["kind"] == "open"
    assert ran.document["missing"]
    assert ran.document["jet"]["rank"] + ran.document["jet"]["kernel"] == ran.document["jet"]["parameters"] == 10
    text = run("fiber", tuple_file(**skew)).out
    assert "missing" in text
    assert "first degrees" in text


def test_mixed_prefixes_are_closed_by_exact_computation(run, tuple_file) -> None:
    mixed = {"tokens": 3, "width": 2, "L": [[1, 2]], "M": [[[1, 2], [2, 4]], [[0, 1], [-1, 0]], [[1, 2], [0, -1]]]}
    ran = run("fiber", tuple_file(**mixed), "--json")
    assert (ran.code, ran.document["kind"], ran.document["degree"]) == (0, "singleton", 23)
    assert ran.document["source"] == "exact computation of leading contrasts"


def test_latex(run, tuple_file) -> None:
    ran = run("fiber", tuple_file(normalizers="cosh(s)"), "--latex")
    assert (ran.code, ran.out) == (0, "\\{L\\} \\times \\{\\pm M_{1}\\}\n")


def test_the_examples(run) -> None:
    assert run("fiber", str(ROOT / "examples" / "tuple_effective.json"), "--json").document["sign_layers"] == [2]
    assert run("fiber", str(ROOT / "examples" / "tuple_native.json"), "--json").document["kind"] == "singleton"


def test_stored_floats_are_named(run, tuple_file) -> None:
    assert "exact for the stored binary64 values" in run("fiber", tuple_file(M=[[["0x1.999999999999ap-4"]]])).out


def test_bad_files(run, tuple_file, tmp_path: Path) -> None:
    run("fiber", tuple_file(M=[[[1, 2]]])).assert_one_line(2, "M[1]", "1 x 1")
    run("fiber", tuple_file(M=[[["NaN"]]])).assert_one_line(2, "M[1][1][1]")
    run("fiber", tuple_file(tokens=1)).assert_one_line(2, "tokens")
    run("fiber", tuple_file(M=[])).assert_one_line(2, "M")
    run("fiber", tuple_file(normalizers="Abs(s)+1")).assert_one_line(2, "normalizers")
    run("fiber", str(tmp_path / "absent.json")).assert_one_line(2, "absent.json")
    run("fiber", str(ROOT / "examples" / "mixed_degrees.json")).assert_one_line(2, "mixed_degrees.json")
