"""The independent checker: certificates made by hand are accepted, and each broken one is refused for the right reason."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from symattn.certificates import check as checker
from symattn.certificates.check import Balls, Clock, Forms, Network, Numbers, Series, Stack, check, evaluate, main

Document = dict[str, Any]
Change = Callable[[Document], object]


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def document(kind: str, instance: object, claim: object, evidence: object, proven: list[str], assumed: list[str] | None = None) -> Document:
    return {
        "symattn-certificate": 1,
        "kind": kind,
        "instance": instance,
        "claim": claim,
        "evidence": evidence,
        "proven": proven,
        "assumed": assumed or [],
        "digest": "sha256:" + hashlib.sha256(canonical(instance)).hexdigest(),
    }


def written(found: Document) -> bytes:
    return canonical(found) + b"\n"


LAYER = {"U": [[1]], "W": [[1]], "V": [[1]]}
BANK = [[[1], [2]], [[3], [-1]], [[0], [3]]]


def path(depth: int, bank: object, phi: str = "s exp") -> Document:
    return {"tokens": 2, "width": 1, "normalizers": [phi] * depth, "layers": [LAYER] * depth, "bank": bank}


# Depth 2, width 1: columns Q1 K1 V1 Q2 K2 V2, L = V2 V1, M1 = Q1 K1, M2 = V1^2 Q2 K2.
VECTORS = [[1, [[2, -1]]], [3, [[5, -2], [6, -1]]], [4, [[5, -1]]]]
PIVOTS = [[1, 1, 1, 6], [2, 1, 1, 2], [3, 1, 1, 5]]
RANKS = {"kernel": VECTORS, "pivots": PIVOTS, "precision": 3, "prime": 1000003}
ORDERS = {"kernel": 3, "orders": [[0, 1], [1, 1], [5, 1]], "rank": 3}
SINGLE = {"tokens": 2, "width": 1, "outputs": 1, "normalizers": ["s exp"], "L": [[1]], "M": [[[1]]]}
JET = {"prime": 10007, "points": [[[1], [2]]], "rows": [[1, 1, 1], [1, 1, 3]], "columns": [1, 2], "kernel": []}


def pair(**changes: object) -> Document:
    return {"first": SINGLE, "second": {**SINGLE, **changes}}


def samples() -> dict[str, Document]:
    """A certificate of each kind."""
    full = ["kernel", "orders", "rank"]
    point = {"coordinate": 1, "input": [[1], [2]], "token": 1}
    return {
        "kernel": document("kernel", path(2, []), {"kernel": 3}, {"kernel": VECTORS}, ["kernel-at-least"]),
        "rank": document("rank", path(2, BANK), {"kernel": 3, "rank": 3}, RANKS, ["kernel", "rank"]),
        "rank-at-least": document(
            "rank",
            path(2, BANK),
            {"kernel": 2, "rank": 2},
            {**RANKS, "kernel": VECTORS[:2], "pivots": PIVOTS[:2], "precision": 1},
            ["kernel-at-least", "rank-at-least"],
        ),
        "contrasts": document("spectrum", path(2, BANK), ORDERS, {**RANKS, "lower": {"by": "token-contrasts", "contrasts": [0, 1]}}, full),
        "covariances": document("spectrum", path(2, BANK), ORDERS, {**RANKS, "lower": {"by": "covariances", "valuations": [0, 2]}}, full),
        "lemma": document("spectrum", path(2, BANK), ORDERS, {**RANKS, "lower": {"by": "order-lemma"}}, full, ["order-lemma"]),
        "above": document("spectrum", path(2, BANK), ORDERS, {**RANKS, "lower": {"by": "none"}}, ["kernel", "order-sums-at-most", "rank"]),
        "bank": document(
            "bank",
            path(2, BANK),
            {**ORDERS, "size": 3},
            {**RANKS, "lower": {"by": "order-lemma"}},
            ["kernel", "orders", "rank", "separating"],
            ["order-lemma"],
        ),
        "jet": document("jet", SINGLE, {"order": 3, "parameters": 2, "rank": 2}, JET, ["jet-rank"]),
        "jet-low": document(
            "jet",
            SINGLE,
            {"order": 1, "parameters": 2, "rank": 1},
            {**JET, "rows": [[1, 1, 1]], "columns": [1], "kernel": [[2, []]]},
            ["jet-rank"],
        ),
        "equal": document("equal", pair(), {"equal": True}, {}, ["equal"]),
        "equal-scaled": document("equal", pair(normalizers=["s 2 * exp 3 *"], M=[[["1/2"]]]), {"equal": True}, {}, ["equal"]),
        # Token 1 of (1, 2): 3/2 + (1/4) M u + .. for exp, as the variance is 1/4 and the query is 1.
        "part": document(
            "equal", pair(M=[[[2]]]), {"equal": False}, {"witness": {**point, "degree": 3, "values": ["1/4", "1/2"]}}, ["different"]
        ),
        # 2 - 1/(1 + e) = 1.7310.., 2 - 1/(1 + e^2) = 1.8807..
        "input": document(
            "equal",
            pair(M=[[[2]]]),
            {"equal": False},
            {"witness": {**point, "bits": 64, "values": [[[1731, -3], [1732, -3]], [[1880, -3], [1881, -3]]]}},
            ["different"],
        ),
        # Depth 1, one input (0, 1), t = 1: token 1 averages (1/2), token 2 is e / (1 + e) = 0.7310.. with slope e / (1 + e)^2 = 0.1966..
        # Off the kernel (1, -1, 0) the Jacobian is [[0, 1/2], [0.1966 sqrt 2, 0.7310]].
        "enclosure": document(
            "enclosure",
            path(1, [[[0], [1]]]),
            {"kernel": 1, "rank": 2, "t": 1, "values": [[[9, -1], [92, -2], 1], [[14, -2], [16, -2], 1]]},
            {"bits": 100, "kernel": [[1, [[2, -1]]]]},
            ["singular-values"],
        ),
    }


@pytest.mark.parametrize("name", list(samples()))
def test_a_certificate_made_by_hand_is_valid(name: str) -> None:
    result = check(written(samples()[name]))
    assert (result.verdict, result.reason) == ("valid", "")
    assert result.kind == samples()[name]["kind"]
    assert result.claims
    assert list(result.proven) == samples()[name]["proven"]
    assert list(result.assumed) == samples()[name]["assumed"]


def test_the_enclosed_singular_values_are_those_of_mpmath() -> None:
    with mpmath.workdps(30):
        e = mpmath.e
        slope = e / (1 + e) ** 2 * mpmath.sqrt(2)
        values = mpmath.svd_r(mpmath.matrix([[0, mpmath.mpf(1) / 2], [slope, e / (1 + e)]]), compute_uv=False)
        assert 0.9 < values[0] < 0.92
        assert 0.14 < values[1] < 0.16


def at(*place: str | int, to: object) -> Change:
    def change(found: Document) -> None:
        inner: Any = found
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = to

    return change


def claim(key: str, to: object) -> Change:
    return at("claim", key, to=to)


def evidence(key: str, to: object) -> Change:
    return at("evidence", key, to=to)


def everything(**changes: object) -> Change:
    return lambda found: found.update(changes)


def small_prime(text: str) -> Change:
    """The prime 997, and a normalizer that it should not fit."""

    def change(found: Document) -> None:
        found["evidence"]["prime"] = 997
        found["instance"]["normalizers"] = [text] * 2

    return change


BROKEN: list[tuple[str, Change, str, str]] = [
    # What is claimed and proven.
    ("rank", claim("rank", 2), "invalid", "number of pivots"),
    ("rank", claim("kernel", 4), "invalid", "number of kernel vectors"),
    ("rank", claim("kernel", True), "malformed", "kernel: expected an integer"),
    ("rank", at("proven", to=["kernel-at-least", "rank-at-least"]), "invalid", "what is proven"),
    ("rank", at("assumed", to=["order-lemma"]), "invalid", "what is assumed"),
    ("lemma", at("assumed", to=[]), "invalid", "what is assumed"),
    ("rank", at("proven", to=[1]), "malformed", "proven: expected a text"),
    ("rank-at-least", at("proven", to=["kernel", "rank"]), "invalid", "what is proven"),
    ("rank", at("digest", to="sha256:" + "0" * 64), "invalid", "digest"),
    ("rank", at("digest", to="sha256:" + "0" * 63), "malformed", "digest"),
    ("rank", at("digest", to=7), "malformed", "digest"),
    ("rank", at("symattn-certificate", to=True), "malformed", "symattn-certificate"),
    ("rank", at("symattn-certificate", to=2), "malformed", "symattn-certificate"),
    ("rank", at("kind", to="ranks"), "malformed", "kind"),
    ("rank", at("kind", to=["rank"]), "malformed", "kind"),
    ("rank", at("extra", to=1), "malformed", "exactly the keys"),
    ("rank", evidence("extra", 1), "malformed", "exactly the keys"),
    ("rank", lambda found: found["evidence"].pop("prime"), "malformed", "exactly the keys"),
    ("rank", everything(claim=None), "malformed", "exactly the keys"),
    ("rank", everything(evidence=[]), "malformed", "exactly the keys"),
    # Kernel vectors.
    ("kernel", evidence("kernel", [[1, [[2, 1]]], *VECTORS[1:]]), "invalid", "column 1: an effective score"),
    ("kernel", evidence("kernel", [VECTORS[0], [3, [[5, -1], [6, -1]]], VECTORS[2]]), "invalid", "column 3: an effective score"),
    ("kernel", evidence("kernel", [VECTORS[0], [3, [[5, -2], [6, -2]]], VECTORS[2]]), "invalid", "column 3: the effective value map"),
    ("kernel", evidence("kernel", [[1, [[2, -1], [6, 1]]], *VECTORS[1:]]), "invalid", "a query or key direction holds a value"),
    ("kernel", evidence("kernel", VECTORS[:2]), "invalid", "number of kernel vectors"),
    ("kernel", evidence("kernel", VECTORS[::-1]), "malformed", "own columns must ascend"),
    ("kernel", evidence("kernel", [VECTORS[0]] * 3), "malformed", "own columns must ascend"),
    ("kernel", evidence("kernel", [[1, [[2, -1], [4, 0]]], *VECTORS[1:]]), "malformed", "entries must not be 0"),
    (
        "kernel",
        evidence("kernel", [[1, [[2, -1]]], [3, [[6, -1], [5, -2]]], [4, [[5, -1]]]]),
        "malformed",
        "columns must ascend",
    ),
    ("kernel", evidence("kernel", [[1, [[4, 1]]], *VECTORS[1:]]), "malformed", "must not appear"),
    ("kernel", evidence("kernel", [[1, [[1, 1]]], *VECTORS[1:]]), "malformed", "must not appear"),
    ("kernel", evidence("kernel", [[0, [[2, -1]]], *VECTORS[1:]]), "malformed", "from 1 to 6"),
    ("kernel", evidence("kernel", [[1, [[7, -1]]], *VECTORS[1:]]), "malformed", "from 1 to 6"),
    ("kernel", evidence("kernel", [[1, [[2, True]]], *VECTORS[1:]]), "malformed", "expected an integer or a text"),
    ("kernel", at("instance", "bank", to=BANK), "malformed", "bank"),
    ("rank", at("instance", "bank", to=[]), "malformed", "bank"),
    # The p-adic point.
    ("rank", evidence("prime", 561), "invalid", "not an odd prime"),
    ("rank", evidence("prime", 3215031751), "invalid", "not an odd prime"),  # a strong pseudoprime to the bases 2, 3, 5, 7
    ("rank", evidence("prime", 2), "invalid", "not an odd prime"),
    ("rank", evidence("prime", 1), "invalid", "not an odd prime"),
    ("rank", evidence("prime", -1000003), "invalid", "not an odd prime"),
    ("rank", evidence("prime", 1 << 64), "malformed", "prime"),
    ("rank", evidence("prime", True), "malformed", "prime"),
    ("rank", evidence("prime", 3), "invalid", "beyond p - 2"),
    ("rank", evidence("prime", 1000001), "invalid", "not an odd prime"),
    ("rank", evidence("precision", 2), "invalid", "pivot 3 is 0"),
    ("rank", evidence("precision", 4), "invalid", "precision"),
    ("rank", evidence("precision", 0), "malformed", "precision"),
    ("rank", evidence("precision", 4097), "malformed", "precision"),
    ("rank", evidence("pivots", [PIVOTS[0], PIVOTS[0], PIVOTS[2]]), "malformed", "distinct"),
    ("rank", evidence("pivots", [PIVOTS[0], [1, 2, 1, 6], PIVOTS[2]]), "malformed", "distinct"),
    ("rank", evidence("pivots", [*PIVOTS[:2], [3, 1, 1, 4]]), "invalid", "own column"),
    ("rank", evidence("pivots", [*PIVOTS[:2], [3, 3, 1, 5]]), "malformed", "from 1 to 2"),
    ("rank", evidence("pivots", [*PIVOTS[:2], [3, 1, 5]]), "malformed", "4 entries"),
    ("rank", evidence("pivots", [PIVOTS[2], *PIVOTS[:2]]), "invalid", "does not divide its row"),
    ("rank", at("instance", "bank", 2, 1, to=["1/1000003"]), "invalid", "prime divides a denominator"),
    ("rank", at("instance", "normalizers", to=["s 1000003 / exp", "s exp"]), "invalid", "prime divides"),
    ("rank", small_prime("s exp"), "valid", ""),
    ("rank", small_prime("s 1 + ^1/997"), "invalid", "prime divides"),
    ("rank", small_prime("s 1 + ^1/991"), "valid", ""),
    ("rank", at("instance", "normalizers", to=["s 1/1000003 * exp", "s exp"]), "invalid", "prime divides"),
    ("rank", at("instance", "normalizers", to=["s 1000003 +", "s exp"]), "invalid", "prime divides"),
    # Orders.
    ("contrasts", claim("orders", [[0, 1], [1, 1], [3, 1]]), "invalid", "divisibilities of the columns"),
    ("above", claim("orders", [[0, 1], [1, 1], [3, 1]]), "invalid", "orders of the pivots"),
    ("above", claim("orders", [[0, 1], [1, 2]]), "invalid", "orders of the pivots"),
    ("above", claim("orders", [[0, 1], [1, 1]]), "invalid", "add up to the rank"),
    ("above", claim("orders", [[0, 10**300], [1, 1]]), "invalid", "add up to the rank"),
    ("above", claim("orders", [[1, 1], [0, 1], [5, 1]]), "malformed", "ascend"),
    ("above", claim("orders", [[0, 1], [1, 1], [3, 0], [5, 1]]), "malformed", "orders"),
    ("contrasts", evidence("lower", {"by": "token-contrasts", "contrasts": [0, 2]}), "invalid", "divisibilities of the columns"),
    ("contrasts", evidence("lower", {"by": "token-contrasts", "contrasts": [0]}), "malformed", "contrasts"),
    ("contrasts", evidence("lower", {"by": "token-contrasts", "contrasts": [0, True]}), "malformed", "contrasts"),
    ("contrasts", evidence("lower", {"by": "token-contrasts", "valuations": [0, 1]}), "malformed", "exactly the keys"),
    ("contrasts", evidence("lower", {"by": []}), "malformed", "lower"),
    ("contrasts", evidence("lower", []), "malformed", "lower"),
    ("covariances", evidence("lower", {"by": "covariances", "valuations": [0, 3]}), "invalid", "divisibilities of the columns"),
    ("bank", evidence("lower", {"by": "none"}), "malformed", "order lemma"),
    ("bank", claim("size", 2), "invalid", "size"),
    # Jets.
    ("jet", claim("order", 1), "malformed", "rows"),
    ("jet", claim("order", 4), "malformed", "odd"),
    ("jet", claim("parameters", 3), "invalid", "2 parameters"),
    ("jet", claim("rank", 1), "invalid", "claimed rank"),
    ("jet", evidence("prime", 10009 * 3), "invalid", "not an odd prime"),
    ("jet", evidence("rows", [[1, 1, 1], [1, 1, 2]]), "malformed", "odd integer"),
    ("jet", evidence("rows", [[1, 1, 1], [1, 1, 1]]), "malformed", "distinct"),
    ("jet", evidence("points", [[[1], [2]], [[3], [2]]]), "invalid", "used by no row"),
    ("jet", evidence("points", [[[1], ["1/2"]]]), "malformed", "expected an integer"),
    ("jet", evidence("points", [[[1], [1]]]), "invalid", "singular"),
    ("jet", at("instance", "L", to=[["1/10007"]]), "invalid", "prime divides"),
    ("jet", at("instance", "normalizers", to=["s 10007 / exp"]), "invalid", "prime divides"),
    ("jet", at("instance", "normalizers", to=["s 10007 +"]), "invalid", "constant term of a normalizer"),
    ("jet-low", claim("order", 3), "invalid", "the jet changes"),
    ("jet-low", evidence("kernel", [[2, [[1, 1]]]]), "invalid", "the jet changes"),
    ("jet-low", evidence("kernel", [[1, [[2, 1]]]]), "invalid", "own column"),
    ("jet-low", evidence("kernel", []), "invalid", "what is proven"),
    # Equality.
    ("equal", claim("equal", False), "malformed", "witness"),
    ("equal", claim("equal", 1), "malformed", "true or false"),
    ("equal", at("instance", "second", "L", to=[[2]]), "invalid", "readouts differ"),
    ("equal", at("instance", "second", "M", to=[[[-1]]]), "invalid", "not identified"),
    ("equal", at("instance", "second", "M", to=[[[0]]]), "invalid", "not proportional"),
    ("equal", at("instance", "second", "normalizers", to=["s 2 * exp"]), "invalid", "not identified"),
    ("equal", at("instance", "second", "tokens", to=3), "malformed", "same tokens"),
    ("part", at("evidence", "witness", "values", to=["1/4", "1/3"]), "invalid", "value of the second tuple"),
    ("part", at("evidence", "witness", "values", to=["1/4", "1/4"]), "invalid", "the same"),
    ("part", at("evidence", "witness", "degree", to=5), "invalid", "value of the first tuple"),
    ("part", at("evidence", "witness", "degree", to=2), "malformed", "odd"),
    ("part", at("evidence", "witness", "token", to=3), "malformed", "token"),
    ("part", claim("equal", True), "malformed", "exactly the keys"),
    ("input", at("evidence", "witness", "values", 0, to=[[1732, -3], [1733, -3]]), "invalid", "value of the first tuple is not proved"),
    ("input", at("evidence", "witness", "values", 0, to=[[1730, -3], [1731, -3]]), "invalid", "value of the first tuple is not proved"),
    ("input", at("evidence", "witness", "values", 0, to=[[1732, -3], [1731, -3]]), "malformed", "wrong order"),
    ("input", at("evidence", "witness", "values", to=[[[1, 0], [2, 0]], [[1880, -3], [1881, -3]]]), "invalid", "disjoint"),
    ("input", at("evidence", "witness", "bits", to=0), "malformed", "bits"),
    ("input", at("evidence", "witness", "values", 0, 0, to=[1731, -100001]), "malformed", "values"),
    ("input", at("instance", "first", "normalizers", to=["s 1 + log 1 +"]), "invalid", "know only"),
    ("input", at("instance", "first", "normalizers", to=["s 1 + ^1/2"]), "invalid", "know only"),
    # Enclosures.
    ("enclosure", claim("values", [[[9, -1], [92, -2], 1], [[16, -2], [17, -2], 1]]), "invalid", "singular values below"),
    ("enclosure", claim("values", [[[14, -2], [92, -2], 2]]), "valid", ""),
    ("enclosure", claim("values", [[[16, -2], [92, -2], 2]]), "invalid", "singular values below"),
    ("enclosure", claim("values", [[[14, -2], [92, -2], 1]]), "invalid", "add up to the rank"),
    ("enclosure", claim("values", [[[14, -2], [16, -2], 1], [[9, -1], [92, -2], 1]]), "malformed", "descending"),
    ("enclosure", claim("values", [[[92, -2], [9, -1], 1], [[14, -2], [16, -2], 1]]), "malformed", "0 < lower < upper"),
    ("enclosure", claim("values", [[[9, -1], [92, -2], 1], [[0, 0], [16, -2], 1]]), "malformed", "0 < lower < upper"),
    ("enclosure", claim("t", 0), "malformed", "t:"),
    ("enclosure", claim("t", 2), "invalid", "singular values below"),
    ("enclosure", claim("kernel", 0), "invalid", "number of kernel vectors"),
    ("enclosure", claim("rank", 1), "invalid", "account for all columns"),
    ("enclosure", evidence("bits", 2), "invalid", "not proved to be nonzero"),
    ("enclosure", evidence("bits", 65537), "malformed", "bits"),
    ("enclosure", evidence("kernel", [[1, [[2, 1]]]]), "invalid", "effective score"),
    ("enclosure", at("instance", "normalizers", to=["s 1 + log 1 +"]), "invalid", "know only"),
    ("enclosure", at("instance", "normalizers", to=["s 1 + ^1/2"]), "invalid", "know only"),
    ("enclosure", at("instance", "normalizers", to=["s sin exp"]), "invalid", "singular values below"),
    # The instance.
    ("rank", at("instance", "tokens", to=1), "malformed", "tokens"),
    ("rank", at("instance", "tokens", to=65), "malformed", "tokens"),
    ("rank", at("instance", "width", to=2), "malformed", "expected a list"),
    ("rank", at("instance", "layers", to=[]), "malformed", "layers"),
    ("rank", at("instance", "layers", 0, "U", to=[[]]), "malformed", "U"),
    ("rank", at("instance", "layers", 0, "U", to=[[1, 2]]), "malformed", "U"),
    ("rank", at("instance", "normalizers", to=["s exp"]), "malformed", "normalizers"),
    ("rank", at("instance", "normalizers", to=["s exp", 2]), "malformed", "normalizers"),
    ("rank", at("instance", "bank", 0, 0, to=[1.5]), "malformed", "no floats"),
    ("rank", at("instance", "bank", 0, 0, to=[float("nan")]), "malformed", "no floats"),
    ("rank", at("instance", "bank", 0, 0, to=["1.5"]), "malformed", "expected an integer or a text"),
    *(
        ("rank", at("instance", "bank", 0, 0, to=[entry]), "malformed", "")
        for entry in (
            "2",
            "2/1",
            "4/2",
            "0/3",
            "-0/3",
            "01/2",
            "1/02",
            "+1/2",
            "1/-2",
            " 1/2",
            "1/2\n",
            "1/0",
            "\u0661/2",
            "\ud800/2",
            None,
            True,
            [1],
        )
    ),
]


@pytest.mark.parametrize(("name", "change", "verdict", "words"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_certificate_is_refused(name: str, change: Change, verdict: str, words: str) -> None:
    found = copy.deepcopy(samples()[name])
    change(found)
    if found["digest"] == samples()[name]["digest"]:
        found["digest"] = "sha256:" + hashlib.sha256(canonical(found["instance"])).hexdigest()
    result = check(written(found))
    assert result.verdict == verdict, result
    assert words in result.reason
    assert (result.claims == ()) == (verdict != "valid")


def test_the_interface_between_layers_is_a_kernel_direction() -> None:
    """dV_1 = H V_1, dV_2 = -V_2 H, dQ_2 = -H^T U_2, dK_2 = -H^T W_2, with values that are not the identity and factors of two ranks."""
    chance = random.Random(11)

    def some(rows: int, columns: int) -> list[list[Fraction]]:
        return [[Fraction(chance.randint(1, 9)) for _ in range(columns)] for _ in range(rows)]

    def times(a: list[list[Fraction]], b: list[list[Fraction]], factor: int = 1) -> list[list[Fraction]]:
        return [
            [factor * sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in zip(*b, strict=True)] for row in a
        ]

    first, second, third = ((some(2, r), some(2, r), some(2, 2)) for r in (1, 2, 1))
    h = some(2, 2)
    across = [list(row) for row in zip(*h, strict=True)]
    parts = [
        [[Fraction(0)] * 2] * 2,
        times(h, first[2]),
        times(across, second[0], -1),
        times(across, second[1], -1),
        times(second[2], h, -1),
    ]
    entries = [q for part in parts for row in part for q in row]
    own = next(c for c, q in enumerate(entries, 1) if q)
    assert own == 5  # the first entry of V_1, behind two columns of Q_1 and two of K_1
    vector = (own, {c: q / entries[own - 1] for c, q in enumerate(entries, 1) if c != own and q})
    layers = [
        {key: [[int(q) for q in row] for row in part] for key, part in zip("UWV", layer, strict=True)} for layer in (first, second, third)
    ]
    found = {"tokens": 2, "width": 2, "normalizers": ["s exp"] * 3, "layers": layers, "bank": []}
    read = Stack(found, "instance", Clock(60), is_path=True)
    checker.check_kernel(read, [vector], 1, Clock(60))
    for c in vector[1]:
        with pytest.raises(checker.Invalid, match="column 5: an effective"):
            checker.check_kernel(read, [(own, {**vector[1], c: vector[1][c] + 1})], 1, Clock(60))


def test_divisibility_is_checked_on_the_instance() -> None:
    """A layer whose tokens are not closer together than its claimed contrasts is refused by the series over Q."""
    found = Stack(path(3, BANK), "instance", Clock(60), is_path=True)
    checker.divisibilities(found, True, [0, 1, 4], Clock(60))
    checker.divisibilities(found, False, [0, 2, 8], Clock(60))
    for contrasts, bounds in (
        (True, [0, 1, 5]),
        (True, [0, 2, 4]),
        (True, [1, 0, 0]),
        (False, [1, 0, 0]),
        (False, [0, 3, 0]),
        (False, [0, 0, 9]),
    ):
        with pytest.raises(checker.Invalid, match=r"u\^"):
            checker.divisibilities(found, contrasts, bounds, Clock(60))


def test_a_bound_that_orders_no_column_is_no_work() -> None:
    """All columns of a layer may be own columns of kernel vectors; its claimed contrast then stands in no order, however large."""
    zero = {"U": [[0]], "W": [[0]], "V": [[1]]}
    instance = {"tokens": 2, "width": 1, "normalizers": ["s exp"] * 2, "layers": [LAYER, zero], "bank": BANK}
    vectors = [[1, [[2, -1]]], [3, [[6, -1]]], [4, []], [5, []]]
    given = {"kernel": vectors, "pivots": [[1, 1, 1, 6], [2, 1, 1, 2]], "precision": 1, "prime": 1000003}
    claimed = {"kernel": 4, "orders": [[0, 1], [1, 1]], "rank": 2}
    for last, verdict in ((1, "valid"), (10**100, "malformed")):
        lower = {"by": "token-contrasts", "contrasts": [0, last]}
        data = document("spectrum", instance, claimed, {**given, "lower": lower}, ["kernel", "orders", "rank"])
        assert check(written(data)).verdict == verdict


# Bytes.

GOOD = written(samples()["rank"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a JSON"),
        (b"\n", "not a JSON"),
        (b"\xff\xfe", "not ASCII"),
        ("é\n".encode(), "not ASCII"),
        (GOOD[:-1], "canonical"),
        (GOOD + b"\n", "canonical"),
        (b" " + GOOD, "canonical"),
        (GOOD.replace(b",", b", ", 1), "canonical"),
        (GOOD.replace(b'{"assumed":[],', b"{", 1).replace(b"}\n", b',"assumed":[]}\n'), "canonical"),
        (GOOD.replace(b'{"assumed":[],', b'{"assumed":[],"assumed":[],', 1), "canonical"),
        (GOOD.replace(b'"precision":3', b'"precision":3.0'), "no floats"),
        (GOOD.replace(b'"precision":3', b'"precision":3e0'), "no floats"),
        (GOOD.replace(b'"precision":3', b'"precision":NaN'), "no floats"),
        (GOOD.replace(b'"precision":3', b'"precision":-Infinity'), "no floats"),
        (GOOD.replace(b'"precision":3', b'"precision":-0'), "canonical"),
        (GOOD.replace(b'"precision":3', b'"precision":' + b"9" * 4001), "4000 digits"),
        (GOOD.replace(b'"precision":3', b'"precision":' + b"9" * 4000), "precision"),
        (GOOD.replace(b'"precision":3', b'"precision":true'), "precision"),
        (b"[" * 100000 + b"]" * 100000 + b"\n", "nesting"),
        (b'{"a":' * 100000 + b"1" + b"}" * 100000 + b"\n", "nesting"),
        (b"[" * 13 + b"]" * 13 + b"\n", "nesting"),
        (b"[" * 12 + b"]" * 12 + b"\n", "exactly the keys"),
        (b'"' + b"[" * 100 + b'"\n', "exactly the keys"),
        (b'"' + b'\\"' * 3000000, "not a JSON"),
        (b'"' + b'\\"' * 3000000 + b"\\", "not a JSON"),
        (b'"' * 3000001, "not a JSON"),
        (b"1\n", "exactly the keys"),
        (b"null\n", "exactly the keys"),
        (b"{}\n", "exactly the keys"),
        (b" " * (9 << 20), "8 MiB"),
        (b"[" + b"0," * (4 << 19) + b"0]\n", "exactly the keys"),
    ],
    ids=range(31),
)
def test_other_bytes_are_malformed(data: bytes, words: str) -> None:
    start = time.monotonic()
    result = check(data)
    assert result.verdict == "malformed"
    assert words in result.reason
    assert len(result.reason) <= 300
    assert time.monotonic() - start < 10


def test_no_bytes_raise_anything() -> None:
    chance = random.Random(7)
    for name, found in samples().items():
        data = written(found)
        for _ in range(20):
            changed = bytearray(data)
            for _ in range(chance.randint(1, 3)):
                changed[chance.randrange(len(changed))] = chance.choice(b'0123456789"[]{},:-/s ^e')
            assert check(bytes(changed), 20.0).verdict in ("valid", "invalid", "malformed"), name


def test_the_digit_limit_of_the_process_is_left_as_it_was() -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)
        found = samples()["rank"]
        found["instance"]["bank"][0][0][0] = 10**639
        assert check(written({**found, "digest": document("rank", found["instance"], 0, 0, [])["digest"]})).verdict != "malformed"
        assert sys.get_int_max_str_digits() == 640
    finally:
        sys.set_int_max_str_digits(before)


# Normalizers.


def taylor(text: str, terms: int = 6) -> list[Fraction]:
    ring = Series(terms, Numbers(Clock(60)))
    return [Fraction(x) for x in evaluate(text, ring, ring.variable)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s exp", ["1", "1", "1/2", "1/6", "1/24", "1/120"]),
        ("s 1 + log", ["0", "1", "-1/2", "1/3", "-1/4", "1/5"]),
        ("s sin", ["0", "1", "0", "-1/6", "0", "1/120"]),
        ("s cos", ["1", "0", "-1/2", "0", "1/24", "0"]),
        ("s 1 + ^1/2", ["1", "1/2", "-1/8", "1/16", "-5/128", "7/256"]),
        ("1 2 s - /", ["1/2", "1/4", "1/8", "1/16", "1/32", "1/64"]),
        ("s 2 + ^-2", ["1/4", "-1/4", "3/16", "-1/8", "5/64", "-3/64"]),
        ("s ^2 exp 2 /", ["1/2", "0", "1/2", "0", "1/4", "0"]),
        ("s ^3 s ^0 +", ["1", "0", "0", "1", "0", "0"]),
        ("s exp 1 - exp", ["1", "1", "1", "5/6", "5/8", "13/30"]),
    ],
)
def test_taylor_coefficients(text: str, expected: list[str]) -> None:
    assert taylor(text) == [Fraction(x) for x in expected]
    modulus, p = 10007**3, 10007
    ring = Series(6, Numbers(Clock(60), p, 3))
    found = evaluate(text, ring, ring.variable)
    assert list(found) == [x.numerator * pow(x.denominator, -1, modulus) % modulus for x in map(Fraction, expected)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s",
        "s +",
        "1 s",
        "1 s /",
        "s ^-1",
        "s 1 + exp",
        "s log",
        "2 s + log",
        "s ^1/2",
        "2 s + ^1/2",
        "s 1 + ^1001",
        "s 1 + ^1/1001",
        "2",
        "s  exp",
        " s exp",
        "s exp ",
        "s 1 + tan",
        "s ^ exp",
        "-1 s +",
        "s ^65 1 +",
        "s 2/4 +",
        "s 01 +",
        "s exp\n",
        "s 1 + ^2/4",
        "s exp" + " 1 *" * 200,
        "2 s +" + " ^1000" * 390,
        "s exp" + " 1 - exp ^1000" * 60,
    ],
)
def test_what_is_no_normalizer_is_malformed(text: str) -> None:
    found = samples()["equal"]
    for name in ("first", "second"):
        found["instance"][name] = {**SINGLE, "normalizers": [text]}
    start = time.monotonic()
    result = check(written(document("equal", found["instance"], {"equal": True}, {}, ["equal"])), 2.0)
    assert result.verdict == "malformed"
    assert time.monotonic() - start < 15


def same(first: str, second: str, c: Fraction | int = 1) -> bool:
    """Whether the canonical forms show phi(c s) = phi'(s), up to a factor."""
    forms = Forms(Clock(60))
    return checker.normal_form(forms, first, c) == checker.normal_form(forms, second, 1)


