"""A bound on the exact work with irrational constants, so that no expression hangs or fills the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction

from symattn.errors import BudgetError

__all__ = ["MAXIMUM_WORK", "charge", "check_power_bits", "metered"]

#: Work on products of irrational terms that one evaluation may take, about two seconds. Rational series take none.
MAXIMUM_WORK = 50_000
#: Powers of rational numbers with more bits than this are refused.
MAXIMUM_POWER_BITS = 1_000_000
_done: ContextVar[int | None] = ContextVar("done", default=None)


@contextmanager
def metered() -> Iterator[None]:
    """Count the work done inside from zero."""
    token = _done.set(0)
    try:
        yield
    finally:
        _done.reset(token)


def charge(work: int) -> None:
    """Count work; raises :class:`BudgetError` when there is too much within :func:`metered`."""
    done = _done.get()
    if done is None:
        return
    _done.set(done + work)
    if done + work > MAXIMUM_WORK:
        raise BudgetError(
            f"normalizer: the exact coefficients take more than {MAXIMUM_WORK} units of work with irrational constants; "
            "an expression with fewer irrational constants, or fewer terms of it, would be within the bound"
        )


def check_power_bits(bases: Iterable[Fraction], exponent: Fraction) -> None:
    """Raise :class:`BudgetError` when powers of these numbers would fill the memory."""
    bits = max((max(base.numerator.bit_length(), base.denominator.bit_length()) for base in bases), default=1)
    if bits > 1 and bits * abs(exponent) > MAXIMUM_POWER_BITS:
        raise BudgetError(
            f"normalizer: a power has coefficients of more than {MAXIMUM_POWER_BITS} bits; a smaller exponent would be within the bound"
        )
