"""The published numerical evidence N1 .. N4, reproduced: each published figure beside an exact or enclosed one of ours (spec 04)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symattn.errors import InputError
from symattn.progress import Report
from symattn.verification.published.figures import Figure, Item
from symattn.verification.published.function_space import function_space_item
from symattn.verification.published.matrix_spectrum import matrix_spectrum_item
from symattn.verification.published.recovery_noise import recovery_noise_item
from symattn.verification.published.scalar_stack import scalar_stack_item

__all__ = ["ITEMS", "Figure", "Item", "reproduce"]


ITEMS: dict[str, Callable[[Report], Item]] = {
    "N1": scalar_stack_item,
    "N2": matrix_spectrum_item,
    "N3": recovery_noise_item,
    "N4": function_space_item,
}


def reproduce(ids: Sequence[str] = (), report: Report = lambda message: None) -> list[Item]:
    """The items with these ids (all of them if none is named), in the order N1 .. N4.

    Raises :class:`InputError` for an unknown id.
    """
    for wanted in ids:
        if wanted not in ITEMS:
            raise InputError(f"one of {', '.join(ITEMS)} was expected, not {wanted[:40]!r}", where="ids")

    def told(name: str) -> Report:
        return lambda message: report(f"{name}: {message}")

    return [item(told(name)) for name, item in ITEMS.items() if not ids or name in ids]
