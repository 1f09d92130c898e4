"""What a command says and where: the result on stdout, progress and complaints on stderr, each in whatever state the two are."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from dataclasses import dataclass

from symattn.errors import SymattnError

__all__ = ["Answer", "Progress", "complain", "written"]

_LONGEST = 1000
"""Most characters of a message: hostile input can be long."""


@dataclass(frozen=True)
class Answer:
    """What a command has to say: a JSON document, the same as text, and the exit code."""

    document: dict[str, object]
    text: str
    code: int = 0


class Progress:
    """One changing line on a terminal's stderr, from two seconds on; nothing anywhere else."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = False

    def __call__(self, message: str) -> None:
        seconds = time.monotonic() - self._start
        if seconds > 2 and sys.stderr is not None and sys.stderr.isatty():
            line = _one_line(f"{seconds:.0f} s  {message}")[: shutil.get_terminal_size().columns - 1]
            _tell(f"\r\033[K{line}")
            self._shown = True

    def close(self) -> None:
        """Clear the line, if there is one."""
        if self._shown:
            _tell("\r\033[K")


def written(text: str, code: int) -> int:
    """Write the text to stdout in whatever encoding it has, and return the exit code, or that of a failure to write."""
    if sys.stdout is None:  # closed by the shell
        return code
    try:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        # Keep the interpreter from trying, and complaining, again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 141
        complain(f"symattn: the result cannot be written: {error.strerror}")
        return SymattnError.exit_code
    return code


def complain(problem: str, advice: str = "") -> None:
    """One line on stderr, without control characters, and not longer than a person reads."""
    line = _one_line(problem)
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]} .. {line[-_LONGEST // 2 :]}"
    _tell(f"{line}{advice}\n")


def _tell(text: str) -> None:
    """Write to stderr; where that is impossible there is nobody to tell, and the exit code has to do."""
    if sys.stderr is None:  # closed by the shell
        return
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _one_line(text: str) -> str:
    from symattn.reports.escaping import one_line

    return " ".join(one_line(text).split())
