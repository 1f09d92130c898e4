"""One unknown scalar weight observed under noise: the inverse of an increasing function in balls, and the error figures (spec 04, N3).

The observed map is ``f(c) = m + (z/2) (tanh(c z (m + z)) + tanh(c z (m - z)))`` of ``c = w^2``: the mean of the two tokens ``m +- z``
after one softmax layer with the scalar score c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb, ctx

from symattn.arithmetic.balls import rational_ball
from symattn.errors import BudgetError, UndecidedError

__all__ = ["MeanMap", "NoiseRow", "observed_map", "recover_weights"]

_PIECES = 16


@dataclass(frozen=True)
class MeanMap:
    """The map f for tokens ``m +- z``, in balls; all operations run at FLINT's working precision."""

    m: arb
    z: arb

    def __call__(self, c: arb) -> arb:
        """A ball that contains f on the ball c."""
        return self.m + self.z / 2 * ((c * self._rate(1)).tanh() + (c * self._rate(-1)).tanh())

    def slope(self, c: arb) -> arb:
        """A ball that contains f' on the ball c."""
        rates = [self._rate(1), self._rate(-1)]
        return self.z / 2 * sum((rate * (1 - (c * rate).tanh() ** 2) for rate in rates), arb(0))

    def is_increasing(self, top: Fraction) -> bool:
        """Whether f' is seen to be positive on ``[0, top]``, piece by piece."""
        ends = [rational_ball(top * j / _PIECES) for j in range(_PIECES + 1)]
        return all(self.slope(low.union(high)) > 0 for low, high in pairwise(ends))

    def inverse(self, value: arb, top: Fraction) -> arb:
        """A ball that contains the c in ``[0, top]`` with ``f(c) = value`` for every point of the value, clipped to ``f([0, top])``.

        f must be increasing there. Raises :class:`UndecidedError` where a value cannot be told from an end of the range.
        """
        low, high = self(arb(0)), self(rational_ball(top))
        if value <= low:
            return arb(0)
        if value >= high:
            return rational_ball(top)
        if not (low < value < high):
            raise UndecidedError("an observation cannot be told from an end of the range: a higher precision may tell")
        center = rational_ball(top) / 2
        for _ in range(ctx.prec.bit_length() + 8):
            center = (center - (self(center) - value) / self.slope(center)).mid()
            center = center.max(arb(0)).min(rational_ball(top)).mid()
        # The mean value theorem: f(center) - value = f'(somewhere) (center - c).
        radius = abs((self(center) - value) / self.slope(arb(0).union(rational_ball(top)))).upper()
        return center + arb(0, radius)

    def _rate(self, sign: int) -> arb:
        return self.z * (self.m + sign * self.z)


@dataclass(frozen=True)
class NoiseRow:
    """Errors of the recovered weight at one noise level, in balls: mean squared error, bias, and root mean square over the truth."""

    alpha: Fraction
    tau: arb
    mean_squared_error: arb
    bias: arb
    relative_error: arb


def recover_weights(
    draws: Sequence[Fraction],
    alphas: Sequence[Fraction],
    truth: Fraction = Fraction(1, 10),
    top: Fraction = Fraction(9, 100),
    first: Fraction = Fraction(1, 100),
    precision: int = 256,
) -> tuple[NoiseRow, ...]:
    """Recover w from ``f(w^2) + tau Z`` for every draw Z, at the noise levels ``tau = alpha m z^2 truth^2``.

    The input is (3/2, 1/2) and ``first`` the score of the known first layer. Observations are clipped to ``f([0, top])``.
    Raises :class:`BudgetError` if f is not seen to increase, :class:`UndecidedError` as :meth:`MeanMap.inverse`.
    """
    with ctx.workprec(precision):
        known = observed_map(Fraction(3, 2), Fraction(1, 2), first)
        if not known.is_increasing(top):
            raise BudgetError(f"f is not seen to increase on [0, {top}] at {precision} bits: a higher precision may help")
        exact = known(rational_ball(truth**2))
        rows = []
        for alpha in alphas:
            tau = rational_ball(alpha * truth**2) * known.m * known.z**2
            errors = [known.inverse(exact + tau * rational_ball(draw), top).sqrt() - rational_ball(truth) for draw in draws]
            squared = sum((error**2 for error in errors), arb(0)) / len(draws)
            bias = sum(errors, arb(0)) / len(draws)
            rows.append(NoiseRow(alpha, tau, squared, bias, squared.sqrt() / rational_ball(truth)))
        return tuple(rows)


def observed_map(a: Fraction, b: Fraction, score: Fraction) -> MeanMap:
    """The map f behind one softmax layer with this scalar score on the tokens a, b: ``m +- z`` are its outputs."""
    outputs = []
    for query in (a, b):
        weight = 1 / (1 + rational_ball(score * query * (b - a)).exp())
        outputs.append(weight * rational_ball(a) + (1 - weight) * rational_ball(b))
    return MeanMap((outputs[0] + outputs[1]) / 2, (outputs[0] - outputs[1]) / 2)
