"""Orders that determine fibers: closed forms, bounds, and refusals."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from symattn.errors import InputError
from symattn.theory.determining_orders import (
    adaptive_bound,
    adaptive_orders,
    deficits,
    first_collapse,
    sign_order,
    sign_orders,
    two_token_contrast_orders,
    two_token_order,
)
from symattn.theory.orders import jet_orders


@pytest.mark.parametrize("degrees", list(product((1, 2, 3), repeat=3)))
def test_sign_orders_begin_at_jet_orders(degrees: tuple[int, ...]) -> None:
    """Where no sign is to be decided they are ``N_i``; a later odd degree adds twice the distance."""
    plain = [k if k % 2 else None for k in degrees]
    assert sign_orders(degrees, plain) == jet_orders(degrees)
    later = [k if k % 2 else k + 3 for k in degrees]
    assert sign_orders(degrees, later) == tuple(n + (0 if k % 2 else 6) for n, k in zip(jet_orders(degrees), degrees, strict=True))


def test_a_sign_may_need_more_than_every_layer() -> None:
    assert sign_order([2, 1], [21, 1]) == 43 > jet_orders([2, 1])[-1] == 11


@pytest.mark.parametrize("depth", range(1, 7))
def test_adaptive_orders_are_bounded(depth: int) -> None:
    for skew in product((False, True), repeat=depth):
        assert all(v <= 3**i - 1 for i, v in enumerate(deficits(skew)))
        assert max(adaptive_orders(skew)) <= adaptive_bound(depth) == 4 * 3 ** (depth - 1) - 1
        # The last score does not delay its own layer.
        assert adaptive_orders(skew) == adaptive_orders((*skew[:-1], not skew[-1]))
    assert adaptive_orders([False] * depth) == jet_orders([1] * depth)


def test_two_tokens() -> None:
    assert two_token_contrast_orders(["skew"], [4]) == (1, 9)
    assert two_token_contrast_orders(["skew", "general"], [None, 2]) == (1, None, None)
    assert first_collapse(["general", "zero", "zero"], [2, 2, 2]) == 2
    assert two_token_order(["general"] * 3, [2] * 3) == jet_orders([1, 1, 1])[-1]
    # Nothing after the first collapse counts.
    assert two_token_order(["general", "zero", "general"], [2, 2, 2]) == two_token_order(["general", "zero"], [2, 2]) == 7


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sign_order([], []), "at least one layer"),
        (lambda: sign_order([2], []), "odd_degrees: 0 odd degrees for 1 layers"),
        (lambda: sign_order([1], [None]), r"odd_degrees\[1\]: an even normalizer has no odd first degree 1"),
        (lambda: sign_order([2], [4]), r"odd_degrees\[1\]: an odd degree above 2"),
        (lambda: sign_order([3], [5]), r"odd_degrees\[1\]: the odd first degree 3"),
        (lambda: sign_order([2], [1]), r"odd_degrees\[1\]: an integer of at least 2"),
        (lambda: adaptive_orders([]), "at least one layer"),
        (lambda: adaptive_bound(0), "depth: an integer of at least 1"),
        (lambda: adaptive_bound(10**9), "depth"),
        (lambda: two_token_order(["general"], []), "even_degrees: 0 even degrees"),
        (lambda: two_token_order(["odd"], [2]), r"scores\[1\]: general, skew or zero"),
        (lambda: two_token_order(["skew"], [3]), r"even_degrees\[1\]: a positive even degree"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
