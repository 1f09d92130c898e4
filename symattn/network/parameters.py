"""Parameters of a network: native weights, effective tuples, and the reduction from one to the other.

Matrices are the immutable rational matrices of :mod:`symattn.network.rational`: tuples of rows of ``Fraction``.
Layers are numbered from 1 in messages and from 0 in Python sequences.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symattn.errors import InputError
from symattn.network.rational import RationalMatrix, identity, multiply, shape, transpose
from symattn.normalizers import Normalizer

__all__ = ["EffectiveParameters", "NativeParameters", "Network", "reduce_native", "reduction_differential"]


@dataclass(frozen=True)
class NativeParameters:
    """Native weights ``theta = (Q_i, K_i, V_i)``: ``Q_i, K_i`` are d_{i-1} x r_i and ``V_i`` is d_i x d_{i-1}, over Q (spec 01).

    Widths may change from layer to layer; ``1 <= r_i <= d_{i-1}``. The space of native weights is linear, so a tangent vector
    ``(dQ_i, dK_i, dV_i)`` is a value of this class too. Raises :class:`InputError` for shapes that do not fit.
    """

    Q: tuple[RationalMatrix, ...]
    K: tuple[RationalMatrix, ...]
    V: tuple[RationalMatrix, ...]

    def __post_init__(self) -> None:
        if not self.Q:
            raise InputError("at least one layer is needed", where="Q")
        for name, matrices in (("K", self.K), ("V", self.V)):
            if len(matrices) != len(self.Q):
                raise InputError(f"as many matrices as in Q, {len(self.Q)}, were expected, not {len(matrices)}", where=name)
        width = len(self.Q[0])
        for number, (query, key, value) in enumerate(zip(self.Q, self.K, self.V, strict=True), start=1):
            rank = shape(query)[1]
            if not 1 <= rank <= width:
                raise InputError(f"a {width} x r matrix with 1 <= r <= {width} was expected, not {_size(query)}", where=f"Q[{number}]")
            _require_shape(query, (width, rank), f"Q[{number}]")
            _require_shape(key, (width, rank), f"K[{number}]")
            if not value:
                raise InputError(f"a d x {width} matrix with d >= 1 was expected, not {_size(value)}", where=f"V[{number}]")
            _require_shape(value, (len(value), width), f"V[{number}]")
            width = len(value)

    @property
    def depth(self) -> int:
        """The number of layers D."""
        return len(self.Q)

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths d_0 .. d_D; the first is the input width, the last the output width."""
        return (len(self.Q[0]), *(len(value) for value in self.V))

    @property
    def ranks(self) -> tuple[int, ...]:
        """The factor widths r_1 .. r_D."""
        return tuple(shape(query)[1] for query in self.Q)

    @property
    def entries(self) -> tuple[Fraction, ...]:
        """All native entries: layer by layer Q, K, V, each row by row (the column order of the native Jacobian)."""
        layers = zip(self.Q, self.K, self.V, strict=True)
        return tuple(entry for layer in layers for matrix in layer for row in matrix for entry in row)


@dataclass(frozen=True)
class EffectiveParameters:
    """An effective tuple ``eta = (L, M_1 .. M_D)``: ``L`` is p x d, every ``M_i`` is d x d, over Q (spec 01).

    Raises :class:`InputError` for shapes that do not fit.
    """

    L: RationalMatrix
    M: tuple[RationalMatrix, ...]

    def __post_init__(self) -> None:
        rows, width = shape(self.L)
        if width < 1:
            raise InputError("a matrix with at least one row and one column was expected", where="L")
        _require_shape(self.L, (rows, width), "L")
        if not self.M:
            raise InputError("at least one layer is needed", where="M")
        for number, score in enumerate(self.M, start=1):
            _require_shape(score, (width, width), f"M[{number}]")

    @property
    def depth(self) -> int:
        """The number of layers D."""
        return len(self.M)

    @property
    def width(self) -> int:
        """The input width d."""
        return shape(self.L)[1]

    @property
    def output_width(self) -> int:
        """The output width p."""
        return len(self.L)


