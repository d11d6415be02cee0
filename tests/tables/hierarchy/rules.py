"""A hierarchy of every kind with values that suit it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from hypothesis import strategies as st

from reidrisk.tables.hierarchy.hierarchy import Hierarchy

WEEKS_THEN_YEARS = {
    "name": "weeks, then years",
    "steps": [{"below": "1 year", "by": "1 week"}, {"by": "1 year"}],
}
PERIODS = ["day", "month", "quarter", "half_year", "year", "decade"]
TREE = {
    "circulatory": ["infarction", "stroke"],
    "respiratory": {"infection": ["flu", "cold"], "asthma": None},
}

_dates = st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 31))
_moments = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31))  # noqa: DTZ001
_ages = st.one_of(st.integers(0, 50_000), st.floats(0, 50_000))
_numbers = st.floats(-1e6, 1e6)
_codes = st.text(alphabet="abcXYZ019 -", max_size=8)

KINDS: dict[str, tuple[Hierarchy, st.SearchStrategy[Any]]] = {
    "dates": (Hierarchy.dates("c", PERIODS), _dates),
    "weeks": (Hierarchy.dates("c", ["day", "week"]), _dates),
    "moments": (Hierarchy.dates("c", PERIODS), _moments),
    "date texts": (Hierarchy.dates("c", ["quarter", "year"]), _dates.map(date.isoformat)),
    "ages in days": (
        Hierarchy.ages("c", ["days", "weeks", "months", "quarters", "years"], unit="days", top="90 years"),
        _ages,
    ),
    "ages that slow down": (
        Hierarchy.ages("c", ["days", "weeks", WEEKS_THEN_YEARS, "years", "5 years"], unit="days"),
        _ages,
    ),
    "ages in months": (Hierarchy.ages("c", ["months", "years", {"years": 7}], unit="months"), _ages),
    "widths": (Hierarchy.numbers("c", [5, {"width": 10}, {"cuts": [0, 20, 50]}], top=200), _numbers),
    "whole widths": (Hierarchy.numbers("c", [1, 5, 10, 20], bottom=-7), st.integers(-1000, 1000)),
    "quantiles": (
        Hierarchy.numbers("c", [{"quantiles": 8}, {"quantiles": 3}, {"quantiles": 2}]),
        _numbers,
    ),
    "quantiles of widths": (Hierarchy.numbers("c", [10, {"quantiles": 4}], top=90), st.integers(0, 120)),
    "rounding": (Hierarchy.numbers("c", [{"round": 0.5}, {"round": 1}, {"round": 10}]), _numbers),
    "open ends": (Hierarchy.numbers("c", top=90, bottom=10), st.integers(0, 120)),
    "prefixes": (Hierarchy.prefixes("c", [5, 3, 1], normalise=True), _codes),
    "zips": (Hierarchy.zips("c", digit=True), st.integers(0, 99_999).map("{:05d}".format)),
    "zip numbers": (Hierarchy.zips("c", digit=True), st.integers(0, 99_999)),
    "icd10": (Hierarchy.icd10("c"), st.from_regex(r"[A-Z][0-9][0-9](\.[0-9])?", fullmatch=True)),
    "atc": (Hierarchy.atc("c"), st.from_regex(r"[A-Z][0-9]{2}([A-Z]([A-Z][0-9]{2})?)?", fullmatch=True)),
    "tree": (Hierarchy.tree("c", TREE), st.sampled_from(["infarction", "stroke", "flu", "cold", "asthma"])),
    "exact": (Hierarchy.exact("c", suppress=True), _codes),
}


def column(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Distinct values, sometimes with a missing one, which is the last."""
    distinct = st.lists(values, min_size=1, max_size=30, unique=True)
    return st.tuples(distinct, st.booleans()).map(lambda drawn: drawn[0] + [None] * drawn[1])
