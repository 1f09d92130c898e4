"""Small random instances: generic ones, and ones on which theorems say nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from symattn.network.instance import Instance, PathLayer
from symattn.network.parameters import NativeParameters
from symattn.network.rational import RationalMatrix, identity, multiply, rational_matrix
from symattn.normalizers import normalizer

__all__ = ["native_point", "random_instance", "random_table"]


def random_table(source: random.Random, rows: int, columns: int) -> RationalMatrix:
    return rational_matrix([[Fraction(source.randint(-9, 9), source.choice([1, 1, 2, 3])) for _ in range(columns)] for _ in range(rows)])


def _thin(source: random.Random, d: int, r: int, rank: int) -> RationalMatrix:
    """A d x r matrix of at most this rank."""
    if rank == 0:
        return rational_matrix([[0] * r] * d)
    return multiply(random_table(source, d, rank), random_table(source, rank, r))


def _skew_factors(source: random.Random, d: int) -> tuple[RationalMatrix, RationalMatrix]:
    """Square factors U and W with ``U W^T`` skew."""
    square = random_table(source, d, d)
    return identity(d), rational_matrix([[square[i][j] - square[j][i] for j in range(d)] for i in range(d)])


def random_instance(
    seed: int,
    n: int,
    d: int,
    ranks: Sequence[int],
    normalizers: Sequence[str],
    inputs: int,
    kinds: Sequence[str] = (),
    values: Sequence[str] = (),
) -> Instance:
    """An instance from a seed.

    ``kinds[i]`` is "generic" (the default), "deficient" (U of rank ``r - 1``), "zero" (U = 0) or "skew" (r = d) for the factors
    of a layer; ``values[i]`` is "identity" (the default), "random" or "singular" (of rank ``d - 1``).
    """
    source = random.Random(seed)
    layers = []
    for i, r in enumerate(ranks):
        kind = kinds[i] if kinds else "generic"
        if kind == "skew":
            u, w = _skew_factors(source, d)
        else:
            u = random_table(source, d, r) if kind == "generic" else _thin(source, d, r, 0 if kind == "zero" else r - 1)
            w = random_table(source, d, r)
        value = values[i] if values else "identity"
        v = {"identity": identity(d), "random": random_table(source, d, d), "singular": _thin(source, d, d, d - 1)}[value]
        layers.append(PathLayer(u, w, v))
    bank = tuple(random_table(source, n, d) for _ in range(inputs))
    return Instance(n, d, tuple(normalizer(text) for text in normalizers), tuple(layers), bank)


def native_point(instance: Instance) -> NativeParameters:
    """The native weights of the path at ``t = 1``."""
    return NativeParameters(
        Q=tuple(layer.U for layer in instance.layers),
        K=tuple(layer.W for layer in instance.layers),
        V=tuple(layer.V for layer in instance.layers),
    )
