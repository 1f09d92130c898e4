"""Telling two networks apart: a monomial whose Taylor coefficients differ, and an input with provably different outputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from symattn.arithmetic.balls import Balls
from symattn.errors import UndecidedError
from symattn.exact.jets import jet_of, token_symbols
from symattn.network.attention import Layer, evaluate
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix, identity, multiply, transpose
from symattn.normalizers.evaluation import evaluate_rational, is_rational_function

__all__ = ["InputWitness", "MonomialWitness", "evaluate_exactly", "first_difference", "separating_input"]

Report = Callable[[str], None]
_PRECISIONS = (128, 512, 2048)


@dataclass(frozen=True)
class MonomialWitness:
    """An input monomial at which the outputs of token 1 have different coefficients."""

    monomial: str
    degree: int
    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]

    def to_json(self) -> dict[str, object]:
        """The fields, numbers as exact strings."""
        return {
            "monomial": self.monomial,
            "degree": self.degree,
            "values": [[str(v) for v in self.first], [str(v) for v in self.second]],
        }


@dataclass(frozen=True)
class InputWitness:
    """A rational input and one output entry (token, coordinate, from 1) at which two networks provably differ.

    ``first`` and ``second`` are exact fractions, or disjoint enclosures as text.
    """

    tokens: RationalMatrix
    token: int
    coordinate: int
    first: str
    second: str
    is_exact: bool

    def to_json(self) -> dict[str, object]:
        """The fields, numbers as exact strings."""
        return {
            "input": [[str(x) for x in row] for row in self.tokens],
            "output": [self.token, self.coordinate],
            "values": [self.first, self.second],
            "exact": self.is_exact,
        }


def first_difference(first: Network, second: Network, max_degree: int, report: Report) -> MonomialWitness | None:
    """The first monomial, by degree, at which two networks of one input and output shape differ, up to ``max_degree``.

    Raises :class:`UndecidedError` for irrational normalizer coefficients.
    """
    order = 1
    while True:
        report(f"Taylor coefficients up to degree {order}")
        difference = jet_of(first, order).difference(jet_of(second, order))
        if difference is not None:
            exponents, mine, theirs = difference
            names = token_symbols(first.tokens, first.width)
            monomial = " ".join(f"{name}^{e}" if e > 1 else name for name, e in zip(names, exponents, strict=True) if e)
            return MonomialWitness(monomial, sum(exponents), mine, theirs)
        if order >= max_degree:
            return None
        order = min(2 * order + 1, max_degree)


def separating_input(first: Network, second: Network, attempts: int = 12, seed: int = 1) -> InputWitness | None:
    """A rational input at which the outputs differ, exactly for rational normalizers, else by disjoint enclosures.

    ``None`` if none of the inputs that were tried separates at the precisions tried: that proves nothing.
    """
    exact = all(is_rational_function(phi) for network in (first, second) for phi in network.normalizers)
    for tokens in _inputs(first.tokens, first.width, attempts, seed):
        try:
            witness = _exact_witness(first, second, tokens) if exact else _ball_witness(first, second, tokens)
        except UndecidedError:
            continue
        if witness is not None:
            return witness
    return None


def evaluate_exactly(network: Network, tokens: RationalMatrix) -> RationalMatrix:
    """The output at a rational input over Q, for normalizers that are rational functions; raises :class:`UndecidedError` at a pole."""
    for phi, score in zip(network.normalizers, network.parameters.M, strict=True):
        rows = []
        for logits in multiply(multiply(tokens, score), transpose(tokens)):
            weights = [evaluate_rational(phi, value)[0] for value in logits]
            total = sum(weights, Fraction(0))
            if not total:
                raise UndecidedError("a weight sum is zero at this input")
            rows.append(tuple(weight / total for weight in weights))
        tokens = multiply(tuple(rows), tokens)
    return multiply(tokens, transpose(network.parameters.L))


def _inputs(tokens: int, width: int, attempts: int, seed: int) -> Iterator[RationalMatrix]:
    """Integer inputs over growing denominators: large contrasts first, then inputs nearer to 0."""
    source = random.Random(seed)
    for attempt in range(attempts):
        scale = 2 ** (attempt % 6)
        yield tuple(tuple(Fraction(source.randint(-9, 9), 5 * scale) for _ in range(width)) for _ in range(tokens))


def _exact_witness(first: Network, second: Network, tokens: RationalMatrix) -> InputWitness | None:
    outputs = [evaluate_exactly(network, tokens) for network in (first, second)]
    for a, rows in enumerate(zip(*outputs, strict=True), start=1):
        for c, (mine, theirs) in enumerate(zip(*rows, strict=True), start=1):
            if mine != theirs:
                return InputWitness(tokens, a, c, str(mine), str(theirs), True)
    return None


def _ball_witness(first: Network, second: Network, tokens: RationalMatrix) -> InputWitness | None:
    for precision in _PRECISIONS:
        system = Balls(precision)
        outputs = []
        for network in (first, second):
            values = [identity(network.width)] * (network.depth - 1) + [network.parameters.L]
            layers = [
                Layer(phi, system.matrix(score), system.matrix(value))
                for phi, score, value in zip(network.normalizers, network.parameters.M, values, strict=True)
            ]
            outputs.append(evaluate(system, layers, [system.matrix(tokens)])[0])
        rows, columns = outputs[0].shape
        for a in range(rows):
            for c in range(columns):
                mine, theirs = outputs[0][a, c], outputs[1][a, c]
                if not mine.overlaps(theirs):
                    return InputWitness(tokens, a + 1, c + 1, *_told_apart(mine, theirs), False)
    return None


def _told_apart(mine: arb, theirs: arb) -> tuple[str, str]:
    """Two disjoint balls with enough digits to see it."""
    digits = 15
    while arb(mine.str(digits)).overlaps(arb(theirs.str(digits))) and digits < 1000:
        digits *= 2
    return mine.str(digits), theirs.str(digits)
