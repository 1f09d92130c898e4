"""Which statement applies to an instance: every hypothesis checked exactly over Q, and the spectrum that follows.

Three theorems give the same spectrum (orders 0 and ``beta_i``) under different hypotheses on ``B_i = U_i W_i^T``:

* Theorem 4 / Prop. D.1: ``sym(B_i) != 0`` for every layer (the tuple is regular), ``n >= 2``;
* Cor. D.2: ``k_i = 1`` for every layer, ``B_i`` invertible for ``i < D``, ``n >= d + 1``;
* Cor. D.3: ``k_i = 1`` for every layer, ``det(Z^T B_i Z)`` not identically zero in the d x 2 matrix Z for ``i < D``, ``n >= 3``.

Three extensions follow from the lemmas behind them, and are named in ``Prediction.source`` when an instance needs them.

*Last score arbitrary.* If ``k_D = 1`` the mean part of layer D's leading form is ``b C N^T m``, which does not contain ``B_D``
(C.kernel-DP: any score for k = 1), and no layer follows that would need the contrast of layer D. So ``sym(B_D)`` may vanish.

*Rank-deficient factors.* D.frame and C.kernel-DP hold for every direction ``T_i`` in the d x d matrices. The factor derivatives reach
``T = dQ W^T + U dK^T``, the image of a constant linear map; its dimension ``d (r_U + r_W) - r_U r_W`` is the multiplicity of ``beta_i``.

*Invertible values.* Near invertible ``V_i`` the tuples ``(P_i, L, P_{i-1}^T Q_i, P_{i-1}^T K_i)`` are coordinates (D.coordinates) and their
Jacobian is invertible over the power series in t. The network does not depend on ``P_1 .. P_{D-1}`` in them, and L multiplies
all outputs. So the Smith form is that of identity values with factors ``P_{i-1}^T U_i``, ``P_{i-1}^T W_i``: the scores are
congruent to ``B_i``, and every hypothesis above is invariant under congruence.

Where none of the three applies although all slopes are nonzero, the law of :mod:`symattn.theory.mixed` is the prediction, marked
"conjecture".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symattn.arithmetic.linear_algebra import rank as matrix_rank
from symattn.network.instance import Instance
from symattn.network.rational import RationalMatrix, identity
from symattn.theory.banks import least_bank_size
from symattn.theory.collapse import is_skew, is_zero
from symattn.theory.mixed import ScoreType, mixed_contact_orders
from symattn.theory.orders import contact_orders, layer_multiplicity, merged_orders
from symattn.theory.prediction import BANK_HYPOTHESIS, Hypothesis, Prediction

__all__ = ["is_two_plane_nonsingular", "predict_spectrum"]


@dataclass(frozen=True)
class _Statement:
    label: str
    hypotheses: tuple[Hypothesis, ...]
    extensions: tuple[str, ...] = ()
    orders: tuple[int | None, ...] | None = None
    """Contact orders of the layers where they are other than those of Theorem 4: by the conjecture."""

    @property
    def holds(self) -> bool:
        return all(hypothesis.holds for hypothesis in self.hypotheses)


def predict_spectrum(instance: Instance) -> Prediction:
    """The contact spectrum of the instance by the first statement whose hypotheses hold on it (D.smith, D.2, D.3).

    Hypotheses on the path are decided over Q. Whether the bank separates is left undecided (``None``) unless the bank has fewer
    inputs than counting allows, which refutes it. Where no statement applies, but all slopes are nonzero, the prediction is the
    conjectured law for mixed and skew stacks (spec 6.3). Where that does not apply either, the prediction is empty and lists the
    hypotheses of all, each with its statement, so that the failing ones are named with their layers.
    """
    general, extensions = _general_hypotheses(instance)
    statements = (_regular(instance), _invertible_prefixes(instance), _two_plane_prefixes(instance), _mixed_stack(instance))
    chosen = next((statement for statement in statements if statement.holds), None)
    if chosen is None or not all(hypothesis.holds for hypothesis in general):
        named = (Hypothesis(f"{s.label}: {h.name}", h.holds, h.where, h.how) for s in statements for h in s.hypotheses)
        return Prediction((), None, None, "none", "none", (*general, *named))
    multiplicities = [layer_multiplicity(instance.width, matrix_rank(layer.U), matrix_rank(layer.W)) for layer in instance.layers]
    found = contact_orders(instance.degrees) if chosen.orders is None else chosen.orders
    visible = [(order, size) for order, size in zip(found, multiplicities, strict=True) if order is not None]
    orders = merged_orders([(0, instance.width**2), *visible])
    rank = sum(multiplicity for _, multiplicity in orders)
    extensions += chosen.extensions
    return Prediction(
        orders,
        rank,
        instance.parameter_count - rank,
        chosen.label + (f", extended beyond the paper to: {', '.join(extensions)}" if extensions else ""),
        "theorem" if chosen.orders is None else "conjecture",
        (*general, *chosen.hypotheses, _bank_hypothesis(instance)),
    )


def is_two_plane_nonsingular(score: RationalMatrix) -> bool:
    """Whether ``f(u, v) = det([u v]^T B [u v])`` is a nonzero polynomial in the d-vectors u, v, for the d x d matrix B (C.6, D.3).

    It is nonzero exactly if ``rank B >= 2``. Restrictions of rank <= 1 are singular. For the converse let f vanish identically.
    If ``u^T B u`` is zero for all u, then B is skew and ``f = (u^T B v)^2``, so ``B = 0``. Otherwise fix u with
    ``c = u^T B u != 0`` and put ``p = B u``, ``q = B^T u``. ``f(u, .) = 0`` says that ``N = c B - p q^T`` is skew, and then
    ``c^2 f(v, w) = N(v, w) (N(v, w) + (p v)(q w) - (p w)(q v))``. One factor vanishes identically: either
    ``c B = p q^T``, or ``c B(v, w) = (p w)(q v)``, that is ``c B = q p^T``. Both have rank 1.

    >>> from symattn.network.rational import rational_matrix
    >>> is_two_plane_nonsingular(rational_matrix([[0, 1], [-1, 0]])), is_two_plane_nonsingular(rational_matrix([[1, 2], [2, 4]]))
    (True, False)
    """
    return matrix_rank(score) >= 2


def _general_hypotheses(instance: Instance) -> tuple[tuple[Hypothesis, ...], tuple[str, ...]]:
    """Hypotheses that every statement shares, and the extensions that they call for."""
    d = instance.width
    values, factors = [], []
    for number, layer in enumerate(instance.layers, start=1):
        rank_v, rank_u, rank_w = matrix_rank(layer.V), matrix_rank(layer.U), matrix_rank(layer.W)
        how = "V is the identity" if identity(d) == layer.V else f"rank V = {rank_v} of {d}"
        values.append(Hypothesis("the value matrix is invertible", rank_v == d, f"layers[{number}].V", how))
        if rank_u == rank_w == layer.rank:
            factors.append(Hypothesis("U and W have full column rank", True, f"layers[{number}]", f"rank U = rank W = r = {rank_u}"))
    extensions = []
    if not instance.has_identity_values:
        extensions.append("invertible values")
    if len(factors) < instance.depth:
        extensions.append("rank-deficient factors")
    return (*values, *factors), tuple(extensions)


def _regular(instance: Instance) -> _Statement:
    last = instance.depth
    hypotheses, extensions = [], []
    for number, layer in enumerate(instance.layers, start=1):
        entry = _symmetric_entry(layer.score)
        if entry is not None:
            row, column, value = entry
            how = f"entry ({row}, {column}) of B + B^T is {value}"
            hypotheses.append(Hypothesis("the score has a nonzero symmetric part", True, f"layers[{number}]", how))
        elif number == last and instance.degrees[-1] == 1:
            extensions.append("arbitrary last score at k = 1")
        else:
            how = "B = 0" if matrix_rank(layer.score) == 0 else "B is skew: B + B^T = 0"
            hypotheses.append(Hypothesis("the score has a nonzero symmetric part", False, f"layers[{number}]", how))
    label = "Theorem 4" if len(set(instance.degrees)) == 1 else "Proposition D.1 (heterogeneous degrees)"
    return _Statement(label, tuple(hypotheses), tuple(extensions))


def _invertible_prefixes(instance: Instance) -> _Statement:
    n, d = instance.tokens, instance.width
    prefixes = [
        Hypothesis(
            "the score before the last layer is invertible",
            matrix_rank(layer.score) == d,
            f"layers[{number}]",
            f"rank B = {matrix_rank(layer.score)} of {d}",
        )
        for number, layer in enumerate(instance.layers[:-1], start=1)
    ]
    tokens = Hypothesis("n >= d + 1", n >= d + 1, "tokens", f"n = {n}, d = {d}")
    return _Statement("Corollary D.2", (*_nonzero_slopes(instance), tokens, *prefixes))


def _two_plane_prefixes(instance: Instance) -> _Statement:
    prefixes = [
        Hypothesis(
            "the score before the last layer is nonsingular on a two-plane",
            is_two_plane_nonsingular(layer.score),
            f"layers[{number}]",
            f"rank B = {matrix_rank(layer.score)}, at least 2 is needed",
        )
        for number, layer in enumerate(instance.layers[:-1], start=1)
    ]
    size = (
        Hypothesis("n >= 3", instance.tokens >= 3, "tokens", f"n = {instance.tokens}"),
        Hypothesis("d >= 2", instance.width >= 2, "width", f"d = {instance.width}"),
    )
    return _Statement("Corollary D.3", (*_nonzero_slopes(instance), *size, *prefixes))


def _mixed_stack(instance: Instance) -> _Statement:
    """The conjectured law: nonzero slopes; behind a skew score the first even degree of log phi matters, so it must be known."""
    words, hypotheses = [], list(_nonzero_slopes(instance))
    for number, (phi, layer) in enumerate(zip(instance.normalizers, instance.layers, strict=True), start=1):
        words.append(_score_type(layer.score))
        if words[-1] == "skew" and phi.first_even_degree is None and phi.log_is_odd is None:
            how = "undecided whether log phi is odd"
            hypotheses.append(Hypothesis("the first even degree at a skew score is known", None, f"normalizers[{number}]", how))
    orders = None
    if all(hypothesis.holds for hypothesis in hypotheses):
        even = [phi.first_even_degree for phi in instance.normalizers]
        orders = mixed_contact_orders(words, even, tokens=instance.tokens, width=instance.width)
    obstacle = "; ".join(f"{h.where}: {h.how}" for h in _regular(instance).hypotheses if not h.holds)
    label = f"conjectured law for mixed and skew stacks (no theorem applies; {obstacle})"
    return _Statement(label, tuple(hypotheses), orders=orders)


def _score_type(score: RationalMatrix) -> ScoreType:
    if is_zero(score):
        return "zero"
    if is_skew(score):
        return "skew"
    return "rank one" if matrix_rank(score) == 1 else "generic"


def _nonzero_slopes(instance: Instance) -> tuple[Hypothesis, ...]:
    return tuple(
        Hypothesis("the slope h'(0) is nonzero, k = 1", k == 1, f"normalizers[{number}]", f"k = {k}")
        for number, k in enumerate(instance.degrees, start=1)
    )


def _bank_hypothesis(instance: Instance) -> Hypothesis:
    """The counting bound refutes a bank that is too small; anything else is the finding's to decide."""
    size = len(instance.bank)
    if all(matrix_rank(layer.U) == matrix_rank(layer.W) == layer.rank for layer in instance.layers):
        least = least_bank_size(instance.tokens, instance.width, instance.ranks, instance.degrees)
        if 0 < size < least:
            return Hypothesis(BANK_HYPOTHESIS, False, "bank", f"{size} inputs, and counting shows that at least {least} are needed")
    return Hypothesis(BANK_HYPOTHESIS, None, "bank", "decided by the finding")


def _symmetric_entry(score: RationalMatrix) -> tuple[int, int, Fraction] | None:
    """Row, column (from 1) and value of a nonzero entry of ``B + B^T``, if there is one."""
    for i, row in enumerate(score):
        for j in range(i + 1):
            if value := row[j] + score[j][i]:
                return i + 1, j + 1, value
    return None
