"""A second checker of certificates, written from docs/certificates.md alone; standard library only, nothing of symattn.

    python tests/certificates/second_checker.py FILE ..

Exit codes: 0 all valid, 1 at least one invalid, 4 at least one malformed. `check(data)` gives the verdict and a reason.

It goes other ways than a checker would go first, so that an error in one of the two is unlikely in the other: derivatives
run forwards (a tangent per direction); normalizers are evaluated item by item in the ring at hand (numbers modulo p^N, series in u,
intervals), with the derivative carried along, not through their coefficients; pivots are found by Crout's left-looking
factorization; enclosures are intervals with two end points; eigenvalues are counted from the last row upwards.

Malformed is what can be told without arithmetic on the instance: keys, shapes, lengths, ranges, lists that must ascend; and what
lies beyond the limits or the time bound. All the rest is invalid.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

FILE_BYTES, NESTING, DIGITS = 8 << 20, 12, 4000
SIZE, BANK, ITEMS, EXPONENT, ORDER = 64, 4096, 400, 1000, 4096
PRIMES, BITS, DECIMAL = 1 << 64, 65536, 100000
NUMBER_BITS = 1 << 21  # numbers beyond need more time than a file is given

KINDS = ("kernel", "rank", "spectrum", "bank", "jet", "equal", "enclosure")
Rows = list[list[Fraction]]


class Result(NamedTuple):
    """A verdict, "valid", "invalid" or "malformed", and one line that says why."""

    verdict: str
    reason: str


class Malformed(Exception):
    """The file is not a certificate, or beyond a limit."""


class Invalid(Exception):
    """The file is a certificate, and a check fails."""


class _Clock:
    end = 0.0


def tick() -> None:
    """Stop when the time is over."""
    if time.monotonic() > _Clock.end:
        raise Malformed("beyond the time bound")


def bounded(size: int) -> None:
    """Stop before numbers of so many bits are formed; a single operation with them cannot be interrupted."""
    if size > NUMBER_BITS:
        raise Malformed("beyond the time bound")


def need(condition: bool, reason: str) -> None:
    if not condition:
        raise Invalid(reason)


def shape(condition: bool, reason: str) -> None:
    if not condition:
        raise Malformed(reason)


# ---------------------------------------------------------------- reading


def read(data: bytes) -> dict[str, Any]:
    """The document of a file in canonical bytes."""
    shape(len(data) <= FILE_BYTES, "the file has more than 8 MiB")
    depth = 0
    for bracket in re.findall(rb"[\[\]{}]", re.sub(rb'"(?:[^"\\]|\\.)*"', b"", data)):
        depth += 1 if bracket in b"[{" else -1
        shape(depth <= NESTING, "the file has more than 12 levels of nesting")
    try:
        document = json.loads(data.decode("ascii"), parse_int=_digits, parse_float=_no_number, parse_constant=_no_number)
        canonical = written(document) + b"\n"
    except (ValueError, RecursionError):
        raise Malformed("the file is not a JSON document") from None
    shape(canonical == data, "the bytes of the file are not canonical")
    return fields(document, "the document", "symattn-certificate", "kind", "instance", "digest", "claim", "evidence", "proven", "assumed")


def _digits(text: str) -> int:
    shape(len(text.lstrip("-")) <= DIGITS, "an integer has more than 4000 digits")
    return int(text)


def _no_number(text: str) -> int:
    raise Malformed("a number of the file is not an integer")


def written(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def fields(value: Any, where: str, *keys: str) -> dict[str, Any]:
    shape(type(value) is dict and set(value) == set(keys), f"{where} must be an object with the keys {', '.join(sorted(keys))}")
    return dict(value)


def listed(value: Any, where: str, length: int | None = None, least: int = 0, most: int | None = None) -> list[Any]:
    shape(type(value) is list, f"{where} must be a list")
    shape(length is None or len(value) == length, f"{where} must have {length} entries")
    shape(len(value) >= least and (most is None or len(value) <= most), f"{where} has a number of entries that is not allowed")
    return list(value)


def integer(value: Any, where: str, low: int | None = None, high: int | None = None) -> int:
    shape(type(value) is int, f"{where} must be an integer")
    shape((low is None or value >= low) and (high is None or value <= high), f"{where} is out of range")
    return int(value)


def text(value: Any, where: str) -> str:
    shape(type(value) is str, f"{where} must be a text")
    return str(value)


_FRACTION = re.compile(r"(-?[1-9][0-9]*)/([1-9][0-9]*)")


def fraction_text(value: str, where: str) -> Fraction:
    match = _FRACTION.fullmatch(value)
    if match is None:
        raise Malformed(f"{where} must be a rational")
    shape(len(match[1].lstrip("-")) <= DIGITS and len(match[2]) <= DIGITS, f"{where} has more than 4000 digits")
    a, b = int(match[1]), int(match[2])
    shape(b > 1 and gcd(a, b) == 1, f"{where} is not in lowest terms")
    return Fraction(a, b)


def rational(value: Any, where: str) -> Fraction:
    return Fraction(value) if type(value) is int else fraction_text(text(value, where), where)


def decimal(value: Any, where: str) -> Fraction:
    m, e = listed(value, where, 2)
    m, e = integer(m, where), integer(e, where, -DECIMAL, DECIMAL)
    return Fraction(m * 10**e) if e >= 0 else Fraction(m, 10**-e)


def matrix(value: Any, where: str, rows: int, columns: int) -> Rows:
    tick()
    return [[rational(q, where) for q in listed(row, where, columns)] for row in listed(value, where, rows)]


# ---------------------------------------------------------------- normalizers

Item = tuple[str, Fraction]
Program = tuple[Item, ...]
ZERO, ONE = Fraction(0), Fraction(1)
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


def literal(value: str, where: str) -> Fraction:
    if _INTEGER.fullmatch(value):
        shape(len(value.lstrip("-")) <= DIGITS, f"{where} has more than 4000 digits")
        return Fraction(int(value))
    return fraction_text(value, where)


def parse(postfix: str) -> tuple[Program, int]:
    """The items of a normalizer, and its k: the least degree >= 1 with a nonzero coefficient."""
    where = "a normalizer"
    shape(len(postfix) <= ITEMS * (2 * DIGITS + 8), f"{where} has more than 400 items")
    texts = postfix.split(" ")
    shape(len(texts) <= ITEMS, f"{where} has more than 400 items")
    items: list[Item] = []
    height = 0
    for item in texts:
        if item in ("+", "-", "*", "/"):
            shape(height >= 2, f"{where} lacks an operand")
            height -= 1
            items.append((item, ZERO))
        elif item in ("exp", "log", "sin", "cos") or item.startswith("^"):
            shape(height >= 1, f"{where} lacks an operand")
            q = literal(item[1:], where) if item.startswith("^") else ZERO
            shape(abs(q.numerator) <= EXPONENT and q.denominator <= EXPONENT, f"{where} has a power beyond 1000")
            items.append(("^" if item.startswith("^") else item, q))
        else:
            height += 1
            items.append(("s", ZERO) if item == "s" else ("q", literal(item, where)))
    shape(height == 1, f"{where} does not make one expression")
    program = tuple(items)
    for degree in (2, 8, 24, 64):
        ring = SeriesRing(degree + 1)
        value, _ = run(program, ring, ring.variable(), None)
        shape(value.c[0] > 0, f"{where} is not positive at 0")
        for k in range(1, degree + 1):
            if value.c[k]:
                return program, k
    raise Malformed(f"{where} has no coefficient of a degree from 1 to 64")


def run(program: Program, ring: Any, s: Any, slope: Any) -> tuple[Any, Any]:
    """The value of a normalizer at s in a ring, and its derivative along `slope` (none if `slope` is none)."""
    stack: list[tuple[Any, Any]] = []
    follow, red = slope is not None, ring.red
    for name, q in program:
        tick()
        if name == "s":
            stack.append((s, slope))
            continue
        if name == "q":
            stack.append((ring.const(q), ring.const(ZERO)))
            continue
        a, da = stack.pop()
        value: Any
        change: Any = None
        if name in ("+", "-", "*", "/"):
            b, db = a, da
            a, da = stack.pop()
            if name == "+":
                value, change = red(a + b), red(da + db) if follow else None
            elif name == "-":
                value, change = red(a - b), red(da - db) if follow else None
            elif name == "*":
                value, change = red(a * b), red(da * b + a * db) if follow else None
            else:
                inverse = ring.inv(b)
                value = red(a * inverse)
                change = red((da - value * db) * inverse) if follow else None
        elif name == "exp":
            value = ring.exp(a)
            change = red(value * da) if follow else None
        elif name == "log":
            value = ring.log(a)
            change = red(da * ring.inv(a)) if follow else None
        elif name in ("sin", "cos"):
            sine, cosine = ring.sincos(a)
            value = sine if name == "sin" else cosine
            if follow:
                change = red(cosine * da) if name == "sin" else red(ring.const(ZERO) - sine * da)
        else:
            value = power(ring, a, q)
            if follow:
                change = red(red(ring.const(q) * da) * power(ring, a, q - 1)) if q else ring.const(ZERO)
        stack.append((value, change))
    return stack[0]


def power(ring: Any, base: Any, q: Fraction) -> Any:
    """base ^ q; integer powers by repeated squaring, others by the ring, which asks for a constant term one."""
    if q.denominator > 1:
        return ring.root(base, q)
    e = q.numerator
    if e < 0:
        base, e = ring.inv(base), -e
    result = ring.const(ONE)
    while e:
        tick()
        if e & 1:
            result = ring.red(result * base)
        e >>= 1
        if e:
            base = ring.red(base * base)
    return result


# ---------------------------------------------------------------- rings


class Series:
    """A power series in one variable, cut off; coefficients are fractions, or integers modulo `p` if p is not 0."""

    __slots__ = ("c", "p")

    def __init__(self, c: list[Any], p: int):
        self.c, self.p = [x % p for x in c] if p else c, p

    def __add__(self, other: Series) -> Series:
        return Series([a + b for a, b in zip(self.c, other.c, strict=True)], self.p)

    def __sub__(self, other: Series) -> Series:
        return Series([a - b for a, b in zip(self.c, other.c, strict=True)], self.p)

    def __mul__(self, other: Any) -> Series:
        if not isinstance(other, Series):
            return Series([a * other for a in self.c], self.p)
        size = len(self.c)
        result: list[Any] = [0 if self.p else ZERO] * size
        right = [(j, b) for j, b in enumerate(other.c) if b]
        for i, a in enumerate(self.c):
            if a:
                tick()
                for j, b in right:
                    if i + j >= size:
                        break
                    result[i + j] += a * b
        if not self.p:
            bounded(max(x.numerator.bit_length() + x.denominator.bit_length() for x in result))
        return Series(result, self.p)

    __rmul__ = __mul__


class Ring:
    """What the network needs of a ring; elements know + - and *."""

    def red(self, x: Any) -> Any:
        return x

    def scalar(self, q: Fraction) -> Any:
        """A rational as a factor of elements."""
        return self.const(q)

    def const(self, q: Fraction) -> Any:
        raise NotImplementedError

    def by_u(self, x: Any) -> Any:
        return x

    def dot(self, xs: Sequence[Any], ys: Sequence[Any]) -> Any:
        total = xs[0] * ys[0]
        for x, y in zip(xs[1:], ys[1:], strict=True):
            total = total + x * y
        return self.red(total)

    def sum(self, xs: Sequence[Any]) -> Any:
        total = xs[0]
        for x in xs[1:]:
            total = total + x
        return self.red(total)


class SeriesRing(Ring):
    """Series cut off behind `size` coefficients, over Q, or modulo p (then without functions)."""

    def __init__(self, size: int, p: int = 0):
        self.size, self.p = size, p

    def scalar(self, q: Fraction) -> Any:
        return q.numerator * pow(q.denominator, -1, self.p) % self.p if self.p else q

    def const(self, q: Fraction) -> Series:
        return Series([self.scalar(q), *([0 if self.p else ZERO] * (self.size - 1))], self.p)

    def variable(self) -> Series:
        return self.by_u(self.const(ONE))

    def by_u(self, x: Series) -> Series:
        return Series([0 if self.p else ZERO, *x.c[:-1]], self.p)

    def inv(self, x: Series) -> Series:
        a = x.c
        shape(bool(a[0]), "a divisor or base of a normalizer has constant term zero")
        first = pow(a[0], -1, self.p) if self.p else 1 / a[0]
        b: list[Any] = [first]
        for m in range(1, self.size):
            tick()
            total = sum((a[j] * b[m - j] for j in range(1, m + 1) if a[j]), 0 if self.p else ZERO)
            b.append(-first * total % self.p if self.p else -first * total)
        return Series(b, self.p)

    def exp(self, x: Series) -> Series:
        a = x.c
        shape(a[0] == 0, "the argument of exp has a constant term")
        e = [ONE]
        for m in range(1, self.size):
            tick()
            e.append(sum((j * a[j] * e[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m)
        return Series(e, 0)

    def sincos(self, x: Series) -> tuple[Series, Series]:
        a = x.c
        shape(a[0] == 0, "the argument of sin or cos has a constant term")
        s, c = [ZERO], [ONE]
        for m in range(1, self.size):
            tick()
            ds = sum((j * a[j] * c[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m
            dc = -sum((j * a[j] * s[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m
            s.append(ds)
            c.append(dc)
        return Series(s, 0), Series(c, 0)

    def log(self, x: Series) -> Series:
        a = x.c
        shape(a[0] == 1, "the argument of log has not constant term one")
        b = [ZERO]
        for m in range(1, self.size):
            tick()
            b.append(a[m] - sum((j * b[j] * a[m - j] for j in range(1, m) if a[m - j]), ZERO) / m)
        return Series(b, 0)

    def root(self, x: Series, q: Fraction) -> Series:
        a = x.c
        shape(a[0] == 1, "the base of a power that is not an integer has not constant term one")
        b = [ONE]
        for m in range(1, self.size):
            tick()
            b.append(sum(((q * j - (m - j)) * a[j] * b[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m)
        return Series(b, 0)


class PadicRing(Ring):
    """Integers modulo p^N, N <= p - 2. Functions are summed at their argument, which p divides: terms of degree N and more vanish."""

    def __init__(self, p: int, precision: int):
        self.p, self.precision, self.m = p, precision, p**precision

    def red(self, x: int) -> int:
        return x % self.m

    def const(self, q: Fraction) -> int:
        need(q.denominator % self.p != 0, "the prime divides a denominator of the instance or of a normalizer")
        return q.numerator * pow(q.denominator, -1, self.m) % self.m

    def inv(self, x: int) -> int:
        need(x % self.p != 0, "the prime divides the constant term of a divisor, of a base or of a normalizer, or n")
        return pow(x, -1, self.m)

    def _terms(self, x: int, ratio: Iterable[Fraction]) -> Iterator[int]:
        term = 1
        for q in ratio:
            tick()
            term = term * x % self.m * self.const(q) % self.m
            yield term

    def exp(self, x: int) -> int:
        return (1 + sum(self._terms(x, (Fraction(1, m) for m in range(1, self.precision))))) % self.m

    def sincos(self, x: int) -> tuple[int, int]:
        terms = [1, *self._terms(x, (Fraction(1, m) for m in range(1, self.precision)))]
        signed = [-term if m % 4 in (2, 3) else term for m, term in enumerate(terms)]
        return sum(signed[1::2]) % self.m, sum(signed[::2]) % self.m

    def log(self, x: int) -> int:
        powers = self._terms(1 - x, (ONE for _ in range(1, self.precision)))
        return -sum(term * self.const(Fraction(1, m)) for m, term in enumerate(powers, 1)) % self.m

    def root(self, x: int, q: Fraction) -> int:
        self.const(q)
        return (1 + sum(self._terms(x - 1, ((q - m + 1) / m for m in range(1, self.precision))))) % self.m


# ---------------------------------------------------------------- intervals


class Interval:
    """The real numbers from lo / 2^w to hi / 2^w."""

    __slots__ = ("hi", "lo", "w")

    def __init__(self, lo: int, hi: int, w: int):
        self.lo, self.hi, self.w = lo, hi, w

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.lo + other.lo, self.hi + other.hi, self.w)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.lo - other.hi, self.hi - other.lo, self.w)

    def __mul__(self, other: Interval) -> Interval:
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        if a >= 0 and c >= 0:
            low, high = a * c, b * d
        else:
            ends = (a * c, a * d, b * c, b * d)
            low, high = min(ends), max(ends)
        return Interval(low >> self.w, -(-high >> self.w), self.w)

    def has_zero(self) -> bool:
        return self.lo <= 0 <= self.hi

    def size(self) -> int:
        return max(abs(self.lo), abs(self.hi))

    def to(self, w: int) -> Interval:
        """The same numbers with w <= self.w binary digits, rounded outwards."""
        down = self.w - w
        return Interval(self.lo >> down, -(-self.hi >> down), w)


def enclosed(q: Fraction, w: int) -> Interval:
    scaled = q.numerator << w
    return Interval(scaled // q.denominator, -(-scaled // q.denominator), w)


def exp_point(x: int, w: int) -> Interval:
    """exp(x / 2^w): halve the argument, sum the series, square."""
    if x < -(w + 2 << w):
        return Interval(0, 1, w)
    bounded(x >> w)
    halvings = max(0, abs(x).bit_length() - w + 8)
    q = w + 2 * halvings + 24 + max(0, 3 * (x >> w) // 2)
    y = Interval(x << (q - w - halvings), x << (q - w - halvings), q)
    term = total = Interval(1 << q, 1 << q, q)
    m = 0
    while term.size() > 1:
        tick()
        m += 1
        term = term * y
        term = Interval(term.lo // m, -(-term.hi // m), q)
        total = total + term
    total = Interval(total.lo - 2, total.hi + 2, q)  # |y| < 1/2: what is left out is less than the last term
    for _ in range(halvings):
        tick()
        total = total * total
    result = total.to(w)
    return Interval(max(0, result.lo), result.hi, w)


def sincos_point(x: int, w: int) -> tuple[Interval, Interval]:
    """sin and cos of x / 2^w: halve the argument, sum the series, double the angle."""
    halvings = max(0, abs(x).bit_length() - w + 8)
    q = w + 4 * halvings + 24
    y = Interval(x << (q - w - halvings), x << (q - w - halvings), q)
    term = Interval(1 << q, 1 << q, q)
    parts = [Interval(0, 0, q), Interval(1 << q, 1 << q, q)]  # sin, cos
    m = 0
    while term.size() > 1:
        tick()
        m += 1
        term = term * y
        term = Interval(term.lo // m, -(-term.hi // m), q)
        parts[(m + 1) % 2] = parts[(m + 1) % 2] - term if m % 4 in (2, 3) else parts[(m + 1) % 2] + term
    sine, cosine = (Interval(a.lo - 2, a.hi + 2, q) for a in parts)
    one = Interval(1 << q, 1 << q, q)
    for _ in range(halvings):
        tick()
        product, square = sine * cosine, sine * sine
        sine, cosine = product + product, one - square - square
    return sine.to(w), cosine.to(w)


def atanh_part(a: int, b: int, q: int) -> Interval:
    """2 atanh(a / b) for |a / b| <= 1/3."""
    z = enclosed(Fraction(a, b), q)
    square, odd, total, m = z * z, z, Interval(0, 0, q), 1
    while odd.size() > 1:
        tick()
        total = total + Interval(2 * odd.lo // m, -(-2 * odd.hi // m), q)
        odd = odd * square
        m += 2
    return Interval(total.lo - 4, total.hi + 4, q)


def log_point(x: int, w: int) -> Interval:
    """log(x / 2^w), x > 0: with x = 2^e y, 1/2 <= y < 1."""
    e, q = x.bit_length(), w + 40
    part, two = atanh_part(x - (1 << e), x + (1 << e), q), atanh_part(1, 3, q)
    ends = ((e - w) * two.lo, (e - w) * two.hi)
    return Interval(part.lo + min(ends), part.hi + max(ends), q).to(w)


class IntervalRing(Ring):
    """Intervals with w binary digits behind the point."""

    def __init__(self, w: int):
        self.w = w

    def red(self, x: Interval) -> Interval:
        bounded(x.size().bit_length())
        return x

    def const(self, q: Fraction) -> Interval:
        return enclosed(q, self.w)

    def inv(self, x: Interval) -> Interval:
        tick()
        need(not x.has_zero(), "the enclosure of a divisor contains zero")
        one = 1 << 2 * self.w
        return Interval(one // x.hi, -(-one // x.lo), self.w)

    def exp(self, x: Interval) -> Interval:
        return Interval(exp_point(x.lo, self.w).lo, exp_point(x.hi, self.w).hi, self.w)

    def sincos(self, x: Interval) -> tuple[Interval, Interval]:
        middle, one = (x.lo + x.hi) >> 1, 1 << self.w
        wide = x.hi - middle
        sine, cosine = (Interval(max(-one, a.lo - wide), min(one, a.hi + wide), self.w) for a in sincos_point(middle, self.w))
        return sine, cosine

    def log(self, x: Interval) -> Interval:
        need(x.lo > 0, "the argument of log or base of a power is not enclosed as positive")
        return Interval(log_point(x.lo, self.w).lo, log_point(x.hi, self.w).hi, self.w)

    def root(self, x: Interval, q: Fraction) -> Interval:
        return self.exp(self.const(q) * self.log(x))


# ---------------------------------------------------------------- the network


class Layer(NamedTuple):
    """A layer in a ring: score, value (none: the identity) and normalizer."""

    S: list[list[Any]]
    V: list[list[Any]] | None
    phi: Any  # s -> (phi(s), phi'(s))


class Trace(NamedTuple):
    """What a layer has done: tokens, S x_b, S^T x_a, phi and phi' of the scores, 1 / sum_c phi(s_ac), averages."""

    x: list[list[Any]]
    right: list[list[Any]]
    left: list[list[Any]]
    e: list[list[Any]]
    f: list[list[Any]]
    z: list[Any]
    y: list[list[Any]]


