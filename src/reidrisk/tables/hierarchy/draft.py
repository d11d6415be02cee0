"""Draft a generalization hierarchy for a column from what it seems to contain.

Every draft is tried on the values of the column, so that it runs on them as they are. A draft contains no
value of the column: widths, lengths and numbers of rows only. `min_level` keeps exact dates, exact dates of
birth and whole postal codes out of a release unless a person decides otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, log10
from typing import Any

import numpy as np

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.tables.column_kinds import ColumnKind, words_of
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import Levels, Objects
from reidrisk.tables.hierarchy.matching import written

MOST = 0.8
"""Share of rows whose value must have a form for it to be the form of the column."""
FEW = 12
"""Whole numbers with at most so many distinct values are categories."""
OLDEST = 130
"""No age in years is above this."""
CODES = ("id", "ids", "code", "codes", "cd", "key", "no", "nr", "number", "num")
"""Words at the end of a name that say that numbers are codes, not amounts."""
BIRTHS = ("date_of_birth", "year_of_birth")
SHARES = (0.01, 0.05, 0.2)
"""Share of rows that a category must have to stay, level by level."""
LEAST_ROWS = 10

ISO = re.compile(r"\d{4}(-\d\d(-\d\d([T ].*)?)?)?")
COMPACT = re.compile(r"(18|19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
YEAR = re.compile(r"(18|19|20)\d\d(\.0)?")
ZIP4 = re.compile(r"\d{5}-\d{4}")
CANADIAN = re.compile(r"[A-Za-z]\d[A-Za-z]([ -]?\d[A-Za-z]\d)?")
BRITISH = re.compile(r"[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}")
CODE = re.compile(r"[A-Za-z]?\d{2}[0-9A-Za-z]?(\.?[0-9A-Za-z]{1,4})?[†*+!]?")
"""ICD-10, and ICD-9 with or without its dot."""
ATC = re.compile(r"[A-Z]\d\d[A-Z]{2}\d\d")

Draft = tuple[dict[str, Any], str]
"""The settings of a hierarchy, and a remark for the person who reads them."""


@dataclass(frozen=True, slots=True)
class DraftedHierarchy:
    """Settings of a hierarchy, as a YAML file has them under the name of the column."""

    column: str
    settings: Mapping[str, Any]
    remark: str
    """What the levels are, in a few words."""


@dataclass(frozen=True, eq=False)
class ColumnContent:
    """What is known about a column that needs a hierarchy."""

    column: str
    kind: ColumnKind | None
    values: Objects = field(repr=False)
    """The distinct values; None, if present, is the last."""
    counts: Ints = field(repr=False)
    """Number of rows with each."""

    @cached_property
    def present(self) -> list[Any]:
        """The values without None."""
        return [value for value in self.values.tolist() if value is not None]

    @cached_property
    def texts(self) -> list[str]:
        """The values as text."""
        return [written(value).strip() for value in self.present]

    @property
    def rows(self) -> Ints:
        """Number of rows with each value that is not missing."""
        return self.counts[: len(self.present)]

    @property
    def key(self) -> str:
        """The kind of the column by its key in the list of names; empty if it is not known."""
        return self.kind.key if self.kind else ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the name."""
        return words_of(self.column)

    @cached_property
    def is_number(self) -> bool:
        """Whether all values are numbers by type."""
        return bool(self.present) and {type(value).__name__ for value in self.present} <= {
            *("int", "float", "Decimal")
        }

    @property
    def is_rare(self) -> bool:
        """Whether some values are in very few rows."""
        return bool((self.rows < LEAST_ROWS).any())

    def share(self, form: re.Pattern[str]) -> float:
        """Share of the rows whose value has a form."""
        fits = np.array([form.fullmatch(text) is not None for text in self.texts], dtype=np.bool_)
        return float(self.rows[fits].sum() / max(int(self.rows.sum()), 1))

    def numbers(self) -> Floats:
        """The values as numbers; those that are none are left out."""
        return np.array([float(text) for text in self.texts if _is_number(text)], dtype=np.float64)


