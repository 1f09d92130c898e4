"""Do two tuples realize the same network? Yes with a reason for all inputs, no with a witness, or undecided up to a degree."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.exact.equality import InputWitness, MonomialWitness, first_difference, separating_input
from symattn.network.parameters import Network
from symattn.progress import Report, silent
from symattn.theory.fibers import effective_fiber
from symattn.verification.identities import proven_identity

__all__ = ["Equality", "decide_equality"]

_MONOMIALS, _MONOMIALS_AFTER_WITNESS = 12_000, 1_200
"""Most monomials times layers of the Taylor polynomials that are compared by default: some seconds, and a moment where an input already
shows the difference."""

_HIGHEST_DEGREE = 63


@dataclass(frozen=True)
class Equality:
    """The answer: ``equal`` is ``None`` while undecided, ``because`` gives the reason.

    A "no" has a ``monomial`` or an ``input_witness`` or both, unless the shapes differ. ``agree_to`` is the degree up to which all Taylor
    coefficients were compared and found equal, ``None`` if none were compared. ``exactness`` says for which numbers the answer holds.
    """

    equal: bool | None
    because: str
    monomial: MonomialWitness | None = None
    input_witness: InputWitness | None = None
    agree_to: int | None = None
    exactness: str = ""

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn equal --json`` (spec 07)."""
        witness = None
        if self.monomial or self.input_witness:
            witness = {
                "monomial": self.monomial.to_json() if self.monomial else None,
                "input": self.input_witness.to_json() if self.input_witness else None,
            }
        return {"equal": self.equal, "because": self.because, "witness": witness, "agree_to": self.agree_to, "exactness": self.exactness}


def decide_equality(first: Network, second: Network, max_degree: int | None = None, report: Report = silent) -> Equality:
    """Whether two networks are the same function near 0, for any depths and normalizers (T1, T2).

    Asked in turn: shapes; identities that hold for all inputs (:mod:`symattn.verification.identities`); a rational input at which the
    outputs provably differ; a Taylor coefficient that differs, up to ``max_degree`` (by default as far as some seconds go).
    Agreement is never taken for equality. Raises :class:`InputError` for a degree below 1.

    >>> from symattn.network.files import network_from_dict
    >>> data = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "cosh(s)", "L": [[1]], "M": [[[3]]]}
    >>> decide_equality(network_from_dict(data), network_from_dict(data | {"M": [[[-3]]]})).because
    'layer 1: phi is even, so the sign of the score does not matter'
    """
    if max_degree is not None and max_degree < 1:
        raise InputError(f"a degree of at least 1 was expected, not {max_degree}", where="max_degree")
    exactness = "; ".join(dict.fromkeys((first.exactness, second.exactness)))
    for name, mine, theirs in (
        ("tokens", first.tokens, second.tokens),
        ("input width", first.width, second.width),
        ("output width", first.parameters.output_width, second.parameters.output_width),
    ):
        if mine != theirs:
            return Equality(False, f"the networks have different shapes: {name} {mine} and {theirs}", exactness=exactness)
    report("identities")
    reasons = proven_identity(first, second)
    if reasons is not None:
        return Equality(True, "; ".join(reasons), exactness=exactness)
    notes = []
    found = monomial = agree_to = None
    try:
        report("outputs at rational inputs")
        found = separating_input(first, second)
        if found is None:
            notes.append("no rational input that was tried separates them")
    except (BudgetError, UndecidedError) as error:
        notes.append(f"no outputs were compared: {error}")
    try:
        most = _MONOMIALS if found is None else _MONOMIALS_AFTER_WITNESS
        degree = _affordable_degree(first, second, most) if max_degree is None else max_degree
        monomial = first_difference(first, second, degree, report) if degree else None
        agree_to = (degree or None) if monomial is None else monomial.degree - 1
    except (BudgetError, UndecidedError) as error:
        notes.append(f"no Taylor coefficients were compared: {error}")
    if monomial is not None:
        return Equality(False, f"a coefficient of degree {monomial.degree} differs", monomial, found, agree_to, exactness)
    if found is not None:
        return Equality(False, "the outputs at one input differ", None, found, agree_to, exactness)
    if agree_to is not None:
        notes.append(f"all Taylor coefficients up to degree {agree_to} agree")
    notes.append(_what_would_decide(first, second))
    return Equality(None, "; ".join(notes), agree_to=agree_to, exactness=exactness)


def _affordable_degree(first: Network, second: Network, most: int) -> int:
    """The largest odd degree whose monomials, times layers, stay within the bound; 0 if there is none."""
    variables, depth = first.tokens * first.width, max(first.depth, second.depth)
    degree = -1
    while degree + 2 <= _HIGHEST_DEGREE and comb(degree + 2 + variables, degree + 2) * depth <= most:
        degree += 2
    return max(degree, 0)


def _what_would_decide(first: Network, second: Network) -> str:
    """What the statement that covers one of the fibers adds to an agreement that proves nothing."""
    if first.normalizers == second.normalizers:
        for fiber in (effective_fiber(first), effective_fiber(second)):
            if fiber.degree is not None:
                return f"{fiber.source}: the tuples are not in one fiber, and a coefficient of degree at most {fiber.degree} would show it"
    return "an identity for all inputs, or a coefficient of higher degree (--max-degree), would decide it"