def transposed(m: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*m, strict=True)]


def apply(ring: Any, m: list[list[Any]], x: list[Any]) -> list[Any]:
    return [ring.dot(row, x) for row in m]


def forward(ring: Any, layers: Sequence[Layer], tokens: list[list[Any]]) -> tuple[list[Trace], list[list[Any]]]:
    """The traces of the layers, and the tokens behind the last one."""
    traces = []
    x = tokens
    for layer in layers:
        tick()
        right = [apply(ring, layer.S, b) for b in x]
        left = [apply(ring, transposed(layer.S), a) for a in x]
        pairs = [[layer.phi(ring.by_u(ring.dot(a, b))) for b in right] for a in x]
        e, f = [[pair[0] for pair in row] for row in pairs], [[pair[1] for pair in row] for row in pairs]
        z = [ring.inv(ring.sum(row)) for row in e]
        columns = transposed(x)
        y = [[ring.red(ring.dot(row, column) * inverse) for column in columns] for row, inverse in zip(e, z, strict=True)]
        traces.append(Trace(x, right, left, e, f, z, y))
        x = y if layer.V is None else [apply(ring, layer.V, a) for a in y]
    return traces, x


Direction = list[tuple[list[list[Any]] | None, list[list[Any]] | None]]  # per layer, changes of score and value, none for zero


