"""The parser: which commands there are, with their arguments, one line of help and an example for each."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from symattn import __version__
from symattn.cli import commands as run
from symattn.cli.arguments import file_name, file_prefix, list_of, positive, prime
from symattn.cli.terminal import Answer, Progress, complain

__all__ = ["Parser", "build_parser"]


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        complain(f"{self.prog}: {message}", f" (see {self.prog} --help)")
        raise SystemExit(2)


def build_parser() -> Parser:
    """The parser of all commands; every example in it is run by the tests."""
    parser = Parser(
        prog="symattn",
        description="Exact identifiability, observability and contact spectra of deep normalized attention.",
        epilog="Exit codes: 0 verified, 1 refuted or mismatch, 2 bad usage or input, 3 undecided or budget, 4 malformed certificate.",
    )
    parser.add_argument("--version", action="version", version=f"symattn {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    def described(group: argparse._SubParsersAction[Parser], name: str, summary: str, example: str) -> Parser:
        return group.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=f"example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def add(
        name: str,
        command: Callable[[argparse.Namespace, Progress], Answer],
        summary: str,
        example: str,
        group: argparse._SubParsersAction[Parser] = commands,
    ) -> Parser:
        sub = described(group, name, summary, example)
        sub.add_argument("--json", action="store_true", help="print one JSON document")
        sub.set_defaults(command=command)
        return sub

    one = add(
        "normalizer",
        run.normalizer_command,
        "read a normalizer, decide analyticity and positivity at 0, extract k",
        'symattn normalizer "exp(s+s**2)"',
    )
    one.add_argument("expression", metavar="EXPR", help="an expression in s, or a catalog name such as softmax")

    table = add(
        "table", run.table_command, "contact orders, multiplicities and jet orders per layer", "symattn table --depth 6 --k 1,2,3 --verify"
    )
    table.add_argument("--depth", type=positive(10**6), required=True, metavar="D", help="the number of layers")
    table.add_argument(
        "--k", type=list_of(positive(10**6), 20), default=(1,), help="first nonconstant degrees, one ladder for each, for example 1,2,3"
    )
    table.add_argument("--width", type=positive(1024), default=1, metavar="d", help="token width (default 1)")
    table.add_argument("--rank", type=positive(1024), default=1, metavar="r", help="factor width (default 1)")
    table.add_argument("--tokens", type=positive(1024, least=2), default=2, metavar="n", help="tokens per input (default 2)")
    table.add_argument("--verify", action="store_true", help="add what exact computation finds, as deep as the budget goes")
    table.add_argument(
        "--budget", type=positive(10**5), default=20, metavar="SECONDS", help="rough time for each k with --verify (default 20)"
    )
    table.add_argument("--format", choices=("text", "markdown", "latex", "csv", "json"), default="text")

    spectrum = add(
        "spectrum",
        run.spectrum_command,
        "exact contact spectrum of an instance: orders, rank and kernel, compared with the theory",
        "symattn spectrum examples/matrix_spectrum_fixture.json",
    )
    spectrum.add_argument("file", metavar="FILE", help="instance file (JSON)")
    spectrum.add_argument("--method", choices=("padic", "series", "leading"), default="padic", help="number system (default padic)")
    spectrum.add_argument("--primes", type=list_of(prime, 6), help="primes to use, for example 2147483647,2147483629")
    spectrum.add_argument("--precision", type=positive(100000), metavar="N", help="first precision, in powers of u = t^2")
    spectrum.add_argument("--all-rows", action="store_true", help="use every output, not random combinations of them")

    expand = add(
        "expand",
        run.expand_command,
        "exact Taylor expansion, layer by layer, of tokens, mean and contrast; symbolic where the file has symbols",
        "symattn expand examples/scalar_symbolic.json --order 6",
    )
    expand.add_argument("file", metavar="FILE", help="instance or tuple file (JSON); entries may be polynomials in symbols")
    expand.add_argument("--order", type=positive(10_000), required=True, metavar="N", help="all terms up to this power")
    expand.add_argument(
        "--in",
        dest="variable",
        choices=("t", "eps", "rho"),
        default="t",
        help="variable: the collapse path t, the contrast eps about a fixed mean, or the input scale rho (default t)",
    )
    expand.add_argument("--input", type=positive(10**6), default=1, metavar="J", help="which input of the bank (default 1)")
    expand.add_argument("--latex", action="store_true", help="print an aligned block for LaTeX")

    jet = add(
        "jet",
        run.jet_command,
        "the input jet of a tuple, exactly, and the rank of its derivative",
        "symattn jet examples/tuple_effective.json --order 5",
    )
    jet.add_argument("file", metavar="FILE", help="tuple file (JSON)")
    jet.add_argument("--order", type=positive(100_000), required=True, metavar="N", help="degree of the Taylor polynomial")
    jet.add_argument("--out", type=file_name, metavar="J", help="write the jet to this file, for symattn recover")
    jet.add_argument(
        "--rank",
        choices=("exact", "points", "none"),
        default="exact",
        help="exact rank, a proven lower bound from inputs modulo a prime, or none (default exact)",
    )

    recover = add("recover", run.recover_command, "effective parameters back from a jet, layer by layer", "symattn recover jet.json")
    recover.add_argument("file", metavar="JET", help="jet file (JSON), as symattn jet --out writes it")

    fiber = add("fiber", run.fiber_command, "all tuples that give the same network", "symattn fiber examples/tuple_effective.json")
    fiber.add_argument("file", metavar="FILE", help="tuple file (JSON)")
    fiber.add_argument("--latex", action="store_true", help="print the fiber as a product of sets for LaTeX")

    equal = add(
        "equal",
        run.equal_command,
        "decide whether two tuples realize the same function",
        "symattn equal examples/tuple_effective.json examples/tuple_native.json",
    )
    equal.add_argument("first", metavar="A", help="tuple file (JSON)")
    equal.add_argument("second", metavar="B", help="tuple file (JSON)")
    equal.add_argument(
        "--max-degree", type=positive(10_000), metavar="N", help="compare Taylor coefficients up to this degree (default: some seconds)"
    )

    enclose = add(
        "enclose",
        run.enclose_command,
        "proven enclosures of all positive singular values at a scale t, in bands of the exact contact orders",
        "symattn enclose examples/scalar_depth_four_separating.json --t 0.02 --digits 20",
    )
    enclose.add_argument("file", metavar="FILE", help="instance file (JSON)")
    enclose.add_argument("--t", required=True, metavar="T", help='the scale, exactly: "0.06", "3/50" or a C99 hex string')
    enclose.add_argument("--digits", type=positive(1000), metavar="P", help="relative digits of every value (default 15)")
    enclose.add_argument("--cutoff", metavar="C", help="relative cutoff of the numerical rank (default 1e-10)")
    enclose.add_argument(
        "--constants", action="store_true", help="instead: constants c, C of c |t|^beta <= sigma <= C |t|^beta for all t with 0 < |t| <= T"
    )

    for writing in (spectrum, jet, equal, enclose):
        writing.add_argument("--certificate", type=file_name, metavar="OUT", help="write a certificate that symattn check re-checks")

    checking = add(
        "check",
        run.check_command,
        "re-check certificates with the independent checker",
        "symattn check examples/contact_orders.certificate.json",
    )
    checking.add_argument("files", metavar="FILE", nargs="+", help="certificate files, as --certificate writes them")
    checking.add_argument(
        "--matches",
        type=file_name,
        nargs="+",
        default=[],
        metavar="INSTANCE",
        help="also require that they are about this instance file, or this tuple file, or these two tuple files",
    )
    checking.add_argument("--seconds", type=positive(10**6), default=600, metavar="S", help="time bound for each file (default 600)")

    plot = described(
        commands,
        "plot",
        "plots as PNG and SVG, with captions (needs the extra plot: matplotlib)",
        "symattn plot ladder --depth 6 --k 1,2,3 --out ladder",
    )
    plots = plot.add_subparsers(title="plots", metavar="PLOT", required=True, parser_class=Parser)
    values = add(
        "spectrum",
        run.plot_spectrum_command,
        "all positive singular values against the scale t, by contact order",
        "symattn plot spectrum examples/scalar_depth_four_separating.json --t 0.08,0.04,0.02 --out spectrum",
        plots,
    )
    values.add_argument("file", metavar="FILE", help="instance file (JSON)")
    values.add_argument("--t", required=True, metavar="T[,T..]", help='the scales, exactly: "0.06", "3/50" or C99 hex strings')
    values.add_argument("--cutoff", default="1e-10", metavar="C", help="relative cutoff of the numerical rank (default 1e-10)")
    noise = add(
        "noise",
        run.plot_noise_command,
        "the error of one recovered weight against the noise level (N3 of symattn reproduce)",
        "symattn plot noise --out noise",
        plots,
    )
    ladder = add(
        "ladder",
        run.plot_ladder_command,
        "the contact orders of each layer, as the theorem gives them",
        "symattn plot ladder --depth 6 --k 1,2,3 --out ladder",
        plots,
    )
    ladder.add_argument("--depth", type=positive(10**6), required=True, metavar="D", help="the number of layers")
    ladder.add_argument("--k", type=list_of(positive(10**6), 20), default=(1,), help="first nonconstant degrees, for example 1,2,3")
    for kind in (values, noise, ladder):
        kind.add_argument("--out", type=file_prefix, required=True, metavar="PREFIX", help="write PREFIX.png and PREFIX.svg")

    published = add(
        "reproduce",
        run.reproduce_command,
        "the published numerical evidence, each figure beside an exact or enclosed one",
        "symattn reproduce N1 N3",
    )
    published.add_argument("ids", metavar="ID", nargs="*", help="N1, N2, N3, N4; all of them if none is named")

    verify = add(
        "verify",
        run.verify_command,
        "check the statements of the theory by computation: the main job",
        "symattn verify T4 D.kernel --quick",
    )
    verify.add_argument("ids", metavar="ID", nargs="*", help="statement ids; all of them if none is named")
    verify.add_argument(
        "--certificates", type=file_name, metavar="DIR", help="also write certificates of instances of the statements, for symattn check"
    )
    effort = verify.add_mutually_exclusive_group()
    effort.add_argument("--quick", action="store_true", help="fewer cases, some seconds")
    effort.add_argument("--full", action="store_true", help="all cases, many minutes")
    return parser
