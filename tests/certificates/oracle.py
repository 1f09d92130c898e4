"""Does the claim of a certificate hold? Asked of the package itself, which finds it anew and without evidence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from symattn.enclosures.singular_values import enclose_singular_values
from symattn.exact.equality import enclosed_outputs
from symattn.exact.jets import jet_differential
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.files import instance_from_dict, network_from_dict
from symattn.network.instance import Instance
from symattn.network.kernel import path_kernel
from symattn.network.parameters import Network
from symattn.verification import verify_spectrum
from symattn.verification.equality import decide_equality

_BINARY = frozenset("+-*/")


def holds(document: dict[str, Any]) -> bool:
    """Whether the package finds that the claim is true."""
    return _ORACLES[document["kind"]](document)


def infix(postfix: str) -> str:
    """The normalizer in the grammar of the package."""
    stack: list[str] = []
    for item in postfix.split(" "):
        if item in _BINARY:
            right = stack.pop()
            stack.append(f"({stack.pop()}) {item} ({right})")
        elif item[0] == "^":
            stack.append(f"({stack.pop()})**({item[1:]})")
        elif item in ("exp", "log", "sin", "cos"):
            stack.append(f"{item}({stack.pop()})")
        else:
            stack.append(item)
    return stack.pop()


def path_of(document: dict[str, Any]) -> Instance:
    """The path of a certificate."""
    own = document["instance"]
    bank = {"bank": own["bank"]} if own["bank"] else {}
    plain = {key: own[key] for key in ("tokens", "width", "layers")} | {"normalizers": [infix(text) for text in own["normalizers"]]}
    return instance_from_dict({"symattn": 1, **plain, **bank})


def tuple_of(own: dict[str, Any]) -> Network:
    """The tuple of a certificate."""
    plain = {key: own[key] for key in ("tokens", "width", "L", "M")} | {"normalizers": [infix(text) for text in own["normalizers"]]}
    return network_from_dict({"symattn": 1, **plain})


def _kernel(document: dict[str, Any]) -> bool:
    return path_kernel(path_of(document)).dimension >= int(document["claim"]["kernel"])


def _spectrum(document: dict[str, Any]) -> bool:
    instance, claim = path_of(document), document["claim"]
    both = "rank" in document["proven"]
    options = SpectrumOptions(max_precision=32, rows="all")
    finding = verify_spectrum(instance).finding if both else find_spectrum(instance, options=options)
    counted = (finding.rank, finding.explicit_kernel) == (claim["rank"], claim["kernel"])
    orders = [list(pair) for pair in finding.orders]
    if "orders" in document["proven"]:
        return finding.is_exact and counted and orders == claim["orders"]
    return counted and ("orders" not in claim or orders == claim["orders"])


def _jet(document: dict[str, Any]) -> bool:
    claim = document["claim"]
    found = jet_differential(tuple_of(document["instance"]), claim["order"])
    rank = found.ranks[claim["order"]]
    return found.parameters == claim["parameters"] and (
        rank == claim["rank"] if "jet-rank" in document["proven"] else rank >= claim["rank"]
    )


def _equal(document: dict[str, Any]) -> bool:
    first, second = (tuple_of(document["instance"][name]) for name in ("first", "second"))
    if decide_equality(first, second).equal is not document["claim"]["equal"]:
        return False
    witness = document["evidence"].get("witness")
    if witness is None or "degree" in witness:
        return True
    point = tuple(tuple(Fraction(x) for x in row) for row in witness["input"])
    places = [enclosed_outputs(network, point, 256)[witness["token"] - 1, witness["coordinate"] - 1] for network in (first, second)]
    return not places[0].overlaps(places[1])


def _enclosure(document: dict[str, Any]) -> bool:
    claim = document["claim"]
    found = enclose_singular_values(path_of(document), Fraction(claim["t"]), 12)
    if (found.rank, found.kernel) != (claim["rank"], claim["kernel"]) or len(found.values) != len(claim["values"]):
        return False
    for value, (low, high, multiplicity) in zip(found.values, claim["values"], strict=True):
        lower, upper = (Fraction(m) * Fraction(10) ** e for m, e in (low, high))
        inside, outside = (Fraction(text) for text in value.bounds(20))
        if value.multiplicity != multiplicity or not lower < inside <= outside < upper:
            return False
    return True


_ORACLES: dict[str, Callable[[dict[str, Any]], bool]] = {
    "kernel": _kernel,
    "rank": _spectrum,
    "spectrum": _spectrum,
    "bank": _spectrum,
    "jet": _jet,
    "equal": _equal,
    "enclosure": _enclosure,
}
