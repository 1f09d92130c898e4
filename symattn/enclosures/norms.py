"""Norms of ball matrices, bounded from above, and inverses of triangular ones, at FLINT's working precision."""

from __future__ import annotations

from flint import arb, arb_mat

__all__ = ["entry_bounds", "frobenius_norm", "spectral_norm", "upper_inverse"]

_SQUARINGS = 10


def spectral_norm(matrix: arb_mat) -> arb:
    """An upper bound of the largest singular value, as an exact number; by less than ``log(n) / 2048`` of it too large for narrow entries.

    ``||A||^(2 m) <= trace((A^T A)^m)`` for ``m = 2^10``. Every squaring doubles the relative radii; where they are wide, the Frobenius norm
    is less.
    """
    power = matrix.transpose() * matrix
    for _ in range(_SQUARINGS):
        power = power * power
    bound, other = power.trace().root(2 << _SQUARINGS).upper(), frobenius_norm(matrix)
    return bound if bound < other else other


def frobenius_norm(matrix: arb_mat) -> arb:
    """An upper bound of the square root of the sum of all squares, as an exact number; the largest singular value is not larger."""
    return sum((size * size for size in entry_bounds(matrix).entries()), arb(0)).sqrt().upper()


def entry_bounds(matrix: arb_mat) -> arb_mat:
    """Upper bounds of the absolute values of the entries, as exact numbers."""
    return arb_mat(matrix.nrows(), matrix.ncols(), [abs(entry).upper() for entry in matrix.entries()])


def upper_inverse(matrix: arb_mat) -> arb_mat:
    """The inverse of an upper triangular matrix, every entry as narrow as its own size allows.

    FLINT's inverse bounds errors by norms, which drowns small entries of matrices whose columns differ by many orders of magnitude.
    """
    rows = matrix.tolist()
    size = len(rows)
    inverse = [[arb(0)] * size for _ in range(size)]
    for j in range(size):
        inverse[j][j] = 1 / rows[j][j]
        for i in range(j - 1, -1, -1):
            total = sum((rows[i][k] * inverse[k][j] for k in range(i + 1, j + 1)), arb(0))
            inverse[i][j] = -total / rows[i][i]
    return arb_mat(inverse)
