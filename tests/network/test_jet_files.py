"""Jet files and files with symbols: what is written is read back, nothing is half-written, and every fault is one line."""

from __future__ import annotations

import json
import os
import random
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symattn.arithmetic.polynomial_series import GenericNormalizer
from symattn.errors import InputError, NotPositiveError, SymattnError
from symattn.exact.jets import jet_of
from symattn.network.documents import FILE_LIMIT, check_output
from symattn.network.files import network_from_dict
from symattn.network.jet_files import coefficients_to_json, jet_from_dict, jet_to_dict, read_jet, write_jet
from symattn.network.jets import Jet
from symattn.network.polynomial_text import identifiers, parse_polynomial, polynomial_context
from symattn.network.symbolic_files import read_symbolic, symbolic_from_dict
from symattn.normalizers import normalizer

TUPLE = {"symattn": 1, "tokens": 2, "width": 2, "normalizers": ["exp(s)", "exp(s**2+s**3)"], "L": [[1, "1/3"]], "M": [[[1, 2], [3, 4]]] * 2}


def sample() -> Jet:
    return jet_of(network_from_dict(TUPLE), 5)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    jet = sample()
    file = tmp_path / "jet.json"
    write_jet(jet, file)
    assert read_jet(file) == jet
    assert [entry.name for entry in tmp_path.iterdir()] == ["jet.json"]
    document = json.loads(file.read_text())
    assert document["kind"] == "jet"
    assert document["coefficients"][0] == [[1, 0, 0, 0], ["1/2"]]
    assert jet_from_dict(jet_to_dict(jet)) == jet


def test_huge_numbers_survive(tmp_path: Path) -> None:
    value = Fraction(7**3000, 3**2000)
    jet = Jet(2, 1, 1, (normalizer("exp(s)"),), 1, {(1, 0): (value,), (0, 1): (-value,)})
    write_jet(jet, tmp_path / "jet.json")
    assert read_jet(tmp_path / "jet.json") == jet


def test_zero_coefficients_are_absent() -> None:
    data = jet_to_dict(sample()) | {"coefficients": [[[1, 0, 0, 0], [0]], [[0, 1, 0, 0], ["1/2"]]]}
    assert jet_from_dict(data).coefficients == {(0, 1, 0, 0): (Fraction(1, 2),)}


def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "jet.json"
    file.write_text("before")

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("symattn.network.jet_files.os.replace", fail)
    with pytest.raises(InputError, match=r"jet\.json: the file cannot be written: No space left"):
        write_jet(sample(), file)
    assert file.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["jet.json"]


@pytest.mark.parametrize("target", ["missing/jet.json", "."])
def test_places_that_cannot_be_written(tmp_path: Path, target: str) -> None:
    with pytest.raises(InputError, match="the file cannot be written"):
        write_jet(sample(), tmp_path / target)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFSOCK], ids=["pipe", "socket"])
def test_what_is_not_a_regular_file_is_not_replaced(tmp_path: Path, kind: int) -> None:
    node = tmp_path / "node"
    os.mknod(node, kind | 0o600)
    link = tmp_path / "link"
    link.symlink_to(node)
    for target in (node, link):
        with pytest.raises(InputError, match=f"{target.name}: the file cannot be written: a directory, pipe or device has this name"):
            write_jet(sample(), target)
    assert stat.S_IFMT(node.stat().st_mode) == kind
    assert link.is_symlink()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link", "node"]


def test_a_device_is_refused_before_anything_is_written() -> None:
    with pytest.raises(InputError, match="/dev/null: the file cannot be written: a directory, pipe or device"):
        check_output("/dev/null")


@pytest.mark.parametrize("exists", [True, False])
def test_a_symbolic_link_is_followed(tmp_path: Path, exists: bool) -> None:
    (tmp_path / "results").mkdir()
    file = tmp_path / "results" / "jet.json"
    if exists:
        file.write_text("before")
    link = tmp_path / "link.json"
    link.symlink_to(Path("results") / "jet.json")
    write_jet(sample(), link)
    assert link.is_symlink()
    assert read_jet(file) == sample()
    assert [entry.name for entry in file.parent.iterdir()] == ["jet.json"]


