"""Lower bounds for contact orders: greedy removal against all removals, and column orders against the Jacobian itself."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import accumulate, combinations

import pytest
from flint import fmpq, fmpq_mat

from symattn.arithmetic import RationalSeries
from symattn.exact.divisibility import LowerBound, contrast_column_orders, lower_bound, series_column_orders
from symattn.exact.finding import proven_orders
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.instance import Instance
from symattn.network.kernel import PathKernel, path_kernel
from symattn.network.path import native_columns, native_jacobian, output_cotangents

from .instances import random_instance

SMALL = {
    "generic": random_instance(1, 2, 2, [1, 1], ["exp(s)"] * 2, 6),
    "mixed ranks": random_instance(2, 2, 2, [1, 2], ["exp(s)"] * 2, 6),
    "mixed degrees": random_instance(3, 2, 2, [1, 1], ["exp(s**2)", "1+s"], 6),
    "deficient": random_instance(4, 3, 2, [2, 1], ["exp(s)"] * 2, 4, kinds=["deficient", "generic"]),
    "singular values": random_instance(5, 3, 2, [1, 1], ["exp(s)"] * 2, 4, values=["singular", "random"]),
    "zero score": random_instance(6, 2, 2, [1, 1], ["exp(s)"] * 2, 4, kinds=["zero", "generic"]),
    "scalar": random_instance(7, 2, 1, [1, 1, 1], ["exp(s)"] * 3, 4),
    "skew": random_instance(8, 3, 2, [2, 1], ["exp(s)"] * 2, 6, kinds=["skew", "generic"]),
}


@pytest.fixture(params=SMALL)
def instance(request: pytest.FixtureRequest) -> Instance:
    return SMALL[request.param]


LAYER_ORDERS = [(1, 5, 17), (5, 1, 3), (3, 3, 3)]


@pytest.mark.parametrize("layer_orders", LAYER_ORDERS)
def test_greedy_removal_is_the_best_of_all(instance: Instance, layer_orders: tuple[int, ...]) -> None:
    require_best_removal(instance, path_kernel(instance), layer_orders)


@pytest.mark.parametrize("layer_orders", LAYER_ORDERS)
@pytest.mark.parametrize("seed", range(5))
def test_greedy_removal_where_vectors_reach_across_layers(seed: int, layer_orders: tuple[int, ...]) -> None:
    """Factor vectors of a path lie in one layer each, so the choice is free there; on these made-up ones it is not."""
    instance, source = SMALL["mixed ranks"], random.Random(seed)
    own = [bool(column.weight) for column in native_columns(instance)]
    vectors = tuple(tuple(Fraction(source.choice([0, 0, 1, -2]) if weight else 0) for weight in own) for _ in range(4))
    require_best_removal(instance, PathKernel(vectors, (), instance.parameter_count), layer_orders)


def require_best_removal(instance: Instance, kernel: PathKernel, layer_orders: tuple[int, ...]) -> None:
    """Every set of columns on which the factor vectors are independent may be removed; no other leaves larger orders."""
    columns = native_columns(instance)
    own = [j for j, column in enumerate(columns) if column.weight]
    found = lower_bound(instance, kernel, layer_orders, "").exponents
    values = sum(column.weight == 0 for column in columns) - len(kernel.interface)
    size = len(kernel.factor)
    bounds = set()
    for removed in combinations(own, size):
        square = fmpq_mat([[fmpq(v[j].numerator, v[j].denominator) for j in removed] for v in kernel.factor])
        if square.det():
            bounds.add(tuple(sorted(layer_orders[columns[j].layer - 1] for j in own if j not in removed)))
    candidates = [(0,) * values + kept for kept in bounds]
    assert found in candidates
    assert all(a >= b for other in candidates for a, b in zip(accumulate(found), accumulate(other), strict=True))
    assert len(found) == instance.parameter_count - kernel.dimension


@pytest.mark.parametrize("precision", [1, 2, 4])
def test_column_orders_do_not_exceed_the_valuations_of_the_jacobian(instance: Instance, precision: int) -> None:
    arithmetic = RationalSeries(10)
    jacobian = native_jacobian(arithmetic, instance, output_cotangents(arithmetic, instance, "all", 0))
    orders = series_column_orders(instance, precision)
    for number, order in enumerate(orders, start=1):
        own = [j for j, column in enumerate(jacobian.columns) if column.layer == number and column.weight]
        valuation = jacobian.matrix.take(range(instance.output_count), own).valuation()
        assert order <= 2 * precision + 1
        assert valuation is None or order <= 2 * valuation + 1


@pytest.mark.parametrize("precision", [1, 2, 4])
def test_contrast_orders_do_not_exceed_the_valuations_of_the_jacobian(instance: Instance, precision: int) -> None:
    arithmetic = RationalSeries(10)
    jacobian = native_jacobian(arithmetic, instance, output_cotangents(arithmetic, instance, "all", 0))
    for number, order in enumerate(contrast_column_orders(instance, precision), start=1):
        own = [j for j, column in enumerate(jacobian.columns) if column.layer == number and column.weight]
        valuation = jacobian.matrix.take(range(instance.output_count), own).valuation()
        assert order <= 2 * (10 if valuation is None else valuation) + 1


def test_contrasts_are_as_good_as_covariances_on_a_generic_instance() -> None:
    assert contrast_column_orders(SMALL["generic"], 2) == (1, 5)
    assert contrast_column_orders(SMALL["mixed degrees"], 3) == (3, 9)
    assert contrast_column_orders(SMALL["scalar"], 4) == (1, 5, 17)


def test_a_contrast_counts_only_as_far_as_it_was_seen() -> None:
    assert contrast_column_orders(SMALL["scalar"], 2) == (1, 5, 9)


def test_column_orders_are_attained_on_a_generic_instance() -> None:
    assert series_column_orders(SMALL["generic"], 4) == (1, 5)
    assert series_column_orders(SMALL["mixed degrees"], 6) == (3, 9)
    assert series_column_orders(SMALL["scalar"], 9) == (1, 5, 17)


def test_column_orders_not_seen_are_at_least_the_precision() -> None:
    assert series_column_orders(SMALL["scalar"], 3) == (1, 5, 7)


def test_the_bound_holds_for_the_exact_spectrum(instance: Instance) -> None:
    finding = find_spectrum(instance, "series", SpectrumOptions(precision=10, max_precision=10))
    bound = lower_bound(instance, path_kernel(instance), series_column_orders(instance, 4), "").exponents
    assert len(finding.exponents()) <= len(bound)
    assert all(a <= b for a, b in zip(accumulate(bound), accumulate(finding.exponents()), strict=False))


@pytest.mark.parametrize(
    ("found", "bound", "proven"),
    [
        ([0, 1, 5], (0, 1, 5), True),
        ([], (), True),
        ([0, 1, 5], (0, 1, 3), False),
        ([0, 1], (0, 1, 5), False),
        ([0, 1, 5], (0, 1), False),
        ([0, 2, 2], (0, 1, 3), False),
    ],
)
def test_orders_are_proven_where_all_partial_sums_meet(found: list[int], bound: tuple[int, ...], proven: bool) -> None:
    assert proven_orders(found, LowerBound(bound, (), "")) is proven


def test_nothing_is_proven_without_a_bound() -> None:
    assert not proven_orders([0, 1], None)
