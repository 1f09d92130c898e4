"""The command line: run one command, print its result, return its exit code.

Results go to stdout, progress to stderr (only on a terminal, only after two seconds), errors to stderr in one line.
Exit codes are those of :mod:`symattn.errors`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from symattn.cli.parser import build_parser
from symattn.cli.terminal import Answer, Progress, complain, written
from symattn.errors import SymattnError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; 130 after an interrupt, 141 where the reader of the output is gone.

    A fault of symattn itself is one line too, with exit code 3; with ``SYMATTN_TRACEBACK=1`` in the environment it is raised.

    >>> main(["normalizer", "exp(s**2)", "--json"])  # doctest: +ELLIPSIS
    {..."k": 2, ...}
    0
    """
    progress = Progress()
    # Exact results can have more digits than Python turns into text by default; the limits of the input bound the work.
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return _run(arguments, progress)
    except SymattnError as error:
        progress.close()
        complain(f"symattn: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        progress.close()
        complain("symattn: interrupted")
        return 130
    except Exception as fault:
        progress.close()
        if os.environ.get("SYMATTN_TRACEBACK") == "1":
            raise
        complain(f"symattn: fault in symattn itself: {type(fault).__name__}: {fault}", " (SYMATTN_TRACEBACK=1 shows where)")
        return SymattnError.exit_code
    finally:
        sys.set_int_max_str_digits(digits)


def _run(arguments: Sequence[str] | None, progress: Progress) -> int:
    try:
        options = build_parser().parse_args(_expression_last(list(sys.argv[1:] if arguments is None else arguments)))
    except SystemExit as stop:  # after --help, --version, or a complaint
        return written("", int(stop.code or 0))
    answer: Answer = options.command(options, progress)
    progress.close()
    return written((json.dumps(answer.document) if options.json else answer.text) + "\n", answer.code)


def _expression_last(arguments: list[str]) -> list[str]:
    """The arguments, with an expression such as ``-exp(s)`` after ``--``, where it is not taken for an option."""
    if arguments[:1] != ["normalizer"] or "--" in arguments:
        return arguments
    negative = [text for text in arguments if text.startswith("-") and not text.startswith("--") and text != "-h"]
    return [*(text for text in arguments if text not in negative), "--", *negative] if negative else arguments
