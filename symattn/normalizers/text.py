"""From an expression tree to text that the grammar reads again."""

from __future__ import annotations

from fractions import Fraction

from symattn.normalizers.digits import rational_text
from symattn.normalizers.tree import Call, Named, Node, Number, Polynomial, Power, Product, Sum, Variable

__all__ = ["to_text"]

# Binding strengths: sum < product < power < atom.
_SUM, _PRODUCT, _POWER, _ATOM = range(4)


def to_text(node: Node) -> str:
    """The expression as text in the grammar of normalizers.

    >>> from symattn.normalizers.grammar import parse
    >>> to_text(parse("s / (exp(s)-1)"))
    's/(exp(s) - 1)'
    """
    return _render(node)[0]


def _render(node: Node) -> tuple[str, int]:
    """The text and how strongly its outermost operation binds."""
    match node:
        case Variable():
            return "s", _ATOM
        case Named(name):
            return name, _ATOM
        case Number(value):
            plain = value.denominator == 1 and value >= 0
            return rational_text(value), _ATOM if plain else (_PRODUCT if value >= 0 else _SUM)
        case Sum(terms):
            return _sum([_render(term) for term in terms]), _SUM
        case Product(factors):
            return _product(factors)
        case Power(base, exponent):
            return _power(base, exponent)
        case Call(name, arguments):
            return f"{name}({', '.join(to_text(argument) for argument in arguments)})", _ATOM
        case Polynomial(coefficients):
            return _polynomial(coefficients)


def _bracketed(node: Node, least: int) -> str:
    text, strength = _render(node)
    return text if strength >= least else f"({text})"


def _sum(rendered: list[tuple[str, int]]) -> str:
    text = ""
    for part, _ in rendered:
        if not text:
            text = part
        elif part.startswith("-"):
            text += " - " + part[1:]
        else:
            text += " + " + part
    return text


def _product(factors: tuple[Node, ...]) -> tuple[str, int]:
    head, sign = factors, ""
    if isinstance(factors[0], Number) and factors[0].value < 0:
        sign = "-"
        rest = -factors[0].value
        head = factors[1:] if rest == 1 else (Number(rest), *factors[1:])
    text = ""
    for factor in head:
        if isinstance(factor, Power) and isinstance(factor.exponent, Number) and factor.exponent.value < 0:
            text = (text or "1") + "/" + _bracketed(_denominator(factor), _POWER)
        else:
            part = _bracketed(factor, _PRODUCT if not text else _POWER)
            text = f"{text}*{part}" if text else part
    return sign + text, _SUM if sign else _PRODUCT


def _denominator(factor: Power) -> Node:
    assert isinstance(factor.exponent, Number)
    exponent = -factor.exponent.value
    return factor.base if exponent == 1 else Power(factor.base, Number(exponent))


def _power(base: Node, exponent: Node) -> tuple[str, int]:
    if isinstance(exponent, Number):
        if exponent.value == Fraction(1, 2):
            return f"sqrt({to_text(base)})", _ATOM
        if exponent.value < 0:
            return _product((Power(base, exponent),))
    return f"{_bracketed(base, _ATOM)}**{_bracketed(exponent, _ATOM)}", _POWER


def _polynomial(coefficients: tuple[Fraction, ...]) -> tuple[str, int]:
    monomials = ["1", "s", *(f"s**{degree}" for degree in range(2, len(coefficients)))]
    terms = []
    for c, monomial in zip(coefficients, monomials, strict=False):
        if c:
            sign, size = ("-", -c) if c < 0 else ("", c)
            terms.append(
                sign + (rational_text(size) if monomial == "1" else monomial if size == 1 else f"{rational_text(size)}*{monomial}")
            )
    return _sum([(term, _PRODUCT) for term in terms]) or "0", _SUM
