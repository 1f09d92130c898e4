"""Normalizers that are polynomials over Q, or exponentials of such, seen from the expression tree: every degree is decided."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_poly

from symattn.normalizers.rational_series import to_fmpq, to_fraction
from symattn.normalizers.tree import Call, Node, Number, Polynomial, Power, Product, Sum, Variable, depends_on_variable

__all__ = ["Degrees", "log_polynomial", "polynomial_degrees"]

MAXIMUM_DEGREE = 4096


def log_polynomial(node: Node) -> tuple[Fraction, ...] | None:
    """The coefficients of ``log(f/f(0))`` if the tree shows it to be a rational polynomial, else ``None``.

    >>> from symattn.normalizers.grammar import parse
    >>> log_polynomial(parse("exp(s + s**2)"))
    (Fraction(0, 1), Fraction(1, 1), Fraction(1, 1))
    """
    result = _logarithm(node)
    if result is None:
        return None
    return tuple(to_fraction(c) if degree else Fraction(0) for degree, c in enumerate(result.coeffs()))


@dataclass(frozen=True, slots=True)
class Degrees:
    """The first degrees in ``log f``: k with its coefficient, the first odd and the first even one, ``None`` where there is none."""

    k: int
    coefficient: Fraction
    odd: int | None
    even: int | None


def polynomial_degrees(node: Node) -> Degrees | None:
    """The first degrees in ``log(f/f(0))`` for a polynomial f or ``log f``; ``None`` for any other tree and for constants.

    Exact, because the odd part of log f is half of ``log f(s)/f(-s)``, which begins with the odd part of f, and the even part is
    half of ``log f(s) f(-s)``.
    """
    logarithm = _logarithm(node)
    if logarithm is not None:
        if logarithm.degree() < 1:
            return None
        k = _first(logarithm, 1, 1)
        assert k is not None
        return Degrees(k, to_fraction(logarithm[k]), _first(logarithm, 1, 2), _first(logarithm, 2, 2))
    f = _polynomial(node)
    if f is None or f.degree() < 1:
        return None
    k = _first(f, 1, 1)
    assert k is not None
    reflected = fmpq_poly([-c if degree % 2 else c for degree, c in enumerate(f.coeffs())])
    return Degrees(k, to_fraction(f[k] / f[0]), _first(f, 1, 2), _first(f * reflected, 2, 2))


def _first(f: fmpq_poly, start: int, step: int) -> int | None:
    """The least degree among start, start + step, .. with a nonzero coefficient."""
    return next((degree for degree in range(start, f.degree() + 1, step) if f[degree]), None)


def _logarithm(node: Node) -> fmpq_poly | None:
    """The polynomial ``log f`` up to a constant."""
    if not depends_on_variable(node):
        return fmpq_poly()
    match node:
        case Call("exp", (argument,)):
            terms = argument.terms if isinstance(argument, Sum) else (argument,)
            return _added([_polynomial(term) for term in terms if depends_on_variable(term)])
        case Product(factors):
            return _added([_logarithm(factor) for factor in factors])
        case Power(base, Number(value)):
            inner = _logarithm(base)
            return None if inner is None else inner * to_fmpq(value)
        case _:
            return None


def _polynomial(node: Node) -> fmpq_poly | None:
    """The expression as a polynomial over Q, if it is written as one."""
    match node:
        case Number(value):
            return fmpq_poly([to_fmpq(value)])
        case Variable():
            return fmpq_poly([0, 1])
        case Polynomial(coefficients):
            return fmpq_poly([to_fmpq(c) for c in coefficients])
        case Sum(terms):
            return _added([_polynomial(term) for term in terms])
        case Product(factors):
            result = fmpq_poly([1])
            for factor in factors:
                inner = _polynomial(factor)
                if inner is None or inner.degree() + result.degree() > MAXIMUM_DEGREE:
                    return None
                result *= inner
            return result
        case Power(base, Number(value)) if value.denominator == 1 and value >= 0:
            inner = _polynomial(base)
            return None if inner is None or inner.degree() * value > MAXIMUM_DEGREE else inner ** int(value)
        case _:
            return None


def _added(parts: list[fmpq_poly | None]) -> fmpq_poly | None:
    result = fmpq_poly()
    for part in parts:
        if part is None:
            return None
        result += part
    return result
