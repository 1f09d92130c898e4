"""Results as text for a terminal: what was found, why it is right, and what stays open, for a reader who has not read the paper."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from symattn.reports.canvas import Plot
from symattn.reports.escaping import one_line
from symattn.reports.tables import Column, Table, to_text
from symattn.verification import SpectrumReport

__all__ = ["labelled", "normalizer_text", "plot_text", "spectrum_table", "spectrum_text", "verification_table", "verification_text"]

_WIDTH = 100


def normalizer_text(document: Mapping[str, Any]) -> str:
    """The facts of ``symattn normalizer``: k, b, parities and the logarithm's first terms, one a line."""
    coefficients = enumerate(document["log_series"])
    series = [f"{_factor(str(coefficient))} s^{degree}" for degree, coefficient in coefficients if coefficient not in ("0", 0, None)]
    lines = [
        ("normalizer", str(document.get("text", ""))),
        ("at 0", "analytic and positive"),
        ("k", f"{document['k']}: the first nonconstant degree"),
        ("b", f"{document['coefficient']}: the coefficient of s^k in log phi, with phi(0) = 1"),
        ("first odd degree", _degree(document["first_odd_degree"], document["is_even"], "phi is even")),
        ("first even degree", _degree(document["first_even_degree"], document["log_is_odd"], "log phi is odd")),
        ("phi is even", _three_valued(document["is_even"])),
        ("log phi is odd", _three_valued(document["log_is_odd"])),
        ("log phi", " + ".join([*series, "..."]).replace("+ -", "- ")),
    ]
    undecided = [("undecided", str(item)) for item in document.get("undecided") or ()]
    return labelled([*lines, *undecided])


def spectrum_table(report: SpectrumReport) -> Table:
    """The bands of a contact spectrum, found beside predicted."""
    found, predicted = dict(report.finding.orders), dict(report.prediction.orders)
    has_prediction = report.prediction.status != "none"
    has_found = bool(found) or not has_prediction
    shown = [(Column("found", "how many singular values of this order exact computation found"), found)] if has_found else []
    if has_prediction:
        shown.append((Column("predicted", f"how many the prediction has: {report.prediction.source}"), predicted))
    rows = tuple((order, *(counts.get(order, 0) for _, counts in shown)) for order in sorted({*found, *predicted}))
    order = Column("order", "a singular value of this order beta shrinks like |t|^beta when all queries and keys shrink like t")
    columns = (order, *(column for column, _ in shown))
    rows_, columns_ = report.finding.shape
    caption = f"Native Jacobian of {rows_} outputs in {columns_} weights (queries, keys, values); {report.source}"
    return Table("Contact spectrum", caption, columns, rows)


def spectrum_text(report: SpectrumReport) -> str:
    """The spectrum as a table, then rank, kernel, verdict, what is proven, and the hypotheses that do not hold."""
    finding, prediction, bank = report.finding, report.prediction, report.bank
    kernel = finding.kernel if finding.kernel is not None else f"undecided: at least {finding.explicit_kernel}"
    rows = f"{finding.rows} random combinations of outputs" if finding.rows < finding.shape[0] else "every output"
    lines = [("rank", str(finding.rank)), ("kernel", f"{kernel} (directions in which no output changes)")]
    if finding.unresolved:
        lines.append(("unresolved", f"{finding.unresolved} more, of order at least {finding.bound} or in the kernel"))
    lines.append(("verdict", report.verdict))
    lines += [("because", reason) for reason in report.reasons]
    lines += [("proven", sentence) for sentence in finding.proves]
    lines += [("caveat", sentence) for sentence in finding.caveats]
    if finding.condition:
        lines.append(("provided", finding.condition))
    lines.append(("numbers", report.exactness))
    separating = {True: "separates", False: "does not separate", None: "not known to separate"}[bank.separating]
    lines.append(("bank", f"{bank.size} inputs ({bank.origin}), {separating}; at least {bank.least} are needed ({bank.least_status})"))
    primes = f", p = {', '.join(map(str, finding.primes))}" if finding.primes else ""
    lines.append(("method", f"{finding.method}{primes}, precision {finding.precision} in u = t^2, {rows}"))
    if prediction.status != "none":
        lines.append(("prediction", f"{prediction.source} ({prediction.status}); {_count(prediction.hypotheses)}"))
    lines += [("not met", f"{h.name} ({h.where}: {h.how})") for h in prediction.hypotheses if not h.holds and prediction.status != "none"]
    return f"{to_text(spectrum_table(report), _WIDTH)}\n\n{labelled(lines)}"