def tangent(ring: Any, layers: Sequence[Layer], traces: Sequence[Trace], direction: Direction, lifted: bool) -> list[list[Any]] | None:
    """The change of the tokens behind the last layer; none if it is zero. `lifted`: u times the change of the score counts."""
    dx: list[list[Any]] | None = None
    for layer, trace, (ds, dv) in zip(layers, traces, direction, strict=True):
        tick()
        if dx is None and ds is None and dv is None:
            continue
        dy: list[list[Any]] | None = None
        if dx is not None or ds is not None:
            dy = _averages(ring, trace, dx, ds, lifted)
        value = layer.V
        out = None if dy is None else dy if value is None else [apply(ring, value, a) for a in dy]
        if dv is not None:
            own = [apply(ring, dv, a) for a in trace.y]
            out = own if out is None else [[ring.red(p + q) for p, q in zip(a, b, strict=True)] for a, b in zip(own, out, strict=True)]
        dx = out
    return dx


def _averages(ring: Any, trace: Trace, dx: list[list[Any]] | None, ds: list[list[Any]] | None, lifted: bool) -> list[list[Any]]:
    """The change of y_a = (sum_b e_ab x_b) / (sum_b e_ab), a quotient whose two parts change."""
    n, d = len(trace.x), len(trace.x[0])
    columns = transposed(trace.x)
    change = None if ds is None else [apply(ring, ds, b) for b in trace.x]
    dcolumns = None if dx is None else transposed(dx)
    result = []
    for a in range(n):
        de = []
        for b in range(n):
            parts = []
            if change is not None:
                part = ring.dot(trace.x[a], change[b])
                parts.append(ring.by_u(part) if lifted else part)
            if dx is not None:
                parts.append(ring.by_u(ring.red(ring.dot(dx[a], trace.right[b]) + ring.dot(trace.left[a], dx[b]))))
            de.append(ring.red(trace.f[a][b] * ring.sum(parts)))
        total = ring.sum(de)
        row = []
        for i in range(d):
            top = ring.dot(de, columns[i]) - total * trace.y[a][i]
            if dcolumns is not None:
                top = top + ring.dot(trace.e[a], dcolumns[i])
            row.append(ring.red(ring.red(top) * trace.z[a]))
        result.append(row)
    return result


