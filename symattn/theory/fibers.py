"""The complete effective fiber of a tuple where a statement covers it (T1, T2, C4.1, C.2-C.6): all tuples with the same network.

A statement determines the layers up to the first collapse (:mod:`symattn.theory.collapse`), the last layer included; layers
behind a collapse see a consensus, which every layer fixes, and are free. The proofs read layer after layer from coefficients to
which later layers do not contribute, also those of a degenerate competitor (A.isolation). So a statement is applied to the
stack that ends with the first collapse, and its hypotheses are checked on these layers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Literal

from symattn.arithmetic.linear_algebra import rank as matrix_rank
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix
from symattn.theory.collapse import is_skew, is_zero, layer_collapse
from symattn.theory.hypotheses import is_two_plane_nonsingular
from symattn.theory.jet_orders import adaptive_bound, sign_order, two_token_order
from symattn.theory.prediction import Hypothesis

__all__ = ["Fiber", "effective_fiber"]

Kind = Literal["singleton", "signs", "free-suffix", "zero-readout", "open"]


@dataclass(frozen=True)
class Fiber:
    """The set of all effective tuples of the same depth and normalizers that realize the same network germ.

    ``kind``: "singleton"; "signs" (independent signs of the scores in ``sign_layers``); "free-suffix" (the scores in ``free_layers``
    are arbitrary, and ``sign_layers`` may be free up to sign); "zero-readout" (L = 0, every score arbitrary); "open"
    (no statement covers the tuple: then ``missing`` says what is lacking). ``degree`` is a jet order that determines the
    fiber, ``degree_is_sharp`` whether no lower one does (``None``: not known). Layers are numbered from 1.
    """

    network: Network
    kind: Kind
    sign_layers: tuple[int, ...]
    free_layers: tuple[int, ...]
    source: str
    hypotheses: tuple[Hypothesis, ...]
    degree: int | None
    degree_is_sharp: bool | None
    missing: tuple[str, ...] = ()

    def contains(self, other: Network) -> bool | None:
        """Whether another tuple of the same shape and normalizers lies in the fiber; ``None`` where the fiber is open.

        Equal tuples always do.
        """
        mine, theirs = self.network.parameters, other.parameters
        if (self.network.tokens, self.network.normalizers) != (other.tokens, other.normalizers):
            return None
        if (mine.width, mine.output_width) != (theirs.width, theirs.output_width):
            return False
        if mine == theirs:
            return True
        if self.kind == "open":
            return None
        if mine.L != theirs.L:
            return False
        for number, (a, b) in enumerate(zip(mine.M, theirs.M, strict=True), start=1):
            if number in self.free_layers or a == b or (number in self.sign_layers and a == _negative(b)):
                continue
            return False
        return True

    def draw(self, seed: int) -> Network:
        """A member of the fiber: random signs, and random small integer scores where they are free."""
        source = random.Random(seed)
        d = self.network.width
        scores = []
        for number, score in enumerate(self.network.parameters.M, start=1):
            if number in self.free_layers:
                scores.append(tuple(tuple(Fraction(source.randint(-9, 9)) for _ in range(d)) for _ in range(d)))
            else:
                scores.append(_negative(score) if number in self.sign_layers and source.random() < 0.5 else score)
        return replace(self.network, parameters=EffectiveParameters(self.network.parameters.L, tuple(scores)), native=None)

    def sign_patterns(self) -> list[Network]:
        """All ``2^e`` members that differ by the signs of the e sign layers only."""
        members = []
        for signs in product((False, True), repeat=len(self.sign_layers)):
            flipped = {layer for layer, sign in zip(self.sign_layers, signs, strict=True) if sign}
            scores = tuple(
                _negative(score) if number in flipped else score for number, score in enumerate(self.network.parameters.M, start=1)
            )
            members.append(replace(self.network, parameters=EffectiveParameters(self.network.parameters.L, scores), native=None))
        return members

    def to_latex(self) -> str:
        """The fiber as a product of sets."""
        d = self.network.width
        if self.kind == "open":
            return r"\text{open}"
        factors = [r"\{0\}" if self.kind == "zero-readout" else r"\{L\}"]
        for number in range(1, self.network.depth + 1):
            if number in self.free_layers:
                factors.append(rf"\mathbb{{R}}^{{{d} \times {d}}}")
            elif number in self.sign_layers:
                factors.append(rf"\{{\pm M_{{{number}}}\}}")
            else:
                factors.append(rf"\{{M_{{{number}}}\}}")
        return r" \times ".join(factors)

    _repr_latex_ = to_latex

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn fiber --json`` (spec 07)."""
        return {
            "kind": self.kind,
            "sign_layers": list(self.sign_layers),
            "free_layers": list(self.free_layers),
            "source": self.source,
            "degree": self.degree,
            "degree_is_sharp": self.degree_is_sharp,
            "hypotheses": [hypothesis.to_json() for hypothesis in self.hypotheses],
            "missing": list(self.missing),
            "latex": self.to_latex(),
        }


