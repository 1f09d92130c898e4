"""Hypotheses decided on hand-made instances; every predicted spectrum against the naive p-adic twin."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from symattn.network.instance import Instance, PathLayer
from symattn.network.rational import RationalMatrix, identity, rational_matrix
from symattn.theory import BANK_HYPOTHESIS, order_ladder, predict_spectrum
from symattn.theory.hypotheses import is_two_plane_nonsingular

from .oracle import contact_spectrum, path, random_bank, random_layer, random_matrix


def layer(U: list[list[int]], W: list[list[int]], V: list[list[int]] | None = None) -> PathLayer:
    return PathLayer(rational_matrix(U), rational_matrix(W), identity(len(U)) if V is None else rational_matrix(V))


SKEW = layer([[1, 0], [0, 1]], [[0, -1], [1, 0]])
SKEW_3 = layer([[1, 0], [0, 1], [0, 0]], [[0, -1], [1, 0], [0, 0]])
RANK_ONE = layer([[1], [2]], [[3], [-1]])
FULL = layer([[1, 2], [0, 1]], [[2, 1], [1, 1]])
ONE_DIMENSIONAL_QUERIES = layer([[1, 2], [3, 6]], [[2, 1], [1, 1]])
ZERO_QUERIES = layer([[0, 0], [0, 0]], [[2, 1], [1, 1]])
VALUES = replace(RANK_ONE, V=rational_matrix([[1, 2], [3, 4]]))
THREE = layer([[1], [0], [2]], [[1], [1], [3]])

APPLICABLE: list[tuple[str, int, Sequence[int], Sequence[PathLayer], str]] = [
    ("regular", 2, [1, 1], [RANK_ONE, FULL], "Theorem 4"),
    ("one layer", 3, [2], [FULL], "Theorem 4"),
    ("mixed degrees", 3, [2, 1], [RANK_ONE, FULL], "Proposition D.1 (heterogeneous degrees)"),
    ("skew last layer", 2, [1, 1], [RANK_ONE, SKEW], "Theorem 4, extended beyond the paper to: arbitrary last score at k = 1"),
    ("skew prefix", 3, [1, 1], [SKEW, SKEW], "Corollary D.2"),
    ("singular skew prefix", 3, [1, 1], [SKEW_3, THREE], "Corollary D.3"),
    ("invertible values", 3, [1, 1], [VALUES, FULL], "Theorem 4, extended beyond the paper to: invertible values"),
    (
        "values, mixed degrees",
        3,
        [1, 2],
        [VALUES, VALUES],
        "Proposition D.1 (heterogeneous degrees), extended beyond the paper to: invertible values",
    ),
    (
        "dependent query columns",
        3,
        [1, 1],
        [ONE_DIMENSIONAL_QUERIES, FULL],
        "Theorem 4, extended beyond the paper to: rank-deficient factors",
    ),
    (
        "zero last query",
        3,
        [1, 1],
        [FULL, ZERO_QUERIES],
        "Theorem 4, extended beyond the paper to: rank-deficient factors, arbitrary last score at k = 1",
    ),
]


@pytest.mark.parametrize(("tokens", "degrees", "layers", "source"), [case[1:] for case in APPLICABLE], ids=[case[0] for case in APPLICABLE])
def test_predictions_are_what_the_twin_finds(tokens: int, degrees: Sequence[int], layers: Sequence[PathLayer], source: str) -> None:
    instance = random_bank(random.Random(3), path(tokens, degrees, layers), 10)
    prediction = predict_spectrum(instance)
    assert prediction.source == source
    assert prediction.status == "theorem"
    assert prediction.applies is None
    assert prediction.with_bank(True, "found").applies is True
    assert prediction.with_bank(False, "found").applies is False
    assert prediction.kernel is not None
    assert prediction.rank == sum(multiplicity for _, multiplicity in prediction.orders)
    assert contact_spectrum(instance, prediction.orders[-1][0] + 2) == (prediction.orders, prediction.kernel)


# Where no theorem applies and all slopes are nonzero the conjectured law is the prediction (its own tests: test_mixed.py).
CONJECTURED: list[tuple[str, int, Sequence[int], Sequence[PathLayer], str]] = [
    ("skew prefix, two tokens", 2, [1, 1], [SKEW, FULL], "layers[1]: B is skew: B + B^T = 0"),
    ("skew after rank one", 3, [1, 1, 1], [RANK_ONE, SKEW, FULL], "layers[2]: B is skew: B + B^T = 0"),
    ("zero first score", 3, [1, 1], [ZERO_QUERIES, FULL], "layers[1]: B = 0"),
    ("skew prefix, values", 2, [1, 1], [replace(SKEW, V=VALUES.V), FULL], "layers[1]: B is skew: B + B^T = 0"),
]


@pytest.mark.parametrize(
    ("tokens", "degrees", "layers", "obstacle"), [case[1:] for case in CONJECTURED], ids=[case[0] for case in CONJECTURED]
)
def test_the_conjecture_is_marked_and_the_twin_agrees(
    tokens: int, degrees: Sequence[int], layers: Sequence[PathLayer], obstacle: str
) -> None:
    instance = random_bank(random.Random(3), path(tokens, degrees, layers), 12)
    prediction = predict_spectrum(instance)
    assert prediction.status == "conjecture"
    assert prediction.source.startswith("conjectured law for mixed and skew stacks")
    assert obstacle in prediction.source
    assert prediction.applies is None
    assert contact_spectrum(instance, prediction.orders[-1][0] + 2) == (prediction.orders, prediction.kernel)


INAPPLICABLE: list[tuple[str, int, Sequence[int], Sequence[PathLayer], str, str]] = [
    ("skew last layer, k = 2", 3, [2, 2], [FULL, SKEW], "Theorem 4: the score has a nonzero symmetric part", "layers[2]"),
    ("skew prefix, k = 2", 3, [2, 1], [SKEW, FULL], "Corollary D.2: the slope h'(0) is nonzero, k = 1", "normalizers[1]"),
    (
        "singular value",
        3,
        [1, 1],
        [FULL, replace(FULL, V=rational_matrix([[1, 1], [1, 1]]))],
        "the value matrix is invertible",
        "layers[2].V",
    ),
]


@pytest.mark.parametrize(
    ("tokens", "degrees", "layers", "name", "where"), [case[1:] for case in INAPPLICABLE], ids=[case[0] for case in INAPPLICABLE]
)
def test_the_failing_hypothesis_is_named(tokens: int, degrees: Sequence[int], layers: Sequence[PathLayer], name: str, where: str) -> None:
    instance = random_bank(random.Random(3), path(tokens, degrees, layers), 10)
    prediction = predict_spectrum(instance)
    assert (prediction.orders, prediction.rank, prediction.kernel) == ((), None, None)
    assert (prediction.source, prediction.status, prediction.applies) == ("none", "none", False)
    assert (name, where) in {(hypothesis.name, hypothesis.where) for hypothesis in prediction.failing}


@pytest.mark.parametrize("name", [*(case[0] for case in CONJECTURED), "skew last layer, k = 2"])
def test_hypotheses_cannot_be_dropped(name: str) -> None:
    """Refused instances whose spectrum is not that of the theorem (the hypotheses are sufficient; not every refused one departs)."""
    tokens, degrees, layers = next(case[1:4] for case in (*CONJECTURED, *INAPPLICABLE) if case[0] == name)
    instance = random_bank(random.Random(3), path(tokens, degrees, layers), 12)
    regular = order_ladder(degrees, width=instance.width, ranks=instance.ranks)
    found, unseen = contact_spectrum(instance, regular.orders[-1][0] + 1)
    assert (found, unseen) != (regular.orders, regular.kernel)


def test_a_bank_below_the_counting_bound_is_refuted() -> None:
    instance = path(3, [1, 1], [RANK_ONE, FULL])
    prediction = predict_spectrum(random_bank(random.Random(1), instance, 2))
    assert [(h.name, h.where) for h in prediction.failing] == [(BANK_HYPOTHESIS, "bank")]
    assert "at least 6 are needed" in prediction.failing[0].how
    assert predict_spectrum(instance).applies is None


@given(st.integers(0, 10**6), st.sampled_from([[1, 1], [2, 1], [1, 2], [2, 2]]))
def test_random_instances(seed: int, degrees: list[int]) -> None:
    rng = random.Random(seed)
    layers = [random_layer(rng, 2, rng.randint(1, 2)) for _ in degrees]
    if rng.random() < 0.5:
        layers = [replace(each, V=random_matrix(rng, 2, 2)) for each in layers]
    instance = random_bank(rng, path(3, degrees, layers), 10)
    prediction = predict_spectrum(instance)
    if prediction.status == "theorem":
        assert contact_spectrum(instance, prediction.orders[-1][0] + 2) == (prediction.orders, prediction.kernel)


def test_json_has_every_field() -> None:
    document = predict_spectrum(path(2, [1], [FULL])).to_json()
    assert document["orders"] == [[0, 4], [1, 4]]
    assert set(document) == {"orders", "rank", "kernel", "source", "status", "applies", "hypotheses"}


def expanded_determinant(score: RationalMatrix) -> dict[tuple[int, int, int, int], int]:
    """Nonzero coefficients of ``(u B u)(v B v) - (u B v)(v B u)`` at the monomials ``u_i u_j v_k v_l``, ``i <= j``, ``k <= l``."""
    size = range(len(score))
    coefficients: Counter[tuple[int, int, int, int]] = Counter()
    for a in size:
        for b in size:
            for c in size:
                for e in size:
                    product = score[a][b] * score[c][e]
                    coefficients[(min(a, b), max(a, b), min(c, e), max(c, e))] += product
                    coefficients[(min(a, e), max(a, e), min(b, c), max(b, c))] -= product
    return {monomial: value for monomial, value in coefficients.items() if value}


@given(st.integers(1, 4), st.integers(0, 3), st.data())
def test_two_plane_criterion_against_the_expanded_polynomial(size: int, rank: int, data: st.DataObject) -> None:
    entries = st.lists(st.integers(-2, 2), min_size=size, max_size=size)
    columns = [(data.draw(entries), data.draw(entries)) for _ in range(rank)]
    score = rational_matrix([[sum(u[i] * w[j] for u, w in columns) for j in range(size)] for i in range(size)])
    assert is_two_plane_nonsingular(score) == bool(expanded_determinant(score))


def test_two_plane_criterion_on_nonzero_skew_scores() -> None:
    assert is_two_plane_nonsingular(SKEW_3.score)
    assert not is_two_plane_nonsingular(rational_matrix([[0]]))
    assert not is_two_plane_nonsingular(RANK_ONE.score)


def test_instances_without_a_bank_are_predicted() -> None:
    instance: Instance = path(3, [1, 1, 1], [FULL, RANK_ONE, FULL])
    assert predict_spectrum(instance).orders == ((0, 4), (1, 4), (5, 3), (17, 4))
