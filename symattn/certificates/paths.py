"""Certificates of a collapse path and its bank: kernel, rank, contact orders, separation (docs/certificates.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from symattn.arithmetic import DEFAULT_PRIMES, PadicPoint
from symattn.certificates.document import assemble, path_document, rational
from symattn.errors import SymattnError, UndecidedError
from symattn.exact.divisibility import contrast_column_orders, lower_bound, series_column_orders
from symattn.exact.finding import Finding, proven_orders
from symattn.exact.pivots import Pivot, complete_pivots
from symattn.network.instance import Instance
from symattn.network.kernel import PathKernel, path_kernel
from symattn.network.path import native_jacobian

__all__ = ["bank_certificate", "kernel_certificate", "kernel_evidence", "rank_certificate", "spectrum_certificate"]

_DIVISIBILITY_WORK = 2_000_000
"""Most steps, counted roughly, of power series over Q that a checker in plain Python is asked for; beyond them the order lemma is named."""


def kernel_certificate(instance: Instance) -> bytes:
    """The explicit kernel of the native Jacobian on the path, on every bank (D.kernel). The bank of the instance plays no part."""
    vectors = kernel_evidence(path_kernel(instance))
    return assemble("kernel", path_document(instance, with_bank=False), {"kernel": len(vectors)}, {"kernel": vectors}, ["kernel-at-least"])


def rank_certificate(instance: Instance, finding: Finding) -> bytes:
    """Rank and kernel of the native Jacobian on the bank. Raises what :func:`spectrum_certificate` raises."""
    kernel = path_kernel(instance)
    pivots, evidence = _attained(instance, finding, kernel)
    claim = {"kernel": kernel.dimension, "rank": len(pivots)}
    return assemble("rank", path_document(instance), claim, evidence, _counted(kernel, pivots))


def spectrum_certificate(instance: Instance, finding: Finding) -> bytes:
    """The contact orders of a finding, with rank and kernel (D.smith, D.kernel); exact where the finding is.

    Raises :class:`UndecidedError` where no pivots show the orders of the finding at a p-adic point, or certificates cannot express the
    normalizers.
    """
    kernel = path_kernel(instance)
    document = path_document(instance)
    pivots, evidence = _attained(instance, finding, kernel)
    claim = {"kernel": kernel.dimension, "orders": _orders(pivots), "rank": len(pivots)}
    lower = _lower(instance, finding, kernel)
    orders = "order-sums-at-most" if lower["by"] == "none" else "orders"
    assumed = ["order-lemma"] if lower["by"] == "order-lemma" else []
    return assemble("spectrum", document, claim, evidence | {"lower": lower}, [*_counted(kernel, pivots), orders], assumed)


def bank_certificate(instance: Instance, finding: Finding) -> bytes:
    """That the bank separates: its orders are the least that any bank can have (D.frame).

    Raises what :func:`spectrum_certificate` raises.
    """
    kernel = path_kernel(instance)
    document = path_document(instance)
    pivots, evidence = _attained(instance, finding, kernel)
    claim = {"kernel": kernel.dimension, "orders": _orders(pivots), "rank": len(pivots), "size": len(instance.bank)}
    proven = ["kernel", "orders", "rank", "separating"]
    return assemble("bank", document, claim, evidence | {"lower": {"by": "order-lemma"}}, proven, ["order-lemma"])


def kernel_evidence(kernel: PathKernel) -> list[list[object]]:
    """The kernel vectors as certificates write them: own column, then the other entries, columns from 1."""
    own = set(kernel.dependent_columns)
    vectors = []
    for vector in (*kernel.factor, *kernel.interface):
        entries = [(j, entry) for j, entry in enumerate(vector) if entry]
        column = next(j for j, _ in entries if j in own)
        vectors.append((column, [[j + 1, rational(entry)] for j, entry in entries if j != column]))
    return [[column + 1, entries] for column, entries in sorted(vectors)]


def _orders(pivots: Sequence[Pivot]) -> list[list[int]]:
    return [list(pair) for pair in sorted(Counter(pivot.order for pivot in pivots).items())]


def _counted(kernel: PathKernel, pivots: Sequence[Pivot]) -> list[str]:
    both = len(pivots) + kernel.dimension == kernel.columns
    return ["kernel", "rank"] if both else ["kernel-at-least", "rank-at-least"]


def _attained(instance: Instance, finding: Finding, kernel: PathKernel) -> tuple[list[Pivot], dict[str, object]]:
    """Pivots that attain the orders of the finding, and the evidence that names them."""
    wanted = finding.exponents()
    reasons = []
    precision = max(wanted, default=0) // 2 + 1
    for prime in dict.fromkeys((*finding.primes, *DEFAULT_PRIMES)):
        # A sum of valuations beyond the prime proves nothing.
        if precision > prime - 2 or sum(wanted) // 2 > prime - 3:
            continue
        for places in _places(instance):
            try:
                pivots = _pivots(instance, kernel, prime, precision, places)
            except SymattnError as error:
                reasons.append(str(error))
                break
            if [pivot.order for pivot in pivots] == wanted:
                return pivots, {
                    "prime": prime,
                    "precision": 1 + max((pivot.valuation for pivot in pivots), default=0),
                    "pivots": [[*(place + 1 for place in places[pivot.row]), pivot.column + 1] for pivot in pivots],
                    "kernel": kernel_evidence(kernel),
                }
            reasons.append(f"at p = {prime} the outputs of the bank show other orders")
    raise UndecidedError(f"no certificate: {reasons[-1] if reasons else 'no prime serves'}")


def _places(instance: Instance) -> Iterator[list[tuple[int, int, int]]]:
    """Places (input, token, coordinate) of outputs, from 0: those of token 1, which suffice beyond depth 1, then all."""
    for tokens in (1, instance.tokens):
        yield [(x, a, c) for x in range(len(instance.bank)) for a in range(tokens) for c in range(instance.width)]


def _pivots(instance: Instance, kernel: PathKernel, prime: int, precision: int, places: Sequence[tuple[int, int, int]]) -> list[Pivot]:
    point = PadicPoint(prime, precision)
    n, d = instance.tokens, instance.width
    units = {
        (a, c): point.matrix([[int((b, e) == (a, c)) for e in range(d)] for b in range(n)]) for a, c in {place[1:] for place in places}
    }
    cotangents = [[units[place[1:]] for place in places if place[0] == x] for x in range(len(instance.bank))]
    jacobian = native_jacobian(point, instance, cotangents)
    kept = sorted(set(range(kernel.columns)) - set(kernel.dependent_columns))
    return complete_pivots(jacobian.matrix, jacobian.weights, kept, prime)


def _lower(instance: Instance, finding: Finding, kernel: PathKernel) -> dict[str, object]:
    """What shows that the orders are not smaller, shown on the instance where that is cheap."""
    if not finding.is_exact:
        return {"by": "none"}
    largest = max(finding.exponents(), default=0) // 2 or 1
    half = (largest + 1) // 2
    size = len(instance.bank) * instance.depth * instance.tokens**2 * (instance.width + 4)
    is_rational = all(phi.is_rational for phi in instance.normalizers)
    if is_rational and size * half**2 <= _DIVISIBILITY_WORK:
        orders = contrast_column_orders(instance, half)
        if _closes(instance, finding, kernel, orders):
            contrasts = [(order - 2 * k + 1) // 4 for order, k in zip(orders, instance.degrees, strict=True)]
            return {"by": "token-contrasts", "contrasts": contrasts}
    if is_rational and size * largest**2 <= _DIVISIBILITY_WORK:
        orders = series_column_orders(instance, largest)
        if _closes(instance, finding, kernel, orders):
            return {"by": "covariances", "valuations": [(order - 1) // 2 for order in orders]}
    # A Smith form over Q[[u]] is exact without any divisibility of columns; what it shows is not re-checked by a few lines.
    return {"by": "order-lemma" if finding.lower is not None else "none"}


def _closes(instance: Instance, finding: Finding, kernel: PathKernel, orders: Sequence[int]) -> bool:
    return proven_orders(finding.exponents(), lower_bound(instance, kernel, orders, ""))
