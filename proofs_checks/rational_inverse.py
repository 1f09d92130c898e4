"""The rational inverse at nonzero slopes: the tuple as quotients of jet coefficients (Section 4, (C.4))."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, ZERO, NetworkCase, listed, network_case
from proofs_checks.signatures import next_amplitude
from symattn.arithmetic.linear_algebra import solve
from symattn.errors import NotRealizableError
from symattn.exact.germs import Curve, Germ, JetGerm, NetworkGerm
from symattn.exact.jets import jet_of
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, identity, transpose
from symattn.normalizers import Normalizer
from symattn.theory.orders import jet_orders

Vector = Sequence[Fraction]


def score_image(coefficient: Fraction, amplitude: Fraction, slope: Fraction, along: Fraction) -> Fraction:
    """``c / (a_(j-1)(0, z)^2 g_j(0) (l z))``, an entry of ``M_j z`` (C.rational-inverse, (C.4)); c is over ``mu_2``."""
    return coefficient / (amplitude * amplitude * slope * along)


@statement(
    "C.rational-inverse",
    label="(C.4)",
    group="Finite jets",
    claim="slopes nonzero: M_j z_b = c_(j,b) / (a_(j-1)(0,z_b)^2 g_j(0) (l z_b)), so that the jet determines the tuple rationally",
)
def rational_inverse(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = effort.pick(_CASES[:3], _CASES[:8], _CASES)
    for case in cases:
        effort.report(str(case))
        network = case.network()
        jet = jet_of(network, jet_orders(case.degrees)[-1])
        found = parameters_from(JetGerm(jet), network.tokens, network.width, network.normalizers)
        evidence.equal(found.L, network.parameters.L, f"L, {case}")
        for i, (score, own) in enumerate(zip(found.M, network.parameters.M, strict=True), start=1):
            evidence.equal(score, own, f"M_{i}, {case}")
    return evidence.outcome(f"jet in, tuple out, round trip: {listed(cases)}")


_CASES: list[NetworkCase] = [
    network_case(2, 1, "exp(s)", "1/(1 - s)"),
    network_case(2, 2, "sigmoid(s)"),
    network_case(2, 2, "exp(s)", "1 + s", outputs=2),
    network_case(3, 2, "2 + sin(s)", "exp(s)", scores={2: SKEW}),
    network_case(2, 1, "exp(s)", "sigmoid(s)", "1 + s"),
    network_case(4, 1, "1/(1 - s)", "exp(s)"),
    network_case(2, 2, "exp(s + s**2)", "exp(s)", scores={2: ZERO}),
    network_case(2, 3, "1/(1 - s)", "exp(s)"),
    network_case(3, 3, "exp(s)", "exp(s)"),
    network_case(2, 2, "exp(s)", "sigmoid(s)", "1/(1 - s)"),
]


def parameters_from(germ: Germ, tokens: int, width: int, normalizers: Sequence[Normalizer]) -> EffectiveParameters:
    """The tuple from its jet by (C.4), layer by layer; every ``g_i(0)`` must be a nonzero rational number."""
    units = identity(width)
    columns = [[_at(series, 0, 0) for series in germ.mean_output(_curve(tokens, m, (Fraction(0),) * width))] for m in units]
    readout = transpose(tuple(map(tuple, columns)))
    scores: list[RationalMatrix] = []
    for number in range(1, len(normalizers) + 1):
        directions = _directions(readout[0], scores, width)
        images = []
        for z in directions:
            a, along = _amplitude(z, scores, normalizers, tokens), _dot(readout[0], z)
            slope = _slope(normalizers[number - 1])
            coefficients = [_coefficient(germ, readout, scores, normalizers, _curve(tokens, m, z)) for m in units]
            images.append([score_image(c / Fraction(2, tokens), a, slope, along) for c in coefficients])
        # Row i of M solves z_b . (row i) = (M z_b)_i for all b.
        scores.append(tuple(solve(directions, [image[i] for image in images]) for i in range(width)))
    return EffectiveParameters(readout, tuple(scores))


def _coefficient(
    germ: Germ, readout: RationalMatrix, scores: Sequence[RationalMatrix], normalizers: Sequence[Normalizer], curve: Curve
) -> Fraction:
    """``[u^P e^(2P)] (mean F - L mu_(j-1))`` with ``P = 3^(j-1)``, in the first coordinate: linear in the mean of the curve."""
    power = 3 ** len(scores)
    value = _at(germ.mean_output(curve)[0], power, 2 * power)
    if not scores:
        return value  # the mean of the inputs has no such term
    below = Network(len(curve), tuple(normalizers[: len(scores)]), EffectiveParameters(readout, tuple(scores)))
    return value - _at(NetworkGerm(below, germ.order).mean_output(curve)[0], power, 2 * power)


def _amplitude(z: Vector, scores: Sequence[RationalMatrix], normalizers: Sequence[Normalizer], tokens: int) -> Fraction:
    """``a_(j-1)(0, z)``: at ``m = 0`` the contrast signature is ``g(0) z^T M z``."""
    a = Fraction(1)
    for score, phi in zip(scores, normalizers, strict=False):
        a = next_amplitude(a, Fraction(2, tokens), _slope(phi) * _form(score, z))
    return a


def _directions(row: Vector, scores: Sequence[RationalMatrix], width: int) -> list[tuple[Fraction, ...]]:
    """Independent ``z_b = x e_b + (1, x, ..)``, x an integer, on which ``l z`` and all ``z^T M_i z`` of the layers below are nonzero."""
    units = identity(width)
    for x in range(2, 40):
        shared = [Fraction(x) ** j for j in range(width)]
        directions = [tuple(x * a + b for a, b in zip(unit, shared, strict=True)) for unit in units]
        if all(_dot(row, z) and all(_form(score, z) for score in scores) for z in directions):
            return directions
    raise NotRealizableError("no direction was found on which l z and z^T M_i z are nonzero: a regular tuple was expected")


def _curve(tokens: int, m: Vector, z: Vector) -> Curve:
    """``m + e z, m - e z, m, ..``"""
    return [[[value, sign * change] for value, change in zip(m, z, strict=True)] for sign in (1, -1, *(0,) * (tokens - 2))]


def _slope(phi: Normalizer) -> Fraction:
    """``g(0)`` for the rational normalizers of these cases."""
    return Fraction(str(phi.log_coefficients(2)[1]))


def _form(score: RationalMatrix, z: Vector) -> Fraction:
    return sum((a * _dot(row, z) for a, row in zip(z, score, strict=True)), Fraction(0))


def _dot(left: Vector, right: Vector) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _at(series: dict[int, Any], j: int, power: int) -> Fraction:
    """The coefficient of ``u^j e^power``."""
    return Fraction(str(series[j][(power,)])) if j in series else Fraction(0)
