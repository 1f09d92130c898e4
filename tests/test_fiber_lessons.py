"""The lessons on fibers run, and say what they print."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(("name", "least"), [("a_layer_that_erases_the_rest", 30), ("two_signs_one_function", 20)])
def test_the_lesson_runs(name: str, least: int) -> None:
    result = doctest.testfile(str(EXAMPLES / f"{name}.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted >= least


def test_a_wrong_line_would_be_noticed(tmp_path: Path) -> None:
    text = (EXAMPLES / "two_signs_one_function.md").read_text(encoding="utf-8")
    wrong = text.replace("{1: 11}", "{1: 9}")
    assert wrong != text
    copy = tmp_path / "lesson.md"
    copy.write_text(wrong, encoding="utf-8")
    assert doctest.testfile(str(copy), module_relative=False, report=False, verbose=False).failed == 1
