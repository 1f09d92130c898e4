"""Derivatives in double precision by complex steps, against the exact Jacobian in balls; numpy is optional (spec 04, N2)."""

from __future__ import annotations

import importlib
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from symattn.arithmetic.balls import Balls
from symattn.errors import InputError
from symattn.network.instance import Instance
from symattn.network.path import native_jacobian, output_cotangents

__all__ = ["double_precision_error", "double_precision_jacobian"]

_STEP = 1e-100
_PRECISION = 200


def double_precision_error(instance: Instance, t: Fraction) -> tuple[arb | None, str]:
    """The relative Frobenius error of the complex-step Jacobian at t, enclosed, and a note; ``None`` where numpy is not installed.

    Softmax layers only, as in the published experiment.
    """
    try:
        columns = double_precision_jacobian(instance, t).T
    except InputError:
        return None, "numpy is not installed: derivatives in double precision were not compared"
    system = Balls(_PRECISION, t * t)
    jacobian = native_jacobian(system, instance, output_cotangents(system, instance, "all", 0))
    rows = jacobian.matrix.shape[0]
    with ctx.workprec(_PRECISION):
        scales = [arb(t.numerator) / t.denominator if weight else arb(1) for weight in jacobian.weights]
        error, norm = arb(0), arb(0)
        for j, scale in enumerate(scales):
            for i in range(rows):
                exact = jacobian.matrix[i, j] * scale
                error += (exact - arb(float(columns[j][i]))) ** 2
                norm += exact**2
        return (error / norm).sqrt(), "double precision: complex steps in numpy"


def double_precision_jacobian(instance: Instance, t: Fraction) -> Any:
    """The native Jacobian at t by complex steps, a float64 array of outputs x native entries; every weight is the nearest double.

    Softmax layers only. Raises :class:`InputError` if numpy is missing.
    """
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        raise InputError("numpy is needed: pip install numpy", where="double precision") from None
    bank = numpy.array([[[float(entry) for entry in row] for row in x] for x in instance.bank])
    weights = [
        numpy.array([[float(scale * entry) for entry in row] for row in matrix], dtype=complex)
        for layer in instance.layers
        for scale, matrix in ((t, layer.U), (t, layer.W), (Fraction(1), layer.V))
    ]
    columns = []
    for matrix in weights:
        for place in numpy.ndindex(matrix.shape):
            matrix[place] += 1j * _STEP
            tokens = bank
            for q, k, v in zip(weights[0::3], weights[1::3], weights[2::3], strict=True):
                values = numpy.exp((tokens @ q) @ (tokens @ k).swapaxes(1, 2))
                tokens = (values / values.sum(axis=2, keepdims=True)) @ tokens @ v.T
            columns.append(tokens.imag.ravel() / _STEP)
            matrix[place] = matrix[place].real
    return numpy.array(columns).T