def scalars(ring: Any, m: Rows) -> list[list[Any]]:
    return [[ring.scalar(q) for q in row] for row in m]


def consts(ring: Any, m: Rows) -> list[list[Any]]:
    return [[ring.const(q) for q in row] for row in m]


def evaluator(ring: Any, program: Program) -> Any:
    one = ring.const(ONE)
    return lambda s: run(program, ring, s, one)


# ---------------------------------------------------------------- paths


class Path(NamedTuple):
    n: int
    d: int
    programs: list[Program]
    k: list[int]
    U: list[Rows]
    W: list[Rows]
    V: list[Rows]
    bank: list[Rows]
    columns: list[tuple[int, str, int, int]]  # layer, Q K or V, row, column; all from 0

    def scores(self, factor: Fraction) -> list[Rows]:
        return [scaled(product(u, transposed(w)), factor) for u, w in zip(self.U, self.W, strict=True)]

    def layers(self, ring: Any, factor: Fraction) -> list[Layer]:
        return [
            Layer(scalars(ring, s), scalars(ring, v), evaluator(ring, program))
            for s, v, program in zip(self.scores(factor), self.V, self.programs, strict=True)
        ]

    def direction(self, entries: dict[int, Fraction], factor: Fraction = ONE) -> list[tuple[Rows | None, Rows | None]]:
        """The changes of scores (dQ W^T + U dK^T, times a factor) and of values, at entries of columns."""
        result: list[tuple[Rows | None, Rows | None]] = [(None, None) for _ in self.V]
        for j, q in entries.items():
            layer, name, a, b = self.columns[j]
            ds, dv = result[layer]
            if name == "V":
                dv = dv or zeros(self.d)
                dv[a][b] += q
            else:
                ds = ds or zeros(self.d)
                for c in range(self.d):
                    if name == "Q":
                        ds[a][c] += factor * q * self.W[layer][c][b]
                    else:
                        ds[c][a] += factor * q * self.U[layer][c][b]
            result[layer] = ds, dv
        return result


