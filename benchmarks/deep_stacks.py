"""Exact contact spectra of deep stacks on one core: seconds, peak memory, and the ratio to the bare FLINT products behind them.

Matrix stacks: n = d = 4, r = 2, softmax, least banks of 22 inputs (D = 4), 28 (D = 5) and, with ``--deep``, 34 (D = 6).
Scalar stacks: n = 2, d = 1, softmax, D = 4 .. 7. Every case runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from bare_products import recorded_products
from measure import print_table, timed
from plain_twin import plain_orders

from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.banks import draw_instance
from symattn.network.instance import Instance
from symattn.normalizers import normalizer
from symattn.verification import verify_spectrum

SEED = 20261201


@dataclass(frozen=True)
class Case:
    """A stack: depth, tokens, width, rank, bank size, and whether the plain twin is run too."""

    depth: int
    tokens: int
    width: int
    rank: int
    bank: int
    with_twin: bool

    @property
    def title(self) -> str:
        """The case in a table."""
        return f"n={self.tokens} d={self.width} r={self.rank} D={self.depth}, {self.bank} inputs"

    def instance(self) -> Instance:
        """Drawn integer factors and inputs."""
        softmax = normalizer("exp(s)")
        return draw_instance(self.tokens, self.width, (self.rank,) * self.depth, (softmax,) * self.depth, self.bank, SEED)


def scalar(depth: int) -> Case:
    """Two tokens of width 1; one input for each of the D + 1 positive orders."""
    return Case(depth, 2, 1, 1, depth + 1, with_twin=depth <= 5)


QUICK = [Case(3, 4, 4, 2, 16, with_twin=True), scalar(4), scalar(5)]
USUAL = [Case(4, 4, 4, 2, 22, with_twin=True), Case(5, 4, 4, 2, 28, with_twin=True), *map(scalar, (4, 5, 6, 7))]
DEEP = [*USUAL, Case(6, 4, 4, 2, 34, with_twin=False)]


def measure(case: Case) -> dict[str, Any]:
    """Everything about one case, in this process."""
    instance = case.instance()
    before = _peak_megabytes()
    report, seconds = timed(lambda: verify_spectrum(instance))
    peak = _peak_megabytes()
    finding = report.finding
    # The orders alone, at the precision just used: the part of the work that is p-adic.
    options = SpectrumOptions(precision=finding.precision, max_precision=finding.precision, divisibility=0)
    again, padic_seconds = timed(lambda: find_spectrum(instance, options=options))
    with recorded_products() as products:
        find_spectrum(instance, options=options)
    matrices, entries = products.replay()
    twin_seconds = None
    if case.with_twin:
        twin, twin_seconds = timed(lambda: plain_orders(instance, 2 * finding.precision, options.seed))
        if twin.orders != again.orders:
            raise SystemExit(f"{case.title}: the plain twin found {twin.orders}, the package {again.orders}")
    return {
        "case": case.title,
        "verdict": report.verdict,
        "orders": [list(pair) for pair in finding.orders],
        "kernel": finding.kernel,
        "precision": finding.precision,
        "lower": finding.lower.how if finding.lower else "none",
        "seconds": seconds,
        "padic_seconds": padic_seconds,
        "matrix_products": matrices,
        "entry_products": entries,
        "twin_seconds": twin_seconds,
        "peak": peak,
        "before": before,
    }


def _peak_megabytes() -> float:
    """The largest resident size so far; Linux counts in KiB, macOS in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    """Run the cases one after another and print what they measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--quick", action="store_true", help="small cases only")
    choice.add_argument("--deep", action="store_true", help="also D = 6 with 34 inputs")
    choice.add_argument("--case", type=int, help=argparse.SUPPRESS)  # an index into DEEP + QUICK, for the processes started here
    options = parser.parse_args()
    every = [*DEEP, *QUICK]
    if options.case is not None:
        print(json.dumps(measure(every[options.case])))
        return
    results = [_in_own_process(every.index(case)) for case in (QUICK if options.quick else DEEP if options.deep else USUAL)]
    print_table(
        ("case", "verdict", "largest order", "kernel", "precision", "verified, s", "p-adic, s", "peak MB", "of it imports"),
        [
            (
                result["case"],
                result["verdict"],
                " x ".join(map(str, result["orders"][-1])),
                result["kernel"],
                result["precision"],
                result["seconds"],
                result["padic_seconds"],
                result["peak"],
                result["before"],
            )
            for result in results
        ],
    )
    print()
    print_table(
        ("case", "matrix products, s", "entry products, s", "p-adic / all products", "p-adic / matrix products", "plain twin / p-adic"),
        [
            (
                result["case"],
                result["matrix_products"],
                result["entry_products"],
                result["padic_seconds"] / (result["matrix_products"] + result["entry_products"]),
                result["padic_seconds"] / result["matrix_products"],
                result["twin_seconds"] / result["padic_seconds"] if result["twin_seconds"] else "not run",
            )
            for result in results
        ],
    )
    print()
    for result in results:
        print(f"{result['case']}: lower bound by {result['lower']}")


def _in_own_process(number: int) -> dict[str, Any]:
    finished = subprocess.run([sys.executable, __file__, "--case", str(number)], capture_output=True, text=True, check=False)
    if finished.returncode:
        raise SystemExit(finished.stderr)
    result: dict[str, Any] = json.loads(finished.stdout)
    return result


if __name__ == "__main__":
    main()
