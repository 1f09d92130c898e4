"""Arguments that make no sense: one line, exit code 2, at once."""

from __future__ import annotations

import time

import pytest

from symattn.cli.arguments import file_prefix

HUGE = "9" * 100_000


@pytest.mark.parametrize("depth", ["0", "-3", "2000000000", "1" + "0" * 18, "1e9", "3.5", "", " 3", "٣", "0x10", "nan", HUGE])
def test_depth(run, depth: str) -> None:
    start = time.monotonic()
    run("table", f"--depth={depth}").assert_one_line(2, "--depth", "an integer from 1 to 1000000 was expected")
    assert time.monotonic() - start < 5


def test_a_depth_whose_orders_have_too_many_digits(run) -> None:
    run("table", "--depth", "9999").assert_one_line(2, "more than 4000 digits")
    run("table", "--depth", "1000000").assert_one_line(2, "at most 10000 rows")
    run("table", "--depth", "2000", "--k", ",".join(["1"] * 20)).assert_one_line(2, "at most 10000 rows")
    run("table", "--depth", "1000000", "--k", "1000000", "--verify").assert_one_line(2)


@pytest.mark.parametrize("k", ["0", "", "1,,2", "1,", ",", "-1", "1.5", "two", "1;2", HUGE, "1," * 100_000])
def test_k(run, k: str) -> None:
    run("table", "--depth", "3", f"--k={k}").assert_one_line(2, "--k")


@pytest.mark.parametrize("option", ["width", "rank", "tokens", "budget"])
@pytest.mark.parametrize("value", ["0", "-1", "1e9", "1" + "0" * 18])
def test_sizes(run, option: str, value: str) -> None:
    run("table", "--depth", "2", f"--{option}={value}").assert_one_line(2, f"--{option}")


def test_a_rank_above_the_width_and_a_single_token(run) -> None:
    run("table", "--depth", "2", "--width", "2", "--rank", "3").assert_one_line(2, "rank", "from 1 to 2 was expected, not 3")
    run("table", "--depth", "2", "--tokens", "1").assert_one_line(2, "--tokens", "from 2 to 1024 was expected, not '1'")


@pytest.mark.parametrize("primes", ["4", "1", "0", "-7", "", "7,", "9223372036854775837", "2147483647,6", HUGE, "7," * 1000])
def test_primes(run, primes: str) -> None:
    run("spectrum", "examples/mixed_degrees.json", f"--primes={primes}").assert_one_line(2, "--primes")


@pytest.mark.parametrize("precision", ["0", "-1", "x", "1" + "0" * 18])
def test_precision(run, precision: str) -> None:
    run("spectrum", "examples/mixed_degrees.json", f"--precision={precision}").assert_one_line(2, "--precision")


@pytest.mark.parametrize(
    ("expression", "fragment"),
    [
        ("", "the text ends"),
        ("   ", "the text ends"),
        ("exp(s", "expected"),
        ("exp(x)", "unknown name 'x'"),
        ("frobnicate(s)", "unknown function 'frobnicate'"),
        ("__import__('os').system('true')", "not part of an expression"),
        ("__import__(s)", "unknown function '__import__'"),
        ("exp(s).real", "not part of an expression"),
        ("s^2+1", "powers are written **"),
        ("1e999", "too long"),
        ("nan", "unknown name 'nan'"),
        ("1/0", "division by zero"),
        ("exp(s)/0", "division by zero"),
        ("9**9**9**9", ""),
        ("(1+s)**(10**9)", ""),
        ("Abs(s)+1", ""),
        ("sqrt(s)+1", ""),
        ("exp(-1/s**2)+1", ""),
        ("exp(s)-1", ""),
        ("-exp(s)", ""),
        ("3", ""),
        ("sin(s)**2+cos(s)**2", ""),
        ("exp(s)\nexp(s)", "not part of an expression"),
        ("\x1b[31mexp(s)", "not part of an expression"),
        ("exp(s)\u202e", "not part of an expression"),
        ("\x00", "not part of an expression"),
        ("(" * 10**6 + "s" + ")" * 10**6, "characters"),
        ("(" * 1000 + "s" + ")" * 1000, "nested too deeply"),
        ("-" * 10**6 + "s", "characters"),
        ("+".join(["s"] * 9000), "parts"),
        ("exp(" * 39 + "s" + ")" * 39, ""),
    ],
    ids=range(31),
)
def test_normalizers(run, expression: str, fragment: str) -> None:
    start = time.monotonic()
    ran = run("normalizer", "--", expression)
    if ran.code == 3:  # undecided is an answer, for an expression that is one
        ran.assert_one_line(3)
        assert "fault" not in ran.err
    else:
        ran.assert_one_line(2, fragment)
    assert time.monotonic() - start < 20


def test_an_expression_may_begin_with_a_minus_sign(run) -> None:
    for expression in ("-exp(s)", "-s", "-3"):
        expected = run("normalizer", "--", expression)
        assert run("normalizer", expression) == run("normalizer", expression, "--json") == expected
        expected.assert_one_line(2)
        assert "EXPR" not in expected.err
    assert "positive" in run("normalizer", "-exp(s)").err
    found = run("normalizer", "--json", "-(s-1)")
    assert (found.code, found.document["k"]) == (0, 1)
    run("normalizer", "-exp(s)", "-s").assert_one_line(2, "unrecognized arguments")
    run("normalizer", "exp(s)", "--jason").assert_one_line(2, "unrecognized arguments: --jason")
    assert run("normalizer", "-h").out.startswith("usage: symattn normalizer")


def test_hostile_text_is_not_echoed_raw(run) -> None:
    hostile = "\x1b[31mred\x1b]0;title\x07\nnext\u202eline"
    run(hostile).assert_one_line(2)
    run("table", hostile).assert_one_line(2)
    run("table", "--depth", hostile).assert_one_line(2)
    run("table", "--depth", "2", "--format", hostile).assert_one_line(2)
    run("table", "--depth", "2", hostile).assert_one_line(2)
    run("table", "--depth", "2", "--" + hostile).assert_one_line(2)
    run("spectrum", hostile).assert_one_line(2)
    run("normalizer", hostile).assert_one_line(2)
    run("verify", hostile).assert_one_line(2)
    run("table", "--depth", "2", "x" * 10**6).assert_one_line(2)


def test_small_primes_are_refused_or_replaced_never_wrong(run) -> None:
    for prime in ("2", "3", "5", "7"):
        run("spectrum", "examples/mixed_degrees.json", "--primes", prime).assert_one_line(3, f"prime {prime}")
        ran = run("spectrum", "examples/mixed_degrees.json", "--primes", prime, "--precision", "1", "--json")
        if ran.out:
            assert ran.document["orders"] == [[0, 4], [1, 3], [7, 4]]
        else:
            ran.assert_one_line(3, f"prime {prime}")


def test_a_precision_that_would_fill_the_memory(run) -> None:
    run("spectrum", "examples/matrix_spectrum_fixture.json", "--precision", "100000").assert_one_line(3, "GB")


def test_an_ending_of_a_plot_is_no_part_of_its_prefix() -> None:
    assert [file_prefix(text) for text in ("a/x.png", "x.svg", "x.pdf", "x")] == ["a/x", "x", "x.pdf", "x"]
