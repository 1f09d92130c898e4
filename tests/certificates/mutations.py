"""Mutants of a certificate: every number, sign, word, entry, key and order changed, one at a time."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .samples import canonical, signed

Place = tuple[str | int, ...]


def mutants(data: bytes) -> Iterator[tuple[str, bytes]]:
    """What was changed, and the mutant; the digest is left as it was, and where the instance was changed also made to fit."""
    document = json.loads(data)
    for place, value in _nodes(document):
        for what, changed in _changes(value):
            mutant = _with(document, place, changed)
            name = f"{'.'.join(map(str, place)) or 'document'}: {what}"
            yield name, canonical(mutant)
            if place and place[0] == "instance" and isinstance(mutant.get("instance"), dict):
                yield f"{name}, signed", signed(mutant)
    text = data.decode()
    yield "bytes: no newline", data[:-1]
    yield "bytes: a space", text.replace(",", ", ", 1).encode()
    yield "bytes: cut", data[: len(data) // 2]
    yield "bytes: keys not sorted", (json.dumps(dict(reversed(document.items())), separators=(",", ":")) + "\n").encode()
    yield "bytes: two documents", data + data


def _nodes(document: Any) -> Iterator[tuple[Place, Any]]:
    waiting: list[tuple[Place, Any]] = [((), document)]
    while waiting:
        place, value = waiting.pop()
        yield place, value
        if isinstance(value, dict):
            waiting += [((*place, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [((*place, index), inner) for index, inner in enumerate(value)]


def _with(document: Any, place: Place, value: Any) -> Any:
    if not place:
        return value
    result = copy.deepcopy(document)
    inner = result
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return result


def _changes(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, bool):
        yield "negated", not value
        yield "as a number", int(value)
    elif isinstance(value, int):
        yield "plus one", value + 1
        yield "minus one", value - 1
        if value:
            yield "negated", -value
        yield "as a float", float(value)
        yield "as a text", str(value)
    elif isinstance(value, str):
        yield from _text_changes(value)
    elif isinstance(value, list):
        for index in range(len(value)):
            yield f"without entry {index}", value[:index] + value[index + 1 :]
        if value:
            yield "an entry twice", [*value, value[-1]]
            yield "empty", []
        for index in range(len(value) - 1):
            if value[index] != value[index + 1]:
                yield f"entries {index}, {index + 1} exchanged", [*value[:index], value[index + 1], value[index], *value[index + 2 :]]
    elif isinstance(value, dict):
        for key in value:
            yield f"without {key}", {other: inner for other, inner in value.items() if other != key}
        yield "a key more", {**value, "extra": 1}
        yield "as a list", list(value.values())


def _text_changes(text: str) -> Iterator[tuple[str, str]]:
    yield "empty", ""
    yield "a letter more", text + "x"
    try:
        number = Fraction(text)
    except ValueError:
        yield "upper case", text.upper()
        if " " in text:
            # A normalizer: every item left out, and every item changed.
            items = text.split(" ")
            for index, item in enumerate(items):
                yield f"without item {index}", " ".join(items[:index] + items[index + 1 :])
                for other in ("s", "2", "exp", "*", "^2"):
                    if other != item:
                        yield f"item {index} {other}", " ".join([*items[:index], other, *items[index + 1 :]])
        return
    for what, changed in (("plus one", number + 1), ("minus one", number - 1), ("negated", -number), ("doubled", 2 * number)):
        if changed.denominator > 1:
            yield what, str(changed)
    yield "not in lowest terms", f"{2 * number.numerator}/{2 * number.denominator}"
