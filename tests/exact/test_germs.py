"""Germs: a stored jet and the network behind it answer alike."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from symattn.exact.germs import Curve, JetGerm, NetworkGerm, RememberedGerm
from symattn.exact.jets import jet_of

from .networks import regular_network


def random_curve(source: random.Random, tokens: int, width: int) -> Curve:
    return [[[Fraction(source.randint(-3, 3), source.choice([1, 2])) for _ in range(3)] for _ in range(width)] for _ in range(tokens)]


@pytest.mark.parametrize("seed", range(8))
def test_a_jet_answers_as_its_network(seed: int) -> None:
    source = random.Random(seed)
    tokens, width = source.choice([(2, 1), (2, 2), (3, 1), (3, 2)])
    texts = [source.choice(["exp(s)", "1+s", "exp(s**2)", "2+sin(s)"]) for _ in range(source.choice([1, 2]))]
    network, order = regular_network(source, tokens, width, texts), source.choice([3, 5, 6, 7])
    jet = JetGerm(jet_of(network, order))
    assert jet.order == order
    for _ in range(2):
        curve = random_curve(source, tokens, width)
        assert jet.mean_output(curve) == NetworkGerm(network, order).mean_output(curve)


def test_a_changed_jet_answers_otherwise() -> None:
    source = random.Random(0)
    network = regular_network(source, 3, 1, ("exp(s)",))
    jet = jet_of(network, 5)
    jet.coefficients[(2, 2, 1)] = (jet.coefficients.get((2, 2, 1), (Fraction(0),))[0] + 1,)
    curve = random_curve(source, 3, 1)
    assert JetGerm(jet).mean_output(curve) != NetworkGerm(network, 5).mean_output(curve)


def test_a_remembered_germ_is_asked_once() -> None:
    network = regular_network(random.Random(0), 2, 1, ("exp(s)",))
    asked: list[Curve] = []

    class Source:
        order = 3

        def mean_output(self, curve: Curve) -> list[object]:
            asked.append(curve)
            return list(NetworkGerm(network, 3).mean_output(curve))

    germ = RememberedGerm(Source())  # type: ignore[arg-type]
    curves = [random_curve(random.Random(seed), 2, 1) for seed in (1, 2)]
    answers = [germ.mean_output(curve) for curve in (*curves, *curves)]
    assert answers[:2] == answers[2:]
    assert answers[0] != answers[1]
    assert asked == curves
    assert germ.order == 3
