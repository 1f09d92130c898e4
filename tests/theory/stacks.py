"""Networks from words of score types, and the degree in which two networks differ on rays through 0."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.arithmetic import RationalSeries
from symattn.network.attention import Layer, evaluate
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, identity
from symattn.normalizers import normalizer

__all__ = ["matrix", "network", "perturbations", "ray_difference", "with_scores"]


def matrix(rows: int, columns: int, source: random.Random) -> RationalMatrix:
    values = [x for x in range(-9, 10) if x]
    return tuple(tuple(Fraction(source.choice(values)) for _ in range(columns)) for _ in range(rows))


def score(letter: str, width: int, source: random.Random) -> RationalMatrix:
    """R: rank one, not skew; G: generic; S: skew, not zero (no such of width 1); Z: zero."""
    if letter == "Z":
        return tuple((Fraction(0),) * width for _ in range(width))
    square = matrix(width, width, source)
    if letter == "G":
        return square
    if letter == "S":
        assert width > 1
        upper = [[square[i][j] if i < j else -square[j][i] if j < i else Fraction(0) for j in range(width)] for i in range(width)]
        return tuple(map(tuple, upper))
    u, w = matrix(1, width, source)[0], matrix(1, width, source)[0]
    # u . w != 0 makes the symmetric part visible on the diagonal; rank one and skew is zero anyway.
    return tuple(tuple(a * b for b in w) for a in u)


def network(word: str, tokens: int, normalizers: str | Sequence[str], *, width: int = 2, outputs: int = 1, seed: int = 1) -> Network:
    source = random.Random(f"{word} {tokens} {normalizers} {width} {outputs} {seed}")
    texts = [normalizers] * len(word) if isinstance(normalizers, str) else normalizers
    scores = tuple(score(letter, width, source) for letter in word)
    return Network(tokens, tuple(normalizer(text) for text in texts), EffectiveParameters(matrix(outputs, width, source), scores))


def with_scores(network: Network, changes: dict[int, RationalMatrix]) -> Network:
    """Other scores in some layers (from 1)."""
    scores = tuple(changes.get(number, m) for number, m in enumerate(network.parameters.M, start=1))
    return replace(network, parameters=EffectiveParameters(network.parameters.L, scores), native=None)


def perturbations(network: Network, layer: int) -> list[Network]:
    """One entry of one score changed, the score negated, transposed, doubled, made zero, exchanged for a skew one."""
    m = network.parameters.M[layer - 1]
    d = len(m)
    changed = [
        tuple(tuple(x + (1 if (i, j) == (a, b) else 0) for j, x in enumerate(row)) for i, row in enumerate(m))
        for a in range(d)
        for b in range(d)
    ]
    changed += [tuple(tuple(c * x for x in row) for row in m) for c in (-1, 2, 0)]
    changed += [tuple(zip(*m, strict=True)), tuple(tuple(Fraction(j - i) for j in range(d)) for i in range(d))]
    return [with_scores(network, {layer: other}) for other in changed if other != m]


def ray_difference(first: Network, second: Network, degree: int, *, rays: int = 3) -> int | None:
    """The lowest degree in rho, at most ``degree``, in which the two differ on some of the rays ``rho X``; ``None`` if they agree so far.

    Exact on the rays: a difference there is one of the networks in the same or a lower degree.
    """
    source = random.Random(5)
    ring = RationalSeries((degree + 1) // 2)
    inputs = [ring.matrix(matrix(first.tokens, first.width, source)) for _ in range(rays)]
    outputs = []
    for net in (first, second):
        values = [identity(net.width)] * (net.depth - 1) + [net.parameters.L]
        layers = [
            Layer(phi, ring.shift(ring.matrix(m), 1), ring.matrix(value))
            for phi, m, value in zip(net.normalizers, net.parameters.M, values, strict=True)
        ]
        outputs.append(evaluate(ring, layers, inputs))
    orders = [(a - b).valuation() for a, b in zip(*outputs, strict=True)]
    return min((2 * order + 1 for order in orders if order is not None), default=None)
