"""Start-up times in fresh processes: the bare interpreter, ``import symattn``, and ``symattn --help``.

The three take turns; the medians of wall-clock and of processor seconds are printed, and what is left after the bare interpreter's.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from statistics import median

from measure import print_table

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import symattn": ["-c", "import symattn"],
    "symattn --help": ["-m", "symattn.cli", "--help"],
}


def start(arguments: list[str]) -> tuple[float, float]:
    """Wall-clock and processor seconds of one fresh process."""
    before, processor = time.perf_counter(), _children()
    finished = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - before
    if finished.returncode:
        raise SystemExit(f"python {' '.join(arguments)} failed: {finished.stderr.strip().splitlines()[-1]}")
    return seconds, _children() - processor


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="5 starts of each instead of 21")
    repetitions = 5 if parser.parse_args().quick else 21
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for arguments in COMMANDS.values():  # once without measuring: byte code is compiled and files are read into memory
        start(arguments)
    for _ in range(repetitions):
        for name, arguments in COMMANDS.items():
            samples[name].append(start(arguments))
    medians = {name: tuple(median(column) for column in zip(*own, strict=True)) for name, own in samples.items()}
    bare = medians["python -c pass"]
    print_table(
        ("process", "wall s", "processor s", "wall s beyond bare", "wall, ratio to bare"),
        [(name, *own, own[0] - bare[0], own[0] / bare[0]) for name, own in medians.items()],
    )


if __name__ == "__main__":
    main()
