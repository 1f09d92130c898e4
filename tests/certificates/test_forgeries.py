"""Certificates of false claims, made to look as right as they can be: both checkers reject each, and say why."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from symattn.certificates import check as first_checker
from symattn.certificates.paths import spectrum_certificate
from symattn.verification import verify_spectrum
from symattn.verification.published.data import matrix_fixture

from . import second_checker
from .samples import canonical, sample, signed

Document = dict[str, Any]
CHECKERS = {"first": first_checker.check, "second": second_checker.check}


@pytest.fixture(params=CHECKERS)
def check(request: pytest.FixtureRequest) -> Any:
    return CHECKERS[request.param]


@cache
def fixture_bytes() -> bytes:
    """The published fixture, 48 inputs, orders 0, 1, 5, 17."""
    instance = matrix_fixture()
    return spectrum_certificate(instance, verify_spectrum(instance).finding)


def forged(document: Document, **parts: Any) -> bytes:
    return canonical(document | parts)


def order_15_for_17(document: Document) -> bytes:
    claim = document["claim"] | {"orders": [[0, 16], [1, 12], [5, 12], [15, 12]]}
    return forged(document, claim=claim)


def order_15_with_its_own_proof(document: Document) -> bytes:
    """The lower evidence says 15 too: covariances divisible by u^7 only would make it so."""
    claim = document["claim"] | {"orders": [[0, 16], [1, 12], [5, 12], [15, 12]]}
    lower = {"by": "covariances", "valuations": [0, 2, 7]}
    return forged(document, claim=claim, evidence=document["evidence"] | {"lower": lower})


def contrasts_too_deep(document: Document) -> bytes:
    lower = {"by": "token-contrasts", "contrasts": [0, 1, 5]}
    return forged(document, evidence=document["evidence"] | {"lower": lower})


def rank_53(document: Document) -> bytes:
    return forged(document, claim=document["claim"] | {"rank": 53, "orders": [[0, 16], [1, 12], [5, 12], [17, 13]]})


def rank_53_with_a_pivot(document: Document) -> bytes:
    """A kernel vector is left out, and its column has a pivot, in a row that is free."""
    evidence = document["evidence"]
    (column, _), *kernel = evidence["kernel"]
    used = {tuple(pivot[:3]) for pivot in evidence["pivots"]}
    row = next([x, 2, c] for x in range(1, 49) for c in range(1, 5) if (x, 2, c) not in used)
    claim = {"kernel": 43, "orders": [[0, 16], [1, 12], [5, 12], [17, 13]], "rank": 53}
    return forged(document, claim=claim, evidence=evidence | {"kernel": kernel, "pivots": [*evidence["pivots"], [*row, column]]})


def wrong_kernel_vector(document: Document) -> bytes:
    kernel = json.loads(json.dumps(document["evidence"]["kernel"]))
    kernel[0][1][0][1] = 1
    return forged(document, evidence=document["evidence"] | {"kernel": kernel})


def kernel_vector_of_another_column(document: Document) -> bytes:
    kernel = json.loads(json.dumps(document["evidence"]["kernel"]))
    kernel[0][1][0][0] += 1 if kernel[0][1][0][0] + 1 not in {j for j, _ in kernel[0][1]} else 0
    kernel[0][1] = kernel[0][1][:1]
    return forged(document, evidence=document["evidence"] | {"kernel": kernel})


def prime(number: int) -> Callable[[Document], bytes]:
    return lambda document: forged(document, evidence=document["evidence"] | {"prime": number})


def precision(number: int) -> Callable[[Document], bytes]:
    return lambda document: forged(document, evidence=document["evidence"] | {"precision": number})


def another_instance(document: Document) -> bytes:
    """One bit of one input is changed; the digest is that of the original."""
    instance = json.loads(json.dumps(document["instance"]))
    instance["bank"][0][0][0] = 1
    return forged(document, instance=instance)


def a_zero_layer(document: Document) -> bytes:
    """The last layer's queries are zero, which kills twelve orders; all else, and the digest, is made to fit."""
    instance = json.loads(json.dumps(document["instance"]))
    instance["layers"][2]["U"] = [[0, 0] for _ in range(4)]
    return signed(document | {"instance": instance})


