"""Learning coefficients: pairs from poles, and input that is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from symattn.errors import InputError, UndecidedError
from symattn.theory.learning_coefficient import (
    LearningCoefficient,
    independent_collapse,
    independent_sum,
    regular,
    serial_collapse,
    zeta_pole,
)


@pytest.mark.parametrize("d", [1, 2, 3, 7])
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_published_pairs(d, depth):
    assert serial_collapse(d) == LearningCoefficient(Fraction(d, 2), 2)
    assert independent_collapse(d, depth) == LearningCoefficient(Fraction(depth * d, 2), depth + 1)


def test_symbolic_width():
    d = sympy.Symbol("d", positive=True)
    assert serial_collapse(d) == LearningCoefficient(d / 2, 2)
    found = independent_collapse(d, 4)
    assert sympy.expand(found.value - 2 * d) == 0
    assert found.multiplicity == 5


def test_the_volume_of_small_sublevel_sets_has_the_same_pair():
    """``vol{a^2 b^2 < e} = sqrt(e) (1 - log(e)/2)`` on the unit square: of order ``e^(1/2) (-log e)^(2-1)``."""
    a, e = sympy.symbols("a e", positive=True)
    root = sympy.sqrt(e)
    volume = root + sympy.integrate(root / a, (a, root, 1))
    found = serial_collapse(1)
    value = sympy.Rational(found.value.numerator, found.value.denominator)
    leading = sympy.limit(volume.subs(e, a) / (a**value * (-sympy.log(a)) ** (found.multiplicity - 1)), a, 0, "+")
    assert leading == sympy.Rational(1, 2)


def test_the_least_quotient_counts():
    assert zeta_pole([(4, 3), (2, 3), (4, 3), (1, 5)]) == LearningCoefficient(Fraction(3, 4), 2)
    x = sympy.Symbol("x", positive=True)
    assert zeta_pole([(2, x + 1), (2, x)]) == LearningCoefficient(x / 2, 1)


def test_regular_parameters_only_add_to_the_value():
    assert independent_sum([serial_collapse(3), regular(4)]) == LearningCoefficient(Fraction(7, 2), 2)


def test_poles_that_cannot_be_ordered_are_undecided():
    x, y = sympy.symbols("x y", positive=True)
    with pytest.raises(UndecidedError, match="smaller"):
        zeta_pole([(2, x), (2, y)])


@pytest.mark.parametrize("factors", [[], [(0, 1)], [(2, 0)], [(2, -1)], [(1.5, 1)], [(-2, 3)], [(2, 1.5)]])
def test_factors_that_are_not_positive_are_refused(factors):
    with pytest.raises(InputError, match="expected"):
        zeta_pole(factors)


@pytest.mark.parametrize(
    "call",
    [lambda: independent_sum([]), lambda: independent_collapse(2, 0), lambda: independent_collapse(2, 1.5), lambda: serial_collapse(0)],
)
def test_empty_sums_and_sizes_are_refused(call):
    with pytest.raises(InputError, match="expected"):
        call()
