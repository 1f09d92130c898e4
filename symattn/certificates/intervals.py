"""Certificates of enclosed singular values, and decimals as certificates write them (docs/certificates.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb, ctx

from symattn.certificates.document import assemble, path_document, rational
from symattn.certificates.paths import kernel_evidence
from symattn.enclosures.singular_values import SingularValues, exact_value
from symattn.network.instance import Instance
from symattn.network.kernel import path_kernel

__all__ = ["Bounds", "decimals", "enclosure_certificates", "exact_decimal"]

Interval = tuple[tuple[int, int], tuple[int, int], int]

Bounds = tuple[tuple[int, int], tuple[int, int]]
"""A lower and an upper decimal, each ``(m, e)`` for ``m * 10^e``."""


def enclosure_certificates(instance: Instance, values: SingularValues, digits: int) -> Iterator[bytes]:
    """All positive singular values at one t, between decimals of ``digits`` digits (D.sv): the same for more and more bits of the checker.

    Raises :class:`UndecidedError` for normalizers that certificates cannot express.
    """
    intervals = _merged([(*decimals(value.ball, digits), value.multiplicity) for value in values.values])
    claim = {
        "kernel": values.kernel,
        "rank": values.rank,
        "t": rational(values.t),
        "values": [[list(lower), list(upper), multiplicity] for lower, upper, multiplicity in intervals],
    }
    document, kernel = path_document(instance), kernel_evidence(path_kernel(instance))
    first = _bits(values, digits)
    for bits in sorted({min(first << 2 * step, _MOST_BITS) for step in range(_STEPS)}):
        evidence = {"bits": bits, "kernel": kernel}
        yield assemble("enclosure", document, claim, evidence, ["singular-values"])


_MOST_BITS = 65536
"""The limit of the format."""

_STEPS = 6
"""How often the bits are quadrupled at most: what the weights need behind the point depends on the size of the scores."""


def _merged(intervals: Sequence[Interval]) -> list[Interval]:
    """The same without overlaps: values that so few digits do not tell apart share an interval, and their multiplicities add up."""
    merged: list[Interval] = []
    for lower, upper, multiplicity in intervals:
        while merged and exact_decimal(upper) > exact_decimal(merged[-1][0]):
            _, upper, more = merged.pop()
            multiplicity += more
        merged.append((lower, upper, multiplicity))
    return merged


def exact_decimal(decimal: tuple[int, int]) -> Fraction:
    """The number that a decimal ``(m, e)`` means."""
    return Fraction(decimal[0]) * Fraction(10) ** decimal[1]


def _bits(values: SingularValues, digits: int) -> int:
    """Squares of the values are compared, each to its digits, after an elimination that may lose the spread once more."""
    (m, e), _ = decimals(values.values[-1].ball, 2)
    smallest = max(0, -4 * (e + len(str(m))))
    return 128 + 4 * digits + 3 * smallest


def decimals(ball: arb, digits: int) -> Bounds:
    """Decimals of ``digits`` significant digits strictly below and above a ball, as close as there are."""
    with ctx.workprec(4 * digits + 64):
        lower, upper = exact_value(ball.lower()), exact_value(ball.upper())
    largest = max(abs(lower), abs(upper))
    exponent = 0
    if largest:
        # The decimal exponent of the largest bound, from bit lengths and then exactly.
        exponent = (largest.numerator.bit_length() - largest.denominator.bit_length()) * 1233 // 4096
        while Fraction(10) ** (exponent + 1) <= largest:
            exponent += 1
        while Fraction(10) ** exponent > largest:
            exponent -= 1
    unit = exponent - digits + 1
    step = Fraction(10) ** unit
    below, above = lower / step, upper / step
    return (-(-below.numerator // below.denominator) - 1, unit), (above.numerator // above.denominator + 1, unit)
