"""How long-running functions say what they are doing: they are given a function that takes one message."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Report", "silent"]

Report = Callable[[str], None]
"""What is told about progress; results never depend on it."""


def silent(message: str) -> None:
    """Say nothing about progress."""
