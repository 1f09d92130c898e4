"""Networks with symbols: instance and tuple files whose entries may be polynomials in named symbols, and generic normalizers.

The files are those of :mod:`symattn.network.files`; an entry may also be a text such as ``"b"`` or ``"2*a - b**2/3"`` (see
:mod:`symattn.network.polynomial_text`), and a normalizer may be ``{"generic": k}``: one with ``log phi = b_k s^k + b_(k+1) s^(k+1) + ..``
and symbols ``bk, ..`` for its coefficients. One generic normalizer for all layers shares its symbols; in a list, layer i has the symbols
``bi_k, ..``, unless ``"prefix"`` names others. Files without symbols are read just as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mpoly

from symattn.arithmetic.polynomial_series import GenericNormalizer
from symattn.errors import InputError
from symattn.network.documents import path_text, read_document

# The reader of the other files: one set of messages for one set of keys.
from symattn.network.files import DocumentReader
from symattn.network.numbers import NumberText, exact_number, quoted
from symattn.network.polynomial_text import identifiers, parse_polynomial, polynomial_context
from symattn.normalizers import Normalizer

__all__ = ["PolynomialMatrix", "SymbolicLayer", "SymbolicNetwork", "read_symbolic", "symbolic_from_dict"]

PolynomialMatrix = tuple[tuple[fmpq_mpoly, ...], ...]
"""Rows of polynomials over Q."""

DEGREE_LIMIT = 1_000
"""Largest first degree k of a generic normalizer."""


SYMBOL_LIMIT = 256
"""Most symbols of a file."""

_NOT_SYMBOLS = ("nan", "inf", "infinity")


@dataclass(frozen=True)
class SymbolicLayer:
    """One layer at ``t = 1``: its normalizer, its score ``Q K^T`` (d x d) and its value matrix (d_out x d), over ``Q[symbols]``."""

    normalizer: Normalizer | GenericNormalizer
    score: PolynomialMatrix
    value: PolynomialMatrix


@dataclass(frozen=True)
class SymbolicNetwork:
    """A stack whose entries are polynomials in ``symbols``, with inputs (n x d each) where the file has a bank.

    In an effective tuple the values are the identity, and L in the last layer. ``exactness`` says for which numbers results hold.
    """

    tokens: int
    width: int
    layers: tuple[SymbolicLayer, ...]
    inputs: tuple[PolynomialMatrix, ...]
    symbols: tuple[str, ...]
    source: str
    exactness: str


def read_symbolic(path: str | os.PathLike[str]) -> SymbolicNetwork:
    """The network in an instance file or a tuple file, with or without symbols.

    Raises :class:`InputError`, or the normalizer's own error, in one line that names the file and the key.
    """
    return symbolic_from_dict(read_document(path), source=path_text(path))


def symbolic_from_dict(data: object, source: str = "Python") -> SymbolicNetwork:
    """The network that a dictionary with the keys of an instance file or a tuple file stands for; ``source`` names it in messages.

    >>> scalar = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": {"generic": 2}, "layers": [{"U": [["a"]], "W": [["a + 1"]]}]}
    >>> symbolic_from_dict(scalar).layers[0].score
    ((a^2 + a,),)
    """
    return _SymbolicReader(source).network(data)


class _SymbolicReader(DocumentReader):
    """Reads polynomials where the plain reader reads numbers."""

    def network(self, data: object) -> SymbolicNetwork:
        kinds: dict[str, tuple[str, ...]] = {"layers": ("layers",), "Q": ("Q", "K", "V"), "L": ("L", "M")}
        kind = next((key for key in kinds if isinstance(data, Mapping) and not set(kinds[key]).isdisjoint(data)), None)
        if isinstance(data, Mapping) and kind is None:
            self.fail('an instance with the key "layers", or a tuple with "L", "M" or with "Q", "K", "V" was expected', "")
        optional = ("name", "about", *(("bank",) if kind == "layers" else ()))
        required = ("symattn", "tokens", "width", "normalizers", *kinds[kind or "layers"])
        fields = self.fields(data, "", required=required, optional=optional)
        tokens, width = self.header(fields)
        # The ring must be known before the first polynomial is read.
        matrices = [fields[key] for key in (*kinds[kind or "layers"], "bank") if key in fields]
        symbols = _symbols(matrices)
        if len(symbols) > SYMBOL_LIMIT:
            self.fail(f"at most {SYMBOL_LIMIT} symbols were expected, not {len(symbols)}", "")
        for name in symbols:
            if name.lower() in _NOT_SYMBOLS or len(name) > 40:
                self.fail(f"{quoted(name)} cannot be the name of a symbol", "")
        self.context = polynomial_context(symbols)
        if kind == "layers":
            pairs = self._instance_layers(fields, width)
        else:
            pairs = self._native_layers(fields, width) if kind == "Q" else self._effective_layers(fields, width)
        normalizers = self._normalizers(fields["normalizers"], len(pairs))
        layers = tuple(SymbolicLayer(phi, score, value) for phi, (score, value) in zip(normalizers, pairs, strict=True))
        generic = {phi.prefix for phi in normalizers if isinstance(phi, GenericNormalizer)}
        for symbol in self.context.names():
            if any(symbol.startswith(prefix) and symbol[len(prefix) :].isdigit() for prefix in generic):
                self.fail(f"the symbol {quoted(symbol)} is a coefficient of a generic normalizer; another name was expected", "")
        inputs: tuple[PolynomialMatrix, ...] = ()
        if "bank" in fields:
            listed = self.items(fields["bank"], "bank", "inputs")
            if not listed:
                self.fail("at least one input was expected; without the key the tokens are symbols", "bank")
            inputs = tuple(self.polynomials(x, f"bank[{j}]", rows=tokens, columns=width) for j, x in enumerate(listed, start=1))
        return SymbolicNetwork(tokens, width, layers, inputs, tuple(self.context.names()), self.source, self.exactness)

    def polynomials(self, value: object, key: str, rows: int, columns: int | None = None) -> PolynomialMatrix:
        """The matrix of polynomials at ``key``; its columns are counted in the first row unless given."""
        listed = self.items(value, key, f"{rows} rows")
        if len(listed) != rows:
            self.fail(f"{rows} rows were expected, not {len(listed)}", key)
        matrix = []
        for i, row in enumerate(listed, start=1):
            entries = self.items(row, f"{key}[{i}]", "numbers or polynomials")
            columns = len(entries) if columns is None else columns
            if len(entries) != columns or not columns:
                self.fail(f"{columns or 'some'} entries were expected, not {len(entries)}", f"{key}[{i}]")
            matrix.append(tuple(self._polynomial(entry, f"{key}[{i}][{j}]") for j, entry in enumerate(entries, start=1)))
        return tuple(matrix)

    def _polynomial(self, value: object, key: str) -> fmpq_mpoly:
        if isinstance(value, str) and not _is_number(value):
            try:
                return parse_polynomial(value, self.context)
            except InputError as error:
                self.fail(error.problem, key)
        number = self.number(value, key)
        return self.context.constant(fmpq(number.numerator, number.denominator))

    def _instance_layers(self, fields: Mapping[str, object], width: int) -> list[tuple[PolynomialMatrix, PolynomialMatrix]]:
        pairs = []
        for number, item in enumerate(self._layer_items(fields["layers"], "layers"), start=1):
            key = f"layers[{number}]"
            layer = self.fields(item, key, required=("U", "W"), optional=("V",))
            U = self.polynomials(layer["U"], f"{key}.U", rows=width)
            W = self.polynomials(layer["W"], f"{key}.W", rows=width, columns=len(U[0]))
            V = self.polynomials(layer["V"], f"{key}.V", rows=width, columns=width) if "V" in layer else self._identity(width)
            pairs.append((self._score(U, W), V))
        return pairs

    def _native_layers(self, fields: Mapping[str, object], width: int) -> list[tuple[PolynomialMatrix, PolynomialMatrix]]:
        listed = {name: self._layer_items(fields[name], name) for name in ("Q", "K", "V")}
        for name in ("K", "V"):
            if len(listed[name]) != len(listed["Q"]):
                self.fail(f"as many matrices as in Q, {len(listed['Q'])}, were expected, not {len(listed[name])}", name)
        pairs = []
        for i, (query, key, value) in enumerate(zip(*listed.values(), strict=True), start=1):
            Q = self.polynomials(query, f"Q[{i}]", rows=width)
            K = self.polynomials(key, f"K[{i}]", rows=width, columns=len(Q[0]))
            height = len(self.items(value, f"V[{i}]", "rows"))
            if not height:
                self.fail("at least one row was expected", f"V[{i}]")
            pairs.append((self._score(Q, K), self.polynomials(value, f"V[{i}]", rows=height, columns=width)))
            width = height
        return pairs

    def _effective_layers(self, fields: Mapping[str, object], width: int) -> list[tuple[PolynomialMatrix, PolynomialMatrix]]:
        height = len(self.items(fields["L"], "L", "rows"))
        if not height:
            self.fail("at least one row was expected", "L")
        readout = self.polynomials(fields["L"], "L", rows=height, columns=width)
        listed = self._layer_items(fields["M"], "M")
        scores = [self.polynomials(item, f"M[{i}]", rows=width, columns=width) for i, item in enumerate(listed, start=1)]
        values = [self._identity(width)] * (len(scores) - 1) + [readout]
        return list(zip(scores, values, strict=True))

    def _layer_items(self, value: object, key: str) -> Sequence[object]:
        listed = self.items(value, key, "one entry per layer")
        if not listed:
            self.fail("at least one layer was expected", key)
        return listed

    def _normalizers(self, value: object, depth: int) -> list[Normalizer | GenericNormalizer]:
        if not isinstance(value, (list, tuple)):
            shared = self._any_normalizer(value, "normalizers", "b")
            return [shared] * depth
        if len(value) != depth:
            self.fail(f"{depth} normalizers were expected, one per layer, not {len(value)}", "normalizers")
        found = [self._any_normalizer(item, f"normalizers[{i}]", f"b{i}_") for i, item in enumerate(value, start=1)]
        degrees: dict[str, int] = {}
        for i, phi in enumerate(found, start=1):
            if isinstance(phi, GenericNormalizer) and degrees.setdefault(phi.prefix, phi.k) != phi.k:
                self.fail(
                    f"the prefix {quoted(phi.prefix)} stands for a normalizer of degree {degrees[phi.prefix]} already", f"normalizers[{i}]"
                )
        return found

    def _any_normalizer(self, value: object, key: str, prefix: str) -> Normalizer | GenericNormalizer:
        if not isinstance(value, Mapping):
            return self.normalizer(value, key)
        fields = self.fields(value, key, required=("generic",), optional=("prefix",))
        degree = self.integer(fields["generic"], f"{key}.generic")
        if not 1 <= degree <= DEGREE_LIMIT:
            self.fail(f"a first degree from 1 to {DEGREE_LIMIT} was expected, not {quoted(fields['generic'])}", f"{key}.generic")
        name = fields.get("prefix", prefix)
        if not isinstance(name, str) or isinstance(name, NumberText) or identifiers(name) != (name,) or len(name) > 40:
            self.fail(f"a name such as {quoted(prefix)} was expected, not {quoted(name)}", f"{key}.prefix")
        return GenericNormalizer(degree, name)

    def _identity(self, size: int) -> PolynomialMatrix:
        return tuple(tuple(self.context.constant(int(i == j)) for j in range(size)) for i in range(size))

    def _score(self, query: PolynomialMatrix, key: PolynomialMatrix) -> PolynomialMatrix:
        zero = self.context.constant(0)
        return tuple(tuple(sum((a * b for a, b in zip(q, k, strict=True)), zero) for k in key) for q in query)


def _is_number(text: str) -> bool:
    """Whether a text is a number: as written in JSON, or in one of the forms of :mod:`symattn.network.numbers`."""
    if isinstance(text, NumberText):
        return True
    try:
        exact_number(text)
    except InputError:
        return False
    return True


def _symbols(value: object) -> tuple[str, ...]:
    """The identifiers in all texts of a document, in the order in which they first occur."""
    return tuple(dict.fromkeys(name for text in _texts(value) for name in identifiers(text)))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if not _is_number(value):
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
