"""The contact spectrum of an instance on its bank, found without the theorem (D.smith, D.kernel; spec 03).

Upper bounds come from the Smith form of the native Jacobian at the p-adic point ``u = p``; lower bounds from lower coefficients that
vanish over Q and from an explicit kernel. Nothing here knows what the orders should be.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from symattn.arithmetic import (
    DEFAULT_PRIMES,
    LocalArithmetic,
    LocalMatrix,
    PadicPoint,
    RationalSeries,
    constant_generator,
)
from symattn.errors import BudgetError, InputError, UndecidedError
from symattn.exact.divisibility import contrast_column_orders, lower_bound, series_column_orders
from symattn.exact.finding import Finding, proven_orders
from symattn.exact.smith import SmithForm, local_smith
from symattn.network.instance import Instance
from symattn.network.kernel import PathKernel, path_kernel
from symattn.network.path import NativeJacobian, cotangent_count, native_jacobian, output_cotangents
from symattn.progress import Report, silent

__all__ = ["SpectrumOptions", "close_from_below", "find_spectrum", "require_memory"]

L = TypeVar("L", bound=LocalMatrix)

MEMORY_LIMIT = 4 * 2**30
"""Most bytes that a search may take by its estimate; larger ones are refused before they start."""


@dataclass(frozen=True)
class SpectrumOptions:
    """How to search: nothing here changes what a result means, only what it costs.

    ``primes`` are all used, and one that does not serve is replaced by the next default. ``precision`` is the first precision
    N in powers of u; it is doubled until rank and explicit kernel add up, at most to ``max_precision``.
    ``rows`` is "all" outputs or "combined": a few random combinations of the outputs of every input (drawn from ``seed``).
    ``divisibility`` is the highest precision at which lower coefficients are checked over Q (0: never).
    """

    primes: tuple[int, ...] = DEFAULT_PRIMES[:1]
    precision: int = 12
    max_precision: int = 128
    rows: Literal["combined", "all"] = "combined"
    divisibility: int = 16
    seed: int = 20261201


def find_spectrum(
    instance: Instance,
    method: Literal["padic", "series"] = "padic",
    options: SpectrumOptions | None = None,
    report: Report = silent,
) -> Finding:
    """The contact orders of the native Jacobian on the bank, with rank and kernel (D.smith, D.kernel).

    ``method`` is "padic" (Smith form over ``Z/p^N`` at ``u = p``) or "series" (Smith form over ``Q[u]/(u^N)``: no prime, slow).
    ``report`` is told what is being done. Raises :class:`InputError` for an instance without a bank, :class:`UndecidedError`
    where no prime serves, :class:`BudgetError` for a prime too small for the precision, and for sizes beyond ``MEMORY_LIMIT``.
    """
    options = options or SpectrumOptions()
    if not instance.bank:
        raise InputError("a bank of inputs is needed to observe the network", where=f"{instance.source}: bank")
    require_memory(instance, options, options.precision)
    kernel = path_kernel(instance)
    if method == "series":
        return _series_finding(instance, kernel, options, report)
    finding = _padic_finding(instance, kernel, options, report)
    needed = max((order for order, _ in finding.orders), default=0) // 2 or 1  # t^(2v+1) divides if u^v does
    if finding.unresolved or needed > options.divisibility or not all(phi.is_rational for phi in instance.normalizers):
        return finding
    half = (needed + 1) // 2
    report(f"token contrasts over Q, to u^{half}")
    how = f"lower coefficients of token contrasts that vanish over Q (rational power series to u^{half})"
    closed = close_from_below(finding, instance, contrast_column_orders(instance, half), how, kernel)
    if closed.is_exact:
        return closed
    report(f"lower coefficients over Q, to u^{needed}")
    how = f"lower coefficients that vanish over Q (rational power series to u^{needed})"
    return close_from_below(finding, instance, series_column_orders(instance, needed), how, kernel)


def close_from_below(
    finding: Finding, instance: Instance, layer_orders: Sequence[int], how: str, kernel: PathKernel | None = None
) -> Finding:
    """The finding together with powers of t that are known to divide each layer's columns; exact where the bounds meet.

    ``how`` completes the sentence "orders are not smaller by ..".
    """
    lower = lower_bound(instance, kernel or path_kernel(instance), layer_orders, how)
    if finding.unresolved or not proven_orders(finding.exponents(), lower):
        return replace(finding, lower=lower)
    if finding.condition:
        return replace(finding, lower=lower, caveats=(f"the orders are exact provided that {finding.condition}",))
    return replace(
        finding,
        lower=lower,
        is_exact=True,
        proves=(
            "orders, rank and kernel of this instance on this bank: the orders are attained at the p-adic point and "
            f"cannot be smaller by {how}; the kernel by explicit directions",
            "for generic factors and inputs of these sizes: determinantal orders are no larger than here",
        ),
        caveats=(),
    )


def require_memory(instance: Instance, options: SpectrumOptions, precision: int, inputs: int | None = None) -> None:
    """Refuse a search at this precision whose numbers, counted roughly (Jacobian, weights, unit cotangents, kernel equations), do not fit.

    ``inputs`` is the size of a bank that is still to be drawn. Raises :class:`BudgetError`.
    """
    n, d, columns = instance.tokens, instance.width, instance.parameter_count
    m = len(instance.bank) if inputs is None else inputs
    cotangents = cotangent_count(instance, options.rows)
    numbers = 3 * m * cotangents * columns + 6 * m * instance.depth * n * n + n * d * cotangents + d * d * columns
    digits = precision * max(options.primes, default=2**64).bit_length() // 8
    if (needed := numbers * (50 + digits)) > MEMORY_LIMIT:
        raise BudgetError(
            f"a Jacobian of {m * cotangents} rows and {columns} columns at precision {precision} would take about {needed / 2**30:.0f} GB, "
            f"more than the {MEMORY_LIMIT // 2**30} GB allowed: a smaller bank, network or precision is needed"
        )


def _padic_finding(instance: Instance, kernel: PathKernel, options: SpectrumOptions, report: Report) -> Finding:
    forms: dict[int, tuple[SmithForm, int, int]] = {}
    refused: list[str] = []
    spares = [prime for prime in DEFAULT_PRIMES if prime not in options.primes]
    for prime in [*options.primes, *spares]:
        if len(forms) == len(options.primes):
            break
        try:
            forms[prime] = _escalate(instance, kernel, prime, options, report)
        except UndecidedError as error:
            refused.append(str(error))
    if not forms:
        raise UndecidedError(refused[-1] if refused else "no prime was given")
    # Every prime gives upper bounds for the determinantal orders; the best is the one of highest rank and least orders.
    best = min(forms, key=lambda prime: (-forms[prime][0].rank, forms[prime][0].exponents()))
    form, precision, rows = forms[best]
    caveats = ["no lower bound was matched: the orders are upper bounds for the determinantal orders"]
    caveats += [f"a prime was replaced: {reason}" for reason in refused]
    if rows < instance.output_count:
        caveats.append(f"{rows} random combinations of the {instance.output_count} outputs were used; they can only raise orders")
    if len({form.orders for form, _, _ in forms.values()}) > 1:
        caveats.append("the primes disagree; the smallest orders are shown")
    elif len(forms) > 1:
        caveats.append(f"{len(forms)} primes agree, which is evidence by sampling, not a proof that the orders are not smaller")
    condition = _condition(instance)
    provided = f"provided that {condition}: " if condition else ""
    proves = (
        f"{provided}the sum of the j smallest orders is an upper bound for the j-th determinantal order, here and generically",
        provided + _rank_sentence(_unresolved(form, kernel)),
    )
    return Finding(
        orders=form.orders,
        rank=form.rank,
        explicit_kernel=kernel.dimension,
        shape=(instance.output_count, instance.parameter_count),
        rows=rows,
        method="padic",
        primes=tuple(forms),
        precision=precision,
        bound=form.bound,
        is_exact=False,
        lower=None,
        proves=proves,
        caveats=tuple(caveats),
        condition=condition,
    )


def _escalate(instance: Instance, kernel: PathKernel, prime: int, options: SpectrumOptions, report: Report) -> tuple[SmithForm, int, int]:
    """The Smith form at one prime, its precision and the number of rows: precision grows until rank and kernel add up."""
    precision = min(options.precision, options.max_precision)
    while True:
        report(f"p-adic point p = {prime}, precision {precision}")
        arithmetic = PadicPoint(prime, precision)
        jacobian = native_jacobian(
            arithmetic, instance, output_cotangents(arithmetic, instance, options.rows, options.seed, kernel.columns - kernel.dimension)
        )
        form = _smith(arithmetic, jacobian, kernel, options.seed)
        if sum(form.exponents()) // 2 > prime - 2:
            # A minor is a series sum c_m u^m with c_m p-integral for m < p, and c_m p^m of valuation at least p - 1 for all others
            # (docs/p-adic-point.md): a valuation up to p - 2 comes from a coefficient that is not zero, a larger one proves nothing.
            raise UndecidedError(f"the prime {prime} is too small for orders that sum to {sum(form.exponents())}: take a larger prime")
        larger = _larger_precision(instance, options, precision) if _unresolved(form, kernel) else None
        if larger is None:
            return form, precision, jacobian.matrix.shape[0]
        precision = larger


def _larger_precision(instance: Instance, options: SpectrumOptions, precision: int) -> int | None:
    """The next precision to try, or ``None`` at the bound that the options or the memory set."""
    larger = min(2 * precision, options.max_precision)
    if larger <= precision:
        return None
    try:
        require_memory(instance, options, larger)
    except BudgetError:
        return None
    return larger


def _series_finding(instance: Instance, kernel: PathKernel, options: SpectrumOptions, report: Report) -> Finding:
    precision = min(options.precision, options.max_precision)
    while True:
        report(f"rational power series, precision {precision}")
        arithmetic = RationalSeries(precision)
        jacobian = native_jacobian(arithmetic, instance, output_cotangents(arithmetic, instance, "all", options.seed))
        form = _smith(arithmetic, jacobian, kernel, options.seed)
        larger = _larger_precision(instance, options, precision) if _unresolved(form, kernel) else None
        if larger is None:
            break
        precision = larger
    unresolved = _unresolved(form, kernel)
    return Finding(
        orders=form.orders,
        rank=form.rank,
        explicit_kernel=kernel.dimension,
        shape=(instance.output_count, instance.parameter_count),
        rows=instance.output_count,
        method="series",
        primes=(),
        precision=precision,
        bound=form.bound,
        is_exact=not unresolved,
        lower=None,
        proves=(
            f"the orders below {form.bound} are exact on this instance and bank ({instance.exactness})",
            _rank_sentence(unresolved),
        ),
    )


def _condition(instance: Instance) -> str:
    """What an upper bound depends on: several irrational constants go to p-adic numbers that need not satisfy their relations."""
    constants = {constant_generator(phi.coefficients_in_constant(2)[0])[0] for phi in instance.normalizers if not phi.is_rational}
    return f"no algebraic relation over Q ties {' and '.join(sorted(constants))} to each other" if len(constants) > 1 else ""


def _rank_sentence(unresolved: int) -> str:
    return "the rank is a lower bound" if unresolved else "rank and kernel are exact, the kernel by explicit directions"


def _smith(arithmetic: LocalArithmetic[L], jacobian: NativeJacobian[L], kernel: PathKernel, seed: int) -> SmithForm:
    """The Smith form in powers of t, from the columns that are no combinations of others by the explicit kernel.

    Combinations of rows must be killed by every kernel vector, or the evaluation itself is wrong.
    """
    rows, columns = jacobian.matrix.shape
    source = random.Random(seed)
    combinations = arithmetic.matrix([[source.randrange(1, 1 << 30) for _ in range(rows)] for _ in range(2)])
    if not kernel.annihilates(arithmetic, combinations @ jacobian.matrix, jacobian.weights):
        raise AssertionError("an explicit kernel direction is not killed by the Jacobian: the evaluation is wrong")
    kept = sorted(set(range(columns)) - set(kernel.dependent_columns))
    weights = [jacobian.weights[column] for column in kept]
    return local_smith(jacobian.matrix.take(range(rows), kept), weights, ramification=2)


def _unresolved(form: SmithForm, kernel: PathKernel) -> int:
    return kernel.columns - kernel.dimension - form.rank