@pytest.mark.parametrize(
    ("first", "second", "c"),
    [
        ("s exp", "s exp 3 *", 1),
        ("s exp ^2", "s 2 * exp", 1),
        ("s exp s exp *", "s 2 * exp", 1),
        ("s exp", "s 2 * exp", 2),
        ("s exp", "1 s -1 * exp /", 1),
        ("s 1 + s 1 + *", "s ^2 s 2 * + 1 +", 1),
        ("s 1 + ^1/2 s 1 + ^1/2 *", "1 s +", 1),
        ("s cos 1 +", "s cos 1 +", -1),
        ("s ^3 sin exp", "s ^3 sin -1 * exp", -1),
        ("s exp s -1 * exp +", "s exp s -1 * exp +", -1),
        ("s ^2 1 + log 2 +", "s ^2 1 + log 2 +", -1),
        ("s exp 1 - 1 +", "s exp", 1),
        ("s exp 1 + ^-1", "2 s exp 2 * 2 + /", 1),
        ("s 1 + s ^2 exp *", "s ^2 exp s 1 + * 7 *", 1),
    ],
)
def test_forms_identify(first: str, second: str, c: Fraction | int) -> None:
    assert same(first, second, c)


@pytest.mark.parametrize(
    ("first", "second", "c"),
    [
        ("s exp", "s 2 * exp", 1),
        ("s exp", "s exp", -1),
        ("s 1 +", "s exp", 1),
        ("s cos 1 +", "s cos 2 +", 1),
        ("s sin 2 +", "s sin 2 +", -1),
        ("s 1 + ^1/2", "s 1 + ^1/3", 1),
        ("s exp s +", "s exp s -", 1),
        ("s ^2 1 + log 2 +", "s ^2 2 * 1 + log 2 +", 1),
    ],
)
def test_forms_do_not_identify_what_differs(first: str, second: str, c: Fraction | int) -> None:
    assert taylor(first) != [x * taylor(first)[0] / taylor(second)[0] * Fraction(c) ** -j for j, x in enumerate(taylor(second))]
    assert not same(first, second, c)


