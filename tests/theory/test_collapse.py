"""Collapse loci: both inclusions by exact evaluation, and the witnesses."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from symattn.arithmetic import RationalSeries
from symattn.network.attention import Layer, evaluate
from symattn.network.rational import RationalMatrix, identity, multiply, rational_matrix
from symattn.normalizers import normalizer
from symattn.theory.collapse import is_skew, is_zero, layer_collapse

from .stacks import matrix, score

ODD_LOGARITHM = ("exp(s)", "exp(s+s**3)", "exp(s**3)", "1/(1+exp(-s))*exp(-s/2)*(1+exp(s))")
NOT_ODD = ("exp(s+s**2)", "1+s", "cosh(s)", "exp(s**2+s**3)", "exp(s+s**4)", "1/(1-s)")


def contrast_order(phi: str, m: RationalMatrix, tokens: RationalMatrix, precision: int = 12) -> int | None:
    """The order in u of the outgoing contrast on the ray through these tokens; ``None`` if it vanishes below the precision."""
    ring = RationalSeries(precision)
    layer = Layer(normalizer(phi), ring.shift(ring.matrix(m), 1), ring.matrix(identity(len(m))))
    (output,) = evaluate(ring, [layer], [ring.matrix(tokens)])
    n = len(tokens)
    centre = [[Fraction(int(a == b)) - Fraction(1, n) for b in range(n)] for a in range(n)]
    return (ring.matrix(centre) @ output).valuation()


@pytest.mark.parametrize("phi", ["exp(s)", "exp(s+s**3)", "exp(s+s**2)", "1+s", "cosh(s)", "exp(s**2+s**3)", "exp(s**3)"])
@pytest.mark.parametrize("tokens", [2, 3, 4])
@pytest.mark.parametrize("letter", "RGSZ")
def test_the_witness_keeps_contrast_and_a_collapse_keeps_none(phi: str, tokens: int, letter: str) -> None:
    source = random.Random(f"{phi} {tokens} {letter}")
    for width in (1, 2, 3):
        if letter == "S" and width == 1:
            continue
        m = score(letter, width, source)
        found = layer_collapse(normalizer(phi), tokens, m)
        expected = letter == "Z" or (letter == "S" and tokens == 2 and phi in ODD_LOGARITHM)
        assert found.collapses is expected
        if expected:
            assert found.witness is None
            assert all(contrast_order(phi, m, matrix(tokens, width, source)) is None for _ in range(3))
        else:
            assert found.witness is not None
            assert len(found.witness) == tokens
            assert contrast_order(phi, m, found.witness) is not None


def test_rank_one_scores_of_zero_square_do_not_collapse() -> None:
    """``M = e_1 e_2^T`` has a zero diagonal and a nonzero symmetric part: the witness is a sum of two unit vectors."""
    m = rational_matrix([[0, 1], [0, 0]])
    found = layer_collapse(normalizer("exp(s)"), 2, m)
    assert found.collapses is False
    assert found.witness == rational_matrix([[1, 1], [0, 0]])
    assert contrast_order("exp(s)", m, found.witness) is not None


@pytest.mark.parametrize("phi", ODD_LOGARITHM)
def test_odd_logarithms_collapse_two_tokens(phi: str) -> None:
    assert layer_collapse(normalizer(phi), 2, rational_matrix([[0, 1], [-1, 0]])).collapses is True


@pytest.mark.parametrize("phi", NOT_ODD)
def test_other_logarithms_do_not(phi: str) -> None:
    assert layer_collapse(normalizer(phi), 2, rational_matrix([[0, 1], [-1, 0]])).collapses is False


def test_skew_in_odd_dimension_is_seen_by_three_tokens() -> None:
    m = rational_matrix([[0, 1, -2], [-1, 0, 3], [2, -3, 0]])
    kernel = rational_matrix([[3], [2], [1]])
    assert is_zero(multiply(m, kernel))
    assert is_skew(m)
    assert layer_collapse(normalizer("exp(s)"), 3, m).collapses is False
    assert layer_collapse(normalizer("exp(s)"), 2, m).collapses is True


def test_an_undecided_parity_leaves_the_collapse_undecided() -> None:
    phi = normalizer("1+s+s**3+s**7")
    phi.__dict__["_even"] = (None, None, "undecided")
    found = layer_collapse(phi, 2, rational_matrix([[0, 1], [-1, 0]]))
    assert found.collapses is None
    assert "would decide it" in found.reason
    assert layer_collapse(phi, 3, rational_matrix([[0, 1], [-1, 0]])).collapses is False
