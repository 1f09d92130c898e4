"""The plain twin of the p-adic route: t = p instead of u = p, so that scores carry p^2 and twice the precision is needed.

It takes the same network and Smith form; contact orders are then read off directly, without column weights.
"""

from __future__ import annotations

from symattn.arithmetic.padic import DEFAULT_PRIMES, PadicMatrix, PadicPoint
from symattn.exact.smith import SmithForm, local_smith
from symattn.network.instance import Instance
from symattn.network.path import native_jacobian, output_cotangents

__all__ = ["plain_orders"]


class _PlainPoint(PadicPoint):
    """The ring ``Z/p^N`` with t = p: the variable u = t^2 of the path is p^2."""

    def shift(self, matrix: PadicMatrix, power: int) -> PadicMatrix:
        return super().shift(matrix, 2 * power)


def plain_orders(instance: Instance, precision: int, seed: int) -> SmithForm:
    """The Smith form of the native Jacobian at t = p, modulo ``p^precision`` (precision in powers of t)."""
    point = _PlainPoint(DEFAULT_PRIMES[0], precision)
    jacobian = native_jacobian(point, instance, output_cotangents(point, instance, "combined", seed))
    powers = [
        [point.prime ** jacobian.weights[i] if i == j else 0 for j in range(len(jacobian.weights))] for i in range(len(jacobian.weights))
    ]
    return local_smith(jacobian.matrix @ point.matrix(powers))
