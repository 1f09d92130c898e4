"""The command line, floor 8: what is said, which arguments there are, the commands, the parser, and running one."""

from symattn.cli.entry import main

__all__ = ["main"]
