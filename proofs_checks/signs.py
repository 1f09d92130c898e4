"""The jet order that also decides the signs of scores (Section 4, Prop. C.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import NetworkCase, listed, moved_entries, network_case, with_score
from symattn.errors import InputError
from symattn.exact.jets import Jet, jet_of
from symattn.exact.recovery import recover
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix
from symattn.normalizers import Normalizer
from symattn.theory.determining_orders import sign_orders

__all__ = ["difference_degree", "layer_sign_orders", "negated"]


def layer_sign_orders(normalizers: Sequence[Normalizer]) -> tuple[int, ...]:
    """``2 alpha_(i-1) + 2 varsigma_i - 1`` for every layer, as the theory has them (C.4)."""
    return sign_orders([phi.k for phi in normalizers], [phi.first_odd_degree for phi in normalizers])


@statement(
    "C.4",
    label="Prop. C.4",
    group="Finite jets",
    claim="regular tuples: the least jet order that determines the complete fiber is N_sign = max_i (2 alpha_(i-1) + 2 varsigma_i - 1), "
    "varsigma_i the first odd degree of log phi_i, or k_i if phi_i is even",
)
def signs(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = effort.pick(_CASES[:4], _CASES[:11], _CASES)
    for case in cases:
        effort.report(str(case))
        _check(evidence, case)
    return evidence.outcome(f"regular tuples: {listed(cases)}")


_CASES = [
    network_case(2, 1, "exp(s**2 + s**3)"),
    network_case(2, 1, "exp(s**2 + s**5)"),
    network_case(2, 1, *("exp(s**2 + s**3)",) * 2),
    network_case(2, 1, "exp(s)", "exp(s**2 + s**3)"),
    network_case(2, 1, *("exp(s**2 + s**5)",) * 2),
    network_case(2, 1, "exp(s**4 + s**5)"),
    network_case(2, 1, "exp(s**2 + s**5)", "cosh(s)"),
    network_case(2, 1, "exp(s**2 + s**11)", "exp(s)"),
    network_case(2, 2, "exp(s**2 + s**3)"),
    network_case(3, 1, "exp(s**2 + s**3)", "exp(s**2)"),
    network_case(3, 2, "exp(s**2 + s**3)"),
    network_case(2, 1, *("exp(s**4 + s**5)",) * 2),
    network_case(2, 2, "exp(s**2 + s**3)", "exp(s)"),
    network_case(2, 2, *("exp(s**2 + s**3)",) * 2),
    network_case(2, 1, *("exp(s**2 + s**3)",) * 3),
]


def _check(evidence: Evidence, case: NetworkCase) -> None:
    network = case.network()
    orders = layer_sign_orders(network.normalizers)
    claimed = max(orders)
    for i, (phi, order) in enumerate(zip(network.normalizers, orders, strict=True), start=1):
        flipped = with_score(network, i, negated(network.parameters.M[i - 1]))
        if phi.is_even:
            evidence.equal(difference_degree(network, flipped, claimed), None, f"the sign of layer {i} is never seen, {case}")
        elif phi.k % 2 == 0:
            evidence.equal(difference_degree(network, flipped, claimed), order, f"the degree that sees the sign of layer {i}, {case}")
        if phi.is_even or phi.first_odd_degree == phi.k:
            moved = with_score(network, i, moved_entries(network.parameters.M[i - 1])[0])
            evidence.equal(difference_degree(network, moved, claimed), order, f"the degree that sees a change of layer {i}, {case}")
    evidence.equal(_is_determined(network, claimed), True, f"degree {claimed} determines the fiber, {case}")
    evidence.equal(_is_determined(network, claimed - 1), False, f"degree {claimed - 1} does not, {case}")


def difference_degree(network: Network, other: Network, order: int) -> int | None:
    """The least degree up to ``order`` at which the jets of two networks differ."""
    found = _jet(network, order).difference(_jet(other, order))
    return None if found is None else sum(found[0])


@lru_cache(maxsize=2)  # one network is compared with many others
def _jet(network: Network, order: int) -> Jet:
    return jet_of(network, order)


def _is_determined(network: Network, order: int) -> bool:
    """Whether recovery gets the tuple from the jet, up to the signs of even layers."""
    try:
        found = recover(jet_of(network, order))
    except InputError:  # the jet is too short
        return False
    if found.unresolved:
        return False
    signs = [
        (score, negated(score)) if phi.is_even else (score,) for phi, score in zip(network.normalizers, network.parameters.M, strict=True)
    ]
    return found.parameters.L == network.parameters.L and all(
        score in known for score, known in zip(found.parameters.M, signs, strict=True)
    )


def negated(score: RationalMatrix) -> RationalMatrix:
    """The matrix ``-M``."""
    return tuple(tuple(-entry for entry in row) for row in score)
