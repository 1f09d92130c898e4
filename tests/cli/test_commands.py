"""Every command: JSON keys, exit codes, streams, and the example that its help shows."""

from __future__ import annotations

import argparse
import importlib.util
import json
import shlex
from pathlib import Path

import pytest

from symattn import __version__
from symattn.cli.parser import build_parser

from .conftest import ROOT


def parsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The subcommands of a parser."""
    return next((action.choices for action in parser._actions if isinstance(action.choices, dict)), {})


COMMANDS = list(parsers(build_parser()))
PLOTS = [f"plot {kind}" for kind in parsers(parsers(build_parser())["plot"])]
SCALAR = "examples/scalar_depth_four.json"


@pytest.fixture(autouse=True)
def _in_a_copy_of_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)


def help_text(run, command: str) -> str:
    ran = run(*command.split(), "--help")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_the_commands_of_the_specification_are_there() -> None:
    assert {"normalizer", "table", "spectrum", "verify"} <= set(COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, *PLOTS])
def test_the_example_in_the_help_runs(run, command: str) -> None:
    (example,) = [line.strip() for line in help_text(run, command).split("example:\n", 1)[1].splitlines() if line.strip()]
    name, *arguments = shlex.split(example)
    assert name == "symattn"
    assert arguments[: len(command.split())] == command.split()
    if command == "recover":
        assert run("jet", "examples/tuple_effective.json", "--order", "9", "--out", "jet.json").code == 0
    ran = run(*arguments)
    if command.startswith("plot") and importlib.util.find_spec("matplotlib") is None:
        ran.assert_one_line(2, "matplotlib is needed: pip install 'symattn[plot]'")
        return
    assert ran.code in ((0, 1) if command == "equal" else (0,)), ran  # two tuples may well differ
    assert ran.out.strip()
    assert ran.err == ""


def test_help_and_version_are_on_stdout(run) -> None:
    ran = run("--help")
    assert (ran.code, ran.err) == (0, "")
    assert all(command in ran.out for command in COMMANDS)
    assert "Exit codes: 0 verified, 1 refuted or mismatch, 2 bad usage or input" in " ".join(ran.out.split())
    assert run("--version").out == f"symattn {__version__}\n"


def test_normalizer(run) -> None:
    ran = run("normalizer", "exp(s+s**2)", "--json")
    document = ran.document
    keys = {"k", "coefficient", "first_odd_degree", "first_even_degree", "is_even", "log_is_odd", "log_series"}
    assert keys <= document.keys()
    assert (ran.code, document["k"], document["coefficient"], document["is_even"], document["log_is_odd"]) == (0, 1, "1", False, False)
    assert document["log_series"][:4] == ["0", "1", "1", "0"]
    assert run("normalizer", "exp(s**2)", "--json").document["first_odd_degree"] is None
    text = run("normalizer", "cosh(s)")
    assert text.code == 0
    assert "2: the first nonconstant degree" in text.out


def test_table(run) -> None:
    document = run("table", "--depth", "3", "--k", "1,2", "--width", "4", "--rank", "2", "--tokens", "4", "--json").document
    assert {"rows", "kernel", "verified"} <= document.keys()
    assert document["kernel"] == 44
    assert document["verified"] is None
    assert document["rows"][2] == {"k": 1, "i": 3, "beta_i": 17, "multiplicity": 12, "alpha_i": 27, "N_i": 19}
    assert len(document["rows"]) == 6


def test_table_verified(run) -> None:
    ran = run("table", "--depth", "3", "--verify", "--json")
    assert ran.code == 0
    assert ran.document["verified"]["verdict"] == "confirmed"
    assert ran.document["rows"][2]["found"] == {"order": 17, "multiplicity": 1}
    text = run("table", "--depth", "3", "--verify")
    assert "verdict  confirmed" in text.out
    assert "17 (1)" in text.out


def test_a_table_of_which_nothing_was_computed_is_undecided(run) -> None:
    ran = run("table", "--depth", "2", "--tokens", "1024", "--width", "64", "--rank", "64", "--verify", "--budget", "1")
    assert ran.code == 3
    assert "layers 1 to 2 were not computed" in " ".join(ran.out.split())


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "csv", "json"])
def test_table_formats(run, style: str) -> None:
    ran = run("table", "--depth", "2", "--format", style)
    assert (ran.code, ran.err) == (0, "")
    assert "17" not in ran.out
    assert "5" in ran.out
    if style == "json":
        assert json.loads(ran.out)["rows"]


def test_spectrum(run) -> None:
    ran = run("spectrum", "examples/mixed_degrees.json", "--json")
    keys = {"orders", "rank", "kernel", "shape", "method", "primes", "precision", "proves", "prediction", "verdict", "bank"}
    assert keys <= ran.document.keys()
    assert {"orders", "kernel", "source", "hypotheses"} <= ran.document["prediction"].keys()
    assert {"size", "separating", "least"} <= ran.document["bank"].keys()
    assert (ran.code, ran.err) == (0, "")
    assert (ran.document["orders"], ran.document["rank"], ran.document["kernel"]) == ([[0, 4], [1, 3], [7, 4]], 11, 9)


def test_spectrum_options(run) -> None:
    for method in ("padic", "series", "leading"):
        assert run("spectrum", "examples/mixed_degrees.json", "--method", method, "--json").document["method"] == method
    document = run(
        "spectrum", "examples/mixed_degrees.json", "--primes", "10007,10009", "--precision", "9", "--all-rows", "--json"
    ).document
    assert (document["primes"], document["precision"], document["rows_used"]) == ([10007, 10009], 9, document["shape"][0])


def test_an_undecided_spectrum_exits_with_3_and_prints_its_finding(run) -> None:
    ran = run("spectrum", SCALAR)
    assert (ran.code, ran.err) == (3, "")
    assert "verdict     undecided" in ran.out
    assert run("spectrum", SCALAR, "--json").document["verdict"] == "undecided"


def test_precision_one_is_raised_and_never_taken_for_a_kernel(run) -> None:
    document = run("spectrum", "examples/mixed_degrees.json", "--precision", "1", "--json").document
    assert (document["verdict"], document["kernel"]) == ("confirmed", 9)
    assert document["precision"] > 3


def test_results_and_errors_go_to_different_streams(process) -> None:
    good, bad = process("table", "--depth", "2"), process("table", "--depth", "0")
    assert (good.code, good.err) == (0, "")
    assert (bad.code, bad.out) == (2, "")
    assert bad.err.count("\n") == 1


def test_no_command_is_bad_usage(run) -> None:
    run().assert_one_line(2, "COMMAND")
    run("spectra").assert_one_line(2, "invalid choice: 'spectra'")