def zeros(d: int) -> Rows:
    return [[ZERO] * d for _ in range(d)]


def product(a: Sequence[Sequence[Fraction]], b: Sequence[Sequence[Fraction]]) -> Rows:
    tick()
    columns = transposed(b)
    return [[sum((x * y for x, y in zip(row, column, strict=True) if x and y), ZERO) for column in columns] for row in a]


def scaled(m: Rows, q: Fraction) -> Rows:
    return [[q * x for x in row] for row in m] if q != 1 else m


def normalizers(value: Any, where: str) -> tuple[list[Program], list[int]]:
    parsed = [parse(text(postfix, where)) for postfix in listed(value, where, least=1, most=SIZE)]
    return [program for program, _ in parsed], [k for _, k in parsed]


def read_path(value: Any, empty_bank: bool) -> Path:
    data = fields(value, "the instance", "tokens", "width", "normalizers", "layers", "bank")
    n, d = integer(data["tokens"], "tokens", 2, SIZE), integer(data["width"], "width", 1, SIZE)
    programs, k = normalizers(data["normalizers"], "normalizers")
    U, W, V = [], [], []
    columns: list[tuple[int, str, int, int]] = []
    for i, layer in enumerate(listed(data["layers"], "layers", len(programs))):
        parts = fields(layer, "a layer", "U", "W", "V")
        rows = listed(parts["U"], "U", d)
        r = len(listed(rows[0], "a row of U", least=1, most=d))
        U.append(matrix(rows, "U", d, r))
        W.append(matrix(parts["W"], "W", d, r))
        V.append(matrix(parts["V"], "V", d, d))
        columns += [(i, name, a, b) for name in "QK" for a in range(d) for b in range(r)]
        columns += [(i, "V", a, b) for a in range(d) for b in range(d)]
    least, most = (0, 0) if empty_bank else (1, BANK)
    bank = [matrix(x, "an input", n, d) for x in listed(data["bank"], "the bank", least=least, most=most)]
    return Path(n, d, programs, k, U, W, V, bank, columns)


