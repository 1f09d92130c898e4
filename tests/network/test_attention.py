"""The layer and its derivative: against exact difference quotients, and against a forward pass in plain floating point."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from symattn.arithmetic import PadicPoint, RationalSeries, SeriesMatrix
from symattn.network.attention import Layer, evaluate, pull_back, pull_back_stack, score_covariances, trace_layer, trace_stack
from symattn.network.rational import RationalMatrix, rational_matrix
from symattn.normalizers import normalizer

STEP = 4  # the difference quotient has step u^STEP, and its error is a multiple of u^(2 STEP), which is zero
RING = RationalSeries(2 * STEP)
NORMALIZERS = ["exp(s)", "exp(s**2)", "1/(1-s)", "1+s**2+s**3", "2+sin(s)"]
SIZES = [(2, 1, 1), (3, 1, 2), (2, 2, 2), (3, 2, 3), (2, 3, 2), (3, 3, 1)]  # tokens, width, output width


def random_table(source: random.Random, rows: int, columns: int) -> RationalMatrix:
    return rational_matrix([[Fraction(source.randint(-6, 6), source.randint(1, 3)) for _ in range(columns)] for _ in range(rows)])


def random_series(source: random.Random, rows: int, columns: int) -> SeriesMatrix:
    return RING.matrix(random_table(source, rows, columns)) + RING.shift(RING.matrix(random_table(source, rows, columns)), 1)


def random_layer(source: random.Random, text: str, d: int, d_out: int) -> Layer[SeriesMatrix]:
    score = RING.shift(random_series(source, d, d), 1)
    return Layer(normalizer(text), score, random_series(source, d_out, d))


def pairing(left: SeriesMatrix, right: SeriesMatrix) -> SeriesMatrix:
    """The sum of the products of corresponding entries, a 1 x 1 matrix."""
    rows, columns = left.shape
    return RING.constant(1, rows, 1) @ left.hadamard(right) @ RING.constant(columns, 1, 1)


def step(direction: SeriesMatrix) -> SeriesMatrix:
    return RING.shift(direction, STEP)


@pytest.fixture(params=[(text, *size) for text in NORMALIZERS for size in SIZES], ids=str)
def case(request: pytest.FixtureRequest) -> tuple[random.Random, Layer[SeriesMatrix], SeriesMatrix]:
    """A source of randomness, a layer and its tokens."""
    text, n, d, d_out = request.param
    source = random.Random(str(request.param))
    return source, random_layer(source, text, d, d_out), random_series(source, n, d)


Case = tuple[random.Random, Layer[SeriesMatrix], SeriesMatrix]


def output(layer: Layer[SeriesMatrix], tokens: SeriesMatrix) -> SeriesMatrix:
    return trace_layer(RING, layer, [tokens])[0].output


def test_the_derivative_is_the_difference_quotient(case: Case) -> None:
    source, layer, tokens = case
    (trace,) = trace_layer(RING, layer, [tokens])
    cotangent = random_series(source, *trace.output.shape)
    by_tokens, by_score, by_value = pull_back(RING, trace, cotangent)
    dx, dm, dv = random_series(source, *tokens.shape), random_series(source, *layer.score.shape), random_series(source, *layer.value.shape)
    moved = {
        "tokens": (output(layer, tokens + step(dx)), pairing(by_tokens, dx)),
        "score": (output(Layer(layer.normalizer, layer.score + step(dm), layer.value), tokens), pairing(by_score, dm)),
        "value": (output(Layer(layer.normalizer, layer.score, layer.value + step(dv)), tokens), pairing(by_value, dv)),
    }
    for argument, (after, derivative) in moved.items():
        assert pairing(cotangent, after - trace.output).agrees_with(step(derivative)), argument


def test_a_wrong_derivative_is_noticed(case: Case) -> None:
    """The comparison above tells a derivative from one that is wrong by a single entry."""
    source, layer, tokens = case
    (trace,) = trace_layer(RING, layer, [tokens])
    cotangent, dx = random_series(source, *trace.output.shape), random_series(source, *tokens.shape)
    by_tokens, _, _ = pull_back(RING, trace, cotangent)
    wrong = by_tokens + RING.shift(RING.constant(*tokens.shape, 1), STEP - 1)
    change = pairing(cotangent, output(layer, tokens + step(dx)) - trace.output)
    total = pairing(RING.constant(*tokens.shape, 1), dx)
    assert change.agrees_with(step(pairing(wrong, dx))) == RING.shift(total, 2 * STEP - 1).is_zero()


def test_covariances_are_the_derivative_in_the_score(case: Case) -> None:
    """``dy_a = V cov_a dM^T x_a``: as a difference quotient, and through :func:`pull_back`."""
    source, layer, tokens = case
    (trace,) = trace_layer(RING, layer, [tokens])
    dm = random_series(source, *layer.score.shape)
    moved = tokens @ dm  # row a is dM^T x_a
    covariances = score_covariances(RING, trace)
    assert len(covariances) == tokens.shape[1]
    ones = RING.constant(tokens.shape[1], 1, 1)
    inner = RING.constant(*tokens.shape, 0)
    for c, covariance in enumerate(covariances):
        inner = inner + (covariance.hadamard(moved) @ ones) @ RING.matrix([[int(c == j) for j in range(tokens.shape[1])]])
    change = inner @ layer.value.transpose()
    after = output(Layer(layer.normalizer, layer.score + step(dm), layer.value), tokens)
    assert (after - trace.output).agrees_with(step(change))
    cotangent = random_series(source, *trace.output.shape)
    assert pairing(cotangent, change).agrees_with(pairing(pull_back(RING, trace, cotangent)[1], dm))


def test_weights_sum_to_one_and_slopes_are_those_of_the_logarithm(case: Case) -> None:
    _, layer, tokens = case
    (trace,) = trace_layer(RING, layer, [tokens])
    n = tokens.shape[0]
    assert (trace.weights @ RING.constant(n, 1, 1)).agrees_with(RING.constant(n, 1, 1))
    # slopes = weights * (log phi)'(s), from the coefficients of log phi
    scores = tokens @ layer.score @ tokens.transpose()
    power, slope = RING.constant(n, n, 1), RING.constant(n, n, 0)
    for degree, coefficient in enumerate(layer.normalizer.log_coefficients(2 * STEP + 1)):
        if degree:
            slope = slope + power.scale(Fraction(degree * int(coefficient.p), int(coefficient.q)))
            power = power.hadamard(scores)
    assert trace.slopes.agrees_with(trace.weights.hadamard(slope))


@pytest.mark.parametrize("widths", [(1, 1, 1), (2, 2, 2), (2, 3, 1), (3, 1, 2), (1, 2, 2, 1)])
def test_the_derivative_of_a_stack(widths: tuple[int, ...]) -> None:
    source = random.Random(str(widths))
    texts = [source.choice(NORMALIZERS) for _ in widths[1:]]
    layers = [random_layer(source, text, d, d_out) for text, d, d_out in zip(texts, widths, widths[1:], strict=False)]
    inputs = [random_series(source, 3, widths[0]) for _ in range(2)]
    traces = trace_stack(RING, layers, inputs)
    before = evaluate(RING, layers, inputs)
    for number in range(2):
        cotangent = random_series(source, 3, widths[-1])
        parts = pull_back_stack(RING, [own[number] for own in traces], cotangent)
        for i, (by_score, by_value) in enumerate(parts):
            dm, dv = random_series(source, *by_score.shape), random_series(source, *by_value.shape)
            old = layers[i]
            changed = [*layers[:i], Layer(old.normalizer, old.score + step(dm), old.value + step(dv)), *layers[i + 1 :]]
            after = evaluate(RING, changed, inputs)[number]
            derivative = pairing(by_score, dm) + pairing(by_value, dv)
            assert pairing(cotangent, after - before[number]).agrees_with(step(derivative))


def test_consensus_is_fixed(case: Case) -> None:
    _, layer, tokens = case
    n = tokens.shape[0]
    equal = RING.constant(n, 1, 1) @ tokens.take([0], range(tokens.shape[1]))
    assert output(layer, equal).agrees_with(equal @ layer.value.transpose())


def test_inputs_do_not_influence_one_another() -> None:
    """All inputs share one call of the normalizer; each result is that of the input alone."""
    source = random.Random(2)
    ring = PadicPoint(2147483647, 6)
    layer = Layer(normalizer("2+sin(s)"), ring.shift(ring.matrix(random_table(source, 2, 2)), 1), ring.matrix(random_table(source, 2, 2)))
    inputs = [ring.matrix(random_table(source, 3, 2)) for _ in range(3)]
    for together, x in zip(trace_layer(ring, layer, inputs), inputs, strict=True):
        (alone,) = trace_layer(ring, layer, [x])
        assert together.output.agrees_with(alone.output)
        assert together.slopes.agrees_with(alone.slopes)


Table = list[list[Any]]
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp(s)": mpmath.exp,
    "exp(s**2)": lambda s: mpmath.exp(s**2),
    "1/(1-s)": lambda s: 1 / (1 - s),
    "1+s**2+s**3": lambda s: 1 + s**2 + s**3,
    "2+sin(s)": lambda s: 2 + mpmath.sin(s),
}


def plain_layer(phi: Callable[[Any], Any], score: Table, value: Table, tokens: Table) -> Table:
    """One layer, straight from its definition, in mpmath numbers."""
    d = len(score)
    result = []
    for x in tokens:
        weights = [phi(mpmath.fsum(x[i] * score[i][j] * y[j] for i in range(d) for j in range(d))) for y in tokens]
        mean = [mpmath.fsum(w * y[j] for w, y in zip(weights, tokens, strict=True)) / mpmath.fsum(weights) for j in range(d)]
        result.append([mpmath.fsum(row[j] * mean[j] for j in range(d)) for row in value])
    return result


@pytest.mark.parametrize("text", NORMALIZERS)
def test_the_series_sums_to_the_floating_point_network(text: str) -> None:
    """Two layers at ``u = 10^-6``: 28 of 40 digits agree with 12 terms of the series, and 4 terms are not enough."""
    source = random.Random(text)
    precision, n, d = 12, 3, 2
    ring = RationalSeries(precision)
    scores, values = [random_table(source, d, d) for _ in range(2)], [random_table(source, d, d) for _ in range(2)]
    x = random_table(source, n, d)
    layers = [Layer(normalizer(text), ring.shift(ring.matrix(m), 1), ring.matrix(v)) for m, v in zip(scores, values, strict=True)]
    (result,) = evaluate(ring, layers, [ring.matrix(x)])
    with mpmath.workdps(40):
        u = mpmath.mpf(10) ** -6

        def number(entry: Fraction) -> Any:
            return mpmath.mpf(entry.numerator) / entry.denominator

        tokens = [[number(entry) for entry in row] for row in x]
        for m, v in zip(scores, values, strict=True):
            tokens = plain_layer(
                FUNCTIONS[text], [[u * number(e) for e in row] for row in m], [[number(e) for e in row] for row in v], tokens
            )
        flat = [entry for row in tokens for entry in row]
        gaps = {}
        for count in (4, precision):
            terms = [
                [mpmath.mpf(int(c.p)) / int(c.q) * u**j for j, c in enumerate(entry.coeffs()[:count])] for entry in result.polynomials()
            ]
            gaps[count] = max(abs(mpmath.fsum(series) - expected) for series, expected in zip(terms, flat, strict=True))
        assert gaps[precision] < mpmath.mpf(10) ** -28 < gaps[4]
