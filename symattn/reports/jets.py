"""Expansions, jets and recovered tuples as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symattn.exact.jets import JetDifferential
from symattn.exact.taylor import Expansion, LayerExpansion, Row
from symattn.network.jets import Jet, monomial_text
from symattn.network.rational import RationalMatrix
from symattn.reports.texts import labelled
from symattn.verification.jets import JetReport, RecoveryReport

__all__ = ["expansion_text", "jet_text", "recovery_text"]

_SHOWN_MONOMIALS = 12

_VARIABLES = {
    "t": "Q = t U, K = t W (of a tuple: M -> t^2 M; L acts behind the last layer) at fixed inputs",
    "eps": "inputs m + eps z_a around a fixed mean m",
    "rho": "inputs rho X at fixed scores",
}


def expansion_text(expansion: Expansion) -> str:
    """Mean, contrasts and tokens before and after every layer, one coordinate a line, and what the symbols mean."""
    parts = [f"Exact expansion in {expansion.variable}: {_VARIABLES[expansion.variable]}; for all values of the symbols"]
    parts += [_layer_text(layer) for layer in (expansion.input, *expansion.layers)]
    lines = [("symbols", ", ".join(expansion.symbols) or "none"), *expansion.meaning.items(), ("numbers", expansion.exactness)]
    return "\n\n".join([*parts, labelled(lines)])


def jet_text(report: JetReport) -> str:
    """The size of a jet and its first monomials, its rank, and the orders of Theorem 3 beside those found."""
    jet, found, prediction = report.jet, report.differential, report.prediction
    lines = [("jet", f"order {jet.order}, {len(jet.coefficients)} monomials; output of token 1, {jet.outputs} coordinates")]
    lines += [("coefficients", line) for line in _monomials(jet)]
    if found is None:
        lines.append(("rank", "not computed"))
    else:
        rank = found.ranks[max(found.ranks)]
        qualified = f"{rank}" if isinstance(found, JetDifferential) else f"at least {rank} (inputs modulo {found.prime})"
        lines.append(("rank", f"{qualified} of {found.parameters} parameters: of the derivative of the jet in L and the scores"))
        lines.append(("rank by order", ", ".join(f"{order}: {value}" for order, value in found.ranks.items())))
        lines.append(("immersion", {True: "yes", False: "no", None: "not seen"}[found.is_immersion]))
    if isinstance(found, JetDifferential):
        seen = ", ".join(f"{name}: {degree if degree is not None else 'not yet'}" for name, degree in found.first_degrees.items())
        lines.append(("first degrees", seen))
        lines.append(("least immersion order", str(found.least_immersion_order or f"above {found.order}")))
        lines.append(("kernel", f"{len(found.kernel)} directions"))
    lines.append(
        (
            "predicted",
            f"first degrees N_i = {', '.join(map(str, prediction.first_degrees))}; immersion at N_D = {prediction.immersion_order}",
        )
    )
    fiber = prediction.fiber_order if prediction.fiber_order is not None else "undecided (the parity of a normalizer is)"
    lines.append(("predicted", f"complete fiber, signs included, at N_sign = {fiber}"))
    lines.append(("verdict", report.comparison.verdict))
    lines += [("because", reason) for reason in report.comparison.reasons]
    return labelled([*lines, ("numbers", report.exactness)])


def recovery_text(report: RecoveryReport) -> str:
    """The recovered matrices, the signs that are free or open, and what they were checked against."""
    found = report.recovery
    lines = [("L", _matrix(found.parameters.L))]
    for number, score in enumerate(found.parameters.M, start=1):
        lines.append((f"M_{number}", _matrix(score)))
    if found.signs:
        lines.append(("free signs", f"layers {', '.join(map(str, found.signs))}: the normalizer is even, -M gives the same network"))
    lines += [(f"sign of layer {layer}", f"open: a jet of degree {degree} decides it") for layer, degree in found.unresolved.items()]
    lines.append(("degree used", str(found.degree_used)))
    return labelled([*lines, ("checked", found.checked)])


def _layer_text(layer: LayerExpansion) -> str:
    lines = [f"input, {len(layer.tokens)} tokens" if layer.layer == 0 else f"after layer {layer.layer}"]
    lines += _rows("mean", [layer.mean])
    lines += _rows("contrast", layer.contrast)
    return "\n".join([*lines, *_rows("token", layer.tokens)])


def _rows(name: str, rows: Sequence[Row]) -> list[str]:
    lines = []
    for a, row in enumerate(rows, start=1):
        for j, entry in enumerate(row, start=1):
            label = name if name == "mean" else f"{name} {a}"
            lines.append(f"  {label}{f' [{j}]' if len(row) > 1 else ''}: {entry}")
    return lines


def _monomials(jet: Jet) -> list[str]:
    ordered = sorted(jet.coefficients.items(), key=lambda item: (sum(item[0]), [-e for e in item[0]]))
    lines = [f"{monomial_text(e, jet.tokens, jet.width)}: {', '.join(map(str, values))}" for e, values in ordered[:_SHOWN_MONOMIALS]]
    return [*lines, *([f".. and {len(ordered) - _SHOWN_MONOMIALS} more (--json or --out)"] if len(ordered) > _SHOWN_MONOMIALS else [])]


def _matrix(matrix: RationalMatrix) -> str:
    return f"[{', '.join(_vector(row) for row in matrix)}]"


def _vector(row: Sequence[Fraction]) -> str:
    return f"[{', '.join(map(str, row))}]"
