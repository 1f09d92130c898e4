"""Truncated power series with ``Fraction`` coefficients, as lists in ascending degree, and exact roots of rational numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpz

__all__ = ["exact_root", "product", "quotient"]


def product(left: Sequence[Fraction], right: Sequence[Fraction], terms: int) -> list[Fraction]:
    """The first terms of the product of two series."""
    result = [Fraction(0)] * terms
    for i, a in enumerate(left):
        if a:
            for j, b in enumerate(right[: max(terms - i, 0)]):
                result[i + j] += a * b
    return result


def quotient(numerator: Sequence[Fraction], denominator: Sequence[Fraction]) -> list[Fraction]:
    """The quotient of two series, as many terms as the numerator has; the constant term of the denominator must not vanish.

    >>> quotient([Fraction(1), Fraction(0), Fraction(0)], [Fraction(1), Fraction(-1)])
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1)]
    """
    result: list[Fraction] = []
    for j, value in enumerate(numerator):
        known = sum((result[j - i] * denominator[i] for i in range(1, min(j + 1, len(denominator)))), Fraction(0))
        result.append((value - known) / denominator[0])
    return result


def exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational k-th root (the positive one for even k), or ``None`` if there is none.

    >>> exact_root(Fraction(-8, 27), 3), exact_root(Fraction(2), 2)
    (Fraction(-2, 3), None)
    """
    if value < 0:
        if degree % 2 == 0:
            return None
        positive = exact_root(-value, degree)
        return None if positive is None else -positive
    parts = []
    for part in (value.numerator, value.denominator):
        root = fmpz(part).root(degree)
        if root**degree != part:
            return None
        parts.append(int(root))
    return Fraction(*parts)
