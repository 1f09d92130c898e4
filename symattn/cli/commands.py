"""The commands: each reads its input, calls one public function, and says what came of it.

Imports stand inside, so that each command loads only what it needs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from symattn.cli.arguments import cutoff_argument, exact_argument
from symattn.cli.terminal import Answer, Progress
from symattn.errors import InputError, UndecidedError

__all__ = [
    "check_command",
    "enclose_command",
    "equal_command",
    "expand_command",
    "fiber_command",
    "jet_command",
    "normalizer_command",
    "plot_ladder_command",
    "plot_noise_command",
    "plot_spectrum_command",
    "recover_command",
    "reproduce_command",
    "spectrum_command",
    "table_command",
    "verify_command",
]

VERDICT_CODES = {"confirmed": 0, "refuted": 1, "undecided": 3}

_MOST_ROWS = 10_000
"""Most rows of a table: in the deepest ones every row has three numbers of thousands of digits."""

_MOST_SCALES = 50
"""Most scales of a plot: each is a computation of seconds or more."""


def normalizer_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.normalizers import normalizer
    from symattn.reports.texts import normalizer_text

    found = normalizer(options.expression)
    document = found.as_dict()
    return Answer(document, normalizer_text(document))


def table_command(options: argparse.Namespace, progress: Progress) -> Answer:
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


def spectrum_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from dataclasses import replace

    from symattn.exact.spectrum import SpectrumOptions
    from symattn.network.files import read_instance
    from symattn.reports.texts import spectrum_text
    from symattn.verification import verify_spectrum
    from symattn.verification.spectrum import with_generic_bank

    instance = with_generic_bank(read_instance(options.file))
    _check_certificate(options, options.file)
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
    answer = Answer(report.to_json(), spectrum_text(report), VERDICT_CODES[report.verdict])

    def certificate() -> bytes:
        from symattn.certificates.paths import spectrum_certificate

        return spectrum_certificate(instance, report.finding)

    return _certified(answer, certificate, options, progress)


def expand_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.exact.expansion import expand
    from symattn.network.symbolic_files import read_symbolic
    from symattn.reports.jets import expansion_text

    expansion = expand(read_symbolic(options.file), options.order, options.variable, number=options.input)
    return Answer(expansion.to_json(), expansion.latex() if options.latex else expansion_text(expansion))


def jet_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.documents import check_output
    from symattn.network.files import read_tuple
    from symattn.network.jet_files import coefficients_to_json, write_jet
    from symattn.reports.jets import jet_text
    from symattn.verification.jets import verify_jet

    network = read_tuple(options.file)
    if options.out is not None:
        check_output(options.out, options.file)
    _check_certificate(options, options.file)
    report = verify_jet(network, options.order, options.rank)
    if options.out is not None:
        write_jet(report.jet, options.out)
    document = report.to_json() | {"coefficients": coefficients_to_json(report.jet)}
    # A tuple to which no theorem applies has a jet all the same, so only a refutation is a failure.
    answer = Answer(document, jet_text(report), 1 if report.comparison.verdict == "refuted" else 0)

    def certificate() -> bytes:
        from symattn.certificates.tuples import jet_certificate
        from symattn.exact.jets import JetDifferential

        found = report.differential
        return jet_certificate(network, options.order, found if isinstance(found, JetDifferential) else None)

    return _certified(answer, certificate, options, progress)


def recover_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.jet_files import read_jet
    from symattn.reports.jets import recovery_text
    from symattn.verification.jets import verify_recovery

    report = verify_recovery(read_jet(options.file))
    return Answer(report.to_json(), recovery_text(report), 3 if report.recovery.unresolved else 0)


def fiber_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_tuple
    from symattn.reports.fibers import fiber_text
    from symattn.verification.fibers import find_fiber

    report = find_fiber(read_tuple(options.file), progress)
    code = 3 if report.fiber.kind == "open" else 0
    return Answer(report.to_json(), report.fiber.to_latex() if options.latex else fiber_text(report), code)


def equal_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_tuple
    from symattn.reports.fibers import equality_text
    from symattn.verification.equality import decide_equality

    first, second = read_tuple(options.first), read_tuple(options.second)
    _check_certificate(options, options.first, options.second)
    result = decide_equality(first, second, options.max_degree, progress)
    answer = Answer(result.to_json(), equality_text(result), {True: 0, False: 1, None: 3}[result.equal])

    def certificate() -> bytes:
        from symattn.certificates.tuples import difference_certificate, equality_certificate

        if result.equal is None:
            raise UndecidedError("no certificate: nothing was decided")
        if result.equal:
            return equality_certificate(first, second)
        return difference_certificate(first, second, result.monomial.degree if result.monomial else None, result.input_witness)

    return _certified(answer, certificate, options, progress)


def enclose_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_instance
    from symattn.reports.enclosures import constants_text, enclosure_text
    from symattn.verification.enclosures import DEFAULT_CUTOFF, enclose_spectrum
    from symattn.verification.spectrum import with_generic_bank
    from symattn.verification.uniform_bounds import enclose_interval

    t = exact_argument(options.t, "--t")
    if options.constants:
        for name in ("certificate", "digits", "cutoff"):
            if getattr(options, name) is not None:
                raise InputError("this option is for values at one scale, not for constants", where=f"--{name}")
        interval = enclose_interval(read_instance(options.file), t, progress)
        return Answer(interval.to_json(), constants_text(interval))
    digits = options.digits or 15
    cutoff = DEFAULT_CUTOFF if options.cutoff is None else cutoff_argument(options.cutoff)
    instance = with_generic_bank(read_instance(options.file))
    _check_certificate(options, options.file)
    report = enclose_spectrum(instance, t, digits, cutoff, progress)
    answer = Answer(report.to_json(), enclosure_text(report), 3 if report.rank_at_cutoff is None else 0)

    def certificate() -> Iterable[bytes]:
        from symattn.certificates.intervals import enclosure_certificates

        return enclosure_certificates(instance, report.values, digits)

    return _certified(answer, certificate, options, progress)


def _check_certificate(options: argparse.Namespace, *sources: str) -> None:
    """Refuse a file for the certificate that could not be written, before the work is done."""
    if options.certificate is not None:
        from symattn.network.documents import check_output

        for source in sources:
            check_output(options.certificate, source)


def _certified(answer: Answer, make: Callable[[], bytes | Iterable[bytes]], options: argparse.Namespace, progress: Progress) -> Answer:
    """The answer, with a note on the certificate where one was asked for; the result stands also where no certificate can be had."""
    if options.certificate is None:
        return answer
    from symattn.certificates.write import write_certificate
    from symattn.reports.certificates import certificate_note

    try:
        result = write_certificate(make(), options.certificate, progress)
        note: dict[str, object] = {"file": options.certificate, "proven": list(result.proven), "assumed": list(result.assumed)}
    except UndecidedError as error:
        note = {"file": None, "because": str(error)}
    code = answer.code if note["file"] else answer.code or UndecidedError.exit_code
    return Answer(answer.document | {"certificate": note}, f"{answer.text}\n\n{certificate_note(note)}", code)


def _digests(files: Sequence[str]) -> set[str]:
    """The digests that a certificate about these files can have: one instance with or without its bank, one tuple, or two tuples."""
    from symattn.certificates.document import digest, pair_document, path_document, tuple_document
    from symattn.network.documents import read_document
    from symattn.network.files import read_instance, read_tuple
    from symattn.verification.spectrum import with_generic_bank

    if len(files) > 2:
        raise InputError("one instance file, or one or two tuple files, were expected", where="--matches")
    if len(files) == 2:
        return {digest(pair_document(read_tuple(files[0]), read_tuple(files[1])))}
    content = read_document(files[0])
    if isinstance(content, dict) and "layers" not in content:
        return {digest(tuple_document(read_tuple(files[0])))}
    instance = with_generic_bank(read_instance(files[0]))
    return {digest(path_document(instance, with_bank=with_bank)) for with_bank in (True, False)}


def check_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.certificates.read import check_files
    from symattn.reports.certificates import check_text

    digests = _digests(options.matches) if options.matches else None
    checked = check_files(options.files, options.seconds, progress, digests)
    return Answer(checked.to_json(), check_text(checked), checked.exit_code)


def reproduce_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.reports.published import published_text
    from symattn.verification.published import reproduce

    items = reproduce(options.ids, progress)
    worst = max((VERDICT_CODES[item.verdict] for item in items), key=(0, 3, 1).index)
    return Answer({"items": [item.to_json() for item in items]}, published_text(items), worst)


def plot_spectrum_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.network.files import read_instance
    from symattn.reports.canvas import check_plot
    from symattn.reports.plots import plot_spectrum
    from symattn.reports.texts import plot_text
    from symattn.verification.scales import enclose_at_scales

    cutoff = cutoff_argument(options.cutoff)
    texts = options.t.split(",", _MOST_SCALES)
    if len(texts) > _MOST_SCALES:
        raise InputError(f"at most {_MOST_SCALES} scales were expected", where="--t")
    scales = [exact_argument(text, "--t") for text in texts]
    instance = read_instance(options.file)
    check_plot(options.out, options.file)
    plot = plot_spectrum(enclose_at_scales(instance, scales, cutoff=cutoff, report=progress), options.out)
    return Answer(plot.to_json(), plot_text(plot))


def plot_noise_command(options: argparse.Namespace, progress: Progress) -> Answer:
    from symattn.reports.canvas import check_plot
    from symattn.reports.plots import plot_noise
    from symattn.reports.texts import plot_text
    from symattn.verification.published.recovery_noise import noise_curve

    check_plot(options.out)
    plot = plot_noise(noise_curve(progress), options.out)
    return Answer(plot.to_json(), plot_text(plot))


def plot_ladder_command(options: argparse.Namespace, progress: Progress) -> Answer:
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


def verify_command(options: argparse.Namespace, progress: Progress) -> Answer:
    import proofs_checks
    from symattn.reports.texts import verification_text

    if options.certificates is not None:
        from symattn.network.documents import make_directory

        make_directory(options.certificates)
    effort: Literal["quick", "default", "full"] = "quick" if options.quick else "full" if options.full else "default"
    results = [result.to_json() for result in proofs_checks.run(options.ids, effort, progress)]
    counts = {verdict: sum(result["verdict"] == verdict for result in results) for verdict in VERDICT_CODES}
    sampled = sum(result["verdict"] == "confirmed" and result["evidence"] == "sampled" for result in results)
    worst = next((verdict for verdict in ("refuted", "undecided") if counts[verdict]), "confirmed")
    document: dict[str, object] = {"statements": results, "summary": {**counts, "sampled": sampled, "effort": effort, "verdict": worst}}
    text = verification_text(document)
    if options.certificates is not None:
        from proofs_checks.certificates import certified_ids, write_certificates
        from symattn.reports.certificates import written_text

        written = [each.to_json() for each in write_certificates(options.certificates, options.ids, progress)]
        document["certificates"] = written
        text = f"{text}\n\n{written_text(written, certified_ids())}"
    return Answer(document, text, VERDICT_CODES[worst])
