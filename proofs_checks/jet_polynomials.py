"""Jets as polynomials in all parameters at once, and their denominators (Section 4, (33))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import NetworkCase, listed, network_case
from proofs_checks.symbolic_stacks import SymbolicStack, symbolic_stack
from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeries, PolynomialSeriesMatrix
from symattn.exact.jet_polynomials import jet_polynomials
from symattn.exact.jets import jet_of
from symattn.network.parameters import Network


@dataclass(frozen=True)
class TaylorNormalizer(GenericNormalizer):
    """A normalizer ``phi = 1 + c_1 s + c_2 s^2 + ..``: here the symbols are the Taylor coefficients of phi, not of its logarithm."""


class TaylorSeries(PolynomialSeries):
    """Power series in u in which a normalizer is applied term by term, without logarithm and exponential."""

    def normalize(
        self, normalizer: Any, scores: Sequence[PolynomialSeriesMatrix]
    ) -> list[tuple[PolynomialSeriesMatrix, PolynomialSeriesMatrix]]:
        """``phi`` and ``phi'`` at every score; scores are multiples of u, so that ``s^N`` vanishes."""
        results = []
        for score in scores:
            rows, columns = score.shape
            value, slope = self.constant(rows, columns, 1), self.constant(rows, columns, 0)
            power = value
            for j in range(1, self.precision + 1):
                c = self.from_polynomials([[self.symbol(f"{normalizer.prefix}{j}")] * columns] * rows)
                slope = slope + power.hadamard(c).scale(j)
                power = power.hadamard(score)
                value = value + power.hadamard(c)
            results.append((value, slope))
        return results


def denominator_base(tokens: int) -> int:
    """The number whose powers are the only denominators besides those of the normalizer: n (C.polynomial, (33))."""
    return tokens


@statement(
    "C.polynomial",
    label="(33)",
    group="Finite jets",
    claim="the Taylor coefficients of F are polynomials in the parameters, with denominators powers of n times those of the normalizer",
)
def polynomial_jets(effort: Effort) -> Outcome:
    evidence = Evidence("identity")
    cases = effort.pick(_CASES[:4], _CASES[:9], _CASES)
    for case, order in cases:
        effort.report(f"{case}, N = {order}")
        _check(evidence, case, order)
    sizes = ", ".join(f"({case.tokens},{case.width},{len(case.normalizers)},{order})" for case, order in cases)
    return evidence.outcome(
        f"all tuples and all Taylor coefficients of the normalizers, (n, d, D, N) = {sizes}; "
        f"with the coefficients of phi they are the polynomials of symattn.exact, whatever the tuple, and the jets of "
        f"{listed([case for case, _ in cases])}"
    )


_CASES: list[tuple[NetworkCase, int]] = [
    (network_case(2, 1, "exp(s)"), 9),
    (network_case(3, 1, "1 + s**2", "exp(s)"), 5),
    (network_case(2, 2, "sigmoid(s)", "exp(s)"), 5),
    (network_case(6, 1, "exp(s)"), 5),
    (network_case(2, 1, "exp(s)", "2 + sin(s)", "1 + s"), 7),
    (network_case(3, 2, "exp(s)", outputs=2), 5),
    (network_case(2, 2, "exp(s)"), 9),
    (network_case(2, 1, "exp(s)", "exp(s)"), 11),
    (network_case(3, 2, "exp(s)", "1/(1 - s)"), 5),
    (network_case(4, 2, "exp(s)", "exp(s)"), 5),
    (network_case(2, 2, "exp(s)", "1 + s**2"), 9),
]


def _check(evidence: Evidence, case: NetworkCase, order: int) -> None:
    n, precision, network = case.tokens, (order + 1) // 2, case.network()
    normalizers = [TaylorNormalizer(1, f"c{i}_") for i in range(1, len(case.normalizers) + 1)]
    stack = symbolic_stack((n, case.width, case.outputs), normalizers, precision, TaylorSeries)
    output = stack.output()
    known = jet_polynomials(n, case.width, case.outputs, network.normalizers, order)
    numbers = _coefficients(stack, network)
    for j in range(precision):
        parts = output.coefficient(j)[0]
        name = f"degree {2 * j + 1}, {case}"
        denominators = [int(value.q) for polynomial in parts for value in polynomial.to_dict().values()]
        foreign = {_without(denominator, denominator_base(n)) for denominator in denominators}
        evidence.equal(foreign, {1}, f"denominators but for powers of n, {name}")
        for coordinate, polynomial in enumerate(parts):
            found = {exponents[: -len(numbers)]: value for exponents, value in polynomial.subs(numbers).to_dict().items()}
            claimed = {
                (*monomial, *exponents): value
                for monomial, values in known.coefficients.items()
                if sum(monomial) == 2 * j + 1
                for exponents, value in values[coordinate].to_dict().items()
            }
            evidence.equal(found, claimed, f"the polynomials of symattn.exact, {name}")
    values_there, jet = known.at(network.parameters), jet_of(network, order)
    evidence.equal(values_there.coefficients, jet.coefficients, f"the polynomials at a drawn tuple are its jet, {case}", kind="instance")


def _without(number: int, base: int) -> int:
    """The number divided by all its prime factors that divide the base."""
    while (common := gcd(number, base)) > 1:
        number //= common
    return number


def _coefficients(stack: SymbolicStack, network: Network) -> dict[str | int, Any]:
    """The Taylor coefficients of the normalizers of a network in the place of their symbols, which are the last ones of the ring."""
    values: dict[str | int, Any] = {}
    for generic, phi in zip(stack.normalizers, network.normalizers, strict=True):
        own = [name for name in stack.ring.symbols if name.startswith(generic.prefix)]  # type: ignore[union-attr]
        values.update(zip(own, phi.coefficients(len(own) + 1)[1:], strict=True))
    return values