def test_links_in_a_circle_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(InputError, match="a: the file cannot be written: Too many levels of symbolic links"):
        write_jet(sample(), tmp_path / "a")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_an_existing_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "jet.json"
    file.write_text("before")
    file.chmod(mode)
    write_jet(sample(), file)
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert read_jet(file) == sample()


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    write_jet(sample(), tmp_path / "jet.json")
    (tmp_path / "other").write_text("")
    assert (tmp_path / "jet.json").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_the_input_is_not_an_output_under_any_name(tmp_path: Path) -> None:
    file = tmp_path / "tuple.json"
    file.write_text(json.dumps(TUPLE))
    (tmp_path / "soft").symlink_to(file)
    (tmp_path / "hard").hardlink_to(file)
    for name in ("tuple.json", "soft", "hard"):
        with pytest.raises(InputError, match=f"{name}: the file cannot be written: it is the input file"):
            check_output(tmp_path / name, file)
    check_output(tmp_path / "new", file)


def test_a_jet_with_a_number_too_long_to_be_read_is_not_written(tmp_path: Path) -> None:
    jet = Jet(2, 1, 1, (normalizer("exp(s)"),), 1, {(1, 0): (Fraction(10**5000),)})
    with pytest.raises(InputError, match="a number of 5001 digits cannot be written"):
        write_jet(jet, tmp_path / "jet.json")
    assert coefficients_to_json(jet) == [[[1, 0], ["1" + "0" * 5000]]]


def test_a_jet_too_large_to_be_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.network.jet_files.FILE_LIMIT", 100)
    with pytest.raises(InputError, match="takes .* bytes; a file holds at most 100: take a lower order"):
        write_jet(sample(), tmp_path / "jet.json")
    assert FILE_LIMIT > 100