@dataclass(frozen=True)
class _Determination:
    """A statement that determines the layers up to ``last``, or the hypotheses on which it fails."""

    label: str
    hypotheses: tuple[Hypothesis, ...]
    degree: int | None = None
    is_sharp: bool | None = None
    sign_layers: tuple[int, ...] = ()

    @property
    def holds(self) -> bool:
        return all(hypothesis.holds for hypothesis in self.hypotheses)


def effective_fiber(network: Network) -> Fiber:
    """The complete fiber of the tuple, with the statement that covers it and every hypothesis as it was checked.

    The kind is "open" if no statement covers the tuple, or if a hypothesis is undecided.
    """
    depth = network.depth
    if is_zero(network.parameters.L):
        free = tuple(range(1, depth + 1))
        how = Hypothesis("L = 0", True, "L", "every entry is zero; conversely a zero network has L m = 0 on every consensus m")
        return Fiber(network, "zero-readout", (), free, "Theorem 2, zero readout", (how,), 1, True)
    collapses = [layer_collapse(phi, network.tokens, score) for phi, score in zip(network.normalizers, network.parameters.M, strict=True)]
    uncertain = next((i for i, c in enumerate(collapses, start=1) if c.collapses is None), None)
    last = next((i for i, c in enumerate(collapses, start=1) if c.collapses), depth)
    if uncertain is not None and uncertain < last:
        reason = f"layer {uncertain}: {collapses[uncertain - 1].reason}"
        return Fiber(network, "open", (), (), "none", (), None, None, (reason,))
    statements = [statement(network, last) for statement in _STATEMENTS]
    chosen = next((statement for statement in statements if statement is not None and statement.holds), None)
    if chosen is None:
        named = [s for s in statements if s is not None]
        hypotheses = tuple(Hypothesis(f"{s.label}: {h.name}", h.holds, h.where, h.how) for s in named for h in s.hypotheses)
        missing = tuple(f"{s.label}: {h.name} ({h.where}: {h.how})" for s in named for h in s.hypotheses if not h.holds)
        return Fiber(network, "open", (), (), "none", hypotheses, None, None, missing)
    free = tuple(range(last + 1, depth + 1))
    hypotheses = chosen.hypotheses
    source = chosen.label
    if collapses[last - 1].collapses:
        hypotheses += (Hypothesis("the layer collapses all contrast", True, f"M[{last}]", collapses[last - 1].reason),)
        if free:
            source += f"; layers behind the collapse at layer {last} are free"
    kind: Kind = "free-suffix" if free else "signs" if chosen.sign_layers else "singleton"
    return Fiber(network, kind, chosen.sign_layers, free, source, hypotheses, chosen.degree, chosen.is_sharp)


def _regular(network: Network, last: int) -> _Determination:
    """Theorem 1: nonzero symmetric parts, the last score arbitrary at nonzero slope; signs of even layers are free."""
    hypotheses, signs = [], []
    is_regular = True
    for number in range(1, last + 1):
        phi, score = network.normalizers[number - 1], network.parameters.M[number - 1]
        where = f"M[{number}]"
        if not is_skew(score):
            hypotheses.append(Hypothesis("the score has a nonzero symmetric part", True, where, "M + M^T != 0"))
            if phi.k % 2 == 0:
                how = "phi is even: the sign is free" if phi.is_even else "phi is not even: the sign is determined"
                known = phi.is_even is not None
                hypotheses.append(
                    Hypothesis("the parity of phi is known", known or None, f"normalizers[{number}]", how if known else "undecided")
                )
                if phi.is_even:
                    signs.append(number)
        elif number == last and phi.k == 1:
            is_regular = False
            hypotheses.append(Hypothesis("the last score is arbitrary at nonzero slope", True, where, "k = 1"))
        else:
            hypotheses.append(Hypothesis("the score has a nonzero symmetric part", False, where, "M + M^T = 0"))
    label = "Theorem 1" if last == network.depth else f"Theorem 1, by peeling layers 1 to {last}"
    degree = None
    if all(h.holds for h in hypotheses):
        phis = network.normalizers[:last]
        degree = sign_order([phi.k for phi in phis], [None if phi.is_even else phi.first_odd_degree for phi in phis])
    return _Determination(label, tuple(hypotheses), degree, True if is_regular and last == network.depth else None, tuple(signs))


