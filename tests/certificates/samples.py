"""Small certificates of every kind, written by the package, for the tests of the checkers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from symattn.certificates.intervals import enclosure_certificates
from symattn.certificates.paths import bank_certificate, kernel_certificate, rank_certificate, spectrum_certificate
from symattn.certificates.tuples import difference_certificate, equality_certificate, jet_certificate
from symattn.enclosures.singular_values import enclose_singular_values
from symattn.exact.equality import InputWitness, separating_input
from symattn.exact.jets import jet_differential
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.files import instance_from_dict, network_from_dict
from symattn.network.instance import Instance
from symattn.network.parameters import Network
from symattn.normalizers import normalizer
from symattn.verification import verify_spectrum

SKEW = [[0, 1], [-1, 0]]
GENERAL = [[1, 2], [3, -1]]


def path(normalizers: object, layers: list[tuple[object, object]], bank: list[object], tokens: int = 2) -> Instance:
    """A path with identity values; U and W are lists of rows."""
    width = len(bank[0][0])  # type: ignore[index]
    factors = [{"U": u, "W": w} for u, w in layers]
    return instance_from_dict({"symattn": 1, "tokens": tokens, "width": width, "normalizers": normalizers, "layers": factors, "bank": bank})


def network(normalizers: object, readout: object, scores: object, tokens: int = 2) -> Network:
    """A tuple of effective parameters."""
    width = len(readout[0])  # type: ignore[index]
    return network_from_dict({"symattn": 1, "tokens": tokens, "width": width, "normalizers": normalizers, "L": readout, "M": scores})


SCALAR = path("exp(s)", [([[1]], [["1/2"]]), ([[2]], [[1]])], [[[1], [2]], [["1/3"], [-1]], [[0], [3]]])
DEEP = path("1/(1 - s)", [([[1]], [[1]]), ([[2]], [[1]]), ([[1]], [[-1]])], [[[1], [2]], [[3], [-1]], [[0], [3]], [[1], ["-1/2"]]])
MATRIX = path(
    ["exp(s**2)", "2 + sin(s)"],
    [([[1], [2]], [[3], [-1]]), ([[1], [1]], [[2], [1]])],
    [[[1, 2], [0, -1], [3, 1]], [[2, -3], [1, 1], [0, 4]], [[-1, 1], [5, 0], [2, 2]], [[3, 1], [1, -2], [0, 1]], [[1, 0], [2, 2], [-2, 3]]],
    tokens=3,
)
SKEWED = path(
    "exp(s)",
    [([[1, 0], [0, 1]], [[0, -1], [1, 0]]), ([[1], [1]], [[2], [1]])],
    [[[1, 2], [0, -1], [3, 1]], [[2, -3], [1, 1], [0, 4]], [[-1, 1], [5, 0], [2, 2]], [[3, 1], [1, -2], [0, 1]], [[1, 0], [2, 2], [-2, 3]]],
    tokens=3,
)
ENCLOSED = replace(MATRIX, normalizers=(normalizer("exp(s**2)"), normalizer("2 + s")))
SMALL_BANK = path("exp(s)", [([[1]], [[1]]), ([[2]], [[1]])], [[[1], [2]]])


def _spectrum(instance: Instance) -> bytes:
    return spectrum_certificate(instance, verify_spectrum(instance).finding)


def _upper_only(instance: Instance) -> bytes:
    """Orders attained, with nothing proven from below."""
    return spectrum_certificate(instance, find_spectrum(instance, options=SpectrumOptions(divisibility=0)))


def _by_covariances(instance: Instance) -> bytes:
    """The same orders, bounded from below by the covariances of the layers."""
    document = json.loads(_spectrum(instance))
    contrasts = document["evidence"]["lower"]["contrasts"]
    valuations = [2 * c + k - 1 for c, k in zip(contrasts, instance.degrees, strict=True)]
    return canonical(document | {"evidence": document["evidence"] | {"lower": {"by": "covariances", "valuations": valuations}}})


def canonical(document: object) -> bytes:
    """A document in the bytes that a checker reads."""
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def signed(document: dict[str, Any]) -> bytes:
    """The same with the digest that fits the instance."""
    digest = hashlib.sha256(canonical(document["instance"])[:-1]).hexdigest()
    return canonical(document | {"digest": f"sha256:{digest}"})


def _different(first: Network, second: Network, degree: int | None) -> bytes:
    witness: InputWitness | None = None if degree else separating_input(first, second)
    return difference_certificate(first, second, degree, witness)


def _jet(of: Network, order: int, *, exact: bool) -> bytes:
    return jet_certificate(of, order, jet_differential(of, order) if exact else None)


TWO_LAYERS = network(["exp(s)", "exp(s)"], [[1, 2]], [GENERAL, [[1, 0], [1, 1]]])
OTHER = network(["exp(s)", "exp(s)"], [[1, 2]], [GENERAL, [[1, 0], [1, 2]]])
MIXED = network(["exp(s)", "2 + s**3"], [[1, 2]], [GENERAL, GENERAL], tokens=3)

SAMPLES: dict[str, Callable[[], bytes]] = {
    "kernel": lambda: kernel_certificate(MATRIX),
    "rank": lambda: rank_certificate(MATRIX, verify_spectrum(MATRIX).finding),
    "rank on a small bank": lambda: rank_certificate(SMALL_BANK, find_spectrum(SMALL_BANK, options=SpectrumOptions(max_precision=12))),
    "spectrum, scalar": lambda: _spectrum(SCALAR),
    "spectrum, deep": lambda: _spectrum(DEEP),
    "spectrum, matrix": lambda: _spectrum(MATRIX),
    "spectrum, skew": lambda: _spectrum(SKEWED),
    "spectrum, covariances": lambda: _by_covariances(MATRIX),
    "spectrum from above": lambda: _upper_only(SCALAR),
    "bank": lambda: bank_certificate(SCALAR, verify_spectrum(SCALAR).finding),
    "jet, injective": lambda: _jet(network("exp(s)", [[1, 2]], [GENERAL]), 3, exact=True),
    "jet with kernel": lambda: _jet(TWO_LAYERS, 3, exact=True),
    "jet from below": lambda: _jet(TWO_LAYERS, 3, exact=False),
    "equal, even": lambda: equality_certificate(
        network("exp(s**2)", [[1, 2]], [GENERAL]), network("exp(s**2)", [[1, 2]], [[[-1, -2], [-3, 1]]])
    ),
    "equal, rescaled": lambda: equality_certificate(
        network("exp(2*s)", [[1, 2]], [GENERAL]), network("exp(s)", [[1, 2]], [[[2, 4], [6, -2]]])
    ),
    "equal, erased": lambda: equality_certificate(
        network(["exp(s)", "exp(s)"], [[1, 2]], [SKEW, GENERAL]), network(["exp(s)", "cosh(s)"], [[1, 2]], [SKEW, SKEW])
    ),
    "equal, zero": lambda: equality_certificate(network("exp(s)", [[0, 0]], [GENERAL]), network(["cosh(s)"] * 2, [[0, 0]], [SKEW, SKEW])),
    "different in a part": lambda: _different(network("exp(s)", [[1]], [[[3]]]), network("exp(s)", [[1]], [[[-3]]]), 3),
    "different at an input": lambda: _different(MIXED, network(["exp(s)", "2 + s**3"], [[1, 2]], [GENERAL, SKEW], tokens=3), None),
    "enclosure, scalar": lambda: next(enclosure_certificates(SCALAR, enclose_singular_values(SCALAR, "1/5", 6), 6)),
    "enclosure, matrix": lambda: next(enclosure_certificates(ENCLOSED, enclose_singular_values(ENCLOSED, "1/7", 4), 4)),
}
"""Names and makers of the samples."""


@cache
def sample(name: str) -> bytes:
    """The bytes of a sample, made once."""
    return SAMPLES[name]()
