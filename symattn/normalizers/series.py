"""Truncated Laurent series at 0 with exact real coefficients.

A series is ``s**order * sum_c c * P_c(s)`` over finitely many constants ``c`` (:mod:`.constants`) with rational power series
``P_c`` (FLINT ``fmpq_series``): the rational work is done by FLINT, the irrational part is book-keeping. Beside the known terms
a series carries what is known about **all** its coefficients: ``scale`` and ``generators``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import ctx, fmpq_series

from symattn.normalizers.constant_sign import decided_sign
from symattn.normalizers.constants import ONE, ZERO, Constant, divide, inverse, primitive, rational
from symattn.normalizers.rational_series import cut, deflated, raised, scaled, to_fmpq, to_fraction, without_constant_term
from symattn.normalizers.work import charge, metered

__all__ = ["Series", "accumulate", "constant", "full_precision", "polynomial", "variable"]

_CAP = 1 << 40


@contextmanager
def full_precision() -> Iterator[None]:
    """Let every FLINT series keep its own precision, and meter the irrational work.

    FLINT's cap on the precision is process-wide; it is restored, also on error.
    """
    saved = ctx.cap
    ctx.cap = _CAP
    try:
        with metered():
            yield
    finally:
        ctx.cap = saved


@dataclass(frozen=True)
class Series:
    """The terms of degree ``order .. order + length - 1`` of a Laurent series.

    ``parts`` maps primitive constants to power series of precision ``length``, none of them zero.
    ``scale``: a primitive constant such that **every** coefficient, except that of ``s**0``, is a rational multiple of it
    (zero: there is none but that of ``s**0``); ``None`` when there is no such constant or none is known.
    ``field``: constants over which all coefficients are rational functions, used when the scale is ``None``;
    ``None`` when not known to be finite.
    """

    order: int
    length: int
    parts: Mapping[Constant, fmpq_series]
    scale: Constant | None
    field: frozenset[Constant] | None = frozenset()

    @property
    def precision(self) -> int:
        """The first degree that is not known."""
        return self.order + self.length

    def coefficient(self, degree: int) -> Constant:
        """The coefficient of ``s**degree``, which must be below the precision."""
        index = degree - self.order
        if index < 0:
            return ZERO
        value = ZERO
        for c, part in self.parts.items():
            value += c.scaled(to_fraction(part[index]))
        return value

    @property
    def generators(self) -> frozenset[Constant] | None:
        """Irrational constants that generate a field which holds all coefficients; ``None`` if not known to be finite."""
        if self.scale is None:
            return self.field
        return _irrational(self.scale, self.coefficient(0))

    @property
    def is_homogeneous(self) -> bool:
        """Whether every coefficient, that of ``s**0`` included, is known to be a rational multiple of the scale."""
        return self.scale is not None and all(c == self.scale for c in self.parts)

    def truncated(self, precision: int) -> Series:
        """The terms below this degree."""
        length = max(precision - self.order, 0)
        if length >= self.length:
            return self
        return self._with(self.order, length, {c: cut(part, 0, length) for c, part in self.parts.items()})

    def starting_at(self, order: int) -> Series:
        """The same terms stored from another order: leading zeros are added, or leading terms are dropped."""
        if order == self.order:
            return self
        if order > self.order:
            length = max(self.precision - order, 0)
            return self._with(order, length, {c: cut(part, order - self.order, length) for c, part in self.parts.items()})
        shift = self.order - order
        length = self.length + shift
        return self._with(order, length, {c: raised(part, shift, length) for c, part in self.parts.items()})

    def _with(self, order: int, length: int, parts: Mapping[Constant, fmpq_series]) -> Series:
        return Series(order, length, _nonzero(parts), self.scale, self.field)

    def from_leading_term(self) -> Series | None:
        """The series from its first nonzero coefficient on; ``None`` when every known coefficient is zero.

        Raises :class:`UndecidedError` when a coefficient can be shown neither zero nor nonzero.
        """
        for degree in range(self.order, self.precision):
            if decided_sign(self.coefficient(degree), f"the coefficient of s**{degree}") != 0:
                return self.starting_at(degree)
            if not any(part.length() > degree - self.order for part in self.parts.values()):
                break
        return None

    def __add__(self, other: Series) -> Series:
        order = min(self.order, other.order)
        precision = min(self.precision, other.precision)
        left, right = (f.truncated(precision).starting_at(order) for f in (self, other))
        parts = dict(left.parts)
        for c, part in right.parts.items():
            parts[c] = parts[c] + part if c in parts else part
        scale: Constant | None
        if ZERO in (left.scale, right.scale):
            scale = right.scale if left.scale == ZERO else left.scale
        else:
            scale = left.scale if left.scale == right.scale else None
        return Series(order, precision - order, _nonzero(parts), scale, _union(left.generators, right.generators))

    def __mul__(self, other: Series) -> Series:
        length = min(self.length, other.length)
        if len(self.parts) + len(other.parts) > 2:
            charge(len(self.parts) * len(other.parts))
        parts: dict[Constant, fmpq_series] = {}
        for c, p in self.parts.items():
            for d, q in other.parts.items():
                accumulate(parts, c * d, p * q, length)
        scale, field = self._product_scale(other), _union(self.generators, other.generators)
        return Series(self.order + other.order, length, _nonzero(parts), scale, field)

    def _product_scale(self, other: Series) -> Constant | None:
        if self.scale is None or other.scale is None:
            return None
        if self.is_homogeneous and other.is_homogeneous:
            # Two constants: their product is the coefficient of s**0, and there is no other.
            return primitive(self.scale * other.scale)
        if self.order < 0 or other.order < 0:
            return None
        a, b = self.coefficient(0), other.coefficient(0)
        scales = {primitive(x) for x in (a * other.scale, b * self.scale, self.scale * other.scale) if x}
        return scales.pop() if len(scales) == 1 else (None if scales else ZERO)

    def times(self, c: Constant) -> Series:
        """The series times a constant."""
        parts: dict[Constant, fmpq_series] = {}
        for d, part in self.parts.items():
            accumulate(parts, c * d, part, self.length)
        return Series(
            self.order,
            self.length,
            _nonzero(parts),
            None if self.scale is None else primitive(c * self.scale),
            _union(self.generators, _irrational(c)),
        )

    def divided_by(self, c: Constant) -> Series:
        """The series divided by a constant that has been proved nonzero."""
        parts: dict[Constant, fmpq_series] = {}
        for d, part in self.parts.items():
            accumulate(parts, divide(d, c), part, self.length)
        return Series(
            self.order,
            self.length,
            _nonzero(parts),
            None if self.scale is None else primitive(divide(self.scale, c)) if self.scale else ZERO,
            _union(self.generators, _irrational(inverse(c))),
        )

    def __neg__(self) -> Series:
        return self.times(rational(-1))

    def __sub__(self, other: Series) -> Series:
        return self + -other

    def unit(self) -> Series:
        """The series of order 0 with constant term exactly 1 that arises from dividing by the leading term.

        The coefficient at ``order`` must have been proved nonzero.
        """
        scale = self.scale if self.order == 0 or self.is_homogeneous else None
        parts = _nonzero({c: without_constant_term(part) for c, part in self.parts.items()})
        rest = Series(0, self.length, parts, scale, self.generators)
        return rest.divided_by(self.coefficient(self.order)) + constant(ONE, self.length)

    def inverted(self) -> Series:
        """``1 / self`` of a series whose coefficient at ``order`` has been proved nonzero."""
        unit = self.unit()
        if set(unit.parts) == {ONE}:
            parts: Mapping[Constant, fmpq_series] = {ONE: deflated(unit.parts[ONE], lambda part: part.inv())}
        else:
            # Newton's iteration x <- x (2 - u x) doubles the number of correct terms.
            two, x, correct = constant(rational(2), self.length), constant(ONE, self.length), 1
            while correct < self.length:
                x, correct = x * (two - unit * x), 2 * correct
            parts = x.parts
        scale = unit.scale if unit.scale in (ONE, ZERO) else None
        inverse_unit = Series(-self.order, self.length, parts, scale, unit.generators)
        return inverse_unit.divided_by(self.coefficient(self.order))

    def derivative(self) -> Series:
        """The derivative of a series of order 0."""
        length = self.length - 1
        parts = {c: cut(part.derivative(), 0, length) for c, part in self.parts.items()}
        return Series(0, length, _nonzero(parts), self.scale, self.generators)

    def integral(self) -> Series:
        """The integral from 0 of a series of order 0 that is the derivative of a series, or homogeneous."""
        length = self.length + 1
        scale = self.scale if self.is_homogeneous else None
        parts = {c: cut(part.integral(), 0, length) for c, part in self.parts.items()}
        return Series(0, length, parts, scale, self.generators)

    def without_constant_term(self) -> Series:
        """A series of order 0 less its coefficient at ``s**0``."""
        parts = {c: without_constant_term(part) for c, part in self.parts.items()}
        field = self.field if self.scale is None else _irrational(self.scale)
        return Series(0, self.length, _nonzero(parts), self.scale, field)


def constant(c: Constant, length: int) -> Series:
    """A constant as a series of order 0."""
    parts = {primitive(c): fmpq_series([to_fmpq(c.terms[0][1])], prec=length)} if c else {}
    return Series(0, length, parts, ZERO)


def variable(length: int) -> Series:
    """The series ``s``, stored from degree 0 on."""
    return polynomial((Fraction(0), Fraction(1)), length)


def polynomial(coefficients: tuple[Fraction, ...], length: int) -> Series:
    """A polynomial with rational coefficients as a series of order 0."""
    part = fmpq_series([to_fmpq(c) for c in coefficients[:length]], prec=length)
    scale = ONE if any(coefficients[1:]) else ZERO
    return Series(0, length, _nonzero({ONE: part}), scale)


def accumulate(parts: dict[Constant, fmpq_series], c: Constant, part: fmpq_series, length: int) -> None:
    """Add ``c * part`` to the parts, under the primitive multiple of c."""
    if not c:
        return
    key, factor = primitive(c), c.terms[0][1]
    if factor != 1:
        part = scaled(part, factor)
    if part.prec > length:
        part = cut(part, 0, length)
    parts[key] = parts[key] + part if key in parts else part


def _nonzero(parts: Mapping[Constant, fmpq_series]) -> Mapping[Constant, fmpq_series]:
    return {c: part for c, part in parts.items() if part.length()}


def _irrational(*constants: Constant) -> frozenset[Constant]:
    return frozenset(primitive(c) for c in constants if c.as_rational is None)


def _union(left: frozenset[Constant] | None, right: frozenset[Constant] | None) -> frozenset[Constant] | None:
    return None if left is None or right is None else left | right
