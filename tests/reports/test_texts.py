"""Results as text: what a reader finds, and that hostile text stays one clean line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from symattn.network.files import instance_from_dict
from symattn.normalizers import normalizer
from symattn.reports.texts import labelled, normalizer_text, spectrum_table, spectrum_text, verification_text
from symattn.theory import Hypothesis, Prediction
from symattn.verification import SpectrumReport, compare, verify_spectrum

LAYERS = [{"U": [[1], [2]], "W": [[3], [-1]]}, {"U": [[1, 2], [0, 1]], "W": [[2, 1], [1, 1]]}]
SKEW = [{"U": [[1, 0], [0, 1]], "W": [[0, -1], [1, 0]]}, LAYERS[1]]


def report(**changes: object) -> SpectrumReport:
    document = {"symattn": 1, "tokens": 3, "width": 2, "normalizers": "exp(s)", "layers": LAYERS, **changes}
    return verify_spectrum(instance_from_dict(document, source="my.json"))


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("expression", "lines"),
    [
        (
            "exp(s)",
            ["k 1: the first nonconstant degree", "first even degree none (log phi is odd)", "phi is even no", "log phi is odd yes"],
        ),
        ("cosh(s)", ["k 2:", "b 1/2:", "first odd degree none (phi is even)", "phi is even yes"]),
        ("pi + sin(s)", ["log phi 1/pi s^1 - 1/2/pi**2 s^2 + (1/3/pi**3 - 1/6/pi) s^3 +"]),
        ("exp((1-E)*s + log(1+pi)*s**2)", ["log phi (1 - E) s^1 + log(1 + pi) s^2 + ..."]),
        ("exp(s-s**2)", ["log phi 1 s^1 - 1 s^2 + ...", "first even degree 2"]),
    ],
)
def test_normalizers(expression: str, lines: list[str]) -> None:
    text = flat(normalizer_text(normalizer(expression).as_dict()))
    for line in lines:
        assert line in text


def test_what_is_undecided_about_a_normalizer_is_said() -> None:
    document = {
        **normalizer("exp(s)").as_dict(),
        "is_even": None,
        "first_even_degree": None,
        "log_is_odd": None,
        "undecided": ["is phi even?"],
    }
    text = flat(normalizer_text(document))
    assert "phi is even undecided" in text
    assert "first even degree undecided" in text
    assert "undecided is phi even?" in text


def test_a_confirmed_spectrum() -> None:
    found = report()
    assert spectrum_table(found).rows == ((0, 4, 4), (1, 3, 3), (5, 4, 4))
    text = flat(spectrum_text(found))
    for part in (
        "Native Jacobian of 36 outputs in 20 weights (queries, keys, values); my.json",
        "rank 11 kernel 9 (directions in which no output changes) verdict confirmed",
        "bank 6 inputs (drawn from seed 20261201), separates; at least 6 are needed",
        "method padic, p = 2147483647, precision 4 in u = t^2, 18 random combinations of outputs",
        "prediction Theorem 4 (theorem); 7 of 7 hypotheses hold",
        "numbers exact for the rational numbers given",
    ):
        assert part in text
    assert "not met" not in text
    assert "caveat" not in text


def test_a_spectrum_without_a_prediction_has_no_predicted_column() -> None:
    found = report(tokens=2, layers=SKEW)
    nothing = Prediction((), None, None, "none", "none", (Hypothesis("n >= 3", False, "tokens", "n = 2"),))
    alone = replace(found, prediction=nothing, verdict="undecided", reasons=compare(found.finding, nothing).reasons)
    assert spectrum_table(alone).rows == ((0, 4), (1, 4))
    text = flat(spectrum_text(alone))
    for part in ("kernel undecided: at least 12", "unresolved 4 more, of order at least", "verdict undecided", "n >= 3", "caveat"):
        assert part in text
    assert "prediction" not in text


def test_orders_that_differ_stand_in_rows_of_their_own() -> None:
    found = report()
    wrong = replace(found, prediction=replace(found.prediction, orders=((0, 4), (1, 3), (6, 4))))
    assert spectrum_table(wrong).rows == ((0, 4, 4), (1, 3, 3), (5, 4, 0), (6, 0, 4))


def test_a_bank_that_is_too_small_and_a_condition_are_said() -> None:
    small = report(bank=[[[1, 2], [3, 4], [5, -7]], [[2, 1], [0, 3], [1, 1]]])
    text = flat(spectrum_text(small))
    assert "bank 2 inputs (given), does not separate; at least 6 are needed" in text
    assert "not met the bank separates" in text
    conditional = report(normalizers=["2+sin(s)+pi*s**2", "log(1+exp(s))"])
    assert "provided no algebraic relation over Q ties log(2) and pi to each other" in flat(spectrum_text(conditional))


def test_verification() -> None:
    right = {
        "id": "A.one",
        "label": "A.1",
        "claim": "one is one",
        "verdict": "confirmed",
        "evidence": "identity",
        "scope": "n = 2",
        "seconds": 0.04,
        "details": ["1"],
    }
    wrong = {**right, "id": "B.two", "verdict": "refuted", "details": ["refuted: found 2, claimed 3", "\x1b[31mred\nline"]}
    summary = {"confirmed": 1, "refuted": 1, "undecided": 0, "sampled": 0, "effort": "quick"}
    text = verification_text({"statements": [right, wrong], "summary": summary})
    assert "1 confirmed, 1 refuted, 0 undecided; effort quick" in text
    assert "refuted: found 2, claimed 3" in text
    assert "red line" in text
    assert "\x1b" not in text
    assert text.count("one is one") == 2  # the claims of a few statements are shown
    assert text.count("A.one") == 2  # in the table and beside its claim; details only of what was not confirmed


def test_labels_are_aligned_wrapped_and_shown_once() -> None:
    text = labelled([("rank", "52"), ("because", "one " * 40), ("because", "two\nlines"), ("", "")])
    lines = text.splitlines()
    assert lines[0] == "rank     52"
    assert lines[1].startswith("because  one one")
    assert lines[2].startswith("         one")
    assert "         two lines" in lines
    assert max(map(len, lines)) <= 100
