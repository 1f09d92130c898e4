"""The sign of an exact constant: nonzero by a ball that excludes zero, zero only by exact means, otherwise undecided."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import inf, lcm

from flint import acb, arb, ctx, fmpq

from symattn.errors import UndecidedError
from symattn.normalizers.constant_sympy import to_sympy
from symattn.normalizers.constant_text import shown
from symattn.normalizers.constants import ZERO, Atom, Constant, factored, integer_power, inverse, rational

__all__ = ["decided_sign", "enclose", "sign"]

#: Ball precisions that are tried, in bits.
PRECISIONS = (64, 256, 1024, 4096)
#: Constants beyond these sizes are not handed to computer algebra.
MAXIMUM_TERMS, MAXIMUM_LENGTH, MAXIMUM_RADICAL_DEGREE = 30, 2000, 64


def enclose(constant: Constant, precision: int) -> arb:
    """A ball that contains the value, computed with this many bits."""
    # The precision of FLINT is process-wide; workprec restores it, also on error.
    with ctx.workprec(precision):
        return _ball(constant)


def _ball(constant: Constant) -> arb:
    value = arb(0)
    for monomial, c in constant.terms:
        term = arb(fmpq(c.numerator, c.denominator))
        for atom, e in monomial:
            base = _atom_ball(atom)
            term *= base ** int(e) if e.denominator == 1 else base ** arb(fmpq(e.numerator, e.denominator))
        value += term
    return value


def _atom_ball(atom: Atom) -> arb:
    argument = atom.argument
    match atom.kind:
        case "root":
            assert isinstance(argument, int)
            return arb(argument)
        case "E":
            return arb.const_e()
        case "pi":
            return arb.pi()
        case "euler":
            return arb.const_euler()
        case "zeta":
            assert isinstance(argument, int)
            return arb(argument).zeta()
        case "polygamma":
            assert isinstance(argument, tuple)
            order, point = argument
            return acb(_ball(point)).polygamma(order).real
        case "sum":
            assert isinstance(argument, Constant)
            return _ball(argument)
        case kind:
            assert isinstance(argument, Constant)
            ball: arb = getattr(_ball(argument), kind)()
            return ball


@lru_cache(maxsize=8192)
def sign(constant: Constant) -> int | None:
    """-1, 0 or 1; ``None`` when neither a ball nor exact simplification decides.

    >>> sign(Constant.atom(Atom("pi")) - rational(3))
    1
    """
    if constant.evident_sign is not None:
        return constant.evident_sign
    for precision in PRECISIONS:
        ball = enclose(constant, precision)
        if ball > 0:
            return 1
        if ball < 0:
            return -1
    return 0 if _is_exactly_zero(constant) else None


def decided_sign(constant: Constant, what: str) -> int:
    """The sign; raises :class:`UndecidedError` that names the constant and says what would decide it."""
    result = sign(constant)
    if result is None:
        raise UndecidedError(
            f"cannot decide whether {what} is zero: {shown(constant)} vanishes to {PRECISIONS[-1]} bits; "
            "an exact proof that it is zero, or more bits, would decide it"
        )
    return result


def _is_exactly_zero(constant: Constant) -> bool:
    """Whether exact rewriting brings the constant to a literal zero; False means not proved."""
    if not _prime_logarithms(constant):
        return True
    if len(constant.terms) > MAXIMUM_TERMS or len(constant.key) > MAXIMUM_LENGTH:
        return False
    import sympy

    expression = to_sympy(constant, {})
    # Each of these is an identity of exact expressions; only a literal zero counts.
    for rewrite in (sympy.cancel, lambda e: sympy.cancel(sympy.expand_trig(e.rewrite(sympy.exp))), sympy.radsimp, sympy.trigsimp):
        if rewrite(expression) is sympy.S.Zero:
            return True
    if _radical_degree(constant) <= MAXIMUM_RADICAL_DEGREE:
        unknown = sympy.Symbol("x")
        return bool(sympy.minimal_polynomial(expression, unknown) == unknown)
    return False


def _radical_degree(constant: Constant) -> float:
    """A bound for the degree of an algebraic constant in nested radicals; infinite for any other."""
    degree: float = 1
    for atom in constant.atoms:
        if atom.kind not in ("root", "sum"):
            return inf
        degree *= lcm(*(e.denominator for monomial, _ in constant.terms for other, e in monomial if other == atom))
        if isinstance(atom.argument, Constant):
            degree *= _radical_degree(atom.argument)
    return degree


def _prime_logarithms(constant: Constant) -> Constant:
    """The same value with every logarithm of a rational number written in logarithms of primes."""
    result = ZERO
    for monomial, c in constant.terms:
        term = rational(c)
        for atom, e in monomial:
            value = atom.argument.as_rational if atom.kind == "log" and isinstance(atom.argument, Constant) else None
            base = Constant.atom(atom)
            if value is not None:
                base = ZERO
                for prime, multiplicity in factored(value):
                    base += Constant.atom(Atom("log", rational(prime))).scaled(Fraction(multiplicity))
            elif atom.kind == "sum" and isinstance(atom.argument, Constant):
                base = _prime_logarithms(atom.argument)
            if base and e.denominator == 1:
                term *= integer_power(base if e > 0 else inverse(base), abs(int(e)))
            else:
                term *= Constant.atom(atom, e)
        result += term
    return result
