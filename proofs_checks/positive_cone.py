"""Ball arithmetic on positive definite matrices: the solution of ``X B^T X B X = I``, and Thompson's metric (C.5; Prop. C.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from flint import arb, arb_mat, ctx, fmpq_mat

__all__ = ["enclosed_solution", "thompson_distance", "working_precision"]


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Arb at this precision, and at the old one afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def enclosed_solution(b: arb_mat) -> arb_mat | None:
    """A box of balls that holds exactly one solution of ``X B^T X B X = I``, near a fixed point of ``X -> (B^T X B)^(-1/2)``."""
    d = b.nrows()
    one = arb_mat(d, d, [int(i == j) for i in range(d) for j in range(d)])
    x = one
    for _ in range(40):
        x = _middle(_inverse_root(b.transpose() * x * b))
    for _ in range(6):
        x = _symmetrized(x - _newton_step(b, x, x, one))
    radius = arb(0, arb(2) ** -80)
    box = arb_mat(d, d, [x[i, j] + radius for i in range(d) for j in range(d)])
    image = x - _newton_step(b, x, box, one)
    inside = all(box[i, j].contains_interior(image[i, j]) for i in range(d) for j in range(d))
    return box if inside else None


def _newton_step(b: arb_mat, x: arb_mat, where: arb_mat, one: arb_mat) -> arb_mat:
    """``G'(where)^(-1) G(x)`` for ``G(X) = X B^T X B X - I``."""
    d = b.nrows()
    columns = []
    for place in range(d * d):
        e = arb_mat(d, d, [int(j == place) for j in range(d * d)])
        left, right = where * b.transpose(), b * where
        change = e * b.transpose() * where * right + left * e * right + left * where * b * e
        columns.append(change.entries())
    jacobian = arb_mat([list(row) for row in zip(*columns, strict=True)])
    value = x * b.transpose() * x * b * x - one
    step = jacobian.solve(arb_mat(d * d, 1, value.entries()))
    return arb_mat(d, d, step.entries())


def _inverse_root(a: arb_mat) -> arb_mat:
    """An approximation of ``a^(-1/2)`` for a positive definite a: the coupled iteration of Denman and Beavers."""
    y, z = a, a.inv() * a
    for _ in range(20):
        y, z = _middle((y + z.inv()) * arb("0.5")), _middle((z + y.inv()) * arb("0.5"))
    return z


def _middle(matrix: arb_mat) -> arb_mat:
    return arb_mat(matrix.nrows(), matrix.ncols(), [entry.mid() for entry in matrix.entries()])


def _symmetrized(matrix: arb_mat) -> arb_mat:
    return _middle((matrix + matrix.transpose()) * arb("0.5"))


def thompson_distance(one: fmpq_mat, other: fmpq_mat) -> arb:
    """``max |log lambda|`` over the eigenvalues of ``one^(-1) other`` for positive definite 2 x 2 matrices."""
    quotient = one.inv() * other
    trace, determinant = quotient[0, 0] + quotient[1, 1], quotient.det()
    root = arb(trace * trace - 4 * determinant).sqrt()
    values = [((arb(trace) + sign * root) / 2).log() for sign in (1, -1)]
    return _greatest([abs(value) for value in values])


def _greatest(balls: Sequence[arb]) -> arb:
    """A ball that holds the greatest of the numbers."""
    largest = balls[0]
    for ball in balls[1:]:
        largest = largest.max(ball)
    return largest
