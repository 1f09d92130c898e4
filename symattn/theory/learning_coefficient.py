"""The local learning coefficient at a collapsed tuple, and its multiplicity (E.llc; Section E.4).

For ``K >= 0`` with ``K = 0`` at a parameter, the zeta function ``integral K^z`` over a neighbourhood has its largest pole at
``z = -lambda``, with multiplicity m. lambda is the learning coefficient: the evidence integral of n samples is of the order
``n^(-lambda) (log n)^(m-1)``. K may be replaced by the sum of squares of generators of the same ideal (E.1).

A rank-one score ``q k^T`` at zero has ``K = |q|^2 |k|^2``, in polar coordinates ``a = |q|``, ``b = |k|`` the integral of
``a^(2z+d-1) b^(2z+d-1)``, which is ``(2z + d)^(-2)``. Only the first zero score of a stack is seen (T2), hence ``(d/2, 2)`` at
every depth; D layers that are observed independently give ``(D d/2, D + 1)``. Numbers may be integers, fractions or symbolic
(sympy, or a symbolic field).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symattn.errors import InputError, UndecidedError

__all__ = ["LearningCoefficient", "independent_collapse", "independent_sum", "regular", "serial_collapse", "zeta_pole"]


@dataclass(frozen=True)
class LearningCoefficient:
    """``value`` is lambda, ``multiplicity`` the order m of the pole at ``z = -lambda``."""

    value: Any
    multiplicity: int


def zeta_pole(factors: Sequence[tuple[int, Any]]) -> LearningCoefficient:
    """The largest pole of ``prod 1/(a z + h)``, with positive integers a and positive h: the zeta function in normal crossing coordinates.

    ``(a, h)`` comes from ``integral x^(a z + h - 1) dx``. Raises :class:`InputError` for no factor or one that is not positive,
    :class:`UndecidedError` where symbolic poles cannot be ordered.

    >>> zeta_pole([(2, 3), (2, 3), (2, 4)])
    LearningCoefficient(value=Fraction(3, 2), multiplicity=2)
    """
    if not factors:
        raise InputError("at least one factor was expected", where="factors")
    values = []
    for number, (a, h) in enumerate(factors, start=1):
        if not isinstance(a, int) or a < 1 or isinstance(h, float) or (isinstance(h, (int, Fraction)) and h <= 0):
            raise InputError(f"a positive integer and a positive exact number were expected, not {a} and {h}", where=f"factors[{number}]")
        values.append(_quotient(h, a))
    least = values[0]
    for value in values[1:]:
        if value != least and _is_less(value, least):
            least = value
    return LearningCoefficient(least, sum(value == least for value in values))


def independent_sum(parts: Sequence[LearningCoefficient]) -> LearningCoefficient:
    """The pair for a sum of K's in disjoint variables: the values add, and so do the multiplicities less one.

    The evidence integral of the sum is the product of the parts, so powers of n and of ``log n`` add.
    Raises :class:`InputError` for no part.

    >>> independent_sum([LearningCoefficient(Fraction(1, 2), 2)] * 3)
    LearningCoefficient(value=Fraction(3, 2), multiplicity=4)
    """
    if not parts:
        raise InputError("at least one part was expected", where="parts")
    value = parts[0].value
    for part in parts[1:]:
        value = value + part.value
    return LearningCoefficient(value, 1 + sum(part.multiplicity - 1 for part in parts))


def regular(count: Any) -> LearningCoefficient:
    """``(count/2, 1)``: as many parameters that are determined to first order, such as the entries of the readout.

    >>> regular(4)
    LearningCoefficient(value=Fraction(2, 1), multiplicity=1)
    """
    return zeta_pole([(2, count)])


def serial_collapse(width: Any) -> LearningCoefficient:
    """``(d/2, 2)``: a stack whose first zero score is of rank one, ``q = k = 0``; later layers are not seen. The readout is not counted.

    >>> serial_collapse(3)
    LearningCoefficient(value=Fraction(3, 2), multiplicity=2)
    """
    return zeta_pole([(2, width), (2, width)])


def independent_collapse(width: Any, depth: int) -> LearningCoefficient:
    """``(D d/2, D + 1)``: D rank-one scores at zero, each observed by itself. Raises :class:`InputError` for a depth below 1.

    >>> independent_collapse(2, 3)
    LearningCoefficient(value=Fraction(3, 1), multiplicity=4)
    """
    if not isinstance(depth, int) or depth < 1:
        raise InputError(f"a depth of at least 1 was expected, not {depth}", where="depth")
    return independent_sum([serial_collapse(width)] * depth)


def _quotient(h: Any, a: int) -> Any:
    return Fraction(h, a) if isinstance(h, (int, Fraction)) else h / a


def _is_less(first: Any, second: Any) -> bool:
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first < second
    sign = getattr(second - first, "is_positive", None)  # sympy's three-valued property
    if sign is None:
        raise UndecidedError(
            f"which of {first} and {second} is smaller is not decided; numbers in the place of the symbols would decide it"
        )
    return bool(sign)
