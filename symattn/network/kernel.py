"""The explicit kernel of the native Jacobian on the collapse path: the kernel of the reduction's differential, over Q.

The network depends on native weights only through the effective tuple (A.reduction), so every direction that the differential of
the reduction kills is in the kernel of the Jacobian on **every** bank: gauge and interface directions, and more of
them where factors or values lose rank (D.kernel, paper (49)).

On the path the differential in the direction ``(dV, t q, t k)`` has constant coefficients after its score part is divided by
``t^2``, so one nullspace over Q describes the kernel for all t. Columns of Q and K are stored divided by t: there a kernel
vector with ``dV = 0`` reads ``(0, q, k)``, and any other ``(dV, u q, u k)`` with ``u = t^2``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from flint import fmpq, fmpq_mat

from symattn.arithmetic.linear_algebra import nullspace, to_flint
from symattn.arithmetic.protocol import Arithmetic, Matrix
from symattn.network.instance import Instance
from symattn.network.path import native_columns

__all__ = ["PathKernel", "direction_columns", "path_kernel"]

M = TypeVar("M", bound=Matrix)


@dataclass(frozen=True)
class PathKernel:
    """A basis of the explicit kernel, over Q, in the column order of :func:`symattn.network.path.native_columns`.

    ``factor`` holds the vectors without a value part, ``interface`` the others with independent value parts. Because of the scaling
    by u the two together stay independent at ``u = 0``, so they span a direct summand over the power series. Each vector has the entry
    1 in a ``dependent_column`` of its own (of Q or K for a factor vector, of V for an interface vector) where all others have 0:
    these columns of the Jacobian are combinations of the others over the power series and can be left out of its Smith form.
    """

    factor: tuple[tuple[Fraction, ...], ...]
    interface: tuple[tuple[Fraction, ...], ...]
    columns: int
    dependent_columns: tuple[int, ...] = ()

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
    differential = direction_columns(instance).tolist()
    # Value columns first, so that the reduced basis separates vectors with and without a value part.
    order = sorted(range(len(columns)), key=lambda j: columns[j].weight)
    place = sorted(range(len(columns)), key=order.__getitem__)
    # Reduced from the right, so that a vector whose leading columns can be zero has them zero.
    basis = [vector[::-1] for vector in nullspace(fmpq_mat([[row[j] for j in reversed(order)] for row in differential]))]
    values = sum(column.weight == 0 for column in columns)
    factor = [vector for vector in basis if not any(vector[:values])]
    interface = [vector for vector in basis if any(vector[:values])]
    dependent = sorted(order[next(j for j, entry in enumerate(vector) if entry)] for vector in basis)
    return PathKernel(_permuted(factor, place), _permuted(interface, place), len(columns), tuple(dependent))


def direction_columns(instance: Instance) -> fmpq_mat:
    """The differential of the reduction at ``t = 1``, over Q: column j is the image ``(dL, dM_1 .. dM_D)`` of native entry j.

    The matrices of an image are flattened row by row and stacked: (D + 1) d^2 rows. With ``q_i = P_{i-1}^T U_i``,
    ``k_i = P_{i-1}^T W_i`` and ``T = V_{i-1} .. V_{j+1}`` the product formulas of spec 01 are Kronecker products, as
    ``A dX B^T`` is ``kron(A, B)`` on flattened matrices:
    ``dM_j = (P^T dQ_j) k_j^T + q_j (P^T dK_j)^T`` with ``P = P_{j-1}``, ``dL = (V_D .. V_{j+1}) dV_j P``, and for ``i > j``
    ``dM_i = (q_i W_i^T T) dV_j P`` plus the transpose of ``(k_i U_i^T T) dV_j P``.
    """
    d = instance.width
    factors = [(to_flint(layer.U), to_flint(layer.W)) for layer in instance.layers]
    values = [to_flint(layer.V) for layer in instance.layers]
    identity = to_flint([[Fraction(int(i == j)) for j in range(d)] for i in range(d)])
    prefixes = [identity]
    for value in values:
        prefixes.append(value * prefixes[-1])
    reduced = [(prefix.transpose() * u, prefix.transpose() * w) for prefix, (u, w) in zip(prefixes, factors, strict=False)]
    columns: list[list[fmpq]] = []
    for j, (q, k) in enumerate(reduced):
        prefix = prefixes[j].transpose()
        columns += _columns(instance, {j + 1: _kronecker(prefix, k)})
        columns += _columns(instance, {j + 1: _transposing(_kronecker(prefix, q), d)})
        blocks = {}
        between = identity
        for i in range(j + 1, instance.depth):
            (u, w), (later_q, later_k) = factors[i], reduced[i]
            left = _kronecker(later_q * w.transpose() * between, prefix)
            right = _kronecker(later_k * u.transpose() * between, prefix)
            blocks[i + 1] = left + _transposing(right, d)
            between = values[i] * between
        columns += _columns(instance, {0: _kronecker(between, prefix), **blocks})
    return fmpq_mat(columns).transpose()


def _columns(instance: Instance, blocks: Mapping[int, fmpq_mat]) -> list[list[fmpq]]:
    """The columns of the stack whose c-th block of d^2 rows is ``blocks[c]``, or zero."""
    size = instance.width**2
    tables = {c: block.transpose().tolist() for c, block in blocks.items()}
    zero = [fmpq(0)] * size
    count = next(iter(blocks.values())).ncols()
    return [[entry for c in range(instance.depth + 1) for entry in (tables[c][j] if c in tables else zero)] for j in range(count)]


def _kronecker(left: fmpq_mat, right: fmpq_mat) -> fmpq_mat:
    """The Kronecker product: the map ``X -> left X right^T`` on matrices flattened row by row."""
    return fmpq_mat([[a * b for a in above for b in below] for above in left.tolist() for below in right.tolist()])


def _transposing(matrix: fmpq_mat, d: int) -> fmpq_mat:
    """The same map followed by the transposition of its d x d values."""
    rows = matrix.tolist()
    return fmpq_mat([rows[y * d + x] for x in range(d) for y in range(d)])


def _permuted(vectors: Sequence[Sequence[fmpq]], place: Sequence[int]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(int(vector[j].p), int(vector[j].q)) for j in place) for vector in vectors)
