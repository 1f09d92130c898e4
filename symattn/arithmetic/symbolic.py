"""The field of rational functions over Q in named symbols, in which an unknown normalizer is a set of independent values (spec 03).

An *undefined normalizer* phi is not evaluated: each distinct score s gets symbols of its own for ``phi(s)`` and ``phi'(s)``, and
equal scores get the same ones. An equation between the resulting rational functions holds whatever the values are, hence for
every normalizer at all points where both sides are defined: it is an identity. The converse fails: an equation may hold for every phi
and not be seen here, because relations between the values at different scores are forgotten.

Elements are reduced fractions of FLINT polynomials with a monic denominator, so equality is equality of representations.
Symbols are added to the field as they are named. The path parameter ``u`` of the other systems is the symbol ``u`` here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from symattn.errors import InputError, UndecidedError

if TYPE_CHECKING:
    from symattn.normalizers import Normalizer

__all__ = ["RationalFunction", "SymbolicField", "SymbolicMatrix", "UndefinedNormalizer"]


@dataclass(frozen=True)
class UndefinedNormalizer:
    """An unknown function phi: layers with the same name share it."""

    name: str


class RationalFunction:
    """A reduced fraction of polynomials over Q; supports ``+ - * /`` with its like, integers and fractions."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: fmpq_mpoly, denominator: fmpq_mpoly | None = None) -> None:
        if denominator is None:
            denominator = numerator.context().constant(1)
        elif not denominator.is_one():
            common = numerator.gcd(denominator)
            leading = denominator.leading_coefficient() * (common.leading_coefficient() ** -1 if common else 1)
            numerator, denominator = numerator / common / leading, denominator / common / leading
        self.numerator = numerator
        self.denominator = denominator

    def _with(self, other: RationalFunction | Fraction | int) -> tuple[fmpq_mpoly, fmpq_mpoly, fmpq_mpoly, fmpq_mpoly]:
        """Both fractions over one polynomial ring: symbols may have been added since one of them was made."""
        if isinstance(other, (int, Fraction)):
            other = RationalFunction(self.numerator.context().constant(_to_flint(other)))
        mine, theirs = self.numerator.context(), other.numerator.context()
        context = mine if mine.nvars() >= theirs.nvars() else theirs
        pairs = (self.numerator, self.denominator, other.numerator, other.denominator)
        a, b, c, d = (p if p.context() is context else p.project_to_context(context) for p in pairs)
        return a, b, c, d

    def __add__(self, other: RationalFunction | Fraction | int) -> RationalFunction:
        a, b, c, d = self._with(other)
        return RationalFunction(a + c, b) if b == d else RationalFunction(a * d + c * b, b * d)

    def __sub__(self, other: RationalFunction | Fraction | int) -> RationalFunction:
        a, b, c, d = self._with(other)
        return RationalFunction(a - c, b) if b == d else RationalFunction(a * d - c * b, b * d)

    def __mul__(self, other: RationalFunction | Fraction | int) -> RationalFunction:
        a, b, c, d = self._with(other)
        return RationalFunction(a * c, b * d)

    def __truediv__(self, other: RationalFunction | Fraction | int) -> RationalFunction:
        a, b, c, d = self._with(other)
        if c.is_zero():
            raise UndecidedError("a division by zero: the denominator vanishes as a rational function")
        return RationalFunction(a * d, b * c)

    def __pow__(self, exponent: int) -> RationalFunction:
        return RationalFunction(self.numerator**exponent, self.denominator**exponent)

    def __neg__(self) -> RationalFunction:
        return self * -1

    def __rsub__(self, other: Fraction | int) -> RationalFunction:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def is_zero(self) -> bool:
        """Whether this is the zero function."""
        return bool(self.numerator.is_zero())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RationalFunction) and (self - other).is_zero()

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self.numerator) if self.denominator.is_one() else f"({self.numerator})/({self.denominator})"

    def __repr__(self) -> str:
        return f"RationalFunction({self})"


