"""Step functions near 0: ``floor``, ``ceiling`` and ``Heaviside`` are constant there unless their argument meets a jump at 0."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, ctx

from symattn.errors import UndecidedError
from symattn.normalizers.constant_sign import decided_sign, enclose
from symattn.normalizers.constant_text import shown
from symattn.normalizers.constants import Constant, rational
from symattn.normalizers.expansion import expand, leading_series, refuse
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import MINUS_ONE, Call, Node, Number, product, total

__all__ = ["STEPS", "step_value"]

#: The functions that this module replaces by their value near 0.
STEPS = frozenset({"Heaviside", "floor", "ceiling"})
#: Bits with which an irrational constant is compared with the nearest integer.
PRECISION = 1024


def step_value(node: Call) -> Number:
    """The constant that equals the step function on a neighbourhood of 0; its argument must have no branched functions left.

    Raises :class:`NotAnalyticError` when the argument has a pole at 0 or the function jumps there.
    """
    (argument,) = node.arguments
    if node.name == "ceiling":
        return Number(-_floor(node, product((MINUS_ONE, argument))))
    if node.name == "floor":
        return Number(_floor(node, argument))
    if (sign := decided_sign(_value(node, argument), f"the value of {to_text(argument)} at 0")) == 0:
        refuse(node, "it is a step function, and its argument is 0 at the step")
    return Number(Fraction(int(sign > 0)))


def _floor(node: Call, argument: Node) -> Fraction:
    value = _value(node, argument)
    result, is_integer = _constant_floor(value)
    if is_integer:
        rest = leading_series(total((argument, Number(Fraction(-result)))))
        # Above an integer on both sides of 0, or equal to it throughout, the floor stays there.
        if rest is not None and (rest.order % 2 or decided_sign(rest.coefficient(rest.order), "the leading coefficient") < 0):
            refuse(node, "it is a step function, and its argument meets the step at 0")
    return Fraction(result)


def _value(node: Call, argument: Node) -> Constant:
    f = expand(argument, 1)
    if f.truncated(0).from_leading_term() is not None:
        refuse(node, f"it is a step function, and its argument {to_text(argument)} has a pole")
    return f.coefficient(0)


def _constant_floor(c: Constant) -> tuple[int, bool]:
    """The floor of a constant, and whether the constant is an integer."""
    if (q := c.as_rational) is not None:
        return math.floor(q), q.denominator == 1
    with ctx.workprec(PRECISION):
        ball = enclose(c, PRECISION)
        if not ball.rad() < 0.25:
            raise UndecidedError(f"cannot decide the integer part of {shown(c)}: more than {PRECISION} bits would decide it")
        # The midpoint is exact and at most 1/4 away, so that the value lies strictly between nearest - 1 and nearest + 1.
        unique = (ball.mid() + arb(1) / 2).floor().unique_fmpz()
    assert unique is not None
    nearest = int(unique)
    sign = decided_sign(c - rational(nearest), f"{shown(c)} - {nearest}")
    return (nearest, sign == 0) if sign >= 0 else (nearest - 1, False)
