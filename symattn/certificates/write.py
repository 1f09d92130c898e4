"""Certificates as files: each is put through the independent checker before it is written (docs/certificates.md)."""

from __future__ import annotations

import os
from collections.abc import Iterable

from symattn.certificates.check import Result, check
from symattn.errors import UndecidedError
from symattn.network.documents import write_document
from symattn.progress import Report, silent

__all__ = ["write_certificate"]


def write_certificate(
    candidates: bytes | Iterable[bytes], path: str | os.PathLike[str], report: Report = silent, seconds: float = 600.0
) -> Result:
    """Write a certificate that the independent checker finds valid, whole or not at all, and return what it found.

    Of several candidates the first valid one is written. Raises :class:`UndecidedError` with the reason of the checker where none is,
    :class:`InputError` for a file that cannot be written.
    """
    reason = "none was made"
    for data in [candidates] if isinstance(candidates, bytes) else candidates:
        report("the independent checker")
        result = check(data, seconds)
        if result.verdict == "valid":
            write_document(data.decode("ascii"), path)
            return result
        reason = f"{result.verdict}: {result.reason}"
    raise UndecidedError(f"no certificate: the checker does not accept it ({reason})")
