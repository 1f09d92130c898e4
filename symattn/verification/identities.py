"""Proofs, for all inputs, that two tuples are one network: what is not visible is left out, and the rest is matched layer by layer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix
from symattn.normalizers import Normalizer
from symattn.normalizers.rescaling import is_rescaling
from symattn.theory.collapse import is_skew, is_zero, layer_collapse

__all__ = ["VisibleStack", "proven_identity", "visible_stack"]


@dataclass(frozen=True)
class VisibleStack:
    """The layers of a network that its function can depend on, and the reasons why the others do not matter."""

    layers: tuple[tuple[Normalizer, RationalMatrix], ...]
    reasons: tuple[str, ...]


def visible_stack(network: Network) -> VisibleStack:
    """Leave out what provably changes nothing: layers behind a collapse (T2), and everything at ``L = 0``.

    For two tokens also a skew score at an even normalizer before an averaging layer: it keeps the mean, which is all that is seen
    (B.two-token-skew, B.slope-needed).
    """
    if is_zero(network.parameters.L):
        return VisibleStack((), ("L = 0: the network is zero",))
    layers: list[tuple[Normalizer, RationalMatrix]] = []
    reasons = []
    for number, (phi, score) in enumerate(zip(network.normalizers, network.parameters.M, strict=True), start=1):
        if is_zero(score):
            while network.tokens == 2 and layers and is_skew(layers[-1][1]) and layers[-1][0].is_even:
                layers.pop()
                reasons.append("n = 2: a skew score at an even normalizer keeps the mean, and an averaging layer follows")
        layers.append((phi, score))
        collapse = layer_collapse(phi, network.tokens, score)
        if collapse.collapses:
            if number < network.depth:
                reasons.append(f"layers behind layer {number} see a consensus, which they keep ({collapse.reason})")
            break
    return VisibleStack(tuple(layers), tuple(reasons))


def proven_identity(first: Network, second: Network) -> tuple[str, ...] | None:
    """The reasons why two networks of one shape are equal for all inputs; ``None`` if that is not proved (which refutes nothing).

    Used are :func:`visible_stack`, that a normalizer does not matter at a zero score, and that ``phi(c s)`` with score M is ``phi(s)`` with
    ``c M``; for an even phi this is the sign of the score, c = -1.
    """
    stacks = visible_stack(first), visible_stack(second)
    if first.parameters.L != second.parameters.L or len(stacks[0].layers) != len(stacks[1].layers):
        return None
    reasons = [reason for stack in stacks for reason in stack.reasons]
    for number, (mine, theirs) in enumerate(zip(stacks[0].layers, stacks[1].layers, strict=True), start=1):
        reason = _same_layer(mine, theirs)
        if reason is None:
            return None
        if reason:
            reasons.append(f"layer {number}: {reason}")
    return tuple(dict.fromkeys(reasons)) or ("the effective tuples are equal, and the network depends on nothing else",)


def _same_layer(first: tuple[Normalizer, RationalMatrix], second: tuple[Normalizer, RationalMatrix]) -> str | None:
    """Why two layers are the same map, "" if they are given alike, ``None`` if that is not proved."""
    (phi, mine), (psi, theirs) = first, second
    if is_zero(mine) or is_zero(theirs):
        if not (is_zero(mine) and is_zero(theirs)):
            return None
        return "" if phi == psi else "a zero score averages with any normalizer"
    if phi == psi and mine == theirs:
        return ""
    factor = _ratio(mine, theirs)
    if factor is None or not is_rescaling(phi, psi, factor):
        return None
    if factor == -1 and phi == psi:
        return "phi is even, so the sign of the score does not matter"
    return f"{psi.text} is {phi.text} at {factor} s up to a constant, and the scores differ by that factor"


def _ratio(mine: RationalMatrix, theirs: RationalMatrix) -> Fraction | None:
    """The number c with ``mine = c * theirs``, for matrices that are not zero."""
    pairs = [pair for rows in zip(mine, theirs, strict=True) for pair in zip(*rows, strict=True)]
    factor = next((a / b for a, b in pairs if b), Fraction(0))
    return factor if factor and all(a == factor * b for a, b in pairs) else None
