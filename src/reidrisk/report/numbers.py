"""One way to write a number, in every view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.core import wording

MISSING = "n/a"


def probability(value: float | None) -> str:
    """A probability, or that there is none."""
    return MISSING if value is None else wording.probability(value)


def percent(value: float | None) -> str:
    """One decimal, more where rounding would claim that none or all are meant.

    >>> [percent(share) for share in (0.0725, 1.0, 0.9996, 0.0004, 0.0, None)]
    ['7.2 %', '100 %', '99.96 %', '0.04 %', '0 %', 'n/a']
    """
    if value is None:
        return MISSING
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    for digits in range(1, 7):
        text = f"{100 * value:.{digits}f}"
        if 0 < float(text) < 100:
            break
    return f"{text} %"


def count(value: int | None) -> str:
    """A whole number with its thousands apart.

    >>> count(65536)
    '65,536'
    """
    return MISSING if value is None else f"{value:,}"


def average(value: float | None) -> str:
    """A mean of counts."""
    return MISSING if value is None else f"{value:.2f}"


def span(estimate: Mapping[str, Any] | None) -> str:
    """The limits of an estimate.

    >>> span({"low": 0.0, "high": 0.01})
    '0 to 0.0100'
    """
    if estimate is None or estimate["low"] is None:
        return MISSING
    return f"{probability(estimate['low'])} to {probability(estimate['high'])}"


def percent_span(estimate: Mapping[str, Any]) -> str:
    """The limits of a share."""
    return f"{percent(estimate['low'])} to {percent(estimate['high'])}"


def level(value: float | None) -> str:
    """A level of confidence, 95 % rather than 95.0 %.

    >>> level(0.95), level(0.999)
    ('95 %', '99.9 %')
    """
    return MISSING if value is None else f"{100 * value:.6g} %"
