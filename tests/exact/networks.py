"""Random networks with rational effective tuples, and what their normalizers are, for tests of jets and recovery."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from symattn.exact.recovery import Recovery
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, rational_matrix
from symattn.normalizers import normalizer
from symattn.theory.determining_orders import sign_order

BY_DEGREE = {
    1: ("exp(s)", "1+s", "1/(1+exp(-s))", "exp(s+s**2)", "2+sin(s)", "1/(1-s)"),
    2: ("exp(s**2)", "cosh(s)", "exp(s**2+s**3)", "exp(s**2+s**5)", "1+s**2", "exp(-2*s**2+s**3/3)", "cos(s)"),
    3: ("exp(s**3)", "1+s**3", "exp(s**3+s**4)", "exp(-s**3/2)"),
}
"""Normalizers by first nonconstant degree k, even ones, odd logarithms and neither."""


def random_matrix(source: random.Random, rows: int, columns: int) -> RationalMatrix:
    return rational_matrix(
        [[Fraction(source.choice([-3, -2, -1, 0, 1, 2, 3]), source.choice([1, 1, 2, 3])) for _ in range(columns)] for _ in range(rows)]
    )


def is_skew(score: RationalMatrix) -> bool:
    return all(score[i][j] == -score[j][i] for i in range(len(score)) for j in range(len(score)))


def regular_network(source: random.Random, tokens: int, width: int, texts: Sequence[str], outputs: int | None = None) -> Network:
    """A random tuple with ``L != 0`` and ``sym M_i != 0``."""
    readout = random_matrix(source, outputs or width, width)
    while not any(any(row) for row in readout):
        readout = random_matrix(source, outputs or width, width)
    scores = []
    for _ in texts:
        score = random_matrix(source, width, width)
        while is_skew(score):
            score = random_matrix(source, width, width)
        scores.append(score)
    return Network(tokens, tuple(normalizer(text) for text in texts), EffectiveParameters(readout, tuple(scores)))


def scalar_network(texts: Sequence[str], scores: Sequence[int], tokens: int = 2) -> Network:
    return Network(
        tokens,
        tuple(normalizer(text) for text in texts),
        EffectiveParameters(rational_matrix([[1]]), tuple(rational_matrix([[score]]) for score in scores)),
    )


def order_for_signs(network: Network) -> int:
    """The jet order that determines the complete fiber, by the theory (C.4)."""
    return sign_order(
        [phi.k for phi in network.normalizers], [None if phi.is_even else phi.first_odd_degree for phi in network.normalizers]
    )


def assert_recovered(found: Recovery, network: Network) -> None:
    """The tuple itself, up to the signs that are free, and exactly these are called free."""
    assert found.parameters.L == network.parameters.L
    assert not found.unresolved
    assert found.signs == tuple(i for i, phi in enumerate(network.normalizers, start=1) if phi.is_even)
    for number, (mine, true) in enumerate(zip(found.parameters.M, network.parameters.M, strict=True), start=1):
        opposite = tuple(tuple(-entry for entry in row) for row in true)
        assert mine == true or (number in found.signs and mine == opposite)
