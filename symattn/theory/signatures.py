"""Signatures of a score: what one layer shows of it in the mean, ``H_M``, and in the contrast, ``K_M``, and their leading forms.

For points m, z with ``q = m^T M m`` and the logarithmic slope ``g = (log phi)'`` (A.signatures; (13), (A.1)):

    H_M(m, z) = g(q) m^T M z                                     tokens m + eps s_a z: the mean moves by eps^2 mu_2 H_M z
    K_M(m, z) = g(q) z^T M z + g'(q) (z^T M m)(m^T M z)          and the contrast becomes eps^3 mu_2 s_a K_M z

``K_M`` is the derivative of ``H_M`` along z in the query alone. For ``log phi = b s^k + ..`` the parts of lowest degree in m are
``b k P_k(M)`` with ``P_k(M) = q^(k-1) m^T M z`` (C.kernel-DP), and (C.kappa)

    kappa = b k [q^(k-1) z^T M z + (k-1) q^(k-2) (z^T M m)(m^T M z)].

Everything is a sympy expression, in which the symbol ``q`` stands for ``m^T M m``: so k may be a symbol too. An identity is decided by
dividing both sides by ``q^(k-2)``, writing q out, and comparing polynomials; it then holds for every k and all entries of the stated size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symattn.errors import InputError
from symattn.theory.orders import require_integer

if TYPE_CHECKING:
    import sympy

__all__ = ["Identity", "Signatures", "amplitudes", "isolation_coefficients", "signature_identities", "symbolic_signatures"]


@dataclass(frozen=True)
class Identity:
    """An equation between expressions in which the symbol ``q`` stands for ``quadratic``; ``scale`` is divided out of both sides."""

    name: str
    statement: str
    left: sympy.Expr
    right: sympy.Expr
    quadratic: sympy.Expr
    scale: sympy.Expr | int = 1

    def holds(self) -> bool:
        """Whether both sides over ``scale`` are the same polynomial.

        Raises :class:`InputError` if they are not polynomials: the question is then not decided, rather than guessed at.
        """
        import sympy

        difference = sympy.expand(sympy.powsimp(sympy.expand((self.left - self.right) / self.scale)))
        written_out = difference.subs(sympy.Symbol("q"), self.quadratic)
        if not written_out.free_symbols:
            return bool(written_out == 0)
        try:
            return bool(sympy.Poly(written_out, *sorted(written_out.free_symbols, key=str)).is_zero)
        except sympy.PolynomialError:
            raise InputError(f"the sides of {self.name!r} over {self.scale} are no polynomials", where="identity") from None


@dataclass(frozen=True)
class Signatures:
    """The signatures of a d x d score ``M`` at points ``m`` and ``z`` (d x 1), as sympy expressions in q and the entries."""

    M: sympy.Matrix
    m: sympy.Matrix
    z: sympy.Matrix

    @property
    def quadratic(self) -> sympy.Expr:
        """``m^T M m``, which the symbol q stands for."""
        return (self.m.T * self.M * self.m)[0, 0]

    @property
    def mean_pairing(self) -> sympy.Expr:
        """``m^T M z``."""
        return (self.m.T * self.M * self.z)[0, 0]

    def mean(self, slope: sympy.Expr) -> sympy.Expr:
        """``H_M(m, z)`` for the value ``slope = g(q)``."""
        return slope * self.mean_pairing

    def contrast(self, slope: sympy.Expr, derivative: sympy.Expr) -> sympy.Expr:
        """``K_M(m, z)`` for the values ``slope = g(q)`` and ``derivative = g'(q)``."""
        along = (self.z.T * self.M * self.z)[0, 0]
        return slope * along + derivative * (self.z.T * self.M * self.m)[0, 0] * self.mean_pairing

    def mean_form(self, k: Any) -> sympy.Expr:
        """``P_k(M) = q^(k-1) m^T M z`` (C.kernel-DP)."""
        return _q() ** (k - 1) * self.mean_pairing

    def contrast_form(self, k: Any, b: Any) -> sympy.Expr:
        """``kappa = b k [q^(k-1) z^T M z + (k-1) q^(k-2) (z^T M m)(m^T M z)]`` (C.kappa)."""
        along = (self.z.T * self.M * self.z)[0, 0]
        mixed = (self.z.T * self.M * self.m)[0, 0] * self.mean_pairing
        return b * k * (_q() ** (k - 1) * along + (k - 1) * _q() ** (k - 2) * mixed)

    def mean_form_derivative(self, k: Any, T: sympy.Matrix) -> sympy.Expr:
        """``D P_k(M)[T]``, by differentiation along ``M + e T`` (C.kernel-DP)."""
        import sympy

        e = sympy.Dummy("e")
        moved = Signatures(self.M + e * T, self.m, self.z)
        change = (self.m.T * T * self.m)[0, 0]
        return sympy.diff((_q() + e * change) ** (k - 1) * moved.mean_pairing, e).subs(e, 0)

    def with_direction(self, z: sympy.Matrix) -> Signatures:
        """The signatures along another z."""
        return Signatures(self.M, self.m, z)


