"""Exact proofs that an expression tree is identically zero, and parity seen from the shape of the tree.

A proof is a chain of exact identities that ends in a literal zero. Failing to find one proves nothing: the callers then look for a
nonzero coefficient, or answer "undecided".
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

from symattn.normalizers.constant_sympy import to_sympy as constant_to_sympy
from symattn.normalizers.constants import ZERO, Constant
from symattn.normalizers.tree import Call, Node, Number, Polynomial, Power, Product, Sum, Variable, depends_on_variable, walk

__all__ = ["Parity", "has_odd_logarithm", "is_proved_constant", "is_proved_zero", "parity"]

#: Trees with more nodes are not handed to computer algebra.
MAXIMUM_NODES = 200


@dataclass(frozen=True, slots=True)
class Parity:
    """What the shape of a tree proves: ``even`` f(-s) = f(s), ``odd`` f(-s) = -f(s). False means not proved."""

    even: bool = False
    odd: bool = False


#: Functions that are odd, and those that are even.
_ODD = frozenset({"sin", "tan", "sinh", "tanh", "erf", "atan", "asinh", "sign"})
_EVEN = frozenset({"cos", "cosh", "sinc", "Abs"})


def parity(node: Node) -> Parity:
    """The parity that the shape of the tree proves.

    >>> from symattn.normalizers.grammar import parse
    >>> parity(parse("sin(s)/s"))
    Parity(even=True, odd=False)
    """
    match node:
        case Variable():
            return Parity(odd=True)
        case Polynomial(coefficients):
            return Parity(even=not any(coefficients[1::2]), odd=not any(coefficients[0::2]))
        case Sum(terms):
            parts = [parity(term) for term in terms]
            return Parity(all(p.even for p in parts), all(p.odd for p in parts))
        case Product(factors):
            parts = [parity(factor) for factor in factors]
            if not all(p.even or p.odd for p in parts):
                return Parity()
            odd_factors = sum(not p.even for p in parts)
            return Parity(even=odd_factors % 2 == 0, odd=odd_factors % 2 == 1)
        case Power(base, exponent):
            inner, outer = parity(base), parity(exponent)
            if isinstance(exponent, Number) and exponent.value.denominator == 1 and inner.odd:
                return Parity(even=exponent.value % 2 == 0, odd=exponent.value % 2 == 1)
            return Parity(even=inner.even and outer.even)
        case Call(name, arguments):
            parts = [parity(argument) for argument in arguments]
            even = all(p.even for p in parts) or (name in _EVEN and parts[0].odd)
            return Parity(even, odd=name in _ODD and parts[0].odd)
        case _:
            return Parity(even=True)


def has_odd_logarithm(node: Node) -> bool:
    """Whether the shape of the tree proves that ``log f - log f(0)`` is odd, for f positive at 0."""
    if not depends_on_variable(node):
        return True
    match node:
        case Call("exp", (argument,)):
            terms = argument.terms if isinstance(argument, Sum) else (argument,)
            return all(parity(term).odd or not depends_on_variable(term) for term in terms)
        case Product(factors):
            return all(has_odd_logarithm(factor) for factor in factors)
        case Power(base, exponent):
            if not depends_on_variable(exponent):
                return has_odd_logarithm(base)
            return not depends_on_variable(base) and parity(exponent).odd
        case _:
            return False


def is_proved_zero(node: Node) -> bool:
    """Whether exact rewriting proves that the expression vanishes wherever it is defined; False means not proved."""
    return is_proved_constant(node, ZERO)


@lru_cache(maxsize=512)
def is_proved_constant(node: Node, value: Constant) -> bool:
    """Whether exact rewriting proves that the expression equals this constant wherever it is defined; False means not proved."""
    nodes = list(itertools.islice(walk(node), MAXIMUM_NODES + 1))
    if len(nodes) > MAXIMUM_NODES or any(isinstance(inner, Polynomial) for inner in nodes):
        return False
    import sympy

    from symattn.normalizers.sympy_trees import to_sympy

    difference = to_sympy(node) - constant_to_sympy(value)
    # Identities of exact expressions: exponentials for circular and hyperbolic functions, then rational arithmetic in
    # the exponentials, radicals and remaining functions as independent generators. Only a literal zero counts.
    rewritten = sympy.expand(difference.rewrite(sympy.exp), power_exp=True)
    return rewritten is sympy.S.Zero or sympy.cancel(sympy.together(rewritten)) is sympy.S.Zero
