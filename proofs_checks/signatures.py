"""The signatures of a layer: how it moves the mean of a small cloud, how it changes the contrast, and their lowest parts.

Formulas only, for numbers of any kind: polynomials, rational functions, sympy expressions. ``q = m^T M m``, ``u = z^T M m``,
``v = m^T M z``, ``w = z^T M z``; ``slope`` is g(q) and ``slope_change`` is g'(q), with ``g = (log phi)'``.
"""

from __future__ import annotations

from typing import Any

__all__ = ["contrast_signature", "leading_contrast", "leading_mean", "leading_mean_derivative", "mean_signature", "next_amplitude"]

Number = Any


def mean_signature(slope: Number, v: Number) -> Number:
    """``H_M = g(q) v``: the mean moves by ``z mu_2 H_M`` (A.signatures, (13))."""
    return slope * v


def contrast_signature(slope: Number, slope_change: Number, u: Number, v: Number, w: Number) -> Number:
    """``K_M = g(q) w + g'(q) u v``: the contrast of token a becomes ``z mu_2 s_a K_M`` (A.signatures, (A.1))."""
    return slope * w + slope_change * u * v


def next_amplitude(amplitude: Number, second_moment: Number, signature: Number) -> Number:
    """``a_j = mu_2 a_(j-1)^3 K_(M_j)`` for contrasts ``a c_a`` with ``mu_2`` the mean of ``c_a^2``; (17) has ``mu_2 = 1`` (A.amplitude)."""
    return second_moment * amplitude * amplitude * amplitude * signature


def leading_mean(k: Number, q: Number, v: Number) -> Number:
    """``P_k(M) = q^(k-1) v``: the lowest part of ``H_M`` is ``b k P_k(M)`` (C.kernel-DP, C.2)."""
    return q ** (k - 1) * v


def leading_mean_derivative(k: Number, q: Number, v: Number, dq: Number, dv: Number) -> Number:
    """``D P_k(M)[T] = q^(k-1) m^T T z + (k-1) q^(k-2) (m^T T m) v`` with ``dv = m^T T z`` and ``dq = m^T T m`` (C.kernel-DP)."""
    return q ** (k - 1) * dv + ((k - 1) * q ** (k - 2) * dq * v if k != 1 else 0)


def leading_contrast(k: Number, b: Number, q: Number, u: Number, v: Number, w: Number) -> Number:
    """``kappa = b k (q^(k-1) w + (k-1) q^(k-2) u v)``, the lowest part of ``K_M`` in m (C.kappa, C.2)."""
    return b * k * (q ** (k - 1) * w + ((k - 1) * q ** (k - 2) * u * v if k != 1 else 0))
