"""Balls: the exact result lies in every ball, and the ball is narrow; the precision of FLINT is left alone."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx

from symattn.arithmetic.balls import BallMatrix, Balls
from symattn.errors import BudgetError, UndecidedError
from symattn.network.rational import RationalMatrix, multiply, transpose
from symattn.normalizers import normalizer

from .laws import ArithmeticLaws, EnclosureLaws, random_rational

U = Fraction(1, 97)


def encloses(found: BallMatrix, exact: RationalMatrix, bits: int) -> bool:
    """Whether every entry contains the exact one with a radius below ``2^-bits``: containment and narrowness."""
    if found.shape != (len(exact), len(exact[0])):
        return False
    entries = [entry for row in exact for entry in row]
    with ctx.workprec(4 * bits + 200):
        return all(
            bool((ball * entry.denominator).contains(entry.numerator)) and bool(ball.rad() < arb(2) ** -bits)
            for ball, entry in zip(found.entries(), entries, strict=True)
        )


class TestLaws(EnclosureLaws):
    """The shared laws that fit: equality of balls is overlap, ``x - x`` is a ball around zero, and no power of the number u vanishes."""

    unit = ArithmeticLaws.unit
    test_shift = ArithmeticLaws.test_shift
    test_assemble = ArithmeticLaws.test_assemble
    test_reciprocal = ArithmeticLaws.test_reciprocal

    def system(self) -> Any:
        return Balls(200, U)

    def element(self, source: random.Random, rows: int, columns: int) -> Any:
        return self.system().matrix(random_rational(source, rows, columns))


@pytest.mark.parametrize("bits", [60, 400])
@pytest.mark.parametrize("seed", range(4))
def test_results_contain_the_exact_ones_and_are_narrow(bits: int, seed: int) -> None:
    source, system = random.Random(seed), Balls(bits, U)
    a, b, c = random_rational(source, 2, 3), random_rational(source, 3, 2), random_rational(source, 2, 3)
    x, y, z = (system.matrix(matrix) for matrix in (a, b, c))
    good = bits - 20
    assert encloses(x @ y, multiply(a, b), good)
    assert encloses((x - z).transpose(), transpose(entrywise(a, c, lambda p, q: p - q)), good)
    assert encloses((x + z).scale(Fraction(1, 7)), entrywise(a, c, lambda p, q: (p + q) / 7), good)
    assert encloses(x.hadamard(z), entrywise(a, c, lambda p, q: p * q), good)
    assert encloses(system.shift(x, 3), entrywise(a, a, lambda p, q: p * U**3), good)
    units = entrywise(a, a, lambda p, q: p + 20)
    assert encloses(system.reciprocal(system.matrix(units)), entrywise(units, units, lambda p, q: 1 / p), good)
    assert encloses(x - x, entrywise(a, a, lambda p, q: p - q), good)


def entrywise(left: RationalMatrix, right: RationalMatrix, operation: Any) -> RationalMatrix:
    return tuple(tuple(operation(p, q) for p, q in zip(one, other, strict=True)) for one, other in zip(left, right, strict=True))


def test_a_shifted_and_an_enlarged_ball_are_noticed() -> None:
    system, exact = Balls(100), ((Fraction(1, 3),),)
    right = system.matrix(exact)
    assert encloses(right, exact, 90)
    with ctx.workprec(100):
        assert not encloses(BallMatrix(right.values + arb(2) ** -80, 100), exact, 70)
        assert not encloses(BallMatrix(right.values + arb(0, 2**-80), 100), exact, 90)


def test_zero_is_claimed_only_where_it_is_exact() -> None:
    system = Balls(100)
    third = system.matrix([[Fraction(1, 3)]])
    assert system.constant(2, 2, 0).is_zero()
    assert not third.is_zero()
    assert not (third - third).is_zero()
    assert (third - third).agrees_with(system.constant(1, 1, 0))
    assert not third.agrees_with(system.matrix([[Fraction(1, 3) + Fraction(1, 2**60)]]))


@pytest.mark.parametrize(("text", "s"), [("1/(2 - s)", Fraction(1, 3)), ("1 + s**2", Fraction(-3, 5))])
def test_normalizers_at_scores(text: str, s: Fraction) -> None:
    ((value, slope),) = Balls(200).normalize(normalizer(text), [Balls(200).matrix([[s]])])
    exact = (1 / (2 - s), 1 / (2 - s) ** 2) if "/" in text else (1 + s**2, 2 * s)
    assert encloses(value, ((exact[0],),), 180)
    assert encloses(slope, ((exact[1],),), 180)


def test_what_cannot_be_enclosed_is_undecided() -> None:
    system = Balls(100)
    third = system.matrix([[Fraction(1, 3)]])
    with pytest.raises(UndecidedError, match="higher precision"):
        system.reciprocal(third - third)
    with pytest.raises(UndecidedError, match="could not be enclosed"):
        system.normalize(normalizer("1/(2 - s)"), [system.matrix([[2]])])


def test_precision() -> None:
    with pytest.raises(BudgetError, match="at least 2 bits"):
        Balls(1)
    before = ctx.prec
    system = Balls(1000)
    assert system.matrix([[Fraction(1, 3)]])[0, 0].rel_accuracy_bits() > 990
    with pytest.raises(UndecidedError):
        system.reciprocal(system.constant(1, 1, 0))
    assert ctx.prec == before
    assert "1000 bits" in system.name
