"""How many inputs a separating bank needs: a counting bound at every layer, and what is known of its sharpness.

A bank separates if the divided derivatives at ``t = 0`` (value directions ``dL`` and score tangents ``N_i = dQ W^T + U dK^T``)
are independent on it (D.frame). With full-column-rank factors, ``g_i = r_i (2 d - r_i)`` of them belong to layer i.

Depth ``D >= 2``. All divided derivatives are equal at all tokens, so an input gives ``d`` numbers. Layer ``i`` acts inside the image
of the contrast covariance ``C_{i-1}``, these images shrink with ``i``, and ``dQ_j`` acts inside ``C_{j-1} im W_j`` (layer 1: inside
the span of ``Cov_b(y, x_b)``, ``y`` the monomials of degree ``k_1`` in ``W_1^T x_b``). So the ``r_j d`` directions of ``dQ_j`` and
all later layers are seen through at most ``rho_j`` numbers per input,

    rho_0 = min(n-1, d),   rho_1 = min(rho_0, binomial(r_1 + k_1 - 1, k_1)),   rho_j = min(r_j, rho_{j-1}),

and independence on m inputs needs ``m rho_j >= [j >= 1] r_j d + sum_{i>j} g_i`` for every j, besides
``m d >= d^2 + sum g_i``. The value block alone, ``dL xbar``, needs ``m >= d`` means.

Depth 1. Tokens differ at order 0 in t, so each of them counts. Layer 1 at token ``a`` is
``Cov_b((x_a^T U y_b)^(k-1) x_a^T N x_b, x_b)`` with ``y_b = W^T x_b``. It lies in a space of dimension ``rho_0`` (``dQ``: ``rho_1``),
and depends on ``x_a`` linearly through the products of a coordinate of ``x_a`` with a monomial of degree ``k-1`` in ``U^T x_a``
(``dK``: through the monomials of degree ``k`` in ``U^T x_a``). The values add ``d`` numbers per input, in the token mean.
For ``k = 1`` an input shows of N, besides the token mean, the form ``Delta N^T Delta^T`` in the contrasts ``Delta`` of rank ``rho_0``.
It is symmetric for symmetric N and skew for skew N, which bounds these two parts of the tangents separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from symattn.theory.orders import layer_multiplicity, order_ladder, require_integer

__all__ = ["BankBound", "BankLaw", "bank_law", "least_bank_size"]


@dataclass(frozen=True)
class BankBound:
    """``directions`` independent columns are seen through at most ``per_input`` numbers of each input."""

    seen: str
    directions: int
    per_input: int

    @property
    def size(self) -> int:
        """The number of inputs that the bound demands: the quotient, rounded up."""
        return -(-self.directions // self.per_input)

    def to_json(self) -> dict[str, object]:
        """The fields and the size."""
        return {"seen": self.seen, "directions": self.directions, "per_input": self.per_input, "size": self.size}


@dataclass(frozen=True)
class BankLaw:
    """The least bank size that counting allows, with the ranks ``rho_0 .. rho_D`` and the bounds it is the maximum of."""

    flag_ranks: tuple[int, ...]
    bounds: tuple[BankBound, ...]
    status: str

    @property
    def least(self) -> int:
        """The largest of the bounds: no bank of fewer inputs separates."""
        return max(bound.size for bound in self.bounds)

    def to_json(self) -> dict[str, object]:
        """``least``, ``status`` and the ``profile``: the ranks and the bound for each of them."""
        return {
            "least": self.least,
            "status": self.status,
            "profile": {"flag_ranks": list(self.flag_ranks), "bounds": [bound.to_json() for bound in self.bounds]},
        }


def bank_law(tokens: int, width: int, ranks: Sequence[int], degrees: Sequence[int]) -> BankLaw:
    """The counting law for n tokens of width d, factor widths ``r_1 .. r_D`` and degrees ``k_1 .. k_D``; full-rank factors.

    Every bound is necessary for every bank. ``status`` says whether the largest one is known to suffice for a generic bank.
    Raises :class:`InputError` for sizes that no network has.

    >>> law = bank_law(4, 4, [2, 2, 2], [1, 1, 1])
    >>> law.least, law.flag_ranks
    (16, (3, 2, 2, 2))
    >>> [bound.size for bound in law.bounds]
    [4, 13, 12, 16, 10, 4]
    """
    require_integer(tokens, least=2, where="tokens")
    order_ladder(degrees, width=width, ranks=ranks)  # the checks of ranks and degrees
    flag_ranks = [min(tokens - 1, width)]
    flag_ranks.append(min(flag_ranks[0], comb(ranks[0] + degrees[0] - 1, degrees[0])))
    for r in ranks[1:]:
        flag_ranks.append(min(r, flag_ranks[-1]))
    bounds = (BankBound("values", width**2, width), *_layer_bounds(tokens, width, ranks, degrees, flag_ranks))
    return BankLaw(tuple(flag_ranks), bounds, _status(tokens, width, ranks, degrees))


def least_bank_size(tokens: int, width: int, ranks: Sequence[int], degrees: Sequence[int]) -> int:
    """The number m* of :func:`bank_law`: fewer inputs never separate.

    >>> least_bank_size(4, 4, [2] * 5, [1] * 5)
    28
    """
    return bank_law(tokens, width, ranks, degrees).least


def _layer_bounds(n: int, d: int, ranks: Sequence[int], degrees: Sequence[int], rho: Sequence[int]) -> list[BankBound]:
    blocks = [layer_multiplicity(d, r) for r in ranks]
    if len(ranks) > 1:
        bounds = [BankBound("values and all layers", d * d + sum(blocks), d), BankBound("all layers", sum(blocks), rho[0])]
        for j, r in enumerate(ranks, start=1):
            bounds.append(BankBound(f"queries of layer {j} and all later layers", r * d + sum(blocks[j:]), rho[j]))
        return bounds
    (r,), (k,), (block,) = ranks, degrees, blocks
    products = comb(r + k - 2, k - 1) * d
    seen_tokens, seen_contrasts = min(n, products), min(n - 1, products)
    bounds = [
        BankBound("values and layer 1", d * d + block, d + seen_contrasts * rho[0]),
        BankBound("layer 1", block, seen_tokens * rho[0]),
        BankBound("queries of layer 1", r * d, seen_tokens * rho[1]),
        BankBound("keys of layer 1", r * d, min(n, comb(r + k - 1, k)) * rho[0]),
    ]
    if k == 1:
        for part, sign in (("symmetric", 1), ("skew", -1)):
            seen = d + rho[0] * (rho[0] + sign) // 2
            bounds.append(BankBound(f"values and {part} part of layer 1", d * d + _tangent_part(d, r, sign), seen))
    return bounds


def _tangent_part(d: int, r: int, sign: int) -> int:
    """A lower bound of the dimension of the symmetric (``sign`` 1) or skew (-1) score tangents at full column rank.

    N is a tangent if ``x^T N y = 0`` for x in the complement of ``im U`` and y in that of ``im W``: at most ``(d-r)^2`` conditions.
    """
    return d * (d + sign) // 2 - (d - r) ** 2


def _status(n: int, d: int, ranks: Sequence[int], degrees: Sequence[int]) -> str:
    if len(ranks) > 1 and n >= d + 1 and all(r == d for r in ranks) and all(k == 1 for k in degrees):
        return "necessity proved; sufficiency proved for r = d, n >= d + 1, k = 1"
    return "necessity proved; sufficiency conjectured for generic banks"