def draft_hierarchy(content: ColumnContent, *, most: int = 3) -> DraftedHierarchy:
    """Draft a hierarchy with at most so many levels between the finest that is allowed and `suppressed`."""
    for settings, remark in _candidates(content):
        levels = _levels(content, settings)
        if levels is None:
            continue
        fewer = _useful(settings, levels, most)
        if fewer is not None and _levels(content, fewer) is not None:
            return DraftedHierarchy(content.column, fewer, remark)
    return DraftedHierarchy(content.column, {"kind": "exact", "suppress": True}, "kept, or suppressed")


def suppressed_hierarchy(column: str) -> DraftedHierarchy:
    """Draft a hierarchy that releases no value of the column."""
    settings = {"kind": "exact", "suppress": True, "min_level": "suppressed"}
    return DraftedHierarchy(column, settings, "not released")


def _levels(content: ColumnContent, settings: Mapping[str, Any]) -> Levels | None:
    """Try the settings on the values; None if they do not fit."""
    try:
        return Hierarchy.of(content.column, dict(settings)).on(content.values, content.counts)
    except (BadData, InvalidSetting, OverflowError):
        return None


def _useful(settings: dict[str, Any], levels: Levels, most: int) -> dict[str, Any] | None:
    """Leave out levels that merge nothing, or everything, and those above the limit; None if none is left."""
    key = next((name for name in ("levels", "lengths") if name in settings), None)
    if key is None:
        return settings
    entries = settings[key]
    groups = [len(set(labels.tolist()) - {None}) for labels in levels.labels[:-1]]
    own = groups[len(groups) - len(entries) :]
    left, before = [], groups[0]
    for place, (entry, number) in enumerate(zip(entries, own, strict=True)):
        needed = place == 0 and "min_level" in settings
        if needed or (1 < number < before):
            left.append(entry)
            before = number
    if len(left) > most:
        left = [left[round(place)] for place in np.linspace(0, len(left) - 1, most + 1)[:-1]]
    return {**settings, key: left} if left else None


def _candidates(content: ColumnContent) -> Iterator[Draft]:
    """Yield drafts, the best first; the last ones fit every column."""
    if content.present:
        yield from _by_kind(content)
    if content.kind is not None and content.kind.check:
        settings = {"kind": "exact", "suppress": True, "min_level": "suppressed"}
        yield settings, "not released, because the values have no form that can be generalized"
    if len(content.present) > 1:
        if content.is_number and not _is_coded(content):
            yield _numbers(content)
        yield _categories(content)


def _by_kind(content: ColumnContent) -> Iterator[Draft]:
    kind = content.kind
    if kind is not None and kind.check == "postal":
        yield from _postal(content)
    elif kind is not None and kind.check == "age":
        yield from _ages(content)
        yield _categories(content)
    elif kind is not None and kind.key in ("diagnosis", "drug", "procedure"):
        yield from _medical_codes(content)
    if kind is None or kind.check == "date" or not content.is_number:
        yield from _dates(content)


def _dates(content: ColumnContent) -> Iterator[Draft]:
    birth = content.key in BIRTHS
    if content.share(YEAR) >= MOST:
        least = {"min_level": "width 5"} if birth else {}
        yield {"kind": "number", "levels": [5, 10, 20], **least}, "years"
    periods = ["year", "decade"] if birth else ["month", "quarter", "year", "decade"]
    yield {"kind": "date", "levels": periods, "min_level": periods[0]}, f"dates, at least by {periods[0]}"
    for form, lengths in ((ISO, [4, 3] if birth else [7, 4, 3]), (COMPACT, [4, 3] if birth else [6, 4, 3])):
        if content.share(form) >= MOST:
            first = f"{lengths[0]} characters"
            yield (
                {"kind": "prefix", "lengths": lengths, "min_level": first},
                "dates, by their first characters",
            )


