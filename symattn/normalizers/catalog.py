"""Normalizers by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from symattn.normalizers.normalizer import Normalizer, normalizer

__all__ = ["EXPRESSIONS", "catalog"]

#: Names and the expressions that they stand for.
EXPRESSIONS: dict[str, str] = {
    "softmax": "exp(s)",
    "sigmoid": "sigmoid(s)",
    "softplus": "softplus(s)",
    "linear": "1 + s",
    "geometric": "1/(1 - s)",
    "log1p": "1 + log(1 + s)",
    "gaussian": "exp(s**2)",
    "cubic exponential": "exp(s**3)",
    "quadratic": "1 + s**2",
    "cubic": "1 + s**3",
    "quadratic softmax": "exp(s + s**2)",
    "cosh": "cosh(s)",
    "sech": "1/cosh(s)",
    "cos": "cos(s)",
    "sinc": "sinc(s)",
    "sine": "2 + sin(s)",
    "tanh": "1 + tanh(s)",
    "erf": "2 + erf(s)",
    "bernoulli": "s/(exp(s) - 1)",
    "cayley": "(1 + s)/(1 - s)",
    "bell": "exp(exp(s))",
    "power of two": "2**s",
    "gamma": "gamma(1 + s)",
}


class _Catalog(Mapping[str, Normalizer]):
    """The named normalizers, each built when first asked for."""

    def __getitem__(self, name: str) -> Normalizer:
        if name not in EXPRESSIONS:
            raise KeyError(name)
        return _named(name)

    def __iter__(self) -> Iterator[str]:
        return iter(EXPRESSIONS)

    def __len__(self) -> int:
        return len(EXPRESSIONS)


@cache
def _named(name: str) -> Normalizer:
    return normalizer(name)


#: Names to normalizers: ``catalog["softmax"]`` is ``normalizer("exp(s)")``.
catalog: Mapping[str, Normalizer] = _Catalog()
