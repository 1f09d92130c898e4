"""Peeling one layer: its score from probes, exactly over Q (T1, C.rational-inverse; Theorem 1, (C.4)).

The lowest coefficient of a probe at m along z is ``k b q^(k-1) (m^T M z)`` with ``q = m^T M m``. At ``z = m`` this is ``k b q^k``, whose
k-th root gives q, and then ``m^T M z`` follows for every z. For even k the root leaves one sign per layer; all coefficients of the
probe at ``z = m`` decide it, up to the first odd degree of ``log phi``, where the two signs differ first.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from symattn.arithmetic.linear_algebra import rank, solve
from symattn.errors import HypothesisError, NotRealizableError, UndecidedError
from symattn.exact.probes import KnownLayers, Vector, shown_vector
from symattn.exact.rational_series import exact_root
from symattn.network.jets import JetTooShortError
from symattn.network.rational import RationalMatrix, identity, transpose

__all__ = ["Peeled", "peel"]

_ATTEMPTS = 40


@dataclass(frozen=True)
class Peeled:
    """A score as it was read. ``degree`` is the highest degree of a coefficient that was needed.

    ``is_free``: both signs of the score realize the germ. ``needed``: the degree that would decide the sign, ``None`` if nothing is open.
    """

    score: RationalMatrix
    degree: int
    is_free: bool = False
    needed: int | None = None


def peel(known: KnownLayers) -> Peeled:
    """The score of the layer after the known ones.

    Raises :class:`NotRealizableError` for a contradiction, :class:`JetTooShortError` naming the degree needed,
    :class:`HypothesisError` for a layer that the steps of the proof cannot see, and :class:`UndecidedError` for a normalizer with
    irrational coefficients or of undecided parity.
    """
    return _Peeling(known).run()


class _Peeling:
    def __init__(self, known: KnownLayers) -> None:
        self.known = known
        self.phi = known.normalizers[known.number - 1]
        self.degree = 1
        self.shortfall: int | None = None  # the least degree that was asked for and not there
        b = self.phi.coefficient
        if not isinstance(b, Fraction):
            raise UndecidedError(f"the normalizer of layer {known.number} has irrational coefficients ({b}); recovery works over Q")
        self.leading = self.phi.k * b

    def run(self) -> Peeled:
        score = self._score_up_to_sign()
        return self._signed(score) if self.phi.k % 2 == 0 else Peeled(score, self.degree)

    def _lowest(self, m: Vector, z: Vector) -> Fraction | None:
        """``q^(k-1) (m^T M z)``, or ``None`` if it cannot be read here."""
        reading, k = self.known.read(m, z), self.phi.k
        if reading is None:
            return None
        stray = next((j for j, value in enumerate(reading.values[:k]) if value), None)
        if stray is not None:
            raise self._contradiction(reading.degree(stray), f"a coefficient at m = {shown_vector(m)}, z = {shown_vector(z)} must vanish")
        degree = reading.degree(k)
        if degree > self.known.germ.order:
            self.shortfall = degree if self.shortfall is None else min(self.shortfall, degree)
            return None
        self.degree = max(self.degree, degree)
        return reading.values[k] / self.leading

    def _score_up_to_sign(self) -> RationalMatrix:
        """M from the images ``m^T M`` of d independent points; for even k all share one unknown sign."""
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
            if len(points) == self.known.width:
                columns = [solve(points, [image[c] for image in images]) for c in range(self.known.width)]
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
                raise self._contradiction(self.degree, f"(m^T M m)^{k} = {power} at m = {shown_vector(m)} has no rational root")
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
                if len(directions) == self.known.width:
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

    def _signed(self, score: RationalMatrix) -> Peeled:
        """Decide the sign of a score for even k by all coefficients of one probe up to the first odd degree of log phi."""
        if self.phi.is_even:
            return Peeled(score, self.degree, is_free=True)
        odd, number = self.phi.first_odd_degree, self.known.number
        if odd is None:
            raise UndecidedError(f"layer {number}: whether the normalizer is even is undecided, so its sign cannot be called free")
        for m in self._vectors():
            reading, q = self.known.read(m, m), _quadratic(score, m)
            if reading is None or not q:
                continue
            if reading.degree(odd) > self.known.germ.order:
                return Peeled(score, self.degree, needed=reading.degree(odd))
            self.degree = max(self.degree, reading.degree(odd))
            logarithm = [Fraction(int(c.p), int(c.q)) for c in self.phi.log_coefficients(odd + 1)]
            seen = reading.values[: odd + 1]
            for sign in (1, -1):
                if seen == [j * coefficient * (sign * q) ** j for j, coefficient in enumerate(logarithm)]:
                    return Peeled(score if sign == 1 else tuple(_negative(row) for row in score), self.degree)
            raise self._contradiction(reading.degree(odd), f"neither sign of the score fits at m = {shown_vector(m)}")
        raise self._failure()

    def _vectors(self) -> Iterator[Vector]:
        """Unit vectors first, then drawn integer vectors: finitely many, the same at every call."""
        yield from identity(self.known.width)
        source = random.Random(self.known.number)
        for _ in range(_ATTEMPTS):
            yield tuple(Fraction(source.choice([-3, -2, -1, 1, 2, 3])) for _ in range(self.known.width))

    def _failure(self) -> JetTooShortError | HypothesisError:
        number, order = self.known.number, self.known.germ.order
        for layer, score in enumerate(self.known.scores, start=1):
            if all(a == -b for row, column in zip(score, transpose(score), strict=True) for a, b in zip(row, column, strict=True)):
                kind = "skew" if any(any(row) for row in score) else "zero"
                return HypothesisError(
                    f"the score of layer {layer} is {kind}: the tuple is not regular, collinear tokens do not show "
                    f"layer {number}, and its score is left undecided"
                )
        needed = self.shortfall or self._needed_degree()
        if needed is not None:
            return JetTooShortError(
                f"the score of layer {number} needs a jet of degree {needed}; this one has degree {order}", layer=number, degree=needed
            )
        return HypothesisError(
            f"layer {number} cannot be peeled: its score has no symmetric part as far as is seen, so the tuple is not regular and the "
            "steps of Theorem 1 do not apply"
        )

    def _needed_degree(self) -> int | None:
        """The degree at which the layer would be read, where the contrast before it is not seen within the order of the germ."""
        for m in self._vectors():
            if self.known.read(m, m) is None:
                # Each layer less than triples the order of the contrast relative to the degree at which it was read itself.
                shift = self.known.contrast_order(m, m, 2 * self.known.germ.order + 2)
                if shift is not None and (needed := 2 * (shift + self.phi.k) + 1) > self.known.germ.order:
                    return needed
        return None

    def _contradiction(self, degree: int, what: str) -> NotRealizableError:
        return NotRealizableError(f"not realizable: at layer {self.known.number}, degree {degree}: {what}")


def _quadratic(score: RationalMatrix, m: Vector) -> Fraction:
    return sum((a * entry * b for a, row in zip(m, score, strict=True) for entry, b in zip(row, m, strict=True)), Fraction(0))


def _negative(vector: Vector) -> Vector:
    return tuple(-value for value in vector)
