"""Prediction against finding: verdicts with their reasons. The only room that looks into both theory and exact computation."""

from symattn.verification.comparison import Comparison, Verdict, compare
from symattn.verification.contact_table import ContactTableReport, verify_contact_table
from symattn.verification.spectrum import BANK_SEED, BankReport, SpectrumReport, verify_spectrum, with_generic_bank

__all__ = [
    "BANK_SEED",
    "BankReport",
    "Comparison",
    "ContactTableReport",
    "SpectrumReport",
    "Verdict",
    "compare",
    "verify_contact_table",
    "verify_spectrum",
    "with_generic_bank",
]
