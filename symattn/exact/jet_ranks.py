"""A lower bound for the rank of ``D T_N`` from random inputs modulo a prime, where the jet has too many monomials to write down.

At an input X the coefficient of ``u^j`` in the derivative of ``F(rho X) / rho``, ``u = rho^2``, is a linear combination of the rows of the
Jacobian of ``T_(2j+1)``. Rows from finitely many inputs, reduced modulo p, therefore never have a larger rank than ``D T_N`` has over Q:
the bound is proven. It is the rank itself wherever it equals the number of parameters.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import nmod_mat

from symattn.arithmetic import DEFAULT_PRIMES, ModularSeries, SeriesMatrix
from symattn.errors import InputError
from symattn.exact.jets import layers_at
from symattn.network.attention import Layer, pull_back_stack, trace_stack
from symattn.network.parameters import Network

__all__ = ["JetRankBound", "jet_rank_bound", "parameter_count", "part_derivatives"]


@dataclass(frozen=True)
class JetRankBound:
    """Proven lower bounds ``ranks[N] <= rank D T_N`` over Q for odd N up to ``order``, from ``points`` inputs modulo ``prime``.

    ``parameters`` is ``p d + D d^2``, an upper bound for every rank.
    """

    order: int
    parameters: int
    ranks: dict[int, int]
    points: int
    prime: int

    @property
    def is_immersion(self) -> bool | None:
        """``True`` if ``D T_N`` is injective at the highest order (proven), ``None`` if that is not seen."""
        return True if self.ranks[max(self.ranks)] == self.parameters else None

    @property
    def immersion_order_at_most(self) -> int | None:
        """An order at which ``D T_N`` is proven injective: the least one seen; ``None`` if there is none."""
        return next((order for order, rank in sorted(self.ranks.items()) if rank == self.parameters), None)


def jet_rank_bound(network: Network, order: int, *, prime: int = DEFAULT_PRIMES[0], seed: int = 0) -> JetRankBound:
    """Ranks of ``D T_N`` from below for every odd N up to ``order`` (T3), on as many random inputs as there are parameters.

    Raises :class:`InputError` for an order below 1, :class:`UndecidedError` where p divides a denominator, and :class:`BudgetError` for a
    prime that does not exceed ``N/2``.
    """
    if order < 1:
        raise InputError(f"an order of at least 1 was expected, not {order}", where="order")
    ring = ModularSeries(prime, (order + 1) // 2)
    n, d = network.tokens, network.width
    size = parameter_count(network)
    layers = layers_at(ring, network)
    source = random.Random(seed)
    echelons: dict[int, nmod_mat | None] = dict.fromkeys(range(1, order + 1, 2))
    ranks = dict.fromkeys(echelons, 0)
    # Two inputs more than parameters: random inputs may be dependent modulo a small prime.
    points = size + 2
    for _ in range(points):
        tokens = ring.matrix([[source.randrange(prime) for _ in range(d)] for _ in range(n)])
        for rows in part_derivatives(ring, network, layers, tokens):
            for degree in echelons:
                new = rows[: (degree + 1) // 2]
                echelons[degree], ranks[degree] = _extended(echelons[degree], ranks[degree], new, size, prime)
    return JetRankBound(order, size, ranks, points, prime)


def parameter_count(network: Network) -> int:
    """``p d + D d^2``: the entries of L and of the scores."""
    return network.parameters.output_width * network.width + network.depth * network.width**2


def part_derivatives(
    ring: ModularSeries, network: Network, layers: Sequence[Layer[SeriesMatrix]], tokens: SeriesMatrix
) -> Iterator[list[list[int]]]:
    """For each output coordinate of token 1 at one input the derivatives in L, M_1, .., row by row, of its parts of degree 1, 3, 5, ..

    ``layers`` are those of :func:`symattn.exact.jets.layers_at`.
    """
    p, size = network.parameters.output_width, parameter_count(network)
    traces = [layer[0] for layer in trace_stack(ring, layers, [tokens])]
    for coordinate in range(p):
        cotangent = ring.matrix([[int((a, c) == (0, coordinate)) for c in range(p)] for a in range(network.tokens)])
        cotangents = pull_back_stack(ring, traces, cotangent)
        entries = cotangents[-1][1].polynomials()
        for score, _ in cotangents:
            entries = entries + ring.shift(score, 1).polynomials()
        yield [[int(entries[column][j]) for column in range(size)] for j in range(ring.precision)]


def _extended(echelon: nmod_mat | None, rank: int, rows: list[list[int]], size: int, prime: int) -> tuple[nmod_mat | None, int]:
    """The echelon form, and its rank, after some rows were added."""
    if rank == size:
        return echelon, rank
    known = [[int(entry) for entry in row] for row in echelon.tolist()[:rank]] if echelon is not None else []
    reduced, rank = nmod_mat([*known, *rows], prime).rref()
    return reduced, int(rank)