def changed(**changes: Any) -> dict[str, Any]:
    return jet_to_dict(sample()) | changes


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "an object with the keys"),
        (TUPLE, 'kind: a jet file, with "kind": "jet", was expected, which this file lacks'),
        (changed(kind="tuple"), 'kind: a jet file, with "kind": "jet", was expected, not "tuple"'),
        (changed(symattn=2), "symattn: version 1"),
        (changed(tokens=1), "tokens: an integer from 2 to"),
        (changed(width=10**9), "width: an integer from 1 to"),
        (changed(outputs=0), "outputs: an integer from 1 to"),
        (changed(order=0), "order: an integer from 1 to"),
        (changed(order=10**12), "order: an integer from 1 to"),
        (changed(order=1.5), "order: an integer was expected"),
        (changed(normalizers="exp(s)"), "normalizers: a list of normalizers, one per layer"),
        (changed(normalizers=[]), "normalizers: a list of normalizers, one per layer"),
        (changed(normalizers=["nonsense(s)"]), r"normalizers\[1\]: .*unknown function"),
        (changed(extra=1), 'unknown key "extra"'),
        (changed(coefficients={}), "coefficients: a list of pairs"),
        (changed(coefficients=[3]), r"coefficients\[1\]: a list of two lists"),
        (changed(coefficients=[[[1, 0, 0, 0]]]), r"coefficients\[1\]: two lists, exponents and values, were expected, not 1"),
        (changed(coefficients=[[[1, 0, 0], [1]]]), r"coefficients\[1\]\[1\]: 4 exponents were expected, one per token entry, not 3"),
        (
            changed(coefficients=[[[1, 0, 0, 0], [1, 2]]]),
            r"coefficients\[1\]\[2\]: 1 numbers were expected, one per output coordinate, not 2",
        ),
        (changed(coefficients=[[[1, -1, 0, 0], [1]]]), r"coefficients\[1\]\[1\]\[2\]: an exponent from 0 to the order 5"),
        (changed(coefficients=[[["1", 0, 0, 0], [1]]]), r"coefficients\[1\]\[1\]\[1\]: an integer was expected"),
        (changed(coefficients=[[[True, 0, 0, 0], [1]]]), r"coefficients\[1\]\[1\]\[1\]: an integer was expected"),
        (changed(coefficients=[[[6, 0, 0, 0], [1]]]), r"an exponent from 0 to the order 5"),
        (changed(coefficients=[[[3, 3, 0, 0], [1]]]), "a monomial of degree at most the order 5 was expected, not one of degree 6"),
        (changed(coefficients=[[[1, 0, 0, 0], [1]]] * 2), r"coefficients\[2\]\[1\]: this monomial is given twice"),
        (changed(coefficients=[[[1, 0, 0, 0], ["x"]]]), r"coefficients\[1\]\[2\]\[1\]: an exact number"),
        (changed(coefficients=[[[1, 0, 0, 0], ["nan"]]]), r"coefficients\[1\]\[2\]\[1\]: an exact number"),
        (changed(coefficients=[[[1, 0, 0, 0], [0.1]]]), "an exact number"),
    ],
)
def test_faults_name_the_key(data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        jet_from_dict(data, source="j.json")
    assert str(error.value).startswith("j.json")
    assert "\n" not in str(error.value)


def test_a_repeated_key_and_text_that_is_no_json(tmp_path: Path) -> None:
    file = tmp_path / "jet.json"
    file.write_text(json.dumps(jet_to_dict(sample())).replace('"kind": "jet"', '"kind": "jet", "kind": "jet"'))
    with pytest.raises(InputError, match='the key "kind" is given twice'):
        read_jet(file)
    file.write_text('{"kind": "jet", "coefficients": [[')
    with pytest.raises(InputError, match="not JSON"):
        read_jet(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_jet(tmp_path / "missing.json")


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_damaged_file_is_one_line(tmp_path: Path, cut: int) -> None:
    text = json.dumps(jet_to_dict(sample()))
    source = random.Random(cut)
    position = source.randrange(len(text))
    file = tmp_path / "jet.json"
    file.write_text(text[:position] + source.choice(['"', "]", "0", ",", "x", "-"]) + text[position + source.randrange(3) :])
    try:
        read_jet(file)
    except SymattnError as error:
        assert "\n" not in str(error)


# Polynomials and networks with symbols


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("b", "b"),
        ("-b + 2*z", "-b + 2*z"),
        ("(b+z)**2 - b**2", "2*b*z + z^2"),
        ("0.1*b", "1/10*b"),
        ("b/3 - 3*b/9", "0"),
        ("--b", "b"),
        ("- 2 * -b", "2*b"),
        ("2**3", "8"),
        ("b**0", "1"),
        ("(b)/(1/2)", "2*b"),
    ],
)
def test_polynomials(text: str, value: str) -> None:
    assert str(parse_polynomial(text, polynomial_context(["b", "z"]))) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b +", "character 4: expected a number, a symbol or '\\(', but the text ends"),
        ("b z", 'character 3: expected an operator or the end, but found "z"'),
        ("b/z", "character 3: only numbers may be divided by"),
        ("b/0", "character 3: division by zero"),
        ("b/(1-1)", "character 3: division by zero"),
        ("b^2", "powers are written \\*\\*"),
        ("b**z", "expected a whole number as exponent"),
        ("b**-1", "expected a whole number as exponent"),
        ("b**0.5", "expected a whole number as exponent"),
        ("b**65", "an exponent of at most 64"),
        ("b**99999999999", "an exponent of at most 64"),
        ("(b**64)**2", "degree at most 64"),
        ("((2**64)**64)**64", "digits"),
        ("(b+z+1)**64*(b+z+1)**64", "terms"),
        ("(b+z", "expected '\\)'"),
        ("b(2)", 'no functions are known here, so "b" cannot be called'),
        ("b;z", "';' is not part of a polynomial"),
        ("(" * 1000 + "b" + ")" * 1000, "nested too deeply"),
        ("b" * 20_000, "at most 10000 characters"),
        ("9" * 300 + "*b", "a number of at most 200 digits"),
        ("__import__", "is not part of a polynomial"),
        ("b.c", "is not part of a polynomial"),
        ("", "the text ends"),
    ],
)
def test_texts_that_are_no_polynomials(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        parse_polynomial(text, polynomial_context(["b", "z"]))
    assert "\n" not in str(error.value)


def test_identifiers_keep_their_order() -> None:
    assert identifiers("z*b + a_1**2 - z") == ("z", "b", "a_1")


PATH: dict[str, Any] = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": [{"U": [["b"]], "W": [[1]]}]}


def test_numbers_stay_numbers() -> None:
    """``1e2`` and hex strings are numbers although they have letters in them."""
    stack = symbolic_from_dict(PATH | {"layers": [{"U": [["1e2"]], "W": [["0x1.8p-1"]]}]})
    assert stack.symbols == ()
    assert str(stack.layers[0].score[0][0]) == "75"
    assert stack.exactness == "exact for the stored binary64 values"


def test_files_without_symbols_are_read(tmp_path: Path) -> None:
    for name in ("tuple_effective", "tuple_native", "skew_two_tokens", "scalar_depth_four"):
        stack = read_symbolic(Path(__file__).parents[2] / "examples" / f"{name}.json")
        assert stack.symbols == ()


def test_generic_normalizers() -> None:
    shared = symbolic_from_dict(PATH | {"normalizers": {"generic": 2}, "layers": PATH["layers"] * 2})
    assert [layer.normalizer for layer in shared.layers] == [GenericNormalizer(2, "b")] * 2
    own = symbolic_from_dict(PATH | {"normalizers": [{"generic": 1}, {"generic": 3, "prefix": "c"}], "layers": PATH["layers"] * 2})
    assert [layer.normalizer for layer in own.layers] == [GenericNormalizer(1, "b1_"), GenericNormalizer(3, "c")]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layers": [{"U": [["b +"]], "W": [[1]]}]}, r'layers\[1\]\.U\[1\]\[1\]: "b \+", character 4: expected a number'),
        ({"layers": [{"U": [["b", "c"]], "W": [[1]]}]}, r"layers\[1\]\.W\[1\]: 2 entries were expected, not 1"),
        ({"layers": [{"U": [], "W": [[1]]}]}, r"layers\[1\]\.U: 1 rows were expected, not 0"),
        ({"layers": []}, "layers: at least one layer was expected"),
        ({"layers": [{"U": [["b"]], "W": [[1]], "V": [[1], [2]]}]}, r"layers\[1\]\.V: 1 rows were expected, not 2"),
        ({"layers": [{"U": [[None]], "W": [[1]]}]}, "an exact number was expected"),
        ({"layers": [{"U": [["nan"]], "W": [[1]]}]}, '"nan" cannot be the name of a symbol'),
        ({"layers": [{"U": [["b" * 60]], "W": [[1]]}]}, "cannot be the name of a symbol"),
        ({"layers": [{"U": [["+".join(f"a{i}" for i in range(300))]], "W": [[1]]}]}, "at most 256 symbols were expected, not 300"),
        ({"bank": []}, "bank: at least one input was expected"),
        ({"bank": [[["z"]]]}, r"bank\[1\]: 2 rows were expected, not 1"),
        ({"normalizers": {"generic": 0}}, "normalizers.generic: a first degree from 1 to"),
        ({"normalizers": {"generic": "2"}}, "normalizers.generic: an integer was expected"),
        ({"normalizers": {"generic": 2, "prefix": "2b"}}, "normalizers.prefix: a name such as"),
        ({"normalizers": {"special": 2}}, 'normalizers: unknown key "special"'),
        ({"normalizers": [{"generic": 1}] * 2}, "normalizers: 1 normalizers were expected, one per layer, not 2"),
        ({"layers": [{"U": [["b2"]], "W": [[1]]}], "normalizers": {"generic": 2}}, '"b2" is a coefficient of a generic normalizer'),
        ({"L": [[1]]}, 'unknown key "L"'),
        ({"tokens": 1}, "tokens: an integer from 2"),
    ],
)
def test_faults_in_files_with_symbols(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        symbolic_from_dict(PATH | changes, source="s.json")
    assert str(error.value).startswith("s.json")
    assert "\n" not in str(error.value)


def test_other_faults_in_files_with_symbols() -> None:
    with pytest.raises(NotPositiveError, match="normalizers"):
        symbolic_from_dict(PATH | {"normalizers": "s"})
    with pytest.raises(InputError, match='an instance with the key "layers", or a tuple'):
        symbolic_from_dict({"symattn": 1})
    with pytest.raises(InputError, match="an object"):
        symbolic_from_dict([1])
    layers = PATH["layers"] * 2
    with pytest.raises(InputError, match=r"normalizers\[2\]: the prefix \"c\" stands for a normalizer of degree 1 already"):
        symbolic_from_dict(PATH | {"layers": layers, "normalizers": [{"generic": 1, "prefix": "c"}, {"generic": 2, "prefix": "c"}]})
