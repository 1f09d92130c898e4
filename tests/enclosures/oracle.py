"""An oracle that shares nothing with the package but the instance: mpmath difference quotients and mpmath's SVD."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mpmath.ctx_mp import MPContext

from symattn.network.instance import Instance

DIGITS = 200


def singular_values(instance: Instance, t: Fraction, phi: Callable[[Any, Any], Any], digits: int = DIGITS) -> list[Any]:
    """All singular values of the native Jacobian at t, kernel included, in descending order, good to about ``digits`` digits.

    ``phi(mp, s)`` is the normalizer of every layer. Difference quotients with a step of ``10^-(2 digits)`` lose 2 of 4 times the digits.
    """
    mp = MPContext()
    mp.dps = 4 * digits
    step = mp.mpf(10) ** (-2 * digits)
    weights, rebuild = native_weights(mp, instance, t)
    base = outputs(mp, instance, rebuild(weights), phi)
    jacobian = mp.matrix(len(base), len(weights))
    for j in range(len(weights)):
        moved = list(weights)
        moved[j] += step
        for i, value in enumerate(outputs(mp, instance, rebuild(moved), phi)):
            jacobian[i, j] = (value - base[i]) / step
    mp.dps = 2 * digits
    return list(mp.svd_r(jacobian, compute_uv=False))


def number(mp: Any, value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def native_weights(mp: Any, instance: Instance, t: Fraction) -> tuple[list[Any], Callable[[list[Any]], list[Any]]]:
    """The native entries on the path as one list, and how to build the matrices of the layers from such a list."""
    d, shapes, flat = instance.width, [], []
    for layer in instance.layers:
        for matrix, factor in ((layer.U, t), (layer.W, t), (layer.V, Fraction(1))):
            shapes.append((d, len(matrix[0])))
            flat += [number(mp, factor * entry) for row in matrix for entry in row]

    def rebuild(entries: list[Any]) -> list[Any]:
        source = iter(entries)
        return [[[next(source) for _ in range(columns)] for _ in range(rows)] for rows, columns in shapes]

    return flat, rebuild


def outputs(mp: Any, instance: Instance, matrices: list[Any], phi: Callable[[Any, Any], Any]) -> list[Any]:
    """Every output coordinate of every token on the whole bank, by the definition of a layer."""
    result = []
    for x in instance.bank:
        tokens = [[number(mp, entry) for entry in row] for row in x]
        for q, k, v in zip(matrices[0::3], matrices[1::3], matrices[2::3], strict=True):
            queries, keys = ([[dot(mp, x, column) for column in zip(*m, strict=True)] for x in tokens] for m in (q, k))
            moved = []
            for query in queries:
                values = [phi(mp, dot(mp, query, key)) for key in keys]
                total = mp.fsum(values)
                moved.append([dot(mp, values, column) / total for column in zip(*tokens, strict=True)])
            tokens = [[dot(mp, row, x) for row in v] for x in moved]
        result += [entry for row in tokens for entry in row]
    return result


def dot(mp: Any, left: Any, right: Any) -> Any:
    return mp.fdot(zip(left, right, strict=True))
