"""The whitelist grammar of normalizers: text to an expression tree. Text is never evaluated.

    expression := ["+" | "-"] term (("+" | "-") term)*
    term       := factor (("*" | "/") factor)*
    factor     := ("+" | "-")* power
    power      := atom ["**" factor]
    atom       := number | "s" | "pi" | "E" | function "(" expression ("," expression)* ")" | "(" expression ")"
    number     := digits ["." digits] [("e" | "E") ["+" | "-"] digits]

A decimal means exactly what it says: ``0.1`` is 1/10. Length, nesting and the size of numbers are bounded, so that any text is
read or refused at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symattn.errors import InputError
from symattn.normalizers.tree import FUNCTIONS, MINUS_ONE, VARIABLE, Named, Node, Number, call, power, product, total

__all__ = ["MAXIMUM_DEGREE", "MAXIMUM_LENGTH", "MAXIMUM_NESTING", "parse"]

MAXIMUM_LENGTH = 20_000
MAXIMUM_TOKENS = 4_000
MAXIMUM_NESTING = 40
MAXIMUM_DIGITS = 400
#: Rational exponents beyond this are refused: no search for the first degrees would reach so far.
MAXIMUM_DEGREE = 1_000

_TOKEN = re.compile(
    r"[ \t]*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>\*\*|[-+*/(),]))"
)
_CONSTANTS: dict[str, Node] = {"s": VARIABLE, "pi": Named("pi"), "E": Named("E")}
_KNOWN = ", ".join(sorted(FUNCTIONS, key=str.lower))


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


def parse(text: str, *, where: str = "normalizer") -> Node:
    """The expression tree of the text.

    Raises :class:`InputError` with one line that names the character (counted from 1) and what was expected there.

    >>> parse("1 + 0.5*s")
    Sum(terms=(Number(value=Fraction(1, 1)), Product(factors=(Number(value=Fraction(1, 2)), Variable()))))
    """
    return _Parser(text, where).parse()


class _Parser:
    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.index, self.nesting = text, where, 0, 0
        if len(text) > MAXIMUM_LENGTH:
            raise InputError(f"the expression has {len(text)} characters; at most {MAXIMUM_LENGTH} were expected", where=where)
        self.tokens = self._tokens()

    def _tokens(self) -> list[_Token]:
        tokens: list[_Token] = []
        position, end = 0, len(self.text.rstrip(" \t"))
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None:
                position += len(self.text[position:]) - len(self.text[position:].lstrip(" \t"))
                hint = "; powers are written **" if self.text[position] == "^" else ""
                raise self._error(position, f"{self.text[position]!a} is not part of an expression{hint}")
            kind = match.lastgroup or ""
            tokens.append(_Token(kind, match[kind], match.start(kind)))
            position = match.end()
            if len(tokens) > MAXIMUM_TOKENS:
                raise self._error(position, f"the expression has more than {MAXIMUM_TOKENS} parts; a shorter one was expected")
        return [*tokens, _Token("end", "", end)]

    def _error(self, position: int, problem: str) -> InputError:
        shown = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return InputError(f"{shown!a}, character {position + 1}: {problem}", where=self.where)

    def _expected(self, what: str) -> InputError:
        token = self.token
        found = "the text ends" if token.kind == "end" else f"found {token.text[:40]!r}"
        return self._error(token.position, f"expected {what}, but {found}")

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def _take(self, *signs: str) -> str | None:
        """The sign that comes next, taken, if it is one of these."""
        token = self.token
        if token.kind == "sign" and token.text in signs:
            self.index += 1
            return token.text
        return None

    def parse(self) -> Node:
        node = self._expression()
        if self.token.kind != "end":
            raise self._expected("an operator or the end")
        return node

    def _expression(self) -> Node:
        self.nesting += 1
        if self.nesting > MAXIMUM_NESTING:
            raise self._error(self.token.position, f"nested too deeply; at most {MAXIMUM_NESTING} levels were expected")
        terms = [self._term()]
        while (sign := self._take("+", "-")) is not None:
            term = self._term()
            terms.append(product((MINUS_ONE, term)) if sign == "-" else term)
        self.nesting -= 1
        return total(terms)

    def _term(self) -> Node:
        factors = [self._factor()]
        while (sign := self._take("*", "/")) is not None:
            position = self.token.position
            factor = self._factor()
            if sign == "/":
                if factor == Number(Fraction(0)):
                    raise self._error(position, "division by zero")
                factor = power(factor, MINUS_ONE)
            factors.append(factor)
        return product(factors)

    def _factor(self) -> Node:
        negative = False
        while (sign := self._take("+", "-")) is not None:
            negative ^= sign == "-"
        node = self._power()
        return product((MINUS_ONE, node)) if negative else node

    def _power(self) -> Node:
        base = self._atom()
        if self._take("**") is None:
            return base
        position = self.token.position
        self.nesting += 1
        if self.nesting > MAXIMUM_NESTING:
            raise self._error(position, f"nested too deeply; at most {MAXIMUM_NESTING} levels were expected")
        exponent = self._factor()
        self.nesting -= 1
        if isinstance(exponent, Number) and (abs(exponent.value) > MAXIMUM_DEGREE or exponent.value.denominator > MAXIMUM_DEGREE):
            raise self._error(position, f"the exponent is too large; at most {MAXIMUM_DEGREE} was expected")
        if base == Number(Fraction(0)) and not (isinstance(exponent, Number) and exponent.value > 0):
            raise self._error(position, "a power of zero needs a positive rational exponent")
        try:
            return power(base, exponent)
        except InputError as error:
            raise self._error(position, error.problem) from None

    def _atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            return self._number()
        if token.kind == "name":
            return self._name()
        if self._take("(") is not None:
            node = self._expression()
            if self._take(")") is None:
                raise self._expected("')'")
            return node
        raise self._expected("a number, s, pi, E, a function or '('")

    def _number(self) -> Node:
        token = self.token
        self.index += 1
        mantissa, _, exponent = token.text.lower().partition("e")
        if len(mantissa) > MAXIMUM_DIGITS or len(exponent) > 4 or abs(int(exponent or "0")) > MAXIMUM_DIGITS:
            raise self._error(token.position, f"the number is too long; at most {MAXIMUM_DIGITS} digits were expected")
        return Number(Fraction(token.text))

    def _name(self) -> Node:
        token = self.token
        self.index += 1
        if token.text in _CONSTANTS:
            return _CONSTANTS[token.text]
        name = token.text[:40]
        if token.text not in FUNCTIONS:
            if self.token.text == "(":
                raise self._error(token.position, f"unknown function {name!r}; known: {_KNOWN}")
            raise self._error(token.position, f"unknown name {name!r}; the variable is s, the constants are pi and E")
        if self._take("(") is None:
            raise self._expected(f"'(' after {name}")
        arguments = [self._expression()]
        while self._take(",") is not None:
            arguments.append(self._expression())
        if self._take(")") is None:
            raise self._expected("')' or ','")
        least, most = FUNCTIONS[token.text]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            wanted = f"{least} argument{'s' if least > 1 else ''}" if least == most else f"at least {least} arguments"
            raise self._error(token.position, f"{name} takes {wanted}, not {len(arguments)}")
        return call(token.text, tuple(arguments))
