"""Contact orders, contrast orders and jet orders, as the theorems state them: pure integers, no computation on an instance.

Layer ``i`` has a normalizer of first nonconstant degree ``k_i`` and factors of width ``r_i``; ``d`` is the token width,
``D`` the depth. With ``alpha_0 = 1``, ``e_i = alpha_i - 1``:

* contrast order   ``alpha_i = 3 alpha_{i-1} + 2 k_i - 2``    (Prop. C.1): order in X of the token contrast after layer i;
* jet order        ``N_i = 2 alpha_{i-1} + 2 k_i - 1``        (Prop. C.1): the degree of the input jet that first sees layer i;
* contact order    ``beta_i = N_i - 2 = 2 k_i - 1 + 2 e_{i-1}``   (Prop. D.1): the power of t in layer i's query/key singular values;
* multiplicity     ``r_i (2 d - r_i)`` for ``beta_i``, ``d^2`` for order 0, kernel ``zeta = (D-1) d^2 + sum r_i^2``  (Theorem 4, D.4).

The ``beta_i`` rise strictly with ``i``: ``beta_{i+1} - beta_i = 2 k_{i+1} + 2 k_i + 4 e_{i-1} > 0``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log10

from symattn.errors import InputError

__all__ = [
    "MAXIMAL_DIGITS",
    "LayerOrders",
    "OrderLadder",
    "common_contact_order",
    "common_contrast_order",
    "common_jet_order",
    "common_order_ladder",
    "contact_orders",
    "contrast_orders",
    "jet_orders",
    "kernel_dimension",
    "layer_multiplicity",
    "merged_orders",
    "order_ladder",
    "require_integer",
]

MAXIMAL_DIGITS = 4000
"""Largest number of decimal digits of an order; Python turns integers of up to 4300 digits into text by default."""


def contrast_orders(degrees: Sequence[int]) -> tuple[int, ...]:
    """``alpha_0 .. alpha_D`` for the normalizer degrees ``k_1 .. k_D`` (C.recurrence; Prop. C.1).

    Raises :class:`InputError` for no layer, for a degree that is not a positive integer, and for depths whose orders
    have more than ``MAXIMAL_DIGITS`` digits.

    >>> contrast_orders([1, 1, 2])
    (1, 3, 9, 29)
    """
    _require_degrees(degrees)
    orders = [1]
    for k in degrees:
        orders.append(3 * orders[-1] + 2 * k - 2)
    return tuple(orders)


def jet_orders(degrees: Sequence[int]) -> tuple[int, ...]:
    """``N_1 .. N_D``: the least degree of the input jet that depends on layer ``i`` (C.recurrence; Prop. C.1).

    >>> jet_orders([1, 1, 1])
    (3, 7, 19)
    """
    return tuple(2 * alpha + 2 * k - 1 for alpha, k in zip(contrast_orders(degrees)[:-1], degrees, strict=True))


def contact_orders(degrees: Sequence[int]) -> tuple[int, ...]:
    """``beta_1 .. beta_D``: contact orders of the query/key blocks on the collapse path (D.smith; Theorem 4, Prop. D.1).

    >>> contact_orders([1, 1, 1, 1])
    (1, 5, 17, 53)
    >>> contact_orders([2, 1])
    (3, 9)
    """
    return tuple(order - 2 for order in jet_orders(degrees))


def common_contrast_order(degree: int, layer: int) -> int:
    """``alpha_i = k 3^i + 1 - k`` when all layers have the degree k; ``layer`` is i >= 0 (C.recurrence; Prop. C.1).

    >>> common_contrast_order(2, 3)
    53
    """
    _require_degrees([degree])
    _require_depth(degree, layer, least=0)
    return int(degree * 3**layer + 1 - degree)


def common_jet_order(degree: int, layer: int) -> int:
    """``N_i = 2 k 3^(i-1) + 1`` when all layers have the degree k; ``layer`` is i >= 1 (C.recurrence; Prop. C.1).

    >>> common_jet_order(1, 3)
    19
    """
    _require_degrees([degree])
    _require_depth(degree, layer)
    return int(2 * degree * 3 ** (layer - 1) + 1)


def common_contact_order(degree: int, layer: int) -> int:
    """``beta_i = 2 k 3^(i-1) - 1`` when all layers have the degree k; ``layer`` is i >= 1 (D.smith; Theorem 4).

    >>> common_contact_order(1, 7)
    1457
    """
    return common_jet_order(degree, layer) - 2


def layer_multiplicity(width: int, query_rank: int, key_rank: int | None = None) -> int:
    """Dimension of the score tangents ``dQ W^T + U dK^T`` when ``rank U = query_rank``, ``rank W = key_rank``.

    The two summands have dimensions ``d r_W`` and ``d r_U`` and meet in dimension ``r_U r_W``. At full column rank both
    ranks are r and the dimension is ``r (2 d - r)`` (P4.2; Prop. 4.2, (40)); ``key_rank`` is ``query_rank`` if absent.

    >>> layer_multiplicity(4, 2), layer_multiplicity(4, 2, 1)
    (12, 10)
    """
    key_rank = query_rank if key_rank is None else key_rank
    return width * (query_rank + key_rank) - query_rank * key_rank


def kernel_dimension(width: int, ranks: Sequence[int]) -> int:
    """``zeta = (D-1) d^2 + sum r_i^2``: interface and factor gauge directions (D.kernel; (49), D.4).

    >>> kernel_dimension(4, [2, 2, 2])
    44
    """
    _require_ranks(width, ranks)
    return (len(ranks) - 1) * width**2 + sum(r * r for r in ranks)


def merged_orders(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """``(order, multiplicity)`` ascending; equal orders are added up, multiplicity 0 is dropped.

    >>> merged_orders([(5, 2), (0, 4), (5, 1), (9, 0)])
    ((0, 4), (5, 3))
    """
    total: Counter[int] = Counter()
    for order, multiplicity in pairs:
        total[order] += multiplicity
    return tuple((order, multiplicity) for order, multiplicity in sorted(total.items()) if multiplicity)


@dataclass(frozen=True)
class LayerOrders:
    """One row of the contact-order table: layer ``i`` (from 1), ``k_i``, ``r_i``, ``beta_i``, its multiplicity, ``alpha_i``, ``N_i``."""

    layer: int
    degree: int
    rank: int
    contact_order: int
    multiplicity: int
    contrast_order: int
    jet_order: int

    def to_json(self) -> dict[str, int]:
        """The row under the keys of ``symattn table``: the paper's letters."""
        return {
            "k": self.degree,
            "i": self.layer,
            "beta_i": self.contact_order,
            "multiplicity": self.multiplicity,
            "alpha_i": self.contrast_order,
            "N_i": self.jet_order,
        }


