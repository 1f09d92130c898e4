"""symattn enclose: values, bands and ranks; bad scales and cutoffs in one line."""

from __future__ import annotations

from decimal import Decimal

import pytest

from symattn.enclosures.singular_values import SingularValues

FILE = "examples/scalar_depth_four_separating.json"


def test_document(run) -> None:
    ran = run("enclose", FILE, "--t", "0.02", "--digits", "8", "--json")
    assert ran.code == 0
    document = ran.document
    assert (document["t"], document["rank"], document["kernel"], document["rank_at_cutoff"]) == ("1/50", 5, 7, 3)
    assert [(band["order"], band["multiplicity"], band["fisher_order"]) for band in document["bands"]] == [
        (0, 1, 0),
        (1, 1, 2),
        (5, 1, 10),
        (17, 1, 34),
        (53, 1, 106),
    ]
    assert [band["digits_needed"] for band in document["bands"]] == [1, 3, 9, 29, 88]
    for lower, upper, multiplicity in document["values"]:
        assert multiplicity == 1
        assert 0 < Decimal(lower) < Decimal(upper) < Decimal(lower) * (1 + Decimal(10) ** -8)


def test_text(run) -> None:
    ran = run("enclose", FILE, "--t", "1/50", "--digits", "6", "--cutoff", "1e-30")
    assert ran.code == 0
    assert "rank at cutoff  4 (values above" in ran.out
    assert "kernel          7 (exactly zero" in ran.out


def test_constants(run) -> None:
    ran = run("enclose", FILE, "--t", "0.02", "--constants", "--json")
    assert ran.code == 0
    document = ran.document
    assert (document["t0"], document["rank"], document["kernel"]) == ("1/50", 5, 7)
    assert document["lower_bound"]["layers"] == [1, 5, 17, 53]
    values = run("enclose", FILE, "--t", "0.01", "--json").document["values"]
    for band, order, (lower, upper, _) in zip(document["bands"], (0, 1, 5, 17, 53), values, strict=True):
        assert (band["order"], band["multiplicity"]) == (order, 1)
        scale = Decimal("0.01") ** order
        assert Decimal(band["lower"]) * scale < Decimal(lower) < Decimal(upper) < Decimal(band["upper"]) * scale
        assert Decimal(band["upper"]) < Decimal("1.1") * Decimal(band["lower"])


def test_constants_as_text(run) -> None:
    ran = run("enclose", FILE, "--t=-1/50", "--constants")
    assert ran.code == 0
    assert "at all t with 0 < |t| <= 1/50" in ran.out
    assert "rank     5 at every such t" in ran.out
    assert "the order lemma" in ran.out


def test_no_constants(run, tmp_path) -> None:
    run("enclose", "examples/scalar_depth_four.json", "--t", "1/50", "--constants").assert_one_line(3, "need exact contact orders")
    run("enclose", FILE, "--t", "1/2", "--constants").assert_one_line(3, "a smaller t may help, up to about")
    out = str(tmp_path / "c.json")
    run("enclose", FILE, "--t", "1/50", "--constants", "--certificate", out).assert_one_line(2, "--certificate")


def test_bank_is_drawn(run) -> None:
    ran = run("enclose", "examples/mixed_degrees.json", "--t", "1/1000", "--json")
    assert ran.code == 0
    assert ran.document["rank"] + ran.document["kernel"] == 20


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("--t", "0"), "t: a nonzero t was expected"),
        (("--t", "abc"), "--t: an exact number was expected"),
        (("--t", "nan"), "--t: an exact number was expected"),
        (("--t", "1e999999999"), "--t: "),
        (("--t", "1/10", "--cutoff", "x"), "--cutoff: an exact number was expected"),
        (("--t", "1/10", "--cutoff", "2"), "--cutoff: a number between 0 and 1"),
        (("--t", "1/10", "--digits", "100000"), "from 1 to 1000"),
        ((), "--t"),
    ],
)
def test_bad_arguments(run, arguments: tuple[str, ...], fragment: str) -> None:
    run("enclose", FILE, *arguments).assert_one_line(2, fragment)


def test_scores_too_large_to_enclose(process) -> None:
    """exp of 10^400 is beyond every precision: undecided, and at once."""
    ran = process("enclose", FILE, "--t", "1e200")
    assert ran.code == 3
    assert ran.err.count("\n") == 1


def test_an_undecided_cutoff(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SingularValues, "rank_at_cutoff", lambda values, relative: None)
    ran = run("enclose", FILE, "--t", "1/50")
    assert ran.code == 3
    assert "rank at cutoff  undecided: a value is too close to the cutoff" in ran.out
    assert run("enclose", FILE, "--t", "1/50", "--json").document["rank_at_cutoff"] is None


def test_many_digits_are_printed(run) -> None:
    document = run("enclose", FILE, "--t", "1/50", "--digits", "60", "--json").document
    for lower, upper, _ in document["values"]:
        assert 0 < Decimal(upper) - Decimal(lower) < Decimal(lower).scaleb(-60)
