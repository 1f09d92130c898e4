"""Which statement determines the layers of a tuple up to a given one, on which hypotheses, and from which jet degree on.

Every function looks at the stack that ends with layer s (``last``): the first layer that erases all contrast, or the last layer of all.
It is enough that the hypotheses hold there. The proofs read layer after layer from coefficients to which no later layer contributes,
whatever the scores of a competitor are (A.isolation, C.orders); and behind layer s nothing is seen of the tuple itself.

*Sharpness.* For every tuple and every choice of ``M_s, .., M_D`` the network is L times the token mean after layer s - 1, up to terms of
degree at least ``2 alpha + 2 k_s - 1``, where ``alpha`` is the contrast order there, at least that of Prop. C.1 (C.orders, T3). So no
lower jet restricts ``M_s``, and a degree equal to that bound is sharp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symattn.arithmetic.linear_algebra import rank as matrix_rank
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix
from symattn.normalizers import Normalizer
from symattn.theory.collapse import is_skew, is_zero
from symattn.theory.determining_orders import adaptive_orders, sign_order, two_token_order
from symattn.theory.hypotheses import is_two_plane_nonsingular
from symattn.theory.orders import jet_orders
from symattn.theory.prediction import Hypothesis

__all__ = ["STATEMENTS", "Determination"]


@dataclass(frozen=True)
class Determination:
    """A statement about the layers up to some layer s: they are determined, up to the signs of ``sign_layers``, if every hypothesis holds.

    ``degree`` is then a jet order that does it, and ``is_sharp`` says whether no lower one does (``None``: not known).
    """

    label: str
    hypotheses: tuple[Hypothesis, ...]
    degree: int | None = None
    is_sharp: bool | None = None
    sign_layers: tuple[int, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every hypothesis is known to hold."""
        return all(hypothesis.holds for hypothesis in self.hypotheses)


def regular(network: Network, last: int) -> Determination:
    """Theorem 1, Prop. C.4: nonzero symmetric parts; the last score is arbitrary at nonzero slope; signs of even layers are free.

    The degree is that of Prop. C.4. It is sharp: changing the sign of one score, or the last score, changes no lower jet.
    """
    hypotheses, signs = [], []
    for number, (phi, score) in enumerate(_layers(network, last), start=1):
        where = f"M[{number}]"
        if not is_skew(score):
            hypotheses.append(Hypothesis("the score has a nonzero symmetric part", True, where, "M + M^T != 0"))
            if phi.k % 2 == 0:
                how = {True: "phi is even: the sign is free", False: "phi is not even: the sign is determined", None: "undecided"}
                known = True if phi.is_even is not None else None
                hypotheses.append(Hypothesis("the parity of phi is known", known, f"normalizers[{number}]", how[phi.is_even]))
                if phi.is_even:
                    signs.append(number)
        elif number == last and phi.k == 1:
            hypotheses.append(Hypothesis("the last score that matters is arbitrary at nonzero slope", True, where, "k = 1"))
        else:
            how_skew = "M = 0" if is_zero(score) else "M is skew: M + M^T = 0"
            hypotheses.append(Hypothesis("the score has a nonzero symmetric part", False, where, how_skew))
    degree = None
    if all(hypothesis.holds for hypothesis in hypotheses):
        phis = network.normalizers[:last]
        degree = sign_order([phi.k for phi in phis], [None if phi.is_even else phi.first_odd_degree for phi in phis])
    return Determination("Theorem 1", tuple(hypotheses), degree, True, tuple(signs))


def depth_two(network: Network, last: int) -> Determination | None:
    """Cor. 4.1: depth 2, n >= 3, nonzero slopes, ``M_1 != 0``; degree 7 (where ``M_1 = 0`` Theorem 1 gives degree 3)."""
    if network.depth != 2 or last != 2:
        return None
    return _determination("Corollary 4.1", network, 2, (_at_least_three(network),))


