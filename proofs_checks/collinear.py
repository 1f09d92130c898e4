"""Stacks of layers on a cloud that lies on a line, in coordinates that serve every width.

A layer keeps the line ``m + R z`` (A.affine), and ``S_M(P X) = P S_(P^T M P)(X)`` with ``P = [m z]`` (A.reduction) turns the tokens
``m + T_a z`` into ``(1, T_a)`` and the score into ``[[q, v], [u, w]]``, where ``q = m^T M m``, ``u = z^T M m``, ``v = m^T M z`` and
``w = z^T M z``. With symbols for these scalars an identity holds for all m, z and M of every width. Scores do not vanish on the line,
so each normalizer is expanded around its own q: ``log phi(q + x) - log phi(q) = c_1 x + c_2 x^2 + ..``, whence ``g(q) = c_1`` and
``g'(q) = 2 c_2``; the factor ``phi(q)`` cancels along every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeries
from symattn.network.attention import Layer, evaluate
from symattn.network.rational import identity
from symattn.normalizers import Normalizer

__all__ = ["CloudSize", "CollinearStack", "PolynomialLogarithm", "Scalars", "Series", "collinear_stack"]

Series = dict[int, Any]


@dataclass(frozen=True)
class PolynomialLogarithm(GenericNormalizer):
    """A normalizer whose logarithm is a polynomial of degree at most ``last`` with symbolic coefficients, from degree k on."""

    last: int = 1

    def symbols(self, terms: int) -> tuple[str, ...]:
        """The names of the coefficients of degrees k to the least of ``last`` and ``terms - 1``."""
        return super().symbols(min(terms, self.last + 1))


@dataclass(frozen=True)
class Scalars:
    """What a layer is on the line: ``u, v, w``, and the slope ``g(q)`` of its normalizer with its derivative ``g'(q)``."""

    u: Any
    v: Any
    w: Any
    slope: Any
    slope_change: Any


@dataclass(frozen=True)
class CollinearStack:
    """Tokens ``m + e c_a z`` with ``sum c_a = 0``, and a stack of layers with symbols for all their scalars; series are in e."""

    ring: PolynomialSeries
    contrasts: tuple[Any, ...]
    scalars: tuple[Scalars, ...]
    normalizers: tuple[Normalizer | GenericNormalizer, ...]

    @cached_property
    def positions(self) -> list[list[Series]]:
        """``positions[i][a]``: the series ``T_a`` of the token ``m + T_a z`` after layer i; ``i = 0`` is the input."""
        ring, zero = self.ring, self.ring.zero
        inputs = ring.shift(ring.from_polynomials([[c] for c in self.contrasts]), 1) @ ring.matrix([[0, 1]])
        tokens = ring.constant(len(self.contrasts), 1, 1) @ ring.matrix([[1, 0]]) + inputs
        stages = [tokens]
        for normalizer, known in zip(self.normalizers, self.scalars, strict=True):
            score = ring.from_polynomials([[zero, known.v], [known.u, known.w]])
            layer: Layer[Any] = Layer(normalizer, score, ring.matrix(identity(2)))  # type: ignore[arg-type]
            stages.extend(evaluate(ring, [layer], [stages[-1]]))
        return [[tokens[a, 1] for a in range(len(self.contrasts))] for tokens in stages]

    @property
    def second_moment(self) -> Any:
        """``mu_2``, the mean of the ``c_a^2``."""
        return sum((c * c for c in self.contrasts), self.ring.zero) / len(self.contrasts)

    @property
    def third_moment(self) -> Any:
        """``mu_3``, the mean of the ``c_a^3``."""
        return sum((c * c * c for c in self.contrasts), self.ring.zero) / len(self.contrasts)

    def coefficient(self, layer: int, token: int, power: int) -> Any:
        """The coefficient of ``e^power`` in the position of a token (from 0) after a layer."""
        return self.positions[layer][token].get(power, self.ring.zero)

    def mean(self, layer: int, power: int) -> Any:
        """The coefficient of ``e^power`` in the mean position after a layer."""
        count = len(self.contrasts)
        return sum((self.coefficient(layer, a, power) for a in range(count)), self.ring.zero) / count

    def contrast(self, layer: int, power: int) -> list[Any]:
        """The coefficients of ``e^power`` in the positions less their mean, after a layer."""
        mean = self.mean(layer, power)
        return [self.coefficient(layer, a, power) - mean for a in range(len(self.contrasts))]


@dataclass(frozen=True)
class CloudSize:
    """How large a stack on a line is made: tokens, depth, the degree of each log phi around q, and whether z = m (every scalar network)."""

    tokens: int
    depth: int
    last: int
    is_scalar: bool = False

    def __str__(self) -> str:
        return f"n = {self.tokens}, D = {self.depth}, log phi of degree {self.last}" + (", z = m" if self.is_scalar else "")


def collinear_stack(size: CloudSize, precision: int, normalizers: Sequence[Normalizer] = ()) -> CollinearStack:
    """The stack with symbols for ``c_1, c_2, ..`` (the last one makes the sum zero; 1 and -1 for two tokens) and for every scalar.

    Known normalizers may be given where ``log phi(q + x) - log phi(q)`` does not depend on q: softmax.
    """
    layers = range(1, size.depth + 1)
    letters = "q" if size.is_scalar else "uvw"
    unknown = [PolynomialLogarithm(1, f"c{i}_", size.last) for i in layers]
    names = [f"{letter}{i}" for i in layers for letter in letters]
    names += [name for phi in unknown for name in phi.symbols(size.last + 1)]
    moving = [f"s{a}" for a in range(1, size.tokens)] if size.tokens > 2 else []
    ring = PolynomialSeries([*names, *moving], precision)
    free = [ring.symbol(name) for name in moving] or [ring.context.constant(1)]
    contrasts = (*free, -sum(free, ring.zero))
    scalars = []
    for i, phi in enumerate(unknown, start=1):
        u, v, w = (ring.symbol(f"{letter}{i}") for letter in ("qqq" if size.is_scalar else letters))
        if normalizers:
            first, second = map(ring.context.constant, normalizers[i - 1].log_coefficients(3)[1:])
        else:
            first, second, *_ = (*map(ring.symbol, phi.symbols(size.last + 1)), ring.zero)
        scalars.append(Scalars(u, v, w, first, second * 2))
    return CollinearStack(ring, contrasts, tuple(scalars), tuple(normalizers) or tuple(unknown))
