"""Normalizers: from text, sympy or coefficients to exact Taylor data (floor 2; needs only :mod:`symattn.errors`)."""

from symattn.normalizers.catalog import catalog
from symattn.normalizers.normalizer import Normalizer, normalizer

__all__ = ["Normalizer", "catalog", "normalizer"]