def _ages(content: ColumnContent) -> Iterator[Draft]:
    numbers = content.numbers()
    if len(numbers) < len(content.texts):
        return
    unit = next((word for word in content.words if word in ("days", "weeks", "months", "years")), None)
    if unit is None:
        oldest = float(numbers.max(initial=0))
        unit = "years" if oldest <= OLDEST else "months" if oldest <= 12 * OLDEST else "days"
    levels = {
        "days": ["weeks", "months", "years", "5 years"],
        "weeks": ["months", "years", "5 years"],
        "months": ["months", "years", "5 years", "10 years"],
        "years": ["years", "5 years", "10 years", "20 years"],
    }[unit]
    settings = {"kind": "age", "unit": unit, "levels": levels, "top": "90 years", "min_level": levels[0]}
    yield settings, f"ages in {unit}, 90 years and over together"


def _postal(content: ColumnContent) -> Iterator[Draft]:
    if {"zip", "zipcode", "zcta"} & {*content.words} or content.share(ZIP4) > 0:
        yield {"kind": "zip", "digit": True, "min_level": "ZIP3"}, "US ZIP codes"
        yield _prefixes([3, 1]), "ZIP codes, by their first digits"
    if content.share(CANADIAN) >= MOST:
        yield _prefixes([3, 2, 1]), "Canadian postal codes"
    if content.share(BRITISH) >= MOST:
        yield _prefixes([2, 1]), "British postal codes"
    by_province = {"code", "codigo", "cp"} & {*content.words}
    yield _prefixes([2, 1] if by_province else [3, 2, 1]), "postal codes, by their first characters"


def _prefixes(lengths: list[int]) -> dict[str, Any]:
    least = f"{lengths[0]} characters"
    return {"kind": "prefix", "lengths": lengths, "normalise": True, "min_level": least}


def _medical_codes(content: ColumnContent) -> Iterator[Draft]:
    if content.share(ATC) >= MOST:
        yield {"kind": "prefix", "lengths": [5, 3, 1]}, "ATC codes: chemical, therapeutic, anatomical group"
    elif content.share(CODE) >= MOST and not content.is_number:
        yield {"kind": "icd10"}, "ICD-10 codes, their categories and chapters"
        yield {"kind": "prefix", "lengths": [3, 1]}, "codes, by their first characters"


def _is_coded(content: ColumnContent) -> bool:
    """Whether numbers are categories: few of them, or codes by the name of the column."""
    whole = all(float(value).is_integer() for value in content.present)
    return (whole and len(content.present) <= FEW) or content.words[-1:] in [(word,) for word in CODES]


def _numbers(content: ColumnContent) -> Draft:
    values = content.numbers()
    low, high = np.quantile(values, (0.02, 0.98)) if len(values) else (0.0, 1.0)
    step = round_up(float(high - low) / 10)
    whole = all(value.is_integer() for value in values.tolist())
    width = max(2, int(step)) if whole else step
    return {"kind": "number", "levels": [width, {"quantiles": 5}, {"quantiles": 2}]}, "numbers in intervals"


def _categories(content: ColumnContent) -> Draft:
    rows = int(content.counts.sum())
    least = sorted({max(LEAST_ROWS, int(round_up(share * rows))) for share in SHARES})
    settings: dict[str, Any] = {"kind": "frequent", "levels": least}
    if content.is_rare and len(content.present) > 1:
        settings["min_level"] = f"in {least[0]:,} rows or more"
    return settings, "categories; rare ones become other"


def round_up(number: float) -> float:
    """Return the next number of the form 1, 2 or 5 times a power of ten.

    >>> round_up(0.03), round_up(3), round_up(10), round_up(72)
    (0.05, 5.0, 10.0, 100.0)
    """
    if not 0 < number < float("inf"):
        return 1.0
    power = 10.0 ** floor(log10(number))
    return float(f"{next(step for step in (1, 2, 5, 10) if number <= step * power * (1 + 1e-9)) * power:.6g}")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", text) is not None
