"""Checked certificates as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symattn.certificates.read import CheckedFile, CheckedFiles
from symattn.reports.escaping import one_line
from symattn.reports.tables import Column, Table, to_text
from symattn.reports.texts import labelled

__all__ = ["certificate_note", "check_text", "written_text"]


def check_text(checked: CheckedFiles) -> str:
    """For each file the verdict and what was proved, or the first false step; then the verdict of all."""
    parts = [_file_text(each) for each in checked.files]
    if len(checked.files) > 1:
        counts = {verdict: sum(each.result.verdict == verdict for each in checked.files) for verdict in ("valid", "invalid", "malformed")}
        parts.append(labelled([("all", ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))]))
    return "\n\n".join(parts)


def _file_text(each: CheckedFile) -> str:
    result = each.result
    lines = [("file", one_line(each.file)), ("verdict", f"{result.verdict} ({each.seconds:.1f} s)")]
    if result.verdict == "valid":
        lines.append(("kind", result.kind))
        lines.append(("instance", result.digest))
        lines += [("proved", sentence) for sentence in result.claims]
        lines.append(("proven", ", ".join(result.proven)))
        lines.append(("assumed", ", ".join(result.assumed) or "nothing beyond docs/certificates.md"))
    else:
        lines.append(("because", result.reason))
    return labelled(lines)


def certificate_note(note: Mapping[str, Any]) -> str:
    """Where the certificate is and what the checker found proven, or why there is none."""
    if note["file"] is None:
        return labelled([("certificate", f"not written: {note['because']}")])
    assumed = f"; assumed: {', '.join(note['assumed'])}" if note["assumed"] else ""
    checked = f"the independent checker finds proven: {', '.join(note['proven'])}{assumed}"
    return "\n".join([f"certificate  {one_line(note['file'])}", labelled([("checked", checked)])])


def written_text(written: Sequence[Mapping[str, Any]], certified: Sequence[str]) -> str:
    """The certificates that were written for statements, as a table; without any, which statements have some (``certified``)."""
    if not written:
        return f"No certificates: there are some for {', '.join(certified)}."
    rows = tuple(
        (each["statement"], one_line(each["file"]), ", ".join(each["proven"]), ", ".join(each["assumed"]), f"{each['seconds']:.1f}")
        for each in written
    )
    columns = (
        Column("statement", "our id"),
        Column("file", "re-check it with symattn check FILE"),
        Column("proven", "what the independent checker finds proven on the instance in the file (docs/certificates.md)"),
        Column("assumed", "the lemma that it takes as known"),
        Column("s", "seconds to find, check and write it"),
    )
    caption = "Each certificate is about one instance; it does not prove a statement about all of them"
    return to_text(Table("Certificates", caption, columns, rows), 132)
