"""Who may see a result: the custodian (internal), or recipients and the public (shared).

A report is a release too. Whoever holds the released table can subtract its counts from those of the source,
or try which suppressed record fits a mean, a hash or a seed. A shared result therefore contains only what
`shared_figures` declares for its kind. Everything else is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import PurePath
from typing import Any, Literal

from reidrisk.errors import InvalidSetting

Audience = Literal["internal", "shared"]
INTERNAL: Audience = "internal"
SHARED: Audience = "shared"
AUDIENCES: tuple[Audience, ...] = (INTERNAL, SHARED)
SMALLEST_BASE = 3
"""Counts are rounded to the cell size, but never to less than this."""
USUAL_BASE = 5
"""For results without a threshold."""
STEP = 0.05
"""Measures of lost detail are rounded to a multiple of this."""
INTERNAL_TEXT = "internal: for the data holder only. Do not pass it on with the released data."


def check_audience(given: str) -> Audience:
    """Refuse a name that is not an audience."""
    if given not in AUDIENCES:
        raise InvalidSetting.among("An audience", str(given), AUDIENCES)
    return SHARED if given == SHARED else INTERNAL


def audience_of(result: Mapping[str, Any]) -> Audience:
    """Return who may see a result; files of older versions are internal."""
    return SHARED if result.get("audience") == SHARED else INTERNAL


def audience_text(result: Mapping[str, Any]) -> str:
    """Return who may see a result, in words for its files."""
    if audience_of(result) == INTERNAL:
        return INTERNAL_TEXT
    bases = sorted({_rounded_to(result), *(_rounded_to(one) for one in _results_of_parts(result))})
    base = " or ".join(map(str, bases))
    return (
        f"shared: may be passed on with the released data. Counts are rounded down to a multiple of {base}; "
        "figures that could reveal single people are not shown."
    )


def _rounded_to(result: Mapping[str, Any]) -> int:
    return result.get("rounded_to") or base_of(result)


def _results_of_parts(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The results in an assessment, each with a cell size of its own; none in a result alone."""
    parts = result.get("parts") if result.get("kind") == "assessment" else None
    return [part["result"] for part in parts or () if part.get("result")]


def with_audience(result: dict[str, Any]) -> dict[str, Any]:
    """Return an internal result that says so, next to its kind and version.

    >>> with_audience({"kind": "table_risk", "version": "1", "acceptable": True})
    {'kind': 'table_risk', 'version': '1', 'audience': 'internal', 'acceptable': True}
    """
    if "audience" in result:
        return result
    first: dict[str, Any] = {name: result[name] for name in ("kind", "version") if name in result}
    return {**first, "audience": INTERNAL, **result}


class LeftOut(KeyError):
    """A view asks for a figure that a shared result does not contain."""


class SharedResult(dict[str, Any]):
    """A shared result, or a part of it. Asking for a figure that it does not contain raises `LeftOut`."""

    def __missing__(self, name: str) -> Any:
        raise LeftOut(name)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a figure is, for rules that depend on other figures."""

    base: int
    """Counts below it are not shown."""
    around: tuple[Mapping[str, Any], ...]
    """The dictionaries that contain the figure, the innermost last."""

    def find(self, path: str) -> Any:
        """Return the nearest figure of this name, such as `solution.records`; None if there is none."""
        for content in reversed(self.around):
            found: Any = content
            for name in path.split("."):
                found = found.get(name) if isinstance(found, Mapping) else None
            if found is not None:
                return found
        return None


Change = Callable[[Any, Place], Any]
"""Turns an internal figure into a shared one."""


@dataclass(frozen=True, slots=True)
class Each:
    """A dictionary whose keys are names of columns or levels; one rule for all values."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class Chosen:
    """A dictionary of choices, such as settings: these are shown, others are not and need no rule."""

    rules: Mapping[str, Rule]


class Omit:
    """The figure is left out."""


OUT = Omit()
Rule = Change | Each | Chosen | Omit | Mapping[str, "Rule"]
"""How a figure is shown. A mapping declares the keys of a dictionary, or of each dictionary in a list."""


def keep(value: Any, _: Place) -> Any:
    """Show it as it is: a choice, a name, a verdict, or a figure about no one."""
    return value


def blank(_value: Any, _: Place) -> None:
    """Show that it exists, without its value."""
    return


def not_shown(_value: Any, _: Place) -> str:
    """Show words instead."""
    return "not shown"


def empty(_value: Any, _: Place) -> list[Any]:
    """Show an empty list."""
    return []


def rounded_count(number: int, base: int) -> int | str:
    """Round a count of records down; every shown number can stand for `base` numbers.

    >>> [rounded_count(number, 5) for number in (0, 1, 4, 5, 81)]
    [0, 'fewer than 5', 'fewer than 5', 5, 80]
    """
    return f"fewer than {base}" if 0 < number < base else number - number % base


def count(value: Any, place: Place) -> Any:
    """Round a count of records."""
    return rounded_count(round(value), place.base) if _is_number(value) else value


def row_count(value: Any, place: Place) -> Any:
    """Round a count of rows; one person can have more rows than the cell size."""
    return rounded_count(round(value), _row_base(place)) if _is_number(value) else value


def _row_base(place: Place) -> int:
    """Return what counts of rows are rounded to: about as many as a cell of people has.

    The factor is a power of 2, so that rounding again, with rounded numbers of rows and records, changes
    nothing.
    """
    rows = place.find("rows") or place.find("before.rows")
    records = place.find("before.records") or place.find("records")
    each = 1
    while _is_number(rows) and _is_number(records) and 0 < each * records < rows:
        each *= 2
    return place.base * each


