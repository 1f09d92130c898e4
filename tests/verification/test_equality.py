"""Equality of tuples: 500 random pairs with known answers, identities of every kind, and refusals to guess."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from symattn.errors import InputError
from symattn.network.files import network_from_dict
from symattn.network.gauges import factor_gauge, interface_change
from symattn.network.parameters import EffectiveParameters, NativeParameters, Network, reduce_native
from symattn.network.rational import RationalMatrix, multiply, rational_matrix, transpose
from symattn.normalizers import normalizer
from symattn.theory.collapse import is_skew
from symattn.theory.fibers import effective_fiber
from symattn.verification.equality import Equality, decide_equality
from symattn.verification.identities import proven_identity

from ..theory.stacks import matrix, network, with_scores
from .evaluation import NORMALIZERS, confirm_input_witness, confirm_monomial_witness

EVEN = ("cosh(s)", "exp(s**2)", "1 + s**2")


def confirmed(first: Network, second: Network, result: Equality) -> Equality:
    """The answer, after an independent evaluation of whatever it claims."""
    if result.equal is False:
        assert result.input_witness is not None or result.monomial is not None
        if result.input_witness is not None:
            confirm_input_witness(first, second, result.input_witness)
        if result.monomial is not None:
            confirm_monomial_witness(first, second, result.monomial.degree)
    return result


def random_native(source: random.Random) -> Network:
    """A regular native network: two or three tokens of width one or two, one to three layers."""
    tokens, width, depth = source.choice([2, 3]), source.choice([1, 2]), source.choice([1, 2, 3])
    phis = tuple(normalizer(source.choice(list(NORMALIZERS))) for _ in range(depth))
    while True:
        ranks = [source.randint(1, width) for _ in range(depth)]
        native = NativeParameters(
            tuple(matrix(width, r, source) for r in ranks),
            tuple(matrix(width, r, source) for r in ranks),
            tuple(matrix(width, width, source) for _ in range(depth)),
        )
        parameters = reduce_native(native)
        if any(map(any, parameters.L)) and not any(map(is_skew, parameters.M)):
            return Network(tokens, phis, parameters, native)


def gauged(net: Network, source: random.Random) -> Network:
    """Other native weights of the same network: factor gauges, and a change of every interface."""
    assert net.native is not None
    native = net.native
    for layer, rank in enumerate(native.ranks, start=1):
        native = factor_gauge(native, layer, invertible(rank, source))
    for interface in range(1, native.depth):
        native = interface_change(native, interface, invertible(native.widths[interface], source))
    return replace(net, parameters=reduce_native(native), native=native)


def invertible(size: int, source: random.Random) -> RationalMatrix:
    while True:
        g = matrix(size, size, source)
        if size == 1 or g[0][0] * g[1][1] != g[0][1] * g[1][0]:
            return g


def signed(net: Network, source: random.Random) -> Network:
    """Random signs of the scores at even normalizers."""
    even = [number for number, phi in enumerate(net.normalizers, start=1) if phi.text in EVEN]
    return with_scores(net, {number: negative(net.parameters.M[number - 1]) for number in even if source.random() < 0.7})


def negative(m: RationalMatrix) -> RationalMatrix:
    return tuple(tuple(-x for x in row) for row in m)


def suffixes(net: Network, source: random.Random) -> tuple[Network, Network]:
    """Two networks with the same zero score and different layers behind it, of different depths too."""
    d = net.width
    zero = tuple((Fraction(0),) * d for _ in range(d))
    pair = []
    for length in (source.randint(0, 2), source.randint(1, 2)):
        tail = tuple(normalizer(source.choice(list(NORMALIZERS))) for _ in range(length + 1))
        scores = (*net.parameters.M, zero, *(matrix(d, d, source) for _ in range(length)))
        pair.append(Network(net.tokens, (*net.normalizers, *tail), EffectiveParameters(net.parameters.L, scores)))
    return pair[0], pair[1]


def one_entry(net: Network, source: random.Random) -> Network:
    """One entry of the tuple changed; the tuple is regular, so the network is another one (T1)."""
    number = source.randint(0, net.depth)
    old = net.parameters.L if number == 0 else net.parameters.M[number - 1]
    i, j = source.randrange(len(old)), source.randrange(len(old[0]))
    step = Fraction(source.choice([-1, 1]), source.choice([1, 7, 10**6]))
    new = tuple(tuple(x + step if (a, b) == (i, j) else x for b, x in enumerate(row)) for a, row in enumerate(old))
    if number:
        changed = with_scores(net, {number: new})
        # A scalar score and its negative are one at an even normalizer; one entry may do that.
        return changed if new != negative(old) else with_scores(net, {number: tuple(tuple(3 * x for x in row) for row in old)})
    return replace(net, parameters=EffectiveParameters(new, net.parameters.M), native=None)


def random_pair(seed: int) -> tuple[str, Network, Network, bool]:
    source = random.Random(seed)
    net = random_native(source)
    kind = ("gauges", "signs", "suffixes", "one entry", "one entry")[seed % 5]
    if kind == "gauges":
        return kind, net, gauged(net, source), True
    if kind == "signs":
        return kind, gauged(net, source), signed(net, source), True
    if kind == "suffixes":
        return kind, *suffixes(net, source), True
    return kind, net, one_entry(net, source), False


def decide_pairs(seeds: Sequence[int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in seeds:
        kind, first, second, equal = random_pair(seed)
        result = confirmed(first, second, decide_equality(first, second))
        assert result.equal in (equal, None), (seed, kind, result.because)
        counts["undecided" if result.equal is None else kind] += 1
    return counts


def test_random_pairs() -> None:
    counts = decide_pairs(range(100))
    print(f"undecided: {counts['undecided']} of 100; {dict(counts)}")
    assert counts["undecided"] <= 1


@pytest.mark.slow
def test_five_hundred_random_pairs() -> None:
    counts = decide_pairs(range(1000, 1500))
    print(f"undecided: {counts['undecided']} of 500; {dict(counts)}")
    assert counts["undecided"] <= 5


def scalar(phis: str | list[str], scores: list[object], readout: object = 1, tokens: int = 2) -> Network:
    return network_from_dict(
        {"symattn": 1, "tokens": tokens, "width": 1, "normalizers": phis, "L": [[readout]], "M": [[[m]] for m in scores]}
    )


EQUAL = [
    ("rescaled softmax", scalar("exp(2*s)", [3]), scalar("exp(s)", [6]), "the scores differ by that factor"),
    ("constant factor", scalar("3*exp(s)", [3]), scalar("exp(s)", [3]), "up to a constant"),
    ("negative scale", scalar("exp(-s)", [3]), scalar("exp(s)", [-3]), "the scores differ by that factor"),
    ("power", scalar("1/(1-s)", [3]), scalar("(1-s)**-1", [3]), "effective tuples are equal"),
    ("expanded fraction", scalar("1/(1-s)", [3]), scalar("(2+s)/(2-s-s**2)", [3]), "up to a constant"),
    ("scaled fraction", scalar("1/(1-s)", [2]), scalar("1/(1-2*s)", [1]), "the scores differ by that factor"),
    ("sigmoid", scalar("sigmoid(s)", [2]), scalar("exp(s)/(1+exp(s))", [2]), "up to a constant"),
    ("irrational", scalar("softplus(s)", [2]), scalar("log(1+exp(2*s))", [1]), "the scores differ by that factor"),
    ("even", scalar("cosh(s)", [2]), scalar("exp(s)+exp(-s)", [-2]), "the scores differ by that factor"),
    ("square", scalar("exp(4*s**2)", [1]), scalar("exp(s**2)", [-2]), "the scores differ by that factor"),
    ("depths", scalar(["exp(s)", "exp(s)", "cosh(s)"], [1, 0, 5]), scalar(["exp(s)", "1+s"], [1, 0]), "see a consensus"),
    ("zero readout", scalar(["exp(s)"], [1], 0), scalar(["cosh(s)", "1+s"], [4, 5], 0), "L = 0"),
]


@pytest.mark.parametrize(("first", "second", "because"), [case[1:] for case in EQUAL], ids=[case[0] for case in EQUAL])
def test_identities(first: Network, second: Network, because: str) -> None:
    for pair in ((first, second), (second, first)):
        result = decide_equality(*pair)
        assert result.equal is True
        assert because in result.because


UNEQUAL = [
    ("rescaled, other score", scalar("exp(2*s)", [3]), scalar("exp(s)", [5])),
    ("two normalizers", scalar("exp(s)", [1]), scalar("1 + s", [1])),
    ("two irrational ones", scalar("softplus(s)", [1]), scalar("exp(s)", [1])),
    ("sign, not even", scalar("exp(s**2+s**3)", [1]), scalar("exp(s**2+s**3)", [-1])),
    ("sign, layer 2 even", scalar(["exp(s)", "cosh(s)"], [1, 2]), scalar(["exp(s)", "cosh(s)"], [-1, 2])),
    ("depths", scalar(["exp(s)", "exp(s)"], [1, 1]), scalar(["exp(s)"], [1])),
    ("collapse at another layer", scalar("exp(s)", [1, 0, 3]), scalar("exp(s)", [0, 1, 3])),
    ("one part in 10^30", scalar("exp(s)", [1, 1, 1]), scalar("exp(s)", [1, 1, f"1{'0' * 29}1/1{'0' * 30}"])),
    ("tiny scores", scalar("cosh(s)", ["1/1000000000"]), scalar("cosh(s)", ["2/1000000000"])),
    ("huge scores", scalar("exp(s)", [10**9]), scalar("exp(s)", [10**9 + 1])),
    ("poles", scalar("1/(1-s)", [1]), scalar("1/(1-s)", [2])),
]


@pytest.mark.parametrize(("first", "second"), [case[1:] for case in UNEQUAL], ids=[case[0] for case in UNEQUAL])
def test_differences(first: Network, second: Network) -> None:
    result = decide_equality(first, second)
    if all(phi.text in NORMALIZERS for net in (first, second) for phi in net.normalizers):
        confirmed(first, second, result)
    assert result.equal is False
    assert result.input_witness is not None


def test_shapes_that_differ_say_which() -> None:
    one, two = scalar("exp(s)", [1]), scalar("exp(s)", [1], tokens=3)
    assert decide_equality(one, two).because == "the networks have different shapes: tokens 2 and 3"
    wide = network("G", 2, "exp(s)")
    assert decide_equality(one, wide).because == "the networks have different shapes: input width 1 and 2"
    tall = network("G", 2, "exp(s)", outputs=3)
    assert decide_equality(wide, tall).because == "the networks have different shapes: output width 1 and 3"
    assert decide_equality(wide, tall).to_json()["witness"] is None


def test_a_skew_layer_before_an_average_at_an_even_normalizer() -> None:
    """B.slope-needed: two tuples of one function that Theorem 2 without its slopes would tell apart."""
    first = network("SZ", 2, ["exp(s**2)", "exp(s)"])
    second = with_scores(first, {1: rational_matrix([[0, 17], [-17, 0]])})
    assert decide_equality(first, second).equal is True
    # Not at a normalizer that is not even, nor for three tokens.
    odd, odd_other = (replace(net, normalizers=(normalizer("exp(s**2 + s**3)"), normalizer("exp(s)"))) for net in (first, second))
    assert confirmed(odd, odd_other, decide_equality(odd, odd_other)).equal is False
    three, three_other = (replace(net, tokens=3) for net in (first, second))
    assert confirmed(three, three_other, decide_equality(three, three_other)).equal is False


def test_parity_undecided_is_not_guessed() -> None:
    """The sign at a normalizer of unknown parity: the networks are equal, and the answer may only be undecided."""
    first = scalar("cosh(s)", [2])
    phi = normalizer("gamma(1+s**2)+gamma(1+s**2)")
    psi = normalizer("gamma(1+s**2)")
    first, second = replace(first, normalizers=(phi,)), replace(first, normalizers=(psi,))
    result = decide_equality(first, second)
    assert result.equal is None
    assert "no rational input that was tried separates them" in result.because
    assert "no Taylor coefficients were compared" in result.because


def test_agreement_up_to_a_degree_is_never_equality() -> None:
    """All coefficients up to the degree agree, and the inputs are hidden: undecided, with what would decide it."""
    first, second = scalar("exp(s)", [1, 1, 1]), scalar("exp(s)", [1, 1, 2])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symattn.verification.equality.separating_input", lambda first, second: None)
        result = decide_equality(first, second, max_degree=17)
        assert result.equal is None
        assert result.agree_to == 17
        assert "degree at most 19 would show it" in result.because
        found = decide_equality(first, second, max_degree=19)
        assert found.equal is False
        assert found.monomial is not None
        assert found.monomial.degree == 19
        assert found.agree_to == 18


def test_native_weights_of_other_widths_may_be_one_network() -> None:
    """Interfaces of width one and two between the same effective tuple."""
    narrow = {"Q": [[[1], [2]], [[3]]], "K": [[[1], [-1]], [[1]]], "V": [[[1, 1]], [[2]]]}
    wide = {"Q": [[[1], [2]], [[3], [0]]], "K": [[[1], [-1]], [[1], [5]]], "V": [[[1, 1], [0, 0]], [[2, 7]]]}
    common = {"symattn": 1, "tokens": 3, "width": 2, "normalizers": "exp(s)"}
    first, second = (network_from_dict(common | weights) for weights in (narrow, wide))
    assert first.native != second.native
    assert decide_equality(first, second).equal is True


def test_stored_floats_are_exact() -> None:
    stored = scalar("exp(s)", [(0.1).hex()])
    written = scalar("exp(s)", ["0.1"])
    result = decide_equality(stored, written)
    assert result.equal is False
    assert "exact for the stored binary64 values" in result.exactness
    assert decide_equality(stored, stored).exactness == "exact for the stored binary64 values"


def test_a_branch_is_not_followed_across_its_end() -> None:
    """``sqrt((1-s)**2)`` is ``1 - s`` near 0, and another function behind s = 1: no input there may serve as a witness."""
    first, second = scalar("sqrt((1-s)**2)", [400]), scalar("1 - s", [400])
    assert decide_equality(first, second).equal is not False


def test_bad_degree() -> None:
    with pytest.raises(InputError, match="max_degree: a degree of at least 1 was expected, not 0"):
        decide_equality(scalar("exp(s)", [1]), scalar("exp(s)", [2]), max_degree=0)


@pytest.mark.parametrize("phis", [["cosh(s)", "exp(s**2)", "1 + s**2"], ["cosh(s)", "exp(s)", "1 + s**2"]])
def test_members_of_a_fiber_are_equal_and_others_are_not(phis: list[str]) -> None:
    """All ``2^e`` sign patterns by identity; each single other change told apart, with a witness."""
    net = network("GRG", 2, phis)
    fiber = effective_fiber(net)
    patterns = fiber.sign_patterns()
    assert len(patterns) == 2 ** len(fiber.sign_layers)
    for member in patterns:
        assert proven_identity(net, member) is not None
    for layer in {1, 2, 3} - set(fiber.sign_layers):
        flipped = with_scores(net, {layer: negative(net.parameters.M[layer - 1])})
        assert confirmed(net, flipped, decide_equality(net, flipped)).equal is False
    for layer, m in enumerate(net.parameters.M, start=1):
        for other in (transpose(m), multiply(m, rational_matrix([[2, 0], [0, 1]]))):
            changed = with_scores(net, {layer: other})
            assert confirmed(net, changed, decide_equality(net, changed)).equal is (m in (other, negative(other)))
