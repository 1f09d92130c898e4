"""Every branch of compare() on hand-made findings and predictions: rank 3, kernel 2, orders 0, 1, 5."""

from __future__ import annotations

from dataclasses import replace

from symattn.exact.divisibility import LowerBound
from symattn.exact.finding import Finding
from symattn.theory.prediction import BANK_HYPOTHESIS, Hypothesis, Prediction
from symattn.verification import compare

ORDERS = ((0, 1), (1, 1), (5, 1))
PATH = Hypothesis("the score has a nonzero symmetric part", True, "layers[1]", "entry (1, 1) of B + B^T is 2")
PREDICTION = Prediction(ORDERS, 3, 2, "Theorem 4", "theorem", (PATH, Hypothesis(BANK_HYPOTHESIS, None, "bank", "decided by the finding")))
FINDING = Finding(
    orders=ORDERS,
    rank=3,
    explicit_kernel=2,
    shape=(12, 5),
    rows=12,
    method="padic",
    primes=(101,),
    precision=8,
    bound=16,
    is_exact=True,
    lower=LowerBound((0, 1, 5), (1, 5), "lower coefficients"),
    proves=(),
)
UPPER = replace(FINDING, is_exact=False, caveats=("no lower bound was matched",))
SEPARATING = PREDICTION.with_bank(True, "found")


def verdict(finding: Finding, prediction: Prediction) -> str:
    return compare(finding, prediction).verdict


def test_exact_agreement_is_confirmed_and_names_the_source() -> None:
    comparison = compare(FINDING, PREDICTION)
    assert comparison.verdict == "confirmed"
    assert comparison.reasons == ("orders, rank and kernel are those of Theorem 4",)


def test_agreement_of_upper_bounds_is_undecided_and_repeats_the_caveat() -> None:
    comparison = compare(UPPER, SEPARATING)
    assert comparison.verdict == "undecided"
    assert "no lower bound was matched" in comparison.reasons


def test_no_statement_leaves_the_finding_alone_and_names_what_fails() -> None:
    failing = Hypothesis("Corollary D.3: n >= 3", False, "tokens", "n = 2")
    comparison = compare(FINDING, Prediction((), None, None, "none", "none", (PATH, failing)))
    assert comparison.verdict == "undecided"
    assert comparison.reasons[1:] == ("hypothesis fails: Corollary D.3: n >= 3 (tokens: n = 2)",)


def test_a_rank_above_the_predicted_one_refutes_even_as_an_upper_bound() -> None:
    more = replace(UPPER, orders=(*ORDERS, (9, 1)), rank=4, explicit_kernel=1)
    assert verdict(more, PREDICTION) == "refuted"
    assert "the rank is at least 4, predicted was 3" in compare(more, PREDICTION).reasons


def test_an_explicit_kernel_above_the_predicted_one_refutes() -> None:
    comparison = compare(replace(UPPER, orders=ORDERS[:2], rank=2, explicit_kernel=3), PREDICTION)
    assert comparison == compare(replace(FINDING, orders=ORDERS[:2], rank=2, explicit_kernel=3), PREDICTION)
    assert comparison.verdict == "refuted"
    assert comparison.reasons == ("the kernel has at least 3 dimensions, predicted were 2",)


def test_a_kernel_below_the_predicted_one_refutes_on_any_bank() -> None:
    comparison = compare(UPPER, replace(PREDICTION, kernel=3))
    assert comparison.verdict == "refuted"
    assert comparison.reasons == ("the kernel has at most 2 dimensions, predicted were 3",)


def test_smaller_orders_than_predicted_refute_on_any_bank() -> None:
    undersized = PREDICTION.with_bank(False, "too few inputs")
    comparison = compare(replace(UPPER, orders=((0, 1), (1, 1), (4, 1))), undersized)
    assert comparison.verdict == "refuted"
    assert comparison.reasons == ("the 3 smallest orders sum to at most 5, predicted was 6",)


def test_partial_sums_decide_not_single_orders() -> None:
    # The second order is larger than predicted, the third smaller, and the sums agree again: the second partial sum is no refutation.
    found = replace(UPPER, orders=((0, 1), (2, 1), (4, 1)))
    assert verdict(found, PREDICTION) == "undecided"
    assert verdict(replace(found, orders=((0, 1), (2, 1), (3, 1))), PREDICTION) == "refuted"


def test_larger_orders_refute_only_if_exact_on_a_separating_bank() -> None:
    larger = replace(FINDING, orders=((0, 1), (1, 1), (7, 1)))
    assert verdict(larger, SEPARATING) == "refuted"
    assert verdict(replace(larger, is_exact=False), SEPARATING) == "undecided"
    for separates in (None, False):
        comparison = compare(larger, PREDICTION.with_bank(separates, "some reason"))
        assert comparison.verdict == "undecided"
        assert "not established: the bank separates (some reason)" in comparison.reasons[-1]


def test_orders_not_seen_are_undecided_and_say_from_where_on() -> None:
    comparison = compare(replace(UPPER, orders=ORDERS[:2], rank=2), PREDICTION)
    assert comparison.verdict == "undecided"
    assert any("1 column remains beside the rank and the explicit kernel: of order at least 16" in reason for reason in comparison.reasons)


def test_conditional_bounds_neither_confirm_nor_refute() -> None:
    conditional = replace(UPPER, condition="log(2), pi are algebraically independent", orders=((0, 1), (1, 1), (4, 1)))
    comparison = compare(conditional, PREDICTION)
    assert comparison.verdict == "undecided"
    assert "provided that log(2), pi are algebraically independent" in comparison.reasons[0]
    assert verdict(replace(conditional, orders=ORDERS), SEPARATING) == "undecided"
    # The explicit kernel is found over Q, so it needs no condition.
    assert verdict(replace(conditional, orders=ORDERS[:2], rank=2, explicit_kernel=3), PREDICTION) == "refuted"