def two_tokens(network: Network, last: int) -> Determination:
    """Theorem 2 (ii), Prop. C.3: n = 2, nonzero slopes."""
    hypotheses = (*_slopes(network, last), Hypothesis("n = 2", network.tokens == 2, "tokens", f"n = {network.tokens}"))
    degree = None
    if all(hypothesis.holds for hypothesis in hypotheses):
        words = ["zero" if is_zero(m) else "skew" if is_skew(m) else "general" for _, m in _layers(network, last)]
        degree = two_token_order(words, [phi.first_even_degree for phi, _ in _layers(network, last)])
    return Determination("Theorem 2 (ii)", hypotheses, degree, True)


def invertible(network: Network, last: int) -> Determination:
    """Prop. C.5: n >= d + 1, nonzero slopes, invertible scores before layer s."""
    n, d = network.tokens, network.width
    scores = [
        Hypothesis("the score before the last is invertible", matrix_rank(m) == d, f"M[{number}]", f"rank {matrix_rank(m)} of {d}")
        for number, (_, m) in enumerate(_layers(network, last - 1), start=1)
    ]
    return _determination("Proposition C.5", network, last, (Hypothesis("n >= d + 1", n >= d + 1, "tokens", f"n = {n}, d = {d}"), *scores))


def two_planes(network: Network, last: int) -> Determination:
    """Prop. C.6: n >= 3, nonzero slopes, ``det(U^T M_i U)`` not identically zero before layer s."""
    scores = [
        Hypothesis("det(U^T M U) is not identically zero", is_two_plane_nonsingular(m), f"M[{number}]", f"rank {matrix_rank(m)}")
        for number, (_, m) in enumerate(_layers(network, last - 1), start=1)
    ]
    width = Hypothesis("d >= 2", network.width >= 2, "width", f"d = {network.width}")
    return _determination("Proposition C.6", network, last, (_at_least_three(network), width, *scores))


def curved(network: Network, last: int) -> Determination:
    """Theorem 2 (i), Cor. C.2: slopes and second derivatives of h nonzero, any n.

    The degree is the adaptive order of layer s for the skew scores before it; it is sharp where there is none of them.
    """
    hypotheses = list(_slopes(network, last))
    for number, (phi, _) in enumerate(_layers(network, last), start=1):
        even = phi.first_even_degree
        holds = even == 2 if even is not None or phi.log_is_odd else None
        absent = "log phi is odd" if phi.log_is_odd else "the first even degree is undecided"
        how = absent if even is None else f"first even degree {even}"
        hypotheses.append(Hypothesis("h''(0) is nonzero", holds, f"normalizers[{number}]", how))
    skew = [is_skew(score) for _, score in _layers(network, last)]
    return Determination("Theorem 2 (i)", tuple(hypotheses), adaptive_orders(skew)[-1], None if any(skew[:-1]) else True)


STATEMENTS: tuple[Callable[[Network, int], Determination | None], ...] = (regular, depth_two, two_tokens, invertible, two_planes, curved)
"""In the order in which they are asked; those that give the least degree come first."""


def _determination(label: str, network: Network, last: int, hypotheses: tuple[Hypothesis, ...]) -> Determination:
    """A statement for nonzero slopes whose degree is the bound of Prop. C.1 for layer s, and therefore sharp."""
    slopes = _slopes(network, last)
    return Determination(label, (*slopes, *hypotheses), jet_orders([1] * last)[-1], True)


def _layers(network: Network, last: int) -> list[tuple[Normalizer, RationalMatrix]]:
    return list(zip(network.normalizers[:last], network.parameters.M[:last], strict=True))


def _slopes(network: Network, last: int) -> tuple[Hypothesis, ...]:
    return tuple(
        Hypothesis("the slope h'(0) is nonzero", phi.k == 1, f"normalizers[{number}]", f"k = {phi.k}")
        for number, phi in enumerate(network.normalizers[:last], start=1)
    )


def _at_least_three(network: Network) -> Hypothesis:
    return Hypothesis("n >= 3", network.tokens >= 3, "tokens", f"n = {network.tokens}")
