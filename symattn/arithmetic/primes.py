"""The check that every modular number system makes of its prime."""

from __future__ import annotations

from flint import fmpz

from symattn.errors import BudgetError, InputError

__all__ = ["require_prime"]


def require_prime(prime: int, precision: int) -> None:
    """Refuse a modulus that is not a prime of one machine word, or that is too small for Taylor terms below the precision.

    Raises :class:`InputError` for a number that is not a prime below 2^63, :class:`BudgetError` where ``prime <= precision``.
    """
    if not 1 < prime < 1 << 63 or not fmpz(prime).is_prime():
        raise InputError(f"a prime below 2^63 was expected, not {prime}", where="prime")
    if prime <= precision:
        raise BudgetError(f"the prime {prime} must exceed the precision {precision}: take a larger prime")
