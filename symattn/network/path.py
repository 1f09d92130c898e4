"""The simultaneous query/key collapse path in any number system: its layers, and its native Jacobian on a bank.

On the path ``Q_i = t U_i``, ``K_i = t W_i`` every layer output is a power series in ``u = t^2``, and every query/key column of the
native Jacobian is ``t`` times one (spec 01). Columns are therefore stored divided by ``t^weight``, with weight 1 for
queries and keys and 0 for values, and an order in ``t`` is ``2 * (order in u) + weight``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from symattn.arithmetic.protocol import Arithmetic, Matrix
from symattn.network.attention import Layer, pull_back_stack, trace_stack
from symattn.network.instance import Instance

__all__ = ["NativeJacobian", "NativeWeight", "cotangent_count", "native_columns", "native_jacobian", "output_cotangents", "path_layers"]

M = TypeVar("M", bound=Matrix)


@dataclass(frozen=True)
class NativeWeight:
    """The place of one native entry: layer (from 1), factor ``Q``, ``K`` or ``V``, row and column (from 1)."""

    layer: int
    factor: str
    row: int
    column: int

    @property
    def weight(self) -> int:
        """The power of t divided out of this entry's Jacobian column."""
        return 0 if self.factor == "V" else 1


@dataclass(frozen=True)
class NativeJacobian(Generic[M]):
    """The Jacobian of (combinations of) all outputs on a bank in all native entries, columns divided by ``t^weight``."""

    matrix: M
    columns: tuple[NativeWeight, ...]

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each column."""
        return tuple(column.weight for column in self.columns)


def native_columns(instance: Instance) -> tuple[NativeWeight, ...]:
    """The native entries in column order: layer by layer Q, K, V, each row by row."""
    d = instance.width
    return tuple(
        NativeWeight(number, factor, row, column)
        for number, layer in enumerate(instance.layers, start=1)
        for factor, width in (("Q", layer.rank), ("K", layer.rank), ("V", d))
        for row in range(1, d + 1)
        for column in range(1, width + 1)
    )


def path_layers(arithmetic: Arithmetic[M], instance: Instance) -> list[Layer[M]]:
    """The layers at path parameter u: score ``u U_i W_i^T`` and value ``V_i``."""
    return [
        Layer(
            normalizer,
            arithmetic.shift(arithmetic.matrix(layer.U) @ arithmetic.matrix(layer.W).transpose(), 1),
            arithmetic.matrix(layer.V),
        )
        for normalizer, layer in zip(instance.normalizers, instance.layers, strict=True)
    ]


def native_jacobian(arithmetic: Arithmetic[M], instance: Instance, cotangents: Sequence[Sequence[M]]) -> NativeJacobian[M]:
    """The native Jacobian on the bank: one row for each cotangent of each input.

    ``cotangents[j]`` lists n x d cotangents for input j: unit matrices give the plain output rows, random ones give random
    combinations of them. With ``dM_i = dQ_i K_i^T + Q_i dK_i^T`` the columns of Q and K follow from those of the score.
    """
    inputs = [arithmetic.matrix(x) for x in instance.bank]
    traces = trace_stack(arithmetic, path_layers(arithmetic, instance), inputs)
    # The columns of Q are t (dM W): the score cotangent times W, and the like for K.
    factors = [(arithmetic.matrix(layer.U), arithmetic.matrix(layer.W)) for layer in instance.layers]
    rows = []
    for number, wanted in enumerate(cotangents):
        own = [layer_traces[number] for layer_traces in traces]
        for cotangent in wanted:
            blocks: list[M] = []
            for (score, value), (u, w) in zip(pull_back_stack(arithmetic, own, cotangent), factors, strict=True):
                blocks += [score @ w, score.transpose() @ u, value]
            rows.append(blocks)
    return NativeJacobian(arithmetic.assemble(rows), native_columns(instance))


def cotangent_count(instance: Instance, rows: Literal["combined", "all"], rank: int | None = None) -> int:
    """How many rows each input contributes: all n d outputs, or a few combinations of them.

    At the leading order an input of a stack of depth D > 1 gives d numbers, so ``d + 1`` combinations suffice, and fewer do on
    a large bank if ``rank`` bounds the rank. For D = 1 tokens differ at the leading order, and all outputs are used.
    """
    every = instance.tokens * instance.width
    if rows == "all" or instance.depth == 1:
        return every
    enough = instance.width + 1 if rank is None else -(-rank // len(instance.bank)) + 1
    return min(every, instance.width + 1, enough)


def output_cotangents(
    arithmetic: Arithmetic[M], instance: Instance, rows: Literal["combined", "all"], seed: int, rank: int | None = None
) -> list[list[M]]:
    """Unit cotangents of every output of every input, or random integer combinations of them (see :func:`cotangent_count`)."""
    n, d = instance.tokens, instance.width
    count = cotangent_count(instance, rows, rank)
    if count == n * d:
        units = [arithmetic.matrix([[int((a, b) == (i, j)) for b in range(d)] for a in range(n)]) for i in range(n) for j in range(d)]
        return [units for _ in instance.bank]
    source = random.Random(seed)
    return [
        [arithmetic.matrix([[source.randrange(1, 1 << 30) for _ in range(d)] for _ in range(n)]) for _ in range(count)]
        for _ in instance.bank
    ]
