"""The angle of the weakest directions against an mpmath twin on a small instance."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx
from mpmath.ctx_mp import MPContext

from symattn.arithmetic.balls import Balls
from symattn.enclosures.subspaces import weakest_angle
from symattn.errors import BudgetError, UndecidedError
from symattn.network.path import native_jacobian, output_cotangents

from .conftest import drawn


def twin(instance, t: Fraction, layer: int, count: int):
    """Left singular vectors from mpmath's SVD, and a QR basis of the projected columns."""
    mp = MPContext()
    mp.dps = 60
    system = Balls(400, t * t)
    found = native_jacobian(system, instance, output_cotangents(system, instance, "all", 0))
    rows, size = found.matrix.shape
    step = mp.mpf(t.numerator) / t.denominator
    with ctx.workprec(400):
        texts = [[found.matrix[i, j].mid().str(60, radius=False) for j in range(size)] for i in range(rows)]
    J = mp.matrix([[mp.mpf(texts[i][j]) * (step if found.weights[j] else 1) for j in range(size)] for i in range(rows)])
    U, S, _ = mp.svd_r(J)
    rank = sum(value > mp.mpf(10) ** -40 for value in S)
    # For width 1 a key column is proportional to its query column.
    others = [j for j, c in enumerate(found.columns) if (c.factor == "Q" and c.layer != layer) or (c.factor == "V" and c.layer == 2)]
    own = [j for j, c in enumerate(found.columns) if c.factor == "Q" and c.layer == layer]
    Q, _ = mp.qr(mp.matrix([[J[i, j] for j in others + own] for i in range(rows)]), mode="skinny")
    span = Q[:, len(others) : len(others) + count]
    weak = U[:, rank - count : rank]
    rest = weak - span * (span.T * weak)
    return max(mp.svd_r(rest, compute_uv=False))


@pytest.mark.parametrize("t", [Fraction(1, 2), Fraction(1, 10)])
def test_against_mpmath(t: Fraction) -> None:
    instance = drawn(inputs=4)
    found, true = weakest_angle(instance, t, 2, 1), twin(instance, t, 2, 1)
    with ctx.workprec(300):
        assert abs(found / arb(str(true)) - 1) < arb(10) ** -15
        assert found.rad() < found * arb(10) ** -20


def test_it_shrinks_with_the_scale() -> None:
    large, small = (weakest_angle(drawn(inputs=4), t, 2, 1) for t in (Fraction(1, 10), Fraction(1, 20)))
    assert 0 < small < large


def test_what_cannot_be_had() -> None:
    with pytest.raises(UndecidedError, match="layer 2 has 1 independent"):
        weakest_angle(drawn(), Fraction(1, 10), 2, 2)
    with pytest.raises(BudgetError, match="20 bits"):
        weakest_angle(drawn(), Fraction(1, 1000), 2, 1, precision=20)
