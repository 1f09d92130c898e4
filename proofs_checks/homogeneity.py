"""Homogeneity on the collapse path: small scores at fixed inputs are fixed scores at small inputs (Section 5, Appendix D)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.symbols import matrix_rows, native_symbols, unit_matrix, unknown_layer
from symattn.arithmetic import RationalFunction, SymbolicField, UndefinedNormalizer
from symattn.network.attention import pull_back_stack, trace_stack
from symattn.network.parameters import NativeParameters, reduction_differential
from symattn.theory import contact_orders, jet_orders

Number = Any  # an integer or a rational function

# Powers of t in (51), (D.1) and (D.2): of the output, of the effective directions, and of the derivative in a score.
OUTPUT_POWER, DIRECTION_POWER, DERIVATIVE_POWER = -1, 1, -3


@statement(
    "D.homogeneity",
    label="(51), (D.1), (D.2)",
    group="Native spectra",
    claim="F_(I,t^2 B)(X) = F_(I,B)(tX) / t; on the path dM_i = t T_i; N_i = beta_i + 2",
)
def homogeneity(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick([(2, 2, 1)], [(2, 2, 1), (3, 1, 1), (2, 1, 2)], [(2, 2, 1), (3, 1, 1), (3, 2, 1), (2, 1, 2)])
    for n, d, depth in sizes:
        _check_scaling(evidence, n, d, depth)
    for ranks in ((1, 2), (2, 1, 1)):
        _check_directions(evidence, ranks)
    _check_orders(evidence)
    return evidence.outcome(
        f"for all tokens, scores and normalizers of sizes (n, d, D) = {', '.join(str(size).replace(' ', '') for size in sizes)}; "
        "for all factors at d = 2; for all degrees and depths (by induction)"
    )


def _check_scaling(evidence: Evidence, n: int, d: int, depth: int) -> None:
    field = SymbolicField()
    t = field.symbol("t")
    tokens = field.symbols("x", n, d)
    layers = [unknown_layer(UndefinedNormalizer(f"phi{i}"), field.symbols(f"B{i}", d, d), unit_matrix(field, d)) for i in range(depth)]
    small = [unknown_layer(UndefinedNormalizer(f"phi{i}"), layers[i].score.scale(t * t), layers[i].value) for i in range(depth)]
    near, scaled = ([trace for (trace,) in trace_stack(field, stack, [x])] for stack, x in ((small, tokens), (layers, tokens.scale(t))))
    name = f"n = {n}, d = {d}, D = {depth}"
    evidence.equal(near[-1].output, scaled[-1].output.scale(_power(field, t, OUTPUT_POWER)), f"small scores are small inputs, {name}")
    cotangent = field.symbols("w", n, d)
    for i, (found, claimed) in enumerate(zip(*(pull_back_stack(field, traces, cotangent) for traces in (near, scaled)), strict=True)):
        evidence.equal(found[0], claimed[0].scale(_power(field, t, DERIVATIVE_POWER)), f"derivative in score {i + 1}, {name}")


def _power(field: SymbolicField, t: RationalFunction, exponent: int) -> RationalFunction:
    return t**exponent if exponent >= 0 else field.element(1) / t**-exponent


def _check_directions(evidence: Evidence, ranks: Sequence[int]) -> None:
    """Along ``Q = tU``, ``K = tW``, ``V = I`` ``(dQ, dK)`` moves the scores by ``dM_i = t T_i``, ``T_i = dQ W^T + U dK^T``."""
    field = SymbolicField()
    t, d = field.symbol("t"), 2
    factors = native_symbols(field, d, ranks, values=[matrix_rows(unit_matrix(field, d))] * len(ranks))
    point = NativeParameters(Q=_scaled(factors.Q, t), K=_scaled(factors.K, t), V=factors.V)
    zero = _scaled(factors.V, field.element(0))
    moves = [(field.symbols(f"dQ{i}", d, r), field.symbols(f"dK{i}", d, r)) for i, r in enumerate(ranks, start=1)]
    direction = NativeParameters(Q=tuple(matrix_rows(dq) for dq, _ in moves), K=tuple(matrix_rows(dk) for _, dk in moves), V=zero)
    readout, scores = reduction_differential(point, direction)
    evidence.zero(field.matrix(readout), f"dL of a factor direction, r = {ranks}")
    for i, (found, (dq, dk)) in enumerate(zip(scores, moves, strict=True)):
        tangent = dq @ field.matrix(factors.K[i]).transpose() + field.matrix(factors.Q[i]) @ dk.transpose()
        evidence.equal(field.matrix(found), tangent.scale(_power(field, t, DIRECTION_POWER)), f"dM_{i + 1} = t T_{i + 1}, r = {ranks}")


def _scaled(matrices: Sequence[Any], factor: RationalFunction) -> Any:
    return tuple(tuple(tuple(factor * entry for entry in row) for row in matrix) for matrix in matrices)


def next_contrast(alpha: Number, k: Number) -> Number:
    """``alpha_i = 3 alpha_{i-1} + 2 k_i - 2``: the order of the contrast in the inputs (Prop. C.1)."""
    return 3 * alpha + 2 * k - 2


def jet_order(alpha: Number, k: Number) -> Number:
    """``N_i = 2 alpha_{i-1} + 2 k_i - 1`` (Prop. C.1)."""
    return 2 * alpha + 2 * k - 1


def next_excess(e: Number, k: Number) -> Number:
    """``e_i = 3 e_{i-1} + 2 k_i`` (Prop. D.1)."""
    return 3 * e + 2 * k


def contact_order(e: Number, k: Number) -> Number:
    """``beta_i = 2 k_i - 1 + 2 e_{i-1}`` (Prop. D.1)."""
    return 2 * k - 1 + 2 * e


def _check_orders(evidence: Evidence) -> None:
    field = SymbolicField()
    alpha, k = field.symbol("alpha"), field.symbol("k")
    shift = -(DIRECTION_POWER + DERIVATIVE_POWER)
    evidence.equal(next_excess(alpha - 1, k), next_contrast(alpha, k) - 1, "e_i = alpha_i - 1 is kept by both recurrences")
    evidence.equal(contact_order(alpha - 1, k) + shift, jet_order(alpha, k), "N_i = beta_i + 2")
    for degrees in ((1, 1, 1, 1), (3, 1, 2), (2, 2, 5, 1)):
        e, contacts = 0, []
        for degree in degrees:
            contacts.append(contact_order(e, degree))
            e = next_excess(e, degree)
        evidence.equal(contact_orders(degrees), tuple(contacts), f"contact orders of symattn.theory, k = {degrees}")
        evidence.equal(jet_orders(degrees), tuple(order + shift for order in contacts), f"jet orders of symattn.theory, k = {degrees}")
