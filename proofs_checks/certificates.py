"""Certificates that go with the statements: for some instances of a check, a file that the independent checker re-checks on its own.

A certificate is about one instance. It makes an existential half (orders attained, a difference, a separating bank) or one case of a
statement checkable without this package; it does not prove a statement about all instances.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.drawing import case
from proofs_checks.exceptional_fibers import GENERAL, SKEW, ZERO
from symattn.certificates.intervals import enclosure_certificates
from symattn.certificates.paths import bank_certificate, kernel_certificate, rank_certificate, spectrum_certificate
from symattn.certificates.tuples import difference_certificate, equality_certificate, jet_certificate
from symattn.certificates.write import write_certificate
from symattn.enclosures.singular_values import enclose_singular_values
from symattn.exact.jets import jet_differential
from symattn.network.documents import make_directory
from symattn.network.instance import Instance
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, negative, rational_matrix
from symattn.normalizers import normalizer
from symattn.progress import Report, silent
from symattn.verification import verify_spectrum
from symattn.verification.equality import decide_equality
from symattn.verification.published.data import matrix_fixture

__all__ = ["NamedCertificate", "WrittenCertificate", "certificates_for", "certified_ids", "write_certificates"]


@dataclass(frozen=True)
class NamedCertificate:
    """A certificate with the statement that it belongs to and the name of its file, not yet written."""

    statement: str
    name: str
    make: Callable[[], bytes | Iterable[bytes]]


def certified_ids() -> tuple[str, ...]:
    """The ids of the statements that have certificates."""
    return tuple(_MAKERS)


def certificates_for(ids: Sequence[str] = ()) -> Iterator[NamedCertificate]:
    """The certificates of these statements (of all that have some, if none is named); each is made when it is asked for."""
    for identifier, makers in _MAKERS.items():
        if not ids or identifier in ids:
            for number, make in enumerate(makers, start=1):
                yield NamedCertificate(identifier, f"{identifier}-{number}.json", make)


@dataclass(frozen=True)
class WrittenCertificate:
    """A certificate on disk, what the independent checker found proven, and the seconds to make, check and write it."""

    statement: str
    file: str
    proven: tuple[str, ...]
    assumed: tuple[str, ...]
    seconds: float

    def to_json(self) -> dict[str, object]:
        """The fields under their own names."""
        return {
            "statement": self.statement,
            "file": self.file,
            "proven": list(self.proven),
            "assumed": list(self.assumed),
            "seconds": round(self.seconds, 3),
        }


def write_certificates(directory: str, ids: Sequence[str] = (), report: Report = silent) -> list[WrittenCertificate]:
    """Write the certificates of these statements into a directory, which is made if need be; each is checked before it is written.

    Raises :class:`InputError` for a directory that cannot be used, :class:`UndecidedError` for a certificate that the checker does not
    accept.
    """
    make_directory(directory)
    written = []
    for each in certificates_for(ids):
        report(f"certificate {each.name}")
        start = time.perf_counter()
        path = os.path.join(directory, each.name)
        result = write_certificate(each.make(), path)
        written.append(WrittenCertificate(each.statement, path, result.proven, result.assumed, time.perf_counter() - start))
    return written


def _spectrum(instance: Instance) -> bytes:
    return spectrum_certificate(instance, verify_spectrum(instance).finding)


def _network(tokens: int, normalizers: Sequence[str], readout: RationalMatrix, scores: Sequence[RationalMatrix]) -> Network:
    return Network(tokens, tuple(map(normalizer, normalizers)), EffectiveParameters(readout, tuple(scores)))


_READOUT = rational_matrix([[1, 2]])
_NO_READOUT = rational_matrix([[0, 0]])


def _two_softmax_layers(tokens: int, first: RationalMatrix, second: RationalMatrix, readout: RationalMatrix = _READOUT) -> Network:
    return _network(tokens, ("exp(s)", "exp(s)"), readout, (first, second))


def _difference(first: Network, second: Network) -> bytes:
    found = decide_equality(first, second)
    return difference_certificate(first, second, found.monomial.degree if found.monomial else None, found.input_witness)


def _jet(network: Network, order: int) -> bytes:
    return jet_certificate(network, order, jet_differential(network, order))


def _small_bank(instance: Instance) -> Instance:
    """The drawn inputs divided by 1000: singular values of moderate size at moderate t."""
    return instance.with_bank(tuple(tuple(tuple(x / 1000 for x in row) for row in each) for each in instance.bank))


def _enclosure(instance: Instance, t: Fraction, digits: int) -> Iterable[bytes]:
    return enclosure_certificates(instance, enclose_singular_values(instance, t, digits), digits)


def _kernel(instance: Instance) -> bytes:
    return kernel_certificate(instance)


def _bank(instance: Instance) -> bytes:
    return bank_certificate(instance, verify_spectrum(instance).finding)


def _fixture_rank() -> bytes:
    instance = matrix_fixture()
    return rank_certificate(instance, verify_spectrum(instance).finding)


_MAKERS: dict[str, tuple[Callable[[], bytes | Iterable[bytes]], ...]] = {
    "T1": (
        lambda: _difference(_two_softmax_layers(2, GENERAL, GENERAL), _two_softmax_layers(2, GENERAL, negative(GENERAL))),
        lambda: equality_certificate(
            _network(3, ("cosh(s)",), _READOUT, (GENERAL,)), _network(3, ("cosh(s)",), _READOUT, (negative(GENERAL),))
        ),
    ),
    "T2": (
        lambda: equality_certificate(_two_softmax_layers(2, SKEW, GENERAL), _two_softmax_layers(2, SKEW, ZERO)),
        lambda: equality_certificate(_two_softmax_layers(3, ZERO, GENERAL), _two_softmax_layers(3, ZERO, SKEW)),
        lambda: equality_certificate(
            _two_softmax_layers(3, GENERAL, SKEW, _NO_READOUT), _two_softmax_layers(3, SKEW, GENERAL, _NO_READOUT)
        ),
        lambda: _difference(_two_softmax_layers(3, SKEW, GENERAL), _two_softmax_layers(3, SKEW, ZERO)),
    ),
    "T3": (
        lambda: _jet(_network(2, ("exp(s)",), _READOUT, (GENERAL,)), 3),
        lambda: _jet(_two_softmax_layers(2, GENERAL, GENERAL), 7),
        lambda: _jet(_two_softmax_layers(2, GENERAL, GENERAL), 9),
    ),
    "D.smith": (
        lambda: _spectrum(case(2, 2, (1, 2), "exp(s**2)").instance()),
        lambda: _spectrum(case(3, 2, (2, 1), "1 + s**3", "exp(s)").instance()),
        lambda: _spectrum(case(2, 1, (1, 1, 1), "cosh(s)", "1/(1 - s)", "exp(s**3)").instance()),
        lambda: _spectrum(case(4, 3, (2, 3), "2 + sin(s)", "cosh(s)").instance()),
    ),
    "D.kernel": (lambda: _kernel(case(4, 4, (2, 2, 2), "exp(s)").instance()), lambda: _kernel(case(3, 2, (1, 2), "exp(s)").instance())),
    "D.frame": (lambda: _bank(case(3, 2, (1, 2), "exp(s)").instance()), lambda: _bank(case(4, 4, (2, 2, 2), "exp(s)").instance())),
    "T4": tuple(
        lambda each=each: _spectrum(each.instance())  # type: ignore[misc]
        for each in (case(2, 1, (1, 1, 1, 1), "exp(s)"), case(3, 3, (2, 1, 3), "exp(s)"), case(4, 4, (2, 2, 2), "exp(s)"))
    ),
    "D.sv": (
        lambda: _enclosure(_small_bank(case(2, 1, (1, 1, 1), "exp(s)").instance()), Fraction(1, 10), 8),
        lambda: _enclosure(_small_bank(case(3, 2, (1, 2), "exp(s)").instance()), Fraction(1, 10), 8),
    ),
    "N2": (lambda: _spectrum(matrix_fixture()), _fixture_rank),
}
