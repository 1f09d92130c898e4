"""Identification: consensus, affine subspaces, the reduction to effective parameters, and the gauges (Section 2, Appendix A).

Normalizers are undefined functions here, so that the identities hold for every one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from proofs_checks.drawing import draw_native
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.symbols import adjugate_inverse, matrix_rows, native_symbols, unit_matrix, unknown_layer
from symattn.arithmetic import DEFAULT_PRIMES, PadicPoint, SymbolicField, SymbolicMatrix, UndefinedNormalizer
from symattn.arithmetic.protocol import Arithmetic
from symattn.network.attention import Layer, evaluate, trace_layer
from symattn.network.banks import draw_bank
from symattn.network.parameters import EffectiveParameters, NativeParameters, reduce_native
from symattn.network.rational import RationalMatrix, multiply
from symattn.normalizers import Normalizer, normalizer

GROUP = "Identification"
PHI = UndefinedNormalizer("phi")
WEIGHT_SUM = 1
"""What the attention weights of a token add up to (A.affine)."""


def reduced_score(score: Any, change: Any) -> Any:
    """``P^T A P``: the score seen by tokens X when the layer sees ``P X`` (A.reduction, (3))."""
    return change.transpose() @ score @ change


def consensus_output(token: SymbolicMatrix, readout: SymbolicMatrix) -> SymbolicMatrix:
    """``L m`` for the row m: the output at every token when all tokens equal m (A.consensus, (9))."""
    return token @ readout.transpose()


@statement("A.consensus", label="(9)", group=GROUP, claim="consensus is fixed by every layer; F(m..m) = (Lm..Lm)")
def consensus(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = [(n, d, depth) for n in effort.pick((2,), (2, 3), (2, 3, 4)) for d in effort.pick((2,), (1, 2), (1, 2, 3)) for depth in (1, 2)]
    for n, d, depth in sizes:
        field = SymbolicField()
        token, readout = field.symbols("m", 1, d), field.symbols("L", d + 1, d)
        unit = unit_matrix(field, d)
        normalizers = [UndefinedNormalizer(f"phi{i}") for i in range(depth)]
        layers = [unknown_layer(normalizers[i], field.symbols(f"M{i}", d, d), unit) for i in range(depth)]
        layers[-1] = unknown_layer(normalizers[-1], layers[-1].score, readout)
        tokens = field.constant(n, 1, 1) @ token
        [fixed] = evaluate(field, [unknown_layer(PHI, field.symbols("M", d, d), unit)], [tokens])
        evidence.equal(fixed, tokens, f"a layer fixes consensus, n = {n}, d = {d}")
        [output] = evaluate(field, layers, [tokens])
        evidence.equal(output, field.constant(n, 1, 1) @ consensus_output(token, readout), f"F at consensus, n = {n}, d = {d}, D = {depth}")
    return evidence.outcome(f"for all tokens, scores, readouts and normalizers of sizes {_sizes('n, d, D', sizes)}")


@statement("A.affine", label="A.1", group=GROUP, claim="a layer keeps affine subspaces: the attention weights of a token sum to one")
def affine(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick([(2, 2)], [(2, 2), (3, 2), (3, 3)], [(n, d) for n in (2, 3, 4) for d in (1, 2, 3)])
    for n, d in sizes:
        field = SymbolicField()
        # Tokens on the hyperplane l x = c: the last coordinate is solved for.
        normal, offset = [field.symbol(f"l_{j + 1}") for j in range(d)], field.symbol("c")
        free = field.symbols("x", n, d)
        rows = [[free[a, j] for j in range(d - 1)] for a in range(n)]
        rows = [[*row, (offset - sum((a * x for a, x in zip(normal, row, strict=False)), field.element(0))) / normal[-1]] for row in rows]
        [trace] = trace_layer(field, unknown_layer(PHI, field.symbols("M", d, d), unit_matrix(field, d)), [field.matrix(rows)])
        evidence.equal(trace.weights @ field.constant(n, 1, 1), field.constant(n, 1, WEIGHT_SUM), f"weight sums, n = {n}, d = {d}")
        value = trace.output @ field.matrix([[entry] for entry in normal])
        evidence.equal(value, field.constant(n, 1, 1).scale(offset), f"a hyperplane is kept, n = {n}, d = {d}")
    return evidence.outcome(f"for all tokens on a hyperplane, scores and normalizers of sizes {_sizes('n, d', sizes)}")


@statement(
    "A.reduction",
    label="(3), (A.3)",
    group=GROUP,
    claim="S_A(PX) = P S_(P^T A P)(X), also for rectangular and singular P; native and effective networks agree",
)
def reduction(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    for n in effort.pick((2,), (2, 3), (2, 3)):
        for name, wide, narrow in (("d = 2 -> 3", 3, 2), ("d = 3 -> 2", 2, 3), ("singular, d = 2", 2, 2)):
            field = SymbolicField()
            change = field.symbols("P", wide, narrow)
            if wide == narrow:
                change = field.symbols("p", wide, 1) @ field.symbols("q", 1, narrow)
            tokens, score = field.symbols("x", n, narrow), field.symbols("A", wide, wide)
            [outside] = evaluate(field, [unknown_layer(PHI, score, unit_matrix(field, wide))], [tokens @ change.transpose()])
            [inside] = evaluate(field, [unknown_layer(PHI, reduced_score(score, change), unit_matrix(field, narrow))], [tokens])
            evidence.equal(outside, inside @ change.transpose(), f"S_A(PX) = P S_(P^T A P)(X), {name}, n = {n}")
    for widths in effort.pick([(2, 2, 2, 2)], [(2, 3, 2, 2), (3, 2, 3, 1)], [(2, 3, 2, 2), (3, 2, 3, 1), (3, 3, 2, 3), (1, 2, 3, 2)]):
        # One factor column less than the width where there is more than one.
        _compare_native_and_effective(evidence, draw_native(widths, [max(1, width - 1) for width in widths[:-1]], seed=1))
    return evidence.outcome(
        "the law: all tokens, scores, P and normalizers of the sizes 2 -> 3, 3 -> 2 and singular 2 -> 2; "
        "native against effective networks: drawn rational weights at depth 3, with unknown normalizers and with softmax modulo p^8"
    )


@statement("A.gauge", label="(4)", group=GROUP, claim="factor gauges and interface freedom keep the effective tuple")
def gauge(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    architectures: list[tuple[int, ...]] = effort.pick([(1, 2)], [(1, 2), (2, 1)], [(1, 2), (2, 1), (2, 2, 1)])
    for ranks in architectures:
        field = SymbolicField()
        native = native_symbols(field, 2, ranks)
        tuple_before = reduce_native(native)
        for layer, rank in enumerate(ranks, start=1):
            change = field.symbols("G", rank, rank)
            evidence.equal(reduce_native(factor_action(native, layer, change)), tuple_before, f"factor gauge, layer {layer}, ranks {ranks}")
        for interface in range(1, len(ranks)):
            moved = interface_action(native, interface, field.symbols("H", 2, 2))
            evidence.equal(reduce_native(moved), tuple_before, f"interface {interface}, ranks {ranks}")
    return evidence.outcome(f"for all native weights, G and H, at width 2 and factor widths {', '.join(map(str, architectures))}")


def factor_action(native: NativeParameters, layer: int, change: SymbolicMatrix) -> NativeParameters:
    """``(Q_i, K_i) -> (Q_i G, K_i G^{-T})`` (A.gauge, (4))."""
    inverse = adjugate_inverse(change)
    return _with(native, layer, Q=_times(native.Q[layer - 1], change), K=_times(native.K[layer - 1], inverse.transpose()))


def interface_action(native: NativeParameters, interface: int, change: SymbolicMatrix) -> NativeParameters:
    """``V_j -> H V_j, V_{j+1} -> V_{j+1} H^{-1}, Q_{j+1} -> H^{-T} Q_{j+1}, K_{j+1} -> H^{-T} K_{j+1}`` (A.gauge, (4))."""
    inverse = adjugate_inverse(change)
    dual = matrix_rows(inverse.transpose())
    moved = _with(native, interface, V=multiply(matrix_rows(change), native.V[interface - 1]))
    after = interface + 1
    return _with(
        moved,
        after,
        V=_times(native.V[interface], inverse),
        Q=multiply(dual, native.Q[interface]),
        K=multiply(dual, native.K[interface]),
    )


def _compare_native_and_effective(evidence: Evidence, native: NativeParameters) -> None:
    effective = reduce_native(native)
    sizes = " -> ".join(map(str, native.widths))
    (tokens,) = draw_bank(2, native.widths[0], 1, seed=1)
    field = SymbolicField()
    unknown = [cast(Normalizer, UndefinedNormalizer(f"phi{i}")) for i in range(native.depth)]
    found, claimed = (_output(field, unknown, parameters, tokens, 0) for parameters in (native, effective))
    evidence.equal(found, claimed, f"native and effective outputs, unknown normalizers, widths {sizes}", kind="instance")
    padic = PadicPoint(DEFAULT_PRIMES[0], 8)
    softmax = [normalizer("exp(s)")] * native.depth
    found_there, claimed_there = (_output(padic, softmax, parameters, tokens, 1) for parameters in (native, effective))
    evidence.equal(found_there, claimed_there, f"native and effective softmax outputs modulo p^8, widths {sizes}", kind="instance")


def _output(arithmetic: Arithmetic[Any], normalizers: Sequence[Normalizer], parameters: Any, tokens: RationalMatrix, power: int) -> Any:
    """The output of a native or an effective network, every score multiplied by ``u^power`` so that normalizers converge."""
    if isinstance(parameters, EffectiveParameters):
        scores = [arithmetic.matrix(score) for score in parameters.M]
        values = [unit_matrix(arithmetic, parameters.width)] * (parameters.depth - 1) + [arithmetic.matrix(parameters.L)]
    else:
        scores = [arithmetic.matrix(q) @ arithmetic.matrix(k).transpose() for q, k in zip(parameters.Q, parameters.K, strict=True)]
        values = [arithmetic.matrix(value) for value in parameters.V]
    layers = [Layer(phi, arithmetic.shift(m, power), v) for phi, m, v in zip(normalizers, scores, values, strict=True)]
    return evaluate(arithmetic, layers, [arithmetic.matrix(tokens)])[0]


def _times(left: Any, right: SymbolicMatrix) -> Any:
    return multiply(left, matrix_rows(right))


def _with(native: NativeParameters, layer: int, **changes: Any) -> NativeParameters:
    parts = {name: list(getattr(native, name)) for name in ("Q", "K", "V")}
    for name, matrix in changes.items():
        parts[name][layer - 1] = matrix
    return NativeParameters(**{name: tuple(matrices) for name, matrices in parts.items()})


def _sizes(names: str, sizes: Sequence[tuple[int, ...]]) -> str:
    return f"({names}) = " + ", ".join(str(size).replace(" ", "") for size in sizes)
