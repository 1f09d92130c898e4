"""Recovery under noise: the map against the network itself, inverses that contain and are narrow, errors against mpmath."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb, ctx, fmpq
from mpmath.ctx_mp import MPContext

from symattn.arithmetic.balls import Balls
from symattn.enclosures.noise import observed_map, recover_weights
from symattn.errors import UndecidedError
from symattn.network.attention import Layer, evaluate
from symattn.normalizers import normalizer

TOP = Fraction(9, 100)
INPUT = (Fraction(3, 2), Fraction(1, 2))
DRAWS = (Fraction(1, 3), Fraction(-5, 4), Fraction(2), Fraction(0), Fraction(-60))


@pytest.mark.parametrize("c", [Fraction(0), Fraction(1, 100), TOP])
def test_the_map_is_the_mean_of_two_layers(c: Fraction) -> None:
    system = Balls(200)
    layers = [Layer(normalizer("exp(s)"), system.matrix([[score]]), system.matrix([[1]])) for score in (Fraction(1, 100), c)]
    (output,) = evaluate(system, layers, [system.matrix([[entry] for entry in INPUT])])
    with ctx.workprec(200):
        found = observed_map(*INPUT, Fraction(1, 100))(arb(fmpq(c.numerator, c.denominator)))
        assert found.overlaps((output[0, 0] + output[1, 0]) / 2)
        assert found.rad() < arb(2) ** -180


def test_the_slope_is_that_of_the_map() -> None:
    with ctx.workprec(300):
        known = observed_map(*INPUT, Fraction(1, 100))
        step = arb(2) ** -100
        for c in (arb(0), arb(1) / 50):
            assert abs((known(c + step) - known(c - step)) / (2 * step) - known.slope(c)) < arb(2) ** -150
        assert known.is_increasing(TOP)
        assert not observed_map(*INPUT, Fraction(1, 100)).is_increasing(Fraction(10**9))  # 1 - tanh^2 is not seen to be positive there


def test_the_inverse_contains_and_is_narrow() -> None:
    with ctx.workprec(256):
        known = observed_map(*INPUT, Fraction(1, 100))
        for c in (Fraction(1, 1000), Fraction(1, 100), Fraction(8, 100)):
            ball = arb(fmpq(c.numerator, c.denominator))
            found = known.inverse(known(ball), TOP)
            assert found.overlaps(ball)
            assert found.rad() < arb(10) ** -50
            assert not (found + arb(10) ** -40).overlaps(ball)
        wide = known.inverse(known(arb(0.05)) + arb(0, 1e-12), TOP)
        assert wide.contains(known.inverse(known(arb(0.05)) + arb(9e-13), TOP))
        with pytest.raises(UndecidedError, match="end of the range"):
            known.inverse(known(arb(0)) + arb(0, 1e-9), TOP)


def test_errors_against_mpmath() -> None:
    mp = MPContext()
    mp.dps = 50
    rows = recover_weights(DRAWS, (Fraction(1, 10), Fraction(10)))
    weights = [1 / (1 + mp.exp(-mp.mpf(1) / 100 * x)) for x in (mp.mpf(3) / 2, mp.mpf(1) / 2)]
    outputs = [mp.mpf(1) / 2 + weight for weight in weights]
    m, z = (outputs[0] + outputs[1]) / 2, (outputs[0] - outputs[1]) / 2

    def f(c):
        return m + z / 2 * (mp.tanh(c * z * (m + z)) + mp.tanh(c * z * (m - z)))

    for row in rows:
        tau = mp.mpf(row.alpha.numerator) / row.alpha.denominator * m * z**2 / 100
        errors = []
        for draw in DRAWS:
            value = min(max(f(mp.mpf(1) / 100) + tau * draw.numerator / draw.denominator, f(mp.mpf(0))), f(mp.mpf(9) / 100))
            # f is nearly linear, so that bisection by secants from the ends converges.
            c = mp.findroot(lambda c, value=value: f(c) - value, (mp.mpf(0), mp.mpf(9) / 100), solver="anderson", tol=mp.mpf(10) ** -90)
            errors.append(mp.sqrt(max(c, 0)) - mp.mpf(1) / 10)
        squared = mp.fsum(error**2 for error in errors) / len(errors)
        expected = {
            "tau": tau,
            "mean_squared_error": squared,
            "bias": mp.fsum(errors) / len(errors),
            "relative_error": 10 * mp.sqrt(squared),
        }
        with ctx.workprec(256):
            for name, true in expected.items():
                ball = getattr(row, name)
                assert abs(ball - arb(mp.nstr(true, 45))) < arb(10) ** -15, name
                assert ball.rad() < arb(10) ** -30, name


def test_more_noise_more_error() -> None:
    rows = recover_weights(DRAWS, [Fraction(1, 10**k) for k in (3, 2, 1)])
    assert all(small.relative_error < large.relative_error for small, large in pairwise(rows))
