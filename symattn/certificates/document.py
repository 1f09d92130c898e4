"""The document of a certificate: canonical bytes, the digest, and instances written in full (docs/certificates.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

from symattn.certificates.postfix import postfix
from symattn.network.instance import Instance
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix

__all__ = ["VERSION", "assemble", "digest", "matrix_entries", "pair_document", "path_document", "rational", "tuple_document"]

VERSION = 1


def assemble(
    kind: str,
    instance: Mapping[str, object],
    claim: Mapping[str, object],
    evidence: Mapping[str, object],
    proven: Sequence[str],
    assumed: Sequence[str] = (),
) -> bytes:
    """The canonical bytes of a certificate; ``proven`` and ``assumed`` are sorted here."""
    document = {
        "symattn-certificate": VERSION,
        "kind": kind,
        "instance": instance,
        "digest": digest(instance),
        "claim": claim,
        "evidence": evidence,
        "proven": sorted(proven),
        "assumed": sorted(assumed),
    }
    return _canonical(document) + b"\n"


def digest(instance: Mapping[str, object]) -> str:
    """What binds a certificate to its instance: the SHA-256 of the canonical bytes."""
    return "sha256:" + hashlib.sha256(_canonical(instance)).hexdigest()


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def rational(value: Fraction) -> int | str:
    """A rational number as certificates write it: an integer, or a text in lowest terms.

    >>> rational(Fraction(-6, 4)), rational(Fraction(2))
    ('-3/2', 2)
    """
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def matrix_entries(matrix: RationalMatrix) -> list[list[int | str]]:
    """A matrix as certificates write it, row by row."""
    return [[rational(entry) for entry in row] for row in matrix]


def path_document(instance: Instance, *, with_bank: bool = True) -> dict[str, object]:
    """A path and its bank. Raises :class:`UndecidedError` for a normalizer that certificates cannot express."""
    return {
        "tokens": instance.tokens,
        "width": instance.width,
        "normalizers": [postfix(phi) for phi in instance.normalizers],
        "layers": [{name: matrix_entries(getattr(layer, name)) for name in ("U", "W", "V")} for layer in instance.layers],
        "bank": [matrix_entries(x) for x in instance.bank] if with_bank else [],
    }


def tuple_document(network: Network) -> dict[str, object]:
    """A tuple of effective parameters. Raises :class:`UndecidedError` for a normalizer that certificates cannot express."""
    return {
        "tokens": network.tokens,
        "width": network.width,
        "outputs": network.parameters.output_width,
        "normalizers": [postfix(phi) for phi in network.normalizers],
        "L": matrix_entries(network.parameters.L),
        "M": [matrix_entries(score) for score in network.parameters.M],
    }


def pair_document(first: Network, second: Network) -> dict[str, object]:
    """Two tuples that are compared. Raises :class:`UndecidedError` as :func:`tuple_document` does."""
    return {"first": tuple_document(first), "second": tuple_document(second)}
