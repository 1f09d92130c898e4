"""The contact spectrum of an instance: found, predicted, compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from symattn.arithmetic import DEFAULT_PRIMES
from symattn.errors import HypothesisError, UndecidedError
from symattn.exact.divisibility import LowerBound
from symattn.exact.finding import Finding
from symattn.exact.leading import DividedFrame, divided_frame
from symattn.exact.spectrum import SpectrumOptions, close_from_below, find_spectrum
from symattn.network.banks import draw_bank
from symattn.network.instance import Instance
from symattn.theory.banks import bank_law
from symattn.theory.hypotheses import predict_spectrum
from symattn.theory.orders import contact_orders, merged_orders
from symattn.theory.prediction import BANK_HYPOTHESIS, Prediction
from symattn.verification.comparison import Verdict, compare

__all__ = ["BANK_SEED", "BankReport", "SpectrumReport", "verify_spectrum", "with_generic_bank"]

Method = Literal["padic", "series", "leading"]
Report = Callable[[str], None]

BANK_SEED = 20261201
"""The seed of banks that are drawn because an instance has none."""

_ORDER_LEMMA = "the order lemma (C.orders): contrast and derivative orders can only grow that fast or faster, for all scores"


@dataclass(frozen=True)
class BankReport:
    """The bank: its size, where it came from, whether it is known to separate, and the least size by counting (spec 6.1)."""

    size: int
    origin: str
    separating: bool | None
    least: int
    least_status: str

    def to_json(self) -> dict[str, object]:
        """The fields under their own names."""
        return {
            "size": self.size,
            "origin": self.origin,
            "separating": self.separating,
            "least": self.least,
            "least_status": self.least_status,
        }


@dataclass(frozen=True)
class SpectrumReport:
    """What was found, what was predicted, and how they compare, for one instance on one bank."""

    source: str
    exactness: str
    finding: Finding
    prediction: Prediction
    verdict: Verdict
    reasons: tuple[str, ...]
    bank: BankReport

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn spectrum --json`` (spec 07)."""
        return {
            "instance": self.source,
            "exactness": self.exactness,
            **self.finding.to_json(),
            "prediction": self.prediction.to_json(),
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "bank": self.bank.to_json(),
        }


def _silent(message: str) -> None:
    """Say nothing about progress."""


def with_generic_bank(instance: Instance, seed: int = BANK_SEED) -> Instance:
    """The instance itself if it has a bank, else with one of the least sufficient size drawn from the seed (spec 6.1, 07)."""
    if instance.bank:
        return instance
    size = bank_law(instance.tokens, instance.width, instance.ranks, instance.degrees).least
    return instance.with_bank(draw_bank(instance.tokens, instance.width, size, seed), f"{size} inputs drawn from seed {seed}")


def verify_spectrum(
    instance: Instance, method: Method = "padic", options: SpectrumOptions | None = None, report: Report = _silent
) -> SpectrumReport:
    """Find the contact spectrum of the instance, predict it, and compare (D.smith, D.kernel, T4, D.2, D.3).

    ``method``: "padic" and "series" find the orders without the theorem (:func:`symattn.exact.find_spectrum`); "leading" takes them
    from the order lemma and only computes independence. An instance without a bank gets a generic one.
    Where the first finding leaves a gap, all outputs and a second prime are used. Raises what the finders raise.
    """
    instance = with_generic_bank(instance)
    prediction = predict_spectrum(instance)
    if method == "leading":
        frame = divided_frame(instance, DEFAULT_PRIMES[0])
        finding = _leading_finding(instance, frame)
    else:
        frame = None
        finding = _find(instance, method, prediction, options, report)
    comparison = compare(finding, prediction)
    if comparison.verdict == "confirmed":
        prediction = prediction.with_bank(True, "the orders found are those of a separating bank")
    elif prediction.applies is None:
        frame = frame or _frame_or_none(instance)
        if frame is not None and frame.is_independent:
            prediction = prediction.with_bank(True, f"the divided frame has full rank {frame.rank} modulo {frame.prime}")
        comparison = compare(finding, prediction)
    law = bank_law(instance.tokens, instance.width, instance.ranks, instance.degrees)
    separating = next((h.holds for h in prediction.hypotheses if h.name == BANK_HYPOTHESIS), None)
    bank = BankReport(len(instance.bank), instance.bank_origin, separating, law.least, law.status)
    return SpectrumReport(instance.source, instance.exactness, finding, prediction, comparison.verdict, comparison.reasons, bank)


def _find(
    instance: Instance, method: Literal["padic", "series"], prediction: Prediction, options: SpectrumOptions | None, report: Report
) -> Finding:
    """Search with a first precision that the prediction suggests (a cost, not a result), and close gaps by the order lemma."""
    if options is None:
        largest = max((order for order, _ in prediction.orders), default=14)
        precision = largest // 2 + 2
        options = SpectrumOptions(precision=precision, max_precision=max(128, 3 * precision))
    finding = _closed(find_spectrum(instance, method, options, report), instance)
    if finding.is_exact or method == "series" or options.rows == "all":
        return finding
    report("a gap is left: all outputs, a second prime")
    primes = options.primes if len(options.primes) > 1 else (*options.primes, *(p for p in DEFAULT_PRIMES if p not in options.primes))[:2]
    return _closed(find_spectrum(instance, method, replace(options, rows="all", primes=primes), report), instance)


def _closed(finding: Finding, instance: Instance) -> Finding:
    if finding.is_exact or finding.unresolved or finding.lower is not None:
        return finding
    return close_from_below(finding, instance, contact_orders(instance.degrees), _ORDER_LEMMA)


def _leading_finding(instance: Instance, frame: DividedFrame) -> Finding:
    """The spectrum that an independent frame and the order lemma give together; without independence nothing is claimed."""
    layers = contact_orders(instance.degrees)
    pairs = [(0, instance.width**2), *zip(layers, frame.layer_directions, strict=True)]
    independent = bool(frame.is_independent)
    exponents = tuple(sorted(order for order, multiplicity in pairs for _ in range(multiplicity)))
    return Finding(
        orders=merged_orders(pairs) if independent else (),
        rank=frame.rank,
        explicit_kernel=instance.parameter_count - frame.directions,
        shape=(instance.output_count, instance.parameter_count),
        rows=instance.output_count,
        method="leading",
        primes=(frame.prime,),
        precision=1,
        bound=0,
        is_exact=independent,
        lower=LowerBound(exponents, layers, _ORDER_LEMMA),
        proves=("the divided columns are independent at the collapse, so the orders are those of the order lemma",) if independent else (),
        caveats=("the orders come from the order lemma; computed was only that the divided frame is independent",),
    )


def _frame_or_none(instance: Instance) -> DividedFrame | None:
    try:
        return divided_frame(instance, DEFAULT_PRIMES[0])
    except (HypothesisError, UndecidedError):
        return None