# ---------------------------------------------------------------- kernel vectors of a path

Vector = tuple[int, dict[int, Fraction]]  # own column, entries at other columns; from 0


def read_vectors(value: Any, columns: int, count: int | None) -> list[Vector]:
    vectors: list[Vector] = []
    for item in listed(value, "kernel", count, most=columns):
        tick()
        own, entries = listed(item, "a kernel vector", 2)
        c = integer(own, "an own column", 1, columns) - 1
        shape(not vectors or vectors[-1][0] < c, "own columns do not ascend")
        part: dict[int, Fraction] = {}
        last = 0
        for entry in listed(entries, "the entries of a kernel vector", most=columns):
            j, q = listed(entry, "an entry of a kernel vector", 2)
            j = integer(j, "a column of a kernel vector", 1, columns)
            shape(j > last, "the columns of a kernel vector do not ascend")
            last = j
            part[j - 1] = rational(q, "an entry of a kernel vector")
            shape(part[j - 1] != 0, "an entry of a kernel vector is zero")
        vectors.append((c, part))
    owns = {c for c, _ in vectors}
    shape(not any(owns & part.keys() for _, part in vectors), "an own column appears in a kernel vector")
    return vectors


Dual = tuple[Rows, "Rows | None"]  # a matrix a + e b with e^2 = 0; none for b = 0


def dual_product(x: Dual, y: Dual) -> Dual:
    parts = [product(x[0], y[1])] if y[1] is not None else []
    if x[1] is not None:
        parts.append(product(x[1], y[0]))
    return product(x[0], y[0]), added(*parts) if len(parts) == 2 else parts[0] if parts else None


def added(a: Rows, b: Rows) -> Rows:
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


def check_path_kernel(path: Path, vectors: list[Vector]) -> None:
    """The reduction (L, M_1 .. M_D) at weights plus e times the vector has no part in e."""
    scores = path.scores(ONE)
    for c, part in vectors:
        if path.columns[c][1] != "V":
            need(all(path.columns[j][1] != "V" for j in part), "a kernel vector of a Q or K column has an entry at a V column")
        direction = path.direction({c: ONE, **part})
        p: Dual = ([[Fraction(i == j) for j in range(path.d)] for i in range(path.d)], None)
        for (ds, dv), score, value in zip(direction, scores, path.V, strict=True):
            flipped: Dual = (transposed(p[0]), None if p[1] is None else transposed(p[1]))
            if ds is not None or p[1] is not None:
                still(dual_product(dual_product(flipped, (score, ds)), p))
            p = dual_product((value, dv), p)
        still(p)


def still(x: Dual) -> None:
    need(x[1] is None or not any(q for row in x[1] for q in row), "a kernel vector changes the reduction")


# ---------------------------------------------------------------- pivots


def is_prime(p: int) -> bool:
    """Miller and Rabin with seven bases that decide below 2^64 (J. Sinclair)."""
    if p < 2 or p % 2 == 0:
        return p == 2
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 325, 9375, 28178, 450775, 9780504, 1795265022):
        x = pow(base % p, odd, p)
        if x in (0, 1, p - 1):  # 0: the base is a multiple of p
            continue
        for _ in range(twos - 1):
            x = x * x % p
            if x == p - 1:
                break
        else:
            return False
    return True


class Pivots(NamedTuple):
    prime: int
    precision: int
    rows: list[tuple[int, int, int]]  # input, token, coordinate, from 0
    columns: list[int]


def read_prime(value: Any) -> int:
    return integer(value, "the prime", 2, PRIMES - 1)


def read_pivots(evidence: dict[str, Any], rank: int, path: Path) -> Pivots:
    prime = read_prime(evidence["prime"])
    precision = integer(evidence["precision"], "the precision", 1, ORDER)
    rows, columns = [], []
    for item in listed(evidence["pivots"], "pivots", rank):
        i, a, b, c = listed(item, "a pivot", 4)
        rows.append(
            (integer(i, "an input", 1, len(path.bank)) - 1, integer(a, "a token", 1, path.n) - 1, integer(b, "a coordinate", 1, path.d) - 1)
        )
        columns.append(integer(c, "a column", 1, len(path.columns)) - 1)
    return Pivots(prime, precision, rows, columns)