FORGERIES: dict[str, tuple[Callable[[Document], bytes], str]] = {
    "order 15 for 17": (order_15_for_17, "order"),
    "order 15 with its own proof": (order_15_with_its_own_proof, "order"),
    "contrasts too deep": (contrasts_too_deep, ""),
    "rank 53": (rank_53, ""),
    "rank 53 with a pivot": (rank_53_with_a_pivot, ""),
    "wrong kernel vector": (wrong_kernel_vector, "kernel"),
    "kernel vector of another column": (kernel_vector_of_another_column, "kernel"),
    "a multiple of 3": (prime(2147483649), "prime"),
    "a strong pseudoprime": (prime(3215031751), "prime"),
    "a Carmichael number": (prime(1590231231043178376951698401), ""),
    "precision too small": (precision(8), ""),
    "precision too large": (precision(10), ""),
    "precision of a bomb": (precision(10**9), ""),
    "another instance": (another_instance, "digest"),
    "a zero layer": (a_zero_layer, ""),
}


def test_the_fixture_is_valid_in_both(check: Any) -> None:
    assert check(fixture_bytes()).verdict == "valid"


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_of_the_fixture(check: Any, name: str) -> None:
    forge, word = FORGERIES[name]
    result = check(forge(json.loads(fixture_bytes())))
    assert result.verdict != "valid"
    assert word in result.reason
    assert result.reason


def proven(name: str, *words: str, **claim: Any) -> bytes:
    document = json.loads(sample(name))
    return forged(document, proven=sorted(words), claim=document["claim"] | claim)


def with_evidence(name: str, **evidence: Any) -> bytes:
    document = json.loads(sample(name))
    return forged(document, evidence=document["evidence"] | evidence)


def shifted(name: str, units: int) -> bytes:
    """The smallest singular value's interval, moved."""
    document = json.loads(sample(name))
    *others, [low, high, multiplicity] = document["claim"]["values"]
    moved = [[low[0] + units, low[1]], [high[0] + units, high[1]], multiplicity]
    return forged(document, claim=document["claim"] | {"values": [*others, moved]})


def without_smallest(name: str) -> bytes:
    """The smallest singular value is passed off as zero."""
    document = json.loads(sample(name))
    claim = document["claim"]
    return forged(document, claim=claim | {"rank": claim["rank"] - 1, "kernel": claim["kernel"] + 1, "values": claim["values"][:-1]})


def equal_though_different() -> bytes:
    document = json.loads(sample("different in a part"))
    return forged(document, claim={"equal": True}, evidence={}, proven=["equal"])


def different_though_equal() -> bytes:
    document = json.loads(sample("equal, even"))
    witness = {"coordinate": 1, "degree": 3, "input": [[1, 0], [0, 1]], "token": 1, "values": ["1/2", "1/3"]}
    return forged(document, claim={"equal": False}, evidence={"witness": witness}, proven=["different"])


def separating_small_bank() -> bytes:
    """A bank of one input, which has rank 2, passed off as separating."""
    document = json.loads(sample("rank on a small bank"))
    claim = {"kernel": 3, "orders": [[0, 1], [1, 1], [5, 1]], "rank": 3, "size": 1}
    evidence = document["evidence"] | {"lower": {"by": "order-lemma"}}
    words = ["kernel", "orders", "rank", "separating"]
    return forged(document, kind="bank", claim=claim, evidence=evidence, proven=words, assumed=["order-lemma"])


OTHERS: dict[str, Callable[[], bytes]] = {
    "rank from a modular rank alone": lambda: proven("rank on a small bank", "kernel", "rank"),
    "orders from above passed off as exact": lambda: proven("spectrum from above", "kernel", "orders", "rank"),
    "an assumption not named": lambda: forged(json.loads(sample("bank")), assumed=[]),
    "jet rank from below passed off as exact": lambda: proven("jet from below", "jet-rank"),
    "jet rank one more": lambda: proven("jet with kernel", "jet-rank", rank=7),
    "jet of a composite prime": lambda: with_evidence("jet, injective", prime=2147483649),
    "an interval above its value": lambda: shifted("enclosure, scalar", 3),
    "an interval below its value": lambda: shifted("enclosure, scalar", -3),
    "a value passed off as zero": lambda: without_smallest("enclosure, scalar"),
    "balls too coarse": lambda: with_evidence("enclosure, matrix", bits=20),
    "equal though different": equal_though_different,
    "different though equal": different_though_equal,
    "a small bank passed off as separating": separating_small_bank,
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_forgeries(check: Any, name: str) -> None:
    result = check(OTHERS[name]())
    assert result.verdict == "invalid"
    assert result.reason
