"""What a theorem predicts for an instance, with the hypotheses that were checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["BANK_HYPOTHESIS", "Hypothesis", "Prediction"]

BANK_HYPOTHESIS = "the bank separates"
"""Name of the hypothesis that only the finding can confirm: the divided frame is injective on the bank (D.frame)."""


@dataclass(frozen=True)
class Hypothesis:
    """One hypothesis on one place of an instance: ``holds`` is ``None`` while it is undecided; ``how`` says what decided it."""

    name: str
    holds: bool | None
    where: str
    how: str

    def to_json(self) -> dict[str, object]:
        """The fields under their own names."""
        return {"name": self.name, "holds": self.holds, "where": self.where, "how": self.how}


@dataclass(frozen=True)
class Prediction:
    """The contact spectrum that a statement asserts.

    ``orders`` are pairs ``(order, multiplicity)``, ascending and without repetition; ``rank`` is the sum of the
    multiplicities and ``kernel`` the number of native parameters less the rank. Where no statement applies,
    ``orders`` is empty, ``rank`` and ``kernel`` are ``None``, ``source`` and ``status`` are "none", and ``hypotheses``
    name what fails. ``status`` is "theorem" when the spectrum is proved under the hypotheses, "conjecture" when it is not.
    """

    orders: tuple[tuple[int, int], ...]
    rank: int | None
    kernel: int | None
    source: str
    status: Literal["theorem", "conjecture", "none"]
    hypotheses: tuple[Hypothesis, ...]

    @property
    def applies(self) -> bool | None:
        """Whether every hypothesis holds; ``None`` if none fails and one is undecided."""
        if any(hypothesis.holds is False for hypothesis in self.hypotheses):
            return False
        return None if any(hypothesis.holds is None for hypothesis in self.hypotheses) else True

    @property
    def failing(self) -> tuple[Hypothesis, ...]:
        """The hypotheses that do not hold."""
        return tuple(hypothesis for hypothesis in self.hypotheses if hypothesis.holds is False)

    def with_bank(self, separates: bool | None, how: str) -> Prediction:
        """The same prediction with the bank hypothesis decided (or left open) by a finding, for the reason ``how``."""
        return replace(
            self,
            hypotheses=tuple(replace(h, holds=separates, how=how) if h.name == BANK_HYPOTHESIS else h for h in self.hypotheses),
        )

    def to_json(self) -> dict[str, object]:
        """All fields, and ``applies``; orders as ``[order, multiplicity]`` lists."""
        return {
            "orders": [list(pair) for pair in self.orders],
            "rank": self.rank,
            "kernel": self.kernel,
            "source": self.source,
            "status": self.status,
            "applies": self.applies,
            "hypotheses": [hypothesis.to_json() for hypothesis in self.hypotheses],
        }
