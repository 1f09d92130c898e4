"""The law of mixed stacks: agreement on the grid, and no wrong law survives it."""

from __future__ import annotations

from math import inf

import pytest

from proofs_checks import mixed_stacks
from proofs_checks.mixed_stacks import Word


def test_confirmed(check):
    outcome = check("X.mixed")
    assert (outcome.verdict, outcome.evidence) == ("confirmed", "sampled")
    assert outcome.scope.startswith("a conjecture, tested on 59 cases")


@pytest.mark.slow
def test_confirmed_at_default_effort(check):
    assert check("X.mixed", "default").verdict == "confirmed"


def _changed(letter, change):
    right = mixed_stacks.next_orders

    def wrong(orders, other, even_degree):
        result = right(orders, other, even_degree)
        return change(*result) if other == letter else result

    return wrong


@pytest.mark.parametrize(
    ("letter", "change"),
    [
        ("R", lambda first, second: (first + 2, second)),
        ("R", lambda first, second: (first, second + 2)),
        ("G", lambda first, second: (first, second + 2)),
        ("G", lambda first, second: (first - 2, second)),
        ("S", lambda first, second: (first + 2, second - 2)),
        ("S", lambda first, second: (first, second + 2)),
    ],
)
def test_no_wrong_law_survives(monkeypatch, assert_refuted, letter, change):
    monkeypatch.setattr(mixed_stacks, "next_orders", _changed(letter, change))
    assert_refuted("X.mixed")


def test_the_even_degree_matters(monkeypatch, assert_refuted):
    right = mixed_stacks.next_orders
    monkeypatch.setattr(mixed_stacks, "next_orders", lambda orders, letter, even: right(orders, letter, inf))
    assert_refuted("X.mixed")


@pytest.mark.parametrize("change", [lambda orders: 2 * orders[0], lambda orders: 1 + 3 * orders[0]])
def test_no_wrong_contact_order_survives(monkeypatch, assert_refuted, change):
    monkeypatch.setattr(mixed_stacks, "contact_order", change)
    assert_refuted("X.mixed")


def test_two_tokens_of_equal_score_are_no_generic_input():
    """With equal scores ``u^T x_2 = u^T x_3`` a rank-one layer makes two tokens equal: the second order is infinite, not 4."""
    from symattn.arithmetic import RationalSeries
    from symattn.network.rational import rational_matrix

    word = Word(3, 2, "R", ("exp(s)",))
    assert word.orders()[1] == (2, 4)

    class Special(Word):
        def instance(self, bank_size):
            generic = super().instance(bank_size)
            layer = mixed_stacks.PathLayer(rational_matrix([[1], [2]]), rational_matrix([[8], [8]]), generic.layers[0].V)
            bank = (rational_matrix([[-4, -67], [-72, 53], [-82, 58]]),)
            return mixed_stacks.Instance(3, 2, generic.normalizers, (layer,), bank)

    assert mixed_stacks._contrast_orders(RationalSeries(20), Special(3, 2, "R", ("exp(s)",)))[1] == (2, inf)
