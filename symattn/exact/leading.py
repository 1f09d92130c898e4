"""Leading forms at the collapse: the divided frame at ``t = 0`` over a prime field, for every degree k (spec 03, 6.2).

By the order lemma (C.orders) the columns of layer i can be divided by a power of t that only depends on the degrees. What is
left at ``t = 0`` is given by closed leading forms, so its rank costs milliseconds at any depth. This route **uses** the order
lemma: it decides independence, it does not find the orders.

With tokens ``x_a``, ``T_i = U_i W_i^T``, ``phi_i = 1 + b_i s^k_i + ..``, mean ``m``, N a direction of ``T_i``, and up to factors ``b_i``:

* values: ``dL m``;
* layer 1: ``mean_a Cov_b(k s_ab^(k-1) x_a^T N x_b, x_b)`` with ``s_ab = x_a^T T x_b`` (every token apart if D = 1), and the leading
  contrast is that of ``q_a = Cov_b(s_ab^k, x_b)``, ``C = Cov_a(q_a)``;
* layer i >= 2, ``s = m^T T m``: ``k s^(k-2) [s C N^T m + (k-1) (m^T N m) C T^T m]``, then ``C <- A C A^T`` with
  ``A = k s^(k-2) C T^T [s I + (k-1) m m^T T^T]`` (for k = 1: ``C N^T m`` and ``A = C T^T``).

The ``b_i`` multiply all columns of a layer by one nonzero number, the same on every input: they do not change the rank, so they are left
out, and irrational ones need no image in the field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import nmod_mat

from symattn.errors import HypothesisError, UndecidedError
from symattn.exact.linear_algebra import pivot_columns, to_flint
from symattn.network.instance import Instance
from symattn.network.rational import RationalMatrix, transpose

__all__ = ["DividedFrame", "divided_frame"]

Field = list[list[int]]  # a matrix over Z/p, entries in [0, p)


@dataclass(frozen=True)
class DividedFrame:
    """The divided derivatives at ``t = 0`` on the bank, and whether they are independent (D.frame, paper (D.3)).

    ``rank`` is a lower bound over Q (exact modulo the prime); ``directions`` is the number of independent parameter directions,
    ``d^2`` for the readout and for each layer the dimension of its score directions ``dU W^T + U dW^T``.
    """

    rank: int
    directions: int
    layer_directions: tuple[int, ...]
    prime: int

    @property
    def is_independent(self) -> bool | None:
        """``True`` is proven; ``None`` means that independence was not seen modulo this prime."""
        return True if self.rank == self.directions else None


def divided_frame(instance: Instance, prime: int) -> DividedFrame:
    """The divided frame of the instance on its bank over ``Z/p``, from the leading forms.

    Raises :class:`HypothesisError` for values other than the identity (the leading forms are stated for them),
    :class:`UndecidedError` where the prime divides a denominator or the number of tokens.
    """
    if instance.tokens % prime == 0:
        raise UndecidedError(f"the prime {prime} divides the number of tokens {instance.tokens}: take another prime")
    if not instance.has_identity_values:
        raise HypothesisError("the leading forms are stated for identity values; use the p-adic method for other values")
    reduce = _Reducer(prime)
    scores = [reduce.matrix(layer.score) for layer in instance.layers]
    spans = [_directions(instance, i) for i in range(instance.depth)]
    d = instance.width
    rows: list[list[int]] = []
    for x in instance.bank:
        forms = _input_forms(reduce.matrix(x), scores, instance.degrees, prime)
        blocks = [_times(form, reduce.matrix(span), prime) for form, span in zip(forms.layers, spans, strict=True)]
        for row in range(len(forms.layers[0])):
            values = [0] * (d * d)
            values[(row % d) * d : (row % d + 1) * d] = forms.mean
            rows.append([*values, *(entry for block in blocks for entry in block[row])])
    layer_directions = tuple(len(span[0]) for span in spans)
    rank = int(nmod_mat(len(rows), len(rows[0]), [entry for row in rows for entry in row], prime).rank())
    return DividedFrame(rank, d * d + sum(layer_directions), layer_directions, prime)


@dataclass(frozen=True)
class _InputForms:
    mean: list[int]
    layers: list[Field]  # one (d or n d) x d^2 matrix per layer: directions N, row by row, to outputs


def _input_forms(x: Field, scores: Sequence[Field], degrees: Sequence[int], p: int) -> _InputForms:
    n, d = len(x), len(x[0])
    mean = [sum(token[j] for token in x) * pow(n, -1, p) % p for j in range(d)]
    per_token, contrast = _first_layer(x, mean, scores[0], degrees[0], p)
    if len(scores) == 1:
        return _InputForms(mean, [[row for form in per_token for row in form]])
    layers = [_mean_of(per_token, p)]
    covariance = contrast
    for score, k in zip(scores[1:], degrees[1:], strict=True):
        form, covariance = _later_layer(mean, covariance, score, k, p)
        layers.append(form)
    return _InputForms(mean, layers)


def _first_layer(x: Field, mean: list[int], score: Field, k: int, p: int) -> tuple[list[Field], Field]:
    """The leading derivative of layer 1 for every token (d x d^2 each), and the leading contrast covariance C_1."""
    n, d = len(x), len(x[0])
    inverse = pow(n, -1, p)
    per_token, contrasts = [], []
    for token in x:
        logits = [sum(token[i] * score[i][j] * other[j] for i in range(d) for j in range(d)) % p for other in x]
        derivative = [[0] * (d * d) for _ in range(d)]
        contrast = [0] * d
        for other, s in zip(x, logits, strict=True):
            centred = [(other[c] - mean[c]) * inverse % p for c in range(d)]  # Cov_b(f, x_b) = mean f (x_b - mean)
            factor = k * pow(s, k - 1, p)
            for c in range(d):
                contrast[c] += pow(s, k, p) * centred[c]
                for i in range(d):
                    for j in range(d):
                        derivative[c][i * d + j] += factor * token[i] * other[j] * centred[c]
        per_token.append([[entry % p for entry in row] for row in derivative])
        contrasts.append([entry % p for entry in contrast])
    centre = [sum(q[c] for q in contrasts) * inverse % p for c in range(d)]
    apart = [[(q[c] - centre[c]) % p for c in range(d)] for q in contrasts]
    covariance = [[sum(q[i] * q[j] for q in apart) * inverse % p for j in range(d)] for i in range(d)]
    return per_token, covariance


def _later_layer(mean: list[int], covariance: Field, score: Field, k: int, p: int) -> tuple[Field, Field]:
    """The leading derivative of a layer i >= 2 (d x d^2), and the covariance of the contrast that it hands on."""
    d = len(mean)
    pulled = [sum(score[i][j] * mean[i] for i in range(d)) % p for j in range(d)]  # T^T m
    s = sum(entry * m for entry, m in zip(pulled, mean, strict=True)) % p
    direct = k * pow(s, k - 1, p) % p
    through = k * (k - 1) * pow(s, k - 2, p) % p if k > 1 else 0
    image = [sum(covariance[c][j] * pulled[j] for j in range(d)) % p for c in range(d)]  # C T^T m
    derivative = [
        [(direct * covariance[c][j] * mean[i] + through * mean[i] * mean[j] * image[c]) % p for i in range(d) for j in range(d)]
        for c in range(d)
    ]
    # A = C T^T (direct I + through m m^T T^T): the contrast after the layer is A times the contrast before.
    across = [sum(score[j][e] * mean[e] for e in range(d)) % p for j in range(d)]  # T m
    inner = [[(direct * (i == j) + through * mean[i] * across[j]) % p for j in range(d)] for i in range(d)]
    transposed = [list(column) for column in zip(*score, strict=True)]
    propagation = _times(_times(covariance, transposed, p), inner, p)
    return derivative, _times(_times(propagation, covariance, p), [list(column) for column in zip(*propagation, strict=True)], p)


def _directions(instance: Instance, index: int) -> RationalMatrix:
    """A basis of the score directions ``dU W^T + U dW^T`` of one layer as the columns of a d^2 x g matrix, over Q."""
    layer, d = instance.layers[index], instance.width
    images = []
    for i in range(d):
        for column in zip(*layer.W, strict=True):
            images.append([column[b] if a == i else Fraction(0) for a in range(d) for b in range(d)])
        for column in zip(*layer.U, strict=True):
            images.append([column[a] if b == i else Fraction(0) for a in range(d) for b in range(d)])
    columns = transpose(tuple(tuple(image) for image in images))
    pivots = pivot_columns(to_flint(columns))
    return tuple(tuple(row[j] for j in pivots) for row in columns)


def _mean_of(forms: Sequence[Field], p: int) -> Field:
    inverse = pow(len(forms), -1, p)
    return [[sum(entries) * inverse % p for entries in zip(*rows, strict=True)] for rows in zip(*forms, strict=True)]


def _times(left: Field, right: Field, p: int) -> Field:
    product = nmod_mat(left, p) * nmod_mat(right, p)
    return [[int(entry) for entry in row] for row in product.tolist()]


@dataclass(frozen=True)
class _Reducer:
    """Rationals to ``Z/p``."""

    prime: int

    def number(self, value: Fraction) -> int:
        if value.denominator % self.prime == 0:
            raise UndecidedError(f"the number {value} has the prime {self.prime} in its denominator: take another prime")
        return value.numerator * pow(value.denominator, -1, self.prime) % self.prime

    def matrix(self, rows: RationalMatrix) -> Field:
        return [[self.number(entry) for entry in row] for row in rows]
