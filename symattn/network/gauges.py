"""Gauges: changes of the native weights that keep the effective tuple, as group actions and as tangent directions.

Layers and interfaces are numbered from 1; interface ``j`` lies between the values of layer ``j`` and layer ``j + 1``.
Source: spec 01, statements A.gauge (paper (4)) and D.kernel (paper (49)).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from symattn.arithmetic.linear_algebra import to_flint
from symattn.errors import InputError
from symattn.network.parameters import NativeParameters
from symattn.network.rational import RationalMatrix, multiply, negative, shape, transpose

__all__ = ["factor_direction", "factor_gauge", "interface_change", "interface_direction", "inverse", "kernel_directions"]

_Item = TypeVar("_Item")


def factor_gauge(native: NativeParameters, layer: int, G: RationalMatrix) -> NativeParameters:
    """``(Q_i, K_i) -> (Q_i G, K_i G^{-T})`` for an invertible r_i x r_i rational matrix ``G`` (paper (4)).

    Raises :class:`InputError` if there is no such layer, or ``G`` has another size or is singular.
    """
    _require_square(G, native.ranks[_index(layer, native.depth, "layer")], "G")
    return replace(
        native,
        Q=_replaced(native.Q, layer, multiply(native.Q[layer - 1], G)),
        K=_replaced(native.K, layer, multiply(native.K[layer - 1], transpose(inverse(G, where="G")))),
    )


def interface_change(native: NativeParameters, interface: int, H: RationalMatrix) -> NativeParameters:
    """``V_j -> H V_j, V_{j+1} -> V_{j+1} H^{-1}, Q_{j+1} -> H^{-T} Q_{j+1}, K_{j+1} -> H^{-T} K_{j+1}`` (paper (4)).

    ``H`` is an invertible d_j x d_j rational matrix and ``1 <= j <= D - 1``.
    Raises :class:`InputError` if there is no such interface, or ``H`` has another size or is singular.
    """
    after = _index(interface, native.depth - 1, "interface") + 1
    _require_square(H, native.widths[after], "H")
    inverted = inverse(H, where="H")
    values = _replaced(native.V, interface, multiply(H, native.V[interface - 1]))
    return NativeParameters(
        Q=_replaced(native.Q, interface + 1, multiply(transpose(inverted), native.Q[after])),
        K=_replaced(native.K, interface + 1, multiply(transpose(inverted), native.K[after])),
        V=_replaced(values, interface + 1, multiply(native.V[after], inverted)),
    )


def factor_direction(native: NativeParameters, layer: int, B: RationalMatrix) -> NativeParameters:
    """The tangent of the factor gauge at the identity along ``B`` (r_i x r_i): ``(dQ_i, dK_i) = (Q_i B, -K_i B^T)``, all else 0.

    Raises :class:`InputError` if there is no such layer or ``B`` has another size.
    """
    index = _index(layer, native.depth, "layer")
    _require_square(B, native.ranks[index], "B")
    zero = _zero(native)
    return replace(
        zero,
        Q=_replaced(zero.Q, layer, multiply(native.Q[index], B)),
        K=_replaced(zero.K, layer, negative(multiply(native.K[index], transpose(B)))),
    )


def interface_direction(native: NativeParameters, interface: int, H: RationalMatrix) -> NativeParameters:
    """The tangent of the interface change at the identity along ``H`` (d_j x d_j, any matrix), all entries not named 0:

    ``dV_j = H V_j, dV_{j+1} = -V_{j+1} H, dQ_{j+1} = -H^T Q_{j+1}, dK_{j+1} = -H^T K_{j+1}``.
    Raises :class:`InputError` if there is no such interface or ``H`` has another size.
    """
    after = _index(interface, native.depth - 1, "interface") + 1
    _require_square(H, native.widths[after], "H")
    zero = _zero(native)
    changes = _replaced(zero.V, interface, multiply(H, native.V[interface - 1]))
    return NativeParameters(
        Q=_replaced(zero.Q, interface + 1, negative(multiply(transpose(H), native.Q[after]))),
        K=_replaced(zero.K, interface + 1, negative(multiply(transpose(H), native.K[after]))),
        V=_replaced(changes, interface + 1, negative(multiply(native.V[after], H))),
    )


def kernel_directions(native: NativeParameters) -> Iterator[NativeParameters]:
    """The tangents of all gauges along unit matrices: ``sum r_i^2`` factor directions, then ``sum d_j^2`` interface directions.

    Each lies in the kernel of the Jacobian on every bank (D.kernel). On the collapse path ``Q = t U, K = t W`` the directions
    at ``t`` are those at ``t = 1`` with every ``dQ`` and ``dK`` multiplied by ``t``.
    """
    for layer, rank in enumerate(native.ranks, start=1):
        for unit in _units(rank):
            yield factor_direction(native, layer, unit)
    for interface, width in enumerate(native.widths[1:-1], start=1):
        for unit in _units(width):
            yield interface_direction(native, interface, unit)


def inverse(matrix: RationalMatrix, *, where: str = "matrix") -> RationalMatrix:
    """The inverse over Q; raises :class:`InputError` naming ``where`` if the matrix is not square or is singular."""
    rows, columns = shape(matrix)
    _require_square(matrix, rows, where)
    try:
        result = to_flint(matrix).inv()
    except ZeroDivisionError:
        raise InputError("an invertible matrix was expected, not a singular one", where=where) from None
    return tuple(tuple(Fraction(int(result[i, j].p), int(result[i, j].q)) for j in range(columns)) for i in range(rows))


def _index(number: int, count: int, name: str) -> int:
    if not 1 <= number <= count:
        raise InputError(f"there is no {name} {number}; {f'1 to {count}' if count else 'none'} can be named", where=name)
    return number - 1


def _require_square(matrix: RationalMatrix, size: int, where: str) -> None:
    if len(matrix) != size or any(len(row) != size for row in matrix):
        raise InputError(f"a {size} x {size} matrix was expected", where=where)


def _replaced(items: tuple[_Item, ...], number: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[: number - 1], item, *items[number:])


def _zero(native: NativeParameters) -> NativeParameters:
    def zeros(matrices: tuple[RationalMatrix, ...]) -> tuple[RationalMatrix, ...]:
        return tuple(tuple((Fraction(0),) * len(row) for row in matrix) for matrix in matrices)

    return NativeParameters(Q=zeros(native.Q), K=zeros(native.K), V=zeros(native.V))


def _units(size: int) -> Iterator[RationalMatrix]:
    for position in range(size * size):
        yield tuple(tuple(Fraction(int(i * size + j == position)) for j in range(size)) for i in range(size))
