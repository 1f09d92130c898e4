"""Whether one normalizer is another one on a rescaled variable: then the scale can move into the score matrix."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from symattn.errors import BudgetError, ConstantNormalizerError, UndecidedError
from symattn.normalizers.normalizer import Normalizer
from symattn.normalizers.tree import (
    MINUS_ONE,
    VARIABLE,
    Call,
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

__all__ = ["is_rescaling"]


@lru_cache(maxsize=512)
def is_rescaling(first: Normalizer, second: Normalizer, factor: Fraction) -> bool | None:
    """Whether ``second(s)`` is a constant times ``first(factor * s)`` near 0, factor nonzero; ``None`` when that is undecided.

    A layer with ``first`` and score ``factor * M`` is then the layer with ``second`` and score M: only ratios of phi enter attention.

    >>> from symattn.normalizers import normalizer
    >>> is_rescaling(normalizer("exp(s)"), normalizer("3*exp(2*s)"), Fraction(2))
    True
    >>> is_rescaling(normalizer("1/(1-s)"), normalizer("1/(1+s)"), Fraction(1))
    False
    """
    if first == second and (factor == 1 or (factor == -1 and first.is_even)):
        return True
    mine, theirs = first.log_polynomial, second.log_polynomial
    if mine is not None and theirs is not None:
        return tuple(c * factor**degree for degree, c in enumerate(mine)) == theirs
    try:
        Normalizer(product((second.tree, power(_scaled(first.tree, factor), MINUS_ONE))))
    except ConstantNormalizerError:
        return True
    except (UndecidedError, BudgetError):
        return None
    return False


def _scaled(node: Node, factor: Fraction) -> Node:
    """The tree with ``factor * s`` in place of ``s``."""
    match node:
        case Variable():
            return product((Number(factor), VARIABLE))
        case Polynomial(coefficients):
            return Polynomial(tuple(c * factor**degree for degree, c in enumerate(coefficients)))
        case Sum(terms):
            return total(_scaled(term, factor) for term in terms)
        case Product(factors):
            return product(_scaled(inner, factor) for inner in factors)
        case Power(base, exponent):
            return power(_scaled(base, factor), _scaled(exponent, factor))
        case Call(name, arguments):
            return Call(name, tuple(_scaled(argument, factor) for argument in arguments))
        case _:
            return node
