"""The spectrum under other hypotheses than a nonzero symmetric part, and the cokernel (Appendices D, E)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from flint import fmpq_mat

from proofs_checks.drawing import Case, case, describe, draw_matrix, search_options, with_scores
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.native_spectra import ladder
from symattn.arithmetic import RationalSeries
from symattn.network.instance import Instance
from symattn.network.path import native_jacobian, output_cotangents
from symattn.network.rational import RationalMatrix, identity, transpose
from symattn.theory import OrderLadder
from symattn.verification import verify_spectrum

GROUP = "Native spectra"

Factors = tuple[RationalMatrix, RationalMatrix]


@statement(
    "D.2",
    label="Cor. D.2",
    group=GROUP,
    claim="the same spectrum with invertible prefixes in the place of symmetric parts: k = 1, n >= d + 1",
)
def invertible_prefixes(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = _INVERTIBLE[: effort.pick(2, 4, None)]
    for each in cases:
        effort.report(str(each))
        # The last score may be anything: it is skew too where its factors are square.
        prefixes = [_skew_invertible(each.width, seed) for seed in range(each.ranks.count(each.width))]
        _verify(evidence, with_scores(each.instance(spare_inputs=2), prefixes), each, "Corollary D.2")
    return evidence.outcome(f"{describe(cases)}: skew invertible scores before the last layer, and at the last one where r = d")


_INVERTIBLE = (
    case(3, 2, (2, 2), "exp(s)"),
    case(3, 2, (2, 1), "1/(1 - s)"),
    case(4, 2, (2, 2, 2), "exp(s)"),
    case(5, 4, (4, 2), "exp(s)"),
    case(3, 2, (2, 2, 1), "2 + sin(s)", "exp(s)", "1 + s"),
    case(5, 4, (4, 4, 4), "exp(s)"),
)


def _skew_invertible(width: int, seed: int) -> Factors:
    """Factors ``U = I``, ``W = B^T`` of a skew matrix B whose Pfaffian is not zero; the width is 2 or 4."""
    source = random.Random(f"skew {width} {seed}")
    while True:
        draw = draw_matrix(source, width, width)
        skew = tuple(tuple(draw[i][j] - draw[j][i] for j in range(width)) for i in range(width))
        if fmpq_mat([[int(entry) for entry in row] for row in skew]).det() != 0:
            return identity(width), transpose(skew)


@statement(
    "D.3",
    label="Cor. D.3",
    group=GROUP,
    claim="the same spectrum with prefixes that are nonsingular on a two-plane, as nonzero skew ones: k = 1, n >= 3",
)
def two_plane_prefixes(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = _TWO_PLANE[: effort.pick(1, 3, None)]
    for each in cases:
        effort.report(str(each))
        prefixes = [_skew_of_rank_two(each.width, seed) for seed in range(len(each.ranks) - 1)]
        _verify(evidence, with_scores(each.instance(spare_inputs=2), prefixes), each, "Corollary D.3")
    return evidence.outcome(f"{describe(cases)}: skew scores of rank 2 in odd dimension before the last layer")


_TWO_PLANE = (
    case(3, 3, (2, 2), "exp(s)"),
    case(3, 3, (2, 3), "1/(1 - s)"),
    case(3, 3, (2, 2, 1), "exp(s)"),
    case(3, 5, (2, 2), "exp(s)"),
    case(3, 3, (2, 2, 3), "sigmoid(s)", "exp(s)", "2 + sin(s)"),
)


def _skew_of_rank_two(width: int, seed: int) -> Factors:
    """Factors ``U = [u, -v]``, ``W = [v, u]`` of ``u v^T - v u^T``."""
    (u, v) = draw_matrix(random.Random(f"plane {width} {seed}"), 2, width)
    return transpose((u, tuple(-x for x in v))), transpose((v, u))


def _verify(evidence: Evidence, instance: Instance, each: Case, label: str) -> None:
    result = verify_spectrum(instance, options=search_options(instance, primes=2))
    evidence.judge(result.verdict, f"{label}: {each}", "; ".join(result.reasons))
    evidence.equal(result.prediction.source.startswith(label), True, f"{label} is what applies: {each}")
    evidence.equal(
        (result.finding.orders, result.finding.kernel), (ladder(instance).orders, ladder(instance).kernel), f"orders and kernel: {each}"
    )


@statement("E.cokernel", label="E.5", group=GROUP, claim="coker J^T = O^zeta + sum_i (O/t^beta_i)^(m_i), m_i = r_i (2d - r_i)")
def cokernel(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = _COKERNEL[: effort.pick(2, 4, None)]
    for each in cases:
        effort.report(str(each))
        instance = each.instance()
        claimed = ladder(instance)
        # A finitely generated O-module is determined by the lengths of its reductions modulo t^N, up to the largest exponent + 1.
        largest = claimed.orders[-1][0]
        coefficients = _jacobian_coefficients(instance, largest + 1)
        for power in range(1, largest + 2):
            found = power * instance.parameter_count - int(_block_toeplitz(coefficients[:power]).rank())
            evidence.equal(found, cokernel_length(claimed, power), f"length of coker J^T modulo t^{power}, {each}")
    return evidence.outcome(f"{describe(cases)}: ranks over Q, for every power of t up to the largest exponent and one more")


_COKERNEL = (
    case(2, 1, (1, 1), "exp(s)"),
    case(2, 2, (1,), "1 + s**2"),
    case(2, 1, (1, 1), "1 + s**2", "exp(s)"),
    case(3, 2, (1, 2), "exp(s)"),
    case(2, 1, (1, 1, 1), "exp(s)"),
)


def cokernel_length(claimed: OrderLadder, power: int) -> int:
    """The length of ``O^zeta + sum (O/t^beta)^m`` modulo ``t^N`` (E.cokernel, E.5)."""
    return power * claimed.kernel + sum(min(order, power) * multiplicity for order, multiplicity in claimed.orders)


def _jacobian_coefficients(instance: Instance, count: int) -> list[list[list[Any]]]:
    """The coefficients of ``t^0 .. t^(count-1)`` of the native Jacobian on the bank, over Q."""
    arithmetic = RationalSeries(count // 2 + 1)
    jacobian = native_jacobian(arithmetic, instance, output_cotangents(arithmetic, instance, "all", seed=1))
    in_u = [jacobian.matrix.coefficient(j).tolist() for j in range(count // 2 + 1)]

    def entry(power: int, row: int, column: int) -> Any:
        # A column of weight w is t^w times a series in u = t^2.
        half, odd = divmod(power - jacobian.weights[column], 2)
        return 0 if odd or half < 0 else in_u[half][row][column]

    rows, columns = jacobian.matrix.shape
    return [[[entry(power, row, column) for column in range(columns)] for row in range(rows)] for power in range(count)]


def _block_toeplitz(coefficients: Sequence[Sequence[Sequence[Any]]]) -> fmpq_mat:
    """Multiplication by the Jacobian modulo ``t^N``, as a matrix over Q."""
    size, rows, columns = len(coefficients), len(coefficients[0]), len(coefficients[0][0])
    zero = [0] * columns
    return fmpq_mat(
        [
            [entry for b in range(size) for entry in (coefficients[a - b][row] if a >= b else zero)]
            for a in range(size)
            for row in range(rows)
        ]
    )
