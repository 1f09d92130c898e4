"""Native coordinates, the local normal form of the reduction, and its rank (Section 4.1, Appendix D)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofs_checks.drawing import Architecture, case, with_drawn_values
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.symbols import adjugate_inverse, matrix_rows, native_symbols
from symattn.arithmetic import SymbolicField, SymbolicMatrix
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.banks import draw_instance
from symattn.network.kernel import direction_columns
from symattn.network.parameters import NativeParameters, reduce_native
from symattn.network.rational import multiply, transpose
from symattn.normalizers import normalizer
from symattn.theory import order_ladder

GROUP = "Native spectra"


def reduction_rank(width: int, ranks: Sequence[int]) -> int:
    """``d^2 + sum r_i (2d - r_i)``, the rank of the reduction's differential (P4.2, (40))."""
    return order_ladder([1] * len(ranks), width=width, ranks=ranks).rank


@statement(
    "P4.2",
    label="Prop. 4.2, (40)",
    group=GROUP,
    claim="local normal form of the reduction; rank d^2 + sum r_i (2d - r_i) at full-column-rank factors and invertible values",
)
def reduction_normal_form(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes: list[tuple[int, int]] = effort.pick([(2, 1)], [(2, 1), (3, 1), (3, 2)], [(2, 1), (3, 1), (3, 2), (4, 2)])
    for width, rank in sizes:
        _check_normal_form(evidence, width, rank)
    for factor_widths in ((1, 2), (2, 1)):
        _check_coordinates(evidence, factor_widths)
    architectures: list[Architecture] = [(1, (1,)), (2, (1, 2)), (3, (2, 1, 3))]
    architectures += effort.pick(
        [], [(4, (2, 2, 2)), (4, (1, 2, 3, 4))], [(4, (2, 2, 2)), (4, (1, 2, 3, 4)), (5, (5, 1, 3)), (6, (2,) * 4)]
    )
    for width, ranks in architectures:
        instance = with_drawn_values(draw_instance(2, width, ranks, (normalizer("exp(s)"),) * len(ranks), 0, seed=1))
        what = f"the reduction's differential, d = {width}, r = {ranks}"
        evidence.rank(direction_columns(instance), reduction_rank(width, ranks), what, kind="instance")
    for each in _JETS[: effort.pick(1, 3, None)]:
        finding = find_spectrum(with_drawn_values(each.instance()), options=SpectrumOptions(divisibility=0))
        claimed = (reduction_rank(each.width, each.ranks), 0)
        evidence.equal((finding.rank, finding.unresolved), claimed, f"rank of the native Jacobian, {each}", kind="instance")
    return evidence.outcome(
        f"normal form and coordinates: identities, (d, r) = {', '.join(map(str, sizes))}; "
        f"the rank: drawn instances with values that are not the identity, {len(architectures)} for the reduction, "
        "and native Jacobians on drawn banks with n = 3; hence generically"
    )


_JETS = (
    case(3, 2, (1, 2), "exp(s)"),
    case(3, 2, (2, 1), "1 + s**2"),
    case(3, 3, (1, 2), "1/(1 - s)"),
    case(3, 2, (1, 1), "exp(s**3)"),
    case(3, 3, (2, 3, 1), "exp(s)"),
)


def normal_form(a: SymbolicMatrix, b: SymbolicMatrix, core: SymbolicMatrix) -> list[SymbolicMatrix]:
    """The blocks ``C, C b^T, a C, a C b^T`` of a d x d matrix of rank r whose leading r x r block C is invertible (P4.2)."""
    return [core, core @ b.transpose(), a @ core, a @ core @ b.transpose()]


def _check_normal_form(evidence: Evidence, width: int, rank: int) -> None:
    """In the coordinates (a, b, C, G) of a pair of factors the score is a function of (a, b, C), and gives them back."""
    field = SymbolicField()
    a, b = field.symbols("a", width - rank, rank), field.symbols("b", width - rank, rank)
    core, gauge = field.symbols("C", rank, rank), field.symbols("G", rank, rank)
    key_top = core.transpose() @ adjugate_inverse(gauge).transpose()
    query, key = [gauge, a @ gauge], [key_top, b @ key_top]
    score = [upper @ lower.transpose() for upper in query for lower in key]
    sizes = f"d = {width}, r = {rank}"
    for found, claimed, block in zip(score, normal_form(a, b, core), ("C", "C b^T", "a C", "a C b^T"), strict=True):
        evidence.equal(found, claimed, f"block {block} of the score, {sizes}")
    inverse = adjugate_inverse(score[0])
    evidence.equal(score[2] @ inverse, a, f"a from the score, {sizes}")
    evidence.equal((inverse @ score[1]).transpose(), b, f"b from the score, {sizes}")


@statement(
    "D.coordinates",
    label="D.1",
    group=GROUP,
    claim="(P_i, L, Q~, K~) are coordinates near invertible values: the inverse formulas compose to the identity",
)
def coordinates(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    architectures: list[tuple[int, ...]] = effort.pick([(1, 2)], [(1, 2), (2, 1, 1)], [(1, 2), (2, 1, 1), (2, 2, 2), (1, 2, 1, 2)])
    for ranks in architectures:
        _check_coordinates(evidence, ranks)
    return evidence.outcome(
        f"for all native weights with invertible values, at width 2 and factor widths {', '.join(map(str, architectures))}"
    )


def to_coordinates(native: NativeParameters) -> NativeParameters:
    """``(P_1 .. P_{D-1}, L)`` in the place of the values, ``P_{i-1}^T Q_i`` and ``P_{i-1}^T K_i`` in that of the factors (D.1)."""
    products, prefix = [], None
    queries, keys = [], []
    for query, key, value in zip(native.Q, native.K, native.V, strict=True):
        queries.append(query if prefix is None else multiply(transpose(prefix), query))
        keys.append(key if prefix is None else multiply(transpose(prefix), key))
        prefix = value if prefix is None else multiply(value, prefix)
        products.append(prefix)
    return NativeParameters(Q=tuple(queries), K=tuple(keys), V=tuple(products))


def from_coordinates(given: NativeParameters) -> NativeParameters:
    """``V_i = P_i P_{i-1}^{-1}``, ``Q_i = P_{i-1}^{-T} Q~_i``, ``K_i = P_{i-1}^{-T} K~_i`` (D.1)."""
    inverses = [matrix_rows(adjugate_inverse(_symbolic(prefix))) for prefix in given.V[:-1]]
    return NativeParameters(
        Q=(given.Q[0], *(multiply(transpose(inverse), query) for inverse, query in zip(inverses, given.Q[1:], strict=True))),
        K=(given.K[0], *(multiply(transpose(inverse), key) for inverse, key in zip(inverses, given.K[1:], strict=True))),
        V=(given.V[0], *(multiply(product, inverse) for inverse, product in zip(inverses, given.V[1:], strict=True))),
    )


def _symbolic(rows: Any) -> SymbolicMatrix:
    return SymbolicMatrix(rows)


def _check_coordinates(evidence: Evidence, ranks: Sequence[int]) -> None:
    native = native_symbols(SymbolicField(), 2, ranks)
    evidence.equal(from_coordinates(to_coordinates(native)), native, f"weights to coordinates and back, d = 2, r = {ranks}")
    evidence.equal(to_coordinates(from_coordinates(native)), native, f"coordinates to weights and back, d = 2, r = {ranks}")
    changed, effective = to_coordinates(native), reduce_native(native)
    scores = tuple(multiply(query, transpose(key)) for query, key in zip(changed.Q, changed.K, strict=True))
    evidence.equal((changed.V[-1], scores), (effective.L, effective.M), f"the effective tuple in these coordinates, r = {ranks}")
