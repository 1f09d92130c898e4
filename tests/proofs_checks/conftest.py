"""What every check must survive: it is confirmed as it stands, and refuted once a claim in it is broken."""

from __future__ import annotations

import pytest

from proofs_checks.framework import Effort, statements


@pytest.fixture
def check():
    """The outcome of one check; unlike ``run`` it lets every exception through."""

    def run_one(identifier, level="quick"):
        (entry,) = (entry for entry in statements() if entry.id == identifier)
        return entry.check(Effort(level))

    return run_one


@pytest.fixture
def assert_refuted(check):
    """The check is refuted, and the first detail names the broken claim."""

    def assert_one(identifier, naming=""):
        outcome = check(identifier)
        assert outcome.verdict == "refuted", outcome
        assert naming in outcome.details[0]

    return assert_one
