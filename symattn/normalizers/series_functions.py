"""Elementary functions of exact power series (order 0), by differential equations and addition theorems.

With ``f = o + F``, ``F(0) = 0``: the value at the constant ``o`` is exact (:mod:`.constant_functions`), and the rest is FLINT
where ``F`` is rational.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq_series

from symattn.normalizers import constant_functions as at_constant, rational_series
from symattn.normalizers.constants import ONE, ZERO, Constant, inverse, rational
from symattn.normalizers.rational_series import deflated
from symattn.normalizers.series import Series, accumulate, constant

__all__ = ["atan", "erf", "exp", "log", "log_gamma_near", "rational_power", "sigmoid", "sin_cos", "sinh_cosh", "softplus"]


def exp(f: Series) -> Series:
    """``exp(f)``."""
    F = f.without_constant_term()
    result = constant(ONE, f.length)
    for c, part in F.parts.items():
        result = result * _exponential(c, part, f.length)
    return _known(result, F).times(at_constant.exponential(f.coefficient(0)))


def _known(result: Series, F: Series) -> Series:
    """The result with what is known of all coefficients of a power series in F: rational if F is."""
    return Series(0, result.length, result.parts, _rational_scale(F), F.generators)


def _rational_scale(F: Series) -> Constant | None:
    return F.scale if F.scale in (ONE, ZERO) else None


def _exponential(c: Constant, part: fmpq_series, length: int) -> Series:
    """``exp(c * part)`` for a part without constant term."""
    if c == ONE:
        return Series(0, length, {ONE: deflated(part, lambda p: p.exp())}, None)
    parts: dict[Constant, fmpq_series] = {}
    for _, key, term in _exponential_terms(c, part):
        accumulate(parts, key, term, length)
    return Series(0, length, parts, None)


def _exponential_terms(c: Constant, part: fmpq_series) -> Iterator[tuple[int, Constant, fmpq_series]]:
    """The nonzero ``j, c**j, part**j / j!``."""
    j, key, term = 0, ONE, fmpq_series([1], prec=part.prec)
    while term.length():
        yield j, key, term
        j, key, term = j + 1, key * c, term * part / (j + 1)


def log(f: Series) -> Series:
    """``log(f)`` of a series whose constant term has been proved positive."""
    unit = f.unit()
    if set(unit.parts) == {ONE}:
        part = deflated(unit.parts[ONE], lambda p: p.log())
        parts = {ONE: part} if part.length() else {}
    else:
        parts = dict((unit.derivative() * unit.inverted()).integral().parts)
    result = _known(Series(0, f.length, parts, None), unit)
    return result + constant(at_constant.logarithm(f.coefficient(0)), f.length)


def rational_power(f: Series, exponent: Fraction) -> Series:
    """``f ** exponent`` of a series whose constant term has been proved positive (nonzero, for an integer exponent)."""
    unit = f.unit()
    if set(unit.parts) == {ONE}:
        part = deflated(unit.parts[ONE], lambda p: rational_series.power(p, exponent))
        result = _known(Series(0, f.length, {ONE: part}, None), unit)
    else:
        result = exp(log(unit).times(rational(exponent)))
    return result.times(at_constant.power(f.coefficient(0), exponent))


def sigmoid(f: Series) -> Series:
    """``1 / (1 + exp(-f))``."""
    if f.parts and set(f.parts) == {ONE} and not f.coefficient(0):
        return _known(Series(0, f.length, {ONE: rational_series.sigmoid(f.parts[ONE])}, None), f)
    return (constant(ONE, f.length) + exp(-f)).inverted()


def softplus(f: Series) -> Series:
    """``log(1 + exp(f))``, the integral of ``sigmoid(f) f'``."""
    offset = at_constant.logarithm(ONE + at_constant.exponential(f.coefficient(0)))
    return (sigmoid(f).truncated(f.length - 1) * f.derivative()).integral() + constant(offset, f.length)


def sinh_cosh(f: Series) -> tuple[Series, Series]:
    """``sinh(f)`` and ``cosh(f)``."""
    if set(f.parts) == {ONE} and not f.coefficient(0):
        part = f.parts[ONE]
        sine, cosine = part.sinh(), part.cosh()
        return _known(Series(0, f.length, {ONE: sine}, None), f), _known(Series(0, f.length, {ONE: cosine}, None), f)
    growing = exp(f)
    decaying = growing.inverted()
    half = rational(Fraction(1, 2))
    return (growing - decaying).times(half), (growing + decaying).times(half)


def sin_cos(f: Series) -> tuple[Series, Series]:
    """``sin(f)`` and ``cos(f)``, by the addition theorems."""
    offset = f.coefficient(0)
    F = f.without_constant_term()
    sine, cosine = constant(ZERO, f.length), constant(ONE, f.length)
    for c, part in F.parts.items():
        s, t = _sin_cos(c, part, f.length)
        sine, cosine = sine * t + cosine * s, cosine * t - sine * s
    sine, cosine = _known(sine, F), _known(cosine, F)
    if not offset:
        return sine, cosine
    a, b = at_constant.special("sin", offset), at_constant.special("cos", offset)
    return sine.times(b) + cosine.times(a), cosine.times(b) - sine.times(a)


def _sin_cos(c: Constant, part: fmpq_series, length: int) -> tuple[Series, Series]:
    """``sin(c * part)`` and ``cos(c * part)`` for a part without constant term."""
    if c == ONE:
        return Series(0, length, {ONE: part.sin()}, None), Series(0, length, {ONE: part.cos()}, None)
    sine: dict[Constant, fmpq_series] = {}
    cosine: dict[Constant, fmpq_series] = {}
    for j, key, term in _exponential_terms(c, part):
        # j = 0, 1, 2, 3: + cosine, + sine, - cosine, - sine, and so on.
        accumulate(sine if j % 2 else cosine, key, -term if j % 4 > 1 else term, length)
    return Series(0, length, sine, None), Series(0, length, cosine, None)


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
