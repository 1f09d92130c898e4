"""Recovery: from a jet back to the effective tuple, layer by layer, exactly over Q (T1, C.rational-inverse; Theorem 1, (C.4)).

L is read at consensus, and then each layer on tokens ``m + e z, m - e z, m, ..`` (:mod:`symattn.exact.probes`,
:mod:`symattn.exact.peeling`). A stored jet is checked on the way: before a layer is read, every coefficient that the layers below it
determine must be theirs, so that a jet that no tuple realizes is refused at the first coefficient that contradicts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.errors import HypothesisError, InputError, NotRealizableError
from symattn.exact.germs import Germ, JetGerm, RememberedGerm
from symattn.exact.jets import jet_of, token_ring
from symattn.exact.peeling import peel
from symattn.exact.probes import KnownLayers, collinear_curve, series_coefficient
from symattn.network.attention import Layer, evaluate
from symattn.network.jets import Exponents, Jet, monomial_text, require_affordable
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, identity, transpose
from symattn.normalizers import Normalizer

__all__ = ["Recovery", "recover", "recover_germ"]


@dataclass(frozen=True)
class Recovery:
    """A recovered tuple. ``signs`` lists the layers (from 1) whose score is determined only up to its sign: there ``M`` shows one choice.

    ``unresolved`` maps a layer to the degree that a jet must have to decide its sign, where this jet is too short for it.
    ``degree_used`` is the highest degree of a coefficient that was needed. ``checked`` says what the tuple was checked against.
    """

    parameters: EffectiveParameters
    signs: tuple[int, ...]
    unresolved: dict[int, int]
    degree_used: int
    checked: str

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn recover --json``: exact strings, layers numbered from 1."""
        return {
            "L": _texts(self.parameters.L),
            "M": [_texts(score) for score in self.parameters.M],
            "signs": list(self.signs),
            "degree_used": self.degree_used,
            "unresolved": {str(layer): degree for layer, degree in self.unresolved.items()},
            "checked": self.checked,
        }


def recover(jet: Jet) -> Recovery:
    """The effective tuple behind a jet of a regular network, of the depth that the jet's normalizers state (T1).

    The tuple found is checked against every coefficient of the jet. Raises :class:`NotRealizableError` with the first
    coefficient that contradicts, :class:`JetTooShortError` for a jet that is too short (naming the degree needed),
    :class:`HypothesisError` where the tuple is not regular, so that the steps of Theorem 1 do not apply,
    :class:`UndecidedError` for irrational normalizers, and :class:`BudgetError` for jets with too many monomials.

    >>> from symattn.exact.jets import jet_of
    >>> from symattn.network.files import network_from_dict
    >>> data = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "L": [[2]], "M": [[["1/3"]], [[-5]]]}
    >>> recover(jet_of(network_from_dict(data), 7)).parameters.M
    (((Fraction(1, 3),),), ((Fraction(-5, 1),),))
    """
    require_affordable(jet.tokens, jet.width, jet.order)
    even = min((e for e in jet.coefficients if sum(e) % 2 == 0), key=sum, default=None)
    if even is not None:
        raise _contradiction(jet, even, "the parts of even degree of a network are zero")
    found = _recovered(JetGerm(jet), jet.tokens, jet.width, jet.normalizers, lambda known: _require_known_part(jet, known))
    network = Network(jet.tokens, jet.normalizers, found.parameters)
    mismatch = jet.difference(jet_of(network, jet.order))
    if mismatch is not None:
        raise _contradiction(jet, mismatch[0], f"the only candidate has {_shown(mismatch[2])}")
    return Recovery(found.parameters, found.signs, found.unresolved, found.degree_used, f"every coefficient up to degree {jet.order}")


def recover_germ(germ: Germ, tokens: int, width: int, normalizers: Sequence[Normalizer]) -> Recovery:
    """The same from any source that answers as a :class:`Germ` does; nothing beyond the coefficients that were read is checked.

    Raises :class:`InputError` for fewer than 2 tokens, width or depth below 1, or order below 1; else as :func:`recover`.
    """
    for name, value, least in (("tokens", tokens, 2), ("width", width, 1), ("normalizers", len(normalizers), 1), ("order", germ.order, 1)):
        if value < least:
            raise InputError(f"at least {least} was expected, not {value}", where=name)
    return _recovered(germ, tokens, width, normalizers, lambda known: None)


