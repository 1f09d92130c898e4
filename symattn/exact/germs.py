"""Where recovery reads a network from: its homogeneous parts on inputs that are polynomials in ``e``.

A source is asked for ``F(rho X(e))`` as a power series in ``u = rho^2`` (after division by rho) with polynomials in e as
coefficients, up to the order it knows. Two sources: a stored jet, into which the input is substituted, and a network, which is
evaluated on truncated series. Recovery sees nothing else of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from flint import fmpq, fmpq_mpoly

from symattn.arithmetic.polynomial_series import PolynomialSeries, PolynomialSeriesMatrix
from symattn.exact.jets import Jet, layers_at
from symattn.network.attention import evaluate
from symattn.network.parameters import Network

__all__ = ["Curve", "Germ", "JetGerm", "NetworkGerm", "RememberedGerm", "curve_ring", "curve_tokens"]

Curve = Sequence[Sequence[Sequence[Fraction]]]
"""Input tokens as polynomials in e: ``curve[a][j]`` lists the coefficients of coordinate j of token a, ascending."""


class Germ(Protocol):
    """A network known through its jet."""

    @property
    def order(self) -> int:
        """The highest degree that is known."""
        ...

    def mean_output(self, curve: Curve) -> list[dict[int, fmpq_mpoly]]:
        """The token mean of ``F(rho X(e)) / rho``: for each of the p coordinates a series in u, up to ``u^((order-1)/2)``."""
        ...


def curve_ring(order: int) -> PolynomialSeries:
    """``Q[e][u]/(u^m)`` with room for the parts of odd degree up to ``order``."""
    return PolynomialSeries(("e",), (order + 1) // 2)


def curve_tokens(ring: PolynomialSeries, curve: Curve) -> PolynomialSeriesMatrix:
    """The n x d tokens of a curve over the ring."""
    e = ring.symbol("e")
    rows = []
    for token in curve:
        row = []
        for coefficients in token:
            value = ring.zero
            for coefficient in reversed(coefficients):
                value = value * e + ring.context.constant(fmpq(coefficient.numerator, coefficient.denominator))
            row.append(value)
        rows.append(row)
    return ring.from_polynomials(rows)


@dataclass(frozen=True)
class NetworkGerm:
    """A network, observed through its evaluation on truncated series up to ``order``."""

    network: Network
    order: int

    def mean_output(self, curve: Curve) -> list[dict[int, fmpq_mpoly]]:
        """See :class:`Germ`."""
        ring = curve_ring(self.order)
        (output,) = evaluate(ring, layers_at(ring, self.network), [curve_tokens(ring, curve)])
        n = self.network.tokens
        mean = ring.matrix([[Fraction(1, n)] * n]) @ output
        return [mean[0, coordinate] for coordinate in range(self.network.parameters.output_width)]


@dataclass(frozen=True)
class JetGerm:
    """A stored jet: the output of token 1, and by symmetry that of the others."""

    jet: Jet

    @property
    def order(self) -> int:
        """The order of the jet."""
        return self.jet.order

    def mean_output(self, curve: Curve) -> list[dict[int, fmpq_mpoly]]:
        """See :class:`Germ`: token a is seen by exchanging it with token 1."""
        ring = curve_ring(self.order)
        tokens = curve_tokens(ring, curve)
        n, d = self.jet.tokens, self.jet.width
        entries = [[tokens[a, j].get(0, ring.zero) for j in range(d)] for a in range(n)]
        result: list[dict[int, fmpq_mpoly]] = [{} for _ in range(self.jet.outputs)]
        for a in range(n):
            order = [a, *(b for b in range(n) if b != a)]
            powers = _Powers([entry for b in order for entry in entries[b]], ring)
            for exponents, values in self.jet.coefficients.items():
                monomial = powers.monomial(exponents)
                if not monomial:
                    continue
                degree = (sum(exponents) - 1) // 2
                for coordinate, value in enumerate(values):
                    if value:
                        term = monomial * fmpq(value.numerator, value.denominator * n)
                        known = result[coordinate].get(degree)
                        result[coordinate][degree] = term if known is None else known + term
        return [{power: value for power, value in series.items() if value} for series in result]


class RememberedGerm:
    """A germ that is asked for every curve once."""

    def __init__(self, germ: Germ) -> None:
        self._germ = germ
        self._known: dict[tuple[tuple[tuple[Fraction, ...], ...], ...], list[dict[int, fmpq_mpoly]]] = {}

    @property
    def order(self) -> int:
        """The order of the germ."""
        return self._germ.order

    def mean_output(self, curve: Curve) -> list[dict[int, fmpq_mpoly]]:
        """See :class:`Germ`."""
        key = tuple(tuple(tuple(coefficients) for coefficients in token) for token in curve)
        if key not in self._known:
            self._known[key] = self._germ.mean_output(curve)
        return self._known[key]


class _Powers:
    """Products of powers of fixed polynomials, with the powers kept."""

    def __init__(self, bases: Sequence[fmpq_mpoly], ring: PolynomialSeries) -> None:
        self._powers = [[ring.context.constant(1), base] for base in bases]
        self._one = ring.context.constant(1)

    def monomial(self, exponents: Sequence[int]) -> fmpq_mpoly:
        product = self._one
        for exponent, powers in zip(exponents, self._powers, strict=True):
            if exponent:
                while len(powers) <= exponent:
                    powers.append(powers[-1] * powers[1])
                product = product * powers[exponent]
        return product
