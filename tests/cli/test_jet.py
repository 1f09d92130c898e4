"""symattn jet: keys, the file it writes, choices of rank, and input that cannot be used."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from symattn.network.jet_files import read_jet

from .conftest import ROOT

SCALAR = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": ["exp(s)", "exp(s**2)"], "L": [[2]], "M": [[[3]], [["1/2"]]]}


@pytest.fixture
def scalar(tmp_path: Path) -> str:
    file = tmp_path / "scalar.json"
    file.write_text(json.dumps(SCALAR))
    return str(file)


def test_the_document(run, scalar: str) -> None:
    ran = run("jet", scalar, "--order", "9", "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    assert {"order", "coefficients", "rank", "parameters", "immersion"} <= document.keys()
    assert (document["order"], document["rank"], document["parameters"], document["immersion"]) == (9, 3, 3, True)
    assert document["coefficients"][:2] == [[[1, 0], ["1"]], [[0, 1], ["1"]]]
    assert document["first_degrees"] == {"L": 1, "M1": 3, "M2": 9}
    assert document["least_immersion_order"] == 9
    assert (document["verdict"], document["prediction"]["N_i"], document["prediction"]["N_sign"]) == ("confirmed", [3, 9], 9)
    assert document["kernel"] == []
    assert document["rank_is"] == "exact"


def test_the_kernel_below_the_order_of_immersion(run, scalar: str) -> None:
    document = run("jet", scalar, "--order", "7", "--json").document
    assert (document["rank"], document["immersion"], document["kernel"]) == (2, False, [["0", "0", "1"]])
    assert document["least_immersion_order"] is None


def test_the_file(run, scalar: str, tmp_path: Path) -> None:
    out = tmp_path / "jet.json"
    ran = run("jet", scalar, "--order", "5", "--out", str(out), "--rank", "none")
    assert ran.code == 0
    assert "not computed" in ran.out
    jet = read_jet(out)
    document = run("jet", scalar, "--order", "5", "--json").document
    assert [[list(e), [str(v) for v in values]] for e, values in jet.coefficients.items()] == document["coefficients"]


def test_rank_from_points(run, scalar: str) -> None:
    document = run("jet", scalar, "--order", "9", "--rank", "points", "--json").document
    assert (document["rank"], document["immersion"], document["rank_is"], document["verdict"]) == (
        3,
        True,
        "a proven lower bound",
        "undecided",
    )
    assert run("jet", scalar, "--order", "9", "--rank", "points").code == 0


def test_a_tuple_that_is_not_regular_has_a_jet(run, tmp_path: Path) -> None:
    file = tmp_path / "zero.json"
    file.write_text(json.dumps(SCALAR | {"M": [[[0]], [[1]]]}))
    ran = run("jet", str(file), "--order", "3")
    assert ran.code == 0
    assert "hypothesis fails: sym(M_i) is not zero (layer 1)" in " ".join(ran.out.split())


def test_outputs_that_are_refused_before_any_work(run, scalar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*arguments: object) -> None:
        raise AssertionError("the jet was computed")

    monkeypatch.setattr("symattn.verification.jets.verify_jet", work)
    before = Path(scalar).read_text()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = ("jet", scalar, "--order", "5", "--out")
    run(*command, str(pipe)).assert_one_line(2, f"{pipe}: the file cannot be written: a directory, pipe or device has this name")
    run(*command, str(tmp_path)).assert_one_line(2, "a directory, pipe or device")
    run(*command, scalar).assert_one_line(2, f"{scalar}: the file cannot be written: it is the input file")
    run(*command, "").assert_one_line(2, "argument --out: a file name was expected")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert Path(scalar).read_text() == before


def test_long_numbers(run, tmp_path: Path) -> None:
    """A fraction whose derived coefficients have more digits than Python turns into text by default."""
    file = tmp_path / "long.json"
    file.write_text(json.dumps(SCALAR | {"normalizers": "exp(s)", "M": [[["1/" + "7" * 3500]]]}))
    nearby = tmp_path / "nearby.json"
    nearby.write_text(file.read_text().replace('77"', '79"'))
    document = run("jet", str(file), "--order", "7", "--json").document
    longest = max(len(value) for _, values in document["coefficients"] for value in values)
    assert longest > 4300
    assert run("jet", str(file), "--order", "7").code == 0
    run("jet", str(file), "--order", "7", "--out", str(tmp_path / "jet.json")).assert_one_line(2, "digits cannot be written")
    assert not (tmp_path / "jet.json").exists()
    assert run("equal", str(file), str(nearby)).code == 1
    assert run("equal", str(file), str(nearby), "--json").document["equal"] is False


def test_bad_input_is_one_line(run, scalar: str, tmp_path: Path) -> None:
    run("jet", scalar, "--order", "0").assert_one_line(2, "--order")
    run("jet", scalar, "--order", "5", "--out", str(tmp_path / "no" / "jet.json")).assert_one_line(2, "cannot be written")
    run("jet", str(ROOT / "examples" / "scalar_symbolic.json"), "--order", "3").assert_one_line(2, "scalar_symbolic.json")
    run("jet", str(ROOT / "examples" / "tuple_effective.json"), "--order", "99999").assert_one_line(3, "monomials")
    assert list(tmp_path.iterdir()) == [Path(scalar)]