def pivot_orders(path: Path, vectors: list[Vector], pivots: Pivots) -> list[int]:
    """The orders in t of the pivots, checked."""
    p, precision = pivots.prime, pivots.precision
    need(len(set(pivots.rows)) == len(pivots.rows), "two pivots have one row")
    need(len(set(pivots.columns)) == len(pivots.columns), "two pivots have one column")
    need(not {c for c, _ in vectors} & set(pivots.columns), "a pivot has an own column of a kernel vector")
    need(p > 2 and is_prime(p), "the prime is not an odd prime")
    need(precision <= p - 2, "the precision is beyond p - 2")
    need(path.n % p != 0, "the prime divides the number of tokens")
    ring = PadicRing(p, precision)
    for group in (path.U, path.W, path.V, path.bank):
        for m in group:
            consts(ring, m)
    layers = path.layers(ring, Fraction(p))
    directions = []
    for c in pivots.columns:
        direction = path.direction({c: ONE})
        directions.append([(None if ds is None else scalars(ring, ds), None if dv is None else scalars(ring, dv)) for ds, dv in direction])
    a: list[list[int]] = [[] for _ in pivots.rows]
    for i in sorted({row[0] for row in pivots.rows}):
        traces, _ = forward(ring, layers, consts(ring, path.bank[i]))
        for direction in directions:
            change = tangent(ring, layers, traces, direction, lifted=False)
            for entries, (own, token, coordinate) in zip(a, pivots.rows, strict=True):
                if own == i:
                    entries.append(0 if change is None else change[token][coordinate])
    valuations = crout(a, p, ring.m)
    need(precision == 1 + max(valuations), "the precision is not 1 + the greatest valuation")
    need(sum(valuations) <= p - 3, "the sum of the valuations is beyond p - 3")
    return [2 * v + (path.columns[c][1] != "V") for v, c in zip(valuations, pivots.columns, strict=True)]


