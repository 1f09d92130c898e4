"""Jets: against the definition, the symbolic jet, the differential against difference quotients, ranks by two routes."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import sympy
from flint import fmpq, fmpq_mat

from symattn.arithmetic.polynomial_series import GenericNormalizer
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.exact.jet_polynomials import JetPolynomials, jet_polynomials, parameter_symbols
from symattn.exact.jet_ranks import jet_rank_bound
from symattn.exact.jets import jet_differential, jet_of
from symattn.network.jets import Jet, monomial_text, require_affordable
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import rational_matrix
from symattn.normalizers import normalizer
from symattn.theory.orders import jet_orders
from symattn.verification.jets import predict_jet, verify_jet

from .networks import regular_network, scalar_network


def naive_jet(scores: list[int], order: int) -> dict[tuple[int, int], sympy.Rational]:
    """The scalar network of two tokens with ``phi = 1 + s``: a quotient of polynomials, divided as power series along a ray."""
    x, y, r = sympy.symbols("x y r")
    ring = sympy.QQ[x, y]
    tokens = [(sympy.Poly(r * v, r, domain=ring), sympy.Poly(1, r, domain=ring)) for v in (x, y)]
    for m in scores:
        (a, b), (c, d) = tokens
        common = [(a * d, c * b), b * d]  # both tokens over one denominator
        (p, q), e = common
        # 1 + m s t / e^2 up to the common factor e^2.
        weights = [[e * e + m * s * t for t in (p, q)] for s in (p, q)]
        tokens = [(w[0] * p + w[1] * q, (w[0] + w[1]) * e) for w in weights]
    numerator, denominator = ([part.coeff_monomial(r**j) for j in range(order + 1)] for part in tokens[0])
    quotient: list[sympy.Expr] = []
    for j in range(order + 1):
        known = sum((quotient[i] * denominator[j - i] for i in range(j)), sympy.Integer(0))
        quotient.append(sympy.expand((numerator[j] - known) / denominator[0]))
    return {e: c for e, c in sympy.Poly(sum(quotient), x, y).terms() if c}


@pytest.mark.parametrize("scores", [[3], [-2, 5]])
def test_a_scalar_jet_against_its_definition(scores: list[int]) -> None:
    jet = jet_of(scalar_network(["1+s"] * len(scores), scores), 7)
    assert {e: sympy.Rational(str(v)) for e, (v,) in jet.coefficients.items()} == naive_jet(scores, 7)


def test_other_tokens_follow_by_symmetry() -> None:
    """The output of token 1 is symmetric in the other tokens."""
    jet = jet_of(regular_network(random.Random(2), 3, 2, ("exp(s)",)), 5)
    for exponents, values in jet.coefficients.items():
        assert jet.coefficients[exponents[:2] + exponents[4:] + exponents[2:4]] == values


def test_even_degrees_do_not_occur_and_lower_jets_are_truncations() -> None:
    network = regular_network(random.Random(4), 2, 2, ("exp(s)", "exp(s**2+s**3)"))
    jet = jet_of(network, 9)
    assert {sum(exponents) for exponents in jet.coefficients} <= {1, 3, 5, 7, 9}
    for order in (1, 2, 3, 6, 7):
        assert jet_of(network, order) == replace(jet.truncated(order), order=order)


def test_difference_names_the_first_monomial() -> None:
    jet = jet_of(scalar_network(["exp(s)"], [4]), 5)
    other = jet_of(scalar_network(["exp(s)"], [5]), 5)
    mismatch = jet.difference(other)
    assert mismatch is not None
    assert mismatch[0] == (3, 0)
    assert jet.difference(jet) is None
    assert jet.truncated(1).difference(other) is None


def test_monomials_are_counted_before_they_are_made() -> None:
    require_affordable(2, 1, 3000)
    for tokens, width, order in ((2, 1, 10**9), (1000, 1000, 3), (4, 4, 31)):
        with pytest.raises(BudgetError, match="monomials"):
            require_affordable(tokens, width, order)
    with pytest.raises(InputError, match="order: an order of at least 1"):
        jet_of(scalar_network(["exp(s)"], [1]), 0)
    assert monomial_text((0, 3), 2, 1) == "x2_1^3"


def test_irrational_coefficients_are_undecided() -> None:
    with pytest.raises(UndecidedError, match="log"):
        jet_of(scalar_network(["2**s"], [1]), 3)


# Symbolic parameters


@pytest.mark.parametrize(
    ("tokens", "width", "outputs", "texts", "order"),
    [(2, 1, 1, ("exp(s)", "1+s"), 7), (3, 1, 1, ("exp(s**2)",), 7), (2, 2, 1, ("exp(s)",), 5), (2, 2, 2, ("1/(1-s)", "exp(s)"), 5)],
)
def test_polynomials_specialize_to_every_jet(tokens: int, width: int, outputs: int, texts: tuple[str, ...], order: int) -> None:
    general = jet_polynomials(tokens, width, outputs, [normalizer(text) for text in texts], order)
    assert general.parameters == parameter_symbols(width, outputs, len(texts))
    for seed in range(3):
        network = regular_network(random.Random(seed), tokens, width, texts, outputs)
        assert general.at(network.parameters) == jet_of(network, order)


def test_denominators_are_powers_of_the_token_number_and_those_of_the_normalizer() -> None:
    """C.polynomial: for softmax only primes up to the degree in the scores, and those of n, divide the denominator."""
    for tokens, order in ((2, 7), (3, 7), (5, 5)):
        general = jet_polynomials(tokens, 1, 1, [normalizer("exp(s)")] * 2, order)
        assert set(sympy.primefactors(general.denominator)) <= {*sympy.primefactors(tokens), *sympy.primerange((order + 1) // 2 + 1)}
    # A normalizer with integer coefficients leaves the powers of n alone.
    for tokens in (2, 3, 5):
        assert sympy.primefactors(jet_polynomials(tokens, 1, 1, [normalizer("1/(1-s)")], 5).denominator) == [tokens]


@pytest.mark.parametrize(("texts", "first"), [(("exp(s)", "exp(s)"), 7), (("exp(s)", "exp(s**2)"), 9)])
def test_lower_jets_do_not_contain_the_last_score(texts: tuple[str, ...], first: int) -> None:
    """T3 as an identity: no coefficient below N_D contains an entry of M_D, for symbolic L and scores."""
    general = jet_polynomials(2, 1, 1, [normalizer(text) for text in texts], first)
    assert first == jet_orders([normalizer(text).k for text in texts])[-1]
    assert all("M2_1_1" not in general.symbols_of(degree) for degree in range(1, first))
    assert "M2_1_1" in general.symbols_of(first)


def test_a_generic_normalizer_contains_every_other() -> None:
    general = jet_polynomials(2, 1, 1, [GenericNormalizer(2)], 7)
    assert general.parameters == ("L1_1", "M1_1_1", "b2", "b3", "b4")
    special = jet_polynomials(2, 1, 1, [normalizer("exp(s**2+3*s**3)")], 7)
    values = {"b2": 1, "b3": 3, "b4": 0}
    for exponents in {*general.coefficients, *special.coefficients}:
        assert sympy.expand(general.expression(exponents).subs(values) - special.expression(exponents)) == 0
    with pytest.raises(InputError, match="known layers"):
        general.at(EffectiveParameters(rational_matrix([[1]]), (rational_matrix([[1]]),)))


@pytest.mark.parametrize(("sizes", "where"), [((1, 1, 1), "tokens"), ((2, 0, 1), "width"), ((2, 1, 0), "outputs")])
def test_sizes_of_symbolic_jets(sizes: tuple[int, int, int], where: str) -> None:
    with pytest.raises(InputError, match=f"{where}: at least"):
        jet_polynomials(*sizes, [normalizer("exp(s)")], 3)
    with pytest.raises(InputError, match="normalizers: at least 1"):
        jet_polynomials(2, 1, 1, [], 3)


# The differential


def symbolic_rank(general: JetPolynomials, parameters: EffectiveParameters, order: int) -> int:
    """The rank of the Jacobian of the symbolic jet by differentiation of its polynomials: a twin of jet_differential."""
    point = [fmpq(entry.numerator, entry.denominator) for matrix in (parameters.L, *parameters.M) for row in matrix for entry in row]
    kept = [p for exponents, values in general.coefficients.items() if sum(exponents) <= order for p in values]
    return int(fmpq_mat([[p.derivative(name)(*point) for name in general.parameters] for p in kept]).rank())


@pytest.mark.parametrize(("tokens", "width", "texts"), [(2, 1, ("exp(s)", "exp(s)")), (2, 2, ("exp(s)",)), (3, 1, ("exp(s**2)",))])
def test_ranks_against_the_symbolic_jet(tokens: int, width: int, texts: tuple[str, ...]) -> None:
    order = jet_orders([normalizer(text).k for text in texts])[-1]
    network = regular_network(random.Random(6), tokens, width, texts)
    general = jet_polynomials(tokens, width, width, network.normalizers, order)
    differential = jet_differential(network, order)
    for degree, rank in differential.ranks.items():
        if degree in (1, 3, order):
            assert rank == symbolic_rank(general, network.parameters, degree)


def test_kernel_vectors_are_directions_in_which_the_jet_stands_still() -> None:
    """At order 5 of softmax at depth 2 the kernel is the second score, and a step along it changes nothing."""
    network = regular_network(random.Random(3), 2, 2, ("exp(s)", "exp(s)"))
    differential = jet_differential(network, 5)
    assert len(differential.kernel) == differential.parameters - differential.rank == 4
    assert differential.first_degrees == {"L": 1, "M1": 3, "M2": None}
    for vector in differential.kernel:
        assert not any(vector[:8])
        step = tuple(tuple(vector[8 + 2 * i + j] for j in range(2)) for i in range(2))
        moved = tuple(tuple(a + b for a, b in zip(*rows, strict=True)) for rows in zip(network.parameters.M[1], step, strict=True))
        eta = EffectiveParameters(network.parameters.L, (network.parameters.M[0], moved))
        assert jet_of(replace(network, parameters=eta), 5) == jet_of(network, 5)


@pytest.mark.parametrize(
    ("tokens", "width", "texts"),
    [
        *product((2, 3), (1, 2), (("exp(s)",), ("exp(s**2)",), ("exp(s**3)",))),
        (2, 2, ("exp(s)", "1+s")),
        (2, 1, ("exp(s)", "exp(s**2)")),
        (2, 1, ("exp(s**3)", "exp(s)")),
        (2, 1, ("exp(s)", "exp(s)", "exp(s)")),
    ],
)
def test_the_jet_is_an_immersion_at_the_predicted_order_and_not_before(tokens: int, width: int, texts: tuple[str, ...]) -> None:
    network = regular_network(random.Random(f"{tokens}{width}{texts}"), tokens, width, texts)
    orders = jet_orders([phi.k for phi in network.normalizers])
    report = verify_jet(network, orders[-1])
    assert report.comparison.verdict == "confirmed", report.comparison.reasons
    differential = jet_differential(network, orders[-1])
    assert differential.least_immersion_order == orders[-1]
    assert differential.first_degrees == {"L": 1} | {f"M{i}": order for i, order in enumerate(orders, start=1)}
    assert jet_differential(network, orders[-1] - 2).least_immersion_order is None


@pytest.mark.parametrize(("tokens", "width", "texts"), [(2, 2, ("exp(s)", "1+s")), (3, 1, ("exp(s)", "exp(s**2)")), (3, 2, ("exp(s)",))])
def test_rank_bounds_from_inputs_are_the_ranks(tokens: int, width: int, texts: tuple[str, ...]) -> None:
    network = regular_network(random.Random(1), tokens, width, texts)
    order = jet_orders([phi.k for phi in network.normalizers])[-1]
    exact, bound = jet_differential(network, order), jet_rank_bound(network, order)
    assert bound.ranks == exact.ranks
    assert (bound.is_immersion, bound.immersion_order_at_most) == (True, order)
    assert jet_rank_bound(network, order - 2).is_immersion is None


def test_rank_bounds_never_exceed_the_rank() -> None:
    """Also modulo a small prime, where points are few."""
    network = scalar_network(["exp(s)", "exp(s)"], [3, 2])
    exact = jet_differential(network, 7).ranks
    for prime in (11, 13, 101):
        for seed in range(5):
            assert all(rank <= exact[degree] for degree, rank in jet_rank_bound(network, 7, prime=prime, seed=seed).ranks.items())


# Predictions


def test_a_wrong_prediction_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    network = regular_network(random.Random(0), 2, 1, ("exp(s)", "exp(s)"))
    assert verify_jet(network, 9).comparison.verdict == "confirmed"
    for wrong in ((3, 5), (3, 9), (1, 7), (5, 7)):
        monkeypatch.setattr("symattn.verification.jets.jet_orders", lambda degrees, wrong=wrong: wrong)
        assert verify_jet(network, 9).comparison.verdict == "refuted"


def test_a_tuple_that_is_not_regular_is_not_judged() -> None:
    eta = EffectiveParameters(rational_matrix([[1, 0], [0, 1]]), (rational_matrix([[0, 1], [-1, 0]]),))
    report = verify_jet(Network(2, (normalizer("exp(s**2)"),), eta), 5)
    assert report.comparison.verdict == "undecided"
    assert "hypothesis fails: sym(M_i) is not zero (layer 1)" in report.comparison.reasons
    assert not predict_jet(
        Network(2, (normalizer("exp(s)"),), EffectiveParameters(rational_matrix([[0]]), (rational_matrix([[1]]),)))
    ).applies


def test_rank_choices() -> None:
    network = scalar_network(["exp(s)"], [3])
    assert verify_jet(network, 3, "none").comparison.verdict == "undecided"
    points = verify_jet(network, 3, "points")
    assert points.comparison.verdict == "undecided"
    assert "D T_3 is proven injective, as predicted" in points.comparison.reasons


def test_a_jet_is_data() -> None:
    jet = Jet(2, 1, 1, (normalizer("exp(s)"),), 3, {(1, 0): (Fraction(1),), (2, 1): (Fraction(2),)})
    assert jet.part(3) == {(2, 1): (Fraction(2),)}
    assert jet.part(2) == {}
