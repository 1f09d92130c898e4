"""Constants over an interval of scales: they hold at many scales, are narrow, and wrong orders or constants are noticed."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, arb_mat, ctx, fmpq
from mpmath import mp

from symattn.enclosures import divided_gram, path_columns as columns_module, uniform_bounds as module
from symattn.enclosures.divided_gram import gram_model
from symattn.enclosures.norms import entry_bounds, frobenius_norm, spectral_norm, upper_inverse
from symattn.enclosures.path_columns import path_columns
from symattn.enclosures.singular_values import SingularValues, enclose_gram, enclose_singular_values
from symattn.enclosures.uniform_bounds import UniformBounds, enclose_uniformly
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.network.banks import draw_instance
from symattn.network.instance import Instance
from symattn.normalizers import normalizer
from symattn.progress import silent

from .conftest import drawn
from .oracle import singular_values

PARTS = (Fraction(1), Fraction(99, 100), Fraction(3, 4), Fraction(1, 2), Fraction(1, 7), Fraction(1, 100), Fraction(1, 10**9))


def faults(bounds: UniformBounds, values: SingularValues) -> list[str]:
    """What the enclosed values at one scale refute."""
    problems = []
    if (values.rank, values.kernel) != (bounds.rank, bounds.kernel):
        problems.append("rank")
    expanded = [value.ball for value in values.values for _ in range(value.multiplicity)]
    claims = [band for band in bounds.bands for _ in range(band.multiplicity)]
    with ctx.workprec(values.precision + 64):
        t = abs(arb(fmpq(values.t.numerator, values.t.denominator)))
        for place, (ball, band) in enumerate(zip(expanded, claims, strict=False), start=1):
            if not band.lower * t**band.order < ball:
                problems.append(f"value {place} is not seen to be above its lower bound")
            if not band.upper * t**band.order > ball:
                problems.append(f"value {place} is not seen to be below its upper bound")
    return problems


def all_faults(bounds: UniformBounds, instance: Instance, parts: tuple[Fraction, ...] = PARTS) -> list[str]:
    return [fault for part in parts for fault in faults(bounds, enclose_singular_values(instance, bounds.t0 * part))]


def changed(bounds: UniformBounds, place: int, lower: int = 1, upper: int = 1, order: int = 0) -> UniformBounds:
    """One band with its constants in other units, or with another order."""
    band = bounds.bands[place]
    band = replace(band, lower=band.lower * lower, upper=band.upper / upper, order=band.order + order)
    return replace(bounds, bands=(*bounds.bands[:place], band, *bounds.bands[place + 1 :]))


CASES = [
    ({"ranks": (1,)}, (1,), "1/200"),
    ({}, (1, 5), "1/100"),
    ({"ranks": (1, 1, 1), "inputs": 5}, (1, 5, 17), "1/100"),
    ({"text": "1 + s**2", "inputs": 5}, (3, 11), "1/100"),
    ({"text": "sigmoid(s)", "tokens": 3}, (1, 5), "1/200"),
    ({"text": "sinc(s)", "tokens": 3}, (3, 11), "1/100"),
    ({"text": "sqrt(1 + s)", "tokens": 3}, (1, 5), "1/200"),
    ({"tokens": 3, "width": 2, "ranks": (1, 2), "inputs": 8}, (1, 5), "1/1000"),
]


@pytest.mark.parametrize(("shape", "orders", "t0"), CASES, ids=str)
def test_they_hold_and_are_narrow(shape: dict[str, Any], orders: tuple[int, ...], t0: str) -> None:
    instance = drawn(**shape)
    bounds = enclose_uniformly(instance, t0, orders)
    assert [band.order for band in bounds.bands] == [0, *orders]
    assert all_faults(bounds, instance) == []
    at_end = enclose_singular_values(instance, t0)
    place = 0
    for number, band in enumerate(bounds.bands):
        own = [value.ball for value in at_end.values][place : place + band.multiplicity]
        place += band.multiplicity
        power = arb(fmpq(bounds.t0.numerator, bounds.t0.denominator)) ** band.order
        assert band.lower * power * arb(fmpq(13, 10)) > own[-1]
        assert band.upper * power < own[0] * arb(fmpq(13, 10))
        # Constants that are too good by the factor that the narrowness allows are refuted, and so is every other order.
        assert faults(changed(bounds, number, lower=2), at_end) != []
        assert faults(changed(bounds, number, upper=2), at_end) != []
        for wrong in (-1, 1):
            assert all_faults(changed(bounds, number, order=wrong), instance) != []


def test_one_layer_by_hand(scalar: Instance) -> None:
    """As t -> 0 the rows are (t x/4, t x/4, 3/2) for x = 1, 2: the values approach 3/sqrt(2) and t/4."""
    bounds = enclose_uniformly(scalar, "1/1000", (1,))
    for band, limit in zip(bounds.bands, (arb(9) / 2, arb(1) / 16), strict=True):
        assert band.lower**2 < limit < band.upper**2
        assert band.upper / band.lower < arb(fmpq(101, 100))


def test_against_the_oracle() -> None:
    instance = drawn()
    bounds = enclose_uniformly(instance, "1/100", (1, 5))
    for t in (Fraction(1, 100), Fraction(-1, 130)):
        truth = singular_values(instance, t, lambda mp, s: mp.exp(s), digits=60)
        for value, band in zip(truth, bounds.bands, strict=False):
            low, high = (mp.mpf(text) for text in band.bounds(15))
            scale = mp.mpf(abs(t).numerator) / abs(t).denominator
            assert low * scale**band.order < value < high * scale**band.order


@pytest.mark.parametrize("orders", [(1, 3), (1, 7), (3, 5), (1, 9), (5, 1), (1, 1)])
def test_other_powers_prove_nothing(orders: tuple[int, int]) -> None:
    """Powers that do not divide are seen not to, and lesser ones leave columns that are dependent at t = 0."""
    with pytest.raises((BudgetError, UndecidedError), match="does not divide|not seen to be independent|to be independent"):
        enclose_uniformly(drawn(), "1/100", orders)


def test_a_bank_that_does_not_separate_proves_nothing(scalar: Instance) -> None:
    blind = scalar.with_bank((((Fraction(1),), (Fraction(1),)),))
    with pytest.raises(BudgetError, match="1024 bits do not show .* independent"):
        enclose_uniformly(blind, "1/10", (1,), max_precision=1024)


def test_a_scale_that_is_too_large_is_told() -> None:
    with pytest.raises(BudgetError, match="a smaller t may help, up to about 0.0"):
        enclose_uniformly(drawn(), "1/10", (1, 5))
    with pytest.raises(BudgetError, match="not seen to be analytic.*a smaller t may help, up to about"):
        enclose_uniformly(drawn("sqrt(1 + s)", tokens=3), "1/20", (1, 5))


@pytest.mark.parametrize("orders", [(2,), (0,), (-1,), (1, 1), (), (1.0,)])
def test_powers_that_cannot_be(scalar: Instance, orders: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match="layer orders: a positive odd power of t"):
        enclose_uniformly(scalar, "1/10", orders)


def test_nothing_but_kernel() -> None:
    instance = drawn()
    zero = ((Fraction(0),),)
    erased = replace(instance, layers=tuple(replace(layer, U=zero, W=zero, V=zero) for layer in instance.layers))
    with pytest.raises(UndecidedError, match="no positive singular values"):
        enclose_uniformly(erased, "1/100", (1, 5))


@pytest.mark.parametrize("t0", [0.1, "0", "x", True])
def test_a_scale_that_is_not_exact_is_refused(scalar: Instance, t0: Any) -> None:
    with pytest.raises(InputError, match="^t: "):
        enclose_uniformly(scalar, t0, (1,))
    with pytest.raises(InputError, match="bank"):
        enclose_uniformly(scalar.with_bank(()), "1/10", (1,))


def test_the_sign_of_a_scale_does_not_matter(scalar: Instance) -> None:
    assert enclose_uniformly(scalar, "-0.1", (1,)).t0 == Fraction(1, 10)


def test_the_path_columns_carry_all_positive_values() -> None:
    """The values of J are those of G D times numbers between 1 and (1 + u ||W||)^(1/2); leaving out the kernel is noticed."""
    instance, t = drawn(tokens=3, width=2, ranks=(1, 2), inputs=8), Fraction(1, 500)
    columns = path_columns(instance, (1, 5))
    values = enclose_singular_values(instance, t, 30)
    with ctx.workprec(500):
        excess = columns.excess()
        assert excess > 0
        high = (1 + excess / 500**2).sqrt() * (1 + arb(10) ** -12)

        def fits(other: Any) -> bool:
            gram = other.gram_at(t * t, 500)
            step = arb(1) / 500
            powers = [step**order for order in columns.orders]
            size = range(len(powers))
            found = enclose_gram(arb_mat([[gram[i, j] * powers[i] * powers[j] for j in size] for i in size]))
            assert found is not None
            ratios = [value.ball / own.ball for value, own in zip(values.values, found, strict=True)]
            return all(1 - arb(10) ** -12 < ratio < high for ratio in ratios)

        assert fits(columns)
        nothing = tuple((Fraction(0),) * len(columns.orders) for _ in columns.constant)
        assert not fits(replace(columns, constant=nothing))
        assert not fits(replace(columns, linear=nothing))


def test_the_model_holds_between_its_nodes() -> None:
    columns, u0 = path_columns(drawn(), (1, 5)), Fraction(1, 10**4)
    model = gram_model(columns, u0, 4096, silent)
    for part in (Fraction(1), Fraction(1, 3), Fraction(1, 10**6)):
        gram = columns.gram_at(u0 * part, 800)
        assert not model.contradicts(u0 * part, gram)
        with ctx.workprec(800):
            other = arb_mat(3, 3, [entry * (1 + arb(10) ** -4) for entry in gram.entries()])
        assert model.contradicts(u0 * part, other)
    # Half of the nodes, with the remainder of all of them, misses the function.
    short = gram_model(columns, u0, 4096, silent)
    few = [u0 * Fraction(place, 1 << 20) for place in divided_gram._places(4)]
    values = [columns.gram_at(node, 800) for node in few]
    with ctx.workprec(800):
        worse = tuple(divided_gram._interpolated(values, [node / u0 for node in few]))
    assert replace(short, coefficients=worse).contradicts(u0, columns.gram_at(u0, 800))


def test_the_remainder_is_above_the_product_between_nodes() -> None:
    u0, rho = Fraction(1, 100), Fraction(1, 30)
    places = divided_gram._places(8)
    nodes = [u0 * Fraction(place, 1 << 20) for place in places]
    bound = divided_gram._remainder(places, rho / u0)
    largest = Fraction(0)
    for k in range(201):
        u, product = u0 * k / 200, rho
        for node in nodes:
            product *= abs(u - node) / (rho - node)
        largest = max(largest, product / (rho - u))
    assert arb(fmpq(largest.numerator, largest.denominator)) < bound < 20 * arb(fmpq(largest.numerator, largest.denominator))


@pytest.mark.parametrize("count", [2, 8, 240])
def test_nodes_are_distinct(count: int) -> None:
    places = [0, *divided_gram._places(count), 1 << 20]
    assert places == sorted(set(places))


def test_a_deep_band_that_moves_along_shallow_ones() -> None:
    """At depth 5 the deepest column is 10^23 times longer than its distance from the others, and constants are still narrow."""
    instance = drawn(ranks=(1,) * 5, inputs=7)
    bounds = enclose_uniformly(instance, "1/1000", (1, 5, 17, 53, 161))
    assert all_faults(bounds, instance, (Fraction(1), Fraction(1, 20))) == []
    assert all(band.upper < band.lower * arb(fmpq(11, 10)) for band in bounds.bands)


def test_no_global_precision_is_changed(scalar: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (ctx.prec, mp.prec)
    enclose_uniformly(scalar, "1/10", (1,))
    with pytest.raises(UndecidedError):
        enclose_uniformly(scalar, "1/10", (3,))
    assert (ctx.prec, mp.prec) == before

    def failing(*arguments: Any) -> Any:
        raise RuntimeError("in the middle")

    for place, name in ((module, "piece_at"), (divided_gram, "_interpolated"), (columns_module, "spectral_norm")):
        with monkeypatch.context() as patched:
            patched.setattr(place, name, failing)
            with pytest.raises(RuntimeError):
                enclose_uniformly(scalar, "1/10", (1,))
        assert (ctx.prec, mp.prec) == before


def test_values_that_are_not_the_identity() -> None:
    instance = drawn(tokens=3, width=2, ranks=(1, 2), inputs=8)
    values = ((Fraction(1), Fraction(2)), (Fraction(-1), Fraction(1, 3)))
    other = replace(instance, layers=tuple(replace(layer, V=values) for layer in instance.layers))
    bounds = enclose_uniformly(other, "1/2000", (1, 5))
    assert all_faults(bounds, other) == []
    assert all_faults(changed(bounds, 2, lower=4), other) != []


def test_columns_of_very_different_sizes() -> None:
    """Entries of two digits make the columns of the deep band 10^25 times larger than those of the values."""
    normalizers = (normalizer("exp(s)"),) * 2
    instance = draw_instance(3, 2, (1, 2), normalizers, 8, 1)
    bounds = enclose_uniformly(instance, "1e-12", (1, 5))
    assert all_faults(bounds, instance) == []
    with ctx.workprec(100):
        triangle = arb_mat([[1, 10**30, -3], [0, 10**35, 7], [0, 0, arb(10) ** -30]])
        product = upper_inverse(triangle)
        for i, row in enumerate(((1, -(arb(10) ** -5), 3 * arb(10) ** 30 + 7 * arb(10) ** 25), (0, arb(10) ** -35, -7 * arb(10) ** -5))):
            for j, exact in enumerate(row):
                assert product[i, j].overlaps(arb(exact))
                assert product[i, j].rad() <= abs(arb(exact)) * arb(2) ** -80


@pytest.mark.parametrize("seed", range(5))
def test_norms(seed: int) -> None:
    source = random.Random(seed)
    with ctx.workprec(100):
        matrix = arb_mat([[source.randint(-9, 9) for _ in range(4)] for _ in range(5)])
        values = enclose_gram(matrix.transpose() * matrix)
        assert values is not None
        largest = values[0].ball
        assert largest.lower() <= spectral_norm(matrix) < largest * arb(fmpq(1001, 1000))
        assert largest < frobenius_norm(matrix) <= 2 * largest
        wide = arb_mat(2, 2, [arb(3, 0.5), arb(0, 1), 0, arb(-1, 0.25)])
        assert spectral_norm(wide) >= arb(7) / 2
        for found, exact in zip(entry_bounds(wide).entries(), (arb(7) / 2, arb(1), arb(0), arb(5) / 4), strict=True):
            assert exact <= found <= exact * arb(fmpq(1001, 1000))
