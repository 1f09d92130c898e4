"""The errors of symattn: one root, few branches, each naming what to do.

Every error carries one line for a person and the exit code that the command line returns
(0 verified, 1 refuted or mismatch, 2 bad usage or input, 3 undecided or budget, 4 malformed certificate).
"""

from __future__ import annotations

__all__ = [
    "BudgetError",
    "CertificateError",
    "ConstantNormalizerError",
    "HypothesisError",
    "InputError",
    "NotAnalyticError",
    "NotPositiveError",
    "NotRealizableError",
    "SymattnError",
    "UndecidedError",
]


class SymattnError(Exception):
    """Root of every error that symattn raises on purpose."""

    exit_code = 3


class InputError(SymattnError):
    """Input that cannot be used: says where (file and key, or argument), what was found and what was expected."""

    exit_code = 2

    def __init__(self, problem: str, *, where: str = "") -> None:
        self.problem = problem
        self.where = where
        super().__init__(f"{where}: {problem}" if where else problem)


class NotAnalyticError(InputError):
    """A normalizer that is not analytic at 0, so that it has no first nonconstant degree k."""


class NotPositiveError(InputError):
    """A normalizer that is not positive at 0."""


class ConstantNormalizerError(InputError):
    """A normalizer that is constant near 0."""


class UndecidedError(SymattnError):
    """Exact arithmetic cannot decide the question; says what would decide it."""


class HypothesisError(SymattnError):
    """A theorem was asked about a case outside its hypotheses; says which hypothesis fails, and where."""


class BudgetError(SymattnError):
    """Precision or work ran out before the answer was decided; names the bound and the remedy."""


class NotRealizableError(SymattnError):
    """A jet that no tuple of the stated shape realizes; names the first coefficient or step that contradicts."""

    exit_code = 1


class CertificateError(SymattnError):
    """A certificate that is not well formed."""

    exit_code = 4
