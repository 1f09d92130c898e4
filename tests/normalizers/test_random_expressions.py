"""Random expressions against numerical differentiation by mpmath, and against their own text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
from expressions import SMOOTH, taylor
from hypothesis import HealthCheck, assume, given, settings

from symattn.errors import BudgetError, ConstantNormalizerError, NotPositiveError, UndecidedError
from symattn.normalizers import normalizer
from symattn.normalizers.constant_sign import enclose
from symattn.normalizers.normalizer import Normalizer
from symattn.normalizers.series import full_precision
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import Call, Node, Number, Sum

SETTINGS = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))


def positive(node: Node) -> Normalizer:
    """``exp`` of the expression where it is not itself a normalizer; the example is dropped where both are refused."""
    for candidate in (node, Sum((Call("exp", (node,)), Number(Fraction(1))))):
        try:
            return Normalizer(candidate)
        except (NotPositiveError, ConstantNormalizerError, BudgetError, UndecidedError):
            continue
    assume(False)
    raise AssertionError


def close(left: Any, right: Any) -> bool:
    return bool(abs(left - right) <= mpmath.mpf(10) ** -20 * (1 + abs(right)))


@SETTINGS
@given(SMOOTH)
def test_coefficients_agree_with_numerical_differentiation(node: Node) -> None:
    phi = positive(node)
    count = 5
    try:
        series = phi._taylor(count)
        odd, even = phi.first_odd_degree, phi.first_even_degree
    except BudgetError:
        assume(False)
    expected = taylor(phi.tree, count)
    for degree in range(count):
        with full_precision():
            value = enclose(series.coefficient(degree), 300)
        assert close(mpmath.mpf(value.mid().str(40, radius=False)), expected[degree]), (phi.text, degree)
    # The decisions agree with what is seen numerically.
    significant = [degree for degree in range(1, count) if abs(expected[degree]) > 1e-15]
    if significant:
        assert phi.k == significant[0]
    else:
        assert phi.k >= count
    if phi.is_even:
        assert not any(degree % 2 for degree in significant)
        assert odd is None
    if phi.log_is_odd:
        assert even is None
    if phi.is_rational:
        assert phi.coefficients(1) == [1]
        assert all(close(mpmath.mpf(int(c.p)) / int(c.q), e) for c, e in zip(phi.coefficients(count), expected, strict=True))


@SETTINGS
@given(SMOOTH)
def test_text_round_trip(node: Node) -> None:
    phi = positive(node)
    assert normalizer(phi.text).text == phi.text
    assert to_text(normalizer(phi.text).tree) == phi.text
