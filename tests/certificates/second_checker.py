"""A second checker of certificates, written from docs/certificates.md alone; standard library only, nothing of symattn.

    python tests/certificates/second_checker.py FILE ..

Exit codes: 0 all valid, 1 at least one invalid, 4 at least one malformed. `check(data)` gives the verdict and a reason.

It goes other ways than a checker would go first, so that an error in one of the two is unlikely in the other: derivatives
run forwards (a tangent per direction); normalizers are evaluated item by item in the ring at hand (numbers modulo p^N, series in u,
intervals), with the derivative carried along, not through their coefficients; pivots are found by Crout's left-looking
factorization; enclosures are intervals with two end points; eigenvalues are counted from the last row upwards.

Malformed is what is wrong in the form of one part: keys, shapes, ranges, lists that must ascend or be distinct; and what lies
beyond the limits or the time bound. All the rest is invalid: arithmetic, and two parts that do not fit, such as a list and its count.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, isqrt
from typing import Any, NamedTuple

FILE_BYTES, NESTING, DIGITS = 8 << 20, 12, 4000
SIZE, BANK, ITEMS, EXPONENT, ORDER = 64, 4096, 400, 1000, 4096
PRIMES, BITS, DECIMAL = 1 << 64, 65536, 100000
NUMBER_BITS = 1 << 20  # numbers beyond need more time than a file is given

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


def fit(x: Fraction) -> Fraction:
    bounded(x.numerator.bit_length() + x.denominator.bit_length())
    return x


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
    tick()
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
        return Series(result if self.p else [fit(x) for x in result], self.p)

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
            b.append(-first * total % self.p if self.p else fit(-first * total))
        return Series(b, self.p)

    def exp(self, x: Series) -> Series:
        a = x.c
        shape(a[0] == 0, "the argument of exp has a constant term")
        e = [ONE]
        for m in range(1, self.size):
            tick()
            e.append(fit(sum((j * a[j] * e[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m))
        return Series(e, 0)

    def sincos(self, x: Series) -> tuple[Series, Series]:
        a = x.c
        shape(a[0] == 0, "the argument of sin or cos has a constant term")
        s, c = [ZERO], [ONE]
        for m in range(1, self.size):
            tick()
            ds = sum((j * a[j] * c[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m
            dc = -sum((j * a[j] * s[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m
            s.append(fit(ds))
            c.append(fit(dc))
        return Series(s, 0), Series(c, 0)

    def log(self, x: Series) -> Series:
        a = x.c
        shape(a[0] == 1, "the argument of log has not constant term one")
        b = [ZERO]
        for m in range(1, self.size):
            tick()
            b.append(fit(a[m] - sum((j * b[j] * a[m - j] for j in range(1, m) if a[m - j]), ZERO) / m))
        return Series(b, 0)

    def root(self, x: Series, q: Fraction) -> Series:
        a = x.c
        shape(a[0] == 1, "the base of a power that is not an integer has not constant term one")
        b = [ONE]
        for m in range(1, self.size):
            tick()
            b.append(fit(sum(((q * j - (m - j)) * a[j] * b[m - j] for j in range(1, m + 1) if a[j]), ZERO) / m))
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
    size = w + max(0, 3 * (x >> w) // 2)
    halvings = max(0, abs(x).bit_length() - w + 8 + isqrt(size) // 2)
    q = size + 2 * halvings + 24
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
    halvings = max(0, abs(x).bit_length() - w + 8 + isqrt(w) // 4)
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
        low, wide = exp_point(x.lo, self.w), x.hi - x.lo
        if wide >> self.w:
            return Interval(low.lo, exp_point(x.hi, self.w).hi, self.w)
        wide += -(-wide * wide >> self.w)  # exp(d) <= 1 + d + d^2 for 0 <= d <= 1
        return Interval(low.lo, low.hi - (-low.hi * wide >> self.w), self.w)

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


def direction_in(ring: Any, direction: Sequence[tuple[Rows | None, Rows | None]]) -> Direction:
    return [(None if ds is None else scalars(ring, ds), None if dv is None else scalars(ring, dv)) for ds, dv in direction]


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
    columns = transposed(b)
    return [[inner(row, column) for column in columns] for row in a]


def inner(xs: Sequence[Fraction], ys: Sequence[Fraction]) -> Fraction:
    tick()
    return sum((x * y for x, y in zip(xs, ys, strict=True) if x and y), ZERO)


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
    for item in listed(value, "kernel", most=columns):
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
    need(count is None or len(vectors) == count, "the number of kernel vectors is not that of the claim")
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
    return integer(value, "the prime", None, PRIMES - 1)


def read_pivots(evidence: dict[str, Any], rank: int, path: Path) -> Pivots:
    prime = read_prime(evidence["prime"])
    precision = integer(evidence["precision"], "the precision", 1, ORDER)
    rows, columns = [], []
    for item in listed(evidence["pivots"], "pivots"):
        i, a, b, c = listed(item, "a pivot", 4)
        rows.append(
            (integer(i, "an input", 1, len(path.bank)) - 1, integer(a, "a token", 1, path.n) - 1, integer(b, "a coordinate", 1, path.d) - 1)
        )
        columns.append(integer(c, "a column", 1, len(path.columns)) - 1)
    shape(len(set(rows)) == len(rows), "two pivots have one row")
    shape(len(set(columns)) == len(columns), "two pivots have one column")
    need(len(rows) == rank, "the number of pivots is not the rank of the claim")
    return Pivots(prime, precision, rows, columns)


def pivot_orders(path: Path, vectors: list[Vector], pivots: Pivots) -> list[int]:
    """The orders in t of the pivots, checked."""
    p, precision = pivots.prime, pivots.precision
    need(not {c for c, _ in vectors} & set(pivots.columns), "a pivot has an own column of a kernel vector")
    need(p > 2 and is_prime(p), "the prime is not an odd prime")
    need(precision <= p - 2, "the precision is beyond p - 2")
    need(path.n % p != 0, "the prime divides the number of tokens")
    ring = PadicRing(p, precision)
    for group in (path.U, path.W, path.V, path.bank):
        for m in group:
            consts(ring, m)
    for program in path.programs:  # also of layers and for banks that no pivot needs
        ring.inv(run(program, ring, 0, 1)[0])
    layers = path.layers(ring, Fraction(p))
    directions = [direction_in(ring, path.direction({c: ONE})) for c in pivots.columns]
    a: list[list[int]] = [[] for _ in pivots.rows]
    for i in sorted({row[0] for row in pivots.rows}):
        traces, _ = forward(ring, layers, consts(ring, path.bank[i]))
        for direction in directions:
            change = tangent(ring, layers, traces, direction, lifted=False)
            for entries, (own, token, coordinate) in zip(a, pivots.rows, strict=True):
                if own == i:
                    entries.append(0 if change is None else change[token][coordinate])
    valuations = crout(a, p, ring.m)
    need(precision == 1 + max(valuations, default=0), "the precision is not 1 + the greatest valuation")
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


def count(value: Any, where: str) -> int:
    return integer(value, where, 0)


def check_kernel(instance: Any, claim: Any, evidence: Any) -> Found:
    k = count(fields(claim, "the claim", "kernel")["kernel"], "kernel")
    path = read_path(instance, empty_bank=True)
    vectors = read_vectors(fields(evidence, "the evidence", "kernel")["kernel"], len(path.columns), k)
    check_path_kernel(path, vectors)
    return ["kernel-at-least"], []


def check_rank(instance: Any, claim: Any, evidence: Any) -> Found:
    claim = fields(claim, "the claim", "kernel", "rank")
    k, r = count(claim["kernel"], "kernel"), count(claim["rank"], "rank")
    path = read_path(instance, empty_bank=False)
    evidence = fields(evidence, "the evidence", "kernel", "prime", "precision", "pivots")
    vectors = read_vectors(evidence["kernel"], len(path.columns), k)
    pivots = read_pivots(evidence, r, path)
    pivot_orders(path, vectors, pivots)
    check_path_kernel(path, vectors)
    return (["kernel", "rank"] if r + k == len(path.columns) else ["kernel-at-least", "rank-at-least"]), []


def read_orders(value: Any) -> dict[int, int]:
    orders: list[tuple[int, int]] = []
    for item in listed(value, "orders"):
        order, multiplicity = listed(item, "an order", 2)
        order, multiplicity = integer(order, "an order", 0), integer(multiplicity, "a multiplicity", 1)
        shape(not orders or orders[-1][0] < order, "the orders do not ascend")
        orders.append((order, multiplicity))
    return dict(orders)


def check_spectrum(instance: Any, claim: Any, evidence: Any, bank: bool = False) -> Found:
    claim = fields(claim, "the claim", "kernel", "orders", "rank", *(["size"] if bank else []))
    k, r = count(claim["kernel"], "kernel"), count(claim["rank"], "rank")
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
        need(Counter(below) == orders, "the orders proved from below are not those of the claim")
    need(Counter(pivot_orders(path, vectors, pivots)) == orders, "the orders of the pivots are not those of the claim")
    check_path_kernel(path, vectors)
    check_lower(path, lower)
    assumed = ["order-lemma"] if lower.by == "order-lemma" else []
    if lower.by != "none":
        return ["kernel", "orders", "rank", *(["separating"] if bank else [])], assumed
    return (["kernel", "order-sums-at-most", "rank"] if whole else ["kernel-at-least", "order-sums-at-most", "rank-at-least"]), []


def check_bank(instance: Any, claim: Any, evidence: Any) -> Found:
    return check_spectrum(instance, claim, evidence, bank=True)


# ---------------------------------------------------------------- tuples


class Tuple(NamedTuple):
    n: int
    d: int
    p: int
    programs: list[Program]
    L: Rows
    M: list[Rows]


def read_tuple(value: Any, where: str) -> Tuple:
    data = fields(value, where, "tokens", "width", "outputs", "normalizers", "L", "M")
    n, d = integer(data["tokens"], "tokens", 2, SIZE), integer(data["width"], "width", 1, SIZE)
    p = integer(data["outputs"], "outputs", 1, SIZE)
    programs, _ = normalizers(data["normalizers"], "normalizers")
    return Tuple(n, d, p, programs, matrix(data["L"], "L", p, d), [matrix(m, "M", d, d) for m in listed(data["M"], "M", len(programs))])


def tuple_layers(ring: Any, net: Tuple) -> list[Layer]:
    return [Layer(scalars(ring, m), None, evaluator(ring, program)) for m, program in zip(net.M, net.programs, strict=True)]


def check_jet(instance: Any, claim: Any, evidence: Any) -> Found:
    claim = fields(claim, "the claim", "order", "parameters", "rank")
    order, parameters = integer(claim["order"], "the order", 1, ORDER), count(claim["parameters"], "parameters")
    r = count(claim["rank"], "rank")
    shape(order % 2 == 1, "the order must be odd")
    net = read_tuple(instance, "the instance")
    need(parameters == net.p * net.d + len(net.M) * net.d**2, "parameters is not p d + D d^2")
    evidence = fields(evidence, "the evidence", "prime", "points", "rows", "columns", "kernel")
    prime = read_prime(evidence["prime"])
    points = [
        [[integer(x, "a point") for x in listed(row, "a point", net.d)] for row in listed(point, "a point", net.n)]
        for point in listed(evidence["points"], "points")
    ]
    rows = []
    for item in listed(evidence["rows"], "rows"):
        i, b, degree = listed(item, "a row", 3)
        i, b, degree = integer(i, "a point", 1, len(points)), integer(b, "a coordinate", 1, net.p), integer(degree, "a degree", 1, order)
        shape(degree % 2 == 1, "a degree is even")
        rows.append((i - 1, b - 1, degree // 2))
    columns = [integer(c, "a column", 1, parameters) - 1 for c in listed(evidence["columns"], "columns")]
    vectors = read_vectors(evidence["kernel"], parameters, None)
    shape(len(set(rows)) == len(rows), "two rows are the same")
    shape(len(set(columns)) == len(columns), "two columns are the same")
    need(len(rows) == r and len(columns) == r, "the number of rows or columns is not the rank of the claim")
    need(len(vectors) in (0, parameters - r), "there must be no kernel vector, or P - r")
    need({i for i, _, _ in rows} == set(range(len(points))), "a point is not used")
    need(not {c for c, _ in vectors} & set(columns), "an own column of a kernel vector is among the columns")
    check_jet_rank(net, order, prime, points, rows, columns)
    if vectors:
        check_jet_kernel(net, order, vectors)
    return ["jet-rank" if r + len(vectors) == parameters else "jet-rank-at-least"], []


def parameter_direction(net: Tuple, entries: dict[int, Fraction]) -> tuple[Rows | None, list[tuple[Rows | None, None]]]:
    """The changes of L and of the scores at entries of columns."""
    dl: Rows | None = None
    dm: list[Rows | None] = [None] * len(net.M)
    for j, q in entries.items():
        if j < net.p * net.d:
            dl = dl or [[ZERO] * net.d for _ in range(net.p)]
            dl[j // net.d][j % net.d] = q
        else:
            i, rest = divmod(j - net.p * net.d, net.d**2)
            own = dm[i] or zeros(net.d)
            own[rest // net.d][rest % net.d] = q
            dm[i] = own
    return dl, [(m, None) for m in dm]


def first_change(
    ring: Any, net: Tuple, layers: list[Layer], traces: list[Trace], last: list[Any], entries: dict[int, Fraction]
) -> list[Any]:
    """The change of the output token 1, L x_1 with x_1 = `last`, in the direction of the entries."""
    dl, dm = parameter_direction(net, entries)
    direction: Direction = [(None if m is None else scalars(ring, m), None) for m, _ in dm]
    change = tangent(ring, layers, traces, direction, lifted=True)
    result = [ring.const(ZERO)] * net.p if dl is None else apply(ring, scalars(ring, dl), last)
    if change is not None:
        through = apply(ring, scalars(ring, net.L), change[0])
        result = [ring.red(a + b) for a, b in zip(result, through, strict=True)]
    return result


def check_jet_rank(
    net: Tuple, order: int, p: int, points: list[list[list[int]]], rows: list[tuple[int, int, int]], columns: list[int]
) -> None:
    need(p > 2 and is_prime(p), "the prime is not an odd prime")
    need(net.n % p != 0, "the prime divides the number of tokens")
    integral = all(q.denominator % p for m in (net.L, *net.M) for row in m for q in row)
    need(integral, "the prime divides a denominator of the instance")
    size = (order + 1) // 2
    ring = SeriesRing(size, p)
    layers = [Layer(scalars(ring, m), None, reduced(program, size, p)) for m, program in zip(net.M, net.programs, strict=True)]
    a: list[list[int]] = [[] for _ in rows]
    for i, point in enumerate(points):
        traces, last = forward(ring, layers, [[ring.const(Fraction(x)) for x in row] for row in point])
        for c in columns:
            change = first_change(ring, net, layers, traces, last[0], {c: ONE})
            for entries, (own, b, j) in zip(a, rows, strict=True):
                if own == i:
                    entries.append(change[b].c[j])
    need(invertible(a, p), "the matrix of derivatives is not invertible modulo the prime")


def reduced(program: Program, size: int, p: int) -> Any:
    """s -> (phi(s), phi'(s)) modulo p through the coefficients of phi up to the degree `size`."""
    rationals = SeriesRing(size + 1)
    coefficients = run(program, rationals, rationals.variable(), None)[0].c
    need(all(c.denominator % p for c in coefficients), "the prime divides a denominator of a coefficient of a normalizer")
    need(coefficients[0].numerator % p != 0, "the prime divides a normalizer at 0")
    residues = [c.numerator * pow(c.denominator, -1, p) % p for c in coefficients]
    slopes = [m * c % p for m, c in enumerate(residues)][1:]

    def value(c: list[int], s: Series) -> Series:
        total = Series([0] * len(s.c), p)
        for x in reversed(c):
            total = total * s
            total = Series([total.c[0] + x, *total.c[1:]], p)
        return total

    return lambda s: (value(residues[:-1], s), value(slopes, s))


def invertible(a: list[list[int]], p: int) -> bool:
    """Each row, from the last to the first, is reduced by those before; pivots are taken from the right."""
    basis: list[tuple[int, list[int]]] = []
    for row in reversed(a):
        tick()
        rest = row
        for place, other in basis:
            if rest[place]:
                factor = rest[place]
                rest = [(x - factor * y) % p for x, y in zip(rest, other, strict=True)]
        places = [j for j, x in enumerate(rest) if x]
        if not places:
            return False
        inverse = pow(rest[places[-1]], -1, p)
        basis.append((places[-1], [x * inverse % p for x in rest]))
    return True


def check_jet_kernel(net: Tuple, order: int, vectors: list[Vector]) -> None:
    """No change of token 1 at the points with entries >= 0 of sum N; one point for all exchanges of the other tokens."""
    ring = SeriesRing((order + 1) // 2)
    layers = tuple_layers(ring, net)
    for point in compositions(order, net.n * net.d):
        tick()
        tokens = [point[a * net.d : (a + 1) * net.d] for a in range(net.n)]
        if any(b > c for b, c in pairwise(tokens[1:])):
            continue
        traces, last = forward(ring, layers, [[ring.const(Fraction(x)) for x in row] for row in tokens])
        for c, part in vectors:
            change = first_change(ring, net, layers, traces, last[0], {c: ONE, **part})
            need(not any(q for series in change for q in series.c), "a kernel vector changes the jet")


def compositions(total: int, parts: int) -> Iterator[list[int]]:
    """All lists of `parts` integers >= 0 of this sum."""
    current = [total] + [0] * (parts - 1)
    while True:
        yield list(current)
        last = current[-1]
        current[-1] = 0
        place = parts - 2
        while place >= 0 and current[place] == 0:
            place -= 1
        if place < 0:
            return
        current[place] -= 1
        current[place + 1] = last + 1


# ---------------------------------------------------------------- canonical forms of normalizers

Poly = tuple[Fraction, ...]  # ascending, the last coefficient not zero, the lowest nonzero coefficient 1
Term = tuple[Any, Any, Any]  # ((exponent, polynomial), ..), argument of exp or none, (((kind, argument), exponent), ..)
Form = tuple[Fraction, int]  # a rational factor and the number of a term
MOST_DEGREE = 10000


class Forms:
    """Canonical forms: a rational factor times a product of bases with exponents. Each product gets a number, so that forms that
    hold others stay flat. Polynomial bases of a product are coprime and have no multiple roots, one for each exponent, which decides
    the product; other bases are sin, cos, log of a form, and sums of at least two terms; there is at most one exp."""

    def __init__(self) -> None:
        self.numbers: dict[Term, int] = {}
        self.terms: list[Term] = []
        self.at_zero: list[bool] = []  # whether a term is 1 at 0; else it is 0 there
        self.sum_at_zero: dict[Any, bool] = {}
        self.one = self.form(ONE, {}, None, {})
        self.unit = self.one[1]

    def form(self, factor: Fraction, polynomials: dict[Fraction, Poly], argument: Form | None, others: dict[Any, Fraction]) -> Form:
        if factor == 0:
            return ZERO, self.unit
        fit(factor)
        term = (
            tuple(sorted((e, f) for e, f in polynomials.items() if e and len(f) > 1)),
            argument if argument is not None and argument[0] else None,
            tuple(sorted(((base, e) for base, e in others.items() if e), key=lambda item: _order(item[0]))),
        )
        if term not in self.numbers:
            tick()
            self.numbers[term] = len(self.terms)
            self.terms.append(term)
            nonzero = all(f[0] for _, f in term[0]) and all(
                base[0] == "cos" or (base[0] == "sum" and self.sum_at_zero[base]) for base, _ in term[2]
            )
            self.at_zero.append(nonzero)
        return factor, self.numbers[term]

    def constant(self, q: Fraction) -> Form:
        return q, self.unit

    def of_polynomial(self, c: Sequence[Fraction]) -> Form:
        lowest = next((x for x in c if x), None)
        if lowest is None:
            return ZERO, self.unit
        return self.form(lowest, squarefree(monic_low(c)), None, {})

    def as_polynomial(self, term: int) -> Poly | None:
        polynomials, argument, others = self.terms[term]
        if argument is not None or others or any(e < 0 or e.denominator > 1 for e, _ in polynomials):
            return None
        bounded_degree(sum(int(e) * (len(f) - 1) for e, f in polynomials))
        result: Poly = (ONE,)
        for e, f in polynomials:
            for _ in range(int(e)):
                result = poly_product(result, f)
        return result

    def times(self, x: Form, y: Form) -> Form:
        if x[0] * y[0] == 0:
            return ZERO, self.unit
        (p, a, o), (q, b, r) = self.terms[x[1]], self.terms[y[1]]
        others = dict(o)
        for base, e in r:
            others[base] = others.get(base, ZERO) + e
        argument = b if a is None else a if b is None else self.plus(a, b)
        return self.form(x[0] * y[0], merged(p, q), argument, others)

    def power(self, x: Form, q: Fraction) -> Form:
        if q == 0:
            return self.one
        if x[0] == 0:
            return x
        if q.denominator > 1:
            need(x[0] == 1, "the normalizers are not identified")  # cannot be: the constant term is one
            factor = ONE
        else:
            bounded(abs(q.numerator) * (x[0].numerator.bit_length() + x[0].denominator.bit_length()))
            factor = x[0] ** q.numerator
        polynomials, argument, others = self.terms[x[1]]
        inner = None if argument is None else (argument[0] * q, argument[1])
        return self.form(factor, {e * q: f for e, f in polynomials}, inner, {base: e * q for base, e in others})

    def plus(self, x: Form, y: Form) -> Form:
        """Polynomial terms are collected, the others are a set with coefficients."""
        parts: dict[int, Fraction] = {}
        polynomial: list[Fraction] = []
        for factor, term in (x, y):
            if factor == 0:
                continue
            polynomials, argument, others = self.terms[term]
            single = not polynomials and argument is None and len(others) == 1 and others[0][0][0] == "sum" and others[0][1] == 1
            for number, c in others[0][0][1] if single else ((term, ONE),):
                dense = self.as_polynomial(number)
                if dense is None:
                    parts[number] = parts.get(number, ZERO) + factor * c
                else:
                    polynomial += [ZERO] * (len(dense) - len(polynomial))
                    for i, q in enumerate(dense):
                        polynomial[i] += factor * c * q
        collected = self.of_polynomial(polynomial)
        entries = [(number, c) for number, c in (*parts.items(), (collected[1], collected[0])) if c]
        entries.sort()
        if len(entries) < 2:
            return (entries[0][1], entries[0][0]) if entries else self.constant(ZERO)
        at_zero = sum((c for number, c in entries if self.at_zero[number]), ZERO)
        factor = at_zero or entries[0][1]
        base = ("sum", tuple((number, c / factor) for number, c in entries))
        self.sum_at_zero[base] = bool(at_zero)
        return self.form(factor, {}, None, {base: ONE})

    def function(self, name: str, x: Form) -> Form:
        if name == "exp":
            return self.form(ONE, {}, x, {})
        if name == "log":
            return self.constant(ZERO) if x == self.one else self.form(ONE, {}, None, {("log", x): ONE})
        if x[0] == 0:
            return self.one if name == "cos" else x
        sign = ONE if x[0] > 0 or name == "cos" else -ONE
        return self.form(sign, {}, None, {(name, (abs(x[0]), x[1])): ONE})

    def of(self, program: Program, c: Fraction) -> Form:
        """The form of the normalizer at c s."""
        stack: list[Form] = []
        for name, q in program:
            tick()
            if name == "s":
                stack.append(self.of_polynomial((ZERO, c)))
            elif name == "q":
                stack.append(self.constant(q))
            elif name == "^":
                stack.append(self.power(stack.pop(), q))
            elif name in ("exp", "log", "sin", "cos"):
                stack.append(self.function(name, stack.pop()))
            else:
                b = stack.pop()
                a = stack.pop()
                if name == "*":
                    stack.append(self.times(a, b))
                elif name == "/":
                    stack.append(self.times(a, self.power(b, -ONE)))
                else:
                    stack.append(self.plus(a, b if name == "+" else (-b[0], b[1])))
        return stack[0]


def _order(base: Any) -> tuple[str, Any]:
    return base[0], base[1]


def bounded_degree(degree: int) -> None:
    shape(degree <= MOST_DEGREE, "beyond the time bound")


def monic_low(c: Sequence[Fraction]) -> Poly:
    """A nonzero polynomial divided by its lowest nonzero coefficient."""
    end = max(i for i, x in enumerate(c) if x) + 1
    lowest = next(x for x in c if x)
    return tuple(x / lowest for x in c[:end])


def poly_product(a: Poly, b: Poly) -> Poly:
    tick()
    bounded_degree(len(a) + len(b))
    result = [ZERO] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            tick()
            for j, y in enumerate(b):
                result[i + j] += x * y
    return tuple(result)


def poly_divmod(a: Sequence[Fraction], b: Sequence[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    rest, quotient = list(a), [ZERO] * max(0, len(a) - len(b) + 1)
    for place in range(len(quotient) - 1, -1, -1):
        tick()
        q = rest[place + len(b) - 1] / b[-1]
        quotient[place] = q
        if q:
            for j, y in enumerate(b):
                rest[place + j] -= q * y
    rest = rest[: len(b) - 1]
    while rest and not rest[-1]:
        rest.pop()
    return quotient, rest


def poly_gcd(a: Sequence[Fraction], b: Sequence[Fraction]) -> Poly:
    """The greatest common divisor, with lowest coefficient 1; one of the two is not zero."""
    while b:
        a, b = b, poly_divmod(a, b)[1]
        b = monic_low(b) if b else b
    return monic_low(a)


def quotient(a: Poly, b: Poly) -> Poly:
    return monic_low(poly_divmod(a, b)[0])


def squarefree(f: Poly) -> dict[Fraction, Poly]:
    """f as a product of powers of coprime polynomials without multiple roots (Musser)."""
    result: dict[Fraction, Poly] = {}
    derivative = [i * x for i, x in enumerate(f)][1:]
    if not derivative:
        return result
    repeated = poly_gcd(f, derivative)
    once, e = quotient(f, repeated), 1
    while len(once) > 1:
        common = poly_gcd(once, repeated)
        part = quotient(once, common)
        if len(part) > 1:
            result[Fraction(e)] = part
        once, repeated, e = common, quotient(repeated, common), e + 1
    return result


def merged(p: Iterable[tuple[Fraction, Poly]], q: Iterable[tuple[Fraction, Poly]]) -> dict[Fraction, Poly]:
    """The product of two products of powers: common parts are split off, then one polynomial for each exponent."""
    parts = [(e, f) for e, f in p]
    for e, g in q:
        rest, split = g, []
        for d, f in parts:
            common = poly_gcd(f, rest)
            rest = quotient(rest, common)
            split += [(d, quotient(f, common)), (d + e, common)]
        parts = [(d, f) for d, f in (*split, (e, rest)) if len(f) > 1]
    result: dict[Fraction, Poly] = {}
    for e, f in parts:
        result[e] = poly_product(result[e], f) if e in result else f
    return result


# ---------------------------------------------------------------- equal


def check_equal(instance: Any, claim: Any, evidence: Any) -> Found:
    equal = fields(claim, "the claim", "equal")["equal"]
    shape(type(equal) is bool, "equal must be true or false")
    data = fields(instance, "the instance", "first", "second")
    first, second = read_tuple(data["first"], "first"), read_tuple(data["second"], "second")
    shape(first[:3] == second[:3], "the tuples must have the same tokens, width and outputs")
    if equal:
        fields(evidence, "the evidence")
        prove_equal(first, second)
        return ["equal"], []
    witness = fields(evidence, "the evidence", "witness")["witness"]
    if type(witness) is dict and "degree" in witness:
        check_part(first, second, fields(witness, "the witness", "coordinate", "degree", "input", "token", "values"))
    else:
        check_input(first, second, fields(witness, "the witness", "bits", "coordinate", "input", "token", "values"))
    return ["different"], []


def check_part(first: Tuple, second: Tuple, witness: dict[str, Any]) -> None:
    degree = integer(witness["degree"], "the degree", 1, ORDER)
    shape(degree % 2 == 1, "the degree must be odd")
    b, a = integer(witness["coordinate"], "the coordinate", 1, first.p) - 1, integer(witness["token"], "the token", 1, first.n) - 1
    tokens = matrix(witness["input"], "the input", first.n, first.d)
    values = [rational(q, "a value") for q in listed(witness["values"], "values", 2)]
    need(values[0] != values[1], "the two values are the same")
    ring = SeriesRing((degree + 1) // 2)
    for net, value in zip((first, second), values, strict=True):
        _, x = forward(ring, tuple_layers(ring, net), consts(ring, tokens))
        need(ring.dot(net.L[b], x[a]).c[-1] == value, "the part of an output is not the value that is given")


def check_input(first: Tuple, second: Tuple, witness: dict[str, Any]) -> None:
    bits = integer(witness["bits"], "bits", 1, BITS)
    b, a = integer(witness["coordinate"], "the coordinate", 1, first.p) - 1, integer(witness["token"], "the token", 1, first.n) - 1
    tokens = matrix(witness["input"], "the input", first.n, first.d)
    pairs = [listed(pair, "a pair of bounds", 2) for pair in listed(witness["values"], "values", 2)]
    bounds = [(decimal(low, "a bound"), decimal(high, "a bound")) for low, high in pairs]
    shape(all(low <= high for low, high in bounds), "a lower bound is above the upper one")
    need(bounds[0][1] < bounds[1][0] or bounds[1][1] < bounds[0][0], "the two intervals are not disjoint")
    for program in (*first.programs, *second.programs):
        plain = all(name != "log" and (name != "^" or q.denominator == 1) for name, q in program)
        need(plain, "a witness at an input is not allowed for normalizers with log or powers that are not integers")
    ring = IntervalRing(bits + GUARD)
    for net, (low, high) in zip((first, second), bounds, strict=True):
        _, x = forward(ring, tuple_layers(ring, net), consts(ring, tokens))
        y = ring.dot([ring.const(q) for q in net.L[b]], x[a])
        inside = low * 2**ring.w <= y.lo and y.hi <= high * 2**ring.w
        need(inside, "the enclosure of an output does not lie within the bounds")


def prove_equal(first: Tuple, second: Tuple) -> None:
    forms = Forms()
    need(first.L == second.L, "the two tuples have not the same L")
    left, right = seen(first, forms), seen(second, forms)
    need(len(left) == len(right), "the two tuples have not the same number of layers that are seen")
    for (m, phi), (other, psi) in zip(left, right, strict=True):
        if is_zero(m) or is_zero(other):
            need(is_zero(m) and is_zero(other), "one of two scores is zero")
            continue
        c = next((x / y for row, own in zip(m, other, strict=True) for x, y in zip(row, own, strict=True) if y), ZERO)
        need(c != 0 and m == scaled(other, c), "two scores are not proportional")
        need(forms.of(phi, c)[1] == forms.of(psi, ONE)[1], "two normalizers are not identified")


def is_zero(m: Rows) -> bool:
    return not any(q for row in m for q in row)


def is_skew(m: Rows) -> bool:
    return all(m[i][j] == -m[j][i] for i in range(len(m)) for j in range(len(m)))


def seen(net: Tuple, forms: Forms) -> list[tuple[Rows, Program]]:
    """The layers that are left when those that are not seen are left out."""
    kept: list[tuple[Rows, Program]] = []
    if is_zero(net.L):
        return kept
    for m, program in zip(net.M, net.programs, strict=True):
        skew = net.n == 2 and is_skew(m)
        if is_zero(m):
            while kept and net.n == 2 and is_skew(kept[-1][0]) and forms.of(kept[-1][1], ONE) == forms.of(kept[-1][1], -ONE):
                kept.pop()
            return [*kept, (m, program)]
        kept.append((m, program))
        if skew and forms.times(forms.of(program, ONE), forms.of(program, -ONE))[1] == forms.unit:
            return kept
    return kept


# ---------------------------------------------------------------- enclosure

GUARD = 16  # binary digits beside those of the file


def check_enclosure(instance: Any, claim: Any, evidence: Any) -> Found:
    claim = fields(claim, "the claim", "kernel", "rank", "t", "values")
    k, r = count(claim["kernel"], "kernel"), count(claim["rank"], "rank")
    t = rational(claim["t"], "t")
    shape(t != 0, "t must not be zero")
    values = []
    for item in listed(claim["values"], "values"):
        low, high, multiplicity = listed(item, "a value", 3)
        values.append((decimal(low, "a bound"), decimal(high, "a bound"), integer(multiplicity, "a multiplicity", 1)))
    shape(all(0 < low < high for low, high, _ in values), "a lower bound is not between zero and the upper one")
    shape(all(a[0] >= b[1] for a, b in pairwise(values)), "the values do not descend")
    need(sum(m for _, _, m in values) == r, "the multiplicities have not the sum r")
    path = read_path(instance, empty_bank=False)
    evidence = fields(evidence, "the evidence", "bits", "kernel")
    bits = integer(evidence["bits"], "bits", 1, BITS)
    vectors = read_vectors(evidence["kernel"], len(path.columns), k)
    need(r + k == len(path.columns), "not all of the columns are accounted for")
    check_path_kernel(path, vectors)
    for program in path.programs:
        plain = all(name != "log" and (name != "^" or q.denominator == 1) for name, q in program)
        need(plain, "enclosures are not for normalizers with log or powers that are not integers")
    ring = IntervalRing(bits + GUARD)
    basis = complement(path, vectors, t)
    gram = gram_matrix(ring, path, basis, t)
    metric = [[ring.const(sum((x * b[j] for j, x in a.items() if j in b), ZERO)) for b in basis] for a in basis]
    above = 0
    for low, high, multiplicity in values:
        need(below(ring, gram, metric, high**2) == r - above, "the number of singular values below an upper bound is not that of the claim")
        above += multiplicity
        need(below(ring, gram, metric, low**2) == r - above, "the number of singular values below a lower bound is not that of the claim")
    return ["singular-values"], []


def complement(path: Path, vectors: list[Vector], t: Fraction) -> list[dict[int, Fraction]]:
    """The basis b_j = e_j - sum_c q_cj e_c in native columns, j not own."""
    owns = {c for c, _ in vectors}
    basis = {j: {j: ONE} for j in range(len(path.columns)) if j not in owns}
    for c, part in vectors:
        for j, q in part.items():
            basis[j][c] = -q * t if path.columns[c][1] == "V" and path.columns[j][1] != "V" else -q
    return list(basis.values())


def gram_matrix(ring: IntervalRing, path: Path, basis: list[dict[int, Fraction]], t: Fraction) -> list[list[Interval]]:
    """(J B)^T (J B): tangents along the basis at all inputs; native Q and K change the score by t times dQ W^T + U dK^T."""
    layers = path.layers(ring, t * t)
    directions = [direction_in(ring, path.direction(b, t)) for b in basis]
    columns: list[list[Interval]] = [[] for _ in basis]
    zero = ring.const(ZERO)
    for tokens in path.bank:
        traces, _ = forward(ring, layers, consts(ring, tokens))
        for column, direction in zip(columns, directions, strict=True):
            change = tangent(ring, layers, traces, direction, lifted=False)
            column += [zero] * (path.n * path.d) if change is None else [x for row in change for x in row]
    lower = []
    for i in range(len(basis)):
        tick()
        lower.append([ring.dot(columns[i], columns[j]) for j in range(i + 1)])
    return [[lower[max(i, j)][min(i, j)] for j in range(len(basis))] for i in range(len(basis))]


def below(ring: IntervalRing, gram: list[list[Interval]], metric: list[list[Interval]], x: Fraction) -> int:
    """The number of eigenvalues below x of the pencil gram - x metric, by an elimination from the last row upwards."""
    point, pairs = ring.const(x), list(zip(gram, metric, strict=True))
    a = [[p - point * q for p, q in zip(row[: i + 1], other[: i + 1], strict=True)] for i, (row, other) in enumerate(pairs)]
    negative = 0
    for last in range(len(a) - 1, -1, -1):
        tick()
        row = a[last]
        pivot = row[last]
        need(not pivot.has_zero(), "the enclosure of a pivot contains zero")
        negative += pivot.hi < 0
        inverse = ring.inv(pivot)
        for i in range(last):
            if row[i].lo or row[i].hi:
                factor = row[i] * inverse
                a[i] = [ring.red(y - factor * row[j]) for j, y in enumerate(a[i])]
    return negative


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
    shape(re.fullmatch("sha256:[0-9a-f]{64}", digest) is not None, "digest must be sha256: and 64 hexadecimal digits")
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
