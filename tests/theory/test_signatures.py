"""Signatures: their identities at sizes 1 to 3, mutations that make each fail, and the exact expansions that they summarize."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from symattn.errors import InputError
from symattn.exact.expansion import expand
from symattn.network.symbolic_files import symbolic_from_dict
from symattn.theory.signatures import (
    Identity,
    Signatures,
    amplitudes,
    isolation_coefficients,
    signature_identities,
    symbolic_signatures,
)

NAMES = [identity.name for identity in signature_identities(1)]


@pytest.mark.parametrize("degree", [None, 1, 2, 3, 5])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_identities(width: int, degree: int | None) -> None:
    for identity in signature_identities(width, degree):
        assert identity.holds(), identity.name


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("position", range(len(NAMES)), ids=NAMES)
def test_a_mutated_identity_fails(width: int, position: int) -> None:
    identity = signature_identities(width)[position]
    assert not replace(identity, right=2 * identity.right).holds()
    assert not replace(identity, left=identity.left + identity.scale).holds()
    assert not replace(identity, right=identity.right * sympy.Symbol("q")).holds()


def test_kappa_and_mean_form_mutations() -> None:
    """A wrong factor in kappa, and P_k with a wrong power, are noticed."""
    signatures, _ = symbolic_signatures(2)
    k, b, q = sympy.symbols("k b q")
    along = (signatures.z.T * signatures.M * signatures.z)[0, 0]
    mixed = (signatures.z.T * signatures.M * signatures.m)[0, 0] * signatures.mean_pairing
    wrong = b * k * (q ** (k - 1) * along + k * q ** (k - 2) * mixed)
    assert not Identity("", "", signatures.contrast_form(k, b), wrong, signatures.quadratic, q ** (k - 2)).holds()
    assert not Identity("", "", signatures.mean_form(k), q**k * signatures.mean_pairing, signatures.quadratic, q ** (k - 2)).holds()


def test_what_is_no_polynomial_is_not_decided() -> None:
    x = sympy.Symbol("x")
    with pytest.raises(InputError, match="no polynomials"):
        Identity("roots", "", sympy.sqrt(x), x, x).holds()


def test_an_identity_of_numbers() -> None:
    assert Identity("", "", sympy.Integer(2), sympy.Integer(2), sympy.Integer(0)).holds()
    assert not Identity("", "", sympy.Integer(2), sympy.Integer(3), sympy.Integer(0)).holds()


@pytest.mark.parametrize("width", [0, 9, True])
def test_sizes_are_checked(width: int) -> None:
    with pytest.raises(InputError, match="width: an integer from 1 to 8"):
        symbolic_signatures(width)
    with pytest.raises(InputError, match="contrast_signatures: 1"):
        isolation_coefficients([1, 2], [1, 2])


def expansion_of(layers: int, width: int, order: int) -> tuple[object, Signatures]:
    """Two tokens ``m +- eps z`` through layers with generic normalizers and general scores, and the signatures of the first."""
    entries = range(1, width + 1)
    score = [[f"M{i}_{j}" for j in entries] for i in entries]
    unit = [[int(i == j) for j in entries] for i in entries]
    bank = [[[f"m{j} + {sign}z{j}" for j in entries] for sign in ("", "-1*")]]
    data = {"symattn": 1, "tokens": 2, "width": width, "normalizers": [{"generic": 1}] * layers, "bank": bank}
    stack = symbolic_from_dict(data | {"layers": [{"U": score, "W": unit}] * layers})
    return expand(stack, order, "eps"), symbolic_signatures(width)[0]


@pytest.mark.parametrize("width", [1, 2])
def test_the_expansion_of_one_layer_has_these_signatures(width: int) -> None:
    """``h1_1 = g(q)`` and ``2 h1_2 = g'(q)``: mean ``eps^2 H z``, contrast ``eps^3 K z``; nothing in between."""
    expansion, signatures = expansion_of(1, width, 3)
    slope, second = sympy.symbols("h1_1 h1_2")
    layer = expansion.layers[0]  # type: ignore[attr-defined]
    eps = sympy.Symbol("eps")
    for j in range(width):
        z, m = signatures.z[j, 0], signatures.m[j, 0]
        assert sympy.expand(layer.mean[j].expression() - m - eps**2 * signatures.mean(slope) * z) == 0
        assert sympy.expand(layer.contrast[0][j].expression() - eps**3 * signatures.contrast(slope, 2 * second) * z) == 0
        assert sympy.expand(layer.contrast[0][j].expression() - eps**3 * signatures.contrast(slope, second) * z) != 0


def test_two_layers_have_the_amplitudes_and_the_isolated_coefficients() -> None:
    expansion, signatures = expansion_of(2, 1, 9)
    h = sympy.symbols("h1_1 h1_2 h2_1 h2_2")
    means = [signatures.mean(h[0]), signatures.mean(h[2])]
    contrasts = [signatures.contrast(h[0], 2 * h[1]), signatures.contrast(h[2], 2 * h[3])]
    first, second = expansion.layers  # type: ignore[attr-defined]
    eps, z = sympy.symbols("eps z1")
    a = amplitudes(contrasts)
    assert sympy.expand(second.contrast[0][0].expression() - eps**9 * a[2] * z) == 0
    moved = sympy.expand(second.mean[0].expression() - first.mean[0].expression())
    assert sympy.expand(moved.coeff(eps, 6) - isolation_coefficients(means, contrasts[:1])[1] * z) == 0
    assert all(moved.coeff(eps, j) == 0 for j in range(6))
