"""Layers that erase all contrast: the collapse locus of a layer, decided exactly, with a witness where it does not collapse.

A layer with score M sends **every** input to a consensus exactly if ``M = 0``, or ``n = 2``, M is skew and ``log phi`` is odd. The
argument needs no slope condition (compare T2, B.two-token-skew):

* ``M = 0`` averages (B.zero-score).
* M not skew: take ``q = y^T M y != 0`` and the cloud ``y, 0, .., 0``. A token 0 has uniform weights and goes to the mean ``y / n``; the
  token y goes to ``phi(q) y / (phi(q) + n - 1)``, another point when ``phi(q) != phi(0)``, as for all small ``q != 0``.
* M skew, not zero, ``n >= 3``: take ``kappa = y^T M y' != 0`` and ``y, y', 0, .., 0``. The token 0 goes to the mean; the token y weighs
  ``y'`` by ``phi(kappa)`` against ``phi(0)`` for all others.
* M skew, ``n = 2``: the half difference is ``z D_h(2b)``, and ``D_h`` vanishes identically exactly if h is odd.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symattn.network.rational import RationalMatrix, transpose
from symattn.normalizers import Normalizer

__all__ = ["Collapse", "is_skew", "is_zero", "layer_collapse"]


@dataclass(frozen=True)
class Collapse:
    """Whether a layer erases all contrast (``None``: undecided), why, and a cloud that keeps contrast where it does not.

    The witness is an n x d input; scaled by any small enough nonzero factor it is sent to tokens that are not all equal.
    """

    collapses: bool | None
    reason: str
    witness: RationalMatrix | None = None


def is_zero(matrix: RationalMatrix) -> bool:
    """Whether every entry is zero."""
    return not any(any(row) for row in matrix)


def is_skew(matrix: RationalMatrix) -> bool:
    """Whether the square matrix has zero symmetric part (the zero matrix included)."""
    return matrix == tuple(tuple(-entry for entry in row) for row in transpose(matrix))


def layer_collapse(normalizer: Normalizer, tokens: int, score: RationalMatrix) -> Collapse:
    """Decide whether the layer sends every input of n tokens near 0 to a consensus (T2, B.two-token-skew, B.three-token-skew).

    >>> from symattn.normalizers import normalizer
    >>> from symattn.network.rational import rational_matrix
    >>> skew = rational_matrix([[0, 1], [-1, 0]])
    >>> layer_collapse(normalizer("exp(s)"), 2, skew).collapses, layer_collapse(normalizer("exp(s)"), 3, skew).collapses
    (True, False)
    """
    d = len(score)
    zero = (Fraction(0),) * d
    if is_zero(score):
        return Collapse(True, "M = 0: the layer averages")
    if not is_skew(score):
        y = _nonzero_quadratic(score)
        return Collapse(False, "M is not skew: y^T M y != 0 separates the token y from tokens 0", (y, *(zero,) * (tokens - 1)))
    i, j = next((i, j) for i, row in enumerate(score) for j, entry in enumerate(row) if entry)
    first, second = (tuple(Fraction(int(c == place)) for c in range(d)) for place in (i, j))
    if tokens >= 3:
        reason = "n >= 3 and M is skew, not zero: y^T M y' != 0 separates the token y from tokens 0"
        return Collapse(False, reason, (first, second, *(zero,) * (tokens - 2)))
    if normalizer.log_is_odd:
        return Collapse(True, "n = 2, M is skew and log phi is odd: both tokens get the same output")
    if normalizer.log_is_odd is None:
        return Collapse(None, "n = 2 and M is skew: whether log phi is odd is undecided, and would decide it")
    minus = tuple(a - b for a, b in zip(first, second, strict=True))
    plus = tuple(a + b for a, b in zip(first, second, strict=True))
    return Collapse(False, "n = 2, M is skew and log phi is not odd: the half difference is z D_h(2 m^T M z), not zero", (plus, minus))


def _nonzero_quadratic(score: RationalMatrix) -> tuple[Fraction, ...]:
    """A vector with ``y^T M y != 0``, for M that is not skew: a unit vector, or a sum of two."""
    d = len(score)
    for i in range(d):
        if score[i][i]:
            return tuple(Fraction(int(c == i)) for c in range(d))
    i, j = next((i, j) for i in range(d) for j in range(i) if score[i][j] + score[j][i])
    return tuple(Fraction(int(c in (i, j))) for c in range(d))
