"""Jet files: the exact Taylor polynomial of a network as JSON, written atomically and read with full validation.

    {"symattn": 1, "kind": "jet", "tokens": 2, "width": 1, "outputs": 1, "normalizers": ["exp(s)"], "order": 3,
     "coefficients": [[[1, 0], ["1/2"]], ..]}

Each coefficient is a pair: the exponents of the n d token entries, token by token, and the p output coordinates of token 1. Monomials that
are absent have the coefficient 0. There is one normalizer per layer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from fractions import Fraction

from symattn.errors import InputError
from symattn.network.documents import FILE_LIMIT, path_text, read_document, write_document

# The reader and the writer of the other files: one set of messages for one set of keys.
from symattn.network.files import SIZE_LIMIT, DocumentReader, DocumentWriter
from symattn.network.jets import Exponents, Jet
from symattn.network.numbers import NumberText, number_for_file, number_text, quoted

__all__ = ["ORDER_LIMIT", "coefficients_to_json", "jet_from_dict", "jet_to_dict", "read_jet", "write_jet"]

ORDER_LIMIT = 100_000
"""Largest order that a jet file may state."""

_KEYS = ("symattn", "kind", "tokens", "width", "outputs", "normalizers", "order", "coefficients")


def read_jet(path: str | os.PathLike[str]) -> Jet:
    """The jet in a JSON file. Raises :class:`InputError`, or the normalizer's own error, in one line that names the file and the key."""
    return jet_from_dict(read_document(path), source=path_text(path))


def write_jet(jet: Jet, path: str | os.PathLike[str]) -> None:
    """Write the jet so that the file is complete or as it was before; a symbolic link is followed, and an existing file keeps its mode.

    Raises :class:`InputError` for a name that a directory, pipe or device has, for a file that cannot be written, and for a jet that is
    larger, or has longer numbers, than the reader accepts.
    """
    text = json.dumps(jet_to_dict(jet)) + "\n"
    if len(text) > FILE_LIMIT:
        problem = f"the jet takes {len(text)} bytes; a file holds at most {FILE_LIMIT}: take a lower order"
        raise InputError(problem, where=path_text(path))
    write_document(text, path)


def jet_to_dict(jet: Jet) -> dict[str, object]:
    """The dictionary of a jet file, canonical and exact, by ascending degree.

    Raises :class:`InputError` for a normalizer that has no expression in the file's grammar, and for a number that is too long for a file.
    """
    texts = DocumentWriter("").normalizers(jet.normalizers)
    return {
        "symattn": 1,
        "kind": "jet",
        "tokens": jet.tokens,
        "width": jet.width,
        "outputs": jet.outputs,
        "normalizers": [texts] * len(jet.normalizers) if isinstance(texts, str) else texts,
        "order": jet.order,
        "coefficients": [[list(exponents), [str(number_for_file(value)) for value in values]] for exponents, values in _ordered(jet)],
    }


def coefficients_to_json(jet: Jet) -> list[list[object]]:
    """The coefficients as in a jet file, for people and programs to read: here the numbers may have any length.

    >>> coefficients_to_json(Jet(2, 1, 1, (), 1, {(0, 1): (Fraction(1, 2),), (1, 0): (Fraction(3),)}))
    [[[1, 0], ['3']], [[0, 1], ['1/2']]]
    """
    return [[list(exponents), [number_text(value) for value in values]] for exponents, values in _ordered(jet)]


def _ordered(jet: Jet) -> list[tuple[Exponents, tuple[Fraction, ...]]]:
    return sorted(jet.coefficients.items(), key=lambda item: (sum(item[0]), [-e for e in item[0]]))


def jet_from_dict(data: object, source: str = "Python") -> Jet:
    """The jet that a dictionary with the keys of a jet file stands for; ``source`` names it in messages.

    >>> data = {"symattn": 1, "kind": "jet", "tokens": 2, "width": 1, "outputs": 1, "normalizers": ["exp(s)"], "order": 1}
    >>> jet_from_dict(data | {"coefficients": [[[1, 0], ["1/2"]], [[0, 1], ["1/2"]]]}).coefficients
    {(1, 0): (Fraction(1, 2),), (0, 1): (Fraction(1, 2),)}
    """
    reader = DocumentReader(source)
    # Which kind of file it is decides what else to expect, so it is looked at first.
    if isinstance(data, Mapping) and data.get("kind", None) != "jet":
        found = f"not {quoted(data['kind'])}" if "kind" in data else "which this file lacks"
        reader.fail(f'a jet file, with "kind": "jet", was expected, {found}', "kind")
    fields = reader.fields(data, "", required=_KEYS, optional=("name", "about"))
    tokens, width = reader.header(fields)
    outputs = reader.integer(fields["outputs"], "outputs")
    if not 1 <= outputs <= SIZE_LIMIT:
        reader.fail(f"an integer from 1 to {SIZE_LIMIT} was expected, not {quoted(fields['outputs'])}", "outputs")
    order = reader.integer(fields["order"], "order")
    if not 1 <= order <= ORDER_LIMIT:
        reader.fail(f"an integer from 1 to {ORDER_LIMIT} was expected, not {quoted(fields['order'])}", "order")
    texts = fields["normalizers"]
    if not isinstance(texts, (list, tuple)) or not texts:
        reader.fail("a list of normalizers, one per layer, was expected", "normalizers")
    normalizers = reader.normalizers(texts, len(texts))
    coefficients: dict[Exponents, tuple[Fraction, ...]] = {}
    listed = reader.items(fields["coefficients"], "coefficients", "pairs of exponents and values")
    for number, item in enumerate(listed, start=1):
        key = f"coefficients[{number}]"
        pair = reader.items(item, key, "two lists, exponents and values,")
        if len(pair) != 2:
            reader.fail(f"two lists, exponents and values, were expected, not {len(pair)} items", key)
        exponents = _exponents(reader, pair[0], f"{key}[1]", tokens * width, order)
        values = reader.items(pair[1], f"{key}[2]", f"{outputs} numbers")
        if len(values) != outputs:
            reader.fail(f"{outputs} numbers were expected, one per output coordinate, not {len(values)}", f"{key}[2]")
        if exponents in coefficients:
            reader.fail("this monomial is given twice", f"{key}[1]")
        coefficients[exponents] = tuple(reader.number(value, f"{key}[2][{j}]") for j, value in enumerate(values, start=1))
    kept = {exponents: values for exponents, values in coefficients.items() if any(values)}
    return Jet(tokens, width, outputs, normalizers, order, kept)


def _exponents(reader: DocumentReader, value: object, key: str, size: int, order: int) -> Exponents:
    listed = reader.items(value, key, f"{size} exponents")
    if len(listed) != size:
        reader.fail(f"{size} exponents were expected, one per token entry, not {len(listed)}", key)
    exponents = []
    for position, entry in enumerate(listed, start=1):
        # Small integers are read at once: a large jet has millions of them.
        is_short = isinstance(entry, NumberText) and len(entry) < 7 and entry.isascii() and entry.isdigit()
        exponent = int(entry) if isinstance(entry, NumberText) and is_short else reader.integer(entry, f"{key}[{position}]")
        if not 0 <= exponent <= order:
            reader.fail(f"an exponent from 0 to the order {order} was expected, not {quoted(entry)}", f"{key}[{position}]")
        exponents.append(exponent)
    if sum(exponents) > order:
        reader.fail(f"a monomial of degree at most the order {order} was expected, not one of degree {sum(exponents)}", key)
    return tuple(exponents)
