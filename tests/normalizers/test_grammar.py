"""The grammar reads what it should, refuses everything else at once, and prints what it reads."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from symattn.errors import InputError, SymattnError
from symattn.normalizers import normalizer
from symattn.normalizers.grammar import parse
from symattn.normalizers.text import to_text
from symattn.normalizers.tree import VARIABLE, Call, Number, Power, Product, Sum

READ = {
    "s": "s",
    " 1+ s ": "1 + s",
    "1 + 0.1*s": "1 + 1/10*s",
    "1.5e-3*s": "3/2000*s",
    "1.*s + .5": "s + 1/2",
    "-s": "-s",
    "--s": "s",
    "1 - -s": "1 + s",
    "2*-s": "-2*s",
    "-s**2": "-s**2",
    "(-s)**2": "(-s)**2",
    "2**-s": "2**(-s)",
    "2**3**2": "512",
    "s/2/3": "1/6*s",
    "1/2/s": "1/2/s",
    "s/(2*s)": "s/(2*s)",
    "(1+s)*(1-s)": "(1 + s)*(1 - s)",
    "(s**2)**3": "s**6",
    "sqrt(s**2)": "sqrt(s**2)",
    "(s**2)**(1/2)": "sqrt(s**2)",
    "s**(1/3)": "s**(1/3)",
    "E**s": "exp(s)",
    "E": "E",
    "exp(log(s))": "exp(log(s))",
    "Max(s, 0, 1)": "Max(s, 0, 1)",
    "s**-2": "1/s**2",
    "1-(1-s)": "1 - (1 - s)",
}


@pytest.mark.parametrize(("text", "canonical"), READ.items())
def test_reads_and_prints(text: str, canonical: str) -> None:
    tree = parse(text)
    assert to_text(tree) == canonical
    assert parse(canonical) == tree


def test_shape_of_trees() -> None:
    half = Number(Fraction(1, 2))
    assert parse("1/2 + s*s") == Sum((half, Product((VARIABLE, VARIABLE))))
    assert parse("sqrt(s)") == Power(VARIABLE, half)
    assert parse("exp(s)**2") == Power(Call("exp", (VARIABLE,)), Number(Fraction(2)))


REFUSED = {
    "(" * 10**6: "1000000 characters",
    "(" * 1000: "nested too deeply",
    "exp(" * 10_000: "40000 characters",
    "exp(" * 300: "nested too deeply",
    "s**" * 500 + "s": "nested too deeply",
    "s+" * 9_000: "more than 4000 parts",
    "9**9**9**9": "the exponent is too large",
    "(99**999)**999": "bits",
    "1" * 5_000: "the number is too long",
    "1e999": "the number is too long",
    "1e-99999999": "the number is too long",
    "s**9999": "the exponent is too large",
    "": "character 1: expected a number, s, pi, E, a function or '(', but the text ends",
    "s+": "character 3: expected a number",
    "exp(s": "character 6: expected ')' or ','",
    "(s": "character 3: expected ')'",
    "s)": "character 2: expected an operator or the end, but found ')'",
    "2s": "character 2: expected an operator or the end, but found 's'",
    "s s": "character 3: expected an operator",
    "exp s": "character 5: expected '(' after exp",
    "exp()": "character 5: expected a number",
    "exp(s, s)": "exp takes 1 argument, not 2",
    "Max(s)": "Max takes at least 2 arguments, not 1",
    "foo(s)": "unknown function 'foo'; known: Abs, asinh",
    "x": "unknown name 'x'; the variable is s",
    "t + 1": "unknown name 't'",
    "__import__('os')": '"\'" is not part of an expression',
    "s.__class__": "'.' is not part of an expression",
    "lambda s: s": "':' is not part of an expression",
    "exec(s)": "unknown function 'exec'",
    "eval(s)": "unknown function 'eval'",
    "s^2": "powers are written **",
    "1/0": "division by zero",
    "0**-1": "a power of zero",
    "0**s": "a power of zero",
    "\uff53": "'\\uff53' is not part of an expression",
    "s \u2212 1": "'\\u2212' is not part of an expression",
    "s\n": "'\\n' is not part of an expression",
    "\x00": "is not part of an expression",
    "\u0661": "is not part of an expression",
    "nan": "unknown name 'nan'",
    "inf": "unknown name 'inf'",
    "1_000": "unknown name '_000'",
    "0x10": "found 'x10'",
    "1j": "found 'j'",
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.items(), ids=[text[:20] for text in REFUSED])
def test_refuses_at_once_with_one_line(text: str, expected: str) -> None:
    started = time.perf_counter()
    with pytest.raises(InputError) as caught:
        normalizer(text, where="here")
    assert time.perf_counter() - started < 1
    message = str(caught.value)
    assert message.startswith("here: ")
    assert "\n" not in message
    assert message.isascii()
    assert len(message) < 400
    # "1_000" reads 1 and then a name, which is reported where it stands.
    assert expected in message or (text == "1_000" and "found '_000'" in message)


def test_long_but_reasonable_texts_are_read() -> None:
    assert normalizer("1" + "+s" * 1500).coefficient == 1500
    assert normalizer("exp(" * 3 + "s" + ")" * 3).k == 1


ALPHABET = st.text(alphabet="s0123456789.+-*/()e, pxlogsinE\n\u00b2", max_size=40)


@given(st.one_of(st.text(max_size=60), ALPHABET))
def test_arbitrary_text_is_read_or_refused(text: str) -> None:
    try:
        tree = parse(text)
    except SymattnError as error:
        assert "\n" not in str(error)
    else:
        assert parse(to_text(tree)) == tree
