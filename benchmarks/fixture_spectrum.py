"""The exact spectrum of the published fixture (768 x 96) against the published route in mpmath at 120 digits, one scale t = 1/10.

Ours: the p-adic orders, rank and kernel alone, and with the proof from below over Q. The rival finds 52 approximate singular values at
one scale; it has to run at two scales before an order can be fitted (``--full`` does, and compares the fits with the exact orders).
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

from measure import interleaved, print_table
from mpmath_route import order_fits, singular_values

from symattn.exact.finding import Finding
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.files import read_instance

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
    findings = (find_spectrum(instance, options=ORDERS_ALONE), find_spectrum(instance))
    ours = interleaved([lambda: find_spectrum(instance, options=ORDERS_ALONE), lambda: find_spectrum(instance)], 3)
    rival = singular_values(instance, SCALES[0])
    own_routines = singular_values(instance, SCALES[0], own_routines=True)
    again = interleaved([lambda: find_spectrum(instance, options=ORDERS_ALONE), lambda: find_spectrum(instance)], 3)
    alone, proved = ((before + after) / 2 for before, after in zip(ours, again, strict=True))

    print(f"{instance.output_count} x {instance.parameter_count}, orders found {findings[1].orders}, kernel {findings[1].kernel}\n")
    print_table(
        ("route", "processor s", "rival lists / ours", "rival matrix, qr / ours", "what it gives"),
        [
            ("ours, p-adic", alone, rival.total_seconds / alone, own_routines.total_seconds / alone, _meaning(findings[0])),
            ("ours, with lower bound", proved, rival.total_seconds / proved, own_routines.total_seconds / proved, _meaning(findings[1])),
            ("mpmath, lists and fdot", rival.total_seconds, "", "", f"{len(rival.values)} values at t = {SCALES[0]}"),
            ("mpmath, its matrix and qr", own_routines.total_seconds, "", "", f"{len(own_routines.values)} values at t = {SCALES[0]}"),
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
        print_fits(findings[1], order_fits(rival.values, small.values, SCALES))


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
