"""Complex balls of normalizers against mpmath at complex points; branch cuts and poles in a ball are refused."""

from __future__ import annotations

import pytest
from flint import acb, arb, ctx
from mpmath.ctx_mp import MPContext

from symattn.errors import UndecidedError
from symattn.normalizers import normalizer
from symattn.normalizers.evaluation import evaluate_ball, evaluate_complex_ball

from .test_evaluation import TWINS

MP = MPContext()
MP.dps = 60
POINTS = [(0.25, 0.5), (-0.375, 0.125), (0.125, -0.75)]


def is_near(ball: acb, true: object, tolerance: int = 20) -> bool:
    with ctx.workprec(300):
        parts = (arb(MP.nstr(MP.re(true), 50)), arb(MP.nstr(MP.im(true), 50)))
        return all(bool(abs(part - exact) < arb(10) ** -tolerance) for part, exact in zip((ball.real, ball.imag), parts, strict=True))


@pytest.mark.parametrize("text", TWINS)
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_value_and_slope_against_mpmath(text: str, point: tuple[float, float]) -> None:
    phi, twin = normalizer(text), TWINS[text]
    with ctx.workprec(300):
        value, slope = evaluate_complex_ball(phi, acb(*point))
    s, step = MP.mpc(*point), MP.mpf(10) ** -25
    # The twins are evaluated with the digits of their own context, whose numbers are compatible.
    true, true_slope = twin(s), (twin(s + step) - twin(s - step)) / (2 * step)
    assert is_near(value, true)
    assert is_near(slope, true_slope, 15)
    assert not is_near(value + arb(10) ** -15, true)


@pytest.mark.parametrize("text", [text for text in TWINS if "/s" not in text and "s/" not in text])
def test_a_ball_contains_its_points(text: str) -> None:
    phi = normalizer(text)
    wide = evaluate_complex_ball(phi, acb(arb(0.25, 0.01), arb(0.5, 0.01)))
    for point in ((0.25, 0.5), (0.2425, 0.5075), (0.2575, 0.4925)):
        inner = evaluate_complex_ball(phi, acb(*point))
        assert all(ball.contains(part.mid()) for ball, part in zip(wide, inner, strict=True))
    assert not wide[0].contains(evaluate_complex_ball(phi, acb(-0.25, 0.5))[0].mid())


def test_on_the_real_line_both_agree() -> None:
    for text in TWINS:
        real, complex_ = evaluate_ball(normalizer(text), arb(0.3125)), evaluate_complex_ball(normalizer(text), acb(0.3125))
        assert all(one.overlaps(other.real) and other.imag.contains(0) for one, other in zip(real, complex_, strict=True))


@pytest.mark.parametrize(
    ("text", "real", "imaginary"),
    [
        ("1 + log(1 + s)", -1.5, 0.0),
        ("1 + log(1 + s)", -1.5, 0.5),  # analytic there, but not seen to be: the real part is negative
        ("sqrt(1 + s)", -1.5, 0.0),
        ("(1 + s)**s", -1.5, 0.0),
        ("2 + atan(s)", 0.0, 1.5),
        ("2 + asinh(s)", 0.0, -1.5),
        ("softplus(s)", 0.0, 3.25),
        ("gamma(1 + s)", -1.5, 0.0),
    ],
)
def test_beyond_a_branch_cut(text: str, real: float, imaginary: float) -> None:
    with pytest.raises(UndecidedError, match="not seen to be analytic|could not be enclosed"):
        evaluate_complex_ball(normalizer(text), acb(arb(real, 0.1), arb(imaginary, 0.1)))


def test_a_finite_function_of_what_is_not_finite() -> None:
    """sin is bounded on the real line, but 1/s is not enclosed at 0."""
    with pytest.raises(UndecidedError, match="the argument of sin"):
        evaluate_complex_ball(normalizer("2 + sin(1/(1 + s))"), acb(arb(-1, 0.1), arb(0, 0.1)))
