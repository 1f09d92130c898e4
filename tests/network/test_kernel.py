"""The explicit kernel: against the differential direction by direction, against the gauges, and against the Jacobian itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat

from symattn.arithmetic import PadicPoint, RationalSeries
from symattn.network.gauges import kernel_directions
from symattn.network.instance import Instance
from symattn.network.kernel import PathKernel, direction_columns, path_kernel
from symattn.network.parameters import NativeParameters, reduction_differential
from symattn.network.path import native_columns, native_jacobian, output_cotangents

from ..exact.instances import native_point, random_instance

CASES = {
    "one layer": random_instance(1, 2, 2, [1], ["exp(s)"], 4),
    "generic": random_instance(2, 3, 2, [1, 2], ["exp(s)", "1+s"], 6),
    "three layers": random_instance(3, 2, 2, [1, 2, 1], ["exp(s)"] * 3, 6),
    "scalar": random_instance(4, 2, 1, [1, 1, 1], ["exp(s)"] * 3, 4),
    "values": random_instance(5, 3, 2, [2, 1, 1], ["exp(s)"] * 3, 6, values=["random", "random", "random"]),
    "singular values": random_instance(6, 3, 2, [2, 1, 2], ["exp(s)"] * 3, 6, values=["random", "singular", "random"]),
    "deficient": random_instance(7, 3, 3, [2, 3], ["exp(s)"] * 2, 4, kinds=["deficient", "generic"]),
    "zero score": random_instance(8, 2, 2, [2, 1], ["exp(s)"] * 2, 4, kinds=["generic", "zero"]),
    "skew": random_instance(9, 3, 2, [2, 2], ["exp(s)"] * 2, 6, kinds=["skew", "generic"]),
}
GENERIC = ["one layer", "generic", "three layers", "scalar", "values", "skew"]


@pytest.fixture(params=CASES)
def instance(request: pytest.FixtureRequest) -> Instance:
    return CASES[request.param]


def unit_directions(instance: Instance) -> Iterator[NativeParameters]:
    """Every native entry in column order, as a tangent vector."""
    point = native_point(instance)

    def zeros(factor: str) -> list[list[list[Fraction]]]:
        return [[[Fraction(0)] * len(row) for row in matrix] for matrix in getattr(point, factor)]

    for column in native_columns(instance):
        change = {factor: zeros(factor) for factor in "QKV"}
        change[column.factor][column.layer - 1][column.row - 1][column.column - 1] = Fraction(1)
        yield NativeParameters(**{factor: tuple(tuple(map(tuple, matrix)) for matrix in change[factor]) for factor in "QKV"})


def rank(vectors: list[tuple[Fraction, ...]]) -> int:
    return int(fmpq_mat([[fmpq(x.numerator, x.denominator) for x in vector] for vector in vectors]).rank())


def test_columns_are_the_differential_of_the_reduction(instance: Instance) -> None:
    """The product formulas for all columns at once against the differential in one unit direction after another."""
    table = direction_columns(instance).transpose().tolist()
    for column, direction in zip(table, unit_directions(instance), strict=True):
        readout, scores = reduction_differential(native_point(instance), direction)
        image = [entry for matrix in (readout, *scores) for row in matrix for entry in row]
        assert [Fraction(int(x.p), int(x.q)) for x in column] == image


def test_the_dimension_is_the_nullity(instance: Instance) -> None:
    kernel = path_kernel(instance)
    assert kernel.columns == instance.parameter_count
    assert kernel.dimension == instance.parameter_count - int(direction_columns(instance).rank())


@pytest.mark.parametrize("name", CASES)
def test_the_dimension_is_that_of_the_gauges_in_the_generic_case(name: str) -> None:
    instance = CASES[name]
    gauges = (instance.depth - 1) * instance.width**2 + sum(r * r for r in instance.ranks)
    dimension = path_kernel(instance).dimension
    assert dimension == gauges if name in GENERIC else dimension > gauges


def test_gauge_and_interface_directions_lie_in_the_span(instance: Instance) -> None:
    kernel = path_kernel(instance)
    basis = [*kernel.factor, *kernel.interface]
    directions = [direction.entries for direction in kernel_directions(native_point(instance))]
    assert rank(basis) == kernel.dimension
    assert rank([*basis, *directions]) == kernel.dimension


def test_the_basis_stays_independent_at_the_collapse(instance: Instance) -> None:
    """At ``u = 0`` factor vectors keep all entries and interface vectors only their value part."""
    kernel = path_kernel(instance)
    is_value = [column.weight == 0 for column in native_columns(instance)]
    assert not any(x for vector in kernel.factor for x, value in zip(vector, is_value, strict=True) if value)
    collapsed = [tuple(x if value else Fraction(0) for x, value in zip(v, is_value, strict=True)) for v in kernel.interface]
    assert rank([*kernel.factor, *collapsed]) == kernel.dimension


@pytest.mark.parametrize("arithmetic", [PadicPoint(101, 6), RationalSeries(3)], ids=lambda a: a.name)
def test_the_jacobian_kills_the_kernel_and_not_a_mutated_one(instance: Instance, arithmetic: PadicPoint | RationalSeries) -> None:
    jacobian = native_jacobian(arithmetic, instance, output_cotangents(arithmetic, instance, "all", 0))
    kernel = path_kernel(instance)
    assert kernel.annihilates(arithmetic, jacobian.matrix, jacobian.weights)
    visible = [j for j in range(kernel.columns) if not jacobian.matrix.take(range(instance.output_count), [j]).is_zero()]
    for mutated in mutations(kernel, visible, jacobian.weights, arithmetic.precision):
        assert not mutated.annihilates(arithmetic, jacobian.matrix, jacobian.weights)


def mutations(kernel: PathKernel, visible: list[int], weights: tuple[int, ...], precision: int) -> Iterator[PathKernel]:
    """The kernel with one entry of one vector changed, in places that the Jacobian can see."""
    for part in ("factor", "interface"):
        vectors = getattr(kernel, part)
        for number, vector in enumerate(vectors):
            places = [j for j in visible if part == "factor" or weights[j] == 0]
            j = places[number % len(places)]
            changed = (*vector[:j], vector[j] + 1, *vector[j + 1 :])
            yield replace(kernel, **{part: (*vectors[:number], changed, *vectors[number + 1 :])})


def test_an_empty_kernel_is_killed() -> None:
    instance = CASES["scalar"]
    arithmetic = RationalSeries(2)
    jacobian = native_jacobian(arithmetic, instance, output_cotangents(arithmetic, instance, "all", 0))
    assert PathKernel((), (), instance.parameter_count).annihilates(arithmetic, jacobian.matrix, jacobian.weights)
