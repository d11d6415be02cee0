"""Check a table against the 18 identifiers of HIPAA Safe Harbor.

The lists are 45 CFR 164.514(b)(2)(i)(A) to (R), Safe Harbor, and 164.514(e)(2)(i) to (xvi), which a
limited data set must not contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reidrisk.core.about import own_version, versions
from reidrisk.core.reading import TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.reference_lists import POPULATION_LIMIT, RESTRICTED
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.engine.classes import count_rows
from reidrisk.engine.profile import column_profiles
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.value_checks import count_above, count_exact_dates, count_postal
from reidrisk.tables.column_kinds import Confidence, kind_named, words_of
from reidrisk.tables.column_role import (
    PATTERNS,
    SAMPLE_ROWS,
    ColumnSuggestion,
    expressions,
    patterns_inside,
    suggest_role,
)

Status = Literal["found", "possible", "none found", "not checked"]


@dataclass(frozen=True, slots=True)
class Identifier:
    """One item of the two lists."""

    letter: str
    """The letter in 164.514(b)(2)(i)."""
    limited: str | None
    """The item in 164.514(e)(2); None if a limited data set may contain it."""
    says: str


IDENTIFIERS = (
    Identifier("A", "i", "names"),
    Identifier("B", "ii", "places smaller than a state: street, city, county, postal code"),
    Identifier("C", None, "dates except the year, and ages over 89"),
    Identifier("D", "iii", "telephone numbers"),
    Identifier("E", "iv", "fax numbers"),
    Identifier("F", "v", "e-mail addresses"),
    Identifier("G", "vi", "social security numbers"),
    Identifier("H", "vii", "medical record numbers"),
    Identifier("I", "viii", "health plan beneficiary numbers"),
    Identifier("J", "ix", "account numbers"),
    Identifier("K", "x", "certificate and license numbers"),
    Identifier("L", "xi", "vehicle identifiers and license plates"),
    Identifier("M", "xii", "device identifiers and serial numbers"),
    Identifier("N", "xiii", "web addresses (URLs)"),
    Identifier("O", "xiv", "IP addresses"),
    Identifier("P", "xv", "biometric identifiers"),
    Identifier("Q", "xvi", "full-face photographs and comparable images"),
    Identifier("R", None, "any other unique identifying number, characteristic or code"),
)
NOT_CHECKED = (
    "Photographs and other images are not examined; a column is listed only if its name says so.",
    "A year of birth, or another year, can reveal an age over 89; this is not checked.",
    "Whether the first three digits of a ZIP code cover more than 20,000 people is taken from the list of "
    "the 2000 census.",
    "Safe Harbor also requires that you do not actually know that the remaining information could "
    "identify a person (164.514(b)(2)(ii)). No program can check this.",
)


@dataclass(frozen=True, slots=True)
class IdentifierColumn:
    """A column that contains an identifier."""

    column: str
    reason: str
    confidence: Confidence
    cells: int
    """Number of filled cells concerned."""
    limited: bool
    """Whether a limited data set must not contain it either."""


@dataclass(frozen=True, slots=True)
class HipaaFinding:
    """One item of the list and the columns that contain it."""

    identifier: Identifier
    columns: tuple[IdentifierColumn, ...]

    @property
    def status(self) -> Status:
        """The finding under Safe Harbor."""
        return self._status(self.columns, unseen=self.identifier.letter == "Q")

    @property
    def limited_status(self) -> Status | None:
        """The finding under the rule for limited data sets; None if that rule does not list the item."""
        if self.identifier.limited is None:
            return None
        held = tuple(one for one in self.columns if one.limited)
        return self._status(held, unseen=self.identifier.letter == "Q")

    def _status(self, held: tuple[IdentifierColumn, ...], *, unseen: bool) -> Status:
        if not held:
            return "not checked" if unseen else "none found"
        return "possible" if all(one.confidence == "possible" for one in held) else "found"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "letter": self.identifier.letter,
            "identifier": self.identifier.says,
            "status": self.status,
            "limited_item": self.identifier.limited,
            "limited_status": self.limited_status,
            "columns": [
                {
                    "column": one.column,
                    "reason": one.reason,
                    "confidence": one.confidence,
                    "cells": one.cells,
                    "limited": one.limited,
                }
                for one in self.columns
            ],
        }


@dataclass(frozen=True)
class HipaaCheck(Result):
    """The identifiers of Safe Harbor and of limited data sets that a table still contains."""

    findings: tuple[HipaaFinding, ...]
    unread: tuple[str, ...]
    """Columns of free text, which were not searched completely."""
    rows: int
    inputs: tuple[tuple[str, Any], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether neither a Safe Harbor identifier nor a column that may contain one was found."""
        return not self.remaining

    @property
    def remaining(self) -> tuple[HipaaFinding, ...]:
        """Items of Safe Harbor that are or may be in the table."""
        return tuple(one for one in self.findings if one.status in ("found", "possible"))

    @property
    def limited_remaining(self) -> tuple[HipaaFinding, ...]:
        """Items that a limited data set must not contain and that are or may be in the table."""
        return tuple(one for one in self.findings if one.limited_status in ("found", "possible"))

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types."""
        return {
            "kind": "table_hipaa",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {**dict(self.inputs), "read_as": list(self.notes)},
            "seed": None,
            "versions": versions(),
            "reasons": texts(self._reasons()),
            "holds": holds(self._reasons()),
            "rows": self.rows,
            "safe_harbor": {
                "remaining": len(self.remaining),
                "letters": [one.identifier.letter for one in self.remaining],
            },
            "limited_data_set": {
                "remaining": len(self.limited_remaining),
                "items": [one.identifier.limited for one in self.limited_remaining],
            },
            "identifiers": [one.to_dict() for one in self.findings],
            "not_checked": list(self._not_checked()),
            "notes": list(self.notes),
        }

    def _reasons(self) -> tuple[Reason, ...]:
        found, limited = len(self.remaining), len(self.limited_remaining)
        safe = (
            f"{found} of the 18 Safe Harbor identifiers are or may be present: {_listed(self.remaining)}."
            if found
            else "None of the 18 Safe Harbor identifiers was found. This is necessary but not sufficient."
        )
        rest = (
            f"{limited} of the 16 not allowed in a limited data set: {_listed(self.limited_remaining)}."
            if limited
            else "None of the 16 identifiers that a limited data set must not contain was found."
        )
        return Reason(safe, not found), Reason(rest, not limited)

    def _not_checked(self) -> tuple[str, ...]:
        if not self.unread:
            return NOT_CHECKED
        free_text = (
            f"{plural(len(self.unread), 'column')} of free text ({', '.join(self.unread)}): only e-mail and "
            "web addresses, telephone and social security numbers were searched for; use `reidrisk text` for "
            "the rest."
        )
        return (free_text, *NOT_CHECKED)


def _listed(findings: Sequence[HipaaFinding]) -> str:
    return ", ".join(f"({one.identifier.letter}) {one.identifier.says.split(':')[0]}" for one in findings)


OLDEST = 89
IN_A_YEAR = {"months": 12, "month": 12, "weeks": 52, "week": 52, "days": 366, "day": 366}
"""Units of ages that are not in years."""
CENSUS = "hhs-2000"
"""The list of three-digit ZIP codes with at most 20,000 people that is used."""
WITHOUT_STREET = ("city", "county", "postal_code", "place", "place_of_birth")
"""Places that a limited data set may contain."""

LetteredColumn = tuple[str, IdentifierColumn]
"""The letter of an identifier and a column that contains it."""


def hipaa_check(table: Any, *, reading: TableReading | None = None) -> HipaaCheck:
    """List the Safe Harbor (18) and limited data set (16) identifiers that a table still contains.

    Columns are recognized by name, pattern and uniqueness; ages, dates and ZIP codes by their values,
    of which only counts are kept. Passing is necessary for Safe Harbor but not sufficient.
    """
    with open_table(table, reading=reading) as opened:
        profiles = column_profiles(opened, expressions(), sample_rows=SAMPLE_ROWS)
        return check_opened(opened, [suggest_role(profile) for profile in profiles])


def check_opened(table: Table, columns: Sequence[ColumnSuggestion]) -> HipaaCheck:
    """Check an open table whose columns already have suggestions."""
    held = [found for column in columns for found in _identifiers_in(table, column)]
    findings = tuple(
        HipaaFinding(one, tuple(column for letter, column in held if letter == one.letter))
        for one in IDENTIFIERS
    )
    unread = tuple(one.name for one in columns if one.kind and one.kind.key == "free_text")
    return HipaaCheck(
        findings, unread, count_rows(table), inputs=(("table", table.source),), notes=table.notes
    )


def _identifiers_in(table: Table, column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    if column.profile.filled == 0:
        return
    yield from _found_inside(column)
    kind = column.kind
    if kind is None or kind.hipaa is None:
        return
    if kind.check == "age":
        yield from _ages(table, column)
    elif kind.check == "date":
        yield from _dates(table, column)
    elif kind.check == "postal":
        yield from _postal(table, column)
    else:
        sure: Confidence = column.confidence if column.role != "other" else "possible"
        limited = kind.hipaa != "R" and kind.key not in WITHOUT_STREET
        yield kind.hipaa, IdentifierColumn(column.name, column.reason, sure, column.profile.filled, limited)


def _found_inside(column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    """Yield identifiers inside the values of a column of another kind."""
    for name in patterns_inside(column.profile):
        kind = kind_named(PATTERNS[name].kind)
        if kind.hipaa and (column.kind is None or column.kind.key != kind.key):
            cells = column.profile.patterns[name]
            reason = (
                f"{PATTERNS[name].says} in {cells:,} of {plural(column.profile.looked_at, 'examined value')}"
            )
            sure: Confidence = "likely" if name in ("email", "ssn") else "possible"
            yield kind.hipaa, IdentifierColumn(column.name, reason, sure, cells, limited=True)


def _ages(table: Table, column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    times = next((IN_A_YEAR[word] for word in words_of(column.name) if word in IN_A_YEAR), 1)
    above = count_above(table, column.name, OLDEST * times + (times - 1))
    if above.cells:
        reason = f"{plural(above.cells, 'age')} over {OLDEST}, allowed only as one group, 90 or older"
        single = above.distinct == 1
        reason += "; they are all the same, perhaps that group" if single else ""
        sure = "possible" if single else column.confidence
        yield "C", IdentifierColumn(column.name, reason, sure, above.cells, limited=False)


def _dates(table: Table, column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    cells = count_exact_dates(table, column.name)
    if cells:
        what = column.kind.says if column.kind else "a date"
        reason = f"{plural(cells, 'value')} more exact than a year ({what})"
        yield "C", IdentifierColumn(column.name, reason, _at_least_likely(column), cells, limited=False)


def _postal(table: Table, column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    counts = count_postal(table, column.name, sorted(RESTRICTED[CENSUS]))
    parts = []
    if counts.longer:
        parts.append(f"{plural(counts.longer, 'postal code')} of more than three characters")
    if counts.restricted:
        few = f"at most {POPULATION_LIMIT:,} people"
        parts.append(f"{plural(counts.restricted, 'ZIP code')} of three digits with {few}")
    if counts.other:
        parts.append(f"{plural(counts.other, 'code')} of other areas smaller than a state")
    if parts:
        cells = counts.longer + counts.restricted + counts.other
        yield "B", IdentifierColumn(column.name, "; ".join(parts), column.confidence, cells, limited=False)


def _at_least_likely(column: ColumnSuggestion) -> Confidence:
    """Return at least "likely": that it is a date is certain, even if its role is not."""
    return "likely" if column.confidence == "possible" else column.confidence
