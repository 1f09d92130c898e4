"""Normalizers by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from symattn.normalizers.names import EXPRESSIONS
from symattn.normalizers.normalizer import Normalizer, normalizer

__all__ = ["catalog"]


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
