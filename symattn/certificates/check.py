"""The independent checker of certificates (docs/certificates.md), in plain Python: ``python check.py FILE ..``.

It imports nothing but the standard library and trusts no number of a file: it reads strictly, computes the network again and says in its
own words what it has proved. From top to bottom: outcomes and the time bound, strict reading, normalizers, number systems, the network, and
the kinds: those of the collapse path, jets, equality, enclosures.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd, isqrt, lcm
from operator import mul
from typing import Any, Generic, Protocol, TypeVar

__all__ = ["Result", "check", "main"]

E = TypeVar("E")
Rows = Sequence[Sequence[E]]
Matrix = list[list[Fraction]]
Vector = tuple[int, dict[int, Fraction]]  # a kernel vector: its own column, and its other entries

BYTES, LEVELS, DIGITS, SIZE, BANK, ITEMS, POWER, ORDER = 8 << 20, 12, 4000, 64, 4096, 400, 1000, 4096
PRIME, BITS, EXPONENT, DEGREE = 1 << 64, 65536, 100000, 64
MEMORY, LONG, HUGE = 1 << 33, 1 << 18, 1 << 16  # our own bounds of work: bits held at once, bits of one exact number, arguments of exp
LARGEST = 10**DIGITS


class Malformed(Exception):
    """The file is not a certificate, or is beyond a limit."""


class Invalid(Exception):
    """The file states something that is false, or that its evidence does not prove."""


@dataclass(frozen=True)
class Result:
    """What the check of one file found: ``verdict`` is valid, invalid or malformed, ``claims`` are our own sentences."""

    verdict: str
    reason: str
    kind: str
    claims: tuple[str, ...]
    proven: tuple[str, ...]
    assumed: tuple[str, ...]


class Clock:
    """The time bound, and a bound on what is held in memory."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def tick(self) -> None:
        if time.monotonic() > self.end:
            raise Malformed("beyond the time bound")

    def afford(self, numbers: int, bits: int) -> None:
        if numbers * (bits + 400) > MEMORY:
            raise Malformed(f"beyond the time bound: it would take {numbers} numbers of {bits} bits at once")


def require(condition: bool, reason: str) -> None:
    """The next step of a proof, or the first false one."""
    if not condition:
        raise Invalid(reason)


# Strict reading: every function takes a value and the place it was found at.


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def refuse(text: str) -> Any:
    raise Malformed(f"{text[:40]} is not an integer; there are no floats")


def document(data: bytes) -> Any:
    """The JSON value of canonical bytes; nesting and digits are bounded before anything is converted."""
    if len(data) > BYTES:
        raise Malformed("more than 8 MiB")
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        raise Malformed("not ASCII") from None
    if any(len(found.group()) > DIGITS for found in re.finditer("[0-9]+", text)):
        raise Malformed(f"an integer of more than {DIGITS} digits")
    depth = 0
    for found in re.finditer(r'(?s)"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', text):  # strings are passed over, each character once
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found.group()[0], 0)
        if depth > LEVELS:
            raise Malformed(f"more than {LEVELS} levels of nesting")
    try:
        value = json.loads(text, parse_float=refuse, parse_constant=refuse)
    except ValueError:
        raise Malformed("not a JSON document") from None
    if canonical(value) + b"\n" != data:
        raise Malformed("not in canonical bytes (sorted keys, no spaces, ASCII, one newline at the end)")
    return value


def fields(value: Any, where: str, *names: str) -> list[Any]:
    if type(value) is not dict or set(value) != set(names):
        raise Malformed(f"{where}: expected an object with exactly the keys {', '.join(names) or '(none)'}")
    return [value[name] for name in names]


def items_of(value: Any, where: str, least: int = 0, most: int = BYTES) -> list[Any]:
    if type(value) is not list or not least <= len(value) <= most:
        raise Malformed(f"{where}: expected a list of {least if least == most else f'{least} to {most}'} entries")
    return value


