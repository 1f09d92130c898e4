"""The bank law: known values, its bounds, and sharpness against the naive p-adic spectrum."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from symattn.errors import InputError
from symattn.theory import bank_law, least_bank_size, predict_spectrum

from .oracle import contact_spectrum, path, random_bank, random_layer


def test_known_sizes() -> None:
    assert least_bank_size(4, 4, [2] * 3, [1] * 3) == 16
    assert least_bank_size(4, 4, [2] * 4, [1] * 4) == 22
    assert least_bank_size(4, 4, [2] * 5, [1] * 5) == 28
    assert least_bank_size(2, 1, [1] * 4, [1] * 4) == 5


def test_profile_and_status() -> None:
    law = bank_law(5, 4, [4, 4], [1, 1])
    assert law.flag_ranks == (4, 4, 4)
    assert law.status == "necessity proved; sufficiency proved for r = d, n >= d + 1, k = 1"
    assert law.least == 12
    for changed in (
        bank_law(4, 4, [4, 4], [1, 1]),
        bank_law(5, 4, [4, 3], [1, 1]),
        bank_law(5, 4, [4, 4], [1, 2]),
        bank_law(5, 4, [4], [1]),
    ):
        assert changed.status == "necessity proved; sufficiency conjectured for generic banks"
    assert bank_law(4, 4, [2, 2], [2, 1]).flag_ranks == (3, 3, 2)
    bounds = law.to_json()["profile"]
    assert isinstance(bounds, dict)
    assert bounds["bounds"][0] == {"seen": "values", "directions": 16, "per_input": 4, "size": 4}


SIGNATURES: list[tuple[int, int, Sequence[int], Sequence[int]]] = [
    (2, 1, [1], [1]),
    (3, 3, [1], [2]),
    (2, 3, [2], [1]),
    (3, 4, [3], [1]),  # the skew part decides
    (3, 4, [4], [1]),  # here too
    (2, 4, [4], [1]),
    (3, 4, [2], [1]),
    (2, 4, [1], [1]),
    (4, 3, [2], [3]),
    (2, 2, [1, 2], [1, 1]),
    (3, 2, [2, 1], [2, 1]),
    (3, 2, [1, 1], [1, 2]),
    (3, 3, [1, 2], [1, 1]),
]


@pytest.mark.parametrize(("n", "d", "ranks", "degrees"), SIGNATURES)
def test_the_law_is_sharp_on_random_banks(n: int, d: int, ranks: Sequence[int], degrees: Sequence[int]) -> None:
    rng = random.Random(5)
    least = least_bank_size(n, d, ranks, degrees)
    instance = path(n, degrees, [random_layer(rng, d, r) for r in ranks])
    attained = {}
    for size in (least - 1, least):
        observed = random_bank(rng, instance, size)
        prediction = predict_spectrum(observed)
        precision = prediction.orders[-1][0] + 1
        attained[size] = size > 0 and contact_spectrum(observed, precision) == (prediction.orders, prediction.kernel)
    assert attained == {least - 1: False, least: True}


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(InputError, match=r"^tokens: an integer of at least 2"):
        bank_law(1, 2, [1], [1])
    with pytest.raises(InputError, match=r"^ranks\[1\]"):
        bank_law(2, 2, [3], [1])
