"""The order lemma as bookkeeping of valuations, layer by layer: what divides the columns of every instance, on every bank (C.orders).

It is derived here from the layer itself and does not use the formulas of ``symattn.theory``, so that a formula that asks for
too little is refuted as well as one that asks for too much.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ORDER_LEMMA", "divisibility_by_order_lemma"]

ORDER_LEMMA = "the order lemma (C.orders): contrast and derivative orders can only grow that fast or faster, for all scores"


def divisibility_by_order_lemma(degrees: Sequence[int]) -> tuple[int, ...]:
    """For each layer a power of t that divides its query and key columns, whatever the scores, values and inputs (C.orders; (C.1), (C.2)).

    Let ``u^c`` divide the differences of the tokens that enter a layer of degree k; ``c = 0`` at the inputs. With ``s_ab = u x_a^T B x_b``
    (so ``u | s``), the differences of h along a row are divisible by ``u^(k-1)`` times those of s, hence by ``u^(k+c)``.

    * Derivative: ``sum_b A_ab (x_b - y_a) g(s_ab) ds_ab``, ``A`` the weights. As ``sum_b A_ab (x_b - y_a) = 0``, only differences of
      ``g(s_ab) ds_ab`` along the row count. Those of ``ds_ab = x_a^T dM x_b`` bring ``u^c``, with ``u^(k-1)`` from g; those of g bring
      ``u^(k-2)`` times ``u^(1+c)``. Together ``u^(2c+k-1)``, and ``dM = t (..)`` makes it ``t^(2(2c+k-1)+1)``.
    * Contrast: rows a and a' differ by the mixed differences of h in both indices, ``u^(k+2c)``, times a token difference,
      ``u^c``: the next c is ``3c + k``. A value matrix, and the layers that follow, multiply by power series.

    >>> divisibility_by_order_lemma([1, 1, 2])
    (1, 5, 19)
    """
    contrast, orders = 0, []
    for k in degrees:
        orders.append(2 * (2 * contrast + k - 1) + 1)
        contrast = 3 * contrast + k
    return tuple(orders)
