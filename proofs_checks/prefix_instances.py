"""Instances at slope: the degree ``2 * 3^(D-1) + 1`` determines the tuple, skew prefixes included (Section 4, Prop. C.5, C.6)."""

from __future__ import annotations

from proofs_checks.evidence import Evidence
from proofs_checks.networks import NetworkCase, moved_entries, with_readout, with_score
from proofs_checks.signs import difference_degree
from symattn.exact.jets import jet_differential

__all__ = ["check_order", "prefix_order"]


def prefix_order(depth: int) -> int:
    """``2 * 3^(D-1) + 1``: the degree that determines the tuple at slope (C.5, C.6)."""
    return int(2 * 3 ** (depth - 1) + 1)


def check_order(evidence: Evidence, case: NetworkCase) -> None:
    """The jet of that degree is an immersion and tells every single-entry change apart; that of the degree below is not and does not."""
    network = case.network()
    order = prefix_order(network.depth)
    found = jet_differential(network, order)
    evidence.equal(found.least_immersion_order, order, f"the least degree with an immersion, {case}", kind="instance")
    for readout in moved_entries(network.parameters.L):
        seen = difference_degree(network, with_readout(network, readout), order)
        evidence.nonzero(seen or 0, f"a change of L is seen, {case}", kind="instance")
    for i, score in enumerate(network.parameters.M, start=1):
        for moved in moved_entries(score):
            seen = difference_degree(network, with_score(network, i, moved), order)
            evidence.nonzero(seen or 0, f"a change of M_{i} is seen, {case}", kind="instance")
