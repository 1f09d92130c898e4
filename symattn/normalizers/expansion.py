"""The exact Laurent expansion of an expression tree at 0, deciding analyticity on the way.

Every subexpression is expanded with exact coefficients, so that removable singularities (``sin(s)/s``) cancel by valuation and
anything that is not analytic on a real neighbourhood of 0 (``sqrt(s**2)``, ``exp(-1/s**2)``) is refused where it arises, with
the reason. No limit and no series of a computer algebra system is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from symattn.errors import InputError, NotAnalyticError, UndecidedError
from symattn.normalizers import constant_functions as at_constant, series_functions as functions
from symattn.normalizers.constant_sign import decided_sign
from symattn.normalizers.constants import ONE, ZERO, Constant, rational
from symattn.normalizers.identities import is_proved_zero
from symattn.normalizers.rational_series import to_fraction
from symattn.normalizers.series import Series, constant, polynomial, variable
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import MINUS_ONE, Call, Named, Node, Number, Polynomial, Power, Product, Sum, Variable, power, product, total
from symattn.normalizers.work import check_power_bits

__all__ = ["RATIONAL_BUDGET", "SYMBOLIC_BUDGET", "expand", "expand_logarithm", "leading_series", "refuse", "search_budget"]

#: How far the search for a first nonzero coefficient goes: degree for rational and for irrational coefficients.
RATIONAL_BUDGET, SYMBOLIC_BUDGET = 2048, 32
#: The least number of terms that is worked with; expansions up to the second number are remembered for the decisions.
LEAST, REMEMBERED = 4, 64
#: gamma is moved at most this far to the interval (0, 1].
MAXIMUM_SHIFT = 64


def expand(node: Node, precision: int) -> Series:
    """The Laurent series of the expression with every term below the degree ``precision`` (at least 1).

    Absolute values and the like must have been replaced (:func:`~symattn.normalizers.branches.local_form`).
    To be called within :func:`~symattn.normalizers.series.full_precision`.
    Raises :class:`NotAnalyticError` with the reason when a subexpression is not meromorphic at 0,
    :class:`UndecidedError` when a zero test has no answer.
    """
    return (_expand_remembered if precision <= REMEMBERED else _expand_to)(node, precision)


def _expand_to(node: Node, precision: int) -> Series:
    # Division by a series of valuation v and products with poles cost a fixed number of terms, learnt once from a few.
    asked = max(precision, LEAST) + (_lost_terms(node) if precision > LEAST else 0)
    while (result := _expand(node, asked)).precision < precision:
        asked += precision - result.precision
    return result.truncated(precision)


_expand_remembered = lru_cache(maxsize=1024)(_expand_to)


@lru_cache(maxsize=1024)
def _lost_terms(node: Node) -> int:
    return max(LEAST - _expand(node, LEAST).precision, 0)


def expand_logarithm(node: Node, precision: int) -> Series:
    """The series of ``log(f / f(0))`` for an expression f that is analytic and nonzero at 0, terms below ``precision``.

    Logarithms of exponentials, products and powers are taken apart first, which keeps irrational coefficients short.
    """
    n = max(precision, LEAST)
    match node:
        case Call("exp", (argument,)):
            result = _analytic(node, argument, n).without_constant_term()
        case Call("sigmoid", (argument,)):
            result = -functions.softplus(-_analytic(node, argument, n)).without_constant_term()
        case Sum() if (logistic := _logistic_argument(node)) is not None:
            result = functions.softplus(_analytic(node, logistic, n)).without_constant_term()
        case Call("gamma", (argument,)) if _analytic(node, argument, n).coefficient(0).evident_sign == 1:
            result = _log_gamma(node, argument, n)
        case Product(factors) if len(grouped := _units(_without_gamma_poles(factors))) > 1:
            result = _fold(Series.__add__, [expand_logarithm(factor, n) for factor in grouped])
        case Power(base, Number(value)) if _is_unit(base):
            result = expand_logarithm(base, n).times(rational(value))
        case Power(base, exponent) if not isinstance(exponent, Number):
            result = (_analytic(node, exponent, n) * functions.log(_analytic(node, base, n))).without_constant_term()
        case _:
            result = functions.log(expand(node, n).starting_at(0).unit())
    return result.truncated(precision)


def _logistic_argument(node: Node) -> Node | None:
    """``f`` when the node is ``1 + exp(f)``; sigmoid and softplus are faster than a division and a logarithm."""
    match node:
        case Sum((Number(value), Call("exp", (argument,))) | (Call("exp", (argument,)), Number(value))) if value == 1:
            return argument
    return None


def _units(factors: list[Node]) -> list[Node]:
    """The factors, those with a zero or a pole at 0 gathered into one."""
    units = [factor for factor in factors if _is_unit(factor)]
    rest = [factor for factor in factors if not _is_unit(factor)]
    return [*units, product(rest)] if rest else units


def _is_unit(node: Node) -> bool:
    """Whether the expression has neither a zero nor a pole at 0."""
    leading = expand(node, 1).from_leading_term()
    return leading is not None and leading.order == 0


def search_budget(series: Series) -> int:
    """The degree up to which a first nonzero coefficient is searched."""
    return RATIONAL_BUDGET if series.generators == frozenset() else SYMBOLIC_BUDGET


def _expand(node: Node, n: int) -> Series:
    result = _expand_node(node, n)
    if result.scale == ZERO and result.order <= 0 < result.precision:
        # A constant: keep it in one piece, so that a later division by it cancels.
        return constant(result.coefficient(0), n)
    return result


def _expand_node(node: Node, n: int) -> Series:
    match node:
        case Number(value):
            return constant(rational(value), n)
        case Named(name):
            return constant(at_constant.PI if name == "pi" else at_constant.E, n)
        case Variable():
            return variable(n)
        case Polynomial(coefficients):
            return polynomial(coefficients, n)
        case Sum(terms):
            return _fold(Series.__add__, [expand(term, n) for term in terms])
        case Product(factors):
            return _fold(Series.__mul__, [expand(factor, n) for factor in factors])
        case Power(base, exponent):
            return _power(node, base, exponent, n)
        case Call(name, arguments):
            return _CALLS[name](node, arguments, n)


def _fold(operation: Callable[[Series, Series], Series], series: list[Series]) -> Series:
    result = series[0]
    for other in series[1:]:
        result = operation(result, other)
    return result


def refuse(node: Node, reason: str) -> NoReturn:
    """Raise :class:`NotAnalyticError` for this subexpression, with the reason."""
    text = to_text(node)
    raise NotAnalyticError(f"{text if len(text) <= 60 else text[:57] + '...'} is not analytic at 0: {reason}", where="normalizer")


def _analytic(node: Node, argument: Node, n: int) -> Series:
    """The argument of a function as a series of order 0; a pole there is an essential singularity (or a jump) of the function."""
    f = expand(argument, n)
    if f.order < 0:
        leading = f.truncated(0).from_leading_term()
        if leading is not None:
            refuse(node, f"its argument {to_text(argument)} has a pole of order {-leading.order}")
    return f.starting_at(0)


def leading_series(node: Node, precision: int = LEAST) -> Series | None:
    """The series from its first nonzero term on, expanded at least to this precision; ``None`` when it is proved to be zero.

    Raises :class:`UndecidedError` when no nonzero term is found within the budget and there is no proof either.
    """
    asked = precision
    while True:
        f = expand(node, asked)
        leading = f.from_leading_term()
        if leading is not None:
            return leading
        if is_proved_zero(node):
            return None
        if asked >= (budget := search_budget(f)):
            raise UndecidedError(
                f"normalizer: cannot decide whether {to_text(node)} is identically zero: no nonzero term below degree {budget}; "
                "a proof of the identity, or a term of higher degree, would decide it"
            )
        asked = min(2 * asked, budget)


def _leading(node: Node, argument: Node, n: int, zero: str) -> Series:
    """The argument from its first nonzero term on; an argument that is identically zero is refused with the reason ``zero``."""
    leading = leading_series(argument, n)
    if leading is None:
        refuse(node, zero)
    return leading


def _power(node: Node, base: Node, exponent: Node, n: int) -> Series:
    if isinstance(exponent, Number):
        q = exponent.value
        if q == -1 and (argument := _logistic_argument(base)) is not None:
            return functions.sigmoid(-_analytic(base, argument, n))
        if q == 0:
            expand(base, n)  # refuses what has no value near 0
            return constant(ONE, n)
        if q.denominator == 1 and q > 0:
            return _natural_power(expand(base, n), int(q))
        leading = _leading(node, base, n, "it divides by zero" if q < 0 else "its base is identically zero")
        return _rational_power(node, leading, q)
    f = _analytic(node, base, n)
    _require_positive(node, f, "a power with a variable or irrational exponent needs a base that is positive at 0")
    return functions.exp(_analytic(node, exponent, n) * functions.log(f))


def _natural_power(f: Series, exponent: int) -> Series:
    """``f ** exponent`` by repeated squaring, which needs no valuation of f."""
    check_power_bits((to_fraction(part[0]) for part in f.parts.values()), Fraction(exponent))
    result: Series | None = None
    for bit in bin(exponent)[2:]:
        result = result * result if result is not None else None
        if bit == "1":
            result = f if result is None else result * f
    assert result is not None
    return result


def _rational_power(node: Node, leading: Series, q: Fraction) -> Series:
    order = leading.order * q
    lead = leading.coefficient(leading.order)
    if q.denominator > 1:
        if decided_sign(lead, "the leading coefficient") < 0:
            refuse(node, "the base of a fractional power is negative near 0")
        if leading.order % 2:
            refuse(node, f"0 is a branch point, the base being of odd order {leading.order}")
        if order.denominator > 1 or order % 2:
            # (s**2)**(1/2) is |s|: for an even order v the power is |s|**(v q) times an analytic factor.
            refuse(node, f"it behaves like |s|{'' if order == 1 else f'**({order})'}")
    if q == -1:
        return leading.inverted()
    raised = functions.rational_power(leading.unit(), q)
    shifted = Series(int(order), raised.length, raised.parts, raised.scale, raised.generators)
    return shifted.times(at_constant.power(lead, q))


def _require_positive(node: Node, f: Series, reason: str) -> None:
    if decided_sign(f.coefficient(0), f"the value at 0 inside {to_text(node)}") <= 0:
        refuse(node, reason)


def _of_series(function: Callable[[Series], Series]) -> Callable[[Node, tuple[Node, ...], int], Series]:
    """A function that is entire on the real line."""
    return lambda node, arguments, n: function(_analytic(node, arguments[0], n))


def _log(node: Node, arguments: tuple[Node, ...], n: int) -> Series:
    if (argument := _logistic_argument(arguments[0])) is not None:
        return functions.softplus(_analytic(arguments[0], argument, n))
    f = _analytic(node, arguments[0], n)
    _require_positive(node, f, "the argument of log is not positive at 0")
    return functions.log(f)


def _tan(node: Node, arguments: tuple[Node, ...], n: int) -> Series:
    return expand(product((Call("sin", arguments), power(Call("cos", arguments), MINUS_ONE))), n)


def _tanh(f: Series) -> Series:
    return functions.sigmoid(f.times(rational(2))).times(rational(2)) - constant(ONE, f.length)


def _sinc(node: Node, arguments: tuple[Node, ...], n: int) -> Series:
    f = _analytic(node, arguments[0], n)
    if leading_series(arguments[0]) is None:
        return constant(ONE, n)
    return functions.sin_cos(f)[0] * _leading(node, arguments[0], n, "").inverted()


def _asinh(f: Series) -> Series:
    return functions.log(f + functions.rational_power(constant(ONE, f.length) + f * f, Fraction(1, 2)))


def _gamma(node: Node, arguments: tuple[Node, ...], n: int) -> Series:
    f, shift, point = _gamma_argument(node, arguments[0], n)
    if shift < 0:
        return expand(_moved_gamma(arguments[0], shift), n)
    result = functions.exp(functions.log_gamma_near(f.without_constant_term(), point)).times(at_constant.special("gamma", point))
    for j in range(1, shift + 1):
        result = result * (f - constant(rational(j), f.length))
    return result


def _moved_gamma(argument: Node, shift: int) -> Node:
    """``gamma(f)`` as ``gamma(f + m) / (f (f + 1) .. (f + m - 1))``, ``m = -shift``, which shows the pole."""
    moved = [total((argument, Number(Fraction(j)))) for j in range(1 - shift)]
    return product((Call("gamma", (moved[-1],)), *(power(factor, MINUS_ONE) for factor in moved[:-1])))


def _without_gamma_poles(factors: tuple[Node, ...]) -> list[Node]:
    """The factors with every gamma at an argument that is not positive at 0 moved."""
    result: list[Node] = []
    for factor in factors:
        if isinstance(factor, Call) and factor.name == "gamma":
            _, shift, _ = _gamma_argument(factor, factor.arguments[0], LEAST)
            if shift < 0:
                moved = _moved_gamma(factor.arguments[0], shift)
                assert isinstance(moved, Product)
                result.extend(moved.factors)
                continue
        result.append(factor)
    return result


def _log_gamma(node: Node, argument: Node, n: int) -> Series:
    """``log(gamma(f) / gamma(f(0)))`` for ``f(0) > 0``."""
    f, shift, point = _gamma_argument(node, argument, n)
    result = functions.log_gamma_near(f.without_constant_term(), point)
    for j in range(1, shift + 1):
        result = result + functions.log((f - constant(rational(j), f.length)).unit())
    return result


def _gamma_argument(node: Node, argument: Node, n: int) -> tuple[Series, int, Constant]:
    """The argument f, the shift m for which ``f(0) - m`` lies in (0, 1] when f(0) is rational, and ``f(0) - m``."""
    f = _analytic(node, argument, n)
    offset = f.coefficient(0)
    value = offset.as_rational
    if value is None:
        _require_positive(node, f, "gamma is expanded at rational or positive arguments only")
        return f, 0, offset
    shift = math.ceil(value) - 1
    if abs(shift) > MAXIMUM_SHIFT:
        raise InputError(f"{to_text(node)}: gamma is expanded at arguments up to {MAXIMUM_SHIFT} only", where="normalizer")
    return f, shift, rational(value - shift)


_CALLS: dict[str, Callable[[Node, tuple[Node, ...], int], Series]] = {
    "exp": _of_series(functions.exp),
    "log": _log,
    "sin": _of_series(lambda f: functions.sin_cos(f)[0]),
    "cos": _of_series(lambda f: functions.sin_cos(f)[1]),
    "tan": _tan,
    "sinh": _of_series(lambda f: functions.sinh_cosh(f)[0]),
    "cosh": _of_series(lambda f: functions.sinh_cosh(f)[1]),
    "tanh": _of_series(_tanh),
    "sinc": _sinc,
    "erf": _of_series(functions.erf),
    "gamma": _gamma,
    "atan": _of_series(functions.atan),
    "asinh": _of_series(_asinh),
    "sigmoid": _of_series(functions.sigmoid),
    "softplus": _of_series(functions.softplus),
}
