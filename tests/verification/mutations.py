"""The formulas of the theory, each changed by one: what a wrong prediction would look like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from symattn.theory import hypotheses, orders
from symattn.verification import spectrum

__all__ = ["FORMULAS", "change"]


def change(monkeypatch: pytest.MonkeyPatch, formula: str, by: int) -> None:
    """Change this formula of :data:`FORMULAS` by ``by`` wherever it is used."""
    FORMULAS[formula](monkeypatch, by)


def _contrast_recurrence(monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    def contrast_orders(degrees: Sequence[int]) -> tuple[int, ...]:
        alpha = [1]
        for k in degrees:
            alpha.append(3 * alpha[-1] + 2 * k - 2 + by)
        return tuple(alpha)

    monkeypatch.setattr(orders, "contrast_orders", contrast_orders)


def _jet_order(monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    right = orders.jet_orders
    monkeypatch.setattr(orders, "jet_orders", lambda degrees: tuple(order + by for order in right(degrees)))


def _last_contact_order(monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    right = orders.contact_orders
    _everywhere(monkeypatch, "contact_orders", lambda degrees: (*right(degrees)[:-1], right(degrees)[-1] + by))


def _multiplicity(monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    right = orders.layer_multiplicity
    _everywhere(monkeypatch, "layer_multiplicity", lambda *arguments: right(*arguments) + by)


def _value_block(monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    right = orders.merged_orders
    _everywhere(monkeypatch, "merged_orders", lambda pairs: right([(0, by), *pairs]))


def _kernel_dimension(monkeypatch: pytest.MonkeyPatch, by: int) -> None:
    right, predict = orders.kernel_dimension, hypotheses.predict_spectrum
    monkeypatch.setattr(orders, "kernel_dimension", lambda *arguments: right(*arguments) + by)

    def predict_spectrum(instance):
        prediction = predict(instance)
        return replace(prediction, kernel=prediction.kernel + by)

    monkeypatch.setattr(spectrum, "predict_spectrum", predict_spectrum)


def _everywhere(monkeypatch: pytest.MonkeyPatch, name: str, wrong: Callable[..., object]) -> None:
    for module in (orders, hypotheses):
        monkeypatch.setattr(module, name, wrong)


FORMULAS: dict[str, Callable[[pytest.MonkeyPatch, int], None]] = {
    "contrast recurrence": _contrast_recurrence,
    "jet order": _jet_order,
    "last contact order": _last_contact_order,
    "multiplicity": _multiplicity,
    "value block": _value_block,
    "kernel dimension": _kernel_dimension,
}
