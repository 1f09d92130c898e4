"""Residual ideals at tuples, and monomial ideals against slower twins."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from flint import fmpq
from hypothesis import given, settings, strategies as st

from symattn.errors import InputError, UndecidedError
from symattn.exact.ideals import MonomialIdeal, ResidualIdeal, residual_ideal, residuals
from symattn.exact.jets import jet_of
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import rational_matrix
from symattn.normalizers import normalizer


def network(scores, *normalizers, tokens=2, readout=None):
    width = len(scores[0])
    parameters = EffectiveParameters(
        rational_matrix(readout or [[1, 2][:width]] if width < 3 else [[1] * width]), tuple(map(rational_matrix, scores))
    )
    return Network(tokens, tuple(map(normalizer, normalizers)), parameters)


def test_residuals_are_differences_of_jets():
    base, shift = network([[[2]], [[-1]]], "exp(s)", "1/(1 - s)"), (fmpq(1, 2), fmpq(-1), fmpq(3))
    names, found = residuals(base, 5)
    assert names == ("L1_1", "M1_1_1", "M2_1_1")
    moved = network([[[1]], [[2]]], "exp(s)", "1/(1 - s)", readout=[["3/2"]])
    mine, theirs = jet_of(base, 5).coefficients, jet_of(moved, 5).coefficients
    differences = [theirs.get(e, (Fraction(0),))[0] - mine.get(e, (Fraction(0),))[0] for e in {*mine, *theirs}]
    values = [Fraction(str(polynomial(*shift))) for polynomial in found]
    assert sorted(value for value in values if value) == sorted(value for value in differences if value)


def test_a_regular_tuple_is_an_isolated_reduced_point():
    found = residual_ideal(network([[[2]], [[3]]], "exp(s)", "exp(s)"), 7)
    assert found.variables == found.parameters == ("L1_1", "M1_1_1", "M2_1_1")


def test_a_short_jet_does_not_see_the_last_score():
    assert residual_ideal(network([[[2]], [[3]]], "exp(s)", "exp(s)"), 5).variables == ("L1_1", "M1_1_1")


def test_a_zero_score_frees_what_follows():
    found = residual_ideal(network([[[1, 2], [3, 4]], [[0, 0], [0, 0]], [[1, 0], [0, 1]]], "exp(s)", "exp(s)", "exp(s)"), 7)
    assert found.variables == tuple(name for name in found.parameters if not name.startswith("M3"))


def test_a_double_point_is_undecided():
    with pytest.raises(UndecidedError, match="do not lie in the ideal of the linear parts"):
        residual_ideal(network([[[0]]], "exp(s**2)"), 5)


def test_irrational_coefficients_are_undecided():
    with pytest.raises(UndecidedError):
        residual_ideal(network([[[1]]], "softplus(s)"), 3)


def test_an_order_below_one_is_refused():
    with pytest.raises(InputError, match="order"):
        residual_ideal(network([[[1]]], "exp(s)"), 0)


def test_forms_in_several_shifts_name_no_variables():
    assert ResidualIdeal(("a", "b"), ((fmpq(1), fmpq(2)),), 1).variables is None


NAMES = "abcde"
monomials = st.sets(st.sampled_from(NAMES), min_size=1, max_size=3)
ideals = st.lists(monomials, min_size=1, max_size=4).map(MonomialIdeal.generated_by)


def vanishes(ideal, zeros):
    return all(generator & zeros for generator in ideal.generators)


def zero_sets():
    return [frozenset(chosen) for size in range(len(NAMES) + 1) for chosen in combinations(NAMES, size)]


@given(ideals)
def test_minimal_primes_are_the_least_sets_of_variables_that_vanish(ideal):
    covers = [zeros for zeros in zero_sets() if vanishes(ideal, zeros)]
    assert ideal.minimal_primes() == {zeros for zeros in covers if not any(other < zeros for other in covers)}


@given(ideals, ideals)
def test_intersection_and_sum_on_zero_sets(first, second):
    for zeros in zero_sets():
        assert vanishes(first.intersection(second), zeros) == (vanishes(first, zeros) or vanishes(second, zeros))
        assert vanishes(first + second, zeros) == (vanishes(first, zeros) and vanishes(second, zeros))


@settings(max_examples=15, deadline=None)
@given(ideals, ideals)
def test_intersection_by_elimination(first, second):
    import sympy

    t, *variables = sympy.symbols(" ".join("t" + NAMES))

    def written(ideal):
        return [sympy.Mul(*map(sympy.Symbol, sorted(generator))) for generator in ideal.generators]

    mixed = [t * p for p in written(first)] + [(1 - t) * p for p in written(second)]
    basis = [p for p in sympy.groebner(mixed, t, *variables, order="lex").exprs if not p.has(t)]
    assert set(basis) == set(written(first.intersection(second)))


def test_redundant_generators_are_dropped():
    assert MonomialIdeal.generated_by(["ab", "a", "abc"]) == MonomialIdeal.of_variables("a")


def test_a_product_in_shared_variables_is_refused():
    with pytest.raises(ValueError, match="disjoint"):
        MonomialIdeal.of_variables("ab").disjoint_product(MonomialIdeal.of_variables("bc"))


def test_the_zero_and_the_unit_ideal():
    assert MonomialIdeal.generated_by([]).minimal_primes() == {frozenset()}
    assert MonomialIdeal.generated_by([[]]).minimal_primes() == frozenset()
