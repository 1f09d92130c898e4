"""Exact constants as sympy numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symattn.normalizers.constants import Atom, Constant

if TYPE_CHECKING:
    import sympy

__all__ = ["to_sympy"]


def to_sympy(c: Constant, stand_ins: dict[Atom, sympy.Symbol] | None = None) -> sympy.Expr:
    """The constant as an exact sympy number.

    With ``stand_ins``, atoms of atoms (towers such as ``exp(exp(E))``) become symbols, kept there: sympy's assumptions evaluate
    numbers numerically, which does not end for towers. What is zero for symbols is zero for the numbers.
    """
    import sympy

    return sympy.Add(
        *(
            sympy.Mul(
                sympy.Rational(q.numerator, q.denominator),
                *(_atom_to_sympy(atom, stand_ins) ** sympy.Rational(e.numerator, e.denominator) for atom, e in monomial),
            )
            for monomial, q in c.terms
        )
    )


def _atom_to_sympy(atom: Atom, stand_ins: dict[Atom, sympy.Symbol] | None) -> sympy.Expr:
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
        case "sum":
            assert isinstance(argument, Constant)
            return to_sympy(argument, stand_ins)
    point = argument[1] if isinstance(argument, tuple) else argument
    assert isinstance(point, Constant)
    if stand_ins is not None and not _is_tame(point):
        return stand_ins.setdefault(atom, sympy.Dummy(positive=atom.kind == "exp" or None))
    if isinstance(argument, tuple):
        return sympy.polygamma(argument[0], to_sympy(point, stand_ins))
    return getattr(sympy, atom.kind)(to_sympy(point, stand_ins))


def _is_tame(point: Constant) -> bool:
    """Whether the argument is a small number over roots and pi, of which sympy may take numerical values."""
    return len(point.key) < 100 and all(atom.kind in ("root", "pi") for atom in point.atoms) and all(abs(q) < 1000 for _, q in point.terms)
