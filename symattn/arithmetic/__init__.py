"""Number systems: one contract (:mod:`symattn.arithmetic.protocol`), one file per system."""

from symattn.arithmetic.finite_field import PrimeField
from symattn.arithmetic.padic import DEFAULT_PRIMES, PadicMatrix, PadicPoint, constant_generator
from symattn.arithmetic.protocol import Arithmetic, LocalArithmetic, LocalMatrix, Matrix
from symattn.arithmetic.series import ModularSeries, RationalSeries, SeriesMatrix
from symattn.arithmetic.symbolic import RationalFunction, SymbolicField, SymbolicMatrix, UndefinedNormalizer

__all__ = [
    "DEFAULT_PRIMES",
    "Arithmetic",
    "LocalArithmetic",
    "LocalMatrix",
    "Matrix",
    "ModularSeries",
    "PadicMatrix",
    "PadicPoint",
    "PrimeField",
    "RationalFunction",
    "RationalSeries",
    "SeriesMatrix",
    "SymbolicField",
    "SymbolicMatrix",
    "UndefinedNormalizer",
    "constant_generator",
]
