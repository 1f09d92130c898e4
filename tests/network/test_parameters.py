"""Shapes, the reduction, its differential, and the gauges, on random rational weights."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import assume, given, settings, strategies as st

from symattn.errors import InputError
from symattn.network.gauges import (
    factor_direction,
    factor_gauge,
    interface_change,
    interface_direction,
    inverse,
    kernel_directions,
)
from symattn.network.parameters import EffectiveParameters, NativeParameters, Network, reduce_native, reduction_differential
from symattn.network.rational import RationalMatrix, identity, multiply, rational_matrix, transpose
from symattn.normalizers import normalizer

rationals = st.builds(Fraction, st.integers(-5, 5), st.integers(1, 4))


def matrices(rows: int, columns: int) -> st.SearchStrategy[RationalMatrix]:
    row = st.lists(rationals, min_size=columns, max_size=columns).map(tuple)
    return st.lists(row, min_size=rows, max_size=rows).map(tuple)


@st.composite
def shapes(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    widths = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    return widths, [draw(st.integers(1, width)) for width in widths[:-1]]


@st.composite
def weights(draw: st.DrawFn, sizes: tuple[list[int], list[int]] | None = None) -> NativeParameters:
    widths, ranks = sizes or draw(shapes())
    return NativeParameters(
        Q=tuple(draw(matrices(d, r)) for d, r in zip(widths, ranks, strict=False)),
        K=tuple(draw(matrices(d, r)) for d, r in zip(widths, ranks, strict=False)),
        V=tuple(draw(matrices(after, before)) for before, after in pairwise(widths)),
    )


@st.composite
def weights_and_direction(draw: st.DrawFn) -> tuple[NativeParameters, NativeParameters]:
    sizes = draw(shapes())
    return draw(weights(sizes)), draw(weights(sizes))


def is_invertible(matrix: RationalMatrix) -> bool:
    try:
        inverse(matrix)
    except InputError:
        return False
    return True


def moved(native: NativeParameters, direction: NativeParameters, step: Fraction) -> NativeParameters:
    def line(points: tuple[RationalMatrix, ...], changes: tuple[RationalMatrix, ...]) -> tuple[RationalMatrix, ...]:
        return tuple(
            tuple(tuple(a + step * b for a, b in zip(*rows, strict=True)) for rows in zip(point, change, strict=True))
            for point, change in zip(points, changes, strict=True)
        )

    return NativeParameters(Q=line(native.Q, direction.Q), K=line(native.K, direction.K), V=line(native.V, direction.V))


def tuple_entries(L: RationalMatrix, M: tuple[RationalMatrix, ...]) -> list[Fraction]:
    return [entry for matrix in (L, *M) for row in matrix for entry in row]


def first_order(native: NativeParameters, direction: NativeParameters) -> list[Fraction]:
    """The coefficient of eps in every entry of ``pi(native + eps direction)``, by exact interpolation of these polynomials."""
    degree = 2 * native.depth
    nodes = [Fraction(i) for i in range(degree + 1)]
    values = []
    for node in nodes:
        reduced = reduce_native(moved(native, direction, node))
        values.append(tuple_entries(reduced.L, reduced.M))
    vandermonde = fmpq_mat(degree + 1, degree + 1, [fmpq(int(node) ** j) for node in nodes for j in range(degree + 1)])
    right = fmpq_mat(degree + 1, len(values[0]), [fmpq(v.numerator, v.denominator) for row in values for v in row])
    solution = vandermonde.solve(right)
    return [Fraction(int(solution[1, j].p), int(solution[1, j].q)) for j in range(len(values[0]))]


def is_zero(change: tuple[RationalMatrix, tuple[RationalMatrix, ...]]) -> bool:
    return not any(tuple_entries(*change))


def scalar(value: int) -> RationalMatrix:
    return rational_matrix([[value]])


def test_reduction_follows_the_formula() -> None:
    q1, k1, v1 = rational_matrix([[1], [2]]), rational_matrix([[3], ["1/2"]]), rational_matrix([[1, 0], [2, 1], [0, 1]])
    q2, k2, v2 = rational_matrix([[1], [0], [1]]), rational_matrix([[0], [1], [2]]), rational_matrix([[1, 1, 1]])
    reduced = reduce_native(NativeParameters(Q=(q1, q2), K=(k1, k2), V=(v1, v2)))
    second = multiply(multiply(transpose(v1), multiply(q2, transpose(k2))), v1)
    assert reduced == EffectiveParameters(L=rational_matrix([[3, 2]]), M=(multiply(q1, transpose(k1)), second))


@settings(deadline=None, max_examples=40)
@given(weights_and_direction())
def test_differential_is_the_first_order_part(case: tuple[NativeParameters, NativeParameters]) -> None:
    native, direction = case
    assert tuple_entries(*reduction_differential(native, direction)) == first_order(native, direction)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_gauges_keep_the_effective_tuple(data: st.DataObject) -> None:
    native = data.draw(weights())
    layer = data.draw(st.integers(1, native.depth))
    G = data.draw(matrices(native.ranks[layer - 1], native.ranks[layer - 1]))
    assume(is_invertible(G))
    assert reduce_native(factor_gauge(native, layer, G)) == reduce_native(native)
    if native.depth > 1:
        interface = data.draw(st.integers(1, native.depth - 1))
        H = data.draw(matrices(native.widths[interface], native.widths[interface]))
        assume(is_invertible(H))
        assert reduce_native(interface_change(native, interface, H)) == reduce_native(native)


def test_gauges_move_the_weights() -> None:
    native = NativeParameters(Q=(scalar(2), scalar(3)), K=(scalar(5), scalar(7)), V=(scalar(1), scalar(1)))
    assert factor_gauge(native, 2, scalar(2)).Q == (scalar(2), scalar(6))
    assert interface_change(native, 1, scalar(2)).V == (scalar(2), rational_matrix([["1/2"]]))


@settings(deadline=None, max_examples=40)
@given(weights())
def test_gauge_tangents_are_in_the_kernel_of_the_differential(native: NativeParameters) -> None:
    directions = list(kernel_directions(native))
    assert len(directions) == sum(r * r for r in native.ranks) + sum(d * d for d in native.widths[1:-1])
    for direction in directions:
        assert is_zero(reduction_differential(native, direction))


def test_other_directions_are_seen_by_the_differential() -> None:
    native = NativeParameters(Q=(scalar(2), scalar(3)), K=(scalar(5), scalar(7)), V=(scalar(1), scalar(1)))
    factor = factor_direction(native, 1, scalar(1))
    flipped = NativeParameters(Q=factor.Q, K=factor.Q, V=factor.V)
    assert is_zero(reduction_differential(native, factor))
    assert not is_zero(reduction_differential(native, flipped))
    interface = interface_direction(native, 1, scalar(1))
    half = NativeParameters(Q=factor.V, K=interface.K, V=interface.V)
    assert is_zero(reduction_differential(native, interface))
    assert not is_zero(reduction_differential(native, half))


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_tangents_are_the_derivatives_of_the_group_actions(data: st.DataObject) -> None:
    """``(I + eps B)`` acts as ``1 + eps (tangent) + O(eps^2)``: the second difference quotient stays bounded as an exact rational."""
    native = data.draw(weights())
    B = data.draw(matrices(native.ranks[0], native.ranks[0]))
    step = Fraction(1, 10**9)
    G = tuple(tuple(one + step * b for one, b in zip(*rows, strict=True)) for rows in zip(identity(native.ranks[0]), B, strict=True))
    acted, linear = factor_gauge(native, 1, G), moved(native, factor_direction(native, 1, B), step)
    assert all(abs(a - b) <= 10**6 * step**2 for a, b in zip(acted.entries, linear.entries, strict=True))


@pytest.mark.parametrize("t", [Fraction(1), Fraction(1, 7), Fraction(3)])
def test_path_directions_scale_with_the_factors(t: Fraction) -> None:
    """On the path the directions at t are those at t = 1 with dQ and dK multiplied by t."""
    U = (rational_matrix([[1, 2], [0, 1]]), rational_matrix([[1, 0], [3, 1]]))
    W = (rational_matrix([[1, 1], [2, 5]]), rational_matrix([[0, 1], [1, 1]]))
    V = (identity(2), identity(2))

    def scaled(matrices: tuple[RationalMatrix, ...]) -> tuple[RationalMatrix, ...]:
        return tuple(tuple(tuple(t * x for x in row) for row in matrix) for matrix in matrices)

    at_one, at_t = NativeParameters(U, W, V), NativeParameters(scaled(U), scaled(W), V)
    for one, other in zip(kernel_directions(at_one), kernel_directions(at_t), strict=True):
        assert NativeParameters(scaled(one.Q), scaled(one.K), one.V) == other


def test_entries_are_layer_by_layer() -> None:
    native = NativeParameters(Q=(scalar(1), scalar(4)), K=(scalar(2), scalar(5)), V=(scalar(3), scalar(6)))
    assert native.entries == (1, 2, 3, 4, 5, 6)


ONE = scalar(1)
WIDE = rational_matrix([[1, 2]])
TALL = rational_matrix([[1], [2]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), (), ()), "Q: at least one layer is needed"),
        (((ONE,), (), (ONE,)), "K: as many matrices as in Q, 1, were expected, not 0"),
        (((WIDE,), (WIDE,), (ONE,)), "Q[1]: a 1 x r matrix with 1 <= r <= 1 was expected, not 1 x 2"),
        (((TALL,), (ONE,), (WIDE,)), "K[1]: a 2 x 1 matrix was expected, not 1 x 1"),
        (((TALL,), (TALL,), (TALL,)), "V[1]: a 2 x 2 matrix was expected, not 2 x 1"),
        (((ONE,), (ONE,), ((),)), "V[1]: a d x 1 matrix with d >= 1 was expected, not 0 x 0"),
        (((ONE, ONE), (ONE, ONE), (TALL, WIDE)), "Q[2]: a 2 x 1 matrix was expected, not 1 x 1"),
        ((((*ONE, (Fraction(1), Fraction(2))),), (TALL,), (WIDE,)), "Q[1]: the rows have different lengths"),
    ],
)
def test_native_shapes_are_checked(arguments: tuple[tuple[RationalMatrix, ...], ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        NativeParameters(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("L", "M", "message"),
    [
        ((), (ONE,), "L: a matrix with at least one row and one column was expected"),
        (WIDE, (), "M: at least one layer is needed"),
        (WIDE, (identity(2), ONE), "M[2]: a 2 x 2 matrix was expected, not 1 x 1"),
    ],
)
def test_effective_shapes_are_checked(L: RationalMatrix, M: tuple[RationalMatrix, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        EffectiveParameters(L, M)
    assert str(caught.value) == message


def test_a_network_whose_native_weights_are_another_network_is_refused() -> None:
    softmax = (normalizer("exp(s)"),)
    native = NativeParameters((ONE,), (ONE,), (ONE,))
    assert Network(2, softmax, reduce_native(native), native).width == 1
    with pytest.raises(InputError, match="do not reduce"):
        Network(2, softmax, EffectiveParameters(ONE, (scalar(2),)), native)
    with pytest.raises(InputError, match="at least 2 tokens"):
        Network(1, softmax, reduce_native(native))
    with pytest.raises(InputError, match="one per layer"):
        Network(2, softmax * 2, reduce_native(native))


def test_gauges_refuse_what_does_not_exist() -> None:
    native = NativeParameters((ONE,), (ONE,), (ONE,))
    with pytest.raises(InputError, match="layer: there is no layer 2; 1 to 1 can be named"):
        factor_gauge(native, 2, ONE)
    with pytest.raises(InputError, match="interface: there is no interface 1; none can be named"):
        interface_change(native, 1, ONE)
    with pytest.raises(InputError, match="G: a 1 x 1 matrix was expected"):
        factor_gauge(native, 1, identity(2))
    with pytest.raises(InputError, match="G: an invertible matrix was expected"):
        factor_gauge(native, 1, scalar(0))
    with pytest.raises(InputError, match="direction: widths"):
        reduction_differential(native, NativeParameters((ONE,), (ONE,), (TALL,)))
