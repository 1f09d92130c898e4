"""Fibers that no statement covers: determined by leading contrasts, or open with what a jet says."""

from __future__ import annotations

import pytest

from symattn.exact.contrasts import score_readings
from symattn.network.files import network_from_dict
from symattn.network.rational import rational_matrix
from symattn.theory.fibers import effective_fiber
from symattn.verification.fibers import find_fiber

from ..theory.stacks import network, perturbations, ray_difference, with_scores

# word, tokens, normalizer, degree, sharp
MIXED = [
    ("RSG", 3, "exp(s)", 23, None),
    ("SRG", 3, "exp(s)", 19, True),
    ("RSR", 4, "exp(s+s**3)", 23, None),
    ("RSZG", 3, "exp(s)", 23, None),
]


@pytest.mark.parametrize(("word", "tokens", "phi", "degree", "sharp"), MIXED)
def test_leading_contrasts_close_what_the_statements_leave_open(word: str, tokens: int, phi: str, degree: int, sharp: bool | None) -> None:
    net = network(word, tokens, phi)
    assert effective_fiber(net).kind == "open"
    fiber = find_fiber(net).fiber
    assert fiber.kind == ("free-suffix" if "Z" in word else "singleton")
    assert (fiber.degree, fiber.degree_is_sharp) == (degree, sharp)
    assert fiber.source.startswith("exact computation of leading contrasts")
    degrees = []
    for layer in range(1, 4):
        for other in perturbations(net, layer):
            found = ray_difference(net, other, degree, rays=2)
            assert found is not None
            degrees.append(found)
    assert max(degrees) == degree
    if fiber.free_layers:
        assert ray_difference(net, fiber.draw(1), degree + 4) is None


@pytest.mark.slow
@pytest.mark.parametrize(("word", "degree"), [("RSRG", 67), ("RSSG", 71)])
def test_four_layers(word: str, degree: int) -> None:
    fiber = find_fiber(network(word, 3, "exp(s)")).fiber
    assert (fiber.kind, fiber.degree) == ("singleton", degree)


def test_readings_agree_with_the_statements_where_these_apply() -> None:
    for word, tokens, phi in (("GGG", 2, "exp(s)"), ("SGG", 3, "exp(s)"), ("SGR", 2, "1+s"), ("SSG", 3, "1+s")):
        net = network(word, tokens, phi)
        readings = score_readings(net, 3)
        assert all(reading.is_determined for reading in readings)
        assert max(reading.degree or 0 for reading in readings) == effective_fiber(net).degree


def test_a_collapsed_contrast_determines_nothing() -> None:
    reading = score_readings(network("SG", 2, "exp(s)"), 2)[1]
    assert (reading.contrast_order, reading.degree, reading.rank, reading.is_determined) == (None, None, 0, False)
    assert reading.bound >= 3


OPEN = [
    ("SG", 2, ["exp(s**2)", "exp(s)"]),
    ("SZ", 2, ["exp(s**2)", "exp(s)"]),
    ("SG", 3, ["exp(s**3)", "exp(s)"]),
]


@pytest.mark.parametrize(("word", "tokens", "phi"), OPEN)
def test_open_fibers_come_with_a_jet(word: str, tokens: int, phi: list[str]) -> None:
    report = find_fiber(network(word, tokens, phi))
    assert report.fiber.kind == "open"
    found = report.differential
    assert found is not None
    assert found.rank + len(found.kernel) == found.parameters == 10
    document = report.to_json()
    assert document["jet"]["first_degrees"]["L"] == 1
    assert document["missing"]


def test_the_kernel_of_the_slope_counterexample_is_there_in_the_jet() -> None:
    """Every skew M_1 gives the same network, so the direction of M_1 itself lies in the kernel, in whatever order."""
    net = network("SZ", 2, ["exp(s**2)", "exp(s)"])
    report = find_fiber(net)
    assert report.differential is not None
    direction = [0, 0, *(x for row in net.parameters.M[0] for x in row), *[0] * 4]
    (kernel,) = report.differential.kernel
    factor = next(a / b for a, b in zip(direction, kernel, strict=True) if b)
    assert [factor * x for x in kernel] == direction
    assert ray_difference(net, with_scores(net, {1: rational_matrix([[0, 5], [-5, 0]])}), 21) is None


def test_irrational_normalizers_have_no_jet_and_say_so() -> None:
    report = find_fiber(network("RSG", 3, "exp(pi*s)"))
    assert report.fiber.kind == "open"
    assert report.notes[0].startswith("no exact computation: the Taylor coefficients of exp(pi*s) are not known to be rational")


def test_large_open_tuples_are_left_open_at_once() -> None:
    n, d = 64, 64
    skew = [[(i < j) - (i > j) for j in range(d)] for i in range(d)]
    data = {"symattn": 1, "tokens": n, "width": d, "normalizers": "exp(s**3)", "L": [[1] * d], "M": [skew]}
    report = find_fiber(network_from_dict(data))
    assert report.fiber.kind == "open"
    assert report.differential is None