def integer(value: Any, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Malformed(f"{where}: expected an integer from {low} to {high}")
    return value


def quotient(text: str, where: str) -> Fraction:
    found = re.fullmatch("(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?", text, re.ASCII)
    if not found:
        raise Malformed(f"{where}: not a rational: {text[:40]!a}")
    above, below = int(found[1]), int(found[2] or 1)
    if found[2] and (below == 1 or gcd(above, below) != 1):
        raise Malformed(f"{where}: not in lowest terms: {text[:40]!a}")
    return Fraction(above, below)


def rational(value: Any, where: str) -> Fraction:
    if type(value) is int:
        return Fraction(value)
    if type(value) is not str or "/" not in value:
        raise Malformed(f"{where}: expected an integer or a text a/b")
    return quotient(value, where)


def matrix(value: Any, where: str, rows: int, columns: int) -> Matrix:
    return [
        [rational(entry, where) for entry in items_of(row, f"{where}, a row", columns, columns)]
        for row in items_of(value, where, rows, rows)
    ]


def decimal(value: Any, where: str) -> tuple[int, int]:
    mantissa, exponent = items_of(value, where, 2, 2)
    return integer(mantissa, where, -(LARGEST), LARGEST), integer(exponent, where, -EXPONENT, EXPONENT)


def at_most(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether one decimal is at most another."""
    low = min(first[1], second[1])
    return bool(first[0] * 10 ** (first[1] - low) <= second[0] * 10 ** (second[1] - low))


def ascending(values: Sequence[int]) -> bool:
    return all(before < after for before, after in pairwise(values))


def kernel_vectors(value: Any, where: str, total: int) -> list[Vector]:
    """Vectors [c, [[j, q], ..]]: own columns c ascend and are no entries of any vector, so the vectors are independent."""
    vectors: list[Vector] = []
    for entry in items_of(value, where, 0, total):
        own, others = items_of(entry, where, 2, 2)
        pairs = [items_of(pair, where, 2, 2) for pair in items_of(others, where, 0, total)]
        entries = {integer(j, where, 1, total): rational(q, where) for j, q in pairs}
        if not ascending([j for j, _ in pairs]) or not all(entries.values()):
            raise Malformed(f"{where}: the columns of a vector must ascend and its entries must not be 0")
        vectors.append((integer(own, where, 1, total), entries))
    owned = {own for own, _ in vectors}
    if not ascending([own for own, _ in vectors]) or any(j in owned for _, entries in vectors for j in entries):
        raise Malformed(f"{where}: own columns must ascend and must not appear in other places")
    return vectors


# Normalizers: postfix, evaluated in any algebra that has these operations.


class Algebra(Protocol[E]):
    def number(self, q: Fraction) -> E: ...
    def add(self, a: E, b: E) -> E: ...
    def sub(self, a: E, b: E) -> E: ...
    def mul(self, a: E, b: E) -> E: ...
    def inverse(self, a: E) -> E: ...
    def function(self, name: str, a: E) -> E: ...
    def power(self, a: E, q: Fraction) -> E: ...


def evaluate(text: str, algebra: Algebra[E], variable: E) -> E:
    """The value of a postfix text whose variable s has the given value."""
    stack: list[E] = []
    items = text.split(" ")
    if len(items) > ITEMS:
        raise Malformed(f"a normalizer of more than {ITEMS} items")
    for item in items:
        if len(stack) < (2 if item in ("+", "-", "*", "/") else item in ("exp", "log", "sin", "cos") or item[:1] == "^"):
            raise Malformed(f"a normalizer has too few operands for {item[:40]!a}")
        if item == "s":
            stack.append(variable)
        elif item in ("+", "-", "*", "/"):
            b, a = stack.pop(), stack.pop()
            if item == "/":
                b = algebra.inverse(b)
            stack.append(algebra.add(a, b) if item == "+" else algebra.sub(a, b) if item == "-" else algebra.mul(a, b))
        elif item in ("exp", "log", "sin", "cos"):
            stack.append(algebra.function(item, stack.pop()))
        elif item[:1] == "^":
            q = quotient(item[1:], "a normalizer")
            if max(abs(q.numerator), q.denominator) > POWER:
                raise Malformed(f"a power beyond {POWER} in a normalizer")
            stack.append(algebra.power(stack.pop(), q))
        else:
            stack.append(algebra.number(quotient(item, "a normalizer")))
    if len(stack) != 1:
        raise Malformed("a normalizer must leave one value")
    return stack[0]


def whole_power(algebra: Algebra[E], a: E, exponent: int) -> E:
    """a^exponent by repeated squaring."""
    if exponent < 0:
        a, exponent = algebra.inverse(a), -exponent
    value = algebra.number(Fraction(1))
    for digit in bin(exponent)[2:]:
        value = algebra.mul(value, value)
        if digit == "1":
            value = algebra.mul(value, a)
    return value


# Number systems: each has number, sub, inverse and one dot product, on which the network is built.


class Ring(Protocol[E]):
    def number(self, q: Fraction) -> E: ...
    def sub(self, a: E, b: E) -> E: ...
    def inverse(self, a: E) -> E: ...
    def dot(self, a: Sequence[E], b: Sequence[E]) -> E: ...


class Residues:
    """Z/p^N."""

    def __init__(self, p: int, precision: int, clock: Clock) -> None:
        self.p, self.clock = p, clock
        self.m: int = p**precision

    def number(self, q: Fraction) -> int:
        return q.numerator * self.inverse(q.denominator) % self.m

    def sub(self, a: int, b: int) -> int:
        return (a - b) % self.m

    def inverse(self, a: int) -> int:
        require(a % self.p != 0, "the prime divides a denominator, a divisor or the constant term of a normalizer")
        return int(pow(a, -1, self.m))

    def dot(self, a: Sequence[int], b: Sequence[int]) -> int:
        self.clock.tick()
        total: int = sum(map(mul, a, b))
        return total % self.m


Scalar = Any  # a Fraction, or a residue
Power = tuple[tuple[int, ...], int]  # the coefficients of a power series over one common denominator


class Series:
    """Power series with the given number of terms over Q, or modulo m with denominator 1 throughout."""

    def __init__(self, terms: int, clock: Clock, modulus: int = 0, p: int = 0) -> None:
        self.terms, self.clock, self.m, self.p = terms, clock, modulus, p
        self.variable = self.pack([0, 1])

    def pack(self, scalars: Sequence[Scalar]) -> Power:
        below = 1 if self.m else self.multiple(x.denominator for x in scalars)
        above = [x % self.m if self.m else x.numerator * (below // x.denominator) for x in scalars[: self.terms]]
        return self.reduced(above + [0] * (self.terms - len(above)), below)

    def multiple(self, numbers: Iterable[int]) -> int:
        """The least common multiple."""
        value = 1
        for number in numbers:
            self.clock.tick()
            value = lcm(value, number)
            if value.bit_length() > LONG:
                raise Malformed("beyond the time bound: an exact coefficient is too long")
        return value

    def reduced(self, above: list[int], below: int) -> Power:
        if self.m:
            return tuple(x % self.m for x in above), 1
        common = below
        for x in above:
            if common == 1:
                break
            self.clock.tick()
            common = gcd(common, x)
        if common > 1:
            above, below = [x // common for x in above], below // common
        if max(below, *above, -min(above)).bit_length() > LONG:
            raise Malformed("beyond the time bound: an exact coefficient is too long")
        return tuple(above), below

    def scalars(self, a: Power) -> list[Scalar]:
        self.clock.tick()
        return list(a[0]) if self.m else [Fraction(x, a[1]) for x in a[0]]

    def over(self, a: Scalar, b: Scalar) -> Scalar:
        """a / b for a unit b."""
        if not self.m:
            return Fraction(a) / b
        require(b % self.p != 0, "the prime divides a denominator, a divisor or the constant term of a normalizer")
        return a * pow(b, -1, self.m) % self.m

    def number(self, q: Fraction) -> Power:
        return self.pack([self.over(q.numerator, q.denominator)])

    def add(self, a: Power, b: Power) -> Power:
        return self.reduced([x * b[1] + y * a[1] for x, y in zip(a[0], b[0], strict=True)], a[1] * b[1])

    def sub(self, a: Power, b: Power) -> Power:
        return self.reduced([x * b[1] - y * a[1] for x, y in zip(a[0], b[0], strict=True)], a[1] * b[1])

    def mul(self, a: Power, b: Power) -> Power:
        return self.dot((a,), (b,))

    def dot(self, a: Sequence[Power], b: Sequence[Power]) -> Power:
        belows = [x[1] * y[1] for x, y in zip(a, b, strict=True)]
        below = self.multiple(belows)
        total = [0] * self.terms
        for (x, _), (y, _), own in zip(a, b, belows, strict=True):
            factor, back = below // own, y[::-1]
            for k in range(self.terms):
                total[k] += factor * sum(map(mul, x, back[self.terms - 1 - k :]))
                self.clock.tick()
        return self.reduced(total, below)

    def inverse(self, a: Power) -> Power:
        given = self.scalars(a)
        if not self.m and not given[0]:
            raise Malformed("a divisor in a normalizer has constant term 0")
        first = self.over(1, given[0])
        return self.pack(self.recursion(first, lambda n, out: -first * self.convolved(given, out, n)))

    def recursion(self, first: Scalar, step: Callable[[int, list[Scalar]], Scalar]) -> list[Scalar]:
        out = [first]
        for n in range(1, self.terms):
            out.append(step(n, out) % self.m if self.m else step(n, out))
        return out

    def convolved(self, given: list[Scalar], out: list[Scalar], n: int) -> Scalar:
        """The sum of given[j] out[n - j] over j = 1 .. n."""
        total = given[0] * 0
        for x, y in zip(given[1 : n + 1], reversed(out), strict=True):
            self.clock.tick()
            if x and y:
                total += x * y
        if max(total.numerator.bit_length(), total.denominator.bit_length()) > 2 * LONG:
            raise Malformed("beyond the time bound: an exact coefficient is too long")
        return total

    def function(self, name: str, a: Power) -> Power:
        """exp, sin, cos of a series without constant term and log of one with constant term 1, by their differential equations."""
        given = self.scalars(a)
        if given[0] != (name == "log"):
            raise Malformed(f"the argument of {name} in a normalizer must have constant term {int(name == 'log')}")
        slope = [j * x for j, x in enumerate(given)]
        if name == "exp":
            return self.pack(self.recursion(given[0] + 1, lambda n, out: self.over(self.convolved(slope, out, n), n)))
        if name == "log":  # a l' = a', with the coefficients of l multiplied by their degrees
            found = self.recursion(given[0] * 0, lambda n, out: slope[n] - self.convolved(given, out, n))
            return self.pack([self.over(x, max(n, 1)) for n, x in enumerate(found)])
        sin, cos = [given[0]], [given[0] + 1]
        for n in range(1, self.terms):
            up, down = self.over(self.convolved(slope, cos, n), n), self.over(-self.convolved(slope, sin, n), n)
            sin.append(up)
            cos.append(down)
        return self.pack(sin if name == "sin" else cos)

    def power(self, a: Power, q: Fraction) -> Power:
        if q.denominator == 1:
            return whole_power(self, a, q.numerator)
        if self.scalars(a)[0] != 1:
            raise Malformed("the base of a power that is not an integer must have constant term 1")
        return self.function("exp", self.mul(self.number(q), self.function("log", a)))


Slope = Callable[[E], tuple[E, E]]  # s -> phi(s), phi'(s)
Ball = tuple[int, int]  # middle and radius, in units of 2^-bits


class Balls:
    """Real numbers enclosed by fixed-point intervals; every operation rounds its radius up."""

    def __init__(self, bits: int, clock: Clock) -> None:
        self.bits, self.clock, self.one = bits, clock, 1 << bits

    def number(self, q: Fraction) -> Ball:
        middle, rest = divmod(q.numerator << self.bits, q.denominator)
        return middle, int(rest != 0)

    def decimal(self, value: tuple[int, int]) -> Ball:
        mantissa, exponent = value
        if exponent >= 0:
            return (mantissa * 10**exponent) << self.bits, 0
        return (mantissa << self.bits) // 10**-exponent, 1

    def is_below(self, value: tuple[int, int], bound: int) -> bool:
        """Whether a decimal is at most bound / 2^bits."""
        mantissa, exponent = value
        return bool((mantissa << self.bits) * 10 ** max(exponent, 0) <= bound * 10 ** max(-exponent, 0))

    def add(self, a: Ball, b: Ball) -> Ball:
        return a[0] + b[0], a[1] + b[1]

    def sub(self, a: Ball, b: Ball) -> Ball:
        return a[0] - b[0], a[1] + b[1]

    def mul(self, a: Ball, b: Ball) -> Ball:
        return self.dot((a,), (b,))

    def dot(self, a: Sequence[Ball], b: Sequence[Ball]) -> Ball:
        """|x y - m m'| <= (|m| + r) r' + r |m'|; one unit each for the two roundings down."""
        self.clock.tick()
        if not a:
            return 0, 0
        am, ar = zip(*a, strict=True)
        bm, br = zip(*b, strict=True)
        error = sum(map(mul, map(abs, am), br)) + sum(map(mul, map(abs, bm), ar)) + sum(map(mul, ar, br))
        middle, radius = sum(map(mul, am, bm)) >> self.bits, (error >> self.bits) + 2
        if max(middle.bit_length(), radius.bit_length()) > LONG + self.bits:
            raise Malformed("beyond the time bound: an enclosed number is too large")
        return middle, radius

    def inverse(self, a: Ball) -> Ball:
        """1 / m, and |1/x - 1/m| <= r / (|m| (|m| - r))."""
        middle, radius = a
        size = abs(middle)
        require(size > radius, "a divisor is not proved to be nonzero")
        return (self.one << self.bits) // middle, ((radius << (2 * self.bits)) // (size * (size - radius)) if radius else 0) + 2

    def rounded(self, a: Ball, extra: int) -> Ball:
        """A ball with ``extra`` more bits, brought back to this precision."""
        return a[0] >> extra, (a[1] >> extra) + 2

    def exponential(self, a: Ball, imaginary: bool) -> tuple[Ball, Ball]:
        """exp(a) (twice), or cos(a) and sin(a): the Taylor series at a / 2^h, then h squarings."""
        size = (abs(a[0]) + a[1]) >> self.bits
        if size > HUGE:
            raise Malformed("beyond the time bound: the argument of exp, sin or cos is too large")
        halvings = size.bit_length() + isqrt(self.bits) // 2 + 4
        extra = halvings + 24 + (0 if imaginary else 3 * size // 2)
        fine = Balls(self.bits + halvings + extra, self.clock)
        x = a[0] << extra, a[1] << extra  # a / 2^h exactly, of size at most 2^-4
        terms: list[Ball] = [(fine.one, 0)]
        while abs(terms[-1][0]) > 8:
            middle, radius = fine.mul(terms[-1], x)
            terms.append((middle // len(terms), radius // len(terms) + 2))
        tail = abs(terms[-1][0]) + terms[-1][1]  # each later term is at most half of the one before
        if not imaginary:
            value = sum(middle for middle, _ in terms), sum(radius for _, radius in terms) + tail
            for _ in range(halvings):
                value = fine.mul(value, value)
            return self.rounded(value, halvings + extra), self.rounded(value, halvings + extra)
        cos, sin = (
            (sum(-middle if k % 4 > 1 else middle for k, (middle, _) in chosen), sum(radius for _, (_, radius) in chosen) + tail)
            for chosen in (list(enumerate(terms))[0::2], list(enumerate(terms))[1::2])
        )
        for _ in range(halvings):
            cos, sin = fine.dot((cos, sin), (cos, (-sin[0], sin[1]))), fine.dot((cos, sin), (sin, cos))
        return self.rounded(cos, halvings + extra), self.rounded(sin, halvings + extra)

    def logarithm(self, a: Ball) -> Ball:
        """2^(h+1) artanh((y - 1) / (y + 1)) for y the square root taken h times."""
        require(a[0] > a[1], "an argument of log or base of a power is not proved to be positive")
        extra, roots = 64 + max(a[0] + a[1], self.one).bit_length().bit_length(), 0
        fine = Balls(self.bits + extra, self.clock)
        low, high = (a[0] - a[1]) << extra, (a[0] + a[1]) << extra
        while max(high - fine.one, fine.one - low) << 5 > fine.one:
            low, high, roots = isqrt(low << fine.bits), isqrt(high << fine.bits) + 1, roots + 1
        y = (low + high) >> 1, ((high - low) >> 1) + 1
        z = fine.mul(fine.sub(y, (fine.one, 0)), fine.inverse(fine.add(y, (fine.one, 0))))
        square, term, total, j = fine.mul(z, z), z, z, 1
        while abs(term[0]) > 8:
            term, j = fine.mul(term, square), j + 2
            total = total[0] + term[0] // j, total[1] + term[1] // j + 2
        total = total[0], total[1] + abs(term[0]) + term[1]  # the later terms together
        return self.rounded((total[0] << (roots + 1), total[1] << (roots + 1)), extra)

    def slope(self, text: str) -> Slope[Ball]:
        """phi and phi' by the rules of differentiation."""
        return lambda s: evaluate(text, Duals(self), (s, (self.one, 0)))


Dual = tuple[Ball, Ball]  # a value and its derivative


class Duals:
    """First-order differentiation over balls."""

    def __init__(self, balls: Balls) -> None:
        self.balls = balls

    def number(self, q: Fraction) -> Dual:
        return self.balls.number(q), (0, 0)

    def add(self, a: Dual, b: Dual) -> Dual:
        return self.balls.add(a[0], b[0]), self.balls.add(a[1], b[1])

    def sub(self, a: Dual, b: Dual) -> Dual:
        return self.balls.sub(a[0], b[0]), self.balls.sub(a[1], b[1])

    def mul(self, a: Dual, b: Dual) -> Dual:
        return self.balls.mul(a[0], b[0]), self.balls.dot(a, b[::-1])

    def inverse(self, a: Dual) -> Dual:
        value = self.balls.inverse(a[0])
        middle, radius = self.balls.mul(self.balls.mul(value, value), a[1])
        return value, (-middle, radius)

    def function(self, name: str, a: Dual) -> Dual:
        if name == "log":
            return self.balls.logarithm(a[0]), self.balls.mul(self.balls.inverse(a[0]), a[1])
        first, second = self.balls.exponential(a[0], name != "exp")
        if name == "sin":
            return second, self.balls.mul(first, a[1])
        slope = first if name == "exp" else (-second[0], second[1])
        return first, self.balls.mul(slope, a[1])

    def power(self, a: Dual, q: Fraction) -> Dual:
        if q.denominator == 1:
            return whole_power(self, a, q.numerator)
        return self.function("exp", self.mul(self.number(q), self.function("log", a)))


@dataclass(frozen=True)
class Normalizer:
    """A normalizer: its text, its value at 0, and k, the least degree from 1 on with a nonzero coefficient."""

    text: str
    at_zero: Fraction
    k: int


def normalizers(value: Any, where: str, least: int, clock: Clock) -> list[Normalizer]:
    found: dict[str, Normalizer] = {}
    for text in items_of(value, where, least, SIZE):
        if type(text) is not str:
            raise Malformed(f"{where}: expected texts in postfix")
        if text not in found:
            ring = Series(DEGREE + 1, clock)
            above, below = evaluate(text, ring, ring.variable)
            if above[0] <= 0 or not any(above[1:]):
                raise Malformed(f"{where}: must be positive at 0, with a nonzero coefficient of a degree from 1 to {DEGREE}")
            found[text] = Normalizer(text, Fraction(above[0], below), next(j for j, x in enumerate(above) if j and x))
    return [found[text] for text in value]


def from_coefficients(ring: Ring[E], coefficients: Sequence[E]) -> Slope[E]:
    """phi and phi' by Horner's rule, where higher terms vanish."""
    one = ring.number(Fraction(1))
    slopes = [ring.dot((ring.number(Fraction(j)),), (c,)) for j, c in enumerate(coefficients)][1:]

    def both(s: E) -> tuple[E, E]:
        value, slope = coefficients[-1], slopes[-1]
        for c in coefficients[-2::-1]:
            value = ring.dot((value, c), (s, one))
        for c in slopes[-2::-1]:
            slope = ring.dot((slope, c), (s, one))
        return value, slope

    return both


def taylor(normalizer: Normalizer, terms: int, clock: Clock) -> list[Fraction]:
    """The coefficients over Q of the degrees below ``terms``."""
    series = Series(max(terms, 2), clock)
    return series.scalars(evaluate(normalizer.text, series, series.variable))[:terms]


# The network, written once: scores and values in any ring, and the derivative by one pass backwards.


@dataclass(frozen=True)
class Layer(Generic[E]):
    score: Rows[E]
    value: Rows[E] | None  # None: the identity
    phi: Slope[E]


@dataclass(frozen=True)
class Step(Generic[E]):
    """What one layer leaves for the pass backwards; ``slopes`` are phi'(s_ab) / sum_c phi(s_ac), ``gaps`` x_b - y_a."""

    tokens: Rows[E]
    queries: Rows[E]
    weights: Rows[E]
    slopes: Rows[E]
    means: Rows[E]
    gaps: Sequence[Rows[E]]


def turned(a: Rows[E]) -> Rows[E]:
    return list(zip(*a, strict=True))


def product(ring: Ring[E], a: Rows[E], b: Rows[E]) -> list[list[E]]:
    columns = turned(b)
    return [[ring.dot(row, column) for column in columns] for row in a]


def forward(ring: Ring[E], layers: Sequence[Layer[E]], tokens: Rows[E]) -> tuple[list[Step[E]], Rows[E]]:
    """The steps and the output tokens (rows) of the stack."""
    steps = []
    ones = [ring.number(Fraction(1))] * len(tokens)
    for layer in layers:
        queries = product(ring, tokens, layer.score)
        both = [[layer.phi(ring.dot(query, token)) for token in tokens] for query in queries]
        shares = [ring.inverse(ring.dot([value for value, _ in row], ones)) for row in both]
        weights = [[ring.dot((value,), (share,)) for value, _ in row] for row, share in zip(both, shares, strict=True)]
        slopes = [[ring.dot((slope,), (share,)) for _, slope in row] for row, share in zip(both, shares, strict=True)]
        means = product(ring, weights, tokens)
        gaps = [[[ring.sub(x, y) for x, y in zip(token, mean, strict=True)] for token in tokens] for mean in means]
        steps.append(Step(tokens, queries, weights, slopes, means, gaps))
        tokens = product(ring, means, turned(layer.value)) if layer.value is not None else means
    return steps, tokens


def backward(ring: Ring[E], layers: Sequence[Layer[E]], steps: Sequence[Step[E]], bar: Rows[E]) -> list[tuple[Rows[E], Rows[E]]]:
    """Of a linear form in the output tokens, its derivatives in the score and in the value of each layer."""
    found: list[tuple[Rows[E], Rows[E]]] = []
    for index in reversed(range(len(layers))):
        layer, step = layers[index], steps[index]
        in_value: Rows[E] = product(ring, turned(bar), step.means) if layer.value is not None else []
        if layer.value is not None:
            bar = product(ring, bar, layer.value)
        in_scores = [
            [ring.dot((slope,), (ring.dot(part, gap),)) for slope, gap in zip(row, gaps, strict=True)]
            for row, part, gaps in zip(step.slopes, bar, step.gaps, strict=True)
        ]
        keys = product(ring, in_scores, step.tokens)
        found.append((product(ring, turned(step.tokens), keys), in_value))
        if index:
            left = [[*weights, *scores, *key] for weights, scores, key in zip(turned(step.weights), turned(in_scores), keys, strict=True)]
            bar = product(ring, left, [*bar, *step.queries, *turned(layer.score)])
    return found[::-1]


# The collapse path.


@dataclass(frozen=True)
class Path:
    """A path; ``places`` says for each native column its layer and whether it belongs to Q, K or V."""

    n: int
    d: int
    normalizers: list[Normalizer]
    layers: list[tuple[Matrix, Matrix, Matrix]]
    bank: list[Matrix]
    places: list[tuple[int, str, int, int]]

    def weight(self, column: int) -> int:
        return int(self.places[column - 1][1] != "V")

    def footprint(self) -> int:
        """About how many numbers the passes forward and backward hold for one input."""
        return len(self.layers) * self.n * (3 * self.n + 6 * self.d + self.n * self.d) + 2 * len(self.places)


def read_path(value: Any, clock: Clock) -> Path:
    n, d, texts, layers, bank = fields(value, "instance", "tokens", "width", "normalizers", "layers", "bank")
    n, d = integer(n, "tokens", 2, SIZE), integer(d, "width", 1, SIZE)
    found, places = [], []
    for i, layer in enumerate(items_of(layers, "layers", 1, SIZE)):
        u, w, v = fields(layer, "a layer", "U", "W", "V")
        rank = len(items_of(items_of(u, "U", d, d)[0], "U, a row", 1, d))
        found.append((matrix(u, "U", d, rank), matrix(w, "W", d, rank), matrix(v, "V", d, d)))
        places += [(i, kind, a, b) for kind, width in (("Q", rank), ("K", rank), ("V", d)) for a in range(d) for b in range(width)]
        clock.tick()
    phis = normalizers(items_of(texts, "normalizers", len(found), len(found)), "normalizers", 1, clock)
    inputs = [matrix(entry, "bank", n, d) for entry in items_of(bank, "bank", 0, BANK)]
    return Path(n, d, phis, found, inputs, places)


def check_kernel(path: Path, vectors: list[Vector], clock: Clock) -> None:
    """The differential of the reduction vanishes at t = 1 in the direction of each vector, over Q."""
    ring = Series(1, clock)
    zero, one = ring.number(Fraction(0)), ring.number(Fraction(1))

    def lift(a: Matrix) -> Rows[Power]:
        return [[ring.number(q) for q in row] for row in a]

    def times(*factors: Rows[Power]) -> Rows[Power]:
        value = factors[0]
        for factor in factors[1:]:
            value = product(ring, value, factor)
        return value

    def plus(*parts: Rows[Power]) -> Rows[Power]:
        return [[ring.dot(entries, [one] * len(parts)) for entries in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]

    def vanishes(a: Rows[Power]) -> bool:
        return all(entry == zero for row in a for entry in row)

    layers = [(lift(u), lift(w), lift(v)) for u, w, v in path.layers]
    prefixes: list[Rows[Power]] = [lift([[Fraction(a == b) for b in range(path.d)] for a in range(path.d)])]
    for _, _, v in layers:
        prefixes.append(times(v, prefixes[-1]))
    for own, entries in vectors:
        require(
            not path.weight(own) or all(path.weight(j) for j in entries),
            f"kernel vector of column {own}: a query or key direction holds a value",
        )
        direction = [{kind: [[zero] * len(m[0]) for _ in m] for kind, m in zip("QKV", layer, strict=True)} for layer in layers]
        for column, q in ((own, Fraction(1)), *entries.items()):
            i, kind, a, b = path.places[column - 1]
            direction[i][kind][a][b] = ring.number(q)
        slope: Rows[Power] = [[zero] * path.d] * path.d
        for (u, w, v), turn, prefix in zip(layers, direction, prefixes[:-1], strict=True):
            score, across = times(u, turned(w)), turned(prefix)
            if not vanishes(slope) or not vanishes(turn["Q"]) or not vanishes(turn["K"]):
                inner = times(across, plus(times(turn["Q"], turned(w)), times(u, turned(turn["K"]))), prefix)
                change = plus(inner, times(turned(slope), score, prefix), times(across, score, slope))
                require(vanishes(change), f"kernel vector of column {own}: an effective score changes")
            slope = plus(times(turn["V"], prefix), times(v, slope))
        require(vanishes(slope), f"kernel vector of column {own}: the effective value map changes")


def is_prime(p: int) -> bool:
    """Miller and Rabin with the first twelve primes as bases, which is a proof below 3.3 * 10^24 (Sorenson and Webster)."""
    if p < 2 or any(p % q == 0 for q in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)):
        return p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    twos = ((p - 1) & (1 - p)).bit_length() - 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, (p - 1) >> twos, p)
        if x not in (1, p - 1) and not any((x := x * x % p) == p - 1 for _ in range(twos - 1)):
            return False
    return True


def columns_of(
    ring: Ring[E], path: Path, gradient: Sequence[tuple[Rows[E], Rows[E]]], factors: Sequence[tuple[Rows[E], Rows[E]]]
) -> list[E]:
    """The divided native columns of one output: G W, G^T U and the derivative in V, layer by layer."""
    row: list[E] = []
    for (in_score, in_value), (u, w) in zip(gradient, factors, strict=True):
        for part in (product(ring, in_score, w), product(ring, turned(in_score), u), in_value):
            row += [entry for line in part for entry in line]
    return row


def path_layers(ring: Ring[E], path: Path, u: E, phis: Sequence[Slope[E]]) -> tuple[list[Layer[E]], list[tuple[Rows[E], Rows[E]]]]:
    """The layers with scores u U W^T, and the factors U and W."""

    def lift(a: Matrix) -> list[list[E]]:
        return [[ring.number(q) for q in row] for row in a]

    factors: list[tuple[Rows[E], Rows[E]]] = [(lift(left), lift(right)) for left, right, _ in path.layers]
    scores = [[[ring.dot((u,), (entry,)) for entry in row] for row in product(ring, left, turned(right))] for left, right in factors]
    return [Layer(score, lift(layer[2]), phi) for score, layer, phi in zip(scores, path.layers, phis, strict=True)], factors


def unit_form(ring: Ring[E], n: int, d: int, token: int, coordinate: int) -> list[list[E]]:
    return [[ring.number(Fraction(a == token and b == coordinate)) for b in range(d)] for a in range(n)]


def valuations(path: Path, p: int, precision: int, pivots: Sequence[tuple[int, int, int, int]], clock: Clock) -> list[int]:
    """The valuations of the pivots at u = p in Z/p^N, or Invalid at the first that fails."""
    require(p > 2 and is_prime(p), f"{p} is not an odd prime")
    require(path.n % p != 0, "the prime divides the number of tokens")
    require(precision <= p - 2, "the precision is beyond p - 2")
    data = [entry for layer in path.layers for part in layer for row in part for entry in row]
    data += [entry for tokens in path.bank for row in tokens for entry in row]
    require(all(q.denominator % p for q in data), "the prime divides a denominator of the instance")
    ring, series = Residues(p, precision, clock), Series(precision + 1, clock, p**precision, p)
    phis: dict[str, Slope[int]] = {}
    for normalizer in path.normalizers:
        if normalizer.text not in phis:
            coefficients = evaluate(normalizer.text, series, series.variable)[0]
            require(coefficients[0] % p != 0, "the prime divides the constant term of a normalizer")
            phis[normalizer.text] = from_coefficients(ring, coefficients)
    layers, factors = path_layers(ring, path, p % ring.m, [phis[normalizer.text] for normalizer in path.normalizers])
    rows: dict[tuple[int, int, int], list[int]] = {}
    kept = [column - 1 for *_, column in pivots]
    last, steps = 0, list[Step[int]]()
    for position, token, coordinate, _ in sorted(pivots):
        if position != last:
            tokens = [[ring.number(q) for q in row] for row in path.bank[position - 1]]
            last, steps = position, forward(ring, layers, tokens)[0]
        gradient = backward(ring, layers, steps, unit_form(ring, path.n, path.d, token - 1, coordinate - 1))
        row = columns_of(ring, path, gradient, factors)
        rows[position, token, coordinate] = [row[column] for column in kept]
    work_rows = [rows[position, token, coordinate] for position, token, coordinate, _ in pivots]
    found = []
    for i, pivot_row in enumerate(work_rows):
        pivot, v = pivot_row[i], 0
        require(pivot != 0, f"pivot {i + 1} is 0 modulo p^{precision}")
        while pivot % p == 0:
            pivot, v = pivot // p, v + 1
        divisor = p**v
        require(not any(entry % divisor for entry in pivot_row[i:]), f"pivot {i + 1} does not divide its row")
        require(not any(row[i] % divisor for row in work_rows[i:]), f"pivot {i + 1} does not divide its column")
        unit = pow(pivot, -1, ring.m)
        for row in work_rows[i + 1 :]:
            clock.tick()
            factor = row[i] // divisor * unit % ring.m
            row[i:] = [(entry - factor * other) % ring.m for entry, other in zip(row[i:], pivot_row[i:], strict=True)]
        found.append(v)
    require(precision == 1 + max(found, default=0), "the precision is not one more than the largest valuation of a pivot")
    require(sum(found) <= p - 3, "the valuations of the pivots add up to more than p - 3")
    return found


def lower_orders(path: Path, lower: Any, clock: Clock) -> tuple[str, list[int], Callable[[], None]]:
    """The kind of the lower bound, the order that divides the query and key columns of each layer, and the check that it does."""
    by = lower.get("by") if type(lower) is dict else None
    ks = [normalizer.k for normalizer in path.normalizers]
    if by in ("none", "order-lemma"):
        fields(lower, "lower", "by")
        contrast, orders = 0, []
        for k in ks:
            orders.append(4 * contrast + 2 * k - 1)
            contrast = 3 * contrast + k
        return by, orders if by == "order-lemma" else [], lambda: None
    if by not in ("token-contrasts", "covariances"):
        raise Malformed("lower: by must be none, token-contrasts, covariances or order-lemma")
    key = "contrasts" if by == "token-contrasts" else "valuations"
    found = [integer(c, key, 0, LARGEST) for c in items_of(fields(lower, "lower", "by", key)[1], key, len(ks), len(ks))]
    orders = [4 * c + 2 * k - 1 if key == "contrasts" else 2 * c + 1 for c, k in zip(found, ks, strict=True)]
    return by, orders, lambda: divisibilities(path, key == "contrasts", found, clock)


def divisibilities(path: Path, contrasts: bool, bounds: list[int], clock: Clock) -> None:
    """Token contrasts, or covariances, are divisible by these powers of u on the bank: power series in u over Q."""
    deepest = max((i + 1 for i, bound in enumerate(bounds) if bound), default=0)
    if not deepest:
        return
    ring = Series(max(*bounds, 2), clock)
    clock.afford(deepest * path.n * path.n * (path.d + 4) * ring.terms, 64)
    exact = {x.text: [ring.number(q) for q in taylor(x, ring.terms + 1, clock)] for x in path.normalizers}
    layers, _ = path_layers(ring, path, ring.variable, [from_coefficients(ring, exact[x.text]) for x in path.normalizers])
    for position, data in enumerate(path.bank):
        steps, last = forward(ring, layers[: deepest - contrasts], [[ring.number(q) for q in row] for row in data])
        for i, bound in enumerate(bounds[:deepest]):
            where = f"input {position + 1}, layer {i + 1}"
            if contrasts:
                tokens = steps[i].tokens if i < len(steps) else last
                for token in tokens[1:]:
                    parts = [ring.sub(x, y) for x, y in zip(token, tokens[0], strict=True)]
                    require(not any(any(part[0][:bound]) for part in parts), f"{where}: the tokens differ below u^{bound}")
                continue
            step = steps[i]
            for slopes, gaps in zip(step.slopes, step.gaps, strict=True):
                scaled = [[ring.mul(slope, x) for x in gap] for slope, gap in zip(slopes, gaps, strict=True)]
                entries = product(ring, turned(scaled), step.tokens)
                require(
                    not any(any(entry[0][:bound]) for row in entries for entry in row), f"{where}: a covariance has a term below u^{bound}"
                )


Found = tuple[tuple[str, ...], list[str], list[str]]  # sentences, proven, assumed


def parts(value: Any, where: str, *names: str) -> dict[str, Any]:
    return dict(zip(names, fields(value, where, *names), strict=True))


def counts(claim: dict[str, Any], *names: str) -> list[int]:
    return [integer(claim[name], name, 0, LARGEST) for name in names]


def native_kernel(path: Path, size: int) -> str:
    shape = f"{path.n} tokens of width {path.d}, depth {len(path.layers)}, {len(path.places)} columns"
    return f"the native Jacobian ({shape}) has at least {size} independent kernel directions, on every bank and for every t"


def check_path(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    """The kinds kernel, rank, spectrum and bank."""
    path = read_path(instance, clock)
    total = len(path.places)
    if (kind == "kernel") != (not path.bank):
        raise Malformed("bank: expected none for the kind kernel, and at least one input for the others")
    if kind == "kernel":
        (claimed_kernel,) = counts(parts(claim, "claim", "kernel"), "kernel")
        vectors = kernel_vectors(fields(evidence, "evidence", "kernel")[0], "kernel", total)
        require(len(vectors) == claimed_kernel, "the number of kernel vectors is not the claimed one")
        check_kernel(path, vectors, clock)
        return (native_kernel(path, len(vectors)),), ["kernel-at-least"], []
    ordered = kind != "rank"
    claimed = parts(claim, "claim", "kernel", "rank", *(["orders"] if ordered else []), *(["size"] if kind == "bank" else []))
    given = parts(evidence, "evidence", "kernel", "pivots", "precision", "prime", *(["lower"] if ordered else []))
    claimed_kernel, rank = counts(claimed, "kernel", "rank")
    vectors = kernel_vectors(given["kernel"], "kernel", total)
    p, precision = integer(given["prime"], "prime", -LARGEST, PRIME - 1), integer(given["precision"], "precision", 1, ORDER)
    limits = (len(path.bank), path.n, path.d, total)
    pivots = []
    for entry in items_of(given["pivots"], "pivots"):
        a, b, c, column = (integer(x, "pivots", 1, most) for x, most in zip(items_of(entry, "pivots", 4, 4), limits, strict=True))
        pivots.append((a, b, c, column))
    if len({pivot[:3] for pivot in pivots}) < len(pivots) or len({pivot[3] for pivot in pivots}) < len(pivots):
        raise Malformed("pivots: rows must be distinct, and columns must be distinct")
    listed = [items_of(pair, "orders", 2, 2) for pair in items_of(claimed["orders"], "orders")] if ordered else []
    levels = [(integer(order, "orders", 0, LARGEST), integer(many, "orders", 1, LARGEST)) for order, many in listed]
    if not ascending([order for order, _ in levels]):
        raise Malformed("orders: must ascend")
    by, bounds, confirm = lower_orders(path, given["lower"], clock) if ordered else ("none", [], lambda: None)
    if kind == "bank":
        if by != "order-lemma":
            raise Malformed("lower: a bank needs the order lemma")
        require(counts(claimed, "size") == [len(path.bank)], "the size is not that of the bank")
    # All is read; what follows is the proof.
    owned = {own for own, _ in vectors}
    full = rank + len(vectors) == total
    require(len(vectors) == claimed_kernel, "the number of kernel vectors is not the claimed one")
    require(len(pivots) == rank, "the number of pivots is not the claimed rank")
    require(not any(pivot[3] in owned for pivot in pivots), "a pivot stands in an own column of a kernel vector")
    require(not ordered or sum(many for _, many in levels) == rank, "the multiplicities of the orders do not add up to the rank")
    orders = [order for order, many in levels for _ in range(many)]
    if by != "none":
        require(full, "rank and kernel do not account for all columns")
        divided = [bounds[place[0]] if place[1] != "V" else 0 for c, place in enumerate(path.places, 1) if c not in owned]
        require(sorted(divided) == orders, "the claimed orders are not the divisibilities of the columns")
    clock.afford(path.footprint() + rank**2, precision * p.bit_length())
    check_kernel(path, vectors, clock)
    found = valuations(path, p, precision, pivots, clock)
    sentences = [
        native_kernel(path, len(vectors)),
        f"on this bank ({len(path.bank)} inputs) it has rank {'' if full else 'at least '}{rank} for all small t other than 0",
    ]
    proven = ["kernel", "rank"] if full else ["kernel-at-least", "rank-at-least"]
    if not ordered:
        return tuple(sentences), proven, []
    reached = [2 * v + path.weight(pivot[3]) for v, pivot in zip(found, pivots, strict=True)]
    require(sorted(reached) == orders, "the claimed orders are not the orders of the pivots")
    confirm()
    proven.append("order-sums-at-most" if by == "none" else "orders")
    text = ", ".join(f"{order} ({many} times)" for order, many in levels)
    sentences.append(f"its {'least contact orders have sums at most those of' if by == 'none' else 'contact orders are'} {text}")
    if kind == "bank":
        proven.append("separating")
        sentences.append("no bank of any size has smaller contact orders")
    return tuple(sentences), sorted(proven), ["order-lemma"] if by == "order-lemma" else []


# Tuples: jets and equality.


@dataclass(frozen=True)
class Tuple:
    """An effective tuple: the readout L behind layers with scores M and values the identity."""

    n: int
    d: int
    p: int
    normalizers: list[Normalizer]
    L: Matrix
    M: list[Matrix]


def read_tuple(value: Any, where: str, clock: Clock) -> Tuple:
    n, d, p, texts, readout, scores = fields(value, where, "tokens", "width", "outputs", "normalizers", "L", "M")
    n, d, p = integer(n, "tokens", 2, SIZE), integer(d, "width", 1, SIZE), integer(p, "outputs", 1, SIZE)
    depth = len(items_of(scores, "M", 1, SIZE))
    phis = normalizers(items_of(texts, "normalizers", depth, depth), "normalizers", 1, clock)
    return Tuple(n, d, p, phis, matrix(readout, "L", p, d), [matrix(score, "M", d, d) for score in scores])


def tuple_layers(ring: Ring[E], data: Tuple, u: E, phis: Sequence[Slope[E]]) -> list[Layer[E]]:
    return [
        Layer([[ring.dot((u,), (ring.number(q),)) for q in row] for row in score], None, phi)
        for score, phi in zip(data.M, phis, strict=True)
    ]


def series_layers(ring: Series, data: Tuple, clock: Clock) -> list[Layer[Power]]:
    """The layers with all scores multiplied by u; coefficients of phi come from Q also where the ring is a prime field."""
    phis = {x.text: from_coefficients(ring, [ring.number(q) for q in taylor(x, ring.terms + 1, clock)]) for x in data.normalizers}
    return tuple_layers(ring, data, ring.variable, [phis[x.text] for x in data.normalizers])


def jet_columns(
    ring: Series, data: Tuple, layers: Sequence[Layer[Power]], steps: Sequence[Step[Power]], mean: Sequence[Power], j: int
) -> list[Power]:
    """The derivatives of coordinate j of token 1 in the entries of L, M_1, M_2, ..: series in u."""
    zero = ring.number(Fraction(0))
    row = [entry if i == j else zero for i in range(data.p) for entry in mean]
    bar = [[ring.number(q) for q in data.L[j]]] + [[zero] * data.d] * (data.n - 1)
    for in_score, _ in backward(ring, layers, steps, bar):
        row += [ring.mul(ring.variable, entry) for line in in_score for entry in line]
    return row


def compositions(total: int, places: int) -> Iterator[list[int]]:
    """All lists of nonnegative integers of this length and sum."""
    for bars in combinations(range(total + places - 1), places - 1):
        edges = [-1, *bars, total + places - 1]
        yield [after - before - 1 for before, after in pairwise(edges)]


def check_jet(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    data = read_tuple(instance, "instance", clock)
    total = data.p * data.d + len(data.M) * data.d**2
    claimed = parts(claim, "claim", "order", "parameters", "rank")
    order, (parameters, rank) = integer(claimed["order"], "order", 1, ORDER), counts(claimed, "parameters", "rank")
    if order % 2 == 0:
        raise Malformed("order: expected an odd integer")
    given = parts(evidence, "evidence", "columns", "kernel", "points", "prime", "rows")
    p = integer(given["prime"], "prime", -LARGEST, PRIME - 1)
    points = [matrix(point, "points", data.n, data.d) for point in items_of(given["points"], "points")]
    if any(q.denominator != 1 for point in points for row in point for q in row):
        raise Malformed("points: expected integers")
    rows: list[tuple[int, int, int]] = []
    for entry in items_of(given["rows"], "rows"):
        a, b, c = items_of(entry, "rows", 3, 3)
        rows.append((integer(a, "rows", 1, len(points)), integer(b, "rows", 1, data.p), integer(c, "rows", 1, order)))
    columns = [integer(column, "columns", 1, total) for column in items_of(given["columns"], "columns")]
    if len(set(rows)) < len(rows) or len(set(columns)) < len(columns) or any(degree % 2 == 0 for *_, degree in rows):
        raise Malformed("rows and columns must be distinct, and degrees odd")
    vectors = kernel_vectors(given["kernel"], "kernel", total)
    chosen = set(columns)
    # All is read; what follows is the proof.
    require(parameters == total, f"there are {total} parameters")
    require({row[0] for row in rows} == set(range(1, len(points) + 1)), "a point is used by no row")
    require(len(rows) == rank and len(columns) == rank, "the numbers of rows and of columns are not the claimed rank")
    require(not any(own in chosen for own, _ in vectors), "an own column of a kernel vector is among the columns")
    require(len(vectors) in (0, total - rank), "the kernel vectors do not account for all parameters")
    require(p > 2 and is_prime(p), f"{p} is not an odd prime")
    require(data.n % p != 0, "the prime divides the number of tokens")
    terms = (order + 1) // 2
    size = len(data.M) * data.n * data.n * (data.d + 4) + total
    clock.afford(size * terms + rank**2, p.bit_length())
    numbers = [q for part in (data.L, *data.M) for row in part for q in row]
    require(all(q.denominator % p for q in numbers), "the prime divides a denominator of the instance")
    for normalizer in {x.text: x for x in data.normalizers}.values():
        coefficients = taylor(normalizer, terms + 1, clock)
        require(all(q.denominator % p for q in coefficients), "the prime divides a denominator of a coefficient of a normalizer")
        require(coefficients[0].numerator % p != 0, "the prime divides the constant term of a normalizer")
    field = Series(terms, clock, p, p)
    layers = series_layers(field, data, clock)
    square: dict[tuple[int, int, int], list[int]] = {}
    for position, point in enumerate(points, 1):
        steps, tokens = forward(field, layers, [[field.number(q) for q in row] for row in point])
        for j in sorted({coordinate for at, coordinate, _ in rows if at == position}):
            entries = jet_columns(field, data, layers, steps, tokens[0], j - 1)
            for row in rows:
                if row[:2] == (position, j):
                    square[row] = [entries[column - 1][0][row[2] // 2] for column in columns]
    require(is_invertible([square[row] for row in rows], p, clock), "the matrix of rows and columns is singular modulo the prime")
    sentences = [f"the differential of the Taylor polynomial of degree {order} ({total} parameters) has rank at least {rank} at this tuple"]
    if rank + len(vectors) != total:
        return tuple(sentences), ["jet-rank-at-least"], []
    if vectors:
        exact = Series(terms, clock)
        clock.afford(size * terms, 64)
        one, zero, stack = exact.number(Fraction(1)), exact.number(Fraction(0)), series_layers(exact, data, clock)
        lifted = [([own, *entries], [one, *map(exact.number, entries.values())]) for own, entries in vectors]
        for flat in compositions(order, data.n * data.d):
            point = [[Fraction(x) for x in flat[a * data.d : (a + 1) * data.d]] for a in range(data.n)]
            steps, tokens = forward(exact, stack, [[exact.number(q) for q in row] for row in point])
            for j in range(data.p):
                entries = jet_columns(exact, data, stack, steps, tokens[0], j)
                for places, factors in lifted:
                    change = exact.dot([entries[c - 1] for c in places], factors)
                    require(change == zero, f"kernel vector of column {places[0]}: the jet changes at the point {flat}")
    sentences[0] = sentences[0].replace("at least ", "")
    return tuple(sentences), ["jet-rank"], []


def is_invertible(rows: list[list[int]], p: int, clock: Clock) -> bool:
    rows = [list(row) for row in rows]
    for i in range(len(rows)):
        found = next((j for j in range(i, len(rows)) if rows[j][i] % p), None)
        if found is None:
            return False
        rows[i], rows[found] = rows[found], rows[i]
        unit = pow(rows[i][i], -1, p)
        for j in range(i + 1, len(rows)):
            clock.tick()
            factor = rows[j][i] * unit % p
            if factor:
                rows[j][i:] = [(x - factor * y) % p for x, y in zip(rows[j][i:], rows[i][i:], strict=True)]
    return True


Form = tuple[tuple[tuple[tuple[int, Fraction], ...], Fraction], ...]  # a sum: products of (base, exponent), with coefficients


class Forms:
    """Canonical forms: equal forms are equal functions near 0.

    Bases are numbered in one table: 0 is s; then functions of forms, and sums with constant term 1 (or 0 and first coefficient 1).
    """

    def __init__(self, clock: Clock) -> None:
        self.clock, self.numbers, self.bases = clock, dict[tuple[str, Form], int](), [("s", Form())]
        self.zeros = [Fraction(0)]  # the value at s = 0 of each base

    def base(self, name: str, form: Form, at_zero: int) -> int:
        if (name, form) not in self.numbers:
            self.numbers[name, form] = len(self.bases)
            self.bases.append((name, form))
            self.zeros.append(Fraction(at_zero))
        return self.numbers[name, form]

    def collect(self, terms: Iterable[tuple[tuple[tuple[int, Fraction], ...], Fraction]]) -> Form:
        total: dict[tuple[tuple[int, Fraction], ...], Fraction] = {}
        for term, q in terms:
            self.clock.tick()
            total[term] = total.get(term, Fraction(0)) + q
            if max(total[term].numerator.bit_length(), total[term].denominator.bit_length()) > LONG or len(total) > ORDER:
                raise Malformed("beyond the time bound: a canonical form is too long")
        return tuple(sorted((term, q) for term, q in total.items() if q))

    def number(self, q: Fraction) -> Form:
        return self.collect([((), q)])

    def linear(self, c: Fraction) -> Form:
        return self.collect([(((0, Fraction(1)),), c)])

    def add(self, a: Form, b: Form) -> Form:
        return self.collect([*a, *b])

    def sub(self, a: Form, b: Form) -> Form:
        return self.collect([*a, *((term, -q) for term, q in b)])

    def scaled(self, a: Form, c: Fraction) -> Form:
        return self.collect((term, q * c) for term, q in a)

    def at_zero(self, a: Form) -> Fraction:
        return sum((q for term, q in a if all(self.zeros[base] for base, _ in term)), Fraction(0))

    @staticmethod
    def is_polynomial(a: Form) -> bool:
        return all(not term or (len(term) == 1 and term[0][0] == 0) for term, _ in a)

    def factors(self, a: Form) -> tuple[Fraction, list[tuple[int, Fraction]]]:
        """A nonzero form as a rational factor and bases with exponents."""
        if len(a) == 1:
            return a[0][1], list(a[0][0])
        value = self.at_zero(a)
        factor = value or a[0][1]
        return factor, [(self.base("sum", self.scaled(a, 1 / factor), int(value != 0)), Fraction(1))]

    def built(self, q: Fraction, factors: Iterable[tuple[int, Fraction]]) -> Form:
        """A product in canonical form: equal bases merge, and so do all factors exp."""
        powers: dict[int, Fraction] = {}
        exponent: Form = ()
        for base, e in factors:
            if self.bases[base][0] == "exp":
                exponent = self.add(exponent, self.scaled(self.bases[base][1], e))
            else:
                powers[base] = powers.get(base, Fraction(0)) + e
        if exponent:
            powers[self.base("exp", exponent, 1)] = Fraction(1)
        left = sorted((base, e) for base, e in powers.items() if e)
        if len(left) == 1 and left[0][1] == 1 and self.bases[left[0][0]][0] == "sum":
            return self.scaled(self.bases[left[0][0]][1], q)
        if any(base for base, _ in left) and all(e.denominator == 1 and e > 0 and self.polynomial_base(base) for base, e in left):
            value = self.number(q)
            for base, e in left:
                for _ in range(int(e)):
                    value = self.expanded(value, self.bases[base][1] if base else self.linear(Fraction(1)))
            return value
        return self.collect([(tuple(left), q)])

    def polynomial_base(self, base: int) -> bool:
        return base == 0 or (self.bases[base][0] == "sum" and self.is_polynomial(self.bases[base][1]))

    def expanded(self, a: Form, b: Form) -> Form:
        """The product of polynomials."""

        def degree(term: tuple[tuple[int, Fraction], ...]) -> Fraction:
            return term[0][1] if term else Fraction(0)

        degrees = ((degree(x) + degree(y), q * r) for x, q in a for y, r in b)
        return self.collect((((0, e),) if e else (), q) for e, q in degrees)

    def mul(self, a: Form, b: Form) -> Form:
        if self.is_polynomial(a) and self.is_polynomial(b):
            return self.expanded(a, b)
        if not a or not b:
            return ()
        (q, left), (r, right) = self.factors(a), self.factors(b)
        return self.built(q * r, [*left, *right])

    def inverse(self, a: Form) -> Form:
        return self.power(a, Fraction(-1))

    def power(self, a: Form, q: Fraction) -> Form:
        if not a or not q:
            return self.number(Fraction(not q))
        factor, bases = self.factors(a)
        if q.denominator != 1:
            require(factor == 1, "a power of a form whose constant term is not seen to be 1")
        elif max(factor.numerator.bit_length(), factor.denominator.bit_length()) * abs(q) > LONG:
            raise Malformed("beyond the time bound: a canonical form is too long")
        return self.built(factor**q.numerator if q.denominator == 1 else factor, [(base, e * q) for base, e in bases])

    def function(self, name: str, a: Form) -> Form:
        if name == "log":
            a = self.sub(a, self.number(Fraction(1)))  # so that 1 becomes 0; the base holds the argument less 1
        if not a:
            return self.number(Fraction(name in ("exp", "cos")))
        sign = Fraction(-1 if name in ("sin", "cos") and a[0][1] < 0 else 1)
        base = self.base(name, self.scaled(a, sign), int(name in ("exp", "cos")))
        return self.collect([(((base, Fraction(1)),), sign if name == "sin" else Fraction(1))])


def normal_form(forms: Forms, phi: Normalizer, c: int | Fraction) -> Form:
    """The canonical form of phi(c s) / phi(0)."""
    return forms.scaled(evaluate(phi.text, forms, forms.linear(Fraction(c))), 1 / phi.at_zero)


def seen_layers(data: Tuple, forms: Forms) -> list[tuple[Matrix, Normalizer]]:
    """The layers that are left when what is not seen is left out."""
    kept: list[tuple[Matrix, Normalizer]] = []
    if not any(map(any, data.L)):
        return kept

    def is_skew(score: Matrix) -> bool:
        return all(x == -y for row, column in zip(score, zip(*score, strict=True), strict=True) for x, y in zip(row, column, strict=True))

    for score, phi in zip(data.M, data.normalizers, strict=True):
        if not any(map(any, score)):
            while (
                data.n == 2 and kept and is_skew(kept[-1][0]) and normal_form(forms, kept[-1][1], 1) == normal_form(forms, kept[-1][1], -1)
            ):
                kept.pop()
            return [*kept, (score, phi)]
        kept.append((score, phi))
        if data.n == 2 and is_skew(score):
            both = forms.mul(normal_form(forms, phi, 1), normal_form(forms, phi, -1))
            if both == forms.number(Fraction(1)):
                return kept
    return kept


def prove_equal(first: Tuple, second: Tuple, clock: Clock) -> None:
    forms = Forms(clock)
    require(first.L == second.L, "the readouts differ: not proved to be equal")
    left, right = seen_layers(first, forms), seen_layers(second, forms)
    require(len(left) == len(right), "different numbers of layers are left: not proved to be equal")
    for i, ((score, phi), (other, psi)) in enumerate(zip(left, right, strict=True), 1):
        flat, against = [q for row in score for q in row], [q for row in other for q in row]
        if not any(flat) and not any(against):
            continue
        c = next((x / y for x, y in zip(flat, against, strict=True) if y), Fraction(0))
        require(c != 0 and flat == [c * y for y in against], f"the scores of layer {i} of those left are not proportional")
        same = normal_form(forms, phi, c) == normal_form(forms, psi, 1)
        require(same, f"the normalizers of layer {i} of those left are not identified")


def check_equal(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    pair = fields(instance, "instance", "first", "second")
    first, second = (read_tuple(value, where, clock) for value, where in zip(pair, ("first", "second"), strict=True))
    if (first.n, first.d, first.p) != (second.n, second.d, second.p):
        raise Malformed("instance: the tuples must have the same tokens, width and outputs")
    (equal,) = fields(claim, "claim", "equal")
    if type(equal) is not bool:
        raise Malformed("equal: expected true or false")
    if equal:
        fields(evidence, "evidence")
        prove_equal(first, second, clock)
        return ("the two tuples are the same function near X = 0",), ["equal"], []
    (witness,) = fields(evidence, "evidence", "witness")
    measure = "bits" if type(witness) is dict and "bits" in witness else "degree"
    given = parts(witness, "witness", "coordinate", "input", "token", "values", measure)
    j, a = integer(given["coordinate"], "coordinate", 1, first.p) - 1, integer(given["token"], "token", 1, first.n) - 1
    point = matrix(given["input"], "input", first.n, first.d)
    values = items_of(given["values"], "values", 2, 2)
    if measure == "degree":
        degree = integer(given["degree"], "degree", 1, ORDER)
        if degree % 2 == 0:
            raise Malformed("degree: expected an odd integer")
        stated = [rational(value, "values") for value in values]
        require(stated[0] != stated[1], "the two values are the same")
        ring = Series(degree // 2 + 1, clock)
        clock.afford(max(len(first.M), len(second.M)) * first.n**2 * (first.d + 4) * ring.terms, 64)
        for data, value, which in zip((first, second), stated, ("first", "second"), strict=True):
            _, tokens = forward(ring, series_layers(ring, data, clock), [[ring.number(q) for q in row] for row in point])
            part = ring.scalars(ring.dot([ring.number(q) for q in data.L[j]], tokens[a]))[degree // 2]
            require(part == value, f"the part of the {which} tuple of degree {degree} is another")
        return (f"the two tuples differ: their parts of degree {degree} have other values at an input",), ["different"], []
    bits = integer(given["bits"], "bits", 1, BITS)
    ranges = [[decimal(end, "values") for end in items_of(value, "values", 2, 2)] for value in values]
    if not all(at_most(low, high) for low, high in ranges):
        raise Malformed("values: an interval has its bounds in the wrong order")
    balls = Balls(bits, clock)
    require(not at_most(ranges[1][0], ranges[0][1]) or not at_most(ranges[0][0], ranges[1][1]), "the two intervals are not disjoint")
    for phi in (*first.normalizers, *second.normalizers):
        continued = not any(item == "log" or (item[:1] == "^" and "/" in item) for item in phi.text.split(" "))
        require(continued, "values away from 0 prove nothing for normalizers with log or a power that is not an integer")
    clock.afford(max(len(first.M), len(second.M)) * first.n**2 * (first.d + 4), bits)
    for data, (low, high), which in zip((first, second), ranges, ("first", "second"), strict=True):
        layers = tuple_layers(balls, data, balls.number(Fraction(1)), [balls.slope(phi.text) for phi in data.normalizers])
        _, outputs = forward(balls, layers, [[balls.number(q) for q in row] for row in point])
        middle, radius = balls.dot([balls.number(q) for q in data.L[j]], outputs[a])
        inside = balls.is_below(low, middle - radius) and balls.is_below((-high[0], high[1]), -middle - radius)
        require(inside, f"the output of the {which} tuple is not proved to lie in its interval")
    return ("the two tuples differ: their outputs at an input lie in disjoint intervals",), ["different"], []


# Enclosures: singular values at one t.


def check_enclosure(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    path = read_path(instance, clock)
    total = len(path.places)
    if not path.bank:
        raise Malformed("bank: expected at least one input")
    claimed, given = parts(claim, "claim", "kernel", "rank", "t", "values"), parts(evidence, "evidence", "bits", "kernel")
    (size, rank), t = counts(claimed, "kernel", "rank"), rational(claimed["t"], "t")
    bits, vectors = integer(given["bits"], "bits", 1, BITS), kernel_vectors(given["kernel"], "kernel", total)
    values = []
    for entry in items_of(claimed["values"], "values"):
        low, high, many = items_of(entry, "values", 3, 3)
        values.append((decimal(low, "values"), decimal(high, "values"), integer(many, "values", 1, LARGEST)))
        clock.tick()
        if values[-1][0][0] <= 0 or at_most(values[-1][1], values[-1][0]):
            raise Malformed("values: expected 0 < lower < upper")
        if len(values) > 1 and not at_most(values[-1][1], values[-2][0]):
            raise Malformed("values: expected disjoint intervals in descending order")
    if not t:
        raise Malformed("t: must not be 0")
    # All is read; what follows is the proof.
    require(len(vectors) == size, "the number of kernel vectors is not the claimed one")
    require(rank + size == total, "rank and kernel do not account for all columns")
    require(sum(many for *_, many in values) == rank, "the multiplicities do not add up to the rank")
    rows = len(path.bank) * path.n * path.d
    clock.afford(rows * rank + 4 * rank**2 + path.footprint(), 2 * bits)
    check_kernel(path, vectors, clock)
    balls = Balls(bits, clock)
    one, owned = balls.number(Fraction(1)), {own for own, _ in vectors}
    kept = [column for column in range(1, total + 1) if column not in owned]
    shares: dict[int, dict[int, Fraction]] = {column: {} for column in kept}  # q_cj by j and c, in native columns
    for own, entries in vectors:
        for j, q in entries.items():
            shares[j][own] = q * t if path.weight(j) > path.weight(own) else q
    layers, factors = path_layers(balls, path, balls.number(t * t), [balls.slope(phi.text) for phi in path.normalizers])
    scale = [balls.number(t if path.weight(column) else Fraction(1)) for column in range(1, total + 1)]
    lifted = [([j, *shares[j]], [one, *(balls.number(-q) for q in shares[j].values())]) for j in kept]
    reduced = []
    for data in path.bank:
        steps, _ = forward(balls, layers, [[balls.number(q) for q in row] for row in data])
        for a in range(path.n):
            for j in range(path.d):
                gradient = backward(balls, layers, steps, unit_form(balls, path.n, path.d, a, j))
                row = [balls.dot((x,), (y,)) for x, y in zip(columns_of(balls, path, gradient, factors), scale, strict=True)]
                reduced.append([balls.dot([row[c - 1] for c in places], coefficients) for places, coefficients in lifted])
    columns = turned(reduced)
    gram = [[balls.dot(columns[i], columns[j]) for j in range(i + 1)] for i in range(rank)]
    metric: list[list[Ball]] = []
    for i in kept:
        metric.append([])
        for j in kept[: len(metric)]:
            clock.tick()
            metric[-1].append(balls.number(sum((q * shares[j][c] for c, q in shares[i].items() if c in shares[j]), Fraction(i == j))))
    below = rank
    for low, high, many in values:
        for bound, expected in ((high, below), (low, below - many)):
            x = balls.decimal((bound[0] ** 2, 2 * bound[1]))
            pencil = [[balls.sub(a, balls.dot((x,), (h,))) for a, h in zip(*both, strict=True)] for both in zip(gram, metric, strict=True)]
            require(
                negative_pivots(balls, pencil) == expected, f"there are not {expected} singular values below {bound[0]}e{bound[1]}"[:200]
            )
        below -= many
    at = f"at t = {t}" if len(str(t)) < 50 else "at this t"
    about = f"{at} the native Jacobian on this bank ({len(path.bank)} inputs) has rank {rank}"
    return (about, f"its positive singular values lie in the {len(values)} given intervals, with multiplicities"), ["singular-values"], []


def negative_pivots(balls: Balls, a: Sequence[Sequence[Ball]]) -> int:
    """The number of negative eigenvalues of a symmetric matrix (lower half given), by L D L^T."""
    lower: list[list[Ball]] = []  # the rows of L
    inverses: list[Ball] = []
    negative = 0
    for row in a:
        scaled: list[Ball] = []  # the row of L D
        for j, entry in enumerate(row[:-1]):
            scaled.append(balls.sub(entry, balls.dot(scaled, lower[j])) if j else entry)
        lower.append([balls.dot((x,), (inverse,)) for x, inverse in zip(scaled, inverses, strict=True)])
        middle, radius = pivot = balls.sub(row[-1], balls.dot(scaled, lower[-1]))
        require(abs(middle) > radius, "a pivot of the elimination is not proved to be nonzero")
        negative += middle < 0
        inverses.append(balls.inverse(pivot))
    return negative


KINDS: dict[str, Callable[[str, Any, Any, Any, Clock], Found]] = {
    "kernel": check_path,
    "rank": check_path,
    "spectrum": check_path,
    "bank": check_path,
    "jet": check_jet,
    "equal": check_equal,
    "enclosure": check_enclosure,
}


def examine(data: bytes, clock: Clock) -> tuple[str, Found]:
    names = ("symattn-certificate", "kind", "instance", "digest", "claim", "evidence", "proven", "assumed")
    version, kind, instance, digest, claim, evidence, proven, assumed = fields(document(data), "the document", *names)
    integer(version, "symattn-certificate", 1, 1)
    if type(kind) is not str or kind not in KINDS:
        raise Malformed(f"kind: expected one of {', '.join(KINDS)}")
    if type(digest) is not str or not re.fullmatch("sha256:[0-9a-f]{64}", digest):
        raise Malformed("digest: expected sha256: and 64 hexadecimal digits")
    for words in (items_of(proven, "proven"), items_of(assumed, "assumed")):
        if not all(type(word) is str for word in words):
            raise Malformed("proven and assumed: expected lists of words")
    found = KINDS[kind](kind, instance, claim, evidence, clock)
    require(digest == "sha256:" + hashlib.sha256(canonical(instance)).hexdigest(), "the digest is not that of the instance")
    require(proven == found[1], f"what is proven is {found[1]}")
    require(assumed == found[2], f"what is assumed is {found[2]}")
    return kind, found


def check(data: bytes, seconds: float = 600.0) -> Result:
    """Check the bytes of one certificate within a time bound.

    Returns a :class:`Result` for any bytes at all; nothing is raised.
    """
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(DIGITS + 1)  # the environment may have set less
    try:
        kind, (claims, proven, assumed) = examine(data, Clock(seconds))
    except Malformed as error:
        return Result("malformed", str(error)[:300], "", (), (), ())
    except Invalid as error:
        return Result("invalid", str(error)[:300], "", (), (), ())
    finally:
        sys.set_int_max_str_digits(digits)
    return Result("valid", "", kind, claims, tuple(proven), tuple(assumed))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check files, one line each; 0: all are valid, 1: at least one is invalid, 4: at least one is malformed."""
    names = sys.argv[1:] if arguments is None else list(arguments)
    if not names:
        print("usage: check.py FILE ..", file=sys.stderr)
        return 2
    verdicts = set()
    for name in names:
        start = time.monotonic()
        try:
            with open(name, "rb") as file:
                result = check(file.read(BYTES + 1))
        except (OSError, ValueError) as error:
            result = Result("malformed", f"cannot be read: {error}", "", (), (), ())
        verdicts.add(result.verdict)
        text = "; ".join(result.claims) + (f" (assumed: {', '.join(result.assumed)})" if result.assumed else "")
        print(f"{ascii(name)[1:-1]}: {result.verdict}: {text or ascii(result.reason)[1:-1]} ({time.monotonic() - start:.1f} s)")
    return 4 if "malformed" in verdicts else 1 if "invalid" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
