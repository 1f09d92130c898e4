"""The contact-order table: rows, the found column, and what it refuses."""

from __future__ import annotations

import pytest

from symattn.errors import InputError
from symattn.reports import FoundOrder, contact_table, render
from symattn.theory import common_order_ladder, order_ladder

FIXTURE = common_order_ladder(1, 3, width=4, rank=2)


def test_rows_of_the_published_fixture() -> None:
    table = contact_table([FIXTURE])
    assert [column.header for column in table.columns] == ["k", "i", "beta_i", "multiplicity", "alpha_i", "N_i"]
    assert table.rows == ((1, 0, 0, 16, 1, None), (1, 1, 1, 12, 3, 3), (1, 2, 5, 12, 9, 7), (1, 3, 17, 12, 27, 19))
    assert "52 singular values are positive" in table.caption
    assert "has dimension 44" in table.caption
    assert "all 96 native parameters" in table.caption


def test_mixed_degrees_and_widths() -> None:
    table = contact_table([order_ladder([2, 1], width=3, ranks=[1, 2])])
    assert table.rows == ((None, 0, 0, 9, 1, None), (2, 1, 3, 5, 5, 5), (1, 2, 9, 8, 15, 11))
    assert "factors of widths 1, 2" in table.caption


def test_found_orders_stand_beside_the_predicted_ones() -> None:
    found = [FoundOrder(0, 16), FoundOrder(1, 12), FoundOrder(5, 11), FoundOrder(reason="budget"), FoundOrder(19, 1)]
    table = contact_table([FIXTURE], [found])
    assert [row[-1] for row in table.rows] == ["0 (16)", "1 (12)", "5 (11), differs", "not computed (budget)", "19 (1), differs"]
    assert table.rows[-1][:-1] == (None,) * 6
    assert "5 (11), differs" in render(table)


def test_a_wrong_order_is_marked() -> None:
    found = [FoundOrder(0, 16), FoundOrder(1, 12), FoundOrder(5, 12), FoundOrder(18, 12)]
    assert contact_table([FIXTURE], [found]).rows[-1][-1] == "18 (12), differs"


def test_refused() -> None:
    with pytest.raises(InputError, match="at least one ladder"):
        contact_table([])
    with pytest.raises(InputError, match="one width and the same ranks"):
        contact_table([FIXTURE, common_order_ladder(1, 3, width=4, rank=1)])
    with pytest.raises(InputError, match="4 found orders per ladder"):
        contact_table([FIXTURE], [[FoundOrder(0, 16)]])
    with pytest.raises(InputError, match="4 found orders per ladder"):
        contact_table([FIXTURE], [])
