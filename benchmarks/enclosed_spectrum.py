"""All 52 positive singular values of the published fixture, enclosed, against the published route in mpmath at the same scales.

Ours: proven balls with 15 digits (512 bits). The rival: the same 52 values at 120 digits without error bounds. Scales: the
published six, or with ``--quick`` the smallest one. Every value of the rival must lie where our ball is: the benchmark doubles
as a test.
"""

from __future__ import annotations

import argparse
import resource
import time
from fractions import Fraction

from flint import arb, ctx
from measure import print_table
from mpmath_route import singular_values

from symattn.enclosures.singular_values import SingularValues
from symattn.verification.published.data import matrix_fixture
from symattn.verification.published.matrix_spectrum import SCALES, enclose_scales


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smallest scale only")
    parser.add_argument("--ours", action="store_true", help="our side alone")
    options = parser.parse_args()
    instance = matrix_fixture()
    rows, totals = [], [0.0, 0.0]
    for t in SCALES[-1:] if options.quick else SCALES:
        start = time.process_time()
        (found,) = enclose_scales(instance, (t,))
        ours = time.process_time() - start
        rival = None if options.ours else singular_values(instance, t)
        if rival is not None:
            require_agreement(found, rival.values, t)
            totals[1] += rival.total_seconds
        totals[0] += ours
        rows.append((str(t), found.rank, ours, rival.total_seconds if rival else "", rival.total_seconds / ours if rival else ""))
    rows.append(("all", "", totals[0], totals[1] or "", totals[1] / totals[0] if totals[1] else ""))
    print_table(("t", "values", "ours, processor s", "mpmath, processor s", "mpmath / ours"), rows)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def require_agreement(found: SingularValues, rival: list[object], t: Fraction) -> None:
    """Every value of the rival, to 30 digits, overlaps our ball."""
    with ctx.workprec(500):
        for value, other in zip(found.values, rival, strict=True):
            if not value.ball.overlaps(arb(str(other)) * arb(1, 1e-30)):
                raise SystemExit(f"the two routes disagree at t = {t}: {value.bounds()} and {other}")


if __name__ == "__main__":
    main()
