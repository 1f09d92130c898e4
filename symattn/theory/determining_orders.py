"""Jet orders that determine more than Theorem 3 does: signs (Prop. C.4), every tuple at slope (Cor. C.2), two tokens (Prop. C.3).

With ``alpha_i`` the contrast orders of :mod:`symattn.theory.orders`:

* ``N_sign = max_i (2 alpha_{i-1} + 2 varsigma_i - 1)``: on the regular locus the least order that determines the complete fiber, signs
  of scores included. ``varsigma_i`` is the least odd degree ``o_i`` in ``log phi_i``; it is ``k_i`` if ``phi_i`` is even, for then the sign
  stays free.
* ``N_j^ad = 2 * 3^(j-1) + 2 v_{j-1} + 1`` with ``v_i = 3 v_{i-1} + 2 [M_i skew]``: where all ``h_i'(0), h_i''(0) != 0``, the order
  that shows layer j to a method that adapts to skew scores; at most ``4 * 3^(D-1) - 1``.
* two tokens, all ``h_i'(0)`` nonzero: ``alpha_i = 3 alpha_{i-1}``, or ``(l_i + 1) alpha_{i-1} + l_i`` after a nonzero skew score,
  ``l_i`` the least even degree in ``log phi_i``; the least order that determines the fiber is ``2 alpha_{s-1} + 1``, s the first layer that
  collapses all contrast.
"""

from __future__ import annotations

from collections.abc import Sequence

from symattn.errors import InputError
from symattn.theory.orders import common_jet_order, contrast_orders, require_integer

__all__ = [
    "adaptive_bound",
    "adaptive_orders",
    "deficits",
    "first_collapse",
    "sign_order",
    "sign_orders",
    "two_token_contrast_orders",
    "two_token_order",
]


def sign_orders(degrees: Sequence[int], odd_degrees: Sequence[int | None]) -> tuple[int, ...]:
    """``2 alpha_{i-1} + 2 varsigma_i - 1`` for every layer (C.4; Prop. C.4).

    ``degrees`` are ``k_1 .. k_D``; ``odd_degrees`` are the ``o_i``, ``None`` for an even normalizer. Where k is odd, ``o = k``.
    Raises :class:`InputError` for lists of unequal length, and for degrees that no normalizer has.

    >>> sign_orders([2, 2], [3, 5])
    (7, 19)
    """
    if len(odd_degrees) != len(degrees):
        raise InputError(f"{len(odd_degrees)} odd degrees for {len(degrees)} layers; one per layer was expected", where="odd_degrees")
    alphas = contrast_orders(degrees)
    orders = []
    for number, (k, odd, alpha) in enumerate(zip(degrees, odd_degrees, alphas[:-1], strict=True), start=1):
        where = f"odd_degrees[{number}]"
        if odd is None:
            if k % 2:
                raise InputError(f"an even normalizer has no odd first degree {k}", where=where)
        else:
            require_integer(odd, least=k, where=where)
            if odd % 2 == 0 or (k % 2 and odd != k):
                raise InputError(f"{'the odd first degree' if k % 2 else 'an odd degree above'} {k} was expected, not {odd}", where=where)
        orders.append(2 * alpha + 2 * (k if odd is None else odd) - 1)
    return tuple(orders)


def sign_order(degrees: Sequence[int], odd_degrees: Sequence[int | None]) -> int:
    """``N_sign``: on the regular locus the least jet order that determines the complete fiber (C.4; Prop. C.4).

    >>> sign_order([2], [3]), sign_order([2], [5]), sign_order([2], [None])
    (7, 11, 5)
    """
    return max(sign_orders(degrees, odd_degrees))


def deficits(skew: Sequence[bool]) -> tuple[int, ...]:
    """``v_0 .. v_D`` with ``v_0 = 0``, ``v_i = 3 v_{i-1} + 2 [M_i skew]`` (C.2; Cor. C.2): at most ``3^i - 1``.

    >>> deficits([True, False, True])
    (0, 2, 6, 20)
    """
    contrast_orders([1] * len(skew))  # refuses depths whose orders have too many digits, and no layer at all
    orders = [0]
    for is_skew in skew:
        orders.append(3 * orders[-1] + 2 * bool(is_skew))
    return tuple(orders)


