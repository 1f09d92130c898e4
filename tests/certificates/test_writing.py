"""What is written: postfix texts, numbers, the choice of evidence, and that nothing is written which does not check."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb, ctx

from symattn.certificates.check import check
from symattn.certificates.intervals import decimals, enclosure_certificates
from symattn.certificates.paths import bank_certificate, rank_certificate, spectrum_certificate
from symattn.certificates.postfix import postfix
from symattn.certificates.tuples import equality_certificate, jet_certificate
from symattn.certificates.write import write_certificate
from symattn.enclosures.singular_values import enclose_singular_values
from symattn.errors import InputError, UndecidedError
from symattn.exact.jets import jet_differential
from symattn.exact.spectrum import SpectrumOptions, find_spectrum
from symattn.network.files import instance_from_dict
from symattn.normalizers import catalog, normalizer
from symattn.verification import verify_spectrum

from . import oracle
from .samples import DEEP, GENERAL, SCALAR, SKEWED, SMALL_BANK, network, sample

WRITTEN = [name for name in catalog if name not in ("softplus", "sinc", "erf", "bernoulli", "gamma", "power of two", "bell")]


@pytest.mark.parametrize(
    "text", [*WRITTEN, "exp(1 + s)", "exp(3 + s)*(1 + s)", "tan(s) + 2", "sqrt(1 + s)", "3*(1 + s)**(-2)", "sinh(s) + cosh(2*s)"]
)
def test_postfix_means_the_same_up_to_a_factor(text: str) -> None:
    phi = normalizer(text)
    again = normalizer(oracle.infix(postfix(phi)))
    assert again.coefficients(12) == phi.coefficients(12)


@pytest.mark.parametrize("text", ["softplus(s)", "sinc(s)", "2 + erf(s)", "gamma(1 + s)", "2**s", "pi + s", "2 + asinh(s)"])
def test_what_has_no_postfix_is_refused(text: str) -> None:
    with pytest.raises(UndecidedError, match="certificates cannot express"):
        postfix(normalizer(text))


@pytest.mark.parametrize("text", ["sqrt(4 + s)", "2 + log(3 + s)", "1 + exp(1 + s)"])
def test_irrational_constants_do_not_pass_the_checker(tmp_path: Path, text: str) -> None:
    """They have a postfix text, but no power series over Q; the checker is the one to say so."""
    same = network(text, [[1, 2]], [GENERAL])
    file = tmp_path / "certificate"
    with pytest.raises(UndecidedError, match="the checker does not accept it"):
        write_certificate(equality_certificate(same, same), file)
    assert not file.exists()


@pytest.mark.parametrize(("value", "digits"), [("1/3", 3), ("2", 4), ("-7/90", 2), ("1e-30", 5), ("99999/100", 3), ("0", 2)])
def test_decimals_are_strictly_outside_and_close(value: str, digits: int) -> None:
    exact = Fraction(value)
    with ctx.workprec(300):
        ball = arb(exact.numerator) / arb(exact.denominator)
    (low, unit), (high, other) = decimals(ball, digits)
    assert unit == other
    step = Fraction(10) ** unit
    assert low * step < exact < high * step
    assert high - low <= 2
    assert not exact or step <= abs(exact) * Fraction(10) ** (1 - digits)


def test_a_wide_ball_is_contained() -> None:
    (low, unit), (high, _) = decimals(arb(1, 0.25), 4)
    assert Fraction(low) * Fraction(10) ** unit < Fraction(3, 4)
    assert Fraction(high) * Fraction(10) ** unit > Fraction(5, 4)


def test_evidence_from_below_is_the_cheapest_that_closes() -> None:
    def lower(data: bytes) -> object:
        return json.loads(data)["evidence"]["lower"]

    assert lower(sample("spectrum, deep")) == {"by": "token-contrasts", "contrasts": [0, 1, 4]}
    assert lower(sample("spectrum, skew")) == {"by": "none"}


def test_a_finding_over_power_series_is_certified_from_above_only() -> None:
    """The split band of a skew score is exact over Q[[u]], but no divisibility of columns shows it."""
    finding = find_spectrum(SKEWED, "series", SpectrumOptions(precision=6))
    assert finding.is_exact
    data = spectrum_certificate(SKEWED, finding)
    assert check(data).proven == ("kernel", "order-sums-at-most", "rank")


def test_orders_that_no_prime_shows_are_refused() -> None:
    finding = verify_spectrum(SCALAR).finding
    with pytest.raises(UndecidedError, match="other orders"):
        rank_certificate(SCALAR, replace(finding, orders=((0, 1), (1, 1), (3, 1))))


def test_a_small_prime_is_replaced() -> None:
    finding = find_spectrum(SCALAR, options=SpectrumOptions(primes=(7,), precision=5))
    document = json.loads(spectrum_certificate(SCALAR, finding))
    assert document["evidence"]["prime"] == 7
    # Orders 0, 1, 5, 17: half their sum is 11, for the proof of a certificate a prime of 13 is one too small.
    finding = replace(verify_spectrum(DEEP).finding, primes=(13,))
    document = json.loads(spectrum_certificate(DEEP, finding))
    assert document["evidence"]["prime"] > 13
    assert check(spectrum_certificate(DEEP, finding)).verdict == "valid"


def test_a_bank_that_does_not_separate_has_no_certificate(tmp_path: Path) -> None:
    finding = find_spectrum(SMALL_BANK, options=SpectrumOptions(max_precision=12))
    with pytest.raises(UndecidedError, match="does not accept"):
        write_certificate(bank_certificate(SMALL_BANK, finding), tmp_path / "certificate")
    assert list(tmp_path.iterdir()) == []


def test_the_first_valid_candidate_is_written(tmp_path: Path) -> None:
    file = tmp_path / "certificate"
    result = write_certificate([sample("kernel")[:-1], sample("kernel"), sample("rank")], file)
    assert file.read_bytes() == sample("kernel")
    assert result.kind == "kernel"


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_certificate(sample("kernel"), tmp_path / "nowhere" / "certificate")


def test_even_orders_of_jets_are_those_below() -> None:
    net = network("exp(s)", [[1, 2]], [GENERAL])
    assert jet_certificate(net, 4, jet_differential(net, 4)) == jet_certificate(net, 3, jet_differential(net, 3))


def test_values_that_few_digits_do_not_tell_apart_share_an_interval() -> None:
    """A value and its neighbour 1.5e-15 away (found by an outside tester), at 15 digits and at 40."""
    layer = {"U": [["0"], ["1/2"]], "W": [["1"], ["-1/2"]], "V": [["0", "1"], ["3", "3"]]}
    bank = [[["1/3", "2/5"], ["-2/3", "-1/2"]], [["2/3", "1/3"], ["1/2", "2/5"]], [["-1/2", "0"], ["-1/5", "-2/5"]]]
    data = {"symattn": 1, "tokens": 2, "width": 2, "normalizers": "2 - cos(s)", "layers": [layer], "bank": bank}
    instance = instance_from_dict(data)
    for digits, multiplicities in ((15, [2]), (40, [1, 1])):
        values = enclose_singular_values(instance, "1/100", digits)
        certificate = next(enclosure_certificates(instance, values, digits))
        assert [each[2] for each in json.loads(certificate)["claim"]["values"]][: len(multiplicities)] == multiplicities
        assert check(certificate).verdict == "valid"


@pytest.mark.slow
def test_large_scores_need_more_bits_and_get_them(tmp_path: Path) -> None:
    first = {"U": [["-2"]], "W": [["1/3"]], "V": [["-2/3"]]}
    second = {"U": [["-2"]], "W": [["-3"]], "V": [["-2"]]}
    bank = [[["0"], ["0"], ["-1/5"]], [["1/2"], ["-1"], ["1/5"]], [["0"], ["1/5"], ["0"]], [["-2"], ["0"], ["-1/5"]]]
    data = {"symattn": 1, "tokens": 3, "width": 1, "normalizers": ["1+s**3", "exp(s)"], "layers": [first, second], "bank": bank}
    instance = instance_from_dict(data)
    candidates = enclosure_certificates(instance, enclose_singular_values(instance, "3/2", 6), 6)
    assert check(next(candidates)).verdict == "invalid"
    assert write_certificate(candidates, tmp_path / "certificate").proven == ("singular-values",)
