"""Two routes that share nothing but the instance: leading forms with the order lemma, and the p-adic point without it."""

from __future__ import annotations

import random
import time
from itertools import product

import pytest

from symattn.arithmetic import ModularSeries
from symattn.errors import UndecidedError
from symattn.exact.leading import _input_forms, divided_frame
from symattn.network.attention import pull_back_stack, trace_stack
from symattn.network.banks import draw_bank, draw_instance
from symattn.network.instance import Instance
from symattn.network.path import path_layers
from symattn.normalizers import normalizer
from symattn.theory.banks import least_bank_size
from symattn.verification import BANK_SEED, verify_spectrum, with_generic_bank
from symattn.verification.order_lemma import divisibility_by_order_lemma

NORMALIZERS = {1: "exp(s)", 2: "cosh(s)", 3: "exp(s**3)"}


def path(tokens: int, width: int, ranks: tuple[int, ...], degrees: tuple[int, ...], seed: int = 5) -> Instance:
    return draw_instance(tokens, width, ranks, tuple(normalizer(NORMALIZERS[k]) for k in degrees), 0, seed)


GRID = [
    (tokens, width, (rank,) * depth, (k,) * depth)
    for tokens, width, depth, k in product((2, 3, 4), (1, 2), (1, 2, 3), (1, 2, 3))
    for rank in range(1, width + 1)
    if width * depth * k <= 9
]
MIXED = [
    (2, 2, (1, 2), (2, 1)),
    (3, 2, (2, 1), (1, 3)),
    (2, 1, (1, 1, 1), (3, 1, 2)),
    (4, 3, (1, 3), (1, 2)),
    (3, 2, (2, 1, 1), (1, 2, 1)),
    (2, 1, (1, 1, 1, 1), (1, 1, 1, 1)),
]


@pytest.mark.parametrize(("tokens", "width", "ranks", "degrees"), GRID + MIXED)
def test_leading_and_padic_agree(tokens: int, width: int, ranks: tuple[int, ...], degrees: tuple[int, ...]) -> None:
    instance = with_generic_bank(path(tokens, width, ranks, degrees))
    leading, padic = verify_spectrum(instance, "leading"), verify_spectrum(instance)
    assert leading.verdict == padic.verdict == "confirmed"
    for name in ("orders", "rank", "kernel", "shape"):
        assert getattr(leading.finding, name) == getattr(padic.finding, name)


@pytest.mark.parametrize(("tokens", "width", "ranks", "degrees"), MIXED)
def test_on_a_bank_that_is_too_small_neither_route_confirms(
    tokens: int, width: int, ranks: tuple[int, ...], degrees: tuple[int, ...]
) -> None:
    instance = path(tokens, width, ranks, degrees)
    small = instance.with_bank(draw_bank(tokens, width, least_bank_size(tokens, width, ranks, degrees) - 1, 3))
    frame = divided_frame(small, 2147483647)
    assert frame.is_independent is None
    leading, padic = verify_spectrum(small, "leading"), verify_spectrum(small)
    assert leading.verdict == padic.verdict == "undecided"
    assert leading.finding.orders == ()
    # What is independent at the collapse stays so nearby.
    assert padic.finding.rank >= leading.finding.rank


def test_repeated_inputs_do_not_help() -> None:
    instance = with_generic_bank(path(3, 2, (1, 2), (1, 1)))
    repeated = instance.with_bank(instance.bank[:-1] + instance.bank[:1])
    assert verify_spectrum(repeated, "leading").verdict == verify_spectrum(repeated).verdict == "undecided"


@pytest.mark.parametrize("tokens", [2, 3])
@pytest.mark.parametrize("degrees", [(1,), (3,), (1, 1), (2, 2), (1, 3), (3, 1), (1, 2, 1), (2, 1, 2), (1, 1, 3)])
def test_leading_forms_are_the_leading_coefficients_of_the_power_series(tokens: int, degrees: tuple[int, ...]) -> None:
    # phi = exp(s^k), so that all b are 1. Every entry of every form, not only the rank, which wrong forms may share.
    prime, width, depth = 1000003, 2, len(degrees)
    orders = divisibility_by_order_lemma(degrees)
    series = ModularSeries(prime, orders[-1] // 2 + 1)
    instance = draw_instance(tokens, width, (2,) * depth, tuple(normalizer(f"exp(s**{k})") for k in degrees), 1, 8)
    (x,) = instance.bank
    traces = [layer[0] for layer in trace_stack(series, path_layers(series, instance), [series.matrix(x)])]
    scores = [[[int(entry) % prime for entry in row] for row in layer.score] for layer in instance.layers]
    forms = _input_forms([[int(entry) % prime for entry in row] for row in x], scores, degrees, prime).layers
    for token, coordinate in product(range(tokens), range(width)):
        cotangent = series.matrix([[int((a, c) == (token, coordinate)) for c in range(width)] for a in range(tokens)])
        for (score, _), order, form in zip(pull_back_stack(series, traces, cotangent), orders, forms, strict=True):
            row = form[token * width + coordinate if depth == 1 else coordinate]
            assert [int(entry) for entry in score.coefficient(order // 2).entries()] == row
            assert any(row)


@pytest.mark.parametrize("degrees", [(1,) * 50, (2,) * 50, (1, 3) * 25])
def test_depth_fifty(degrees: tuple[int, ...]) -> None:
    instance = path(3, 2, (1,) * 50, degrees)
    source = random.Random(1)  # entries of two digits would repeat themselves in so many inputs
    bank = tuple(
        tuple(tuple(type(x)(source.randrange(-(10**6), 10**6)) for x in token) for token in item)
        for item in draw_bank(3, 2, 160, BANK_SEED)
    )
    start = time.process_time()
    report = verify_spectrum(instance.with_bank(bank), "leading")
    assert time.process_time() - start < 10  # about one second on an idle core
    assert report.verdict == "confirmed"
    assert report.finding.orders[-1] == (divisibility_by_order_lemma(degrees)[-1], 3)


def test_the_slopes_do_not_matter_for_independence() -> None:
    instance = path(3, 2, (1, 2), (1, 1))
    for phi in ("exp(7*s)", "1/(1-s/3)", "2**s"):
        other = with_generic_bank(draw_instance(3, 2, (1, 2), (normalizer(phi),) * 2, 0, 5))
        assert divided_frame(other, 101) == divided_frame(with_generic_bank(instance), 101)


def test_a_prime_that_does_not_serve_is_refused() -> None:
    with pytest.raises(UndecidedError, match="the prime 3 divides the number of tokens"):
        divided_frame(with_generic_bank(path(3, 2, (1, 2), (1, 1))), 3)


def test_the_order_lemma_is_the_recurrence_of_the_paper() -> None:
    # beta = 2k - 1 + 2e with e <- 3e + 2k (Prop. D.1), for all degree sequences of a box.
    for degrees in product((1, 2, 3, 4), repeat=4):
        e, expected = 0, []
        for k in degrees:
            expected.append(2 * k - 1 + 2 * e)
            e = 3 * e + 2 * k
        assert divisibility_by_order_lemma(degrees) == tuple(expected)