def _depth_two(network: Network, last: int) -> _Determination | None:
    """Cor. 4.1: depth 2, n >= 3, nonzero slopes."""
    if network.depth != 2:
        return None
    hypotheses = (*_slopes(network, 2), Hypothesis("n >= 3", network.tokens >= 3, "tokens", f"n = {network.tokens}"))
    return _Determination("Corollary 4.1", hypotheses, 3 if last == 1 else 7, True)


def _two_tokens(network: Network, last: int) -> _Determination:
    """Theorem 2 (ii), Prop. C.3: n = 2, nonzero slopes."""
    hypotheses = (*_slopes(network, last), Hypothesis("n = 2", network.tokens == 2, "tokens", f"n = {network.tokens}"))
    degree = None
    if all(h.holds for h in hypotheses):
        words = ["zero" if is_zero(m) else "skew" if is_skew(m) else "general" for m in network.parameters.M[:last]]
        phis = network.normalizers[:last]
        degree = two_token_order(words, [phi.first_even_degree for phi in phis])
    return _Determination("Theorem 2 (ii)", hypotheses, degree, True)


def _curved(network: Network, last: int) -> _Determination:
    """Theorem 2 (i), Cor. C.2: slopes and second derivatives nonzero, any n."""
    curved = []
    for number, phi in enumerate(network.normalizers[:last], start=1):
        even = phi.first_even_degree
        holds = True if even == 2 else None if even is None and phi.log_is_odd is None else False
        how = "log phi is odd" if phi.log_is_odd else f"first even degree {even if even is not None else 'undecided'}"
        curved.append(Hypothesis("h''(0) is nonzero", holds, f"normalizers[{number}]", how))
    return _Determination("Theorem 2 (i)", (*_slopes(network, last), *curved), adaptive_bound(last), None)


def _invertible(network: Network, last: int) -> _Determination:
    """Prop. C.5: n >= d + 1, nonzero slopes, invertible scores before the last."""
    n, d = network.tokens, network.width
    scores = [
        Hypothesis("the score before the last is invertible", matrix_rank(m) == d, f"M[{number}]", f"rank {matrix_rank(m)} of {d}")
        for number, m in enumerate(network.parameters.M[: last - 1], start=1)
    ]
    tokens = Hypothesis("n >= d + 1", n >= d + 1, "tokens", f"n = {n}, d = {d}")
    return _Determination("Proposition C.5", (*_slopes(network, last), tokens, *scores), 2 * 3 ** (last - 1) + 1, None)


def _two_planes(network: Network, last: int) -> _Determination:
    """Prop. C.6: n >= 3, nonzero slopes, ``det(U^T M_i U)`` not identically zero before the last."""
    scores = [
        Hypothesis("det(U^T M U) is not identically zero", is_two_plane_nonsingular(m), f"M[{number}]", f"rank {matrix_rank(m)}")
        for number, m in enumerate(network.parameters.M[: last - 1], start=1)
    ]
    sizes = (
        Hypothesis("n >= 3", network.tokens >= 3, "tokens", f"n = {network.tokens}"),
        Hypothesis("d >= 2", network.width >= 2, "width", f"d = {network.width}"),
    )
    return _Determination("Proposition C.6", (*_slopes(network, last), *sizes, *scores), 2 * 3 ** (last - 1) + 1, None)


_STATEMENTS = (_regular, _depth_two, _two_tokens, _curved, _invertible, _two_planes)


def _slopes(network: Network, last: int) -> tuple[Hypothesis, ...]:
    return tuple(
        Hypothesis("the slope h'(0) is nonzero", phi.k == 1, f"normalizers[{number}]", f"k = {phi.k}")
        for number, phi in enumerate(network.normalizers[:last], start=1)
    )


def _negative(matrix: RationalMatrix) -> RationalMatrix:
    return tuple(tuple(-entry for entry in row) for row in matrix)
