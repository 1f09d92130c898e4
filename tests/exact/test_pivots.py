"""Pivots by complete pivoting against the block algorithm, and what the named rows and columns show by themselves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from symattn.arithmetic import PadicPoint
from symattn.exact.pivots import complete_pivots
from symattn.exact.smith import local_smith

P = 101


def drawn(seed: int, rows: int, columns: int, precision: int) -> list[list[int]]:
    """Sparse entries of all valuations, some beyond the precision, and dependent columns."""
    source = random.Random(seed)
    table = [
        [source.choice([0, 1, 1, 1]) * source.randint(1, 50) * P ** source.randint(0, precision) for _ in range(columns)]
        for _ in range(rows)
    ]
    if columns > 2:
        for row in table:
            row[2] = row[0] + 3 * row[1]
    return table


@pytest.mark.parametrize("seed", range(60))
def test_orders_are_those_of_the_block_algorithm(seed: int) -> None:
    source = random.Random(seed)
    rows, columns, precision = source.randint(1, 6), source.randint(1, 6), source.randint(1, 5)
    weights = [source.randint(0, 1) for _ in range(columns)]
    matrix = PadicPoint(P, precision).matrix(drawn(seed, rows, columns, precision))
    pivots = complete_pivots(matrix, weights, range(columns), P)
    found = tuple(sorted(Counter(pivot.order for pivot in pivots).items()))
    form = local_smith(matrix, weights, ramification=2)
    # Beyond the bound the block algorithm does not look; a column of weight 1 may show one order more here.
    assert tuple(pair for pair in found if pair[0] < form.bound) == tuple(pair for pair in form.orders if pair[0] < form.bound)
    assert [pivot.order for pivot in pivots] == sorted(2 * pivot.valuation + weights[pivot.column] for pivot in pivots)


@pytest.mark.parametrize("seed", range(20))
def test_the_chosen_block_has_the_orders_of_the_whole(seed: int) -> None:
    precision = 6
    weights = [random.Random(seed).randint(0, 1) for _ in range(5)]
    matrix = PadicPoint(P, precision).matrix(drawn(seed, 7, 5, 2))
    pivots = complete_pivots(matrix, weights, range(5), P)
    rows, columns = [pivot.row for pivot in pivots], [pivot.column for pivot in pivots]
    block = local_smith(matrix.take(rows, columns), [weights[c] for c in columns], ramification=2)
    assert block.orders == local_smith(matrix, weights, ramification=2).orders
    assert block.rank == len(pivots)


def test_columns_that_are_left_out_are_not_used() -> None:
    matrix = PadicPoint(P, 3).matrix([[1, 2, P], [3, 4, 5]])
    assert {pivot.column for pivot in complete_pivots(matrix, [0, 0, 0], [0, 2], P)} == {0, 2}
