"""Random expressions against numerical differentiation by mpmath, and against their own text."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import flint
import mpmath
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from symattn.errors import BudgetError, ConstantNormalizerError, NotPositiveError, UndecidedError
from symattn.normalizers import normalizer
from symattn.normalizers.constant_sign import enclose
from symattn.normalizers.constants import Constant, rational
from symattn.normalizers.normalizer import Normalizer
from symattn.normalizers.text import to_text
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


#: A few fixed examples by default; the slow tests draw more, at random except in CI.
FEW = settings(deadline=None, database=None, derandomize=True, max_examples=10, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, derandomize="CI" in os.environ, max_examples=200)


def positive(node: Node) -> Normalizer:
    """``exp`` of the expression where it is not itself a normalizer; the example is dropped where both are refused."""
    for candidate in (node, Sum((Call("exp", (node,)), Number(Fraction(1))))):
        try:
            return Normalizer(candidate)
        except (NotPositiveError, ConstantNormalizerError, BudgetError, UndecidedError):
            continue
    assume(False)
    raise AssertionError


def numerical(c: Constant) -> Any:
    """The midpoint of a ball of 200 bits."""
    ball = enclose(c, 200)
    with flint.ctx.workprec(200), mpmath.workdps(60):
        return mpmath.mpf(ball.mid().str(50, radius=False))


def close(left: Any, right: Any) -> bool:
    with mpmath.workdps(60):
        return bool(abs(left - right) <= mpmath.mpf(10) ** -20 * (1 + abs(right)))


def check_against_numerical_differentiation(node: Node) -> None:
    phi = positive(node)
    count = 5
    try:
        series = phi._taylor(count)
        odd, even = phi.first_odd_degree, phi.first_even_degree
    except BudgetError:
        assume(False)
    expected = taylor(phi.tree, count)
    for degree in range(count):
        assert close(numerical(series.coefficient(degree)), expected[degree]), (phi.text, degree)
    # The decisions agree with what is seen numerically.
    significant = [degree for degree in range(1, count) if abs(expected[degree]) > 1e-15]
    if significant:
        assert phi.k == significant[0]
    else:
        assert phi.k >= count
    if phi.is_even:
        assert not any(degree % 2 for degree in significant)
        assert odd is None
    if phi.log_is_odd:
        assert even is None
    if phi.is_rational:
        assert all(close(numerical(rational(Fraction(str(c)))), e) for c, e in zip(phi.coefficients(count), expected, strict=True))


@FEW
@given(SMOOTH)
def test_coefficients_agree_with_numerical_differentiation(node: Node) -> None:
    check_against_numerical_differentiation(node)


@pytest.mark.slow
@MANY
@given(SMOOTH)
def test_many_coefficients_agree_with_numerical_differentiation(node: Node) -> None:
    check_against_numerical_differentiation(node)


def check_text_round_trip(node: Node) -> None:
    phi = positive(node)
    assert normalizer(phi.text).text == phi.text
    assert to_text(normalizer(phi.text).tree) == phi.text


@FEW
@given(SMOOTH)
def test_text_round_trip(node: Node) -> None:
    check_text_round_trip(node)


@pytest.mark.slow
@MANY
@given(SMOOTH)
def test_many_text_round_trips(node: Node) -> None:
    check_text_round_trip(node)
