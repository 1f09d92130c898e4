"""Theorem 2 fails at slope zero: a layer that keeps mean and contrast, behind which its score cannot be seen (Section 3, Appendix B)."""

from __future__ import annotations

from fractions import Fraction

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.parity_field import EvenNormalizer, ParityField, skew_symbols
from proofs_checks.signs import difference_degree
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import UndefinedNormalizer
from symattn.network.attention import evaluate
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, rational_matrix
from symattn.normalizers import normalizer
from symattn.theory.collapse import layer_collapse
from symattn.theory.fibers import effective_fiber

FIRST = "exp(s**2)"
"""The normalizer of the layer whose score is lost: its slope h'(0) is zero."""
AT_SLOPE = "exp(s + s**2)"
"""A normalizer with the same curvature and a slope that is not zero: with it the tuples are told apart."""

READOUT = rational_matrix([[1, 1]])
SCORES = (rational_matrix([[0, 1], [-1, 0]]), rational_matrix([[0, 2], [-2, 0]]))
ZERO = rational_matrix([[0, 0], [0, 0]])


def network(first_score: RationalMatrix, *normalizers: str) -> Network:
    """``L = (1 1)``, the given first score, zero scores in later layers; two tokens."""
    scores = (first_score, *(ZERO,) * (len(normalizers) - 1))
    return Network(2, tuple(map(normalizer, normalizers)), EffectiveParameters(READOUT, scores))


@statement(
    "B.slope-needed",
    label="(29), B.4",
    group="Exceptional fibers",
    claim="phi_1 = exp(s^2), M_1 skew, M_2 = 0, n = 2: layer 1 keeps mean and contrast, layer 2 erases the score of layer "
    "1: the fiber is larger "
    "than Theorem 2 would say, so nonzero slopes are needed",
)
def slope_needed(effort: Effort) -> Outcome:
    evidence = Evidence("refutation")
    for d in effort.pick((2,), (2, 3), (2, 3, 4)):
        _check_mean(evidence, d)
    phi = normalizer(FIRST)
    evidence.equal((phi.k > 1, phi.is_even), (True, True), f"{FIRST} is even and has slope zero")
    tuples = [network(score, FIRST, "exp(s)") for score in SCORES]
    for each in tuples:
        score = each.parameters.M[0]
        evidence.equal(layer_collapse(phi, 2, score).collapses, False, f"layer 1 does not collapse, M_1 = {_text(score)}")
        evidence.equal(effective_fiber(each).kind, "open", "no statement is said to cover the tuple")
    order = effort.pick(11, 15, 19)
    written = " and ".join(f"(L = {_text(READOUT)}, M_1 = {_text(each.parameters.M[0])}, M_2 = 0)" for each in tuples)
    evidence.equal(difference_degree(tuples[0], tuples[1], order), None, f"the tuples {written} have the same jet of order {order}")
    alone = [network(score, FIRST) for score in SCORES]
    evidence.nonzero(difference_degree(alone[0], alone[1], order) or 0, "their first layers are different functions")
    sloped = [network(score, AT_SLOPE, "exp(s)") for score in SCORES]
    evidence.equal(difference_degree(sloped[0], sloped[1], order), 3, f"with {AT_SLOPE} in layer 1 the same tuples differ in degree 3")
    return evidence.outcome(
        f"two tuples with phi = {FIRST}, exp(s): {written}; the mean is kept for every even phi_1 and every skew M_1, "
        "hence the networks are equal"
    )


def _check_mean(evidence: Evidence, d: int) -> None:
    """Even phi, skew score: the output mean is the input mean, and a zero score sends every token there; contrast is not erased."""
    field = ParityField()
    tokens, unit, half = field.symbols("x", 2, d), unit_matrix(field, d), field.constant(2, 2, 1).scale(Fraction(1, 2))
    first = unknown_layer(EvenNormalizer("phi1"), skew_symbols(field, "M1", d), unit)
    [kept] = evaluate(field, [first], [tokens])
    evidence.equal(half @ kept, half @ tokens, f"layer 1 keeps the mean, d = {d}", kind="identity")
    evidence.nonzero(kept - half @ kept, f"layer 1 keeps contrast, d = {d}", kind="identity")
    second = unknown_layer(UndefinedNormalizer("phi2"), field.constant(d, d, 0), unit)
    [output] = evaluate(field, [first, second], [tokens])
    evidence.equal(output, half @ tokens, f"the output does not depend on M_1, d = {d}", kind="identity")


def _text(matrix: RationalMatrix) -> str:
    return str([[str(entry) for entry in row] for row in matrix]).replace("'", "")
