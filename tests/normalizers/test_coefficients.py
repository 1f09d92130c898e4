"""Coefficients against published closed forms over ranges, and fast routes against naive recursions."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial

import flint
import pytest
from flint import fmpq
from hypothesis import given, settings, strategies as st

from symattn.errors import NotAnalyticError, UndecidedError
from symattn.normalizers import Normalizer, catalog, normalizer

COUNT = 60


def fractions(values: list[fmpq]) -> list[Fraction]:
    return [Fraction(int(value.p), int(value.q)) for value in values]


def bernoulli(n: int) -> Fraction:
    """B_n with B_1 = -1/2, by the recursion ``sum_j binomial(m+1, j) B_j = 0``."""
    values: list[Fraction] = []
    for m in range(n + 1):
        values.append(Fraction(1) if m == 0 else -sum((comb(m + 1, j) * values[j] for j in range(m)), Fraction(0)) / (m + 1))
    return values[n]


def euler(count: int) -> list[int]:
    """Euler numbers E_0 .. by ``sum binomial(2m, 2j) E_2j = 0``."""
    values = [0] * count
    values[0] = 1
    for n in range(2, count, 2):
        values[n] = -sum(comb(n, j) * values[j] for j in range(0, n, 2))
    return values


def bell(count: int) -> list[int]:
    values = [1]
    for n in range(count - 1):
        values.append(sum(comb(n, j) * values[j] for j in range(n + 1)))
    return values


BERNOULLI = [bernoulli(n) for n in range(COUNT + 3)]
EULER = euler(COUNT)
BELL = bell(COUNT)


def binomial(a: Fraction, n: int) -> Fraction:
    result = Fraction(1)
    for j in range(n):
        result = result * (a - j) / (j + 1)
    return result


CLOSED_FORMS: dict[str, Callable[[int], Fraction | int]] = {
    "exp(s)": lambda n: Fraction(1, factorial(n)),
    "exp(-3*s/2)": lambda n: Fraction(-3, 2) ** n / factorial(n),
    "exp(s**3)": lambda n: 0 if n % 3 else Fraction(1, factorial(n // 3)),
    "1/(1-s)": lambda n: 1,
    "1/(1-s)**3": lambda n: comb(n + 2, 2),
    "sqrt(1+s)": lambda n: binomial(Fraction(1, 2), n),
    "(1+s)**(-2/3)": lambda n: binomial(Fraction(-2, 3), n),
    "(1-4*s)**(-1/2)": lambda n: comb(2 * n, n),
    "2/(1+sqrt(1-4*s))": lambda n: Fraction(comb(2 * n, n), n + 1),
    "1/(1-s-s**2)": lambda n: sum(comb(n - j, j) for j in range(n // 2 + 1)),
    "1+log(1+s)": lambda n: Fraction((-1) ** (n + 1), n) if n else 1,
    "s/(exp(s)-1)": lambda n: BERNOULLI[n] / factorial(n),
    "1/(1+exp(-s))": lambda n: 1 if n == 0 else 2 * (2 ** (n + 1) - 1) * BERNOULLI[n + 1] / factorial(n + 1),
    "sigmoid(s)": lambda n: 1 if n == 0 else 2 * (2 ** (n + 1) - 1) * BERNOULLI[n + 1] / factorial(n + 1),
    "1+tanh(s)": lambda n: 1 if n == 0 else 2 ** (n + 1) * (2 ** (n + 1) - 1) * BERNOULLI[n + 1] / factorial(n + 1) if n % 2 else 0,
    "1+tan(s)": lambda n: 1 if n == 0 else 2 ** (n + 1) * (2 ** (n + 1) - 1) * abs(BERNOULLI[n + 1]) / factorial(n + 1) if n % 2 else 0,
    "1/cosh(s)": lambda n: Fraction(EULER[n], factorial(n)),
    "1/cos(s)": lambda n: Fraction(abs(EULER[n]), factorial(n)),
    "exp(exp(s)-1)": lambda n: Fraction(BELL[n], factorial(n)),
    "exp(exp(s))": lambda n: Fraction(BELL[n], factorial(n)),
    "exp(s+exp(s))": lambda n: Fraction(BELL[n + 1], factorial(n)) if n + 1 < COUNT else Fraction(-1),
    "cosh(s)": lambda n: 0 if n % 2 else Fraction(1, factorial(n)),
    "cos(s)": lambda n: 0 if n % 2 else Fraction((-1) ** (n // 2), factorial(n)),
    "sin(s)/s": lambda n: 0 if n % 2 else Fraction((-1) ** (n // 2), factorial(n + 1)),
    "sinc(s)": lambda n: 0 if n % 2 else Fraction((-1) ** (n // 2), factorial(n + 1)),
    "2*(1-cos(s))/s**2": lambda n: 0 if n % 2 else Fraction(2 * (-1) ** (n // 2), factorial(n + 2)),
    "2+sin(s)": lambda n: 1 if n == 0 else Fraction((-1) ** (n // 2), 2 * factorial(n)) if n % 2 else 0,
    "1+atan(s)": lambda n: 1 if n == 0 else Fraction((-1) ** (n // 2), n) if n % 2 else 0,
    "1+asinh(s)": lambda n: 1 if n == 0 else Fraction((-1) ** (n // 2) * comb(n - 1, n // 2), 4 ** (n // 2) * n) if n % 2 else 0,
    "exp(s+s**2)": lambda n: sum((Fraction(1, factorial(j) * factorial(n - 2 * j)) for j in range(n // 2 + 1)), Fraction(0)),
    "(1+s)/(1-s)": lambda n: 2 if n else 1,
    "1+s**7": lambda n: int(n in (0, 7)),
    "s*exp(s/2)/(exp(s)-1)": lambda n: (2 * Fraction(1, 2) ** n - 1) * BERNOULLI[n] / factorial(n),
    "gamma(3+s)/gamma(1+s)": lambda n: [Fraction(1), Fraction(3, 2), Fraction(1, 2)][n] if n < 3 else 0,
}


@pytest.mark.parametrize("text", CLOSED_FORMS)
def test_closed_forms(text: str) -> None:
    if not normalizer(text).is_rational:
        pytest.skip("gamma functions are not known to cancel")
    count = COUNT - 1
    assert fractions(normalizer(text).coefficients(count)) == [CLOSED_FORMS[text](n) for n in range(count)]


def naive_logarithm(phi: list[Fraction]) -> list[Fraction]:
    """``n h_n = n phi_n - sum_(0<j<n) j h_j phi_(n-j)``."""
    h = [Fraction(0)]
    for n in range(1, len(phi)):
        h.append(phi[n] - sum((j * h[j] * phi[n - j] for j in range(1, n)), Fraction(0)) / n)
    return h


def naive_exponential(h: list[Fraction]) -> list[Fraction]:
    """``n phi_n = sum_(0<j<=n) j h_j phi_(n-j)``."""
    phi = [Fraction(1)]
    for n in range(1, len(h)):
        phi.append(sum((j * h[j] * phi[n - j] for j in range(1, n + 1)), Fraction(0)) / n)
    return phi


RATIONAL = [name for name in catalog if catalog[name].is_rational]


@pytest.mark.parametrize("name", RATIONAL)
def test_catalog_logarithm_agrees_with_the_naive_recursion(name: str) -> None:
    phi = catalog[name]
    series = fractions(phi.coefficients(COUNT))
    assert fractions(phi.log_coefficients(COUNT)) == naive_logarithm(series)
    assert naive_exponential(naive_logarithm(series)) == series


def test_catalog_is_a_mapping_of_names() -> None:
    assert len(catalog) == len(list(catalog)) >= 20
    assert catalog["softmax"] == normalizer("softmax") == normalizer("exp(s)")
    with pytest.raises(KeyError):
        catalog["nobody"]


@pytest.mark.parametrize("count", [1000, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", RATIONAL)
def test_catalog_to_a_high_degree(name: str, count: int) -> None:
    phi = normalizer(catalog[name].text)
    started = time.process_time()
    values = phi.coefficients(count)
    # Generous: a loaded machine is several times slower; the benchmark reports the figures.
    assert time.process_time() - started < 10
    assert len(values) == count
    assert values[:COUNT] == catalog[name].coefficients(COUNT)


def test_coefficients_grow_and_shrink_consistently() -> None:
    phi = normalizer("sigmoid(s)")
    long = phi.coefficients(90)
    assert phi.coefficients(7) == long[:7]
    assert phi.coefficients(0) == []
    assert phi.coefficients(1) == [1]
    assert normalizer("sigmoid(s)").coefficients(1) == [1]
    long[0] = fmpq(5)
    assert phi.coefficients(1) == [1]


def test_flint_contexts_are_left_alone() -> None:
    saved = flint.ctx.cap, flint.ctx.prec
    try:
        # Values that no other code sets, so that a context left behind shows.
        flint.ctx.cap, flint.ctx.prec = 17, 71
        normalizer("exp(sqrt(2)*s)").coefficients_in_constant(30)
        assert (flint.ctx.cap, flint.ctx.prec) == (17, 71)
        with pytest.raises(NotAnalyticError):
            normalizer("1+exp(1/s)")
        with pytest.raises(UndecidedError):
            normalizer("gamma(1/3)*gamma(2/3) - 2*pi/sqrt(3) + s")
        assert (flint.ctx.cap, flint.ctx.prec) == (17, 71)
    finally:
        flint.ctx.cap, flint.ctx.prec = saved


RATIONALS = st.fractions(min_value=-3, max_value=3, max_denominator=5)


@settings(deadline=None, database=None, derandomize=True, max_examples=40)
@given(st.lists(RATIONALS, min_size=2, max_size=8).filter(lambda c: any(c[1:])))
def test_polynomial_normalizers_against_naive_recursions(tail: list[Fraction]) -> None:
    given_coefficients = [Fraction(2), *tail]
    phi = Normalizer.from_coefficients(given_coefficients)
    count = 30
    expected = [c / 2 for c in given_coefficients] + [Fraction(0)] * (count - len(given_coefficients))
    assert fractions(phi.coefficients(count)) == expected
    h = naive_logarithm(expected)
    assert fractions(phi.log_coefficients(count)) == h
    assert phi.k == next(n for n in range(1, count) if h[n])
    assert phi.coefficient == h[phi.k]
    assert phi.first_odd_degree == next((n for n in range(1, count, 2) if h[n]), None)
    assert phi.first_even_degree == next((n for n in range(2, count, 2) if h[n]), None)


@settings(deadline=None, database=None, derandomize=True, max_examples=25)
@given(st.fractions(min_value=-2, max_value=2, max_denominator=6).filter(bool), st.integers(1, 4))
def test_closed_sigmoid_of_a_monomial_agrees_with_division(c: Fraction, degree: int) -> None:
    closed = normalizer(f"sigmoid(({c})*s**{degree})").coefficients(40)
    # The added and removed square keeps the argument from being seen as a monomial.
    divided = normalizer(f"exp(({c})*s**{degree})/(exp(({c})*s**{degree}) + 1)").coefficients(40)
    assert closed == divided
