"""A published figure beside ours, and whether the two agree to every published digit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from flint import arb

from symattn.enclosures.singular_values import decimal_bounds, exact_value

__all__ = ["Figure", "Item", "below_figure", "enclosed_figure", "exact_figure", "own_figure", "rounds_to"]


@dataclass(frozen=True)
class Figure:
    """One figure: ``published`` as printed ("" if it was not), ours as text, and the agreement: yes, no, or ``None`` if undecided.

    A figure that was not published has nothing to agree with, and ``agrees`` is ``None`` too.
    """

    name: str
    published: str
    ours: str
    agrees: bool | None = None

    def to_json(self) -> dict[str, object]:
        """The fields under their own names."""
        return {"name": self.name, "published": self.published, "ours": self.ours, "agrees": self.agrees}


@dataclass(frozen=True)
class Item:
    """One piece of published evidence (N1 .. N4), with its figures, notes on how ours were found, and enclosed values by scale."""

    id: str
    title: str
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    values: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """Refuted if a published figure disagrees, undecided if one is not decided, else confirmed."""
        answers = [figure.agrees for figure in self.figures if figure.published]
        if False in answers:
            return "refuted"
        return "undecided" if None in answers or not answers else "confirmed"

    def to_json(self) -> dict[str, object]:
        """An entry of ``items`` in ``symattn reproduce --json``."""
        return {
            "id": self.id,
            "title": self.title,
            "verdict": self.verdict,
            "figures": [figure.to_json() for figure in self.figures],
            "notes": list(self.notes),
            "values": {scale: [list(bounds) for bounds in own] for scale, own in self.values.items()},
        }


def exact_figure(name: str, published: object, ours: object) -> Figure:
    """Two exact values, equal or not."""
    return Figure(name, str(published), str(ours), ours == published)


def enclosed_figure(name: str, published: str, ball: arb) -> Figure:
    """A published decimal and our enclosure of the value; they agree if the whole enclosure rounds to the decimal."""
    return Figure(name, published, interval_text(ball), rounds_to(ball, published))


def below_figure(name: str, published: str, ball: arb) -> Figure:
    """A published upper bound, and our enclosure of what it bounds."""
    bound = Fraction(published)
    agrees = True if exact_value(ball.upper()) < bound else False if exact_value(ball.lower()) >= bound else None
    return Figure(name, f"below {published}", interval_text(ball), agrees)


def own_figure(name: str, ours: object) -> Figure:
    """A figure of ours for which nothing was published."""
    return Figure(name, "", interval_text(ours) if isinstance(ours, arb) else str(ours))


def rounds_to(ball: arb, published: str) -> bool | None:
    """Whether every point of the ball lies within half a unit of the last digit of a decimal; ``None`` if only some do.

    >>> rounds_to(arb("3.8612", "0.0001"), "3.86"), rounds_to(arb("3.87"), "3.86"), rounds_to(arb("3.865", "0.001"), "3.86")
    (True, False, None)
    """
    decimal = Decimal(published)
    half = Fraction(Decimal(1).scaleb(int(decimal.as_tuple().exponent))) / 2
    lower, upper = (exact_value(bound) - Fraction(decimal) for bound in (ball.lower(), ball.upper()))
    if -half <= lower and upper <= half:
        return True
    return False if lower > half or upper < -half else None


def interval_text(ball: arb, digits: int = 12) -> str:
    """``[lower, upper]`` with decimals rounded outward."""
    return "[{}, {}]".format(*decimal_bounds(ball, digits))
