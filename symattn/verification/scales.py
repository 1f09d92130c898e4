"""Enclosed singular values at several scales, beside the contact orders that exact arithmetic finds on the same bank (D.sv)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.enclosures.singular_values import SingularValues, enclose_singular_values
from symattn.errors import InputError, UndecidedError
from symattn.exact.finding import Finding
from symattn.network.instance import Instance
from symattn.progress import Report, silent
from symattn.verification.enclosures import DEFAULT_CUTOFF
from symattn.verification.spectrum import verify_spectrum, with_generic_bank

__all__ = ["ScaledSpectrum", "enclose_at_scales"]

_DIGITS = 15


@dataclass(frozen=True)
class ScaledSpectrum:
    """All positive singular values of an instance at several scales, and its contact orders.

    ``scales`` ascend in ``|t|``; every value has a relative radius below ``10^-digits``. ``finding.orders`` has as many orders as each
    scale has positive values, and :class:`UndecidedError` is raised otherwise. ``cutoff`` is that of the numerical rank.
    """

    source: str
    digits: int
    cutoff: Fraction
    scales: tuple[SingularValues, ...]
    finding: Finding

    def __post_init__(self) -> None:
        if not self.scales:
            raise InputError("at least one scale was expected", where="t")
        found = len(self.finding.exponents())
        for values in self.scales:
            if values.rank != found:
                raise UndecidedError(
                    f"exact arithmetic resolved {found} contact orders for {values.rank} positive singular values at t = {values.t}; "
                    "symattn spectrum says what is left open, and a higher --precision there may decide it"
                )


def enclose_at_scales(
    instance: Instance,
    scales: Sequence[Fraction],
    digits: int = _DIGITS,
    cutoff: Fraction = DEFAULT_CUTOFF,
    report: Report = silent,
) -> ScaledSpectrum:
    """Enclose all positive singular values at every scale, and find the contact orders exactly.

    They are the same at ``t`` and ``-t``, so a scale is computed once for both. An instance without a bank gets a generic one. Raises what
    :func:`symattn.enclosures.singular_values.enclose_singular_values` and :func:`symattn.verification.verify_spectrum` raise, and
    :class:`UndecidedError` where the orders are not resolved.
    """
    instance = with_generic_bank(instance)
    values = []
    for t in sorted({abs(t) for t in scales}):
        report(f"enclosures at t = {t}")
        values.append(enclose_singular_values(instance, t, digits))
    report("exact contact orders")
    finding = verify_spectrum(instance, report=report).finding
    return ScaledSpectrum(instance.source, digits, cutoff, tuple(values), finding)
