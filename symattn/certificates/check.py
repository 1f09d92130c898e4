"""The independent checker of certificates (docs/certificates.md), in plain Python: ``python check.py FILE ..``.

It imports nothing but the standard library and trusts no number of a file: it reads strictly, computes the network again and says in its
own words what it has proved. From top to bottom: outcomes and bounds, strict reading, number systems and normalizers, instances and the
network, and the kinds: those of the collapse path, enclosures, jets, equality.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd, isqrt
from operator import mul
from types import SimpleNamespace
from typing import Any

__all__ = ["Result", "check", "main"]

Matrix = list[list[Fraction]]
Row = Sequence[Any]  # of numbers of one of the number systems below
Rows = Sequence[Row]
Vectors = list[tuple[int, dict[int, Fraction]]]  # kernel vectors: the own column, and the other entries
Found = tuple[list[str], list[str], list[str]]  # sentences, proven, assumed

BYTES, LEVELS, DIGITS, SIZE, BANK, ITEMS, POWER, ORDER = 8 << 20, 12, 4000, 64, 4096, 400, 1000, 4096
PRIME, BITS, EXPONENT, DEGREE = 1 << 64, 65536, 100000, 64
MEMORY, LONG, HUGE = 1 << 33, 3 << 18, 1 << 16  # our own bounds of work: bits held at once, bits of one exact number, arguments of exp
LATE = "beyond the time bound"


class Malformed(Exception):
    """The file is not a certificate, or is beyond a limit."""


class Invalid(Exception):
    """The file states something that is false, or that its evidence does not prove."""


@dataclass(frozen=True)
class Result:
    """What the check of one file found: ``verdict`` is valid, invalid or malformed, ``claims`` are our own sentences."""

    verdict: str
    reason: str
    kind: str = ""
    claims: tuple[str, ...] = ()
    proven: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    digest: str = ""


class Clock:
    """The time bound, and bounds on the size of exact numbers: of each, and of those that were made for one input together."""

    def __init__(self, seconds: float) -> None:
        self.end, self.made = time.monotonic() + seconds, 0

    def tick(self, *numbers: Any) -> None:
        expect(time.monotonic() <= self.end, LATE)
        for x in numbers:
            expect(max(x.numerator.bit_length(), x.denominator.bit_length()) <= LONG, f"{LATE}: an exact number is too long")


def expect(condition: bool, reason: str) -> None:
    """The form of a file, or a limit."""
    if not condition:
        raise Malformed(reason)


def require(condition: bool, reason: str) -> None:
    """The next step of a proof, or the first false one."""
    if not condition:
        raise Invalid(reason)


# Strict reading.


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def document(data: bytes) -> Any:
    """The JSON value of canonical bytes; nesting and digits are bounded before anything is converted."""
    expect(len(data) <= BYTES, "more than 8 MiB")
    expect(data.isascii(), "not ASCII")
    text, depth, deep = data.decode("ascii"), 0, f"more than {LEVELS} levels of nesting"
    expect(all(len(found.group()) <= DIGITS for found in re.finditer("[0-9]+", text)), f"an integer of more than {DIGITS} digits")
    for found in re.finditer(r'(?s)"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', text):  # strings are passed over, each character once
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found.group()[0], 0)
        expect(depth <= LEVELS, deep)
    try:
        value = json.loads(text, parse_float=str, parse_constant=str)
    except ValueError:
        raise Malformed("not a JSON document") from None
    expect(canonical(value) + b"\n" == data, "not in canonical bytes (sorted keys, no spaces, no floats, one newline at the end)")
    return value


def read(value: Any, form: Any, where: str) -> Any:
    """A JSON value of the given form, found at this place.

    A form is a type, a range of integers, a dict (an object with exactly these keys), a tuple (a list with these entries), a list
    ``[entry, least, most]`` (a list of so many entries), a function, or None for what is read later.
    """
    if form is None:
        return value
    if isinstance(form, range):
        if type(value) is not int or value not in form:
            raise Malformed(f"{where}: expected an{' odd' * (form.step == 2)} integer from {form.start} to {form.stop - 1}")
        return value
    if isinstance(form, type):
        expect(type(value) is form, f"{where}: expected {'true or false' if form is bool else 'a text'}")
        return value
    if isinstance(form, dict):
        names = ", ".join(form) or "(none)"
        expect(type(value) is dict and value.keys() == form.keys(), f"{where}: expected an object with exactly the keys {names}")
        return SimpleNamespace(**{name: read(value[name], form[name], name) for name in form})
    if isinstance(form, tuple):
        expect(type(value) is list and len(value) == len(form), f"{where}: expected a list of {len(form)} entries")
        return tuple(read(each, entry, where) for each, entry in zip(value, form, strict=True))
    if isinstance(form, list):
        entry, least, most = form
        expect(type(value) is list and least <= len(value) <= most, f"{where}: expected a list of {least} to {most} entries")
        return [read(each, entry, where) for each in value]
    return form(value, where)


def quotient(text: str, where: str) -> Fraction:
    found = re.fullmatch("(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?", text, re.ASCII)
    if not found:
        raise Malformed(f"{where}: not a rational: {text[:40]!a}")
    above, below = int(found[1]), int(found[2] or 1)
    expect(not found[2] or (below > 1 and gcd(above, below) == 1), f"{where}: not in lowest terms: {text[:40]!a}")
    return Fraction(above, below)


def rational(value: Any, where: str) -> Fraction:
    expect(type(value) is int or (type(value) is str and "/" in value), f"{where}: expected an integer or a text a/b")
    return Fraction(value) if type(value) is int else quotient(value, where)


def up_to(high: int, low: int = 1) -> range:
    return range(low, high + 1)


def matrix(rows: int, columns: int) -> Any:
    return [[rational, columns, columns], rows, rows]


LARGEST = 10**DIGITS
COUNT, MODULUS, INTEGER = up_to(LARGEST, 0), up_to(PRIME - 1, -LARGEST), up_to(LARGEST, -LARGEST)
DECIMAL = (INTEGER, up_to(EXPONENT, -EXPONENT))


def exact(decimal: tuple[int, int]) -> Fraction:
    return decimal[0] * Fraction(10) ** decimal[1]


def kernel_vectors(value: Any, total: int) -> Vectors:
    """Vectors [c, [[j, q], ..]]: own columns c ascend and are no entries of any vector, so the vectors are independent."""
    vectors = read(value, [(up_to(total), [(up_to(total), rational), 0, total]), 0, total], "kernel")
    owned = {own for own, _ in vectors}
    expect([own for own, _ in vectors] == sorted(owned), "kernel: own columns must ascend")
    for _, pairs in vectors:
        columns = [j for j, _ in pairs]
        expect(columns == sorted(set(columns)) and all(q for _, q in pairs), "kernel: columns must ascend, and entries must not be 0")
        expect(owned.isdisjoint(columns), "kernel: own columns must not appear in other places")
    return [(own, dict(pairs)) for own, pairs in vectors]


# Number systems. Each has number, dot (a sum of products) and inverse, from which all else is built.


def turned(a: Rows) -> Rows:
    return list(zip(*a, strict=True))


class Ring:
    """What the number systems share; ``held`` is about how many bits one number takes."""

    def constants(self: Any) -> None:
        self.zero, self.one, self.minus = (self.number(j) for j in (0, 1, -1))

    def add(self: Any, a: Any, b: Any) -> Any:
        return self.dot((a, b), (self.one, self.one))

    def sub(self: Any, a: Any, b: Any) -> Any:
        return self.dot((a, b), (self.one, self.minus))

    def mul(self: Any, a: Any, b: Any) -> Any:
        return self.dot((a,), (b,))

    def scaled(self: Any, a: Row, b: Row) -> Row:
        return [self.mul(x, y) for x, y in zip(a, b, strict=True)]

    def product(self: Any, a: Rows, b: Rows) -> Rows:
        columns = turned(b)
        return [[self.dot(row, column) for column in columns] for row in a]

    def lift(self: Any, a: Matrix) -> Rows:
        return [[self.number(q) for q in row] for row in a]


class Numbers(Ring):
    """Rational numbers, or Z/p^N where p is given, which must be an odd prime."""

    def __init__(self, clock: Clock, p: int | None = None, precision: int = 1) -> None:
        require(p is None or (p > 2 and is_prime(p)), f"{p} is not an odd prime")
        self.clock, self.p = clock, p or 0
        self.m: int = self.p**precision
        self.held = self.m.bit_length() or 64
        self.constants()

    def number(self, q: Any) -> Any:
        if not self.p:
            return q.numerator if q.denominator == 1 else q  # int is faster than Fraction
        require(q.denominator % self.p != 0, "the prime divides a denominator, a divisor, a constant term or the number of tokens")
        return q.numerator * pow(q.denominator, -1, self.m) % self.m

    def dot(self, a: Row, b: Row) -> Any:
        self.clock.tick()
        if self.p:
            return sum(map(mul, a, b)) % self.m
        above, below = 0, 1
        for x, y in zip(a, b, strict=True):
            if x and y:
                top, bottom = x.numerator * y.numerator, x.denominator * y.denominator
                common = gcd(below, bottom)
                above, below = above * (bottom // common) + top * (below // common), below * (bottom // common)
                self.clock.tick(above, below)
        self.clock.made += above.bit_length() + below.bit_length()
        expect(self.clock.made <= MEMORY, f"{LATE}: the exact numbers of one input are too many bits")
        return self.number(Fraction(above, below))

    def inverse(self, a: Any) -> Any:
        (require if self.p else expect)(a != 0, "a divisor, or the constant term of a normalizer, is 0")
        return self.number(Fraction(1) / a)

    def start(self, name: str, a: Any) -> tuple[Any, Any]:
        """(exp, exp), (sin, cos) or (log, log) of a number, known at 0, 0 and 1 only."""
        expect(a == (name == "log"), f"the argument of {name} in a normalizer must have constant term {int(name == 'log')}")
        return int(name == "exp"), int(name != "log")


Ball = tuple[int, int]  # middle and radius, in units of 2^-bits


class Balls(Ring):
    """Real numbers enclosed by fixed-point intervals; every operation rounds its radius up."""

    def __init__(self, bits: int, clock: Clock) -> None:
        self.bits, self.clock, self.held = bits, clock, 2 * bits
        self.constants()

    def number(self, q: Any) -> Ball:
        middle, rest = divmod(q.numerator << self.bits, q.denominator)
        return middle, int(rest != 0)

    def dot(self, a: Row, b: Row) -> Ball:
        """|x y - m m'| <= (|m| + r) r' + r |m'|; one unit each for the two roundings down."""
        (am, ar), (bm, br) = turned(a) or ((), ()), turned(b) or ((), ())
        error = sum(map(mul, map(abs, am), br)) + sum(map(mul, map(abs, bm), ar)) + sum(map(mul, ar, br))
        middle, radius = sum(map(mul, am, bm)) >> self.bits, (error >> self.bits) + 2
        self.clock.tick(middle, radius)
        return middle, radius

    def inverse(self, a: Ball) -> Ball:
        """1 / m, and |1/x - 1/m| <= r / (|m| (|m| - r))."""
        middle, radius = a
        size = abs(middle)
        require(size > radius, "a divisor is not proved to be nonzero")
        return (1 << 2 * self.bits) // middle, ((radius << (2 * self.bits)) // (size * (size - radius)) if radius else 0) + 2

    def start(self, name: str, a: Ball) -> Sequence[Ball]:
        """(exp, exp) or (sin, cos): the Taylor series of exp(z) at z = a / 2^h or i a / 2^h, then h squarings."""
        require(name != "log", "enclosures know only exp, sin, cos, arithmetic and whole powers")
        size, real = (abs(a[0]) + a[1]) >> self.bits, name == "exp"
        expect(size <= HUGE, f"{LATE}: the argument of exp, sin or cos is too large")
        halvings = size.bit_length() + isqrt(self.bits) // 2 + 4
        extra = halvings + 24 + (3 * size // 2 if real else 0)
        fine = Balls(self.bits + halvings + extra, self.clock)

        def times(x: Sequence[Ball], y: Sequence[Ball]) -> list[Ball]:
            return [fine.dot(x, (y[1], y[0])), fine.dot(x, ((-y[0][0], y[0][1]), y[1]))]

        z, k = (a[0] << extra, a[1] << extra), 0  # a / 2^h exactly, of size at most 2^-4; complex numbers are (imaginary, real) here
        total = term = [fine.zero, fine.one]
        while max(abs(term[0][0]), abs(term[1][0])) > 8:
            k += 1
            term = [(middle // k, radius // k + 2) for middle, radius in times(term, [fine.zero, z] if real else [z, fine.zero])]
            total = [(x[0] + y[0], x[1] + y[1]) for x, y in zip(total, term, strict=True)]
        rest = sum(abs(middle) + radius for middle, radius in term)  # each later term is at most half of the one before
        total = [(middle, radius + rest) for middle, radius in total]
        for _ in range(halvings):
            total = times(total, total)
        found = [(middle >> (halvings + extra), (radius >> (halvings + extra)) + 2) for middle, radius in total]
        return [found[1]] * 2 if real else found


class Series(Ring):
    """Power series with the given number of terms over another number system; with two terms, values and derivatives."""

    def __init__(self, terms: int, base: Any) -> None:
        expect(terms <= 2 * ORDER, f"{LATE}: series of {terms} terms")
        self.terms, self.base, self.held, self.clock = terms, base, terms * base.held, base.clock
        self.constants()
        self.variable = (base.zero, base.one, *[base.zero] * terms)[:terms]

    def number(self, q: Any) -> Row:
        return (self.base.number(q), *[self.base.zero] * (self.terms - 1))

    def dot(self, a: Row, b: Row) -> Row:
        total, back = [], [y[::-1] for y in b]
        for k in range(self.terms):
            total.append(self.base.dot([c for x in a for c in x[: k + 1]], [c for y in back for c in y[self.terms - 1 - k :]]))
        return tuple(total)

    def inverse(self, a: Row) -> Row:
        first = self.base.inverse(a[0])
        out, factor = [first], self.base.mul(self.base.minus, first)
        for n in range(1, self.terms):
            out.append(self.base.mul(factor, self.base.dot(a[1 : n + 1], out[::-1])))
        return tuple(out)

    def function(self, name: str, a: Row) -> Any:
        """exp, log, sin, cos by their differential equations, from their values at the constant term."""
        base = self.base
        left, right = base.start(name, a[0])
        slope = [base.mul(base.number(j), x) for j, x in enumerate(a)]
        shares = [base.number(Fraction(1, n)) for n in range(1, self.terms)]
        if name == "log":  # s (log a)' = s a' / a
            return (left, *base.scaled(self.mul(slope, self.inverse(a))[1:], shares))
        # (sin a)' = a' cos a and (cos a)' = -a' sin a; without the sign, both are exp if they are so at the constant term.
        first, second, sign = [left], [right], base.one if name == "exp" else base.minus
        for n, share in enumerate(shares, 1):
            up, down = base.dot(slope[1 : n + 1], second[::-1]), base.dot(slope[1 : n + 1], first[::-1])
            first.append(base.mul(share, up))
            second.append(base.mul(base.mul(sign, share), down))
        return tuple(second if name == "cos" else first)

    def power(self, a: Row, q: Fraction) -> Any:
        """By repeated squaring, or exp(q log a) where q is not an integer."""
        if q.denominator != 1:
            return self.function("exp", self.mul(self.number(q), self.function("log", a)))
        base, value = self.inverse(a) if q < 0 else a, self.one
        for digit in bin(abs(q.numerator))[2:]:
            value = self.mul(value, value)
            value = self.mul(value, base) if digit == "1" else value
        return value


def is_prime(p: int) -> bool:
    """Miller and Rabin with the first twelve primes as bases, which is a proof below 3.3 * 10^24 (Sorenson and Webster)."""
    bases, odd = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37), p - 1
    if p <= bases[-1]:
        return p in bases
    while odd % 2 == 0:
        odd //= 2
    twos = ((p - 1) // odd).bit_length() - 1
    return all(pow(base, odd, p) == 1 or any(pow(base, odd << k, p) == p - 1 for k in range(twos)) for base in bases)


def evaluate(text: str, algebra: Any, variable: Any) -> Any:
    """The value of a normalizer in postfix, in any algebra with number, add, sub, mul, inverse, power and function."""
    items, stack = text.split(" "), list[Any]()
    expect(len(items) <= ITEMS, f"a normalizer of more than {ITEMS} items")
    for item in items:
        operands = 2 if item in ("+", "-", "*", "/") else int(item in ("exp", "log", "sin", "cos") or item[:1] == "^")
        expect(len(stack) >= operands, f"a normalizer has too few operands for {item[:40]!a}")
        stack, taken = stack[: len(stack) - operands], stack[len(stack) - operands :]
        if item == "/":
            value = algebra.mul(taken[0], algebra.inverse(taken[1]))
        elif operands == 2:
            value = {"+": algebra.add, "-": algebra.sub, "*": algebra.mul}[item](*taken)
        elif item[:1] == "^":
            q = quotient(item[1:], "a normalizer")
            expect(max(abs(q.numerator), q.denominator) <= POWER, f"a power beyond {POWER} in a normalizer")
            value = algebra.power(*taken, q)
        elif operands:
            value = algebra.function(item, *taken)
        else:
            value = variable if item == "s" else algebra.number(quotient(item, "a normalizer"))
        stack.append(value)
    expect(len(stack) == 1, "a normalizer must leave one value")
    return stack[0]


# Instances, and the network, written once: scores and values in any ring, and the derivative by one pass backwards.


class Stack:
    """A path, or a tuple with U = M and W and V the identity: layers (U, W, V) with scores U W^T and values V.

    ``degrees`` are those that are called k; ``places`` says for each native column its layer, 0, 1, 2 for Q, K, V, its row and its column.
    """

    def __init__(self, value: Any, where: str, clock: Clock, *, is_path: bool) -> None:
        layers = {"layers": [None, 1, SIZE]} if is_path else {"M": [None, 1, SIZE]}
        others = {"bank": [None, 0, BANK]} if is_path else {"L": None, "outputs": up_to(SIZE)}
        sizes = {"tokens": up_to(SIZE, 2), "width": up_to(SIZE)}
        given = read(value, {**sizes, **layers, **others, "normalizers": [str, 1, SIZE]}, where)
        self.n, self.d, self.normalizers = n, d, _ = given.tokens, given.width, given.normalizers
        self.layers: list[tuple[Matrix, Matrix, Matrix]] = []
        self.places: list[tuple[int, int, int, int]] = []
        if is_path:
            self.bank = read(given.bank, [matrix(n, d), 0, BANK], "bank")
            for i, layer in enumerate(given.layers):
                rank = len(read(layer, {"U": [[None, 1, d], d, d], "V": None, "W": None}, "a layer").U[0])
                parts = read(layer, {"U": matrix(d, rank), "V": matrix(d, d), "W": matrix(d, rank)}, "a layer")
                self.layers.append((parts.U, parts.W, parts.V))
                self.places += [(i, part, a, b) for part, width in enumerate((rank, rank, d)) for a in range(d) for b in range(width)]
        else:
            one = [[Fraction(a == b) for b in range(d)] for a in range(d)]
            self.L = read(given.L, matrix(given.outputs, d), "L")
            self.layers = [(score, one, one) for score in read(given.M, [matrix(d, d), 1, SIZE], "M")]
        expect(len(self.normalizers) == len(self.layers), "normalizers: expected one for each layer")
        found, ring = {}, Series(DEGREE + 1, Numbers(clock))
        for text in dict.fromkeys(self.normalizers):
            first, *later = evaluate(text, ring, ring.variable)
            reason = f"normalizers: must be positive at 0, with a nonzero coefficient of a degree from 1 to {DEGREE}"
            expect(first > 0 and any(later), reason)
            found[text] = next(j for j, x in enumerate(later, 1) if x)
        self.degrees = [found[text] for text in self.normalizers]

    def weight(self, column: int) -> int:
        return int(self.places[column - 1][1] < 2)


# What a layer leaves for the pass backwards: tokens x, x A, weights w, phi'(s_ab) / sum_c phi(s_ac), averages y, and all x_b - y_a.
Step = tuple[Rows, Rows, Rows, Rows, Rows, Sequence[Rows]]


class Network:
    """A stack over one number system, with all scores multiplied by u; ``source`` is where normalizers are expanded, None for balls."""

    def __init__(self, ring: Any, stack: Stack, u: Any, source: Series | None, others: int = 0) -> None:
        n, d, depth = stack.n, stack.d, len(stack.layers)
        numbers = depth * (n * (3 * n + 6 * d + n * d) + 6 * d * d) + others  # about what is held at once
        expect(numbers * (ring.held + 400) <= MEMORY, f"{LATE}: it would take {numbers} numbers of {ring.held} bits at once")
        self.ring, self.n, self.d = ring, n, d
        ring.inverse(ring.number(n))  # a prime must not divide n
        slopes = {text: self.slope(text, source) for text in dict.fromkeys(stack.normalizers)}
        self.factors = [[ring.lift(part) for part in layer] for layer in stack.layers]
        self.layers = []
        for (left, right, value), text in zip(self.factors, stack.normalizers, strict=True):
            score = [ring.scaled([u] * d, row) for row in ring.product(left, turned(right))]
            self.layers.append((score, value, slopes[text]))

    def slope(self, text: str, source: Series | None) -> Callable[[Any], Any]:
        """phi and phi' by the rules of differentiation, or from coefficients by Horner's rule, where higher terms vanish."""
        ring, duals = self.ring, Series(2, self.ring)
        if source is None:
            return lambda s: evaluate(text, duals, (s, ring.one))
        last, *others = (duals.number(c) for c in reversed(evaluate(text, source, source.variable)))
        ring.inverse(others[-1][0])  # a prime must not divide phi(0)

        def horner(s: Any) -> Any:
            value = last
            for c in others:
                value = duals.dot((value, c), ((s, ring.one), duals.one))
            return value

        return horner

    def forward(self, tokens: Rows, depth: int = SIZE) -> tuple[list[Step], Rows]:
        """The steps and the output tokens (rows) of the first layers."""
        ring, steps = self.ring, list[Step]()
        ring.clock.made = 0
        for score, value, slope in self.layers[:depth]:
            queries = ring.product(tokens, score)
            both = [turned([slope(ring.dot(query, token)) for token in tokens]) for query in queries]
            shares = [[ring.inverse(ring.dot(phi, [ring.one] * self.n))] * self.n for phi, _ in both]
            weights = [ring.scaled(phi, share) for (phi, _), share in zip(both, shares, strict=True)]
            slopes = [ring.scaled(change, share) for (_, change), share in zip(both, shares, strict=True)]
            means = ring.product(weights, tokens)
            gaps = [[[ring.sub(x, y) for x, y in zip(token, mean, strict=True)] for token in tokens] for mean in means]
            steps.append((tokens, queries, weights, slopes, means, gaps))
            tokens = ring.product(means, turned(value))
        return steps, tokens

    def backward(self, steps: list[Step], token: int, form: Row) -> list[tuple[Rows, Rows]]:
        """Of a linear form in one output token, the derivatives in the score and in the value of each layer."""
        ring, found = self.ring, list[tuple[Rows, Rows]]()
        bar: Rows = [form if a == token else [ring.zero] * self.d for a in range(self.n)]
        for (score, value, _), (tokens, queries, weights, slopes, means, gaps) in zip(self.layers[::-1], steps[::-1], strict=True):
            in_value, bar = ring.product(turned(bar), means), ring.product(bar, value)
            changes = [[ring.dot(part, gap) for gap in row] for part, row in zip(bar, gaps, strict=True)]
            in_scores = [ring.scaled(slope, change) for slope, change in zip(slopes, changes, strict=True)]
            keys = ring.product(in_scores, tokens)
            found.append((ring.product(turned(tokens), keys), in_value))
            left = [[*w, *s, *key] for w, s, key in zip(turned(weights), turned(in_scores), keys, strict=True)]
            bar = ring.product(left, [*bar, *queries, *turned(score)])
        return found[::-1]

    def columns(self, steps: list[Step], token: int, coordinate: int) -> Row:
        """The divided native columns of one output: G W, G^T U and the derivative in V, layer by layer."""
        ring, row = self.ring, list[Any]()
        unit = [ring.one if j == coordinate else ring.zero for j in range(self.d)]
        for (in_score, in_value), (u, w, _) in zip(self.backward(steps, token, unit), self.factors, strict=True):
            for part in (ring.product(in_score, w), ring.product(turned(in_score), u), in_value):
                row += [entry for line in part for entry in line]
        return row


def eliminate(rows: list[list[int]], ring: Numbers, *, exchange: bool) -> list[int]:
    """The valuations of the pivots of a square matrix over Z/p^N, each of which must divide its row and column."""
    p, m, found = ring.p, ring.m, []
    for i in range(len(rows)):
        if exchange:
            rows[i:] = sorted(rows[i:], key=lambda row: row[i] % p == 0)
        pivot, v = rows[i][i], 0
        require(pivot != 0, f"pivot {i + 1} is 0: the matrix is singular, or the precision too small")
        while pivot % p == 0:
            pivot, v = pivot // p, v + 1
        divisor, unit = p**v, pow(pivot, -1, m)
        require(not any(entry % divisor for entry in rows[i][i:]), f"pivot {i + 1} does not divide its row")
        require(not any(row[i] % divisor for row in rows[i:]), f"pivot {i + 1} does not divide its column")
        for row in rows[i + 1 :]:
            ring.clock.tick()
            factor = row[i] // divisor * unit
            row[i:] = [(entry - factor * other) % m for entry, other in zip(row[i:], rows[i][i:], strict=True)]
        found.append(v)
    return found


# The collapse path: kernel, rank, spectrum, bank.


def check_kernel(path: Stack, vectors: Vectors, claimed: int, clock: Clock) -> str:
    """The differential of the reduction vanishes at t = 1 in the direction of each vector: parameters move by multiples of s, s^2 = 0."""
    require(len(vectors) == claimed, "the number of kernel vectors is not the claimed one")
    ring = Series(2, Numbers(clock))
    layers = [[ring.lift(part) for part in layer] for layer in path.layers]
    prefixes: list[Rows] = [[[ring.one if a == b else ring.zero for b in range(path.d)] for a in range(path.d)]]
    for _, _, v in layers if vectors else []:
        prefixes.append(ring.product(v, prefixes[-1]))

    def stays(a: Rows) -> bool:
        return not any(entry[1] for row in a for entry in row)

    for own, entries in vectors:
        where = f"kernel vector of column {own}"
        require(not path.weight(own) or all(map(path.weight, entries)), f"{where}: a query or key direction holds a value")
        moved: dict[int, list[list[list[Any]]]] = {}
        for column, q in ((own, Fraction(1)), *entries.items()):
            i, part, a, b = path.places[column - 1]
            if i not in moved:
                moved[i] = [[list(row) for row in rows] for rows in layers[i]]
            moved[i][part][a][b] = (path.layers[i][part][a][b], q)
        prefix = prefixes[0]
        for i, layer in enumerate(layers):
            if i in moved or not stays(prefix):
                u, w, v = moved.get(i, layer)
                query, key = ring.product(turned(prefix), u), ring.product(turned(prefix), w)
                require(stays(ring.product(query, turned(key))), f"{where}: an effective score changes")
                prefix = ring.product(v, prefix)
            else:
                prefix = prefixes[i + 1]
        require(stays(prefix), f"{where}: the effective value map changes")
    shape = f"{path.n} tokens of width {path.d}, depth {len(path.layers)}, {len(path.places)} columns"
    return f"the native Jacobian ({shape}) has at least {claimed} independent kernel directions, on every bank and for every t"


def valuations(path: Stack, p: int, precision: int, pivots: list[tuple[int, int, int, int]], clock: Clock) -> list[int]:
    """The valuations of the pivots at u = p in Z/p^N, or Invalid at the first that fails."""
    ring = Numbers(clock, p, precision)
    require(precision <= p - 2, "the precision is beyond p - 2")
    network = Network(ring, path, ring.number(p), Series(precision + 1, ring), 2 * len(path.places) + len(pivots) ** 2)
    inputs, rows = [ring.lift(data) for data in path.bank], list[list[int]]()  # the prime must not divide a denominator of any input
    for position, token, coordinate, _ in pivots:
        steps, _ = network.forward(inputs[position - 1])
        row = network.columns(steps, token - 1, coordinate - 1)
        rows.append([row[column - 1] for *_, column in pivots])
    found = eliminate(rows, ring, exchange=False)
    require(precision == 1 + max(found, default=0), "the precision is not one more than the largest valuation of a pivot")
    require(sum(found) <= p - 3, "the valuations of the pivots add up to more than p - 3")
    return found


def divisibilities(path: Stack, contrasts: bool, bounds: list[int], clock: Clock) -> None:
    """Token contrasts, or covariances, are divisible by these powers of u on the bank: power series in u over Q."""
    deepest = max((i for i, bound in enumerate(bounds, 1) if bound), default=0)
    ring = Series(max(*bounds, 2), Numbers(clock))
    network = Network(ring, path, ring.variable, Series(ring.terms + 1, ring.base))
    for position, data in enumerate(path.bank if deepest else [], 1):
        steps, last = network.forward(ring.lift(data), deepest - contrasts)
        entering = [*(step[0] for step in steps), last]
        for i, bound in enumerate(bounds[:deepest]):
            tokens, small = entering[i], list[Row]()
            if contrasts:
                small += [[ring.sub(x, y) for x, y in zip(token, tokens[0], strict=True)] for token in tokens]
            else:
                for row, gap in zip(steps[i][3], steps[i][5], strict=True):
                    small += ring.product([ring.scaled(row, x) for x in turned(gap)], tokens)
            right = not any(any(entry[:bound]) for line in small for entry in line)
            what = "a difference of tokens" if contrasts else "a covariance"
            require(right, f"input {position}, layer {i + 1}: {what} has a term below u^{bound}")


def check_path(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    path = Stack(instance, "instance", clock, is_path=True)
    total, inputs, depth = len(path.places), len(path.bank), len(path.layers)
    expect((kind == "kernel") == (not inputs), "bank: expected none for the kind kernel, and at least one input for the others")
    ordered = kind in ("spectrum", "bank")
    claims: dict[str, Any] = {"kernel": COUNT}
    proofs: dict[str, Any] = {"kernel": None}
    if kind != "kernel":
        claims["rank"] = COUNT
        pivot = (up_to(inputs), up_to(path.n), up_to(path.d), up_to(total))
        proofs |= {"pivots": [pivot, 0, BYTES], "precision": up_to(ORDER), "prime": MODULUS}
    if ordered:
        claims["orders"], proofs["lower"] = [(COUNT, up_to(LARGEST)), 0, BYTES], None
    if kind == "bank":
        claims["size"] = COUNT
    claimed, given = read(claim, claims, "claim"), read(evidence, proofs, "evidence")
    vectors = kernel_vectors(given.kernel, total)
    if kind == "kernel":
        return [check_kernel(path, vectors, claimed.kernel, clock)], ["kernel-at-least"], []
    rank, pivots = claimed.rank, given.pivots
    distinct = len({pivot[:3] for pivot in pivots}) == len({pivot[3] for pivot in pivots}) == len(pivots)
    expect(distinct, "pivots: rows must be distinct, and columns must be distinct")
    levels = claimed.orders if ordered else []
    expect([order for order, _ in levels] == sorted({order for order, _ in levels}), "orders: must ascend")
    names = {"none": [], "order-lemma": [], "token-contrasts": ["contrasts"], "covariances": ["valuations"]}
    lower = given.lower if ordered else {"by": "none"}
    by = str(lower.get("by")) if type(lower) is dict else ""
    expect(by in names, f"lower: by must be one of {', '.join(names)}")
    expect(kind != "bank" or by == "order-lemma", "lower: a bank needs the order lemma")
    stated = read(lower, {"by": str, **{name: [COUNT, depth, depth] for name in names[by]}}, "lower")
    bounds = next((getattr(stated, name) for name in names[by]), [0])
    for k in path.degrees[:-1] if by == "order-lemma" else []:
        bounds.append(3 * bounds[-1] + k)
    # All is read; what follows is the proof.
    full, owned = rank + len(vectors) == total, {own for own, _ in vectors}
    require(kind != "bank" or claimed.size == inputs, "the size is not that of the bank")
    require(len(pivots) == rank, "the number of pivots is not the claimed rank")
    require(not any(column in owned for *_, column in pivots), "a pivot stands in an own column of a kernel vector")
    require(not ordered or sum(times for _, times in levels) == rank, "the multiplicities of the orders do not add up to the rank")
    orders = [order for order, times in levels for _ in range(times)]
    if by != "none":
        require(full, "rank and kernel do not account for all columns")
        least = [2 * c + 1 if by == "covariances" else 4 * c + 2 * k - 1 for c, k in zip(bounds, path.degrees, strict=True)]
        divided = [least[i] if part < 2 else 0 for column, (i, part, _, _) in enumerate(path.places, 1) if column not in owned]
        require(sorted(divided) == orders, "the claimed orders are not the divisibilities of the columns")
    said = [check_kernel(path, vectors, claimed.kernel, clock)]
    found = valuations(path, given.prime, given.precision, pivots, clock)
    said.append(f"on this bank ({inputs} inputs) it has rank {'' if full else 'at least '}{rank} for all small t other than 0")
    proven = ["kernel", "rank"] if full else ["kernel-at-least", "rank-at-least"]
    if not ordered:
        return said, proven, []
    reached = [2 * v + path.weight(column) for v, (*_, column) in zip(found, pivots, strict=True)]
    require(sorted(reached) == orders, "the claimed orders are not the orders of the pivots")
    if names[by]:
        divisibilities(path, by == "token-contrasts", bounds, clock)
    text = ", ".join(f"{order} ({times} time{'s' * (times > 1)})" for order, times in levels)
    said.append(f"its {'least contact orders have sums at most those of' if by == 'none' else 'contact orders are'} {text}")
    proven.append("order-sums-at-most" if by == "none" else "orders")
    if kind == "bank":
        said.append("no bank of any size has smaller contact orders")
        proven.append("separating")
    return said, sorted(proven), ["order-lemma"] if by == "order-lemma" else []


# Enclosures: singular values at one t.


def negative_pivots(balls: Balls, a: Rows) -> int:
    """The number of negative eigenvalues of a symmetric matrix (lower half given), by L D L^T."""
    lower, inverses, negative = list[Row](), list[Ball](), 0  # the rows of L, the inverses of D
    for row in a:
        scaled: list[Ball] = []  # the row of L D
        for entry, other in zip(row, lower, strict=False):
            scaled.append(balls.sub(entry, balls.dot(scaled, other)))
        lower.append(balls.scaled(scaled, inverses))
        middle, radius = pivot = balls.sub(row[-1], balls.dot(scaled, lower[-1]))
        require(abs(middle) > radius, "a pivot of the elimination is not proved to be nonzero")
        negative += middle < 0
        inverses.append(balls.inverse(pivot))
    return negative


def check_enclosure(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    path = Stack(instance, "instance", clock, is_path=True)
    total, inputs = len(path.places), len(path.bank)
    expect(inputs > 0, "bank: expected at least one input")
    values_form = [(DECIMAL, DECIMAL, up_to(LARGEST)), 0, BYTES]
    claimed = read(claim, {"kernel": COUNT, "rank": COUNT, "t": rational, "values": values_form}, "claim")
    given = read(evidence, {"bits": up_to(BITS), "kernel": None}, "evidence")
    rank, t, values, vectors = claimed.rank, claimed.t, claimed.values, kernel_vectors(given.kernel, total)
    expect(t != 0, "t: must not be 0")
    for i, (low, high, _) in enumerate(values):
        clock.tick()
        expect(0 < exact(low) < exact(high), "values: expected 0 < lower < upper")
        expect(i == 0 or exact(high) <= exact(values[i - 1][0]), "values: expected disjoint intervals in descending order")
    # All is read; what follows is the proof.
    require(rank + len(vectors) == total, "rank and kernel do not account for all columns")
    require(sum(times for *_, times in values) == rank, "the multiplicities do not add up to the rank")
    check_kernel(path, vectors, claimed.kernel, clock)
    balls, owned = Balls(given.bits, clock), {own for own, _ in vectors}
    # The basis b_j = e_j - sum_c q_cj e_c of the complement of the kernel, in native columns.
    basis = {j: {j: Fraction(1)} for j in range(1, total + 1) if j not in owned}
    for own, entries in vectors:
        for j, q in entries.items():
            basis[j][own] = -q * t if path.weight(j) > path.weight(own) else -q
    network = Network(balls, path, balls.number(t * t), None, inputs * path.n * path.d * rank + 4 * rank**2 + 2 * total)
    scale = [balls.number(t) if path.weight(column) else balls.one for column in range(1, total + 1)]
    lifted = [([c - 1 for c in vector], [balls.number(q) for q in vector.values()]) for vector in basis.values()]
    reduced = []
    for data in path.bank:
        steps, _ = network.forward(balls.lift(data))
        for a, b in product(range(path.n), range(path.d)):
            row = balls.scaled(network.columns(steps, a, b), scale)
            reduced.append([balls.dot([row[c] for c in places], factors) for places, factors in lifted])
    columns = turned(reduced)
    gram = [[balls.dot(columns[i], columns[j]) for j in range(i + 1)] for i in range(rank)]
    metric: list[Row] = []
    for i, first in enumerate(basis.values()):
        clock.tick()
        others = list(basis.values())[: i + 1]
        metric.append([balls.number(sum(q * other.get(c, 0) for c, q in first.items())) for other in others])
    below = rank
    for low, high, times in values:
        for bound, expected in ((high, below), (low, below - times)):
            x = balls.number(-(exact(bound) ** 2))
            pencil = [[balls.dot((a, x), (balls.one, h)) for a, h in zip(*both, strict=True)] for both in zip(gram, metric, strict=True)]
            right = negative_pivots(balls, pencil) == expected
            require(right, f"there are not {expected} singular values below {bound[0]}e{bound[1]}"[:200])
        below -= times
    at = f"at t = {t}" if len(str(t)) < 50 else "at this t"
    said = f"{at} the native Jacobian on this bank ({inputs} inputs) has rank {rank}"
    shown = ", ".join(f"({low[0]}e{low[1]}, {high[0]}e{high[1]}) {many} time{'s' * (many > 1)}" for low, high, many in values)
    return [said, f"its positive singular values lie in these open intervals: {shown}"], ["singular-values"], []


# Tuples: jets and equality.


def jet_columns(network: Network, readout: Rows, point: Rows, j: int) -> Row:
    """The derivatives of coordinate j of token 1 in the entries of L, M_1, M_2, ..: series in u."""
    ring = network.ring
    steps, tokens = network.forward(point)
    row = [entry if i == j else ring.zero for i in range(len(readout)) for entry in tokens[0]]
    for in_score, _ in network.backward(steps, 0, readout[j]):
        row += [ring.mul(entry, ring.variable) for line in in_score for entry in line]
    return row


def check_jet(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    stack = Stack(instance, "instance", clock, is_path=False)
    n, d, outputs = stack.n, stack.d, len(stack.L)
    total = outputs * d + len(stack.layers) * d * d
    claimed = read(claim, {"order": range(1, ORDER + 1, 2), "parameters": COUNT, "rank": COUNT}, "claim")
    points_form, columns_form = [[[INTEGER, d, d], n, n], 0, BYTES], [up_to(total), 0, BYTES]
    form = {"columns": columns_form, "kernel": None, "points": points_form, "prime": MODULUS, "rows": None}
    given = read(evidence, form, "evidence")
    order, rank, points, columns, terms = claimed.order, claimed.rank, given.points, given.columns, (claimed.order + 1) // 2
    rows = read(given.rows, [(up_to(len(points)), up_to(outputs), range(1, order + 1, 2)), 0, BYTES], "rows")
    expect(len(set(rows)) == len(rows) and len(set(columns)) == len(columns), "rows and columns must be distinct")
    vectors, chosen = kernel_vectors(given.kernel, total), set(columns)
    # All is read; what follows is the proof.
    require(claimed.parameters == total, f"there are {total} parameters")
    require({row[0] for row in rows} == set(range(1, len(points) + 1)), "a point is used by no row")
    require(len(rows) == rank and len(columns) == rank, "the numbers of rows and of columns are not the claimed rank")
    require(not any(own in chosen for own, _ in vectors), "an own column of a kernel vector is among the columns")
    require(len(vectors) in (0, total - rank), "the kernel vectors do not account for all parameters")
    # The coefficients of phi come from Q also where the ring is a prime field.
    field, source = Numbers(clock, given.prime), Series(terms + 1, Numbers(clock))
    ring = Series(terms, field)
    network, readout, matrix_rows = Network(ring, stack, ring.variable, source, total + rank**2), ring.lift(stack.L), []
    for position, coordinate, degree in rows:
        entries = jet_columns(network, readout, ring.lift(points[position - 1]), coordinate - 1)
        matrix_rows.append([entries[column - 1][degree // 2] for column in columns])
    eliminate(matrix_rows, field, exchange=True)
    full, ring = rank + len(vectors) == total, Series(terms, source.base)
    if vectors and full:
        network, readout = Network(ring, stack, ring.variable, source, total), ring.lift(stack.L)
        lifted = [([own, *entries], ring.lift([[Fraction(1), *entries.values()]])[0]) for own, entries in vectors]
        # All points with nonnegative integer entries of sum N, each by n d - 1 bars among N + n d - 1 places.
        for bars in combinations(range(order + n * d - 1), n * d - 1):
            flat = [after - before - 1 for before, after in pairwise([-1, *bars, order + n * d - 1])]
            point = ring.lift([[Fraction(x) for x in flat[a * d : (a + 1) * d]] for a in range(n)])
            for j in range(outputs):
                entries = jet_columns(network, readout, point, j)
                for places, factors in lifted:
                    change = ring.dot([entries[column - 1] for column in places], factors)
                    require(not any(change), f"kernel vector of column {places[0]}: the jet changes at the point {flat}")
    about = f"the differential of the Taylor polynomial of degree {order} ({total} parameters)"
    return [f"{about} has rank {'' if full else 'at least '}{rank} at this tuple"], ["jet-rank" if full else "jet-rank-at-least"], []


Term = tuple[tuple[int, Fraction], ...]  # a product of bases with exponents, sorted
Form = tuple[tuple[Term, Fraction], ...]  # a sum of products with coefficients, sorted


class Forms:
    """Canonical forms: equal forms are equal functions near 0.

    Bases are numbered in one table: 0 is s; then functions of forms, and sums with constant term 1 ("unit"), or with constant term 0 and
    first coefficient 1 ("rest").
    """

    def __init__(self, clock: Clock) -> None:
        self.clock, self.bases, self.numbers = clock, list[tuple[str, Form]](), dict[tuple[str, Form], int]()
        self.base("s", ())

    def base(self, name: str, form: Form) -> int:
        if (name, form) not in self.numbers:
            self.numbers[name, form] = len(self.bases)
            self.bases.append((name, form))
        return self.numbers[name, form]

    def collect(self, terms: Iterable[tuple[Term, Fraction]]) -> Form:
        total: dict[Term, Fraction] = {}
        for term, q in terms:
            total[term] = total.get(term, Fraction(0)) + q
            self.clock.tick(total[term])
            expect(len(total) <= ORDER, f"{LATE}: a canonical form is too long")
        return tuple(sorted((term, q) for term, q in total.items() if q))

    def number(self, q: Fraction | int) -> Form:
        return self.collect([((), Fraction(q))])

    def scaled(self, a: Form, c: Fraction) -> Form:
        return self.collect((term, q * c) for term, q in a)

    def add(self, a: Form, b: Form) -> Form:
        return self.collect((*a, *b))

    def sub(self, a: Form, b: Form) -> Form:
        return self.add(a, self.scaled(b, Fraction(-1)))

    def factors(self, a: Form) -> tuple[Fraction, Term]:
        """A nonzero form as a rational factor and bases with exponents."""
        if len(a) == 1:
            return a[0][1], a[0][0]
        vanish = ("s", "sin", "log", "rest")
        value = sum((q for term, q in a if not any(self.bases[base][0] in vanish for base, _ in term)), Fraction(0))
        factor = value or a[0][1]
        return factor, ((self.base("unit" if value else "rest", self.scaled(a, 1 / factor)), Fraction(1)),)

    def built(self, q: Fraction, factors: Iterable[tuple[int, Fraction]]) -> Form:
        """A product in canonical form: equal bases merge, and so do all factors exp; polynomials are multiplied out."""
        powers: dict[int, Fraction] = {}
        exponent: Form = ()
        for base, e in factors:
            name, form = self.bases[base]
            if name == "exp":
                exponent = self.add(exponent, self.scaled(form, e))
            else:
                powers[base] = powers.get(base, Fraction(0)) + e
        if exponent:
            powers[self.base("exp", exponent)] = Fraction(1)
        left = tuple(sorted((base, e) for base, e in powers.items() if e))
        sums = [self.bases[base][1] for base, _ in left if self.bases[base][0] in ("unit", "rest")]
        if len(left) == 1 and left[0][1] == 1 and sums:
            return self.scaled(sums[0], q)
        if sums and all(self.is_polynomial(base) and e.denominator == 1 and e > 0 for base, e in left):
            value = self.number(q)
            for base, e in left:
                form = self.bases[base][1] or ((((0, Fraction(1)),), Fraction(1)),)  # or s
                for _ in range(int(e)):
                    value = self.collect(self.expanded(value, form))
            return value
        return self.collect([(left, q)])

    def is_polynomial(self, base: int) -> bool:
        name, form = self.bases[base]
        return name == "s" or (name in ("unit", "rest") and all(base == 0 for term, _ in form for base, _ in term))

    def expanded(self, a: Form, b: Form) -> Iterator[tuple[Term, Fraction]]:
        """The terms of the product of polynomials."""
        for (x, q), (y, r) in product(a, b):
            e = sum((e for _, e in (*x, *y)), Fraction(0))
            yield ((0, e),) if e else (), q * r

    def mul(self, a: Form, b: Form) -> Form:
        if not a or not b:
            return ()
        (q, left), (r, right) = self.factors(a), self.factors(b)
        return self.built(q * r, (*left, *right))

    def inverse(self, a: Form) -> Form:
        return self.power(a, Fraction(-1))

    def power(self, a: Form, q: Fraction) -> Form:
        if not a or not q:
            return self.number(not q)
        factor, bases = self.factors(a)
        require(q.denominator == 1 or factor == 1, "a power of a form whose constant term is not seen to be 1")
        size = max(factor.numerator.bit_length(), factor.denominator.bit_length())
        expect(size * abs(q) <= LONG, f"{LATE}: a canonical form is too long")
        return self.built(factor**q.numerator, [(base, e * q) for base, e in bases])

    def function(self, name: str, a: Form) -> Form:
        if a == self.number(name == "log"):
            return self.number(name in ("exp", "cos"))
        sign = Fraction(-1 if name in ("sin", "cos") and a[0][1] < 0 else 1)
        base = self.base(name, self.scaled(a, sign))
        return self.collect([(((base, Fraction(1)),), sign if name == "sin" else Fraction(1))])


def normal_form(forms: Forms, text: str, c: Fraction | int) -> Term:
    """The canonical form of phi(c s), up to a factor."""
    return forms.factors(evaluate(text, forms, forms.collect([(((0, Fraction(1)),), Fraction(c))])))[1]


def seen_layers(data: Stack, forms: Forms) -> list[tuple[Matrix, str]]:
    """The layers that are left when what is not seen is left out."""
    kept: list[tuple[Matrix, str, bool]] = []  # whether the layer keeps the mean of two tokens
    for (score, _, _), text in zip(data.layers if any(map(any, data.L)) else [], data.normalizers, strict=False):
        if not any(map(any, score)):
            while kept and kept[-1][2]:
                kept.pop()
            kept.append((score, text, False))
            break
        even = odd = False
        if data.n == 2 and score == [[-x for x in column] for column in turned(score)]:
            there, back = normal_form(forms, text, 1), normal_form(forms, text, -1)
            even, odd = there == back, forms.built(Fraction(1), (*there, *back)) == forms.number(1)
        kept.append((score, text, even))
        if odd:
            break
    return [(score, text) for score, text, _ in kept]


def prove_equal(first: Stack, second: Stack, clock: Clock) -> None:
    forms = Forms(clock)
    require(first.L == second.L, "the readouts differ: not proved to be equal")
    left, right = seen_layers(first, forms), seen_layers(second, forms)
    require(len(left) == len(right), "different numbers of layers are left: not proved to be equal")
    for i, ((score, phi), (other, psi)) in enumerate(zip(left, right, strict=True), 1):
        flat, against = [q for row in score for q in row], [q for row in other for q in row]
        if any(flat) or any(against):
            c = next((x / y for x, y in zip(flat, against, strict=True) if y), Fraction(0))
            require(c != 0 and flat == [c * y for y in against], f"the scores of layer {i} of those left are not proportional")
            same = normal_form(forms, phi, c) == normal_form(forms, psi, 1)
            require(same, f"the normalizers of layer {i} of those left are not identified")


def check_equal(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    pair = read(instance, {"first": None, "second": None}, "instance")
    first, second = (Stack(getattr(pair, name), name, clock, is_path=False) for name in ("first", "second"))
    n, d, outputs = first.n, first.d, len(first.L)
    expect((n, d, outputs) == (second.n, second.d, len(second.L)), "instance: the same tokens, width and outputs are expected")
    if read(claim, {"equal": bool}, "claim").equal:
        read(evidence, {}, "evidence")
        prove_equal(first, second, clock)
        return ["the two tuples are the same function near X = 0"], ["equal"], []
    witness = read(evidence, {"witness": None}, "evidence").witness
    by_bits = type(witness) is dict and "bits" in witness
    form: Any = (DECIMAL, DECIMAL) if by_bits else rational
    measure = {"bits": up_to(BITS)} if by_bits else {"degree": range(1, ORDER + 1, 2)}
    place = {"coordinate": up_to(outputs), "input": matrix(n, d), "token": up_to(n), "values": (form, form)}
    given = read(witness, {**measure, **place}, "witness")
    if by_bits:  # functions of balls are entire: outputs are analytic where no divisor vanishes, and there networks equal near 0 are equal
        ring: Any = Balls(given.bits, clock)
        u, source = ring.one, None
        bounds = [[exact(bound) for bound in interval] for interval in given.values]
        expect(all(low <= high for low, high in bounds), "values: an interval has its bounds in the wrong order")
        require(bounds[0][1] < bounds[1][0] or bounds[1][1] < bounds[0][0], "the two intervals are not disjoint")
    else:
        ring, bounds = Series(given.degree // 2 + 1, Numbers(clock)), given.values
        u, source = ring.variable, Series(ring.terms + 1, ring.base)
        require(bounds[0] != bounds[1], "the two values are the same")
    for stack, bound, which in zip((first, second), bounds, ("first", "second"), strict=True):
        _, tokens = Network(ring, stack, u, source).forward(ring.lift(given.input))
        value = ring.dot(ring.lift(stack.L)[given.coordinate - 1], tokens[given.token - 1])
        if by_bits:
            low, high = (x * (1 << given.bits) for x in bound)
            right = low <= value[0] - value[1] and value[0] + value[1] <= high
        else:
            right = value[-1] == bound
        require(right, f"the value of the {which} tuple is not proved")
    what = "outputs at an input lie in disjoint intervals" if by_bits else f"parts of degree {given.degree} differ at an input"
    return [f"the two tuples differ: their {what}"], ["different"], []


KINDS: dict[str, Callable[[str, Any, Any, Any, Clock], Found]] = dict.fromkeys(("kernel", "rank", "spectrum", "bank"), check_path)
KINDS |= {"jet": check_jet, "equal": check_equal, "enclosure": check_enclosure}


def examine(data: bytes, clock: Clock) -> Result:
    parts = {"kind": str, "instance": None, "digest": str, "claim": None, "evidence": None}
    words = [str, 0, BYTES]
    found = read(document(data), {"symattn-certificate": up_to(1), **parts, "proven": words, "assumed": words}, "the document")
    expect(found.kind in KINDS, f"kind: expected one of {', '.join(KINDS)}")
    expect(re.fullmatch("sha256:[0-9a-f]{64}", found.digest) is not None, "digest: expected sha256: and 64 hexadecimal digits")
    said, proven, assumed = KINDS[found.kind](found.kind, found.instance, found.claim, found.evidence, clock)
    require(found.digest == "sha256:" + hashlib.sha256(canonical(found.instance)).hexdigest(), "the digest is not that of the instance")
    require(found.proven == proven, f"what is proven is {proven}")
    require(found.assumed == assumed, f"what is assumed is {assumed}")
    return Result("valid", "", found.kind, tuple(said), tuple(proven), tuple(assumed), found.digest)


def check(data: bytes, seconds: float = 600.0) -> Result:
    """Check the bytes of one certificate within a time bound.

    Returns a :class:`Result` for any bytes at all; nothing is raised.
    """
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(DIGITS + 1)  # the environment may have set less
    try:
        return examine(data, Clock(seconds))
    except (Malformed, Invalid) as error:
        return Result(type(error).__name__.lower(), str(error)[:300])
    except MemoryError:
        return Result("malformed", f"{LATE}: the memory does not suffice")
    finally:
        sys.set_int_max_str_digits(digits)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check files, one line each; 0: all are valid, 1: at least one is invalid, 4: at least one is malformed."""
    try:
        return check_files(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        return 130
    except OSError:  # nobody reads the answer; what is left in the buffer must not be tried again
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 3


def check_files(names: list[str]) -> int:
    if not names:
        print("usage: check.py FILE ..", file=sys.stderr)
        return 2
    verdicts = set()
    for name in names:
        start = time.monotonic()
        try:
            if not stat.S_ISREG(os.stat(name).st_mode):  # a pipe could be read from forever
                raise OSError("not a regular file")
            with open(name, "rb") as file:
                result = check(file.read(BYTES + 1))
        except (OSError, ValueError) as error:
            result = Result("malformed", f"cannot be read: {error}")
        verdicts.add(result.verdict)
        text = "; ".join(result.claims) + (f" (assumed: {', '.join(result.assumed)})" if result.assumed else "")
        print(f"{ascii(name)[1:-1]}: {result.verdict}: {text or ascii(result.reason)[1:-1]} ({time.monotonic() - start:.1f} s)", flush=True)
    return 4 if "malformed" in verdicts else 1 if "invalid" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
