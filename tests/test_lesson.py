"""The lesson in the examples runs, and says what it prints."""

from __future__ import annotations

import doctest
from pathlib import Path

LESSON = Path(__file__).parents[1] / "examples" / "what_one_softmax_layer_sees.md"


def test_the_lesson_runs() -> None:
    result = doctest.testfile(str(LESSON), module_relative=False)
    assert result.failed == 0
    assert result.attempted >= 25


def test_a_wrong_line_would_be_noticed(tmp_path: Path) -> None:
    copy = tmp_path / "lesson.md"
    text = LESSON.read_text(encoding="utf-8")
    wrong = text.replace("(b*z**3) t^2 + O(t^4)", "(b*z**2) t^2 + O(t^4)")
    assert wrong != text
    copy.write_text(wrong, encoding="utf-8")
    assert doctest.testfile(str(copy), module_relative=False, report=False, verbose=False).failed == 1
