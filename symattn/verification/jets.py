"""Finite jets: what the differential of ``eta -> T_N`` was found to be, beside the orders of Theorem 3; and recovery beside ``N_sign``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from symattn.exact.jet_ranks import JetRankBound, jet_rank_bound
from symattn.exact.jets import Jet, JetDifferential, jet_differential, jet_of
from symattn.exact.recovery import Recovery, recover
from symattn.network.jets import JetTooShortError
from symattn.network.parameters import Network
from symattn.network.rational import transpose
from symattn.normalizers import Normalizer
from symattn.theory.determining_orders import sign_order
from symattn.theory.orders import jet_orders
from symattn.theory.prediction import Hypothesis
from symattn.verification.comparison import Comparison

__all__ = ["JetPrediction", "JetReport", "RecoveryReport", "predict_jet", "verify_jet", "verify_recovery"]

RankMethod = Literal["exact", "points", "none"]


@dataclass(frozen=True)
class JetPrediction:
    """What Theorem 3 and Prop. C.4 say about the jets of one network (T3, C.recurrence, C.4).

    ``first_degrees`` are ``N_1 .. N_D``; ``immersion_order`` is ``N_D``; ``fiber_order`` is ``N_sign``, ``None`` where the parity of a
    normalizer is undecided. They are asserted at regular tuples: ``hypotheses`` says whether this is one.
    """

    first_degrees: tuple[int, ...]
    immersion_order: int
    fiber_order: int | None
    hypotheses: tuple[Hypothesis, ...]

    @property
    def applies(self) -> bool:
        """Whether every hypothesis holds."""
        return all(hypothesis.holds for hypothesis in self.hypotheses)

    def to_json(self) -> dict[str, object]:
        """The fields under the paper's names where it has some."""
        return {
            "N_i": list(self.first_degrees),
            "N_D": self.immersion_order,
            "N_sign": self.fiber_order,
            "source": "Theorem 3, Prop. C.4",
            "applies": self.applies,
            "hypotheses": [hypothesis.to_json() for hypothesis in self.hypotheses],
        }


@dataclass(frozen=True)
class JetReport:
    """A jet, its differential (or a lower bound for its ranks), and the comparison with Theorem 3."""

    jet: Jet
    differential: JetDifferential | JetRankBound | None
    prediction: JetPrediction
    comparison: Comparison
    source: str
    exactness: str

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn jet --json`` without the coefficients, which the command adds."""
        found, comparison = self.differential, self.comparison
        document: dict[str, object] = {
            "source": self.source,
            "exactness": self.exactness,
            "order": self.jet.order,
            "monomials": len(self.jet.coefficients),
            "rank": None,
            "parameters": None,
            "immersion": None,
        }
        if found is not None:
            document |= {
                "rank": found.ranks[max(found.ranks)],
                "rank_is": "exact" if isinstance(found, JetDifferential) else "a proven lower bound",
                "parameters": found.parameters,
                "immersion": found.is_immersion,
                "ranks": {str(order): rank for order, rank in found.ranks.items()},
            }
        if isinstance(found, JetDifferential):
            document |= {
                "first_degrees": found.first_degrees,
                "least_immersion_order": found.least_immersion_order,
                "kernel": [[str(entry) for entry in vector] for vector in found.kernel],
            }
        return document | {"prediction": self.prediction.to_json(), "verdict": comparison.verdict, "reasons": list(comparison.reasons)}


@dataclass(frozen=True)
class RecoveryReport:
    """A recovered tuple, and the jet orders that the theory asks for."""

    recovery: Recovery
    fiber_order: int | None

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn recover --json``."""
        return self.recovery.to_json() | {"N_sign": self.fiber_order}


def predict_jet(network: Network) -> JetPrediction:
    """The jet orders of a network by Theorem 3 and Prop. C.4, with the hypotheses of a regular tuple checked over Q."""
    hypotheses = [Hypothesis("L is not zero", any(map(any, network.parameters.L)), "L", "decided over Q")]
    for number, score in enumerate(network.parameters.M, start=1):
        is_skew = all(a == -b for row, other in zip(score, transpose(score), strict=True) for a, b in zip(row, other, strict=True))
        hypotheses.append(Hypothesis("sym(M_i) is not zero", not is_skew, f"layer {number}", "decided over Q"))
    orders = jet_orders([phi.k for phi in network.normalizers])
    return JetPrediction(orders, orders[-1], _fiber_order(network.normalizers), tuple(hypotheses))


