"""Absolute values, signs, maxima, minima and steps near 0: the branch that holds there, or a refusal with the reason.

``Abs(2 + s)`` is ``2 + s`` near 0 and ``Max(s**2, 0)`` is ``s**2``; ``Abs(s)`` and ``Max(s, 0)`` have a kink at 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from symattn.normalizers.constant_sign import decided_sign, sign
from symattn.normalizers.expansion import expand, leading_series, refuse
from symattn.normalizers.steps import STEPS, step_value
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import MINUS_ONE, Call, Node, Number, Power, Product, Sum, children, power, product, total, walk

__all__ = ["local_form"]

_BRANCHED = frozenset({"Abs", "sign", "Max", "Min", "Piecewise"}) | STEPS


@lru_cache(maxsize=256)
def local_form(node: Node) -> Node:
    """The expression with every branched function replaced by the branch that holds on a neighbourhood of 0.

    To be called within :func:`~symattn.normalizers.series.full_precision`.
    Raises :class:`NotAnalyticError` when no branch holds on both sides of 0, :class:`UndecidedError` when a zero test has no answer.
    """
    if not any(isinstance(inner, Call) and inner.name in _BRANCHED for inner in walk(node)):
        return node
    parts = tuple(local_form(child) for child in children(node))
    match node:
        case Sum():
            return total(parts)
        case Product():
            return product(parts)
        case Power():
            return power(*parts)
        case Call(name):
            return _branch(Call(name, parts))
        case _:
            return node


def _branch(node: Call) -> Node:
    if node.name == "Piecewise":
        refuse(node, "a piecewise function is not given by one expression near 0; give the piece that holds there")
    if node.name in STEPS:
        return step_value(node)
    if node.name in ("Abs", "sign"):
        return _sign_or_absolute(node)
    return _extremum(node, 1 if node.name == "Max" else -1) if node.name in ("Max", "Min") else node


def _order_and_sign(node: Node) -> tuple[int, int] | None:
    """The order of the first nonzero term and the sign of its coefficient; ``None`` for zero."""
    leading = leading_series(node)
    if leading is None:
        return None
    return leading.order, decided_sign(leading.coefficient(leading.order), f"the leading coefficient of {to_text(node)}")


def _sign_or_absolute(node: Call) -> Node:
    (argument,) = node.arguments
    found = _order_and_sign(argument)
    if found is None:
        return Number(Fraction(0))
    order, leading_sign = found
    if node.name == "sign":
        if order != 0:
            refuse(node, "it jumps at 0, where its argument vanishes or has a pole")
        return Number(Fraction(leading_sign))
    if order % 2:
        refuse(node, f"its argument changes sign at 0, so that it behaves like |s|{'' if order == 1 else f'**{order}'}")
    return argument if leading_sign > 0 else product((MINUS_ONE, argument))


def _extremum(node: Call, direction: int) -> Node:
    candidates = _attaining_at_zero(node.arguments, direction)
    right, left = (_extreme(candidates, direction, side) for side in (1, -1))
    # Analytic functions that agree on one side of 0 agree near 0: the extremum is analytic only if one argument attains it on both.
    if left is not right and _order_and_sign(_difference(right, left)) is not None:
        refuse(node, f"{to_text(left)} and {to_text(right)} change places at 0, so that it has a kink there")
    return right


def _attaining_at_zero(arguments: tuple[Node, ...], direction: int) -> list[Node]:
    """The arguments less those that are proved not to attain the extremum at 0; all of them when one has a pole there."""
    values = []
    for argument in arguments:
        f = expand(argument, 1)  # refuses what is not analytic before any difference is formed
        if f.truncated(0).from_leading_term() is not None:
            return list(arguments)
        values.append(f.coefficient(0))
    best = values[0]
    for value in values[1:]:
        if sign(value - best) == direction:
            best = value
    return [argument for argument, value in zip(arguments, values, strict=True) if sign(value - best) != -direction]


def _extreme(arguments: list[Node], direction: int, side: int) -> Node:
    """The argument that attains the extremum for small s of the sign ``side``."""
    best = arguments[0]
    for other in arguments[1:]:
        found = _order_and_sign(_difference(other, best))
        if found is not None and found[1] * side ** (found[0] % 2) == direction:
            best = other
    return best


def _difference(left: Node, right: Node) -> Node:
    return total((left, product((MINUS_ONE, right))))
