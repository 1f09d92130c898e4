"""Taylor coefficients of normalizers from their closed forms, as an oracle that shares no code with the package."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial

__all__ = ["COEFFICIENTS", "derivative"]


def _exponential_of_power(power: int) -> Callable[[int], list[Fraction]]:
    return lambda n: [Fraction(1, factorial(j // power)) if j % power == 0 else Fraction(0) for j in range(n)]


def _cosine(sign: int) -> Callable[[int], list[Fraction]]:
    return lambda n: [Fraction(sign ** (j // 2), factorial(j)) if j % 2 == 0 else Fraction(0) for j in range(n)]


def _sine_plus_two(n: int) -> list[Fraction]:
    odd = [Fraction((-1) ** (j // 2), 2 * factorial(j)) if j % 2 else Fraction(0) for j in range(n)]
    return [Fraction(1), *odd[1:]]


def _exponential_of_quadratic(n: int) -> list[Fraction]:
    """``exp(s + s^2)``: the coefficient of ``s^j`` sums ``1/(a! b!)`` over ``a + 2 b = j``."""
    return [sum((Fraction(1, factorial(j - 2 * b) * factorial(b)) for b in range(j // 2 + 1)), Fraction(0)) for j in range(n)]


def _polynomial(*coefficients: int) -> Callable[[int], list[Fraction]]:
    return lambda n: [Fraction(coefficients[j]) if j < len(coefficients) else Fraction(0) for j in range(n)]


#: Text of a normalizer, and its first n coefficients, scaled to ``phi(0) = 1``.
COEFFICIENTS: dict[str, Callable[[int], list[Fraction]]] = {
    "exp(s)": _exponential_of_power(1),
    "exp(s**2)": _exponential_of_power(2),
    "exp(s**3)": _exponential_of_power(3),
    "exp(s+s**2)": _exponential_of_quadratic,
    "1/(1-s)": lambda n: [Fraction(1)] * n,
    "1+s": _polynomial(1, 1),
    "1+s**2": _polynomial(1, 0, 1),
    "1+s**2+s**3": _polynomial(1, 0, 1, 1),
    "cosh(s)": _cosine(1),
    "cos(s)": _cosine(-1),
    "2+sin(s)": _sine_plus_two,
}


def derivative(coefficients: list[Fraction]) -> list[Fraction]:
    """The coefficients of the derivative of a power series."""
    return [j * coefficient for j, coefficient in enumerate(coefficients)][1:]
