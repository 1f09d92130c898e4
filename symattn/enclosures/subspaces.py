"""The angle between the weakest left singular directions and the derivatives of one layer, enclosed (spec 04, N2)."""

from __future__ import annotations

from fractions import Fraction

from flint import acb_mat, arb, arb_mat, ctx

from symattn.arithmetic.balls import Balls
from symattn.enclosures.singular_values import cholesky
from symattn.errors import BudgetError, UndecidedError
from symattn.network.instance import Instance
from symattn.network.kernel import path_kernel
from symattn.network.path import native_jacobian, output_cotangents

__all__ = ["weakest_angle"]


def weakest_angle(instance: Instance, t: Fraction, layer: int, count: int, precision: int = 1024) -> arb:
    """The sine of the largest principal angle between the ``count`` weakest left singular directions of the native Jacobian at t
    and the query/key derivatives of ``layer`` (from 1) after projection onto the complement of the other groups.

    The groups are the effective coordinates: the last value matrix moves L alone, queries and keys of layer i move ``M_i``; gauges make
    some columns of a group superfluous. All groups together are ``[G F] = Q R`` with orthonormal Q, F those of the layer; the last
    columns of Q span the second space. In the coordinates of Q the Jacobian J has the Gram matrix ``H = R^-T [G F]^T J J^T [G F] R^-1``,
    whose eigenvectors of the weakest eigenvalues span the first space; the sine is the norm of their other coordinates.
    Raises :class:`UndecidedError` where the groups do not span the image, or the layer does not have ``count`` independent columns, and
    :class:`BudgetError` where ``precision`` bits do not isolate the eigenvalues.
    """
    kernel = path_kernel(instance)
    system = Balls(precision, t * t)
    jacobian = native_jacobian(system, instance, output_cotangents(system, instance, "all", 0))
    dependent = set(kernel.dependent_columns)
    places = enumerate(jacobian.columns)
    kept = [j for j, column in places if (column.layer == instance.depth if column.factor == "V" else j not in dependent)]
    own = [j for j in kept if jacobian.columns[j].layer == layer and jacobian.columns[j].factor != "V"]
    if len(own) != count:
        raise UndecidedError(f"layer {layer} has {len(own)} independent query and key columns, not {count}")
    if len(kept) != kernel.columns - kernel.dimension:
        raise UndecidedError(
            f"{len(kept)} effective directions for a rank of {kernel.columns - kernel.dimension}: they do not span the image"
        )
    ordered = [j for j in kept if j not in own] + own
    with ctx.workprec(precision):
        step = arb(t.numerator) / t.denominator
        scales = [step if weight else arb(1) for weight in jacobian.weights]
        gram = (jacobian.matrix.transpose() @ jacobian.matrix).values
        size = kernel.columns
        full = arb_mat([[gram[i, j] * scales[i] * scales[j] for j in range(size)] for i in range(size)])
        chosen = arb_mat([[full[i, j] for j in ordered] for i in ordered])
        triangle = cholesky(chosen)
        if triangle is None:
            raise BudgetError(f"{precision} bits do not show the kept columns to be independent: a higher precision may")
        products = triangle.solve(arb_mat([[full[i, j] for j in range(size)] for i in ordered]))
        return _outside(products * products.transpose(), count, precision)


def _outside(gram: arb_mat, count: int, precision: int) -> arb:
    """The norm of the first coordinates of an orthonormal basis of the span of the ``count`` weakest eigenvectors."""
    try:
        values, right = acb_mat((gram + gram.transpose()) * arb(0.5)).eig(right=True)
    except ValueError:
        raise BudgetError(f"{precision} bits do not isolate the eigenvalues: a higher precision may") from None
    n = gram.nrows()
    weakest = sorted(range(n), key=lambda j: values[j].real.mid())[:count]
    columns = []
    for j in weakest:
        # Eigenvectors of simple eigenvalues are real up to a complex factor: divide by the entry that is largest.
        lead = max((right[i, j] for i in range(n)), key=lambda entry: abs(entry).mid())
        vector = [(right[i, j] / lead).real for i in range(n)]
        norm = sum((entry**2 for entry in vector), arb(0)).sqrt()
        columns.append([entry / norm for entry in vector])
    outer = arb_mat([column[: n - count] for column in columns])
    squares = (outer * outer.transpose()).eig(multiple=True)
    largest = arb(0)
    for square in squares:
        largest = largest.max(square.real)
    return largest.sqrt()
