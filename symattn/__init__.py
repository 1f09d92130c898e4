"""symattn: exact identifiability, observability and contact spectra of deep normalized attention.

The public names below are loaded on first use, so that ``import symattn`` costs next to nothing. They are, by room:

* errors: :class:`SymattnError` and its branches;
* normalizers: :func:`normalizer`, :class:`Normalizer`, :data:`catalog`;
* network: :class:`Instance`, :class:`PathLayer`, :class:`NativeParameters`, :class:`EffectiveParameters`, :class:`Network`, the reduction
  between them, and the files that hold them;
* theory (what the theorems predict): :func:`predict_spectrum`, :func:`order_ladder`, :func:`bank_law`;
* exact (what computation finds): :func:`find_spectrum`;
* verification (the two compared): :func:`verify_spectrum`, :func:`verify_contact_table`, :func:`compare`; :func:`find_fiber`,
  :func:`decide_equality`;
* certificates (findings that anyone can re-check): :func:`spectrum_certificate` and its like, :func:`write_certificate`,
  :func:`check_files`;
* enclosures (proven numbers): :func:`enclose_singular_values`, :func:`enclose_spectrum`, :func:`enclose_interval`, and
  :func:`reproduce` for the published evidence.

>>> import symattn
>>> symattn.normalizer("exp(s**2)").k
2
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# For type checkers, and for the import-layer check: a lower room that took a name from here would reach every room.
if TYPE_CHECKING:
    from symattn.certificates.intervals import enclosure_certificates as enclosure_certificates
    from symattn.certificates.paths import (
        bank_certificate as bank_certificate,
        kernel_certificate as kernel_certificate,
        rank_certificate as rank_certificate,
        spectrum_certificate as spectrum_certificate,
    )
    from symattn.certificates.read import check_files as check_files
    from symattn.certificates.tuples import (
        difference_certificate as difference_certificate,
        equality_certificate as equality_certificate,
        jet_certificate as jet_certificate,
    )
    from symattn.certificates.write import write_certificate as write_certificate
    from symattn.enclosures.singular_values import enclose_singular_values as enclose_singular_values
    from symattn.enclosures.uniform_bounds import enclose_uniformly as enclose_uniformly
    from symattn.errors import (
        BudgetError as BudgetError,
        CertificateError as CertificateError,
        ConstantNormalizerError as ConstantNormalizerError,
        HypothesisError as HypothesisError,
        InputError as InputError,
        NotAnalyticError as NotAnalyticError,
        NotPositiveError as NotPositiveError,
        SymattnError as SymattnError,
        UndecidedError as UndecidedError,
    )
    from symattn.exact.expansion import expand as expand
    from symattn.exact.finding import Finding as Finding
    from symattn.exact.germs import Germ as Germ, NetworkGerm as NetworkGerm
    from symattn.exact.jet_polynomials import jet_polynomials as jet_polynomials
    from symattn.exact.jet_ranks import jet_rank_bound as jet_rank_bound
    from symattn.exact.jets import jet_differential as jet_differential, jet_of as jet_of
    from symattn.exact.recovery import Recovery as Recovery, recover as recover, recover_germ as recover_germ
    from symattn.exact.spectrum import SpectrumOptions as SpectrumOptions, find_spectrum as find_spectrum
    from symattn.network.files import (
        instance_from_dict as instance_from_dict,
        instance_to_dict as instance_to_dict,
        network_from_dict as network_from_dict,
        network_to_dict as network_to_dict,
        read_instance as read_instance,
        read_tuple as read_tuple,
    )
    from symattn.network.instance import Instance as Instance, PathLayer as PathLayer
    from symattn.network.jet_files import read_jet as read_jet, write_jet as write_jet
    from symattn.network.jets import Jet as Jet
    from symattn.network.parameters import (
        EffectiveParameters as EffectiveParameters,
        NativeParameters as NativeParameters,
        Network as Network,
        reduce_native as reduce_native,
        reduction_differential as reduction_differential,
    )
    from symattn.network.symbolic_files import (
        SymbolicNetwork as SymbolicNetwork,
        read_symbolic as read_symbolic,
        symbolic_from_dict as symbolic_from_dict,
    )
    from symattn.normalizers import Normalizer as Normalizer, catalog as catalog, normalizer as normalizer
    from symattn.theory import (
        Hypothesis as Hypothesis,
        Prediction as Prediction,
        bank_law as bank_law,
        least_bank_size as least_bank_size,
        order_ladder as order_ladder,
        predict_spectrum as predict_spectrum,
    )
    from symattn.theory.collapse import Collapse as Collapse, layer_collapse as layer_collapse
    from symattn.theory.fibers import Fiber as Fiber
    from symattn.verification import (
        ContactTableReport as ContactTableReport,
        SpectrumReport as SpectrumReport,
        Verdict as Verdict,
        compare as compare,
        verify_contact_table as verify_contact_table,
        verify_spectrum as verify_spectrum,
    )
    from symattn.verification.enclosures import EnclosureReport as EnclosureReport, enclose_spectrum as enclose_spectrum
    from symattn.verification.equality import Equality as Equality, decide_equality as decide_equality
    from symattn.verification.fibers import FiberReport as FiberReport, find_fiber as find_fiber
    from symattn.verification.published import reproduce as reproduce
    from symattn.verification.uniform_bounds import UniformReport as UniformReport, enclose_interval as enclose_interval

_NAMES_BY_MODULE = {
    "symattn.certificates.intervals": ("enclosure_certificates",),
    "symattn.certificates.paths": ("bank_certificate", "kernel_certificate", "rank_certificate", "spectrum_certificate"),
    "symattn.certificates.read": ("check_files",),
    "symattn.certificates.tuples": ("difference_certificate", "equality_certificate", "jet_certificate"),
    "symattn.certificates.write": ("write_certificate",),
    "symattn.errors": (
        "BudgetError",
        "CertificateError",
        "ConstantNormalizerError",
        "HypothesisError",
        "InputError",
        "NotAnalyticError",
        "NotPositiveError",
        "SymattnError",
        "UndecidedError",
    ),
    "symattn.enclosures.singular_values": ("enclose_singular_values",),
    "symattn.enclosures.uniform_bounds": ("enclose_uniformly",),
    "symattn.exact.expansion": ("expand",),
    "symattn.exact.finding": ("Finding",),
    "symattn.exact.germs": ("Germ", "NetworkGerm"),
    "symattn.exact.jet_polynomials": ("jet_polynomials",),
    "symattn.exact.jet_ranks": ("jet_rank_bound",),
    "symattn.exact.jets": ("jet_differential", "jet_of"),
    "symattn.exact.recovery": ("Recovery", "recover", "recover_germ"),
    "symattn.exact.spectrum": ("SpectrumOptions", "find_spectrum"),
    "symattn.network.files": (
        "instance_from_dict",
        "instance_to_dict",
        "network_from_dict",
        "network_to_dict",
        "read_instance",
        "read_tuple",
    ),
    "symattn.network.instance": ("Instance", "PathLayer"),
    "symattn.network.jet_files": ("read_jet", "write_jet"),
    "symattn.network.jets": ("Jet",),
    "symattn.network.parameters": (
        "EffectiveParameters",
        "NativeParameters",
        "Network",
        "reduce_native",
        "reduction_differential",
    ),
    "symattn.network.symbolic_files": ("SymbolicNetwork", "read_symbolic", "symbolic_from_dict"),
    "symattn.normalizers": ("Normalizer", "catalog", "normalizer"),
    "symattn.theory": ("Hypothesis", "Prediction", "bank_law", "least_bank_size", "order_ladder", "predict_spectrum"),
    "symattn.theory.collapse": ("Collapse", "layer_collapse"),
    "symattn.theory.fibers": ("Fiber",),
    "symattn.verification": ("ContactTableReport", "SpectrumReport", "Verdict", "compare", "verify_contact_table", "verify_spectrum"),
    "symattn.verification.enclosures": ("EnclosureReport", "enclose_spectrum"),
    "symattn.verification.equality": ("Equality", "decide_equality"),
    "symattn.verification.fibers": ("FiberReport", "find_fiber"),
    "symattn.verification.published": ("reproduce",),
    "symattn.verification.uniform_bounds": ("UniformReport", "enclose_interval"),
}
_HOME = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}

__all__ = ["__version__", *_HOME]


if not TYPE_CHECKING:  # a type checker that saw this would accept every misspelt name

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module 'symattn' has no attribute {name!r}")
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
