"""The command line in this process, and as a process of its own with bounds on time and memory."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from symattn import cli

ROOT = Path(__file__).parents[2]
SECONDS = 60
MEMORY = 2 * 2**30


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, object]:
        return json.loads(self.out)

    def assert_one_line(self, code: int, *fragments: str) -> None:
        """The command failed with this code and one clean line on stderr that has these fragments, and printed nothing else."""
        assert self.code == code, self
        assert self.out == ""
        assert self.err.startswith("symattn")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        assert self.err[:-1].isprintable(), self.err
        assert "Traceback" not in self.err
        assert len(self.err) < 1500
        for fragment in fragments:
            assert fragment in self.err, (fragment, self.err)


@pytest.fixture(autouse=True)
def _time_limit() -> Iterator[None]:
    """No test of the command line hangs: the alarm ends it."""

    def expired(signum: int, frame: object) -> None:
        raise TimeoutError(f"the command took more than {2 * SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, expired)
    signal.alarm(2 * SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process; with ``SYMATTN_TRACEBACK`` unset, as for a person."""

    def run_command(*arguments: str) -> Ran:
        capsys.readouterr()
        code = cli.main(list(arguments))
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run_command


@pytest.fixture
def process() -> Callable[..., Ran]:
    """Run a command as a process of its own, with at most 60 seconds and 2 GB."""

    def run_process(*arguments: str, **options: object) -> Ran:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("environment", {})}

        def bounds() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        done = subprocess.run(
            [sys.executable, "-m", "symattn.cli", *arguments],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=ROOT,
            env=environment,
            preexec_fn=bounds,
            **options,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run_process