SKEW = [[0, 1], [-1, 0]]
PLAIN = [[1, 2], [0, 1]]
WIDE = {"tokens": 2, "width": 2, "outputs": 1, "L": [[1, 1]]}


def tuples_are_equal(first: list[tuple[str, object]], second: list[tuple[str, object]], **shape: object) -> str:
    sides = [
        {**WIDE, **shape, "normalizers": [phi for phi, _ in layers], "M": [score for _, score in layers]} for layers in (first, second)
    ]
    return check(written(document("equal", {"first": sides[0], "second": sides[1]}, {"equal": True}, {}, ["equal"]))).verdict


def test_what_is_not_seen_is_left_out() -> None:
    zero = [[0, 0], [0, 0]]
    assert tuples_are_equal([("s exp", PLAIN)], [("s 1 +", SKEW)], L=[[0, 0]]) == "valid"
    assert tuples_are_equal([("s exp", zero), ("s exp", PLAIN)], [("s 1 +", zero)]) == "valid"
    # Two tokens: an even normalizer and a skew score keep the mean.
    assert tuples_are_equal([("s cos 1 +", SKEW), ("s exp", zero)], [("s exp", zero)]) == "valid"
    assert tuples_are_equal([("s exp", PLAIN), ("s cos 1 +", SKEW), ("s exp", zero)], [("s exp", PLAIN), ("s exp", zero)]) == "valid"
    assert tuples_are_equal([("s cos 1 +", PLAIN), ("s exp", zero)], [("s exp", zero)]) == "invalid"
    assert tuples_are_equal([("s exp", SKEW), ("s exp", zero)], [("s exp", zero)]) == "invalid"
    assert tuples_are_equal([("s cos 1 +", SKEW), ("s exp", zero)], [("s exp", zero)], tokens=3) == "invalid"
    # Two tokens: behind a skew score with an odd logarithm all tokens are equal.
    assert tuples_are_equal([("s exp", SKEW), ("s exp", PLAIN)], [("s exp", SKEW)]) == "valid"
    assert tuples_are_equal([("1 s + 1 s - /", SKEW), ("s exp", PLAIN)], [("1 s + 1 s - /", SKEW), ("s exp", SKEW)]) == "valid"
    assert tuples_are_equal([("s s ^2 + exp", SKEW), ("s exp", PLAIN)], [("s s ^2 + exp", SKEW)]) == "invalid"
    assert tuples_are_equal([("s exp", SKEW), ("s exp", PLAIN)], [("s exp", SKEW)], tokens=3) == "invalid"


