"""The register, the runner and the collector of evidence."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from proofs_checks import framework
from proofs_checks.evidence import EmptyCheckError, Evidence, Outcome
from proofs_checks.framework import Effort, run, statement, statements
from symattn.errors import BudgetError, InputError


@pytest.fixture
def register(monkeypatch):
    """An empty register that discovers no module."""
    monkeypatch.setattr(framework, "_register", {})
    monkeypatch.setattr(framework.pkgutil, "iter_modules", lambda path: [])


def _add(name, check):
    statement(name, label="(1)", group="Identification", claim="a claim")(check)


def test_weakest_piece_is_the_evidence_of_the_check():
    evidence = Evidence("identity")
    evidence.zero(Fraction(0), "an identity")
    assert evidence.outcome("for all symbols").evidence == "identity"
    evidence.nonzero(3, "an instance", kind="instance")
    assert evidence.outcome("some").evidence == "instance"
    evidence.equal((1, 2), (1, 2), "a sample", kind="sampled")
    assert evidence.outcome("some").evidence == "sampled"


@pytest.mark.parametrize(
    "fail",
    [
        lambda evidence: evidence.equal(1, 2, "broken"),
        lambda evidence: evidence.zero(Fraction(1, 3), "broken"),
        lambda evidence: evidence.nonzero(0, "broken"),
        lambda evidence: evidence.judge("refuted", "broken"),
    ],
)
def test_one_failing_piece_refutes_and_is_named_first(fail):
    evidence = Evidence("instance")
    evidence.equal(1, 1, "fine")
    evidence.judge("undecided", "open")
    fail(evidence)
    outcome = evidence.outcome("some")
    assert outcome.verdict == "refuted"
    assert outcome.details[0].startswith("refuted: broken")


def test_undecided_piece_leaves_the_check_undecided():
    evidence = Evidence("instance")
    evidence.equal(1, 1, "fine")
    evidence.judge("undecided", "open", "a budget ended", kind="enclosure")
    outcome = evidence.outcome("some")
    assert (outcome.verdict, outcome.evidence, outcome.details[0]) == ("undecided", "enclosure", "undecided: open: a budget ended")


def test_rank_piece():
    from flint import fmpq_mat

    evidence = Evidence("instance")
    evidence.rank(fmpq_mat([[1, 2], [2, 4]]), 1, "a matrix")
    assert evidence.outcome("some").verdict == "confirmed"
    evidence.rank(fmpq_mat([[1, 2], [2, 4]]), 2, "a matrix")
    assert evidence.outcome("some").verdict == "refuted"


def test_repeated_pieces_are_counted():
    evidence = Evidence("instance")
    for _ in range(3):
        evidence.zero(0, "again")
    assert evidence.outcome("some").details == ("again (3 times)",)


def test_check_without_pieces_is_an_error():
    with pytest.raises(EmptyCheckError):
        Evidence("identity").outcome("nothing")


def test_instance_never_reads_for_all():
    with pytest.raises(ValueError, match="for all"):
        Outcome("confirmed", "instance", "For all matrices")
    Outcome("confirmed", "identity", "for all matrices")


@pytest.mark.parametrize("value", [0.0, 1j, [0.5], (1, [0.5])])
def test_floats_are_refused(value):
    with pytest.raises(TypeError):
        Evidence("instance").equal(value, value, "a float")


def test_run_reports_and_survives_errors(register):
    def out_of_budget(effort):
        raise BudgetError("precision 3 did not do: raise it")

    def faulty(effort):
        raise ZeroDivisionError("division by zero")

    def fine(effort):
        effort.report("half-way")
        return Outcome("confirmed", "instance", f"at {effort.level} effort")

    for name, check in (("x.budget", out_of_budget), ("x.fault", faulty), ("x.fine", fine)):
        _add(name, check)
    messages, seen = [], []
    results = run(effort="full", report=messages.append, finished=seen.append)
    assert [result.outcome.verdict for result in results] == ["undecided", "undecided", "confirmed"]
    assert "precision 3" in results[0].outcome.scope
    assert "fault in the check" in results[1].outcome.scope
    assert seen == results
    assert "x.fine: half-way" in messages
    assert results[2].to_json()["scope"] == "at full effort"
    assert [result.statement.id for result in run(["x.fine"])] == ["x.fine"]


def test_interrupt_is_not_swallowed(register):
    def stopped(effort):
        raise KeyboardInterrupt

    _add("x.stopped", stopped)
    with pytest.raises(KeyboardInterrupt):
        run()


def test_unknown_id_is_bad_input(register):
    _add("x.fine", lambda effort: Outcome("confirmed", "instance", "some"))
    with pytest.raises(InputError, match="x.fine"):
        run(["x.fin"])


def test_two_checks_for_one_statement_are_refused(register):
    def first(effort): ...

    def second(effort): ...

    _add("x.twice", first)
    _add("x.twice", first)
    with pytest.raises(ValueError, match="two checks"):
        _add("x.twice", second)


def test_unknown_group_is_refused(register):
    with pytest.raises(ValueError, match="unknown group"):
        statement("x.y", label="", group="Elsewhere", claim="")


def test_effort_picks():
    assert [Effort(level).pick(1, 2, 3) for level in ("quick", "default", "full")] == [1, 2, 3]


def test_statements_are_listed_by_group_and_id():
    listed = [(framework.GROUPS.index(entry.group), entry.id) for entry in statements()]
    assert listed == sorted(listed)
    assert len({identifier for _, identifier in listed}) == len(listed)


def test_importing_the_package_is_cheap():
    program = "import sys, proofs_checks; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
