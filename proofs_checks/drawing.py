"""Native weights and instances drawn from stated seeds: small integers, so that every instance of a check can be made again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from symattn.network.instance import Instance, PathLayer
from symattn.network.parameters import NativeParameters
from symattn.network.rational import RationalMatrix

__all__ = ["Architecture", "draw_matrix", "draw_native", "with_drawn_values", "with_scores"]

Architecture = tuple[int, tuple[int, ...]]
"""A width d and the factor widths of the layers."""


def draw_matrix(source: random.Random, rows: int, columns: int) -> RationalMatrix:
    """A rows x columns matrix of nonzero integers between -9 and 9."""
    return tuple(tuple(Fraction(source.choice((-1, 1)) * source.randint(1, 9)) for _ in range(columns)) for _ in range(rows))


def draw_native(widths: Sequence[int], ranks: Sequence[int], seed: int) -> NativeParameters:
    """Native weights of widths ``d_0 .. d_D`` and factor widths ``r_1 .. r_D``."""
    source = random.Random(f"native {widths} {ranks} {seed}")
    return NativeParameters(
        Q=tuple(draw_matrix(source, width, rank) for width, rank in zip(widths[:-1], ranks, strict=True)),
        K=tuple(draw_matrix(source, width, rank) for width, rank in zip(widths[:-1], ranks, strict=True)),
        V=tuple(draw_matrix(source, after, before) for before, after in pairwise(widths)),
    )


def with_drawn_values(instance: Instance, seed: int) -> Instance:
    """The instance with drawn value matrices in the place of its own."""
    source = random.Random(f"values {instance.width} {seed}")
    size = instance.width
    return replace(instance, layers=tuple(replace(layer, V=draw_matrix(source, size, size)) for layer in instance.layers))


def with_scores(instance: Instance, factors: Sequence[tuple[RationalMatrix, RationalMatrix]]) -> Instance:
    """The instance with the given factors ``(U, W)`` in its first layers."""
    changed = [PathLayer(u, w, layer.V) for (u, w), layer in zip(factors, instance.layers, strict=False)]
    return replace(instance, layers=(*changed, *instance.layers[len(changed) :]))
