"""The command line: each subcommand parses, calls one public function, and prints its result.

Results go to stdout, progress to stderr (only on a terminal, only after two seconds), errors to stderr in one line.
Exit codes are those of :mod:`symattn.errors`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NoReturn

from symattn import __version__
from symattn.errors import InputError, SymattnError

__all__ = ["main"]

VERDICT_CODES = {"confirmed": 0, "refuted": 1, "undecided": 3}

_LONGEST = 1000
"""Most characters of a message: hostile input can be long."""

_MOST_ROWS = 10_000
"""Most rows of a table: in the deepest ones every row has three numbers of thousands of digits."""

_MOST_SCALES = 50
"""Most scales of a plot: each is a computation of seconds or more."""


@dataclass(frozen=True)
class Answer:
    """What a command has to say: a JSON document, the same as text, and the exit code."""

    document: dict[str, object]
    text: str
    code: int = 0


class Progress:
    """One changing line on a terminal's stderr, from two seconds on; nothing anywhere else."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = False

    def __call__(self, message: str) -> None:
        seconds = time.monotonic() - self._start
        if seconds > 2 and sys.stderr is not None and sys.stderr.isatty():
            line = _one_line(f"{seconds:.0f} s  {message}")[: shutil.get_terminal_size().columns - 1]
            _tell(f"\r\033[K{line}")
            self._shown = True

    def close(self) -> None:
        """Clear the line, if there is one."""
        if self._shown:
            _tell("\r\033[K")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        _complain(f"{self.prog}: {message}", f" (see {self.prog} --help)")
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; 130 after an interrupt, 141 where the reader of the output is gone.

    A fault of symattn itself is one line too, with exit code 3; with ``SYMATTN_TRACEBACK=1`` in the environment it is raised.

    >>> main(["normalizer", "exp(s**2)", "--json"])  # doctest: +ELLIPSIS
    {..."k": 2, ...}
    0
    """
    progress = Progress()
    # Exact results can have more digits than Python turns into text by default; the limits of the input bound the work.
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return _run(arguments, progress)
    except SymattnError as error:
        progress.close()
        _complain(f"symattn: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        progress.close()
        _complain("symattn: interrupted")
        return 130
    except Exception as fault:
        progress.close()
        if os.environ.get("SYMATTN_TRACEBACK") == "1":
            raise
        _complain(f"symattn: fault in symattn itself: {type(fault).__name__}: {fault}", " (SYMATTN_TRACEBACK=1 shows where)")
        return SymattnError.exit_code
    finally:
        sys.set_int_max_str_digits(digits)


def _run(arguments: Sequence[str] | None, progress: Progress) -> int:
    try:
        options = _parser().parse_args(_expression_last(list(sys.argv[1:] if arguments is None else arguments)))
    except SystemExit as stop:  # after --help, --version, or a complaint
        return _written("", int(stop.code or 0))
    answer: Answer = options.command(options, progress)
    progress.close()
    return _written((json.dumps(answer.document) if options.json else answer.text) + "\n", answer.code)


def _expression_last(arguments: list[str]) -> list[str]:
    """The arguments, with an expression such as ``-exp(s)`` after ``--``, where it is not taken for an option."""
    if arguments[:1] != ["normalizer"] or "--" in arguments:
        return arguments
    negative = [text for text in arguments if text.startswith("-") and not text.startswith("--") and text != "-h"]
    return [*(text for text in arguments if text not in negative), "--", *negative] if negative else arguments


def _written(text: str, code: int) -> int:
    """Write the text to stdout in whatever encoding it has, and return the exit code, or that of a failure to write."""
    if sys.stdout is None:  # closed by the shell
        return code
    try:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        # Keep the interpreter from trying, and complaining, again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 141
        _complain(f"symattn: the result cannot be written: {error.strerror}")
        return SymattnError.exit_code
    return code


def _complain(problem: str, advice: str = "") -> None:
    """One line on stderr, without control characters, and not longer than a person reads."""
    line = _one_line(problem)
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]} .. {line[-_LONGEST // 2 :]}"
    _tell(f"{line}{advice}\n")


def _tell(text: str) -> None:
    """Write to stderr; where that is impossible there is nobody to tell, and the exit code has to do."""
    if sys.stderr is None:  # closed by the shell
        return
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _one_line(text: str) -> str:
    from symattn.reports.escaping import one_line

    return " ".join(one_line(text).split())


def _normalizer(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.normalizers import normalizer
    from symattn.reports.texts import normalizer_text

    found = normalizer(options.expression)
    document = found.as_dict()
    return Answer(document, normalizer_text(document))


def _table(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.reports import contact_report_table, render
    from symattn.reports.texts import labelled
    from symattn.verification import verify_contact_table

    _require_rows(options)
    report = verify_contact_table(
        options.k,
        options.depth,
        width=options.width,
        rank=options.rank,
        tokens=options.tokens,
        verify=options.verify,
        budget=options.budget,
        report=progress,
    )
    text = render(contact_report_table(report), options.format)
    if options.format == "text" and report.found is not None:
        verdict = f"{report.verdict}, for the {report.computed} of {report.total} rows that were computed"
        text += "\n\n" + labelled([("verdict", verdict), *(("because", reason) for reason in report.reasons)])
    return Answer(report.to_json(), text, VERDICT_CODES[report.verdict] if options.verify else 0)


def _spectrum(options: argparse.Namespace, progress: Progress) -> Answer:
    from dataclasses import replace

    from symattn.exact.spectrum import SpectrumOptions
    from symattn.network.files import read_instance
    from symattn.reports.texts import spectrum_text
    from symattn.verification import verify_spectrum

    instance = read_instance(options.file)
    search = None
    if options.primes or options.precision or options.all_rows:
        search = SpectrumOptions(max_precision=max(128, options.precision or 0))
        search = replace(
            search,
            primes=options.primes or search.primes,
            precision=options.precision or search.precision,
            rows="all" if options.all_rows else search.rows,
        )
    report = verify_spectrum(instance, options.method, search, progress)
    return Answer(report.to_json(), spectrum_text(report), VERDICT_CODES[report.verdict])


def _expand(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.exact.expansion import expand
    from symattn.network.symbolic_files import read_symbolic
    from symattn.reports.jets import expansion_text

    expansion = expand(read_symbolic(options.file), options.order, options.variable, number=options.input)
    return Answer(expansion.to_json(), expansion.latex() if options.latex else expansion_text(expansion))


def _jet(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.documents import check_output
    from symattn.network.files import read_tuple
    from symattn.network.jet_files import coefficients_to_json, write_jet
    from symattn.reports.jets import jet_text
    from symattn.verification.jets import verify_jet

    network = read_tuple(options.file)
    if options.out is not None:
        check_output(options.out, options.file)
    report = verify_jet(network, options.order, options.rank)
    if options.out is not None:
        write_jet(report.jet, options.out)
    document = report.to_json() | {"coefficients": coefficients_to_json(report.jet)}
    # A tuple to which no theorem applies has a jet all the same, so only a refutation is a failure.
    return Answer(document, jet_text(report), 1 if report.comparison.verdict == "refuted" else 0)


def _recover(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.jet_files import read_jet
    from symattn.reports.jets import recovery_text
    from symattn.verification.jets import verify_recovery

    report = verify_recovery(read_jet(options.file))
    return Answer(report.to_json(), recovery_text(report), 3 if report.recovery.unresolved else 0)


def _fiber(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_tuple
    from symattn.reports.fibers import fiber_text
    from symattn.verification.fibers import find_fiber

    report = find_fiber(read_tuple(options.file), progress)
    code = 3 if report.fiber.kind == "open" else 0
    return Answer(report.to_json(), report.fiber.to_latex() if options.latex else fiber_text(report), code)


def _equal(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_tuple
    from symattn.reports.fibers import equality_text
    from symattn.verification.equality import decide_equality

    result = decide_equality(read_tuple(options.first), read_tuple(options.second), options.max_degree, progress)
    return Answer(result.to_json(), equality_text(result), {True: 0, False: 1, None: 3}[result.equal])


def _enclose(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_instance
    from symattn.reports.enclosures import enclosure_text
    from symattn.verification.enclosures import enclose_spectrum

    t, cutoff = _exact_argument(options.t, "--t"), _cutoff_argument(options.cutoff)
    report = enclose_spectrum(read_instance(options.file), t, options.digits, cutoff, progress)
    return Answer(report.to_json(), enclosure_text(report), 3 if report.rank_at_cutoff is None else 0)


def _reproduce(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.reports.published import published_text
    from symattn.verification.published import reproduce

    items = reproduce(options.ids, progress)
    worst = max((VERDICT_CODES[item.verdict] for item in items), key=(0, 3, 1).index)
    return Answer({"items": [item.to_json() for item in items]}, published_text(items), worst)


def _plot_spectrum(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_instance
    from symattn.reports.canvas import check_plot
    from symattn.reports.plots import plot_spectrum
    from symattn.reports.texts import plot_text
    from symattn.verification.scales import enclose_at_scales

    cutoff = _cutoff_argument(options.cutoff)
    texts = options.t.split(",", _MOST_SCALES)
    if len(texts) > _MOST_SCALES:
        raise InputError(f"at most {_MOST_SCALES} scales were expected", where="--t")
    scales = [_exact_argument(text, "--t") for text in texts]
    instance = read_instance(options.file)
    check_plot(options.out, options.file)
    plot = plot_spectrum(enclose_at_scales(instance, scales, cutoff=cutoff, report=progress), options.out)
    return Answer(plot.to_json(), plot_text(plot))


def _plot_noise(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.reports.canvas import check_plot
    from symattn.reports.plots import plot_noise
    from symattn.reports.texts import plot_text
    from symattn.verification.published.recovery_noise import noise_curve

    check_plot(options.out)
    plot = plot_noise(noise_curve(progress), options.out)
    return Answer(plot.to_json(), plot_text(plot))


def _plot_ladder(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.reports.canvas import check_plot
    from symattn.reports.plots import plot_ladder
    from symattn.reports.texts import plot_text
    from symattn.theory.orders import common_order_ladder

    _require_rows(options)
    check_plot(options.out)
    plot = plot_ladder([common_order_ladder(k, options.depth, width=1, rank=1) for k in options.k], options.out)
    return Answer(plot.to_json(), plot_text(plot))


def _require_rows(options: argparse.Namespace) -> None:
    rows = len(options.k) * options.depth
    if rows > _MOST_ROWS:
        raise InputError(f"a table of at most {_MOST_ROWS} rows was expected, not one of {rows}", where="--depth")


def _cutoff_argument(text: str) -> Fraction:
    cutoff = _exact_argument(text, "--cutoff")
    if not 0 < cutoff < 1:
        raise InputError("a number between 0 and 1 was expected", where="--cutoff")
    return cutoff


def _exact_argument(text: str, where: str) -> Fraction:
    from symattn.network.numbers import exact_number

    try:
        return exact_number(text)
    except InputError as error:
        raise InputError(error.problem, where=where) from None


def _verify(options: argparse.Namespace, progress: Progress) -> Answer:
    import proofs_checks
    from symattn.reports.texts import verification_text

    effort: Literal["quick", "default", "full"] = "quick" if options.quick else "full" if options.full else "default"
    results = [result.to_json() for result in proofs_checks.run(options.ids, effort, progress)]
    counts = {verdict: sum(result["verdict"] == verdict for result in results) for verdict in VERDICT_CODES}
    sampled = sum(result["verdict"] == "confirmed" and result["evidence"] == "sampled" for result in results)
    worst = next((verdict for verdict in ("refuted", "undecided") if counts[verdict]), "confirmed")
    document: dict[str, object] = {"statements": results, "summary": {**counts, "sampled": sampled, "effort": effort, "verdict": worst}}
    return Answer(document, verification_text(document), VERDICT_CODES[worst])


def _list_of(kind: Callable[[str], int], most: int) -> Callable[[str], tuple[int, ...]]:
    def parse(text: str) -> tuple[int, ...]:
        items = text.split(",", most)
        if len(items) > most:
            raise argparse.ArgumentTypeError(f"at most {most} integers were expected")
        return tuple(kind(item) for item in items)

    return parse


def _positive(most: int, least: int = 1) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 30 or not least <= int(text) <= most:
            shown = text if len(text) <= 40 else text[:37] + "..."
            raise argparse.ArgumentTypeError(f"an integer from {least} to {most} was expected, not {shown!r}")
        return int(text)

    return parse


def _file_name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a file name was expected, not an empty text")
    return text


def _file_prefix(text: str) -> str:
    if not os.path.basename(text):
        raise argparse.ArgumentTypeError("the beginning of a file name was expected, after a directory if there is one")
    return text


def _prime(text: str) -> int:
    from sympy import isprime

    value = _positive(2**63 - 1)(text)
    if not isprime(value):
        raise argparse.ArgumentTypeError(f"a prime was expected, not {value}")
    return value


def _parser() -> Parser:
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
        _normalizer,
        "read a normalizer, decide analyticity and positivity at 0, extract k",
        'symattn normalizer "exp(s+s**2)"',
    )
    one.add_argument("expression", metavar="EXPR", help="an expression in s, or a catalog name such as softmax")

    table = add("table", _table, "contact orders, multiplicities and jet orders per layer", "symattn table --depth 6 --k 1,2,3 --verify")
    table.add_argument("--depth", type=_positive(10**6), required=True, metavar="D", help="the number of layers")
    table.add_argument("--k", type=_list_of(_positive(10**6), 20), default=(1,), help="first nonconstant degrees, for example 1,2,3")
    table.add_argument("--width", type=_positive(1024), default=1, metavar="d", help="token width (default 1)")
    table.add_argument("--rank", type=_positive(1024), default=1, metavar="r", help="factor width (default 1)")
    table.add_argument("--tokens", type=_positive(1024, least=2), default=2, metavar="n", help="tokens per input (default 2)")
    table.add_argument("--verify", action="store_true", help="add what exact computation finds, as deep as the budget goes")
    table.add_argument(
        "--budget", type=_positive(10**5), default=20, metavar="SECONDS", help="rough time for each k with --verify (default 20)"
    )
    table.add_argument("--format", choices=("text", "markdown", "latex", "csv", "json"), default="text")

    spectrum = add(
        "spectrum",
        _spectrum,
        "exact contact spectrum of an instance: orders, rank and kernel, compared with the theory",
        "symattn spectrum examples/matrix_spectrum_fixture.json",
    )
    spectrum.add_argument("file", metavar="FILE", help="instance file (JSON)")
    spectrum.add_argument("--method", choices=("padic", "series", "leading"), default="padic", help="number system (default padic)")
    spectrum.add_argument("--primes", type=_list_of(_prime, 6), help="primes to use, for example 2147483647,2147483629")
    spectrum.add_argument("--precision", type=_positive(100000), metavar="N", help="first precision, in powers of u = t^2")
    spectrum.add_argument("--all-rows", action="store_true", help="use every output, not random combinations of them")

    expand = add(
        "expand",
        _expand,
        "exact Taylor expansion, layer by layer, of tokens, mean and contrast; symbolic where the file has symbols",
        "symattn expand examples/scalar_symbolic.json --order 6",
    )
    expand.add_argument("file", metavar="FILE", help="instance or tuple file (JSON); entries may be polynomials in symbols")
    expand.add_argument("--order", type=_positive(10_000), required=True, metavar="N", help="all terms up to this power")
    expand.add_argument(
        "--in",
        dest="variable",
        choices=("t", "eps", "rho"),
        default="t",
        help="variable: the collapse path t, the contrast eps about a fixed mean, or the input scale rho (default t)",
    )
    expand.add_argument("--input", type=_positive(10**6), default=1, metavar="J", help="which input of the bank (default 1)")
    expand.add_argument("--latex", action="store_true", help="print an aligned block for LaTeX")

    jet = add(
        "jet",
        _jet,
        "the input jet of a tuple, exactly, and the rank of its derivative",
        "symattn jet examples/tuple_effective.json --order 5",
    )
    jet.add_argument("file", metavar="FILE", help="tuple file (JSON)")
    jet.add_argument("--order", type=_positive(100_000), required=True, metavar="N", help="degree of the Taylor polynomial")
    jet.add_argument("--out", type=_file_name, metavar="J", help="write the jet to this file, for symattn recover")
    jet.add_argument(
        "--rank",
        choices=("exact", "points", "none"),
        default="exact",
        help="exact rank, a proven lower bound from inputs modulo a prime, or none (default exact)",
    )

    recover = add("recover", _recover, "effective parameters back from a jet, layer by layer", "symattn recover jet.json")
    recover.add_argument("file", metavar="JET", help="jet file (JSON), as symattn jet --out writes it")

    fiber = add("fiber", _fiber, "all tuples that give the same network", "symattn fiber examples/tuple_effective.json")
    fiber.add_argument("file", metavar="FILE", help="tuple file (JSON)")
    fiber.add_argument("--latex", action="store_true", help="print the fiber as a product of sets for LaTeX")

    equal = add(
        "equal",
        _equal,
        "decide whether two tuples realize the same function",
        "symattn equal examples/tuple_effective.json examples/tuple_native.json",
    )
    equal.add_argument("first", metavar="A", help="tuple file (JSON)")
    equal.add_argument("second", metavar="B", help="tuple file (JSON)")
    equal.add_argument(
        "--max-degree", type=_positive(10_000), metavar="N", help="compare Taylor coefficients up to this degree (default: some seconds)"
    )

    enclose = add(
        "enclose",
        _enclose,
        "proven enclosures of all positive singular values at a scale t, in bands of the exact contact orders",
        "symattn enclose examples/scalar_depth_four_separating.json --t 0.02 --digits 20",
    )
    enclose.add_argument("file", metavar="FILE", help="instance file (JSON)")
    enclose.add_argument("--t", required=True, metavar="T", help='the scale, exactly: "0.06", "3/50" or a C99 hex string')
    enclose.add_argument("--digits", type=_positive(1000), default=15, metavar="P", help="relative digits of every value (default 15)")
    enclose.add_argument("--cutoff", default="1e-10", metavar="C", help="relative cutoff of the numerical rank (default 1e-10)")

    plot = described(
        commands,
        "plot",
        "plots as PNG and SVG, with captions (needs the extra plot: matplotlib)",
        "symattn plot ladder --depth 6 --k 1,2,3 --out ladder",
    )
    plots = plot.add_subparsers(title="plots", metavar="PLOT", required=True, parser_class=Parser)
    values = add(
        "spectrum",
        _plot_spectrum,
        "all positive singular values against the scale t, by contact order",
        "symattn plot spectrum examples/scalar_depth_four_separating.json --t 0.08,0.04,0.02 --out spectrum",
        plots,
    )
    values.add_argument("file", metavar="FILE", help="instance file (JSON)")
    values.add_argument("--t", required=True, metavar="T[,T..]", help='the scales, exactly: "0.06", "3/50" or C99 hex strings')
    values.add_argument("--cutoff", default="1e-10", metavar="C", help="relative cutoff of the numerical rank (default 1e-10)")
    noise = add(
        "noise",
        _plot_noise,
        "the error of one recovered weight against the noise level (N3 of symattn reproduce)",
        "symattn plot noise --out noise",
        plots,
    )
    ladder = add(
        "ladder",
        _plot_ladder,
        "the contact orders of each layer, as the theorem gives them",
        "symattn plot ladder --depth 6 --k 1,2,3 --out ladder",
        plots,
    )
    ladder.add_argument("--depth", type=_positive(10**6), required=True, metavar="D", help="the number of layers")
    ladder.add_argument("--k", type=_list_of(_positive(10**6), 20), default=(1,), help="first nonconstant degrees, for example 1,2,3")
    for kind in (values, noise, ladder):
        kind.add_argument("--out", type=_file_prefix, required=True, metavar="PREFIX", help="write PREFIX.png and PREFIX.svg")

    published = add(
        "reproduce",
        _reproduce,
        "the published numerical evidence, each figure beside an exact or enclosed one",
        "symattn reproduce N1 N3",
    )
    published.add_argument("ids", metavar="ID", nargs="*", help="N1, N2, N3, N4; all of them if none is named")

    verify = add("verify", _verify, "check the statements of the theory by computation: the main job", "symattn verify T4 D.kernel --quick")
    verify.add_argument("ids", metavar="ID", nargs="*", help="statement ids; all of them if none is named")
    effort = verify.add_mutually_exclusive_group()
    effort.add_argument("--quick", action="store_true", help="fewer cases, some seconds")
    effort.add_argument("--full", action="store_true", help="all cases, many minutes")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
