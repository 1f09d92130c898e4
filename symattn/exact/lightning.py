"""The unnormalized (lightning) layer ``Y = X M X^T X V^T``: the dimension of its function space, exactly (spec 04, N4).

Over a prime field: a minor of the Jacobian that is nonzero there is a nonzero integer polynomial in the weights, so the rank found is
a lower bound of the generic rank. The other bound is a count of directions in which the function does not change at any weights:
gauges of the factors (``a^2`` per layer), changes of basis between layers (``d^2`` per interface), and one scaling per layer
(``Q -> c Q, V -> V / c``). Directions that are independent at one point are so generically.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise

from flint import nmod_mat

from symattn.errors import InputError

__all__ = ["LightningRank", "lightning_rank"]

_PRIME = 2147483629
_SEED = 20261201


@dataclass(frozen=True)
class LightningRank:
    """Rank of the native Jacobian at one point modulo a prime, and the number of independent directions without effect there.

    ``rank`` bounds the generic rank from below, ``columns - directions`` from above; where they meet it is exact.
    """

    rank: int
    directions: int
    columns: int
    prime: int

    @property
    def is_exact(self) -> bool:
        """Whether the two bounds meet."""
        return self.rank == self.columns - self.directions


@dataclass(frozen=True)
class _Layer:
    q: nmod_mat
    k: nmod_mat
    v: nmod_mat

    def moved(self, x: nmod_mat, dx: nmod_mat, change: _Layer) -> tuple[nmod_mat, nmod_mat]:
        """The output ``X Q K^T X^T X V^T`` and its derivative in the directions dx of the tokens and ``change`` of the weights."""
        gram, dgram = x.transpose() * x, dx.transpose() * x + x.transpose() * dx
        score, dscore = self.q * self.k.transpose(), change.q * self.k.transpose() + self.q * change.k.transpose()
        right, dright = gram * self.v.transpose(), dgram * self.v.transpose() + gram * change.v.transpose()
        return x * score * right, dx * score * right + x * dscore * right + x * score * dright


def lightning_rank(tokens: int, width: int, ranks: tuple[int, ...], inputs: int, prime: int = _PRIME, seed: int = _SEED) -> LightningRank:
    """The rank of the native Jacobian of a stack of unnormalized layers on drawn inputs, at drawn weights modulo a prime.

    ``inputs`` inputs of ``tokens`` x ``width``; factors are width x r, values width x width. Raises :class:`InputError` for sizes below 1.

    >>> lightning_rank(3, 3, (2, 2), 4)
    LightningRank(rank=23, directions=19, columns=42, prime=2147483629)
    """
    if min(tokens, width, inputs, *ranks) < 1 or max(ranks) > width:
        raise InputError(f"sizes of at least 1 and ranks of at most {width} were expected", where="lightning_rank")
    source = random.Random(seed)

    def drawn(rows: int, columns: int) -> nmod_mat:
        return nmod_mat(rows, columns, [source.randrange(1, prime) for _ in range(rows * columns)], prime)

    layers = [_Layer(drawn(width, r), drawn(width, r), drawn(width, width)) for r in ranks]
    bank = [drawn(tokens, width) for _ in range(inputs)]
    nothing = [_Layer(*(nmod_mat(m.nrows(), m.ncols(), prime) for m in (layer.q, layer.k, layer.v))) for layer in layers]
    directions = _directions(layers, nothing, prime)
    effects = [_effect(layers, bank, direction) for direction in directions]
    if any(any(effect) for effect in effects):
        raise AssertionError("a direction that should have no effect has one: the evaluation is wrong")
    units = _units(nothing, prime)
    jacobian = nmod_mat(len(units), inputs * tokens * width, [e for unit in units for e in _effect(layers, bank, unit)], prime)
    flat = [_flat(direction) for direction in directions]
    return LightningRank(
        jacobian.rank(), nmod_mat(len(flat), len(flat[0]), [e for row in flat for e in row], prime).rank(), len(units), prime
    )


def _effect(layers: list[_Layer], bank: list[nmod_mat], change: list[_Layer]) -> list[int]:
    """The derivative of all outputs on the bank in one direction of the weights."""
    effect: list[int] = []
    for x in bank:
        dx = x - x
        for layer, moved in zip(layers, change, strict=True):
            x, dx = layer.moved(x, dx, moved)
        effect += [int(entry) for entry in dx.entries()]
    return effect


def _units(nothing: list[_Layer], prime: int) -> list[list[_Layer]]:
    """One direction per native entry: layer by layer Q, K, V, each row by row."""
    units = []
    for i, layer in enumerate(nothing):
        for name in ("q", "k", "v"):
            zero = getattr(layer, name)
            for place in range(zero.nrows() * zero.ncols()):
                unit = nmod_mat(zero.nrows(), zero.ncols(), [int(place == j) for j in range(zero.nrows() * zero.ncols())], prime)
                units.append(_with(nothing, i, **{name: unit}))
    return units


def _directions(layers: list[_Layer], nothing: list[_Layer], prime: int) -> list[list[_Layer]]:
    """Factor gauges ``(Q B, -K B^T)``, interface changes by H, and scalings ``(Q, -V)``."""
    directions = []
    for i, layer in enumerate(layers):
        for unit in _square_units(layer.q.ncols(), prime):
            directions.append(_with(nothing, i, q=layer.q * unit, k=-(layer.k * unit.transpose())))
        directions.append(_with(nothing, i, q=layer.q, v=-layer.v))
    for i, (layer, after) in enumerate(pairwise(layers)):
        for unit in _square_units(layer.v.nrows(), prime):
            # Tokens x become (1 + H) x between the layers; the layer after it undoes that in Q, K and V.
            changed = _with(nothing, i, v=unit * layer.v)
            back = unit.transpose()
            directions.append(_with(changed, i + 1, q=-(back * after.q), k=-(back * after.k), v=-(after.v * unit)))
    return directions


def _square_units(size: int, prime: int) -> list[nmod_mat]:
    return [nmod_mat(size, size, [int(place == j) for j in range(size * size)], prime) for place in range(size * size)]


def _with(layers: list[_Layer], i: int, **changes: nmod_mat) -> list[_Layer]:
    parts = {name: changes.get(name, getattr(layers[i], name)) for name in ("q", "k", "v")}
    return [*layers[:i], _Layer(**parts), *layers[i + 1 :]]


def _flat(direction: list[_Layer]) -> list[int]:
    return [int(entry) for layer in direction for matrix in (layer.q, layer.k, layer.v) for entry in matrix.entries()]
