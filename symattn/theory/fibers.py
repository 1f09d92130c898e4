"""The complete effective fiber of a tuple where a statement covers it (T1, T2, C4.1, C.2-C.6): all tuples with the same network.

A statement determines the layers up to the first collapse (:mod:`symattn.theory.collapse`), that layer included, or up to the
last layer; layers behind a collapse see a consensus, which every layer fixes, and are free. Which statement does it, and on which
hypotheses, is decided in :mod:`symattn.theory.determinations`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Literal

from symattn.errors import InputError
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import negative
from symattn.theory.collapse import is_zero, layer_collapse
from symattn.theory.determinations import STATEMENTS, Determination
from symattn.theory.prediction import Hypothesis

__all__ = ["Fiber", "Suffix", "determined_fiber", "effective_fiber", "first_collapse_of"]

Kind = Literal["singleton", "signs", "free-suffix", "zero-readout", "open"]


@dataclass(frozen=True)
class Fiber:
    """The set of all effective tuples of the same depth and normalizers that realize the same network germ.

    ``kind``: "singleton"; "signs" (independent signs of the scores in ``sign_layers``); "free-suffix" (the scores in ``free_layers``
    are arbitrary, and ``sign_layers`` may be free up to sign); "zero-readout" (L = 0, every score arbitrary); "open"
    (no statement covers the tuple: then ``missing`` says what is lacking). ``degree`` is a jet order that determines the
    fiber, ``degree_is_sharp`` whether no lower one does (``None``: not known). Layers are numbered from 1.
    """

    network: Network
    kind: Kind
    sign_layers: tuple[int, ...]
    free_layers: tuple[int, ...]
    source: str
    hypotheses: tuple[Hypothesis, ...]
    degree: int | None
    degree_is_sharp: bool | None
    missing: tuple[str, ...] = ()

    def contains(self, other: Network) -> bool | None:
        """Whether another tuple lies in the fiber; ``None`` where the fiber is open, except for the tuple itself.

        Raises :class:`InputError` for other normalizers or another depth, and for other numbers of tokens, inputs or outputs: the fiber
        is a set of tuples of one shape (:func:`symattn.verification.decide_equality` compares any two).
        """
        mine, theirs = self.network.parameters, other.parameters
        if self.network.normalizers != other.normalizers:
            raise InputError("a tuple with the normalizers of the fiber, one per layer, was expected", where="normalizers")
        if (self.network.tokens, mine.width, mine.output_width) != (other.tokens, theirs.width, theirs.output_width):
            expected = f"{self.network.tokens} tokens of width {mine.width} with {mine.output_width} outputs"
            raise InputError(f"a tuple for {expected} was expected", where=other.source)
        if mine == theirs:
            return True
        if self.kind == "open":
            return None
        if mine.L != theirs.L:
            return False
        for number, (a, b) in enumerate(zip(mine.M, theirs.M, strict=True), start=1):
            if number in self.free_layers or a == b or (number in self.sign_layers and a == negative(b)):
                continue
            return False
        return True

    def draw(self, seed: int) -> Network:
        """A member of the fiber: random signs, and random small integer scores where they are free."""
        source = random.Random(seed)
        d = self.network.width
        scores = []
        for number, score in enumerate(self.network.parameters.M, start=1):
            if number in self.free_layers:
                scores.append(tuple(tuple(Fraction(source.randint(-9, 9)) for _ in range(d)) for _ in range(d)))
            else:
                scores.append(negative(score) if number in self.sign_layers and source.random() < 0.5 else score)
        return replace(self.network, parameters=EffectiveParameters(self.network.parameters.L, tuple(scores)), native=None)

    def sign_patterns(self) -> list[Network]:
        """All ``2^e`` members that differ by the signs of the e sign layers only."""
        members = []
        for signs in product((False, True), repeat=len(self.sign_layers)):
            flipped = {layer for layer, sign in zip(self.sign_layers, signs, strict=True) if sign}
            scores = tuple(
                negative(score) if number in flipped else score for number, score in enumerate(self.network.parameters.M, start=1)
            )
            members.append(replace(self.network, parameters=EffectiveParameters(self.network.parameters.L, scores), native=None))
        return members

    def to_latex(self) -> str:
        """The fiber as a product of sets."""
        d = self.network.width
        if self.kind == "open":
            return r"\text{open}"
        factors = [r"\{0\}" if self.kind == "zero-readout" else r"\{L\}"]
        for number in range(1, self.network.depth + 1):
            if number in self.free_layers:
                factors.append(rf"\mathbb{{R}}^{{{d} \times {d}}}")
            elif number in self.sign_layers:
                factors.append(rf"\{{\pm M_{{{number}}}\}}")
            else:
                factors.append(rf"\{{M_{{{number}}}\}}")
        return r" \times ".join(factors)

    _repr_latex_ = to_latex

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn fiber --json`` (spec 07)."""
        return {
            "kind": self.kind,
            "sign_layers": list(self.sign_layers),
            "free_layers": list(self.free_layers),
            "source": self.source,
            "degree": self.degree,
            "degree_is_sharp": self.degree_is_sharp,
            "hypotheses": [hypothesis.to_json() for hypothesis in self.hypotheses],
            "missing": list(self.missing),
            "latex": self.to_latex(),
        }


