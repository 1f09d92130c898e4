"""Polynomials over Q in named symbols, read from text by a whitelist grammar; nothing is evaluated.

    expression := ["+" | "-"] term (("+" | "-") term)*
    term       := factor (("*" | "/") factor)*          only numbers may be divided by
    factor     := ("+" | "-")* atom ["**" digits]
    atom       := number | identifier | "(" expression ")"
    number     := digits ["." digits]
    identifier := letter (letter | digit | "_")*

A decimal means exactly what it says: ``0.1`` is 1/10. Length, nesting, exponents and the number of terms are bounded, so that any text is
read or refused at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import comb

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from symattn.errors import InputError
from symattn.network.numbers import quoted

__all__ = ["MAXIMUM_DEGREE", "MAXIMUM_LENGTH", "MAXIMUM_TERMS", "identifiers", "parse_polynomial", "polynomial_context"]

MAXIMUM_LENGTH = 10_000
MAXIMUM_NESTING = 40
MAXIMUM_DEGREE = 64
MAXIMUM_TERMS = 10_000
MAXIMUM_DIGITS = 200

_TOKEN = re.compile(r"[ \t]*(?:(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(?P<name>[A-Za-z][A-Za-z_0-9]*)|(?P<sign>\*\*|[-+*/()]))")
_NAME = re.compile(r"[A-Za-z][A-Za-z_0-9]*")


def identifiers(text: str) -> tuple[str, ...]:
    """The identifiers in a text, in the order in which they first occur; whether the text is an expression is not asked.

    >>> identifiers("2*b*z + b**2")
    ('b', 'z')
    """
    return tuple(dict.fromkeys(_NAME.findall(text[:MAXIMUM_LENGTH])))


def polynomial_context(symbols: Iterable[str]) -> fmpq_mpoly_ctx:
    """The ring ``Q[symbols]``."""
    return fmpq_mpoly_ctx.get(tuple(symbols), Ordering.degrevlex)


def parse_polynomial(text: str, context: fmpq_mpoly_ctx) -> fmpq_mpoly:
    """The polynomial that a text stands for, in a ring that has its identifiers.

    Raises :class:`InputError` in one line that names the character (counted from 1) and what was expected there.

    >>> parse_polynomial("(b + 1)**2 / 2 - 0.5", polynomial_context(["b"]))
    1/2*b^2 + b
    """
    return _Parser(text, context).parse()


class _Parser:
    def __init__(self, text: str, context: fmpq_mpoly_ctx) -> None:
        self.text, self.context, self.index, self.nesting = text, context, 0, 0
        if len(text) > MAXIMUM_LENGTH:
            raise InputError(f"an expression of at most {MAXIMUM_LENGTH} characters was expected, not one of {len(text)}")
        self.generators = dict(zip(context.names(), context.gens(), strict=True))
        self.tokens: list[tuple[str, str, int]] = []
        position, end = 0, len(text.rstrip(" \t"))
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                position += len(text[position:]) - len(text[position:].lstrip(" \t"))
                hint = "; powers are written **" if text[position] == "^" else ""
                raise self.error(position, f"{text[position]!a} is not part of a polynomial{hint}")
            kind = match.lastgroup or ""
            self.tokens.append((kind, match[kind], match.start(kind)))
            position = match.end()
        self.tokens.append(("end", "", end))

    def error(self, position: int, problem: str) -> InputError:
        return InputError(f"{quoted(self.text)}, character {position + 1}: {problem}")

    def expected(self, what: str) -> InputError:
        kind, text, position = self.tokens[self.index]
        return self.error(position, f"expected {what}, but {'the text ends' if kind == 'end' else f'found {quoted(text)}'}")

    def take(self, *signs: str) -> str | None:
        """The sign that comes next, taken, if it is one of these."""
        kind, text, _ = self.tokens[self.index]
        if kind == "sign" and text in signs:
            self.index += 1
            return text
        return None

    def parse(self) -> fmpq_mpoly:
        value = self.expression()
        if self.tokens[self.index][0] != "end":
            raise self.expected("an operator or the end")
        return value

    def expression(self) -> fmpq_mpoly:
        self.nesting += 1
        if self.nesting > MAXIMUM_NESTING:
            raise self.error(self.tokens[self.index][2], f"nested too deeply; at most {MAXIMUM_NESTING} levels were expected")
        total = self.term()
        while (sign := self.take("+", "-")) is not None:
            term = self.term()
            total = total + term if sign == "+" else total - term
        self.nesting -= 1
        return total

    def term(self) -> fmpq_mpoly:
        value = self.factor()
        while (sign := self.take("*", "/")) is not None:
            position = self.tokens[self.index][2]
            factor = self.factor()
            if sign == "*":
                value = self.product(value, factor, position)
                continue
            if not factor.is_constant():
                raise self.error(position, "only numbers may be divided by")
            if not factor:
                raise self.error(position, "division by zero")
            value = value / factor.leading_coefficient()
        return value

    def factor(self) -> fmpq_mpoly:
        negative = False
        while (sign := self.take("+", "-")) is not None:
            negative ^= sign == "-"
        value = self.power()
        return -value if negative else value

    def power(self) -> fmpq_mpoly:
        base = self.atom()
        if self.take("**") is None:
            return base
        kind, text, position = self.tokens[self.index]
        if kind != "number" or not text.isdigit():
            raise self.expected("a whole number as exponent")
        self.index += 1
        if len(text) > 4 or int(text) > MAXIMUM_DEGREE:
            raise self.error(position, f"an exponent of at most {MAXIMUM_DEGREE} was expected")
        exponent, terms = int(text), len(base)
        if terms and comb(terms + exponent - 1, exponent) > MAXIMUM_TERMS:
            raise self.error(position, f"a polynomial of at most {MAXIMUM_TERMS} terms was expected")
        return self.checked(base**exponent, position)

    def atom(self) -> fmpq_mpoly:
        kind, text, position = self.tokens[self.index]
        if kind == "number":
            self.index += 1
            if len(text) > MAXIMUM_DIGITS:
                raise self.error(position, f"a number of at most {MAXIMUM_DIGITS} digits was expected")
            number = Fraction(text)
            return self.context.constant(fmpq(number.numerator, number.denominator))
        if kind == "name":
            self.index += 1
            if self.tokens[self.index][1] == "(":
                raise self.error(position, f"no functions are known here, so {quoted(text)} cannot be called; a product is written *")
            return self.generators[text]
        if self.take("(") is not None:
            value = self.expression()
            if self.take(")") is None:
                raise self.expected("')'")
            return value
        raise self.expected("a number, a symbol or '('")

    def product(self, left: fmpq_mpoly, right: fmpq_mpoly, position: int) -> fmpq_mpoly:
        if len(left) * len(right) > MAXIMUM_TERMS:
            raise self.error(position, f"a polynomial of at most {MAXIMUM_TERMS} terms was expected")
        return self.checked(left * right, position)

    def checked(self, value: fmpq_mpoly, position: int) -> fmpq_mpoly:
        """The value, unless powers of powers have made its degree or its numbers too large."""
        if value and value.total_degree() > MAXIMUM_DEGREE:
            raise self.error(position, f"a polynomial of degree at most {MAXIMUM_DEGREE} was expected")
        if any(max(int(c.p).bit_length(), int(c.q).bit_length()) > 8 * MAXIMUM_DIGITS for c in value.coeffs()):
            raise self.error(position, f"numbers of at most {2 * MAXIMUM_DIGITS} digits were expected")
        return value
