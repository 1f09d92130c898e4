"""The explicit kernel of the native Jacobian on the collapse path: the kernel of the reduction's differential, over Q.

The network depends on native weights only through the effective tuple (A.reduction), so every direction that the differential of
the reduction kills is in the kernel of the Jacobian on **every** bank: gauge and interface directions, and more of
them where factors or values lose rank (D.kernel, paper (49)).

On the path the differential in the direction ``(dV, t q, t k)`` has constant coefficients after its score part is divided by
``t^2``, so one nullspace over Q describes the kernel for all t. Columns of Q and K are stored divided by t: there a kernel
vector with ``dV = 0`` reads ``(0, q, k)``, and any other ``(dV, u q, u k)`` with ``u = t^2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from flint import fmpq, fmpq_mat

from symattn.arithmetic.protocol import Arithmetic, Matrix
from symattn.network.instance import Instance
from symattn.network.parameters import NativeParameters, reduction_differential
from symattn.network.path import native_columns
from symattn.network.rational import RationalMatrix

__all__ = ["PathKernel", "direction_columns", "path_kernel"]

M = TypeVar("M", bound=Matrix)


@dataclass(frozen=True)
class PathKernel:
    """A basis of the explicit kernel, over Q, in the column order of :func:`symattn.network.path.native_columns`.

    ``factor`` holds the vectors without a value part, ``interface`` the others with independent value parts. Because of the scaling
    by u the two together stay independent at ``u = 0``, so they span a direct summand over the power series.
    """

    factor: tuple[tuple[Fraction, ...], ...]
    interface: tuple[tuple[Fraction, ...], ...]
    columns: int

    @property
    def dimension(self) -> int:
        """The number of basis vectors: a lower bound for the kernel of the Jacobian on every bank."""
        return len(self.factor) + len(self.interface)

    def annihilates(self, arithmetic: Arithmetic[M], jacobian: M, weights: Sequence[int]) -> bool:
        """Whether the (divided) Jacobian kills every basis vector in this number system: a check of the evaluation."""
        if not self.dimension:
            return True
        factor, interface = ([list(vector) for vector in vectors] for vectors in (self.factor, self.interface))
        unscaled = [[entry if weight == 0 else 0 for entry, weight in zip(v, weights, strict=True)] for v in interface]
        scaled = [[entry if weight else 0 for entry, weight in zip(v, weights, strict=True)] for v in interface]
        products = []
        if factor:
            products.append(jacobian @ arithmetic.matrix(factor).transpose())
        if interface:
            lifted = arithmetic.matrix(unscaled) + arithmetic.shift(arithmetic.matrix(scaled), 1)
            products.append(jacobian @ lifted.transpose())
        return all(product.is_zero() for product in products)


def path_kernel(instance: Instance) -> PathKernel:
    """The kernel of the reduction's differential along the path of this instance (D.kernel), by linear algebra over Q."""
    columns = native_columns(instance)
    images = direction_columns(instance)
    # Value columns first, so that the reduced basis separates vectors with and without a value part.
    order = sorted(range(len(columns)), key=lambda j: columns[j].weight)
    basis = _nullspace([[images[j][i] for j in order] for i in range(len(images[0]))])
    values = sum(column.weight == 0 for column in columns)
    restored = [tuple(vector[order.index(j)] for j in range(len(columns))) for vector in basis]
    has_value_part = [any(vector[:values]) for vector in basis]
    return PathKernel(
        tuple(vector for vector, value in zip(restored, has_value_part, strict=True) if not value),
        tuple(vector for vector, value in zip(restored, has_value_part, strict=True) if value),
        len(columns),
    )


def direction_columns(instance: Instance) -> list[list[Fraction]]:
    """For each native entry the flattened image ``(dL, dM_1 .. dM_D)`` of its unit direction at ``t = 1``, over Q."""
    point = NativeParameters(
        Q=tuple(layer.U for layer in instance.layers),
        K=tuple(layer.W for layer in instance.layers),
        V=tuple(layer.V for layer in instance.layers),
    )
    zero = {factor: tuple(_zeros(matrix) for matrix in getattr(point, factor)) for factor in "QKV"}
    images = []
    for column in native_columns(instance):
        matrices = {factor: list(zero[factor]) for factor in "QKV"}
        matrices[column.factor][column.layer - 1] = _unit(matrices[column.factor][column.layer - 1], column.row - 1, column.column - 1)
        direction = NativeParameters(**{factor: tuple(items) for factor, items in matrices.items()})
        readout, scores = reduction_differential(point, direction)
        images.append([entry for matrix in (readout, *scores) for row in matrix for entry in row])
    return images


def _zeros(matrix: RationalMatrix) -> RationalMatrix:
    return tuple(tuple(Fraction(0) for _ in row) for row in matrix)


def _unit(matrix: RationalMatrix, row: int, column: int) -> RationalMatrix:
    return tuple(tuple(Fraction(int((i, j) == (row, column))) for j in range(len(entries))) for i, entries in enumerate(matrix))


def _nullspace(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """A basis of the right nullspace over Q whose vectors, read from the left, are in reduced echelon form.

    The reduced form is taken from the right, so that a vector whose leading columns can be zero has them zero.
    """
    size = len(rows[0])
    flipped = fmpq_mat([[fmpq(x.numerator, x.denominator) for x in reversed(row)] for row in rows])
    reduced, rank = flipped.rref()
    table = reduced.tolist()
    pivots = [next(j for j in range(size) if table[i][j]) for i in range(int(rank))]
    basis = []
    for free in (j for j in range(size) if j not in set(pivots)):
        vector = [Fraction(0)] * size
        vector[free] = Fraction(1)
        for i, pivot in enumerate(pivots):
            vector[pivot] = -Fraction(int(table[i][free].p), int(table[i][free].q))
        basis.append(vector[::-1])
    return basis
