"""One layer of normalized attention, the stack, and their first derivatives, for every number system (spec 01).

Everything here is written against :class:`symattn.arithmetic.protocol.Arithmetic`. Rows are tokens. A layer is given by its
normalizer, its d x d score matrix ``M`` and its value matrix ``V``; it sends the n x d tokens ``X`` to ``A X V^T`` with
``A_ab = phi(s_ab) / sum_c phi(s_ac)`` and ``s = X M X^T``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from symattn.arithmetic.protocol import Arithmetic, Matrix
from symattn.normalizers import Normalizer

__all__ = ["Layer", "LayerTrace", "evaluate", "pull_back", "pull_back_stack", "score_covariances", "trace_layer", "trace_stack"]

M = TypeVar("M", bound=Matrix)


@dataclass(frozen=True)
class Layer(Generic[M]):
    """One layer: its normalizer, its score matrix M (d x d) and its value matrix V (d_out x d)."""

    normalizer: Normalizer
    score: M
    value: M


@dataclass(frozen=True)
class LayerTrace(Generic[M]):
    """What one layer did with one input, kept for the backward pass.

    ``tokens`` is X (n x d); ``weights`` is A and ``slopes`` is ``phi'(s_ab) / sum_c phi(s_ac)`` (both n x n);
    ``averages`` is ``A X`` (n x d), before the value matrix.
    """

    layer: Layer[M]
    tokens: M
    weights: M
    slopes: M
    averages: M

    @property
    def output(self) -> M:
        """The n x d_out output tokens."""
        return self.averages @ self.layer.value.transpose()


def trace_layer(arithmetic: Arithmetic[M], layer: Layer[M], inputs: Sequence[M]) -> list[LayerTrace[M]]:
    """One layer on every input; the normalizer sees all scores at once, so that a number system can share work."""
    scores = [tokens @ layer.score @ tokens.transpose() for tokens in inputs]
    traces = []
    for tokens, (values, slopes) in zip(inputs, arithmetic.normalize(layer.normalizer, scores), strict=True):
        n = values.shape[0]
        # One inverse per row, repeated along the row.
        inverse_sums = arithmetic.reciprocal(values @ arithmetic.constant(n, 1, 1)) @ arithmetic.constant(1, n, 1)
        weights = values.hadamard(inverse_sums)
        traces.append(LayerTrace(layer, tokens, weights, slopes.hadamard(inverse_sums), weights @ tokens))
    return traces


def trace_stack(arithmetic: Arithmetic[M], layers: Sequence[Layer[M]], inputs: Sequence[M]) -> list[list[LayerTrace[M]]]:
    """The stack on every input: ``result[i][j]`` is what layer i (from 0) did with input j."""
    traces: list[list[LayerTrace[M]]] = []
    tokens = list(inputs)
    for layer in layers:
        traces.append(trace_layer(arithmetic, layer, tokens))
        tokens = [trace.output for trace in traces[-1]]
    return traces


def evaluate(arithmetic: Arithmetic[M], layers: Sequence[Layer[M]], inputs: Sequence[M]) -> list[M]:
    """The n x d_out outputs of the stack on every input."""
    return [trace.output for trace in trace_stack(arithmetic, layers, inputs)[-1]]


def pull_back(arithmetic: Arithmetic[M], trace: LayerTrace[M], cotangent: M) -> tuple[M, M, M]:
    """The transpose of a layer's derivative, applied to an n x d_out cotangent.

    Returns the cotangents of the tokens (n x d), of the score matrix (d x d) and of the value matrix (d_out x d):
    with ``dy_a = V (sum_b A_ab dx_b + sum_b A'_ab (x_b - y_a) ds_ab)``, ``A'_ab`` the slope weights and
    ``ds_ab = dx_a^T M x_b + x_a^T dM x_b + x_a^T M dx_b`` (spec 01, "One layer, first derivative").
    """
    tokens, layer = trace.tokens, trace.layer
    inner = cotangent @ layer.value
    pairings = inner @ tokens.transpose()
    ones = arithmetic.constant(pairings.shape[1], pairings.shape[1], 1)
    means = trace.weights.hadamard(pairings) @ ones
    score_cotangent = trace.slopes.hadamard(pairings - means)
    queries = score_cotangent @ tokens
    keys = score_cotangent.transpose() @ tokens
    token_cotangent = trace.weights.transpose() @ inner + queries @ layer.score.transpose() + keys @ layer.score
    return token_cotangent, tokens.transpose() @ queries, cotangent.transpose() @ trace.averages


def pull_back_stack(arithmetic: Arithmetic[M], traces: Sequence[LayerTrace[M]], cotangent: M) -> list[tuple[M, M]]:
    """Cotangents of (score, value) of every layer, first layer first, for one input and one output cotangent."""
    cotangents: list[tuple[M, M]] = []
    for trace in reversed(traces):
        cotangent, score, value = pull_back(arithmetic, trace, cotangent)
        cotangents.append((score, value))
    return cotangents[::-1]


def score_covariances(arithmetic: Arithmetic[M], trace: LayerTrace[M]) -> list[M]:
    """``cov_a = sum_b A'_ab (x_b - y_a) x_b^T`` for every token a, the layer's whole derivative in its score (spec 01).

    The effect of ``dM`` alone is ``dy_a = V cov_a dM^T x_a``. Returns d matrices of size n x d: row a of the c-th is row c of
    ``cov_a``.
    """
    tokens = trace.tokens
    n, d = tokens.shape
    covariances = []
    for c in range(d):
        repeat = arithmetic.matrix([[int(i == c)] * n for i in range(d)])  # X -> coordinate c of every token, n times over
        differences = (tokens @ repeat).transpose() - trace.averages @ repeat
        covariances.append(trace.slopes.hadamard(differences) @ tokens)
    return covariances
