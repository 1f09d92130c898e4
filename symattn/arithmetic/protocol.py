"""The contract of every number system in which a network is evaluated.

A number system (an *arithmetic*) makes matrices and applies normalizers to them; a matrix knows its own ring operations.
The layer, the stack and their derivatives (:mod:`symattn.network.attention`) are written once against this contract.

The variable ``u = t^2`` of the collapse path is the *uniformizer* of the local systems: a formal variable for power series,
the prime ``p`` itself at the p-adic point, 0 in a prime field. Scores must be divisible by it, so that normalizers converge.

:class:`LocalMatrix` adds what the local Smith form needs: valuations, residues modulo the uniformizer, and lifting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from fractions import Fraction

    from symattn.normalizers import Normalizer

__all__ = ["Arithmetic", "LocalArithmetic", "LocalMatrix", "Matrix"]


class Matrix(Protocol):
    """A matrix over the ring of an arithmetic. Immutable; all operations are exact in that ring."""

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        ...

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __matmul__(self, other: Self, /) -> Self: ...

    def transpose(self) -> Self:
        """The transpose."""
        ...

    def hadamard(self, other: Self, /) -> Self:
        """The entrywise product of two matrices of one shape."""
        ...

    def scale(self, factor: Fraction | int, /) -> Self:
        """Every entry times this rational."""
        ...

    def is_zero(self) -> bool:
        """Whether every entry is zero **in the ring**: to precision N in a truncated one."""
        ...

    def agrees_with(self, other: Self, /) -> bool:
        """Whether both have one shape and the same entries, in the ring."""
        ...


M = TypeVar("M", bound=Matrix)


class Arithmetic(Protocol[M]):
    """A number system: how to make its matrices, and how a normalizer acts on scores."""

    @property
    def name(self) -> str:
        """A short name for tables: for example ``Z/p^12, u = p``."""
        ...

    @property
    def proves(self) -> str:
        """What a result found in this system proves, in words."""
        ...

    def matrix(self, rows: Sequence[Sequence[Fraction | int]], /) -> M:
        """The matrix with these rational entries."""
        ...

    def constant(self, rows: int, columns: int, value: int, /) -> M:
        """The rows x columns matrix with every entry equal to this integer."""
        ...

    def shift(self, matrix: M, power: int, /) -> M:
        """The matrix times ``u^power``, ``power >= 0``."""
        ...

    def reciprocal(self, matrix: M, /) -> M:
        """The entrywise inverse; every entry must be a unit."""
        ...

    def normalize(self, normalizer: Normalizer, scores: Sequence[M], /) -> list[tuple[M, M]]:
        """``phi`` and ``phi'`` at every entry of every score matrix, both up to one common unit factor per row.

        Only ratios along a row enter attention (spec 01), so a system may centre the logits where ``log phi`` is a polynomial.
        """
        ...

    def assemble(self, rows: Sequence[Sequence[M]], /) -> M:
        """The matrix whose i-th row is the concatenation of the row-major entries of the matrices ``rows[i]``."""
        ...


class LocalMatrix(Matrix, Protocol):
    """A matrix over a truncated discrete valuation ring (uniformizer pi, precision N), as the Smith form needs it."""

    def take(self, rows: Sequence[int], columns: Sequence[int], /) -> Self:
        """The submatrix with these rows and columns, in this order."""
        ...

    def valuation(self) -> int | None:
        """The least valuation of an entry; ``None`` if every entry is zero to the precision of the ring."""
        ...

    def divide(self, valuation: int, /) -> Self:
        """The matrix over ``pi^valuation``, over the ring of accordingly lower precision; entries must be divisible."""
        ...

    def residue(self) -> Any:
        """The matrix modulo pi, as a FLINT matrix over the residue field (it has ``rref``, ``inv`` and ``transpose``)."""
        ...

    def lift(self, residue: Any, /) -> Self:
        """A matrix of this ring with the given residue."""
        ...

    def precision(self) -> int:
        """The precision N of the ring."""
        ...


class LocalArithmetic(Arithmetic[M], Protocol[M]):
    """An arithmetic whose ring is a truncated discrete valuation ring with uniformizer ``u``."""

    @property
    def precision(self) -> int:
        """The precision N: entries are known modulo ``u^N``."""
        ...
