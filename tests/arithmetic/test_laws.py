"""The shared laws, run over every number system at several precisions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symattn.arithmetic import DEFAULT_PRIMES, ModularSeries, PadicPoint, PrimeField, RationalSeries
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.normalizers import normalizer

from .laws import LocalArithmeticLaws


class TestPadicPoint(LocalArithmeticLaws):
    def system(self) -> Any:
        return PadicPoint(DEFAULT_PRIMES[0], 5)


class TestPadicPointOfLeastPrime(LocalArithmeticLaws):
    """The smallest prime that does not divide the test data, at the highest precision it allows."""

    def system(self) -> Any:
        return PadicPoint(7, 6)


class TestPadicPointOfPrecisionOne(LocalArithmeticLaws):
    def system(self) -> Any:
        return PadicPoint(101, 1)


class TestRationalSeries(LocalArithmeticLaws):
    def system(self) -> Any:
        return RationalSeries(5)


class TestRationalSeriesOfPrecisionOne(LocalArithmeticLaws):
    def system(self) -> Any:
        return RationalSeries(1)


class TestModularSeries(LocalArithmeticLaws):
    def system(self) -> Any:
        return ModularSeries(7, 6)


class TestPrimeField(LocalArithmeticLaws):
    def system(self) -> Any:
        return PrimeField(101)


@pytest.mark.parametrize("system", [PadicPoint, ModularSeries])
class TestPrimes:
    def test_a_prime_in_a_denominator_is_refused(self, system: Any) -> None:
        with pytest.raises(UndecidedError, match="prime 7 in its denominator: take another prime"):
            system(7, 3).matrix([[Fraction(3, 7)]])
        with pytest.raises(UndecidedError, match="prime 7 in its denominator: take another prime"):
            system(7, 3).constant(1, 1, 1).scale(Fraction(3, 7))

    def test_a_token_count_divisible_by_the_prime_is_refused_where_logits_are_centred(self, system: Any) -> None:
        arithmetic = system(3, 2)
        score = arithmetic.shift(arithmetic.matrix([[0, 1, 2]]), 1)
        with pytest.raises(UndecidedError, match="prime 3"):
            arithmetic.normalize(normalizer("exp(s)"), [score])

    def test_a_prime_in_a_taylor_coefficient_is_refused(self, system: Any) -> None:
        # s/(exp(s) - 1) = sum B_j s^j / j!, and 7 divides the denominator of B_6 (von Staudt and Clausen).
        arithmetic = system(7, 6)
        score = arithmetic.shift(arithmetic.matrix([[0, 1]]), 1)
        with pytest.raises(UndecidedError, match="prime 7"):
            arithmetic.normalize(normalizer("s/(exp(s)-1)"), [score])

    def test_a_prime_must_exceed_the_precision(self, system: Any) -> None:
        assert system(7, 6).precision == 6
        for precision in (7, 8):
            with pytest.raises(BudgetError, match="take a larger prime"):
                system(7, precision)

    @pytest.mark.parametrize("number", [-7, 0, 1, 15, 2147483646, 1 << 63, (1 << 89) - 1])
    def test_what_is_not_a_prime_of_one_word_is_refused(self, system: Any, number: int) -> None:
        with pytest.raises(InputError, match=f"prime: a prime below 2\\^63 was expected, not {number}"):
            system(number, 1)


@pytest.mark.parametrize("make", [lambda n: PadicPoint(7, n), RationalSeries, lambda n: ModularSeries(7, n)])
class TestPrecision:
    @pytest.mark.parametrize("precision", [0, -3])
    def test_a_precision_below_one_is_refused(self, make: Any, precision: int) -> None:
        with pytest.raises(BudgetError, match="precision of at least 1"):
            make(precision)

    def test_matrices_of_two_precisions_do_not_mix(self, make: Any) -> None:
        low, high = make(2).constant(2, 2, 1), make(3).constant(2, 2, 1)
        for operation in ("__add__", "__sub__", "__matmul__", "hadamard"):
            for one, other in ((low, high), (high, low)):
                with pytest.raises(ValueError, match=r"fit|moduli"):
                    getattr(one, operation)(other)


def test_default_primes_are_prime_and_distinct() -> None:
    assert len({PadicPoint(prime, 1).prime for prime in DEFAULT_PRIMES}) == len(DEFAULT_PRIMES)
