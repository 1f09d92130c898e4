"""Witnesses of a difference: monomials, exact values, disjoint enclosures, and inputs that may not serve."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx

from symattn.errors import BudgetError, UndecidedError
from symattn.exact.equality import _are_analytic_towards_zero, evaluate_exactly, first_difference, separating_input
from symattn.exact.jets import jet_of
from symattn.network.files import network_from_dict
from symattn.network.parameters import Network
from symattn.network.rational import rational_matrix
from symattn.theory.fibers import effective_fiber

from ..theory.stacks import matrix, network, perturbations, with_scores
from ..verification.evaluation import confirm_input_witness, number, outputs


def silent(message: str) -> None:
    pass


def scalar(phis: str | list[str], scores: list[object], tokens: int = 2) -> Network:
    return network_from_dict({"symattn": 1, "tokens": tokens, "width": 1, "normalizers": phis, "L": [[1]], "M": [[[m]] for m in scores]})


def test_the_first_difference_by_hand() -> None:
    """``F_1 = (x + y)/2 + M x (x - y)^2 / 4 + ..`` for two scalar tokens."""
    witness = first_difference(scalar("exp(s)", [4]), scalar("exp(s)", [8]), 5, silent)
    assert witness is not None
    assert (witness.monomial, witness.degree, witness.first, witness.second) == ("x1_1^3", 3, (Fraction(1),), (Fraction(2),))
    assert witness.to_json() == {"monomial": "x1_1^3", "degree": 3, "values": [["1"], ["2"]]}
    assert first_difference(scalar("exp(s)", [4]), scalar("exp(s)", [8]), 1, silent) is None


@pytest.mark.parametrize(("scores", "degree"), [([2, 3, 5], 3), ([1, 4, 5], 7), ([1, 3, 6], 19)])
def test_later_layers_are_seen_in_later_degrees(scores: list[object], degree: int) -> None:
    witness = first_difference(scalar("exp(s)", [1, 3, 5]), scalar("exp(s)", scores), 21, silent)
    assert witness is not None
    assert witness.degree == degree


@pytest.mark.parametrize("phis", [["1 + s", "1/(1 - s)"], ["1 + s**2", "1 + s"]])
def test_exact_values_are_those_of_mpmath(phis: list[str]) -> None:
    source = random.Random(1)
    net = network("GG", 3, phis)
    tokens = matrix(3, 2, source)
    exact = evaluate_exactly(net, tokens)
    with mpmath.workdps(50):
        for mine, theirs in zip(exact, outputs(net, tokens), strict=True):
            assert all(abs(number(a) - b) < mpmath.mpf(10) ** -40 for a, b in zip(mine, theirs, strict=True))


def test_poles_are_refused() -> None:
    with pytest.raises(UndecidedError, match="pole"):
        evaluate_exactly(scalar("1/(1-s)", [1]), rational_matrix([[1], [2]]))
    with pytest.raises(UndecidedError, match="a weight sum is zero"):
        evaluate_exactly(scalar("1+s", [1]), rational_matrix([[1], [-3]]))


@pytest.mark.parametrize("phi", ["exp(s)", "cosh(s)", "softplus(s)", "2 + sin(s)", "1/(1 - s)", "exp(s + s**2)"])
def test_witnesses_are_confirmed_by_mpmath(phi: str) -> None:
    first, second = network("GG", 2, phi), network("GR", 2, phi)
    witness = separating_input(first, second)
    assert witness is not None
    assert witness.is_exact == (phi == "1/(1 - s)")
    confirm_input_witness(first, second, witness)


def test_equal_networks_have_no_witness() -> None:
    first = network("RG", 2, ["cosh(s)", "1 + s"])
    second = with_scores(first, {1: tuple(tuple(-x for x in row) for row in first.parameters.M[0])})
    assert separating_input(first, second) is None
    assert separating_input(first, first) is None


def test_a_zero_score_needs_no_value_of_its_normalizer() -> None:
    """``sin(s)/s`` has no value at 0 as an expression, and at a zero score none is needed."""
    first, second = scalar(["exp(s)", "sin(s)/s"], [1, 0]), scalar(["exp(s)", "sin(s)/s"], [2, 0])
    assert separating_input(first, second) is not None


def test_segments_with_a_branch_point_are_refused() -> None:
    root = scalar("sqrt(1-s)", [1])
    assert _are_analytic_towards_zero([root], rational_matrix([["1/2"], ["1/3"]]))
    with pytest.raises(UndecidedError):
        _are_analytic_towards_zero([scalar("sqrt((1-s)**2)", [1])], rational_matrix([[2], [3]]))


def test_no_input_behind_a_branch_point_is_a_witness() -> None:
    """``sqrt((1-s)**2)`` is ``1 - s`` near 0 and ``s - 1`` behind 1: one network near 0, and different values further out."""
    root, line = scalar("sqrt((1-s)**2)", [1]), scalar("1-s", [1])
    assert separating_input(root, line) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symattn.exact.equality._are_analytic_towards_zero", lambda networks, tokens: True)
        assert separating_input(root, line) is not None


def test_witnesses_restore_the_precision() -> None:
    before = ctx.prec
    separating_input(network("GG", 2, "exp(s)"), network("GR", 2, "exp(s)"))
    assert ctx.prec == before


def test_stated_enclosures_are_disjoint_and_hold_the_values() -> None:
    first, second = scalar("exp(s)", [1]), scalar("exp(s)", [f"1{'0' * 40}1/1{'0' * 41}"])
    witness = separating_input(first, second)
    assert witness is not None
    with ctx.workprec(400):
        assert not arb(witness.first).overlaps(arb(witness.second))
    confirm_input_witness(first, second, witness)


def test_large_networks_are_refused_in_a_line() -> None:
    large = scalar("exp(s)", [1], tokens=1024)
    with pytest.raises(BudgetError, match="fewer tokens or a smaller width"):
        separating_input(large, scalar("exp(s)", [2], tokens=1024))


@pytest.mark.parametrize(
    ("word", "tokens", "phis", "width", "order"),
    [
        ("RRR", 2, ["cosh(s)", "exp(s**2)", "1+s**4"], 1, 25),
        ("RRR", 3, ["cosh(s)", "exp(s)", "1+s**2"], 1, 17),
        ("GG", 2, ["1+s**2", "cosh(s)"], 2, 13),
    ],
)
def test_sign_patterns_are_one_polynomial_and_nothing_else_is(word: str, tokens: int, phis: list[str], width: int, order: int) -> None:
    """Whole jets in symbolic tokens, all monomials: the ``2^e`` patterns agree, every other perturbation differs."""
    net = network(word, tokens, phis, width=width)
    fiber = effective_fiber(net)
    jet = jet_of(net, order)
    patterns = fiber.sign_patterns()
    assert len({pattern.parameters for pattern in patterns}) == 2 ** len(fiber.sign_layers)
    for pattern in patterns:
        assert jet_of(pattern, order).difference(jet) is None
    assert fiber.degree is not None
    for layer in range(1, len(word) + 1):
        for other in perturbations(net, layer):
            if not fiber.contains(other) and fiber.degree <= order:
                assert jet_of(other, order).difference(jet) is not None
