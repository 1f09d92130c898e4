"""symattn check, --certificate and verify --certificates: files, exit codes, and what is said."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import symattn.certificates.check as checker
from proofs_checks.certificates import certified_ids

ROOT = Path(__file__).parents[2]
SPECTRUM = ROOT / "examples" / "scalar_depth_four_separating.json"
EXAMPLE = ROOT / "examples" / "contact_orders.certificate.json"
TUPLE = ROOT / "examples" / "tuple_effective.json"


@pytest.mark.parametrize(
    ("arguments", "proven"),
    [
        (("spectrum", str(SPECTRUM)), ["kernel", "orders", "rank"]),
        (("jet", str(TUPLE), "--order", "3"), ["jet-rank"]),
        (("jet", str(TUPLE), "--order", "3", "--rank", "points"), ["jet-rank-at-least"]),
        (("equal", str(TUPLE), str(TUPLE)), ["equal"]),
        (("enclose", str(SPECTRUM), "--t", "0.02", "--digits", "5"), ["singular-values"]),
    ],
)
def test_a_certificate_is_written_and_checks(run, tmp_path: Path, arguments: tuple[str, ...], proven: list[str]) -> None:
    file = tmp_path / "certificate.json"
    plain, ran = run(*arguments, "--json"), run(*arguments, "--certificate", str(file), "--json")
    assert ran.code == plain.code
    assert ran.document["certificate"] == {"file": str(file), "proven": proven, "assumed": []}
    checked = run("check", str(file), "--json")
    assert (checked.code, checked.document["verdict"]) == (0, "valid")
    (claim,) = checked.document["claims"]
    assert (claim["proven"], claim["assumed"], claim["file"]) == (proven, [], str(file))
    assert claim["claims"]
    assert "finds proven" in run(*arguments, "--certificate", str(file)).out


def test_a_difference(run, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    data = json.loads(TUPLE.read_text())
    data["L"][0][0] = "7/5"
    other.write_text(json.dumps(data))
    file = tmp_path / "certificate.json"
    ran = run("equal", str(TUPLE), str(other), "--certificate", str(file), "--json")
    assert (ran.code, ran.document["certificate"]["proven"]) == (1, ["different"])
    assert run("check", str(file)).code == 0


def test_without_a_certificate_the_result_stands(run, tmp_path: Path) -> None:
    data = json.loads(SPECTRUM.read_text()) | {"normalizers": "softplus(s)"}
    instance, file = tmp_path / "instance.json", tmp_path / "certificate.json"
    instance.write_text(json.dumps(data))
    ran = run("spectrum", str(instance), "--certificate", str(file), "--json")
    assert (ran.code, ran.err, ran.document["verdict"]) == (3, "", "confirmed")
    assert ran.document["certificate"]["file"] is None
    assert "softplus" in ran.document["certificate"]["because"]
    assert not file.exists()


def test_the_certificate_must_not_replace_the_input(run, tmp_path: Path) -> None:
    instance = tmp_path / "instance.json"
    shutil.copy(SPECTRUM, instance)
    ran = run("spectrum", str(instance), "--certificate", str(instance))
    assert (ran.code, ran.out) == (2, "")
    assert "it is the input file" in ran.err
    assert instance.read_bytes() == SPECTRUM.read_bytes()


def test_exit_codes_of_check(run, tmp_path: Path) -> None:
    valid = EXAMPLE.read_bytes()
    files = {"valid": valid, "invalid": valid.replace(b"[53,1]", b"[51,1]"), "malformed": valid[:-1], "empty": b""}
    assert files["invalid"] != valid
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    names = {name: str(tmp_path / name) for name in files}
    assert run("check", names["valid"]).code == 0
    ran = run("check", names["invalid"], names["valid"], "--json")
    assert (ran.code, ran.document["verdict"]) == (1, "invalid")
    assert [claim["verdict"] for claim in ran.document["claims"]] == ["invalid", "valid"]
    assert "order" in ran.document["claims"][0]["reason"]
    assert run("check", names["invalid"], names["malformed"]).code == 4
    assert run("check", names["empty"]).code == 4
    ran = run("check", names["valid"], str(tmp_path / "nothing"))
    assert (ran.code, ran.out) == (2, "")
    assert "the file cannot be read" in ran.err


def test_a_certificate_is_bound_to_its_instance(run, tmp_path: Path) -> None:
    files = {"instance": str(SPECTRUM), "other": str(ROOT / "examples" / "scalar_depth_four.json"), "tuple": str(TUPLE)}
    assert run("check", str(EXAMPLE), "--matches", files["instance"]).code == 0
    ran = run("check", str(EXAMPLE), "--matches", files["other"], "--json")
    assert (ran.code, ran.document["claims"][0]["reason"]) == (1, "the certificate is valid, but about another instance")
    assert run("check", str(EXAMPLE), "--matches", files["tuple"]).code == 1
    for command, matching in (
        (("equal", files["tuple"], files["tuple"]), (files["tuple"], files["tuple"])),
        (("jet", files["tuple"], "--order", "3"), (files["tuple"],)),
    ):
        written = str(tmp_path / command[0])
        run(*command, "--certificate", written)
        assert run("check", written, "--matches", *matching).code == 0
    ran = run("check", str(EXAMPLE), "--matches", *[files["tuple"]] * 3)
    assert (ran.code, ran.out) == (2, "")


def test_a_certificate_of_a_drawn_bank_matches_its_file(run, tmp_path: Path) -> None:
    written, instance = str(tmp_path / "certificate"), str(ROOT / "examples" / "mixed_degrees.json")
    run("spectrum", instance, "--certificate", written)
    assert run("check", written, "--matches", instance).code == 0


def test_a_pipe_is_not_waited_for(run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run("check", str(pipe)).code == 2


def test_the_time_bound_is_an_option(run, tmp_path: Path) -> None:
    ran = run("check", str(EXAMPLE), "--seconds", "0")
    assert (ran.code, ran.out) == (2, "")


def test_verify_writes_certificates(run, tmp_path: Path) -> None:
    directory = tmp_path / "new" / "certificates"
    ran = run("verify", "T1", "T2", "--quick", "--certificates", str(directory), "--json")
    assert ran.code == 0
    written = ran.document["certificates"]
    assert [each["statement"] for each in written] == ["T1"] * 2 + ["T2"] * 4
    assert sorted(str(file) for file in directory.iterdir()) == sorted(each["file"] for each in written)
    assert run("check", *(each["file"] for each in written)).code == 0


def test_statements_without_certificates_say_so(run, tmp_path: Path) -> None:
    ran = run("verify", "A.consensus", "--quick", "--certificates", str(tmp_path))
    (line,) = (line for line in ran.out.splitlines() if line.startswith("No certificates"))
    assert all(name in line for name in certified_ids())


def test_a_directory_that_cannot_be_made(run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = run("verify", "T1", "--quick", "--certificates", str(tmp_path / "file"))
    assert (ran.code, ran.out) == (2, "")
    assert "the directory cannot be made" in ran.err


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    """A copy of the one file, without site packages, in an empty directory."""
    copy = tmp_path / "check.py"
    shutil.copy(checker.__file__, copy)
    (tmp_path / "bad").write_bytes(EXAMPLE.read_bytes().replace(b"[53,1]", b"[51,1]"))
    (tmp_path / "worse").write_bytes(b"[")
    for files, code in (([str(EXAMPLE)], 0), ([str(EXAMPLE), "bad"], 1), (["bad", "worse"], 4)):
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(copy), *files], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (code, "")
        assert len(done.stdout.splitlines()) == len(files)


def test_the_example_is_what_the_command_writes(run, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    run("spectrum", str(SPECTRUM), "--certificate", str(file))
    assert file.read_bytes() == EXAMPLE.read_bytes()
