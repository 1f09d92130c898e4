"""Recovery: tuple to jet to tuple, jets that no tuple realizes, jets that are too short, and tuples that are not regular."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from symattn.errors import BudgetError, HypothesisError, InputError, NotRealizableError, UndecidedError
from symattn.exact.germs import NetworkGerm
from symattn.exact.jets import jet_of
from symattn.exact.recovery import recover, recover_germ
from symattn.network.jets import Exponents, Jet, JetTooShortError
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, rational_matrix
from symattn.normalizers import normalizer
from symattn.theory.determining_orders import sign_order

from .networks import BY_DEGREE, assert_recovered, order_for_signs, random_matrix, regular_network, scalar_network

ROUND_TRIPS = 200
SHALLOW = [seed for seed in range(ROUND_TRIPS) if random.Random(seed).choice([1, 1, 2, 2, 3]) < 3]


def drawn_network(seed: int) -> Network:
    """A regular network of depth, width, tokens, normalizers and outputs drawn from the seed."""
    source = random.Random(seed)
    depth, width, tokens = source.choice([1, 1, 2, 2, 3]), source.choice([1, 2, 3]), source.choice([2, 2, 3, 4])
    texts = [source.choice(BY_DEGREE[source.choice([1, 2, 3])]) for _ in range(depth)]
    return regular_network(source, tokens, width, texts, source.choice([1, width]))


def round_trip(seed: int) -> None:
    network = drawn_network(seed)
    order = order_for_signs(network)
    found = recover_germ(NetworkGerm(network, order), network.tokens, network.width, network.normalizers)
    assert_recovered(found, network)
    assert found.degree_used <= order


@pytest.mark.parametrize("seed", SHALLOW[:40])
def test_round_trip(seed: int) -> None:
    round_trip(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted(set(range(ROUND_TRIPS)) - set(SHALLOW[:40])))
def test_more_round_trips(seed: int) -> None:
    round_trip(seed)


STORED = [
    (2, 1, ("exp(s)", "exp(s)")),
    (3, 1, ("exp(s)", "exp(s**2+s**3)")),
    (2, 1, ("exp(s**2+s**5)", "1/(1+exp(-s))")),
    (2, 1, ("exp(s)", "exp(s)", "exp(s)")),
    (2, 2, ("exp(s)", "1+s")),
    (2, 2, ("exp(s**2+s**3)",)),
    (3, 2, ("exp(s**3)",)),
    (2, 3, ("cosh(s)",)),
    (2, 3, ("exp(s)",)),
]


@pytest.mark.parametrize(("tokens", "width", "texts"), STORED)
def test_round_trip_through_a_stored_jet(tokens: int, width: int, texts: tuple[str, ...]) -> None:
    network = regular_network(random.Random(f"{texts}{tokens}"), tokens, width, texts)
    order = order_for_signs(network)
    found = recover(jet_of(network, order))
    assert_recovered(found, network)
    assert found.degree_used == order
    assert found.checked == f"every coefficient up to degree {order}"


def test_three_wide_layers_from_a_stored_jet() -> None:
    """The size that the speed of recovery is measured at: d = 3, D = 2."""
    network = regular_network(random.Random(3), 2, 3, ("exp(s)", "exp(s)"))
    assert_recovered(recover(jet_of(network, 7)), network)


def test_the_final_score_is_arbitrary_at_a_nonzero_slope() -> None:
    """k_D = 1: also a skew and a zero last score are recovered."""
    for final in ([[0, 2], [-2, 0]], [[0, 0], [0, 0]]):
        eta = EffectiveParameters(rational_matrix([[1, 2], [0, 1]]), (rational_matrix([[1, 1], [0, 2]]), rational_matrix(final)))
        network = Network(3, (normalizer("exp(s)"), normalizer("1+s")), eta)
        assert recover_germ(NetworkGerm(network, 7), 3, 2, network.normalizers).parameters == eta


# Jets that no tuple realizes


def changed(jet: Jet, exponents: Exponents, coordinate: int, change: Fraction) -> Jet:
    values = list(jet.coefficients.get(exponents, (Fraction(0),) * jet.outputs))
    values[coordinate] += change
    return replace(jet, coefficients={**jet.coefficients, exponents: tuple(values)})


def random_monomial(source: random.Random, jet: Jet, degree: int) -> Exponents:
    size = jet.tokens * jet.width
    chosen = [source.randrange(size) for _ in range(degree)]
    return tuple(chosen.count(j) for j in range(size))


MUTATED = [
    (2, 1, ("exp(s)", "exp(s)"), 7),
    (2, 1, ("exp(s**2+s**3)", "exp(s)"), 11),
    (3, 2, ("exp(s)",), 5),
    (2, 2, ("exp(s)", "1+s"), 7),
    (2, 2, ("cosh(s)",), 7),
    (2, 1, ("exp(s)", "exp(s)", "1+s"), 19),
]


@pytest.mark.parametrize(("tokens", "width", "texts", "order"), MUTATED)
def test_a_jet_with_one_changed_coefficient_is_rejected(tokens: int, width: int, texts: tuple[str, ...], order: int) -> None:
    source = random.Random(f"{tokens}{width}{texts}")
    jet = jet_of(regular_network(source, tokens, width, texts), order)
    recover(jet)
    for degree in (*range(1, order + 1), order, order):
        change = source.choice([Fraction(1), Fraction(-1, 3), Fraction(1, 10**15)])
        mutated = changed(jet, random_monomial(source, jet, degree), source.randrange(jet.outputs), change)
        with pytest.raises(NotRealizableError, match="not realizable"):
            recover(mutated)


@pytest.mark.slow
@pytest.mark.parametrize(("tokens", "width", "texts", "order"), MUTATED[:5])
def test_every_single_change_is_rejected(tokens: int, width: int, texts: tuple[str, ...], order: int) -> None:
    """Each coefficient that is there, changed by a little."""
    jet = jet_of(regular_network(random.Random(5), tokens, width, texts), order)
    for exponents, coordinate in product(list(jet.coefficients)[:150], range(jet.outputs)):
        with pytest.raises(NotRealizableError):
            recover(changed(jet, exponents, coordinate, Fraction(1, 10**9)))


def test_the_first_contradicting_coefficient_is_named() -> None:
    jet = jet_of(scalar_network(["exp(s)", "exp(s)"], [4, 2]), 7)
    with pytest.raises(NotRealizableError, match=r"the coefficient of x1_1 is 1/2, but L, as it is read at consensus, gives 1$"):
        recover(changed(jet, (0, 1), 0, Fraction(1)))
    with pytest.raises(NotRealizableError, match=r"the coefficient of x1_1 x2_1 is 1, but the parts of even degree of a network are zero"):
        recover(changed(jet, (1, 1), 0, Fraction(1)))
    with pytest.raises(NotRealizableError, match=r"the coefficient of x1_1 x2_1\^4 is 5, but L and the layers up to 1, .* give 0$"):
        recover(changed(jet, (1, 4), 0, Fraction(5)))
    with pytest.raises(NotRealizableError, match=r"the coefficient of x1_1\^7 is .*, but the only candidate has"):
        recover(changed(jet, (1, 6), 0, Fraction(5)))


def test_a_square_without_a_root_is_named() -> None:
    jet = jet_of(scalar_network(["exp(s**2)"], [3]), 5)
    doubled = {e: tuple(2 * v for v in values) if sum(e) == 5 else values for e, values in jet.coefficients.items()}
    with pytest.raises(NotRealizableError, match=r"at layer 1, degree 5: \(m\^T M m\)\^2 = 18 at m = \(1\) has no rational root"):
        recover(replace(jet, coefficients=doubled))


def test_a_zero_readout_with_anything_else_is_not_realizable() -> None:
    zero = Jet(2, 1, 1, (normalizer("exp(s)"),), 5, {})
    with pytest.raises(HypothesisError, match="the readout L is zero"):
        recover(zero)
    with pytest.raises(NotRealizableError, match=r"x1_1\^5 is 1"):
        recover(changed(zero, (5, 0), 0, Fraction(1)))


# Jets that are too short


@pytest.mark.parametrize(
    ("texts", "order", "layer", "degree"),
    [
        (["exp(s)", "exp(s)"], 1, 1, 3),
        (["exp(s)", "exp(s)"], 5, 2, 7),
        (["exp(s)", "exp(s)", "exp(s)"], 17, 3, 19),
        (["exp(s**2)", "exp(s**3)"], 3, 1, 5),
        (["exp(s**2)", "exp(s**3)"], 13, 2, 15),
    ],
)
def test_a_short_jet_says_which_degree_is_needed(texts: list[str], order: int, layer: int, degree: int) -> None:
    network = scalar_network(texts, [2, 3, 5][: len(texts)])
    with pytest.raises(
        JetTooShortError, match=f"the score of layer {layer} needs a jet of degree {degree}; this one has degree {order}"
    ) as error:
        recover(jet_of(network, order))
    assert (error.value.layer, error.value.degree) == (layer, degree)
    # One step more suffices for this layer.
    try:
        recover(jet_of(network, degree))
    except JetTooShortError as later:
        assert later.layer > layer


@pytest.mark.parametrize("text", ["exp(s**2+s**3)", "exp(s**2+s**5)", "exp(s**4+s**5)"])
def test_a_sign_that_the_jet_is_too_short_for_stays_open(text: str) -> None:
    network = scalar_network([text], [-3])
    order = order_for_signs(network)
    short = recover(jet_of(network, order - 2))
    assert short.unresolved == {1: order}
    assert short.signs == ()
    assert abs(short.parameters.M[0][0][0]) == 3
    assert recover(jet_of(network, order)).parameters.M == network.parameters.M


# Signs: C.4


def flipped(network: Network, layer: int) -> Network:
    scores = list(network.parameters.M)
    scores[layer] = tuple(tuple(-entry for entry in row) for row in scores[layer])
    return replace(network, parameters=EffectiveParameters(network.parameters.L, tuple(scores)))


def degree_of_difference(network: Network, other: Network, order: int) -> int | None:
    mismatch = jet_of(network, order).difference(jet_of(other, order))
    return None if mismatch is None else sum(mismatch[0])


@pytest.mark.parametrize("tokens", [2, 3])
@pytest.mark.parametrize("odd", [3, 5])
def test_one_flipped_sign_shows_first_at_the_sign_order(odd: int, tokens: int) -> None:
    network = scalar_network([f"exp(s**2+s**{odd})"], [3], tokens)
    assert degree_of_difference(network, flipped(network, 0), 13) == sign_order([2], [odd])


@pytest.mark.parametrize("odd", [3, 5])
def test_one_flipped_sign_at_depth_two(odd: int) -> None:
    """Flipping the last score changes the jet first at N_sign; flipping the first one at its own, lower, order."""
    text = f"exp(s**2+s**{odd})"
    network = scalar_network([text, text], [3, 2])
    order = sign_order([2, 2], [odd, odd])
    assert degree_of_difference(network, flipped(network, 1), order) == order
    assert degree_of_difference(network, flipped(network, 0), order) == sign_order([2], [odd])


def test_one_flipped_sign_of_wide_layers() -> None:
    network = regular_network(random.Random(1), 2, 2, ("exp(s**2+s**3)",))
    assert degree_of_difference(network, flipped(network, 0), 7) == sign_order([2], [3]) == 7


@pytest.mark.parametrize("text", ["cosh(s)", "exp(s**2)"])
def test_a_flipped_sign_of_an_even_layer_is_never_seen(text: str) -> None:
    network = scalar_network([text, "exp(s)"], [3, 2])
    assert degree_of_difference(network, flipped(network, 0), 15) is None


# Tuples that are not regular, and input that cannot be used


def middle(score: RationalMatrix, text: str = "exp(s)") -> Network:
    identity = rational_matrix([[1, 0], [0, 1]])
    return Network(2, (normalizer(text), normalizer("exp(s)")), EffectiveParameters(identity, (score, identity)))


@pytest.mark.parametrize(("score", "kind"), [([[0, 0], [0, 0]], "zero"), ([[0, 1], [-1, 0]], "skew")])
def test_a_collapse_in_the_middle_is_named(score: list[list[int]], kind: str) -> None:
    with pytest.raises(HypothesisError, match=f"the score of layer 1 is {kind}: the tuple is not regular"):
        recover(jet_of(middle(rational_matrix(score)), 7))


def test_a_skew_score_of_even_degree_is_not_regular() -> None:
    with pytest.raises(HypothesisError, match="layer 1 cannot be peeled: its score has no symmetric part"):
        recover(jet_of(middle(rational_matrix([[0, 1], [-1, 0]]), "exp(s**2)"), 7))


def test_irrational_normalizers_are_undecided() -> None:
    network = regular_network(random.Random(0), 2, 1, ("exp(s)",))
    with pytest.raises(UndecidedError, match="irrational coefficients"):
        recover_germ(NetworkGerm(network, 5), 2, 1, [normalizer("2**s")])


def test_sizes_are_checked() -> None:
    germ = NetworkGerm(regular_network(random.Random(0), 2, 1, ("exp(s)",)), 3)
    with pytest.raises(InputError, match="tokens: at least 2 was expected, not 1"):
        recover_germ(germ, 1, 1, germ.network.normalizers)
    with pytest.raises(InputError, match="normalizers: at least 1"):
        recover_germ(germ, 2, 1, [])
    with pytest.raises(BudgetError, match="monomials"):
        recover(Jet(1000, 1000, 1, (normalizer("exp(s)"),), 9, {}))


def test_points_that_hide_a_layer_are_passed_over() -> None:
    """The first unit vectors lie in the kernel of L, and the quadratic form of the first score vanishes on the others."""
    eta = EffectiveParameters(rational_matrix([[0, 0, 1]]), (rational_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),) * 2)
    network = Network(2, (normalizer("exp(s**2+s**3)"), normalizer("exp(s)")), eta)
    assert recover_germ(NetworkGerm(network, 11), 2, 3, network.normalizers).parameters == eta


def test_a_callable_source_needs_only_the_protocol() -> None:
    network = regular_network(random.Random(8), 2, 2, ("exp(s)", "exp(s)"))

    class Source:
        order = 7

        def mean_output(self, curve: object) -> object:
            return NetworkGerm(network, self.order).mean_output(curve)  # type: ignore[arg-type]

    assert recover_germ(Source(), 2, 2, network.normalizers).parameters == network.parameters  # type: ignore[arg-type]


def test_a_source_that_adds_something_at_low_degree_is_caught() -> None:
    """The germ of one network read as that of another: the first layer's normalizer has no term of degree 1, the germ does."""
    network = regular_network(random.Random(8), 2, 2, ("exp(s)",))
    with pytest.raises(NotRealizableError, match="must vanish"):
        recover_germ(NetworkGerm(network, 7), 2, 2, [normalizer("exp(s**2)")])


def test_matrices_are_really_random() -> None:
    """The round trips would prove little on scores that are symmetric, invertible or sparse only."""
    scores = [score for seed in range(60) for score in drawn_network(seed).parameters.M]
    assert any(score != tuple(zip(*score, strict=True)) for score in scores)
    assert any(entry.denominator > 1 for score in scores for row in score for entry in row)
    assert random_matrix(random.Random(1), 2, 2) != random_matrix(random.Random(2), 2, 2)
