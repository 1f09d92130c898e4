"""Files that make no sense: one line that names file and key, exit code 2, no hang and no memory blow-up."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOOD = {
    "symattn": 1,
    "tokens": 3,
    "width": 2,
    "normalizers": "exp(s)",
    "layers": [{"U": [[1], [2]], "W": [[3], [-1]]}, {"U": [[1, 2], [0, 1]], "W": [[2, 1], [1, 1]]}],
    "bank": [[[1, 2], [3, 4], [5, -7]], [[2, 1], [0, 3], [1, 1]]],
}


def changed(*path: object, to: object) -> Callable[[dict], None]:
    def change(document: dict) -> None:
        place = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return change


CASES = {
    "ragged U": (changed("layers", 1, "U", to=[[1, 2], [3]]), "layers[2].U"),
    "U of another height": (changed("layers", 0, "U", to=[[1], [2], [3]]), "layers[1].U"),
    "W of another width": (changed("layers", 0, "W", to=[[1, 2], [2, 3]]), "layers[1].W"),
    "r > d": (changed("layers", 0, to={"U": [[1, 2, 3], [4, 5, 6]], "W": [[1, 2, 3], [4, 5, 6]]}), "layers[1].U"),
    "empty U": (changed("layers", 0, "U", to=[]), "layers[1].U"),
    "rows without entries": (changed("layers", 0, "U", to=[[], []]), "layers[1].U"),
    "U as text": (changed("layers", 0, "U", to="12"), "layers[1].U"),
    "V not square": (changed("layers", 0, "V", to=[[1, 2]]), "layers[1].V"),
    "n = 1": (changed("tokens", to=1), "tokens"),
    "tokens negative": (changed("tokens", to=-4), "tokens"),
    "tokens as text": (changed("tokens", to="many"), "tokens"),
    "tokens as fraction": (changed("tokens", to=2.5), "tokens"),
    "tokens huge": (changed("tokens", to=10**400), "tokens"),
    "width 0": (changed("width", to=0), "width"),
    "width missing": (lambda document: document.pop("width"), "width"),
    "no layers": (changed("layers", to=[]), "layers"),
    "layers as object": (changed("layers", to={}), "layers"),
    "unknown key": (changed("colour", to="red"), "colour"),
    "unknown key in a layer": (changed("layers", 0, "X", to=1), "layers[1]"),
    "hostile key": (changed("\x1b[31mred\n", to=1), "unknown key"),
    "version": (changed("symattn", to=2), "symattn"),
    "NaN": (changed("layers", 0, "U", to=[[float("nan")], [2]]), "layers[1].U[1][1]"),
    "infinity": (changed("bank", 0, 1, 0, to=float("-inf")), "bank[1][2][1]"),
    "nonsense number": (changed("layers", 0, "U", to=[["three"], [2]]), "layers[1].U[1][1]"),
    "zero denominator": (changed("layers", 0, "U", to=[["3/0"], [2]]), "layers[1].U[1][1]"),
    "huge exponent": (changed("layers", 0, "U", to=[["1e999999999"], [2]]), "layers[1].U[1][1]"),
    "hostile number": (changed("layers", 0, "U", to=[["\x1b[2J\n"], [2]]), "layers[1].U[1][1]"),
    "null entry": (changed("layers", 0, "U", to=[[None], [2]]), "layers[1].U[1][1]"),
    "boolean entry": (changed("layers", 0, "U", to=[[True], [2]]), "layers[1].U[1][1]"),
    "empty bank": (changed("bank", to=[]), "bank"),
    "input of too few tokens": (changed("bank", 1, to=[[1, 2], [3, 4]]), "bank[2]"),
    "input of another width": (changed("bank", 0, 0, to=[1, 2, 3]), "bank[1]"),
    "bank as number": (changed("bank", to=7), "bank"),
    "too many normalizers": (changed("normalizers", to=["exp(s)"] * 3), "normalizers"),
    "normalizer as number": (changed("normalizers", to=1), "normalizers"),
    "unknown name": (changed("normalizers", to="exp(x)"), "unknown name"),
    "unknown call": (changed("normalizers", to=["exp(s)", "open('/etc/passwd')"]), "normalizers[2]"),
    "hostile normalizer": (changed("normalizers", to="\x1b[31mexp(s)\nnext"), "normalizers"),
    "a million parentheses": (changed("normalizers", to="(" * 10**6 + "s" + ")" * 10**6), "normalizers"),
    "not analytic": (changed("normalizers", to="1+Abs(s)"), "normalizers"),
    "constant": (changed("normalizers", to="2"), "normalizers"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_documents_name_file_and_key(run, tmp_path: Path, case: str) -> None:
    change, key = CASES[case]
    document = copy.deepcopy(GOOD)
    change(document)
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(document))
    run("spectrum", str(file)).assert_one_line(2, "bad.json", key)


def test_the_document_is_good_before_it_is_changed(run, tmp_path: Path) -> None:
    file = tmp_path / "good.json"
    file.write_text(json.dumps(GOOD))
    assert run("spectrum", str(file)).code == 3  # two inputs are too few


CONTENTS = {
    "empty": b"",
    "binary": bytes(range(256)) * 10,
    "zeros": bytes(1000),
    "not JSON": b"tokens = 3\n",
    "cut off": json.dumps(GOOD).encode()[:-5],
    "a list": b"[1, 2]",
    "a number": b"7",
    "null": b"null",
    "repeated key": json.dumps(GOOD).encode()[:-1] + b', "tokens": 4}',
    "deep lists": b"[" * 10**6 + b"]" * 10**6,
    "deep objects": b'{"a":' * 10**5 + b"1" + b"}" * 10**5,
    "a long number": json.dumps(GOOD).replace('"tokens": 3', '"tokens": ' + "3" * 10**6).encode(),
    "UTF-16": json.dumps(GOOD).encode("utf-16"),
    "a lone surrogate": json.dumps(GOOD).replace("exp(s)", "\\ud800").encode(),
}


@pytest.mark.parametrize("content", CONTENTS)
def test_contents_that_are_no_instance(run, tmp_path: Path, content: str) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(CONTENTS[content])
    run("spectrum", str(file)).assert_one_line(2, "bad.json")


@pytest.mark.parametrize("method", ["padic", "series", "leading"])
def test_numbers_as_long_as_they_may_be(run, tmp_path: Path, method: str) -> None:
    file = tmp_path / "long.json"
    entry = "7" * 3999
    file.write_text(json.dumps(GOOD | {"width": 1, "layers": [{"U": [[entry]], "W": [[1]]}], "bank": [[[1], [2], [4]]]}))
    assert run("spectrum", str(file), "--method", method).code == 0
    assert run("spectrum", str(file), "--method", method, "--json").document["orders"] == [[0, 1], [1, 1]]
    file.write_text(file.read_text().replace(entry, entry + "77"))
    run("spectrum", str(file), "--method", method).assert_one_line(2, "layers[1].U[1][1]: a number of at most 4000 digits was expected")


def test_things_that_are_no_regular_file(run, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (tmp_path, fifo, Path("/dev/zero"), Path("/dev/null")):
        run("spectrum", str(path)).assert_one_line(2, "a regular file was expected")
    run("spectrum", str(tmp_path / "missing.json")).assert_one_line(2, "missing.json", "No such file")
    run("spectrum", str(tmp_path / ("x" * 5000))).assert_one_line(2, "cannot be read")
    run("spectrum", "").assert_one_line(2)
    run("spectrum", "a\0b").assert_one_line(2, "null characters")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_without_permission(run, tmp_path: Path) -> None:
    file = tmp_path / "secret.json"
    file.write_text("{}")
    file.chmod(0)
    run("spectrum", str(file)).assert_one_line(2, "secret.json", "Permission denied")


def test_permission_denied_in_whatever_account(run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "secret.json"
    file.write_text("{}")

    def refused(path: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    run("spectrum", str(file)).assert_one_line(2, "secret.json", "Permission denied")


def test_file_names_are_shown_without_control_characters(run, tmp_path: Path) -> None:
    for name in ("\x1b[31mred.json", "two\nlines.json", "right\u202eleft.json", os.fsdecode(b"not-utf8-\xff.json")):
        file = tmp_path / name
        file.write_text("{}")
        run("spectrum", str(file)).assert_one_line(2, "missing key")
    good = tmp_path / "\x1b[31mgood\n.json"
    good.write_text(json.dumps(GOOD))
    ran = run("spectrum", str(good))
    assert (ran.code, ran.err) == (3, "")
    assert "\x1b" not in ran.out
    assert "\x1b" not in run("spectrum", str(good), "--json").out


def test_a_file_of_a_hundred_megabytes_is_not_read(process, tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as handle:
        handle.truncate(100 * 2**20)
    process("spectrum", str(file)).assert_one_line(2, "large.json", "a file of at most")


def test_standard_input_from_a_pipe_is_not_waited_for(process) -> None:
    process("spectrum", "/dev/stdin", input="{}").assert_one_line(2, "a regular file was expected")


def test_sizes_that_a_few_characters_ask_for(process, tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    column = [[1]] * 64
    document = {"symattn": 1, "tokens": 1024, "width": 64, "normalizers": "exp(s)", "layers": [{"U": column, "W": column}] * 3}
    file.write_text(json.dumps(document))
    process("spectrum", str(file)).assert_one_line(3, "GB")
    process("spectrum", str(file), "--method", "leading").assert_one_line(3, "GB")
