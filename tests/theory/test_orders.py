"""Closed forms against recurrences, published values, counts, and the limits on depth."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from symattn.errors import InputError
from symattn.theory import (
    common_contact_order,
    common_contrast_order,
    common_jet_order,
    common_order_ladder,
    contact_orders,
    contrast_orders,
    jet_orders,
    kernel_dimension,
    layer_multiplicity,
    merged_orders,
    order_ladder,
)
from symattn.theory.orders import MAXIMAL_DIGITS

degree_lists = st.lists(st.integers(1, 9), min_size=1, max_size=9)


@st.composite
def architectures(draw: st.DrawFn) -> tuple[list[int], int, list[int]]:
    degrees = draw(degree_lists)
    width = draw(st.integers(1, 9))
    return degrees, width, draw(st.lists(st.integers(1, width), min_size=len(degrees), max_size=len(degrees)))


def test_published_values() -> None:
    assert contact_orders([1, 1, 1, 1]) == (1, 5, 17, 53)
    assert common_contact_order(1, 7) == 1457
    ladder = order_ladder([1, 1, 1], width=4, ranks=[2, 2, 2])
    assert ladder.orders == ((0, 16), (1, 12), (5, 12), (17, 12))
    assert (ladder.rank, ladder.kernel, ladder.parameter_count) == (52, 44, 96)


@pytest.mark.parametrize("degree", [1, 2, 3, 10, 10**30])
def test_closed_forms_satisfy_the_recurrences(degree: int) -> None:
    depth = 40
    degrees = [degree] * depth
    assert contrast_orders(degrees) == tuple(common_contrast_order(degree, i) for i in range(depth + 1))
    assert jet_orders(degrees) == tuple(common_jet_order(degree, i) for i in range(1, depth + 1))
    assert contact_orders(degrees) == tuple(common_contact_order(degree, i) for i in range(1, depth + 1))


@given(degree_lists)
def test_contact_orders_satisfy_their_own_recurrence(degrees: list[int]) -> None:
    """``e_0 = 0, e_i = 3 e_{i-1} + 2 k_i, beta_i = 2 k_i - 1 + 2 e_{i-1}`` (Prop. D.1), stated apart from alpha and N."""
    e, expected = 0, []
    for k in degrees:
        expected.append(2 * k - 1 + 2 * e)
        e = 3 * e + 2 * k
    assert contact_orders(degrees) == tuple(expected)
    assert contrast_orders(degrees)[-1] == e + 1
    assert sorted(set(expected)) == expected


@given(architectures())
def test_rank_and_kernel_make_up_all_parameters(architecture: tuple[list[int], int, list[int]]) -> None:
    degrees, width, ranks = architecture
    ladder = order_ladder(degrees, width=width, ranks=ranks)
    assert ladder.rank + ladder.kernel == ladder.parameter_count == len(ranks) * width**2 + 2 * width * sum(ranks)
    assert sum(multiplicity for _, multiplicity in ladder.orders) == ladder.rank
    assert [row.to_json()["beta_i"] for row in ladder.rows] == [order for order, _ in ladder.orders[1:]]
    assert ladder.kernel == kernel_dimension(width, ranks)


def test_multiplicity_is_the_rank_of_the_tangent_map() -> None:
    """``dQ W^T + U dK^T`` with coordinate factors fills the columns below r_W and the rows below r_U."""
    for width in range(1, 6):
        for query_rank in range(width + 1):
            for key_rank in range(width + 1):
                filled = {(i, j) for i in range(width) for j in range(width) if i < query_rank or j < key_rank}
                assert layer_multiplicity(width, query_rank, key_rank) == len(filled)


def test_equal_orders_add_up() -> None:
    assert merged_orders([(7, 2), (0, 1), (7, 3), (5, 0)]) == ((0, 1), (7, 5))


def test_the_largest_allowed_order_prints() -> None:
    depth = 8000
    assert len(str(common_contact_order(1, depth))) <= MAXIMAL_DIGITS
    assert common_order_ladder(1, 300, width=1, rank=1).rows[-1].contact_order == 2 * 3**299 - 1


@pytest.mark.parametrize("depth", [10**9, 10**5, 10**4000, 0, -3, True, 1.0])
def test_depths_that_are_refused(depth: int) -> None:
    with pytest.raises(InputError, match=r"^depth: "):
        common_order_ladder(1, depth, width=4, rank=2)


def test_bad_degrees_and_ranks_name_their_layer() -> None:
    with pytest.raises(InputError, match=r"degrees\[2\]: an integer of at least 1 was expected, not 0"):
        contact_orders([1, 0])
    with pytest.raises(InputError, match=r"ranks\[1\]: an integer from 1 to 2 was expected, not 3"):
        order_ladder([1], width=2, ranks=[3])
    with pytest.raises(InputError, match="2 ranks for 1 degrees"):
        order_ladder([1], width=2, ranks=[1, 1])
    with pytest.raises(InputError, match="at least one layer"):
        contact_orders([])
    with pytest.raises(InputError, match="an integer of 13288 bits"):
        order_ladder([1], width=2, ranks=[10**4000])
    with pytest.raises(InputError, match="digits"):
        contact_orders([10**5000])
