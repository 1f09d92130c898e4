"""Checks of the published statements, one module per group; each uses only the public interface of symattn.

Importing this package loads no check. :func:`statements` lists them, :func:`run` runs them.
"""

from proofs_checks.evidence import Evidence, Outcome
from proofs_checks.framework import Effort, Result, Statement, run, statement, statements

__all__ = ["Effort", "Evidence", "Outcome", "Result", "Statement", "run", "statement", "statements"]
