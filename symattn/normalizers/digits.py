"""Rational numbers as decimal text, whatever their size (Python limits the conversion of its own integers)."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq

__all__ = ["rational_text"]

_PLAIN_BITS = 10_000


def rational_text(value: Fraction) -> str:
    """The number as ``"p/q"``, or ``"p"`` for an integer.

    >>> rational_text(Fraction(-6, 4)), len(rational_text(Fraction(10) ** 5000))
    ('-3/2', 5001)
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) < _PLAIN_BITS:
        return str(value)
    return str(fmpq(value.numerator, value.denominator))
