"""The contact table: rows found beside rows predicted, rows that were not computed, and the reasons."""

from __future__ import annotations

import json
import time

import pytest

from symattn.errors import BudgetError, InputError
from symattn.verification import contact_table, verify_contact_table


def test_every_affordable_row_is_found() -> None:
    report = verify_contact_table([1, 2, 3], 3, verify=True)
    assert (report.verdict, report.reasons) == ("confirmed", ())
    assert report.found == (
        ((0, 1), (1, 1), (5, 1), (17, 1)),
        ((0, 1), (3, 1), (11, 1), (35, 1)),
        ((0, 1), (5, 1), (17, 1), (53, 1)),
    )
    assert report.kernel == 5
    document = json.loads(json.dumps(report.to_json()))
    assert document["verified"] == {"verdict": "confirmed", "rows_computed": 9, "rows": 9, "reasons": []}
    assert all(row["found"] == {"order": row["beta_i"], "multiplicity": row["multiplicity"]} for row in document["rows"])


def test_without_verification_nothing_is_found_or_claimed() -> None:
    report = verify_contact_table([1], 30)
    assert report.found is None
    assert report.to_json()["verified"] is None
    assert len(report.ladders[0].rows) == 30


def test_rows_beyond_the_budget_are_named() -> None:
    start = time.monotonic()
    report = verify_contact_table([1], 40, verify=True, budget=0.5)
    assert time.monotonic() - start < 30
    assert report.found is not None
    reached = len(report.found[0]) - 1
    assert 1 <= reached < 40
    assert report.reasons == (f"k = 1: layers {reached + 1} to 40 were not computed (about 0.5 s for each k; see --budget)",)
    rows = report.to_json()["rows"]
    assert [row["found"] is None for row in rows] == [False] * reached + [True] * (40 - reached)


def test_nothing_computed_is_undecided() -> None:
    start = time.monotonic()
    report = verify_contact_table([1, 2], 3, width=64, rank=64, tokens=1024, verify=True, budget=1)
    assert time.monotonic() - start < 10
    assert report.verdict == "undecided"
    assert report.found == ((), ())
    assert "k = 2: layers 1 to 3 were not computed (about 1 s for each k; see --budget)" in report.reasons


def test_running_out_of_memory_or_precision_on_the_way_keeps_the_rows_before(monkeypatch: pytest.MonkeyPatch) -> None:
    right = contact_table.verify_spectrum

    def verify_spectrum(instance, **options):
        if instance.depth == 2:
            raise BudgetError("enough")
        return right(instance, **options)

    monkeypatch.setattr(contact_table, "verify_spectrum", verify_spectrum)
    report = verify_contact_table([1], 3, verify=True)
    assert report.found == (((0, 1), (1, 1)),)
    assert report.verdict == "confirmed"
    assert "layers 2 to 3 were not computed" in report.reasons[0]


def test_bad_sizes_are_refused() -> None:
    with pytest.raises(InputError, match="ranks"):
        verify_contact_table([1], 2, width=1, rank=2)
    with pytest.raises(InputError, match="tokens"):
        verify_contact_table([1], 2, tokens=1, verify=True)
    with pytest.raises(InputError, match="depth"):
        verify_contact_table([1], 10**9)
