"""Numbers, instance files and tuple files: exact round trips, and one clear line for everything that is wrong."""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from symattn.errors import InputError, SymattnError
from symattn.network.documents import FILE_LIMIT, parse_document, read_document
from symattn.network.files import (
    EXACT_FOR_BINARY64,
    EXACT_FOR_RATIONALS,
    instance_from_dict,
    instance_to_dict,
    network_from_dict,
    network_to_dict,
    read_instance,
    read_tuple,
)
from symattn.network.numbers import DIGIT_LIMIT, exact_number, is_hexadecimal, number_for_file
from symattn.network.parameters import reduce_native
from symattn.network.rational import rational_matrix

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
TUPLES = sorted(EXAMPLES.glob("tuple_*.json"))
OTHERS = [*EXAMPLES.glob("*_symbolic.json"), *EXAMPLES.glob("*.certificate.json")]
INSTANCES = sorted(set(EXAMPLES.glob("*.json")) - set(TUPLES) - set(OTHERS))

INSTANCE: dict[str, Any] = {
    "symattn": 1,
    "tokens": 2,
    "width": 2,
    "normalizers": ["exp(s)", "exp(s**2)"],
    "layers": [
        {"U": [[1, 0], [0, 1]], "W": [[1, 2], [3, 4]]},
        {"U": [[1], [2]], "W": [[1], ["1/2"]], "V": [[1, 0], [1, 1]]},
    ],
    "bank": [[[1, 2], [3, 4]], [[0, 1], [1, 0]]],
}
EFFECTIVE: dict[str, Any] = {"symattn": 1, "tokens": 3, "width": 2, "normalizers": "exp(s)", "L": [[1, 2]], "M": [[[1, 2], [3, 4]]]}
NATIVE: dict[str, Any] = {
    "symattn": 1,
    "tokens": 3,
    "width": 2,
    "normalizers": "exp(s)",
    "Q": [[[1], [2]]],
    "K": [[[3], [4]]],
    "V": [[[1, 1]]],
}
REMOVED = object()


def short(case: object) -> str:
    """A short test id."""
    return repr(case)[:25] if isinstance(case, (str, bytes, tuple)) else type(case).__name__


