"""The independent checker of certificates (docs/certificates.md), in plain Python: ``python check.py FILE ..``.

It imports nothing but the standard library and trusts no number of a file: it reads strictly, computes the network again and says in its own
words what it has proved. From top to bottom: outcomes and the time bound, strict reading, normalizers, number systems, the network, the kinds.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb, gcd, isqrt, lcm
from operator import mul
from typing import Any, Generic, Protocol, TypeVar

__all__ = ["Result", "check", "main"]

E = TypeVar("E")
Rows = Sequence[Sequence[E]]
Matrix = list[list[Fraction]]
Vector = tuple[int, dict[int, Fraction]]  # a kernel vector: its own column, and its other entries

BYTES, LEVELS, DIGITS, SIZE, BANK, ITEMS, POWER, ORDER = 8 << 20, 12, 4000, 64, 4096, 400, 1000, 4096
PRIME, BITS, EXPONENT, DEGREE = 1 << 64, 65536, 100000, 64
MEMORY, LONG, HUGE = 1 << 33, 1 << 19, 1 << 16  # our own bounds of work: bits held at once, bits of one exact number, arguments of exp


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
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text):
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
    return integer(mantissa, where, -(10**DIGITS), 10**DIGITS), integer(exponent, where, -EXPONENT, EXPONENT)


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
        self.p, self.m, self.clock = p, p**precision, clock

    def number(self, q: Fraction) -> int:
        return q.numerator * self.inverse(q.denominator) % self.m

    def sub(self, a: int, b: int) -> int:
        return (a - b) % self.m

    def inverse(self, a: int) -> int:
        require(a % self.p != 0, "the prime divides a denominator, a divisor or the constant term of a normalizer")
        return pow(a, -1, self.m)

    def dot(self, a: Sequence[int], b: Sequence[int]) -> int:
        self.clock.tick()
        return sum(map(mul, a, b)) % self.m


Scalar = Any  # a Fraction, or a residue
Power = tuple[tuple[int, ...], int]  # the coefficients of a power series over one common denominator


class Series:
    """Power series with the given number of terms over Q, or modulo m with denominator 1 throughout."""

    def __init__(self, terms: int, clock: Clock, modulus: int = 0, p: int = 0) -> None:
        self.terms, self.clock, self.m, self.p = terms, clock, modulus, p
        self.variable = self.pack([0, 1])

    def pack(self, scalars: Sequence[Scalar]) -> Power:
        below = 1 if self.m else lcm(*(x.denominator for x in scalars))
        above = [x % self.m if self.m else x.numerator * (below // x.denominator) for x in scalars[: self.terms]]
        return self.reduced(above + [0] * (self.terms - len(above)), below)

    def reduced(self, above: list[int], below: int) -> Power:
        if self.m:
            return tuple(x % self.m for x in above), 1
        if (common := gcd(below, *above)) > 1:
            above, below = [x // common for x in above], below // common
        if max(below, *above, -min(above)).bit_length() > LONG:
            raise Malformed("beyond the time bound: an exact coefficient is too long")
        return tuple(above), below

    def scalars(self, a: Power) -> list[Scalar]:
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
        self.clock.tick()
        belows = [x[1] * y[1] for x, y in zip(a, b, strict=True)]
        below = lcm(*belows)
        if below.bit_length() > LONG:
            raise Malformed("beyond the time bound: an exact coefficient is too long")
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
            self.clock.tick()
            out.append(step(n, out) % self.m if self.m else step(n, out))
        return out

    @staticmethod
    def convolved(given: list[Scalar], out: list[Scalar], n: int) -> Scalar:
        """The sum of given[j] out[n - j] over j = 1 .. n."""
        return sum(map(mul, given[1 : n + 1], reversed(out)))

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
            self.clock.tick()
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


Slope = Callable[[E], tuple[E, E]]  # s -> phi(s), phi'(s)


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
            left = [
                [*weights, *scores, *key] for weights, scores, key in zip(turned(step.weights), turned(in_scores), keys, strict=True)
            ]
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
            not path.weight(own) or all(path.weight(j) for j in entries), f"kernel vector of column {own}: a query or key direction holds a value"
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


def columns_of(ring: Ring[E], path: Path, gradient: Sequence[tuple[Rows[E], Rows[E]]], factors: Sequence[tuple[Rows[E], Rows[E]]]) -> list[E]:
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
    bits, work = precision * p.bit_length(), len(path.layers) * path.n * (3 * path.n + 6 * path.d + path.n * path.d) + 2 * len(path.places)
    clock.afford(work + len(pivots) ** 2, bits)
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


def lower_orders(path: Path, lower: Any, clock: Clock) -> tuple[list[int], Callable[[], None]]:
    """For each layer the order that divides its query and key columns, and the check that this is so."""
    by = lower.get("by") if type(lower) is dict else None
    ks = [normalizer.k for normalizer in path.normalizers]
    if by == "order-lemma":
        fields(lower, "lower", "by")
        contrast, orders = 0, []
        for k in ks:
            orders.append(4 * contrast + 2 * k - 1)
            contrast = 3 * contrast + k
        return orders, lambda: None
    key = {"token-contrasts": "contrasts", "covariances": "valuations"}.get(by) if type(by) is str else None
    if key is None:
        raise Malformed("lower: by must be none, token-contrasts, covariances or order-lemma")
    found = [integer(c, key, 0, ORDER) for c in items_of(fields(lower, "lower", "by", key)[1], key, len(ks), len(ks))]
    orders = [4 * c + 2 * k - 1 if key == "contrasts" else 2 * c + 1 for c, k in zip(found, ks, strict=True)]
    return orders, lambda: divisibilities(path, key == "contrasts", found, clock)


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
                require(not any(any(entry[0][:bound]) for row in entries for entry in row), f"{where}: a covariance has a term below u^{bound}")


Found = tuple[tuple[str, ...], list[str], list[str]]  # sentences, proven, assumed


def read_claimed(claim: Any, names: Sequence[str], total: int) -> dict[str, Any]:
    values = dict(zip(names, fields(claim, "claim", *names), strict=True))
    return {name: value if name in ("orders", "values", "t") else integer(value, name, 0, max(total, BANK)) for name, value in values.items()}


def check_path(kind: str, instance: Any, claim: Any, evidence: Any, clock: Clock) -> Found:
    """The kinds kernel, rank, spectrum and bank."""
    path = read_path(instance, clock)
    total = len(path.places)
    if (kind == "kernel") != (not path.bank):
        raise Malformed("bank: expected none for the kind kernel, and at least one input for the others")
    names = {"kernel": ["kernel"], "rank": ["kernel", "rank"], "spectrum": ["kernel", "orders", "rank"]}
    claimed = read_claimed(claim, names.get(kind, ["kernel", "orders", "rank", "size"]), total)
    needed = {"kernel": ["kernel"], "rank": ["kernel", "pivots", "precision", "prime"]}
    given = needed.get(kind, ["kernel", "lower", "pivots", "precision", "prime"])
    read = dict(zip(given, fields(evidence, "evidence", *given), strict=True))
    vectors = kernel_vectors(items_of(read["kernel"], "kernel", claimed["kernel"], claimed["kernel"]), "kernel", total)
    shape = f"n = {path.n}, d = {path.d}, D = {len(path.layers)}"
    kernel = f"the native Jacobian ({shape}, {total} columns) has at least {len(vectors)} independent kernel directions on every bank and for every t"
    if kind == "kernel":
        check_kernel(path, vectors, clock)
        return (kernel,), ["kernel-at-least"], []
    rank = integer(claimed["rank"], "rank", 0, total)
    p, precision = integer(read["prime"], "prime", 0, PRIME - 1), integer(read["precision"], "precision", 1, ORDER)
    limits = (len(path.bank), path.n, path.d, total)
    pivots = []
    for entry in items_of(read["pivots"], "pivots", rank, rank):
        a, b, c, column = (integer(x, "pivots", 1, most) for x, most in zip(items_of(entry, "pivots", 4, 4), limits, strict=True))
        pivots.append((a, b, c, column))
    if len({pivot[:3] for pivot in pivots}) < rank or len({pivot[3] for pivot in pivots}) < rank:
        raise Malformed("pivots: rows must be distinct, and columns must be distinct")
    owned = {own for own, _ in vectors}
    require(not any(pivot[3] in owned for pivot in pivots), "a pivot stands in an own column of a kernel vector")
    full, by, orders, bounds = rank + len(vectors) == total, "none", list[int](), list[int]()
    confirm: Callable[[], None] = lambda: None  # noqa: E731
    if kind != "rank":
        pairs = [items_of(pair, "orders", 2, 2) for pair in items_of(claimed["orders"], "orders", 0, total)]
        if not ascending([integer(order, "orders", 0, 2 * ORDER) for order, _ in pairs]):
            raise Malformed("orders: must ascend")
        orders = [order for order, many in pairs for _ in range(integer(many, "orders", 1, total))]
        require(len(orders) == rank, "the multiplicities of the orders do not add up to the rank")
        if read["lower"] == {"by": "none"}:
            if kind == "bank":
                raise Malformed("lower: a bank needs the order lemma")
        else:
            bounds, confirm = lower_orders(path, read["lower"], clock)
            by = read["lower"]["by"]
            if kind == "bank" and by != "order-lemma":
                raise Malformed("lower: a bank needs the order lemma")
            require(full, "rank and kernel do not account for all columns")
            proven = sorted(bounds[place[0]] if place[1] != "V" else 0 for c, place in enumerate(path.places, 1) if c not in owned)
            require(proven == orders, "the claimed orders are not the divisibilities of the columns")
    if kind == "bank":
        require(claimed["size"] == len(path.bank), "the size is not that of the bank")
    check_kernel(path, vectors, clock)
    found = valuations(path, p, precision, pivots, clock)
    if kind == "rank":
        about = f"the native Jacobian ({shape}) on this bank has rank {'' if full else 'at least '}{rank}"
        return (kernel, about), ["kernel", "rank"] if full else ["kernel-at-least", "rank-at-least"], []
    reached = [2 * v + path.weight(pivot[3]) for v, pivot in zip(found, pivots, strict=True)]
    require(sorted(reached) == orders, "the claimed orders are not the orders of the pivots")
    confirm()
    listed = ", ".join(f"{order} ({many} times)" for order, many in sorted(Counter(orders).items()))
    about = f"the native Jacobian ({shape}) on this bank of {len(path.bank)} has rank {'' if full else 'at least '}{rank}"
    if by == "none":
        words = ["kernel", "order-sums-at-most", "rank"] if full else ["kernel-at-least", "order-sums-at-most", "rank-at-least"]
        return (kernel, about, f"sums of least contact orders are at most those of {listed}"), words, []
    assumed = ["order-lemma"] if by == "order-lemma" else []
    sentences = (kernel, about, f"its contact orders are {listed}, from below by {by}")
    if kind == "bank":
        return (*sentences, "no bank has smaller contact orders"), ["kernel", "orders", "rank", "separating"], assumed
    return sentences, ["kernel", "orders", "rank"], assumed


# REST


KINDS: dict[str, Callable[[str, Any, Any, Any, Clock], Found]] = {
    "kernel": check_path,
    "rank": check_path,
    "spectrum": check_path,
    "bank": check_path,
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
    require(digest == "sha256:" + hashlib.sha256(canonical(instance)).hexdigest(), "the digest is not that of the instance")
    found = KINDS[kind](kind, instance, claim, evidence, clock)
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
        return Result("malformed", str(error), "", (), (), ())
    except Invalid as error:
        return Result("invalid", str(error), "", (), (), ())
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
        except OSError as error:
            result = Result("malformed", f"cannot be read: {error.strerror}", "", (), (), ())
        verdicts.add(result.verdict)
        text = "; ".join(result.claims) + (f" (assumed: {', '.join(result.assumed)})" if result.assumed else "")
        print(f"{ascii(name)[1:-1]}: {result.verdict}: {text or result.reason} ({time.monotonic() - start:.1f} s)")
    return 4 if "malformed" in verdicts else 1 if "invalid" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
