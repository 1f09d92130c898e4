"""The ideal of residuals at a collapsed tuple, and its components (Appendix E)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, statement
from proofs_checks.networks import SKEW, ZERO, NetworkCase, listed, network_case
from proofs_checks.symbols import unit_matrix, unknown_layer
from symattn.arithmetic import SymbolicField, UndefinedNormalizer
from symattn.exact.ideals import MonomialIdeal, residual_ideal
from symattn.exact.jet_polynomials import parameter_symbols
from symattn.network.attention import evaluate
from symattn.network.rational import rational_matrix

GROUP = "Native spectra"
_SCALAR_ZERO = rational_matrix([[0]])


def claimed_variables(width: int, outputs: int, first_zero: int) -> tuple[str, ...]:
    """The shifts of L, of ``M_i`` for i < s, and the entries of ``M_s``: the generators of the ideal (E.1)."""
    return parameter_symbols(width, outputs, first_zero)


def component_counts(depth: int) -> tuple[int, int]:
    """The components of the zero set of serial layers and of independent layers, rank-one scores (E.2)."""
    return 2, 2**depth


@statement(
    "E.1",
    label="Prop. E.1",
    group=GROUP,
    claim="at a tuple with M_s = 0 first the residual ideal is (L - L*, M_i - M_i* (i < s), M_s)",
)
def residual_generators(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    cases = effort.pick(_CASES[:4], _CASES[:10], _CASES)
    for case, order in cases:
        effort.report(f"{case}, N = {order}")
        network = case.network()
        found = residual_ideal(network, order)
        first_zero = min(i for i, score in enumerate(network.parameters.M, start=1) if not any(map(any, score)))
        claimed = claimed_variables(case.width, case.outputs, first_zero)
        evidence.equal(found.variables, claimed, f"the ideal of all residuals up to degree {order}, {case}")
    for n, d in effort.pick([(2, 2)], [(2, 2), (3, 2)], [(2, 2), (3, 2), (3, 3)]):
        _check_vanishing(evidence, n, d)
    return evidence.outcome(
        f"in the local ring, residuals to the degrees {', '.join(str(order) for _, order in cases)}: "
        f"{listed([case for case, _ in cases])}; "
        "residuals of every degree vanish where the generators do"
    )


_CASES: list[tuple[NetworkCase, int]] = [
    (network_case(2, 1, *("exp(s)",) * 2, scores={1: _SCALAR_ZERO}), 7),
    (network_case(2, 1, *("1/(1 - s)",) * 2, scores={2: _SCALAR_ZERO}), 7),
    (network_case(2, 2, *("exp(s)",) * 2, scores={1: ZERO}), 3),
    (network_case(3, 1, "exp(s)", "sigmoid(s)", scores={1: _SCALAR_ZERO, 2: _SCALAR_ZERO}), 7),
    (network_case(2, 2, *("exp(s)",) * 2, scores={1: ZERO}), 7),
    (network_case(2, 2, *("exp(s)",) * 2, scores={2: ZERO}), 7),
    (network_case(2, 1, *("exp(s)",) * 3, scores={2: _SCALAR_ZERO}), 9),
    (network_case(3, 2, "sigmoid(s)", "exp(s)", scores={1: ZERO}, outputs=2), 3),
    (network_case(3, 2, *("1/(1 - s)",) * 3, scores={1: ZERO}), 3),
    (network_case(3, 2, *("exp(s)",) * 2, scores={1: SKEW, 2: ZERO}), 7),
    (network_case(2, 1, *("exp(s)",) * 3, scores={3: _SCALAR_ZERO}), 19),
]


def _check_vanishing(evidence: Evidence, n: int, d: int) -> None:
    """Any tokens, then a zero score, then any layer: the output does not depend on the last score."""
    field = SymbolicField()
    tokens, unit = field.symbols("x", n, d), unit_matrix(field, d)
    zero = unknown_layer(UndefinedNormalizer("phi1"), field.constant(d, d, 0), unit)
    later = unknown_layer(UndefinedNormalizer("phi2"), field.symbols("M", d, d), unit)
    [kept], [output] = evaluate(field, [zero], [tokens]), evaluate(field, [zero, later], [tokens])
    evidence.equal(output, kept, f"a layer behind the zero score changes nothing, n = {n}, d = {d}", kind="identity")


@statement(
    "E.2",
    label="Cor. E.2",
    group=GROUP,
    claim="(q k^T) = (q) cap (k); rank-one scores at zero: the serial collapse has 2 components, D independent layers have 2^D",
)
def components(effort: Effort) -> Outcome:
    evidence = Evidence("instance")
    widths = effort.pick((1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4, 5))
    for d in widths:
        q, k = (MonomialIdeal.of_variables(_factor(letter, 1, d)) for letter in "qk")
        evidence.equal(q.intersection(k), score_ideal(1, d), f"(q k^T) = (q) cap (k) by least common multiples, d = {d}")
    eliminated: tuple[int, ...] = effort.pick((), (1, 2), (1, 2, 3))
    for d in eliminated:
        _check_by_elimination(evidence, d)
    depths = effort.pick((1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4, 5))
    for depth in depths:
        for d in (1, 2):
            serial, independent = component_counts(depth)
            together = reduce(MonomialIdeal.__add__, (score_ideal(layer, d) for layer in range(1, depth + 1)))
            evidence.equal(len(together.minimal_primes()), independent, f"independent layers, D = {depth}, d = {d}")
            found = _serial_ideal(evidence, depth, d)
            evidence.equal(len(found.minimal_primes()), serial, f"the serial collapse, D = {depth}, d = {d}")
    again = f", by Groebner bases too for d = {', '.join(map(str, eliminated))}" if eliminated else ""
    return evidence.outcome(
        f"ideals in q and k, d = {', '.join(map(str, widths))}{again}; the components of the residual ideal of softmax stacks with all "
        f"scores zero, n = 2, d = 1, 2, D = {', '.join(map(str, depths))}"
    )


def _factor(letter: str, layer: int, d: int) -> list[str]:
    return [f"{letter}{layer}_{i}" for i in range(1, d + 1)]


def score_ideal(layer: int, d: int) -> MonomialIdeal:
    """The ideal of the entries of ``q k^T``."""
    return MonomialIdeal.generated_by((q, k) for q in _factor("q", layer, d) for k in _factor("k", layer, d))


def _serial_ideal(evidence: Evidence, depth: int, d: int) -> MonomialIdeal:
    """The residual ideal at zero scores, pulled back along ``M_i = q_i k_i^T``; the shifts of L are smooth and add no component."""
    zero = rational_matrix([[0] * d] * d)
    case = network_case(2, d, *("exp(s)",) * depth, scores=dict.fromkeys(range(1, depth + 1), zero))
    found = residual_ideal(case.network(), 3).variables
    evidence.equal(found is not None, True, f"the residual ideal is generated by shifts, {case}")
    return MonomialIdeal.generated_by(_pulled_back(found or ()))


def _pulled_back(names: Iterable[str]) -> list[list[str]]:
    """``L1_j`` stays, ``M3_i_j`` becomes ``q3_i k3_j``."""
    monomials = []
    for name in names:
        kind, *places = name.split("_")
        monomials.append([name] if name.startswith("L") else [f"q{kind[1:]}_{places[0]}", f"k{kind[1:]}_{places[1]}"])
    return monomials


def _check_by_elimination(evidence: Evidence, d: int) -> None:
    """``I cap J`` is ``(t I + (1 - t) J)`` without t: a Groebner basis for an order that eliminates t."""
    import sympy

    q, k = ([sympy.Symbol(name) for name in _factor(letter, 1, d)] for letter in "qk")
    t = sympy.Symbol("t")
    mixed = [t * x for x in q] + [(1 - t) * y for y in k]
    basis = sympy.groebner(mixed, t, *q, *k, order="lex")
    found = sympy.groebner([p for p in basis.exprs if not p.has(t)], *q, *k, order="lex")
    claimed: Any = sympy.groebner(
        [sympy.Mul(*map(sympy.Symbol, monomial)) for monomial in score_ideal(1, d).generators], *q, *k, order="lex"
    )
    evidence.equal(set(found.exprs), set(claimed.exprs), f"(q k^T) = (q) cap (k) by elimination, d = {d}")
