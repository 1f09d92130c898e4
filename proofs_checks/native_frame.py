"""Divisibility of the native derivatives on the collapse path, and the frame that is left at ``t = 0`` (Appendix D).

The frame is found by dividing the columns of the Jacobian at the p-adic point, without the leading forms; they are compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import nmod_mat

from proofs_checks.drawing import Case, case, describe
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import DEFAULT_PRIMES, PadicMatrix, PadicPoint
from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeries
from symattn.errors import UndecidedError
from symattn.exact.divisibility import series_column_orders
from symattn.exact.leading import divided_frame
from symattn.network.attention import pull_back_stack, score_covariances, trace_layer, trace_stack
from symattn.network.instance import Instance
from symattn.network.path import native_jacobian, output_cotangents, path_layers
from symattn.theory import contact_orders, order_ladder

GROUP = "Native spectra"


@statement("D.divisibility", label="D.2", group=GROUP, claim="factor derivatives of layer i are divisible by t^beta_i")
def divisibility(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = _DIVISIBILITY_CASES[: effort.pick(4, 9, None)]
    for each in cases:
        effort.report(str(each))
        instance = each.instance()
        claimed = contact_orders(instance.degrees)
        # One more coefficient than divisibility needs: a score derivative of higher order than claimed shows itself too.
        found = series_column_orders(instance, claimed[-1] // 2 + 1)
        evidence.equal(found, claimed, f"powers of t that divide each layer, {each}")
    sizes = _GENERIC_SIZES[: effort.pick(4, 6, None)]
    for n, d, degrees in sizes:
        effort.report(f"generic normalizers, n = {n}, d = {d}, k = {degrees}")
        what = f"powers of t that divide each layer, generic normalizers, n = {n}, d = {d}, k = {degrees}"
        evidence.equal(_generic_column_orders(n, d, degrees), contact_orders(degrees), what, kind="identity")
    return evidence.outcome(
        f"{describe(cases)}: all lower coefficients, over Q; moreover an identity in scores, inputs and normalizers "
        f"at (n, d, (k_1 .. k_D)) = {', '.join(map(str, sizes))}"
    )


def _generic_column_orders(n: int, d: int, degrees: Sequence[int]) -> tuple[int, ...]:
    """As :func:`series_column_orders`, for symbolic tokens and scores, and normalizers with symbols for coefficients."""
    precision = contact_orders(degrees)[-1] // 2 + 1
    normalizers = [GenericNormalizer(k, f"b{i}_") for i, k in enumerate(degrees, start=1)]
    layers = range(1, len(degrees) + 1)
    tokens_of, scores_of = _names("x", n, d), [_names(f"B{i}_", d, d) for i in layers]
    named = [name for rows in (tokens_of, *scores_of) for row in rows for name in row]
    ring = PolynomialSeries([*named, *(name for phi in normalizers for name in phi.symbols(precision + 2))], precision)
    tokens, *scores = (ring.from_polynomials([[ring.symbol(name) for name in row] for row in rows]) for rows in (tokens_of, *scores_of))
    orders = []
    for normalizer, score in zip(normalizers, scores, strict=True):
        (trace,) = trace_layer(ring, unknown_layer(normalizer, ring.shift(score, 1), unit_matrix(ring, d)), [tokens])
        powers = [power for covariance in score_covariances(ring, trace) for entry in covariance.entries() for power in entry]
        orders.append(2 * min(powers, default=precision) + 1)
        tokens = trace.output
    return tuple(orders)


def _names(prefix: str, rows: int, columns: int) -> list[list[str]]:
    return [[f"{prefix}{i}{j}" for j in range(1, columns + 1)] for i in range(1, rows + 1)]


_GENERIC_SIZES: tuple[tuple[int, int, tuple[int, ...]], ...] = (
    (2, 1, (1, 1)),
    (2, 1, (2, 1)),
    (2, 2, (1, 1)),
    (3, 1, (1, 2)),
    (3, 2, (1, 1)),
    (2, 2, (2, 1)),
    (2, 1, (3, 3)),
    (2, 1, (1, 1, 1)),
)


_DIVISIBILITY_CASES = (
    case(2, 1, (1,) * 3, "exp(s)"),
    case(2, 1, (1,) * 3, "1/(1 - s)"),
    case(2, 1, (1,) * 2, "exp(s**2)"),
    case(2, 1, (1,) * 2, "1 + s**3", "exp(s)"),
    case(3, 2, (1, 2), "exp(s)"),
    case(2, 2, (2, 1), "1 + s**2", "exp(s)"),
    case(2, 2, (2, 1, 2), "exp(s)"),
    case(4, 3, (1, 2), "2 + sin(s)", "exp(s**3)"),
    case(2, 1, (1,) * 3, "exp(s)", "1 + s**2", "cosh(s)"),
    case(2, 1, (1,) * 4, "exp(s)"),
    case(3, 2, (1, 1, 2), "cosh(s)"),
    case(2, 1, (1,) * 3, "1 + s**3"),
)


@statement(
    "D.frame",
    label="(D.3), D.3",
    group=GROUP,
    claim="the divided columns stay independent at t = 0; the mean of layer i's leading part is nonzero * A_(i-1)^2 z D P_k(B_i)[T_i]",
)
def frame(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = _FRAME_CASES[: effort.pick(3, 6, None)]
    for each in cases:
        effort.report(str(each))
        instance = each.instance()
        claimed = order_ladder(instance.degrees, width=instance.width, ranks=instance.ranks).rank
        for prime in DEFAULT_PRIMES[: effort.pick(1, 1, 2)]:
            evidence.equal(_rank_by_division(instance, prime), claimed, f"rank of the divided columns modulo {prime}, {each}")
            evidence.equal(divided_frame(instance, prime).rank, claimed, f"rank of the leading forms modulo {prime}, {each}")
        _check_leading_means(evidence, instance, each)
    return evidence.outcome(f"{describe(cases)} on drawn banks, modulo a prime; independent there, hence generically")


_FRAME_CASES = (
    case(2, 1, (1, 1, 1), "exp(s)", "1 + s**2", "exp(s)"),
    case(3, 2, (1, 2), "exp(s)"),
    case(2, 2, (2, 1), "1 + s**3", "exp(s**2)"),
    case(2, 2, (2, 1, 2), "exp(s)", "1/(1 - s)", "2 + sin(s)"),
    case(4, 3, (2, 3), "cosh(s)", "exp(s)"),
    case(2, 1, (1, 1, 1, 1), "exp(s)"),
    case(4, 4, (2, 2, 2), "exp(s)"),
    case(3, 3, (1, 2, 3), "exp(s)", "exp(s**2)", "exp(s)"),
)


def _rank_by_division(instance: Instance, prime: int) -> int | str:
    """The rank over ``Z/p`` at ``t = 0`` of the value columns and of each layer's factor columns over ``t^beta_i``."""
    orders = contact_orders(instance.degrees)
    point = PadicPoint(prime, orders[-1] // 2 + 2)
    jacobian = native_jacobian(point, instance, output_cotangents(point, instance, "all", seed=1))
    rows = range(jacobian.matrix.shape[0])
    table: list[list[Any]] = [[] for _ in rows]
    for layer in range(1, instance.depth + 1):
        for weight, power in ((0, 0), (1, orders[layer - 1] // 2)):
            own = [j for j, column in enumerate(jacobian.columns) if (column.layer, column.weight) == (layer, weight)]
            residue = _divided(jacobian.matrix.take(rows, own), power)
            if residue is None:
                return f"layer {layer} is not divisible by t^{orders[layer - 1]}"
            for row, entries in zip(table, residue.tolist(), strict=True):
                row.extend(entries)
    return int(nmod_mat(len(table), len(table[0]), [entry for row in table for entry in row], prime).rank())


def _divided(matrix: PadicMatrix, power: int) -> nmod_mat | None:
    """The matrix over ``u^power`` at ``u = 0``; ``None`` if it is not divisible."""
    valuation = matrix.valuation()
    return None if valuation is not None and valuation < power else matrix.divide(power).residue()


def leading_mean(score: Any, mean: Any, contrast: Any, slope: int, degree: int, prime: int) -> list[list[int]]:
    """The derivative of the mean's leading part in the score, paired with all-ones, over ``Z/p`` (D.frame, C.kernel-DP).

    With ``P_k(B) = (m^T B m)^(k-1) m^T B z``, the mean moves by ``b k z D P_k(B)[T]`` averaged over the contrasts z of the tokens
    (``A_(i-1)^2 mu_2 z .. z`` on a collinear cloud). Rows of ``contrast`` are the z; ``score`` and the result are d x d.
    """
    d = len(mean)
    pairs = [(i, j) for i in range(d) for j in range(d)]
    q = sum(mean[i] * score[i][j] * mean[j] for i, j in pairs)
    result = [[0] * d for _ in range(d)]
    for z in contrast:
        factor = slope * degree * sum(z) * pow(len(contrast), -1, prime)
        mixed = sum(mean[i] * score[i][j] * z[j] for i, j in pairs)
        for i, j in pairs:
            change = pow(q, degree - 1, prime) * mean[i] * z[j]
            if degree > 1:
                change += (degree - 1) * pow(q, degree - 2, prime) * mixed * mean[i] * mean[j]
            result[i][j] = (result[i][j] + factor * change) % prime
    return result


def _check_leading_means(evidence: Evidence, instance: Instance, each: Case) -> None:
    """On every input: the divided derivative of the mean output in each score, against the closed form on the layer's own tokens.

    The contrast of the inputs is not small, so layer 1 has that form only for k = 1; a degree above 1 is seen from layer 2 on.
    """
    prime, n, d = DEFAULT_PRIMES[0], instance.tokens, instance.width
    orders = contact_orders(instance.degrees)
    point = PadicPoint(prime, orders[-1] // 2 + 2)
    inputs = [point.matrix(x) for x in instance.bank]
    traces = trace_stack(point, path_layers(point, instance), inputs)
    for j in range(len(inputs)):
        own = [layer_traces[j] for layer_traces in traces]
        derivatives = [score.scale(Fraction(1, n)) for score, _ in pull_back_stack(point, own, point.constant(n, d, 1))]
        for i, (trace, derivative) in enumerate(zip(own, derivatives, strict=True)):
            k, what = instance.degrees[i], f"leading mean of layer {i + 1}, {each}"
            if i == 0 and k > 1:
                continue
            means = (point.constant(n, n, 1) @ trace.tokens).scale(Fraction(1, n))
            excess = (orders[i] + 1 - 2 * k) // 2  # e_(i-1), the order of the incoming contrast
            found, contrast = _divided(derivative, orders[i] // 2), _divided(trace.tokens - means, excess // 2)
            if found is None or contrast is None:
                evidence.judge("refuted", what, "the orders are lower than claimed")
                continue
            score, slope = point.matrix(instance.layers[i].score).residue(), point.matrix([[_slope(instance, i)]]).residue()
            claimed = leading_mean(_integers(score), _integers(means.residue())[0], _integers(contrast), int(slope[0, 0]), k, prime)
            evidence.nonzero(sum(map(sum, claimed)), f"{what}: the closed form")
            evidence.equal(_integers(found), claimed, what)


def _slope(instance: Instance, index: int) -> Fraction:
    """The coefficient b of ``s^k`` in ``log phi``, for the rational normalizers of these cases."""
    coefficient = instance.normalizers[index].coefficient
    if not isinstance(coefficient, Fraction):
        raise UndecidedError(f"the coefficient {coefficient} is not rational")
    return coefficient


def _integers(matrix: nmod_mat) -> list[list[int]]:
    return [[int(entry) for entry in row] for row in matrix.tolist()]
