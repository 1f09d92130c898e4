"""Terminals, pipes, interrupts and faults: progress, closed readers, Ctrl-C, and one line instead of a traceback."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symattn import cli
from symattn.cli import commands, terminal

from .conftest import ROOT, SECONDS

TABLE = ("table", "--depth", "3", "--verify")
LONG = ("table", "--depth", "1000", "--k", "1", "--verify", "--budget", "10000")


def passing_time(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """A clock that goes forward by ``step`` seconds whenever it is read."""
    ticks = itertools.count()
    monkeypatch.setattr(terminal.time, "monotonic", lambda: next(ticks) * step)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What a terminal on stderr receives while the command runs."""
    reader, writer = pty.openpty()
    with os.fdopen(writer, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        cli.main(list(arguments))
    received = b""
    with contextlib.suppress(OSError):  # the end of a terminal that was closed
        while chunk := os.read(reader, 1 << 16):
            received += chunk
    os.close(reader)
    return received.decode()


def test_progress_is_one_line_on_a_terminal_and_is_cleared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    passing_time(monkeypatch, 1)
    monkeypatch.setattr("symattn.verification.contact_table._GROWTH", 0)
    received = on_a_terminal(monkeypatch, *TABLE, "--budget", "90000")
    assert "k = 1, depth 2: p-adic point" in received
    assert received.endswith("\r\x1b[K")
    assert "\n" not in received
    assert "p-adic" not in capsys.readouterr().out


def test_no_progress_in_the_first_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    passing_time(monkeypatch, 1e-6)
    assert on_a_terminal(monkeypatch, *TABLE) == ""


def test_no_progress_where_stderr_is_not_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    passing_time(monkeypatch, 1)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    cli.main([*TABLE, "--budget", "90000"])
    assert stream.getvalue() == ""


def start(*arguments: str, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "symattn.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **options,
    )


def test_a_reader_that_goes_away_is_not_a_traceback() -> None:
    with start("table", "--depth", "2") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(SECONDS) == 141
        assert process.stderr.read() == ""


@pytest.mark.parametrize("arguments", [("--help",), ("table", "--depth", "2")])
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "symattn.cli", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
            cwd=ROOT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (3, "symattn: the result cannot be written: No space left on device\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("normalizer", "exp("), 2),
        (("table", "--depth", "0"), 2),
        (("jet", "missing.json", "--order", "3"), 2),
        (("table", "--depth", "1"), 0),
    ],
)
def test_the_exit_code_survives_where_no_error_can_be_told(arguments: tuple[str, ...], code: int) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "symattn.cli", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=full,
            timeout=SECONDS,
            cwd=ROOT,
            check=False,
        )
    assert done.returncode == code


def test_progress_that_cannot_be_told_does_not_stop_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Gone(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    def telling(options, progress):
        progress("working")
        return terminal.Answer({}, "done")

    passing_time(monkeypatch, 3)
    monkeypatch.setattr(commands, "normalizer_command", telling)
    with Gone((tmp_path / "terminal").open("wb")) as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        assert cli.main(["normalizer", "exp(s)"]) == 0


@pytest.mark.parametrize("arguments", [("normalizer", "exp(s)"), ("normalizer", "exp("), ("--help",)])
def test_the_limit_of_digits_is_as_it_was_before(arguments: tuple[str, ...]) -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(5000)
        cli.main(arguments)
        assert sys.get_int_max_str_digits() == 5000
    finally:
        sys.set_int_max_str_digits(before)


def test_closed_streams() -> None:
    for redirection, code in (("<&- >&-", 0), ("2>&-", 0), ("--depth 0 2>&-", 2)):
        command = f"exec {sys.executable} -m symattn.cli table --depth 2 {redirection}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, check=False)
        assert (done.returncode, done.stderr) == (code, "")


def test_an_encoding_that_cannot_hold_the_text(process, tmp_path: Path) -> None:
    file = tmp_path / "größe.json"
    file.write_bytes((ROOT / "examples" / "mixed_degrees.json").read_bytes())
    ran = process("spectrum", str(file), environment={"PYTHONIOENCODING": "ascii"})
    assert ran.code == 0
    assert "gr\\xf6\\xdfe.json" in ran.out


def test_an_interrupt_is_130_and_one_line() -> None:
    # A test run may be started with interrupts ignored, which a process inherits.
    process = start(*LONG, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    maps = Path(f"/proc/{process.pid}/maps")
    deadline = time.monotonic() + SECONDS
    while "flint" not in maps.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    # Python itself ends with the signal where it was interrupted within code that a module had compiled; a shell calls both 130.
    assert process.returncode in (130, -signal.SIGINT)
    assert (out, err) == ("", "symattn: interrupted\n")


@pytest.mark.parametrize(
    ("fault", "shown"),
    [
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (RecursionError("maximum recursion depth exceeded"), "RecursionError"),
        (MemoryError(), "MemoryError"),
        (AssertionError("two\nlines \x1b[31mred"), "AssertionError: two lines red"),
    ],
)
def test_a_fault_is_one_line_and_3(run, monkeypatch: pytest.MonkeyPatch, fault: Exception, shown: str) -> None:
    def broken(options, progress):
        raise fault

    monkeypatch.delenv("SYMATTN_TRACEBACK", raising=False)
    monkeypatch.setattr(commands, "normalizer_command", broken)
    run("normalizer", "exp(s)").assert_one_line(3, f"fault in symattn itself: {shown}", "SYMATTN_TRACEBACK=1")
    monkeypatch.setenv("SYMATTN_TRACEBACK", "1")
    with pytest.raises(type(fault)):
        cli.main(["normalizer", "exp(s)"])


def test_a_failing_command_clears_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(options, progress):
        progress("working")
        raise KeyboardInterrupt

    passing_time(monkeypatch, 3)
    monkeypatch.setattr(commands, "normalizer_command", interrupted)
    received = on_a_terminal(monkeypatch, "normalizer", "exp(s)")
    assert received.split("\r\x1b[K")[1:] == ["3 s working", "symattn: interrupted\r\n"]


def test_progress_holds_no_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(options, progress):
        progress("\x1b[31mred\nnext")
        return terminal.Answer({}, "done")

    passing_time(monkeypatch, 3)
    monkeypatch.setattr(commands, "normalizer_command", telling)
    assert "3 s red next" in on_a_terminal(monkeypatch, "normalizer", "exp(s)")