@dataclass(frozen=True)
class Suffix:
    """Where a tuple stops being visible: ``last`` is the first layer known to erase all contrast, or the last layer of all.

    ``collapse`` is the reason why layer ``last`` erases it ("" if it does not, or is not known to); ``undecided`` names the layers
    before it for which that is not known, with the reason.
    """

    last: int
    collapse: str
    undecided: tuple[str, ...]


def first_collapse_of(network: Network) -> Suffix:
    """The first layer that is known to erase all contrast (T2)."""
    undecided: list[str] = []
    for number, (phi, score) in enumerate(zip(network.normalizers, network.parameters.M, strict=True), start=1):
        collapse = layer_collapse(phi, network.tokens, score)
        if collapse.collapses:
            return Suffix(number, collapse.reason, tuple(undecided))
        if collapse.collapses is None and number < network.depth:
            undecided.append(f"layer {number}: {collapse.reason}")
    return Suffix(network.depth, "", tuple(undecided))


def effective_fiber(network: Network) -> Fiber:
    """The complete fiber of the tuple, with the statement that covers it and every hypothesis as it was checked.

    The kind is "open" if no statement covers the tuple, or if a hypothesis is undecided.

    >>> from symattn.network.files import network_from_dict
    >>> data = {"symattn": 1, "tokens": 2, "width": 1, "L": [[1]], "M": [[[1]], [[0]], [[3]]]}
    >>> fiber = effective_fiber(network_from_dict(data | {"normalizers": ["cosh(s)", "exp(s)", "exp(s)"]}))
    >>> fiber.kind, fiber.sign_layers, fiber.free_layers, fiber.degree
    ('free-suffix', (1,), (3,), 11)
    """
    if is_zero(network.parameters.L):
        free = tuple(range(1, network.depth + 1))
        how = Hypothesis("L = 0", True, "L", "every entry is zero; conversely a zero network has L m = 0 on every consensus m")
        return Fiber(network, "zero-readout", (), free, "Theorem 2, zero readout", (how,), 1, True)
    suffix = first_collapse_of(network)
    if suffix.undecided:
        return Fiber(network, "open", (), (), "none", (), None, None, suffix.undecided)
    statements = [found for statement in STATEMENTS if (found := statement(network, suffix.last)) is not None]
    for statement in statements:
        if statement.holds:
            return determined_fiber(network, statement, suffix)
    hypotheses = tuple(Hypothesis(f"{s.label}: {h.name}", h.holds, h.where, h.how) for s in statements for h in s.hypotheses)
    missing = tuple(f"{h.name} ({h.where}: {h.how})" for h in hypotheses if not h.holds)
    return Fiber(network, "open", (), (), "none", hypotheses, None, None, missing)


def determined_fiber(network: Network, statement: Determination, suffix: Suffix) -> Fiber:
    """The fiber of a tuple whose layers up to ``suffix.last`` are determined by a statement that holds."""
    free = tuple(range(suffix.last + 1, network.depth + 1))
    source, hypotheses = statement.label, statement.hypotheses
    if suffix.collapse:
        hypotheses += (Hypothesis("the layer erases all contrast", True, f"M[{suffix.last}]", suffix.collapse),)
    if free:
        source += f", applied to layers 1 to {suffix.last}; the layers behind them are free (Theorem 2)"
    kind: Kind = "free-suffix" if free else "signs" if statement.sign_layers else "singleton"
    return Fiber(network, kind, statement.sign_layers, free, source, hypotheses, statement.degree, statement.is_sharp)
