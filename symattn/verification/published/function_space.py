"""N4: the dimension of the realized function space, for softmax and for the unnormalized layer."""

from __future__ import annotations

from collections.abc import Callable

from symattn.arithmetic import DEFAULT_PRIMES
from symattn.exact.lightning import LightningRank, lightning_rank
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.banks import draw_instance
from symattn.normalizers import normalizer
from symattn.verification.published.figures import Figure, Item, own_figure
from symattn.verification.spectrum import BANK_SEED, with_generic_bank

__all__ = ["LAYERS", "RANK", "TOKENS", "WIDTHS", "function_space_item", "lightning_bounds", "published_dimension", "softmax_bounds"]

LAYERS, TOKENS, RANK = 2, 3, 2
WIDTHS = range(3, 11)


def published_dimension(width: int, *, is_normalized: bool, layers: int = LAYERS, rank: int = RANK) -> int:
    """``d^2 + l a (2d - a)`` for the normalized stack of equal widths, less by l for the unnormalized one."""
    return width**2 + layers * rank * (2 * width - rank) - (0 if is_normalized else layers)


def softmax_bounds(width: int) -> tuple[int, int]:
    """Proven bounds of the generic rank: what the p-adic point attains, and the columns less the independent gauge directions."""
    path = with_generic_bank(draw_instance(TOKENS, width, (RANK,) * LAYERS, (normalizer("exp(s)"),) * LAYERS, 0, BANK_SEED))
    found = find_spectrum(path, options=SpectrumOptions(primes=DEFAULT_PRIMES[:1], precision=4, divisibility=0))
    return found.rank, found.shape[1] - found.explicit_kernel


def lightning_bounds(width: int) -> LightningRank:
    """The unnormalized stack of the same sizes, on as many inputs as its weights need and three more."""
    columns = LAYERS * width * (width + 2 * RANK)
    return lightning_rank(TOKENS, width, (RANK,) * LAYERS, columns // (TOKENS * width) + 3)


def function_space_item(report: Callable[[str], None] = lambda message: None, largest: int = WIDTHS[-1]) -> Item:
    """Exact dimensions for every published width, beside the published formulas."""
    figures: list[Figure] = []
    for width in range(WIDTHS[0], largest + 1):
        report(f"width {width}")
        least, most = softmax_bounds(width)
        figures.append(dimension_figure(f"softmax, d = {width}", published_dimension(width, is_normalized=True), least, most))
        found = lightning_bounds(width)
        upper = found.columns - found.directions
        figures.append(dimension_figure(f"lightning, d = {width}", published_dimension(width, is_normalized=False), found.rank, upper))
        figures.append(own_figure(f"softmax less lightning, d = {width}", least - found.rank if least == most and found.is_exact else "?"))
    notes = (
        "the rank is a lower bound at a drawn point (p-adic, or modulo a prime), the count of independent directions without effect an "
        "upper bound; where they meet the generic dimension is exact",
    )
    return Item("N4", "Dimension of the function space: l = 2 layers, 3 tokens, a = 2", tuple(figures), notes)


def dimension_figure(name: str, published: int, least: int, most: int) -> Figure:
    """Agreement where both bounds are the published number; disagreement where it lies outside of them."""
    agrees = True if least == most == published else False if not least <= published <= most else None
    return Figure(name, str(published), str(least) if least == most else f"{least} .. {most}", agrees)
