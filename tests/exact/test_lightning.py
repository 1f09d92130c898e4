"""The unnormalized layer: both bounds meet at the published dimension, and a wrong direction is noticed."""

from __future__ import annotations

import pytest

from symattn.errors import InputError
from symattn.exact import lightning
from symattn.exact.lightning import lightning_rank


@pytest.mark.parametrize(("width", "ranks"), [(2, (1,)), (2, (2, 1)), (3, (2, 2)), (3, (2, 3)), (4, (2, 2))])
def test_the_published_dimension(width: int, ranks: tuple[int, ...]) -> None:
    found = lightning_rank(3, width, ranks, 12)
    assert found.is_exact
    assert found.rank == width**2 + sum(r * (2 * width - r) for r in ranks) - len(ranks)


def test_a_rank_one_score_before_others_loses_more() -> None:
    """Behind a rank-one score all tokens are multiples of one vector, and later scores are seen only through their symmetric part."""
    found = lightning_rank(3, 3, (1, 2, 3), 12)
    assert found.rank == 23 < found.columns - found.directions == 28


def test_few_inputs_leave_a_gap() -> None:
    found = lightning_rank(3, 3, (2, 2), 1)
    assert found.rank <= 9
    assert not found.is_exact


def test_the_derivative_against_a_difference() -> None:
    """The function is polynomial: mod p, f(theta + h) - f(theta) - f'(theta) h is quadratic in h, so it vanishes at order one."""
    import random

    from flint import nmod_mat

    prime, source = 10007, random.Random(3)

    def drawn(rows: int, columns: int) -> nmod_mat:
        return nmod_mat(rows, columns, [source.randrange(prime) for _ in range(rows * columns)], prime)

    layer, change = (lightning._Layer(drawn(2, 1), drawn(2, 1), drawn(2, 2)) for _ in range(2))
    x, dx = drawn(3, 2), drawn(3, 2)

    def along(h: int) -> nmod_mat:
        moved = lightning._Layer(*(a + b * h for a, b in ((layer.q, change.q), (layer.k, change.k), (layer.v, change.v))))
        return moved.moved(x + dx * h, dx - dx, lightning._Layer(change.q - change.q, change.k - change.k, change.v - change.v))[0]

    # Along a line the output is a polynomial of degree 6; its derivative at 0 from 7 values, by Lagrange's formula mod p.
    derivative = nmod_mat(3, 2, prime)
    for j in range(7):
        weight = 0
        for k in range(7):
            if k == j:
                continue
            term = pow(j - k, -1, prime)
            for m in range(7):
                if m not in (j, k):
                    term = term * (0 - m) * pow(j - m, -1, prime) % prime
            weight += term
        derivative += along(j) * (weight % prime)
    assert derivative == layer.moved(x, dx, change)[1]


def test_a_direction_with_an_effect_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = lightning._directions
    monkeypatch.setattr(lightning, "_directions", lambda layers, nothing, prime: [*right(layers, nothing, prime), layers])
    with pytest.raises(AssertionError, match="should have no effect"):
        lightning_rank(3, 2, (1,), 3)


def test_bad_sizes() -> None:
    for sizes in ((0, 2, (1,), 3), (3, 2, (3,), 3), (3, 2, (1,), 0)):
        with pytest.raises(InputError, match="sizes of at least 1"):
            lightning_rank(*sizes)
