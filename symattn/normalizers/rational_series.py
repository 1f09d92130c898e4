"""Faster routes for power series over Q: substitution ``s**g -> s`` where only every g-th term occurs, and Bernoulli numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd

from flint import fmpq, fmpq_series, fmpz

__all__ = ["cut", "deflated", "power", "raised", "scaled", "sigmoid", "to_fmpq", "to_fraction", "without_constant_term"]


def to_fmpq(value: Fraction) -> fmpq:
    """The rational number as FLINT has it."""
    return fmpq(value.numerator, value.denominator)


def to_fraction(value: fmpq) -> Fraction:
    """The rational number as Python has it."""
    return Fraction(int(value.p), int(value.q))


def cut(part: fmpq_series, start: int, length: int) -> fmpq_series:
    """The terms from ``start`` on, shifted down, with this precision."""
    return fmpq_series(part.numer().coeffs()[start : start + length], part.denom(), prec=length)


def raised(part: fmpq_series, shift: int, length: int) -> fmpq_series:
    """The series times ``s**shift``, with this precision."""
    return fmpq_series([fmpz(0)] * shift + part.numer().coeffs(), part.denom(), prec=length)


def scaled(part: fmpq_series, factor: Fraction) -> fmpq_series:
    """The series times a rational number."""
    product: fmpq_series = part * to_fmpq(factor)  # type: ignore[operator]  # missing in the stubs of python-flint
    return product


def without_constant_term(part: fmpq_series) -> fmpq_series:
    """The series less its constant term."""
    return fmpq_series([fmpz(0), *part.numer().coeffs()[1:]], part.denom(), prec=part.prec)


def deflated(part: fmpq_series, operation: Callable[[fmpq_series], fmpq_series]) -> fmpq_series:
    """``operation(part)``, computed in ``s**g`` where g is the gcd of the degrees that occur.

    The operation has to commute with that substitution, as inversion, exponential, logarithm and powers do.
    """
    numerators, length = part.numer().coeffs(), part.prec
    g = gcd(*(degree for degree, c in enumerate(numerators) if c))
    if g < 2:
        return operation(part)
    short = operation(fmpq_series(numerators[::g], part.denom(), prec=-(-length // g)))
    spread = [fmpz(0)] * length
    inner = short.numer().coeffs()
    spread[: g * len(inner) : g] = inner
    return fmpq_series(spread, short.denom(), prec=length)


def power(part: fmpq_series, exponent: Fraction) -> fmpq_series:
    """``part ** exponent`` for a series with constant term 1."""
    if exponent.denominator == 1:
        result = part ** abs(exponent.numerator)
        return result.inv() if exponent < 0 else result
    if exponent.denominator == 2:
        return (part.rsqrt() if exponent < 0 else part.sqrt()) ** abs(exponent.numerator)
    return scaled(part.log(), exponent).exp()


def sigmoid(part: fmpq_series) -> fmpq_series:
    """``1/(1 + exp(-part))`` for a series without constant term.

    For a monomial ``x = c s**m`` by ``sum (2**(j+1) - 1) B_(j+1)/(j+1)! x**j`` (DLMF 24.2 with 4.28), which needs no division.
    """
    numerators, length = part.numer().coeffs(), part.prec
    degree = part.valuation()
    if len(numerators) != degree + 1:
        return deflated(1 + (-part).exp(), lambda f: f.inv())
    count = -(-length // degree)
    # The constant term of the sum is B_1 = +1/2, the value at 1 of the Bernoulli polynomial.
    numbers = [fmpq(1, 2), *(fmpq.bernoulli(j) for j in range(2, count + 1))]
    # All terms over one denominator: lcm of the Bernoulli denominators, times count!, times a power of that of c.
    common = fmpz(1)
    for b in numbers:
        common = common.lcm(b.q)
    base = part[degree]
    powers = _powers(base.p, count)
    lifts = _powers(base.q, count)
    falling = fmpz(1)
    spread = [fmpz(0)] * length
    for j in range(count - 1, -1, -1):
        b = numbers[j]
        spread[j * degree] = b.p * (common // b.q) * ((fmpz(1) << (j + 1)) - 1) * falling * powers[j] * lifts[count - j]
        falling *= j + 1
    return fmpq_series(spread, falling * common * lifts[count], prec=length)


def _powers(base: fmpz, count: int) -> list[fmpz]:
    result = [fmpz(1)]
    for _ in range(count):
        result.append(result[-1] * base)
    return result
