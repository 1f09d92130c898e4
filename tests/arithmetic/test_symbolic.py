"""Rational functions in named symbols, and the network over them with undefined normalizers."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings, strategies as st

from symattn.arithmetic import SymbolicField, UndefinedNormalizer
from symattn.errors import InputError, UndecidedError
from symattn.network.attention import Layer, pull_back_stack, score_covariances, trace_stack

PHI, PSI = UndefinedNormalizer("phi"), UndefinedNormalizer("psi")
small = st.fractions(min_value=-3, max_value=3, max_denominator=4)


def _polynomial(field, coefficients):
    x, y = field.symbol("x"), field.symbol("y")
    monomials = [field.element(1), x, y, x * y, y * y]
    return sum((m * c for m, c in zip(monomials, coefficients, strict=True)), field.element(0))


polynomials = st.lists(small, min_size=5, max_size=5)


@settings(max_examples=40, deadline=None)
@given(polynomials, polynomials, polynomials, polynomials)
def test_field_laws(first, second, third, fourth):
    field = SymbolicField()
    a, b, c, d = (_polynomial(field, coefficients) for coefficients in (first, second, third, fourth))
    if b.is_zero() or d.is_zero():
        return
    p, q = a / b, c / d
    assert p + q == q + p
    assert p * q == q * p
    assert (p + q) * b == a + q * b
    assert p - p == field.element(0)
    assert str(p) == str((a * d) / (b * d))  # reduced: one representation
    assert hash(p) == hash((a * d) / (b * d))
    if not a.is_zero():
        assert p * (b / a) == field.element(1)


@settings(max_examples=20, deadline=None)
@given(polynomials, polynomials)
def test_agrees_with_sympy(first, second):
    field = SymbolicField()
    a, b = _polynomial(field, first), _polynomial(field, second)
    if b.is_zero():
        return
    x, y = sympy.symbols("x y")
    [mine] = field.matrix([[a / b]]).sympy()
    theirs = [sum(sympy.Rational(c) * m for c, m in zip(cs, [1, x, y, x * y, y * y], strict=True)) for cs in (first, second)]
    assert sympy.cancel(mine - theirs[0] / theirs[1]) == 0


def test_division_by_zero_is_undecided():
    field = SymbolicField()
    x = field.symbol("x")
    with pytest.raises(UndecidedError):
        x / (x - x)


def test_symbols_may_be_added_at_any_time():
    field = SymbolicField()
    x = field.symbol("x")
    square = x * x + 1
    y = field.symbol("y")
    assert (square * y) / y == square
    assert field.symbol("x") == x


def test_equal_scores_share_their_values_and_others_do_not():
    field = SymbolicField()
    x, y = field.symbol("x"), field.symbol("y")
    scores = field.matrix([[x * x - y * y, (x - y) * (x + y), x]])
    [(values, slopes)] = field.normalize(PHI, [scores])
    assert values[0, 0] == values[0, 1]
    assert values[0, 0] != values[0, 2]
    assert slopes[0, 0] != values[0, 0]
    field.symbol("z")  # the same score is recognized after symbols were added
    [(again, _)] = field.normalize(PHI, [scores])
    assert again.agrees_with(values)
    [(other, _)] = field.normalize(PSI, [scores])
    assert other[0, 0] != values[0, 0]


def test_a_known_normalizer_is_refused():
    field = SymbolicField()
    with pytest.raises(UndecidedError):
        field.normalize(object(), [field.matrix([[0]])])


def test_derivative_follows_the_chain_rule():
    field = SymbolicField()
    x, y = field.symbol("x"), field.symbol("y")
    [(values, slopes)] = field.normalize(PHI, [field.matrix([[x * x * y, y]])])
    quotient = field.matrix([[values[0, 0] / values[0, 1]]])
    [entry] = field.derivative(quotient, "x").entries()
    assert entry == slopes[0, 0] * x * y * 2 / values[0, 1]
    with pytest.raises(InputError):
        field.derivative(quotient, "phi_1")
    with pytest.raises(InputError):
        field.derivative(quotient, "w")


@pytest.mark.parametrize(("tokens", "width", "depth"), [(2, 1, 2), (2, 2, 1), (3, 1, 1)])
def test_backward_pass_is_the_derivative_of_the_forward_pass(tokens, width, depth):
    field = SymbolicField()
    x = field.symbols("x", tokens, width)
    layers = [Layer((PHI, PSI)[i], field.symbols(f"M{i}", width, width), field.symbols(f"V{i}", width, width)) for i in range(depth)]
    traces = [trace for (trace,) in trace_stack(field, layers, [x])]
    cotangent = field.matrix([[int((i, j) == (0, 0)) for j in range(width)] for i in range(tokens)])
    found = pull_back_stack(field, traces, cotangent)
    output = field.matrix([[traces[-1].output[0, 0]]])
    for i, (score, value) in enumerate(found):
        for name, matrix in ((f"M{i}", score), (f"V{i}", value)):
            for a in range(width):
                for b in range(width):
                    [claimed] = field.derivative(output, f"{name}_{a + 1}_{b + 1}").entries()
                    assert matrix[a, b] == claimed


def test_covariance_formula_is_the_derivative_in_the_score():
    field = SymbolicField()
    x, score = field.symbols("x", 2, 2), field.symbols("M", 2, 2)
    [[trace]] = trace_stack(field, [Layer(PHI, score, field.matrix([[1, 0], [0, 1]]))], [x])
    covariances = score_covariances(field, trace)
    for a in range(2):
        for i in range(2):
            for j in range(2):
                derivative = field.derivative(trace.output, f"M_{i + 1}_{j + 1}")
                for c in range(2):
                    assert derivative[a, c] == covariances[c][a, j] * x[a, i]


def test_shift_multiplies_by_the_symbol_u():
    field = SymbolicField()
    shifted = field.shift(field.matrix([[Fraction(1, 2)]]), 2)
    assert shifted[0, 0] == field.symbol("u") ** 2 * Fraction(1, 2)


def test_sympy_is_loaded_only_for_expressions():
    program = "import sys; from symattn.arithmetic import SymbolicField; SymbolicField().symbol('x'); sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
