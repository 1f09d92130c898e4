"""Invertible prefixes: the second moments of the contrast, and which of them are reached (Section 4, Prop. C.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, fmpq, fmpq_mat

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, NetworkCase, listed, network_case
from proofs_checks.positive_cone import enclosed_solution, thompson_distance, working_precision
from proofs_checks.prefix_instances import check_order
from proofs_checks.symbolic_stacks import symbolic_stack
from symattn.arithmetic import SymbolicField, SymbolicMatrix
from symattn.arithmetic.linear_algebra import to_flint
from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeriesMatrix
from symattn.network.rational import RationalMatrix, rational_matrix

CONTRACTION = Fraction(1, 2)
"""The factor by which ``X -> (B^T X B)^(-1/2)`` contracts Thompson's metric (C.5)."""


def next_contrast_matrix(contrast: Any, score: Any, moment: Any, slope: Any) -> Any:
    """``Delta' = g(0) C M^T Delta`` with tokens as columns, the transpose of it with tokens as rows (C.5, (C.8))."""
    return contrast @ score @ moment @ slope


def next_moment(score: Any, moment: Any) -> Any:
    """``C_i / g^2 = C_(i-1) M_i^T C_(i-1) M_i C_(i-1)`` (C.5, (C.9))."""
    return moment @ score.transpose() @ moment @ score @ moment


def symmetric_solution(u: SymbolicMatrix, v: SymbolicMatrix) -> SymbolicMatrix:
    """A symmetric C with ``C u = v``: ``(v u^T + u v^T) / |u|^2 - (u^T v) u u^T / |u|^4`` (C.5, (C.11))."""
    square, product = (u.transpose() @ u)[0, 0], (u.transpose() @ v)[0, 0]
    mixed = (v @ u.transpose() + u @ v.transpose()).map(lambda entry: entry / square)
    return mixed - (u @ u.transpose()).map(lambda entry: entry * product / (square * square))


