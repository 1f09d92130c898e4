"""Exact proofs that an expression tree is identically zero, and parity seen from the shape of the tree.

A proof is a chain of exact identities that ends in a literal zero. Failing to find one proves nothing: the callers then look for a
nonzero coefficient, or answer "undecided".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

from symattn.normalizers.constant_sympy import to_sympy as constant_to_sympy
from symattn.normalizers.constants import ZERO, Constant
from symattn.normalizers.tree import (
    MINUS_ONE,
    Call,
    Node,
    Number,
    Polynomial,
    Power,
    Product,
    Sum,
    Variable,
    children,
    depends_on_variable,
    product,
    reflect,
    total,
    walk,
)

if TYPE_CHECKING:
    import sympy

__all__ = ["Parity", "has_odd_logarithm", "has_proved_odd_logarithm", "is_proved_constant", "is_proved_even", "is_proved_zero", "parity"]

#: Trees with more nodes, more terms when expanded, or polynomials of higher degree are not handed to computer algebra;
#: nor are longer constants.
MAXIMUM_NODES, MAXIMUM_EXPANDED, MAXIMUM_DEGREE, MAXIMUM_KEY = 200, 5000, 40, 500


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


def is_proved_even(node: Node) -> bool:
    """Whether ``f(-s) = f(s)`` is proved, by the shape of the tree or by rewriting."""
    if parity(node).even:
        return True
    match node:
        case Power(inner, Number()) | Call(_, (inner,)):
            if is_proved_even(inner):
                return True
    return is_proved_zero(total((node, product((MINUS_ONE, reflect(node))))))


def has_proved_odd_logarithm(node: Node, value_at_zero: Callable[[Node], Constant]) -> bool:
    """Whether ``f(s) f(-s) = f(0)**2`` is proved, by the shape of the tree or by rewriting."""
    if has_odd_logarithm(node):
        return True
    match node:
        case Power(inner, Number()):
            return has_proved_odd_logarithm(inner, value_at_zero)
        case Call("exp", (inner,)):
            value = value_at_zero(inner)
            return is_proved_constant(total((inner, reflect(inner))), value + value)
        case _:
            value = value_at_zero(node)
            return is_proved_constant(product((node, reflect(node))), value * value)


def is_proved_zero(node: Node) -> bool:
    """Whether exact rewriting proves that an expression whose value at 0 is zero vanishes near 0; False means not proved."""
    return is_proved_constant(node, ZERO)


@lru_cache(maxsize=512)
def is_proved_constant(node: Node, value: Constant) -> bool:
    """Whether exact rewriting proves that an expression with this value at 0 is constant near 0; False means not proved."""
    if not _is_manageable(node) or len(value.key) > MAXIMUM_KEY:
        return False
    import sympy

    from symattn.normalizers.sympy_trees import to_sympy

    expression = to_sympy(node)
    if max(map(_degree, walk(node))) > MAXIMUM_DEGREE:
        # Rewriting would work with dense polynomials of that degree; equal factors and terms have cancelled already.
        return bool(expression == constant_to_sympy(value, {}))
    # The derivative has no logarithms, arcs and error functions of its own, and it is zero exactly for constants.
    return _rewrites_to_zero(expression - constant_to_sympy(value, {})) or _rewrites_to_zero(sympy.diff(expression, sympy.Symbol("s")))


def _rewrites_to_zero(expression: sympy.Expr) -> bool:
    """Whether identities of exact expressions lead to a literal zero.

    Exponentials for circular and hyperbolic functions, then rational arithmetic in the exponentials, radicals and remaining
    functions as independent generators.
    """
    import sympy

    rewritten = sympy.expand(expression.rewrite(sympy.exp), power_exp=True)
    return rewritten is sympy.S.Zero or sympy.cancel(sympy.together(rewritten)) is sympy.S.Zero


def _is_manageable(node: Node) -> bool:
    """Whether computer algebra can be expected to finish: few nodes, few terms when expanded, no towers of constants."""
    nodes = list(itertools.islice(walk(node), MAXIMUM_NODES + 1))
    if len(nodes) > MAXIMUM_NODES or _expanded_terms(node) > MAXIMUM_EXPANDED:
        return False
    return all(_tower(inner) <= 1 for inner in nodes if not depends_on_variable(inner))


def _tower(node: Node) -> int:
    """How deep functions and irrational powers are nested."""
    below = max((_tower(child) for child in children(node)), default=0)
    is_step = isinstance(node, Call) or (isinstance(node, Power) and not isinstance(node.exponent, Number))
    large = isinstance(node, Number) and abs(node.value) > MAXIMUM_EXPANDED
    return 2 if large else below + is_step


def _degree(node: Node) -> Fraction:
    """A bound for the degrees of numerator and denominator as polynomials in s, functions of s being generators of their own."""
    match node:
        case Variable():
            return Fraction(1)
        case Polynomial(coefficients):
            return Fraction(len(coefficients) - 1)
        case Sum(terms):
            return max(map(_degree, terms))
        case Product(factors):
            return sum(map(_degree, factors), Fraction(0))
        case Power(base, Number(value)):
            return _degree(base) * abs(value)
        case _:
            return Fraction(0)


def _expanded_terms(node: Node) -> float:
    """A bound for the number of terms when products and powers are multiplied out."""
    match node:
        case Sum(terms):
            return sum(_expanded_terms(term) for term in terms)
        case Product(factors):
            return prod(_expanded_terms(factor) for factor in factors)
        case Power(base, Number(value)):
            inner = _expanded_terms(base)
            return 1 if inner == 1 else inner ** min(abs(float(value)), 100)
        case Polynomial(coefficients):
            return len(coefficients)
        case Call(name, arguments):
            # Circular and hyperbolic functions are written as two exponentials.
            return max(2 if name not in ("exp", "log") else 1, *(_expanded_terms(argument) for argument in arguments))
        case _:
            return 1
