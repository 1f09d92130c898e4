"""Certificates as files: each is put through the independent checker before it is written (docs/certificates.md)."""

from __future__ import annotations

import os

from symattn.certificates.check import check
from symattn.errors import UndecidedError
from symattn.network.documents import write_document
from symattn.progress import Report, silent

__all__ = ["write_certificate"]


def write_certificate(data: bytes, path: str | os.PathLike[str], report: Report = silent, seconds: float = 600.0) -> None:
    """Write a certificate that the independent checker finds valid, whole or not at all.

    Raises :class:`UndecidedError` with the reason of the checker for one that is not, :class:`InputError` for a file that cannot be
    written.
    """
    report("the independent checker")
    result = check(data, seconds)
    if result.verdict != "valid":
        raise UndecidedError(f"no certificate: the checker does not accept it ({result.verdict}: {result.reason})")
    write_document(data.decode("ascii"), path)
