"""Absolute values, signs, maxima and minima near 0: the branch that holds there, or a refusal with the reason.

``Abs(2 + s)`` is ``2 + s`` near 0 and ``Max(s**2, 0)`` is ``s**2``; ``Abs(s)`` and ``Max(s, 0)`` have a kink at 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from symattn.normalizers.constant_sign import decided_sign
from symattn.normalizers.expansion import expand, leading_series, refuse
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import MINUS_ONE, Call, Node, Number, Power, Product, Sum, children, power, product, total, walk

__all__ = ["local_form"]

_BRANCHED = frozenset({"Abs", "sign", "Max", "Min"})
_REFUSED = {
    **dict.fromkeys(("Heaviside", "floor", "ceiling"), "it is a step function; give the expression that holds near 0"),
    "Piecewise": "a piecewise function is not given by one expression near 0; give the piece that holds there",
}


@lru_cache(maxsize=256)
def local_form(node: Node) -> Node:
    """The expression with every branched function replaced by the branch that holds on a neighbourhood of 0.

    To be called within :func:`~symattn.normalizers.series.full_precision`.
    Raises :class:`NotAnalyticError` when no branch holds on both sides of 0, :class:`UndecidedError` when a zero test has no answer.
    """
    if not any(isinstance(inner, Call) and (inner.name in _BRANCHED or inner.name in _REFUSED) for inner in walk(node)):
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
    if node.name in _REFUSED:
        refuse(node, _REFUSED[node.name])
    if node.name in ("Abs", "sign"):
        return _sign_or_absolute(node)
    return _extremum(node, 1 if node.name == "Max" else -1) if node.name in _BRANCHED else node


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
    order, sign = found
    if node.name == "sign":
        if order != 0:
            refuse(node, "it jumps at 0, where its argument vanishes or has a pole")
        return Number(Fraction(sign))
    if order % 2:
        refuse(node, f"its argument changes sign at 0, so that it behaves like |s|{'' if order == 1 else f'**{order}'}")
    return argument if sign > 0 else product((MINUS_ONE, argument))


def _extremum(node: Call, direction: int) -> Node:
    for argument in node.arguments:
        expand(argument, 1)  # refuses what is not analytic before any difference is formed
    best = node.arguments[0]
    for other in node.arguments[1:]:
        found = _order_and_sign(total((other, product((MINUS_ONE, best)))))
        if found is None:
            continue
        order, sign = found
        if order % 2:
            refuse(node, f"{to_text(best)} and {to_text(other)} change places at 0, so that it has a kink there")
        if sign == direction:
            best = other
    return best