class SymbolicMatrix:
    """A matrix of rational functions; see :class:`symattn.arithmetic.protocol.Matrix`."""

    __slots__ = ("_rows", "_width")

    def __init__(self, rows: Sequence[Sequence[RationalFunction]]) -> None:
        self._rows = tuple(tuple(row) for row in rows)
        self._width = len(self._rows[0]) if self._rows else 0

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._rows), self._width

    def __getitem__(self, place: tuple[int, int]) -> RationalFunction:
        return self._rows[place[0]][place[1]]

    def entries(self) -> list[RationalFunction]:
        """The entries row by row."""
        return [entry for row in self._rows for entry in row]

    def map(self, function: Callable[[RationalFunction], RationalFunction]) -> SymbolicMatrix:
        """The matrix with this function applied to every entry."""
        return SymbolicMatrix([[function(entry) for entry in row] for row in self._rows])

    def _zip(self, other: SymbolicMatrix, function: Callable[[RationalFunction, RationalFunction], RationalFunction]) -> SymbolicMatrix:
        pairs = zip(self._rows, other._rows, strict=True)
        return SymbolicMatrix([[function(a, b) for a, b in zip(mine, theirs, strict=True)] for mine, theirs in pairs])

    def __add__(self, other: SymbolicMatrix) -> SymbolicMatrix:
        return self._zip(other, lambda a, b: a + b)

    def __sub__(self, other: SymbolicMatrix) -> SymbolicMatrix:
        return self._zip(other, lambda a, b: a - b)

    def __matmul__(self, other: SymbolicMatrix) -> SymbolicMatrix:
        columns = other.transpose()._rows
        return SymbolicMatrix([[_dot(row, column) for column in columns] for row in self._rows])

    def transpose(self) -> SymbolicMatrix:
        return SymbolicMatrix(list(zip(*self._rows, strict=True)))

    def hadamard(self, other: SymbolicMatrix) -> SymbolicMatrix:
        return self._zip(other, lambda a, b: a * b)

    def scale(self, factor: Fraction | int | RationalFunction) -> SymbolicMatrix:
        """Every entry times this element of the field."""
        return self.map(lambda entry: entry * factor)

    def is_zero(self) -> bool:
        return all(entry.is_zero() for entry in self.entries())

    def agrees_with(self, other: SymbolicMatrix) -> bool:
        return self.shape == other.shape and (self - other).is_zero()

    def sympy(self) -> Any:
        """The matrix as a ``sympy.Matrix`` of expressions in symbols of the same names."""
        import sympy

        return sympy.Matrix([[_to_sympy(entry.numerator) / _to_sympy(entry.denominator) for entry in row] for row in self._rows])

    def __str__(self) -> str:
        return str([[str(entry) for entry in row] for row in self._rows])


