"""Exact constants as sympy numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symattn.normalizers.constants import Atom, Constant

if TYPE_CHECKING:
    import sympy

__all__ = ["to_sympy"]


def to_sympy(c: Constant) -> sympy.Expr:
    """The constant as an exact sympy number."""
    import sympy

    return sympy.Add(
        *(
            sympy.Mul(
                sympy.Rational(q.numerator, q.denominator),
                *(_atom_to_sympy(atom) ** sympy.Rational(e.numerator, e.denominator) for atom, e in monomial),
            )
            for monomial, q in c.terms
        )
    )


def _atom_to_sympy(atom: Atom) -> sympy.Expr:
    import sympy

    argument = atom.argument
    match atom.kind:
        case "root":
            return sympy.Integer(argument)
        case "E":
            return sympy.E
        case "pi":
            return sympy.pi
        case "euler":
            return sympy.EulerGamma
        case "zeta":
            return sympy.zeta(argument)
        case "polygamma":
            assert isinstance(argument, tuple)
            return sympy.polygamma(argument[0], to_sympy(argument[1]))
        case "sum":
            assert isinstance(argument, Constant)
            return to_sympy(argument)
        case kind:
            assert isinstance(argument, Constant)
            return getattr(sympy, kind)(to_sympy(argument))
