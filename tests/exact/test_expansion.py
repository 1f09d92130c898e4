"""Expansions: against sympy's own series, against other number systems, and the terms that the theory names."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import sympy

from symattn.arithmetic import RationalSeries
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.exact.expansion import expand
from symattn.exact.jets import jet_of
from symattn.exact.taylor import Expansion
from symattn.network.attention import trace_layer
from symattn.network.files import instance_from_dict, network_from_dict
from symattn.network.path import path_layers
from symattn.network.polynomial_text import parse_polynomial, polynomial_context
from symattn.network.symbolic_files import symbolic_from_dict

from ..arithmetic.coefficients import COEFFICIENTS

SCALAR: dict[str, Any] = {"symattn": 1, "tokens": 2, "width": 1}


def scalar_stack(normalizers: Any, scores: list[Any], tokens: list[Any], **more: Any) -> dict[str, Any]:
    layers = [{"U": [[score]], "W": [[1]]} for score in scores]
    return SCALAR | {"normalizers": normalizers, "layers": layers, "bank": [[[x] for x in tokens]], "tokens": len(tokens)} | more


def naive_tokens(normalizers: list[Any], scores: list[Any], tokens: list[Any], depth: int) -> list[Any]:
    """The scalar network as a closed sympy expression, from the definition."""
    for phi, score in list(zip(normalizers, scores, strict=True))[:depth]:
        weights = [[phi(x * score * y) for y in tokens] for x in tokens]
        tokens = [sum(w * y for w, y in zip(row, tokens, strict=True)) / sum(row) for row in weights]
    return tokens


def coefficients(entry: Any) -> dict[int, Any]:
    from symattn.arithmetic.polynomials import polynomial_to_sympy

    return {power: polynomial_to_sympy(p) for power, p in entry.coefficients.items()}


@pytest.mark.parametrize(
    ("text", "phi"),
    [("1+s", lambda s: 1 + s), ("1/(1-s)", lambda s: 1 / (1 - s)), pytest.param("exp(s)", sympy.exp, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("variable", ["t", "rho", "eps"])
def test_one_layer_against_sympy_series(text: str, phi: Any, variable: str) -> None:
    """The definition, expanded by sympy, at one layer with symbols b and z and tokens ``2 +- z`` (or ``+- z``, where q must vanish)."""
    b, z = sympy.symbols("b z")
    small = sympy.Symbol(variable)
    mean = 0 if variable == "eps" and text in ("1+s", "1/(1-s)") else 2
    given = [f"{mean} + z", f"{mean} - z"]
    order = {"t": 2, "rho": 3, "eps": 3}[variable]
    expansion = expand(symbolic_from_dict(scalar_stack(text, ["b"], given)), order, variable)  # type: ignore[arg-type]
    tokens = {"t": [mean + z, mean - z], "rho": [small * (mean + z), small * (mean - z)], "eps": [mean + small * z, mean - small * z]}
    outputs = naive_tokens([phi], [b * small**2 if variable == "t" else b], tokens[variable], 1)
    for row, output in zip(expansion.layers[0].tokens, outputs, strict=True):
        series = sympy.series(output, small, 0, order + 1).removeO()
        assert sympy.expand(row[0].expression() - series) == 0


def naive_layer(phi: list[Fraction], score: Fraction, tokens: list[list[Fraction]], terms: int) -> list[list[Fraction]]:
    """One scalar layer with score ``u * score`` on lists of coefficients of ``u^j``, from the definition and the Taylor sum of phi."""
    one = [Fraction(1)] + [Fraction(0)] * (terms - 1)

    def times(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
        return [sum((a[i] * b[j - i] for i in range(j + 1)), Fraction(0)) for j in range(terms)]

    def over(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
        result: list[Fraction] = []
        for j in range(terms):
            result.append((a[j] - sum((result[i] * b[j - i] for i in range(j)), Fraction(0))) / b[0])
        return result

    def weight(x: list[Fraction], y: list[Fraction]) -> list[Fraction]:
        s = [Fraction(0), *(score * c for c in times(x, y))][:terms]
        total, power = [Fraction(0)] * terms, one
        for c in phi:
            total, power = [a + c * b for a, b in zip(total, power, strict=True)], times(power, s)
        return total

    outputs = []
    for x in tokens:
        weights = [weight(x, y) for y in tokens]
        numerator = [sum(column) for column in zip(*(times(w, y) for w, y in zip(weights, tokens, strict=True)), strict=True)]
        outputs.append(over(numerator, [sum(column) for column in zip(*weights, strict=True)]))
    return outputs


@pytest.mark.parametrize("texts", [("exp(s)", "1+s"), ("exp(s**2)", "exp(s)"), ("2+sin(s)", "exp(s+s**2)"), ("1/(1-s)", "cosh(s)")])
def test_two_layers_against_the_definition(texts: tuple[str, str]) -> None:
    """An oracle that shares no code with the package, at order ``u^7`` with three tokens."""
    terms, scores, start = 8, [Fraction(2), Fraction(-1, 3)], [Fraction(1), Fraction(2), Fraction(-1, 2)]
    expansion = expand(symbolic_from_dict(scalar_stack(list(texts), ["2", "-1/3"], ["1", "2", "-1/2"])), 2 * terms - 2)
    tokens = [[x] + [Fraction(0)] * (terms - 1) for x in start]
    for text, score, found in zip(texts, scores, expansion.layers, strict=True):
        tokens = naive_layer(COEFFICIENTS[text](terms), score, tokens, terms)
        for row, expected in zip(found.tokens, tokens, strict=True):
            assert coefficients(row[0]) == {2 * j: sympy.Rational(str(c)) for j, c in enumerate(expected) if c}


def random_instance(source: random.Random) -> dict[str, Any]:
    n, d = source.choice([(2, 2), (3, 1), (3, 2)])

    def matrix(rows: int, columns: int) -> list[list[str]]:
        return [[str(Fraction(source.randint(-4, 4), source.choice([1, 2, 3]))) for _ in range(columns)] for _ in range(rows)]

    layers = [{"U": matrix(d, d), "W": matrix(d, d), "V": matrix(d, d)} for _ in range(2)]
    texts = [source.choice(["exp(s)", "exp(s**2)", "2+sin(s)", "1+s**3"]) for _ in range(2)]
    return {"symattn": 1, "tokens": n, "width": d, "normalizers": texts, "layers": layers, "bank": [matrix(n, d), matrix(n, d)]}


@pytest.mark.parametrize("seed", range(6))
def test_numbers_against_the_univariate_series(seed: int) -> None:
    """The path without symbols, with values, on the second input, after each layer, against ``Q[u]``."""
    data, order = random_instance(random.Random(seed)), 8
    expansion = expand(symbolic_from_dict(data), order, number=2)
    instance, ring = instance_from_dict(data), RationalSeries(order // 2 + 1)
    tokens = ring.matrix(instance.bank[1])
    for layer, found in zip(path_layers(ring, instance), expansion.layers, strict=True):
        tokens = trace_layer(ring, layer, [tokens])[0].output
        entries = [entry for row in found.tokens for entry in row]
        for entry, polynomial in zip(entries, tokens.polynomials(), strict=True):
            expected = {2 * j: sympy.Rational(str(c)) for j, c in enumerate(polynomial.coeffs()) if c}
            assert coefficients(entry) == expected


def test_total_degree_against_the_jet() -> None:
    """In rho, without a bank, the tokens are symbols and the last layer is the jet."""
    data = {
        "symattn": 1,
        "tokens": 2,
        "width": 2,
        "normalizers": ["exp(s)", "1+s"],
        "L": [["1/2", 3]],
        "M": [[[1, 2], [0, -1]], [[2, 1], [1, 1]]],
    }
    expansion, jet = expand(symbolic_from_dict(data), 7, "rho"), jet_of(network_from_dict(data), 7)
    entry = expansion.layers[-1].tokens[0][0]
    symbols = [sympy.Symbol(name) for name in ("x1_1", "x1_2", "x2_1", "x2_2")]
    for degree in (1, 3, 5, 7):
        part = sum(
            sympy.Rational(str(value)) * sympy.Mul(*(x**e for x, e in zip(symbols, exponents, strict=True)))
            for exponents, (value,) in jet.part(degree).items()
        )
        assert sympy.expand(coefficients(entry).get(degree, 0) - part) == 0
    assert expansion.order == 7


def test_native_weights_are_expanded_as_their_reduction() -> None:
    native = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "Q": [[["a"]], [["1"], ["2"]]], "K": [[[3]], [["c"], [1]]]}
    values = {"V": [[["v"], ["1"]], [["1", "w"]]]}
    found = expand(symbolic_from_dict(native | values), 3, "rho")
    # M_1 = 3 a, P = (v, 1), M_2 = (v + 2)(c v + 1), L = v + w.
    effective = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "L": [["v + w"]], "M": [[["3*a"]], [["(v+2)*(c*v+1)"]]]}
    expected = expand(symbolic_from_dict(effective), 3, "rho")
    for mine, other in zip(found.layers[-1].tokens, expected.layers[-1].tokens, strict=True):
        assert sympy.expand(mine[0].expression() - other[0].expression()) == 0


def substituted(expansion: Expansion, values: dict[str, Any]) -> list[Any]:
    entries = [entry for layer in expansion.layers for row in (*layer.tokens, layer.mean, *layer.contrast) for entry in row]
    return [sympy.expand(entry.expression().subs(values)) for entry in entries]


def test_a_generic_normalizer_specializes() -> None:
    """With ``b_2 = 1, b_3 = -1/2`` and nothing else the generic expansion is that of ``exp(s^2 - s^3/2)``."""
    generic = expand(symbolic_from_dict(scalar_stack({"generic": 2}, ["b", 2], ["z", "1"])), 8)
    special = expand(symbolic_from_dict(scalar_stack("exp(s**2-s**3/2)", ["b", 2], ["z", "1"])), 8)
    assert {"b2", "b3", "b4"} <= set(generic.symbols)
    assert substituted(generic, {"b2": 1, "b3": sympy.Rational(-1, 2), "b4": 0}) == substituted(special, {})
    assert substituted(generic, {"b2": 1, "b3": 0, "b4": 0}) != substituted(special, {})


def test_generic_normalizers_in_a_list_are_independent() -> None:
    expansion = expand(symbolic_from_dict(scalar_stack([{"generic": 1}, {"generic": 1}], [1, 1], ["z", "1"])), 6)
    assert {"b1_1", "b2_1"} <= set(expansion.symbols)
    shared = expand(symbolic_from_dict(scalar_stack([{"generic": 1, "prefix": "c"}] * 2, [1, 1], ["z", "1"])), 4)
    assert {"c1", "c2"} <= set(shared.symbols)


def test_symbols_at_consensus_specialize() -> None:
    """``h1_j``: the Taylor coefficients of ``log(1 + s)`` at ``q = 2 m^2`` give the expansion that sympy finds, for every mean."""
    m, z, eps = sympy.symbols("m z eps")
    expansion = expand(symbolic_from_dict(scalar_stack("1+s", [2], ["m + z", "m - z"])), 4, "eps")
    assert expansion.meaning["h1_1"] == "coefficient of s^1 in log phi_1(q + s), q = 2*m**2"
    q = 2 * m**2
    values = {f"h1_{j}": (-1) ** (j + 1) / (j * (1 + q) ** j) for j in range(1, 5)}
    outputs = naive_tokens([lambda s: 1 + s], [2], [m + eps * z, m - eps * z], 1)
    for row, output in zip(expansion.layers[0].tokens, outputs, strict=True):
        expected = sympy.series(output, eps, 0, 5).removeO()
        assert sympy.simplify(row[0].expression().subs(values) - expected) == 0


def test_contrast_without_a_bank_has_symbolic_mean_and_contrasts() -> None:
    expansion = expand(symbolic_from_dict(SCALAR | {"tokens": 3, "normalizers": "exp(s)", "L": [[1]], "M": [[["b"]]]}), 2, "eps")
    assert str(expansion.input.tokens[2][0]) == "m1 + (-z1_1 - z2_1) eps + O(eps^3)"
    assert expansion.symbols == ("b", "m1", "z1_1", "z2_1")
    # mean m + eps^2 C M^T m, C = (1/n) sum z_a z_a^T (B.cloud).
    second = expansion.layers[0].mean[0].expression().coeff(sympy.Symbol("eps"), 2)
    b, m, x, y = sympy.symbols("b m1 z1_1 z2_1")
    assert sympy.expand(second - b * m * (x**2 + y**2 + (x + y) ** 2) / 3) == 0


def test_the_order_counts_the_variable() -> None:
    stack = symbolic_from_dict(scalar_stack("exp(s)", ["b"], ["m + z", "m - z"]))
    for order in range(1, 7):
        for variable, step, first in (("t", 2, 0), ("rho", 2, 1), ("eps", 1, 0)):
            entry = expand(stack, order, variable).layers[0].tokens[0][0]  # type: ignore[arg-type]
            higher = expand(stack, order + 2, variable).layers[0].tokens[0][0]  # type: ignore[arg-type]
            assert all(power <= order and (power - first) % step == 0 for power in entry.coefficients)
            assert entry.coefficients == {power: p for power, p in higher.coefficients.items() if power <= order}
            assert str(entry).endswith(f"O({variable}^{order + 1})")


def test_mean_and_contrast_are_those_of_the_tokens() -> None:
    expansion = expand(symbolic_from_dict(scalar_stack("exp(s)", ["b", "c"], ["x", "y", "1"])), 4)
    for layer in (expansion.input, *expansion.layers):
        mean = layer.mean[0].expression()
        assert sympy.expand(sum(row[0].expression() for row in layer.tokens) - 3 * mean) == 0
        for token, contrast in zip(layer.tokens, layer.contrast, strict=True):
            assert sympy.expand(token[0].expression() - mean - contrast[0].expression()) == 0


def test_texts_can_be_read_back() -> None:
    expansion = expand(symbolic_from_dict(scalar_stack({"generic": 1}, ["b/3"], ["x - y/2", "y"])), 6)
    context = polynomial_context(expansion.symbols)
    document = expansion.to_json()
    layers: Any = document["layers"]
    for power, text in layers[0]["mean"][0].items():
        original = expansion.layers[0].mean[0].coefficients[int(power)]
        assert parse_polynomial(text, context) == original.project_to_context(context)
    assert document["remainder"] == "O(t^7)"


def test_latex() -> None:
    stack = symbolic_from_dict(scalar_stack("exp(s)", ["b"], ["m + z", "m - z"]))
    expansion = expand(stack, 3, "eps")
    assert expansion.latex().splitlines()[1] == r"\mu^{(1)} &= m + b m z^{2} \varepsilon^{2} + O\left(\varepsilon^{4}\right) \\"
    assert expansion._repr_latex_().startswith(r"$\displaystyle \begin{aligned}")


@pytest.mark.parametrize(
    ("order", "variable", "number", "message"),
    [
        (-1, "t", 1, "order: an order from 0 to"),
        (0, "rho", 1, "order: an order from 1 to"),
        (10**9, "t", 1, "order: an order from 0 to"),
        (2, "x", 1, "variable: one of t, eps, rho"),
        (2, "t", 2, "input: an input from 1 to 1"),
        (2, "t", 0, "input: an input from 1 to 1"),
    ],
)
def test_bad_requests(order: int, variable: Any, number: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        expand(symbolic_from_dict(scalar_stack("exp(s)", ["b"], ["z", 1])), order, variable, number=number)


@pytest.mark.parametrize(("entry", "variable"), [("t", "t"), ("eps", "eps"), ("rho", "rho")])
def test_a_symbol_with_the_name_of_the_variable_is_refused(entry: str, variable: Any) -> None:
    with pytest.raises(InputError, match="another name was expected"):
        expand(symbolic_from_dict(scalar_stack("exp(s)", [entry], ["z", 1])), 2, variable)


def test_a_symbol_with_the_name_of_an_input_is_refused() -> None:
    with pytest.raises(InputError, match="'x1_1' would be an entry of the input and a symbol of the file"):
        expand(symbolic_from_dict(SCALAR | {"normalizers": "exp(s)", "L": [["x1_1"]], "M": [[[1]]]}), 3, "rho")


def test_irrational_normalizers_are_undecided() -> None:
    with pytest.raises(UndecidedError, match="log"):
        expand(symbolic_from_dict(scalar_stack("2**s", [1], ["z", 1])), 2)


def test_too_many_symbols_are_refused_at_once() -> None:
    data = {"symattn": 1, "tokens": 1000, "width": 1, "normalizers": "exp(s)", "L": [[1]], "M": [[[1]]]}
    with pytest.raises(BudgetError, match="symbols"):
        expand(symbolic_from_dict(data), 3, "rho")
    with pytest.raises(BudgetError, match="symbols"):
        expand(symbolic_from_dict(scalar_stack({"generic": 1}, [1], ["z", 1])), 5000)
