"""The expression tree of a normalizer: a real function of one variable ``s``, kept exactly as it was given.

The tree is our own and not a sympy expression, because sympy rewrites at construction (``exp(log(s))`` becomes ``s``) and
analyticity has to be decided for what was written. The constructors :func:`total`, :func:`product`, :func:`power` and
:func:`call` only fold rational numbers and flatten nested sums and products.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from symattn.errors import InputError

__all__ = [
    "FUNCTIONS",
    "MINUS_ONE",
    "VARIABLE",
    "Call",
    "Named",
    "Node",
    "Number",
    "Polynomial",
    "Power",
    "Product",
    "Sum",
    "Variable",
    "call",
    "children",
    "depends_on_variable",
    "power",
    "product",
    "reflect",
    "total",
    "walk",
]

#: Known functions, with their least and greatest number of arguments (``None``: no bound).
FUNCTIONS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt"), (1, 1)),
    **dict.fromkeys(("erf", "gamma", "sinc", "atan", "asinh", "softplus", "sigmoid"), (1, 1)),
    **dict.fromkeys(("Abs", "sign", "Heaviside", "floor", "ceiling"), (1, 1)),
    **dict.fromkeys(("Max", "Min"), (2, None)),
    "Piecewise": (1, None),
}

#: Powers of rational numbers with more bits than this are refused: they are no reasonable normalizer, and they fill the memory.
MAXIMUM_BITS = 100_000
#: The largest exponent that powers of powers may add up to.
MAXIMUM_EXPONENT = 10_000


@dataclass(frozen=True, slots=True)
class Number:
    """A rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Named:
    """A named constant: ``pi`` or ``E``."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable:
    """The variable ``s``."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of two or more terms."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A product of two or more factors; a quotient is a product with a power -1."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """``base ** exponent``."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A known function of its arguments."""

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """The polynomial in ``s`` with these rational coefficients, in ascending degree."""

    coefficients: tuple[Fraction, ...]


Node = Number | Named | Variable | Sum | Product | Power | Call | Polynomial

VARIABLE = Variable()
MINUS_ONE = Number(Fraction(-1))


def total(terms: Iterable[Node]) -> Node:
    """The sum, flattened, its rational numbers added into the first of them."""
    flat = [inner for term in terms for inner in (term.terms if isinstance(term, Sum) else (term,))]
    number = sum((term.value for term in flat if isinstance(term, Number)), Fraction(0))
    return _gathered(flat, number, Fraction(0), Sum, in_front=False)


def product(factors: Iterable[Node]) -> Node:
    """The product, flattened, its rational numbers multiplied into one in front."""
    flat = [inner for factor in factors for inner in (factor.factors if isinstance(factor, Product) else (factor,))]
    number = Fraction(1)
    for factor in flat:
        if isinstance(factor, Number):
            number *= factor.value
    return _gathered(flat, number, Fraction(1), Product, in_front=True)


def _gathered(flat: list[Node], number: Fraction, neutral: Fraction, kind: type[Sum] | type[Product], *, in_front: bool) -> Node:
    position = next((i for i, node in enumerate(flat) if isinstance(node, Number)), None)
    others: list[Node] = [node for node in flat if not isinstance(node, Number)]
    if number != neutral or not others:
        others.insert(0 if in_front or position is None else position, Number(number))
    return others[0] if len(others) == 1 else kind(tuple(others))


def power(base: Node, exponent: Node) -> Node:
    """``base ** exponent``; powers of rational numbers are evaluated, and ``E ** x`` is ``exp(x)``."""
    if base == Named("E") and exponent != Number(Fraction(1)):
        return Call("exp", (exponent,))
    if isinstance(exponent, Number) and exponent.value.denominator == 1:
        n = exponent.value.numerator
        if n == 1:
            return base
        if isinstance(base, Number) and (base.value or n > 0):
            bits = max(base.value.numerator.bit_length(), base.value.denominator.bit_length())
            if bits * abs(n) > MAXIMUM_BITS:
                raise InputError(f"a power of a rational number has more than {MAXIMUM_BITS} bits; a smaller exponent was expected")
            return Number(base.value**n)
        if isinstance(base, Power) and isinstance(base.exponent, Number) and base.exponent.value.denominator == 1:
            # (b**m)**n = b**(m n) holds for integers only: sqrt(s**2) must stay what it is.
            if abs(base.exponent.value * n) > MAXIMUM_EXPONENT:
                raise InputError(f"an exponent is larger than {MAXIMUM_EXPONENT}; a smaller one was expected")
            # Nor may a division by zero vanish: 1/(1/b) is b only where b is not zero.
            if base.exponent.value > 0 or n > 0:
                return power(base.base, Number(base.exponent.value * n))
            if n < -1:
                # One form for one text: the inverse of a power, as a quotient is read.
                return Power(power(base.base, Number(base.exponent.value * -n)), MINUS_ONE)
    return Power(base, exponent)


def call(name: str, arguments: tuple[Node, ...]) -> Node:
    """The function call; ``sqrt(x)`` is the power 1/2."""
    return power(arguments[0], Number(Fraction(1, 2))) if name == "sqrt" else Call(name, arguments)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below this one."""
    match node:
        case Sum(terms):
            return terms
        case Product(factors):
            return factors
        case Power(base, exponent):
            return (base, exponent)
        case Call(_, arguments):
            return arguments
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """This node and every node below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def depends_on_variable(node: Node) -> bool:
    """Whether the variable occurs below this node."""
    return any(isinstance(inner, (Variable, Polynomial)) for inner in walk(node))


def reflect(node: Node) -> Node:
    """The tree with ``-s`` in place of ``s``."""
    match node:
        case Variable():
            return Product((MINUS_ONE, VARIABLE))
        case Polynomial(coefficients):
            return Polynomial(tuple(-c if degree % 2 else c for degree, c in enumerate(coefficients)))
        case Sum(terms):
            return total(reflect(term) for term in terms)
        case Product(factors):
            return product(reflect(factor) for factor in factors)
        case Power(base, exponent):
            return power(reflect(base), reflect(exponent))
        case Call(name, arguments):
            return Call(name, tuple(reflect(argument) for argument in arguments))
        case _:
            return node
