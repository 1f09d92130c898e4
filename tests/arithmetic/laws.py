"""The laws of every number system, written once: a new system inherits them by supplying an instance and random elements."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

import pytest

from symattn.errors import UndecidedError
from symattn.network.rational import RationalMatrix, multiply, rational_matrix
from symattn.normalizers import normalizer

from .coefficients import COEFFICIENTS, derivative

ROUNDS = 6


def random_rational(source: random.Random, rows: int, columns: int) -> RationalMatrix:
    """A rational matrix whose denominators are products of 2, 3 and 5."""
    return rational_matrix(
        [[Fraction(source.randint(-9, 9), source.choice([1, 1, 2, 3, 4, 5, 6])) for _ in range(columns)] for _ in range(rows)]
    )


def cyclic(size: int, step: int) -> list[list[int]]:
    """The permutation matrix that moves every column ``step`` places on."""
    return [[int((i + step) % size == j) for j in range(size)] for i in range(size)]


class ArithmeticLaws(ABC):
    """Laws of :class:`symattn.arithmetic.Arithmetic`; ``precision`` of the system is the power of ``u`` that is zero in it."""

    @abstractmethod
    def system(self) -> Any:
        """The number system under test."""

    def element(self, source: random.Random, rows: int, columns: int) -> Any:
        """A random matrix: by default a polynomial in ``u`` with random rational coefficients."""
        system = self.system()
        result = system.matrix(random_rational(source, rows, columns))
        for power in range(1, system.precision):
            result = result + system.shift(system.matrix(random_rational(source, rows, columns)), power)
        return result

    def unit(self, source: random.Random, rows: int, columns: int) -> Any:
        """A random matrix whose entries are all invertible."""
        system = self.system()
        start = [[source.choice([-4, -1, 1, 2, 3, Fraction(5, 2)]) for _ in range(columns)] for _ in range(rows)]
        return system.matrix(start) + system.shift(self.element(source, rows, columns), 1)

    @pytest.fixture(params=range(ROUNDS))
    def source(self, request: pytest.FixtureRequest) -> random.Random:
        return random.Random(request.param)

    def test_addition(self, source: random.Random) -> None:
        x, y, z = (self.element(source, 2, 3) for _ in range(3))
        zero = self.system().constant(2, 3, 0)
        assert (x + y).agrees_with(y + x)
        assert ((x + y) + z).agrees_with(x + (y + z))
        assert (x + zero).agrees_with(x)
        assert (x - x).is_zero()
        assert ((x - y) + y).agrees_with(x)
        assert (zero - x).agrees_with(x.scale(-1))

    def test_product(self, source: random.Random) -> None:
        x, y, z = self.element(source, 2, 3), self.element(source, 3, 2), self.element(source, 2, 4)
        other = self.element(source, 3, 2)
        identity = self.system().matrix([[int(i == j) for j in range(3)] for i in range(3)])
        assert ((x @ y) @ z).agrees_with(x @ (y @ z))
        assert (x @ (y + other)).agrees_with(x @ y + x @ other)
        assert ((y - other) @ z).agrees_with(y @ z - other @ z)
        assert (x @ identity).agrees_with(x)
        assert (x @ y).shape == (2, 2)

    def test_product_is_not_commutative(self) -> None:
        left, right = self.system().matrix([[0, 1], [0, 0]]), self.system().matrix([[0, 0], [1, 0]])
        assert not (left @ right).agrees_with(right @ left)

    def test_transposition(self, source: random.Random) -> None:
        x, y, z = self.element(source, 2, 3), self.element(source, 3, 2), self.element(source, 2, 3)
        assert x.transpose().shape == (3, 2)
        assert x.transpose().transpose().agrees_with(x)
        assert (x @ y).transpose().agrees_with(y.transpose() @ x.transpose())
        assert (x - z).transpose().agrees_with(x.transpose() - z.transpose())

    def test_entrywise_product(self, source: random.Random) -> None:
        x, y, z = (self.element(source, 3, 2) for _ in range(3))
        assert x.hadamard(y).agrees_with(y.hadamard(x))
        assert x.hadamard(y).hadamard(z).agrees_with(x.hadamard(y.hadamard(z)))
        assert x.hadamard(y + z).agrees_with(x.hadamard(y) + x.hadamard(z))
        assert x.hadamard(self.system().constant(3, 2, 1)).agrees_with(x)
        assert x.hadamard(y).transpose().agrees_with(x.transpose().hadamard(y.transpose()))

    def test_entrywise_product_of_one_row_is_the_product_with_a_diagonal(self, source: random.Random) -> None:
        row, entries = self.element(source, 1, 3), self.element(source, 1, 3)
        ones = self.system().matrix([[1], [1], [1]])
        diagonal = (ones @ entries).hadamard(self.system().matrix([[int(i == j) for j in range(3)] for i in range(3)]))
        assert row.hadamard(entries).agrees_with(row @ diagonal)

    def test_scaling(self, source: random.Random) -> None:
        x, y = self.element(source, 2, 3), self.element(source, 3, 2)
        half, third = Fraction(1, 2), Fraction(-1, 3)
        assert x.scale(half).scale(third).agrees_with(x.scale(half * third))
        assert (x.scale(half) + x.scale(third)).agrees_with(x.scale(half + third))
        assert x.scale(third).scale(-3).agrees_with(x)
        assert (x.scale(half) @ y).agrees_with((x @ y).scale(half))
        assert x.scale(7 * 6).agrees_with(x.hadamard(self.system().constant(2, 3, 42)))
        assert x.scale(0).is_zero()

    def test_rational_matrices_embed(self, source: random.Random) -> None:
        system = self.system()
        a, b = random_rational(source, 2, 3), random_rational(source, 3, 2)
        assert (system.matrix(a) @ system.matrix(b)).agrees_with(system.matrix(multiply(a, b)))
        assert system.matrix(a).transpose().agrees_with(system.matrix(tuple(zip(*a, strict=True))))
        doubled = [[2 * entry for entry in row] for row in a]
        assert (system.matrix(a) + system.matrix(a)).agrees_with(system.matrix(doubled))
        assert system.matrix([[5, 5]]).agrees_with(system.constant(1, 2, 5))

    def test_different_matrices_disagree(self, source: random.Random) -> None:
        system = self.system()
        x = self.element(source, 2, 3)
        for power in range(system.precision):
            bump = system.shift(system.matrix([[0, 0, 0], [0, 0, 1]]), power)
            assert not bump.is_zero()
            assert not (x + bump).agrees_with(x)
        assert not x.agrees_with(x.transpose())
        assert not system.constant(2, 3, 0).agrees_with(system.constant(3, 2, 0))

    def test_shapes_that_do_not_fit_are_refused(self, source: random.Random) -> None:
        x, zero = self.element(source, 2, 3), self.system().constant(2, 3, 0)
        for left in (x, zero):
            for right in (x, zero):
                with pytest.raises(ValueError, match=r"fit|[Ss]hape"):
                    left @ right
                with pytest.raises(ValueError, match=r"fit|[Ss]hape"):
                    left + right.transpose()
                with pytest.raises(ValueError, match=r"fit|[Ss]hape"):
                    left - right.transpose()
                with pytest.raises(ValueError, match=r"fit|[Ss]hape"):
                    left.hadamard(right.transpose())

    def test_floats_are_refused(self) -> None:
        system = self.system()
        assert system.matrix([[Fraction(1, 2), 1]]).shape == (1, 2)  # a float equal to a number seen before is refused too
        for entry in (0.5, 1.0):
            with pytest.raises(TypeError):
                system.matrix([[entry]])
            with pytest.raises(TypeError):
                system.constant(1, 1, 1).scale(entry)

    def test_shift(self, source: random.Random) -> None:
        system = self.system()
        x, y = self.element(source, 2, 3), self.element(source, 3, 2)
        assert system.shift(x, 0).agrees_with(x)
        assert system.shift(system.shift(x, 1), 2).agrees_with(system.shift(x, 3))
        assert system.shift(x + x, 1).agrees_with(system.shift(x, 1) + system.shift(x, 1))
        assert system.shift(x @ y, 1).agrees_with(system.shift(x, 1) @ y)
        assert system.shift(x @ y, 1).agrees_with(x @ system.shift(y, 1))

    def test_precision_is_where_powers_of_u_vanish(self) -> None:
        system = self.system()
        one = system.constant(1, 2, 1)
        assert not system.shift(one, system.precision - 1).is_zero()
        for beyond in (0, 1, 5):
            assert system.shift(one, system.precision + beyond).is_zero()

    def test_assemble(self, source: random.Random) -> None:
        system = self.system()
        blocks = [[random_rational(source, 2, 2), random_rational(source, 1, 3)] for _ in range(3)]
        flat = [[entry for block in row for line in block for entry in line] for row in blocks]
        shifted = [[system.shift(system.matrix(block), 1) for block in row] for row in blocks]
        assert system.assemble([[system.matrix(block) for block in row] for row in blocks]).agrees_with(system.matrix(flat))
        assert system.assemble(shifted).agrees_with(system.shift(system.matrix(flat), 1))

    def test_reciprocal(self, source: random.Random) -> None:
        system = self.system()
        x, y = self.unit(source, 2, 3), self.unit(source, 2, 3)
        one = system.constant(2, 3, 1)
        assert x.hadamard(system.reciprocal(x)).agrees_with(one)
        assert system.reciprocal(system.reciprocal(x)).agrees_with(x)
        assert system.reciprocal(x.hadamard(y)).agrees_with(system.reciprocal(x).hadamard(system.reciprocal(y)))

    def test_no_reciprocal_of_what_vanishes_at_the_collapse(self, source: random.Random) -> None:
        system = self.system()
        mask = system.matrix([[1, 0]])
        spoiled = mask.hadamard(self.unit(source, 1, 2)) + system.shift(system.matrix([[0, 1]]), 1)
        with pytest.raises(UndecidedError):
            system.reciprocal(spoiled)

    @pytest.mark.parametrize("text", COEFFICIENTS)
    def test_normalize_against_the_taylor_sum(self, text: str) -> None:
        system = self.system()
        source = random.Random(text)
        scores = [system.shift(self.element(source, rows, 3), power) for rows, power in ((2, 1), (3, 2), (1, system.precision))]
        for score, (value, slope) in zip(scores, system.normalize(normalizer(text), scores), strict=True):
            expected = self.taylor_sum(COEFFICIENTS[text](system.precision), score)
            expected_slope = self.taylor_sum(derivative(COEFFICIENTS[text](system.precision + 1)), score)
            # One unit factor per row is free: cross products along a row compare ratios.
            for step in range(1, 3):
                turn = system.matrix(cyclic(3, step))
                assert value.hadamard(expected @ turn).agrees_with(expected.hadamard(value @ turn))
            assert value.hadamard(expected_slope).agrees_with(slope.hadamard(expected))
            system.reciprocal(value)  # every value is a unit

    def taylor_sum(self, coefficients: list[Fraction], argument: Any) -> Any:
        power = self.system().constant(*argument.shape, 1)
        total = power.scale(0)
        for coefficient in coefficients:
            total = total + power.scale(coefficient)
            power = power.hadamard(argument)
        return total

    def test_normalize_sees_the_scores(self) -> None:
        """Different scores of lowest order give different weights, where the ring is not blind to ``u``."""
        system = self.system()
        ((value, _),) = system.normalize(normalizer("exp(s)"), [system.shift(system.matrix([[0, 1]]), 1)])
        swapped = value @ system.matrix(cyclic(2, 1))
        assert value.agrees_with(swapped) == (system.precision == 1)

    @pytest.mark.parametrize("text", ["exp(s)", "1/(1-s)"])
    def test_scores_that_do_not_vanish_at_the_collapse_are_refused(self, text: str) -> None:
        system = self.system()
        with pytest.raises(UndecidedError, match="score"):
            system.normalize(normalizer(text), [system.matrix([[1, 0], [0, 0]])])


class LocalArithmeticLaws(ArithmeticLaws):
    """Laws of the matrices over a truncated discrete valuation ring that the Smith form uses."""

    def test_valuation_and_division(self, source: random.Random) -> None:
        system = self.system()
        for valuation in range(system.precision):
            x = self.unit(source, 2, 3)
            shifted = system.shift(x, valuation)
            assert shifted.valuation() == valuation
            divided = shifted.divide(valuation)
            assert divided.precision() == system.precision - valuation
            assert divided.valuation() == 0
            assert divided.residue() == x.residue()
        assert system.constant(2, 2, 0).valuation() is None
        assert system.shift(self.unit(source, 2, 2), system.precision).valuation() is None

    def test_valuation_is_that_of_the_least_entry(self, source: random.Random) -> None:
        system = self.system()
        last = system.precision - 1
        entries = system.shift(system.constant(3, 1, 1), last) + system.matrix([[0], [1], [0]])
        assert entries.valuation() == 0
        assert entries.take([0, 2], [0]).valuation() == last

    def test_take(self, source: random.Random) -> None:
        x = self.element(source, 3, 4)
        pick = self.system().matrix
        rows, columns = [2, 0], [3, 1, 1]
        left = pick([[int(i == j) for j in range(3)] for i in rows])
        right = pick([[int(i == j) for j in columns] for i in range(4)])
        assert x.take(rows, columns).agrees_with(left @ x @ right)
        assert x.take([], columns).shape == (0, 3)
        assert x.take(rows, []).shape == (2, 0)

    def test_residue_and_lift(self, source: random.Random) -> None:
        x, y = self.element(source, 2, 2), self.element(source, 2, 2)
        assert (x @ y).residue() == x.residue() * y.residue()
        assert (x + y).residue() == x.residue() + y.residue()
        assert x.lift(x.residue()).residue() == x.residue()
        assert x.lift(x.residue()).precision() == x.precision()
        difference = (x - x.lift(x.residue())).valuation()
        assert difference is None or difference > 0


class EnclosureLaws:
    """The laws that also hold where two elements are called equal if they overlap; a number system of enclosures inherits them."""

    source = ArithmeticLaws.source
    test_product = ArithmeticLaws.test_product
    test_product_is_not_commutative = ArithmeticLaws.test_product_is_not_commutative
    test_transposition = ArithmeticLaws.test_transposition
    test_entrywise_product = ArithmeticLaws.test_entrywise_product
    test_scaling = ArithmeticLaws.test_scaling
    test_rational_matrices_embed = ArithmeticLaws.test_rational_matrices_embed
    test_shapes_that_do_not_fit_are_refused = ArithmeticLaws.test_shapes_that_do_not_fit_are_refused
    test_floats_are_refused = ArithmeticLaws.test_floats_are_refused
