"""Restriction to two-planes, and what it gives for skew prefixes in odd dimension (Section 4, Prop. C.6)."""

from __future__ import annotations

from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, SKEW_3, ZERO_3, listed, network_case
from proofs_checks.prefix_instances import check_order
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import SymbolicField, SymbolicMatrix, UndefinedNormalizer
from symattn.network.attention import evaluate


def restricted_score(score: Any, plane: Any) -> Any:
    """``U^T M U``: the score on the plane with the basis U (C.6, (C.12))."""
    return plane.transpose() @ score @ plane


def restricted_determinant(form: Any) -> Any:
    """``(a^T M b)^2``: the determinant of ``U^T M U`` for skew M and ``U = [a b]`` (C.6, (C.13))."""
    return form * form


@statement(
    "C.6",
    label="Prop. C.6, (C.12), (C.13)",
    group="Finite jets",
    claim="F_(L,M)(UZ) = F_(LU, U^T M U)(Z); det(U^T M U) = (a^T M b)^2 for skew M, U = [a b]; n >= 3: degree 2 * 3^(D-1) + 1 determines "
    "the tuple when no det(U^T M_i U), i < D, is identically zero",
)
def two_planes(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick([(2, 3)], [(2, 3), (3, 3), (2, 4)], [(2, 3), (3, 3), (2, 4), (4, 3)])
    for n, d in sizes:
        _check_restriction(evidence, n, d)
    for d in effort.pick((2, 3), (2, 3, 4), (2, 3, 4, 5)):
        field = SymbolicField()
        drawn, plane = field.symbols("m", d, d), field.symbols("U", d, 2)
        score = drawn - drawn.transpose()
        a, b = (SymbolicMatrix([[plane[i, j]] for i in range(d)]) for j in (0, 1))
        restricted = restricted_score(score, plane)
        determinant = restricted[0, 0] * restricted[1, 1] - restricted[0, 1] * restricted[1, 0]
        evidence.equal(determinant, restricted_determinant((a.transpose() @ score @ b)[0, 0]), f"det(U^T M U) for skew M, d = {d}")
    cases = effort.pick(_CASES[:1], _CASES[:2], _CASES)
    for case in cases:
        effort.report(str(case))
        check_order(evidence, case)
    return evidence.outcome(
        f"the restriction: all L, M, U, Z and phi, (n, d) = {', '.join(map(str, sizes))}, every depth layer by layer; "
        f"the degree: {listed(cases)}, with skew prefixes"
    )


_CASES = [
    network_case(3, 2, *("exp(s)",) * 2, scores={1: SKEW}),
    network_case(3, 3, *("exp(s)",) * 2, scores={1: SKEW_3}),
    network_case(3, 3, "1/(1 - s)", "exp(s)", scores={1: SKEW_3, 2: ZERO_3}),
]


def _check_restriction(evidence: Evidence, n: int, d: int) -> None:
    """One layer, ``S_M(UZ) = U S_(U^T M U)(Z)``: applied layer by layer it serves every depth, and L is applied at the end."""
    field = SymbolicField()
    plane, coordinates = field.symbols("U", d, 2), field.symbols("z", n, 2)
    score, readout = field.symbols("M", d, d), field.symbols("L", 1, d)
    phi = UndefinedNormalizer("phi")
    tokens = coordinates @ plane.transpose()
    [outside] = evaluate(field, [unknown_layer(phi, score, unit_matrix(field, d))], [tokens])
    [inside] = evaluate(field, [unknown_layer(phi, restricted_score(score, plane), unit_matrix(field, 2))], [coordinates])
    evidence.equal(outside, inside @ plane.transpose(), f"S_M(UZ) = U S_(U^T M U)(Z), n = {n}, d = {d}")
    [output] = evaluate(field, [unknown_layer(phi, score, readout)], [tokens])
    [restricted] = evaluate(field, [unknown_layer(phi, restricted_score(score, plane), readout @ plane)], [coordinates])
    evidence.equal(output, restricted, f"F_(L,M)(UZ) = F_(LU, U^T M U)(Z), n = {n}, d = {d}")
