"""The contact spectrum: two number systems against each other, what stays undecided, and the published fixture."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import pytest

from symattn.arithmetic import DEFAULT_PRIMES, RationalSeries
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.exact import spectrum
from symattn.exact.spectrum import SpectrumOptions, close_from_below, find_spectrum
from symattn.network.files import read_instance
from symattn.network.instance import Instance
from symattn.network.kernel import path_kernel
from symattn.network.path import native_jacobian, output_cotangents

from .instances import random_instance
from .naive_smith import RationalPolynomials, eliminated_exponents

FIXTURE = Path(__file__).parents[2] / "examples" / "matrix_spectrum_fixture.json"
EXP = "exp(s)"

INSTANCES = {
    # one layer
    "1 exp": random_instance(1, 2, 2, [1], [EXP], 4),
    "1 sine": random_instance(2, 3, 2, [2], ["2+sin(s)"], 3),
    "1 square": random_instance(3, 2, 2, [1], ["exp(s**2)"], 5),
    "1 cube": random_instance(4, 3, 1, [1], ["exp(s**3)"], 3),
    "1 cosh, values": random_instance(5, 4, 2, [2], ["cosh(s)"], 3, values=["random"]),
    "1 deficient": random_instance(6, 3, 2, [2], [EXP], 3, kinds=["deficient"]),
    "1 zero": random_instance(7, 3, 2, [1], [EXP], 3, kinds=["zero"]),
    "1 skew": random_instance(8, 3, 2, [2], [EXP], 3, kinds=["skew"]),
    "1 wide": random_instance(9, 2, 3, [2], ["1/(1-s)"], 6),
    "1 singular values": random_instance(10, 3, 2, [1], [EXP], 3, values=["singular"]),
    # two layers
    "2 exp": random_instance(11, 2, 2, [1, 1], [EXP] * 2, 6),
    "2 linear": random_instance(12, 3, 2, [1, 2], ["1+s"] * 2, 6),
    "2 geometric": random_instance(13, 4, 2, [2, 2], ["1/(1-s)"] * 2, 6),
    "2 mixed degrees": random_instance(14, 2, 1, [1, 1], [EXP, "exp(s**2)"], 4),
    "2 mixed degrees, reversed": random_instance(15, 3, 1, [1, 1], ["1+s**2", "2+sin(s)"], 3),
    "2 squares": random_instance(16, 2, 1, [1, 1], ["cosh(s)"] * 2, 3),
    "2 values": random_instance(17, 3, 2, [1, 1], [EXP] * 2, 5, values=["random", "random"]),
    "2 singular first value": random_instance(18, 3, 2, [1, 1], [EXP] * 2, 5, values=["singular", "random"]),
    "2 singular last value": random_instance(19, 3, 2, [1, 1], [EXP] * 2, 5, values=["random", "singular"]),
    "2 skew first": random_instance(20, 3, 2, [2, 1], [EXP] * 2, 6, kinds=["skew", "generic"]),
    "2 skew last": random_instance(21, 3, 2, [1, 2], [EXP] * 2, 6, kinds=["generic", "skew"]),
    "2 skew, two tokens": random_instance(22, 2, 2, [2, 1], ["exp(s+s**2)", EXP], 6, kinds=["skew", "generic"]),
    "2 skew, two tokens, softmax": random_instance(23, 2, 2, [2, 1], [EXP] * 2, 6, kinds=["skew", "generic"]),
    "2 deficient": random_instance(24, 3, 2, [2, 2], [EXP] * 2, 6, kinds=["deficient", "generic"]),
    "2 zero first": random_instance(25, 2, 2, [1, 1], [EXP] * 2, 5, kinds=["zero", "generic"]),
    "2 zero last": random_instance(26, 2, 2, [1, 1], [EXP] * 2, 5, kinds=["generic", "zero"]),
    "2 quadratic logarithm": random_instance(27, 3, 1, [1, 1], ["exp(s+s**2)"] * 2, 3),
    "2 few inputs": random_instance(28, 2, 2, [1, 2], [EXP] * 2, 2),
    # three layers
    "3 scalar": random_instance(29, 2, 1, [1, 1, 1], [EXP] * 3, 4),
    "3 scalar, four tokens": random_instance(30, 4, 1, [1, 1, 1], ["1/(1-s)", EXP, "1+s"], 3),
    "3 scalar, values": random_instance(31, 3, 1, [1, 1, 1], [EXP] * 3, 4, values=["random"] * 3),
    "3 zero in the middle": random_instance(32, 2, 1, [1, 1, 1], [EXP] * 3, 4, kinds=["generic", "zero", "generic"]),
    "3 one input": random_instance(33, 2, 1, [1, 1, 1], [EXP] * 3, 1),
    "3 mixed degrees": random_instance(34, 2, 1, [1, 1, 1], [EXP, "exp(s**2)", "2+sin(s)"], 4),
}
LIMIT = SpectrumOptions(precision=4, max_precision=16, rows="all")


@pytest.mark.parametrize("name", INSTANCES)
def test_the_padic_point_and_the_power_series_agree(name: str) -> None:
    instance = INSTANCES[name]
    padic, series = find_spectrum(instance, "padic", LIMIT), find_spectrum(instance, "series", LIMIT)
    assert padic.orders == series.orders
    assert (padic.rank, padic.kernel, padic.unresolved, padic.bound) == (series.rank, series.kernel, series.unresolved, series.bound)
    assert padic.rank + padic.explicit_kernel + padic.unresolved == instance.parameter_count
    assert series.is_exact == (series.unresolved == 0)
    assert series.is_exact or not padic.is_exact
    assert all(order < padic.bound for order, _ in padic.orders)


@pytest.mark.parametrize("name", ["1 skew", "2 exp", "2 mixed degrees", "2 deficient", "3 scalar"])
def test_the_power_series_agree_with_elimination_in_t(name: str) -> None:
    """All outputs, columns times ``t^weight``, entry by entry over ``Q[t]/(t^(2N))``."""
    instance, precision = INSTANCES[name], 3
    arithmetic = RationalSeries(precision)
    jacobian = native_jacobian(arithmetic, instance, output_cotangents(arithmetic, instance, "all", 0))
    ring = RationalPolynomials(2 * precision)
    entries = iter(jacobian.matrix.polynomials())
    table = []
    for _ in range(instance.output_count):
        row = []
        for weight in jacobian.weights:
            coefficients = [Fraction(0)] * (2 * precision + 1)
            for power, c in enumerate(next(entries).coeffs()):
                coefficients[2 * power + weight] = Fraction(int(c.p), int(c.q))
            row.append(coefficients[: 2 * precision])
        table.append(row)
    finding = find_spectrum(instance, "series", SpectrumOptions(precision=precision, max_precision=precision))
    assert finding.exponents() == eliminated_exponents(table, ring)


@pytest.mark.parametrize("seed", [0, 7, 20261201])
@pytest.mark.parametrize("name", ["2 exp", "2 values", "2 skew first", "2 few inputs", "3 scalar"])
def test_random_combinations_of_rows_do_not_lower_orders(name: str, seed: int) -> None:
    instance = INSTANCES[name]
    every = find_spectrum(instance, options=LIMIT)
    combined = find_spectrum(instance, options=replace(LIMIT, rows="combined", seed=seed))
    assert combined.rank <= every.rank
    assert all(a >= b for a, b in zip(accumulate(combined.exponents()), accumulate(every.exponents()), strict=False))
    if combined.is_exact:
        assert combined.orders == every.orders


def test_combinations_suffice_on_a_generic_bank() -> None:
    findings = [find_spectrum(INSTANCES["2 exp"], options=SpectrumOptions(seed=seed)) for seed in range(3)]
    assert {finding.orders for finding in findings} == {((0, 4), (1, 3), (5, 3))}
    assert all(finding.is_exact and finding.kernel == 6 for finding in findings)


@pytest.fixture(scope="module")
def published() -> Instance:
    """48 inputs of four tokens, width 4, factors of width 2, three softmax layers."""
    return read_instance(FIXTURE)


class TestPublishedFixture:
    def test_its_spectrum(self, published: Instance) -> None:
        finding = find_spectrum(published)
        assert finding.orders == ((0, 16), (1, 12), (5, 12), (17, 12))
        assert (finding.rank, finding.kernel, finding.shape) == (52, 44, (768, 96))
        assert finding.is_exact
        assert finding.caveats == ()

    def test_orders_beyond_the_precision_are_unresolved_and_not_kernel(self, published: Instance) -> None:
        finding = find_spectrum(published, options=SpectrumOptions(precision=8, max_precision=8))
        assert finding.orders == ((0, 16), (1, 12), (5, 12))
        assert (finding.unresolved, finding.bound) == (12, 16)
        assert finding.kernel is None
        assert not finding.is_exact
        assert finding.to_json()["unresolved"] == {"count": 12, "order_at_least": 16}
        assert finding.to_json()["kernel"] is None

    def test_an_undersized_bank_is_not_decided(self, published: Instance) -> None:
        few = published.with_bank(published.bank[:3])
        finding = find_spectrum(few, options=SpectrumOptions(precision=8, max_precision=16))
        assert finding.rank < 52
        assert finding.kernel is None
        assert finding.unresolved == 52 - finding.rank


def test_precision_is_raised_until_rank_and_kernel_add_up() -> None:
    told: list[str] = []
    finding = find_spectrum(INSTANCES["3 scalar"], options=SpectrumOptions(precision=3, divisibility=0), report=told.append)
    assert finding.precision == 12
    assert [message.rpartition(" ")[2] for message in told] == ["3", "6", "12"]
    assert finding.unresolved == 0
    assert not finding.is_exact  # nothing was proven from below


def test_a_wrong_kernel_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = INSTANCES["2 exp"]
    kernel = path_kernel(instance)
    vector = kernel.factor[0]
    wrong = replace(kernel, factor=((vector[0] + 1, *vector[1:]), *kernel.factor[1:]))
    monkeypatch.setattr(spectrum, "path_kernel", lambda _: wrong)
    with pytest.raises(AssertionError, match="not killed"):
        find_spectrum(instance)


def test_exactness_needs_bounds_that_meet() -> None:
    instance = INSTANCES["2 exp"]
    found = find_spectrum(instance, options=SpectrumOptions(divisibility=0))
    assert not found.is_exact
    assert found.lower is None
    assert close_from_below(found, instance, (1, 5), "test").is_exact
    for weaker in ((1, 3), (1, 1)):
        assert not close_from_below(found, instance, weaker, "test").is_exact


def test_two_primes() -> None:
    finding = find_spectrum(INSTANCES["2 exp"], options=SpectrumOptions(primes=DEFAULT_PRIMES[:2], divisibility=0))
    assert finding.primes == DEFAULT_PRIMES[:2]
    assert any("2 primes agree" in caveat for caveat in finding.caveats)


def test_a_prime_that_does_not_serve_is_replaced() -> None:
    """1009 divides a denominator of the bank."""
    instance = INSTANCES["1 exp"]
    first = tuple(tuple(x / 1009 for x in row) for row in instance.bank[0])
    moved = instance.with_bank((first, *instance.bank[1:]))
    finding = find_spectrum(moved, options=SpectrumOptions(primes=(1009,)))
    assert finding.primes == DEFAULT_PRIMES[:1]
    assert finding.orders == find_spectrum(moved, "series").orders


def test_what_cannot_be_searched_is_refused() -> None:
    instance = INSTANCES["1 exp"]
    with pytest.raises(InputError, match="Python: bank: a bank of inputs is needed"):
        find_spectrum(instance.with_bank(()))
    with pytest.raises(UndecidedError, match="no prime was given"):
        find_spectrum(instance, options=SpectrumOptions(primes=()))
    with pytest.raises(InputError, match="prime: a prime below"):
        find_spectrum(instance, options=SpectrumOptions(primes=(1001,)))
    with pytest.raises(BudgetError, match="take a larger prime"):
        find_spectrum(instance, options=SpectrumOptions(primes=(7,)))
