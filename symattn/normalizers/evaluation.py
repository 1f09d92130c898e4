"""Values of a normalizer and of its derivative: enclosed by balls anywhere, exact at rational arguments where it is a rational function.

The derivative travels along with the value (forward differentiation of the tree), so one pass gives both. ``phi(0) = 1`` is **not**
imposed: values are those of the expression as given, since only ratios enter attention.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, fmpq

from symattn.errors import UndecidedError
from symattn.normalizers.normalizer import Normalizer
from symattn.normalizers.tree import Call, Named, Node, Number, Polynomial, Power, Product, Sum, Variable, walk

__all__ = ["evaluate_ball", "evaluate_complex_ball", "evaluate_rational", "is_rational_function"]


@dataclass(frozen=True)
class _Dual:
    """A value and its derivative in ``s``."""

    value: Any
    slope: Any

    def __add__(self, other: _Dual) -> _Dual:
        return _Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other: _Dual) -> _Dual:
        return _Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)


def is_rational_function(normalizer: Normalizer) -> bool:
    """Whether the expression is built from rational numbers, s, sums, products and integer powers alone."""
    return all(
        isinstance(node, (Number, Variable, Sum, Product, Polynomial))
        or (isinstance(node, Power) and isinstance(node.exponent, Number) and node.exponent.value.denominator == 1)
        for node in walk(normalizer.tree)
    )


def evaluate_rational(normalizer: Normalizer, argument: Fraction) -> tuple[Fraction, Fraction]:
    """``phi`` and ``phi'`` at a rational argument, exactly; only where :func:`is_rational_function`.

    Raises :class:`UndecidedError` for other normalizers and at a pole.

    >>> from symattn.normalizers import normalizer
    >>> evaluate_rational(normalizer("1/(1-s)"), Fraction(1, 3))
    (Fraction(3, 2), Fraction(9, 4))
    """
    if not is_rational_function(normalizer):
        raise UndecidedError(f"{normalizer.text} is not a rational function: its values are enclosed, not exact")
    try:
        result = _evaluate(normalizer.tree, _Dual(argument, Fraction(1)), lambda value: value)
    except ZeroDivisionError:
        raise UndecidedError(f"{normalizer.text} has a pole at {argument}") from None
    return Fraction(result.value), Fraction(result.slope)


def evaluate_ball(normalizer: Normalizer, argument: arb) -> tuple[arb, arb]:
    """Balls that contain ``phi`` and ``phi'`` on the whole argument ball, at the working precision of FLINT.

    A result that is not finite means that the expression could not be enclosed there (a removable singularity, a pole, a
    branch point in the ball).

    >>> from symattn.normalizers import normalizer
    >>> value, slope = evaluate_ball(normalizer("exp(2*s)"), arb(0))
    >>> value.contains(1), slope.contains(2)
    (True, True)
    """
    result = _evaluate(normalizer.tree, _Dual(argument, arb(1)), lambda value: arb(fmpq(value.numerator, value.denominator)))
    return arb(result.value), arb(result.slope)


def evaluate_complex_ball(normalizer: Normalizer, argument: acb) -> tuple[acb, acb]:
    """Complex balls that contain ``phi`` and ``phi'`` on the whole argument ball, where phi is analytic on all of it.

    Raises :class:`UndecidedError` unless every function in the expression is seen to be analytic at its argument: logarithms,
    roots and powers that are not integers need an argument with a positive real part, so that no branch cut is met.

    >>> from symattn.normalizers import normalizer
    >>> value, slope = evaluate_complex_ball(normalizer("exp(2*s)"), acb(0, arb(0, 0.1)))
    >>> value.contains(1), slope.contains(2)
    (True, True)
    """
    result = _evaluate(normalizer.tree, _Dual(argument, acb(1)), lambda value: acb(arb(fmpq(value.numerator, value.denominator))))
    value, slope = acb(result.value), acb(result.slope)
    if not (value.is_finite() and slope.is_finite()):
        raise UndecidedError(f"{normalizer.text} could not be enclosed on a complex ball (a singularity in the ball)")
    return value, slope


def _evaluate(node: Node, s: _Dual, number: Any) -> _Dual:
    def constant(value: Fraction) -> _Dual:
        return _Dual(number(value), number(Fraction(0)))

    match node:
        case Number(value):
            return constant(value)
        case Variable():
            return s
        case Named(name):
            return _Dual(arb.pi() if name == "pi" else arb.const_e(), arb(0))
        case Polynomial(coefficients):
            result = constant(Fraction(0))
            for coefficient in reversed(coefficients):
                result = result * s + constant(coefficient)
            return result
        case Sum(terms):
            result = constant(Fraction(0))
            for term in terms:
                result = result + _evaluate(term, s, number)
            return result
        case Product(factors):
            result = constant(Fraction(1))
            for factor in factors:
                result = result * _evaluate(factor, s, number)
            return result
        case Power(base, exponent):
            return _power(_evaluate(base, s, number), exponent, s, number)
        case Call(name, (argument,)):
            return _call(name, _evaluate(argument, s, number))
        case _:
            raise UndecidedError(f"no enclosure is implemented for {type(node).__name__.lower()} nodes")


def _power(base: _Dual, exponent: Node, s: _Dual, number: Any) -> _Dual:
    if isinstance(exponent, Number):
        n = exponent.value
        if n.denominator == 1:
            if n == 0:
                return _Dual(number(Fraction(1)), number(Fraction(0)))
            lower = _integer_power(base.value, n.numerator - 1, number)
            return _Dual(lower * base.value, number(n) * lower * base.slope)
        _require_analytic("root", base.value)
        raised = number(n)
        return _Dual(base.value**raised, raised * base.value ** number(n - 1) * base.slope)
    power = _evaluate(exponent, s, number)
    _require_analytic("log", base.value)
    logarithm = base.value.log()
    value = (power.value * logarithm).exp()
    return _Dual(value, value * (power.slope * logarithm + power.value * base.slope / base.value))


def _integer_power(value: Any, exponent: int, number: Any) -> Any:
    """By multiplication: the power of a ball that contains zero and is not exact would be taken through its logarithm."""
    result, square, left = number(Fraction(1)), value, abs(exponent)
    while left:
        if left % 2:
            result = result * square
        left //= 2
        if left:
            square = square * square
    return result if exponent >= 0 else number(Fraction(1)) / result


def _call(name: str, x: _Dual) -> _Dual:
    """A function at a ball, with the chain rule."""
    v = x.value
    _require_analytic(name, v)
    match name:
        case "exp":
            value, slope = v.exp(), v.exp()
        case "log":
            value, slope = v.log(), 1 / v
        case "sin":
            value, slope = v.sin(), v.cos()
        case "cos":
            value, slope = v.cos(), -v.sin()
        case "tan":
            value, slope = v.tan(), 1 + v.tan() ** 2
        case "sinh":
            value, slope = v.sinh(), v.cosh()
        case "cosh":
            value, slope = v.cosh(), v.sinh()
        case "tanh":
            value, slope = v.tanh(), 1 - v.tanh() ** 2
        case "erf":
            value, slope = v.erf(), 2 / arb.pi().sqrt() * (-(v**2)).exp()
        case "gamma":
            value, slope = v.gamma(), v.gamma() * v.digamma()
        case "sinc":
            value, slope = v.sinc(), _sinc_slope(v)
        case "atan":
            value, slope = v.atan(), 1 / (1 + v**2)
        case "asinh":
            value, slope = v.asinh(), 1 / (1 + v**2).sqrt()
        case "softplus":
            value, slope = (1 + v.exp()).log(), 1 / (1 + (-v).exp())
        case "sigmoid":
            value, slope = 1 / (1 + (-v).exp()), 1 / ((1 + v.exp()) * (1 + (-v).exp()))
        case _:
            raise UndecidedError(f"no enclosure is implemented for {name}")
    return _Dual(value, slope * x.slope)


def _sinc_slope(v: Any) -> Any:
    if isinstance(v, acb) and v.contains(0):
        # The slope is the integral of -x sin(x v) over [0, 1], and |sin(x v)| <= exp(|Im v|).
        around = abs(v.imag).exp() / 2 * arb(0, 1)
        return acb(around, around)
    return (v.cos() - v.sinc()) / v


def _require_analytic(name: str, v: Any) -> None:
    """Refuse a complex ball on which the function of this name is not seen to be analytic; real balls need no such care.

    Functions not listed are entire, or quotients that are not finite on a ball with a pole.
    """
    if not isinstance(v, acb):
        return
    # A function such as sin may be finite on a ball that is not.
    if not v.is_finite():
        raise UndecidedError(f"the argument of {name} could not be enclosed on a complex ball: a smaller one may do")
    match name:
        case "log" | "root" | "gamma":
            is_analytic = v.real > 0
        case "softplus":
            is_analytic = (1 + v.exp()).real > 0
        case "atan" | "asinh":  # the branch cuts are where 1 + v^2 is real and not positive
            is_analytic = (1 + v**2).real > 0
        case "tan":
            is_analytic = (1 / v.cos()).is_finite()
        case "tanh":
            is_analytic = (1 / v.cosh()).is_finite()
        case _:
            is_analytic = True
    if not is_analytic:
        raise UndecidedError(f"{name} is not seen to be analytic on a complex ball: a smaller one may do")
