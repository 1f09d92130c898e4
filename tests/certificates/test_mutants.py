"""Every field of certificates of every kind is changed; both checkers reject every mutant, or the mutant states something that is true.

A mutant may be accepted in four cases only, and the test says which:

* *the same statement*: only evidence was changed (another row that serves, another precision of balls), and it was re-checked;
* *a weaker statement*: an enclosure was widened, which the original implies; or `kernel-at-least` with a vector left out;
* *a sharper enclosure*, which the package itself must find true too;
* *another statement that is true*: the instance was changed and its digest made to fit; then the package itself, which found the original
  without the checker, must find that the claim holds for the changed instance too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from symattn.certificates import check as first_checker

from . import oracle, second_checker
from .mutations import mutants
from .samples import SAMPLES, sample

SHARE = 7
"""Every seventh mutant is in the default run; all are in the slow one."""


def is_justified(original: dict[str, Any], mutant: dict[str, Any]) -> bool:
    """Whether an accepted mutant is one of the cases of the module's text."""
    statement = ("kind", "instance", "claim")
    if all(original[key] == mutant[key] for key in statement):
        return True
    if original["instance"] == mutant["instance"]:
        return is_weaker(original, mutant) or (mutant["kind"] == "enclosure" and oracle.holds(mutant))
    return oracle.holds(mutant)


def is_weaker(original: dict[str, Any], mutant: dict[str, Any]) -> bool:
    """Whether the claim of the mutant follows from that of the original."""
    old, new = original["claim"], mutant["claim"]
    if original["kind"] == mutant["kind"] == "kernel":
        return bool(new["kernel"] <= old["kernel"])
    if original["kind"] == mutant["kind"] == "enclosure":
        same = all(old[key] == new[key] for key in ("kernel", "rank", "t")) and len(old["values"]) == len(new["values"])
        return same and all(_contains(wide, narrow) for wide, narrow in zip(new["values"], old["values"], strict=True))
    return False


def _contains(wide: list[Any], narrow: list[Any]) -> bool:
    (low, high), (lower, upper) = ([Fraction(m) * Fraction(10) ** e for m, e in value[:2]] for value in (wide, narrow))
    return bool(low <= lower and upper <= high and wide[2] == narrow[2])


def require_rejected(name: str, chosen: Iterator[tuple[str, bytes]]) -> int:
    """Check mutants with both checkers, and return their number."""
    original = json.loads(sample(name))
    count = 0
    for what, data in chosen:
        count += 1
        results = [checker.check(data) for checker in (first_checker, second_checker)]
        verdicts = {result.verdict for result in results}
        assert len(verdicts) == 1, f"{name}: {what}: {[(result.verdict, result.reason) for result in results]}"
        assert all(result.reason for result in results if result.verdict != "valid"), f"{name}: {what}: no reason is given"
        if verdicts == {"valid"}:
            assert is_justified(original, json.loads(data)), f"{name}: {what}: accepted"
    return count


@pytest.mark.parametrize("name", SAMPLES)
def test_both_checkers_accept_the_original(name: str) -> None:
    for checker in (first_checker, second_checker):
        assert checker.check(sample(name)).verdict == "valid"


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants_are_rejected(name: str) -> None:
    offset = list(SAMPLES).index(name) % SHARE
    assert require_rejected(name, islice(mutants(sample(name)), offset, None, SHARE)) > 50


def test_the_default_run_has_two_thousand_mutants() -> None:
    assert sum(len(range(i % SHARE, sum(1 for _ in mutants(sample(name))), SHARE)) for i, name in enumerate(SAMPLES)) >= 2000


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_all_mutants_are_rejected(name: str) -> None:
    assert require_rejected(name, mutants(sample(name))) > 300
