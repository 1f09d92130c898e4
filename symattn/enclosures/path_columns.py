"""Columns that carry all positive singular values of the native Jacobian, divided by the powers of t that divide them (D.sv, D.kernel).

Let ``t^(o_j)`` divide column j, and let D be the diagonal matrix of these powers. The columns outside ``dependent_columns`` are
``F(u) D`` with an F analytic in ``u = t^2``, and by the explicit kernel all columns are ``F D [I R(t)]`` up to their sequence, with
``R(t) = R_0 + t R_1``. So ``J J^T = F D A(t) D F^T`` with ``A = I + R R^T``. Here R_0 only joins columns of one order, and R_1 joins
columns of queries and keys to dependent columns of values.

With ``K K^T = I + R_0 R_0^T``, K lower triangular, ``N_0 = K^-1 [I R_0]`` has orthonormal rows. With ``N_1 = K^-1 [0 R_1]``,
``Z = N_1 N_0^T`` and ``W = N_1 N_1^T - Z Z^T``, which is positive semidefinite, block by block

    A(t) = K (I + t Z) (I + u W) (I + t Z)^T K^T.

As K commutes with D, ``F D K (I + t Z) = G(u) D`` for ``G = F K (I + D t Z D^-1)``, and Z has values in its columns, so the bracket is a
polynomial in u. Hence each positive singular value of J is that of ``G D`` times a number between 1 and ``(1 + u ||W||)^(1/2)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx

from symattn.arithmetic.balls import Balls, rational_ball
from symattn.arithmetic.discs import Discs
from symattn.enclosures.norms import entry_bounds, spectral_norm, upper_inverse
from symattn.enclosures.singular_values import cholesky
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.network.instance import Instance
from symattn.network.kernel import path_kernel
from symattn.network.path import native_columns, native_jacobian, output_cotangents

__all__ = ["PathColumns", "path_columns"]

_DISC_PRECISION = 64


@dataclass(frozen=True)
class PathColumns:
    """The places of the kept columns, in ascending order of the powers ``orders`` that divide them; R_0 and R_1 by columns.

    That these powers divide the columns is a premise: bounds by the maximum principle need it.
    """

    instance: Instance
    columns: tuple[int, ...]
    orders: tuple[int, ...]
    constant: tuple[tuple[Fraction, ...], ...]
    linear: tuple[tuple[Fraction, ...], ...]

    @property
    def powers(self) -> tuple[int, ...]:
        """The powers of u by which the columns, without their own factor t, are divided."""
        return tuple(order // 2 for order in self.orders)

    def gram_at(self, u: Fraction, precision: int) -> arb_mat:
        """Balls that contain ``G^T G`` at an exact ``u > 0``."""
        system = Balls(precision, u)
        jacobian = native_jacobian(system, self.instance, output_cotangents(system, self.instance, "all", 0))
        with ctx.workprec(precision):
            root, step, _ = self._kernel()
            mixing = root * (_identity(root.nrows()) + self._lifted(step, rational_ball(u)))
            return self._gram(jacobian.matrix.values, u, mixing)

    def gram_bounds(self, rho: Fraction) -> arb_mat:
        """Upper bounds of the absolute values of ``G^T G`` on the disc ``|u| <= rho``, by the maximum principle.

        Raises :class:`UndecidedError` where the network is not seen to be analytic on the disc.
        """
        system = Discs(_DISC_PRECISION, rho)
        jacobian = native_jacobian(system, self.instance, output_cotangents(system, self.instance, "all", 0))
        with ctx.workprec(_DISC_PRECISION):
            root, step, _ = self._kernel()
            mixing = entry_bounds(root) * (_identity(root.nrows()) + self._lifted(entry_bounds(step), rational_ball(rho)))
            return entry_bounds(self._gram(jacobian.matrix.bounds(), rho, mixing))

    def excess(self) -> arb:
        """An upper bound of ``||W||``, at FLINT's working precision."""
        return self._kernel()[2]

    def _gram(self, jacobian: arb_mat, u: Fraction, mixing: arb_mat) -> arb_mat:
        kept = arb_mat([[row[j] for j in self.columns] for row in jacobian.tolist()])
        gram = (kept.transpose() * kept).tolist()
        factors = [1 / rational_ball(u) ** power for power in self.powers]
        divided = arb_mat([[entry * a * b for entry, b in zip(row, factors, strict=True)] for row, a in zip(gram, factors, strict=True)])
        return mixing.transpose() * divided * mixing

    def _kernel(self) -> tuple[arb_mat, arb_mat, arb]:
        """K, Z and a bound of the norm of W."""
        size = len(self.columns)
        joined = _beside(_identity(size), self.constant)
        root = cholesky(joined * joined.transpose())
        if root is None:
            raise BudgetError("a kernel direction is too large for the working precision: a higher precision would do")
        inverse = upper_inverse(root.transpose()).transpose()
        constant, linear = inverse * joined, inverse * _beside(arb_mat(size, size), self.linear)
        step = linear * constant.transpose()
        return root, step, spectral_norm(linear * linear.transpose() - step * step.transpose())

    def _lifted(self, step: arb_mat, u: arb) -> arb_mat:
        """``D t Z D^-1``: row i has the factor ``t^(o_i + 1)``, for all columns of Z but those of values are zero."""
        rows = zip(step.tolist(), self.orders, strict=True)
        return arb_mat(
            [
                [entry * u ** ((order + 1) // 2) if order and not own else arb(0) for entry, own in zip(row, self.orders, strict=True)]
                for row, order in rows
            ]
        )


def path_columns(instance: Instance, layer_orders: Sequence[int]) -> PathColumns:
    """The kept columns, where ``t^(layer_orders[i])`` divides the query and key columns of layer i + 1.

    Raises :class:`InputError` without a bank or unless there is a positive odd power for each layer, and :class:`UndecidedError` where
    kernel directions join columns of several orders or are all there is.
    """
    if not instance.bank:
        raise InputError("a bank of inputs is needed to observe the network", where=f"{instance.source}: bank")
    if len(layer_orders) != instance.depth or any(not isinstance(order, int) or order < 1 or order % 2 == 0 for order in layer_orders):
        shown = ", ".join(map(str, layer_orders))
        raise InputError(f"a positive odd power of t for each of {instance.depth} layers was expected, not {shown}", where="layer orders")
    columns = native_columns(instance)
    order_of = [layer_orders[column.layer - 1] if column.weight else 0 for column in columns]
    kernel = path_kernel(instance)
    kept = sorted(set(range(len(columns))) - set(kernel.dependent_columns), key=lambda j: (order_of[j], j))
    if not kept:
        raise UndecidedError("all directions are in the explicit kernel: there are no positive singular values to bound")
    constant, linear = [], []
    # A dependent column has the entry 1 in its vector; a vector with values reads (dV, t q, t k) in native entries.
    for vectors, moves_values in ((kernel.factor, False), (kernel.interface, True)):
        for vector in vectors:
            carries_t = [moves_values and bool(columns[j].weight) for j in kept]
            constant.append(tuple(Fraction(0) if carried else -vector[j] for j, carried in zip(kept, carries_t, strict=True)))
            linear.append(tuple(-vector[j] if carried else Fraction(0) for j, carried in zip(kept, carries_t, strict=True)))
            if len({order_of[j] for j, entry in zip(kept, constant[-1], strict=True) if entry}) > 1:
                raise UndecidedError("a kernel direction joins columns of several orders at t = 0: no constants are proven for such a path")
    return PathColumns(instance, tuple(kept), tuple(order_of[j] for j in kept), tuple(constant), tuple(linear))


def _beside(left: arb_mat, vectors: Sequence[Sequence[Fraction]]) -> arb_mat:
    """``[left, vectors]``, the vectors as columns."""
    return arb_mat([line + [rational_ball(vector[i]) for vector in vectors] for i, line in enumerate(left.tolist())])


def _identity(size: int) -> arb_mat:
    return arb_mat(size, size, 1)
