"""Elementary functions of exact constants."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from symattn.errors import InputError
from symattn.normalizers.constant_sign import sign
from symattn.normalizers.constant_sympy import to_sympy
from symattn.normalizers.constant_text import shown
from symattn.normalizers.constants import ONE, POSITIVE_KINDS, ZERO, Atom, Constant, factored, integer_power, rational
from symattn.normalizers.work import check_power_bits

__all__ = ["PI", "E", "exponential", "from_sympy", "logarithm", "polygamma", "power", "special"]

PI = Constant.atom(Atom("pi"))
E = Constant.atom(Atom("E"))
MAXIMUM_POWER = 64


def exponential(c: Constant) -> Constant:
    """``exp(c)``; rational multiples of logarithms become powers."""
    result = ONE
    for monomial, q in c.terms:
        if not monomial:
            result *= Constant.atom(Atom("E"), q)
        elif len(monomial) == 1 and monomial[0][0].kind == "log" and monomial[0][1] == 1:
            argument = monomial[0][0].argument
            assert isinstance(argument, Constant)
            result *= power(argument, q)
        else:
            result *= Constant.atom(Atom("exp", Constant(((monomial, Fraction(1)),))), q)
    return result


def logarithm(c: Constant) -> Constant:
    """``log(c)`` of a constant that has been proved positive.

    The logarithm of a rational number is a multiple of the logarithm of one that is greater than 1 and no proper power.
    """
    if len(c.terms) != 1 or not all(atom.kind in POSITIVE_KINDS or atom.kind == "sum" for atom, _ in c.terms[0][0]):
        return Constant.atom(Atom("log", c))
    monomial, q = c.terms[0]
    if any(atom.kind == "sum" and sign(Constant.atom(atom)) != 1 for atom, _ in monomial):
        return Constant.atom(Atom("log", c))
    result = _rational_logarithm(q)
    for atom, e in monomial:
        if atom.kind == "E":
            part = ONE
        elif atom.kind == "exp":
            assert isinstance(atom.argument, Constant)
            part = atom.argument
        elif atom.kind == "root":
            assert isinstance(atom.argument, int)
            part = _rational_logarithm(Fraction(atom.argument))
        elif atom.kind == "sum":
            assert isinstance(atom.argument, Constant)
            part = Constant.atom(Atom("log", atom.argument))
        else:
            part = Constant.atom(Atom("log", Constant.atom(atom)))
        result += part.scaled(e)
    return result


def _rational_logarithm(q: Fraction) -> Constant:
    if q == 1:
        return ZERO
    if q < 1:
        return -_rational_logarithm(1 / q)
    powers = factored(q)
    common = gcd(*(multiplicity for _, multiplicity in powers))
    root = Fraction(1)
    for base, multiplicity in powers:
        root *= Fraction(base) ** (multiplicity // common)
    return Constant.atom(Atom("log", rational(root))).scaled(Fraction(common))


def power(base: Constant, exponent: Fraction) -> Constant:
    """``base ** exponent`` of a base that has been proved positive (nonzero, for an integer exponent)."""
    check_power_bits((c for _, c in base.terms), exponent)
    if exponent.denominator == 1:
        if len(base.terms) > 1 and abs(exponent) > MAXIMUM_POWER:
            raise InputError(f"the constant ({shown(base)})**{exponent} is too large a power; at most {MAXIMUM_POWER} was expected")
        return integer_power(base, int(exponent))
    if len(base.terms) == 1 and base.terms[0][1] > 0 and all(atom.kind in POSITIVE_KINDS for atom, _ in base.terms[0][0]):
        monomial, q = base.terms[0]
        result = ONE
        for prime, multiplicity in factored(q):
            result *= Constant.atom(Atom("root", prime), exponent * multiplicity)
        for atom, e in monomial:
            result *= Constant.atom(atom, e * exponent)
        return result
    lead = abs(base.terms[0][1])
    return Constant.atom(Atom("sum", base.scaled(1 / lead)), exponent) * power(rational(lead), exponent)


def special(name: str, c: Constant) -> Constant:
    """``name(c)`` for sin, cos, erf, gamma, atan: a known special value, or an atom.

    sympy evaluates the special values (``cos(pi/6)``, ``gamma(1/2)``, ``atan(1)``); what it leaves becomes an atom.
    """
    if not c and name != "gamma":
        return ONE if name == "cos" else ZERO
    value = None
    if (c.as_rational is None or name in ("gamma", "atan")) and all(atom.kind in ("pi", "root") for atom in c.atoms):
        import sympy

        value = from_sympy(getattr(sympy, name)(to_sympy(c)))
    if value is not None:
        return value
    if name != "gamma" and c.terms[0][1] < 0:
        # cos is even and the others are odd: keep one of the two arguments.
        return Constant.atom(Atom(name, -c)) if name == "cos" else -Constant.atom(Atom(name, -c))
    return Constant.atom(Atom(name, c))


def polygamma(order: int, point: Constant) -> Constant:
    """``polygamma(order, point)`` at a positive point; at 1 in terms of Euler's constant and zeta values."""
    if point == ONE:
        if order == 0:
            return -Constant.atom(Atom("euler"))
        factorial = 1
        for j in range(2, order + 1):
            factorial *= j
        return _zeta(order + 1).scaled(Fraction(factorial if order % 2 else -factorial))
    return Constant.atom(Atom("polygamma", (order, point)))


def _zeta(n: int) -> Constant:
    if n % 2:
        return Constant.atom(Atom("zeta", n))
    import sympy

    value = from_sympy(sympy.zeta(n))
    assert value is not None
    return value


def from_sympy(value: Any) -> Constant | None:
    """An exact real sympy number as a constant; ``None`` for one that still holds an unevaluated function or is not real."""
    import sympy

    if isinstance(value, sympy.Rational):
        return rational(Fraction(int(value.p), int(value.q)))
    if value is sympy.pi:
        return PI
    if value is sympy.E:
        return E
    if value is sympy.EulerGamma:
        return Constant.atom(Atom("euler"))
    if isinstance(value, (sympy.Add, sympy.Mul)):
        parts = [from_sympy(part) for part in value.args]
        result = ZERO if isinstance(value, sympy.Add) else ONE
        for part in parts:
            if part is None:
                return None
            result = result + part if isinstance(value, sympy.Add) else result * part
        return result
    if isinstance(value, sympy.Pow) and isinstance(value.exp, sympy.Rational):
        base, exponent = from_sympy(value.base), Fraction(int(value.exp.p), int(value.exp.q))
        if base is None:
            return None
        return power(base, exponent) if sign(base) == 1 or exponent.denominator == 1 else None
    return None
