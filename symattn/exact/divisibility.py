"""Lower bounds for contact orders, without the theorem: lower coefficients that vanish exactly over Q (D.divisibility).

The derivative of a layer's output in its own score is ``dy_a = V cov_a dM^T x_a``; later layers multiply it by matrices of power
series. So if every entry of every ``cov_a`` of layer i on the bank is divisible by ``u^v``, every query and key column of that
layer is divisible by ``t^(2v+1)``. This is decided by exact rational power series, coefficient by coefficient.

Token contrasts alone decide much of it at half the precision. Let the tokens that enter the layer be equal modulo ``u^c``,
``x_b = m + u^c d_b``, and let the normalizer have first degree k, so that ``g = h'`` has order ``k - 1``. In
``dy_a = sum_b A_ab g(s_ab) (x_b - y_a) (x_a^T dM x_b)`` the factor ``x_b - y_a`` is divisible by ``u^c``. The part with m in place of
the last ``x_b`` only sees the differences of ``g(s_ab)`` along a row, for ``sum_b A_ab (x_b - y_a) = 0``; scores are u times
numbers that agree modulo ``u^c``, so these are divisible by ``u^(c+k-1)``. The rest has ``u^c d_b`` and ``g(s_ab)``, which is divisible
by ``u^(k-1)``. Together the derivative is divisible by ``u^(2c+k-1)``, and the columns by ``t^(4c+2k-1)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.arithmetic import RationalSeries, SeriesMatrix
from symattn.arithmetic.linear_algebra import pivot_columns, to_flint
from symattn.network.attention import LayerTrace, score_covariances, trace_layer
from symattn.network.instance import Instance
from symattn.network.kernel import PathKernel
from symattn.network.path import native_columns, path_layers

__all__ = ["LowerBound", "contrast_column_orders", "lower_bound", "series_column_orders"]


@dataclass(frozen=True)
class LowerBound:
    """Orders that the Smith exponents cannot undercut, ascending: the j smallest exponents sum to at least the j first of these.

    ``layers[i]`` is the power of t that divides every query and key column of layer i + 1; ``how`` says what proved it.
    """

    exponents: tuple[int, ...]
    layers: tuple[int, ...]
    how: str


def contrast_column_orders(instance: Instance, precision: int) -> tuple[int, ...]:
    """For each layer a power of t that divides its query and key columns on the bank, because of its tokens' contrast (see the module).

    Contrasts are computed in ``Q[u]/(u^N)``, N the precision; one that vanishes to it counts as ``u^N``.
    """
    arithmetic = RationalSeries(precision)
    least = [precision] * instance.depth
    layers = path_layers(arithmetic, instance)
    n = instance.tokens
    averaging = arithmetic.constant(n, n, 1).scale(Fraction(1, n))
    for x in instance.bank:
        tokens = arithmetic.matrix(x)
        for i in range(instance.depth):
            if i:
                (trace,) = trace_layer(arithmetic, layers[i - 1], [tokens])
                tokens = trace.output
            contrast = (tokens - averaging @ tokens).valuation()
            least[i] = least[i] if contrast is None else min(least[i], contrast)
    return tuple(4 * contrast + 2 * k - 1 for contrast, k in zip(least, instance.degrees, strict=True))


def series_column_orders(instance: Instance, precision: int) -> tuple[int, ...]:
    """For each layer a power of t that provably divides its query and key columns on the bank.

    Computed in ``Q[u]/(u^N)``, N the precision: a result ``2N + 1`` means "at least".
    """
    arithmetic = RationalSeries(precision)
    least: list[int] = [precision] * instance.depth
    layers = path_layers(arithmetic, instance)
    for x in instance.bank:
        tokens = arithmetic.matrix(x)
        for i, layer in enumerate(layers):
            (trace,) = trace_layer(arithmetic, layer, [tokens])
            tokens = trace.output
            if least[i]:
                least[i] = _least_valuation(trace, least[i])
    return tuple(2 * valuation + 1 for valuation in least)


def _least_valuation(trace: LayerTrace[SeriesMatrix], bound: int) -> int:
    """The least valuation of the score covariances if it is below the bound, else the bound: only coefficients below it are needed."""
    matrices = (matrix.truncated(bound) for matrix in (trace.tokens, trace.weights, trace.slopes, trace.averages))
    valuations = (covariance.valuation() for covariance in score_covariances(RationalSeries(bound), LayerTrace(trace.layer, *matrices)))
    return min((valuation for valuation in valuations if valuation is not None), default=bound)


def lower_bound(instance: Instance, kernel: PathKernel, layer_orders: Sequence[int], how: str) -> LowerBound:
    """What divisibility of the columns and the explicit kernel together prove about the Smith exponents.

    The kernel basis stays independent at ``u = 0``, so some set of as many columns can be removed by unimodular column
    operations; the remaining columns carry the whole Smith form. Removing columns greedily in ascending order of
    divisibility leaves the strongest bound (greedy choice in a matroid).
    """
    columns = native_columns(instance)
    orders = [0 if column.weight == 0 else layer_orders[column.layer - 1] for column in columns]
    own = sorted((j for j in range(len(columns)) if columns[j].weight), key=lambda j: orders[j])
    removed = {own[j] for j in pivot_columns(to_flint([[vector[j] for j in own] for vector in kernel.factor]))} if kernel.factor else set()
    kept = [orders[j] for j in own if j not in removed]
    values = sum(column.weight == 0 for column in columns) - len(kernel.interface)
    return LowerBound(tuple(sorted([0] * values + kept)), tuple(layer_orders), how)
