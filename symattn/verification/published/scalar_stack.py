"""N1: the scalar stack of depth four, observed in the means of its two outputs, in queries and keys alone."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from flint import arb, arb_mat, ctx

from symattn.arithmetic import Arithmetic, LocalArithmetic, LocalMatrix, Matrix, RationalSeries
from symattn.arithmetic.balls import BallMatrix, Balls, rational_ball
from symattn.enclosures.bands import enclose_slopes
from symattn.enclosures.singular_values import SingularValues, enclose_gram
from symattn.errors import BudgetError
from symattn.exact.smith import local_smith
from symattn.network.files import instance_from_dict
from symattn.network.instance import Instance
from symattn.network.path import native_jacobian
from symattn.progress import Report
from symattn.verification.published.figures import Figure, Item, below_figure, enclosed_figure, exact_figure, own_figure

__all__ = ["ORDERS", "SCALES", "query_orders", "query_singular_values", "scalar_stack", "scalar_stack_item"]

M = TypeVar("M", bound=Matrix)
L = TypeVar("L", bound=LocalMatrix)

ORDERS = (1, 5, 17, 53)
SCALES = (Fraction(8, 100), Fraction(4, 100), Fraction(2, 100))
SLOPES = ("0.999994", "5.002211", "17.001118", "53.000562")
_PRECISION = 1024


def scalar_stack() -> Instance:
    """Two scalar tokens, four softmax layers, values one, inputs ``(1 + z, 1 - z)`` with ``z = 0.45, 0.65, 0.85, 1.05``."""
    distances = [Fraction(45 + 20 * j, 100) for j in range(4)]
    return instance_from_dict(
        {
            "symattn": 1,
            "tokens": 2,
            "width": 1,
            "normalizers": "exp(s)",
            "layers": [{"U": [[1]], "W": [[1]]}] * 4,
            "bank": [[[1 + z], [1 - z]] for z in distances],
        },
        source="scalar stack of depth four",
    )


def mean_jacobian(arithmetic: Arithmetic[M], instance: Instance) -> tuple[M, list[int]]:
    """The native Jacobian of the means of the two outputs (columns divided by t), and the numbers of its query columns."""
    half = arithmetic.matrix([[Fraction(1, 2)], [Fraction(1, 2)]])
    jacobian = native_jacobian(arithmetic, instance, [[half] for _ in instance.bank])
    return jacobian.matrix, [j for j, column in enumerate(jacobian.columns) if column.factor == "Q"]


def query_orders(arithmetic: LocalArithmetic[L]) -> tuple[tuple[int, int], ...]:
    """The contact orders of the query columns; the key columns equal them, since ``q_i = k_i`` on the path.

    ``(dq, dk) = (1, -1)`` is in the kernel of every layer, and ``(1, 1)`` moves the score by ``2 t``, so these are also the orders
    of the 4 x 8 Jacobian.
    """
    matrix, columns = mean_jacobian(arithmetic, scalar_stack())
    form = local_smith(matrix.take(range(matrix.shape[0]), columns), [1] * len(columns), ramification=2)
    if form.unresolved:
        raise BudgetError(f"{form.unresolved} orders are at least {form.bound}: a higher precision would find them")
    return form.orders


def query_singular_values(t: Fraction, precision: int = _PRECISION) -> SingularValues:
    """The four positive singular values of the 4 x 8 query/key Jacobian, those of ``sqrt(2) t D_c B`` (spec 04, N1)."""
    system = Balls(precision, t * t)
    matrix: BallMatrix
    matrix, columns = mean_jacobian(system, scalar_stack())
    with ctx.workprec(precision):
        own = arb_mat([[matrix[i, j] for j in columns] for i in range(matrix.shape[0])])
        values = enclose_gram(2 * (own.transpose() * own) * rational_ball(t * t))
    if values is None:
        raise BudgetError(f"{precision} bits do not separate the singular values from zero: a higher precision may help")
    return SingularValues(t, values, len(columns), precision)


def scalar_stack_item(report: Report = lambda message: None) -> Item:
    """The published slopes and the weakest value beside enclosed ones, and the exact orders over Q."""
    report("power series over Q")
    found = query_orders(RationalSeries(32))
    figures: list[Figure] = [exact_figure("contact orders, exact", ORDERS, tuple(order for order, count in found for _ in range(count)))]
    report("enclosures at three scales")
    values = [query_singular_values(t) for t in SCALES]
    slopes = enclose_slopes(values[1], values[2])
    for order, published, slope in zip(ORDERS, SLOPES, slopes, strict=True):
        figures.append(enclosed_figure(f"slope t = 0.04 to 0.02, order {order}", published, slope))
    with ctx.workprec(_PRECISION):
        largest = arb(0)
        for order, slope in zip(ORDERS, slopes, strict=True):
            largest = largest.max(abs(slope - order))
    figures.append(below_figure("largest distance of a slope from its order", "0.0023", largest))
    figures.append(enclosed_figure("weakest singular value at t = 0.02", "3.86e-92", values[2].values[-1].ball))
    for found_values in values:
        for place, value in enumerate(found_values.values, start=1):
            figures.append(own_figure(f"singular value {place} at t = {found_values.t}", value.ball))
    notes = ("the orders are exact: a Smith form over power series in u = t^2 with rational coefficients, to u^32",)
    return Item("N1", "Scalar stack of depth four: means of two outputs, queries and keys", tuple(figures), notes)
