"""One piece of an interval of scales: the Gram matrix of the divided Jacobian compared with that of the centre of the piece.

Let ``G^T G = T^T Z(h) T`` with T upper triangular and ``Z(0) = 1`` at the centre, up to the remainder of the model. A column of a deep band
moves much along those of the shallow bands, which says little about singular values. So a block triangular N(h), a polynomial in h
with ``N(0) = 1``, clears the blocks of Z between bands up to ``h^q``. Then ``N^T Z N`` is close to 1, and the singular values of G D are
those of ``N^-1 T D`` up to a factor; there N acts through powers of t.

``D^-1 A D`` with a block upper triangular A is a matrix of polynomials in t. Its norm depends on ``|t|`` alone, as a factor of t of
absolute value 1 is undone by unitary diagonal matrices. Such a norm is subharmonic in t, so it does not decrease with ``|t|``, and the end
of a piece bounds it on the whole piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx

from symattn.arithmetic.balls import rational_ball
from symattn.enclosures.divided_gram import GramModel
from symattn.enclosures.norms import entry_bounds, frobenius_norm, spectral_norm, upper_inverse
from symattn.enclosures.singular_values import cholesky

__all__ = ["Piece", "piece_at"]

_MIXING = Fraction(1, 4)
"""Largest part of N in the singular values on a piece that is of use."""


@dataclass(frozen=True)
class Piece:
    """The comparison at one centre, in norms. ``orders`` are those of the columns, ascending; h is ``(u - center) / u0``.

    ``gram`` are bounds of the coefficients of ``N^T Z N - 1`` in h, the constant one from the remainder of the model; ``factor`` is T,
    ``clearing`` the matrices ``N_1 .. N_q``. ``precision`` are the bits of all computations.
    """

    precision: int
    orders: tuple[int, ...]
    factor: arb_mat
    clearing: tuple[arb_mat, ...]
    gram: tuple[arb, ...]

    def variation(self, half: Fraction) -> arb:
        """A bound of ``||N^T Z N - 1||`` for ``|h| <= half``, as an exact number."""
        with ctx.workprec(self.precision):
            return _value(self.gram, half)

    def cleared_variation(self, half: Fraction) -> arb:
        """The part of that bound that belongs to powers up to q: a larger q will not lower it."""
        with ctx.workprec(self.precision):
            return _value(self.gram[: len(self.clearing) + 1], half)

    def band_factors(self, half: Fraction, t: arb) -> list[tuple[arb, arb]] | None:
        """For each band, of order o, numbers c, C with ``c s^o <= sigma <= C s^o`` for its singular values of ``N^-1 T D(s)``.

        They hold for all ``0 < s <= t`` and ``|h| <= half``; D(s) is the diagonal matrix of the ``s^order``. ``None`` where N is large.
        With B the block diagonal of T, ``N^-1 T D = D B Y^-1 X`` for ``X = D^-1 B^-1 T D`` and ``Y = D^-1 B^-1 N B D``. The values of
        D B are known for each block, and the j-th largest of all of them is bounded by counting those of the bands before and after.
        """
        with ctx.workprec(self.precision):
            between = _between(self.factor, self.orders)
            block = self.factor - between
            inverse = upper_inverse(block)
            joined = identity(len(self.orders)) + _between(inverse * between, self.orders)
            moved = [frobenius_norm(self._weighted(inverse * matrix * block, t)) for matrix in self.clearing]
            y = _value([arb(0), *moved], half)
            if not y < rational_ball(_MIXING):
                return None
            above = spectral_norm(self._weighted(joined, t)) / (1 - y)
            below = spectral_norm(self._weighted(upper_inverse(joined), t)) * (1 + y)  # of the inverse
            extremes = []
            for order in sorted(set(self.orders)):
                places = [j for j, own in enumerate(self.orders) if own == order]
                extremes.append((order, 1 / spectral_norm(_part(inverse, places)), spectral_norm(_part(block, places))))
            found = []
            for order, *_ in extremes:
                least, largest = arb("inf"), arb(0)
                for other, low, high in extremes:
                    power = t ** (other - order)
                    least = least.min(low * power) if other <= order else least
                    largest = largest.max(high * power) if other >= order else largest
                found.append((least / below, largest * above))
            return found

    def _weighted(self, matrix: arb_mat, t: arb) -> arb_mat:
        """``D^-1 A D`` at t, for an A without blocks below the diagonal ones."""
        powers = [t**order for order in self.orders]
        rows = zip(matrix.tolist(), powers, self.orders, strict=True)
        return arb_mat(
            [
                [entry * b / a if order <= other else arb(0) for entry, b, other in zip(row, powers, self.orders, strict=True)]
                for row, a, order in rows
            ]
        )


def piece_at(model: GramModel, orders: tuple[int, ...], center: Fraction, cleared: int) -> Piece | None:
    """The comparison at this centre, with ``q = cleared``; ``None`` if the columns of G are not seen to be independent there."""
    with ctx.workprec(model.bits):
        terms = model.taylor(center)
        lower = cholesky(terms[0])
        if lower is None:
            return None
        factor = lower.transpose()
        change = upper_inverse(factor)
        z = [identity(len(orders)), *(change.transpose() * term * change for term in terms[1:])]
        clearing, products = [z[0]], [z[0]]
        for power in range(1, cleared + 1):
            products.append(_coefficient(z, clearing, power))
            between = _between(_transposed_coefficient(clearing, products, power), orders)
            # The midpoints are a choice: any N will do, and exact entries keep it one N.
            clearing.append(arb(-1) * between.mid())
            products[power] += clearing[power]
        n = [arb(1), *(frobenius_norm(matrix) for matrix in clearing[1:])]
        bounds = _product(_product(n, n), [arb(1), *(frobenius_norm(term) for term in z[1:])])
        bounds[0] = arb(0)
        for power in range(1, 2 * cleared + 1):
            if power > cleared:
                products.append(_coefficient(z, clearing, power))
            bounds[power] = spectral_norm(_transposed_coefficient(clearing, products, power))
        # What the model misses, entry by entry: N may be large between bands.
        sizes, n_sizes = entry_bounds(change), [entry_bounds(matrix) for matrix in clearing]
        missed = sizes.transpose() * model.remainder * sizes
        missed_products = [missed * matrix for matrix in n_sizes]
        for power in range(2 * cleared + 1):
            bounds[power] += frobenius_norm(_transposed_coefficient(n_sizes, missed_products, power))
        return Piece(model.bits, orders, factor, tuple(clearing[1:]), tuple(bound.upper() for bound in bounds))


def identity(size: int) -> arb_mat:
    """The identity matrix."""
    return arb_mat(size, size, 1)


def _coefficient(left: Sequence[arb_mat], right: Sequence[arb_mat], power: int) -> arb_mat:
    """The coefficient of ``h^power`` in the product of two polynomials."""
    size = left[0].nrows()
    pairs = ((power - k, k) for k in range(len(right)) if 0 <= power - k < len(left))
    return sum((left[j] * right[k] for j, k in pairs), arb_mat(size, size))


def _transposed_coefficient(left: Sequence[arb_mat], right: Sequence[arb_mat], power: int) -> arb_mat:
    """The same with the transpose of the first polynomial."""
    return _coefficient([matrix.transpose() for matrix in left], right, power)


def _between(matrix: arb_mat, orders: tuple[int, ...]) -> arb_mat:
    """The blocks above the diagonal ones: rows of a lower order than their column."""
    rows = zip(matrix.tolist(), orders, strict=True)
    return arb_mat([[entry if row < column else arb(0) for entry, column in zip(line, orders, strict=True)] for line, row in rows])


def _part(matrix: arb_mat, places: Sequence[int]) -> arb_mat:
    return arb_mat([[matrix[i, j] for j in places] for i in places])


def _product(left: Sequence[arb], right: Sequence[arb]) -> list[arb]:
    """The coefficients of the product of two polynomials."""
    result = [arb(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


def _value(coefficients: Sequence[arb], argument: Fraction) -> arb:
    """An upper bound of the value of a polynomial, as an exact number."""
    total, x = arb(0), rational_ball(argument)
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total.upper()
