"""FLINT polynomials over Q in named symbols as text and as sympy expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq_mpoly

if TYPE_CHECKING:
    import sympy

__all__ = ["polynomial_text", "polynomial_to_sympy"]


def polynomial_text(polynomial: fmpq_mpoly) -> str:
    """The polynomial as exact text: ``*`` between factors, ``**`` before exponents, rational coefficients.

    >>> from flint import Ordering, fmpq_mpoly_ctx
    >>> x, y = fmpq_mpoly_ctx.get(("x", "y"), Ordering.lex).gens()
    >>> polynomial_text(x**2 * y / 2 - 3)
    '1/2*x**2*y - 3'
    """
    return str(polynomial).replace("^", "**")


def polynomial_to_sympy(polynomial: fmpq_mpoly) -> sympy.Expr:
    """The polynomial as a sympy expression in symbols of the same names."""
    import sympy

    symbols = [sympy.Symbol(name) for name in polynomial.context().names()]
    terms = []
    for exponents, value in polynomial.terms():
        powers = [symbol ** int(e) for symbol, e in zip(symbols, exponents, strict=True) if e]
        terms.append(sympy.Mul(sympy.Rational(int(value.p), int(value.q)), *powers))
    return sympy.Add(*terms)