def symbolic_signatures(width: int) -> tuple[Signatures, sympy.Matrix]:
    """Signatures of a general d x d score, and a general tangent matrix T; entries are symbols ``M1_1, .., m1, .., z1, .., T1_1, ..``.

    >>> symbolic_signatures(1)[0].mean_pairing
    M1_1*m1*z1
    """
    import sympy

    require_integer(width, least=1, most=8, where="width")

    def matrix(name: str) -> sympy.Matrix:
        return sympy.Matrix(width, width, lambda i, j: sympy.Symbol(f"{name}{i + 1}_{j + 1}"))

    def column(name: str) -> sympy.Matrix:
        return sympy.Matrix(width, 1, lambda i, _: sympy.Symbol(f"{name}{i + 1}"))

    return Signatures(matrix("M"), column("m"), column("z")), matrix("T")


def signature_identities(width: int, degree: int | None = None) -> tuple[Identity, ...]:
    """The identities of the signatures for general d x d scores; ``degree`` is k, a symbol if absent.

    >>> all(identity.holds() for identity in signature_identities(1))
    True
    """
    import sympy

    if degree is not None:
        require_integer(degree, least=1, where="degree")
    k: Any = sympy.Symbol("k") if degree is None else degree
    b, q = sympy.Symbol("b"), _q()
    signatures, T = symbolic_signatures(width)
    diagonal = signatures.with_direction(signatures.m)
    slope, derivative, quadratic = b * k * q ** (k - 1), b * k * (k - 1) * q ** (k - 2), signatures.quadratic
    along_t = (signatures.m.T * T * signatures.m)[0, 0]
    product_rule = (k - 1) * q ** (k - 2) * along_t * signatures.mean_pairing + q ** (k - 1) * (signatures.m.T * T * signatures.z)[0, 0]
    g, dg = sympy.symbols("g dg")
    lowest = q ** (k - 2)

    def identity(name: str, statement: str, left: sympy.Expr, right: sympy.Expr, scale: Any = lowest) -> Identity:
        return Identity(name, statement, left, right, quadratic, scale)

    return (
        identity("K is the derivative of H in the query", "A.signatures", signatures.contrast(g, dg), _query_derivative(signatures), 1),
        identity("the leading part of H is b k P_k", "C.kernel-DP", signatures.mean(slope), b * k * signatures.mean_form(k)),
        identity("the leading part of K is kappa", "C.kappa", signatures.contrast(slope, derivative), signatures.contrast_form(k, b)),
        identity("kappa at z = m is b k^2 q^k", "A.K-nonzero", diagonal.contrast_form(k, b), b * k**2 * q**k),
        identity("D P_k by the product rule", "C.kernel-DP", signatures.mean_form_derivative(k, T), product_rule),
        identity("D P_k at z = m is k q^(k-1) m^T T m", "C.kernel-DP", diagonal.mean_form_derivative(k, T), k * q ** (k - 1) * along_t),
    )


def amplitudes(contrast_signatures: Sequence[Any]) -> tuple[Any, ...]:
    """``a_0 = 1, a_j = a_(j-1)^3 K_j``: after j layers the contrast is ``eps^(3^j) a_j c_a z + ..`` (A.amplitude; (17)).

    >>> amplitudes([2, 3])
    (1, 2, 24)
    """
    found: list[Any] = [1]
    for signature in contrast_signatures:
        found.append(found[-1] ** 3 * signature)
    return tuple(found)


def isolation_coefficients(mean_signatures: Sequence[Any], contrast_signatures: Sequence[Any]) -> tuple[Any, ...]:
    """``a_(i-1)^2 H_i``: the factor of ``L z`` in the coefficient of ``eps^(2 * 3^(i-1))`` that isolates layer i (A.isolation; (18), (19)).

    Raises :class:`InputError` unless there is one mean signature per layer and a contrast signature for all but the last.

    >>> isolation_coefficients([5, 7], [2])
    (5, 28)
    """
    if len(contrast_signatures) + 1 != len(mean_signatures):
        raise InputError(
            f"{len(mean_signatures) - 1} contrast signatures were expected, not {len(contrast_signatures)}", where="contrast_signatures"
        )
    return tuple(a**2 * h for a, h in zip(amplitudes(contrast_signatures), mean_signatures, strict=True))


def _q() -> sympy.Symbol:
    import sympy

    return sympy.Symbol("q")


def _query_derivative(signatures: Signatures) -> sympy.Expr:
    """``d/de g(x^T M m) x^T M z`` at ``e = 0`` for ``x = m + e z`` and any g; the symbols g, dg stand for ``g(q), g'(q)``."""
    import sympy

    e, function = sympy.Dummy("e"), sympy.Function("g")
    query = signatures.m + e * signatures.z
    score, pairing = (query.T * signatures.M * signatures.m)[0, 0], (query.T * signatures.M * signatures.z)[0, 0]
    changed = sympy.diff(function(score) * pairing, e)
    changed = changed.replace(lambda part: isinstance(part, (sympy.Subs, sympy.Derivative)), lambda part: sympy.Symbol("dg"))
    return changed.replace(function, lambda argument: sympy.Symbol("g")).subs(e, 0)
