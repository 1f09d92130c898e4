"""Irrational coefficients: exact numbers, generators of their field, polynomials in one constant."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import pytest
import sympy
from flint import fmpq, fmpz_poly

from symattn.errors import UndecidedError
from symattn.normalizers import normalizer


def test_softplus_in_one_over_log_two() -> None:
    phi = normalizer("softplus(s)")
    assert not phi.is_rational
    assert phi.constants() == (1 / sympy.log(2),)
    constant, rows = phi.coefficients_in_constant(6)
    assert constant == 1 / sympy.log(2)
    assert rows == [[fmpq(1)], [0, fmpq(1, 2)], [0, fmpq(1, 8)], [], [0, fmpq(-1, 192)], []]
    assert phi.constant_minimal_polynomial() is None


@pytest.mark.parametrize(
    ("text", "constant"),
    [
        ("2**s", sympy.log(2)),
        ("8**s", sympy.log(2)),
        ("6**s", sympy.log(6)),
        ("(4/9)**s", sympy.log(sympy.Rational(3, 2))),
        ("exp(pi*s)", sympy.pi),
        ("erf(s)+2", 1 / sympy.sqrt(sympy.pi)),
        ("exp(E*s)", sympy.E),
        ("exp(sqrt(E)*s+E*s**2)", sympy.sqrt(sympy.E)),
        ("1+exp(1+s)", sympy.E / (1 + sympy.E)),
        ("log(3+s)", 1 / sympy.log(3)),
        ("2+atan(1+s)", sympy.S.One / (2 + sympy.pi / 4)),
        ("exp(exp(sqrt(2))*s)", sympy.exp(sympy.sqrt(2))),
    ],
)
def test_transcendental_constants(text: str, constant: sympy.Expr) -> None:
    phi = normalizer(text)
    found, rows = phi.coefficients_in_constant(7)
    assert phi.constant_minimal_polynomial() is None
    ratio = sympy.simplify(found / constant)
    assert ratio.is_rational
    values = [sum(sympy.Rational(int(q.p), int(q.q)) * found**j for j, q in enumerate(row)) for row in rows]
    for value, symbolic in zip(values, phi.symbolic_coefficients(7), strict=True):
        assert sympy.simplify(value - symbolic) == 0


@pytest.mark.parametrize(
    ("text", "constant", "minimal"),
    [
        ("exp(sqrt(2)*s)", sympy.sqrt(2), [-2, 0, 1]),
        ("1/(1+sqrt(3)*s)", sympy.sqrt(3), [-3, 0, 1]),
        ("exp(2**(1/3)*s)", sympy.cbrt(2), [-2, 0, 0, 1]),
        ("exp(sqrt(6)*s)", sympy.sqrt(6), [-6, 0, 1]),
        ("exp(2**(1/2)*s + 2**(1/3)*s**2)", sympy.root(2, 6), [-2, 0, 0, 0, 0, 0, 1]),
        ("exp(s/sqrt(2))", sympy.sqrt(2), [-2, 0, 1]),
        ("exp(sqrt(2)*3**(1/3)*s)", sympy.sqrt(2) * sympy.cbrt(3), [-72, 0, 0, 0, 0, 0, 1]),
    ],
)
def test_algebraic_constants(text: str, constant: sympy.Expr, minimal: list[int]) -> None:
    phi = normalizer(text)
    found, rows = phi.coefficients_in_constant(9)
    assert found == constant
    assert phi.constant_minimal_polynomial() == fmpz_poly(minimal)
    assert all(len(row) < len(minimal) for row in rows)
    for row, symbolic in zip(rows, phi.symbolic_coefficients(9), strict=True):
        value = sum(sympy.Rational(int(q.p), int(q.q)) * found**j for j, q in enumerate(row))
        assert sympy.expand(value - symbolic) == 0


@pytest.mark.parametrize(
    "text",
    ["gamma(1+s)", "exp(sqrt(2)*s+pi*s**2)", "2**s+3**s", "sin(1+s)", "exp(erf(1)*s)", "2**s*log(1+exp(s))", "exp(pi*E*s)", "exp(E**pi*s)"],
)
def test_no_single_known_constant(text: str) -> None:
    phi = normalizer(text)
    with pytest.raises(UndecidedError):
        phi.coefficients_in_constant(5)
    with pytest.raises(UndecidedError):
        phi.constant_minimal_polynomial()
    with pytest.raises(UndecidedError, match="not known to be rational"):
        phi.coefficients(5)
    with pytest.raises(UndecidedError):
        phi.log_coefficients(5)


def test_rational_normalizers_need_no_constant() -> None:
    phi = normalizer("exp(s+exp(s))")
    assert phi.is_rational
    assert phi.constants() == ()
    assert phi.coefficients_in_constant(3) == (sympy.S.One, [[fmpq(1)], [fmpq(2)], [fmpq(5, 2)]])
    assert phi.constant_minimal_polynomial() == fmpz_poly([-1, 1])


def test_irrationality_beyond_the_first_terms_is_not_missed() -> None:
    phi = normalizer("exp(s) + pi*s**100")
    assert not phi.is_rational
    assert phi.coefficients_in_constant(3)[0] == sympy.pi
    assert phi.symbolic_coefficients(101)[100] == sympy.pi + sympy.Rational(1, factorial(100))


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("log(1+exp(s))", lambda s: sympy.log(1 + sympy.exp(s))),
        ("2**s", lambda s: 2**s),
        ("gamma(1+s)", lambda s: sympy.gamma(1 + s)),
        ("erf(s)+2", lambda s: sympy.erf(s) + 2),
        ("sin(1+s)", lambda s: sympy.sin(1 + s)),
        ("sqrt(2+s)+sqrt(3)", lambda s: sympy.sqrt(2 + s) + sympy.sqrt(3)),
        ("atan(2+s)", lambda s: sympy.atan(2 + s)),
        ("gamma(1/3+s)", lambda s: sympy.gamma(sympy.Rational(1, 3) + s)),
    ],
)
def test_symbolic_coefficients_are_derivatives(text: str, reference: object) -> None:
    s = sympy.Symbol("s")
    f = reference(s)  # type: ignore[operator]
    phi = normalizer(text)
    for n, value in enumerate(phi.symbolic_coefficients(4)):
        expected = sympy.diff(f, s, n).subs(s, 0) / factorial(n) / f.subs(s, 0)
        assert abs(sympy.N(value - expected, 40)) < 1e-30
    for n, value in enumerate(phi.symbolic_log_coefficients(4)):
        expected = sympy.diff(sympy.log(f), s, n).subs(s, 0) / factorial(n) if n else 0
        assert abs(sympy.N(value - expected, 40)) < 1e-30


def test_powers_of_two_have_logarithms_to_high_degree() -> None:
    phi = normalizer("2**s")
    _, rows = phi.coefficients_in_constant(200)
    assert all(row == [fmpq(0)] * n + [fmpq(1, factorial(n))] for n, row in enumerate(rows))
    assert phi.symbolic_log_coefficients(50) == [0, sympy.log(2)] + [0] * 48
    assert phi.coefficient == sympy.log(2)
    assert normalizer("exp(log(2)*s)").coefficient == sympy.log(2)
    assert normalizer("log(1+exp(s))").coefficient == 1 / (2 * sympy.log(2))
    assert normalizer("sqrt(4+s)").coefficient == Fraction(1, 8)


def test_an_algebraic_quotient_of_transcendental_numbers_is_not_taken_for_transcendental() -> None:
    # E/(E + sqrt(2) E) = sqrt(2) - 1.
    phi = normalizer("E + sqrt(2)*E + E*s")
    assert phi.coefficients_in_constant(2) == (sympy.sqrt(2), [[fmpq(1)], [fmpq(-1), fmpq(1)]])
    assert phi.constant_minimal_polynomial() == fmpz_poly([-2, 0, 1])
    # Both constants are algebraic, 1 and sqrt(1 + sqrt(2)), but do not show it.
    for hidden in ("1 + sqrt(1+2*pi+pi**2)/(1+pi)*s", "exp(sqrt(E+sqrt(2)*E)/sqrt(E)*s)"):
        with pytest.raises(UndecidedError):
            normalizer(hidden).constant_minimal_polynomial()


def test_polynomials_in_pi_are_constants_of_their_own() -> None:
    phi = normalizer("exp((1+pi)*s)")
    constant, rows = phi.coefficients_in_constant(4)
    assert constant == 1 + sympy.pi
    assert rows == [[1], [0, 1], [0, 0, fmpq(1, 2)], [0, 0, 0, fmpq(1, 6)]]
    assert phi.constant_minimal_polynomial() is None


def test_circular_functions_of_irrational_multiples() -> None:
    def expected(n: int, sign: int) -> sympy.Expr:
        return sympy.Integer(sign) ** (n // 2) * sympy.sqrt(2) ** n / factorial(n)

    cosine, sine = normalizer("cos(sqrt(2)*s)").symbolic_coefficients(9), normalizer("1+sin(sqrt(2)*s)").symbolic_coefficients(9)
    assert cosine == [0 if n % 2 else expected(n, -1) for n in range(9)]
    assert sine == [expected(n, -1) if n % 2 else int(n == 0) for n in range(9)]
    hyperbolic = normalizer("cosh(sqrt(2)*s)").symbolic_coefficients(9)
    assert hyperbolic == [0 if n % 2 else expected(n, 1) for n in range(9)]
