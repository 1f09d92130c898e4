"""Discs: they contain the values at every complex point of their arguments, and what is not seen to be analytic is refused."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb, arb_mat, ctx, fmpq

from symattn.arithmetic.balls import Balls
from symattn.arithmetic.discs import DiscMatrix, Discs
from symattn.errors import BudgetError, UndecidedError
from symattn.network.banks import draw_instance
from symattn.network.path import native_jacobian, output_cotangents
from symattn.normalizers import normalizer
from symattn.normalizers.evaluation import evaluate_complex_ball

from .laws import EnclosureLaws, random_rational

RHO = Fraction(1, 97)


class TestLaws(EnclosureLaws):
    """The shared laws that fit: discs agree where they may meet."""

    def system(self) -> Any:
        return Discs(100, RHO)

    def element(self, source: random.Random, rows: int, columns: int) -> Any:
        return self.system().matrix(random_rational(source, rows, columns))


def disc(midpoint: Fraction, radius: Fraction) -> DiscMatrix:
    with ctx.workprec(64):
        return DiscMatrix(arb_mat([[ball(midpoint)]]), arb_mat([[ball(radius)]]), 64)


def ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def points(midpoint: Fraction, radius: Fraction, count: int = 24) -> list[acb]:
    """Points of the circle around a disc."""
    with ctx.workprec(100):
        return [ball(midpoint) + ball(radius) * acb(arb(fmpq(2 * k, count))).exp_pi_i() for k in range(count)]


def contains(matrix: DiscMatrix, value: acb) -> bool:
    with ctx.workprec(100):
        ((m, r),) = matrix.entries()
        return bool(abs(value - m) <= r * (1 + arb(2) ** -40) + arb(2) ** -40)


FIRST, SECOND = (Fraction(3, 2), Fraction(1, 3)), (Fraction(-2), Fraction(1, 5))


def test_ring_operations_contain_and_are_tight() -> None:
    x, y = disc(*FIRST), disc(*SECOND)
    system = Discs(64, RHO)
    for p in points(*FIRST):
        assert contains(system.reciprocal(x), 1 / p)
        assert contains(x.scale(Fraction(-2, 3)), p * -2 / 3)
        for q in points(*SECOND):
            for found, value in ((x + y, p + q), (x - y, p - q), (x @ y, p * q), (x.hadamard(y), p * q)):
                assert contains(found, value)
    # A disc that is a tenth too small misses a point of the circle.
    for found, values in (
        (x @ y, [p * q for p in points(*FIRST) for q in points(*SECOND)]),
        (x + y, [p + q for p in points(*FIRST) for q in points(*SECOND)]),
        (system.reciprocal(x), [1 / p for p in points(*FIRST)]),
    ):
        smaller = DiscMatrix(found.midpoints, found.radii * (arb(9) / 10), 64)
        assert not all(contains(smaller, value) for value in values)


def test_shift_is_any_point_of_the_disc() -> None:
    shifted = Discs(64, RHO).shift(disc(*FIRST), 2)
    for u in points(Fraction(0), RHO):
        for p in points(*FIRST):
            assert contains(shifted, u**2 * p)
    assert not contains(shifted, acb(fmpq(1, 1000)))


@pytest.mark.parametrize(
    "text",
    [
        "exp(s)",
        "1/(2 - s)",
        "sigmoid(s)",
        "softplus(s)",
        "cos(s)",
        "2 + tanh(s)",
        "2 + tan(s)",
        "2 + atan(s)",
        "2 + asinh(s)",
        "2 + erf(s)",
        "sqrt(1 + s)",
        "(1 + s)**s",
        "2**s",
        "1 + log(1 + s)",
        "sinc(s)",
    ],
)
@pytest.mark.parametrize("around", [(Fraction(0), Fraction(1, 3)), (Fraction(1, 4), Fraction(1, 5))], ids=str)
def test_normalizers(text: str, around: tuple[Fraction, Fraction]) -> None:
    check_normalizer(text, around)


def test_gamma() -> None:
    check_normalizer("gamma(1 + s)", (Fraction(0), Fraction(1, 8)))


def check_normalizer(text: str, around: tuple[Fraction, Fraction]) -> None:
    """Against the values at points, whose slopes are those of difference quotients."""
    phi = normalizer(text)
    ((value, slope),) = Discs(64, RHO).normalize(phi, [disc(*around)])
    with ctx.workprec(200):
        step = arb(2) ** -60
        for s in points(*around):
            at, near = (evaluate_complex_ball(phi, point)[0] for point in (s, s + step))
            assert contains(value, at)
            assert contains(slope, (near - at) / step)
    assert not contains(value, acb(50))


@pytest.mark.parametrize(
    ("text", "radius"),
    [
        ("1 + log(1 + s)", "11/10"),
        ("sqrt(1 + s)", "11/10"),
        ("(1 + s)**s", "11/10"),
        ("2 + atan(s)", "11/10"),
        ("2 + asinh(s)", "11/10"),
        ("2 + tan(s)", "8/5"),
        ("2 + tanh(s)", "8/5"),
        ("sigmoid(s)", "16/5"),
        ("softplus(s)", "16/5"),
        ("gamma(1 + s)", "11/10"),
        ("1/(1 - s)", "11/10"),
        ("1/(1 + s**2)", "11/10"),
        ("2 + sin(1/(1 + s))", "11/10"),
        ("s/(exp(s) - 1)", "1/10"),
    ],
)
def test_a_singularity_in_the_disc_is_refused(text: str, radius: str) -> None:
    with pytest.raises(UndecidedError, match="could not be enclosed|not seen to be analytic"):
        Discs(64, RHO).normalize(normalizer(text), [disc(Fraction(0), Fraction(radius))])


def test_a_weight_sum_near_zero_is_refused() -> None:
    with pytest.raises(UndecidedError, match="not separated from zero on the disc"):
        Discs(64, RHO).reciprocal(disc(Fraction(1), Fraction(1)))
    with pytest.raises(BudgetError, match="at least 2 bits"):
        Discs(1, RHO)


@pytest.mark.parametrize("text", ["exp(s)", "1 + s**2"])
def test_bounds_of_a_network_hold_at_real_points(text: str) -> None:
    """The bound on the disc is not below the values at u = rho and in between, and not far above them."""
    instance = draw_instance(2, 2, (1, 2), (normalizer(text),) * 2, 2, 1)
    rho = Fraction(1, 10**12)
    system = Discs(64, rho)
    jacobian = native_jacobian(system, instance, output_cotangents(system, instance, "all", 0))
    bounds = jacobian.matrix.bounds().entries()
    largest = [arb(0)] * len(bounds)
    for part in (Fraction(1), Fraction(1, 2), Fraction(1, 100)):
        real = Balls(200, rho * part)
        values = native_jacobian(real, instance, output_cotangents(real, instance, "all", 0)).matrix.entries()
        assert all(abs(value) <= bound for value, bound in zip(values, bounds, strict=True))
        largest = [found.max(abs(value)) for found, value in zip(largest, values, strict=True)]
    is_value = [not weight for weight in jacobian.weights] * jacobian.matrix.shape[0]
    assert all(bound < 2 * found + 1 for bound, found, wanted in zip(bounds, largest, is_value, strict=True) if wanted)
    assert not all(bound < found for bound, found, wanted in zip(bounds, largest, is_value, strict=True) if wanted)


def test_no_precision_is_left_changed() -> None:
    before = ctx.prec
    with pytest.raises(UndecidedError):
        Discs(300, RHO).normalize(normalizer("1/(1 - s)"), [disc(Fraction(0), Fraction(2))])
    assert ctx.prec == before
