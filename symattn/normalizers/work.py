"""A bound on the exact work with irrational constants, so that no expression hangs or fills the memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from symattn.errors import BudgetError

__all__ = ["MAXIMUM_WORK", "charge", "metered"]

#: Work on products of irrational terms that one evaluation may take, about a second. Rational series take none.
MAXIMUM_WORK = 100_000
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
