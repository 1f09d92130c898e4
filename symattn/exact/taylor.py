"""Taylor polynomials with polynomial coefficients as results: as text, LaTeX, sympy expressions and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from flint import fmpq_mpoly

from symattn.arithmetic.polynomials import polynomial_text, polynomial_to_sympy

if TYPE_CHECKING:
    import sympy

__all__ = ["Expansion", "LayerExpansion", "Row", "TaylorPolynomial", "Variable"]

Variable = Literal["t", "eps", "rho"]


@dataclass(frozen=True)
class TaylorPolynomial:
    """One entry of an expansion: ``sum_j coefficients[j] variable^j`` up to ``order``, and nothing known beyond."""

    variable: Variable
    order: int
    coefficients: dict[int, fmpq_mpoly]

    def expression(self) -> sympy.Expr:
        """The polynomial as a sympy expression, without the remainder."""
        import sympy

        variable = sympy.Symbol(self.variable)
        return sympy.Add(*(polynomial_to_sympy(p) * variable**power for power, p in sorted(self.coefficients.items())))

    def __str__(self) -> str:
        terms = [_term(polynomial_text(p), self.variable, power) for power, p in sorted(self.coefficients.items())]
        return " + ".join([*terms, f"O({self.variable}^{self.order + 1})"]).replace("+ -", "- ")

    def latex(self) -> str:
        """The polynomial in ascending powers with its remainder, for LaTeX."""
        import sympy

        name = {"t": "t", "eps": r"\varepsilon", "rho": r"\rho"}[self.variable]
        terms: list[str] = []
        for power, polynomial in sorted(self.coefficients.items()):
            coefficient = sympy.latex(polynomial_to_sympy(polynomial))
            bare = coefficient if len(polynomial) == 1 else rf"\left({coefficient}\right)"
            shown = name if power == 1 else f"{name}^{{{power}}}"
            terms.append(bare if power == 0 and len(terms) == 0 else f"{bare} {shown}" if power else bare)
        return " + ".join([*terms, rf"O\left({name}^{{{self.order + 1}}}\right)"]).replace("+ - ", "- ")

    def to_json(self) -> dict[str, str]:
        """Powers to coefficients, both as exact text."""
        return {str(power): polynomial_text(p) for power, p in sorted(self.coefficients.items())}


Row = tuple[TaylorPolynomial, ...]


@dataclass(frozen=True)
class LayerExpansion:
    """The n tokens after one layer (0: the input), their mean ``mu`` and the contrasts ``x_a - mu``; each token is a row."""

    layer: int
    tokens: tuple[Row, ...]
    mean: Row
    contrast: tuple[Row, ...]

    def to_json(self) -> dict[str, object]:
        """The rows as dictionaries from powers to exact text."""
        return {
            "layer": self.layer,
            "tokens": [[entry.to_json() for entry in row] for row in self.tokens],
            "mean": [entry.to_json() for entry in self.mean],
            "contrast": [[entry.to_json() for entry in row] for row in self.contrast],
        }


@dataclass(frozen=True)
class Expansion:
    """Tokens, mean and contrast of one input before and after every layer, exact up to ``variable^order`` for all values of the symbols.

    ``layers[i - 1]`` belongs to layer i; the last one includes the readout of an effective tuple. ``meaning`` explains symbols that the
    expansion has introduced. ``exactness`` says for which numbers it holds.
    """

    variable: Variable
    order: int
    input: LayerExpansion
    layers: tuple[LayerExpansion, ...]
    symbols: tuple[str, ...]
    meaning: dict[str, str]
    source: str
    exactness: str

    def latex(self) -> str:
        """An ``aligned`` block: the mean and the contrasts after every layer."""
        lines = []
        for layer in self.layers:
            lines += [_latex_line(rf"\mu^{{({layer.layer})}}", layer.mean)]
            lines += [_latex_line(rf"\Delta_{{{a}}}^{{({layer.layer})}}", row) for a, row in enumerate(layer.contrast, start=1)]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def to_json(self) -> dict[str, object]:
        """The document of ``symattn expand --json``."""
        return {
            "source": self.source,
            "variable": self.variable,
            "order": self.order,
            "remainder": f"O({self.variable}^{self.order + 1})",
            "symbols": list(self.symbols),
            "meaning": dict(self.meaning),
            "exactness": self.exactness,
            "input": self.input.to_json(),
            "layers": [layer.to_json() for layer in self.layers],
        }


def _term(coefficient: str, variable: str, power: int) -> str:
    if power == 0:
        return coefficient
    shown = variable if power == 1 else f"{variable}^{power}"
    return shown if coefficient == "1" else f"({coefficient}) {shown}"


def _latex_line(name: str, row: Row) -> str:
    entries = [entry.latex() for entry in row]
    if len(entries) == 1:
        return f"{name} &= {entries[0]}"
    return f"{name} &= \\begin{{pmatrix}}" + r" \\ ".join(entries) + "\\end{pmatrix}"
