"""N3: one unknown parameter under noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from symattn.enclosures.noise import NoiseRow, recover_weights
from symattn.verification.published.data import noise_draws
from symattn.verification.published.figures import Figure, Item, enclosed_figure, own_figure

__all__ = ["ALPHAS", "NoiseCurve", "noise_curve", "recovery_noise_item"]

ALPHAS = (Fraction(1, 100), Fraction(1, 10), Fraction(1), Fraction(10))

_PUBLISHED = {ALPHAS[0]: ("1.57e-10", "0.0050"), ALPHAS[-1]: ("1.57e-7", "1.31")}
"""The noise level and the relative error, where they were published."""


def recovery_noise_item(report: Callable[[str], None] = lambda message: None) -> Item:
    """Every noise level and error of the table, enclosed; every observation is inverted with a proven radius."""
    draws = noise_draws()
    report(f"{len(draws)} inverses at each of {len(ALPHAS)} noise levels")
    figures: list[Figure] = []
    for row in recover_weights(draws, ALPHAS):
        at = f"at alpha = {row.alpha}"
        published = _PUBLISHED.get(row.alpha)
        for name, ball, place in ((f"tau {at}", row.tau, 0), (f"relative RMSE {at}", row.relative_error, 1)):
            figures.append(enclosed_figure(name, published[place], ball) if published else own_figure(name, ball))
        figures += [own_figure(f"MSE {at}", row.mean_squared_error), own_figure(f"bias {at}", row.bias)]
    notes = (f"{len(draws)} stored draws, exact for the stored binary64 values; f is proven to increase on [0, 0.09]",)
    return Item("N3", "One unknown parameter under noise", tuple(figures), notes)


@dataclass(frozen=True)
class NoiseCurve:
    """Enclosed errors at several noise levels, all from the same number of stored draws."""

    rows: tuple[NoiseRow, ...]
    draws: int


def noise_curve(report: Callable[[str], None] = lambda message: None) -> NoiseCurve:
    """The errors of the published table at more noise levels between its first and its last."""
    draws = noise_draws()
    alphas = [digit * ALPHAS[0] * 10**power for power in range(3) for digit in (1, 2, 5)] + [ALPHAS[-1]]
    report(f"{len(draws)} inverses at each of {len(alphas)} noise levels")
    return NoiseCurve(recover_weights(draws, alphas), len(draws))
