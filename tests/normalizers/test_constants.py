"""Exact constants: ring laws, normal forms of radicals, signs, and proofs of zero."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings, strategies as st

from symattn.errors import UndecidedError
from symattn.normalizers import constant_functions as at_constant
from symattn.normalizers.constant_sign import decided_sign, enclose, sign
from symattn.normalizers.constant_sympy import to_sympy
from symattn.normalizers.constant_text import exact_text
from symattn.normalizers.constants import ONE, ZERO, Atom, Constant, divide, factored, integer_power, inverse, primitive, rational

PI, E = at_constant.PI, at_constant.E


def root(base: int, order: int = 2) -> Constant:
    return at_constant.power(rational(base), Fraction(1, order))


def log(value: Fraction | int) -> Constant:
    return at_constant.logarithm(rational(Fraction(value)))


LEAVES = [ONE, rational(Fraction(-2, 3)), PI, E, root(2), root(3), root(12), root(2, 3), log(2), log(6), at_constant.special("sin", ONE)]
CONSTANTS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
    ),
    max_leaves=4,
)


@settings(deadline=None, database=None, derandomize=True, max_examples=60)
@given(CONSTANTS, CONSTANTS, CONSTANTS)
def test_ring_laws_hold_formally(a: Constant, b: Constant, c: Constant) -> None:
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a + ZERO == a * ONE == a
    assert a - a == ZERO
    assert hash(a * b) == hash(b * a)


@settings(deadline=None, database=None, derandomize=True, max_examples=60)
@given(CONSTANTS)
def test_balls_contain_the_value_and_are_narrow(a: Constant) -> None:
    ball = enclose(a, 200)
    with mpmath.workdps(80):
        value = mpmath.mpf(str(to_sympy(a).evalf(70)))
        assert abs(mpmath.mpf(ball.mid().str(70, radius=False)) - value) <= mpmath.mpf(10) ** -50 * (1 + abs(value))
    assert ball.rad() < 1e-40


@settings(deadline=None, database=None, derandomize=True, max_examples=60)
@given(CONSTANTS.filter(lambda a: sign(a) not in (0, None)))
def test_inverse_and_text(a: Constant) -> None:
    assert sign(a * inverse(a) - ONE) == 0
    assert divide(a.scaled(Fraction(3)), a) == rational(3)
    assert primitive(a).terms[0][1] == 1
    assert exact_text(a).isascii()


def test_radicals_have_a_normal_form() -> None:
    assert root(2) * root(3) == root(6)
    assert root(12) == root(3).scaled(Fraction(2))
    assert root(2) * root(2) == rational(2)
    assert inverse(ONE + root(2)) == root(2) - ONE
    assert (ONE + root(2) + root(3)) * inverse(ONE + root(2) + root(3)) == ONE
    assert integer_power(root(2, 3), -3) == rational(Fraction(1, 2))
    assert at_constant.power(rational(Fraction(4, 9)), Fraction(-3, 2)) == rational(Fraction(27, 8))


def test_logarithms_and_exponentials_undo_each_other() -> None:
    assert log(8) == log(2).scaled(Fraction(3))
    assert log(Fraction(1, 2)) == -log(2)
    assert at_constant.exponential(log(8).scaled(Fraction(1, 3))) == rational(2)
    assert at_constant.exponential(log(2).scaled(Fraction(1, 2))) == root(2)
    assert at_constant.logarithm(at_constant.exponential(PI)) == PI
    assert at_constant.logarithm(E) == ONE
    assert at_constant.exponential(ZERO) == ONE


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("sin", PI.scaled(Fraction(1, 6)), rational(Fraction(1, 2))),
        ("cos", PI.scaled(Fraction(1, 4)), inverse(root(2))),
        ("cos", PI, rational(-1)),
        ("atan", ONE, PI.scaled(Fraction(1, 4))),
        ("atan", root(3), PI.scaled(Fraction(1, 3))),
        ("gamma", rational(5), rational(24)),
        ("gamma", rational(Fraction(1, 2)), at_constant.power(PI, Fraction(1, 2))),
        ("erf", ZERO, ZERO),
    ],
)
def test_special_values(name: str, argument: Constant, value: Constant) -> None:
    assert at_constant.special(name, argument) == value


def test_signs() -> None:
    assert sign(ZERO) == 0
    assert sign(PI - rational(Fraction(22, 7))) == -1
    assert sign(PI - rational(Fraction(355, 113))) == -1
    assert sign(at_constant.exponential(PI * root(163)) - rational(262537412640768744)) == -1
    assert sign(log(6) - log(2) - log(3)) == 0
    assert (
        sign(
            at_constant.special("sin", rational(2))
            - (at_constant.special("sin", ONE) * at_constant.special("cos", ONE)).scaled(Fraction(2))
        )
        == 0
    )
    nested = at_constant.power(rational(5) + root(24), Fraction(1, 2))
    assert sign(nested - root(2) - root(3)) == 0
    assert sign(nested - root(2) - root(3) + rational(Fraction(1, 10**300))) == 1


def test_a_tower_is_positive_without_a_ball() -> None:
    tower = E
    for _ in range(30):
        tower = at_constant.exponential(tower)
    assert sign(tower) == 1
    assert sign(tower - ONE) is None
    with pytest.raises(UndecidedError, match="would decide it"):
        decided_sign(tower - ONE, "the tower")


def test_unknown_relations_stay_undecided() -> None:
    third = at_constant.special("gamma", rational(Fraction(1, 3))) * at_constant.special("gamma", rational(Fraction(2, 3)))
    assert sign(third - PI.scaled(Fraction(2)) * inverse(root(3))) is None


def test_factored_large_numbers_multiply_back() -> None:
    for value in (Fraction(12, 5), Fraction(10**60 + 7, 6), Fraction((2**89 - 1) * (2**107 - 1) * 12, 49)):
        product = Fraction(1)
        for base, multiplicity in factored(value):
            product *= Fraction(base) ** multiplicity
        assert product == value


def test_atoms_are_compared_by_what_they_are() -> None:
    assert Atom("log", rational(2)) == Atom("log", rational(2))
    assert Atom("log", rational(2)) != Atom("log", rational(3))
    assert Atom("polygamma", (1, ONE)) != Atom("polygamma", (2, ONE))
    assert PI != Atom("pi")
