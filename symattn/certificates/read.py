"""Files of certificates put through the independent checker, and what came of each (docs/certificates.md)."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from symattn.certificates.check import BYTES, Result, check
from symattn.errors import CertificateError
from symattn.network.documents import read_bytes
from symattn.progress import Report, silent

__all__ = ["CheckedFile", "CheckedFiles", "check_files"]


@dataclass(frozen=True)
class CheckedFile:
    """What the checker said of one file, and the seconds it took."""

    file: str
    result: Result
    seconds: float


@dataclass(frozen=True)
class CheckedFiles:
    """All files that were checked; the verdict is that of the worst: malformed, else invalid, else valid."""

    files: tuple[CheckedFile, ...]

    @property
    def verdict(self) -> str:
        """The verdict of the worst file."""
        verdicts = {each.result.verdict for each in self.files}
        return next(verdict for verdict in ("malformed", "invalid", "valid") if verdict in verdicts)

    @property
    def exit_code(self) -> int:
        """0 for valid, 1 for invalid, 4 for malformed."""
        return {"valid": 0, "invalid": 1, "malformed": CertificateError.exit_code}[self.verdict]

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn check --json`` (spec 07)."""
        return {
            "verdict": self.verdict,
            "claims": [
                {
                    "file": each.file,
                    "verdict": each.result.verdict,
                    "reason": each.result.reason or None,
                    "kind": each.result.kind or None,
                    "digest": each.result.digest or None,
                    "claims": list(each.result.claims),
                    "proven": list(each.result.proven),
                    "assumed": list(each.result.assumed),
                    "seconds": round(each.seconds, 3),
                }
                for each in self.files
            ],
        }


def check_files(
    files: Sequence[str], seconds: float = 600.0, report: Report = silent, digests: Collection[str] | None = None
) -> CheckedFiles:
    """Check files one after the other, each within a time bound; where ``digests`` are given, each must be about one of these instances.

    Raises :class:`InputError` for a file that cannot be read, before any is checked.
    """
    contents = [(name, read_bytes(name, BYTES + 1)) for name in files]
    checked = []
    for number, (name, data) in enumerate(contents, start=1):
        report(f"certificate {number} of {len(files)}")
        start = time.monotonic()
        result = check(data, seconds)
        if result.verdict == "valid" and digests is not None and result.digest not in digests:
            result = Result("invalid", "the certificate is valid, but about another instance", result.kind, digest=result.digest)
        checked.append(CheckedFile(name, result, time.monotonic() - start))
    return CheckedFiles(tuple(checked))
