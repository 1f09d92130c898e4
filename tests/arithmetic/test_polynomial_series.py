"""Power series with polynomial coefficients: the laws of every number system, and what the symbols add."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from symattn.arithmetic import RationalSeries
from symattn.arithmetic.polynomial_series import GenericNormalizer, LocalNormalizer, PolynomialSeries
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.network.attention import Layer, evaluate, pull_back_stack, trace_stack
from symattn.normalizers import normalizer

from .coefficients import COEFFICIENTS
from .laws import ArithmeticLaws, random_rational


class TestPolynomialSeries(ArithmeticLaws):
    """The shared laws, on elements whose coefficients are random polynomials in two symbols."""

    def system(self) -> Any:
        return PolynomialSeries(("x", "y"), 4)

    def element(self, source: random.Random, rows: int, columns: int) -> Any:
        system = self.system()
        result = super().element(source, rows, columns)
        for name in system.symbols:
            own = system.from_polynomials([[system.symbol(name) ** source.randint(1, 2)] * columns] * rows)
            result = result + own.hadamard(super().element(source, rows, columns))
        return result

    def unit(self, source: random.Random, rows: int, columns: int) -> Any:
        # Polynomials are units only where they are numbers, so the symbols come with a power of u.
        system = self.system()
        start = [[source.choice([-4, -1, 1, 2, 3, Fraction(5, 2)]) for _ in range(columns)] for _ in range(rows)]
        return system.matrix(start) + system.shift(self.element(source, rows, columns), 1)


class TestPolynomialSeriesWithoutSymbols(ArithmeticLaws):
    def system(self) -> Any:
        return PolynomialSeries((), 3)


def at_point(entry: dict[int, Any], point: tuple[int, ...], precision: int) -> list[fmpq]:
    """The coefficients of a series with numbers in the place of the symbols."""
    return [entry[j](*point) if j in entry else fmpq(0) for j in range(precision)]


@pytest.mark.parametrize("text", COEFFICIENTS)
def test_numbers_in_place_of_symbols_give_the_rational_series(text: str) -> None:
    """A network, with derivatives, in symbols and then at a point, against the univariate series at that point."""
    precision, point, source = 5, (2, -3), random.Random(text)
    symbolic, rational = PolynomialSeries(("x", "y"), precision), RationalSeries(precision)
    x, y = symbolic.symbol("x"), symbolic.symbol("y")
    tokens = symbolic.from_polynomials([[x, y], [y * y, x - y], [x * y, x + 1]])
    numbers = rational.matrix([[2, -3], [9, 5], [-6, 3]])
    score, value, cotangent = (random_rational(source, *size) for size in ((2, 2), (2, 2), (3, 2)))

    def results(system: Any, inputs: Any) -> list[Any]:
        layers = [Layer(normalizer(text), system.shift(system.matrix(score), 1), system.matrix(value))] * 2
        traces = [layer[0] for layer in trace_stack(system, layers, [inputs])]
        pulled = pull_back_stack(system, traces, system.matrix(cotangent))
        return [traces[-1].output, *(block for pair in pulled for block in pair)]

    for mine, other in zip(results(symbolic, tokens), results(rational, numbers), strict=True):
        for entry, polynomial in zip(mine.entries(), other.polynomials(), strict=True):
            assert at_point(entry, point, precision) == [polynomial[j] for j in range(precision)]


@pytest.mark.parametrize("text", ["exp(s)", "1+s", "cosh(s)", "exp(s**2+s**3)"])
def test_a_generic_normalizer_contains_every_other(text: str) -> None:
    """With the coefficients of log phi in the place of ``b_k, ..`` the generic expansion is the one of phi."""
    phi, precision = normalizer(text), 5
    generic = GenericNormalizer(phi.k)
    names = generic.symbols(precision + 1)
    plain, symbolic = PolynomialSeries(("x",), precision), PolynomialSeries(("x", *names), precision)

    def output(system: Any, normalizer_: Any) -> Any:
        tokens = system.from_polynomials([[system.symbol("x")], [system.context.constant(2)]])
        layer = Layer(normalizer_, system.shift(system.matrix([[3]]), 1), system.matrix([[1]]))
        return evaluate(system, [layer, layer], [tokens])[0]

    logarithm = phi.log_coefficients(precision + 1)
    values = [plain.symbol("x"), *(plain.context.constant(logarithm[degree]) for degree in range(phi.k, precision + 1))]
    for entry, expected in zip(output(symbolic, generic).entries(), output(plain, phi).entries(), strict=True):
        found = {j: p.compose(*values, ctx=plain.context) for j, p in entry.items()}
        assert {j: p for j, p in found.items() if p} == expected


def test_a_local_normalizer_is_the_normalizer_seen_from_elsewhere() -> None:
    """``exp(s^2)`` around q is ``exp(q^2 + 2 q s + s^2)``: the constant part of the scores is taken off."""
    system = PolynomialSeries(("q", "x"), 4)
    q, x, one = system.symbol("q"), system.symbol("x"), system.context.constant(1)
    score = system.from_polynomials([[q, q]]) + system.shift(system.from_polynomials([[x, one]]), 1)
    local = LocalNormalizer(q, (q * q, 2 * q, one, system.zero, system.zero))
    ((weights, slopes),) = system.normalize(local, [score])
    # log w_1 - log w_2 = 2 q (x - 1) u + (x^2 - 1) u^2, and the slope is 2 s.
    ratio = weights[0, 0], weights[0, 1]
    expected = system._exponentiated({1: 2 * q * (x - 1), 2: x * x - 1})
    assert ratio[0] == system.product(expected, ratio[1])
    assert slopes[0, 0] == system.product({0: 2 * q, 1: 2 * x}, weights[0, 0])


def test_a_local_normalizer_with_too_few_coefficients_is_refused() -> None:
    system = PolynomialSeries(("q",), 4)
    q = system.symbol("q")
    score = system.from_polynomials([[q, q]]) + system.shift(system.matrix([[0, 1]]), 1)
    with pytest.raises(BudgetError, match="5 coefficients"):
        system.normalize(LocalNormalizer(q, (q, q)), [score])


def test_a_local_normalizer_at_the_wrong_point_is_refused() -> None:
    system = PolynomialSeries(("q",), 1)
    q = system.symbol("q")
    with pytest.raises(UndecidedError, match="score"):
        system.normalize(LocalNormalizer(q, (q, q)), [system.from_polynomials([[q * q]])])


def test_sparse_series_stay_sparse() -> None:
    system = PolynomialSeries(("x",), 40)
    entry = system.shift(system.from_polynomials([[system.symbol("x")]]), 20) + system.constant(1, 1, 1)
    assert sorted(system.reciprocal(entry)[0, 0]) == [0, 20]


@pytest.mark.parametrize(
    ("make", "error"), [(lambda: PolynomialSeries(("x", "x"), 2), InputError), (lambda: PolynomialSeries((), 0), BudgetError)]
)
def test_bad_rings_are_refused(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


def test_unknown_symbols_are_refused() -> None:
    with pytest.raises(InputError, match="one of x was expected, not 'y'"):
        PolynomialSeries(("x",), 2).symbol("y")


def test_rings_do_not_mix() -> None:
    one, other = PolynomialSeries(("x",), 2), PolynomialSeries(("x",), 3)
    for operation in ("__add__", "__sub__", "__matmul__", "hadamard"):
        with pytest.raises(ValueError, match="do not fit"):
            getattr(one.constant(1, 1, 1), operation)(other.constant(1, 1, 1))


def test_products_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.arithmetic.polynomial_series._MOST_TERM_PAIRS", 3)
    system = PolynomialSeries(("x", "y"), 2)
    entry = system.from_polynomials([[system.symbol("x") + system.symbol("y")]])
    with pytest.raises(BudgetError, match="too many terms: more than 3 pairs"):
        entry @ entry
