"""What the theorems say, and on which hypotheses: orders, predictions, the bank law. Nothing here computes a spectrum."""

from symattn.theory.banks import BankBound, BankLaw, bank_law, least_bank_size
from symattn.theory.hypotheses import predict_spectrum
from symattn.theory.orders import (
    LayerOrders,
    OrderLadder,
    common_contact_order,
    common_contrast_order,
    common_jet_order,
    common_order_ladder,
    contact_orders,
    contrast_orders,
    jet_orders,
    kernel_dimension,
    layer_multiplicity,
    merged_orders,
    order_ladder,
)
from symattn.theory.prediction import BANK_HYPOTHESIS, Hypothesis, Prediction

__all__ = [
    "BANK_HYPOTHESIS",
    "BankBound",
    "BankLaw",
    "Hypothesis",
    "LayerOrders",
    "OrderLadder",
    "Prediction",
    "bank_law",
    "common_contact_order",
    "common_contrast_order",
    "common_jet_order",
    "common_order_ladder",
    "contact_orders",
    "contrast_orders",
    "jet_orders",
    "kernel_dimension",
    "layer_multiplicity",
    "least_bank_size",
    "merged_orders",
    "order_ladder",
    "predict_spectrum",
]
