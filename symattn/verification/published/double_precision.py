"""Derivatives in double precision against the exact Jacobian in balls (spec 04, N2).

Automatic differentiation by jax where it is installed, else complex steps in numpy; both are optional.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from symattn.arithmetic.balls import Balls
from symattn.errors import InputError
from symattn.network.instance import Instance
from symattn.network.path import native_jacobian, output_cotangents

__all__ = ["automatic_jacobian", "double_precision_error", "double_precision_jacobian"]

_STEP = 1e-100
_PRECISION = 200


def double_precision_error(instance: Instance, t: Fraction) -> tuple[arb | None, str]:
    """The relative Frobenius error of a Jacobian in double precision at t, enclosed, and a note that says how it was had.

    ``None`` where neither jax nor numpy is installed. Softmax layers only, as in the published experiment.
    """
    for jacobian, note in (
        (automatic_jacobian, "double precision: automatic differentiation in jax"),
        (double_precision_jacobian, "double precision: complex steps in numpy"),
    ):
        try:
            return _relative_error(instance, t, jacobian(instance, t)), note
        except InputError:
            continue
    return None, "neither jax nor numpy is installed: derivatives in double precision were not compared"


def _relative_error(instance: Instance, t: Fraction, found: Any) -> arb:
    system = Balls(_PRECISION, t * t)
    jacobian = native_jacobian(system, instance, output_cotangents(system, instance, "all", 0))
    rows = jacobian.matrix.shape[0]
    with ctx.workprec(_PRECISION):
        scales = [arb(t.numerator) / t.denominator if weight else arb(1) for weight in jacobian.weights]
        error, norm = arb(0), arb(0)
        for j, scale in enumerate(scales):
            for i in range(rows):
                exact = jacobian.matrix[i, j] * scale
                error += (exact - arb(float(found[i][j]))) ** 2
                norm += exact**2
        return (error / norm).sqrt()


def automatic_jacobian(instance: Instance, t: Fraction) -> Any:
    """The native Jacobian at t by reverse-mode automatic differentiation in float64, an array of outputs x native entries.

    Softmax layers only. Raises :class:`InputError` if jax is missing. The precision that jax computes in is left as it was.
    """
    try:
        jax = importlib.import_module("jax")
    except ImportError:
        raise InputError("jax is needed: pip install jax", where="double precision") from None
    # Older versions of jax keep this elsewhere.
    home = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
    with home.enable_x64(True):
        bank = jax.numpy.array(_bank(instance))
        weights = [jax.numpy.array(matrix) for matrix in _weights(instance, t)]
        blocks = jax.jacrev(lambda at: _outputs(jax.numpy, bank, at).ravel())(weights)
        return jax.device_get(jax.numpy.concatenate([block.reshape(block.shape[0], -1) for block in blocks], axis=1))


def double_precision_jacobian(instance: Instance, t: Fraction) -> Any:
    """The native Jacobian at t by complex steps, a float64 array of outputs x native entries; every weight is the nearest double.

    Softmax layers only. Raises :class:`InputError` if numpy is missing.
    """
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        raise InputError("numpy is needed: pip install numpy", where="double precision") from None
    bank = numpy.array(_bank(instance))
    weights = [numpy.array(matrix, dtype=complex) for matrix in _weights(instance, t)]
    columns = []
    for matrix in weights:
        for place in numpy.ndindex(matrix.shape):
            matrix[place] += 1j * _STEP
            columns.append(_outputs(numpy, bank, weights).imag.ravel() / _STEP)
            matrix[place] = matrix[place].real
    return numpy.array(columns).T


def _bank(instance: Instance) -> list[list[list[float]]]:
    return [[[float(entry) for entry in row] for row in x] for x in instance.bank]


def _weights(instance: Instance, t: Fraction) -> list[list[list[float]]]:
    """Q, K, V of layer after layer."""
    return [
        [[float(scale * entry) for entry in row] for row in matrix]
        for layer in instance.layers
        for scale, matrix in ((t, layer.U), (t, layer.W), (Fraction(1), layer.V))
    ]


def _outputs(library: Any, bank: Any, weights: Sequence[Any]) -> Any:
    """The outputs of the softmax stack, in numpy or jax.numpy."""
    tokens = bank
    for q, k, v in zip(weights[0::3], weights[1::3], weights[2::3], strict=True):
        values = library.exp((tokens @ q) @ (tokens @ k).swapaxes(1, 2))
        tokens = (values / values.sum(axis=2, keepdims=True)) @ tokens @ v.T
    return tokens
