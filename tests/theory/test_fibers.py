"""Fibers: kinds, both inclusions, and every claimed degree, held against exact expansions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from symattn.errors import InputError
from symattn.exact.equality import first_difference
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import rational_matrix
from symattn.normalizers import normalizer
from symattn.theory import determinations
from symattn.theory.fibers import Fiber, effective_fiber

from .stacks import matrix, network, perturbations, ray_difference, with_scores

# word, tokens, normalizers, width, kind, sign layers, free layers, source, degree, sharp
CASES = [
    ("R", 2, "exp(s)", 1, "singleton", (), (), "Theorem 1", 3, True),
    ("GG", 2, "exp(s)", 2, "singleton", (), (), "Theorem 1", 7, True),
    ("RR", 3, "cosh(s)", 1, "signs", (1, 2), (), "Theorem 1", 13, True),
    ("RR", 2, ["exp(s**2+s**3)", "exp(s)"], 1, "singleton", (), (), "Theorem 1", 11, True),
    ("R", 2, "exp(s**2+s**5)", 1, "singleton", (), (), "Theorem 1", 11, True),
    ("RR", 2, ["exp(s**2+s**7)", "1+s"], 1, "singleton", (), (), "Theorem 1", 15, True),
    ("RZR", 2, ["cosh(s)", "exp(s)", "exp(s)"], 1, "free-suffix", (1,), (3,), "Theorem 1, applied", 11, True),
    ("ZG", 3, "exp(s)", 2, "free-suffix", (), (2,), "Theorem 1, applied", 3, True),
    ("RZ", 3, "exp(s)", 1, "singleton", (), (), "Theorem 1", 7, True),
    ("GS", 2, "exp(s)", 2, "singleton", (), (), "Theorem 1", 7, True),
    ("SGG", 2, "exp(s)", 2, "free-suffix", (), (2, 3), "Theorem 1, applied", 3, True),
    ("SGR", 2, "1+s", 2, "singleton", (), (), "Theorem 2 (ii)", 31, True),
    ("SG", 2, "exp(s+s**4)", 2, "singleton", (), (), "Theorem 2 (ii)", 19, True),
    ("SSZG", 2, "1+s", 2, "free-suffix", (), (4,), "Theorem 2 (ii), applied", 35, True),
    ("SG", 3, "exp(s)", 2, "singleton", (), (), "Corollary 4.1", 7, True),
    ("SSG", 3, "exp(s)", 2, "singleton", (), (), "Proposition C.5", 19, True),
    ("SZG", 3, "exp(s)", 2, "free-suffix", (), (3,), "Proposition C.5, applied", 7, True),
    ("SGS", 3, "exp(s)", 3, "singleton", (), (), "Proposition C.6", 19, True),
    ("RSR", 3, "1+s", 2, "singleton", (), (), "Theorem 2 (i)", 23, None),
    ("RRS", 3, "1/(1-s)", 2, "singleton", (), (), "Theorem 1", 19, True),
]
IDS = [f"{word}-n{tokens}-{phi if isinstance(phi, str) else ','.join(phi)}-d{width}" for word, tokens, phi, width, *_ in CASES]


@pytest.mark.parametrize(("word", "tokens", "phi", "width", "kind", "signs", "free", "source", "degree", "sharp"), CASES, ids=IDS)
def test_kinds_and_degrees(word, tokens, phi, width, kind, signs, free, source, degree, sharp) -> None:
    net = network(word, tokens, phi, width=width)
    fiber = effective_fiber(net)
    assert (fiber.kind, fiber.sign_layers, fiber.free_layers, fiber.degree, fiber.degree_is_sharp) == (kind, signs, free, degree, sharp)
    assert fiber.source.startswith(source)
    assert all(hypothesis.holds for hypothesis in fiber.hypotheses)
    assert_members_agree(fiber, degree + 4)
    assert_others_differ(fiber)


def assert_members_agree(fiber: Fiber, degree: int) -> None:
    """One inclusion: drawn members and all sign patterns have the same expansion, also beyond the degree."""
    for member in [fiber.draw(1), fiber.draw(2), *fiber.sign_patterns()]:
        assert fiber.contains(member) is True
        assert ray_difference(fiber.network, member, degree, rays=2) is None


def assert_others_differ(fiber: Fiber) -> None:
    """The other inclusion, as far as trials go: no perturbation outside agrees through the degree, and a sharp degree is attained."""
    assert fiber.degree is not None
    degrees = []
    for layer in range(1, fiber.network.depth + 1):
        for other in perturbations(fiber.network, layer):
            if fiber.contains(other):
                continue
            # What a competitor has behind the collapse must not matter either.
            found = ray_difference(fiber.network, scrambled(other, fiber.free_layers), fiber.degree, rays=2)
            assert found is not None, (layer, other.parameters)
            degrees.append(found)
    assert (max(degrees) == fiber.degree) or not fiber.degree_is_sharp


def scrambled(net: Network, layers: tuple[int, ...]) -> Network:
    return with_scores(net, {layer: matrix(net.width, net.width, random.Random(layer)) for layer in layers})


@pytest.mark.parametrize(
    ("word", "tokens", "phi", "width"),
    [("RR", 2, "cosh(s)", 1), ("R", 2, "exp(s**2+s**3)", 1), ("SG", 2, "1+s", 2), ("SG", 3, "exp(s)", 2), ("ZG", 3, "exp(s)", 2)],
)
def test_sharp_degrees_on_whole_jets(word: str, tokens: int, phi: str, width: int) -> None:
    """Every monomial is compared: some tuple outside the fiber agrees with the tuple in all degrees below, none up to the degree."""
    fiber = effective_fiber(network(word, tokens, phi, width=width))
    assert fiber.degree is not None
    degrees = []
    for layer in range(1, len(word) + 1):
        for other in perturbations(fiber.network, layer):
            if not fiber.contains(other):
                witness = first_difference(fiber.network, other, fiber.degree, lambda message: None)
                assert witness is not None
                degrees.append(witness.degree)
    assert max(degrees) == fiber.degree


@pytest.mark.parametrize("word", ["GGG", "SZG", "RSR"])
@pytest.mark.parametrize("tokens", [2, 3])
def test_zero_readout(word: str, tokens: int) -> None:
    net = network(word, tokens, "exp(s)")
    net = replace(net, parameters=EffectiveParameters(rational_matrix([[0, 0]]), net.parameters.M))
    fiber = effective_fiber(net)
    assert (fiber.kind, fiber.free_layers, fiber.degree, fiber.degree_is_sharp) == ("zero-readout", (1, 2, 3), 1, True)
    assert fiber.contains(fiber.draw(3)) is True
    assert ray_difference(net, fiber.draw(3), 9) is None
    other = replace(net, parameters=EffectiveParameters(rational_matrix([[0, 1]]), net.parameters.M))
    assert fiber.contains(other) is False
    assert ray_difference(net, other, 1) == 1
    assert fiber.to_latex() == r"\{0\}" + r" \times \mathbb{R}^{2 \times 2}" * 3


def test_a_readout_of_rank_one_is_enough() -> None:
    """Not zero is all that the statements ask of L."""
    net = network("SSG", 3, "exp(s)", outputs=2)
    row = net.parameters.L[0]
    net = replace(net, parameters=EffectiveParameters((row, tuple(2 * x for x in row)), net.parameters.M))
    fiber = effective_fiber(net)
    assert fiber.kind == "singleton"
    assert_others_differ(fiber)


OPEN = [
    ("SG", 2, ["exp(s**2)", "exp(s)"], "Theorem 2 (ii): the slope h'(0) is nonzero (normalizers[1]: k = 2)"),
    ("RSG", 3, "exp(s)", "Proposition C.6: det(U^T M U) is not identically zero (M[1]: rank 1)"),
    ("RSG", 3, "exp(s)", "Theorem 1: the score has a nonzero symmetric part (M[2]: M is skew: M + M^T = 0)"),
    ("GZ", 3, ["exp(s)", "exp(s**2)"], "Theorem 1: the score has a nonzero symmetric part (M[2]: M = 0)"),
    ("SG", 3, ["exp(s)", "exp(s**2)"], "Corollary 4.1: the slope h'(0) is nonzero (normalizers[2]: k = 2)"),
]


@pytest.mark.parametrize(("word", "tokens", "phi", "missing"), OPEN)
def test_open_fibers_say_what_is_missing(word: str, tokens: int, phi: str | list[str], missing: str) -> None:
    fiber = effective_fiber(network(word, tokens, phi))
    assert (fiber.kind, fiber.degree, fiber.degree_is_sharp, fiber.to_latex()) == ("open", None, None, r"\text{open}")
    assert missing in fiber.missing
    assert fiber.contains(fiber.network) is True
    assert fiber.contains(perturbations(fiber.network, 1)[0]) is None


def test_without_slope_the_fiber_is_larger_than_theorem_2_would_say() -> None:
    """B.slope-needed: phi_1 = exp(s^2), skew M_1, M_2 = 0, two tokens. Theorem 2 would fix M_1, yet every skew one is alike."""
    net = network("SZ", 2, ["exp(s**2)", "exp(s)"])
    assert effective_fiber(net).kind == "open"
    other = with_scores(net, {1: rational_matrix([[0, 17], [-17, 0]])})
    assert ray_difference(net, other, 31) is None


def test_hypotheses_cannot_be_dropped() -> None:
    """Each statement, applied where one of its hypotheses fails, would claim a tuple that the expansion refutes."""
    # Theorem 1 at an even normalizer without the sign: -M is in the fiber.
    even = network("G", 2, "cosh(s)")
    assert ray_difference(even, with_scores(even, {1: tuple(tuple(-x for x in row) for row in even.parameters.M[0])}), 21) is None
    # The last score is arbitrary only at nonzero slope: k = 2 sees a skew score and zero alike in the degree of Prop. C.4.
    last = network("RS", 3, ["exp(s)", "exp(s**2)"])
    zero = with_scores(last, {2: rational_matrix([[0, 0], [0, 0]])})
    assert ray_difference(last, zero, 2 * 3 + 2 * 2 - 1) is None
    # Two tokens at an odd logarithm: nothing behind a skew score is seen, so Corollary 4.1 needs n >= 3.
    pair = network("SG", 2, "exp(s)")
    assert ray_difference(pair, with_scores(pair, {2: rational_matrix([[5, 1], [0, 2]])}), 31) is None
    assert not determinations.depth_two(pair, 2).holds


def test_parity_undecided_leaves_the_fiber_open() -> None:
    net = network("G", 2, "1+s**2+s**3")
    phi = normalizer("1+s**2+s**3")
    phi.__dict__["_odd"] = (None, None, "undecided")
    fiber = effective_fiber(replace(net, normalizers=(phi,)))
    assert fiber.kind == "open"
    assert any("the parity of phi is known" in reason for reason in fiber.missing)


def test_an_undecided_collapse_leaves_the_fiber_open() -> None:
    net = network("SG", 2, "1+s+s**3")
    phi = normalizer("1+s+s**3")
    phi.__dict__["_even"] = (None, None, "undecided")
    fiber = effective_fiber(replace(net, normalizers=(phi, phi)))
    assert fiber.kind == "open"
    assert fiber.missing == ("layer 1: n = 2 and M is skew: whether log phi is odd is undecided, and would decide it",)


def test_membership_needs_a_tuple_of_the_same_shape() -> None:
    fiber = effective_fiber(network("GG", 2, "exp(s)"))
    with pytest.raises(InputError, match="normalizers: a tuple with the normalizers of the fiber"):
        fiber.contains(network("GG", 2, "cosh(s)"))
    with pytest.raises(InputError, match="2 tokens of width 2 with 1 outputs was expected"):
        fiber.contains(network("GG", 3, "exp(s)"))
    assert (
        fiber.contains(replace(fiber.network, parameters=EffectiveParameters(rational_matrix([[1, 1]]), fiber.network.parameters.M)))
        is False
    )


def test_members_are_drawn_from_the_seed() -> None:
    fiber = effective_fiber(network("RZRR", 2, ["cosh(s)", "exp(s)", "exp(s)", "exp(s)"], width=1))
    assert fiber.draw(1).parameters == fiber.draw(1).parameters
    assert len({fiber.draw(seed).parameters for seed in range(9)}) > 5
    assert len(fiber.sign_patterns()) == 2
    assert fiber.to_latex() == r"\{L\} \times \{\pm M_{1}\} \times \{M_{2}\} \times \mathbb{R}^{1 \times 1} \times \mathbb{R}^{1 \times 1}"
    document = fiber.to_json()
    assert {"kind", "sign_layers", "free_layers", "source", "degree", "degree_is_sharp", "hypotheses"} <= document.keys()
