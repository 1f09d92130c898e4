"""Values of normalizers in balls against mpmath at 50 digits, and exact values against both."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from mpmath.ctx_mp import MPContext

from symattn.errors import UndecidedError
from symattn.normalizers import normalizer
from symattn.normalizers.evaluation import evaluate_ball, evaluate_rational, is_rational_function

MP = MPContext()
MP.dps = 50

TWINS: dict[str, Callable[[Any], Any]] = {
    "exp(s)": MP.exp,
    "exp(2*s - s**3)": lambda s: MP.exp(2 * s - s**3),
    "1 + s**2/3": lambda s: 1 + s**2 / 3,
    "1/(2 - s)": lambda s: 1 / (2 - s),
    "(1 + s)**3/(4 + s**2)": lambda s: (1 + s) ** 3 / (4 + s**2),
    "1/(1 + exp(-s))": lambda s: 1 / (1 + MP.exp(-s)),
    "sigmoid(s)": lambda s: 1 / (1 + MP.exp(-s)),
    "softplus(s)": lambda s: MP.log(1 + MP.exp(s)),
    "log(1 + exp(s))": lambda s: MP.log(1 + MP.exp(s)),
    "cosh(s)": MP.cosh,
    "2 + sinh(s)": lambda s: 2 + MP.sinh(s),
    "cos(s)": MP.cos,
    "2 + sin(s)": lambda s: 2 + MP.sin(s),
    "2 + tan(s)": lambda s: 2 + MP.tan(s),
    "2 + tanh(s)": lambda s: 2 + MP.tanh(s),
    "2 + atan(s)": lambda s: 2 + MP.atan(s),
    "2 + asinh(s)": lambda s: 2 + MP.asinh(s),
    "2 + erf(s)": lambda s: 2 + MP.erf(s),
    "gamma(1 + s)": lambda s: MP.gamma(1 + s),
    "sin(s)/s": lambda s: MP.sin(s) / s,
    "s/(exp(s) - 1)": lambda s: s / (MP.exp(s) - 1),
    "sqrt(1 + s)": lambda s: MP.sqrt(1 + s),
    "2**s": lambda s: MP.mpf(2) ** s,
    "(1 + s)**(1/3)": lambda s: MP.cbrt(1 + s),
    "pi + s": lambda s: MP.pi + s,
}
ARGUMENTS = [Fraction(1, 3), Fraction(-2, 7), Fraction(7, 10)]


def is_near(ball: arb, true: Any, tolerance: int = 45) -> bool:
    """Whether the ball contains the value, up to the rounding of the twin, and is narrow."""
    text = MP.nstr(true, 50)
    return bool((ball - arb(text)).contains(0) or abs(ball - arb(text)) < arb(10) ** -tolerance) and bool(
        ball.rad() < arb(10) ** -tolerance
    )


@pytest.mark.parametrize("text", TWINS)
@pytest.mark.parametrize("argument", ARGUMENTS, ids=str)
def test_value_and_slope_against_mpmath(text: str, argument: Fraction) -> None:
    phi, twin = normalizer(text), TWINS[text]
    with ctx.workprec(300):
        value, slope = evaluate_ball(phi, arb(fmpq(argument.numerator, argument.denominator)))
        MP.dps = 110
        point, step = MP.mpf(argument.numerator) / argument.denominator, MP.mpf(10) ** -52
        true, true_slope = twin(point), (twin(point + step) - twin(point - step)) / (2 * step)
        MP.dps = 50
        assert is_near(value, true)
        assert is_near(slope, true_slope)
        assert not is_near(value + arb(10) ** -40, true)  # a shifted ball fails
        assert not is_near(value + arb(0, 1e-40), true)  # and so does an enlarged one


@pytest.mark.parametrize("text", TWINS)
def test_a_wide_argument_contains_the_values_of_its_points(text: str) -> None:
    phi = normalizer(text)
    wide = arb(0.5, 0.01)
    value, slope = evaluate_ball(phi, wide)
    for numerator in (4901, 5000, 5099):
        inner_value, inner_slope = evaluate_ball(phi, arb(fmpq(numerator, 10**4)))
        assert value.overlaps(inner_value)
        assert value.contains(inner_value.mid())
        assert slope.contains(inner_slope.mid())
    assert not value.contains(evaluate_ball(phi, arb(0.9))[0].mid())


@pytest.mark.parametrize("text", TWINS)
@pytest.mark.parametrize("argument", ARGUMENTS, ids=str)
def test_exact_values_lie_in_the_balls(text: str, argument: Fraction) -> None:
    phi = normalizer(text)
    if not is_rational_function(phi):
        with pytest.raises(UndecidedError, match="not a rational function"):
            evaluate_rational(phi, argument)
        return
    exact = evaluate_rational(phi, argument)
    balls = evaluate_ball(phi, arb(fmpq(argument.numerator, argument.denominator)))
    for number, ball in zip(exact, balls, strict=True):
        assert (ball * number.denominator).contains(number.numerator)  # a fraction itself would be rounded to a ball first


def test_which_are_rational_functions() -> None:
    rational = {text for text in TWINS if is_rational_function(normalizer(text))}
    assert rational == {"1 + s**2/3", "1/(2 - s)", "(1 + s)**3/(4 + s**2)"}


def test_a_pole() -> None:
    phi = normalizer("1/(2 - s)")
    with pytest.raises(UndecidedError, match="pole at 2"):
        evaluate_rational(phi, Fraction(2))
    assert not evaluate_ball(phi, arb(2))[0].is_finite()


def test_a_removable_singularity_is_not_enclosed() -> None:
    assert not evaluate_ball(normalizer("s/(exp(s) - 1)"), arb(0))[0].is_finite()


@pytest.mark.parametrize(
    ("text", "value", "slope"), [("exp(s**2)", 1, 0), ("1 + s**3", 1, 0), ("(1 + s)**(-3)", 1, -3), ("1/(1 - s)**2", 1, 2)]
)
def test_integer_powers_of_a_ball_around_zero_are_enclosed(text: str, value: int, slope: int) -> None:
    # FLINT takes a power of an inexact ball through its logarithm, which a ball around zero does not have.
    found = evaluate_ball(normalizer(text), arb(0, 1e-20))
    assert found[0].contains(value)
    assert found[1].contains(slope)
    assert all(ball.rad() < arb(1e-17) for ball in found)