@dataclass(frozen=True)
class OrderLadder:
    """The complete contact spectrum of one architecture: width ``d`` and one row per layer (Theorem 4, Prop. D.1)."""

    width: int
    rows: tuple[LayerOrders, ...]

    @property
    def depth(self) -> int:
        """The number of layers D."""
        return len(self.rows)

    @property
    def orders(self) -> tuple[tuple[int, int], ...]:
        """``(order, multiplicity)`` ascending, with the value block of order 0 and multiplicity ``d^2``."""
        return merged_orders([(0, self.width**2), *((row.contact_order, row.multiplicity) for row in self.rows)])

    @property
    def rank(self) -> int:
        """The number of nonzero singular values, ``d^2 + sum r_i (2d - r_i)``."""
        return self.width**2 + sum(row.multiplicity for row in self.rows)

    @property
    def kernel(self) -> int:
        """The kernel dimension ``zeta`` of the native Jacobian (D.kernel)."""
        return kernel_dimension(self.width, [row.rank for row in self.rows])

    @property
    def parameter_count(self) -> int:
        """The number of native entries, ``D d^2 + 2 d sum r_i``."""
        return self.depth * self.width**2 + 2 * self.width * sum(row.rank for row in self.rows)

    def to_json(self) -> dict[str, object]:
        """``rows`` (one per layer) and ``kernel``."""
        return {"rows": [row.to_json() for row in self.rows], "kernel": self.kernel}


