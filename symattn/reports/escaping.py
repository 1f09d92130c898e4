"""Text from anywhere made safe for a terminal, for Markdown and for LaTeX."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["latex", "markdown", "one_line"]

# Control sequences (CSI), operating system commands (OSC), and the remaining two-character escapes of a terminal.
_TERMINAL_SEQUENCE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[@-_]")
_MARKDOWN_SPECIAL = re.compile(r"[\\`*_\[\]<>|#~$]")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        **{character: "\\" + character for character in "#$%&_{}"},
    }
)


def one_line(text: str) -> str:
    """The text without terminal sequences, control and format characters (direction marks too); line breaks and tabs become spaces.

    >>> one_line("a\\x1b[31mb\\n\\x07c")
    'ab c'
    """
    spaced = re.sub(r"[\s\x85\u2028\u2029]", " ", _TERMINAL_SEQUENCE.sub("", text))
    return "".join(character for character in spaced if unicodedata.category(character) not in {"Cc", "Cf", "Cs"})


def markdown(text: str) -> str:
    r"""One line of Markdown that shows the text literally, also inside a table.

    >>> markdown("a|b_1")
    'a\\|b\\_1'
    """
    return _MARKDOWN_SPECIAL.sub(lambda match: "\\" + match[0], one_line(text).replace("&", "&amp;"))


def latex(text: str) -> str:
    r"""One line of LaTeX text that shows the text literally.

    >>> latex("50% of x_1")
    '50\\% of x\\_1'
    """
    return one_line(text).translate(_LATEX)
