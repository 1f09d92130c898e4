"""Stacks that mix rank-one, generic and skew scores: a law that is not in the paper, held against exact computation (spec 6.3).

The law is a conjecture: agreement on a grid confirms the grid, not the law.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf
from typing import TypeVar

from proofs_checks.evidence import Evidence, Kind, Outcome
from proofs_checks.framework import Effort, statement
from symattn.arithmetic import DEFAULT_PRIMES, LocalArithmetic, LocalMatrix, PadicPoint, RationalSeries
from symattn.exact.smith import local_smith
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.attention import evaluate
from symattn.network.banks import draw_bank
from symattn.network.instance import Instance, PathLayer
from symattn.network.path import path_layers
from symattn.network.rational import RationalMatrix, identity
from symattn.normalizers import normalizer
from symattn.theory.mixed import ScoreType, mixed_contact_orders

L = TypeVar("L", bound=LocalMatrix)
Orders = tuple[float, float]
"""``f_1 <= f_2``: integers, or infinite."""


def next_orders(orders: Orders, letter: str, even_degree: float) -> Orders:
    """``(f_1, f_2)`` after a layer of degree k = 1 with a score that is rank-one "R", generic "G" or skew "S" (X.mixed).

    ``f_1 <= f_2`` are the first two elementary divisor orders of the contrast of the tokens, in t; ``f_2`` is infinite for n = 2.
    ``even_degree`` is the first even degree l of ``log phi``, infinite if there is none.
    """
    first, second = orders
    if letter == "R":
        return 3 * first + 2, 4 * first + second + 4
    if letter == "G":
        return 3 * first + 2, 3 * second + 2
    least = min(2 * first + second + 2, (even_degree + 1) * first + 2 * even_degree)
    return least, 3 * (first + second) + 4 - least if second < inf else inf


def contact_order(orders: Orders) -> float:
    """``1 + 2 f_1``: the contact order of a layer, from the orders of the contrast that it receives (X.mixed)."""
    return 1 + 2 * orders[0]


@dataclass(frozen=True)
class Word:
    """A stack of drawn scores: one letter and one normalizer for each layer, n tokens of width d."""

    tokens: int
    width: int
    letters: str
    normalizers: tuple[str, ...]

    def __str__(self) -> str:
        return f"n = {self.tokens}, d = {self.width}, scores {self.letters}, phi = {', '.join(dict.fromkeys(self.normalizers))}"

    def orders(self) -> list[Orders]:
        """``(f_1, f_2)`` at the input and after every layer, by the law."""
        result: list[Orders] = [(0, 0 if self.tokens > 2 and self.width > 1 else inf)]
        for letter, even in zip(self.letters, self.even_degrees(), strict=True):
            result.append(next_orders(result[-1], letter, inf if even is None else even))
        return result

    def even_degrees(self) -> list[int | None]:
        """The first even degree of every ``log phi``."""
        return [normalizer(text).first_even_degree for text in self.normalizers]

    def contact_spectrum(self) -> tuple[tuple[int, int], ...]:
        """Orders and multiplicities by the law: 0 for the readout, and ``r (2d - r)`` for each layer that is seen."""
        counts = Counter({0: self.width**2})
        for letter, before in zip(self.letters, self.orders(), strict=False):
            rank = _RANKS[letter]
            if contact_order(before) < inf:
                counts[int(contact_order(before))] += rank * (2 * self.width - rank)
        return tuple(sorted(counts.items()))

    def instance(self, bank_size: int) -> Instance:
        """The stack with drawn factors, on a drawn bank."""
        source = random.Random(f"mixed {self}")
        layers = tuple(PathLayer(*_factors(letter, self.width, source), identity(self.width)) for letter in self.letters)
        bank = draw_bank(self.tokens, self.width, bank_size, seed=1)
        return Instance(self.tokens, self.width, tuple(map(normalizer, self.normalizers)), layers, bank)


_RANKS = {"R": 1, "G": 2, "S": 2}
_TYPES: dict[str, ScoreType] = {"R": "rank one", "G": "generic", "S": "skew"}


def _factors(letter: str, d: int, source: random.Random) -> tuple[RationalMatrix, RationalMatrix]:
    """Entries from a wide range: two tokens with equal scores, or dependent columns, are no generic draw."""
    first, second = (
        tuple(tuple(Fraction(source.randint(-99_999, 99_999)) for _ in range(_RANKS[letter])) for _ in range(d)) for _ in range(2)
    )
    if letter == "S":  # U J U^T is skew for J = [[0, -1], [1, 0]]
        return first, tuple((-row[1], row[0]) for row in first)
    return first, second


@statement(
    "X.mixed",
    label="beyond the paper",
    group="Native spectra",
    claim="conjecture: with k = 1, contrast orders (f_1, f_2) go to (3 f_1 + 2, 4 f_1 + f_2 + 4) at a rank-one score, (3 "
    "f_1 + 2, 3 f_2 + 2) at a "
    "generic one, and at a skew one f_1' = min(2 f_1 + f_2 + 2, (l + 1) f_1 + 2l), f_1' + f_2' = 3 (f_1 + f_2) + 4; "
    "layer i has order 1 + 2 f_1",
)
def mixed_stacks(effort: Effort) -> Outcome:
    evidence = Evidence("sampled")
    padic = _words(effort.pick((2, 3), (2, 3, 4), (2, 3, 4)), (1, 2), _NORMALIZERS[: effort.pick(2, None, None)])
    padic += effort.pick([], _words((3,), (3,), _NORMALIZERS[:3]) + _LONG[:4], _words((2, 3, 4), (3,), _NORMALIZERS) + _LONG)
    over_q = _words((2, 3), effort.pick((1,), (1, 2), (1, 2)), _NORMALIZERS[: effort.pick(1, 2, 4)])
    for words, is_exact in ((padic, False), (over_q, True)):
        for number, word in enumerate(words, start=1):
            effort.report(f"contrast orders, {number} of {len(words)}: {word}")
            _check_contrasts(evidence, word, is_exact)
    observed = _words((3,), (2,), _NORMALIZERS[:2])[: effort.pick(4, None, None)] + _OBSERVED[: effort.pick(1, 6, None)]
    for number, word in enumerate(observed, start=1):
        effort.report(f"contact spectrum, {number} of {len(observed)}: {word}")
        _check_spectrum(evidence, word)
    return evidence.outcome(
        f"a conjecture, tested on {len(padic) + len(over_q) + len(observed)} cases: contrast orders of {len(padic)} drawn "
        "stacks at one p-adic point "
        f"and of {len(over_q)} over Q, the contact spectra of {len(observed)} at one p-adic point; words of "
        f"{_span(padic, 'letters')} letters, "
        f"n = {_span(padic, 'tokens')}, d = {_span(padic, 'width')}, first even degrees 2, 4 and none"
    )


_NORMALIZERS = ("exp(s)", "exp(s + s**2)", "exp(s + s**4)", "1/(1 - s)")

_LONG = [
    Word(3, 2, "SRSG", ("exp(s)",) * 4),
    Word(3, 3, "RSGS", ("exp(s + s**4)", "exp(s)", "sigmoid(s)", "1 + s")),
    Word(4, 3, "SSR", ("exp(s)", "1/(1 - s)", "exp(s)")),
    Word(3, 1, "RRR", ("exp(s)", "1 + s", "sigmoid(s)")),
    Word(3, 2, "SSSS", ("exp(s + s**4)",) * 4),
    Word(4, 2, "RRSS", ("1/(1 - s)",) * 4),
    Word(2, 3, "GSRS", ("exp(s + s**2)",) * 4),
]

_OBSERVED = [
    Word(3, 2, "SRG", ("exp(s)",) * 3),
    Word(3, 3, "SS", ("exp(s)",) * 2),
    Word(4, 2, "RS", ("exp(s + s**4)",) * 2),
    Word(3, 2, "RSG", ("exp(s + s**4)", "1/(1 - s)", "exp(s)")),
    Word(2, 2, "SGR", ("exp(s + s**2)",) * 3),
    Word(2, 2, "GSR", ("exp(s)",) * 3),
    Word(3, 2, "SSR", ("exp(s + s**2)",) * 3),
    Word(4, 2, "GSR", ("exp(s)",) * 3),
    Word(3, 3, "RSG", ("exp(s)",) * 3),
]


def _words(tokens: Sequence[int], lengths: Sequence[int], normalizers: Sequence[str]) -> list[Word]:
    """Every word of these lengths at d = 2, one normalizer for all layers."""
    return [
        Word(n, 2, "".join(letters), (text,) * length)
        for length in lengths
        for n in tokens
        for text in normalizers
        for letters in product("RGS", repeat=length)
    ]


def _span(words: Sequence[Word], field: str) -> str:
    values = [len(value) if isinstance(value := getattr(word, field), str) else value for word in words]
    return f"{min(values)} to {max(values)}"


def _check_contrasts(evidence: Evidence, word: Word, is_exact: bool) -> None:
    """The elementary divisors of the contrast at every stage, over Q or at a p-adic point; symattn.theory has the same law."""
    kind: Kind = "instance" if is_exact else "sampled"
    claimed = word.orders()
    contact = [int(order) if (order := contact_order(before)) < inf else None for before in claimed[:-1]]
    types = [_TYPES[letter] for letter in word.letters]
    predicted = mixed_contact_orders(types, word.even_degrees(), tokens=word.tokens, width=word.width)
    evidence.equal(predicted, tuple(contact), f"contact orders of symattn.theory, {word}", kind=kind)
    # An order at or above the precision is not seen: the precision exceeds the largest finite one that is claimed.
    precision = int(max(order for pair in claimed for order in pair if order < inf)) // 2 + 3
    found = (
        _contrast_orders(RationalSeries(precision), word) if is_exact else _contrast_orders(PadicPoint(DEFAULT_PRIMES[0], precision), word)
    )
    evidence.equal([*map(_exact, found)], [*map(_exact, claimed)], f"contrast orders, {word}", kind=kind)


def _exact(orders: Orders) -> tuple[int | None, ...]:
    return tuple(int(order) if order < inf else None for order in orders)


def _contrast_orders(system: LocalArithmetic[L], word: Word) -> list[Orders]:
    """``(f_1, f_2)`` at the input and after every layer, by the Smith form; infinite means not seen to the precision."""
    n = word.tokens
    instance = word.instance(1)
    centre = system.matrix([[Fraction(int(a == b)) - Fraction(1, n) for b in range(n)] for a in range(n)])
    tokens = system.matrix(instance.bank[0])
    stages = [tokens]
    for layer in path_layers(system, instance):
        [tokens] = evaluate(system, [layer], [tokens])
        stages.append(tokens)
    found: list[Orders] = []
    for stage in stages:
        orders = [2 * order for order in local_smith(centre @ stage).exponents()]  # u = t^2
        first, second, *_ = (*orders, inf, inf)
        found.append((first, second))
    return found


def _check_spectrum(evidence: Evidence, word: Word) -> None:
    claimed = word.contact_spectrum()
    inputs = 2 * sum(multiplicity for _, multiplicity in claimed) // word.width + word.width
    options = SpectrumOptions(DEFAULT_PRIMES[:1], claimed[-1][0] // 2 + 2, divisibility=0)
    found = find_spectrum(word.instance(inputs), options=options)
    evidence.equal(found.orders, claimed, f"contact spectrum, {word}")
    if found.kernel is not None:
        evidence.equal(found.kernel, found.shape[1] - sum(multiplicity for _, multiplicity in claimed), f"kernel, {word}")
