"""Instance files and tuple files (spec 07): read, validated and written exactly.

Messages name the file and the key, with everything numbered from 1: ``my.json: layers[2].U[3][1]`` is row 3, column 1 of ``U``
in the second layer. The keys ``name`` and ``about`` may hold text for people; it is not kept.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NoReturn

from symattn.errors import InputError, SymattnError
from symattn.network.documents import DocumentObject, path_text, read_document
from symattn.network.instance import Instance, PathLayer
from symattn.network.numbers import NumberText, exact_number, is_hexadecimal, number_for_file, quoted
from symattn.network.parameters import EffectiveParameters, NativeParameters, Network, reduce_native
from symattn.network.rational import RationalMatrix, identity
from symattn.normalizers import Normalizer, normalizer

__all__ = [
    "EXACT_FOR_BINARY64",
    "EXACT_FOR_RATIONALS",
    "SIZE_LIMIT",
    "DocumentReader",
    "DocumentWriter",
    "instance_from_dict",
    "instance_to_dict",
    "network_from_dict",
    "network_to_dict",
    "read_instance",
    "read_tuple",
]

EXACT_FOR_RATIONALS = "exact for the rational numbers given"
EXACT_FOR_BINARY64 = "exact for the stored binary64 values"

SIZE_LIMIT = 1024
"""Largest number of tokens and largest width: a few characters in a file must not stand for matrices that fill the memory."""

_NOTES = ("name", "about")


def read_instance(path: str | os.PathLike[str]) -> Instance:
    """The instance in a JSON file (spec 07, "Instance file"). Without the key ``bank`` the instance has an empty bank, still to be drawn.

    Raises :class:`InputError`, or the normalizer's own error, in one line that names the file and the key.
    """
    return instance_from_dict(read_document(path), source=path_text(path))


def read_tuple(path: str | os.PathLike[str]) -> Network:
    """The network in a JSON tuple file (spec 07, "Tuple file"): ``L`` and ``M``, or native ``Q``, ``K``, ``V``, which are reduced and kept.

    Raises :class:`InputError`, or the normalizer's own error, in one line that names the file and the key.
    """
    return network_from_dict(read_document(path), source=path_text(path))


def instance_from_dict(data: object, source: str = "Python") -> Instance:
    """The instance that a dictionary with the keys of an instance file stands for; ``source`` names it in messages.

    >>> scalar = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": [{"U": [["1/2"]], "W": [[1]]}]}
    >>> instance_from_dict(scalar).layers[0].score
    ((Fraction(1, 2),),)
    """
    reader = DocumentReader(source)
    if isinstance(data, Mapping) and "layers" not in data and not {"L", "M", "Q", "K", "V"}.isdisjoint(data):
        reader.fail("this is a tuple file; an instance file, with layers, was expected", "")
    fields = reader.fields(data, "", required=("symattn", "tokens", "width", "normalizers", "layers"), optional=("bank", *_NOTES))
    tokens, width = reader.header(fields)
    unit: RationalMatrix | None = None
    layers = []
    for number, item in enumerate(reader.items(fields["layers"], "layers", "layers"), start=1):
        key = f"layers[{number}]"
        layer = reader.fields(item, key, required=("U", "W"), optional=("V",))
        U = reader.matrix(layer["U"], f"{key}.U", rows=width)
        W = reader.matrix(layer["W"], f"{key}.W", rows=width)
        if "V" in layer:
            V = reader.matrix(layer["V"], f"{key}.V", rows=width)
        else:
            V = unit = unit or identity(width)
        layers.append(PathLayer(U, W, V))
    if not layers:
        reader.fail("at least one layer was expected", "layers")
    normalizers = reader.normalizers(fields["normalizers"], len(layers))
    bank: tuple[RationalMatrix, ...] = ()
    if "bank" in fields:
        inputs = reader.items(fields["bank"], "bank", "inputs")
        if not inputs:
            reader.fail("at least one input was expected; without the key a generic bank is drawn", "bank")
        bank = tuple(reader.matrix(x, f"bank[{j}]", rows=tokens, columns=width) for j, x in enumerate(inputs, start=1))
    return Instance(tokens, width, normalizers, tuple(layers), bank, source=source, exactness=reader.exactness)


def instance_to_dict(instance: Instance) -> dict[str, object]:
    """The dictionary of an instance file, canonical and exact: :func:`instance_from_dict` gives the same instance back.

    Values that were read as binary64 are written as C99 hex strings, all others as integers and ``"p/q"``; identity values are
    left out. Raises :class:`InputError` for a normalizer that has no expression in the file's grammar.
    """
    write = DocumentWriter(instance.exactness)
    layers = []
    for layer in instance.layers:
        item = {"U": write.matrix(layer.U), "W": write.matrix(layer.W)}
        layers.append(item if layer.V == identity(instance.width) else item | {"V": write.matrix(layer.V)})
    result: dict[str, object] = {
        "symattn": 1,
        "tokens": instance.tokens,
        "width": instance.width,
        "normalizers": write.normalizers(instance.normalizers),
        "layers": layers,
    }
    return result | {"bank": [write.matrix(x) for x in instance.bank]} if instance.bank else result


def network_from_dict(data: object, source: str = "Python") -> Network:
    """The network that a dictionary with the keys of a tuple file stands for; ``source`` names it in messages.

    >>> scalar = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "Q": [[[2]]], "K": [[[3]]], "V": [[["1/2"]]]}
    >>> network_from_dict(scalar).parameters
    EffectiveParameters(L=((Fraction(1, 2),),), M=(((Fraction(6, 1),),),))
    """
    reader = DocumentReader(source)
    if isinstance(data, Mapping) and "layers" in data:
        reader.fail("this is an instance file; a tuple file, with L and M or Q, K and V, was expected", "")
    is_native = isinstance(data, Mapping) and not {"Q", "K", "V"}.isdisjoint(data)
    matrices = ("Q", "K", "V") if is_native else ("L", "M")
    fields = reader.fields(data, "", required=("symattn", "tokens", "width", "normalizers", *matrices), optional=_NOTES)
    tokens, width = reader.header(fields)
    native: NativeParameters | None = None
    try:
        if is_native:
            native = NativeParameters(*(reader.matrices(fields[name], name) for name in matrices))
            parameters = reduce_native(native)
        else:
            parameters = EffectiveParameters(L=reader.matrix(fields["L"], "L"), M=reader.matrices(fields["M"], "M"))
    except InputError as error:
        # The reader has named the file already; the parameters know only the key.
        raise error if error.where.startswith(source) else InputError(error.problem, where=f"{source}: {error.where}") from None
    if parameters.width != width:
        key, side = ("Q[1]", "rows") if is_native else ("L", "columns")
        reader.fail(f"{width} {side} were expected, as the width says, not {parameters.width}", key)
    normalizers = reader.normalizers(fields["normalizers"], parameters.depth)
    return Network(tokens, normalizers, parameters, native, source=source, exactness=reader.exactness)


def network_to_dict(network: Network) -> dict[str, object]:
    """The dictionary of a tuple file, canonical and exact, native where native weights are known.

    Raises :class:`InputError` for a normalizer that has no expression in the file's grammar.
    """
    write = DocumentWriter(network.exactness)
    result: dict[str, object] = {
        "symattn": 1,
        "tokens": network.tokens,
        "width": network.width,
        "normalizers": write.normalizers(network.normalizers),
    }
    if network.native is None:
        return result | {"L": write.matrix(network.parameters.L), "M": [write.matrix(M) for M in network.parameters.M]}
    native = network.native
    return result | {name: [write.matrix(m) for m in ms] for name, ms in (("Q", native.Q), ("K", native.K), ("V", native.V))}


class DocumentReader:
    """Validates one document; remembers whether any number was a stored binary64 value."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.exactness = EXACT_FOR_RATIONALS

    def fail(self, problem: str, key: str) -> NoReturn:
        raise InputError(problem, where=f"{self.source}: {key}" if key else self.source)

    def fields(self, value: object, key: str, *, required: Sequence[str], optional: Sequence[str]) -> Mapping[str, object]:
        """The object at ``key``, with the required keys, perhaps the optional ones, and no others."""
        known = (*required, *optional)
        if not isinstance(value, Mapping):
            self.fail(f"an object with the keys {', '.join(required)} was expected, not {quoted(value)}", key)
        if isinstance(value, DocumentObject) and value.repeated is not None:
            self.fail(f"the key {quoted(value.repeated)} is given twice", key)
        for name in value:
            if name not in known:
                self.fail(f"unknown key {quoted(name)}; known here: {', '.join(known)}", key)
        for name in required:
            if name not in value:
                self.fail(f'missing key "{name}"', key)
        for name in _NOTES:
            if name in value and (not isinstance(value[name], str) or isinstance(value[name], NumberText)):
                self.fail(f"text was expected, not {quoted(value[name])}", name)
        return value

    def header(self, fields: Mapping[str, object]) -> tuple[int, int]:
        """The numbers of tokens and the width, after the version of the format."""
        version = self.integer(fields["symattn"], "symattn")
        if version != 1:
            self.fail(f"version 1 of the file format was expected, not {quoted(fields['symattn'])}", "symattn")
        sizes = []
        for key, least in (("tokens", 2), ("width", 1)):
            size = self.integer(fields[key], key)
            if not least <= size <= SIZE_LIMIT:
                self.fail(f"an integer from {least} to {SIZE_LIMIT} was expected, not {quoted(fields[key])}", key)
            sizes.append(size)
        return sizes[0], sizes[1]

    def integer(self, value: object, key: str) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        number = self.number(value, key) if isinstance(value, NumberText) else None
        if number is None or number.denominator != 1:
            self.fail(f"an integer was expected, not {quoted(value)}", key)
        return number.numerator

    def number(self, value: object, key: str) -> Fraction:
        try:
            number = exact_number(value)
        except InputError as error:
            self.fail(error.problem, key)
        if is_hexadecimal(value):
            self.exactness = EXACT_FOR_BINARY64
        return number

    def items(self, value: object, key: str, content: str) -> Sequence[object]:
        if not isinstance(value, (list, tuple)):
            self.fail(f"a list of {content} was expected, not {quoted(value)}", key)
        return value

    def matrix(self, value: object, key: str, rows: int | None = None, columns: int | None = None) -> RationalMatrix:
        """The matrix at ``key``; its columns are counted in the first row unless given."""
        listed = self.items(value, key, "rows" if rows is None else f"{rows} rows")
        if rows is not None and len(listed) != rows:
            self.fail(f"{rows} rows were expected, not {len(listed)}", key)
        expected = columns
        matrix = []
        for i, row in enumerate(listed, start=1):
            entries = self.items(row, f"{key}[{i}]", "numbers")
            if expected is None:
                expected = len(entries)
            if len(entries) != expected:
                like = " as in row 1," if columns is None else ""
                self.fail(f"{expected} numbers were expected,{like} not {len(entries)}", f"{key}[{i}]")
            matrix.append(tuple(self.number(entry, f"{key}[{i}][{j}]") for j, entry in enumerate(entries, start=1)))
        return tuple(matrix)

    def matrices(self, value: object, key: str) -> tuple[RationalMatrix, ...]:
        listed = self.items(value, key, "matrices, one per layer,")
        return tuple(self.matrix(item, f"{key}[{i}]") for i, item in enumerate(listed, start=1))

    def normalizers(self, value: object, depth: int) -> tuple[Normalizer, ...]:
        """One normalizer per layer, from one text or from a list of texts."""
        if not isinstance(value, (list, tuple)):
            return (self.normalizer(value, "normalizers"),) * depth
        if len(value) != depth:
            self.fail(f"{depth} normalizers were expected, one per layer, not {len(value)}", "normalizers")
        return tuple(self.normalizer(item, f"normalizers[{i}]") for i, item in enumerate(value, start=1))

    def normalizer(self, value: object, key: str) -> Normalizer:
        if not isinstance(value, str) or isinstance(value, NumberText):
            self.fail(f'a normalizer such as "exp(s)" was expected, not {quoted(value)}', key)
        where = f"{self.source}: {key}"
        try:
            return normalizer(value)
        except InputError as error:
            raise type(error)(str(error), where=where) from None
        except SymattnError as error:
            raise type(error)(f"{where}: {error}") from None


class DocumentWriter:
    """Writes numbers and normalizers so that the reader gives them back."""

    def __init__(self, exactness: str) -> None:
        self.hexadecimal = exactness == EXACT_FOR_BINARY64

    def matrix(self, matrix: RationalMatrix) -> list[list[int | str]]:
        return [[number_for_file(entry, hexadecimal=self.hexadecimal) for entry in row] for row in matrix]

    def normalizers(self, normalizers: Sequence[Normalizer]) -> str | list[str]:
        """One text where all layers share it, a list otherwise; each text must parse to the normalizer it stands for."""
        for number, item in enumerate(normalizers, start=1):
            try:
                is_faithful = normalizer(item.text) == item
            except SymattnError:
                is_faithful = False
            if not is_faithful:
                raise InputError(f"{quoted(item.text)} is not an expression that a file can hold", where=f"normalizers[{number}]")
        texts = [item.text for item in normalizers]
        return texts[0] if len(set(texts)) == 1 else texts
