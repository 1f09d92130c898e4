"""Recovery: from a jet back to the effective tuple, layer by layer, exactly over Q (T1, C.rational-inverse; Theorem 1, (C.4)).

Layer i is read from one coefficient. On tokens ``m + e z, m - e z, m, ..`` the first ``i - 1`` layers, once known, give the token mean
and the contrast, whose leading part is ``e^(3^(i-1)) A z``. The coefficient of ``e^(2 * 3^(i-1))`` in the mean output less L times
that mean is ``mu_2 A^2 (L z) H``, and no later layer contributes to it (A.isolation). With inputs scaled by rho, ``A`` and
``H = rho (m^T M z) g(rho^2 m^T M m)`` are power series in rho, so the lowest coefficient of the quotient is ``k b q^(k-1) (m^T M z)``
with ``q = m^T M m``. At ``z = m`` this is ``k b q^k``, whose k-th root gives q, and then ``m^T M z`` follows for every z.

For even k the root leaves one sign per layer. It is decided by comparing both signs with all coefficients that the jet has
at this place; it stays free exactly if the normalizer is even.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_mpoly

from symattn.errors import HypothesisError, InputError, NotRealizableError, UndecidedError
from symattn.exact.germs import Curve, Germ, JetGerm, curve_ring, curve_tokens
from symattn.exact.jets import Jet, jet_of, token_symbols
from symattn.exact.linear_algebra import rank, solve
from symattn.exact.rational_series import exact_root, product, quotient
from symattn.network.attention import Layer, evaluate
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import RationalMatrix, identity, transpose
from symattn.normalizers import Normalizer

__all__ = ["Recovery", "recover", "recover_germ"]

Vector = tuple[Fraction, ...]
_ATTEMPTS = 40


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


def recover(jet: Jet) -> Recovery:
    """The effective tuple behind a jet of a regular network, of the depth that the jet's normalizers state (T1).

    The tuple found is checked against every coefficient of the jet. Raises :class:`NotRealizableError` with the first
    coefficient that contradicts, :class:`InputError` for a jet that is too short (naming the degree needed), and
    :class:`HypothesisError` where the tuple is not regular, so that the steps of Theorem 1 do not apply.
    """
    found = recover_germ(JetGerm(jet), jet.tokens, jet.width, jet.normalizers)
    network = Network(jet.tokens, jet.normalizers, found.parameters)
    mismatch = jet.difference(jet_of(network, jet.order))
    if mismatch is not None:
        exponents, given, realized = mismatch
        monomial = _monomial(exponents, jet.tokens, jet.width)
        raise NotRealizableError(
            f"not realizable: the only candidate has the coefficient {_shown(realized)} at {monomial}, where the jet has {_shown(given)}"
        )
    return Recovery(found.parameters, found.signs, found.unresolved, found.degree_used, f"every coefficient up to degree {jet.order}")


def recover_germ(germ: Germ, tokens: int, width: int, normalizers: Sequence[Normalizer]) -> Recovery:
    """The same from any source of the jet; nothing beyond the coefficients that were read is checked."""
    readout = _readout(germ, tokens, width)
    if not any(any(row) for row in readout):
        raise HypothesisError("the readout L is zero: the network is zero and no score can be recovered")
    scores: list[RationalMatrix] = []
    signs: list[int] = []
    unresolved: dict[int, int] = {}
    used = 1
    for number in range(1, len(normalizers) + 1):
        peeled = _Layer(germ, tokens, width, readout, tuple(scores), tuple(normalizers), number).recover()
        scores.append(peeled.score)
        used = max(used, peeled.degree)
        if peeled.needed is not None:
            unresolved[number] = peeled.needed
        elif peeled.is_free and any(any(row) for row in peeled.score):
            signs.append(number)
    return Recovery(EffectiveParameters(readout, tuple(scores)), tuple(signs), unresolved, used, "the coefficients that were read")


@dataclass(frozen=True)
class _Peeled:
    score: RationalMatrix
    degree: int
    is_free: bool
    needed: int | None


@dataclass(frozen=True)
class _Reading:
    """The quotient ``u g(u q) (m^T M z)`` as a series in u: ``values[j]`` belongs to ``u^j``; ``shift`` is the order of ``A^2``."""

    values: list[Fraction]
    shift: int


class _Layer:
    """One step of the recovery: everything known below layer ``number``, and how its score is read."""

    def __init__(
        self,
        germ: Germ,
        tokens: int,
        width: int,
        readout: RationalMatrix,
        known: tuple[RationalMatrix, ...],
        normalizers: tuple[Normalizer, ...],
        number: int,
    ) -> None:
        self.germ, self.tokens, self.width, self.readout = germ, tokens, width, readout
        self.known, self.normalizers, self.number = known, normalizers, number
        self.phi = normalizers[number - 1]
        self.degree = 0
        self.shortfall: int | None = None  # the least degree that a jet would need, where this one was too short
        self._readings: dict[tuple[Vector, Vector], _Reading | None] = {}

    def recover(self) -> _Peeled:
        score = self._score_up_to_sign()
        if self.phi.k % 2:
            return _Peeled(score, self.degree, False, None)
        return self._signed(score)

    # Reading one number

    def _read(self, m: Vector, z: Vector) -> _Reading | None:
        """The quotient on tokens around m along z, or ``None`` if the contrast or L z vanishes."""
        if (m, z) not in self._readings:
            self._readings[m, z] = self._fresh_reading(m, z)
        return self._readings[m, z]

    def _fresh_reading(self, m: Vector, z: Vector) -> _Reading | None:
        power = 3 ** (self.number - 1)
        column = [sum((entry * x for entry, x in zip(row, z, strict=True)), Fraction(0)) for row in self.readout]
        coordinate = next((c for c, value in enumerate(column) if value), None)
        if coordinate is None:
            return None
        axis = next(j for j, value in enumerate(z) if value)
        curve = _curve(self.tokens, m, z)
        ring = curve_ring(self.germ.order)
        tokens = curve_tokens(ring, curve)
        below = [
            Layer(phi, ring.shift(ring.matrix(score), 1), ring.matrix(identity(self.width)))
            for phi, score in zip(self.normalizers, self.known, strict=False)
        ]
        output = evaluate(ring, below, [tokens])[0] if below else tokens
        mean = ring.matrix([[Fraction(1, self.tokens)] * self.tokens]) @ output
        expected = (mean @ ring.matrix(transpose(self.readout)))[0, coordinate]
        observed = self.germ.mean_output(curve)[coordinate]
        size = ring.precision
        amplitude = [(_at(output[0, axis], j, power) - _at(mean[0, axis], j, power)) / z[axis] for j in range(size)]
        square = product(amplitude, amplitude, size)
        shift = next((j for j, value in enumerate(square) if value), None)
        if shift is None:
            return None
        increment = [_at(observed, j, 2 * power) - _at(expected, j, 2 * power) for j in range(size)]
        stray = next((j for j, value in enumerate(increment[:shift]) if value), None)
        if stray is not None:
            raise self._contradiction(2 * stray + 1, "a coefficient that must vanish does not")
        spread = Fraction(2, self.tokens) * column[coordinate]
        return _Reading(quotient(increment[shift:], [value * spread for value in square[shift:]]), shift)

    def _lowest(self, m: Vector, z: Vector) -> Fraction | None:
        """``q^(k-1) (m^T M z)`` from the lowest coefficient, or ``None`` if it cannot be read here."""
        reading = self._read(m, z)
        if reading is None:
            return None
        k, b = self.phi.k, self.phi.coefficient
        if not isinstance(b, Fraction):
            raise UndecidedError(f"the normalizer of layer {self.number} has irrational coefficients ({b}); recovery works over Q")
        degree = 2 * (reading.shift + k) + 1
        stray = next((j for j, value in enumerate(reading.values[:k]) if value), None)
        if stray is not None:
            raise self._contradiction(2 * (reading.shift + stray) + 1, "a coefficient that must vanish does not")
        if degree > self.germ.order:
            self.shortfall = degree if self.shortfall is None else min(self.shortfall, degree)
            return None
        self.degree = max(self.degree, degree)
        return reading.values[k] / (k * b)

    # From numbers to the score

    def _score_up_to_sign(self) -> RationalMatrix:
        """Images ``m^T M`` of d independent points; for even k all share one unknown sign."""
        points: list[Vector] = []
        images: list[Vector] = []
        for m in self._vectors():
            if rank([*points, m]) == len(points):
                continue
            image = self._image(m)
            if image is not None and points and self.phi.k % 2 == 0:
                image = self._aligned(points[0], images[0], m, image)
            if image is None:
                continue
            points.append(m)
            images.append(image)
            if len(points) == self.width:
                columns = [solve(points, [image[c] for image in images]) for c in range(self.width)]
                return transpose(tuple(columns))
        raise self._failure()

    def _image(self, m: Vector) -> Vector | None:
        """``m^T M``, up to a sign if k is even; ``None`` if it cannot be read around this point."""
        k = self.phi.k
        factor = Fraction(1)
        if k > 1:
            power = self._lowest(m, m)
            if not power:
                return None
            q = exact_root(power, k)
            if q is None:
                raise self._contradiction(self.degree, f"(m^T M m)^{k} = {power} at m = ({', '.join(map(str, m))}) has no rational root")
            factor = q ** (k - 1)
        directions: list[Vector] = []
        values: list[Fraction] = []
        for z in self._vectors():
            if rank([*directions, z]) == len(directions):
                continue
            value = self._lowest(m, z)
            if value is not None:
                directions.append(z)
                values.append(value / factor)
                if len(directions) == self.width:
                    return solve(directions, values)
        return None

    def _aligned(self, first: Vector, first_image: Vector, m: Vector, image: Vector) -> Vector | None:
        """The image with the sign that fits the first one, decided at a combination of the two points."""
        for factor in (1, 2, 3, -1, -2):
            combined = self._image(tuple(a + factor * b for a, b in zip(first, m, strict=True)))
            if combined is None:
                continue
            for sign in (1, -1):
                candidate = tuple(a + factor * sign * b for a, b in zip(first_image, image, strict=True))
                if candidate in (combined, _negative(combined)):
                    return tuple(sign * b for b in image)
            raise self._contradiction(self.degree, "no choice of signs makes m^T M linear in m")
        return None

    def _signed(self, score: RationalMatrix) -> _Peeled:
        """Decide the sign of a score for even k by every coefficient that the jet has at one place."""
        odd = self.phi.first_odd_degree
        if self.phi.is_even:
            return _Peeled(score, self.degree, True, None)
        if odd is None:
            raise UndecidedError(f"layer {self.number}: whether the normalizer is even is undecided, so its sign cannot be called free")
        for m in self._vectors():
            q, reading = _bilinear(score, m, m), self._read(m, m)
            if reading is None or not q:
                continue
            needed = 2 * (reading.shift + odd) + 1
            if needed > self.germ.order:
                return _Peeled(score, self.degree, False, needed)
            self.degree = max(self.degree, needed)
            logarithm = [Fraction(int(c.p), int(c.q)) for c in self.phi.log_coefficients(odd + 1)]
            plus = [j * coefficient * q**j for j, coefficient in enumerate(logarithm)]
            minus = [(-1) ** j * value for j, value in enumerate(plus)]
            seen = reading.values[: odd + 1]
            if seen == plus:
                return _Peeled(score, self.degree, False, None)
            if seen == minus:
                return _Peeled(tuple(_negative(row) for row in score), self.degree, False, None)
            raise self._contradiction(needed, "neither sign of the score fits")
        raise self._failure()

    def _vectors(self) -> Iterator[Vector]:
        """Unit vectors first, then drawn integer vectors: finitely many, the same at every call."""
        yield from identity(self.width)
        source = random.Random(self.number)
        for _ in range(_ATTEMPTS):
            yield tuple(Fraction(source.choice([-3, -2, -1, 1, 2, 3])) for _ in range(self.width))

    def _failure(self) -> InputError | HypothesisError:
        if self.shortfall is not None:
            return InputError(
                f"the score of layer {self.number} needs a jet of degree {self.shortfall}; this one has degree {self.germ.order}",
                where="order",
            )
        return HypothesisError(
            f"layer {self.number} cannot be peeled: either the contrast does not survive the layers before it within degree "
            f"{self.germ.order}, or its score has no symmetric part (the tuple is not regular)"
        )

    def _contradiction(self, degree: int, what: str) -> NotRealizableError:
        return NotRealizableError(f"not realizable: at layer {self.number}, degree {degree}: {what}")


def _readout(germ: Germ, tokens: int, width: int) -> RationalMatrix:
    """L from the part of degree 1: at consensus the output is L m."""
    columns = []
    for m in identity(width):
        outputs = germ.mean_output(_curve(tokens, m, (Fraction(0),) * width))
        columns.append([_at(series, 0, 0) for series in outputs])
    return tuple(zip(*columns, strict=True))


def _curve(tokens: int, m: Vector, z: Vector) -> Curve:
    """``m + e z, m - e z, m, ..``"""
    return [[[value, sign * change] for value, change in zip(m, z, strict=True)] for sign in (1, -1, *(0,) * (tokens - 2))]


def _at(series: dict[int, fmpq_mpoly], j: int, power: int) -> Fraction:
    """The coefficient of ``u^j e^power``."""
    if j not in series:
        return Fraction(0)
    value = series[j][(power,)]
    return Fraction(int(value.p), int(value.q))


def _bilinear(score: RationalMatrix, left: Vector, right: Vector) -> Fraction:
    return sum((a * entry * b for a, row in zip(left, score, strict=True) for entry, b in zip(row, right, strict=True)), Fraction(0))


def _negative(vector: Vector) -> Vector:
    return tuple(-value for value in vector)


def _monomial(exponents: Sequence[int], tokens: int, width: int) -> str:
    names = token_symbols(tokens, width)
    return " ".join(f"{name}^{e}" if e > 1 else name for name, e in zip(names, exponents, strict=True) if e)


def _shown(values: Sequence[Fraction]) -> str:
    return f"({', '.join(map(str, values))})"