def order_ladder(degrees: Sequence[int], *, width: int, ranks: Sequence[int]) -> OrderLadder:
    """The contact spectrum for degrees ``k_1 .. k_D`` and factor widths ``r_1 .. r_D`` (D.smith; Theorem 4, Prop. D.1).

    Raises :class:`InputError` if the lists differ in length, or unless ``1 <= r_i <= d`` and ``k_i >= 1``.

    >>> ladder = order_ladder([1, 1, 1], width=4, ranks=[2, 2, 2])
    >>> ladder.orders, ladder.rank, ladder.kernel
    (((0, 16), (1, 12), (5, 12), (17, 12)), 52, 44)
    """
    if len(degrees) != len(ranks):
        raise InputError(f"{len(ranks)} ranks for {len(degrees)} degrees; one per layer was expected", where="ranks")
    _require_ranks(width, ranks)
    contrasts = contrast_orders(degrees)[1:]
    columns = zip(degrees, ranks, contrasts, jet_orders(degrees), strict=True)
    rows = [
        LayerOrders(layer, k, r, contact_order=jet - 2, multiplicity=layer_multiplicity(width, r), contrast_order=alpha, jet_order=jet)
        for layer, (k, r, alpha, jet) in enumerate(columns, start=1)
    ]
    return OrderLadder(width, tuple(rows))


def common_order_ladder(degree: int, depth: int, *, width: int, rank: int) -> OrderLadder:
    """The contact spectrum of ``depth`` equal layers, refused before any list of that length is made (Theorem 4).

    >>> [row.contact_order for row in common_order_ladder(2, 3, width=1, rank=1).rows]
    [3, 11, 35]
    """
    _require_degrees([degree])
    _require_depth(degree, depth)
    return order_ladder([degree] * depth, width=width, ranks=[rank] * depth)


def require_integer(value: object, *, least: int, most: int | None = None, where: str) -> None:
    """Refuse anything but an integer in the range, with one line that says what was expected."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= least and (most is None or value <= most):
        return
    # An integer of thousands of digits is shown by its size: Python may refuse to write it out.
    shown = f"an integer of {value.bit_length()} bits" if isinstance(value, int) and value.bit_length() > 128 else repr(value)
    expected = f"of at least {least}" if most is None else f"from {least} to {most}"
    raise InputError(f"an integer {expected} was expected, not {shown}", where=where)


def _require_degrees(degrees: Sequence[int]) -> None:
    if not degrees:
        raise InputError("at least one layer is needed", where="degrees")
    for number, k in enumerate(degrees, start=1):
        require_integer(k, least=1, where=f"degrees[{number}]")
    _require_depth(max(degrees), len(degrees))


def _require_depth(degree: int, depth: int, *, least: int = 1) -> None:
    """Bound the digits of ``2 k 3^D``, which no order exceeds, before anything of that size is computed."""
    require_integer(depth, least=least, where="depth")
    # Bit lengths come first: a huge integer must not be turned into a float.
    if depth.bit_length() > 32 or degree.bit_length() * log10(2) + depth * log10(3) + 1 > MAXIMAL_DIGITS:
        raise InputError(f"the orders would have more than {MAXIMAL_DIGITS} digits; a smaller depth or degree is needed", where="depth")


def _require_ranks(width: int, ranks: Sequence[int]) -> None:
    require_integer(width, least=1, where="width")
    if not ranks:
        raise InputError("at least one layer is needed", where="ranks")
    for number, r in enumerate(ranks, start=1):
        require_integer(r, least=1, most=width, where=f"ranks[{number}]")
