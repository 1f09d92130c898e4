"""FLINT's and mpmath's precisions, which belong to the process: no answer changes them, also on error, and none depends on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import pytest
from flint import ctx
from mpmath import mp

from symattn.enclosures import bands, noise, singular_values, subspaces
from symattn.errors import BudgetError, UndecidedError
from symattn.verification import enclosures as verified
from symattn.verification.scales import enclose_at_scales

from .conftest import drawn

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


@contextmanager
def unchanged(precision: int) -> Iterator[None]:
    """Precisions that a caller may have set, and that are to be the same at the end."""
    before = (ctx.prec, mp.prec)
    ctx.prec, mp.prec = precision, precision + 1
    try:
        yield
        assert (ctx.prec, mp.prec) == (precision, precision + 1)
    finally:
        ctx.prec, mp.prec = before


@pytest.fixture(params=[20, 53, 333])
def ambient(request: pytest.FixtureRequest) -> Iterator[None]:
    with unchanged(request.param):
        yield


def texts(values: Any) -> list[tuple[str, str]]:
    return [value.bounds(20) for value in values]


def values_at(t: Fraction) -> singular_values.SingularValues:
    return singular_values.enclose_singular_values(drawn(), t)


ANSWERS: dict[str, Callable[[], Any]] = {
    "values": lambda: texts(values_at(TENTH).values),
    "rank": lambda: values_at(TENTH).rank_at_cutoff(TENTH),
    "bands": lambda: [band.digits for band in bands.bands_of(values_at(TENTH), [(0, 1), (1, 1), (5, 1)])],
    "slopes": lambda: [singular_values.decimal_bounds(slope) for slope in bands.enclose_slopes(values_at(HALF), values_at(TENTH))],
    "noise": lambda: [singular_values.decimal_bounds(row.relative_error) for row in noise.recover_weights([HALF], [TENTH])],
    "angle": lambda: singular_values.decimal_bounds(subspaces.weakest_angle(drawn(inputs=4), HALF, 2, 1)),
    "report": lambda: verified.enclose_spectrum(drawn(), TENTH).to_json(),
    "scales": lambda: [texts(values.values) for values in enclose_at_scales(drawn(), [HALF, -TENTH]).scales],
}


@pytest.mark.usefixtures("ambient")
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_neither_changes_nor_sees_them(name: str) -> None:
    found = ANSWERS[name]()
    with ctx.workprec(53):
        assert found == ANSWERS[name]()


@pytest.mark.usefixtures("ambient")
@pytest.mark.parametrize(
    ("home", "inner", "name"),
    [
        (singular_values, "enclose_gram", "values"),
        (singular_values.SingularValues, "rank_at_cutoff", "report"),
        (bands, "exact_value", "bands"),
        (noise.MeanMap, "inverse", "noise"),
        (subspaces, "cholesky", "angle"),
    ],
)
def test_a_fault_in_the_middle_restores_them(home: Any, inner: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: Any) -> Any:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(home, inner, failing)
    with pytest.raises(RuntimeError, match="in the middle"):
        ANSWERS[name]()


@pytest.mark.usefixtures("ambient")
def test_an_error_restores_them() -> None:
    with pytest.raises(BudgetError):
        singular_values.enclose_singular_values(drawn(), TENTH, 100, max_precision=256)
    with pytest.raises(BudgetError):
        subspaces.weakest_angle(drawn(), Fraction(1, 1000), 2, 1, precision=20)
    with pytest.raises(UndecidedError):
        bands.bands_of(values_at(TENTH), [(0, 1)])
    with pytest.raises(UndecidedError):
        bands.enclose_slopes(values_at(TENTH), values_at(TENTH))


def test_a_change_is_noticed() -> None:
    before = (ctx.prec, mp.prec)
    for home in (ctx, mp):
        with pytest.raises(AssertionError), unchanged(20):
            home.prec = 40
    assert (ctx.prec, mp.prec) == before
