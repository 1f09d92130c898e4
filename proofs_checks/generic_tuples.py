"""The exceptional native set is proper in every architecture (Cor. A.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from symattn.arithmetic import RationalFunction, SymbolicField
from symattn.network.parameters import NativeParameters, reduce_native

Widths = tuple[int, ...]


@statement(
    "A.generic",
    label="Cor. A.1",
    group="Identification",
    claim="the exceptional native set is proper algebraic in every architecture: at V_i = e_1 e_1^T, Q_i = K_i = [e_1 0 .. 0] "
    "L is nonzero and every M_i is symmetric and nonzero",
)
def generic(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    architectures = effort.pick(_ARCHITECTURES[:3], _ARCHITECTURES, _ARCHITECTURES)
    for widths, ranks in architectures:
        _check(evidence, widths, ranks)
    listed = ", ".join(f"{'-'.join(map(str, widths))} with r = {ranks}" for widths, ranks in architectures)
    return evidence.outcome(f"for all nonzero multiples of the factors of the point, in the architectures (widths) {listed}")


_ARCHITECTURES: list[tuple[Widths, tuple[int, ...]]] = [
    ((2, 3), (1,)),
    ((3, 1, 2), (2, 1)),
    ((1, 4, 2, 3), (1, 3, 2)),
    ((4, 4, 4), (4, 2)),
    ((2, 5, 1, 1, 3), (2, 1, 1, 1)),
    ((6, 2, 7), (5, 2)),
]


def single_entry(field: SymbolicField, rows: int, columns: int, value: RationalFunction) -> Any:
    """``value e_1 e_1^T``, rows x columns."""
    zero = field.element(0)
    return tuple(tuple(value if i == j == 0 else zero for j in range(columns)) for i in range(rows))


def rank_one_point(field: SymbolicField, widths: Widths, ranks: Sequence[int]) -> NativeParameters:
    """``V_i = a_i e_1 e_1^T``, ``Q_i = [b_i e_1 0 .. 0]``, ``K_i = [c_i e_1 0 .. 0]``, with symbols for the multiples (A.generic)."""

    def factors(letter: str) -> Any:
        sizes = enumerate(zip(widths[:-1], ranks, strict=True), start=1)
        return tuple(single_entry(field, width, rank, field.symbol(f"{letter}{i}")) for i, (width, rank) in sizes)

    values = tuple(single_entry(field, after, before, field.symbol(f"a{i}")) for i, (before, after) in enumerate(pairwise(widths), start=1))
    return NativeParameters(Q=factors("b"), K=factors("c"), V=values)


def _check(evidence: Evidence, widths: Widths, ranks: Sequence[int]) -> None:
    """``L = a_1 .. a_D e_1 e_1^T`` and ``M_i = (a_1 .. a_(i-1))^2 b_i c_i e_1 e_1^T``."""
    field = SymbolicField()
    effective = reduce_native(rank_one_point(field, widths, ranks))
    name = f"widths {widths}, r = {tuple(ranks)}"
    product = field.element(1)
    for i, score in enumerate(effective.M, start=1):
        claimed = product * product * field.symbol(f"b{i}") * field.symbol(f"c{i}")
        evidence.equal(field.matrix(score), field.matrix(single_entry(field, widths[0], widths[0], claimed)), f"M_{i}, {name}")
        product = product * field.symbol(f"a{i}")
    evidence.equal(field.matrix(effective.L), field.matrix(single_entry(field, widths[-1], widths[0], product)), f"L, {name}")
