"""Theorem 1 by construction: the tuple is recovered from the jet, and nothing else has that jet (Section 2; (C.4))."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, SKEW_3, ZERO, listed, moved_entries, network_case, with_readout, with_score
from proofs_checks.signs import difference_degree, layer_sign_orders, negated
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import RationalFunction, SymbolicField, SymbolicMatrix, UndefinedNormalizer
from symattn.exact.germs import NetworkGerm
from symattn.exact.jets import jet_of
from symattn.exact.recovery import Recovery, recover, recover_germ
from symattn.network.attention import evaluate
from symattn.network.parameters import Network
from symattn.normalizers import Normalizer


def free_signs(network: Network) -> tuple[int, ...]:
    """The layers (from 1) whose score is free up to its sign: those with an even normalizer (T1)."""
    return tuple(i for i, phi in enumerate(network.normalizers, start=1) if phi.is_even)


@statement(
    "T1",
    label="Theorem 1",
    group="Identification",
    claim="L != 0 and sym M_i != 0: the fiber is {L} x prod {M_i}, or {+-M_i} in even layers, with independent signs; "
    "if g_D(0) != 0 the last score is arbitrary",
)
def regular_fiber(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick([(2, 2, 1), (2, 1, 2)], [(2, 2, 1), (3, 2, 1), (2, 1, 2), (3, 1, 2)], [(2, 2, 1), (3, 2, 1), (3, 1, 2), (2, 2, 2)])
    for size in sizes:
        _check_signs(evidence, *size)
    jets, germs = effort.pick((_JETS[:4], _GERMS[:1]), (_JETS[:13], _GERMS[:4]), (_JETS, _GERMS))
    for case in jets:
        effort.report(str(case))
        network = case.network()
        order = max(layer_sign_orders(network.normalizers))
        _compare(evidence, network, recover(jet_of(network, order)), f"the tuple from the jet, {case}")
        _check_witnesses(evidence, network, order, str(case))
    for case in germs:
        effort.report(str(case))
        network = case.network()
        germ = NetworkGerm(network, max(layer_sign_orders(network.normalizers)))
        found = recover_germ(germ, network.tokens, network.width, network.normalizers)
        _compare(evidence, network, found, f"the tuple from the germ, {case}")
    return evidence.outcome(
        f"free signs: all tuples and even phi, (n, d, D) = {', '.join(map(str, sizes))}; recovery: {listed([*jets, *germs])}; "
        "every single-entry change and sign change of the smaller ones has a witness coefficient"
    )


_JETS = [
    network_case(2, 1, "exp(s)", "exp(s)"),
    network_case(2, 2, "exp(s**2)"),
    network_case(3, 1, "cosh(s)", "1 + s**3"),
    network_case(2, 2, "sigmoid(s)", "exp(s)", scores={2: SKEW}),
    network_case(2, 2, "exp(s)", "1/(1 - s)", outputs=2),
    network_case(2, 2, "1 + s", scores={1: ZERO}),
    network_case(4, 1, "exp(s**3)"),
    network_case(2, 1, "exp(s**2 + s**3)", "exp(s)"),
    network_case(2, 1, *("exp(s)",) * 3),
    network_case(2, 1, "1 + s**2", "exp(s)", "cosh(s)"),
    network_case(3, 2, "exp(s)", "exp(s)"),
    network_case(2, 2, "exp(s**2)", "exp(s)", scores={2: ZERO}),
    network_case(2, 3, "2 + sin(s)"),
    network_case(3, 2, "exp(s**2)", "exp(s)"),
    network_case(2, 2, "exp(s**2 + s**3)", "exp(s)"),
    network_case(2, 3, "exp(s)", "exp(s)", scores={2: SKEW_3}),
    network_case(3, 1, "exp(s)", "exp(s**2)", "1 + s"),
]

_GERMS = [
    network_case(3, 3, "exp(s)", "exp(s)"),
    network_case(4, 2, "exp(s**2)", "1 + s"),
    network_case(2, 2, "exp(s)", "exp(s)", "exp(s)"),
    network_case(3, 2, "exp(s)", "exp(s**3)"),
    network_case(4, 3, "exp(s)", "cosh(s)", outputs=2),
    network_case(3, 3, "exp(s)", "exp(s)", "exp(s)"),
    network_case(2, 2, "exp(s**2)", "exp(s)", "cosh(s)"),
]


def _compare(evidence: Evidence, network: Network, found: Recovery, what: str) -> None:
    free = free_signs(network)
    evidence.equal((found.signs, found.unresolved), (free, {}), f"{what}: which signs are free", kind="instance")
    evidence.equal(found.parameters.L, network.parameters.L, f"{what}: L", kind="instance")
    for i, (score, own) in enumerate(zip(found.parameters.M, network.parameters.M, strict=True), start=1):
        claimed = negated(own) if i in free and score != own else own
        evidence.equal(score, claimed, f"{what}: M_{i}", kind="instance")


def _check_witnesses(evidence: Evidence, network: Network, order: int, name: str) -> None:
    free = free_signs(network)
    for readout in moved_entries(network.parameters.L):
        found = difference_degree(network, with_readout(network, readout), order)
        evidence.nonzero(found or 0, f"a change of L is seen, {name}", kind="instance")
    for i, score in enumerate(network.parameters.M, start=1):
        for moved in moved_entries(score):
            if i in free and moved == negated(score):
                continue
            evidence.nonzero(
                difference_degree(network, with_score(network, i, moved), order) or 0, f"a change of M_{i} is seen, {name}", kind="instance"
            )
        if i not in free and any(map(any, score)):
            flipped = with_score(network, i, negated(score))
            evidence.nonzero(difference_degree(network, flipped, order) or 0, f"the sign of M_{i} is seen, {name}", kind="instance")


class _EvenField(SymbolicField):
    """Rational functions with undefined **even** normalizers: scores s and -s share one value (derivatives are not used)."""

    def normalize(
        self, normalizer: Normalizer | UndefinedNormalizer, scores: Sequence[SymbolicMatrix]
    ) -> list[tuple[SymbolicMatrix, SymbolicMatrix]]:
        return super().normalize(normalizer, [score.map(up_to_sign) for score in scores])


def up_to_sign(score: RationalFunction) -> RationalFunction:
    """Of s and -s the one whose numerator has a positive leading coefficient."""
    return -score if not score.is_zero() and score.numerator.leading_coefficient() < 0 else score


def _check_signs(evidence: Evidence, n: int, d: int, depth: int) -> None:
    """All ``2^D`` choices of signs give one function of the tokens, for even phi."""
    field = _EvenField()
    tokens, unit = field.symbols("x", n, d), unit_matrix(field, d)
    scores = [field.symbols(f"M{i}", d, d) for i in range(1, depth + 1)]

    def output(signs: tuple[int, ...]) -> SymbolicMatrix:
        layers = [
            unknown_layer(UndefinedNormalizer(f"phi{i}"), score.scale(sign), unit)
            for i, (score, sign) in enumerate(zip(scores, signs, strict=True), start=1)
        ]
        [found] = evaluate(field, layers, [tokens])
        return found

    claimed = output((1,) * depth)
    for signs in product((1, -1), repeat=depth):
        evidence.equal(output(signs), claimed, f"signs {signs}, even phi, n = {n}, d = {d}")