_CLAIMS_SHOWN = 5
"""Up to so many statements are printed with their claims; docs/statements.md has them all."""

_EVIDENCE = (
    "the weakest kind among the pieces of the check: identity (holds for all values of its symbols), instance (exact on named "
    "instances; the scope says what follows generically), enclosure (a proven interval), refutation (an exact counterexample), "
    "sampled (random trials)"
)


def verification_table(document: Mapping[str, Any]) -> Table:
    """The table of ``symattn verify``: one row per statement."""
    rows = tuple((s["id"], s["label"], s["verdict"], s["evidence"], s["scope"], f"{s['seconds']:.1f}") for s in document["statements"])
    columns = (
        Column("statement", "our id; the claims are listed in docs/statements.md"),
        Column("paper", "label in arXiv:2610.09620"),
        Column("verdict", "confirmed, refuted, or undecided"),
        Column("evidence", _EVIDENCE),
        Column("scope", "what was checked"),
        Column("s", "seconds"),
    )
    summary = document["summary"]
    caption = (
        f"{summary['confirmed']} confirmed, {summary['refuted']} refuted, {summary['undecided']} undecided; effort {summary['effort']}"
    )
    if summary["sampled"]:
        caption += f". Of the confirmed, {summary['sampled']} only by sampling: that confirms the cases, not the law"
    return Table("Statements checked by computation", caption, columns, rows)


def verification_text(document: Mapping[str, Any]) -> str:
    """The table, and below it the details of every statement that was not confirmed."""
    parts = [to_text(verification_table(document), 132)]
    if len(document["statements"]) <= _CLAIMS_SHOWN:
        parts.append(labelled([(entry["id"], entry["claim"]) for entry in document["statements"]]))
    for entry in document["statements"]:
        if entry["verdict"] != "confirmed":
            parts.append(labelled([(entry["id"], detail) for detail in (entry["scope"], *entry["details"])]))
    return "\n\n".join(parts)


def plot_text(plot: Plot) -> str:
    """Title and caption of a plot, and its two files, whose names are not broken into lines."""
    files = [f"file     {one_line(str(path))}" for path in (plot.png, plot.svg)]
    return "\n".join([labelled([("plot", plot.title), ("caption", plot.caption)]), *files])


def _factor(coefficient: str) -> str:
    """The coefficient as a factor: in parentheses when it is a sum, which has blanks outside of its own parentheses."""
    depth = 0
    for character in coefficient:
        depth += (character == "(") - (character == ")")
        if character == " " and depth == 0:
            return f"({coefficient})"
    return coefficient


def _degree(degree: int | None, absent: bool | None, reason: str) -> str:
    if degree is not None:
        return str(degree)
    return f"none ({reason})" if absent else "undecided"


def _three_valued(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "undecided"}[value]


def _count(hypotheses: Iterable[Any]) -> str:
    checked = list(hypotheses)
    return f"{sum(bool(h.holds) for h in checked)} of {len(checked)} hypotheses hold"


def labelled(lines: Iterable[tuple[str, str]]) -> str:
    """Label and text in two columns, wrapped; a repeated label is shown once."""
    lines = list(lines)
    size = max(len(label) for label, _ in lines) + 2
    out, before = [], ""
    for label, text in lines:
        shown = "" if label == before else label
        before = label
        out += textwrap.wrap(one_line(text), _WIDTH, initial_indent=shown.ljust(size), subsequent_indent=" " * size) or [shown]
    return "\n".join(out)