def at_least(value: Any, place: Place) -> Any:
    """Show the size of a class if it is not below the cell size: the released table has such classes."""
    return value if not _is_number(value) or value >= place.base else f"fewer than {place.base}"


def class_risk(value: Any, place: Place) -> Any:
    """Show one over the size of a class if the class is not below the cell size."""
    if not _is_number(value) or value * place.base <= 1 + 1e-9:
        return value
    return f"above {1 / place.base:.2g}"


def class_risk_or_none(value: Any, place: Place) -> Any:
    """Show the risk of a class as `class_risk` does, and null instead of words."""
    shown = class_risk(value, place)
    return None if isinstance(shown, str) else shown


def two_digits(value: Any, _: Place) -> Any:
    """Round an estimate to two significant digits."""
    return float(f"{value:.2g}") if _is_number(value) else value


def step(value: Any, _: Place) -> Any:
    """Round a measure between 0 and 1; others depend on single records and are not shown."""
    return round(round(value / STEP) * STEP, 2) if _is_number(value) and 0 <= value <= 1 else None


@dataclass(frozen=True, slots=True)
class ShareOf:
    """A share of records, computed from rounded counts."""

    records: str
    """The number of records, as `Place.find` takes it."""

    def __call__(self, value: Any, place: Place) -> Any:
        """Return the share of the rounded counts; in words if they are few."""
        records = place.find(self.records)
        if not _is_number(value):
            return value
        if not _is_number(records) or records < place.base:
            return None
        known = round(records) - round(records) % place.base
        few = rounded_count(round(value * records), place.base)
        return f"under {ceil(100 * place.base / known)} %" if isinstance(few, str) else min(few / known, 1.0)


def file_name(value: Any, _: Place) -> Any:
    """Show the last part of a path."""
    return PurePath(value.replace("\\", "/")).name if isinstance(value, str) else value


_COUNTED = re.compile(
    r"%|\b(records?|rows?|cells?|people|persons?|patients?|participants?|events?|values?|documents?|class(es)?|"
    r"visits?)\b"
)


def mentions_count(text: str) -> bool:
    """Whether a text gives a number of records or of something else that people have.

    >>> mentions_count("age is generalized to 5 years"), mentions_count("1 record of 81 suppressed")
    (False, True)
    """
    return any(letter.isdigit() for letter in text) and _COUNTED.search(text) is not None


def clauses(value: Any, _: Place) -> Any:
    """Show a text without the clauses that give counts, and without lists of counts after a colon.

    >>> clauses("every row has the first value: 180 rows of 300; then generalized", Place(5, ()))
    'every row has the first value; then generalized'
    """
    if not isinstance(value, str):
        return None
    parts = [part.partition(": ")[0] if mentions_count(part) else part for part in value.split("; ")]
    return "; ".join(part for part in parts if not mentions_count(part))


def sentences(value: Any, _: Place) -> Any:
    """Show a list of texts without those that give counts."""
    return [text for text in value or () if not mentions_count(text)]


_MISSING_CELLS = re.compile(r"(?<=: )([\d,]+) cells?(?= read as missing$)")
_FEW_CELLS = re.compile(r": fewer than \d+ cells read as missing$")


def reading_notes(value: Any, place: Place) -> list[str]:
    """Show how a table was read: numbers of cells read as missing are rounded, other counts are cut.

    >>> reading_notes(["column 'age': 2 cells read as missing", "encoding: utf-8"], Place(5, ()))
    ["column 'age': fewer than 5 cells read as missing", 'encoding: utf-8']
    >>> reading_notes(["column 'age' is read as text: 1 value does not fit BIGINT"], Place(5, ()))
    ["column 'age' is read as text"]
    """
    shown = (_reading_note(note, place) for note in value or ())
    return [note for note in shown if note]


def _reading_note(note: Any, place: Place) -> Any:
    found = _MISSING_CELLS.search(note) if isinstance(note, str) else None
    if found is not None:
        number = row_count(int(found[1].replace(",", "")), place)
        few = number if isinstance(number, str) else f"{number:,}"
        return f"{note[: found.start()]}{few} cells{note[found.end() :]}"
    if isinstance(note, str) and _FEW_CELLS.search(note):
        return note  # shown like this before
    return clauses(note, place)


def without_numbers(value: Any, _: Place) -> Any:
    """Show a list of texts without those that contain any number."""
    return [text for text in value or () if not any(letter.isdigit() for letter in text)]


def base_of(result: Mapping[str, Any]) -> int:
    """Return what counts are rounded to: the cell size of the result's threshold."""
    threshold = result.get("threshold") or (result.get("context") or {}).get("threshold") or {}
    size = threshold.get("cell_size") if isinstance(threshold, Mapping) else None
    return max(SMALLEST_BASE, size) if isinstance(size, int) else USUAL_BASE


def apply_rule(value: Any, rule: Rule, place: Place) -> Any:
    """Return what a shared result shows of a figure; `OUT` is handled by the dictionary around it."""
    if isinstance(rule, Each | Chosen | Mapping):
        if isinstance(value, list):
            return [apply_rule(one, rule, place) for one in value]
        return _within(value, rule, place) if isinstance(value, Mapping) else None
    if isinstance(rule, Omit):
        return None
    return rule(value, place)


def _within(value: Mapping[str, Any], rule: Each | Chosen | Mapping[str, Rule], place: Place) -> SharedResult:
    inside = Place(place.base, (*place.around, value))
    if isinstance(rule, Each):
        return SharedResult({name: apply_rule(one, rule.rule, inside) for name, one in value.items()})
    rules = rule.rules if isinstance(rule, Chosen) else rule
    return SharedResult(
        {
            name: apply_rule(one, rules[name], inside)
            for name, one in value.items()
            if not isinstance(rules.get(name, OUT), Omit)
        }
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