# Number systems and the network.


@pytest.mark.parametrize("bits", [10, 64, 300])
@pytest.mark.parametrize(
    "value", [Fraction(-7, 3), Fraction(1, 3), Fraction(5), Fraction(40), Fraction(1, 1000), Fraction(0), Fraction(-30)]
)
def test_balls_enclose_and_are_narrow(bits: int, value: Fraction) -> None:
    balls = Balls(bits, Clock(60))
    with mpmath.workprec(2 * bits + 200):
        x = mpmath.mpf(value.numerator) / value.denominator
        for name, true in (("exp", mpmath.exp(x)), ("sin", mpmath.sin(x)), ("cos", mpmath.cos(x))):
            ring = Series(2, balls)
            (middle, radius), _ = ring.function(name, ring.number(value))
            error = abs(mpmath.mpf(middle) - mpmath.ldexp(true, bits))
            assert error <= radius
            assert radius <= 4 + 3 * (max(1, true) if name == "exp" else 1)
        if abs(value) * (1 << bits) > 8:
            middle, radius = balls.inverse(balls.number(value))
            assert abs(mpmath.mpf(middle) - mpmath.ldexp(1 / x, bits)) <= radius


def test_wide_balls_enclose() -> None:
    balls, chance = Balls(40, Clock(60)), random.Random(3)
    for _ in range(200):
        a, b = ((chance.randint(-(3 << 40), 3 << 40), chance.randint(0, 1 << 39)) for _ in range(2))
        x, y = (Fraction(chance.randint(m - r, m + r), 1 << 40) for m, r in (a, b))
        for (middle, radius), true in ((balls.mul(a, b), x * y), (balls.sub(a, b), x - y), (balls.add(a, b), x + y)):
            assert abs(middle - true * (1 << 40)) <= radius
        if abs(a[0]) > a[1]:
            middle, radius = balls.inverse(a)
            assert abs(middle - (1 << 40) / x) <= radius
        with mpmath.workprec(200):
            z = mpmath.mpf(x.numerator) / x.denominator
            for (middle, radius), true in zip(
                (*balls.start("exp", a), *balls.start("sin", a)), (mpmath.exp(z), mpmath.exp(z), mpmath.sin(z), mpmath.cos(z)), strict=True
            ):
                assert abs(middle - mpmath.ldexp(true, 40)) <= radius


