"""The number systems are reductions of one another: truncation, reduction modulo p, and the point ``u = p``."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from symattn.arithmetic import ModularSeries, PadicPoint, PrimeField, RationalSeries, SeriesMatrix
from symattn.network.attention import Layer, evaluate, pull_back_stack, trace_stack
from symattn.network.rational import RationalMatrix
from symattn.normalizers import normalizer

from .coefficients import COEFFICIENTS
from .laws import random_rational

PRIMES = [101, 2147483647]
PRECISION = 6


def random_nonzero(source: random.Random, d: int) -> RationalMatrix:
    """A d x d matrix with a positive diagonal, so that no test rests on a layer that erases its input."""
    return tuple(tuple(x + 10 * (i == j) for j, x in enumerate(row)) for i, row in enumerate(random_rational(source, d, d)))


def network(arithmetic: Any, text: str, seed: int) -> list[Any]:
    """Two layers on two inputs: outputs, and cotangents of every score and value, in this number system."""
    source = random.Random(seed)
    n, d = source.choice([(2, 2), (3, 1), (3, 2)])
    layers = [
        Layer(
            normalizer(text),
            arithmetic.shift(arithmetic.matrix(random_nonzero(source, d)), 1),
            arithmetic.matrix(random_nonzero(source, d)),
        )
        for _ in range(2)
    ]
    inputs = [arithmetic.matrix(random_rational(source, n, d)) for _ in range(2)]
    cotangent = arithmetic.matrix(random_rational(source, n, d))
    own = [traces[0] for traces in trace_stack(arithmetic, layers, inputs)]
    return [*evaluate(arithmetic, layers, inputs), *(block for pair in pull_back_stack(arithmetic, own, cotangent) for block in pair)]


def entries(matrix: SeriesMatrix) -> list[list[Fraction]]:
    """The coefficients of every entry over Q, from ``u^0``."""
    return [[Fraction(int(c.p), int(c.q)) for c in polynomial.coeffs()] for polynomial in matrix.polynomials()]


def modulo(value: Fraction, modulus: int) -> int:
    return value.numerator * pow(value.denominator, -1, modulus) % modulus


def at_prime(series: list[Fraction], prime: int) -> int:
    return sum(modulo(c, prime**PRECISION) * prime**j for j, c in enumerate(series)) % prime**PRECISION


@pytest.fixture(params=[(text, seed) for seed, text in enumerate(COEFFICIENTS)], ids=lambda case: case[0])
def evaluated(request: pytest.FixtureRequest) -> tuple[Callable[[Any], list[Any]], list[list[list[Fraction]]]]:
    """The network as a function of the number system, and its coefficients over Q."""
    text, seed = request.param
    matrices = network(RationalSeries(PRECISION), text, seed)
    return lambda arithmetic: network(arithmetic, text, seed), [entries(matrix) for matrix in matrices]


@pytest.mark.parametrize("prime", PRIMES)
def test_rational_series_at_u_equal_p_is_the_padic_point(evaluated: Any, prime: int) -> None:
    evaluate_in, rational = evaluated
    for matrix, expected in zip(evaluate_in(PadicPoint(prime, PRECISION)), rational, strict=True):
        found = [entry for row in matrix.integers() for entry in row]
        assert found == [at_prime(series, prime) for series in expected]


@pytest.mark.parametrize("prime", PRIMES)
def test_rational_series_modulo_p_is_the_modular_series(evaluated: Any, prime: int) -> None:
    evaluate_in, rational = evaluated
    for matrix, expected in zip(evaluate_in(ModularSeries(prime, PRECISION)), rational, strict=True):
        for found, series in zip(matrix.polynomials(), expected, strict=True):
            assert [int(found[j]) for j in range(PRECISION)] == [modulo(c, prime) for c in series] + [0] * (PRECISION - len(series))


@pytest.mark.parametrize("prime", PRIMES)
def test_the_prime_field_is_the_residue(evaluated: Any, prime: int) -> None:
    evaluate_in, _ = evaluated
    modular = evaluate_in(ModularSeries(prime, PRECISION))
    padic = evaluate_in(PadicPoint(prime, PRECISION))
    for matrix, series, point in zip(evaluate_in(PrimeField(prime)), modular, padic, strict=True):
        assert matrix.residue() == series.residue() == point.residue()


def test_lower_precision_is_truncation(evaluated: Any) -> None:
    evaluate_in, rational = evaluated
    for precision in (1, 3):
        for matrix, expected in zip(evaluate_in(RationalSeries(precision)), rational, strict=True):
            for found, series in zip(entries(matrix), expected, strict=True):
                kept = series[:precision]
                assert found == kept[: len(found)]
                assert not any(kept[len(found) :])


def test_the_networks_depend_on_u(evaluated: Any) -> None:
    """The comparisons above would be empty if every series were constant."""
    _, rational = evaluated
    assert any(len(series) > 1 for matrix in rational[:2] for series in matrix)
