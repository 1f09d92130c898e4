"""Zero and skew scores on clouds of any number of tokens (Section 3, Appendix B)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_checks.centred import centred_softmax, homogeneous
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.parity_field import skew_symbols
from proofs_checks.signatures import contrast_signature
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import SymbolicField, SymbolicMatrix, UndefinedNormalizer
from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeries, PolynomialSeriesMatrix
from symattn.network.attention import evaluate, trace_layer
from symattn.normalizers import normalizer

GROUP = "Exceptional fibers"
SOFTMAX = "exp(s)"
Number = Any


def averaged(tokens: Any, ones: Any, count: Any) -> Any:
    """``mu(X)`` at every token (B.zero-score)."""
    return (ones @ tokens).scale(Fraction(1, count))


def skew_signature(second_derivative: Number, v: Number) -> Number:
    """``K_M = -h''(0) (m^T M z)^2`` for skew M (B.skew-K, B.1)."""
    return -second_derivative * v * v


def covariance(tokens: Any, count: int) -> Any:
    """``C = (1/n) sum y_a y_a^T`` (B.cloud, (B.3))."""
    return (tokens.transpose() @ tokens).scale(Fraction(1, count))


def three_token_contrast(kappa: Any, first: Any, second: Any) -> Any:
    """``n C M^T y = kappa (y + 2 y')`` on the cloud ``y, y', -y-y', 0, ..`` (B.three-token-skew, B.3)."""
    return (first + second.scale(2)).scale(kappa)


@statement("B.zero-score", label="Section 3", group=GROUP, claim="a zero score averages: S_0(X) = mu(X) at every token")
def zero_score(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick([(2, 2)], [(2, 1), (2, 3), (3, 2), (5, 2)], [(n, d) for n in (2, 3, 4, 5, 8) for d in (1, 2, 3)])
    for n, d in sizes:
        field = SymbolicField()
        tokens = field.symbols("x", n, d)
        layer = unknown_layer(UndefinedNormalizer("phi"), field.constant(d, d, 0), unit_matrix(field, d))
        [output] = evaluate(field, [layer], [tokens])
        evidence.equal(output, averaged(tokens, field.constant(n, n, 1), n), f"S_0(X), n = {n}, d = {d}")
    return evidence.outcome(f"for all tokens and normalizers, (n, d) = {', '.join(str(size).replace(' ', '') for size in sizes)}")


@statement("B.skew-K", label="B.1", group=GROUP, claim="M != 0 skew: K_M = -h''(0) (m^T M z)^2, the contrast at lowest order")
def skew_contrast(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    widths = effort.pick((2,), (2, 3), (2, 3, 4))
    for d in widths:
        field = SymbolicField()
        m, z, score = field.symbols("m", 1, d), field.symbols("z", 1, d), skew_symbols(field, "M", d)
        q, u, v, w = ((a @ score @ b.transpose())[0, 0] for a, b in ((m, m), (z, m), (m, z), (z, z)))
        evidence.equal((q, u, w), (field.element(0), -v, field.element(0)), f"m^T M m = z^T M z = 0, z^T M m = -m^T M z, d = {d}")
        slope, change = field.symbol("h1"), field.symbol("h2")
        evidence.equal(contrast_signature(slope, change, u, v, w), skew_signature(change, v), f"K_M, d = {d}")
    counts = effort.pick((2,), (2, 3, 4), (2, 3, 4, 5))
    for count in counts:
        _check_lowest_order(evidence, count)
    return evidence.outcome(
        f"for all skew M, m, z (d = {', '.join(map(str, widths))}) and all h; the layer itself on collinear clouds of every width, "
        f"n = {', '.join(map(str, counts))}"
    )


def _check_lowest_order(evidence: Evidence, count: int) -> None:
    """Tokens ``m + e c_a z``: the scores are ``e (c_b - c_a) v``, and ``h''(0) = 2 b_2``."""
    phi = GenericNormalizer(1)
    names = ["v", *phi.symbols(5), *(f"s{a}" for a in range(1, count))]
    ring = PolynomialSeries(names, 4)
    v, zero = ring.symbol("v"), ring.zero
    free = [ring.symbol(f"s{a}") for a in range(1, count)]
    contrasts = [*free, -sum(free, zero)]
    moving = ring.shift(ring.from_polynomials([[zero, c] for c in contrasts]), 1)
    tokens = ring.constant(count, 1, 1) @ ring.matrix([[1, 0]]) + moving
    score = ring.from_polynomials([[zero, v], [-v, zero]])
    [output] = evaluate(ring, [unknown_layer(phi, score, unit_matrix(ring, 2))], [tokens])
    mean = output - ring.matrix([[Fraction(1, count)] * count] * count) @ output
    moment = sum((c * c for c in contrasts), zero) / count
    signature = skew_signature(ring.symbol("b2") * 2, v)
    for power in range(4):
        claimed = [moment * c * signature if power == 3 else zero for c in contrasts]
        evidence.equal([row[1] for row in mean.coefficient(power)], claimed, f"the contrast at e^{power}, n = {count}")


def _softmax_on_cloud(ring: PolynomialSeries, score: Any, point: Any, directions: PolynomialSeriesMatrix) -> PolynomialSeriesMatrix:
    """The outputs of the tokens ``m + e y_a``, without the coordinate that is 1."""
    n, d = directions.shape
    tokens = ring.constant(n, 1, 1) @ point + ring.shift(directions, 1)
    [output] = evaluate(ring, [centred_softmax(ring, score, point)], [homogeneous(ring, tokens)])
    return output @ ring.matrix([[int(i == j) for j in range(d)] for i in range(d + 1)])


@statement(
    "B.cloud",
    label="(B.3)",
    group=GROUP,
    claim="softmax, x_a = m + e y_a, sum y_a = 0: mean m + e^2 C M^T m + O(e^3), contrast e^3 C M^T y_a + O(e^4), C = (1/n) sum y_a y_a^T",
)
def cloud(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick([(2, 2)], [(2, 2), (3, 2)], [(2, 2), (3, 2), (2, 3), (4, 2)])
    for n, d in sizes:
        effort.report(f"n = {n}, d = {d}")
        names = (
            [f"y{a}_{j}" for a in range(1, n) for j in range(d)]
            + [f"m{j}" for j in range(d)]
            + [f"M{i}_{j}" for i in range(d) for j in range(d)]
        )
        ring = PolynomialSeries(names, 4)
        rows = [[ring.symbol(f"y{a}_{j}") for j in range(d)] for a in range(1, n)]
        rows.append([-sum((row[j] for row in rows), ring.zero) for j in range(d)])
        directions, point = ring.from_polynomials(rows), ring.from_polynomials([[ring.symbol(f"m{j}") for j in range(d)]])
        score = ring.from_polynomials([[ring.symbol(f"M{i}_{j}") for j in range(d)] for i in range(d)])
        output = _softmax_on_cloud(ring, score, point, directions)
        mean = ring.matrix([[Fraction(1, n)] * n] * n) @ output
        # Tokens are rows: C M^T y is the row y M C.
        moved = score @ covariance(directions, n)
        start = ring.constant(n, 1, 1) @ point
        claimed = start + ring.shift(ring.constant(n, 1, 1) @ point @ moved, 2)
        for power in range(3):
            evidence.equal(mean.coefficient(power), claimed.coefficient(power), f"the mean at e^{power}, n = {n}, d = {d}")
        contrast = ring.shift(directions @ moved, 3)
        for power in range(4):
            evidence.equal((output - mean).coefficient(power), contrast.coefficient(power), f"the contrast at e^{power}, n = {n}, d = {d}")
    return evidence.outcome(f"for all m, y_a and M, (n, d) = {', '.join(str(size).replace(' ', '') for size in sizes)}")


@statement(
    "B.three-token-skew",
    label="B.3",
    group=GROUP,
    claim="M != 0 skew, n >= 3: on y, y', -y-y', 0, .., 0 with kappa = y^T M y': C M^T y = (kappa/n)(y + 2 y') != 0",
)
def three_token_skew(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    widths = effort.pick((2,), (2, 3), (2, 3, 4))
    for d in widths:
        field = SymbolicField()
        y, other, score = field.symbols("y", 1, d), field.symbols("z", 1, d), skew_symbols(field, "M", d)
        cloud_rows = [[row[0, j] for j in range(d)] for row in (y, other, (y + other).scale(-1))]
        scatter = covariance(field.matrix(cloud_rows), 1)  # n C: tokens at 0 add nothing, so n does not occur
        kappa = (y @ score @ other.transpose())[0, 0]
        claimed = three_token_contrast(kappa, y, other)
        evidence.equal(y @ score @ scatter, claimed, f"n C M^T y, d = {d}")
        # kappa is a combination of the 2 x 2 minors of (y, y'), so kappa != 0 makes them independent, and y + 2 y' is not zero.
        minors = sum((score[i, j] * _minor(y, other, i, j) for i in range(d) for j in range(i + 1, d)), field.element(0))
        evidence.equal(kappa, minors, f"kappa is a combination of the minors of (y, y'), d = {d}")
        evidence.equal(
            _minor(y, y + other.scale(2), 0, 1), _minor(y, other, 0, 1) * 2, f"y and y + 2 y' are independent if y, y' are, d = {d}"
        )
    counts = effort.pick((3,), (3, 4), (3, 4, 5))
    for count in counts:
        _check_three_tokens(evidence, count)
    return evidence.outcome(
        f"for all y, y' and skew M, d = {', '.join(map(str, widths))}, every n; as the contrast of the softmax layer at d = 2, "
        f"n = {', '.join(map(str, counts))}"
    )


def _minor(first: SymbolicMatrix, second: SymbolicMatrix, i: int, j: int) -> Any:
    return first[0, i] * second[0, j] - first[0, j] * second[0, i]


def _check_three_tokens(evidence: Evidence, count: int) -> None:
    ring = PolynomialSeries(["y0", "y1", "z0", "z1", "m0", "m1", "k"], 4)
    y, other, point = (ring.from_polynomials([[ring.symbol(f"{letter}{j}") for j in range(2)]]) for letter in "yzm")
    k, zero = ring.symbol("k"), ring.zero
    score = ring.from_polynomials([[zero, k], [-k, zero]])
    directions = ring.matrix([[1], [0], [-1]] + [[0]] * (count - 3)) @ y + ring.matrix([[0], [1], [-1]] + [[0]] * (count - 3)) @ other
    output = _softmax_on_cloud(ring, score, point, directions)
    contrast = output - ring.matrix([[Fraction(1, count)] * count] * count) @ output
    kappa = (y @ score @ other.transpose()).coefficient(0)[0][0]
    first, second = ([row.coefficient(0)[0][j] for j in range(2)] for row in (y, other))
    claimed = [kappa * (a + b * 2) / count for a, b in zip(first, second, strict=True)]
    evidence.equal(contrast.coefficient(3)[0], claimed, f"the contrast of the softmax layer at the token y, n = {count}")


@statement(
    "B.collinear-skew",
    label="B.3",
    group=GROUP,
    claim="softmax with a skew score collapses every collinear cloud: all rows of weights are equal",
)
def collinear_skew(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    sizes = effort.pick([(3, 2)], [(2, 2), (3, 2), (4, 3)], [(n, d) for n in (2, 3, 4, 5) for d in (2, 3)])
    for n, d in sizes:
        field = SymbolicField()
        m, z, positions = field.symbols("m", 1, d), field.symbols("z", 1, d), field.symbols("c", n, 1)
        tokens = field.constant(n, 1, 1) @ m + positions @ z
        logits = tokens @ skew_symbols(field, "M", d) @ tokens.transpose()
        rows = [[logits[a, b] - logits[a, 0] for b in range(n)] for a in range(n)]
        evidence.equal(field.matrix(rows), field.matrix([rows[0]] * n), f"the logits of all rows differ by row constants, n = {n}, d = {d}")
    counts = effort.pick((3,), (3, 4), (3, 4, 5))
    for count in counts:
        _check_equal_weights(evidence, count)
    return evidence.outcome(
        f"for all m, z, c_a and skew M, (n, d) = {', '.join(str(size).replace(' ', '') for size in sizes)}: row constants "
        "cancel in softmax; "
        f"the weights of the layer itself to e^5, n = {', '.join(map(str, counts))}"
    )


def _check_equal_weights(evidence: Evidence, count: int) -> None:
    names = ["v", *(f"c{a}" for a in range(count))]
    ring = PolynomialSeries(names, 6)
    v, zero = ring.symbol("v"), ring.zero
    moving = ring.shift(ring.from_polynomials([[zero, ring.symbol(f"c{a}")] for a in range(count)]), 1)
    tokens = ring.constant(count, 1, 1) @ ring.matrix([[1, 0]]) + moving
    score = ring.from_polynomials([[zero, v], [-v, zero]])
    [trace] = trace_layer(ring, unknown_layer(normalizer(SOFTMAX), score, unit_matrix(ring, 2)), [tokens])  # type: ignore[arg-type]
    first = ring.matrix([[int(b == 0) for b in range(count)]] * count) @ trace.weights
    evidence.equal(trace.weights, first, f"the rows of weights, n = {count}")