@pytest.mark.parametrize(
    "text",
    ["s exp", "s sin 2 +", "s cos s + 3 +", "s ^2 -1 * exp s cos * 2 +", "s exp sin exp", "1 s ^2 2 + /", "s 2 + ^-3", "s 3 + ^0 s +"],
)
def test_slopes_of_balls_are_derivatives(text: str) -> None:
    balls = Balls(120, Clock(60))
    (middle, radius), (slope, error) = evaluate(text, Series(2, balls), ((3 << 118, 0), balls.one))
    true = {"exp": mpmath.exp, "sin": mpmath.sin, "cos": mpmath.cos}

    def phi(x: mpmath.mpf) -> mpmath.mpf:
        stack: list[Any] = []
        for item in text.split(" "):
            if item in true:
                stack.append(true[item](stack.pop()))
            elif item[0] == "^":
                q = Fraction(item[1:])
                stack.append(stack.pop() ** (mpmath.mpf(q.numerator) / q.denominator))
            elif item in "+-*/":
                b, a = stack.pop(), stack.pop()
                stack.append({"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else 0}[item])
            else:
                stack.append(x if item == "s" else mpmath.mpf(item))
        return stack[0]

    with mpmath.workprec(400):
        x = mpmath.mpf(3) / 4
        assert abs(mpmath.mpf(middle) - mpmath.ldexp(phi(x), 120)) <= radius < 1 << 12
        assert abs(mpmath.mpf(slope) - mpmath.ldexp(mpmath.diff(phi, x), 120)) <= error + (1 << 20)
        assert error < 1 << 12


def test_the_pass_backwards_is_the_derivative() -> None:
    """Against the coefficient of u when one entry of a score or a value is moved by u, over Q with phi = 1 + s + s^2."""
    ring, chance = Series(2, Numbers(Clock(60))), random.Random(5)
    n, d = 3, 2

    def matrix(rows: int, columns: int) -> list[list[Any]]:
        return [[f"{q}/7" if q % 7 else q // 7 for q in (chance.randint(-9, 9) for _ in range(columns))] for _ in range(rows)]

    data = [{"U": matrix(d, d), "V": matrix(d, d), "W": [[1, 0], [0, 1]]} for _ in range(3)]
    instance = {"tokens": n, "width": d, "normalizers": ["1 s + s ^2 +"] * 3, "layers": data, "bank": [matrix(n, d), matrix(n, d)]}
    read = Stack(instance, "instance", Clock(60), is_path=True)
    network = Network(ring, read, ring.one, Series(4, Numbers(Clock(60))))
    tokens, form = (ring.lift(given) for given in read.bank)
    layers = network.layers

    def output(token: int) -> Any:
        return ring.dot(form[token], network.forward(tokens)[1][token])

    for token in range(n):
        network.layers = layers
        gradient = network.backward(network.forward(tokens)[0], token, form[token])
        for i, part, a, b in ((i, part, a, b) for i in range(3) for part in range(2) for a in range(d) for b in range(d)):
            network.layers = copy.deepcopy(layers)
            moved: Any = network.layers[i][part]
            moved[a][b] = ring.add(moved[a][b], ring.variable)
            assert output(token)[1] == gradient[i][part][a][b][0]


def test_primes() -> None:
    sieve = [p for p in range(2, 3000) if all(p % q for q in range(2, int(p**0.5) + 1))]
    assert [p for p in range(3000) if checker.is_prime(p)] == sieve
    assert checker.is_prime((1 << 61) - 1)
    assert checker.is_prime((1 << 64) - 59)
    for composite in (561, 1729, 3215031751, 341550071728321, 3825123056546413051, 318665857834031151167461 % (1 << 64) * 2, (1 << 62) - 1):
        assert not checker.is_prime(composite)


def test_elimination_over_the_p_adic_residues() -> None:
    ring = Numbers(Clock(60), 7, 3)
    assert checker.eliminate([[7, 14], [7, 63]], ring, exchange=False) == [1, 2]
    assert checker.eliminate([[0, 1], [1, 0]], ring, exchange=True) == [0, 0]
    for rows, exchange, words in (
        ([[0, 1], [1, 0]], False, "pivot 1 is 0"),
        ([[1, 1], [1, 1]], True, "pivot 2 is 0"),
        ([[7, 1], [7, 0]], False, "pivot 1 does not divide its row"),
        ([[7, 7], [1, 0]], False, "pivot 1 does not divide its column"),
    ):
        with pytest.raises(checker.Invalid, match=words):
            checker.eliminate(rows, ring, exchange=exchange)


# The time bound, and work.


def test_the_time_bound_is_kept() -> None:
    big = path(20, [[[i], [i + 1]] for i in range(400)])
    pivots = [[i + 1, 1, 1, i + 1] for i in range(60)]
    claimed = {"kernel": 0, "rank": 60}
    data = written(document("rank", big, claimed, {"kernel": [], "pivots": pivots, "precision": 4096, "prime": (1 << 61) - 1}, ["rank"]))
    start = time.monotonic()
    result = check(data, 2.0)
    assert (result.verdict, result.reason[:21]) == ("malformed", "beyond the time bound")
    assert time.monotonic() - start < 10


def test_too_much_memory_is_refused_at_once() -> None:
    wide = {"tokens": 2, "width": 64, "normalizers": ["s exp"] * 8, "bank": [[[1] * 64] * 2]}
    wide["layers"] = [{"U": [[1] * 64] * 64, "W": [[1] * 64] * 64, "V": [[1] * 64] * 64}] * 8
    claimed = {"kernel": 0, "rank": 1}
    data = written(document("rank", wide, claimed, {"kernel": [], "pivots": [[1, 1, 1, 1]], "precision": 4096, "prime": (1 << 61) - 1}, []))
    start = time.monotonic()
    assert "at once" in check(data).reason
    assert time.monotonic() - start < 10


def test_large_numbers_in_balls_are_refused() -> None:
    found = samples()["input"]
    for phi in ("s 1000000000 * exp", "s 1 + ^1000" + " ^1000" * 20):
        found["instance"]["first"] = {**SINGLE, "normalizers": [phi]}
        data = document("equal", found["instance"], found["claim"], found["evidence"], ["different"])
        assert check(written(data), 20.0).verdict == "malformed"


# The command.


def test_one_line_for_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {**samples()["rank"], "proven": []}
    for name, data in {"good": GOOD, "bad": written(found), "ugly": b"{"}.items():
        (tmp_path / name).write_bytes(data)
    assert main([str(tmp_path / "good")]) == 0
    assert main([str(tmp_path / "good"), str(tmp_path / "bad")]) == 1
    assert main([str(tmp_path / "bad"), str(tmp_path / "ugly"), str(tmp_path / "good")]) == 4
    assert main([str(tmp_path / "missing")]) == 4
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7
    assert [line.split(": ")[1] for line in lines] == ["valid", "valid", "invalid", "invalid", "malformed", "valid", "malformed"]


def test_it_runs_on_its_own(tmp_path: Path) -> None:
    file = tmp_path / "good.json"
    file.write_bytes(GOOD)
    program = Path(checker.__file__)
    done = subprocess.run([sys.executable, "-I", "-S", str(program), str(file)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "valid" in done.stdout
    assert "symattn" not in {
        line.split()[1].split(".")[0] for line in program.read_text().splitlines() if line.startswith(("import ", "from "))
    }


def test_too_little_memory_is_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(checker, "examine", full)
    result = checker.check(b"")
    assert (result.verdict, result.reason) == ("malformed", "beyond the time bound: the memory does not suffice")


def test_an_interrupt_and_a_reader_that_is_gone_are_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(names: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(checker, "check_files", interrupted)
    assert checker.main(["file"]) == 130
