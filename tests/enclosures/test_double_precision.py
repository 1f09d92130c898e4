"""Enclosures against numpy's SVD of a Jacobian in double precision: they agree where doubles are reliable, and nowhere else.

By Weyl's inequality a float singular value is off by at most the norm of the error of the Jacobian (complex steps: some units of
rounding) plus the backward error of the SVD (some more). All of it is relative to the largest value, so small values drown.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from symattn.enclosures.singular_values import SingularValues, enclose_singular_values
from symattn.network.instance import Instance
from symattn.verification.published.data import matrix_fixture
from symattn.verification.published.double_precision import double_precision_jacobian

from .conftest import drawn

numpy = pytest.importorskip("numpy")

ROUNDING = Fraction(64, 2**52)
"""The bound: 64 units of rounding of the largest singular value. Up to 6 were seen."""

RELIABLE = Fraction(1, 10**10)
"""A value above this part of the largest agrees to a relative ``ROUNDING / RELIABLE``, below 2e-4."""


def float_values(instance: Instance, t: Fraction) -> list[float]:
    """All singular values in double precision, descending; those of the kernel come last."""
    return [float(value) for value in numpy.linalg.svd(double_precision_jacobian(instance, t), compute_uv=False)]


def balls(found: SingularValues) -> list[arb]:
    return [value.ball for value in found.values for _ in range(value.multiplicity)]


def ball(number: Fraction | float) -> arb:
    exact = Fraction(number)
    return arb(fmpq(exact.numerator, exact.denominator))


def faults(found: SingularValues, floats: list[float]) -> list[int]:
    """The places where a float is not within rounding of every point of its ball, or a kernel value is not within rounding of zero."""
    with ctx.workprec(1000):
        enclosed = balls(found)
        bound = enclosed[0] * ball(ROUNDING)
        expected = [*enclosed, *(arb(0),) * (len(floats) - len(enclosed))]
        return [place for place, (true, value) in enumerate(zip(expected, floats, strict=True), 1) if not abs(true - ball(value)) < bound]


CASES: list[tuple[dict[str, Any], str]] = [
    ({}, "1/10"),
    ({}, "1/200"),
    ({"tokens": 3, "inputs": 4, "seed": 2}, "1/7"),
    ({"ranks": (1,), "width": 2, "inputs": 3}, "3/100"),
    ({"ranks": (1, 1, 1), "inputs": 4}, "1"),
]


@pytest.mark.parametrize(("shape", "t"), CASES)
def test_where_doubles_are_reliable(shape: dict[str, Any], t: str) -> None:
    instance, scale = drawn(**shape), Fraction(t)
    found, floats = enclose_singular_values(instance, scale), float_values(instance, scale)
    assert len(floats) >= found.rank
    assert faults(found, floats) == []
    with ctx.workprec(1000):
        enclosed = balls(found)
        assert all(true > enclosed[0] * ball(RELIABLE) for true in enclosed)
        assert all(abs(ball(value) / true - 1) < ball(ROUNDING / RELIABLE) for true, value in zip(enclosed, floats, strict=False))


def test_equal_values(symmetric: Instance) -> None:
    scale = Fraction(1, 5)
    found = enclose_singular_values(symmetric, scale)
    assert any(value.multiplicity > 1 for value in found.values)
    assert faults(found, float_values(symmetric, scale)) == []


def test_wrong_enclosures_are_noticed() -> None:
    scale = Fraction(1, 10)
    floats = float_values(drawn(), scale)
    found = enclose_singular_values(drawn(), scale)
    for place in range(found.rank):
        values = list(found.values)
        with ctx.workprec(1000):
            shifted = values[place].ball + values[0].ball * ball(2 * ROUNDING)
            enlarged = values[place].ball + arb(0, 1) * values[0].ball * ball(2 * ROUNDING)
        for changed in (shifted, enlarged):
            values[place] = replace(values[place], ball=changed)
            assert faults(replace(found, values=tuple(values)), floats) == [place + 1]
    assert faults(enclose_singular_values(drawn(), Fraction(1, 11)), floats) == [1, 2, 3]
    assert faults(replace(found, values=found.values[:-1]), floats) == [found.rank]


def test_where_doubles_are_not_reliable() -> None:
    """The band of order 17 of the fixture at t = 1/10, below 1e-20: every float is off by more than a factor of 1000; the rank is 40."""
    fixture, scale = matrix_fixture(), Fraction(1, 10)
    found, jacobian = enclose_singular_values(fixture, scale, precision=512), double_precision_jacobian(fixture, scale)
    floats = [float(value) for value in numpy.linalg.svd(jacobian, compute_uv=False)]
    assert faults(found, floats) == []  # within rounding of the largest value, which says nothing about these
    with ctx.workprec(1000):
        enclosed = balls(found)
        factors = [ball(value) / true for true, value in zip(enclosed, floats, strict=False)]
        assert all(abs(factor - 1) < ball(ROUNDING / RELIABLE) for factor in factors[:40])
        assert all(factor > 1000 for factor in factors[40:])
    assert (found.rank, numpy.linalg.matrix_rank(jacobian)) == (52, 40)
    # The weakest value cannot be told from the rounded kernel: the proven ones are apart, the floats go on without a gap.
    assert floats[51] < 10 * floats[52]
