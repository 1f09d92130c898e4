"""Telling two networks apart: a monomial whose Taylor coefficients differ, and an input with provably different outputs."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx, fmpq

from symattn.arithmetic.balls import BallMatrix, Balls
from symattn.errors import BudgetError, UndecidedError
from symattn.exact.jets import jet_of
from symattn.network.attention import Layer, evaluate
from symattn.network.jets import monomial_text
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix, identity, multiply, transpose
from symattn.normalizers import Normalizer, normalizer
from symattn.normalizers.evaluation import evaluate_rational, is_rational_function
from symattn.normalizers.tree import Call, Number, Power, depends_on_variable, walk
from symattn.progress import Report

__all__ = ["InputWitness", "MonomialWitness", "enclosed_outputs", "evaluate_exactly", "first_difference", "separating_input"]

_PRECISIONS = (128, 512, 2048)

_LARGEST = 200_000
"""Most multiplications of one evaluation: some seconds for all inputs and precisions."""

_DEEPEST_EXACT = 5
"""Deeper stacks are enclosed also where they could be evaluated exactly: the fractions have thousands of digits."""

_SINGLE_VALUED = frozenset({"exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sinc", "sigmoid", "erf", "gamma"})


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

    Raises :class:`UndecidedError` for irrational normalizer coefficients, :class:`BudgetError` for a jet with too many monomials.
    """
    order = 1
    while True:
        report(f"Taylor coefficients up to degree {order}")
        difference = jet_of(first, order).difference(jet_of(second, order))
        if difference is not None:
            exponents, mine, theirs = difference
            return MonomialWitness(monomial_text(exponents, first.tokens, first.width), sum(exponents), mine, theirs)
        if order >= max_degree:
            return None
        order = min(order + 2, max_degree)


def separating_input(first: Network, second: Network, attempts: int = 12, seed: int = 1) -> InputWitness | None:
    """A rational input at which the outputs differ, exactly for rational normalizers, else by disjoint enclosures.

    The networks are then different near 0 too: an input is used only where both are analytic continuations of what they are near 0.
    ``None`` if none of the inputs that were tried separates at the precisions tried: that proves nothing.
    Raises :class:`BudgetError` for networks too large to be evaluated entry by entry.
    """
    n, d = first.tokens, first.width
    if n * d * (n + d) * max(first.depth, second.depth) > _LARGEST:
        raise BudgetError(f"outputs of {n} tokens of width {d} are not enclosed; fewer tokens or a smaller width can be")
    normalizers = {phi for network in (first, second) for phi in network.normalizers}
    exact = all(map(is_rational_function, normalizers)) and max(first.depth, second.depth) <= _DEEPEST_EXACT
    entries = [max(abs(x) for row in score for x in row) for network in (first, second) for score in network.parameters.M]
    for tokens in _inputs(n, d, attempts, seed, [entry for entry in entries if entry] or [Fraction(1)]):
        try:
            if exact:
                witness = _exact_witness(first, second, tokens)
            else:
                witness = _ball_witness(first, second, tokens)
                if witness and not (all(map(_is_meromorphic, normalizers)) or _are_analytic_towards_zero((first, second), tokens)):
                    continue
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


def enclosed_outputs(network: Network, tokens: RationalMatrix, bits: int) -> BallMatrix:
    """The output at a rational input, tokens x outputs, in balls of so many bits. Raises :class:`UndecidedError` near a pole."""
    system = Balls(bits)
    return _enclosed(system, network, system.matrix(tokens))


def _inputs(tokens: int, width: int, attempts: int, seed: int, entries: Sequence[Fraction]) -> Iterator[RationalMatrix]:
    """Rational inputs with logits of about 1 at the least and, by turns, at the largest score; then inputs nearer to 0."""
    source = random.Random(seed)
    sizes = [2 ** (math.ceil(bound).bit_length() // 2) for bound in (min(entries), max(entries))]
    for attempt in range(attempts):
        scale = 5 * sizes[attempt % 2] * 2 ** (attempt // 2)
        yield tuple(tuple(Fraction(source.randint(-9, 9), scale) for _ in range(width)) for _ in range(tokens))


def _exact_witness(first: Network, second: Network, tokens: RationalMatrix) -> InputWitness | None:
    outputs = [evaluate_exactly(network, tokens) for network in (first, second)]
    for a, rows in enumerate(zip(*outputs, strict=True), start=1):
        for c, (mine, theirs) in enumerate(zip(*rows, strict=True), start=1):
            if mine != theirs:
                return InputWitness(tokens, a, c, str(mine), str(theirs), True)
    return None


def _ball_witness(first: Network, second: Network, tokens: RationalMatrix) -> InputWitness | None:
    for precision in _PRECISIONS:
        outputs = [enclosed_outputs(network, tokens, precision) for network in (first, second)]
        rows, columns = outputs[0].shape
        for a in range(rows):
            for c in range(columns):
                mine, theirs = outputs[0][a, c], outputs[1][a, c]
                if not mine.overlaps(theirs):
                    return InputWitness(tokens, a + 1, c + 1, *_told_apart(mine, theirs), False)
    return None


def _enclosed(system: Balls, network: Network, tokens: BallMatrix) -> BallMatrix:
    values = [identity(network.width)] * (network.depth - 1) + [network.parameters.L]
    layers = []
    for phi, score, value in zip(network.normalizers, network.parameters.M, values, strict=True):
        # A zero score averages with any normalizer, also with one whose expression cannot be evaluated at 0.
        shown = phi if any(map(any, score)) else normalizer("exp(s)")
        layers.append(Layer(shown, system.matrix(score), system.matrix(value)))
    return evaluate(system, layers, [tokens])[0]


def _is_meromorphic(phi: Normalizer) -> bool:
    """Whether the expression is one single-valued function off a thin set of singularities: no logarithms, roots or their like."""
    for node in walk(phi.tree):
        if isinstance(node, Call) and node.name not in _SINGLE_VALUED:
            return False
        if isinstance(node, Power) and not _is_single_valued_power(node):
            return False
    return True


def _is_single_valued_power(node: Power) -> bool:
    if isinstance(node.exponent, Number) and node.exponent.value.denominator == 1:
        return True
    return not depends_on_variable(node.base)


def _are_analytic_towards_zero(networks: Sequence[Network], tokens: RationalMatrix) -> bool:
    """Whether values and derivatives are enclosed on the whole segment from 0 to the input, so that no singularity lies on it."""
    system = Balls(_PRECISIONS[0])
    with ctx.workprec(system.precision):
        segment = arb(0.5, 0.5)
        entries = [segment * arb(fmpq(x.numerator, x.denominator)) for row in tokens for x in row]
        points = BallMatrix(arb_mat(len(tokens), len(tokens[0]), entries), system.precision)
    for network in networks:
        _enclosed(system, network, points)
    return True


def _told_apart(mine: arb, theirs: arb) -> tuple[str, str]:
    """Two disjoint balls with enough digits to see it."""
    digits = 15
    while arb(mine.str(digits)).overlaps(arb(theirs.str(digits))) and digits < 1000:
        digits *= 2
    return mine.str(digits), theirs.str(digits)
