"""Enclosures of singular values: they contain the truth and are narrow, and a wrong ball is noticed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from mpmath import mp

from symattn.arithmetic.balls import Balls
from symattn.enclosures import singular_values as module
from symattn.enclosures.singular_values import SingularValue, SingularValues, enclose_singular_values
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.network.files import instance_from_dict
from symattn.network.instance import Instance

from .conftest import drawn
from .oracle import singular_values

PHI = {
    "exp(s)": lambda mp, s: mp.exp(s),
    "1 + s**2": lambda mp, s: 1 + s**2,
    "sigmoid(s)": lambda mp, s: 1 / (1 + mp.exp(-s)),
}


def faults(found: SingularValues, truth: list[Any], digits: int) -> list[str]:
    """What is wrong with the enclosures: a true value (mpmath, descending) that its ball misses, or a ball that is too wide."""
    problems = []
    expanded = [value for value in found.values for _ in range(value.multiplicity)]
    with ctx.workprec(2000):
        for place, (value, true) in enumerate(zip(expanded, truth, strict=False), start=1):
            sign, mantissa, exponent, _ = true._mpf_
            exact = (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
            ball = arb(fmpq(exact.numerator, exact.denominator))
            # The oracle is good to far more digits than every radius asked for here.
            if not value.ball.overlaps(ball * arb(1, fmpq(1, 10**80))):
                problems.append(f"value {place} is missed")
            if not value.ball.rad() < ball * arb(fmpq(1, 10**digits)):
                problems.append(f"ball {place} is wide")
        if any(abs(true) > 1e-60 for true in truth[len(expanded) :]):
            problems.append("a positive value has no ball")
    return problems


CASES = [
    ("exp(s)", {}, Fraction(1, 10)),
    ("exp(s)", {"tokens": 3, "inputs": 4, "seed": 2}, Fraction(1, 7)),
    ("1 + s**2", {}, Fraction(1, 20)),
    ("sigmoid(s)", {"ranks": (1,), "width": 2, "inputs": 3}, Fraction(3, 100)),
]


@pytest.mark.parametrize(("text", "shape", "t"), CASES)
@pytest.mark.parametrize("digits", [10, 40])
def test_they_contain_what_mpmath_finds_and_are_narrow(text: str, shape: dict[str, Any], t: Fraction, digits: int) -> None:
    instance = drawn(text, **shape)
    found = enclose_singular_values(instance, t, digits)
    truth = singular_values(instance, t, PHI[text])
    assert faults(found, truth, digits) == []
    assert found.rank + found.kernel == instance.parameter_count
    shifted = replace(found, values=(*found.values[:-1], _changed(found.values[-1], lambda ball: ball * (1 + arb(fmpq(3, 10**digits))))))
    assert faults(shifted, truth, digits) == [f"value {found.rank} is missed"]
    enlarged = replace(found, values=(_changed(found.values[0], lambda ball: ball * arb(1, fmpq(3, 10**digits))), *found.values[1:]))
    assert faults(enlarged, truth, digits) == ["ball 1 is wide"]
    short = replace(found, values=found.values[:-1])
    assert faults(short, truth, digits) == ["a positive value has no ball"]


def _changed(value: SingularValue, change: Any) -> SingularValue:
    with ctx.workprec(2000):
        return replace(value, ball=change(value.ball))


def test_one_layer_in_closed_form(scalar: Instance) -> None:
    """Two outputs in q, k, v: with w the weight of token 2, dy_a = v dw + y dv, dw = w (1 - w) x_a (q dk + k dq)."""
    found = enclose_singular_values(scalar, "1/10", 30)
    with ctx.workprec(500):
        rows = []
        for x in (1, 2):
            weight = 1 / (1 + (-arb(x) / 100).exp())
            slope = weight * (1 - weight) * x / 10
            rows.append((slope, slope, 1 + weight))
        a, b, c = (sum((p * q for p, q in zip(one, other, strict=True)), arb(0)) for one, other in ((rows[0],) * 2, rows, (rows[1],) * 2))
        root = ((a - c) ** 2 + 4 * b**2).sqrt()
        assert len(found.values) == 2
        for value, expected in zip(found.values, (((a + c + root) / 2).sqrt(), ((a + c - root) / 2).sqrt()), strict=True):
            assert value.ball.overlaps(expected)
            assert value.ball.rel_accuracy_bits() > 99


def test_equal_values_are_one_cluster(symmetric: Instance) -> None:
    found = enclose_singular_values(symmetric, Fraction(1, 5), 20)
    truth = singular_values(symmetric, Fraction(1, 5), PHI["exp(s)"], digits=100)
    assert sorted(value.multiplicity for value in found.values) == [1] * 4 + [2] * 5
    assert faults(found, truth, 20) == []


def test_chained_balls_are_one_cluster() -> None:
    """The third ball is wide: it reaches over both earlier ones, which alone would be separate."""
    joined = module._grouped([arb(10, 0.1), arb(9, 0.1), arb(8.5, 3), arb(1, 0.1)])
    assert [value.multiplicity for value in joined] == [3, 1]
    assert module._grouped([arb(1), arb(0, 0.1)]) is None


def test_more_digits_lie_inside_fewer() -> None:
    rough, fine = (enclose_singular_values(drawn(), Fraction(1, 10), digits) for digits in (5, 100))
    with ctx.workprec(4000):
        assert all(wide.ball.overlaps(narrow.ball) for wide, narrow in zip(rough.values, fine.values, strict=True))
    assert fine.precision > rough.precision


def test_decimal_bounds_are_rounded_outward() -> None:
    with ctx.workprec(100):
        assert SingularValue(arb(1) / 3, 1).bounds(3) == ("3.33e-1", "3.34e-1")
        assert SingularValue(arb(2) ** -400, 1).bounds(4) == ("3.872e-121", "3.873e-121")
        assert SingularValue(arb(-1) / 3, 1).bounds(3) == ("-3.34e-1", "-3.33e-1")
        assert SingularValue(arb(0), 1).bounds(3) == ("0", "0")
        assert SingularValue(arb(fmpq(9999, 10)), 1).bounds(2) == ("9.9e+2", "1.0e+3")


@pytest.mark.parametrize("t", [0.1, 1.0, float("nan"), True, "nonsense", "1/0", None])
def test_a_scale_that_is_not_exact_is_refused(scalar: Instance, t: Any) -> None:
    with pytest.raises(InputError, match="^t: "):
        enclose_singular_values(scalar, t)


def test_no_scale_and_no_bank(scalar: Instance) -> None:
    with pytest.raises(InputError, match="t: a nonzero t was expected"):
        enclose_singular_values(scalar, "0.0")
    with pytest.raises(InputError, match="bank"):
        enclose_singular_values(scalar.with_bank(()), 1)


def test_text_and_fraction_are_the_same_scale(scalar: Instance) -> None:
    assert enclose_singular_values(scalar, "0.06").t == enclose_singular_values(scalar, Fraction(3, 50)).t == Fraction(3, 50)
    both = [enclose_singular_values(scalar, t).values[1].bounds() for t in ("0.06", "-0.06")]
    assert both[0] == both[1]


def test_more_kernel_than_the_explicit_one_runs_out_of_budget(scalar: Instance) -> None:
    """On an input with two equal tokens no score is seen."""
    blind = scalar.with_bank((((Fraction(1),), (Fraction(1),)),))
    with pytest.raises(BudgetError, match="1024 bits .* more kernel than the explicit directions"):
        enclose_singular_values(blind, "1/10", max_precision=1024)


def test_rank_at_a_cutoff(scalar: Instance) -> None:
    found = enclose_singular_values(scalar, "1/10")
    assert found.rank_at_cutoff(Fraction(1, 10**10)) == 2
    assert found.rank_at_cutoff(Fraction(1, 10)) == 1
    assert found.rank_at_cutoff(Fraction(1)) is None  # the largest value is not seen to exceed itself


def test_no_global_precision_is_changed(scalar: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (ctx.prec, mp.prec)
    enclose_singular_values(scalar, "1/10", 200)
    assert (ctx.prec, mp.prec) == before

    def failing(*arguments: Any) -> Any:
        assert ctx.prec != before[0]
        raise RuntimeError("in the middle")

    monkeypatch.setattr(module, "cholesky", failing)
    with pytest.raises(RuntimeError):
        enclose_singular_values(scalar, "1/10")
    assert (ctx.prec, mp.prec) == before
    with pytest.raises(RuntimeError):
        Balls(300)._make(1, 1, failing)
    assert (ctx.prec, mp.prec) == before


@pytest.mark.parametrize(
    ("text", "bank"),
    [
        ("1 + s", [[["1"], ["-2." + "9" * 100]], [[1], [2]]]),
        ("1/(1 - s)", [[["0." + "9" * 100], ["1/2"]], [["1/3"], ["1/5"]]]),
    ],
)
def test_a_singularity_near_a_score_is_told_from_it_by_more_bits(text: str, bank: list[object]) -> None:
    data = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": text, "layers": [{"U": [[1]], "W": [[1]]}], "bank": bank}
    found = enclose_singular_values(instance_from_dict(data), 1)
    assert found.rank == 2
    assert found.precision > 256


def test_a_weight_sum_that_is_zero_is_never_enclosed() -> None:
    data = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "1 + s", "layers": [{"U": [[1]], "W": [[1]]}], "bank": [[[1], [-3]]]}
    with pytest.raises(UndecidedError, match="a weight sum is not separated from zero"):
        enclose_singular_values(instance_from_dict(data), 1, max_precision=1024)
