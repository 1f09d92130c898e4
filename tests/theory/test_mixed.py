"""The conjectured law for mixed and skew stacks: its words, its agreement with the theorems, and exact spectra on a grid of words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from symattn.errors import InputError
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.banks import draw_bank
from symattn.network.instance import Instance, PathLayer
from symattn.network.rational import identity, rational_matrix
from symattn.normalizers import normalizer
from symattn.theory import contact_orders, predict_spectrum
from symattn.theory.determining_orders import two_token_contrast_orders
from symattn.theory.hypotheses import _mixed_stack
from symattn.theory.mixed import mixed_contact_orders
from symattn.theory.orders import layer_multiplicity, merged_orders

NAMES = {"R": "rank one", "G": "generic", "S": "skew", "Z": "zero"}
NORMALIZERS = ("exp(s)", "exp(s+s**2)", "exp(s+s**3)", "exp(s+s**4)", "1+s")


def path_layer(letter: str, width: int, source: random.Random) -> PathLayer:
    """A layer whose score is of this type: rank one, rank two and not skew, nonzero skew, or zero with nonzero factors."""

    def column() -> list[int]:
        return [source.choice([x for x in range(-9, 10) if x]) for _ in range(width)]

    a, b = column(), column()
    while a[0] * b[1] == a[1] * b[0]:
        b = column()
    queries, keys = {
        "R": ([[x] for x in a], [[x] for x in column()]),
        "G": ([[x, y] for x, y in zip(a, b, strict=True)], [[x, y] for x, y in zip(column(), column(), strict=True)]),
        "S": ([[x, y] for x, y in zip(a, b, strict=True)], [[y, -x] for x, y in zip(a, b, strict=True)]),
        "Z": ([[x, x] for x in a], [[y, -y] for y in b]),
    }[letter]
    return PathLayer(rational_matrix(queries), rational_matrix(keys), identity(width))


def stack(word: str, tokens: int, phi: str, width: int = 2) -> Instance:
    source = random.Random(f"{word} {tokens} {phi} {width}")
    layers = tuple(path_layer(letter, width, source) for letter in word)
    directions = sum(layer_multiplicity(width, layer.rank) for layer in layers)
    # Two tokens have a contrast in one direction, so an input says one thing about the scores.
    inputs = directions + 2 if tokens == 2 else (width**2 + directions) // width + 6
    return Instance(tokens, width, (normalizer(phi),) * len(word), layers, draw_bank(tokens, width, inputs, 7))


def assert_the_law_is_found(instance: Instance) -> None:
    """The law, also where a theorem applies, against the p-adic spectrum; layers that the law calls invisible show no order at all."""
    orders = _mixed_stack(instance).orders
    assert orders is not None
    sizes = [layer_multiplicity(instance.width, *map(column_rank, (layer.U, layer.W))) for layer in instance.layers]
    visible = [(order, size) for order, size in zip(orders, sizes, strict=True) if order is not None]
    expected = merged_orders([(0, instance.width**2), *visible])
    precision = expected[-1][0] // 2 + 4
    options = SpectrumOptions(precision=precision, max_precision=precision + 4, primes=(2147483647,))
    assert find_spectrum(instance, "padic", options).orders == expected


def column_rank(matrix: Sequence[Sequence[object]]) -> int:
    return 1 if len(matrix[0]) == 1 or all(row[0] * matrix[0][1] == row[1] * matrix[0][0] for row in matrix) else 2


QUICK = [
    *[(word, tokens, "exp(s)") for word in ("SR", "SG", "RS", "ZG", "SS") for tokens in (2, 3)],
    *[("SG", tokens, phi) for phi in NORMALIZERS[1:] for tokens in (2, 4)],
    *[("RSG", 3, phi) for phi in ("exp(s)", "exp(s+s**2)", "exp(s+s**4)")],
    ("SRS", 3, "exp(s)"),
    ("GSG", 3, "exp(s)"),
    ("RZG", 3, "exp(s)"),
    ("GSR", 2, "1+s"),
    ("SSR", 4, "exp(s+s**3)"),
]


@pytest.mark.parametrize(("word", "tokens", "phi"), QUICK)
def test_words(word: str, tokens: int, phi: str) -> None:
    assert_the_law_is_found(stack(word, tokens, phi))


@pytest.mark.slow
@pytest.mark.parametrize("phi", NORMALIZERS)
@pytest.mark.parametrize("tokens", [2, 3, 4])
def test_all_words_of_two_and_three_layers(tokens: int, phi: str) -> None:
    for depth in (2, 3):
        for letters in product("RGS", repeat=depth):
            assert_the_law_is_found(stack("".join(letters), tokens, phi))


@pytest.mark.slow
@pytest.mark.parametrize("word", ["RSRG", "SRSG", "RSSR", "RRSG"])
def test_words_of_four_layers(word: str) -> None:
    assert_the_law_is_found(stack(word, 3, "exp(s)"))


@pytest.mark.slow
@pytest.mark.parametrize("tokens", [2, 3, 4])
def test_words_at_width_three(tokens: int) -> None:
    for letters in product("RGS", repeat=2):
        assert_the_law_is_found(stack("".join(letters), tokens, "exp(s)", 3))


def test_a_wrong_law_is_not_found() -> None:
    """The comparison can fail: one layer further on, nothing agrees."""
    right, wrong = stack("RSG", 3, "exp(s)"), stack("RGG", 3, "exp(s)")
    found = find_spectrum(right, "padic", SpectrumOptions(precision=16, primes=(2147483647,))).orders
    assert found == predict_spectrum(right).orders
    assert found != predict_spectrum(wrong).orders


def test_the_law_is_that_of_the_theorems_where_they_apply() -> None:
    for word in ("RRR", "GGG", "RGRG"):
        law = mixed_contact_orders([NAMES[x] for x in word], [None] * len(word), tokens=2, width=2)
        assert law == contact_orders([1] * len(word))
    assert mixed_contact_orders(["skew", "skew", "generic"], [None] * 3, tokens=3, width=2) == contact_orders([1, 1, 1])


@pytest.mark.parametrize("even", [None, 2, 4, 6])
def test_two_tokens_are_those_of_proposition_c3(even: int | None) -> None:
    for word in product("RSZ", repeat=4):
        alphas = two_token_contrast_orders([{"R": "general", "S": "skew", "Z": "zero"}[x] for x in word], [even] * 4)
        law = mixed_contact_orders([NAMES[x] for x in word], [even] * 4, tokens=2, width=3)
        assert law == tuple(None if alpha is None else 1 + 2 * (alpha - 1) for alpha in alphas[:-1])


def test_only_zero_and_rank_one_at_width_one() -> None:
    assert mixed_contact_orders(["rank one", "zero", "rank one"], [None] * 3, tokens=3, width=1) == (1, 5, None)
    with pytest.raises(InputError, match=r"scores\[1\]: zero or rank one was expected, not 'skew'"):
        mixed_contact_orders(["skew"], [None], tokens=3, width=1)


@pytest.mark.parametrize(
    ("scores", "even", "message"),
    [
        (["generic"], [], "even_degrees: 0 even degrees for 1 layers"),
        (["genuine"], [None], "zero, rank one, generic or skew was expected, not 'genuine'"),
        (["skew"], [3], r"even_degrees\[1\]: a positive even degree was expected, not 3"),
        ([], [], "at least one layer"),
        (["skew"] * 10**5, [None] * 10**5, "more than 4000 digits"),
    ],
)
def test_bad_input(scores: list[str], even: list[int | None], message: str) -> None:
    with pytest.raises(InputError, match=message):
        mixed_contact_orders(scores, even, tokens=3, width=2)  # type: ignore[arg-type]


def test_an_undecided_parity_behind_a_skew_score_leaves_no_prediction() -> None:
    """No normalizer is known whose parity stays undecided here, so one is made to."""
    from dataclasses import replace

    instance = stack("SG", 2, "exp(s)")
    phi = normalizer("1+s+s**3")
    phi.__dict__["_even"] = (None, None, "undecided")
    undecided = replace(instance, normalizers=(phi, phi))
    prediction = predict_spectrum(undecided)
    assert prediction.status == "none"
    assert any("first even degree" in h.name and h.holds is None for h in prediction.hypotheses)