def changed(data: dict[str, Any], path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """A copy of the data with the value at the path replaced, added or removed."""
    result = copy.deepcopy(data)
    place: Any = result
    for step in path[:-1]:
        place = place[step]
    if value is REMOVED:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return result


def message(path: Path, read: Any = read_instance) -> str:
    """The one line that reading this file fails with, without the folder."""
    with pytest.raises(InputError) as caught:
        read(path)
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    assert text.isprintable()
    assert len(text) < 600
    return text.replace(str(path), path.name)


# Numbers

NUMBERS = [
    ("7", Fraction(7)),
    (7, Fraction(7)),
    ("-3/7", Fraction(-3, 7)),
    ("+6/4", Fraction(3, 2)),
    ("0.1", Fraction(1, 10)),
    ("-.5", Fraction(-1, 2)),
    ("5.", Fraction(5)),
    ("1e-3", Fraction(1, 1000)),
    ("1.25E+2", Fraction(125)),
    ("1e1000", Fraction(10**1000)),
    ("1e" + "0" * 5000 + "3", Fraction(1000)),
    ("0x1.999999999999ap-4", Fraction(0.1)),
    ("-0X1.8P+1", Fraction(-3)),
    ("0x.8p0", Fraction(1, 2)),
    ("0x10", Fraction(16)),
    ("0x0.0000000000001p-1022", Fraction(5e-324)),
    ("-0x0p+0", Fraction(0)),
    ("-" + "9" * DIGIT_LIMIT, Fraction(1 - 10**DIGIT_LIMIT)),
    ("-1" + "0" * (DIGIT_LIMIT - 1) + "/" + "9" * DIGIT_LIMIT, Fraction(-(10 ** (DIGIT_LIMIT - 1)), 10**DIGIT_LIMIT - 1)),
]

NOT_NUMBERS = [
    "",
    " 1",
    "1\n",
    "1_000",
    "1/",
    "1/-2",
    "3/0",
    "1/2/3",
    "0.1/2",
    "--1",
    "e5",
    "1e",
    "0x",
    "0xg",
    "0x1p",
    "0x1.99999999999999ap-4",
    "0x1p-1075",
    "0x1p1024",
    "0x1p99999999999",
    "NaN",
    "nan",
    "Infinity",
    "-inf",
    "\u0661",
    "\uff11",
    "one",
    "__import__('os')",
    "1e1001",
    "1e-1001",
    "1e999999999",
    "9" * (DIGIT_LIMIT + 1),
    "1/" + "9" * (DIGIT_LIMIT + 1),
    "9" * (DIGIT_LIMIT - 500) + "e600",
    "0." + "0" * DIGIT_LIMIT + "1",
    10**DIGIT_LIMIT,
    -(10**DIGIT_LIMIT),
    Fraction(1, 10**DIGIT_LIMIT),
    True,
    None,
    0.1,
    float("nan"),
    float("inf"),
    1j,
    [],
    {},
    b"1",
]


@pytest.mark.parametrize(("written", "value"), NUMBERS, ids=short)
def test_numbers_are_exact(written: object, value: Fraction) -> None:
    assert exact_number(written) == value


@pytest.mark.parametrize("written", NOT_NUMBERS, ids=short)
def test_what_is_not_an_exact_number_is_refused(written: object) -> None:
    with pytest.raises(InputError) as caught:
        exact_number(written)
    assert "\n" not in str(caught.value)


def test_a_float_is_told_how_to_be_exact() -> None:
    with pytest.raises(InputError, match=r'write 0\.1 as "0\.1" for 1/10'):
        exact_number(0.1)


def test_decimals_of_json_are_kept_as_written() -> None:
    parsed = parse_document('{"x": [0.1, 0.1000000000000000055511151231257827, 1e1, -0]}', "text")
    assert isinstance(parsed, dict)
    assert [exact_number(item) for item in parsed["x"]] == [
        Fraction(1, 10),
        Fraction(1000000000000000055511151231257827, 10**34),
        Fraction(10),
        Fraction(0),
    ]


@given(st.fractions())
def test_written_numbers_are_read_back(value: Fraction) -> None:
    for hexadecimal in (False, True):
        assert exact_number(number_for_file(value, hexadecimal=hexadecimal)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_binary64_values_are_read_exactly(value: float) -> None:
    assert exact_number(value.hex()) == Fraction(value)
    assert number_for_file(Fraction(value), hexadecimal=True) in (value.hex(), abs(value).hex())


@settings(deadline=None)
@given(st.text(alphabet="0123456789+-./eExXpPabcf_ ", max_size=12))
def test_no_text_is_read_as_another_number(text: str) -> None:
    """Python's own readers are the oracle where they accept the text; ours is stricter, never different."""
    try:
        value = exact_number(text)
    except InputError:
        return
    assert value == (Fraction(float.fromhex(text)) if "x" in text.lower() else Fraction(text))


def test_long_numbers_need_no_setting_of_the_interpreter() -> None:
    program = (
        "from fractions import Fraction; from symattn.network.numbers import *;"
        "value = Fraction(10**3900 + 1, 7**900); text = number_for_file(value);"
        "print(exact_number(text) == value)"
    )
    environment = {**os.environ, "PYTHONINTMAXSTRDIGITS": "640", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_numbers_too_long_for_a_file_are_not_written() -> None:
    with pytest.raises(InputError, match="cannot be written"):
        number_for_file(Fraction(10**DIGIT_LIMIT))


def test_every_number_that_is_read_can_be_written_by_python_as_it_is_set_by_default() -> None:
    assert DIGIT_LIMIT < sys.int_info.default_max_str_digits
    longest = exact_number("9" * DIGIT_LIMIT)
    assert exact_number(number_for_file(longest)) == longest


def test_a_long_hex_string_is_recognized_wherever_it_is_read() -> None:
    text = "0x1." + "0" * DIGIT_LIMIT + "p0"
    assert exact_number(text) == 1
    assert is_hexadecimal(text)


# Instances


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_every_example_instance_comes_back_from_its_dictionary(path: Path) -> None:
    instance = read_instance(path)
    assert "about" in json.loads(path.read_text(encoding="utf-8"))
    through_text = parse_document(json.dumps(instance_to_dict(instance)), "text")
    assert instance_from_dict(through_text, source=instance.source) == instance


def test_the_fixture_is_read_exactly() -> None:
    instance = read_instance(EXAMPLES / "matrix_spectrum_fixture.json")
    assert (instance.tokens, instance.width, instance.depth, instance.ranks, len(instance.bank)) == (4, 4, 3, (2, 2, 2), 48)
    assert (instance.output_count, instance.parameter_count) == (768, 96)
    assert instance.bank[0][0][0] == Fraction(float.fromhex("0x1.0cfc76b293798p+0"))
    assert instance.exactness == EXACT_FOR_BINARY64
    assert instance.has_identity_values


def test_the_scalar_stack_is_read_exactly() -> None:
    instance = read_instance(EXAMPLES / "scalar_depth_four.json")
    z = [Fraction(45 + 20 * j, 100) for j in range(4)]
    assert instance.bank == tuple(((1 + value,), (1 - value,)) for value in z)
    assert instance.exactness == EXACT_FOR_RATIONALS


def test_an_instance_is_read_in_order() -> None:
    instance = instance_from_dict(INSTANCE)
    assert instance.degrees == (1, 2)
    assert instance.layers[1].W == rational_matrix([[1], ["1/2"]])
    assert instance.layers[1].V == rational_matrix([[1, 0], [1, 1]])
    assert not instance.has_identity_values
    assert instance_from_dict(instance_to_dict(instance)) == instance
    assert instance_from_dict(changed(INSTANCE, ("bank",), REMOVED)).bank == ()
    assert instance_from_dict(INSTANCE | {"about": "text", "name": "text"}) == instance


def test_one_hex_string_makes_the_results_about_stored_values() -> None:
    data = changed(INSTANCE, ("bank", 0, 0, 0), "0x1.8p+0")
    instance = instance_from_dict(data)
    assert instance.exactness == EXACT_FOR_BINARY64
    assert instance_from_dict(instance_to_dict(instance)) == instance


BAD_INSTANCES: list[tuple[tuple[str | int, ...], object, str]] = [
    (("symattn",), REMOVED, 'my.json: missing key "symattn"'),
    (("symattn",), 2, "my.json: symattn: version 1 of the file format was expected, not 2"),
    (("symattn",), "1", 'my.json: symattn: an integer was expected, not "1"'),
    (("symattn",), True, "my.json: symattn: an integer was expected, not true"),
    (("tokens",), 1, "my.json: tokens: an integer from 2 to 1024 was expected, not 1"),
    (("tokens",), 10**30, "my.json: tokens: an integer from 2 to 1024 was expected, not 1" + "0" * 30),
    (("tokens",), 2.5, "my.json: tokens: an integer was expected, not 2.5"),
    (("tokens",), None, "my.json: tokens: an integer was expected, not null"),
    (("width",), 0, "my.json: width: an integer from 1 to 1024 was expected, not 0"),
    (("width",), 1025, "my.json: width: an integer from 1 to 1024 was expected, not 1025"),
    (("width",), 3, "my.json: layers[1].U: 3 rows were expected, not 2"),
    (("depth",), 10**9, 'my.json: unknown key "depth"; known here: symattn, tokens, width, normalizers, layers, bank, name, about'),
    (
        ("\x1b[31m\n",),
        1,
        'my.json: unknown key "\\u001b[31m\\n"; known here: symattn, tokens, width, normalizers, layers, bank, name, about',
    ),
    (("about",), [], "my.json: about: text was expected, not a list"),
    (("name",), 5, "my.json: name: text was expected, not 5"),
    (("layers",), [], "my.json: layers: at least one layer was expected"),
    (("layers",), {}, "my.json: layers: a list of layers was expected, not an object"),
    (("layers", 1), [], "my.json: layers[2]: an object with the keys U, W was expected, not a list"),
    (("layers", 1, "W"), REMOVED, 'my.json: layers[2]: missing key "W"'),
    (("layers", 1, "Q"), 1, 'my.json: layers[2]: unknown key "Q"; known here: U, W, V'),
    (("layers", 1, "U"), 5, "my.json: layers[2].U: a list of 2 rows was expected, not 5"),
    (("layers", 1, "U", 1), 5, "my.json: layers[2].U[2]: a list of numbers was expected, not 5"),
    (("layers", 0, "U", 1), [1], "my.json: layers[1].U[2]: 2 numbers were expected, as in row 1, not 1"),
    (("layers", 0, "U"), [[1, 2, 3], [4, 5, 6]], "my.json: layers[1].U: a 2 x r matrix with 1 <= r <= 2 was expected, not 2 x 3"),
    (("layers", 0, "U"), [[], []], "my.json: layers[1].U: a 2 x r matrix with 1 <= r <= 2 was expected, not 2 x 0"),
    (("layers", 0, "W"), [[1], [2]], "my.json: layers[1].W: a 2 x 2 matrix was expected, not 2 x 1"),
    (("layers", 1, "V"), [[1], [2]], "my.json: layers[2].V: a 2 x 2 matrix was expected, not 2 x 1"),
    (("layers", 1, "V"), None, "my.json: layers[2].V: a list of 2 rows was expected, not null"),
    (("normalizers",), ["exp(s)"], "my.json: normalizers: 2 normalizers were expected, one per layer, not 1"),
    (("normalizers",), 3, 'my.json: normalizers: a normalizer such as "exp(s)" was expected, not 3'),
    (("normalizers", 1), None, 'my.json: normalizers[2]: a normalizer such as "exp(s)" was expected, not null'),
    (("bank",), [], "my.json: bank: at least one input was expected; without the key a generic bank is drawn"),
    (("bank",), "many", 'my.json: bank: a list of inputs was expected, not "many"'),
    (("bank", 1), [[1, 2]], "my.json: bank[2]: 2 rows were expected, not 1"),
    (("bank", 1, 0), [1, 2, 3], "my.json: bank[2][1]: 2 numbers were expected, not 3"),
    (("bank", 1, 0, 1), "1/0", 'my.json: bank[2][1][2]: the denominator of "1/0" is zero'),
    (
        ("bank", 1, 0, 1),
        "one",
        'my.json: bank[2][1][2]: an exact number was expected (an integer, "3/7", a decimal, or a C99 hex string), not "one"',
    ),
    (
        ("layers", 1, "U", 1, 0),
        float("nan"),
        'my.json: layers[2].U[2][1]: an exact number was expected (an integer, "3/7", a decimal, or a C99 hex string), not NaN',
    ),
    (
        ("layers", 1, "U", 1, 0),
        float("-inf"),
        'my.json: layers[2].U[2][1]: an exact number was expected (an integer, "3/7", a decimal, or a C99 hex string), not -Infinity',
    ),
]


@pytest.mark.parametrize(("path", "value", "expected"), BAD_INSTANCES, ids=short)
def test_bad_instances_name_file_key_and_expectation(path: tuple[str | int, ...], value: object, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_text(json.dumps(changed(INSTANCE, path, value)), encoding="utf-8")
    assert message(file) == expected


@pytest.mark.parametrize("text", ["Abs(s)", "__import__('os')", "exp(s", "frob(s)", "sin(s)**2+cos(s)**2", "-exp(s)", "(" * 10**6, ""])
def test_a_refused_normalizer_names_the_file_and_the_layer(text: str, tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_text(json.dumps(changed(INSTANCE, ("normalizers", 1), text)), encoding="utf-8")
    assert message(file).startswith("my.json: normalizers[2]: ")


BAD_TEXTS: list[tuple[bytes, str]] = [
    (b"", "not JSON at line 1, column 1: Expecting value"),
    (b"{", "not JSON at line 1, column 2"),
    (b"{'symattn': 1}", "not JSON at line 1, column 2"),
    (b"[" * 10**6, "lists and objects are nested too deeply"),
    (b'{"a":' * 10**5, "lists and objects are nested too deeply"),
    (b"[]", "an object with the keys symattn, tokens, width, normalizers, layers was expected, not a list"),
    (b"null", "an object with the keys symattn, tokens, width, normalizers, layers was expected, not null"),
    (b"1e999999999", "an object with the keys symattn, tokens, width, normalizers, layers was expected, not 1e999999999"),
    (b"\xff\xfe{}", "a UTF-8 text file with JSON was expected; byte 1 is not UTF-8"),
    (bytes(range(256)), "a UTF-8 text file with JSON was expected; byte 129 is not UTF-8"),
    (b'{"symattn": 1, "symattn": 2}', 'the key "symattn" is given twice'),
    (b'{"\\ud800": 1}', 'unknown key "\\ud800"; known here'),
    (b'{"symattn": ' + b"9" * 10**6 + b"}", "missing key"),
]


@pytest.mark.parametrize(("content", "expected"), BAD_TEXTS, ids=short)
def test_bad_texts_are_one_line(content: bytes, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_bytes(content)
    assert message(file).startswith(f"my.json: {expected}")


def test_a_key_given_twice_deep_inside_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_text(json.dumps(INSTANCE).replace('"V": [[1, 0], [1, 1]]', '"V": [[1, 0], [1, 1]], "U": [[9], [9]]'), encoding="utf-8")
    assert message(file) == 'my.json: layers[2]: the key "U" is given twice'


def test_files_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    assert message(tmp_path / "missing.json") == "missing.json: the file cannot be read: No such file or directory"
    assert message(tmp_path) == f"{tmp_path.name}: a regular file was expected, not a directory, pipe or device"
    os.mkfifo(tmp_path / "pipe.json")
    assert message(tmp_path / "pipe.json") == "pipe.json: a regular file was expected, not a directory, pipe or device"
    with pytest.raises(InputError, match="without null characters"):
        read_instance("a\0b")
    with pytest.raises(InputError, match="cannot be read"):
        read_instance("x" * 5000)
    with pytest.raises(InputError, match=r'a\\nb\.json"'):
        read_instance(tmp_path / "a\nb.json")


def test_a_large_file_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as stream:
        stream.truncate(2**31)
    tracemalloc.start()
    try:
        assert message(file) == "large.json: a file of at most 8 MiB was expected"
        assert tracemalloc.get_traced_memory()[1] < 3 * FILE_LIMIT
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("sizes", [{"tokens": 10**9}, {"width": 10**9}, {"tokens": 10**4000}])
def test_absurd_sizes_do_not_allocate(sizes: dict[str, int]) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="from . to 1024 was expected"):
            instance_from_dict(INSTANCE | sizes)
        assert tracemalloc.get_traced_memory()[1] < 10**6
    finally:
        tracemalloc.stop()


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(INSTANCE).encode())
    assert read_instance(file).depth == 2


# Tuples


@pytest.mark.parametrize("path", TUPLES, ids=lambda path: path.stem)
def test_every_example_tuple_comes_back_from_its_dictionary(path: Path) -> None:
    network = read_tuple(path)
    through_text = parse_document(json.dumps(network_to_dict(network)), "text")
    assert network_from_dict(through_text, source=network.source) == network


def test_native_weights_are_reduced_and_kept() -> None:
    network = network_from_dict(NATIVE)
    assert network.native is not None
    assert network.parameters == reduce_native(network.native)
    assert network.parameters.L == rational_matrix([[1, 1]])
    assert network.parameters.M == (rational_matrix([[3, 4], [6, 8]]),)
    assert network_from_dict(EFFECTIVE).native is None


BAD_TUPLES: list[tuple[dict[str, Any], tuple[str | int, ...], object, str]] = [
    (EFFECTIVE, ("M",), REMOVED, 'my.json: missing key "M"'),
    (EFFECTIVE, ("Q",), [], 'my.json: unknown key "L"; known here: symattn, tokens, width, normalizers, Q, K, V, name, about'),
    (EFFECTIVE, ("layers",), [], "my.json: this is an instance file; a tuple file, with L and M or Q, K and V, was expected"),
    (EFFECTIVE, ("L",), [], "my.json: L: a matrix with at least one row and one column was expected"),
    (EFFECTIVE, ("L",), [[1, 2], [3]], "my.json: L[2]: 2 numbers were expected, as in row 1, not 1"),
    (EFFECTIVE, ("M",), [], "my.json: M: at least one layer is needed"),
    (EFFECTIVE, ("M", 0), [[1]], "my.json: M[1]: a 2 x 2 matrix was expected, not 1 x 1"),
    (
        EFFECTIVE,
        ("M", 0, 1, 0),
        "x",
        'my.json: M[1][2][1]: an exact number was expected (an integer, "3/7", a decimal, or a C99 hex string), not "x"',
    ),
    (EFFECTIVE, ("width",), 3, "my.json: L: 3 columns were expected, as the width says, not 2"),
    (EFFECTIVE, ("tokens",), 1, "my.json: tokens: an integer from 2 to 1024 was expected, not 1"),
    (NATIVE, ("V",), REMOVED, 'my.json: missing key "V"'),
    (NATIVE, ("K",), [], "my.json: K: as many matrices as in Q, 1, were expected, not 0"),
    (NATIVE, ("K", 0), [[1]], "my.json: K[1]: a 2 x 1 matrix was expected, not 1 x 1"),
    (NATIVE, ("V", 0), [[1]], "my.json: V[1]: a 1 x 2 matrix was expected, not 1 x 1"),
    (NATIVE, ("V",), 1, "my.json: V: a list of matrices, one per layer, was expected, not 1"),
    (NATIVE, ("Q", 0), [[1, 2, 3], [1, 2, 3]], "my.json: Q[1]: a 2 x r matrix with 1 <= r <= 2 was expected, not 2 x 3"),
    (NATIVE, ("width",), 3, "my.json: Q[1]: 3 rows were expected, as the width says, not 2"),
    (NATIVE, ("normalizers",), ["exp(s)"] * 2, "my.json: normalizers: 1 normalizers were expected, one per layer, not 2"),
]


@pytest.mark.parametrize(("data", "path", "value", "expected"), BAD_TUPLES, ids=short)
def test_bad_tuples_name_file_key_and_expectation(
    data: dict[str, Any], path: tuple[str | int, ...], value: object, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "my.json"
    file.write_text(json.dumps(changed(data, path, value)), encoding="utf-8")
    assert message(file, read_tuple) == expected


# Anything at all

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["exp(s)", "1/2", "0x1p0"]),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.sampled_from(["U", "W", "V", "x"]), children, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=200)
@given(json_values, st.randoms(use_true_random=False))
def test_any_replaced_part_gives_an_instance_or_one_line(value: object, choice: random.Random) -> None:
    data: Any = copy.deepcopy(INSTANCE)
    place, key = data, choice.choice(list(data))
    while isinstance(place[key], (dict, list)) and place[key] and choice.random() < 0.7:
        place = place[key]
        key = choice.choice(list(place)) if isinstance(place, dict) else choice.randrange(len(place))
    place[key] = value
    document = parse_document(json.dumps(data), "my.json")
    try:
        instance = instance_from_dict(document, "my.json")
    except SymattnError as error:
        assert str(error).startswith("my.json")
        assert len(str(error).splitlines()) == 1
    else:
        assert instance_from_dict(instance_to_dict(instance), "my.json") == instance


@settings(deadline=None)
@given(st.binary(max_size=40))
def test_any_bytes_give_a_value_or_one_line(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("bytes") / "my.json"
    file.write_bytes(content)
    try:
        read_document(file)
    except InputError as error:
        assert len(str(error).splitlines()) == 1


def test_a_file_of_the_other_kind_is_named() -> None:
    scalar = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)"}
    with pytest.raises(InputError, match="this is a tuple file"):
        instance_from_dict({**scalar, "L": [[1]], "M": [[[1]]]})
    with pytest.raises(InputError, match="this is an instance file"):
        network_from_dict({**scalar, "layers": [{"U": [[1]], "W": [[1]]}]})