def verify_jet(network: Network, order: int, rank: RankMethod = "exact") -> JetReport:
    """The jet ``T_N``, the rank of its differential found by exact linear algebra, and both compared with Theorem 3 (T3).

    ``rank``: "exact" uses every monomial; "points" gives a lower bound from inputs modulo a prime; "none" computes the jet only.
    Raises what :func:`jet_of`, :func:`jet_differential` and :func:`jet_rank_bound` raise.
    """
    jet = jet_of(network, order)
    prediction = predict_jet(network)
    found: JetDifferential | JetRankBound | None = None
    if rank == "exact":
        found = jet_differential(network, order)
    elif rank == "points":
        found = jet_rank_bound(network, order)
    return JetReport(jet, found, prediction, _compare(found, prediction, order), network.source, network.exactness)


def verify_recovery(jet: Jet) -> RecoveryReport:
    """The tuple behind a jet, and the order that determines its complete fiber (T1, C.4).

    Raises what :func:`recover` raises; a jet that is too short is told the order that all layers and signs need.
    """
    needed = _fiber_order(jet.normalizers)
    try:
        return RecoveryReport(recover(jet), needed)
    except JetTooShortError as error:
        if needed is None or needed <= error.degree:
            raise
        problem = f"{error.problem}; all layers and signs of a regular tuple need degree {needed} (Prop. C.4)"
        raise JetTooShortError(problem, layer=error.layer, degree=error.degree) from None


def _fiber_order(normalizers: tuple[Normalizer, ...]) -> int | None:
    if any(phi.is_even is None for phi in normalizers):
        return None
    return sign_order([phi.k for phi in normalizers], [phi.first_odd_degree for phi in normalizers])


def _compare(found: JetDifferential | JetRankBound | None, prediction: JetPrediction, order: int) -> Comparison:
    """Confirmed if all that Theorem 3 says up to this order was found; refuted only at a regular tuple, by something proven."""
    if found is None:
        return Comparison("undecided", ("no rank was computed",))
    if not prediction.applies:
        failing = tuple(f"hypothesis fails: {h.name} ({h.where})" for h in prediction.hypotheses if not h.holds)
        return Comparison("undecided", ("the tuple is not regular, so the finding stands alone", *failing))
    last = prediction.immersion_order
    full = {degree: rank for degree, rank in found.ranks.items() if rank == found.parameters}
    early = [degree for degree in full if degree < last]
    if early:
        return Comparison("refuted", (f"D T_{early[0]} is injective already, although no jet below {last} should see layer D",))
    late = [degree for degree in found.ranks if degree >= last and degree not in full]
    if isinstance(found, JetRankBound):
        return Comparison("undecided", (*_seen_from_points(found, last), "that no lower jet is injective needs the exact rank"))
    if late:
        return Comparison("refuted", (f"D T_{late[0]} has rank {found.ranks[late[0]]}, predicted is {found.parameters}",))
    for number, degree in enumerate(prediction.first_degrees, start=1):
        seen = found.first_degrees[f"M{number}"]
        if seen != (degree if degree <= order else None):
            return Comparison("refuted", (f"layer {number} appears first in degree {seen}, predicted is {degree}",))
    return Comparison("confirmed", ("every layer appears first in degree N_i, up to the order computed", _rank_sentence(order, last)))


def _seen_from_points(found: JetRankBound, last: int) -> tuple[str, ...]:
    if found.order < last:
        return (f"the order {found.order} is below N_D = {last}",)
    if found.immersion_order_at_most == last:
        return (f"D T_{last} is proven injective, as predicted",)
    return (f"the rank of D T_{last} is at least {found.ranks[last]}, predicted is {found.parameters}",)


def _rank_sentence(order: int, last: int) -> str:
    if order < last:
        return f"the order {order} is below N_D = {last}, and no jet is injective so far"
    return f"the differential is injective from N_D = {last} on, and not before"
