"""Exact real constants: polynomials over Q in monomials of atoms such as ``log(2)``, ``pi``, ``E`` and roots of primes.

A :class:`Constant` that is formally zero is zero. The converse needs a ball or an exact argument (:mod:`.constant_sign`):
two atoms may satisfy a relation that the form does not know. Roots of primes have exponents in (0, 1), and the products of
such powers of distinct primes are linearly independent over Q, so for radicals the form is a normal form.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm, prod

from flint import fmpq, fmpq_mat, fmpz

from symattn.normalizers.digits import rational_text
from symattn.normalizers.work import charge

__all__ = [
    "ONE",
    "POSITIVE_KINDS",
    "ZERO",
    "Atom",
    "Constant",
    "Monomial",
    "divide",
    "factored",
    "integer_power",
    "inverse",
    "primitive",
    "rational",
]


class _Keyed:
    """Equality, hash and order by a text, computed once: the trees below constants would be walked again and again."""

    key: str

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, _Keyed) and type(self) is type(other) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, eq=False)
class Atom(_Keyed):
    """A real number that is not expressed by others: a kind with its argument.

    Kinds: ``root`` (of a prime, or of an integer too large to factor), ``E``, ``pi``, ``euler``, ``zeta`` (of an integer),
    ``log``, ``exp``, ``sin``, ``cos``, ``tan``, ``erf``, ``gamma``, ``atan`` (of a constant), ``polygamma`` (order, constant), and ``sum``:
    the value of a constant with several terms, which then carries a negative or fractional exponent.
    """

    kind: str
    argument: int | Constant | tuple[int, Constant] | None = None

    @cached_property
    def key(self) -> str:  # type: ignore[override]
        """A text that determines the atom."""
        argument = self.argument
        if isinstance(argument, tuple):
            return f"{self.kind}({argument[0]}, {argument[1].key})"
        return f"{self.kind}({argument.key if isinstance(argument, Constant) else argument})"


Monomial = tuple[tuple[Atom, Fraction], ...]

#: Kinds of atoms that are positive whatever their argument.
POSITIVE_KINDS = frozenset({"root", "E", "pi", "euler", "zeta", "exp"})
#: Integers with more bits are factored only as far as small primes go.
_FACTOR_BITS = 100


@dataclass(frozen=True, eq=False)
class Constant(_Keyed):
    """The sum of ``coefficient * monomial`` over its terms, which are sorted and have nonzero coefficients."""

    terms: tuple[tuple[Monomial, Fraction], ...]

    @staticmethod
    def of(terms: Mapping[Monomial, Fraction]) -> Constant:
        """The constant with these terms."""
        kept = [(monomial, c) for monomial, c in terms.items() if c]
        return Constant(tuple(sorted(kept, key=lambda term: [(atom.key, e) for atom, e in term[0]])))

    @staticmethod
    def atom(atom: Atom, exponent: Fraction | int = 1) -> Constant:
        """A power of one atom."""
        return _normal({atom: Fraction(exponent)})

    @cached_property
    def key(self) -> str:  # type: ignore[override]
        """A text that determines the constant."""
        return " + ".join(f"{rational_text(c)}{''.join(f'*{atom.key}^{e}' for atom, e in monomial)}" for monomial, c in self.terms)

    @property
    def as_rational(self) -> Fraction | None:
        """The value, when the constant is formally rational."""
        if not self.terms:
            return Fraction(0)
        monomial, c = self.terms[0]
        return c if len(self.terms) == 1 and not monomial else None

    @property
    def evident_sign(self) -> int | None:
        """The sign, when all terms have the same and all atoms are positive by their kind; else ``None``."""
        signs = {c > 0 for _, c in self.terms}
        if len(signs) > 1 or not all(atom.kind in POSITIVE_KINDS for atom in self.atoms):
            return None
        return 0 if not signs else 1 if signs.pop() else -1

    @property
    def atoms(self) -> frozenset[Atom]:
        """The atoms that occur, without those inside the arguments of others."""
        return frozenset(atom for monomial, _ in self.terms for atom, _ in monomial)

    def __bool__(self) -> bool:
        """Whether the constant is formally nonzero."""
        return bool(self.terms)

    def __add__(self, other: Constant) -> Constant:
        terms = dict(self.terms)
        for monomial, c in other.terms:
            terms[monomial] = terms.get(monomial, Fraction(0)) + c
        return Constant.of(terms)

    def __neg__(self) -> Constant:
        return self.scaled(Fraction(-1))

    def __sub__(self, other: Constant) -> Constant:
        return self + -other

    def scaled(self, factor: Fraction) -> Constant:
        """The constant times a rational number."""
        return Constant(tuple((monomial, c * factor) for monomial, c in self.terms)) if factor else ZERO

    def __mul__(self, other: Constant) -> Constant:
        for left, right in ((self, other), (other, self)):
            if (value := left.as_rational) is not None:
                return right.scaled(value)
        # One product costs about as much as the atoms and the characters that it handles.
        charge(len(self.terms) * len(other.terms) * (1 + (len(self.key) + len(other.key)) // 20))
        return _summed(_product(m, n).scaled(c * d) for (m, c), (n, d) in itertools.product(self.terms, other.terms))


ZERO = Constant(())
ONE = Constant((((), Fraction(1)),))


def rational(value: Fraction | int) -> Constant:
    """The rational number as a constant."""
    return Constant.of({(): Fraction(value)})


def _summed(constants: Iterable[Constant]) -> Constant:
    terms: dict[Monomial, Fraction] = {}
    for constant in constants:
        for monomial, c in constant.terms:
            terms[monomial] = terms.get(monomial, Fraction(0)) + c
    return Constant.of(terms)


@lru_cache(maxsize=4096)
def _product(left: Monomial, right: Monomial) -> Constant:
    exponents = dict(left)
    for atom, e in right:
        exponents[atom] = exponents.get(atom, Fraction(0)) + e
    return _normal(exponents)


def _normal(exponents: dict[Atom, Fraction]) -> Constant:
    """The product of powers of atoms, with whole powers of roots and of sums carried out."""
    factor, kept, expanded = Fraction(1), [], ONE
    for atom, e in exponents.items():
        whole = e.numerator // e.denominator
        if atom.kind == "root":
            assert isinstance(atom.argument, int)
            factor *= Fraction(atom.argument) ** whole
            e -= whole
        elif atom.kind == "sum" and whole > 0:
            assert isinstance(atom.argument, Constant)
            expanded *= integer_power(atom.argument, whole)
            e -= whole
        if e:
            kept.append((atom, e))
    monomial = tuple(sorted(kept, key=lambda power: power[0].key))
    return Constant(((monomial, factor),)) * expanded


def integer_power(base: Constant, exponent: int) -> Constant:
    """``base ** exponent`` for an integer exponent; the base must not be formally zero when it is negative."""
    if exponent < 0:
        return integer_power(inverse(base), -exponent)
    result = ONE
    for bit in bin(exponent)[2:]:
        result *= result
        if bit == "1":
            result *= base
    return result


def primitive(constant: Constant) -> Constant:
    """The rational multiple whose first coefficient is 1; zero stays zero."""
    return constant.scaled(1 / constant.terms[0][1]) if constant else ZERO


def divide(numerator: Constant, denominator: Constant) -> Constant:
    """The quotient; multiples of one constant give a rational number."""
    if numerator and primitive(numerator) == primitive(denominator):
        return rational(numerator.terms[0][1] / denominator.terms[0][1])
    return numerator * inverse(denominator)


@lru_cache(maxsize=1024)
def inverse(constant: Constant) -> Constant:
    """``1 / constant`` for a constant that has been proved nonzero.

    Common factors are taken out first; sums of radicals are inverted by linear algebra, and any other sum becomes an atom.
    """
    if len(constant.terms) == 1:
        monomial, c = constant.terms[0]
        return _normal({atom: -e for atom, e in monomial}).scaled(1 / c)
    factor = _common_factor(constant)
    if factor != ONE:
        reciprocal = inverse(factor)
        return inverse(constant * reciprocal) * reciprocal
    if all(atom.kind == "root" for atom in constant.atoms):
        result = _radical_inverse(constant)
        if result is not None:
            return result
    lead = constant.terms[0][1]
    return Constant.atom(Atom("sum", primitive(constant)), -1).scaled(1 / lead)


def _common_factor(constant: Constant) -> Constant:
    """The least power of each atom, roots aside, over the terms of the constant."""
    result = ONE
    for atom in constant.atoms:
        least = min(dict(monomial).get(atom, Fraction(0)) for monomial, _ in constant.terms)
        if least and atom.kind != "root":
            result *= Constant.atom(atom, least)
    return result


def _radical_inverse(constant: Constant) -> Constant | None:
    """Solves ``constant * x = 1`` in the span of the products of the roots that occur; ``None`` if the span is too large."""
    orders: dict[Atom, int] = {}
    for monomial, _ in constant.terms:
        for atom, e in monomial:
            orders[atom] = lcm(orders.get(atom, 1), e.denominator)
    size = prod(orders.values())
    if size > 64:
        return None
    basis = [
        _normal({atom: Fraction(j, order) for (atom, order), j in zip(orders.items(), steps, strict=True)})
        for steps in itertools.product(*(range(order) for order in orders.values()))
    ]
    index = {element.terms[0][0]: i for i, element in enumerate(basis)}
    matrix, unit = fmpq_mat(size, size), fmpq_mat(size, 1)
    for column, element in enumerate(basis):
        for monomial, c in (constant * element).terms:
            matrix[index[monomial], column] = fmpq(c.numerator, c.denominator)
    unit[index[()], 0] = fmpq(1)
    try:
        solution = matrix.solve(unit)
    except ZeroDivisionError:  # roots of unfactored integers may be dependent
        return None
    return _summed(element.scaled(Fraction(int(x.p), int(x.q))) for element, x in zip(basis, solution.entries(), strict=True))


def factored(value: Fraction) -> list[tuple[int, int]]:
    """A positive rational number as powers of pairwise distinct bases: primes, and at most two large unfactored integers.

    >>> factored(Fraction(12, 5))
    [(2, 2), (3, 1), (5, -1)]
    """
    return [
        (int(base), sign * multiplicity)
        for part, sign in ((value.numerator, 1), (value.denominator, -1))
        for base, multiplicity in (fmpz(part).factor() if part.bit_length() <= _FACTOR_BITS else fmpz(part).factor_smooth(16))
    ]
