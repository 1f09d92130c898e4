"""Symbolic networks for the checks: native weights whose entries are symbols, and layers with unknown normalizers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from symattn.arithmetic import SymbolicField, SymbolicMatrix, UndefinedNormalizer
from symattn.arithmetic.polynomial_series import GenericNormalizer
from symattn.arithmetic.protocol import Arithmetic, Matrix
from symattn.network.attention import Layer
from symattn.network.parameters import NativeParameters
from symattn.normalizers import Normalizer

__all__ = ["adjugate_inverse", "matrix_rows", "native_symbols", "unit_matrix", "unknown_layer"]

M = TypeVar("M", bound=Matrix)


def unknown_layer(normalizer: UndefinedNormalizer | GenericNormalizer, score: M, value: M) -> Layer[M]:
    """A layer with an undefined or generic normalizer, which only the symbolic number systems can evaluate."""
    return Layer(cast(Normalizer, normalizer), score, value)


def native_symbols(field: SymbolicField, width: int, ranks: Sequence[int], values: Sequence[Any] | None = None) -> NativeParameters:
    """Native weights of constant width: matrices of symbols; ``values`` replaces the value matrices by given rows."""
    layers = range(1, len(ranks) + 1)
    weights: Any = {
        "Q": tuple(matrix_rows(field.symbols(f"Q{i}", width, r)) for i, r in zip(layers, ranks, strict=True)),
        "K": tuple(matrix_rows(field.symbols(f"K{i}", width, r)) for i, r in zip(layers, ranks, strict=True)),
        "V": tuple(values) if values is not None else tuple(matrix_rows(field.symbols(f"V{i}", width, width)) for i in layers),
    }
    return NativeParameters(**weights)


def matrix_rows(matrix: SymbolicMatrix) -> Any:
    """The rows of a symbolic matrix, in the place of a rational matrix: the reduction only adds and multiplies entries."""
    rows, columns = matrix.shape
    return tuple(tuple(matrix[i, j] for j in range(columns)) for i in range(rows))


def unit_matrix(arithmetic: Arithmetic[M], size: int) -> M:
    """The identity matrix, in any number system."""
    return arithmetic.matrix([[int(i == j) for j in range(size)] for i in range(size)])


def adjugate_inverse(matrix: SymbolicMatrix) -> SymbolicMatrix:
    """The inverse of a matrix of size 1 or 2, by Cramer's rule."""
    if matrix.shape == (1, 1):
        entry = matrix[0, 0]
        return SymbolicMatrix([[entry / (entry * entry)]])
    (a, b), (c, d) = matrix_rows(matrix)
    determinant = a * d - b * c
    return SymbolicMatrix([[d / determinant, -b / determinant], [-c / determinant, a / determinant]])
