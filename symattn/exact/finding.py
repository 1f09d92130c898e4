"""A finding: what exact computation found about the contact spectrum of an instance, and what that proves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, zip_longest

from symattn.exact.divisibility import LowerBound

__all__ = ["Finding", "proven_orders"]


@dataclass(frozen=True)
class Finding:
    """The contact spectrum of an instance on its bank, as computed (D.smith, D.kernel).

    ``orders`` are pairs ``(order, multiplicity)`` in powers of t, ascending. ``rank`` is a proven lower bound for the
    rank over ``Q((t))``; ``explicit_kernel`` counts proven kernel directions. Where the two add up to the number of columns,
    rank and ``kernel`` are exact; otherwise ``kernel`` is ``None`` and ``unresolved`` elementary divisors have order at
    least ``bound`` or are zero. ``is_exact`` says whether the orders are proven from both sides. ``shape`` is the shape of
    the full Jacobian; ``rows`` says how many rows, or random combinations of rows, were used.
    ``proves`` and ``caveats`` are sentences for a reader; ``condition`` is what the bounds depend on, if anything: then
    nothing is called exact.
    """

    orders: tuple[tuple[int, int], ...]
    rank: int
    explicit_kernel: int
    shape: tuple[int, int]
    rows: int
    method: str
    primes: tuple[int, ...]
    precision: int
    bound: int
    is_exact: bool
    lower: LowerBound | None
    proves: tuple[str, ...]
    caveats: tuple[str, ...] = ()
    condition: str = ""

    @property
    def unresolved(self) -> int:
        """How many elementary divisors beyond rank and explicit kernel are left undecided."""
        return self.shape[1] - self.rank - self.explicit_kernel

    @property
    def kernel(self) -> int | None:
        """The dimension of the kernel, or ``None`` while undecided."""
        return self.explicit_kernel if self.unresolved == 0 else None

    def exponents(self) -> list[int]:
        """The orders, each as often as it occurs, ascending."""
        return [order for order, multiplicity in self.orders for _ in range(multiplicity)]

    def to_json(self) -> dict[str, object]:
        """The keys of ``symattn spectrum --json`` that a finding fills (spec 07)."""
        return {
            "orders": [list(pair) for pair in self.orders],
            "rank": self.rank,
            "kernel": self.kernel,
            "unresolved": {"count": self.unresolved, "order_at_least": self.bound} if self.unresolved else None,
            "shape": list(self.shape),
            "rows_used": self.rows,
            "method": self.method,
            "primes": list(self.primes),
            "precision": self.precision,
            "is_exact": self.is_exact,
            "lower_bound": None if self.lower is None else {"layers": list(self.lower.layers), "how": self.lower.how},
            "proves": list(self.proves),
            "caveats": list(self.caveats),
            "condition": self.condition or None,
        }


def proven_orders(found: list[int], lower: LowerBound | None) -> bool:
    """Whether upper bounds from a Smith form and lower bounds from divisibility meet in every determinantal divisor.

    Both lists are ascending exponents; their partial sums bound the orders of the determinantal divisors from above
    and from below, so equal partial sums throughout pin every exponent.

    >>> proven_orders([0, 1, 5], LowerBound((0, 1, 5), (1, 5), ""))
    True
    >>> proven_orders([0, 1, 5], LowerBound((0, 1, 3), (1, 3), ""))
    False
    """
    if lower is None:
        return False
    return all(above == below for above, below in zip_longest(accumulate(found), accumulate(lower.exponents)))
