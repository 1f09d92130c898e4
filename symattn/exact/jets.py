"""Finite jets: the Taylor polynomial of a network at ``X = 0`` as an exact polynomial, and its differential in the parameters.

By homogeneity ``F_{L,M}(rho X) = rho F_{L,rho^2 M}(X)``: the homogeneous part of degree ``2j + 1`` of the network is the coefficient of
``u^j`` when every score matrix is multiplied by u. So a jet is a power series in u with polynomials in the token entries
as coefficients, computed by the one network code (:mod:`symattn.network.attention`). Even degrees do not occur.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from flint import fmpq_mat, fmpq_mpoly

from symattn.arithmetic.linear_algebra import nullspace, row_space
from symattn.arithmetic.polynomial_series import PolynomialSeries, PolynomialSeriesMatrix
from symattn.arithmetic.protocol import Arithmetic, Matrix
from symattn.network.attention import Layer, evaluate, pull_back_stack, trace_stack
from symattn.network.jets import Exponents, Jet, require_affordable, token_symbols
from symattn.network.parameters import Network
from symattn.network.rational import identity

M = TypeVar("M", bound=Matrix)

__all__ = ["Jet", "JetDifferential", "jet_differential", "jet_of", "layers_at", "token_ring", "token_symbols"]


def token_ring(tokens: int, width: int, order: int) -> tuple[PolynomialSeries, PolynomialSeriesMatrix]:
    """``Q[x1_1, ..][u]/(u^m)`` with room for the parts of odd degree up to ``order``, and the n x d matrix of token symbols in it.

    Raises :class:`InputError` for an order below 1, :class:`BudgetError` for a jet with too many monomials.
    """
    require_affordable(tokens, width, order)
    ring = PolynomialSeries(token_symbols(tokens, width), (order + 1) // 2)
    generators = [ring.symbol(name) for name in ring.symbols]
    return ring, ring.from_polynomials([generators[a * width : (a + 1) * width] for a in range(tokens)])


def layers_at(ring: Arithmetic[M], network: Network) -> list[Layer[M]]:
    """The layers with scores ``u M_i``, identity values, and the readout L as the last value matrix, in any number system with u."""
    parameters = network.parameters
    values = [identity(network.width)] * (network.depth - 1) + [parameters.L]
    return [
        Layer(phi, ring.shift(ring.matrix(score), 1), ring.matrix(value))
        for phi, score, value in zip(network.normalizers, parameters.M, values, strict=True)
    ]


def jet_of(network: Network, order: int) -> Jet:
    """``T_N`` of a network with rational parameters, exactly (C.polynomial); ``order`` is N >= 1.

    Raises :class:`InputError` for an order below 1, :class:`BudgetError` for a jet with too many monomials, and
    :class:`UndecidedError` for normalizers with irrational coefficients.

    >>> from symattn.network.files import network_from_dict
    >>> data = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "L": [[1]], "M": [[[4]]]}
    >>> jet = jet_of(network_from_dict(data), 3)
    >>> {exponents: str(value) for exponents, (value,) in sorted(jet.coefficients.items())}
    {(0, 1): '1/2', (1, 0): '1/2', (1, 2): '1', (2, 1): '-2', (3, 0): '1'}
    """
    ring, tokens = token_ring(network.tokens, network.width, order)
    (output,) = evaluate(ring, layers_at(ring, network), [tokens])
    coefficients: dict[Exponents, list[Fraction]] = {}
    for coordinate in range(network.parameters.output_width):
        for exponents, value in _terms(output[0, coordinate]):
            coefficients.setdefault(exponents, [Fraction(0)] * network.parameters.output_width)[coordinate] = value
    exact = {exponents: tuple(values) for exponents, values in coefficients.items()}
    return Jet(network.tokens, network.width, network.parameters.output_width, network.normalizers, order, exact)


@dataclass(frozen=True)
class JetDifferential:
    """The differential of ``eta -> T_N`` at a tuple, order by order, found by exact linear algebra (T3; Theorem 3).

    ``ranks[N]`` is the exact rank of ``D T_N`` for every odd ``N`` up to the order. ``first_degrees`` names, for L and each score
    (``"L"``, ``"M1"``, ..), the least degree whose part has a nonzero derivative in it; ``None`` if there is none so far.
    ``parameters`` is ``p d + D d^2``. ``kernel`` is a basis of the kernel at the highest order, in the order L, M_1, .., row by row.
    """

    order: int
    parameters: int
    ranks: dict[int, int]
    first_degrees: dict[str, int | None]
    kernel: tuple[tuple[Fraction, ...], ...]

    @property
    def rank(self) -> int:
        """The rank at the highest order."""
        return self.ranks[max(self.ranks)]

    @property
    def is_immersion(self) -> bool:
        """Whether ``D T_N`` is injective at the highest order."""
        return self.rank == self.parameters

    @property
    def least_immersion_order(self) -> int | None:
        """The least N at which ``D T_N`` is injective, or ``None`` if there is none up to the order."""
        return next((order for order, rank in sorted(self.ranks.items()) if rank == self.parameters), None)


def jet_differential(network: Network, order: int) -> JetDifferential:
    """``D T_N`` at a network with rational parameters, for all odd orders up to ``order``, exactly over Q."""
    columns, rows = _derivative_rows(network, order)
    ranks: dict[int, int] = {}
    collected: list[list[Any]] = []
    for degree in range(1, order + 1, 2):
        collected += rows.get(degree, [])
        # Independent rows suffice from here on.
        collected = row_space(collected)
        ranks[degree] = len(collected)
    first: dict[str, int | None] = {}
    for block in dict.fromkeys(columns):
        own = [j for j, name in enumerate(columns) if name == block]
        first[block] = next((degree for degree in sorted(rows) if any(row[j] for row in rows[degree] for j in own)), None)
    return JetDifferential(order, len(columns), ranks, first, _kernel(collected))


def _terms(series: dict[int, fmpq_mpoly]) -> Iterator[tuple[Exponents, Fraction]]:
    for polynomial in series.values():
        for exponents, value in polynomial.terms():
            yield tuple(int(e) for e in exponents), Fraction(int(value.p), int(value.q))


def _derivative_rows(network: Network, order: int) -> tuple[list[str], dict[int, list[list[Any]]]]:
    """Names of the columns, and for each degree the rows of coefficients of all monomials and output coordinates of token 1."""
    ring, tokens = token_ring(network.tokens, network.width, order)
    n, p, d, depth = network.tokens, network.parameters.output_width, network.width, network.depth
    traces = [layer[0] for layer in trace_stack(ring, layers_at(ring, network), [tokens])]
    columns = ["L"] * (p * d) + [f"M{i}" for i in range(1, depth + 1) for _ in range(d * d)]
    rows: dict[int, list[list[Any]]] = {}
    for coordinate in range(p):
        cotangent = ring.matrix([[int((a, c) == (0, coordinate)) for c in range(p)] for a in range(n)])
        cotangents = pull_back_stack(ring, traces, cotangent)
        entries = cotangents[-1][1].entries()
        for score, _ in cotangents:
            entries = entries + ring.shift(score, 1).entries()
        by_monomial: dict[Exponents, list[Any]] = {}
        for j, series in enumerate(entries):
            for polynomial in series.values():
                for exponents, value in polynomial.terms():
                    by_monomial.setdefault(tuple(int(e) for e in exponents), [0] * len(columns))[j] = value
        for exponents, row in by_monomial.items():
            rows.setdefault(sum(exponents), []).append(row)
    return columns, rows


def _kernel(independent: Sequence[Sequence[Any]]) -> tuple[tuple[Fraction, ...], ...]:
    """A basis of the right kernel; the degree-1 part makes sure that there is at least one row."""
    return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in vector) for vector in nullspace(fmpq_mat([list(row) for row in independent])))
