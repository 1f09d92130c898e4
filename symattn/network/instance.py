"""An instance: the simultaneous query/key collapse path of a network, together with a bank of inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symattn.errors import InputError
from symattn.network.rational import RationalMatrix, identity, multiply, shape, transpose
from symattn.normalizers import Normalizer

__all__ = ["Instance", "PathLayer"]


@dataclass(frozen=True)
class PathLayer:
    """One layer of the path ``Q = t U, K = t W, V`` (spec 01; paper Section 5): ``U, W`` are d x r, ``V`` is d x d."""

    U: RationalMatrix
    W: RationalMatrix
    V: RationalMatrix

    @property
    def rank(self) -> int:
        """The factor width r (the number of columns of U and W)."""
        return shape(self.U)[1]

    @property
    def score(self) -> RationalMatrix:
        """``B = U W^T``, the d x d score matrix at ``t = 1``."""
        return multiply(self.U, transpose(self.W))


@dataclass(frozen=True)
class Instance:
    """A collapse path and a bank, validated once and immutable.

    ``tokens`` is n >= 2, ``width`` is d >= 1; every bank input is an n x d rational matrix whose **rows** are tokens.
    ``normalizers`` holds one normalizer per layer. ``bank`` may be empty only for an instance that still waits for one
    (see :meth:`with_bank`). ``exactness`` says in words for which numbers the results hold (for example
    "exact for the stored binary64 values"); ``source`` names the file or "Python".
    Raises :class:`InputError` for shapes that do not fit.
    """

    tokens: int
    width: int
    normalizers: tuple[Normalizer, ...]
    layers: tuple[PathLayer, ...]
    bank: tuple[RationalMatrix, ...] = ()
    source: str = "Python"
    exactness: str = "exact for the rational numbers given"
    bank_origin: str = "given"

    def __post_init__(self) -> None:
        n, d = self.tokens, self.width
        if n < 2:
            raise InputError(f"at least 2 tokens are needed, not {n}", where=f"{self.source}: tokens")
        if d < 1:
            raise InputError(f"the width must be at least 1, not {d}", where=f"{self.source}: width")
        if not self.layers:
            raise InputError("at least one layer is needed", where=f"{self.source}: layers")
        if len(self.normalizers) != len(self.layers):
            raise InputError(
                f"{len(self.normalizers)} normalizers for {len(self.layers)} layers; one per layer was expected",
                where=f"{self.source}: normalizers",
            )
        for number, layer in enumerate(self.layers, start=1):
            where = f"{self.source}: layers[{number}]"
            for name, matrix in (("U", layer.U), ("W", layer.W), ("V", layer.V)):
                if any(len(row) != len(matrix[0]) for row in matrix):
                    raise InputError("the rows have different lengths", where=f"{where}.{name}")
            rows, r = shape(layer.U)
            if rows != d or not 1 <= r <= d:
                raise InputError(f"a {d} x r matrix with 1 <= r <= {d} was expected, not {rows} x {r}", where=f"{where}.U")
            for name, matrix, expected in (("W", layer.W, (d, r)), ("V", layer.V, (d, d))):
                if shape(matrix) != expected:
                    found = " x ".join(map(str, shape(matrix)))
                    raise InputError(f"a {expected[0]} x {expected[1]} matrix was expected, not {found}", where=f"{where}.{name}")
        for number, x in enumerate(self.bank, start=1):
            if len(x) != n or any(len(row) != d for row in x):
                raise InputError(f"an input of {n} tokens (rows) of width {d} was expected", where=f"{self.source}: bank[{number}]")

    @property
    def depth(self) -> int:
        """The number of layers D."""
        return len(self.layers)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The factor widths r_1 .. r_D."""
        return tuple(layer.rank for layer in self.layers)

    @property
    def degrees(self) -> tuple[int, ...]:
        """The first nonconstant degrees k_1 .. k_D of the normalizers."""
        return tuple(normalizer.k for normalizer in self.normalizers)

    @property
    def parameter_count(self) -> int:
        """The number of native entries, ``D d^2 + 2 d sum r_i``: the columns of the Jacobian."""
        return self.depth * self.width**2 + 2 * self.width * sum(self.ranks)

    @property
    def output_count(self) -> int:
        """The number of observed outputs, ``m n d`` for a bank of m inputs: the rows of the Jacobian."""
        return len(self.bank) * self.tokens * self.width

    @property
    def has_identity_values(self) -> bool:
        """Whether every value matrix is the identity, as the path of Theorem 4 has it."""
        return all(layer.V == identity(self.width) for layer in self.layers)

    def with_bank(self, bank: tuple[RationalMatrix, ...], origin: str = "given") -> Instance:
        """The same path observed on another bank."""
        return replace(self, bank=bank, bank_origin=origin)