@dataclass(frozen=True)
class Network:
    """A realized network: tokens n >= 2, one normalizer per layer, and its effective tuple.

    ``native`` holds native weights that reduce to the tuple, where they are known. ``source`` and ``exactness`` are as for
    :class:`symattn.network.instance.Instance`. Raises :class:`InputError` for counts that do not fit.
    """

    tokens: int
    normalizers: tuple[Normalizer, ...]
    parameters: EffectiveParameters
    native: NativeParameters | None = None
    source: str = "Python"
    exactness: str = "exact for the rational numbers given"

    def __post_init__(self) -> None:
        if self.tokens < 2:
            raise InputError(f"at least 2 tokens are needed, not {self.tokens}", where=f"{self.source}: tokens")
        if len(self.normalizers) != self.parameters.depth:
            raise InputError(
                f"{len(self.normalizers)} normalizers for {self.parameters.depth} layers; one per layer was expected",
                where=f"{self.source}: normalizers",
            )
        if self.native is not None and reduce_native(self.native) != self.parameters:
            raise InputError("the native weights do not reduce to the effective tuple", where=self.source)

    @property
    def depth(self) -> int:
        """The number of layers D."""
        return self.parameters.depth

    @property
    def width(self) -> int:
        """The input width d."""
        return self.parameters.width


def reduce_native(native: NativeParameters) -> EffectiveParameters:
    """The reduction map ``pi``: ``L = P_D`` and ``M_i = P_{i-1}^T Q_i K_i^T P_{i-1}`` with ``P_i = V_i .. V_1`` (spec 01; A.reduction).

    >>> from symattn.network.rational import rational_matrix
    >>> scalar = lambda value: rational_matrix([[value]])
    >>> reduce_native(NativeParameters(Q=(scalar(2), scalar(1)), K=(scalar(3), scalar(1)), V=(scalar(5), scalar(1)))).M
    (((Fraction(6, 1),),), ((Fraction(25, 1),),))
    """
    scores = []
    prefix = identity(native.widths[0])
    for query, key, value in zip(native.Q, native.K, native.V, strict=True):
        scores.append(multiply(multiply(transpose(prefix), query), transpose(multiply(transpose(prefix), key))))
        prefix = multiply(value, prefix)
    return EffectiveParameters(L=prefix, M=tuple(scores))


def reduction_differential(native: NativeParameters, direction: NativeParameters) -> tuple[RationalMatrix, tuple[RationalMatrix, ...]]:
    """``d pi`` at ``native`` in a direction ``(dQ_i, dK_i, dV_i)``: the pair ``dL`` (p x d) and ``(dM_1, .., dM_D)`` (d x d each), over Q.

    With ``A_i = Q_i K_i^T``: ``dM_i = P^T (dQ_i K_i^T + Q_i dK_i^T) P + dP^T A_i P + P^T A_i dP``, ``P = P_{i-1}`` (spec 01).
    Raises :class:`InputError` if the direction has other shapes than the weights.
    """
    if (native.widths, native.ranks) != (direction.widths, direction.ranks):
        raise InputError(
            f"widths {native.widths} and factor widths {native.ranks} were expected, not {direction.widths} and {direction.ranks}",
            where="direction",
        )
    score_changes = []
    width = native.widths[0]
    prefix = identity(width)
    prefix_change: RationalMatrix = tuple((Fraction(0),) * width for _ in range(width))
    for query, key, value, query_change, key_change, value_change in zip(
        native.Q, native.K, native.V, direction.Q, direction.K, direction.V, strict=True
    ):
        # M = q k^T with q = P^T Q and k = P^T K, so that the product rule is applied to two thin factors.
        q, k = multiply(transpose(prefix), query), multiply(transpose(prefix), key)
        dq = _add(multiply(transpose(prefix_change), query), multiply(transpose(prefix), query_change))
        dk = _add(multiply(transpose(prefix_change), key), multiply(transpose(prefix), key_change))
        score_changes.append(_add(multiply(dq, transpose(k)), multiply(q, transpose(dk))))
        prefix_change = _add(multiply(value_change, prefix), multiply(value, prefix_change))
        prefix = multiply(value, prefix)
    return prefix_change, tuple(score_changes)


def _add(left: RationalMatrix, right: RationalMatrix) -> RationalMatrix:
    return tuple(tuple(a + b for a, b in zip(*rows, strict=True)) for rows in zip(left, right, strict=True))


def _size(matrix: RationalMatrix) -> str:
    rows, columns = shape(matrix)
    return f"{rows} x {columns}"


def _require_shape(matrix: RationalMatrix, expected: tuple[int, int], where: str) -> None:
    if any(len(row) != len(matrix[0]) for row in matrix):
        raise InputError("the rows have different lengths", where=where)
    if shape(matrix) != expected:
        raise InputError(f"a {expected[0]} x {expected[1]} matrix was expected, not {_size(matrix)}", where=where)
