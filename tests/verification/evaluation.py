"""Networks evaluated with mpmath at 50 digits, written apart from the package: the oracle for every "no"."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from symattn.exact.equality import InputWitness
from symattn.network.parameters import Network

__all__ = ["NORMALIZERS", "confirm_input_witness", "confirm_monomial_witness", "outputs"]

NORMALIZERS = {
    "exp(s)": mpmath.exp,
    "exp(2*s)": lambda s: mpmath.exp(2 * s),
    "exp(s**2)": lambda s: mpmath.exp(s**2),
    "exp(s + s**2)": lambda s: mpmath.exp(s + s**2),
    "exp(s**2 + s**3)": lambda s: mpmath.exp(s**2 + s**3),
    "cosh(s)": mpmath.cosh,
    "1 + s": lambda s: 1 + s,
    "1 + s**2": lambda s: 1 + s**2,
    "1/(1 - s)": lambda s: 1 / (1 - s),
    "softplus(s)": lambda s: mpmath.log(1 + mpmath.exp(s)),
    "2 + sin(s)": lambda s: 2 + mpmath.sin(s),
}


def outputs(network: Network, tokens) -> list[list[mpmath.mpf]]:
    """The n x p outputs at the working precision."""
    x = [[number(entry) for entry in row] for row in tokens]
    n, d = len(x), len(x[0])
    for phi, score in zip(network.normalizers, network.parameters.M, strict=True):
        f = NORMALIZERS[phi.text]
        keys = [[sum(number(score[i][j]) * row[j] for j in range(d)) for i in range(d)] for row in x]
        weights = [[f(sum(a * b for a, b in zip(query, key, strict=True))) for key in keys] for query in x]
        x = [[sum(w * x[b][j] for b, w in enumerate(row)) / sum(row) for j in range(d)] for row in weights]
    assert len(x) == n
    return [[sum(number(a) * b for a, b in zip(line, row, strict=True)) for line in network.parameters.L] for row in x]


def number(value) -> mpmath.mpf:
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return value


def confirm_input_witness(first: Network, second: Network, witness: InputWitness) -> None:
    """Both outputs are as stated, to the digits stated, and they differ: at 50 digits, or more where the stated difference is smaller."""
    digits = max(50, 0 if witness.is_exact else max(map(len, (witness.first, witness.second))) + 10)
    with mpmath.workdps(digits):
        values = []
        for network, stated in ((first, witness.first), (second, witness.second)):
            value = outputs(network, witness.tokens)[witness.token - 1][witness.coordinate - 1]
            centre, _, radius = stated.strip("[]").partition(" +/- ")
            exact = number(Fraction(stated)) if witness.is_exact else mpmath.mpf(centre)
            tolerance = mpmath.mpf(10) ** -40 if witness.is_exact else mpmath.mpf(radius or "0") * 2 + mpmath.mpf(10) ** (8 - digits)
            assert abs(value - exact) <= tolerance
            values.append(value)
        assert abs(values[0] - values[1]) > mpmath.mpf(10) ** (8 - digits)


def confirm_monomial_witness(first: Network, second: Network, degree: int) -> None:
    """The difference of the outputs on a ray is of the order of the claimed degree, or of a higher one; not lower."""
    with mpmath.workdps(50):
        ray = [[Fraction(3 + 2 * a - 5 * j + a * j, 7) for j in range(first.width)] for a in range(first.tokens)]
        sizes = []
        for rho in (Fraction(1, 100), Fraction(1, 1000)):
            tokens = [[rho * x for x in row] for row in ray]
            rows = zip(outputs(first, tokens), outputs(second, tokens), strict=True)
            sizes.append(max(abs(a - b) for mine, theirs in rows for a, b in zip(mine, theirs, strict=True)))
        if sizes[0] > mpmath.mpf(10) ** -44 and sizes[1] > mpmath.mpf(10) ** -44:
            assert mpmath.log10(sizes[0] / sizes[1]) > degree - mpmath.mpf("0.3")
