"""Probes: what a germ says about one layer on tokens ``m + e z, m - e z, m, ..``, once the layers below it are known (A.isolation).

The known layers give the token mean and the contrast, whose leading part is ``e^(3^(i-1)) A z``. The coefficient of ``e^(2 * 3^(i-1))`` in
the mean output less L times that mean is ``mu_2 A^2 (L z) H``, and no later layer contributes to it. With inputs scaled by rho, ``A``
and ``H = u g(u m^T M m) (m^T M z)`` are power series in ``u = rho^2``; a probe divides and returns the series H.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_mpoly

from symattn.arithmetic.polynomial_series import PolynomialSeries, PolynomialSeriesMatrix
from symattn.errors import NotRealizableError
from symattn.exact.germs import Curve, Germ, curve_ring, curve_tokens
from symattn.exact.rational_series import product, quotient
from symattn.network.attention import Layer, evaluate
from symattn.network.rational import RationalMatrix, identity, transpose
from symattn.normalizers import Normalizer

__all__ = ["KnownLayers", "Reading", "Vector", "collinear_curve", "series_coefficient", "shown_vector"]

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Reading:
    """``H`` as a series in u: ``values[j]`` belongs to ``u^j``. ``shift`` is the order of ``A^2`` in u.

    The value of ``u^j`` was read from coefficients of the germ of degree ``2 (shift + j) + 1``.
    """

    values: list[Fraction]
    shift: int

    def degree(self, power: int) -> int:
        """The degree in the tokens that the value of ``u^power`` was read from."""
        return 2 * (self.shift + power) + 1


class KnownLayers:
    """A germ together with L and the scores of its first layers; ``number`` is the layer that comes next (from 1)."""

    def __init__(
        self, germ: Germ, tokens: int, readout: RationalMatrix, scores: Sequence[RationalMatrix], normalizers: Sequence[Normalizer]
    ) -> None:
        self.germ, self.tokens, self.readout, self.scores = germ, tokens, readout, tuple(scores)
        self.width, self.number = len(readout[0]), len(scores) + 1
        self.normalizers = tuple(normalizers)
        self._readings: dict[tuple[Vector, Vector], Reading | None] = {}

    def read(self, m: Vector, z: Vector) -> Reading | None:
        """H on tokens around m along z; ``None`` if ``L z`` vanishes, or the contrast does so up to the order of the germ.

        Raises :class:`NotRealizableError` where a coefficient that the known layers make vanish does not.
        """
        if (m, z) not in self._readings:
            self._readings[m, z] = self._fresh(m, z)
        return self._readings[m, z]

    def contrast_order(self, m: Vector, z: Vector, precision: int) -> int | None:
        """The order of ``A^2`` in u on these tokens, computed from the known layers alone; ``None`` if it is at least ``precision``."""
        ring = curve_ring(2 * precision - 1)
        output = self._output(ring, collinear_curve(self.tokens, m, z))
        return _order(self._squared_contrast(ring, output, z))

    def _fresh(self, m: Vector, z: Vector) -> Reading | None:
        column = [sum((entry * x for entry, x in zip(row, z, strict=True)), Fraction(0)) for row in self.readout]
        coordinate = next((c for c, value in enumerate(column) if value), None)
        if coordinate is None:
            return None
        ring, curve = curve_ring(self.germ.order), collinear_curve(self.tokens, m, z)
        output = self._output(ring, curve)
        square = self._squared_contrast(ring, output, z)
        shift = _order(square)
        if shift is None:
            return None
        power = 2 * 3 ** (self.number - 1)
        mean = ring.matrix([[Fraction(1, self.tokens)] * self.tokens]) @ output
        expected = (mean @ ring.matrix(transpose(self.readout)))[0, coordinate]
        observed = self.germ.mean_output(curve)[coordinate]
        increment = [series_coefficient(observed, j, power) - series_coefficient(expected, j, power) for j in range(ring.precision)]
        stray = _order(increment[:shift])
        if stray is not None:
            raise NotRealizableError(
                f"not realizable: on tokens m + e z, m - e z, m, .. with m = {shown_vector(m)}, z = {shown_vector(z)} the coefficient of "
                f"e^{power} in degree {2 * stray + 1} must be that of layers 1 to {self.number - 1}, and differs by {increment[stray]}"
            )
        spread = Fraction(2, self.tokens) * column[coordinate]
        return Reading(quotient(increment[shift:], [value * spread for value in square[shift:]]), shift)

    def _output(self, ring: PolynomialSeries, curve: Curve) -> PolynomialSeriesMatrix:
        unit = ring.matrix(identity(self.width))
        layers = [
            Layer(phi, ring.shift(ring.matrix(score), 1), unit)
            for phi, score in zip(self.normalizers[: self.number - 1], self.scores, strict=True)
        ]
        tokens = curve_tokens(ring, curve)
        return evaluate(ring, layers, [tokens])[0] if layers else tokens

    def _squared_contrast(self, ring: PolynomialSeries, output: PolynomialSeriesMatrix, z: Vector) -> list[Fraction]:
        axis = next(j for j, value in enumerate(z) if value)
        mean = ring.matrix([[Fraction(1, self.tokens)] * self.tokens]) @ output
        power, size = 3 ** (self.number - 1), ring.precision
        amplitude = [
            (series_coefficient(output[0, axis], j, power) - series_coefficient(mean[0, axis], j, power)) / z[axis] for j in range(size)
        ]
        return product(amplitude, amplitude, size)


def collinear_curve(tokens: int, m: Vector, z: Vector) -> Curve:
    """``m + e z, m - e z, m, ..``"""
    return [[[value, sign * change] for value, change in zip(m, z, strict=True)] for sign in (1, -1, *(0,) * (tokens - 2))]


def series_coefficient(series: dict[int, fmpq_mpoly], j: int, power: int) -> Fraction:
    """The coefficient of ``u^j e^power``."""
    if j not in series:
        return Fraction(0)
    value = series[j][(power,)]
    return Fraction(int(value.p), int(value.q))


def shown_vector(values: Sequence[Fraction]) -> str:
    """A vector for a message."""
    return f"({', '.join(map(str, values))})"


def _order(series: Sequence[Fraction]) -> int | None:
    return next((j for j, value in enumerate(series) if value), None)
