"""The second checker on certificates that were computed by hand, and on the same ones broken in one place."""

import copy
import hashlib
import importlib.util
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

_SPEC = importlib.util.spec_from_file_location("second_checker", Path(__file__).with_name("second_checker.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
second = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(second)


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def certificate(kind: str, instance: Any, claim: Any, evidence: Any, proven: list[str], assumed: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "symattn-certificate": 1,
        "kind": kind,
        "instance": instance,
        "digest": "sha256:" + 64 * "0",
        "claim": claim,
        "evidence": evidence,
        "proven": proven,
        "assumed": list(assumed),
    }


def verdict(document: dict[str, Any], digest: bool = True) -> str:
    if digest:
        document = {**document, "digest": "sha256:" + hashlib.sha256(canonical(document["instance"])).hexdigest()}
    return str(second.check(canonical(document) + b"\n", 20.0).verdict)


def broken(document: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    result = copy.deepcopy(document)
    place: Any = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return result


def line(phi: str = "s exp", u: Any = 2, w: Any = 3, bank: Any = (((1,), (0,)),)) -> dict[str, Any]:
    """One layer, d = 1, two tokens 1 and 0: y_1 = phi(6 u) / (phi(6 u) + phi(0)), y_2 = 1/2."""
    return {"tokens": 2, "width": 1, "normalizers": [phi], "layers": [{"U": [[u]], "W": [[w]], "V": [[1]]}], "bank": bank}


# (q, k) = (1, -3/2): q W + U k = 3 - 3 = 0
KERNEL = certificate("kernel", line(bank=[]), {"kernel": 1}, {"kernel": [[1, [[2, "-3/2"]]]]}, ["kernel-at-least"])
# token 2: the V column is 1/2, the K column 0; token 1: the divided K column is U w (1 - w), at u = 0 that is 1/2
PIVOTS = {"kernel": [[1, [[2, "-3/2"]]]], "prime": 5, "precision": 1, "pivots": [[1, 2, 1, 3], [1, 1, 1, 2]]}
RANK = certificate("rank", line(), {"kernel": 1, "rank": 2}, PIVOTS, ["kernel", "rank"])
ORDERS = {"kernel": 1, "rank": 2, "orders": [[0, 1], [1, 1]]}
SPECTRUM = certificate(
    "spectrum", line(), ORDERS, {**PIVOTS, "lower": {"by": "token-contrasts", "contrasts": [0]}}, ["kernel", "orders", "rank"]
)
# exp(s^2): the K column is U 2 s w (1 - w) with s = 6 u, of order 1 in u and 3 in t
SQUARE = certificate(
    "spectrum",
    line("s ^2 exp"),
    {"kernel": 1, "rank": 2, "orders": [[0, 1], [3, 1]]},
    {**PIVOTS, "precision": 2, "lower": {"by": "covariances", "valuations": [1]}},
    ["kernel", "orders", "rank"],
)
BANK = certificate(
    "bank",
    line(),
    {**ORDERS, "size": 1},
    {**PIVOTS, "lower": {"by": "order-lemma"}},
    ["kernel", "orders", "rank", "separating"],
    ("order-lemma",),
)


def pair(*m: Any, phi: str = "s exp", L: Any = 1, n: int = 2) -> dict[str, Any]:
    return {"tokens": n, "width": 1, "outputs": 1, "normalizers": [phi] * len(m), "L": [[L]], "M": [[[x]] for x in m]}


# y_1 = (x_1 + x_2) / 2 + M x_1 (x_1 - x_2)^2 / 4 + ..; at (1, 0) the matrix is [[1/2, 0], [1/4, 1/4]]
JET = certificate(
    "jet",
    pair(1),
    {"order": 3, "parameters": 2, "rank": 2},
    {"prime": 7, "points": [[[1], [0]]], "rows": [[1, 1, 1], [1, 1, 3]], "columns": [1, 2], "kernel": []},
    ["jet-rank"],
)
LINEAR = certificate(
    "jet",
    pair(1),
    {"order": 1, "parameters": 2, "rank": 1},
    {"prime": 7, "points": [[[1], [0]]], "rows": [[1, 1, 1]], "columns": [1], "kernel": [[2, []]]},
    ["jet-rank"],
)
PART = certificate(
    "equal",
    {"first": pair(1), "second": pair(2)},
    {"equal": False},
    {"witness": {"coordinate": 1, "degree": 3, "input": [[1], [0]], "token": 1, "values": ["1/4", "1/2"]}},
    ["different"],
)
# e / (e + 1) = 0.7310.., and e^2 / (e^2 + 1) = 0.8807..
INPUT = certificate(
    "equal",
    {"first": pair(1), "second": pair(2)},
    {"equal": False},
    {
        "witness": {
            "bits": 30,
            "coordinate": 1,
            "input": [[1], [0]],
            "token": 1,
            "values": [[[7310, -4], [7311, -4]], [[880, -3], [881, -3]]],
        }
    },
    ["different"],
)
# t = 1, U = W = V = 1: J = [[g, g, y], [0, 0, 1/2]], y = e / (e + 1), g = y (1 - y): singular values 0.9158.., 0.1518..
ENCLOSURE = certificate(
    "enclosure",
    line(u=1, w=1),
    {"kernel": 1, "rank": 2, "t": 1, "values": [[[915, -3], [916, -3], 1], [[151, -3], [152, -3], 1]]},
    {"bits": 40, "kernel": [[1, [[2, -1]]]]},
    ["singular-values"],
)
ALL = {
    "kernel": KERNEL,
    "rank": RANK,
    "spectrum": SPECTRUM,
    "square": SQUARE,
    "bank": BANK,
    "jet": JET,
    "linear": LINEAR,
    "part": PART,
    "input": INPUT,
    "enclosure": ENCLOSURE,
}


@pytest.mark.parametrize("name", ALL)
def test_certificates_made_by_hand(name: str) -> None:
    assert verdict(ALL[name]) == "valid"
    assert verdict(ALL[name], digest=False) == "invalid"
    assert verdict(broken(ALL[name], "proven", to=[])) == "invalid"
    assert verdict(broken(ALL[name], "assumed", to=[] if name == "bank" else ["order-lemma"])) == "invalid"
    assert verdict(broken(ALL[name], "symattn-certificate", to=True)) == "malformed"
    assert verdict(broken(ALL[name], "more", to=1)) == "malformed"
    assert verdict(broken(ALL[name], "evidence", "more", to=1)) == "malformed"
    assert verdict(broken(ALL[name], "kind", to="proof")) == "malformed"


def test_broken_kernels() -> None:
    assert verdict(broken(KERNEL, "evidence", "kernel", 0, 1, 0, 1, to=-1)) == "invalid"
    assert verdict(broken(KERNEL, "evidence", "kernel", 0, 1, 0, 0, to=3)) == "invalid"  # a V column beside a Q column
    assert verdict(broken(KERNEL, "evidence", "kernel", 0, 0, to=3)) == "invalid"
    assert verdict(broken(KERNEL, "evidence", "kernel", 0, 0, to=2)) == "malformed"  # its own column among the others
    assert verdict(broken(KERNEL, "claim", "kernel", to=2)) == "invalid"
    assert verdict(broken(KERNEL, "evidence", "kernel", 0, 1, 0, 1, to="-6/4")) == "malformed"
    assert verdict(broken(KERNEL, "evidence", "kernel", 0, 1, 0, 1, to=-1.5)) == "malformed"
    assert verdict(broken(KERNEL, "instance", "bank", to=[[[1], [0]]])) == "malformed"


def test_a_kernel_vector_of_a_value() -> None:
    """Two layers, d = 1: V_1 -> V_1 (1 + e) leaves V_2 V_1 for V_2 (1 - e), and M_2 = V_1^2 U_2 W_2 for W_2 (1 - 2 e)."""
    instance = {"tokens": 2, "width": 1, "normalizers": ["s exp"] * 2, "layers": [{"U": [[1]], "W": [[1]], "V": [[1]]}] * 2, "bank": []}
    vectors = [[1, [[2, -1]]], [3, [[5, -2], [6, -1]]], [4, [[5, -1]]]]
    document = certificate("kernel", instance, {"kernel": 3}, {"kernel": vectors}, ["kernel-at-least"])
    assert verdict(document) == "valid"
    assert verdict(broken(document, "evidence", "kernel", 1, 1, 0, 1, to=-1)) == "invalid"
    assert verdict(broken(document, "evidence", "kernel", 1, 1, to=[[6, -1]])) == "invalid"


def test_broken_ranks() -> None:
    assert verdict(broken(RANK, "evidence", "pivots", 0, 3, to=1)) == "invalid"
    assert verdict(broken(RANK, "evidence", "pivots", 1, to=[1, 2, 1, 2])) == "malformed"
    assert verdict(broken(RANK, "evidence", "pivots", to=[[1, 2, 1, 2], [1, 1, 1, 3]])) == "invalid"  # the first vanishes
    assert verdict(broken(RANK, "evidence", "precision", to=2)) == "invalid"
    for prime in (1, 2, 4, 9, 561, 3215031751, 3825123056546413051, 18446744073709551616):
        assert verdict(broken(RANK, "evidence", "prime", to=prime)) != "valid"
    for prime in (3, 2147483647, 18446744073709551557):
        assert verdict(broken(RANK, "evidence", "prime", to=prime)) == "valid"
    assert verdict(broken(RANK, "instance", "bank", to=[[["1/5"], [0]]])) == "invalid"
    assert verdict(broken(RANK, "instance", "normalizers", to=["s exp 5 /"])) == "invalid"
    assert verdict(broken(RANK, "instance", "normalizers", to=["1 s + ^1/5"])) == "invalid"
    assert verdict(broken(RANK, "instance", "normalizers", to=["5 s exp *"])) == "invalid"
    assert verdict(broken(RANK, "instance", "normalizers", to=["1 s + ^1/3"])) == "valid"


def test_rank_zero() -> None:
    """Two layers of zeros: the second V sees nothing, the first is not seen."""
    layer = {"U": [[0]], "W": [[0]], "V": [[0]]}
    instance = {"tokens": 2, "width": 1, "normalizers": ["s exp"] * 2, "layers": [layer, dict(layer)], "bank": [[[1], [2]]]}
    evidence = {"kernel": [[c, []] for c in range(1, 7)], "prime": 5, "precision": 1, "pivots": []}
    document = certificate("rank", instance, {"kernel": 6, "rank": 0}, evidence, ["kernel", "rank"])
    assert verdict(document) == "valid"
    assert verdict(broken(document, "evidence", "precision", to=2)) == "invalid"
    assert verdict(broken(document, "instance", "normalizers", 1, to="5 s exp *")) == "invalid"
    assert verdict(broken(document, "instance", "layers", 1, "V", to=[[1]])) == "invalid"


def test_the_bound_on_the_prime() -> None:
    """With p = 3 and exp(s^2) the second pivot has valuation 2 at u = 3, beyond p - 3, although it has order 1 in u."""
    assert verdict(broken(broken(SQUARE, "evidence", "prime", to=3), "evidence", "precision", to=3)) == "invalid"
    assert verdict(broken(SQUARE, "evidence", "prime", to=11)) == "valid"


def test_fewer_columns_prove_less() -> None:
    less = certificate("rank", line(), {"kernel": 0, "rank": 2}, {**PIVOTS, "kernel": []}, ["kernel-at-least", "rank-at-least"])
    assert verdict(less) == "valid"
    assert verdict(broken(less, "proven", to=["kernel", "rank"])) == "invalid"
    evidence = {**PIVOTS, "kernel": [], "lower": {"by": "none"}}
    above = certificate("spectrum", line(), {**ORDERS, "kernel": 0}, evidence, ["kernel-at-least", "order-sums-at-most", "rank-at-least"])
    assert verdict(above) == "valid"
    assert verdict(broken(above, "evidence", "lower", to={"by": "order-lemma"})) == "invalid"


def test_lower_bounds() -> None:
    assert verdict(broken(SPECTRUM, "evidence", "lower", to={"by": "none"})) == "invalid"  # proves other words
    assert verdict(broken(SPECTRUM, "evidence", "lower", "contrasts", to=[1])) == "invalid"
    assert verdict(broken(SPECTRUM, "evidence", "lower", "contrasts", to=[0, 0])) == "malformed"
    assert verdict(broken(SPECTRUM, "evidence", "lower", to={"by": "covariances", "valuations": [0]})) == "valid"
    assert verdict(broken(SQUARE, "evidence", "lower", "valuations", to=[2])) == "invalid"
    assert verdict(broken(SQUARE, "evidence", "lower", to={"by": "token-contrasts", "contrasts": [0]})) == "valid"
    assert verdict(broken(SQUARE, "claim", "orders", to=[[0, 1], [2, 1]])) == "invalid"
    assert verdict(broken(BANK, "claim", "size", to=2)) == "invalid"


def test_what_orders_cannot_tell_series_can() -> None:
    """The lists of orders agree, and the power of u that is claimed is wrong: only the check of series can see it."""
    second._Clock.end = float("inf")
    path = second.read_path(line("s ^2 exp", bank=[[[1], [0]]]), empty_bank=False)
    second.check_lower(path, second.Lower("covariances", [1]))
    with pytest.raises(second.Invalid):
        second.check_lower(path, second.Lower("covariances", [2]))
    with pytest.raises(second.Invalid):
        second.check_lower(path, second.Lower("token-contrasts", [1]))


def test_broken_jets() -> None:
    assert verdict(broken(JET, "evidence", "points", 0, to=[[1], [1]])) == "invalid"  # both tokens equal: M is not seen
    assert verdict(broken(JET, "evidence", "prime", to=2)) == "invalid"
    assert verdict(broken(JET, "evidence", "points", to=[[[1], [0]], [[2], [0]]])) == "invalid"
    assert verdict(broken(JET, "evidence", "rows", 1, 2, to=2)) == "malformed"
    assert verdict(broken(JET, "claim", "order", to=4)) == "malformed"
    assert verdict(broken(LINEAR, "claim", "order", to=3)) == "invalid"  # M is seen in degree 3
    assert verdict(broken(LINEAR, "evidence", "kernel", to=[[1, []]])) == "invalid"
    assert verdict(broken(LINEAR, "evidence", "kernel", to=[])) == "invalid"
    assert verdict(broken(broken(LINEAR, "evidence", "kernel", to=[]), "proven", to=["jet-rank-at-least"])) == "valid"


def test_broken_witnesses() -> None:
    assert verdict(broken(PART, "evidence", "witness", "values", to=["1/4", "1/4"])) == "invalid"
    assert verdict(broken(PART, "evidence", "witness", "values", to=["1/2", "1/4"])) == "invalid"
    assert verdict(broken(PART, "evidence", "witness", "degree", to=1)) == "invalid"
    assert verdict(broken(PART, "claim", "equal", to=0)) == "malformed"
    assert verdict(broken(INPUT, "evidence", "witness", "values", 0, 1, to=[73105, -5])) == "invalid"
    assert verdict(broken(INPUT, "evidence", "witness", "values", 0, 1, to=[8801, -4])) == "invalid"  # no longer disjoint
    assert verdict(broken(INPUT, "evidence", "witness", "bits", to=0)) == "malformed"
    rooted = broken(INPUT, "instance", "first", "normalizers", to=["s 2 * exp ^1/2"])
    assert verdict(rooted) == "invalid"


SKEW = [[0, 1], [-1, 0]]


def plane(*layers: tuple[Any, str], n: int = 2, L: Any = ((1, 2),)) -> dict[str, Any]:
    return {"tokens": n, "width": 2, "outputs": 1, "normalizers": [phi for _, phi in layers], "L": L, "M": [m for m, _ in layers]}


def equal(first: Any, other: Any) -> str:
    return verdict(certificate("equal", {"first": first, "second": other}, {"equal": True}, {}, ["equal"]))


@pytest.mark.parametrize(
    ("phi", "psi", "m", "other"),
    [
        ("s exp", "2 s * exp", 2, 1),
        ("s ^2 exp", "3 s ^2 exp *", 1, -1),
        ("s 1 + ^2", "s ^2 2 s * + 1 +", 1, 1),
        ("1 s ^2 + ^-1/2", "4 4 s ^2 * + ^-1", 1, None),
        ("s exp s 2 * exp *", "s 3 * exp", 1, 1),
        ("2 s sin +", "2 s sin -", -1, 1),
        ("s exp s cos + 2 +", "2 s cos 4 + s exp + 2 / s exp 2 / + +", 1, None),
        ("s exp s cos +", "s cos s exp +", 1, 1),
        ("1 s + log 1 +", "s 1 + log 1 +", 1, 1),
    ],
)
def test_normalizers(phi: str, psi: str, m: int, other: int | None) -> None:
    expected = "valid" if other is not None else "invalid"
    assert equal(pair(m, phi=phi), pair(other or 1, phi=psi)) == expected


def test_what_is_not_seen() -> None:
    full, zero, any_m = [[1, 2], [3, 4]], [[0, 0], [0, 0]], [[5, 1], [0, 2]]
    assert equal(plane((full, "s exp"), L=[[0, 0]]), plane((any_m, "s cos"), (full, "s exp"), L=[[0, 0]])) == "valid"
    assert equal(plane((full, "s exp"), (zero, "s exp")), plane((full, "s exp"), (zero, "s cos"), (any_m, "s exp"))) == "valid"
    assert equal(plane((SKEW, "s exp")), plane((SKEW, "s exp"), (full, "s exp"))) == "valid"
    assert equal(plane((SKEW, "s exp"), n=3), plane((SKEW, "s exp"), (full, "s exp"), n=3)) == "invalid"
    assert equal(plane((SKEW, "s cos")), plane((SKEW, "s cos"), (full, "s exp"))) == "invalid"
    assert equal(plane((SKEW, "s cos"), (SKEW, "s ^2 exp"), (zero, "s exp")), plane((zero, "s exp"))) == "valid"
    assert equal(plane((SKEW, "1 s +"), (zero, "s exp")), plane((zero, "s exp"))) == "invalid"
    assert equal(plane((SKEW, "1 s + 1 s - /"), (full, "s cos")), plane((SKEW, "1 s + 1 s - /"))) == "valid"
    assert equal(plane((SKEW, "s cos"), (zero, "s exp"), n=3), plane((zero, "s exp"), n=3)) == "invalid"


def test_broken_enclosures() -> None:
    assert verdict(broken(ENCLOSURE, "claim", "values", 0, 0, to=[9159, -4])) == "invalid"
    assert verdict(broken(ENCLOSURE, "claim", "values", 1, 1, to=[1517, -4])) == "invalid"
    assert verdict(broken(ENCLOSURE, "claim", "values", to=[[[915, -3], [916, -3], 2]])) == "invalid"
    assert verdict(broken(ENCLOSURE, "claim", "values", 0, 2, to=2)) == "invalid"
    assert verdict(broken(ENCLOSURE, "claim", "t", to=2)) == "invalid"
    assert verdict(broken(ENCLOSURE, "evidence", "bits", to=1)) in ("invalid", "valid")
    assert verdict(broken(ENCLOSURE, "evidence", "kernel", 0, 1, 0, 1, to=-2)) == "invalid"
    assert verdict(broken(ENCLOSURE, "instance", "bank", to=[[[1], [1]]])) == "invalid"


@pytest.mark.parametrize(
    "phi",
    [
        *("", "s", "1", "s exp exp", "s log", "1 s /", "s ^-1", "s ^1/2", "1 s  +", "1.5", "+1 s +", "s exp -", "1 s + 2", "-1 s +"),
        *("1 s ^65 +", "2 ^1000 ^1000 ^1000 s +", "s exp ^1001", "1 s + ^2/4", "2 s + ^1/2", "s ^02 exp", "s exp " + "1 * " * 200 + "1 *"),
    ],
)
def test_malformed_normalizers(phi: str) -> None:
    assert verdict(broken(RANK, "instance", "normalizers", to=[phi])) == "malformed"


def test_strict_bytes() -> None:
    data = canonical({**RANK, "digest": "sha256:" + hashlib.sha256(canonical(RANK["instance"])).hexdigest()}) + b"\n"
    assert second.check(data).verdict == "valid"
    spoiled = [b"", data[:-1], data + b"\n", b" " + data, data.replace(b":", b": ", 1), data.replace(b'"rank"', b'"rank","rank"', 1)]
    spoiled += [b"[" * 100000, b'{"a":' * 100000, b"\xff\n", b"null\n", b"NaN\n", b"-0\n", b"1e5\n", b'"\\ud800"\n', b"1" * 5000 + b"\n"]
    spoiled += [b'{"a":1,"a":1}\n', data.replace(b"2", b"2.0", 1), b"[]\n", b"{}\n", data[: len(data) // 2]]
    for other in spoiled:
        assert second.check(other).verdict == "malformed"
    for place in range(0, len(data), 7):
        assert second.check(data[:place] + b"7" + data[place + 1 :]).verdict in ("malformed", "invalid") or data[place : place + 1] == b"7"
    assert second.check(data, 0.0) == ("malformed", "beyond the time bound")


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = canonical({**RANK, "digest": "sha256:" + hashlib.sha256(canonical(RANK["instance"])).hexdigest()}) + b"\n"
    files = []
    for name, data in (("good", good), ("bad", canonical(RANK) + b"\n"), ("no", b"no")):
        (tmp_path / name).write_bytes(data)
        files.append(str(tmp_path / name))
    assert [second.main(files[:1]), second.main(files[:2]), second.main(files), second.main([str(tmp_path / "missing")])] == [0, 1, 4, 4]
    assert "rank: kernel, rank" in capsys.readouterr().out


def test_functions_of_intervals() -> None:
    """exp(1), sin(1), cos(1), log(2), 2^(1/2) to 30 digits, from tables."""
    second._Clock.end = float("inf")
    ring = second.IntervalRing(80)
    sine, cosine = ring.sincos(ring.const(Fraction(1)))
    table = [
        (ring.exp(ring.const(Fraction(1))), "2.718281828459045235360287471352"),
        (sine, "0.841470984807896506652502321630"),
        (cosine, "0.540302305868139717400936607442"),
        (ring.log(ring.const(Fraction(2))), "0.693147180559945309417232121458"),
        (ring.root(ring.const(Fraction(2)), Fraction(1, 2)), "1.414213562373095048801688724209"),
    ]
    for enclosure, digits in table:
        low, high = Fraction(enclosure.lo, 1 << 80), Fraction(enclosure.hi, 1 << 80)
        assert low - Fraction(1, 10**30) <= Fraction(digits) <= high + Fraction(1, 10**30)
        assert high - low < Fraction(1, 10**21)
