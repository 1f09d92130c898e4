"""Expression trees to sympy and back."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symattn.errors import InputError
from symattn.normalizers.tree import (
    FUNCTIONS,
    VARIABLE,
    Call,
    Named,
    Node,
    Number,
    Polynomial,
    Power,
    Product,
    Sum,
    Variable,
    power,
    product,
    total,
)

if TYPE_CHECKING:
    import sympy

__all__ = ["from_sympy", "to_sympy"]

#: Deeper sympy expressions are refused.
MAXIMUM_NESTING = 60


def to_sympy(node: Node) -> sympy.Expr:
    """The expression in the sympy symbol ``s`` (without assumptions).

    sympy may simplify it at construction; all decisions are taken on the tree.
    """
    import sympy

    match node:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Named(name):
            return sympy.pi if name == "pi" else sympy.E
        case Variable():
            return sympy.Symbol("s")
        case Sum(terms):
            return sympy.Add(*map(to_sympy, terms))
        case Product(factors):
            return sympy.Mul(*map(to_sympy, factors))
        case Power(base, exponent):
            return sympy.Pow(to_sympy(base), to_sympy(exponent))
        case Call(name, arguments):
            values = [to_sympy(argument) for argument in arguments]
            match name:
                case "sigmoid":
                    return 1 / (1 + sympy.exp(-values[0]))
                case "softplus":
                    return sympy.log(1 + sympy.exp(values[0]))
                case _:
                    return getattr(sympy, name)(*values)
        case Polynomial(coefficients):
            s = sympy.Symbol("s")
            return sympy.Add(*(sympy.Rational(c.numerator, c.denominator) * s**degree for degree, c in enumerate(coefficients)))


def from_sympy(expression: Any, *, where: str = "normalizer") -> Node:
    """The tree of a sympy expression in at most one symbol, of any name.

    Raises :class:`InputError` for floats, the imaginary unit, several symbols, and anything outside the grammar.
    """
    symbols = sorted(map(str, expression.free_symbols))
    if len(symbols) > 1:
        raise InputError(f"one variable was expected, not {len(symbols)}: {', '.join(symbols)[:80]}", where=where)
    return _convert(expression, where, 0)


def _convert(expression: Any, where: str, depth: int) -> Node:
    import sympy

    if depth > MAXIMUM_NESTING:
        raise InputError(f"nested too deeply; at most {MAXIMUM_NESTING} levels were expected", where=where)
    if isinstance(expression, sympy.Float):
        raise InputError(f"the float {expression} is not exact; a rational was expected, as in sympy.Rational('0.1')", where=where)
    if isinstance(expression, sympy.Rational):
        return Number(Fraction(int(expression.p), int(expression.q)))
    if isinstance(expression, sympy.Symbol):
        return VARIABLE
    if expression is sympy.pi or expression is sympy.E:
        return Named("pi" if expression is sympy.pi else "E")
    if expression is sympy.I:
        raise InputError("the imaginary unit occurs; a real expression was expected", where=where)
    name = type(expression).__name__
    if isinstance(expression, sympy.Piecewise):
        return Call("Piecewise", tuple(_convert(piece, where, depth + 1) for piece, _ in expression.args))
    if name == "Heaviside":
        return Call("Heaviside", (_convert(expression.args[0], where, depth + 1),))
    builders: dict[str, Callable[[tuple[Node, ...]], Node]] = {
        "Add": total,
        "Mul": product,
        "Pow": lambda nodes: power(*nodes),
        **{known: lambda nodes, known=known: Call(known, nodes) for known in FUNCTIONS},  # type: ignore[misc]
    }
    if name not in builders:
        raise InputError(f"sympy's {name} is not known here; known: {', '.join(sorted(builders, key=str.lower))}", where=where)
    return builders[name](tuple(_convert(argument, where, depth + 1) for argument in expression.args))
