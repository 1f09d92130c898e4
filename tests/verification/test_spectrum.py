"""verify_spectrum on the published fixture, the examples, irrational normalizers, and instances outside the theorems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest

from symattn.errors import BudgetError, HypothesisError, InputError, UndecidedError
from symattn.exact.spectrum import SpectrumOptions
from symattn.network.banks import draw_bank
from symattn.network.files import instance_from_dict, read_instance
from symattn.network.instance import Instance
from symattn.network.rational import RationalMatrix
from symattn.theory import bank_law
from symattn.verification import BANK_SEED, verify_spectrum, with_generic_bank
from symattn.verification.order_lemma import ORDER_LEMMA

EXAMPLES = Path(__file__).parents[2] / "examples"
REGULAR = {"U": [[1], [2]], "W": [[3], [-1]]}
FULL = {"U": [[1, 2], [0, 1]], "W": [[2, 1], [1, 1]]}
SKEW = {"U": [[1, 0], [0, 1]], "W": [[0, -1], [1, 0]]}
ZERO = {"U": [[0], [0]], "W": [[3], [-1]]}
DEFICIENT = {"U": [[1, 2], [2, 4]], "W": [[3, 1], [-1, 1]]}
SINGULAR_VALUE = {**REGULAR, "V": [[1, 2], [2, 4]]}


def instance(layers: list[dict[str, object]], normalizers: object = "exp(s)", tokens: int = 3, width: int = 2, **more: object) -> Instance:
    return instance_from_dict({"symattn": 1, "tokens": tokens, "width": width, "normalizers": normalizers, "layers": layers, **more})


def scalar_stack(depth: int, tokens: int = 2) -> Instance:
    return instance([{"U": [[i + 2]], "W": [[3 - 2 * i]]} for i in range(depth)], tokens=tokens, width=1)


def test_the_published_fixture_is_confirmed_exactly() -> None:
    report = verify_spectrum(read_instance(EXAMPLES / "matrix_spectrum_fixture.json"))
    finding = report.finding
    assert finding.orders == ((0, 16), (1, 12), (5, 12), (17, 12))
    assert (finding.rank, finding.kernel, finding.shape) == (52, 44, (768, 96))
    assert report.verdict == "confirmed"
    assert finding.is_exact
    assert finding.caveats == ()
    assert finding.lower is not None
    assert "vanish over Q" in finding.lower.how
    assert finding.lower.layers == (1, 5, 17)
    assert (report.bank.size, report.bank.separating) == (48, True)
    assert report.prediction.applies is True


def test_the_report_is_one_json_document_with_the_keys_of_the_command() -> None:
    document = json.loads(json.dumps(verify_spectrum(instance([REGULAR, FULL])).to_json()))
    wanted = {"orders", "rank", "kernel", "shape", "method", "primes", "precision", "proves", "prediction", "verdict", "bank"}
    assert wanted <= document.keys()
    assert {"orders", "kernel", "source", "hypotheses"} <= document["prediction"].keys()
    assert {"size", "separating", "least"} <= document["bank"].keys()
    assert document["orders"] == [[0, 4], [1, 3], [5, 4]]


EXPECTED = {
    "mixed_degrees": ("confirmed", ((0, 4), (1, 3), (7, 4)), 9),
    "rank_deficient_factors": ("confirmed", ((0, 4), (1, 4), (5, 4)), 12),
    "scalar_depth_four": ("undecided", ((0, 1), (1, 1), (5, 1), (17, 1), (79, 1)), 7),
    "scalar_depth_four_separating": ("confirmed", ((0, 1), (1, 1), (5, 1), (17, 1), (53, 1)), 7),
    "skew_three_tokens": ("confirmed", ((0, 4), (1, 4), (5, 4)), 12),
    "skew_two_tokens": ("undecided", ((0, 4), (1, 4)), None),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_examples(name: str) -> None:
    report = verify_spectrum(read_instance(EXAMPLES / f"{name}.json"))
    assert (report.verdict, report.finding.orders, report.finding.kernel) == EXPECTED[name]


def test_depth_four_needs_the_order_lemma_and_says_so() -> None:
    report = verify_spectrum(scalar_stack(4))
    assert report.verdict == "confirmed"
    assert report.finding.orders == ((0, 1), (1, 1), (5, 1), (17, 1), (53, 1))
    assert report.finding.lower is not None
    assert report.finding.lower.how == ORDER_LEMMA
    assert any("order lemma" in sentence for sentence in report.finding.proves)


def test_the_order_lemma_does_not_make_a_small_bank_separate() -> None:
    report = verify_spectrum(read_instance(EXAMPLES / "scalar_depth_four.json"))
    assert report.finding.lower is not None
    assert report.finding.lower.how == ORDER_LEMMA
    assert report.bank.separating is False


def test_depth_four_over_rational_series_when_asked() -> None:
    report = verify_spectrum(scalar_stack(4), options=SpectrumOptions(precision=28, divisibility=26))
    assert report.verdict == "confirmed"
    assert report.finding.lower is not None
    assert "vanish over Q" in report.finding.lower.how


@pytest.mark.parametrize("normalizers", [["log(1+exp(s))", "2**s"], ["1+sqrt(2)*s", "exp(s)"], "log(1+exp(s))"])
def test_one_irrational_constant_needs_no_condition(normalizers: object) -> None:
    report = verify_spectrum(instance([REGULAR, FULL], normalizers))
    assert report.finding.condition == ""
    assert report.verdict == "confirmed"
    assert report.finding.orders == ((0, 4), (1, 3), (5, 4))


def test_two_irrational_constants_make_the_result_conditional() -> None:
    report = verify_spectrum(instance([REGULAR, FULL], ["2+sin(s)+pi*s**2", "log(1+exp(s))"]))
    assert report.verdict == "undecided"
    assert report.finding.condition == "no algebraic relation over Q ties log(2) and pi to each other"
    assert report.finding.orders == ((0, 4), (1, 3), (5, 4))
    assert not report.finding.is_exact
    assert any("log(2) and pi" in reason for reason in report.reasons)


def test_a_condition_leaves_it_open_whether_the_bank_separates() -> None:
    # With values other than the identity there is no divided frame to settle it.
    with_values = {**REGULAR, "V": [[1, 2], [3, 4]]}
    conditional = verify_spectrum(instance([with_values, FULL], ["2+sin(s)+pi*s**2", "log(1+exp(s))"]))
    assert (conditional.finding.unresolved, conditional.bank.separating) == (0, None)
    assert verify_spectrum(instance([with_values, FULL])).bank.separating is True


def test_the_series_have_no_place_for_an_irrational_constant() -> None:
    with pytest.raises(UndecidedError, match="not known to be rational"):
        verify_spectrum(instance([REGULAR, FULL], "2**s"), "series")


def test_too_small_a_bank_is_undecided_and_says_how_many_inputs_are_needed() -> None:
    report = verify_spectrum(instance([REGULAR, FULL], bank=[[[1, 2], [3, 4], [5, -7]], [[2, 1], [0, 3], [1, 1]]]))
    assert report.verdict == "undecided"
    assert report.bank.separating is False
    assert report.bank.least == bank_law(3, 2, [1, 2], [1, 1]).least
    assert any(f"at least {report.bank.least} are needed" in reason for reason in report.reasons)


@pytest.mark.parametrize(
    ("tokens", "layers", "failing"),
    [
        (2, [SKEW, FULL], "B is skew"),
        (3, [ZERO, FULL], "B = 0"),
        (3, [SINGULAR_VALUE, FULL], "rank V = 1 of 2"),
    ],
    ids=["skew score of two tokens", "zero score", "singular value matrix"],
)
def test_outside_the_theorems_no_theorem_is_confirmed(tokens: int, layers: list[dict[str, object]], failing: str) -> None:
    report = verify_spectrum(instance(layers, tokens=tokens))
    assert report.verdict == "undecided"
    assert report.prediction.status != "theorem"
    assert any(failing in reason for reason in (*report.reasons, report.prediction.source))
    assert report.finding.orders[0] == (0, 4)


@pytest.mark.parametrize("layers", [[DEFICIENT, FULL], [REGULAR, SKEW], [SKEW, FULL]], ids=["deficient", "skew last", "skew first"])
def test_extensions_of_the_theorems_are_confirmed(layers: list[dict[str, object]]) -> None:
    assert verify_spectrum(instance(layers)).verdict == "confirmed"


def test_precision_one_never_takes_an_order_for_a_kernel() -> None:
    options = SpectrumOptions(precision=1, max_precision=1)
    report = verify_spectrum(instance([REGULAR, FULL]), options=options)
    assert report.verdict == "undecided"
    assert report.finding.kernel is None
    assert report.finding.unresolved == 4
    assert report.finding.explicit_kernel == 9
    assert verify_spectrum(instance([REGULAR, FULL]), options=SpectrumOptions(precision=1)).verdict == "confirmed"


@pytest.mark.parametrize("prime", [2, 3])
def test_a_prime_that_divides_the_tokens_or_a_denominator_is_replaced_or_refused(prime: int) -> None:
    options = SpectrumOptions(primes=(prime,), precision=1, max_precision=1)
    layers = [{"U": [["1/2"], ["1/3"]], "W": [[3], [-1]]}, FULL]
    report = verify_spectrum(instance(layers, tokens=6), options=options)
    assert prime not in report.finding.primes
    assert any(f"prime {prime}" in caveat for caveat in report.finding.caveats)
    with pytest.raises(BudgetError, match=f"the prime {prime} must exceed the precision"):
        verify_spectrum(instance(layers, tokens=6), options=SpectrumOptions(primes=(prime,), precision=8))
    leading = verify_spectrum(instance(layers, tokens=6), "leading", options)
    assert (leading.verdict, leading.finding.primes) == ("confirmed", (2147483647,))


def test_sizes_beyond_the_memory_are_refused_before_they_start() -> None:
    with pytest.raises(BudgetError, match="a smaller bank, network or precision is needed"):
        verify_spectrum(scalar_stack(4), options=SpectrumOptions(precision=10**8, max_precision=10**8))
    unit = [[int(i == j) for j in range(64)] for i in range(64)]
    for method in ("padic", "series", "leading"):
        with pytest.raises(BudgetError, match="more than the 4 GB allowed"):
            verify_spectrum(instance([{"U": unit, "W": unit}] * 2, tokens=1024, width=64), method)


@pytest.mark.parametrize("method", ["padic", "series", "leading"])
def test_a_zero_last_score_has_no_row_of_multiplicity_zero(method: Literal["padic", "series", "leading"]) -> None:
    path = instance_from_dict({"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": [{"U": [[0]], "W": [[0]]}]})
    report = verify_spectrum(path, method)
    assert (report.verdict, report.finding.orders) == ("confirmed", ((0, 1),))


def test_leading_forms_are_only_stated_for_identity_values() -> None:
    with pytest.raises(HypothesisError, match="identity values"):
        verify_spectrum(instance([SINGULAR_VALUE, FULL]), "leading")


def test_a_generic_bank_is_drawn_again_where_the_first_one_does_not_separate(monkeypatch: pytest.MonkeyPatch) -> None:
    def repeated_at_first(tokens: int, width: int, size: int, seed: int) -> tuple[RationalMatrix, ...]:
        bank = draw_bank(tokens, width, size, seed)
        return (bank[0],) * size if seed == 1 else bank  # one input, many times over, says too little

    monkeypatch.setattr("symattn.verification.spectrum.draw_bank", repeated_at_first)
    path = scalar_stack(5)
    bank = with_generic_bank(path, 1)
    assert bank.bank_origin != "drawn from seed 1"
    assert verify_spectrum(bank, "leading").verdict == "confirmed"
    assert with_generic_bank(bank) is bank
    assert with_generic_bank(path).bank == with_generic_bank(path, BANK_SEED).bank


def test_progress_is_reported() -> None:
    said: list[str] = []
    verify_spectrum(scalar_stack(2), report=said.append)
    assert any("p-adic point" in message for message in said)


def test_a_path_without_a_bank_is_not_searched_without_one() -> None:
    from symattn.exact.spectrum import find_spectrum

    with pytest.raises(InputError, match="a bank of inputs is needed"):
        find_spectrum(scalar_stack(2))
