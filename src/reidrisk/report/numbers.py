"""One way to write a number, in every view."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Any

from reidrisk.core import wording

MISSING = "n/a"
DASH = "–"
"""In a cell that has nothing to show."""


def probability(value: float | str | None) -> str:
    """A probability, that there is none, or the words that a shared result has instead."""
    if isinstance(value, str):
        return value
    return MISSING if value is None else wording.probability(value)


def one_in(chance: float, cell_size: int | None) -> str:
    """A threshold as a fraction, if it is one.

    >>> one_in(1 / 3, 3), one_in(0.09, 12)
    ('1/3', '0.0900')
    """
    exact = cell_size is not None and abs(chance * cell_size - 1) < 1e-9
    return f"1/{cell_size}" if exact else probability(chance)


def percent(value: float | str | None) -> str:
    """One decimal, more where rounding would claim that none or all are meant.

    >>> [percent(share) for share in (0.0725, 1.0, 0.9996, 0.0004, 0.0, None, 2e-12)]
    ['7.2 %', '100 %', '99.96 %', '0.04 %', '0 %', 'n/a', 'nearly zero']
    """
    if value is None or isinstance(value, str):
        return value or MISSING
    if value == 0 or value >= 1:
        return f"{100 * value:.0f} %"
    for digits in range(1, 7):
        if 0 < round(100 * value, digits) < 100:
            return f"{100 * value:.{digits}f} %"
    return wording.NEARLY_ZERO if value < 0.5 else "over 99.999999 %"


def brief_percent(value: float | None) -> str:
    """In few letters, for narrow columns: two digits of what is small, and whether nearly all are meant.

    >>> [brief_percent(share) for share in (0.0725, 0.99996, 1.0, 0.00572, 0.000034, 0.0, 3e-9, None)]
    ['7.2 %', '> 99.9 %', '100 %', '0.57 %', '0.0034 %', '0 %', 'nearly zero', 'n/a']
    """
    if value is None:
        return MISSING
    if value == 0 or value >= 1:
        return percent(value)
    if value > 0.9994:
        return f"> {floor(1000 * value) / 10:.1f} %"
    if value >= 0.00995:
        return f"{100 * value:.1f} %"
    return f"{wording.two_digits(100 * value)} %" if value >= 1e-8 else wording.NEARLY_ZERO


def share_of_people(share: float | None, people: int) -> str:
    """A share of people, or that it means not even one of them.

    >>> [share_of_people(share, 11_353_140) for share in (0.374, 1.8e-7, 1.1e-20, 0.0, None)]
    ['37.4 %', '0.000018 %', 'fewer than one', '0 %', 'n/a']
    """
    if share is not None and 0 < share * people < wording.ALMOST_ONE:
        return wording.FEWER_THAN_ONE
    return brief_percent(share)


def count(value: int | str | None) -> str:
    """A whole number with its thousands apart.

    >>> count(65536)
    '65,536'
    """
    if isinstance(value, str):  # "fewer than 5" in a shared result
        return value
    return MISSING if value is None else f"{value:,}"


def counted(value: int | str | None, noun: str) -> str:
    """A count with its noun, also where a shared result has words in place of the count.

    >>> counted(1, "record"), counted(2000, "record"), counted("fewer than 5", "record")
    ('1 record', '2,000 records', 'fewer than 5 records')
    """
    return f"{count(value)} {noun}{'' if value == 1 else 's'}"


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


def more(left: int, place: str, noun: str = "") -> str:
    """Where to find the rest of a list.

    >>> more(1, "in the report"), more(1200, "in the result file", "set")
    ('1 more is in the report.', '1,200 more sets are in the result file.')
    """
    one = left == 1
    what = f" {noun}{'' if one else 's'}" if noun else ""
    return f"{count(left)} more{what} {'is' if one else 'are'} {place}."


def percent_span(estimate: Mapping[str, Any]) -> str:
    """The limits of a share."""
    return f"{percent(estimate['low'])} to {percent(estimate['high'])}"


def level(value: float | None) -> str:
    """A level of confidence, 95 % rather than 95.0 %.

    >>> level(0.95), level(0.999)
    ('95 %', '99.9 %')
    """
    return MISSING if value is None else f"{100 * value:.6g} %"


def expected_people(value: float | None) -> str:
    """An expected number of people: whole, or two digits where they are few.

    >>> [expected_people(number) for number in (2133456.4, 12.2, 3.14, 0.0412, 0.0, None)]
    ['2,133,456', '12', '3.1', 'fewer than one', '0', 'n/a']
    """
    if value is None:
        return MISSING
    if 0 < value < wording.ALMOST_ONE:
        return wording.FEWER_THAN_ONE
    return f"{value:,.0f}" if value >= 10 or value == 0 else f"{value:.2g}"


def people_text(value: float) -> str:
    """An expected number of people with its noun.

    >>> people_text(12.2), people_text(1.0), people_text(1e-9)
    ('12 people', '1 person', 'fewer than one person')
    """
    shown = expected_people(value)
    return f"{shown} {'person' if 0 < value < 1.05 else 'people'}"


def ratio(value: float | None) -> str:
    """How many times one thing is another.

    >>> [ratio(number) for number in (5172.4, 229.0, 1.25, 2122253, 3.9e12, 0.02, None)]
    ['5,172', '229', '1.2', '2.12 million', 'over a trillion', '0.02', 'n/a']
    """
    if value is None:
        return MISSING
    if value >= 1e6:
        return wording.many_times(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}" if value < 10 else f"{value:.1f}"


def money(value: float | None) -> str:
    """A price; more decimals where two would make it nothing.

    >>> [money(price) for price in (0, 17000, 0.5, 0.00004, None)]
    ['0', '17,000.00', '0.50', 'less than 0.01', 'n/a']
    """
    if value is None:
        return MISSING
    return f"{abs(value):.0f}" if value == 0 else f"{value:,.2f}" if value >= 0.005 else "less than 0.01"


def three_places(value: float | None) -> str:
    """A score or a correlation; never minus nothing.

    >>> [three_places(number) for number in (0.80349, -0.00001, None)]
    ['0.803', '0.000', 'n/a']
    """
    if value is None:
        return MISSING
    return f"{value if round(value, 3) else abs(value):.3f}"


def three_digits(value: float | None) -> str:
    """Any number; large ones whole.

    >>> [three_digits(number) for number in (12345.6, 0.01234, -3.0, 0.0, None)]
    ['12,346', '0.0123', '-3', '0', 'n/a']
    """
    if value is None:
        return MISSING
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def loss(value: float | None) -> str:
    """A loss, with its thousands apart if it is large.

    >>> [loss(number) for number in (0.4, 1234567.0, 0.0, None)]
    ['0.4000', '1,234,567', '0', 'n/a']
    """
    return f"{value:,.0f}" if value is not None and abs(value) >= 1000 else probability(value)
