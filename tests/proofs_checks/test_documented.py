"""docs/statements.md lists exactly the statements that have a check, with their labels and claims."""

from __future__ import annotations

import re
from pathlib import Path

import proofs_checks

PAGE = Path(__file__).parents[2] / "docs" / "statements.md"


def listed() -> dict[str, tuple[str, str]]:
    rows = re.findall(r"^\| (\S+) \| (.*?) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: (label, claim.replace("\\|", "|")) for name, label, claim in rows if name not in ("id", "---")}


def test_every_statement_is_listed_as_it_is_checked() -> None:
    assert listed() == {statement.id: (statement.label, statement.claim) for statement in proofs_checks.statements()}
