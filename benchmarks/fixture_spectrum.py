"""The exact spectrum of the published fixture (768 x 96) against the published route in mpmath at 120 digits, one scale t = 1/10.

Ours: the p-adic orders, rank and kernel alone; with the proof from below over Q; and the whole verification, whose first precision the
prediction suggests. The rival finds 52 approximate singular values at one scale; it has to run at two scales before an order
can be fitted (``--full`` does, and compares the fits with the exact orders).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import median

from measure import interleaved, print_table
from mpmath_route import order_fits, singular_values

from symattn.exact.finding import Finding
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.files import read_instance
from symattn.verification import verify_spectrum

FIXTURE = Path(__file__).parent.parent / "examples" / "matrix_spectrum_fixture.json"
SCALES = (Fraction(1, 10), Fraction(6, 100))
ORDERS_ALONE = SpectrumOptions(divisibility=0)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--quick", action="store_true", help="the first 16 inputs only")
    choice.add_argument(
        "--full", action="store_true", help="also fit orders between t = 0.1 and t = 0.06, and compare them with the exact ones"
    )
    options = parser.parse_args()
    instance = read_instance(FIXTURE)
    if options.quick:
        instance = instance.with_bank(instance.bank[:16], "the first 16 inputs")
    routes: dict[str, Callable[[], Finding]] = {
        "orders alone": lambda: find_spectrum(instance, options=ORDERS_ALONE),
        "with proof over Q": lambda: find_spectrum(instance),
        "verified": lambda: verify_spectrum(instance).finding,
    }
    findings = [run() for run in routes.values()]
    before = interleaved(list(routes.values()), 1)
    rival = singular_values(instance, SCALES[0])
    between = interleaved(list(routes.values()), 1)
    own_routines = singular_values(instance, SCALES[0], own_routines=True)
    after = interleaved(list(routes.values()), 1)
    ours = [median(seconds) for seconds in zip(before, between, after, strict=True)]

    print(f"{instance.output_count} x {instance.parameter_count}, orders found {findings[0].orders}, kernel {findings[0].kernel}\n")
    print_table(
        ("route", "precision", "processor s", "mpmath lists / ours", "mpmath qr / ours", "what it gives"),
        [
            *(
                (
                    f"ours, {name}",
                    finding.precision,
                    seconds,
                    rival.total_seconds / seconds,
                    own_routines.total_seconds / seconds,
                    _meaning(finding),
                )
                for name, seconds, finding in zip(routes, ours, findings, strict=True)
            ),
            ("mpmath, lists and fdot", "120 digits", rival.total_seconds, "", "", f"{len(rival.values)} values at t = {SCALES[0]}"),
            (
                "mpmath, its matrix and qr",
                "120 digits",
                own_routines.total_seconds,
                "",
                "",
                f"{len(own_routines.values)} values at t = {SCALES[0]}",
            ),
        ],
    )
    print()
    stages = list(rival.seconds)
    print_table(
        ("rival's stages, s", *stages),
        [
            ("lists and fdot", *(rival.seconds[stage] for stage in stages)),
            ("its matrix and qr", *(own_routines.seconds[stage] for stage in stages)),
        ],
    )
    if options.full:
        small = singular_values(instance, SCALES[1])
        print()
        print_fits(findings[0], order_fits(rival.values, small.values, SCALES))


def print_fits(finding: Finding, fits: list[float]) -> None:
    """The rival's fitted orders beside the exact ones."""
    rows, start = [], 0
    for order, multiplicity in finding.orders:
        own = fits[start : start + multiplicity]
        rows.append((order, multiplicity, f"{own[0]:.4f}", f"{own[-1]:.4f}", f"{max(abs(fit - order) for fit in own):.4f}"))
        start += multiplicity
    print_table(("exact order", "multiplicity", "least fit", "largest fit", "largest distance"), rows)


def _meaning(finding: Finding) -> str:
    return "orders, rank and kernel, exact" if finding.is_exact else "orders as upper bounds, rank and kernel exact"


if __name__ == "__main__":
    main()
