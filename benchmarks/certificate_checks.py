"""How long finding, writing and re-checking take: the ratio of the plain Python checker to the search that it re-checks, in one run.

The published fixture (contact orders over Q; singular values at t = 1/10) and deeper stacks. Every certificate
must be found valid: the benchmark doubles as a test.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from measure import print_table, timed

from proofs_checks.drawing import case
from symattn.certificates.check import check
from symattn.certificates.intervals import enclosure_certificates
from symattn.certificates.paths import spectrum_certificate
from symattn.enclosures.singular_values import enclose_singular_values
from symattn.exact.finding import Finding
from symattn.network.instance import Instance
from symattn.verification import verify_spectrum
from symattn.verification.published.data import matrix_fixture

DEEP = (case(4, 4, (2, 2, 2, 2), "exp(s)"), case(2, 1, (1, 1, 1, 1, 1), "exp(s)"), case(2, 1, (1, 1, 1, 1, 1, 1), "exp(s)"))


def main() -> None:
    """Measure and print."""
    rows = [spectrum("fixture, contact orders", matrix_fixture())]
    rows += [spectrum(f"{each}, contact orders", each.instance()) for each in DEEP]
    instance = matrix_fixture()
    values, seconds = timed(lambda: enclose_singular_values(instance, "1/10", 12))
    rows.append(row("fixture, singular values at t = 1/10", seconds, lambda: next(enclosure_certificates(instance, values, 12))))
    print_table(("certificate", "below", "bytes", "found, s", "written, s", "checked, s", "checked / found"), rows)


def spectrum(name: str, instance: Instance) -> tuple[object, ...]:
    """The contact orders of an instance."""
    finding, seconds = timed(lambda: _found(instance))
    return row(name, seconds, lambda: spectrum_certificate(instance, finding))


def _found(instance: Instance) -> Finding:
    return verify_spectrum(instance).finding


def row(name: str, found: float, make: Callable[[], bytes]) -> tuple[object, ...]:
    """Write and check one certificate."""
    data, written = timed(make)
    result, checked = timed(lambda: check(data))
    if result.verdict != "valid":
        raise SystemExit(f"{name}: {result.verdict}: {result.reason}")
    below = json.loads(data)["evidence"].get("lower", {"by": "counted eigenvalues"})["by"]
    return name, below, len(data), found, written, checked, checked / found


if __name__ == "__main__":
    main()
