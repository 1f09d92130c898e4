"""The blockwise local Smith form against prescribed exponents, naive elimination, and determinantal divisors."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpz_mod_ctx, fmpz_mod_mat
from hypothesis import given, settings, strategies as st

from symattn.arithmetic import ModularSeries, PadicMatrix, PadicPoint, RationalSeries
from symattn.exact.smith import SmithForm, local_smith

from .naive_smith import (
    ModularIntegers,
    RamifiedIntegers,
    RationalPolynomials,
    determinantal_exponents,
    eliminated_exponents,
)

Table = list[list[int]]
MODULI = [(2, 3), (2, 9), (3, 5), (7, 4), (2147483647, 6)]


def padic(table: Sequence[Sequence[int]], columns: int, prime: int, precision: int) -> PadicMatrix:
    """A matrix over ``Z/p^N``, also where the prime is too small for a p-adic point (its Taylor terms)."""
    entries = [x for row in table for x in row]
    return PadicMatrix(fmpz_mod_mat(len(table), columns, entries, fmpz_mod_ctx(prime**precision)), prime, precision)


def times(left: Table, right: Table, columns: int) -> Table:
    return [[sum(row[k] * right[k][j] for k in range(len(right))) for j in range(columns)] for row in left]


def unimodular(source: random.Random, size: int, prime: int = 1, weights: Sequence[int] | None = None) -> Table:
    """A product of a lower and an upper triangular integer matrix with units on the diagonal.

    With column weights, what carries a column of weight 1 into one of weight 0 is divisible by p: so does a column operation over
    ``Z[sqrt(p)]`` read on the stored integers.
    """
    weights = weights or [0] * size

    def entry(i: int, j: int) -> int:
        return source.randint(-9, 9) * (prime if weights[i] > weights[j] else 1)

    lower = [[entry(i, j) if j < i else int(i == j) for j in range(size)] for i in range(size)]
    upper = [[entry(i, j) if j > i else int(i == j) for j in range(size)] for i in range(size)]
    return times(lower, upper, size)


def prescribed(source: random.Random, rows: int, columns: int, prime: int, powers: Sequence[int | None], weights: Sequence[int]) -> Table:
    """A matrix equivalent to the diagonal of these powers of p (``None`` is zero)."""
    diagonal = [[0] * columns for _ in range(rows)]
    for place, power in enumerate(powers):
        diagonal[place][place] = 0 if power is None else prime**power * source.choice([1, -1, prime + 1])
    return times(times(unimodular(source, rows), diagonal, columns), unimodular(source, columns, prime, weights), columns)


def shapes_and_powers(source: random.Random, precision: int) -> tuple[int, int, list[int | None]]:
    rows, columns = source.randint(0, 6), source.randint(0, 6)
    choices = [None, *range(precision + 2)]
    return rows, columns, [source.choice(choices) for _ in range(min(rows, columns))]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("prime", "precision"), MODULI)
def test_prescribed_exponents_are_found(prime: int, precision: int, seed: int) -> None:
    source = random.Random(seed)
    rows, columns, powers = shapes_and_powers(source, precision)
    table = prescribed(source, rows, columns, prime, powers, [0] * columns)
    form = local_smith(padic(table, columns, prime, precision))
    seen = sorted(power for power in powers if power is not None and power < precision)
    assert form.exponents() == seen
    assert form.unresolved == min(rows, columns) - len(seen)
    assert form.bound == precision
    assert eliminated_exponents(table, ModularIntegers(prime, precision)) == seen


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("prime", "precision"), MODULI)
def test_prescribed_exponents_with_weights_are_found(prime: int, precision: int, seed: int) -> None:
    source = random.Random(1000 + seed)
    rows, columns, powers = shapes_and_powers(source, precision)
    weights = [source.randint(0, 1) for _ in range(columns)]
    table = prescribed(source, rows, columns, prime, powers, weights)
    form = local_smith(padic(table, columns, prime, precision), weights, ramification=2)
    seen = sorted(2 * power + weight for power, weight in zip(powers, weights, strict=False) if power is not None and power < precision)
    assert form.exponents() == seen
    assert form.unresolved == min(rows, columns) - len(seen)
    assert form.bound == 2 * precision
    ramified = [
        [(0, x % prime**precision) if weight else (x % prime**precision, 0) for x, weight in zip(row, weights, strict=True)]
        for row in table
    ]
    assert eliminated_exponents(ramified, RamifiedIntegers(prime, precision)) == seen


@pytest.mark.parametrize("seed", range(60))
def test_determinantal_divisors(seed: int) -> None:
    """Random entries of mixed valuation, no structure assumed: all minors over the integers decide."""
    source = random.Random(seed)
    prime, precision = source.choice([(2, 12), (3, 10), (7, 8)])
    rows, columns = source.randint(1, 4), source.randint(1, 4)
    table = [[source.randint(-4, 4) * prime ** source.randint(0, 2) for _ in range(columns)] for _ in range(rows)]
    ramification = source.choice([1, 2, 3])
    weights = [source.randrange(ramification) for _ in range(columns)]
    expected = determinantal_exponents(table, prime, weights, ramification)
    form = local_smith(padic(table, columns, prime, precision), weights, ramification)
    assert form.exponents() == [order for order in expected if order < ramification * precision]
    assert form.exponents() == expected  # the precision suffices for these sizes


def test_the_same_instance_in_t_and_in_u() -> None:
    """Polynomials in u: at ``u = p`` with weights, and at ``t = p``, ``u = p^2``, with the columns times ``t^w``."""
    source, prime, precision = random.Random(5), 2147483647, 4
    for _ in range(20):
        rows, columns = source.randint(1, 5), source.randint(1, 5)
        weights = [source.randint(0, 1) for _ in range(columns)]
        least = [source.randint(0, 2) for _ in range(columns)]
        coefficients = [[[source.randint(1, 10**6) for _ in range(2)] for _ in range(columns)] for _ in range(rows)]

        def value(c: list[int], j: int, u: int, least: list[int] = least) -> int:
            return u ** least[j] * (c[0] + c[1] * u)

        in_u = [[value(c, j, prime) for j, c in enumerate(row)] for row in coefficients]
        in_t = [[value(c, j, prime**2) * prime ** weights[j] for j, c in enumerate(row)] for row in coefficients]
        weighted = local_smith(padic(in_u, columns, prime, precision), weights, ramification=2)
        plain = local_smith(padic(in_t, columns, prime, 2 * precision))
        assert weighted.orders == plain.orders
        assert eliminated_exponents(in_t, ModularIntegers(prime, 2 * precision)) == plain.exponents()


@pytest.mark.parametrize("seed", range(30))
def test_power_series_against_elimination(seed: int) -> None:
    source = random.Random(seed)
    precision, rows, columns = 5, source.randint(1, 4), source.randint(1, 4)
    sparse = [0, 0, 0, 1, -1, 2, Fraction(1, 2)]
    table = [[[Fraction(source.choice(sparse)) for _ in range(precision)] for _ in range(columns)] for _ in range(rows)]
    rational, modular = RationalSeries(precision), ModularSeries(2147483647, precision)
    expected = eliminated_exponents(table, RationalPolynomials(precision))
    for arithmetic in (rational, modular):
        total = arithmetic.constant(rows, columns, 0)
        for power in range(precision):
            total = total + arithmetic.shift(arithmetic.matrix([[x[power] for x in row] for row in table]), power)
        form = local_smith(total)
        assert form.exponents() == expected
        assert form.unresolved == min(rows, columns) - len(expected)
    weights = [source.randint(0, 1) for _ in range(columns)]
    longer = RationalPolynomials(2 * precision)
    spread = [[[x[i // 2] if i % 2 == 0 else Fraction(0) for i in range(2 * precision)] for x in row] for row in table]
    in_t = [[[Fraction(0)] * w + x[: 2 * precision - w] for x, w in zip(row, weights, strict=True)] for row in spread]
    total = rational.constant(rows, columns, 0)
    for power in range(precision):
        total = total + rational.shift(rational.matrix([[x[power] for x in row] for row in table]), power)
    assert local_smith(total, weights, ramification=2).exponents() == eliminated_exponents(in_t, longer)


class TestKnownFaultsOfGeneralTools:
    """Where general Smith forms went wrong: prime powers taken for zero, transformations that are not unimodular, shapes."""

    def test_a_prime_power_modulo_eight_is_not_zero(self) -> None:
        assert local_smith(padic([[4]], 1, 2, 3)) == SmithForm(((2, 1),), 0, 3)
        assert local_smith(padic([[8]], 1, 2, 3)) == SmithForm((), 1, 3)
        assert local_smith(padic([[2, 4], [4, 2]], 2, 2, 3)).orders == ((1, 2),)
        assert local_smith(padic([[4, 4], [4, 4]], 2, 2, 3)) == SmithForm(((2, 1),), 1, 3)

    def test_a_factor_that_is_not_a_unit_is_not_divided_away(self) -> None:
        assert local_smith(padic([[1, 0], [0, 6]], 2, 3, 4)).orders == ((0, 1), (1, 1))
        assert local_smith(padic([[2, 0], [0, 3]], 2, 5, 4)).orders == ((0, 2),)
        assert local_smith(padic([[1, 1], [1, 1 + 3**3]], 2, 3, 4)).orders == ((0, 1), (3, 1))

    @pytest.mark.parametrize("shape", [(1, 4), (4, 1), (2, 5), (5, 2)])
    def test_shapes_that_are_not_square(self, shape: tuple[int, int]) -> None:
        rows, columns = shape
        table = [[3 ** (i + j) for j in range(columns)] for i in range(rows)]
        assert local_smith(padic(table, columns, 3, 9)) == SmithForm(((0, 1),), min(rows, columns) - 1, 9)

    def test_zero_rows_and_columns(self) -> None:
        assert local_smith(padic([[0, 0, 0], [0, 9, 0], [0, 0, 0]], 3, 3, 5)) == SmithForm(((2, 1),), 2, 5)
        assert local_smith(padic([[0] * 3] * 2, 3, 3, 5)) == SmithForm((), 2, 5)

    @pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
    def test_empty_matrices(self, shape: tuple[int, int]) -> None:
        assert local_smith(padic([[]] * shape[0], shape[1], 3, 5)) == SmithForm((), 0, 5)
        for arithmetic in (RationalSeries(5), ModularSeries(7, 5), PadicPoint(7, 5)):
            assert local_smith(arithmetic.constant(*shape, 0)) == SmithForm((), 0, 5)


@pytest.mark.parametrize("weights", [[0], [0, 0, 0], [0, 2], [-1, 0]])
def test_weights_that_do_not_fit_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match=r"one weight in 0 .. ramification - 1"):
        local_smith(padic([[1, 2]], 2, 3, 2), weights, ramification=2)


def test_multiplicities_sum_to_the_rank() -> None:
    form = local_smith(padic([[1, 0, 0, 0], [0, 3, 0, 0], [0, 0, 3, 0]], 4, 3, 4))
    assert form.rank == 3
    assert Counter(form.exponents()) == dict(form.orders)


Operation = tuple[str, int, int, int]
OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["rows", "columns"]), st.integers(0, 3), st.integers(0, 3), st.integers(-50, 50)), max_size=12
)


def operated(table: Table, operations: list[Operation], prime: int, weights: Sequence[int]) -> Table:
    """Elementary operations, one line plus a multiple of another; those on columns are unimodular over ``Z[sqrt(p)]``."""
    result = [row[:] for row in table]
    for kind, target, origin, factor in operations:
        if target == origin:
            continue
        if kind == "rows":
            result[target] = [x + factor * y for x, y in zip(result[target], result[origin], strict=True)]
        else:
            lifted = factor * (prime if weights[origin] > weights[target] else 1)
            for row in result:
                row[target] += lifted * row[origin]
    return result


@settings(max_examples=60, deadline=None)
@given(
    table=st.lists(st.lists(st.sampled_from([0, 1, -2, 3, 5, 9, 15, 27, 45]), min_size=4, max_size=4), min_size=4, max_size=4),
    operations=OPERATIONS,
    weights=st.lists(st.integers(0, 1), min_size=4, max_size=4),
)
def test_unimodular_operations_change_nothing(table: Table, operations: list[Operation], weights: list[int]) -> None:
    before = local_smith(padic(table, 4, 3, 8), weights, ramification=2)
    after = local_smith(padic(operated(table, operations, 3, weights), 4, 3, 8), weights, ramification=2)
    assert before == after


@given(table=st.lists(st.lists(st.integers(-30, 30), min_size=3, max_size=3), min_size=3, max_size=3), row=st.integers(0, 2))
def test_an_operation_that_is_not_unimodular_raises_the_last_divisor(table: Table, row: int) -> None:
    form = local_smith(padic(table, 3, 3, 30))
    scaled: Any = [[3 * x for x in line] if i == row else line for i, line in enumerate(table)]
    other = local_smith(padic(scaled, 3, 3, 30))
    if form.rank == 3:
        assert sum(other.exponents()) == sum(form.exponents()) + 1