def _recovered(germ: Germ, tokens: int, width: int, normalizers: Sequence[Normalizer], check: Callable[[KnownLayers], None]) -> Recovery:
    """Peel layer by layer; ``check`` is called with what is known before each layer is read."""
    germ = RememberedGerm(germ)  # every layer is read on the same curves
    readout = _readout(germ, tokens, width)
    scores: list[RationalMatrix] = []
    signs: list[int] = []
    unresolved: dict[int, int] = {}
    used = 1
    for number in range(1, len(normalizers) + 1):
        known = KnownLayers(germ, tokens, readout, scores, normalizers)
        check(known)
        if not any(any(row) for row in readout):
            raise HypothesisError("the readout L is zero: the network is zero, whatever its scores are, and no score can be recovered")
        peeled = peel(known)
        scores.append(peeled.score)
        used = max(used, peeled.degree)
        if peeled.needed is not None:
            unresolved[number] = peeled.needed
        elif peeled.is_free:
            signs.append(number)
    return Recovery(EffectiveParameters(readout, tuple(scores)), tuple(signs), unresolved, used, "the coefficients that were read")


def _readout(germ: Germ, tokens: int, width: int) -> RationalMatrix:
    """L from the part of degree 1: at consensus the output is L m."""
    columns = []
    for m in identity(width):
        outputs = germ.mean_output(collinear_curve(tokens, m, (Fraction(0),) * width))
        columns.append([series_coefficient(series, 0, 0) for series in outputs])
    return tuple(zip(*columns, strict=True))


def _require_known_part(jet: Jet, known: KnownLayers) -> None:
    """Compare the jet with L times the mean after the known layers, up to where the next layer comes in (C.orders).

    If the contrast after the known layers has order ``2c + 1`` in the tokens, a layer of degree k changes the mean from degree
    ``2 (2c + k) + 1`` on, whatever its score is, and outgoing contrasts and later layers come in at that degree or later.
    """
    ring, tokens = token_ring(jet.tokens, jet.width, jet.order)
    unit = ring.matrix(identity(jet.width))
    before = known.number - 1
    layers = [
        Layer(phi, ring.shift(ring.matrix(score), 1), unit) for phi, score in zip(jet.normalizers[:before], known.scores, strict=True)
    ]
    output = evaluate(ring, layers, [tokens])[0] if layers else tokens
    mean = ring.matrix([[Fraction(1, jet.tokens)] * jet.tokens]) @ output
    contrast = output - ring.constant(jet.tokens, 1, 1) @ mean
    order = min((min(entry) for entry in contrast.entries() if entry), default=ring.precision)
    is_zero = not any(any(row) for row in known.readout)
    limit = ring.precision if is_zero else 2 * order + jet.normalizers[before].k
    realized = mean @ ring.matrix(transpose(known.readout))
    coefficients: dict[Exponents, list[Fraction]] = {}
    for coordinate in range(jet.outputs):
        for power, polynomial in realized[0, coordinate].items():
            if power < limit:
                for exponents, value in polynomial.terms():
                    own = coefficients.setdefault(tuple(int(e) for e in exponents), [Fraction(0)] * jet.outputs)
                    own[coordinate] = Fraction(int(value.p), int(value.q))
    expected = {exponents: tuple(values) for exponents, values in coefficients.items()}
    below = Jet(jet.tokens, jet.width, jet.outputs, jet.normalizers, min(jet.order, 2 * limit - 1), expected)
    mismatch = jet.difference(below)
    if mismatch is not None:
        given = _shown(mismatch[2])
        if before == 0:
            raise _contradiction(jet, mismatch[0], f"L, as it is read at consensus, gives {given}")
        raise _contradiction(jet, mismatch[0], f"L and the layers up to {before}, as lower coefficients determine them, give {given}")


def _contradiction(jet: Jet, exponents: Exponents, instead: str) -> NotRealizableError:
    given = _shown(jet.coefficients.get(exponents, (Fraction(0),) * jet.outputs))
    monomial = monomial_text(exponents, jet.tokens, jet.width)
    return NotRealizableError(f"not realizable: the coefficient of {monomial} is {given}, but {instead}")


def _shown(values: Sequence[Fraction]) -> str:
    return str(values[0]) if len(values) == 1 else f"({', '.join(map(str, values))})"


def _texts(matrix: RationalMatrix) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in matrix]
