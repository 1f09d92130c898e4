"""Local learning coefficients at a collapse, from the zeta function with symbolic d (Appendix E.4)."""

from __future__ import annotations

from math import factorial
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from symattn.arithmetic import RationalFunction, SymbolicField
from symattn.theory.learning_coefficient import LearningCoefficient, independent_collapse, serial_collapse

Number = Any


def radial_exponent(z: Number, d: Number) -> Number:
    """``2z + d``: the integral over ``0 < a < 1`` of ``a^(2z + d - 1)`` is its inverse."""
    return 2 * z + d


def log_integral(s: Number, j: int) -> Number:
    """``j! / s^(j+1)``: the integral of ``x^(s-1) (-log x)^j`` over ``0 < x < 1``."""
    return s / s ** (j + 2) * factorial(j)


@statement(
    "E.llc",
    label="E.4",
    group="Native spectra",
    claim="learning coefficient and multiplicity at rank-one scores zero: (d/2, 2) serial, (D d/2, D + 1) for D independent layers",
)
def learning_coefficients(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    for d in effort.pick((2,), (2, 3), (2, 3, 4)):
        _check_norm(evidence, d)
    most = effort.pick(3, 5, 8)
    _check_integrals(evidence, most)
    field = SymbolicField()
    t, width = field.symbol("t"), field.symbol("d")
    serial = serial_collapse(width)
    s = radial_exponent(t - serial.value, width)
    _check_pole(evidence, field, log_integral(s, 0) * log_integral(s, 0), serial.multiplicity, "serial")
    evidence.equal(
        log_integral(s, 0) * log_integral(s, 0), log_integral(s, 1), "the integral over a and b is that over u = a b with the density of u"
    )
    for depth in range(1, most + 1):
        _check_independent(evidence, field, independent_collapse(width, depth), depth)
    return evidence.outcome(f"every width d (a symbol); D = 1 to {most} independent layers; the readout is held fixed")


def _check_norm(evidence: Evidence, d: int) -> None:
    field = SymbolicField()
    q, k = field.symbols("q", d, 1), field.symbols("k", d, 1)
    score = q @ k.transpose()
    found = sum((entry * entry for entry in score.entries()), field.element(0))
    evidence.equal(found, (q.transpose() @ q)[0, 0] * (k.transpose() @ k)[0, 0], f"|q k^T|^2 = |q|^2 |k|^2, d = {d}")


def _check_integrals(evidence: Evidence, last: int) -> None:
    """With X for ``x^s``: ``(X/s)' = x^(s-1)``; differentiating the integral j times in s puts ``(-log x)^j`` into it."""
    field = SymbolicField()
    s, x, power = field.symbol("s"), field.symbol("x"), field.symbol("X")
    derivative = field.derivative(field.matrix([[power / s]]), "X")[0, 0] * s * power / x
    evidence.equal(derivative, power / x, "x^s / s is an antiderivative of x^(s-1)")
    evidence.equal(log_integral(s, 0), field.element(1) / s, "the integral of x^(s-1)")
    for j in range(last):
        found = field.derivative(field.matrix([[log_integral(s, j)]]), "s")[0, 0] * -1
        evidence.equal(found, log_integral(s, j + 1), f"the integral of x^(s-1) (-log x)^{j + 1}")


def _check_independent(evidence: Evidence, field: SymbolicField, claimed: LearningCoefficient, depth: int) -> None:
    """``K = sum u_i^2``: on ``u = rho w`` the integral over rho of ``rho^(2z + D d - 1) prod (-log rho - log w_i)``, times the angles w."""
    t, d = field.symbol("t"), field.symbol("d")
    z = t - claimed.value
    exponent = 2 * z + depth * (d - 1) + (depth - 1) + 1  # K^z, the densities, and the volume rho^(D-1)
    s = radial_exponent(z, depth * d)
    evidence.equal(exponent, s, f"the exponent of rho, D = {depth}")
    radial = field.element(1)
    logarithm = field.symbol("l")  # -log rho
    for i in range(1, depth + 1):
        radial = radial * (logarithm + field.symbol(f"w{i}"))  # w_i stands for -log w_i > 0
    coefficients = _coefficients(field, radial, "l", depth)
    evidence.equal(coefficients[depth], field.element(1), f"the highest power of log rho is D, D = {depth}")
    zeta = sum((c * log_integral(s, j) for j, c in enumerate(coefficients)), field.element(0))
    _check_pole(evidence, field, zeta, claimed.multiplicity, f"independent, D = {depth}")


def _coefficients(field: SymbolicField, polynomial: RationalFunction, name: str, degree: int) -> list[RationalFunction]:
    """The coefficients of a polynomial in one symbol, by derivatives at zero."""
    found, current = [], polynomial
    for j in range(degree + 1):
        at_zero = current.numerator.subs({name: 0})
        found.append(RationalFunction(at_zero) / factorial(j))
        current = field.derivative(field.matrix([[current]]), name)[0, 0]
    return found


def _check_pole(evidence: Evidence, field: SymbolicField, zeta: RationalFunction, order: int, name: str) -> None:
    """zeta has a pole of this order at ``t = 0``: ``t^m zeta`` is finite and not zero there."""
    leading = zeta * field.symbol("t") ** order
    evidence.nonzero(leading.denominator.subs({"t": 0}), f"the pole at z = -lambda has at most the order {order}, {name}")
    evidence.nonzero(leading.numerator.subs({"t": 0}), f"the pole at z = -lambda has at least the order {order}, {name}")
