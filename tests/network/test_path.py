"""The native Jacobian on the collapse path against an evaluation in plain integers at ``t = p``."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from symattn.arithmetic import PadicPoint, RationalSeries
from symattn.network.instance import Instance, PathLayer
from symattn.network.path import native_columns, native_jacobian, path_layers
from symattn.network.rational import RationalMatrix, rational_matrix
from symattn.normalizers import normalizer

PRIME = 101
STEP = 8  # derivatives are difference quotients with step p^STEP, so they are known modulo p^STEP
MODULUS = PRIME ** (2 * STEP)

Table = list[list[int]]
Weights = list[dict[str, Table]]


def random_table(source: random.Random, rows: int, columns: int) -> RationalMatrix:
    return rational_matrix([[Fraction(source.randint(-6, 6), source.randint(1, 3)) for _ in range(columns)] for _ in range(rows)])


def random_instance(seed: int, n: int, d: int, ranks: Sequence[int], texts: Sequence[str]) -> Instance:
    source = random.Random(seed)
    layers = tuple(PathLayer(random_table(source, d, r), random_table(source, d, r), random_table(source, d, d)) for r in ranks)
    return Instance(n, d, tuple(map(normalizer, texts)), layers, tuple(random_table(source, n, d) for _ in range(2)))


INSTANCES = [
    random_instance(1, 2, 1, [1], ["exp(s)"]),
    random_instance(2, 3, 2, [1], ["1/(1-s)"]),
    random_instance(3, 2, 2, [2, 1], ["exp(s)", "exp(s)"]),
    random_instance(4, 3, 2, [1, 2], ["2+sin(s)", "exp(s**2)"]),
    random_instance(5, 3, 1, [1, 1], ["1+s**2", "exp(s)"]),
]


def integer(value: Any) -> int:
    """A p-integral rational in ``Z/p^(2 STEP)``."""
    return int(value.numerator) * pow(int(value.denominator), -1, MODULUS) % MODULUS


def integers(matrix: RationalMatrix, factor: int = 1) -> Table:
    return [[factor * integer(x) % MODULUS for x in row] for row in matrix]


def weights_at_prime(instance: Instance) -> Weights:
    """The native weights ``Q = p U, K = p W, V`` as integers."""
    return [{"Q": integers(layer.U, PRIME), "K": integers(layer.W, PRIME), "V": integers(layer.V)} for layer in instance.layers]


def taylor_sum(coefficients: list[int], s: int) -> int:
    total = 0
    for coefficient in reversed(coefficients):
        total = (total * s + coefficient) % MODULUS
    return total


def plain_network(instance: Instance, weights: Weights, x: Table) -> list[int]:
    """All outputs on one input, straight from the definition, in integers modulo ``p^(2 STEP)``."""
    tokens = x
    for own, phi in zip(weights, instance.normalizers, strict=True):
        coefficients = [Fraction(int(c.p), int(c.q)) for c in phi.coefficients(STEP)]  # s^STEP is divisible by p^(2 STEP)
        series = [integer(c) for c in coefficients]
        queries = [[sum(x[i] * own["Q"][i][j] for i in range(len(x))) for j in range(len(own["Q"][0]))] for x in tokens]
        keys = [[sum(x[i] * own["K"][i][j] for i in range(len(x))) for j in range(len(own["K"][0]))] for x in tokens]
        result = []
        for query in queries:
            values = [taylor_sum(series, sum(a * b for a, b in zip(query, key, strict=True)) % MODULUS) for key in keys]
            inverse = pow(sum(values), -1, MODULUS)
            mean = [sum(w * y[j] for w, y in zip(values, tokens, strict=True)) * inverse % MODULUS for j in range(len(x[0]))]
            result.append([sum(a * b for a, b in zip(row, mean, strict=True)) % MODULUS for row in own["V"]])
        tokens = result
    return [entry for row in tokens for entry in row]


def plain_jacobian(instance: Instance) -> Table:
    """One row for every output of every input, one column for every native entry, modulo ``p^STEP``."""
    columns = []
    inputs = [integers(x) for x in instance.bank]
    start = weights_at_prime(instance)
    before = [entry for x in inputs for entry in plain_network(instance, start, x)]
    for place in native_columns(instance):
        moved = [{factor: [row[:] for row in table] for factor, table in own.items()} for own in start]
        moved[place.layer - 1][place.factor][place.row - 1][place.column - 1] += PRIME**STEP
        after = [entry for x in inputs for entry in plain_network(instance, moved, x)]
        changes = [(a - b) % MODULUS for a, b in zip(after, before, strict=True)]
        assert not any(change % PRIME**STEP for change in changes)
        columns.append([change // PRIME**STEP for change in changes])
    return [list(row) for row in zip(*columns, strict=True)]


def all_outputs(arithmetic: Any, instance: Instance) -> list[list[Any]]:
    n, d = instance.tokens, instance.width
    units = [arithmetic.matrix([[int((a, b) == (i, j)) for b in range(d)] for a in range(n)]) for i in range(n) for j in range(d)]
    return [units for _ in instance.bank]


@pytest.mark.parametrize("instance", INSTANCES)
def test_the_jacobian_at_t_equal_p(instance: Instance) -> None:
    """The series in ``u`` at ``u = p^2``, columns of weight 1 times p, against difference quotients at ``t = p``."""
    arithmetic = RationalSeries(STEP // 2)
    jacobian = native_jacobian(arithmetic, instance, all_outputs(arithmetic, instance))
    assert jacobian.matrix.shape == (instance.output_count, instance.parameter_count)
    entries = iter(jacobian.matrix.polynomials())
    for row in plain_jacobian(instance):
        for expected, weight in zip(row, jacobian.weights, strict=True):
            value = sum(integer(c) * PRIME ** (2 * j + weight) for j, c in enumerate(_rational(next(entries))))
            assert value % PRIME**STEP == expected


@pytest.mark.parametrize("instance", INSTANCES)
def test_the_padic_jacobian_is_the_series_at_u_equal_p(instance: Instance) -> None:
    series, point = RationalSeries(4), PadicPoint(PRIME, 4)
    expected = iter(native_jacobian(series, instance, all_outputs(series, instance)).matrix.polynomials())
    for row in native_jacobian(point, instance, all_outputs(point, instance)).matrix.integers():
        for entry in row:
            assert entry == sum(integer(c) * PRIME**j for j, c in enumerate(_rational(next(expected)))) % PRIME**4


def _rational(polynomial: Any) -> list[Fraction]:
    return [Fraction(int(c.p), int(c.q)) for c in polynomial.coeffs()]


def test_combined_rows_are_combinations_of_plain_rows() -> None:
    instance, arithmetic = INSTANCES[3], RationalSeries(3)
    n, d = instance.tokens, instance.width
    plain = native_jacobian(arithmetic, instance, all_outputs(arithmetic, instance)).matrix
    source = random.Random(3)
    factors = [[source.randint(-5, 5) for _ in range(n * d)] for _ in instance.bank]
    cotangents = [[arithmetic.matrix([row[a * d : (a + 1) * d] for a in range(n)])] for row in factors]
    blocks = [[*[0] * (i * n * d), *row, *[0] * ((len(factors) - 1 - i) * n * d)] for i, row in enumerate(factors)]
    assert native_jacobian(arithmetic, instance, cotangents).matrix.agrees_with(arithmetic.matrix(blocks) @ plain)


def test_columns_run_layer_by_layer_through_q_k_v() -> None:
    instance = INSTANCES[2]
    columns = native_columns(instance)
    assert [(c.layer, c.factor) for c in columns] == [(1, "Q")] * 4 + [(1, "K")] * 4 + [(1, "V")] * 4 + [(2, "Q")] * 2 + [(2, "K")] * 2 + [
        (2, "V")
    ] * 4
    assert [(c.row, c.column) for c in columns[:4]] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert [c.weight for c in columns] == [int(c.factor != "V") for c in columns]
    assert len(columns) == instance.parameter_count


def test_layers_of_the_path() -> None:
    arithmetic = RationalSeries(3)
    for layer, own in zip(path_layers(arithmetic, INSTANCES[3]), INSTANCES[3].layers, strict=True):
        assert layer.score.agrees_with(arithmetic.shift(arithmetic.matrix(own.score), 1))
        assert layer.value.agrees_with(arithmetic.matrix(own.V))