class SymbolicField:
    """Rational functions over Q in the symbols named so far, with undefined normalizers.

    >>> field = SymbolicField()
    >>> x, y = field.symbol("x"), field.symbol("y")
    >>> (x**2 - y**2) / (x - y)
    RationalFunction(x + y)
    >>> phi = UndefinedNormalizer("phi")
    >>> [(value, slope)] = field.normalize(phi, [field.matrix([[x * y, y * x, 0]])])
    >>> print(value, slope)
    [['phi_1', 'phi_1', 'phi_2']] [["phi'_1", "phi'_1", "phi'_2"]]
    """

    name = "Q(symbols)"
    proves = "the identity, for all values of the symbols and every normalizer, at the stated sizes"

    def __init__(self) -> None:
        self._context = fmpq_mpoly_ctx.get([], Ordering.lex)
        self._symbols: dict[str, RationalFunction] = {}
        self._values: dict[str, _Value] = {}
        self._places: dict[tuple[str, RationalFunction], int] = {}

    def symbol(self, name: str) -> RationalFunction:
        """The symbol of this name, added to the field if it is new."""
        if name not in self._symbols:
            self._context = self._context.append_gens(name)
            self._symbols[name] = RationalFunction(self._context.gen(self._context.nvars() - 1))
        return self._symbols[name]

    def symbols(self, name: str, rows: int, columns: int) -> SymbolicMatrix:
        """A rows x columns matrix of independent symbols ``name_i_j``, i and j from 1."""
        return SymbolicMatrix([[self.symbol(f"{name}_{i + 1}_{j + 1}") for j in range(columns)] for i in range(rows)])

    def element(self, value: RationalFunction | Fraction | int) -> RationalFunction:
        """A rational number (or an element) as an element."""
        if isinstance(value, RationalFunction):
            return value
        return RationalFunction(self._context.constant(_to_flint(value)))

    def matrix(self, rows: Sequence[Sequence[RationalFunction | Fraction | int]]) -> SymbolicMatrix:
        return SymbolicMatrix([[self.element(entry) for entry in row] for row in rows])

    def constant(self, rows: int, columns: int, value: int) -> SymbolicMatrix:
        return self.matrix([[value] * columns] * rows)

    def shift(self, matrix: SymbolicMatrix, power: int) -> SymbolicMatrix:
        for _ in range(power):
            matrix = matrix.scale(self.symbol("u"))
        return matrix

    def reciprocal(self, matrix: SymbolicMatrix) -> SymbolicMatrix:
        """The entrywise inverse; raises :class:`UndecidedError` where an entry is the zero function."""
        return matrix.map(lambda entry: self.element(1) / entry)

    def assemble(self, rows: Sequence[Sequence[SymbolicMatrix]]) -> SymbolicMatrix:
        return SymbolicMatrix([[entry for block in blocks for entry in block.entries()] for blocks in rows])

    def normalize(
        self, normalizer: Normalizer | UndefinedNormalizer, scores: Sequence[SymbolicMatrix]
    ) -> list[tuple[SymbolicMatrix, SymbolicMatrix]]:
        """Symbols for ``phi(s)`` and ``phi'(s)`` at every score; raises :class:`UndecidedError` for a normalizer that is not undefined."""
        if not isinstance(normalizer, UndefinedNormalizer):
            raise UndecidedError("a known normalizer is no rational function of symbols: use an undefined one, or power series")
        value, slope = (partial(self._value, normalizer, order) for order in (0, 1))
        return [(score.map(value), score.map(slope)) for score in scores]

    def derivative(self, matrix: SymbolicMatrix, name: str) -> SymbolicMatrix:
        """The entrywise derivative in a symbol, through every normalizer by the chain rule.

        Raises :class:`InputError` if there is no such symbol, or it stands for a value of a normalizer.
        """
        if name not in self._symbols or name in self._values:
            raise InputError(f"there is no symbol {name!r} to differentiate in", where="derivative")
        return matrix.map(lambda entry: self._derivative(entry, name))

    def _value(self, normalizer: UndefinedNormalizer, order: int, score: RationalFunction) -> RationalFunction:
        """The symbol for the derivative of this order of phi at this score."""
        place = self._places.setdefault((normalizer.name, score), len(self._places) + 1)
        name = f"{normalizer.name}{chr(39) * order}_{place}"
        self._values.setdefault(name, _Value(normalizer, score, order))
        return self.symbol(name)

    def _derivative(self, entry: RationalFunction, name: str) -> RationalFunction:
        total = self.element(0)
        names = entry.numerator.context().names()
        degrees = [max(pair) for pair in zip(entry.numerator.degrees(), entry.denominator.degrees(), strict=True)]
        for other, degree in zip(names, degrees, strict=True):
            if degree == 0 or (other != name and other not in self._values):
                continue
            inner = self.element(1) if other == name else self._derivative_of_value(self._values[other], name)
            if not inner.is_zero():
                total += _partial_derivative(entry, other) * inner
        return total

    def _derivative_of_value(self, value: _Value, name: str) -> RationalFunction:
        inner = self._derivative(value.score, name)
        return inner if inner.is_zero() else inner * self._value(value.normalizer, value.order + 1, value.score)


@dataclass(frozen=True)
class _Value:
    """What a symbol for a value of a normalizer stands for: the derivative of this order at this score."""

    normalizer: UndefinedNormalizer
    score: RationalFunction
    order: int


def _partial_derivative(entry: RationalFunction, name: str) -> RationalFunction:
    p, q = entry.numerator, entry.denominator
    return RationalFunction(p.derivative(name) * q - p * q.derivative(name), q * q)


def _dot(row: Sequence[RationalFunction], column: Sequence[RationalFunction]) -> RationalFunction:
    products = [a * b for a, b in zip(row, column, strict=True)]
    total = products[0]
    for product in products[1:]:
        total = total + product
    return total


def _to_flint(value: Fraction | int) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _to_sympy(polynomial: fmpq_mpoly) -> Any:
    import sympy

    symbols = [sympy.Symbol(name) for name in polynomial.context().names()]
    total = sympy.Integer(0)
    for exponents, coefficient in polynomial.to_dict().items():
        term = sympy.Rational(int(coefficient.p), int(coefficient.q))
        for symbol, exponent in zip(symbols, exponents, strict=True):
            term *= symbol ** int(exponent)
        total += term
    return total
