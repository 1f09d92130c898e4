"""Instances and native weights drawn from stated seeds: small integers, so that every instance of a check can be made again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from symattn.arithmetic import DEFAULT_PRIMES
from symattn.exact.spectrum import SpectrumOptions
from symattn.network.banks import draw_instance
from symattn.network.instance import Instance, PathLayer
from symattn.network.parameters import NativeParameters
from symattn.network.rational import RationalMatrix
from symattn.normalizers import normalizer
from symattn.theory import contact_orders, least_bank_size

__all__ = ["Architecture", "Case", "case", "describe", "draw_matrix", "draw_native", "search_options", "with_drawn_values", "with_scores"]

Architecture = tuple[int, tuple[int, ...]]
"""A width d and the factor widths of the layers."""


@dataclass(frozen=True)
class Case:
    """An instance that can be drawn: tokens n, width d, factor widths r_1 .. r_D and a normalizer for each layer."""

    tokens: int
    width: int
    ranks: tuple[int, ...]
    normalizers: tuple[str, ...]

    def __str__(self) -> str:
        normalizers = ", ".join(self.normalizers if len(set(self.normalizers)) > 1 else self.normalizers[:1])
        return f"n = {self.tokens}, d = {self.width}, r = {self.ranks}, phi = {normalizers}"

    @property
    def degrees(self) -> tuple[int, ...]:
        """The first nonconstant degrees of the normalizers."""
        return tuple(normalizer(text).k for text in self.normalizers)

    def instance(self, seed: int = 1, spare_inputs: int = 0) -> Instance:
        """Drawn factors and values at the identity, on a drawn bank of the least size that can separate, and some inputs more."""
        size = least_bank_size(self.tokens, self.width, self.ranks, self.degrees) + spare_inputs
        return draw_instance(self.tokens, self.width, self.ranks, tuple(map(normalizer, self.normalizers)), size, seed)


def case(tokens: int, width: int, ranks: Sequence[int], *normalizers: str) -> Case:
    """A case; a single normalizer serves all layers.

    >>> print(case(2, 1, (1, 1), "exp(s)"))
    n = 2, d = 1, r = (1, 1), phi = exp(s)
    """
    return Case(tokens, width, tuple(ranks), normalizers * len(ranks) if len(normalizers) == 1 else normalizers)


def describe(cases: Sequence[Case]) -> str:
    """How many drawn instances these are, and of which sizes, for the scope of a check.

    >>> describe([case(2, 1, (1, 1), "exp(s)"), case(3, 1, (1,), "exp(s**2)")])
    '2 drawn instances (n = 2..3, d = 1, D = 1..2, k = 1..2)'
    """
    sizes = {
        "n": {each.tokens for each in cases},
        "d": {each.width for each in cases},
        "D": {len(each.ranks) for each in cases},
        "k": {k for each in cases for k in each.degrees},
    }
    ranges = (f"{name} = {min(found)}" + f"..{max(found)}" * (len(found) > 1) for name, found in sizes.items())
    return f"{len(cases)} drawn instance{'s' * (len(cases) > 1)} ({', '.join(ranges)})"


def search_options(instance: Instance, *, divisibility: int = 16, primes: int = 1) -> SpectrumOptions:
    """A first precision that is just enough if the theory is right (a cost, not a result: the search doubles it if it is not)."""
    precision = contact_orders(instance.degrees)[-1] // 2 + 2
    return SpectrumOptions(DEFAULT_PRIMES[:primes], precision, max_precision=max(128, 3 * precision), divisibility=divisibility)


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


def with_drawn_values(instance: Instance, seed: int = 1) -> Instance:
    """The instance with drawn value matrices in the place of its own."""
    source = random.Random(f"values {instance.width} {seed}")
    size = instance.width
    return replace(instance, layers=tuple(replace(layer, V=draw_matrix(source, size, size)) for layer in instance.layers))


def with_scores(instance: Instance, factors: Sequence[tuple[RationalMatrix, RationalMatrix]]) -> Instance:
    """The instance with the given factors ``(U, W)`` in its first layers."""
    changed = [PathLayer(u, w, layer.V) for (u, w), layer in zip(factors, instance.layers, strict=False)]
    return replace(instance, layers=(*changed, *instance.layers[len(changed) :]))
