"""The prime field ``Z/p``: leading forms and divided frames at the collapse ``u = 0`` (spec 03).

A minor that is nonzero modulo p is nonzero over Q, so ranks found here are lower bounds over Q. The ring is the truncated
series ring of precision 1, where the path parameter is 0.
"""

from __future__ import annotations

from symattn.arithmetic.series import ModularSeries

__all__ = ["PrimeField"]


class PrimeField(ModularSeries):
    """``Z/p`` with ``u = 0``."""

    proves = "independence: a minor that is nonzero modulo p is nonzero over Q"

    def __init__(self, prime: int) -> None:
        super().__init__(prime, 1)

    @property
    def name(self) -> str:
        return f"Z/{self.prime}, u = 0"
