"""The kernel of the native Jacobian: gauge and interface directions, and nothing else (Section 5, Appendix D)."""

from __future__ import annotations

from typing import Any

from proofs_checks.drawing import Architecture, case, draw_native, search_options
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.symbols import native_symbols
from symattn.arithmetic import SymbolicField
from symattn.arithmetic.linear_algebra import to_flint
from symattn.exact.spectrum import find_spectrum
from symattn.network.gauges import kernel_directions
from symattn.network.parameters import reduction_differential
from symattn.theory import kernel_dimension, layer_multiplicity, order_ladder

GROUP = "Native spectra"
Number = Any  # an integer or a rational function


@statement(
    "D.kernel",
    label="(49), D.4",
    group=GROUP,
    claim="the kernel has dimension (D-1) d^2 + sum r_i^2: gauge and interface directions, independent, and there is no more",
)
def kernel(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    stacks: list[tuple[int, ...]] = effort.pick([(1, 2)], [(1, 2), (2, 1, 1)], [(1, 2), (2, 1, 1), (2, 2, 2), (1, 1, 1, 1)])
    for ranks in stacks:
        field = SymbolicField()
        native = native_symbols(field, 2, ranks)
        images = [reduction_differential(native, direction) for direction in kernel_directions(native)]
        entries = [entry for readout, scores in images for matrix in (readout, *scores) for row in matrix for entry in row]
        evidence.zero(field.matrix([entries]), f"images of all gauge and interface directions, d = 2, r = {ranks}")
    architectures: list[Architecture] = effort.pick(
        [(2, (1, 2))], [(1, (1,) * 4), (2, (1, 2)), (3, (2, 1, 3)), (4, (2, 2, 2))], _ARCHITECTURES
    )
    for width, ranks in architectures:
        native = draw_native([width] * (len(ranks) + 1), ranks, seed=1)
        directions = [direction.entries for direction in kernel_directions(native)]
        matrix = to_flint(directions)
        evidence.rank(matrix, kernel_dimension(width, ranks), f"the gauge directions, d = {width}, r = {ranks}", kind="instance")
        each = case(3, width, ranks, "exp(s)")
        instance = each.instance()
        finding = find_spectrum(instance, options=search_options(instance, divisibility=0))
        what = f"rank and kernel add up to all columns, {each}"
        evidence.equal(finding.rank + kernel_dimension(width, ranks), instance.parameter_count, what, kind="instance")
    return evidence.outcome(
        "the directions are in the kernel: identity at d = 2; independent, and no more: "
        f"drawn instances and banks, (d, r) = {', '.join(map(str, architectures))}; hence generically"
    )


_ARCHITECTURES: list[Architecture] = [
    (1, (1,) * 5),
    (2, (1, 2)),
    (2, (2, 1, 1, 2)),
    (3, (2, 1, 3)),
    (4, (2, 2, 2)),
    (4, (1, 4, 2)),
    (5, (2, 3)),
]


@statement(
    "D.count",
    label="D.4",
    group=GROUP,
    claim="d^2 + sum r_i (2d - r_i) + zeta = D d^2 + 2d sum r_i: rank and kernel make up all native entries",
)
def count(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    field = SymbolicField()
    d, r, depth, ranks, squares = (field.symbol(name) for name in ("d", "r", "D", "R", "S"))
    # One more layer of factor width r adds as much to both sides, and at D = 1 both sides agree: all depths by induction.
    block: Number = layer_multiplicity(d, r)  # type: ignore[arg-type]
    evidence.equal(d * d + block + kernel_count(d, 1, r * r), parameter_count(d, 1, r), "depth 1")
    more = kernel_count(d, depth + 1, squares + r * r) - kernel_count(d, depth, squares)
    evidence.equal(block + more, parameter_count(d, depth + 1, ranks + r) - parameter_count(d, depth, ranks), "one more layer")
    for width, given in ((1, (1,)), (4, (2, 2, 2)), (3, (1, 2, 3, 1)), (5, (5, 1))):
        ladder = order_ladder([1] * len(given), width=width, ranks=given)
        claimed = (kernel_count(width, len(given), sum(x * x for x in given)), parameter_count(width, len(given), sum(given)))
        evidence.equal((ladder.kernel, ladder.rank + ladder.kernel), claimed, f"symattn.theory, d = {width}, r = {given}")
    return evidence.outcome("for all D, d and r_i (symbols; by induction on D)")


def kernel_count(d: Number, depth: Number, squares: Number) -> Number:
    """``zeta = (D - 1) d^2 + sum r_i^2`` (D.4)."""
    return (depth - 1) * d * d + squares


def parameter_count(d: Number, depth: Number, ranks: Number) -> Number:
    """``D d^2 + 2 d sum r_i``: the number of native entries."""
    return depth * d * d + 2 * d * ranks
