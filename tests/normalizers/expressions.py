"""Random expression trees, and a numerical evaluation of trees that shares nothing with the code under test."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
from hypothesis import strategies as st

from symattn.normalizers.tree import VARIABLE, Call, Named, Node, Number, Polynomial, Power, Product, Sum, Variable, power, product, total

_FUNCTIONS: dict[str, Any] = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "gamma": mpmath.gamma,
    "sinc": mpmath.sinc,
    "atan": mpmath.atan,
    "asinh": mpmath.asinh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "Abs": abs,
    "sign": mpmath.sign,
    "Max": max,
    "Min": min,
}


def evaluate(node: Node, s: Any) -> Any:
    """The value of the expression at s, in the working precision of mpmath."""
    match node:
        case Number(value):
            return mpmath.mpf(value.numerator) / value.denominator
        case Named(name):
            return +mpmath.pi if name == "pi" else +mpmath.e
        case Variable():
            return s
        case Polynomial(coefficients):
            return mpmath.fsum(evaluate(Number(c), s) * s**degree for degree, c in enumerate(coefficients))
        case Sum(terms):
            return mpmath.fsum(evaluate(term, s) for term in terms)
        case Product(factors):
            return mpmath.fprod(evaluate(factor, s) for factor in factors)
        case Power(base, exponent):
            return mpmath.power(evaluate(base, s), evaluate(exponent, s))
        case Call(name, arguments):
            return _FUNCTIONS[name](*(evaluate(argument, s) for argument in arguments))


def taylor(node: Node, count: int) -> list[Any]:
    """Numerical Taylor coefficients at 0 of ``f/f(0)``, for an expression that can be evaluated at 0."""
    with mpmath.workdps(60):
        values = mpmath.taylor(lambda s: evaluate(node, s), 0, count - 1)
        return [value / values[0] for value in values]


NUMBERS = st.sampled_from([Fraction(1), Fraction(2), Fraction(-1), Fraction(1, 2), Fraction(-3, 2), Fraction(3)]).map(Number)
ENTIRE = ("exp", "sin", "cos", "sinh", "cosh", "tanh", "erf", "atan", "asinh", "sigmoid", "softplus")


def _extended(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(total),
        st.lists(inner, min_size=2, max_size=2).map(product),
        st.tuples(inner, st.integers(2, 3)).map(lambda pair: power(pair[0], Number(Fraction(pair[1])))),
        st.tuples(st.sampled_from(ENTIRE), inner).map(lambda pair: Call(pair[0], (pair[1],))),
        # Positive, hence fit for a logarithm, a root and a denominator.
        st.tuples(st.sampled_from([Fraction(-1), Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3)]), inner).map(
            lambda pair: power(total((Number(Fraction(2)), Call("tanh", (pair[1],)))), Number(pair[0]))
        ),
        inner.map(lambda node: Call("log", (total((Number(Fraction(2)), Call("sin", (node,)))),))),
    )


#: Expressions that are analytic on the whole real line and can be evaluated at 0.
SMOOTH: st.SearchStrategy[Node] = st.recursive(
    st.one_of(NUMBERS, st.just(VARIABLE), st.just(VARIABLE), st.sampled_from([Named("pi"), Named("E")])), _extended, max_leaves=5
)
