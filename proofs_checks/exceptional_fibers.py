"""Theorem 2: where a layer collapses, and the fiber that the first collapse leaves (Section 3, Appendix B)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import NetworkCase, listed, moved_entries, network_case, with_readout, with_score
from proofs_checks.parity_field import OddLogarithm, ParityField, skew_symbols
from proofs_checks.signs import difference_degree
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import UndefinedNormalizer
from symattn.arithmetic.balls import Balls
from symattn.exact.jets import layers_at, token_ring
from symattn.network.attention import Layer, evaluate, trace_layer
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, identity, rational_matrix
from symattn.normalizers import Normalizer, normalizer
from symattn.theory.collapse import Collapse, layer_collapse
from symattn.theory.fibers import Fiber, effective_fiber
from symattn.verification.equality import decide_equality

GROUP = "Exceptional fibers"

GENERAL = rational_matrix([[1, 2], [-1, 3]])
SKEW = rational_matrix([[0, 1], [-1, 0]])
ZERO = rational_matrix([[0, 0], [0, 0]])
_KINDS = {"zero": ZERO, "skew": SKEW, "general": GENERAL}


def collapse_locus(tokens: int, log_is_odd: bool) -> set[str]:
    """The scores that collapse every input: "zero", and "skew" exactly if n = 2 and log phi is odd (T2)."""
    return {"zero", "skew"} if tokens == 2 and log_is_odd else {"zero"}


def fiber_kind(first_collapse: int | None, depth: int, readout_is_zero: bool) -> tuple[str, tuple[int, ...]]:
    """The fiber and the free layers, at slopes not zero and for layers up to the first collapse (T2)."""
    if readout_is_zero:
        return "zero-readout", tuple(range(1, depth + 1))
    if first_collapse is None or first_collapse == depth:
        return "singleton", ()
    return "free-suffix", tuple(range(first_collapse + 1, depth + 1))


def separation(p: Any, p_zero: Any, tokens: int) -> Any:
    """The weight ``p / (p + (n-1) p_0)`` less ``1/n``, written as ``(n-1)(p - p_0) / (n (p + (n-1) p_0))``.

    It is how far a token that weighs one key by p, and the others by ``p_0 = phi(0)``, leaves the mean: not zero where ``p != p_0``.
    """
    return (p - p_zero) * (tokens - 1) / ((p + p_zero * (tokens - 1)) * tokens)


@statement(
    "T2",
    label="Theorem 2",
    group=GROUP,
    claim="all slopes nonzero. h'' != 0, any n: only M = 0 collapses; n = 2: skew M too, exactly if h is odd. L != 0: the "
    "tuple through the "
    "first collapse is fixed and all later scores are free; L = 0: all scores are free",
)
def first_collapse(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    for n in effort.pick((2,), (2, 3), (2, 3, 4)):
        _check_free_suffix(evidence, n)
        _check_separation(evidence, n)
    loci = [(n, text) for n in effort.pick((2, 3), (2, 3), (2, 3, 4)) for text in _NORMALIZERS[: effort.pick(3, None, None)]]
    for n, text in loci:
        _check_locus(evidence, n, normalizer(text))
    cases = effort.pick(_CASES[:4], _CASES[:13], _CASES)
    for case in cases:
        effort.report(str(case))
        _check_fiber(evidence, case)
    return evidence.outcome(
        "a free suffix changes nothing, and clouds that keep contrast: every tuple and normalizer, d = 2; the loci: zero, skew and general "
        f"scores, {len(loci)} layers, "
        f"phi among {', '.join(dict.fromkeys(text for _, text in loci))}; both inclusions (single entries moved, members "
        f"drawn): {listed(cases)}"
    )


_NORMALIZERS = ["exp(s)", "sigmoid(s)", "exp(s + s**3)", "(1 + s)/(1 - s)", "1/(1 - s)", "exp(s + s**4)", "2 + sin(s)", "softplus(s)"]


def _check_free_suffix(evidence: Evidence, n: int) -> None:
    """Zero readout, zero score, skew score at n = 2: the later scores do not occur in the output."""
    d = 2
    collapsing: list[tuple[str, Any]] = [("M_1 = 0", None)]
    if n == 2:
        collapsing.append(("M_1 skew, log phi odd", OddLogarithm("phi1")))
    for name, phi in collapsing:
        field = ParityField()
        tokens, unit = field.symbols("x", n, d), unit_matrix(field, d)
        score = field.constant(d, d, 0) if phi is None else skew_symbols(field, "M1", d)
        first = unknown_layer(phi or UndefinedNormalizer("phi1"), score, unit)
        later = [unknown_layer(UndefinedNormalizer(f"phi{i}"), field.symbols(f"M{i}", d, d), unit) for i in (2, 3)]
        [kept] = evaluate(field, [first], [tokens])
        [output] = evaluate(field, [first, *later], [tokens])
        evidence.equal(output, kept, f"two more layers change nothing: {name}, n = {n}")
    field = ParityField()
    silent = unknown_layer(UndefinedNormalizer("phi1"), field.symbols("M1", d, d), field.constant(1, d, 0))
    [output] = evaluate(field, [silent], [field.symbols("x", n, d)])
    evidence.zero(output, f"L = 0 leaves nothing, n = {n}")


def _check_separation(evidence: Evidence, n: int) -> None:
    """Clouds that keep contrast: ``y, 0, ..`` if ``y^T M y != 0``, and for n >= 3 and skew M ``y, y', 0, ..`` if ``y^T M y' != 0``."""
    d = 2
    for is_skew in (False, True)[: n - 1]:
        field = ParityField()
        y, other, unit = field.symbols("y", 1, d), field.symbols("z", 1, d), unit_matrix(field, d)
        score = skew_symbols(field, "M", d) if is_skew else field.symbols("M", d, d)
        key = other if is_skew else y
        first = field.matrix([[int(a == 0)] for a in range(n)]) @ y
        tokens = first + field.matrix([[int(a == 1)] for a in range(n)]) @ other if is_skew else first
        phi = UndefinedNormalizer("phi")
        [output] = evaluate(field, [unknown_layer(phi, score, unit)], [tokens])
        [(values, _)] = field.normalize(phi, [field.matrix([[(y @ score @ key.transpose())[0, 0], 0]])])
        # The last token is zero, scores 0 everywhere and goes to the mean.
        gap = field.matrix([[output[0, j] - output[n - 1, j] for j in range(d)]])
        claimed = key.scale(separation(values[0, 0], values[0, 1], n))
        if is_skew:  # y itself keeps weight phi(0)
            total = values[0, 0] + values[0, 1] * (n - 1)
            claimed = claimed + y.scale(values[0, 1] / total - field.element(1) / n)
        evidence.equal(gap, claimed, f"a cloud that keeps contrast, {'skew' if is_skew else 'general'} M, n = {n}")


def _check_locus(evidence: Evidence, n: int, phi: Normalizer) -> None:
    claimed = collapse_locus(n, phi.log_is_odd is True)
    for kind, score in _KINDS.items():
        name = f"n = {n}, phi = {phi.text}, M {kind}"
        found = layer_collapse(phi, n, score)
        evidence.equal(found.collapses, kind in claimed, f"collapse, {name}", kind="instance")
        if found.witness is not None:
            _check_witness(evidence, phi, score, found, name)
        elif phi.is_rational:
            # One-sided: that there is none at all is the identity of the free suffix.
            evidence.equal(_has_contrast(n, phi, score), kind not in claimed, f"contrast in the jet, {name}", kind="instance")


def _has_contrast(n: int, phi: Normalizer, score: RationalMatrix) -> bool:
    """Whether the outputs of two tokens differ in the jet of order 11 (5 for more than two tokens)."""
    network = Network(n, (phi,), EffectiveParameters(identity(len(score)), (score,)))
    ring, tokens = token_ring(n, network.width, 11 if n == 2 else 5)
    [output] = evaluate(ring, layers_at(ring, network), [tokens])
    return not (ring.matrix([[1, -1, *(0,) * (n - 2)]]) @ output).is_zero()


def _check_witness(evidence: Evidence, phi: Normalizer, score: RationalMatrix, found: Collapse, name: str) -> None:
    """The layer does not make the tokens of the witness equal: some enclosed difference excludes zero."""
    assert found.witness is not None
    system = Balls(128)
    layer = Layer(phi, system.matrix(score), system.matrix(identity(len(score))))
    scaled = tuple(tuple(entry * Fraction(1, 8) for entry in row) for row in found.witness)
    [trace] = trace_layer(system, layer, [system.matrix(scaled)])
    n, d = trace.output.shape
    differs = any(not trace.output[a, j].overlaps(trace.output[0, j]) for a in range(n) for j in range(d))
    evidence.equal(differs, True, f"the witness cloud keeps contrast, {name}", kind="enclosure")


_CASES = [
    network_case(2, 2, "exp(s)", "exp(s)", scores={1: SKEW}),
    network_case(2, 2, "sigmoid(s)", "exp(s)", scores={1: ZERO}),
    network_case(2, 2, "1/(1 - s)", "exp(s)", scores={1: SKEW}),
    network_case(2, 2, "exp(s)", "1 + s", scores={2: ZERO}),
    network_case(3, 2, "1/(1 - s)", "exp(s)", scores={1: ZERO}),
    network_case(2, 2, "exp(s)", "1/(1 - s)", "exp(s)", scores={2: ZERO}),
    network_case(2, 2, *("exp(s)",) * 3, scores={2: SKEW}),
    network_case(2, 2, "exp(s + s**3)", "exp(s)", outputs=2, scores={1: SKEW}),
    network_case(2, 2, "(1 + s)/(1 - s)", "exp(s)", scores={1: SKEW}),
    network_case(2, 2, "exp(s + s**4)", "exp(s)", scores={1: SKEW}),
    network_case(4, 2, "1 + s", "1/(1 - s)", scores={1: ZERO}),
    network_case(2, 2, "exp(s)", "exp(s)", scores={1: ZERO, 2: ZERO}),
    network_case(3, 1, "1/(1 - s)", "1/(1 - s)"),
    network_case(3, 2, "1/(1 - s)", "1/(1 - s)", scores={1: SKEW}),
    network_case(3, 2, *("exp(s + s**2)",) * 2, scores={1: SKEW, 2: SKEW}),
    network_case(2, 2, *("1/(1 - s)",) * 3, scores={1: SKEW, 2: ZERO}),
]


def _check_fiber(evidence: Evidence, case: NetworkCase) -> None:
    network = case.network()
    found = effective_fiber(network)
    kinds = [next((kind for kind, known in _KINDS.items() if known == score), "general") for score in network.parameters.M]
    collapse = first_collapse_of(kinds, case.tokens, network.normalizers)
    evidence.equal((found.kind, found.free_layers), fiber_kind(collapse, network.depth, False), f"the fiber, {case}", kind="instance")
    last = collapse or network.depth
    for seed in (1, 2):
        evidence.equal(
            decide_equality(network, found.draw(seed), 1).equal, True, f"a drawn member is the same function, {case}", kind="instance"
        )
    order = found.degree or 0
    for readout in moved_entries(network.parameters.L):
        _check_outside(evidence, network, with_readout(network, readout), order, found, f"L, {case}")
    for i, score in enumerate(network.parameters.M, start=1):
        for moved in moved_entries(score):
            changed = with_score(network, i, moved)
            if i <= last:
                _check_outside(evidence, network, changed, order, found, f"M_{i}, {case}")
            else:
                evidence.equal(found.contains(changed), True, f"the fiber contains a change of M_{i}, {case}", kind="instance")
                evidence.equal(
                    difference_degree(network, changed, order + 4), None, f"a change of M_{i} is not seen, {case}", kind="instance"
                )
    silent = with_readout(network, tuple((Fraction(0),) * case.width for _ in range(case.outputs)))
    silenced = effective_fiber(silent)
    evidence.equal(
        (silenced.kind, silenced.free_layers), fiber_kind(collapse, network.depth, True), f"the fiber at L = 0, {case}", kind="instance"
    )


def first_collapse_of(kinds: Sequence[str], tokens: int, normalizers: Sequence[Normalizer]) -> int | None:
    """The first layer (from 1) whose score lies in its collapse locus."""
    layers = enumerate(zip(kinds, normalizers, strict=True), start=1)
    return next((i for i, (kind, phi) in layers if kind in collapse_locus(tokens, phi.log_is_odd is True)), None)


def _check_outside(evidence: Evidence, network: Network, changed: Network, order: int, fiber: Fiber, name: str) -> None:
    """A tuple outside the fiber has a monomial whose coefficients differ, within the degree that the fiber names."""
    evidence.equal(fiber.contains(changed), False, f"the fiber does not contain a change of {name}", kind="instance")
    evidence.nonzero(difference_degree(network, changed, order) or 0, f"a monomial tells apart a change of {name}", kind="instance")
