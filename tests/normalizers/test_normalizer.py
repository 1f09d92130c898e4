"""The object: input in its several forms, value semantics, and the summary for JSON."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import fmpq

from symattn.errors import ConstantNormalizerError, InputError, NotAnalyticError, NotPositiveError
from symattn.normalizers import Normalizer, catalog, normalizer

X = sympy.Symbol("x", real=True)
S = sympy.Symbol("s")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (sympy.exp(X), "exp(s)"),
        (1 / (1 + sympy.exp(-S)), "1/(1 + exp(-s))"),
        (sympy.sin(S) / S, "1/s*sin(s)"),
        (sympy.Rational(1, 3) + sympy.sinc(S), "1/3 + sinc(s)"),
        (sympy.Integer(2) ** S, "2**s"),
        (sympy.sqrt(2 + S), "sqrt(2 + s)"),
        (sympy.Max(2 + S, 1), "Max(1, 2 + s)"),
        (sympy.gamma(1 + S), "gamma(1 + s)"),
    ],
)
def test_from_sympy(expression: sympy.Expr, text: str) -> None:
    assert normalizer(expression) == normalizer(text)


@pytest.mark.parametrize(
    ("expression", "error", "problem"),
    [
        (sympy.exp(0.5 * S), InputError, "float"),
        (sympy.exp(S + sympy.Symbol("t")), InputError, "one variable was expected, not 2: s, t"),
        (sympy.exp(sympy.I * S), InputError, "imaginary unit"),
        (sympy.besselj(0, S), InputError, "besselj is not known"),
        (sympy.Function("f")(S), InputError, "f is not known"),
        (sympy.nan, InputError, "NaN is not known"),
        (1 + sympy.oo * S, InputError, "not known"),
        (sympy.Abs(X), NotAnalyticError, "|s|"),
        (sympy.sqrt(X**2), NotAnalyticError, "|s|"),
        (sympy.Max(S, 0), NotAnalyticError, "kink"),
        (sympy.Piecewise((1, S > 0), (2, True)), NotAnalyticError, "piecewise"),
        (1 + sympy.Heaviside(S), NotAnalyticError, "step"),
        (sympy.exp(-1 / S**2), NotAnalyticError, "pole"),
        (sympy.Integer(3), ConstantNormalizerError, "constant"),
        (-sympy.exp(S), NotPositiveError, "not positive"),
        (sympy.Add(sympy.Pow(2, 10**9, evaluate=False), S, evaluate=False), InputError, "bits"),
        (3.5, InputError, "not float"),
        (None, InputError, "not NoneType"),
        (b"exp(s)", InputError, "not bytes"),
        ([1, 2], InputError, "not list"),
        (sympy.true, InputError, "not BooleanTrue"),
        (sympy.Matrix([S]), InputError, "expected"),
    ],
    ids=str,
)
def test_sympy_and_other_input_that_is_refused(expression: Any, error: type[InputError], problem: str) -> None:
    with pytest.raises(error) as caught:
        normalizer(expression, where="there")
    assert str(caught.value).startswith("there: ")
    assert problem in str(caught.value)


def test_deep_sympy_expressions_are_refused() -> None:
    expression = S
    for _ in range(80):
        expression = sympy.sin(expression) + 1
    with pytest.raises(InputError, match="nested too deeply"):
        normalizer(expression)


def test_a_normalizer_passes_through() -> None:
    phi = normalizer("exp(s)")
    assert normalizer(phi) is phi


def test_from_coefficients() -> None:
    phi = Normalizer.from_coefficients([2, "1/2", Fraction(3), "0.1", 0, 0])
    assert phi.coefficients(6) == [1, fmpq(1, 4), fmpq(3, 2), fmpq(1, 20), 0, 0]
    assert phi.expression is None
    assert phi.text == "2 + 1/2*s + 3*s**2 + 1/10*s**3"
    assert phi.as_dict()["expression"] is None
    assert normalizer(phi.text).coefficients(9) == phi.coefficients(9)
    assert phi == Normalizer.from_coefficients([2, Fraction(1, 2), 3, Fraction(1, 10)])
    assert Normalizer.from_coefficients([1] * 100).text == "1 + s + s**2 + ... (polynomial of degree 99)"


@pytest.mark.parametrize(
    ("coefficients", "error"),
    [
        ([1.0, 2], InputError),
        ([1, 0.5], InputError),
        ([1, True], InputError),
        ([1, "x"], InputError),
        ([1, "1/0"], InputError),
        ([1, "nan"], InputError),
        ([1, "1e999999999"], InputError),
        ([1, None], InputError),
        ([], NotPositiveError),
        ([0, 1], NotPositiveError),
        ([-1, 1], NotPositiveError),
        ([1], ConstantNormalizerError),
        ([1, 0, 0], ConstantNormalizerError),
    ],
)
def test_coefficients_that_are_refused(coefficients: list[Any], error: type[InputError]) -> None:
    with pytest.raises(error):
        Normalizer.from_coefficients(coefficients)


@pytest.mark.parametrize("text", [*catalog, "Max(2+s, 0)", "exp(s/3) - s**2/7"])
def test_value_semantics_and_round_trip(text: str) -> None:
    phi = normalizer(text)
    again = normalizer(phi.text)
    assert again == phi
    assert again.text == phi.text
    assert hash(again) == hash(phi)
    assert phi != normalizer("1 + s/17")
    phi.symbolic_coefficients(3)
    revived = pickle.loads(pickle.dumps(phi))
    assert revived == phi
    assert revived.as_dict() == phi.as_dict()
    assert len(pickle.dumps(phi)) < 2000


def test_it_is_frozen() -> None:
    with pytest.raises(AttributeError):
        normalizer("exp(s)").k = 3  # type: ignore[misc]


def test_summary_is_json_with_the_agreed_keys() -> None:
    summary = json.loads(json.dumps(normalizer("softmax").as_dict()))
    assert summary == {
        "text": "exp(s)",
        "expression": "exp(s)",
        "k": 1,
        "coefficient": "1",
        "first_odd_degree": 1,
        "first_even_degree": None,
        "is_even": False,
        "log_is_odd": True,
        "is_rational": True,
        "log_series": ["0", "1", *["0"] * 9],
        "undecided": [],
    }
    assert normalizer("softplus(s)").as_dict()["coefficient"] == "1/2/log(2)"


def test_expression_is_a_sympy_expression_in_s() -> None:
    assert normalizer("exp(s)/(1+s**2)").expression == sympy.exp(S) / (1 + S**2)
    assert normalizer("softplus(s)").expression == sympy.log(1 + sympy.exp(S))
    assert normalizer("sigmoid(s)").expression == 1 / (1 + sympy.exp(-S))


@pytest.mark.parametrize(
    ("text", "polynomial"),
    [
        ("exp(s)", [0, 1]),
        ("exp(s+s**2)", [0, 1, 1]),
        ("exp(1+s/2)", [0, Fraction(1, 2)]),
        ("3*exp(s)*exp(-s**2/3)**2", [0, 1, Fraction(-2, 3)]),
        ("sqrt(exp(s)*exp(s**3))", [0, Fraction(1, 2), 0, Fraction(1, 2)]),
        ("exp((1+s)**3)", [0, 3, 3, 1]),
        ("exp(pi + s)", [0, 1]),
        ("1+s", None),
        ("2**s", None),
        ("exp(sin(s))", None),
        ("exp(pi*s)", None),
    ],
)
def test_log_polynomial(text: str, polynomial: list[Fraction | int] | None) -> None:
    found = normalizer(text).log_polynomial
    assert found == (None if polynomial is None else tuple(map(Fraction, polynomial)))
    if polynomial is not None:
        assert list(map(str, normalizer(text).log_coefficients(len(polynomial)))) == list(map(str, polynomial))


def test_import_is_light() -> None:
    code = "import symattn.normalizers as n, sys; n.normalizer('sigmoid(s)').as_dict(); sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
