"""Do two tuples realize the same network? Yes with a reason for all inputs, no with a witness, or undecided up to a degree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from symattn.errors import UndecidedError
from symattn.exact.equality import InputWitness, MonomialWitness, first_difference, separating_input
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix
from symattn.normalizers import Normalizer, normalizer
from symattn.theory.collapse import is_zero, layer_collapse
from symattn.theory.fibers import effective_fiber

__all__ = ["Equality", "canonical_form", "decide_equality"]


@dataclass(frozen=True)
class Equality:
    """``equal`` is ``None`` while undecided; ``because`` gives the reason; ``agree_to`` is the degree up to which all Taylor
    coefficients were found equal. A difference has a ``monomial`` or an ``input_witness``, or both, unless the shapes differ."""

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


def _silent(message: str) -> None:
    """Say nothing about progress."""


def decide_equality(first: Network, second: Network, max_degree: int = 15, report: Callable[[str], None] = _silent) -> Equality:
    """Whether two networks are the same function near 0, for any depths and normalizers.

    Equal canonical forms (:func:`canonical_form`) prove equality for all inputs. Otherwise Taylor coefficients are compared up to
    ``max_degree``; agreement proves equality only where a statement says that this degree determines the fiber.
    """
    exactness = "; ".join(dict.fromkeys((first.exactness, second.exactness)))
    for name, mine, theirs in (
        ("tokens", first.tokens, second.tokens),
        ("input width", first.width, second.width),
        ("output width", first.parameters.output_width, second.parameters.output_width),
    ):
        if mine != theirs:
            return Equality(False, f"the networks have different shapes: {name} {mine} and {theirs}", exactness=exactness)
    (a, steps_a), (b, steps_b) = canonical_form(first), canonical_form(second)
    if a == b:
        steps = dict.fromkeys((*steps_a, *steps_b))
        return Equality(
            True, "; ".join(steps) or "the effective tuples are equal (and the network depends on nothing else)", exactness=exactness
        )
    try:
        monomial = first_difference(first, second, max_degree, report)
        agree_to = max_degree if monomial is None else monomial.degree - 1
        unavailable = ""
    except UndecidedError as error:  # irrational coefficients
        monomial, agree_to, unavailable = None, None, str(error)
    report("outputs at rational inputs")
    found = separating_input(first, second)
    if monomial is not None:
        reason = f"the coefficients of one input monomial of degree {monomial.degree} differ"
        return Equality(False, reason, monomial, found, agree_to, exactness)
    if found is not None:
        return Equality(False, "the outputs at one input differ", None, found, agree_to, exactness)
    if agree_to is None:
        return Equality(None, f"no input that was tried separates the networks, and there are no Taylor coefficients: {unavailable}")
    equal, reason = _by_agreement(first, second, agree_to)
    return Equality(equal, reason, agree_to=agree_to, exactness=exactness)


def _by_agreement(first: Network, second: Network, degree: int) -> tuple[bool | None, str]:
    """What equal Taylor coefficients up to a degree prove, by the statement that covers the first tuple's fiber."""
    agreement = f"all Taylor coefficients up to degree {degree} agree"
    fiber = effective_fiber(first)
    if (first.tokens, first.normalizers) != (second.tokens, second.normalizers) or fiber.degree is None:
        return None, f"{agreement}, and no statement says which degree decides"
    if fiber.degree > degree:
        return None, f"{agreement}; degree {fiber.degree} would decide it ({fiber.source})"
    if fiber.contains(second):
        return True, f"{agreement}, and both tuples lie in one fiber ({fiber.source})"
    return None, f"{agreement}, though {fiber.source} says that the tuples differ by degree {fiber.degree}: one of the two is wrong"


def canonical_form(network: Network) -> tuple[tuple[object, ...], tuple[str, ...]]:
    """A form that is the same for tuples related by proven identities, and the identities that were used.

    Used are: a zero readout makes every score irrelevant; layers behind an exact collapse are removed; ``exp(c s)`` with score M is
    ``exp(s)`` with ``c M``; the sign of a score at an even normalizer is made canonical. Equal forms mean equal functions.
    """
    parameters = network.parameters
    if is_zero(parameters.L):
        return ((network.tokens, parameters.width, parameters.output_width),), ("L = 0: the network is zero",)
    layers: list[tuple[Normalizer, RationalMatrix]] = []
    steps: list[str] = []
    for number, (phi, score) in enumerate(zip(network.normalizers, parameters.M, strict=True), start=1):
        if is_zero(score):
            # The normalizer of an averaging layer does not matter.
            layers.append((_softmax(), score))
        else:
            layers.append(_canonical_layer(phi, score, number, steps))
        collapse = layer_collapse(phi, network.tokens, score)
        if collapse.collapses:
            if number < network.depth:
                steps.append(f"layer {number} collapses every input ({collapse.reason}), and later layers keep a consensus")
            break
    return (network.tokens, parameters.L, tuple(layers)), tuple(steps)


def _canonical_layer(phi: Normalizer, score: RationalMatrix, number: int, steps: list[str]) -> tuple[Normalizer, RationalMatrix]:
    logarithm = phi.log_polynomial
    if logarithm is not None and len(logarithm) == 2 and logarithm[1] != 1:
        steps.append(f"exp(c s) with score M is exp(s) with score c M (layer {number})")
        return _softmax(), tuple(tuple(logarithm[1] * entry for entry in row) for row in score)
    if logarithm is not None and len(logarithm) == 2:
        return _softmax(), score
    if phi.is_even:
        leading = next(entry for row in score for entry in row if entry)
        if leading < 0:
            steps.append(f"the normalizer of layer {number} is even, so the sign of its score does not matter")
            score = tuple(tuple(-entry for entry in row) for row in score)
    return phi, score


@cache
def _softmax() -> Normalizer:
    return normalizer("exp(s)")
