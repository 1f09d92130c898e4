"""The contact-order table of an architecture, with a column of what exact computation found (T4, Theorem 4)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from symattn.errors import BudgetError
from symattn.network.banks import draw_instance
from symattn.normalizers import normalizer
from symattn.progress import Report, silent
from symattn.theory.banks import least_bank_size
from symattn.theory.orders import OrderLadder, common_order_ladder, contact_orders
from symattn.verification.comparison import Verdict
from symattn.verification.spectrum import BANK_SEED, SpectrumReport, verify_spectrum, with_generic_bank

__all__ = ["ContactTableReport", "verify_contact_table"]

# One more layer triples the precision; the time then grows by this factor or less (measured: 5 to 9).
_GROWTH = 9


@dataclass(frozen=True)
class ContactTableReport:
    """Predicted ladders for several degrees k and, where computed, the bands found.

    ``ladders[j]`` belongs to ``degrees[j]``. ``found[j]`` lists the pairs (order, multiplicity) of the deepest instance that was
    affordable, ascending, so that entry 0 belongs to the values and entry i to layer i; it is ``None`` without
    verification. ``reasons`` says what was not computed, and what a mismatch was. ``kernel`` is zeta.
    """

    degrees: tuple[int, ...]
    ladders: tuple[OrderLadder, ...]
    found: tuple[tuple[tuple[int, int], ...], ...] | None
    verdict: Verdict
    reasons: tuple[str, ...]
    tokens: int

    @property
    def kernel(self) -> int:
        """The kernel dimension ``zeta = (D-1) d^2 + sum r_i^2``, the same for every k."""
        return self.ladders[0].kernel

    @property
    def total(self) -> int:
        """The number of rows: layers times degrees."""
        return sum(len(ladder.rows) for ladder in self.ladders)

    @property
    def computed(self) -> int:
        """How many of them exact computation reached."""
        return sum(min(max(len(pairs) - 1, 0), len(self.ladders[0].rows)) for pairs in self.found or ())

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn table --json``: ``found`` is null in a row that was not computed."""
        rows: list[dict[str, object]] = []
        for j, ladder in enumerate(self.ladders):
            for row in ladder.rows:
                entry: dict[str, object] = {**row.to_json()}
                if self.found is not None:
                    pairs = self.found[j]
                    entry["found"] = dict(zip(("order", "multiplicity"), pairs[row.layer], strict=True)) if row.layer < len(pairs) else None
                rows.append(entry)
        verified = None
        if self.found is not None:
            verified = {"verdict": self.verdict, "rows_computed": self.computed, "rows": self.total, "reasons": list(self.reasons)}
        return {"rows": rows, "kernel": self.kernel, "verified": verified}


def verify_contact_table(
    degrees: Sequence[int],
    depth: int,
    *,
    width: int = 1,
    rank: int = 1,
    tokens: int = 2,
    verify: bool = False,
    budget: float = 20,
    report: Report = silent,
) -> ContactTableReport:
    """The contact-order table for ``phi = exp(s^k)`` in every layer, for each k of ``degrees`` (Theorem 4).

    With ``verify``, drawn instances of growing depth are searched exactly, each k for about ``budget`` seconds; layers beyond that
    are reported as not computed. The verdict is "confirmed" if every computed row agrees and "refuted" if one does not; it is
    "undecided" if no row was computed. Raises :class:`InputError` for sizes that no network has.
    """
    ladders = tuple(common_order_ladder(k, depth, width=width, rank=rank) for k in degrees)
    if not verify:
        return ContactTableReport(tuple(degrees), ladders, None, "undecided", (), tokens)
    found, reasons = [], []
    verdicts: set[Verdict] = set()
    for k in degrees:
        report(f"k = {k}")
        last = _deepest(k, depth, width, rank, tokens, budget, report)
        found.append(() if last is None else last.finding.orders)
        if last is not None:
            difference = _difference(last, k, width, rank)
            verdicts.add("refuted" if difference else last.verdict)
            if difference:
                reasons.append(f"k = {k}: refuted: {difference}")
            elif last.verdict != "confirmed":
                reasons.append(f"k = {k}: {last.verdict}: {'; '.join(last.reasons)}")
        if (reached := max(len(found[-1]) - 1, 0)) < depth:
            reasons.append(f"k = {k}: layers {reached + 1} to {depth} were not computed (about {budget:g} s for each k; see --budget)")
    verdict: Verdict = "refuted" if "refuted" in verdicts else "undecided" if verdicts != {"confirmed"} else "confirmed"
    return ContactTableReport(tuple(degrees), ladders, tuple(found), verdict, tuple(reasons), tokens)


def _deepest(k: int, depth: int, width: int, rank: int, tokens: int, budget: float, report: Report) -> SpectrumReport | None:
    """The verified spectrum of the deepest drawn instance that the budget allows; a failure on the way ends the search."""
    phi = normalizer(f"exp(s**{k})")
    started = time.monotonic()
    last: SpectrumReport | None = None
    for layers in range(1, depth + 1):
        before = time.monotonic()
        size = least_bank_size(tokens, width, [rank] * layers, [k] * layers)
        if _estimated_seconds(k, layers, width, rank, tokens, size) > budget:
            break
        instance = with_generic_bank(draw_instance(tokens, width, (rank,) * layers, (phi,) * layers, 0, BANK_SEED))
        try:
            last = verify_spectrum(instance, report=lambda message, layers=layers: report(f"k = {k}, depth {layers}: {message}"))  # type: ignore[misc]
        except BudgetError:
            break
        now = time.monotonic()
        if last.verdict != "confirmed" or now - started + _GROWTH * (now - before) > budget:
            break
    return last


def _difference(report: SpectrumReport, k: int, width: int, rank: int) -> str:
    """Where the table, whose formulas are not those of the prediction, differs from established orders and kernel; "" if nowhere."""
    if report.verdict != "confirmed":
        return ""
    ladder = common_order_ladder(k, len(report.finding.orders) - 1, width=width, rank=rank)
    for what, found, claimed in (("orders", report.finding.orders, ladder.orders), ("kernel", report.finding.kernel, ladder.kernel)):
        if found != claimed:
            return f"{what} {found} were found, but the table has {claimed}"
    return ""


def _estimated_seconds(k: int, layers: int, width: int, rank: int, tokens: int, bank_size: int) -> float:
    """A rough cost, within a factor of about two where it was measured, so that absurd sizes are not even started."""
    rows = bank_size * (width * tokens if layers == 1 else min(width + 1, width * tokens))
    columns = layers * (width**2 + 2 * width * rank)
    pulled_back = 5e-6 * rows * tokens**2 * layers
    eliminated = 1.2e-5 * rows * columns + 5e-6 * (layers + 1) * width**2 * columns
    weights = 6e-5 * bank_size * tokens**2 * layers
    return (contact_orders([k] * layers)[-1] / 12 + 1) * (pulled_back + eliminated + weights)
