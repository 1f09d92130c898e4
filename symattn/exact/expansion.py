"""Exact Taylor expansions of the tokens after every layer, with mean and contrast, in one of three variables.

* ``t``: the collapse path ``Q = t U``, ``K = t W`` (for a tuple: ``M -> t^2 M``) at fixed inputs. Every output is a series in ``u = t^2``.
* ``rho``: inputs ``rho X`` at fixed scores. By ``F_M(rho X) = rho F_(rho^2 M)(X)`` this is the same computation, times rho.
* ``eps``: inputs ``m + eps z_a`` around a fixed mean m, ``sum_a z_a = 0``. Scores do not vanish at ``eps = 0``: there they are
  ``q_i = m_i^T M_i m_i``, with ``m_i`` the consensus point that layer i sees. Only differences of ``log phi_i`` along a row matter, so each
  layer needs its Taylor coefficients at ``q_i``. They are polynomials in ``q_i`` where ``log phi_i`` is a polynomial, and the known ones
  where ``q_i = 0``; otherwise they enter as symbols ``hi_1, hi_2, ..``, whose meaning the result states. Nothing is approximated: the
  expansion then holds for every normalizer that is analytic at ``q_i``, with these coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import cast

from flint import fmpq, fmpq_mpoly

from symattn.arithmetic.polynomial_series import GenericNormalizer, LocalNormalizer, PolynomialSeries, PolynomialSeriesMatrix
from symattn.arithmetic.polynomials import polynomial_text
from symattn.errors import BudgetError, InputError
from symattn.exact.taylor import Expansion, LayerExpansion, Row, TaylorPolynomial, Variable
from symattn.network.attention import Layer, trace_layer
from symattn.network.jets import token_symbols
from symattn.network.polynomial_text import MAXIMUM_DEGREE
from symattn.network.symbolic_files import PolynomialMatrix, SymbolicLayer, SymbolicNetwork
from symattn.normalizers import Normalizer

__all__ = ["ORDER_LIMIT", "SYMBOL_LIMIT", "expand"]

SYMBOL_LIMIT = 400
"""Most symbols, those for tokens and normalizers included; FLINT takes time in proportion for every monomial."""

ORDER_LIMIT = 10_000
"""Largest order of an expansion."""


def expand(network: SymbolicNetwork, order: int, variable: Variable = "t", *, number: int = 1) -> Expansion:
    """Expand one input of a network: ``number`` counts the inputs of its bank from 1; without a bank the tokens are symbols.

    ``order`` N: all terms up to ``variable^N`` are given; at least 0, and at least 1 for rho. Raises :class:`InputError` for a bad order,
    input or variable and for a symbol with the name of the variable, :class:`UndecidedError` for irrational normalizers (use a
    generic one), :class:`BudgetError` for too many symbols or terms.

    >>> from symattn.network.symbolic_files import symbolic_from_dict
    >>> stack = symbolic_from_dict({"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)",
    ...     "layers": [{"U": [["b"]], "W": [[1]]}], "bank": [[["m + z"], ["m - z"]]]})
    >>> print(expand(stack, 2).layers[0].mean[0])
    m + (b*m*z**2) t^2 + O(t^3)
    """
    if variable not in ("t", "eps", "rho"):
        raise InputError(f"one of t, eps, rho was expected, not {variable!r}", where="variable")
    least = 1 if variable == "rho" else 0
    if not least <= order <= ORDER_LIMIT:
        raise InputError(f"an order from {least} to {ORDER_LIMIT} was expected, not {order}", where="order")
    if not 1 <= number <= max(1, len(network.inputs)):
        raise InputError(f"an input from 1 to {max(1, len(network.inputs))} was expected, not {number}", where="input")
    return _Expanding(network, order, variable, number).run()


class _Expanding:
    def __init__(self, network: SymbolicNetwork, order: int, variable: Variable, number: int) -> None:
        self.network, self.order, self.variable = network, order, variable
        precision = {"t": order // 2, "rho": (order - 1) // 2, "eps": order}[variable] + 1
        self.given = network.inputs[number - 1] if network.inputs else None
        n, d, terms = network.tokens, network.width, precision + 1
        names: dict[str, str] = {variable: "the variable"}
        for symbol in network.symbols:
            self._claim(names, symbol, "a symbol of the file")
        if self.given is None:
            self._require_few(n * d + d)
            for symbol in self._input_symbols(n, d):
                self._claim(names, symbol, "an entry of the input")
        self.local: list[tuple[str, ...]] = []
        self.meaning: dict[str, str] = {}
        for i, layer in enumerate(network.layers, start=1):
            own: tuple[str, ...] = ()
            if variable != "eps" and isinstance(layer.normalizer, GenericNormalizer):
                own = tuple(symbol for symbol in layer.normalizer.symbols(terms) if names.get(symbol) != "a coefficient of log phi")
                for symbol in own:
                    self._claim(names, symbol, "a coefficient of log phi")
            if variable == "eps" and _polynomial_logarithm(layer.normalizer) is None:
                own = tuple(f"h{i}_{j}" for j in range(1, terms))
                for symbol in own:
                    self._claim(names, symbol, "a coefficient of log phi at consensus")
            self.local.append(own)
        self._require_few(len(names))
        self.ring = PolynomialSeries(tuple(symbol for symbol in names if symbol != variable), precision)

    def run(self) -> Expansion:
        ring = self.ring
        tokens = self._tokens()
        start = self._summary(0, tokens)
        layers = []
        for i, layer in enumerate(self.network.layers, start=1):
            score, value = (ring.from_polynomials(self._inside(matrix)) for matrix in (layer.score, layer.value))
            normalizer: object = layer.normalizer
            if self.variable == "eps":
                normalizer = self._local_normalizer(i, layer, tokens)
            else:
                score = ring.shift(score, 1)
            # The polynomial ring knows generic and local normalizers, which the type of a layer does not say.
            tokens = trace_layer(ring, Layer(cast(Normalizer, normalizer), score, value), [tokens])[0].output
            layers.append(self._summary(i, tokens))
        present = self._symbols_in([start, *layers])
        meaning = {symbol: text for symbol, text in self.meaning.items() if symbol in present}
        return Expansion(self.variable, self.order, start, tuple(layers), present, meaning, self.network.source, self.network.exactness)

    def _claim(self, names: dict[str, str], symbol: str, what: str) -> None:
        """Refuse two meanings of one name."""
        if symbol in names:
            raise InputError(
                f"the symbol {symbol!r} would be {what} and {names[symbol]}; another name was expected", where=self.network.source
            )
        names[symbol] = what

    def _require_few(self, count: int) -> None:
        if count > SYMBOL_LIMIT:
            raise BudgetError(
                f"{self.network.source}: the expansion would have {count} symbols; at most {SYMBOL_LIMIT} are taken: "
                "a lower order, or a bank of inputs with fewer symbols, is needed"
            )

    def _input_symbols(self, n: int, d: int) -> tuple[str, ...]:
        if self.variable != "eps":
            return token_symbols(n, d)
        contrasts = [f"z{a}_{j}" for a in range(1, n) for j in range(1, d + 1)]
        return (*(f"m{j}" for j in range(1, d + 1)), *contrasts)

    def _inside(self, matrix: PolynomialMatrix) -> list[list[fmpq_mpoly]]:
        """The matrix with entries in the ring of the expansion."""
        return [[entry.project_to_context(self.ring.context) for entry in row] for row in matrix]

    def _tokens(self) -> PolynomialSeriesMatrix:
        ring, n, d = self.ring, self.network.tokens, self.network.width
        if self.given is not None:
            rows = ring.from_polynomials(self._inside(self.given))
            if self.variable != "eps":
                return rows
            mean = ring.constant(n, n, 1).scale(Fraction(1, n)) @ rows
            return mean + ring.shift(rows - mean, 1)
        if self.variable != "eps":
            names = iter(token_symbols(n, d))
            return ring.from_polynomials([[ring.symbol(next(names)) for _ in range(d)] for _ in range(n)])
        contrasts = [[ring.symbol(f"z{a}_{j}") for j in range(1, d + 1)] for a in range(1, n)]
        contrasts.append([-sum(column[1:], column[0]) for column in zip(*contrasts, strict=True)])
        mean = ring.from_polynomials([[ring.symbol(f"m{j}") for j in range(1, d + 1)]] * n)
        return mean + ring.shift(ring.from_polynomials(contrasts), 1)

    def _local_normalizer(self, i: int, layer: SymbolicLayer, tokens: PolynomialSeriesMatrix) -> LocalNormalizer:
        """The normalizer seen from the score at consensus, ``q = m^T M m``."""
        ring, terms = self.ring, self.ring.precision + 1
        consensus = ring.from_polynomials(tokens.coefficient(0)[:1])
        point = (consensus @ ring.from_polynomials(self._inside(layer.score)) @ consensus.transpose()).coefficient(0)[0][0]
        polynomial = _polynomial_logarithm(layer.normalizer)
        if polynomial is not None:
            coefficients = [ring.zero] * terms
            for degree, value in enumerate(polynomial):
                for j in range(min(degree + 1, terms)):
                    binomial = fmpq(value.numerator * comb(degree, j), value.denominator)
                    coefficients[j] = coefficients[j] + binomial * point ** (degree - j)
            return LocalNormalizer(point, tuple(coefficients))
        if not point and isinstance(layer.normalizer, Normalizer):
            return LocalNormalizer(point, tuple(ring.context.constant(c) for c in layer.normalizer.log_coefficients(terms)))
        for j, symbol in enumerate(self.local[i - 1], start=1):
            self.meaning[symbol] = f"coefficient of s^{j} in log phi_{i}(q + s), q = {polynomial_text(point)}"
        return LocalNormalizer(point, (ring.zero, *(ring.symbol(symbol) for symbol in self.local[i - 1])))

    def _summary(self, layer: int, tokens: PolynomialSeriesMatrix) -> LayerExpansion:
        n = self.network.tokens
        mean = self.ring.constant(1, n, 1).scale(Fraction(1, n)) @ tokens
        contrast = tokens - self.ring.constant(n, 1, 1) @ mean
        rows = self._rows(tokens), self._rows(mean)[0], self._rows(contrast)
        return LayerExpansion(layer, *rows)

    def _rows(self, matrix: PolynomialSeriesMatrix) -> tuple[Row, ...]:
        rows, columns = matrix.shape
        scale, offset = {"t": (2, 0), "rho": (2, 1), "eps": (1, 0)}[self.variable]
        return tuple(
            tuple(
                TaylorPolynomial(self.variable, self.order, {scale * power + offset: p for power, p in matrix[a, c].items()})
                for c in range(columns)
            )
            for a in range(rows)
        )

    def _symbols_in(self, layers: Sequence[LayerExpansion]) -> tuple[str, ...]:
        used = [False] * len(self.ring.symbols)
        for layer in layers:
            for row in layer.tokens:
                for entry in row:
                    for polynomial in entry.coefficients.values():
                        used = [known or bool(degree) for known, degree in zip(used, polynomial.degrees(), strict=True)]
        return tuple(symbol for symbol, is_used in zip(self.ring.symbols, used, strict=True) if is_used)


def _polynomial_logarithm(normalizer: Normalizer | GenericNormalizer) -> tuple[Fraction, ...] | None:
    """The coefficients of ``log phi`` where it is known to be a polynomial over Q, of a degree that a power of q may have."""
    polynomial = None if isinstance(normalizer, GenericNormalizer) else normalizer.log_polynomial
    return polynomial if polynomial is not None and len(polynomial) <= MAXIMUM_DEGREE + 1 else None
