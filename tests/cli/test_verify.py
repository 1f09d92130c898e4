"""``symattn verify``: ids, effort, verdicts and exit codes, with a register of our own."""

from __future__ import annotations

import pytest

from proofs_checks import framework
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, Statement
from symattn.errors import UndecidedError


def outcome(claimed: int) -> Outcome:
    evidence = Evidence("instance")
    evidence.equal(2, claimed, "one and one")
    return evidence.outcome("the integers 1 and 1")


def undecided(effort: Effort) -> Outcome:
    raise UndecidedError("a root of unity could not be told from 1: more digits would tell")


def broken(effort: Effort) -> Outcome:
    raise ZeroDivisionError("division by zero\nin a check")


CHECKS = {
    "A.right": lambda effort: outcome(2),
    "A.wrong": lambda effort: outcome(3),
    "B.open": undecided,
    "B.broken": broken,
    "C.level": lambda effort: Outcome("confirmed", "instance", f"effort {effort.level}"),
}


@pytest.fixture(autouse=True)
def _register(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {name: Statement(name, "label", "claim", framework.GROUPS[0], check) for name, check in CHECKS.items()}
    monkeypatch.setattr(framework, "statements", lambda: tuple(known.values()))


def test_confirmed_is_0(run) -> None:
    ran = run("verify", "A.right", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.document["summary"] == {
        "confirmed": 1,
        "refuted": 0,
        "undecided": 0,
        "sampled": 0,
        "effort": "default",
        "verdict": "confirmed",
    }
    (entry,) = ran.document["statements"]
    assert {"id", "label", "verdict", "evidence", "scope", "seconds"} <= entry.keys()
    assert (entry["id"], entry["evidence"], entry["scope"]) == ("A.right", "instance", "the integers 1 and 1")


def test_refuted_is_1_and_shows_what_was_found(run) -> None:
    ran = run("verify", "A.right", "A.wrong")
    assert (ran.code, ran.err) == (1, "")
    assert "1 confirmed, 1 refuted, 0 undecided" in ran.out
    assert "one and one: found 2, claimed 3" in ran.out


@pytest.mark.parametrize("name", ["B.open", "B.broken"])
def test_undecided_is_3_and_says_why(run, name: str) -> None:
    ran = run("verify", "A.right", name)
    assert (ran.code, ran.err) == (3, "")
    shown = " ".join(ran.out.split())
    assert ("more digits would tell" if name == "B.open" else "fault in the check") in shown
    assert "Traceback" not in ran.out


def test_refuted_outweighs_undecided(run) -> None:
    ran = run("verify", "--json")
    assert ran.code == 1
    assert ran.document["summary"]["verdict"] == "refuted"
    assert [entry["id"] for entry in ran.document["statements"]] == list(CHECKS)


@pytest.mark.parametrize(("option", "level"), [("--quick", "quick"), ("--full", "full"), (None, "default")])
def test_effort(run, option: str | None, level: str) -> None:
    ran = run("verify", "C.level", "--json", *([option] if option else []))
    assert ran.document["summary"]["effort"] == level
    assert ran.document["statements"][0]["scope"] == f"effort {level}"


def test_quick_and_full_exclude_each_other(run) -> None:
    run("verify", "--quick", "--full").assert_one_line(2, "not allowed with")


def test_an_unknown_id_is_bad_input_and_close_ones_are_named(run) -> None:
    run("verify", "A.rihgt").assert_one_line(2, "'A.rihgt'", "A.right")
    run("verify", "A.right", "xyz").assert_one_line(2, "'xyz'")
    run("verify", "x" * 100_000).assert_one_line(2, "ids")
    run("verify", "\x1b[31mA\nright").assert_one_line(2, "ids")