@statement(
    "C.5",
    label="Prop. C.5, (C.8)-(C.11)",
    group="Finite jets",
    claim="n >= d + 1, slopes nonzero, M_i invertible for i < D: singleton fiber from degree 2 * 3^(D-1) + 1; "
    "Delta' = g(0) C M^T Delta + .., C_i = g^2 C_(i-1) M_i^T C_(i-1) M_i C_(i-1); S -> S M^T S M S is onto the positive definite cone",
)
def invertible_prefixes(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick(
        [(2, 1), (3, 2)], [(2, 1), (3, 1), (2, 2), (3, 2), (4, 2)], [(2, 1), (3, 1), (2, 2), (3, 2), (4, 2), (3, 3), (4, 3)]
    )
    for n, d in sizes:
        _check_first_layer(evidence, n, d)
    _check_second_layer(evidence)
    for d in effort.pick((2,), (1, 2, 3), (1, 2, 3, 4)):
        field = SymbolicField()
        u, v = field.symbols("u", d, 1), field.symbols("v", d, 1)
        solution = symmetric_solution(u, v)
        evidence.equal(solution @ u, v, f"C u = v, d = {d}")
        evidence.equal(solution, solution.transpose(), f"C is symmetric, d = {d}")
    _check_substitution(evidence)
    for score, root in effort.pick(_SURJECTIVITY[:2], _SURJECTIVITY[:4], _SURJECTIVITY):
        _check_onto(evidence, score, root)
    _check_contraction(evidence)
    cases = effort.pick(_CASES[:2], _CASES[:3], _CASES)
    for case in cases:
        effort.report(str(case))
        check_order(evidence, case)
    return evidence.outcome(
        f"the expansions: all tokens, M and phi with slope, (n, d) = {', '.join(map(str, sizes))}, and a second layer; "
        f"onto the cone: enclosures for {effort.pick(2, 4, len(_SURJECTIVITY))} given M and P; "
        f"the degree: {listed(cases)}, skew prefixes among them"
    )


_CASES: list[NetworkCase] = [
    network_case(3, 2, *("exp(s)",) * 2, scores={1: SKEW}),
    network_case(2, 1, *("sigmoid(s)",) * 3),
    network_case(3, 2, *("exp(s)",) * 2, scores={1: SKEW, 2: SKEW}),
    network_case(4, 2, "exp(s)", "1 + s", scores={1: SKEW}),
]


def _check_first_layer(evidence: Evidence, n: int, d: int) -> None:
    stack = symbolic_stack((n, d, 1), [GenericNormalizer(1)], 2)
    ring = stack.ring
    centring = ring.matrix([[Fraction(int(a == b)) - Fraction(1, n) for b in range(n)] for a in range(n)])
    contrast = centring @ stack.tokens
    moment = (contrast.transpose() @ contrast).scale(Fraction(1, n))
    slope = ring.from_polynomials([[ring.symbol("b1") * int(i == j) for j in range(d)] for i in range(d)])
    claimed = next_contrast_matrix(contrast, stack.scores[0], moment, slope)
    found = centring @ stack.stages()[1]
    name = f"n = {n}, d = {d}"
    evidence.equal(found.coefficient(0), ring.constant(n, d, 0).coefficient(0), f"no contrast of degree 1, {name}")
    evidence.equal(found.coefficient(1), claimed.coefficient(0), f"the contrast of degree 3, {name}")
    after = (claimed.transpose() @ claimed).scale(Fraction(1, n))
    evidence.equal(after, slope @ next_moment(stack.scores[0], moment) @ slope, f"its second moments, {name}")


def _check_second_layer(evidence: Evidence) -> None:
    """Given scores, and all tokens: the contrast after two layers starts in degree 9, as the first layer's leading contrast makes it."""
    scores = {1: [[1, 2], [-1, 1]], 2: [[0, 3], [1, -2]]}
    stack = symbolic_stack((2, 2, 1), [GenericNormalizer(1, "b1_"), GenericNormalizer(1, "b2_")], 5, known_scores=scores)
    ring = stack.ring
    centring = ring.matrix([[Fraction(1, 2), Fraction(-1, 2)], [Fraction(-1, 2), Fraction(1, 2)]])
    contrast = centring @ stack.tokens
    for phi, score in zip(("b1_1", "b2_1"), stack.scores, strict=True):
        moment = (contrast.transpose() @ contrast).scale(Fraction(1, 2))
        slope = ring.from_polynomials([[ring.symbol(phi) * int(i == j) for j in range(2)] for i in range(2)])
        contrast = next_contrast_matrix(contrast, score, moment, slope)
    found: PolynomialSeriesMatrix = centring @ stack.stages()[2]
    for j in range(4):
        evidence.equal(found.coefficient(j), ring.constant(2, 2, 0).coefficient(0), f"no contrast of degree {2 * j + 1} after two layers")
    evidence.equal(found.coefficient(4), contrast.coefficient(0), "the contrast of degree 9 after two layers")


def _check_substitution(evidence: Evidence) -> None:
    """With ``P = R^2``, ``S = R X R``, ``B = R M R``: ``S M^T S M S = R (X B^T X B X) R``, which is P where ``X B^T X B X = I``."""
    field = SymbolicField()
    x, score = field.symbols("X", 2, 2), field.symbols("M", 2, 2)
    root = field.matrix([[field.symbol("r1"), field.symbol("r2")], [field.symbol("r2"), field.symbol("r3")]])
    moment, b = root @ x @ root, root @ score @ root
    evidence.equal(next_moment(score, moment), root @ next_moment(b, x) @ root, "S M^T S M S in the coordinates of P, d = 2")


# Pairs of an invertible M and a positive definite R; the target is P = R^2.
_SURJECTIVITY: list[tuple[RationalMatrix, RationalMatrix]] = [
    (rational_matrix([[3]]), rational_matrix([["1/2"]])),
    (rational_matrix([[0, 1], [-1, 0]]), rational_matrix([[2, 1], [1, 3]])),
    (rational_matrix([[1, 4], [-2, 1]]), rational_matrix([[1, 0], [0, "1/3"]])),
    (rational_matrix([[1, 2, 0], [0, -1, 3], [1, 0, 1]]), rational_matrix([[2, 1, 0], [1, 2, 1], [0, 1, 2]])),
    (rational_matrix([[0, 5], [1, 0]]), rational_matrix([[7, 2], [2, 1]])),
]


def _check_onto(evidence: Evidence, score: RationalMatrix, root: RationalMatrix) -> None:
    """Newton's method with balls: a box around an approximate solution that the interval Newton map sends into itself holds exactly one."""
    d = len(score)
    r, m = to_flint(root), to_flint(score)
    b = r * m * r
    with working_precision(200):
        box = enclosed_solution(arb_mat(b))
        name = f"M = {[[str(x) for x in row] for row in score]}, P = R^2, R = {[[str(x) for x in row] for row in root]}".replace("'", "")
        if box is None:
            evidence.judge(
                "undecided", f"a solution S, {name}", "Newton's method with balls did not close; more precision may do", kind="enclosure"
            )
            return
        # The box is symmetric and holds one solution, whose transpose solves the equation too: it is symmetric.
        minors = [arb_mat(size, size, [box[i, j] for i in range(size) for j in range(size)]).det() for size in range(1, d + 1)]
        positive = all(bool(minor > 0) for minor in minors)
        evidence.judge("confirmed" if positive else "refuted", f"the solution is positive definite, {name}", str(minors), kind="enclosure")
        moment = arb_mat(r) * box * arb_mat(r)
        reached = next_moment(_Balls(arb_mat(m)), _Balls(moment)).value
        target = r * r
        entries = [(reached[i, j], target[i, j]) for i in range(d) for j in range(d)]
        hit = all(ball.contains(arb(value)) and bool(ball.rad() < arb(2) ** -40) for ball, value in entries)
        evidence.judge("confirmed" if hit else "refuted", f"S M^T S M S = P, {name}", str(reached), kind="enclosure")


class _Balls:
    """An Arb matrix with the operators that the formulas are written in."""

    def __init__(self, value: arb_mat) -> None:
        self.value = value

    def __matmul__(self, other: _Balls) -> _Balls:
        return _Balls(self.value * other.value)

    def transpose(self) -> _Balls:
        return _Balls(self.value.transpose())


def _check_contraction(evidence: Evidence) -> None:
    """``X = B^(-T) W^(-2) B^(-1)`` is sent to W: pairs with rational values on both sides, and their distances as balls."""
    b = fmpq_mat([[1, 2], [-1, 3]])
    pairs = [
        (fmpq_mat([[2, 1], [1, 3]]), fmpq_mat([[1, 0], [0, 4]])),
        (fmpq_mat([[5, -2], [-2, 1]]), fmpq_mat([[1, 1], [1, 2]])),
        (fmpq_mat([[2, 1], [1, 3]]), fmpq_mat([[6, 3], [3, 9]])),
    ]
    factor = arb(fmpq(CONTRACTION.numerator, CONTRACTION.denominator))
    for one, other in pairs:
        before = [b.transpose().inv() * (w * w).inv() * b.inv() for w in (one, other)]
        with working_precision(200):
            ratio = thompson_distance(one, other) / thompson_distance(*before)
            proportional = one[0, 0] * other == other[0, 0] * one
            # Proportional matrices attain the factor: there the ball must hold it, and be narrow.
            fine = bool(ratio < factor) if not proportional else ratio.contains(factor) and bool(ratio.rad() < arb(2) ** -40)
        evidence.judge(
            "confirmed" if fine else "refuted", f"X -> (B^T X B)^(-1/2) contracts by {CONTRACTION}", str(ratio), kind="enclosure"
        )
