"""Normalizers in the postfix form of certificates: few operations, no nesting, nothing that needs a parser (docs/certificates.md).

Functions beyond ``exp``, ``log``, ``sin`` and ``cos`` are written out by these where that is an identity of power series over Q.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from symattn.errors import UndecidedError
from symattn.normalizers import Normalizer
from symattn.normalizers.tree import MINUS_ONE, Call, Named, Node, Number, Polynomial, Power, Product, Sum, Variable, product, total

__all__ = ["postfix"]

_BASIC = frozenset({"exp", "log", "sin", "cos"})


def postfix(phi: Normalizer) -> str:
    """The normalizer as postfix text, up to a constant factor, which no layer sees.

    Raises :class:`UndecidedError` for a normalizer whose Taylor coefficients certificates cannot express.

    >>> from symattn.normalizers import normalizer
    >>> postfix(normalizer("exp(s**2)/(1 + s)")), postfix(normalizer("1 + tanh(s)"))
    ('s ^2 exp 1 s + ^-1 *', '1 s exp -1 s * exp -1 * + s exp -1 s * exp + / +')
    """
    factors = phi.tree.factors if isinstance(phi.tree, Product) else (phi.tree,)
    return " ".join(_items(product(_without_constant(factor) for factor in factors), phi.text))


def _without_constant(factor: Node) -> Node:
    """``exp(a)`` without the constant term of a, if that is a rational number: a factor does not matter."""
    if isinstance(factor, Call) and factor.name == "exp" and (constant := _at_zero(factor.arguments[0])):
        return Call("exp", (total((factor.arguments[0], Number(-constant))),))
    return factor


def _items(node: Node, whole: str) -> list[str]:
    match node:
        case Number(value):
            return [str(value)]
        case Variable():
            return ["s"]
        case Polynomial(coefficients):
            # Horner's rule, from the highest coefficient on.
            items = [str(coefficients[-1])]
            for coefficient in reversed(coefficients[:-1]):
                items += ["s", "*", str(coefficient), "+"]
            return items
        case Sum(terms):
            return _joined(terms, "+", whole)
        case Product(factors):
            return _joined(factors, "*", whole)
        case Power(base, Number(exponent)):
            return [*_items(base, whole), f"^{exponent}"]
        case Call(name, (argument,)) if name in _BASIC:
            return [*_items(argument, whole), name]
        case Call("sigmoid", (argument,)):
            return ["1", "1", *_exponential(argument, -1, whole), "+", "/"]
        case Call("sinh", (argument,)):
            return [*_difference(argument, whole), "2", "/"]
        case Call("cosh", (argument,)):
            return [*_sum(argument, whole), "2", "/"]
        case Call("tanh", (argument,)):
            return [*_difference(argument, whole), *_sum(argument, whole), "/"]
        case Call("tan", (argument,)):
            inner = _items(argument, whole)
            return [*inner, "sin", *inner, "cos", "/"]
        case _:
            shown = node.name if isinstance(node, (Call, Named)) else "a power"
            raise UndecidedError(f"the normalizer {whole} contains {shown}, which certificates cannot express")


def _joined(nodes: tuple[Node, ...], operation: str, whole: str) -> list[str]:
    items = _items(nodes[0], whole)
    for node in nodes[1:]:
        items += [*_items(node, whole), operation]
    return items


def _exponential(argument: Node, sign: int, whole: str) -> list[str]:
    return [*_items(argument if sign == 1 else product((MINUS_ONE, argument)), whole), "exp"]


def _sum(argument: Node, whole: str) -> list[str]:
    return [*_exponential(argument, 1, whole), *_exponential(argument, -1, whole), "+"]


def _difference(argument: Node, whole: str) -> list[str]:
    return [*_exponential(argument, 1, whole), *_exponential(argument, -1, whole), "-1", "*", "+"]


def _at_zero(node: Node) -> Fraction | None:
    """The value at ``s = 0`` where it is seen to be a rational number, else ``None``."""
    match node:
        case Number(value):
            return value
        case Variable():
            return Fraction(0)
        case Polynomial(coefficients):
            return coefficients[0]
        case Sum(terms):
            values = [_at_zero(term) for term in terms]
            return None if None in values else sum((value for value in values if value is not None), Fraction(0))
        case Product(factors):
            values = [_at_zero(factor) for factor in factors]
            return None if None in values else prod((value for value in values if value is not None), start=Fraction(1))
        case Power(base, Number(exponent)) if exponent.denominator == 1 and (inner := _at_zero(base)):
            return inner ** int(exponent)
        case Call(name, (argument,)) if name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh") and _at_zero(argument) == 0:
            return Fraction(int(name in ("exp", "cos", "cosh")))
        case _:
            return None
