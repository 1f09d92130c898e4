"""The greedy construction of a separating bank for a finite-dimensional space of functions (Appendix C, C.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count, product

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import NetworkCase, listed, network_case
from symattn.arithmetic.linear_algebra import pivot_columns, rank, to_flint
from symattn.errors import HypothesisError
from symattn.exact.jets import jet_of

Exponents = tuple[int, ...]
Polynomial = Mapping[Exponents, Fraction]
Point = tuple[int, ...]


def bank_bound(dimension: int) -> int:
    """The number of inputs that suffices: the dimension of the space (C.bank, C.9)."""
    return dimension


def greedy_bank(functions: Sequence[Polynomial]) -> list[Point]:
    """Inputs on which only the zero combination of independent polynomials vanishes.

    While some combination vanishes on all inputs so far, one more input is added on which it does not: every input makes the space of
    such combinations smaller. The search ends: a polynomial of degree at most N in each variable vanishes on no full grid ``{-N .. N}``.
    Raises :class:`HypothesisError` for functions that are not independent.
    """
    bank: list[Point] = []
    while (combination := vanishing_combination(functions, bank)) is not None:
        polynomial = {exponents: value for exponents, value in _sum(functions, combination).items() if value}
        if not polynomial:
            raise HypothesisError("the functions are not linearly independent: a combination of them is zero")
        variables = len(next(iter(polynomial)))
        bank.append(next(point for point in _grid(variables) if value_at(polynomial, point)))
    return bank


def vanishing_combination(functions: Sequence[Polynomial], bank: Sequence[Point]) -> list[Fraction] | None:
    """Coefficients, not all zero, of a combination that vanishes on the bank; ``None`` if there is none."""
    if not bank:
        return [Fraction(int(j == 0)) for j in range(len(functions))]
    matrix = to_flint(values_on(functions, bank))
    pivots = pivot_columns(matrix)
    free = next((j for j in range(len(functions)) if j not in pivots), None)
    if free is None:
        return None
    combination = [Fraction(int(j == free)) for j in range(len(functions))]
    for row, pivot in zip(matrix.rref()[0].tolist(), pivots, strict=False):
        combination[pivot] = -Fraction(str(row[free]))
    return combination


def values_on(functions: Sequence[Polynomial], bank: Sequence[Point]) -> list[list[Fraction]]:
    """One row for each input: the values of all functions."""
    return [[value_at(function, point) for function in functions] for point in bank]


def value_at(polynomial: Polynomial, point: Point) -> Fraction:
    """The value of a polynomial at a point with integer coordinates."""
    total = Fraction(0)
    for exponents, coefficient in polynomial.items():
        for x, exponent in zip(point, exponents, strict=True):
            coefficient *= x**exponent
        total += coefficient
    return total


@statement(
    "C.bank",
    label="C.9",
    group="Finite jets",
    claim="a finite-dimensional space of functions has a separating bank of at most as many inputs as its dimension, found greedily",
)
def separating_bank(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = effort.pick(_CASES[:1], _CASES[:3], _CASES)
    for case, order, members in cases:
        effort.report(str(case))
        functions = _independent([case_jet(case, order, seed) for seed in range(1, members + 1)])
        bank = greedy_bank(functions)
        what = f"{len(functions)}-dimensional span of jets of degree {order}, {case}"
        evidence.equal(rank(values_on(functions, bank)), len(functions), f"the bank separates the {what}")
        evidence.equal(len(bank) <= bank_bound(len(functions)), True, f"it has at most as many inputs as the dimension, {what}")
        steps = [rank(values_on(functions, bank[: size + 1])) for size in range(len(bank))]
        evidence.equal(steps == sorted(set(steps)), True, f"every input adds something, {what}")
    return evidence.outcome(f"the algorithm on spans of jets: {listed([case for case, _, _ in cases])}")


_CASES: list[tuple[NetworkCase, int, int]] = [
    (network_case(2, 1, "exp(s)", "exp(s)"), 7, 6),
    (network_case(2, 2, "1 + s**2"), 5, 8),
    (network_case(3, 1, "1/(1 - s)", "exp(s)"), 7, 12),
    (network_case(2, 2, "exp(s)", "exp(s)"), 7, 10),
]


def case_jet(case: NetworkCase, order: int, seed: int) -> Polynomial:
    """The jet of a drawn network with one output, as a polynomial in all token entries."""
    return {exponents: values[0] for exponents, values in jet_of(case.network(seed), order).coefficients.items()}


def _independent(functions: Sequence[Polynomial]) -> list[Polynomial]:
    """A basis of the span, chosen from the functions."""
    monomials = sorted({exponents for function in functions for exponents in function})
    rows = [[function.get(exponents, Fraction(0)) for function in functions] for exponents in monomials]
    return [functions[j] for j in pivot_columns(to_flint(rows))]


def _sum(functions: Sequence[Polynomial], coefficients: Sequence[Fraction]) -> dict[Exponents, Fraction]:
    total: dict[Exponents, Fraction] = {}
    for function, factor in zip(functions, coefficients, strict=True):
        for exponents, value in function.items():
            total[exponents] = total.get(exponents, Fraction(0)) + factor * value
    return total


def _grid(variables: int) -> Iterator[Point]:
    """All integer points, in growing boxes."""
    for size in count(1):
        yield from (point for point in product(range(-size, size + 1), repeat=variables) if max(map(abs, point)) == size)