def adaptive_orders(skew: Sequence[bool]) -> tuple[int, ...]:
    """``N_1^ad .. N_D^ad`` for scores that are skew, or not, where all ``h_i'(0), h_i''(0) != 0`` (C.2; Cor. C.2).

    >>> adaptive_orders([False, False]), adaptive_orders([True, False])
    ((3, 7), (3, 11))
    """
    return tuple(2 * 3**j + 2 * v + 1 for j, v in enumerate(deficits(skew)[:-1]))


def adaptive_bound(depth: int) -> int:
    """``4 * 3^(D-1) - 1``: where all ``h_i'(0), h_i''(0) != 0``, the jet order that determines every fiber completely (C.2; Cor. C.2).

    >>> [adaptive_bound(depth) for depth in (1, 2, 3)]
    [3, 11, 35]
    """
    # That is 2 N_D - 3 for k = 1; the common order also refuses depths whose orders have too many digits.
    return 2 * common_jet_order(1, depth) - 3


def two_token_contrast_orders(scores: Sequence[str], even_degrees: Sequence[int | None]) -> tuple[int | None, ...]:
    """``alpha_0 .. alpha_D`` for two tokens at nonzero slopes; ``None`` from the first collapse on (C.3; Prop. C.3).

    ``scores`` says what each score is: ``"general"`` (not skew), ``"skew"`` (and not zero) or ``"zero"``. ``even_degrees`` are the ``l_i``,
    ``None`` where ``log phi_i`` is odd. A zero score collapses all contrast, and so does a skew one where ``log phi`` is odd.
    Raises :class:`InputError` for other words, lists of unequal length, and degrees that are not even and positive.

    >>> two_token_contrast_orders(["general", "skew", "zero"], [2, 2, 2])
    (1, 3, 11, None)
    """
    if len(even_degrees) != len(scores):
        raise InputError(f"{len(even_degrees)} even degrees for {len(scores)} layers; one per layer was expected", where="even_degrees")
    contrast_orders([1] * len(scores))  # refuses depths whose orders have too many digits, and no layer at all
    orders: list[int | None] = [1]
    for number, (score, even) in enumerate(zip(scores, even_degrees, strict=True), start=1):
        if score not in ("general", "skew", "zero"):
            raise InputError(f"general, skew or zero was expected, not {score!r}", where=f"scores[{number}]")
        if even is not None and (not isinstance(even, int) or even < 2 or even % 2):
            raise InputError(f"a positive even degree was expected, not {even!r}", where=f"even_degrees[{number}]")
        before = orders[-1]
        if before is None or score == "zero" or (score == "skew" and even is None):
            orders.append(None)
        elif score == "general":
            orders.append(3 * before)
        else:
            orders.append((even + 1) * before + even if even is not None else None)
    return tuple(orders)


def first_collapse(scores: Sequence[str], even_degrees: Sequence[int | None]) -> int:
    """The first layer (from 1) after which two tokens have no contrast left, or ``D`` if there is none (C.3, T2; Prop. C.3).

    >>> first_collapse(["general", "skew", "general"], [None, None, None])
    2
    """
    orders = two_token_contrast_orders(scores, even_degrees)
    return next((number for number, order in enumerate(orders) if order is None), len(scores))


def two_token_order(scores: Sequence[str], even_degrees: Sequence[int | None]) -> int:
    """``2 alpha_{s-1} + 1``: the least jet order that determines the fiber for two tokens at nonzero slopes (C.3; Prop. C.3).

    >>> two_token_order(["skew", "general"], [2, 2])
    11
    """
    before = two_token_contrast_orders(scores, even_degrees)[first_collapse(scores, even_degrees) - 1]
    assert before is not None
    return 2 * before + 1
