"""The contact spectrum of an instance: found, predicted, compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from symattn.arithmetic import DEFAULT_PRIMES
from symattn.arithmetic.linear_algebra import rank
from symattn.errors import HypothesisError, UndecidedError
from symattn.exact.divisibility import LowerBound, lower_bound
from symattn.exact.finding import Finding, proven_orders
from symattn.exact.leading import DividedFrame, divided_frame
from symattn.exact.spectrum import SpectrumOptions, close_from_below, find_spectrum, require_memory
from symattn.network.banks import draw_bank
from symattn.network.instance import Instance
from symattn.network.kernel import path_kernel
from symattn.progress import Report, silent
from symattn.theory.banks import bank_law
from symattn.theory.hypotheses import predict_spectrum
from symattn.theory.prediction import BANK_HYPOTHESIS, Prediction
from symattn.verification.comparison import Verdict, compare
from symattn.verification.order_lemma import ORDER_LEMMA, divisibility_by_order_lemma

__all__ = ["BANK_SEED", "BankReport", "SpectrumReport", "verify_spectrum", "with_generic_bank"]

Method = Literal["padic", "series", "leading"]

BANK_SEED = 20261201
"""The seed of banks that are drawn because an instance has none."""

_FRAME_WORK = 10**7
"""Most steps of a divided frame that is computed without having been asked for; about a microsecond each."""

_DRAWS = 8
"""How many seeds are tried for a bank on which the divided frame is seen to be independent."""


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


def with_generic_bank(instance: Instance, seed: int = BANK_SEED) -> Instance:
    """The instance itself if it has a bank, else with one of the least sufficient size (spec 6.1, 07).

    It is drawn from ``seed``, or from one of the next seeds where the divided frame is not seen to be independent: integers of two digits
    now and then give two inputs that say the same. Raises :class:`BudgetError` for sizes that no search could hold.
    """
    if instance.bank:
        return instance
    size = bank_law(instance.tokens, instance.width, instance.ranks, instance.degrees).least
    require_memory(instance, SpectrumOptions(), 1, inputs=size)
    drawn = [_drawn(instance, size, seed)]
    while not _is_separating_if_known(drawn[-1]):
        if len(drawn) == _DRAWS:
            return drawn[0]
        drawn.append(_drawn(instance, size, seed + len(drawn)))
    return drawn[-1]


def verify_spectrum(
    instance: Instance, method: Method = "padic", options: SpectrumOptions | None = None, report: Report = silent
) -> SpectrumReport:
    """Find the contact spectrum of the instance, predict it, and compare (D.smith, D.kernel, T4, D.2, D.3).

    ``method``: "padic" and "series" find the orders without the theorem (:func:`symattn.exact.find_spectrum`); "leading" takes them
    from the order lemma and only computes independence. An instance without a bank gets a generic one.
    Where the first finding leaves a gap, all outputs and a second prime are used. Raises what the finders raise.
    """
    instance = with_generic_bank(instance)
    prediction = predict_spectrum(instance)
    finding = _leading_finding(instance, options) if method == "leading" else _find(instance, method, prediction, options, report)
    if _attains_order_lemma(instance, finding):
        prediction = prediction.with_bank(True, "the orders found are the least that the order lemma allows on any bank")
    elif prediction.applies is None and (frame := _frame_or_none(instance)) is not None and frame.is_independent:
        prediction = prediction.with_bank(True, f"the divided frame has full rank {frame.rank} modulo {frame.prime}")
    comparison = compare(finding, prediction)
    law = bank_law(instance.tokens, instance.width, instance.ranks, instance.degrees)
    separating = next((h.holds for h in prediction.hypotheses if h.name == BANK_HYPOTHESIS), None)
    full_rank = all(rank(layer.U) == rank(layer.W) == layer.rank for layer in instance.layers)
    status = law.status if full_rank else "counted for factors of full rank, which these are not"
    bank = BankReport(len(instance.bank), instance.bank_origin, separating, law.least, status)
    return SpectrumReport(instance.source, instance.exactness, finding, prediction, comparison.verdict, comparison.reasons, bank)


def _drawn(instance: Instance, size: int, seed: int) -> Instance:
    return instance.with_bank(draw_bank(instance.tokens, instance.width, size, seed), f"drawn from seed {seed}")


def _is_separating_if_known(instance: Instance) -> bool:
    frame = _frame_or_none(instance)
    return frame is None or bool(frame.is_independent)


def _attains_order_lemma(instance: Instance, finding: Finding) -> bool:
    """Whether the orders found are, without condition, the least that any bank can have: then the bank separates (D.frame)."""
    if finding.unresolved:
        return False
    if finding.lower is not None and finding.lower.how == ORDER_LEMMA:
        return finding.is_exact  # False under a condition
    least = lower_bound(instance, path_kernel(instance), divisibility_by_order_lemma(instance.degrees), ORDER_LEMMA)
    return proven_orders(finding.exponents(), least)


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
    return close_from_below(finding, instance, divisibility_by_order_lemma(instance.degrees), ORDER_LEMMA)


def _leading_finding(instance: Instance, options: SpectrumOptions | None) -> Finding:
    """The spectrum that an independent frame and the order lemma give together; without independence nothing is claimed."""
    options = options or SpectrumOptions()
    require_memory(instance, options, 1)
    frame = _frame(instance, options.primes)
    independent = bool(frame.is_independent)
    layers = divisibility_by_order_lemma(instance.degrees)
    orders = Counter({0: instance.width**2})
    for order, multiplicity in zip(layers, frame.layer_directions, strict=True):
        orders[order] += multiplicity
    return Finding(
        orders=tuple(sorted((+orders).items())) if independent else (),
        rank=frame.rank,
        explicit_kernel=instance.parameter_count - frame.directions,
        shape=(instance.output_count, instance.parameter_count),
        rows=instance.output_count,
        method="leading",
        primes=(frame.prime,),
        precision=1,
        bound=0,
        is_exact=independent,
        lower=LowerBound(tuple(sorted(orders.elements())), layers, ORDER_LEMMA),
        proves=("the divided columns are independent at the collapse, so the orders are those of the order lemma",) if independent else (),
        caveats=("the orders come from the order lemma; computed was only that the divided frame is independent",),
    )


def _frame(instance: Instance, primes: Sequence[int]) -> DividedFrame:
    """The divided frame at the first of these primes, or of the default ones, that serves; the next is tried where the rank drops."""
    frames: list[DividedFrame] = []
    refused: list[UndecidedError] = []
    for prime in dict.fromkeys((*primes, *DEFAULT_PRIMES[:2])):
        try:
            frames.append(divided_frame(instance, prime))
        except UndecidedError as error:
            refused.append(error)
            continue
        if frames[-1].is_independent:
            return frames[-1]
    if not frames:
        raise refused[-1]
    return max(frames, key=lambda frame: frame.rank)


def _frame_or_none(instance: Instance) -> DividedFrame | None:
    """The divided frame, unless it is not defined for the instance or costs more than some seconds."""
    if len(instance.bank) * (instance.tokens**2 + instance.depth) * instance.width**3 > _FRAME_WORK:
        return None
    try:
        return _frame(instance, ())
    except (HypothesisError, UndecidedError):
        return None
