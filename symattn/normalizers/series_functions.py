"""Elementary functions of exact power series (order 0), by differential equations and addition theorems.

With ``f = o + F``, ``F(0) = 0``: the value at the constant ``o`` is exact (:mod:`.constant_functions`), and the rest is FLINT
where ``F`` is rational.
"""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq_series

from symattn.normalizers import constant_functions as at_constant
from symattn.normalizers.constants import ONE, ZERO, Constant, inverse, rational
from symattn.normalizers.series import Series, constant, to_fmpq

__all__ = ["atan", "erf", "exp", "log", "log_gamma_near", "rational_power", "sigmoid", "sin_cos", "softplus"]


def _rational_part(f: Series) -> fmpq_series | None:
    """The one rational power series that the series is, if it is that."""
    if not f.parts:
        return fmpq_series([], prec=f.length)
    return f.parts[ONE] if set(f.parts) == {ONE} else None


def exp(f: Series) -> Series:
    """``exp(f)``."""
    factor = at_constant.exponential(f.coefficient(0))
    F = f.without_constant_term()
    if (part := _rational_part(F)) is not None:
        parts = {ONE: part.exp()}
        result = Series(0, f.length, parts, F.scale if F.scale in (ONE, ZERO) else None, F.generators)
    else:
        result = constant(ONE, f.length)
        for c, part in F.parts.items():
            result = result * _exponential_of_part(c, part, f.length)
        result = Series(0, f.length, result.parts, None, F.generators)
    return result.times(factor)


def _exponential_of_part(c: Constant, part: fmpq_series, length: int) -> Series:
    """``exp(c * part)`` for a part without constant term."""
    if c == ONE:
        return Series(0, length, {ONE: part.exp()}, None)
    total, term, j = constant(ONE, length), constant(ONE, length), 0
    factor = Series(0, length, {c: part}, None)
    while term.parts:
        j += 1
        term = (term * factor).times(rational(Fraction(1, j)))
        total = total + term
    return total


def log(f: Series) -> Series:
    """``log(f)`` of a series whose constant term has been proved positive."""
    lead = f.coefficient(0)
    unit = f.unit()
    if (part := _rational_part(unit)) is not None:
        scale = unit.scale if unit.scale in (ONE, ZERO) else None
        result = Series(0, f.length, {ONE: part.log()} if part.length() > 1 else {}, scale, unit.generators)
    else:
        slope = unit.derivative() * unit.inverted()
        result = Series(0, f.length, slope.integral().parts, None, unit.generators)
    return result + constant(at_constant.logarithm(lead), f.length)


def rational_power(f: Series, exponent: Fraction) -> Series:
    """``f ** exponent`` of a series whose constant term has been proved positive (nonzero, for an integer exponent)."""
    lead = f.coefficient(0)
    unit = f.unit()
    part = _rational_part(unit)
    if part is None:
        power = exp(log(unit).times(rational(exponent)))
    else:
        scale = ZERO if exponent == 0 else unit.scale if unit.scale in (ONE, ZERO) else None
        if exponent.denominator == 1:
            result = part ** abs(int(exponent))
            result = result.inv() if exponent < 0 else result
        elif exponent.denominator == 2:
            result = (part.rsqrt() if exponent < 0 else part.sqrt()) ** abs(exponent.numerator)
        else:
            result = (part.log() * to_fmpq(exponent)).exp()
        power = Series(0, f.length, {ONE: result}, scale, unit.generators)
    return power.times(at_constant.power(lead, exponent))


def sigmoid(f: Series) -> Series:
    """``1 / (1 + exp(-f))``."""
    return (constant(ONE, f.length) + exp(-f)).inverted()


def softplus(f: Series) -> Series:
    """``log(1 + exp(f))``, the integral of ``sigmoid(f) f'``."""
    offset = at_constant.logarithm(ONE + at_constant.exponential(f.coefficient(0)))
    return (sigmoid(f).truncated(f.length - 1) * f.derivative()).integral() + constant(offset, f.length)


def sin_cos(f: Series) -> tuple[Series, Series]:
    """``sin(f)`` and ``cos(f)``, by the addition theorems."""
    offset = f.coefficient(0)
    F = f.without_constant_term()
    sine, cosine = constant(ZERO, f.length), constant(ONE, f.length)
    for c, part in F.parts.items():
        s, t = _sin_cos_of_part(c, part, f.length)
        sine, cosine = sine * t + cosine * s, cosine * t - sine * s
    scale = F.scale if F.scale in (ONE, ZERO) else None
    sine, cosine = (Series(0, f.length, g.parts, scale, F.generators) for g in (sine, cosine))
    if not offset:
        return sine, cosine
    a, b = at_constant.special("sin", offset), at_constant.special("cos", offset)
    return sine.times(b) + cosine.times(a), cosine.times(b) - sine.times(a)


def _sin_cos_of_part(c: Constant, part: fmpq_series, length: int) -> tuple[Series, Series]:
    if c == ONE:
        return Series(0, length, {ONE: part.sin()}, None), Series(0, length, {ONE: part.cos()}, None)
    sums, term, j = [constant(ZERO, length), constant(ONE, length)], constant(ONE, length), 0
    factor = Series(0, length, {c: part}, None)
    while term.parts:
        j += 1
        # Terms alternate between sine and cosine; the sign of the factorial series turns with every second one.
        term = (term * factor).times(rational(Fraction(1 if j % 2 else -1, j)))
        sums[(j + 1) % 2] = sums[(j + 1) % 2] + term
    return sums[0], sums[1]


def atan(f: Series) -> Series:
    """``atan(f)``, the integral of ``f' / (1 + f**2)``."""
    slope = f.derivative() * (constant(ONE, f.length) + f * f).inverted()
    return slope.integral() + constant(at_constant.special("atan", f.coefficient(0)), f.length)


def erf(f: Series) -> Series:
    """``erf(f)``, the integral of ``2/sqrt(pi) exp(-f**2) f'``."""
    slope = (exp(-(f * f)).truncated(f.length - 1) * f.derivative()).times(inverse(at_constant.power(at_constant.PI, Fraction(1, 2))))
    return slope.times(rational(2)).integral() + constant(at_constant.special("erf", f.coefficient(0)), f.length)


def log_gamma_near(F: Series, point: Constant) -> Series:
    """``log(gamma(point + F) / gamma(point))`` for a series F without constant term and a positive point.

    Its Taylor coefficients are values of polygamma functions, for which no finite set of generators is known.
    """
    total, power, factorial = constant(ZERO, F.length), constant(ONE, F.length), 1
    for j in range(1, F.length):
        power = power * F
        if not power.parts:
            break
        factorial *= j
        total = total + power.times(at_constant.polygamma(j - 1, point).scaled(Fraction(1, factorial)))
    return Series(0, F.length, total.parts, ZERO if F.scale == ZERO else None, None)
