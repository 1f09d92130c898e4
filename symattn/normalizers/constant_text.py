"""Exact constants as text, in the notation of the grammar.

Not through sympy: its printer orders terms by numerical evaluation, which does not end for towers of exponentials.
"""

from __future__ import annotations

from fractions import Fraction

from symattn.normalizers.constants import Atom, Constant
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import Call, Named, Node, Number, Power, product, total

__all__ = ["exact_text", "shown"]


def exact_text(c: Constant) -> str:
    """The constant in full.

    >>> from symattn.normalizers.constant_functions import logarithm
    >>> from symattn.normalizers.constants import inverse, rational
    >>> exact_text(inverse(logarithm(rational(8))))
    '1/3/log(2)'
    """
    return to_text(_tree(c))


def shown(c: Constant) -> str:
    """The constant for messages, abridged when it is long."""
    text = exact_text(c)
    return text if len(text) <= 80 else text[:77] + "..."


def _tree(c: Constant) -> Node:
    return total(product((Number(q), *(_power(atom, e) for atom, e in monomial))) for monomial, q in c.terms)


def _power(atom: Atom, exponent: Fraction) -> Node:
    if atom.kind in ("E", "exp"):
        argument = _tree(atom.argument) if isinstance(atom.argument, Constant) else Number(Fraction(1))
        if exponent == 1 and atom.kind == "E":
            return Named("E")
        return Call("exp", (product((Number(exponent), argument)),))
    base = _atom(atom)
    return base if exponent == 1 else Power(base, Number(exponent))


def _atom(atom: Atom) -> Node:
    argument = atom.argument
    match argument:
        case None:
            return Named({"pi": "pi", "euler": "EulerGamma"}[atom.kind])
        case Constant():
            return _tree(argument) if atom.kind == "sum" else Call(atom.kind, (_tree(argument),))
        case int():
            number = Number(Fraction(argument))
            return number if atom.kind == "root" else Call(atom.kind, (number,))
        case (order, point):
            return Call(atom.kind, (Number(Fraction(order)), _tree(point)))
