"""Proven enclosures of all positive singular values of the native Jacobian at a given t (D.sv; paper D.4).

The exact kernel is removed exactly: with a rational basis of its orthogonal complement, orthonormalized in balls, the positive
singular values are the square roots of the eigenvalues of a positive definite Gram matrix. The eigenvalues are enclosed by Arb;
those that it cannot separate are reported as one cluster with multiplicity.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx

from symattn.arithmetic.balls import Balls, rational_ball
from symattn.arithmetic.linear_algebra import nullspace, to_flint
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.network.instance import Instance
from symattn.network.kernel import PathKernel, path_kernel
from symattn.network.numbers import exact_number
from symattn.network.path import native_columns, native_jacobian, output_cotangents
from symattn.progress import Report

__all__ = [
    "SingularValue",
    "SingularValues",
    "cholesky",
    "decimal_bounds",
    "enclose_gram",
    "enclose_singular_values",
    "exact_scale",
    "exact_value",
]


@dataclass(frozen=True)
class SingularValue:
    """A ball that contains ``multiplicity`` singular values (more than one only where they could not be separated)."""

    ball: arb
    multiplicity: int

    def bounds(self, digits: int = 15) -> tuple[str, str]:
        """Decimal bounds, rounded outward."""
        return decimal_bounds(self.ball, digits)


@dataclass(frozen=True)
class SingularValues:
    """All positive singular values of the native Jacobian at ``t``, in descending order, with the precision that was needed.

    ``rank`` counts them with multiplicity; the other ``kernel`` singular values are exactly zero, by explicit directions.
    """

    t: Fraction
    values: tuple[SingularValue, ...]
    kernel: int
    precision: int

    @property
    def rank(self) -> int:
        """The number of positive singular values."""
        return sum(value.multiplicity for value in self.values)

    def rank_at_cutoff(self, relative: Fraction) -> int | None:
        """How many singular values exceed ``relative`` times the largest; ``None`` if a ball straddles the cutoff."""
        with ctx.workprec(self.precision):
            cutoff = self.values[0].ball * rational_ball(relative)
            if any(value.ball.overlaps(cutoff) for value in self.values):
                return None
            return sum(value.multiplicity for value in self.values if value.ball > cutoff)


def enclose_singular_values(
    instance: Instance,
    t: Fraction | int | str,
    digits: int = 15,
    max_precision: int = 8192,
    report: Report = lambda message: None,
    precision: int = 256,
) -> SingularValues:
    """Enclosures of all positive singular values at ``t``, each with a relative radius below ``10^-digits``.

    ``t`` is a rational number or its text, such as "0.06" or "3/50"; a float is refused. The ``precision`` in bits is
    doubled until the radii are small enough. Raises :class:`InputError` for another ``t``, for ``t = 0`` or an empty bank,
    :class:`BudgetError` when
    ``max_precision`` bits do not suffice, for example where the Jacobian has more kernel than the explicit directions.

    >>> from symattn.network.files import instance_from_dict
    >>> layers, bank = [{"U": [[1]], "W": [[1]]}], [[[1], [2]]]
    >>> scalar = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": layers, "bank": bank}
    >>> [value.bounds(6) for value in enclose_singular_values(instance_from_dict(scalar), "1/10").values]
    [('2.12794e+0', '2.12795e+0'), ('2.49177e-2', '2.49178e-2')]
    """
    t = exact_scale(t)
    if not instance.bank:
        raise InputError("a bank of inputs is needed to observe the network", where=f"{instance.source}: bank")
    kernel = path_kernel(instance)
    complement = _complement(instance, kernel, t)
    refused: UndecidedError | None = None
    while precision <= max_precision:
        report(f"balls of {precision} bits")
        values = None
        try:
            values = _enclosed(instance, t, complement, precision)
        except UndecidedError as error:  # a singularity near a score may be told from it by more bits
            refused = error
        if values is not None and _is_narrow(values, digits, precision):
            return SingularValues(t, values, kernel.dimension, precision)
        precision *= 2
    if refused is not None:
        raise refused
    raise BudgetError(
        f"{max_precision} bits do not separate the singular values from zero to {digits} digits; "
        "at a smaller t they may be larger (large scores saturate), or the Jacobian has more kernel than the explicit directions"
    )


def exact_scale(t: Fraction | int | str) -> Fraction:
    """A scale t as a rational number. Raises :class:`InputError` for a float, for text that is no number, and for 0."""
    try:
        exact = exact_number(t)
    except InputError as error:
        raise InputError(error.problem, where="t") from None
    if not exact:
        raise InputError("a nonzero t was expected; at t = 0 every query and key singular value is zero", where="t")
    return exact


def _complement(instance: Instance, kernel: PathKernel, t: Fraction) -> list[list[Fraction]]:
    """A rational basis of the orthogonal complement of the kernel at t, as rows of native directions."""
    weights = [column.weight for column in native_columns(instance)]
    # In undivided native entries a kernel vector reads (dV, t q, t k); a pure factor vector may be divided by t.
    rows = [list(vector) for vector in kernel.factor]
    rows += [[entry * t if weight else entry for entry, weight in zip(v, weights, strict=True)] for v in kernel.interface]
    size = len(weights)
    if not rows:
        return [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    return [[Fraction(int(x.p), int(x.q)) for x in vector] for vector in nullspace(to_flint(rows))]


def _enclosed(instance: Instance, t: Fraction, complement: list[list[Fraction]], precision: int) -> tuple[SingularValue, ...] | None:
    system = Balls(precision, t * t)
    jacobian = native_jacobian(system, instance, output_cotangents(system, instance, "all", 0))
    scaled = [[entry * t if weight else entry for entry, weight in zip(row, jacobian.weights, strict=True)] for row in complement]
    restricted = jacobian.matrix @ system.matrix(scaled).transpose()
    basis = system.matrix(complement)
    with ctx.workprec(precision):
        triangle = cholesky((basis @ basis.transpose()).values)
        if triangle is None:
            return None
        # Columns of N = B^T L^{-T} are orthonormal; the Gram matrix of J N is L^{-1} (J B^T)^T (J B^T) L^{-T}.
        half = triangle.solve((restricted.transpose() @ restricted).values)
        gram = triangle.solve(half.transpose())
        return enclose_gram(gram)


def enclose_gram(gram: arb_mat) -> tuple[SingularValue, ...] | None:
    """The square roots of the eigenvalues of a symmetric positive definite matrix, in descending order, at FLINT's working precision.

    ``None`` where they cannot be enclosed or are not all seen to be positive.
    """
    try:
        eigenvalues = ((gram + gram.transpose()) * arb(0.5)).eig(multiple=True)
    except ValueError:
        return None
    return _grouped([value.real for value in eigenvalues])


def _grouped(eigenvalues: list[arb]) -> tuple[SingularValue, ...] | None:
    """Square roots in descending order; balls that overlap are joined into clusters. ``None`` unless all are positive."""
    if not all(value > 0 for value in eigenvalues):
        return None
    ordered = sorted(eigenvalues, key=lambda value: value.mid(), reverse=True)
    clusters: list[tuple[arb, int]] = []
    for value in ordered:
        count = 1
        # A wide ball may reach over several earlier ones, which are then one cluster.
        while clusters and clusters[-1][0].overlaps(value):
            above, more = clusters.pop()
            value, count = above.union(value), count + more
        clusters.append((value, count))
    return tuple(SingularValue(value.sqrt(), count) for value, count in clusters)


def cholesky(matrix: arb_mat) -> arb_mat | None:
    """The lower triangular factor of a positive definite matrix, or ``None`` if a pivot is not seen to be positive."""
    n = matrix.nrows()
    rows = matrix.tolist()
    factor = [[arb(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            value = rows[i][j]
            for k in range(j):
                value -= factor[i][k] * factor[j][k]
            if i == j:
                if not value > 0:
                    return None
                factor[i][i] = value.sqrt()
            else:
                factor[i][j] = value / factor[j][j]
    return arb_mat(factor)


def _is_narrow(values: tuple[SingularValue, ...], digits: int, precision: int) -> bool:
    with ctx.workprec(precision):
        return all(value.ball.rel_accuracy_bits() >= 3.33 * digits + 1 for value in values)


def exact_value(number: arb) -> Fraction:
    """The rational value of a ball without radius, such as ``ball.lower()``."""
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def decimal_bounds(ball: arb, digits: int = 15) -> tuple[str, str]:
    """Decimal bounds of a ball, rounded outward, in scientific notation with ``digits`` digits."""
    with ctx.workprec(4 * digits + 64):
        lower, upper = exact_value(ball.lower()), exact_value(ball.upper())
    return _decimal(lower, digits, up=False), _decimal(upper, digits, up=True)


def _decimal(exact: Fraction, digits: int, *, up: bool) -> str:
    """A decimal on the wanted side of a rational number."""
    if exact < 0:
        return "-" + _decimal(-exact, digits, up=not up)
    if exact == 0:
        return "0"
    power = 0
    while exact >= 10:
        exact, power = exact / 10, power + 1
    while exact < 1:
        exact, power = exact * 10, power - 1
    scaled = exact * 10 ** (digits - 1)
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    text = str(whole)
    power += len(text) - digits
    return f"{text[0]}.{text[1:digits]}e{power:+d}"
