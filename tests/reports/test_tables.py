"""Renderings: small golden outputs, hostile text, narrow terminals, exactness."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from symattn.errors import BudgetError, InputError
from symattn.reports import FORMATS, Cell, Column, Table, render

TABLE = Table(
    "Orders",
    "One row per layer.",
    (Column("i", "layer"), Column("beta_i", "contact order", r"$\beta_i$"), Column("share"), Column("held"), Column("why")),
    ((1, 5, Fraction(3, 7), True, "a short reason"), (2, 17, None, False, "")),
)

HOSTILE = "a|b\\c\n\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J\x00\x07_*`<i>&$%#{}^~\u202eevil\u2028\tend"


def test_text() -> None:
    assert render(TABLE) == (
        "Orders\n"
        "One row per layer.\n"
        "\n"
        "i  beta_i  share  held  why\n"
        "-  ------  -----  ----  --------------\n"
        "1       5    3/7  yes   a short reason\n"
        "2      17      -  no\n"
        "\n"
        "i       layer\n"
        "beta_i  contact order"
    )


def test_markdown() -> None:
    assert render(TABLE, "markdown") == (
        "**Orders**\n\nOne row per layer.\n\n"
        "| i | beta\\_i | share | held | why |\n"
        "| ---: | ---: | ---: | --- | --- |\n"
        "| 1 | 5 | 3/7 | yes | a short reason |\n"
        "| 2 | 17 | - | no |  |\n\n"
        "* i: layer\n* beta\\_i: contact order"
    )


def test_latex() -> None:
    assert render(TABLE, "latex").splitlines() == [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\caption{Orders. One row per layer. i: layer; $\beta_i$: contact order.}",
        r"\begin{tabular}{rrrll}",
        r"\toprule",
        r"i & $\beta_i$ & share & held & why \\",
        r"\midrule",
        r"1 & 5 & 3/7 & yes & a short reason \\",
        r"2 & 17 & -- & no &  \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_csv_and_json() -> None:
    assert render(TABLE, "csv") == "i,beta_i,share,held,why\n1,5,3/7,yes,a short reason\n2,17,,no,"
    document = json.loads(render(TABLE, "json"))
    assert document["rows"] == [[1, 5, "3/7", True, "a short reason"], [2, 17, None, False, ""]]
    assert document["columns"][1] == {"header": "beta_i", "meaning": "contact order"}


@pytest.mark.parametrize("name", ["text", "markdown", "latex", "csv"])
def test_hostile_text_stays_one_harmless_line(name: str) -> None:
    table = Table(HOSTILE, HOSTILE, (Column(HOSTILE, HOSTILE), Column("n")), ((HOSTILE, 1),))
    plain = Table("t", "t", (Column("t", "t"), Column("n")), (("t", 1),))
    output = render(table, name, width=10**4)
    assert len(output.split("\n")) == len(render(plain, name, width=10**4).split("\n"))
    assert re.search(r"[^\n -~]", output) is None
    assert "[31m" not in output
    assert "title" not in output
    assert "evil" in output


def test_hostile_text_is_escaped_for_its_format() -> None:
    table = Table("", "", (Column("h"), Column("n")), ((HOSTILE, 1),))
    assert r"| a\|b\\c red\_\*\`\<i\>&amp;\$%\#{}^\~evil  end | 1 |" in render(table, "markdown")
    assert (
        r"a\textbar{}b\textbackslash{}c red\_*`\textless{}i\textgreater{}\&\$\%\#\{\}\textasciicircum{}\textasciitilde{}evil  end & 1 \\"
        in render(table, "latex")
    )
    assert json.loads(render(table, "json"))["rows"] == [[HOSTILE, 1]]


cells = st.one_of(st.integers(), st.fractions(), st.text(max_size=30), st.booleans(), st.none())


@given(st.lists(st.tuples(cells, cells), max_size=5), st.text(max_size=20))
def test_every_rendering_keeps_its_shape(rows: list[tuple[Cell, Cell]], header: str) -> None:
    table = Table("t", "", (Column(header), Column("b")), tuple(rows))
    read = list(csv.reader(io.StringIO(render(table, "csv"))))
    assert [len(row) for row in read] == [2] * (len(rows) + 1)
    body = render(table, "markdown").split("\n")[2:]
    assert len(body) == len(rows) + 2
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3 for line in body)
    assert json.loads(render(table, "json"))["rows"] == [[str(c) if isinstance(c, Fraction) else c for c in row] for row in rows]


@given(
    st.lists(st.tuples(st.text("abc ", max_size=80), st.text("xyz ", max_size=80), st.integers(0, 10**6)), max_size=4), st.integers(30, 120)
)
def test_text_fits_the_terminal_and_loses_nothing(rows: list[tuple[str, str, int]], width: int) -> None:
    table = Table("", "", (Column("first"), Column("second"), Column("n")), tuple(rows))
    output = render(table, width=width)
    assert all(len(line) <= width for line in output.split("\n"))
    for letter in "abcxyz":
        expected = sum((first + second).count(letter) for first, second, _ in rows) + "first second n".count(letter)
        assert output.count(letter) == expected
    for _, _, number in rows:
        assert re.search(rf"\b{number}\b", output)


def test_numbers_are_broken_only_when_nothing_else_gives() -> None:
    table = Table("", "", (Column("n"), Column("why")), ((3**40, "a short reason"),))
    assert str(3**40) in render(table, width=30)
    assert all(len(line) <= 15 for line in render(table, width=15).split("\n"))


def test_no_rows() -> None:
    table = Table("empty", "", (Column("a"),), ())
    assert render(table) == "empty\n\na\n-"
    for name in FORMATS:
        assert render(table, name)


def test_what_is_not_exact_or_not_printable_is_refused() -> None:
    columns = (Column("a"),)
    with pytest.raises(InputError, match=r"row 1: an exact number or text was expected, not float"):
        Table("t", "", columns, ((0.5,),))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"row 2: 1 cells were expected, not 2"):
        Table("t", "", columns, ((1,), (1, 2)))
    with pytest.raises(BudgetError, match="more than 4000 digits"):
        Table("t", "", columns, ((10**4400,),))
    largest = Table("t", "", columns, ((10**3999,),))
    assert all(render(largest, name) for name in FORMATS)
    with pytest.raises(InputError, match=r"format: one of text, markdown, latex, csv, json was expected, not 'yaml'"):
        render(largest, "yaml")
