"""Instances small enough for an oracle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from symattn.network.banks import draw_instance
from symattn.network.files import instance_from_dict
from symattn.network.instance import Instance, PathLayer
from symattn.network.rational import RationalMatrix
from symattn.normalizers import normalizer


def drawn(
    text: str = "exp(s)", tokens: int = 2, width: int = 1, ranks: tuple[int, ...] = (1, 1), inputs: int = 3, seed: int = 1
) -> Instance:
    """A drawn instance whose factors and inputs are divided by 50, so that scores are moderate."""
    large = draw_instance(tokens, width, ranks, (normalizer(text),) * len(ranks), inputs, seed)
    layers = tuple(PathLayer(_divided(layer.U), _divided(layer.W), layer.V) for layer in large.layers)
    return replace(large, layers=layers, bank=tuple(_divided(x) for x in large.bank))


def _divided(matrix: RationalMatrix) -> RationalMatrix:
    return tuple(tuple(entry / 50 for entry in row) for row in matrix)


@pytest.fixture
def scalar() -> Instance:
    """Two scalar tokens, one softmax layer, one input."""
    return instance_from_dict(
        {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": [{"U": [[1]], "W": [[1]]}], "bank": [[[1], [2]]]}
    )


@pytest.fixture
def symmetric() -> Instance:
    """Width 3, invariant under the cyclic exchange of coordinates: singular values are pairs except on invariant directions."""
    inputs = ([[1, 2, -1], [3, -1, 1]], [[2, 0, 1], [-1, 1, 2]])
    bank = [[row[shift:] + row[:shift] for row in x] for x in inputs for shift in range(3)]
    ones = [[1], [1], [1]]
    layers = [{"U": ones, "W": ones}]
    return instance_from_dict({"symattn": 1, "tokens": 2, "width": 3, "normalizers": "exp(s)", "layers": layers, "bank": bank})
