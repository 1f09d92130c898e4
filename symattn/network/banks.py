"""Banks and factors drawn from a stated seed: small integers, so that no prime divides a denominator."""

from __future__ import annotations

import random
from fractions import Fraction

from symattn.errors import InputError
from symattn.network.instance import Instance, PathLayer
from symattn.network.rational import RationalMatrix, identity
from symattn.normalizers import Normalizer

__all__ = ["draw_bank", "draw_instance"]

_FACTOR_ENTRIES = 99
# Two scalar tokens count only through their contrast: the range must be wide enough that contrasts rarely repeat.
_BANK_ENTRIES = 999


def draw_bank(tokens: int, width: int, size: int, seed: int) -> tuple[RationalMatrix, ...]:
    """``size`` inputs of n x d nonzero integers between -999 and 999, drawn from the seed.

    >>> draw_bank(2, 1, 1, seed=1)
    (((Fraction(-110, 1),), (Fraction(-609, 1),)),)
    """
    source = random.Random(f"bank {tokens} {width} {seed}")
    return tuple(_draw(source, tokens, width, _BANK_ENTRIES) for _ in range(size))


def draw_instance(
    tokens: int, width: int, ranks: tuple[int, ...], normalizers: tuple[Normalizer, ...], bank_size: int, seed: int
) -> Instance:
    """An instance with drawn integer factors ``U_i, W_i``, identity values and a drawn bank, all from one seed."""
    if any(not 1 <= rank <= width for rank in ranks):
        raise InputError(f"ranks from 1 to {width} were expected, not {ranks}", where="ranks")
    source = random.Random(f"factors {width} {ranks} {seed}")
    layers = tuple(
        PathLayer(_draw(source, width, rank, _FACTOR_ENTRIES), _draw(source, width, rank, _FACTOR_ENTRIES), identity(width))
        for rank in ranks
    )
    bank = draw_bank(tokens, width, bank_size, seed)
    return Instance(tokens, width, normalizers, layers, bank, source=f"drawn from seed {seed}", bank_origin=f"drawn from seed {seed}")


def _draw(source: random.Random, rows: int, columns: int, largest: int) -> RationalMatrix:
    nonzero = [value for value in range(-largest, largest + 1) if value]
    return tuple(tuple(Fraction(source.choice(nonzero)) for _ in range(columns)) for _ in range(rows))
