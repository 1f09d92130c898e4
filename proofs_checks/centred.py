"""Softmax around a fixed point m, without the reduction to a line: scores ``x_a^T M (x_b - m)``, which vanish where all tokens are m.

Softmax sees only differences of scores along a row, so this is softmax itself. In the coordinates ``(x, 1)`` the centred score is bilinear,
with the matrix ``[[M, -M m], [0, 0]]``.
"""

from __future__ import annotations

from symattn.arithmetic.polynomial_series import PolynomialSeries, PolynomialSeriesMatrix
from symattn.network.attention import Layer
from symattn.network.rational import identity
from symattn.normalizers import normalizer

__all__ = ["centred_softmax", "homogeneous"]


def homogeneous(ring: PolynomialSeries, tokens: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
    """The n x (d + 1) tokens ``(x, 1)``."""
    n, d = tokens.shape
    return tokens @ _inclusion(ring, d) + ring.constant(n, 1, 1) @ _last(ring, d)


def centred_softmax(ring: PolynomialSeries, score: PolynomialSeriesMatrix, point: PolynomialSeriesMatrix) -> Layer[PolynomialSeriesMatrix]:
    """The softmax layer with a d x d score on tokens ``(x, 1)``, centred at a 1 x d point."""
    d = score.shape[0]
    inclusion = _inclusion(ring, d)
    centred = inclusion.transpose() @ (score @ inclusion - score @ point.transpose() @ _last(ring, d))
    return Layer(normalizer("exp(s)"), centred, ring.matrix(identity(d + 1)))


def _inclusion(ring: PolynomialSeries, d: int) -> PolynomialSeriesMatrix:
    return ring.matrix(identity(d + 1)[:d])


def _last(ring: PolynomialSeries, d: int) -> PolynomialSeriesMatrix:
    return ring.matrix(identity(d + 1)[d:])
