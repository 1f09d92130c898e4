"""Certificates of effective tuples: the rank of a jet's differential, and whether two tuples are one function (docs/certificates.md)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb

from flint import nmod_mat

from symattn.arithmetic import DEFAULT_PRIMES, ModularSeries, RationalSeries
from symattn.arithmetic.linear_algebra import nullspace, pivot_columns, to_flint
from symattn.certificates.document import assemble, matrix_entries, pair_document, rational, tuple_document
from symattn.certificates.intervals import Bounds, decimals, exact_decimal
from symattn.errors import UndecidedError
from symattn.exact.equality import InputWitness, enclosed_outputs
from symattn.exact.jet_ranks import parameter_count, part_derivatives
from symattn.exact.jets import JetDifferential, layers_at
from symattn.network.attention import evaluate
from symattn.network.parameters import Network
from symattn.network.rational import RationalMatrix

__all__ = ["difference_certificate", "equality_certificate", "jet_certificate"]

_LATTICE = 4000
"""Most inputs at which kernel directions of a jet are to be checked over Q; beyond them only the lower bound of the rank is certified."""

_DRAWS = 60


def jet_certificate(network: Network, order: int, found: JetDifferential | None = None) -> bytes:
    """The rank of the differential of the Taylor polynomial of degree ``order`` at the tuple (T3), modulo a prime at random inputs.

    With the kernel of ``found`` the rank is certified from both sides. Raises :class:`UndecidedError` where random inputs do not attain
    its rank, or certificates cannot express the normalizers.
    """
    document = tuple_document(network)
    order -= 1 - order % 2
    size = parameter_count(network)
    wanted = found.ranks[order] if found else size
    prime = next((p for p in DEFAULT_PRIMES if p > order), DEFAULT_PRIMES[0])
    points, rows, columns = _independent_rows(network, order, prime, size, wanted)
    if found and len(rows) < wanted:
        raise UndecidedError(f"no certificate: random inputs modulo {prime} show rank {len(rows)} of {wanted}")
    kernel: list[list[object]] = []
    variables = network.tokens * network.width
    if found and found.order in (order, order + 1) and found.kernel and comb(variables + order - 1, order) <= _LATTICE:
        kernel, own = _own_columns(found.kernel)
        columns = _pivots_among([row for _, row in rows], sorted(set(range(size)) - own), prime)
    return assemble(
        "jet",
        document,
        {"order": order, "parameters": size, "rank": len(rows)},
        {
            "prime": prime,
            "points": points,
            "rows": [place for place, _ in rows],
            "columns": [column + 1 for column in columns],
            "kernel": kernel,
        },
        ["jet-rank" if len(rows) + len(kernel) == size else "jet-rank-at-least"],
    )


def equality_certificate(first: Network, second: Network) -> bytes:
    """That two tuples are one function, for all inputs; the checker looks for the proof itself.

    Raises :class:`UndecidedError` for normalizers that certificates cannot express.
    """
    return assemble("equal", _pair(first, second), {"equal": True}, {}, ["equal"])


def difference_certificate(first: Network, second: Network, degree: int | None, found: InputWitness | None) -> bytes:
    """That two tuples are different functions: parts of one degree that differ at an input, or else outputs at the input ``found``.

    Raises :class:`UndecidedError` where neither is at hand, or certificates cannot express the normalizers.
    """
    witness = _part_witness(first, second, degree) if degree else None
    if witness is None and found is not None:
        witness = _output_witness(first, second, found)
    if witness is None:
        raise UndecidedError("no certificate: the networks differ, but neither in a Taylor coefficient nor at an input that was found")
    return assemble("equal", _pair(first, second), {"equal": False}, {"witness": witness}, ["different"])


def _pair(first: Network, second: Network) -> dict[str, object]:
    for name, mine, theirs in (
        ("tokens", first.tokens, second.tokens),
        ("input width", first.width, second.width),
        ("output width", first.parameters.output_width, second.parameters.output_width),
    ):
        if mine != theirs:
            raise UndecidedError(f"no certificate is needed: the networks have different shapes ({name} {mine} and {theirs})")
    return pair_document(first, second)


def _part_witness(first: Network, second: Network, degree: int) -> Mapping[str, object] | None:
    """An input, drawn, at which the parts of this degree differ; a form that is not zero vanishes at few of them."""
    ring = RationalSeries((degree + 1) // 2)
    source = random.Random(degree)
    for _ in range(_DRAWS):
        point = tuple(tuple(Fraction(source.randint(-3, 3)) for _ in range(first.width)) for _ in range(first.tokens))
        parts = [_part(ring, network, point) for network in (first, second)]
        for c, (mine, theirs) in enumerate(zip(*parts, strict=True), start=1):
            if mine != theirs:
                values = [rational(mine), rational(theirs)]
                return {"coordinate": c, "degree": degree, "input": matrix_entries(point), "token": 1, "values": values}
    return None


def _part(ring: RationalSeries, network: Network, point: RationalMatrix) -> list[Fraction]:
    """The highest part in the ring of the output of token 1."""
    (output,) = evaluate(ring, layers_at(ring, network), [ring.matrix(point)])
    top = output.coefficient(ring.precision - 1)
    values = [top[0, c] for c in range(network.parameters.output_width)]
    return [Fraction(int(value.p), int(value.q)) for value in values]


def _output_witness(first: Network, second: Network, found: InputWitness) -> Mapping[str, object]:
    bits = 128
    while True:
        balls = [enclosed_outputs(network, found.tokens, bits)[found.token - 1, found.coordinate - 1] for network in (first, second)]
        if not balls[0].overlaps(balls[1]):
            break
        bits *= 2
    # As many digits as keep the bounds apart, and slack for other rounding than ours.
    digits = 8
    while not _are_apart(bounds := [decimals(ball, digits) for ball in balls]):
        digits += 4
    return {
        "bits": bits + 4 * digits + 64,
        "coordinate": found.coordinate,
        "input": matrix_entries(found.tokens),
        "token": found.token,
        "values": [[list(lower), list(upper)] for lower, upper in bounds],
    }


def _are_apart(bounds: Sequence[Bounds]) -> bool:
    (low, high), (other_low, other_high) = [map(exact_decimal, pair) for pair in bounds]
    return high < other_low or other_high < low


def _independent_rows(
    network: Network, order: int, prime: int, size: int, wanted: int
) -> tuple[list[list[list[int]]], list[tuple[list[int], list[int]]], list[int]]:
    """Points, rows ``[point, coordinate, degree]`` with their entries, and columns, of an invertible block as large as is found."""
    ring = ModularSeries(prime, (order + 1) // 2)
    layers = layers_at(ring, network)
    points: list[list[list[int]]] = []
    rows: list[tuple[list[int], list[int]]] = []
    for point in _drawn_points(network, size + 2):
        if len(rows) == wanted:
            break
        coordinates = enumerate(part_derivatives(ring, network, layers, ring.matrix(point)), start=1)
        new = [([len(points) + 1, c, 2 * j + 1], row) for c, parts in coordinates for j, row in enumerate(parts)]
        both = [*rows, *new]
        chosen = pivot_columns(nmod_mat([row for _, row in both], prime).transpose())
        if len(chosen) > len(rows):
            points.append(point)
            rows = [both[i] for i in chosen]
    return points, rows, _pivots_among([row for _, row in rows], range(size), prime)


def _drawn_points(network: Network, count: int) -> Iterator[list[list[int]]]:
    source = random.Random(0)
    for _ in range(count):
        yield [[source.randint(-99, 99) for _ in range(network.width)] for _ in range(network.tokens)]


def _pivots_among(rows: Sequence[Sequence[int]], columns: Sequence[int], prime: int) -> list[int]:
    if not rows:
        return []
    return [columns[j] for j in pivot_columns(nmod_mat([[row[j] for j in columns] for row in rows], prime))]


def _own_columns(basis: Sequence[Sequence[Fraction]]) -> tuple[list[list[object]], set[int]]:
    """The kernel with a unit vector in an own column of each, as certificates write it, and the own columns."""
    complement = nullspace(to_flint(basis))
    size = len(basis[0])
    # The nullspace of the complement is the same space, with a 1 in a free column of each vector.
    reduced = nullspace(to_flint([[Fraction(int(x.p), int(x.q)) for x in vector] for vector in complement])) if complement else None
    if reduced is None:
        return [[j + 1, []] for j in range(size)], set(range(size))
    exact = [[Fraction(int(x.p), int(x.q)) for x in vector] for vector in reduced]
    own = [next(j for j in range(size) if v[j] == 1 and not any(other[j] for other in exact if other is not v)) for v in exact]
    vectors = [[c + 1, [[j + 1, rational(x)] for j, x in enumerate(v) if x and j != c]] for c, v in sorted(zip(own, exact, strict=True))]
    return vectors, set(own)
