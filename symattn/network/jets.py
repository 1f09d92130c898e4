"""A finite jet: the Taylor polynomial of a network at ``X = 0``, as exact data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from symattn.errors import BudgetError, InputError
from symattn.normalizers import Normalizer

__all__ = ["MONOMIAL_LIMIT", "Exponents", "Jet", "JetTooShortError", "monomial_text", "require_affordable", "token_symbols"]

Exponents = tuple[int, ...]
"""The exponents of the n d token entries, token by token: a monomial."""

MONOMIAL_LIMIT = 3_000_000
"""Most monomials of a jet that is computed or compared as a whole."""


def token_symbols(tokens: int, width: int) -> tuple[str, ...]:
    """The names of the token entries: ``x1_1 .. x1_d, x2_1 ..``, token by token."""
    return tuple(f"x{a}_{j}" for a in range(1, tokens + 1) for j in range(1, width + 1))


def monomial_text(exponents: Sequence[int], tokens: int, width: int) -> str:
    """A monomial for a reader.

    >>> monomial_text((2, 1, 0, 0), tokens=2, width=2)
    'x1_1^2 x1_2'
    """
    names = token_symbols(tokens, width)
    return " ".join(f"{name}^{e}" if e > 1 else name for name, e in zip(names, exponents, strict=True) if e) or "1"


def require_affordable(tokens: int, width: int, order: int) -> None:
    """Refuse a jet of more than ``MONOMIAL_LIMIT`` monomials of odd degree with :class:`BudgetError`, before any of them is made.

    An order below 1 is refused with :class:`InputError`.
    """
    if order < 1:
        raise InputError(f"an order of at least 1 was expected, not {order}", where="order")
    variables, count = tokens * width, 0
    for degree in range(1, order + 1, 2):
        count += comb(degree + variables - 1, degree)
        if count > MONOMIAL_LIMIT:
            raise BudgetError(
                f"a jet of order {order} of {tokens} tokens of width {width} has more than {MONOMIAL_LIMIT} monomials; "
                "take a lower order or fewer tokens, or evaluate on chosen inputs instead (recover_germ, jet_rank_bound)"
            )


class JetTooShortError(InputError):
    """A jet of too low an order: ``layer`` (from 1) cannot be read from it, and needs ``degree``."""

    def __init__(self, problem: str, *, layer: int, degree: int) -> None:
        self.layer = layer
        self.degree = degree
        super().__init__(problem, where="order")


@dataclass(frozen=True)
class Jet:
    """The Taylor polynomial ``T_N`` of a network at 0, as the output of token 1; the other tokens follow by symmetry.

    ``coefficients`` maps the exponents of the n d token entries (token by token) to the p output coordinates, over Q; monomials
    with all coordinates zero are absent. ``order`` is N; parts of higher degree are unknown.
    """

    tokens: int
    width: int
    outputs: int
    normalizers: tuple[Normalizer, ...]
    order: int
    coefficients: dict[Exponents, tuple[Fraction, ...]]

    def part(self, degree: int) -> dict[Exponents, tuple[Fraction, ...]]:
        """The homogeneous part of one degree."""
        return {exponents: values for exponents, values in self.coefficients.items() if sum(exponents) == degree}

    def truncated(self, order: int) -> Jet:
        """The jet of a lower order."""
        kept = {exponents: values for exponents, values in self.coefficients.items() if sum(exponents) <= order}
        return Jet(self.tokens, self.width, self.outputs, self.normalizers, min(order, self.order), kept)

    def difference(self, other: Jet) -> tuple[Exponents, tuple[Fraction, ...], tuple[Fraction, ...]] | None:
        """The first monomial, by degree, at which two jets differ up to the lower of their orders, with both values."""
        zero = (Fraction(0),) * self.outputs
        limit = min(self.order, other.order)
        mine, theirs = self.coefficients, other.coefficients
        differing = [e for e in {*mine, *theirs} if sum(e) <= limit and mine.get(e, zero) != theirs.get(e, zero)]
        if not differing:
            return None
        first = min(differing, key=lambda e: (sum(e), [-x for x in e]))
        return first, mine.get(first, zero), theirs.get(first, zero)
