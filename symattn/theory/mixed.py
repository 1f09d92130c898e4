"""A conjectured law for stacks that mix rank-one, generic and skew scores, where no theorem applies; all slopes nonzero (k = 1).

Let ``f_1 <= f_2`` be the first two elementary-divisor orders, in t, of the token contrast on the collapse path ``Q = t U, K = t W``. They
start at ``(0, 0)``; two tokens and width 1 have no second one, ``f_2 = infinity``. One layer sends them to

* rank-one score, not skew:        ``(3 f_1 + 2, 4 f_1 + f_2 + 4)``;
* score of rank >= 2, not skew:    ``(3 f_1 + 2, 3 f_2 + 2)``;
* nonzero skew score:              ``f_1' = min(2 f_1 + f_2 + 2, (l + 1) f_1 + 2 l)`` with l the first even degree of log phi (no second
  term if log phi is odd), and ``f_1' + f_2' = 3 (f_1 + f_2) + 4``;
* zero score: all contrast is erased, ``(infinity, infinity)``.

Layer i has contact order ``1 + 2 f_1`` of the contrast before it, and none at all behind a layer that erases all contrast. For two
tokens this is Prop. C.3, ``alpha = 1 + f_1``; for three and more it is not proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from symattn.errors import InputError
from symattn.theory.orders import contact_orders, require_integer

__all__ = ["ScoreType", "mixed_contact_orders"]

ScoreType = Literal["zero", "rank one", "generic", "skew"]


@dataclass(frozen=True)
class _Contrast:
    """The two orders; ``None`` is infinity."""

    first: int | None
    second: int | None


def mixed_contact_orders(
    scores: Sequence[ScoreType], even_degrees: Sequence[int | None], *, tokens: int, width: int
) -> tuple[int | None, ...]:
    """The contact order of every layer by the law; ``None`` behind a layer that erases all contrast (spec 6.3; a conjecture).

    ``even_degrees`` are the ``l_i``, ``None`` where log phi is odd. Raises :class:`InputError` for lists of unequal length, other words,
    degrees that are not even and positive, and scores that the width does not allow.

    >>> mixed_contact_orders(["rank one", "skew", "generic"], [None, None, None], tokens=3, width=2)
    (1, 5, 21)
    >>> mixed_contact_orders(["skew", "generic"], [None, None], tokens=2, width=2)
    (1, None)
    """
    if len(even_degrees) != len(scores):
        raise InputError(f"{len(even_degrees)} even degrees for {len(scores)} layers; one per layer was expected", where="even_degrees")
    require_integer(tokens, least=2, where="tokens")
    require_integer(width, least=1, where="width")
    contact_orders([max((even or 1 for even in even_degrees), default=1)] * len(scores))  # refuses orders with too many digits
    contrast = _Contrast(0, 0 if tokens >= 3 and width >= 2 else None)
    orders: list[int | None] = []
    for number, (score, even) in enumerate(zip(scores, even_degrees, strict=True), start=1):
        if even is not None and (not isinstance(even, int) or even < 2 or even % 2):
            raise InputError(f"a positive even degree was expected, not {even!r}", where=f"even_degrees[{number}]")
        orders.append(None if contrast.first is None else 1 + 2 * contrast.first)
        contrast = _after(contrast, score, even, width, f"scores[{number}]")
    return tuple(orders)


def _after(contrast: _Contrast, score: str, even: int | None, width: int, where: str) -> _Contrast:
    if score not in ("zero", "rank one", "generic", "skew") or (width == 1 and score in ("generic", "skew")):
        allowed = "zero or rank one" if width == 1 else "zero, rank one, generic or skew"
        raise InputError(f"{allowed} was expected, not {score!r}", where=where)
    first, second = contrast.first, contrast.second
    if first is None or score == "zero":
        return _Contrast(None, None)
    if score == "rank one":
        return _Contrast(3 * first + 2, None if second is None else 4 * first + second + 4)
    if score == "generic":
        return _Contrast(3 * first + 2, None if second is None else 3 * second + 2)
    candidates = [] if second is None else [2 * first + second + 2]
    if even is not None:
        candidates.append((even + 1) * first + 2 * even)
    if not candidates:
        return _Contrast(None, None)
    outgoing = min(candidates)
    return _Contrast(outgoing, None if second is None else 3 * (first + second) + 4 - outgoing)
