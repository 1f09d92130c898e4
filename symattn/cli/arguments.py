"""Types of command line arguments; each refuses what it cannot use in one line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from fractions import Fraction

from symattn.errors import InputError

__all__ = ["cutoff_argument", "exact_argument", "file_name", "file_prefix", "list_of", "positive", "prime"]


def cutoff_argument(text: str) -> Fraction:
    cutoff = exact_argument(text, "--cutoff")
    if not 0 < cutoff < 1:
        raise InputError("a number between 0 and 1 was expected", where="--cutoff")
    return cutoff


def exact_argument(text: str, where: str) -> Fraction:
    from symattn.network.numbers import exact_number

    try:
        return exact_number(text)
    except InputError as error:
        raise InputError(error.problem, where=where) from None


def list_of(kind: Callable[[str], int], most: int) -> Callable[[str], tuple[int, ...]]:
    def parse(text: str) -> tuple[int, ...]:
        items = text.split(",", most)
        if len(items) > most:
            raise argparse.ArgumentTypeError(f"at most {most} integers were expected")
        return tuple(kind(item) for item in items)

    return parse


def positive(most: int, least: int = 1) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 30 or not least <= int(text) <= most:
            shown = text if len(text) <= 40 else text[:37] + "..."
            raise argparse.ArgumentTypeError(f"an integer from {least} to {most} was expected, not {shown!r}")
        return int(text)

    return parse


def file_name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a file name was expected, not an empty text")
    return text


def file_prefix(text: str) -> str:
    if not os.path.basename(text):
        raise argparse.ArgumentTypeError("the beginning of a file name was expected, after a directory if there is one")
    root, ending = os.path.splitext(text)
    return root if ending in (".png", ".svg") else text


def prime(text: str) -> int:
    from sympy import isprime

    value = positive(2**63 - 1)(text)
    if not isprime(value):
        raise argparse.ArgumentTypeError(f"a prime was expected, not {value}")
    return value
