"""Published figures beside ours: rounding, the two-way comparison, the data, and the double-precision comparison."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from flint import arb

from symattn.errors import InputError
from symattn.verification import published
from symattn.verification.published import double_precision, matrix_spectrum
from symattn.verification.published.data import matrix_fixture, noise_draws
from symattn.verification.published.double_precision import double_precision_error
from symattn.verification.published.figures import Figure, Item, below_figure, enclosed_figure, rounds_to


@pytest.mark.parametrize(
    ("ball", "text", "agrees"),
    [
        (arb("3.8617", "1e-4"), "3.86", True),
        (arb("3.8549", "1e-5"), "3.86", False),
        (arb("3.855", "1e-5"), "3.86", None),
        (arb("0.005032"), "0.0050", True),
        (arb("0.00506"), "0.0050", False),
        (arb("3.86e-92"), "3.86e-92", True),
        (arb("3.87e-92"), "3.86e-92", False),
        (arb("3.86", "1"), "3.86", None),
    ],
)
def test_agreement_is_to_every_digit(ball: arb, text: str, agrees: bool | None) -> None:
    assert rounds_to(ball, text) is agrees
    assert enclosed_figure("", text, ball).agrees is agrees


def test_a_bound() -> None:
    answers = [below_figure("", "0.0023", ball).agrees for ball in (arb("0.0022"), arb("0.0024"), arb("0.0023", "0.0001"))]
    assert answers == [True, False, None]


def test_verdict_of_an_item() -> None:
    yes, no, open_, own = Figure("", "1", "1", True), Figure("", "1", "2", False), Figure("", "1", "?"), Figure("", "", "3")
    verdicts = [Item("", "", figures).verdict for figures in ((yes, own), (yes, open_), (yes, open_, no), (own,))]
    assert verdicts == ["confirmed", "undecided", "refuted", "undecided"]


def test_data() -> None:
    draws = noise_draws()
    assert len(draws) == 400
    assert all(Fraction(float(draw)) == draw for draw in draws)
    fixture = matrix_fixture()
    assert (len(fixture.bank), fixture.output_count, fixture.parameter_count) == (48, 768, 96)


def test_unknown_item() -> None:
    with pytest.raises(InputError, match="one of N1, N2, N3, N4 was expected, not 'N5'"):
        published.reproduce(["N5"])


def test_command(run_reproduce) -> None:
    code, document = run_reproduce("N1", "N3")
    assert code == 0
    assert [item["id"] for item in document["items"]] == ["N1", "N3"]
    for item in document["items"]:
        assert item["verdict"] == "confirmed"
        assert all(figure["agrees"] for figure in item["figures"] if figure["published"])


def test_a_wrong_figure_fails_the_command(run_reproduce, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Item("N1", "", (Figure("", "1", "2", False),))
    monkeypatch.setitem(published.ITEMS, "N1", lambda report: wrong)
    assert run_reproduce("N1")[0] == 1
    monkeypatch.setitem(published.ITEMS, "N1", lambda report: Item("N1", "", (Figure("", "1", "?"),)))
    assert run_reproduce("N1")[0] == 3


@pytest.fixture
def run_reproduce(capsys: pytest.CaptureFixture[str]):
    from symattn.cli import main

    def run(*ids: str):
        code = main(["reproduce", *ids, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run


def test_without_numpy_the_comparison_is_skipped_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(double_precision.importlib, "import_module", missing)
    error, note = double_precision_error(matrix_fixture(), Fraction(1, 10))
    assert error is None
    assert note.startswith("neither jax nor numpy is installed")


def test_double_precision_is_right_to_rounding() -> None:
    pytest.importorskip("numpy")
    fixture = matrix_fixture()
    error, _ = double_precision_error(fixture.with_bank(fixture.bank[:2]), Fraction(1, 10))
    assert error is not None
    assert 0 < error < arb("1e-14")


@pytest.mark.slow
def test_the_fixture_at_every_scale() -> None:
    item = matrix_spectrum.matrix_spectrum_item()
    assert item.verdict == "confirmed"
    assert {len(values) for values in item.values.values()} == {52}
    assert len(item.values) == 6


def test_automatic_differentiation_is_right_to_rounding_and_leaves_jax_as_it_was() -> None:
    jax = pytest.importorskip("jax")
    fixture = matrix_fixture()
    instance = fixture.with_bank(fixture.bank[:2])
    error, note = double_precision_error(instance, Fraction(1, 10))
    assert note == "double precision: automatic differentiation in jax"
    assert error is not None
    assert error < arb(1e-15)
    assert jax.numpy.array([1.0]).dtype == "float32"
    complex_steps = double_precision.double_precision_jacobian(instance, Fraction(1, 10))
    assert abs(double_precision.automatic_jacobian(instance, Fraction(1, 10)) - complex_steps).max() < 1e-12
