"""What a check found: the pieces of evidence it recorded, and the outcome they add up to (spec 02, kinds of evidence)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

__all__ = ["EmptyCheckError", "Evidence", "Kind", "Outcome", "Piece", "Verdict"]

Verdict = Literal["confirmed", "refuted", "undecided"]

Kind = Literal["identity", "instance", "enclosure", "refutation", "sampled"]
"""Kinds of evidence, strongest first: for all values of the symbols; exact on named instances; a proven interval; an exact
counterexample that shows a hypothesis to be needed; random trials."""

_STRENGTH: tuple[Kind, ...] = get_args(Kind)


class EmptyCheckError(RuntimeError):
    """A check that recorded no piece of evidence: it could not have failed."""


@dataclass(frozen=True)
class Piece:
    """One comparison: what was compared, the kind of evidence it is, its verdict, and what was found where it failed."""

    what: str
    kind: Kind
    verdict: Verdict
    found: str = ""

    def __str__(self) -> str:
        return self.what if self.verdict == "confirmed" else f"{self.verdict}: {self.what}: {self.found}"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a check.

    ``scope`` says in words what the check quantifies over; ``details`` lists the pieces, failing ones first. ``evidence``
    is "none" where nothing was established. Only an identity may be confirmed "for all": ``ValueError`` otherwise.
    """

    verdict: Verdict
    evidence: Kind | Literal["none"]
    scope: str
    details: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.verdict == "confirmed" and self.evidence != "identity" and "for all" in self.scope.lower():
            raise ValueError(f'evidence of kind "{self.evidence}" does not hold "for all": {self.scope}')


class Evidence:
    """Collects the pieces of a check. Every comparison is recorded; a failing one does not stop the check.

    >>> evidence = Evidence("instance")
    >>> evidence.equal(1 + 1, 2, "one and one")
    >>> evidence.outcome("the integers 1 and 1")
    Outcome(verdict='confirmed', evidence='instance', scope='the integers 1 and 1', details=('one and one',))
    """

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._pieces: list[Piece] = []

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces recorded so far."""
        return tuple(self._pieces)

    def judge(self, verdict: Verdict, what: str, found: str = "", *, kind: Kind | None = None) -> None:
        """Record a verdict that was reached elsewhere, with what was found."""
        self._pieces.append(Piece(what, kind or self._kind, verdict, found))

    def equal(self, found: object, claimed: object, what: str, *, kind: Kind | None = None) -> None:
        """Record whether two exact values, or matrices over one ring, are equal."""
        _refuse_floats(found, claimed)
        same = found.agrees_with(claimed) if hasattr(found, "agrees_with") else found == claimed
        self._record(same is True, what, (found, claimed), kind)

    def zero(self, found: object, what: str, *, kind: Kind | None = None) -> None:
        """Record whether an exact value, or every entry of a matrix in its ring, is zero."""
        self._record(_is_zero(found), what, (found, 0), kind)

    def nonzero(self, found: object, what: str, *, kind: Kind | None = None) -> None:
        """Record whether an exact value, or some entry of a matrix in its ring, is not zero."""
        self._record(not _is_zero(found), what, (0, "a nonzero value"), kind)

    def rank(self, matrix: Any, claimed: int, what: str, *, kind: Kind | None = None) -> None:
        """Record whether a FLINT matrix over an exact field has the claimed rank."""
        self.equal(int(matrix.rank()), claimed, f"rank of {what}", kind=kind)

    def _record(self, holds: bool, what: str, values: tuple[object, object], kind: Kind | None) -> None:
        # Values are written out only where they differ: a rational function can be long.
        found = "" if holds else f"found {_short(values[0])}, claimed {_short(values[1])}"
        self.judge("confirmed" if holds else "refuted", what, found, kind=kind)

    def outcome(self, scope: str) -> Outcome:
        """What the pieces add up to: refuted if one is, else undecided if one is, else confirmed.

        The kind of a confirmed check is the weakest kind of its pieces; otherwise it is that of the first failing piece.
        Raises :class:`EmptyCheckError` if there is no piece.
        """
        if not self._pieces:
            raise EmptyCheckError("the check recorded no piece of evidence, so it could not have failed")
        for verdict in ("refuted", "undecided"):
            failing = [piece for piece in self._pieces if piece.verdict == verdict]
            if failing:
                others = [piece for piece in self._pieces if piece.verdict != verdict]
                return Outcome(verdict, failing[0].kind, scope, _lines([*failing, *others]))
        return Outcome("confirmed", max((piece.kind for piece in self._pieces), key=_STRENGTH.index), scope, _lines(self._pieces))


def _lines(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """One line for each piece, repetitions counted."""
    counts: dict[str, int] = {}
    for piece in pieces:
        counts[str(piece)] = counts.get(str(piece), 0) + 1
    return tuple(line if count == 1 else f"{line} ({count} times)" for line, count in counts.items())


def _is_zero(value: Any) -> bool:
    _refuse_floats(value)
    return bool(value.is_zero()) if callable(getattr(value, "is_zero", None)) else bool(value == 0)


def _refuse_floats(*values: object) -> None:
    for value in values:
        if isinstance(value, (float, complex)):
            raise TypeError("a check compares exact values, not floats")
        if isinstance(value, (list, tuple)):
            _refuse_floats(*value)


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 200 else f"{text[:200]} .."
