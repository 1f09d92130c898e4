"""The jet with symbolic parameters: every Taylor coefficient as a polynomial in the entries of L and the scores (C.polynomial; (33))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, cast

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from symattn.arithmetic.polynomial_series import GenericNormalizer, PolynomialSeries, PolynomialSeriesMatrix
from symattn.arithmetic.polynomials import polynomial_to_sympy
from symattn.errors import InputError
from symattn.network.attention import Layer, evaluate
from symattn.network.jets import Exponents, Jet, require_affordable, token_symbols
from symattn.network.parameters import EffectiveParameters
from symattn.network.rational import identity
from symattn.normalizers import Normalizer

if TYPE_CHECKING:
    import sympy

__all__ = ["JetPolynomials", "jet_polynomials", "parameter_symbols"]


def parameter_symbols(width: int, outputs: int, depth: int) -> tuple[str, ...]:
    """The names of the entries of L and of ``M_1 .. M_D``, row by row: ``L1_1, .., M1_1_1, ..``."""
    readout = [f"L{i}_{j}" for i in range(1, outputs + 1) for j in range(1, width + 1)]
    scores = [f"M{layer}_{i}_{j}" for layer in range(1, depth + 1) for i in range(1, width + 1) for j in range(1, width + 1)]
    return (*readout, *scores)


@dataclass(frozen=True)
class JetPolynomials:
    """``T_N`` of all tuples of one shape: output of token 1, each coefficient a polynomial over Q in ``parameters``.

    ``coefficients`` maps the exponents of the token entries to the p output coordinates. ``parameters`` are the entries of L and of
    the scores (see :func:`parameter_symbols`), then the coefficients of generic normalizers, if any.
    """

    tokens: int
    width: int
    outputs: int
    normalizers: tuple[Normalizer | GenericNormalizer, ...]
    order: int
    parameters: tuple[str, ...]
    coefficients: dict[Exponents, tuple[fmpq_mpoly, ...]]

    @property
    def denominator(self) -> int:
        """The least common denominator of all rational numbers in the coefficients."""
        polynomials = (p for values in self.coefficients.values() for p in values)
        return lcm(*(int(value.q) for p in polynomials for value in p.coeffs()))

    def symbols_of(self, degree: int) -> frozenset[str]:
        """The parameters that occur in the part of one degree."""
        found: set[str] = set()
        for exponents, values in self.coefficients.items():
            if sum(exponents) == degree:
                for polynomial in values:
                    found.update(name for name, e in zip(self.parameters, polynomial.degrees(), strict=True) if e)
        return frozenset(found)

    def expression(self, exponents: Exponents, coordinate: int = 0) -> sympy.Expr:
        """One coefficient as a sympy expression; 0 where the monomial is absent."""
        import sympy

        values = self.coefficients.get(exponents)
        return polynomial_to_sympy(values[coordinate]) if values else sympy.Integer(0)

    def at(self, parameters: EffectiveParameters) -> Jet:
        """The jet of one tuple, by substitution. Raises :class:`InputError` for another shape or generic normalizers."""
        known = [phi for phi in self.normalizers if isinstance(phi, Normalizer)]
        shape = (parameters.width, parameters.output_width, parameters.depth)
        if len(known) != len(self.normalizers) or shape != (self.width, self.outputs, len(known)):
            raise InputError(f"a tuple of width {self.width}, {self.outputs} outputs and {len(self.normalizers)} known layers was expected")
        entries = [entry for matrix in (parameters.L, *parameters.M) for row in matrix for entry in row]
        point = [fmpq(entry.numerator, entry.denominator) for entry in entries]
        coefficients = {}
        for exponents, values in self.coefficients.items():
            numbers = tuple(Fraction(int(value.p), int(value.q)) for value in (p(*point) for p in values))
            if any(numbers):
                coefficients[exponents] = numbers
        return Jet(self.tokens, self.width, self.outputs, tuple(known), self.order, coefficients)


def jet_polynomials(
    tokens: int, width: int, outputs: int, normalizers: Sequence[Normalizer | GenericNormalizer], order: int
) -> JetPolynomials:
    """``T_N`` for symbolic L (p x d) and ``M_1 .. M_D`` (d x d), one normalizer per layer; an identity in all parameters (C.polynomial).

    For small sizes: raises :class:`BudgetError` where the polynomials grow too large, :class:`InputError` for sizes below
    ``n = 2``, ``d = p = N = 1``, and :class:`UndecidedError` for normalizers with irrational coefficients.

    >>> from symattn.normalizers import normalizer
    >>> jet_polynomials(2, 1, 1, [normalizer("exp(s)")], 3).expression((3, 0))
    L1_1*M1_1_1/4
    """
    for name, value, least in (("tokens", tokens, 2), ("width", width, 1), ("outputs", outputs, 1), ("normalizers", len(normalizers), 1)):
        if value < least:
            raise InputError(f"at least {least} was expected, not {value}", where=name)
    require_affordable(tokens, width, order)
    precision, depth = (order + 1) // 2, len(normalizers)
    entries, names = token_symbols(tokens, width), parameter_symbols(width, outputs, depth)
    generic = [name for phi in normalizers if isinstance(phi, GenericNormalizer) for name in phi.symbols(precision + 1)]
    parameters = tuple(dict.fromkeys((*names, *generic)))
    ring = PolynomialSeries((*entries, *parameters), precision)
    matrices = iter(names)

    def matrix(rows: int, columns: int) -> PolynomialSeriesMatrix:
        return ring.from_polynomials([[ring.symbol(next(matrices)) for _ in range(columns)] for _ in range(rows)])

    readout = matrix(outputs, width)
    values = [ring.matrix(identity(width))] * (depth - 1) + [readout]
    # The polynomial ring knows generic normalizers too, which the type of a layer does not say.
    layers = [
        Layer(cast(Normalizer, phi), ring.shift(matrix(width, width), 1), value) for phi, value in zip(normalizers, values, strict=True)
    ]
    generators = [ring.symbol(name) for name in entries]
    inputs = ring.from_polynomials([generators[a * width : (a + 1) * width] for a in range(tokens)])
    (output,) = evaluate(ring, layers, [inputs])
    context = fmpq_mpoly_ctx.get(parameters, Ordering.degrevlex)
    collected: dict[Exponents, list[dict[Exponents, fmpq]]] = {}
    for coordinate in range(outputs):
        for polynomial in output[0, coordinate].values():
            for exponents, number in polynomial.terms():
                powers = tuple(int(e) for e in exponents)
                own = collected.setdefault(powers[: len(entries)], [{} for _ in range(outputs)])
                own[coordinate][powers[len(entries) :]] = number
    coefficients = {e: tuple(context.from_dict(terms) for terms in own) for e, own in collected.items()}
    return JetPolynomials(tokens, width, outputs, tuple(normalizers), order, parameters, coefficients)
