"""A normalizer: what the theory needs to know about ``phi``, each answer exact or undecided."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpz_poly

from symattn.errors import BudgetError, ConstantNormalizerError, InputError, NotAnalyticError, NotPositiveError, UndecidedError
from symattn.normalizers import generator as generators
from symattn.normalizers.branches import local_form
from symattn.normalizers.constant_sign import decided_sign
from symattn.normalizers.constant_sympy import to_sympy as constant_to_sympy
from symattn.normalizers.constant_text import exact_text, shown
from symattn.normalizers.constants import ONE, ZERO, Constant, rational
from symattn.normalizers.expansion import expand, expand_logarithm, search_budget
from symattn.normalizers.grammar import parse
from symattn.normalizers.identities import has_odd_logarithm, has_proved_odd_logarithm, is_proved_constant, is_proved_even, parity
from symattn.normalizers.names import EXPRESSIONS
from symattn.normalizers.polynomials import Degrees, log_polynomial, polynomial_degrees
from symattn.normalizers.series import Series, full_precision
from symattn.normalizers.sympy_trees import from_sympy, to_sympy
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import Node, Polynomial

if TYPE_CHECKING:
    import sympy

__all__ = ["Normalizer", "normalizer"]

#: Terms of log phi in :meth:`Normalizer.as_dict`, and the length up to which a polynomial is written out in full.
SHOWN_DEGREE, SHOWN_TERMS = 10, 40
#: Rational numbers as strings, with an exponent that cannot fill the memory.
_EXACT = re.compile(r"\s*[-+]?([0-9]+(/[0-9]+)?|[0-9]*\.?[0-9]+([eE][-+]?[0-9]{1,3})?)\s*", re.ASCII)


@dataclass(frozen=True)
class Normalizer:
    """A normalizer ``phi``: real analytic and positive at 0, nonconstant, rescaled to ``phi(0) = 1`` (spec 01; paper Section 2).

    Made by :func:`normalizer` or :meth:`from_coefficients`; the constructor validates. Equality and hash are those of the expression.
    Raises :class:`NotAnalyticError`, :class:`NotPositiveError`, :class:`ConstantNormalizerError` with the reason,
    :class:`UndecidedError` when one of the three cannot be decided.

    >>> phi = normalizer("exp(s + s**2)")
    >>> phi.k, phi.coefficient, phi.first_odd_degree, phi.first_even_degree
    (1, Fraction(1, 1), 1, 2)
    """

    tree: Node
    is_expression: bool = True
    _cache: dict[str, Series] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        with full_precision():
            f = expand(self._local, 4)
            leading = f.from_leading_term()
            if f.order < 0 and leading is not None and leading.order < 0:
                raise NotAnalyticError(f"{self.text} is not analytic at 0: it has a pole of order {-leading.order}", where="normalizer")
            value = f.coefficient(0)
            if decided_sign(value, f"the value of {self.text} at 0") <= 0:
                raise NotPositiveError(f"{self.text} is not positive at 0: its value there is {shown(value)}", where="normalizer")
        self._first_term  # noqa: B018 - refuses constants

    def __getstate__(self) -> dict[str, Any]:
        # What is cached is derived, and FLINT series do not pickle.
        return {"tree": self.tree, "is_expression": self.is_expression, "_cache": {}}

    @staticmethod
    def from_coefficients(coefficients: Sequence[int | Fraction | str]) -> Normalizer:
        """The polynomial with exactly these Taylor coefficients, in ascending degree; nothing is assumed of further terms.

        Integers, fractions, and strings such as ``"1/3"`` or ``"0.1"`` (exactly 1/10). Trailing zeros are allowed.
        Raises :class:`InputError` for floats and for anything else that is not an exact rational number.

        >>> Normalizer.from_coefficients([2, 0, "1/3"]).coefficients(3)
        [1, 0, 1/6]
        """
        values = [_exact(c, position) for position, c in enumerate(coefficients)]
        while values and not values[-1]:
            values.pop()
        return Normalizer(Polynomial(tuple(values)), is_expression=False)

    @cached_property
    def text(self) -> str:
        """The normalizer as text, in the grammar that :func:`normalizer` reads (a long list of coefficients is abridged)."""
        if isinstance(self.tree, Polynomial) and len(self.tree.coefficients) > SHOWN_TERMS:
            head = to_text(Polynomial(self.tree.coefficients[:3]))
            return f"{head} + ... (polynomial of degree {len(self.tree.coefficients) - 1})"
        return to_text(self.tree)

    @property
    def expression(self) -> sympy.Expr | None:
        """The sympy expression in the symbol ``s``, as given (not rescaled); ``None`` when built from coefficients."""
        return to_sympy(self.tree) if self.is_expression else None

    def __str__(self) -> str:
        return self.text

    # Series

    @cached_property
    def _local(self) -> Node:
        """The tree with absolute values, maxima and the like replaced by the branch that holds near 0."""
        with full_precision():
            return local_form(self.tree)

    @cached_property
    def _polynomial_degrees(self) -> Degrees | None:
        return polynomial_degrees(self._local)

    def _taylor(self, count: int) -> Series:
        """The series of phi with ``phi(0) = 1``, at least this many terms."""
        return self._grown("phi", count)

    def _log_taylor(self, count: int) -> Series:
        """The series of log phi, at least this many terms."""
        return self._grown("log", count)

    def _grown(self, name: str, count: int) -> Series:
        known = self._cache.get(name)
        if known is None or known.length < count:
            with full_precision():
                known = expand_logarithm(self._local, count) if name == "log" else expand(self._local, count).starting_at(0).unit()
            self._cache[name] = known
        return known

    # Decisions

    @cached_property
    def _first_term(self) -> tuple[int, Constant]:
        if (known := self._polynomial_degrees) is not None:
            return known.k, rational(known.coefficient)
        for degree, coefficient in self._log_terms():
            if decided_sign(coefficient, f"the coefficient of s**{degree} in log phi") != 0:
                return degree, coefficient
            if degree == 16 and self._is_proved_constant():
                raise ConstantNormalizerError(f"{self.text} is constant; a nonconstant normalizer was expected", where="normalizer")
        raise UndecidedError(
            f"normalizer: cannot decide whether {self.text} is constant: no nonconstant term up to degree {self._budget}; "
            "a proof that it is constant, or a term of higher degree, would decide it"
        )

    def _is_proved_constant(self) -> bool:
        with full_precision():
            f = expand(self._local, 4)
        return f.scale == ZERO or is_proved_constant(self._local, f.coefficient(0))

    @property
    def _budget(self) -> int:
        return search_budget(self._log_taylor(4))

    def _log_terms(self, start: int = 1, step: int = 1) -> Iterator[tuple[int, Constant]]:
        """Degrees and coefficients of log phi, up to the budget, expanding further as asked."""
        count, budget = 4, self._budget
        for degree in range(start, budget + 1, step):
            while degree >= count:
                count = min(2 * count, budget + 1)
            yield degree, self._log_taylor(count).coefficient(degree)

    @property
    def k(self) -> int:
        """The first nonconstant degree: ``log phi = b s**k + O(s**(k+1))``, ``b != 0`` (and likewise ``phi - 1``)."""
        return self._first_term[0]

    @cached_property
    def coefficient(self) -> Fraction | sympy.Expr:
        """The exact coefficient b of ``s**k`` in ``log phi``: a ``Fraction`` when rational, else a sympy number."""
        b = self._first_term[1]
        value = b.as_rational
        return constant_to_sympy(b) if value is None else value

    @cached_property
    def _odd(self) -> tuple[int | None, bool | None, str]:
        """First odd degree in log phi, whether phi is even, and why that is undecided."""
        if (known := self._polynomial_degrees) is not None:
            return known.odd, known.odd is None, ""
        return self._first_degree(1, parity(self._local).even, lambda: is_proved_even(self._local), "phi is even")

    @cached_property
    def _even(self) -> tuple[int | None, bool | None, str]:
        """First even degree in log phi, whether log phi is odd, and why that is undecided."""
        if (known := self._polynomial_degrees) is not None:
            return known.even, known.even is None, ""

        def proof() -> bool:
            return has_proved_odd_logarithm(self._local, self._value_at_zero)

        return self._first_degree(2, has_odd_logarithm(self._local), proof, "log phi is odd")

    def _first_degree(
        self, start: int, by_shape: bool, is_proved_absent: Callable[[], bool], claim: str
    ) -> tuple[int | None, bool | None, str]:
        if by_shape:
            return None, True, ""
        kind = "odd" if start == 1 else "even"
        try:
            for degree, c in self._log_terms(start, 2):
                if decided_sign(c, f"the coefficient of s**{degree} in log phi") != 0:
                    return degree, False, ""
                # Computer algebra is asked once, when the low degrees are all absent.
                if degree in (13, 14) and is_proved_absent():
                    return None, True, ""
        except (UndecidedError, BudgetError) as error:
            return (None, True, "") if is_proved_absent() else (None, None, f"whether {claim}: {error}")
        remedy = f"a proof of the symmetry, or an {kind} term of higher degree, would decide it"
        return None, None, f"whether {claim}: no {kind} degree up to {self._budget}; {remedy}"

    def _value_at_zero(self, node: Node) -> Constant:
        with full_precision():
            return expand(node, 4).coefficient(0)

    @property
    def first_odd_degree(self) -> int | None:
        """The least odd degree o with a nonzero coefficient in log phi; ``None`` when phi is even, or undecided (see ``is_even``)."""
        return self._odd[0]

    @property
    def first_even_degree(self) -> int | None:
        """The least even degree l with a nonzero coefficient in log phi; ``None`` if log phi is odd, or undecided (see ``log_is_odd``)."""
        return self._even[0]

    @property
    def is_even(self) -> bool | None:
        """Whether ``phi(-s) = phi(s)``; ``None`` when undecided."""
        return self._odd[1]

    @property
    def log_is_odd(self) -> bool | None:
        """Whether ``phi(s) phi(-s) = phi(0)**2``; ``None`` when undecided."""
        return self._even[1]

    @property
    def undecided(self) -> tuple[str, ...]:
        """What could not be decided, and what would decide it, one line each."""
        return tuple(reason for reason in (self._odd[2], self._even[2]) if reason)

    # Coefficients

    @cached_property
    def is_rational(self) -> bool:
        """Whether all Taylor coefficients of phi (with ``phi(0) = 1``) are known to be rational."""
        return self._taylor(4).scale in (ONE, ZERO)

    def coefficients(self, count: int) -> list[fmpq]:
        """The Taylor coefficients of phi, degrees ``0 .. count - 1``, with ``phi(0) = 1``.

        Raises :class:`UndecidedError`, naming the constants, when they are not known to be rational.
        """
        self._require_rational()
        return _rational_terms(self._taylor(count), count)

    def log_coefficients(self, count: int) -> list[fmpq]:
        """The Taylor coefficients of log phi, degrees ``0 .. count - 1``; errors as for :meth:`coefficients`."""
        self._require_rational()
        return _rational_terms(self._log_taylor(count), count)

    def _require_rational(self) -> None:
        if not self.is_rational:
            found = self._taylor(4).generators
            names = "infinitely many constants" if found is None else ", ".join(sorted(shown(c) for c in found))
            raise UndecidedError(
                f"the Taylor coefficients of {self.text} are not known to be rational: they involve {names}; "
                "coefficients_in_constant or symbolic_coefficients give them exactly"
            )

    def symbolic_coefficients(self, count: int) -> list[sympy.Expr]:
        """The Taylor coefficients of phi as exact sympy numbers, degrees ``0 .. count - 1``, with ``phi(0) = 1``."""
        return [constant_to_sympy(self._taylor(count).coefficient(degree)) for degree in range(count)]

    def symbolic_log_coefficients(self, count: int) -> list[sympy.Expr]:
        """The Taylor coefficients of log phi as exact sympy numbers, degrees ``0 .. count - 1``."""
        return [constant_to_sympy(self._log_taylor(count).coefficient(degree)) for degree in range(count)]

    def constants(self) -> tuple[sympy.Expr, ...]:
        """Irrational numbers that generate a field which holds every coefficient of phi; empty when all are rational.

        Raises :class:`UndecidedError` when no finite set is known (``gamma(1+s)``).
        """
        found = self._taylor(4).generators
        if found is None:
            raise UndecidedError(f"no finite set of constants is known that generates the coefficients of {self.text}")
        return tuple(constant_to_sympy(c) for c in sorted(found, key=lambda c: c.key))

    def coefficients_in_constant(self, count: int) -> tuple[sympy.Expr, list[list[fmpq]]]:
        """One constant c, and the coefficients of phi as polynomials over Q in c (ascending lists), degrees ``0 .. count - 1``.

        The constant is chosen such that there are no denominators: ``1/log(2)`` for softplus, whose coefficients are those of
        ``1 + c (s/2 + s**2/8 - ..)``. It is known to be transcendental, or algebraic with :meth:`constant_minimal_polynomial`.
        Raises :class:`UndecidedError` when no such constant is known.

        >>> c, rows = normalizer("softplus(s)").coefficients_in_constant(3)
        >>> c, rows
        (1/log(2), [[1], [0, 1/2], [0, 1/8]])
        """
        series = self._taylor(count)
        found = generators.find_generator(series)
        return constant_to_sympy(found.constant), generators.coefficients_over(series, found, count)

    def constant_minimal_polynomial(self) -> fmpz_poly | None:
        """The minimal polynomial over Z of the constant of :meth:`coefficients_in_constant`; ``None`` when it is transcendental."""
        return generators.find_generator(self._taylor(4)).minimal_polynomial

    @cached_property
    def log_polynomial(self) -> tuple[Fraction, ...] | None:
        """The coefficients of log phi when it is known to be a polynomial over Q, else ``None``: ``(0, 1)`` for ``exp(s)``."""
        return log_polynomial(self._local)

    def as_dict(self) -> dict[str, Any]:
        """A JSON-ready summary with the keys of ``symattn normalizer``; numbers are exact strings."""
        undecided = list(self.undecided)
        try:
            log_series = self._log_taylor(SHOWN_DEGREE + 1)
        except BudgetError as error:
            log_series = self._log_taylor(self.k + 1)
            undecided.append(f"log_series beyond degree {log_series.length - 1}: {error}")
        return {
            "text": self.text,
            "expression": self.text if self.is_expression else None,
            "k": self.k,
            "coefficient": exact_text(self._first_term[1]),
            "first_odd_degree": self.first_odd_degree,
            "first_even_degree": self.first_even_degree,
            "is_even": self.is_even,
            "log_is_odd": self.log_is_odd,
            "is_rational": self.is_rational,
            "log_series": [exact_text(log_series.coefficient(degree)) for degree in range(min(log_series.length, SHOWN_DEGREE + 1))],
            "undecided": undecided,
        }


def normalizer(source: Any, *, where: str = "normalizer") -> Normalizer:
    """The normalizer that is meant by a text, a sympy expression in one symbol, or a :class:`Normalizer`.

    A text is a name of :data:`~symattn.normalizers.catalog` or an expression in ``s`` in the whitelist grammar
    (:mod:`symattn.normalizers.grammar`); it is never evaluated. ``where`` names the place in error messages.

    >>> normalizer("1/(1+exp(-s))").coefficients(4)
    [1, 1/2, 0, -1/24]
    """
    if isinstance(source, Normalizer):
        return source
    if isinstance(source, str):
        read: Callable[[], Node] = partial(parse, EXPRESSIONS.get(source, source), where=where)
    elif hasattr(source, "free_symbols") and hasattr(source, "as_independent"):
        read = partial(from_sympy, source, where=where)
    else:
        raise InputError(f"a text or a sympy expression was expected, not {type(source).__name__}", where=where)
    try:
        return Normalizer(read())
    except InputError as error:
        raise type(error)(error.problem, where=where) from None


def _exact(value: int | Fraction | str, position: int) -> Fraction:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and _EXACT.fullmatch(value):
        try:
            return Fraction(value)
        except ZeroDivisionError:
            pass
    raise InputError(
        f"an integer, a fraction or a string such as '1/3' was expected, not {ascii(value)[:60]}", where=f"coefficient {position}"
    )


def _rational_terms(series: Series, count: int) -> list[fmpq]:
    assert set(series.parts) <= {ONE}
    values = series.parts[ONE].coeffs()[:count] if series.parts else []
    return values + [fmpq(0)] * (count - len(values))
