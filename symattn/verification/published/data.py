"""The data files of the published evidence, installed with the package."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.resources import as_file, files

from symattn.network.files import read_instance
from symattn.network.instance import Instance
from symattn.network.numbers import exact_number

__all__ = ["matrix_fixture", "noise_draws"]

_DATA = files("symattn") / "data"


def matrix_fixture() -> Instance:
    """The 48-input instance of N2: n = d = 4, D = 3, r = 2; exact for the stored binary64 values."""
    with as_file(_DATA / "matrix_spectrum_fixture.json") as path:
        return read_instance(path)


def noise_draws() -> tuple[Fraction, ...]:
    """The 400 standard normal draws of N3, as the rational numbers that the stored binary64 values are."""
    document = json.loads((_DATA / "recovery_noise_draws.json").read_text(encoding="utf-8"))
    return tuple(exact_number(text) for text in document["z"])
