"""Singular values and Fisher information of the native Jacobian in balls: the orders of Theorem 4 seen in proven numbers (D.4, (52))."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from proofs_checks.drawing import Case, case, describe
from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.native_spectra import ladder, separating_instance
from symattn.arithmetic.balls import Balls
from symattn.enclosures.bands import enclose_slopes
from symattn.enclosures.singular_values import SingularValues, enclose_singular_values
from symattn.enclosures.uniform_bounds import UniformBounds
from symattn.network.instance import Instance
from symattn.network.path import native_jacobian, output_cotangents
from symattn.verification.uniform_bounds import enclose_interval

GROUP = "Native spectra"

SCALES = (Fraction(1, 10**12), Fraction(1, 2 * 10**12))
TOLERANCE = Fraction(1, 1000)
"""Largest distance of a two-scale slope from its order at these scales, which are small because the drawn entries are large."""

_CASES = (
    case(2, 1, (1, 1), "exp(s)"),
    case(2, 1, (1, 1, 1), "exp(s)"),
    case(3, 2, (1, 2), "exp(s)"),
    case(2, 1, (1, 1), "exp(s**2)", "exp(s)"),
    case(2, 2, (1, 1), "1/(1 - s)"),
    case(3, 2, (2, 2), "1 + s**2"),
    case(2, 1, (1, 1, 1, 1), "exp(s)"),
    case(3, 3, (2, 1), "sigmoid(s)"),
)


@statement(
    "D.sv",
    label="D.4",
    group=GROUP,
    claim="Smith exponents give singular value orders: exactly d^2 + sum r_i (2d - r_i) are positive, of the sizes |t|^0 and |t|^beta_i",
)
def singular_value_orders(effort: Effort) -> Outcome:
    evidence = Evidence("enclosure")
    cases = _CASES[: effort.pick(3, 6, None)]
    bounded = cases[: effort.pick(2, 5, None)]
    for each in cases:
        effort.report(str(each))
        instance = separating_instance(each)
        values = [enclose_singular_values(instance, t) for t in SCALES]
        claimed = _orders(instance)
        evidence.equal(
            (values[0].rank, values[0].kernel), (len(claimed), ladder(instance).kernel), f"positive values and exact kernel, {each}"
        )
        _compare(evidence, enclose_slopes(*values), claimed, f"slopes of all singular values, {each}")
        if each in bounded:
            _compare_constants(evidence, enclose_interval(instance, SCALES[0]).bounds, values, claimed, each)
    scope = _scope(cases, "every two-scale slope")
    return evidence.outcome(f"{scope}; constants of two-sided bounds at all t with 0 < |t| <= 1e-12 for {describe(bounded)}")


@statement(
    "D.fisher",
    label="(52)",
    group=GROUP,
    claim="the Fisher information J^T J / tau^2 has eigenvalues of the orders 0 and 2 beta_i, with the multiplicities of beta_i",
)
def fisher_orders(effort: Effort) -> Outcome:
    evidence = Evidence("enclosure")
    cases = _CASES[: effort.pick(3, 5, None)]
    for each in cases:
        effort.report(str(each))
        instance = separating_instance(each)
        values = [enclose_singular_values(instance, t) for t in SCALES]
        for found in values:
            _compare_traces(evidence, instance, found, each)
        claimed = [2 * order for order in _orders(instance)]
        # tau cancels in a slope.
        with ctx.workprec(max(found.precision for found in values)):
            slopes = tuple(2 * slope for slope in enclose_slopes(*values))
        _compare(evidence, slopes, claimed, f"slopes of all positive eigenvalues, {each}")
    return evidence.outcome(_scope(cases, "the trace of the information and every two-scale slope"))


def _compare_constants(evidence: Evidence, bounds: UniformBounds, values: list[SingularValues], claimed: list[int], each: Case) -> None:
    """Constants exist for the claimed orders, and the enclosed values at single scales respect them."""
    bands = [band for band in bounds.bands for _ in range(band.multiplicity)]
    evidence.equal([band.order for band in bands], claimed, f"orders with constants, {each}")
    for found in values:
        balls = [value.ball for value in found.values for _ in range(value.multiplicity)]
        with ctx.workprec(found.precision):
            t = arb(found.t.numerator) / found.t.denominator
            pairs = [(ball / t**band.order, band) for ball, band in zip(balls, bands, strict=True)]
            holds = all(ratio > band.lower > 0 and ratio < band.upper for ratio, band in pairs)
            fails = any(ratio < band.lower or ratio > band.upper for ratio, band in pairs)
        evidence.judge("confirmed" if holds else "refuted" if fails else "undecided", f"constants at t = {found.t}, {each}")


def _orders(instance: Instance) -> list[int]:
    """The orders that Theorem 4 claims, one per positive singular value, ascending."""
    return [order for order, multiplicity in ladder(instance).orders for _ in range(multiplicity)]


def _compare(evidence: Evidence, slopes: tuple[arb, ...], claimed: list[int], what: str) -> None:
    """Slopes in descending order of the values against ascending orders; a slope that a ball leaves open is undecided."""
    if len(slopes) != len(claimed):
        evidence.judge("refuted", what, f"{len(slopes)} positive values for {len(claimed)} orders")
        return
    tolerance = arb(TOLERANCE.numerator) / TOLERANCE.denominator
    distances = [abs(slope - order) for slope, order in zip(slopes, claimed, strict=True)]
    if all(distance < tolerance for distance in distances):
        evidence.judge("confirmed", what)
    else:
        place = next(j for j, distance in enumerate(distances) if not distance < tolerance)
        verdict = "refuted" if distances[place] > tolerance else "undecided"
        evidence.judge(verdict, what, f"value {place + 1} has slope {slopes[place].str(8)}, claimed {claimed[place]}")  # type: ignore[arg-type]


def _compare_traces(evidence: Evidence, instance: Instance, found: SingularValues, each: Case) -> None:
    """The sum of the squares of all singular values is the square of the Frobenius norm of the whole Jacobian, kernel and all."""
    system = Balls(found.precision, found.t**2)
    jacobian = native_jacobian(system, instance, output_cotangents(system, instance, "all", 0))
    with ctx.workprec(found.precision):
        squared = arb(found.t.numerator) ** 2 / found.t.denominator**2
        rows, columns = jacobian.matrix.shape
        norm = arb(0)
        for j, weight in enumerate(jacobian.weights):
            norm += sum((jacobian.matrix[i, j] ** 2 for i in range(rows)), arb(0)) * (squared if weight else 1)
        total = sum((value.multiplicity * value.ball**2 for value in found.values), arb(0))
        distance = abs(total / norm - 1)
        what = f"trace of J^T J at t = {found.t} ({rows} x {columns}), {each}"
        evidence.judge("confirmed" if distance < arb(10) ** -12 else "refuted", what, f"ratio {(total / norm).str(20)}")


def _scope(cases: tuple[Case, ...], what: str) -> str:
    return f"{what} between t = 1e-12 and 5e-13 enclosed within {TOLERANCE} of its order; {describe(cases)}, drawn banks of least size"
