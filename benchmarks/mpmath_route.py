"""The published route to the positive singular values on the collapse path, in mpmath: the rival of the exact spectrum, and its oracle.

At one scale t: the analytic Jacobian of all outputs in all native entries, its restriction to an orthonormal basis of the complement of
the explicit kernel (gauge and interface directions, spec of the path: ``Q = t U``, ``K = t W``, ``V = I``), a QR decomposition, and the
eigenvalues of ``R^T R``. Softmax layers with identity values only, as in the published experiment. Nothing here uses symattn's
arithmetic or layers, so that an agreement is one of two independent programs.

Inner products go through ``fdot``, which rounds once per sum; matrices are lists of rows, which are quicker to read than
``mp.matrix``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath.ctx_mp import MPContext

from symattn.network.instance import Instance

Row = list[Any]
Rows = list[Row]


@dataclass(frozen=True)
class Spectrum:
    """The positive singular values in descending order, and the processor seconds that each stage took."""

    values: list[Any]
    seconds: dict[str, float]

    @property
    def total_seconds(self) -> float:
        """Processor seconds of all stages."""
        return sum(self.seconds.values())


def singular_values(instance: Instance, t: Fraction, digits: int = 120, own_routines: bool = False) -> Spectrum:
    """The positive singular values of the native Jacobian at scale t, with ``digits`` decimal digits, by QR and Gram eigenvalues.

    ``own_routines`` takes mpmath's matrix product and ``qr`` instead of the list-based ones below; the values are the same.
    """
    mp = MPContext()
    mp.dps = digits
    clock = _Clock()
    path = _Path(mp, instance, t)
    jacobian = [row for x in instance.bank for row in path.jacobian_rows(_numbers(mp, x))]
    clock.stop("Jacobian")
    basis = complement(mp, path.kernel())
    if own_routines:
        restricted = mp.matrix(jacobian) * mp.matrix(basis).T
        clock.stop("complement")
        _, triangle = mp.qr(restricted, mode="skinny")
        size = len(basis)
        gram = (triangle.T * triangle)[:size, :size]
    else:
        columns = [[mp.fdot(row, vector) for row in jacobian] for vector in basis]
        clock.stop("complement")
        _, triangle = householder(mp, columns)
        size = len(columns)
        gram = mp.matrix(size)
        for i in range(size):
            for j in range(i + 1):
                gram[i, j] = gram[j, i] = mp.fdot(triangle[i][: j + 1], triangle[j][: j + 1])
    clock.stop("QR")
    eigenvalues = mp.eigsy(gram, eigvals_only=True)
    clock.stop("eigenvalues")
    # Restriction to the complement keeps the Frobenius norm only if the explicit kernel is killed.
    norm = mp.fsum(mp.fdot(row, row) for row in jacobian)
    if abs(mp.fsum(eigenvalues) - norm) > norm * mp.mpf(10) ** (-digits // 2):
        raise AssertionError("the Jacobian does not kill the explicit kernel: one of the two is wrong")
    if min(eigenvalues) <= 0:
        raise SystemExit(f"{digits} digits are too few at t = {t}: the Gram matrix has an eigenvalue that is not positive")
    values = sorted((mp.sqrt(value) for value in eigenvalues), reverse=True)
    return Spectrum(values, clock.seconds)


def order_fits(large: Sequence[Any], small: Sequence[Any], scales: tuple[Fraction, Fraction]) -> list[float]:
    """The fitted orders from the singular values, in descending order, at the larger and at the smaller scale."""
    step = math.log(scales[0] / scales[1])
    return sorted(math.log(float(a / b)) / step for a, b in zip(large, small, strict=True))


def householder(mp: Any, columns: Sequence[Row]) -> tuple[list[tuple[Row, Any]], Rows]:
    """Householder reflections of a matrix given by its columns, and the columns of R, cut at the diagonal.

    Reflection k is ``(v, s)``: it sends x to ``x - s v (v . x)`` on the entries from the k-th on.
    """
    columns = [list(column) for column in columns]
    reflections = []
    for k, column in enumerate(columns):
        v = column[k:]
        norm = mp.sqrt(mp.fdot(v, v))
        v[0] += norm if v[0] >= 0 else -norm
        scale = 2 / mp.fdot(v, v)
        reflections.append((v, scale))
        for other in columns[k:]:
            _reflect(mp, v, scale, other, k)
    return reflections, [column[: k + 1] for k, column in enumerate(columns)]


def complement(mp: Any, vectors: Sequence[Row]) -> Rows:
    """An orthonormal basis of the orthogonal complement of independent vectors."""
    reflections, _ = householder(mp, vectors)
    basis = []
    for j in range(len(vectors), len(vectors[0])):
        vector = [mp.mpf(int(i == j)) for i in range(len(vectors[0]))]
        for k in reversed(range(len(reflections))):
            _reflect(mp, *reflections[k], vector, k)
        basis.append(vector)
    return basis


def _reflect(mp: Any, v: Row, scale: Any, vector: Row, start: int) -> None:
    factor = scale * mp.fdot(v, vector[start:])
    vector[start:] = [x - factor * y for x, y in zip(vector[start:], v, strict=True)]


class _Path:
    """The network at one scale: factors Q = t U and K = t W, scores M = Q K^T, identity values."""

    def __init__(self, mp: Any, instance: Instance, t: Fraction) -> None:
        if not instance.has_identity_values or any(x.log_polynomial != (Fraction(0), Fraction(1)) for x in instance.normalizers):
            raise SystemExit("the published route is written for softmax layers with identity values")
        self.mp = mp
        self.n, self.d = instance.tokens, instance.width
        self.factors = [tuple(_scaled(_numbers(mp, factor), _number(mp, t)) for factor in (layer.U, layer.W)) for layer in instance.layers]
        self.scores = [[[mp.fdot(q, k) for k in key] for q in query] for query, key in self.factors]

    def jacobian_rows(self, tokens: Rows) -> Rows:
        """The n d rows of one input: for every output its derivatives in Q, K, V of every layer, each row by row."""
        mp = self.mp
        layers = []
        for score in self.scores:
            layers.append(_Layer(mp, score, tokens))
            tokens = layers[-1].output
        size = self.n * self.d
        cotangents = [[mp.mpf(int(i == j)) for j in range(size)] for i in range(size)]
        blocks: list[Rows] = []
        for number in reversed(range(len(layers))):
            blocks.append([self._native_entries(layers[number], number, cotangent) for cotangent in cotangents])
            if number:
                token_columns = _transposed(layers[number].token_jacobian())
                cotangents = [[mp.fdot(cotangent, column) for column in token_columns] for cotangent in cotangents]
        return [[entry for block in reversed(blocks) for entry in block[i]] for i in range(size)]

    def _native_entries(self, layer: _Layer, number: int, cotangent: Row) -> Row:
        mp, d = self.mp, self.d
        own = [cotangent[a * d : (a + 1) * d] for a in range(self.n)]
        # dy_a = cov_a dM^T x_a, so the cotangent of M is sum_a x_a (cov_a^T g_a)^T.
        moved = _transposed([[mp.fdot(column, g) for column in columns] for columns, g in zip(layer.covariance_columns, own, strict=True)])
        score = [[mp.fdot(x, m) for m in moved] for x in layer.token_columns]
        query, key = self.factors[number]
        own_columns = _transposed(own)
        return [
            *(mp.fdot(row, column) for row in score for column in _transposed(key)),
            *(mp.fdot(row, column) for row in _transposed(score) for column in _transposed(query)),
            *(mp.fdot(g, y) for g in own_columns for y in layer.output_columns),
        ]

    def kernel(self) -> Rows:
        """Gauge and interface directions as native vectors: ``(dQ, dK) = (Q B, -K B^T)``; ``dV_j = H, dV_{j+1} = -H``,
        ``dQ_{j+1} = -H^T Q_{j+1}, dK_{j+1} = -H^T K_{j+1}`` (spec 01)."""
        mp, d = self.mp, self.d
        vectors = []
        for i, (query, key) in enumerate(self.factors):
            for a in range(len(query[0])):
                for b in range(len(query[0])):  # B is the unit matrix at (a, b)
                    changes = self._no_change()
                    for row in range(d):
                        changes[i]["Q"][row][b] = query[row][a]
                        changes[i]["K"][row][a] = -key[row][b]
                    vectors.append(_flattened(changes))
        for j in range(len(self.factors) - 1):
            query, key = self.factors[j + 1]
            for a in range(d):
                for b in range(d):  # H is the unit matrix at (a, b)
                    changes = self._no_change()
                    changes[j]["V"][a][b], changes[j + 1]["V"][a][b] = mp.one, -mp.one
                    changes[j + 1]["Q"][b] = [-entry for entry in query[a]]
                    changes[j + 1]["K"][b] = [-entry for entry in key[a]]
                    vectors.append(_flattened(changes))
        return vectors

    def _no_change(self) -> list[dict[str, Rows]]:
        def zero(columns: int) -> Rows:
            return [[self.mp.zero] * columns for _ in range(self.d)]

        return [{"Q": zero(len(query[0])), "K": zero(len(query[0])), "V": zero(self.d)} for query, _ in self.factors]


class _Layer:
    """One softmax layer at one input: its output, and what its derivative needs."""

    def __init__(self, mp: Any, score: Rows, tokens: Rows) -> None:
        self.mp = mp
        self.tokens = tokens
        self.token_columns = _transposed(tokens)
        self.keys = [[mp.fdot(row, x) for row in score] for x in tokens]  # M x_b
        self.queries = [[mp.fdot(column, x) for column in _transposed(score)] for x in tokens]  # M^T x_a
        exponentials = [[mp.exp(mp.fdot(x, key)) for key in self.keys] for x in tokens]
        self.weights = [[value / total for value in row] for row in exponentials for total in [mp.fsum(row)]]
        self.output = [[mp.fdot(row, column) for column in self.token_columns] for row in self.weights]
        self.output_columns = _transposed(self.output)
        self.differences = [[[p - q for p, q in zip(x, y, strict=True)] for x in tokens] for y in self.output]  # x_b - y_a
        self.covariance_columns = []
        for weights, differences in zip(self.weights, self.differences, strict=True):
            weighted = [[weight * value for weight, value in zip(weights, column, strict=True)] for column in _transposed(differences)]
            self.covariance_columns.append([[mp.fdot(row, column) for row in weighted] for column in self.token_columns])

    def token_jacobian(self) -> Rows:
        """``dy_a/dx_c = A_ac (1 + (x_c - y_a) (M^T x_a)^T) + [a = c] cov_a M^T``, as an n d x n d matrix."""
        n, d = len(self.tokens), len(self.tokens[0])
        rows = []
        for a in range(n):
            through_query = self._through_query(a)
            for i in range(d):
                row = []
                for c in range(n):
                    weight, difference = self.weights[a][c], self.differences[a][c][i]
                    block = [weight * difference * entry for entry in self.queries[a]]
                    block[i] += weight
                    if a == c:
                        block = [x + y for x, y in zip(block, through_query[i], strict=True)]
                    row += block
                rows.append(row)
        return rows

    def _through_query(self, a: int) -> Rows:
        """``cov_a M^T = sum_b A_ab (x_b - y_a) (M x_b)^T``."""
        weighted = [[weight * x for x in difference] for weight, difference in zip(self.weights[a], self.differences[a], strict=True)]
        return [[self.mp.fdot(column, key) for key in _transposed(self.keys)] for column in _transposed(weighted)]


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.process_time()

    def stop(self, stage: str) -> None:
        """Book the processor seconds since the last stop under this stage."""
        now = time.process_time()
        self.seconds[stage] = now - self._since
        self._since = now


def _number(mp: Any, value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def _numbers(mp: Any, matrix: Sequence[Sequence[Fraction]]) -> Rows:
    return [[_number(mp, entry) for entry in row] for row in matrix]


def _scaled(matrix: Rows, factor: Any) -> Rows:
    return [[factor * entry for entry in row] for row in matrix]


def _transposed(matrix: Sequence[Sequence[Any]]) -> Rows:
    return [list(column) for column in zip(*matrix, strict=True)]


def _flattened(changes: Sequence[dict[str, Rows]]) -> Row:
    return [entry for layer in changes for factor in "QKV" for row in layer[factor] for entry in row]
