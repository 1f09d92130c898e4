"""The register of checked statements, and how they are run.

A check is a function from an :class:`Effort` to an :class:`~proofs_checks.evidence.Outcome`, registered under the id of its statement:

    @statement("A.affine", label="A.1", group="Identification", claim="a layer keeps affine subspaces: weights sum to one")
    def affine(effort: Effort) -> Outcome: ...
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from proofs_checks.evidence import Outcome
from symattn.errors import InputError, SymattnError
from symattn.progress import Report, silent

__all__ = ["GROUPS", "Effort", "Level", "Result", "Statement", "run", "statement", "statements"]

T = TypeVar("T")
Level = Literal["quick", "default", "full"]

GROUPS = ("Identification", "Exceptional fibers", "Finite jets", "Native spectra")
"""The groups in the order in which they are listed."""


@dataclass(frozen=True)
class Effort:
    """How much work a check may do, and whom it tells about its progress. Effort changes the scope, never the meaning."""

    level: Level = "default"
    report: Report = silent

    def pick(self, quick: T, default: T, full: T) -> T:
        """The choice for this level.

        >>> Effort("quick").pick(1, 2, 3)
        1
        """
        return {"quick": quick, "default": default, "full": full}[self.level]


Check = Callable[[Effort], Outcome]


@dataclass(frozen=True)
class Statement:
    """A statement of spec 02 with its check: ``id`` is ours, ``label`` the paper's."""

    id: str
    label: str
    claim: str
    group: str
    check: Check


@dataclass(frozen=True)
class Result:
    """A statement, the outcome of its check, and the seconds it took."""

    statement: Statement
    outcome: Outcome
    seconds: float

    def to_json(self) -> dict[str, object]:
        """The keys of ``symattn verify --json`` (spec 07), and the claim, the group and the details."""
        return {
            "id": self.statement.id,
            "label": self.statement.label,
            "claim": self.statement.claim,
            "group": self.statement.group,
            "verdict": self.outcome.verdict,
            "evidence": self.outcome.evidence,
            "scope": self.outcome.scope,
            "details": list(self.outcome.details),
            "seconds": round(self.seconds, 3),
        }


_register: dict[str, Statement] = {}


def statement(id: str, *, label: str, group: str, claim: str) -> Callable[[Check], Check]:  # noqa: A002 - the field's own name
    """Register a check under the id of its statement. ``ValueError`` for an id taken by another check, or an unknown group."""
    if group not in GROUPS:
        raise ValueError(f"unknown group {group!r}: expected one of {', '.join(GROUPS)}")

    def register(check: Check) -> Check:
        known = _register.get(id)
        if known is not None and (known.check.__module__, known.check.__qualname__) != (check.__module__, check.__qualname__):
            raise ValueError(f"two checks for the statement {id}")
        _register[id] = Statement(id, label, claim, group, check)
        return check

    return register


def statements() -> tuple[Statement, ...]:
    """Every statement that has a check, group by group and by id within a group; nothing is run."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"proofs_checks.{module.name}")
    return tuple(sorted(_register.values(), key=lambda known: (GROUPS.index(known.group), known.id)))


def run(
    ids: Sequence[str] = (),
    effort: Level = "default",
    report: Report = silent,
    finished: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Check the statements with these ids (all of them if none is named), in the order of :func:`statements`.

    ``report`` is told what is being done; ``finished`` gets every result as soon as it is there. A check that raises a
    :class:`SymattnError` is undecided, with its message; any other exception is a fault in the check, which leaves the
    statement undecided too. Raises :class:`InputError` for an id that has no check.
    """
    known = {entry.id: entry for entry in statements()}
    for wanted in ids:
        if wanted not in known:
            close = difflib.get_close_matches(wanted, known, n=3, cutoff=0.3)
            raise InputError(f"no check for {wanted!r}; did you mean {', '.join(close) or 'one of the ids that are listed'}?", where="ids")
    results = []
    for entry in known.values():
        if ids and entry.id not in ids:
            continue
        report(entry.id)
        results.append(_checked(entry, Effort(effort, lambda message, entry=entry: report(f"{entry.id}: {message}"))))  # type: ignore[misc]
        if finished is not None:
            finished(results[-1])
    return results


def _checked(entry: Statement, effort: Effort) -> Result:
    start = time.perf_counter()
    try:
        outcome = entry.check(effort)
    except SymattnError as error:
        outcome = Outcome("undecided", "none", f"not decided: {error}")
    except Exception as error:  # a fault must not hide the other statements
        outcome = Outcome("undecided", "none", f"undecided (fault in the check): {type(error).__name__}: {error}")
    return Result(entry, outcome, time.perf_counter() - start)