def crout(a: list[list[int]], p: int, modulus: int) -> list[int]:
    """The valuations of the pivots of an elimination without exchange, row and column by row and column from the given matrix."""
    size = len(a)
    lower: list[list[int]] = [[] for _ in range(size)]  # lower[j][l]: multiple of row l that row j holds
    upper: list[list[int]] = [[] for _ in range(size)]  # upper[k][l]: what is left of entry (l, k) in row l; by columns
    valuations = []
    for i in range(size):
        tick()
        row = [(a[i][k] - sum(x * y for x, y in zip(lower[i], upper[k], strict=True))) % modulus for k in range(i, size)]
        column = [(a[j][i] - sum(x * y for x, y in zip(lower[j], upper[i], strict=True))) % modulus for j in range(i, size)]
        pivot = row[0]
        need(pivot != 0, "a pivot vanishes to the precision")
        v = 0
        while pivot % p == 0:
            pivot, v = pivot // p, v + 1
        content = p**v
        need(all(x % content == 0 for x in row + column), "a pivot does not divide its row and column")
        inverse = pow(pivot, -1, modulus)
        for j in range(i + 1, size):
            lower[j].append(column[j - i] // content * inverse % modulus)
            upper[j].append(row[j - i])
        valuations.append(v)
    return valuations


# ---------------------------------------------------------------- divisibility from below


class Lower(NamedTuple):
    by: str
    numbers: list[int]


def read_lower(value: Any, layers: int) -> Lower:
    shape(type(value) is dict and type(value.get("by")) is str, "lower must be an object with the key by")
    by = value["by"]
    if by in ("none", "order-lemma"):
        fields(value, "lower", "by")
        return Lower(by, [])
    key = {"token-contrasts": "contrasts", "covariances": "valuations"}.get(by)
    if key is None:
        raise Malformed("lower is by an unknown argument")
    fields(value, "lower", "by", key)
    return Lower(by, [integer(c, key, 0) for c in listed(value[key], key, layers)])


def divisibilities(path: Path, lower: Lower) -> list[int]:
    """The order of t that divides the Q and K columns of each layer, if the numbers are right."""
    if lower.by == "token-contrasts":
        return [4 * c + 2 * k - 1 for c, k in zip(lower.numbers, path.k, strict=True)]
    if lower.by == "covariances":
        return [2 * v + 1 for v in lower.numbers]
    e, result = 0, []
    for k in path.k:
        result.append(4 * e + 2 * k - 1)
        e = 3 * e + k
    return result


def check_lower(path: Path, lower: Lower) -> None:
    """The numbers of `lower`, by power series in u over Q."""
    if lower.by not in ("token-contrasts", "covariances") or not any(lower.numbers):
        return
    size = max(lower.numbers)
    shape(size <= 1 << 20, "beyond the time bound")
    ring = SeriesRing(size)
    layers = path.layers(ring, ONE)
    for tokens in path.bank:
        start = consts(ring, tokens)
        if lower.by == "token-contrasts":
            traces, last = forward(ring, layers[:-1], start)
            for c, x in zip(lower.numbers, [*(trace.x for trace in traces), last], strict=True):
                for b in x[1:]:
                    same = all(not any((p - q).c[:c]) for p, q in zip(b, x[0], strict=True))
                    need(same, "tokens differ before the power of u that is claimed")
        else:
            traces, _ = forward(ring, layers, start)
            for v, trace in zip(lower.numbers, traces, strict=True):
                if v:
                    check_covariances(ring, trace, v)


def check_covariances(ring: SeriesRing, trace: Trace, v: int) -> None:
    """Left out is the division by sum_b phi(s_ab), a unit."""
    for f, y in zip(trace.f, trace.y, strict=True):
        for i in range(len(y)):
            away = [w * (x[i] - y[i]) for w, x in zip(f, trace.x, strict=True)]
            for column in transposed(trace.x):
                need(not any(ring.dot(away, column).c[:v]), "a covariance is not divisible by the power of u that is claimed")


# ---------------------------------------------------------------- kinds on a path

Found = tuple[list[str], list[str]]


def count(value: Any, where: str, low: int = 0) -> int:
    return integer(value, where, low, SIZE * 3 * SIZE * SIZE)


def check_kernel(instance: Any, claim: Any, evidence: Any) -> Found:
    k = count(fields(claim, "the claim", "kernel")["kernel"], "kernel")
    path = read_path(instance, empty_bank=True)
    vectors = read_vectors(fields(evidence, "the evidence", "kernel")["kernel"], len(path.columns), k)
    check_path_kernel(path, vectors)
    return ["kernel-at-least"], []


def check_rank(instance: Any, claim: Any, evidence: Any) -> Found:
    claim = fields(claim, "the claim", "kernel", "rank")
    k, r = count(claim["kernel"], "kernel"), count(claim["rank"], "rank", 1)
    path = read_path(instance, empty_bank=False)
    evidence = fields(evidence, "the evidence", "kernel", "prime", "precision", "pivots")
    vectors = read_vectors(evidence["kernel"], len(path.columns), k)
    pivots = read_pivots(evidence, r, path)
    pivot_orders(path, vectors, pivots)
    check_path_kernel(path, vectors)
    return (["kernel", "rank"] if r + k == len(path.columns) else ["kernel-at-least", "rank-at-least"]), []


def read_orders(value: Any) -> list[int]:
    orders: list[int] = []
    for item in listed(value, "orders"):
        order, multiplicity = listed(item, "an order", 2)
        order, multiplicity = integer(order, "an order", 0), count(multiplicity, "a multiplicity", 1)
        shape(not orders or orders[-1] < order, "the orders do not ascend")
        shape(len(orders) + multiplicity <= SIZE * 3 * SIZE * SIZE, "the multiplicities are out of range")
        orders += [order] * multiplicity
    return orders


def check_spectrum(instance: Any, claim: Any, evidence: Any, bank: bool = False) -> Found:
    claim = fields(claim, "the claim", "kernel", "orders", "rank", *(["size"] if bank else []))
    k, r = count(claim["kernel"], "kernel"), count(claim["rank"], "rank", 1)
    orders = read_orders(claim["orders"])
    size = integer(claim["size"], "size", 1, BANK) if bank else 0
    path = read_path(instance, empty_bank=False)
    evidence = fields(evidence, "the evidence", "kernel", "prime", "precision", "pivots", "lower")
    vectors = read_vectors(evidence["kernel"], len(path.columns), k)
    pivots = read_pivots(evidence, r, path)
    lower = read_lower(evidence["lower"], len(path.V))
    shape(not bank or lower.by == "order-lemma", "lower of a bank must be by the order lemma")
    need(not bank or size == len(path.bank), "the size is not that of the bank")
    whole = r + k == len(path.columns)
    need(whole or lower.by == "none", "not all of the columns are accounted for")
    if lower.by != "none":
        orders_below = divisibilities(path, lower)
        owns = {c for c, _ in vectors}
        below = [0 if name == "V" else orders_below[i] for j, (i, name, _, _) in enumerate(path.columns) if j not in owns]
        need(sorted(below) == orders, "the orders proved from below are not those of the claim")
    need(sorted(pivot_orders(path, vectors, pivots)) == orders, "the orders of the pivots are not those of the claim")
    check_path_kernel(path, vectors)
    check_lower(path, lower)
    assumed = ["order-lemma"] if lower.by == "order-lemma" else []
    if lower.by != "none":
        return ["kernel", "orders", "rank", *(["separating"] if bank else [])], assumed
    return (["kernel", "order-sums-at-most", "rank"] if whole else ["kernel-at-least", "order-sums-at-most", "rank-at-least"]), []


def check_bank(instance: Any, claim: Any, evidence: Any) -> Found:
    return check_spectrum(instance, claim, evidence, bank=True)


def check_jet(instance: Any, claim: Any, evidence: Any) -> Found:
    raise Malformed("not yet")


def check_equal(instance: Any, claim: Any, evidence: Any) -> Found:
    raise Malformed("not yet")


def check_enclosure(instance: Any, claim: Any, evidence: Any) -> Found:
    raise Malformed("not yet")


CHECKS = {
    "kernel": check_kernel,
    "rank": check_rank,
    "spectrum": check_spectrum,
    "bank": check_bank,
    "jet": check_jet,
    "equal": check_equal,
    "enclosure": check_enclosure,
}


def _check(data: bytes) -> str:
    document = read(data)
    shape(type(document["symattn-certificate"]) is int and document["symattn-certificate"] == 1, "the version must be 1")
    kind = text(document["kind"], "kind")
    shape(kind in CHECKS, "the kind is unknown")
    digest = text(document["digest"], "digest")
    lists = {key: [text(word, key) for word in listed(document[key], key)] for key in ("proven", "assumed")}
    proven, assumed = CHECKS[kind](document["instance"], document["claim"], document["evidence"])
    need(digest == "sha256:" + hashlib.sha256(written(document["instance"])).hexdigest(), "the digest is not that of the instance")
    need(lists["proven"] == proven, f"proven must be {', '.join(proven)}")
    need(lists["assumed"] == assumed, f"assumed must be {', '.join(assumed) or 'empty'}")
    return f"{kind}: {', '.join(proven)}" + (f"; assumed: {', '.join(assumed)}" if assumed else "")


def check(data: bytes, seconds: float = 600.0) -> Result:
    """The verdict on the bytes of a file; never an exception."""
    _Clock.end = time.monotonic() + seconds
    try:
        return Result("valid", _check(bytes(data)))
    except Malformed as error:
        return Result("malformed", str(error))
    except Invalid as error:
        return Result("invalid", str(error))
    except (MemoryError, OverflowError):
        return Result("malformed", "beyond the time bound")


def main(files: list[str]) -> int:
    code = 0
    for name in files:
        try:
            with open(name, "rb") as stream:
                result = check(stream.read(FILE_BYTES + 1))
        except OSError as error:
            result = Result("malformed", error.strerror or "the file cannot be read")
        print(f"{name}: {result.verdict}: {result.reason}")
        code = max(code, {"valid": 0, "invalid": 1, "malformed": 4}[result.verdict])
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
