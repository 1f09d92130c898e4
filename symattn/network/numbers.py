"""Exact numbers from files and to files: every accepted text has one rational value, and nothing is rounded."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction

from symattn.errors import InputError

__all__ = ["DIGIT_LIMIT", "EXPONENT_LIMIT", "NumberText", "exact_number", "is_hexadecimal", "number_for_file", "number_text", "quoted"]

DIGIT_LIMIT = 4_000
"""Most digits of a numerator or a denominator; Python turns integers of up to 4300 digits into text by default."""

EXPONENT_LIMIT = 1_000
"""Largest absolute decimal exponent; a short text like ``1e999999999`` would otherwise stand for a number that fills the memory."""

_EXPECTED = 'an exact number was expected (an integer, "3/7", a decimal, or a C99 hex string)'
_FRACTION = re.compile(r"([+-]?[0-9]+)/([0-9]+)")
_DECIMAL = re.compile(r"([+-]?)([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
_HEXADECIMAL = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?")

# int(str) is quadratic and the interpreter may be set to refuse as few as 641 digits; Decimal converts exactly at any length.
_SHORT = 600

_BOUND = 10**DIGIT_LIMIT

# A sign, a numerator, a slash and a denominator.
_TEXT_LIMIT = 2 * DIGIT_LIMIT + 2

# Enough for the exponent of every binary64 number, padded mantissas included, and too little to fill the memory.
_EXPONENT_CHARACTERS = 6


class NumberText(str):
    """A JSON number, kept as it was written, so that ``0.1`` can mean exactly 1/10."""

    __slots__ = ()


def quoted(value: object, limit: int = 40) -> str:
    """Any value as one short line of ASCII text for a message; control characters are escaped.

    >>> print(quoted("a\\nb"))
    "a\\nb"
    """
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int) and value.bit_length() > 128:
        return "a huge integer"
    text = str(value)
    shortened = text if len(text) <= limit else text[:limit] + "..."
    escaped = json.dumps(shortened)
    return escaped if isinstance(value, str) and not isinstance(value, NumberText) else escaped[1:-1]


def is_hexadecimal(value: object) -> bool:
    """Whether this is a C99 hex string, that is, a stored binary64 value."""
    return isinstance(value, str) and len(value) <= _TEXT_LIMIT and _HEXADECIMAL.fullmatch(value) is not None


def exact_number(value: object) -> Fraction:
    """The rational number that an entry of a file stands for (spec 07, "Numbers in files").

    Accepted: integers, ``Fraction``, ``Decimal``, and texts that are an integer, ``3/7``, a decimal as written, or a C99 hex
    string that is exactly a binary64 number; numerator and denominator have at most ``DIGIT_LIMIT`` digits. Raises
    :class:`InputError` for anything else, floats included: ``0.1`` as a float is not 1/10, so the writer has to say which of
    the two is meant.

    >>> exact_number("0.1"), exact_number("-3/7"), exact_number("0x1.8p-1")
    (Fraction(1, 10), Fraction(-3, 7), Fraction(3, 4))
    """
    if isinstance(value, (bool, float)) or not isinstance(value, (int, str, Fraction, Decimal)):
        hint = '; write 0.1 as "0.1" for 1/10, or as (0.1).hex() for the stored binary64 value' if isinstance(value, float) else ""
        raise InputError(f"{_EXPECTED}, not {'the float ' if isinstance(value, float) else ''}{quoted(value)}{hint}")
    number = Fraction(value) if isinstance(value, (int, Fraction)) else _number(value, str(value))
    for part, name in ((number.numerator, "numerator"), (number.denominator, "denominator")):
        if abs(part) >= _BOUND:
            raise InputError(f"a number of at most {DIGIT_LIMIT} digits was expected, not one with a longer {name}")
    return number


def _number(value: str | Decimal, text: str) -> Fraction:
    if len(text) > _TEXT_LIMIT:
        raise InputError(f"a number of at most {DIGIT_LIMIT} digits was expected, not one of {len(text)} characters")
    if match := _FRACTION.fullmatch(text):
        denominator = _integer(match[2])
        if denominator == 0:
            raise InputError(f"the denominator of {quoted(text)} is zero")
        return Fraction(_integer(match[1]), denominator)
    if match := _DECIMAL.fullmatch(text):
        return _decimal(match[1], match[2], match[3] or "0", text)
    if _HEXADECIMAL.fullmatch(text):
        return _binary64(text)
    raise InputError(f"{_EXPECTED}, not {quoted(value)}")


def number_for_file(value: Fraction, *, hexadecimal: bool = False) -> int | str:
    """The canonical entry that :func:`exact_number` reads back as ``value``: an integer, ``"p/q"``, or a hex string if asked and exact.

    Raises :class:`InputError` for a number with more digits than a file may hold.

    >>> number_for_file(Fraction(3)), number_for_file(Fraction(3, 4)), number_for_file(Fraction(3, 4), hexadecimal=True)
    (3, '3/4', '0x1.8000000000000p-1')
    """
    if hexadecimal and (stored := _as_binary64(value)) is not None:
        return stored.hex()
    longest = max(abs(value.numerator), value.denominator)
    if longest >= _BOUND:
        raise InputError(f"a number of {len(_digits(longest))} digits cannot be written: a file holds at most {DIGIT_LIMIT}")
    # JSON readers that keep integers as binary64 are exact below 2^53 only.
    return value.numerator if value.denominator == 1 and abs(value.numerator) < 2**53 else number_text(value)


def number_text(value: Fraction) -> str:
    """The value as ``p`` or ``p/q``, of any length, whatever limit the interpreter has for ``str``.

    >>> number_text(Fraction(-3, 4)), len(number_text(Fraction(10**5000)))
    ('-3/4', 5001)
    """
    numerator = _digits(value.numerator)
    return numerator if value.denominator == 1 else f"{numerator}/{_digits(value.denominator)}"


def _integer(text: str) -> int:
    return int(text) if len(text) <= _SHORT else int(Decimal(text))


def _digits(value: int) -> str:
    return str(value) if value.bit_length() < 2 * _SHORT else format(Decimal(value), "f")


def _decimal(sign: str, mantissa: str, exponent: str, text: str) -> Fraction:
    magnitude = exponent.lstrip("+-").lstrip("0") or "0"
    if len(magnitude) > len(str(EXPONENT_LIMIT)) or int(magnitude) > EXPONENT_LIMIT:
        raise InputError(f"a decimal exponent between -{EXPONENT_LIMIT} and {EXPONENT_LIMIT} was expected, not {quoted(text)}")
    whole, _, fraction = mantissa.partition(".")
    number = _integer(sign + whole + fraction)
    scale = (-int(magnitude) if exponent.startswith("-") else int(magnitude)) - len(fraction)
    return Fraction(number * 10**scale) if scale >= 0 else Fraction(number, 10**-scale)


def _binary64(text: str) -> Fraction:
    mantissa, _, exponent = text.lower().replace("0x", "", 1).partition("p")
    whole, _, fraction = mantissa.partition(".")
    # The text is read twice, since float.fromhex rounds what binary64 cannot hold.
    if len(exponent) <= _EXPONENT_CHARACTERS:
        written = int(whole + fraction, 16) * Fraction(2) ** (int(exponent or "0") - 4 * len(fraction))
        try:
            if written == Fraction(float.fromhex(text)):
                return written
        except OverflowError:
            pass
    raise InputError(f"a hex string that is exactly a binary64 number was expected, not {quoted(text)}")


def _as_binary64(value: Fraction) -> float | None:
    try:
        stored = float(value)
    except OverflowError:
        return None
    return stored if Fraction(stored) == value else None
