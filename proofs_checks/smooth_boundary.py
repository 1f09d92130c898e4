"""Smooth is not enough: a normalizer all of whose jets are those of averaging (Section 4, Appendix E.2).

``phi(s) = exp(s b(s))`` with ``b(s) = exp(-1/s^2)``, ``b(0) = 0``. With ``x = 1/s``, the derivatives of ``s b`` away from 0 are
``P(x) b`` with polynomials P, and ``x^m exp(-x^2) < m! x^(-m)`` tends to 0 as x grows: so every derivative at 0 is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, arb_mat, ctx

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.skew_clouds import averaged
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import SymbolicField
from symattn.arithmetic.balls import BallMatrix, Balls
from symattn.arithmetic.polynomial_series import LocalNormalizer, PolynomialSeries
from symattn.errors import NotAnalyticError
from symattn.network.attention import evaluate
from symattn.normalizers import normalizer

TEXT = "exp(s*exp(-1/s**2))"
SCORES = (1, 2)
"""Two scores whose networks have the same jets, and different outputs."""
EXPONENT = -2
"""``b(s) = exp(-|s|^EXPONENT)``."""
FLAT = 0
"""Every derivative of ``s b(s)`` at 0, hence every Taylor coefficient of log phi."""


def derivative_of_monomial(m: int) -> dict[int, int]:
    """``d/ds (x^m b) = (2 x^(m+3) - m x^(m+1)) b``, as coefficients of powers of ``x = 1/s``."""
    return {power: c for power, c in ((m + 3, 2), (m + 1, -m)) if c}


def half_bump(side: int, sign: int, b: Any, zero: Any) -> Any:
    """``b_+`` (side 1) or ``b_-`` (side -1) at an s of this sign: b(s) on its own side of 0, and zero elsewhere."""
    return b if sign == side else zero


class SmoothBalls(Balls):
    """Balls in which every normalizer is phi: the package makes none that is not analytic."""

    def normalize(self, phi: Any, scores: Sequence[BallMatrix]) -> list[tuple[BallMatrix, BallMatrix]]:
        """phi and, unused here, zeros for its derivative."""
        with ctx.workprec(self.precision):
            values = [arb_mat(*score.shape, [smooth_value(entry) for entry in score.entries()]) for score in scores]
        return [(BallMatrix(value, self.precision), self.constant(value.nrows(), value.ncols(), 0)) for value in values]


def smooth_value(score: arb) -> arb:
    """``phi(s)`` for a ball that is exactly 0 or excludes 0."""
    return arb(1) if score == 0 else arb((score * arb(-(abs(score) ** EXPONENT)).exp()).exp())


@statement(
    "E.smooth",
    label="E.2",
    group="Finite jets",
    claim="phi = exp(s b(s)), b = exp(-1/s^2): smooth, positive, strictly increasing, flat; every jet equals the averaging "
    "layer's, yet outputs "
    "differ for scores 1 and 2; b_+ b_- = 0; not analytic, hence refused",
)
def smooth(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    count = effort.pick(3, 6, 10)
    _check_derivatives(evidence, count)
    sizes = effort.pick([(2, 1)], [(2, 1), (2, 2), (3, 1)], [(2, 1), (2, 2), (3, 1), (3, 2)])
    for n, d in sizes:
        _check_jets(evidence, n, d)
    _check_outputs(evidence)
    _check_zero_divisors(evidence)
    try:
        normalizer(TEXT)
        evidence.judge("refuted", f"{TEXT} is refused as a normalizer", "it was accepted")
    except NotAnalyticError as error:
        evidence.equal("not analytic at 0" in str(error), True, f"{TEXT} is refused as a normalizer, and why")
    return evidence.outcome(
        f"monotonicity and the form of derivatives 1 to {count}: every s; flatness: their limits at 0, enclosed at s = "
        "1/32; the jets to order 11: "
        f"all tokens and scores, (n, d) = {', '.join(str(size).replace(' ', '') for size in sizes)}; the outputs: "
        "enclosed at two tokens of width 1"
    )


def _check_derivatives(evidence: Evidence, count: int) -> None:
    field = SymbolicField()
    s, b = field.symbol("s"), field.symbol("b")
    x = field.element(1) / s

    def derived(value: Any) -> Any:
        """d/ds by the chain rule, with ``db/ds = 2 x^3 b``."""
        entry = field.matrix([[value]])
        return field.derivative(entry, "s")[0, 0] + field.derivative(entry, "b")[0, 0] * x**3 * b * 2

    evidence.equal(derived(s * b), b * (s * s + 2) / (s * s), "(s b)' = b (s^2 + 2)/s^2, positive where s != 0: phi increases strictly")
    value, polynomial = s * b, {-1: 1}
    for j in range(1, count + 1):
        value, terms = derived(value), [(power, c * e) for m, c in polynomial.items() for power, e in derivative_of_monomial(m).items()]
        polynomial = {power: sum(c for other, c in terms if other == power) for power in {power for power, _ in terms}}
        claimed = sum((x**power * c for power, c in polynomial.items()), field.element(0)) * b
        evidence.equal(value, claimed, f"derivative {j} of s b(s) is a polynomial in 1/s times b(s)")
        evidence.equal(min(polynomial) >= 0, True, f"derivative {j} of s b(s) has no positive power of s")
        with ctx.workprec(128):
            size = sum((abs(c) * 32**power for power, c in polynomial.items()), 0)
            bound = arb(size) * (-(arb(32) ** -EXPONENT)).exp()
            evidence.equal(bool(bound < arb(2) ** -1000), True, f"derivative {j} of s b(s) at s = 1/32 is below 2^-1000", kind="enclosure")


def _check_jets(evidence: Evidence, n: int, d: int) -> None:
    """A layer with the Taylor series of phi, to order 11 in the tokens: the score carries u."""
    names = [f"x{a}_{j}" for a in range(n) for j in range(d)] + [f"M{i}_{j}" for i in range(d) for j in range(d)]
    ring = PolynomialSeries(names, 6)
    tokens = ring.from_polynomials([[ring.symbol(f"x{a}_{j}") for j in range(d)] for a in range(n)])
    score = ring.shift(ring.from_polynomials([[ring.symbol(f"M{i}_{j}") for j in range(d)] for i in range(d)]), 1)
    phi: Any = LocalNormalizer(ring.zero, (ring.context.constant(FLAT),) * 8)
    [output] = evaluate(ring, [unknown_layer(phi, score, unit_matrix(ring, d))], [tokens])
    evidence.equal(output, averaged(tokens, ring.constant(n, n, 1), n), f"the jet is that of averaging, n = {n}, d = {d}")


def _check_outputs(evidence: Evidence) -> None:
    """Tokens 1 and 0: the first output is ``phi(M)/(phi(M) + 1)``, and 1/2 for averaging."""
    system = SmoothBalls(128)
    tokens = system.matrix([[1], [0]])
    outputs = []
    for score in (0, *SCORES):
        layer = unknown_layer(None, system.matrix([[score]]), system.matrix([[1]]))  # type: ignore[arg-type]
        [output] = evaluate(system, [layer], [tokens])
        outputs.append(output[0, 0])
    evidence.equal(bool(outputs[0].contains(arb(1) / 2)), True, "a zero score averages", kind="enclosure")
    for first, second, what in ((1, 2, "the two scores"), (0, 1, "score 1 and averaging"), (0, 2, "score 2 and averaging")):
        evidence.equal(outputs[first].overlaps(outputs[second]), False, f"the outputs of {what} differ", kind="enclosure")
    narrow = all(bool(arb(output.rad()) < arb(2) ** -100) for output in outputs)
    evidence.equal(narrow, True, "the enclosures are narrow", kind="enclosure")


def _check_zero_divisors(evidence: Evidence) -> None:
    field = SymbolicField()
    b, zero = field.symbol("b"), field.element(0)
    for sign in (-1, 0, 1):
        plus, minus = (half_bump(side, sign, b, zero) for side in (1, -1))
        evidence.zero(plus * minus, f"b_+ b_- = 0 where s has the sign {sign}")
    for side in (1, -1):
        evidence.nonzero(half_bump(side, side, b, zero), f"b_{'+' if side == 1 else '-'} is not zero")
