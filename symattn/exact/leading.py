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

These are Taylor coefficients. Layer 1 is homogeneous to leading order. From layer 2 on tokens are ``m + delta_a``, delta of positive
order, and the part of ``Cov_b(phi(s_ab), delta_b)`` that is linear in both contrasts comes from ``s_ab = s + delta_a^T T m + m^T T delta_b
+ delta_a^T T delta_b``; with ``E delta delta^T = C`` it is the one above, and likewise for the derivative along N.

The ``b_i`` multiply all columns of a layer by one nonzero number, the same on every input: they do not change the rank, so they are left
out, and irrational ones need no image in the field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import nmod_mat

from symattn.arithmetic.linear_algebra import pivot_columns, to_flint
from symattn.errors import HypothesisError, UndecidedError
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
    forms = [_input_forms(reduce.matrix(x), scores, instance.degrees, prime) for x in instance.bank]
    values = [
        [form.mean[j] if i == row % d else 0 for i in range(d) for j in range(d)] for form in forms for row in range(len(form.layers[0]))
    ]
    blocks = [_times([row for form in forms for row in form.layers[i]], reduce.matrix(span), prime) for i, span in enumerate(spans)]
    rows = [[entry for block in row for entry in block] for row in zip(values, *blocks, strict=True)]
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
    covariance = nmod_mat(contrast, p)
    for score, k in zip(scores[1:], degrees[1:], strict=True):
        form, covariance = _later_layer(mean, covariance, nmod_mat(score, p), k, p)
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


def _later_layer(mean: list[int], covariance: nmod_mat, score: nmod_mat, k: int, p: int) -> tuple[Field, nmod_mat]:
    """The leading derivative of a layer i >= 2 (d x d^2), and the covariance of the contrast that it hands on."""
    m = nmod_mat(len(mean), 1, mean, p)
    row = m.transpose()
    pulled = score.transpose() * m  # T^T m
    s = int((row * pulled)[0, 0])
    direct = k * pow(s, k - 1, p) % p
    through = k * (k - 1) * pow(s, k - 2, p) % p if k > 1 else 0
    image = covariance * pulled * through
    # In the direction N the derivative is G N^T m.
    G = [[int(entry) for entry in entries] for entries in (covariance * direct + image * row).tolist()]
    derivative = [[i * entry % p for i in mean for entry in entries] for entries in G]
    propagation = covariance * score.transpose() * direct + image * (score * m).transpose()  # A
    return derivative, propagation * covariance * propagation.transpose()


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
        if value.denominator == 1:
            return value.numerator % self.prime
        if value.denominator % self.prime == 0:
            raise UndecidedError(f"the number {value} has the prime {self.prime} in its denominator: take another prime")
        return value.numerator * pow(value.denominator, -1, self.prime) % self.prime

    def matrix(self, rows: RationalMatrix) -> Field:
        return [[self.number(entry) for entry in row] for row in rows]
