"""Check a table against the 18 identifiers of HIPAA Safe Harbor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.core.zip3 import POPULATION_LIMIT, RESTRICTED
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
    strewn,
    suggested,
)

Status = Literal["found", "possible", "none found", "not checked"]


@dataclass(frozen=True, slots=True)
class Identifier:
    """An item of the two lists."""

    letter: str
    """In 164.514(b)(2)(i)."""
    limited: str | None
    """In 164.514(e)(2); None if a limited data set may hold it."""
    says: str


IDENTIFIERS = (
    Identifier("A", "i", "names"),
    Identifier("B", "ii", "places smaller than a state: street, city, county, postal code"),
    Identifier("C", None, "dates but for the year, and ages over 89"),
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
    "Photographs and other images are not looked at; a column is named only if its name says so.",
    "A year of birth, or another year, can tell an age over 89; this is not worked out.",
    "Whether three digits of a ZIP code stand for more than 20,000 people is taken from the list of the "
    "census of 2000.",
    "Safe Harbor also requires that nobody who releases the data actually knows that what is left could "
    "identify a person (164.514(b)(2)(ii)). No program can tell.",
)


@dataclass(frozen=True, slots=True)
class HeldBy:
    """A column that holds an identifier."""

    column: str
    reason: str
    confidence: Confidence
    cells: int
    """Filled cells that it concerns."""
    limited: bool
    """Whether a limited data set must not hold it either."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One item of the list and the columns that hold it."""

    identifier: Identifier
    columns: tuple[HeldBy, ...]

    @property
    def status(self) -> Status:
        """What was found under Safe Harbor."""
        return self._status(self.columns, unseen=self.identifier.letter == "Q")

    @property
    def limited_status(self) -> Status | None:
        """What was found under the rule for limited data sets; None if it does not list the item."""
        if self.identifier.limited is None:
            return None
        held = tuple(one for one in self.columns if one.limited)
        return self._status(held, unseen=self.identifier.letter == "Q")

    def _status(self, held: tuple[HeldBy, ...], *, unseen: bool) -> Status:
        if not held:
            return "not checked" if unseen else "none found"
        return "possible" if all(one.confidence == "possible" for one in held) else "found"

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
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
    """The identifiers of Safe Harbor and of limited data sets that a table still holds."""

    findings: tuple[Finding, ...]
    unread: tuple[str, ...]
    """Columns of free text, whose content was not searched."""
    rows: int
    inputs: tuple[tuple[str, Any], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether no Safe Harbor identifier was found, nor a column that may hold one."""
        return not self.remaining

    @property
    def remaining(self) -> tuple[Finding, ...]:
        """Items of Safe Harbor that are or may be in the table."""
        return tuple(one for one in self.findings if one.status in ("found", "possible"))

    @property
    def limited_remaining(self) -> tuple[Finding, ...]:
        """Items that a limited data set must not hold and that are or may be in the table."""
        return tuple(one for one in self.findings if one.limited_status in ("found", "possible"))

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        return {
            "kind": "table_hipaa",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.inputs),
            "seed": None,
            "versions": versions(),
            "reasons": list(self._reasons()),
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

    def _reasons(self) -> tuple[str, ...]:
        found, limited = len(self.remaining), len(self.limited_remaining)
        safe = (
            f"{found} of the 18 identifiers of Safe Harbor are or may be left: {_listed(self.remaining)}."
            if found
            else "None of the 18 identifiers of Safe Harbor was found; this is necessary, not sufficient."
        )
        rest = (
            f"{limited} of the 16 that a limited data set must not hold: {_listed(self.limited_remaining)}."
            if limited
            else "None of the 16 identifiers that a limited data set must not hold was found."
        )
        return safe, rest

    def _not_checked(self) -> tuple[str, ...]:
        if not self.unread:
            return NOT_CHECKED
        texts = (
            f"{plural(len(self.unread), 'column')} of free text ({', '.join(self.unread)}): only e-mail and "
            "web addresses, telephone and social security numbers were sought there; `reidrisk text` is for "
            "the rest."
        )
        return (texts, *NOT_CHECKED)


def _listed(findings: Sequence[Finding]) -> str:
    return ", ".join(f"({one.identifier.letter}) {one.identifier.says.split(':')[0]}" for one in findings)


OLDEST = 89
IN_A_YEAR = {"months": 12, "month": 12, "weeks": 52, "week": 52, "days": 366, "day": 366}
"""Ages are not always in years."""
CENSUS = "hhs-2000"
"""Which list of three-digit ZIP codes of at most 20,000 people is used."""
WITHOUT_STREET = ("city", "county", "postal_code", "place", "place_of_birth")
"""Places that a limited data set may hold."""

Held = tuple[str, HeldBy]
"""The letter and the column."""


def hipaa_check(table: Any) -> HipaaCheck:
    """Which of the 18 Safe Harbor and 16 limited data set identifiers a table still holds.

    Columns are told by name, pattern and uniqueness; ages, dates and ZIP codes by their values,
    of which only counts are kept. Necessary for Safe Harbor, and not sufficient.
    """
    with open_table(table) as opened:
        profiles = column_profiles(opened, expressions(), sample_rows=SAMPLE_ROWS)
        return checked(opened, [suggested(profile) for profile in profiles])


def checked(table: Table, columns: Sequence[ColumnSuggestion]) -> HipaaCheck:
    """The check of a table that is open and whose columns were judged."""
    held = [found for column in columns for found in _held(table, column)]
    findings = tuple(
        Finding(one, tuple(column for letter, column in held if letter == one.letter)) for one in IDENTIFIERS
    )
    unread = tuple(one.name for one in columns if one.kind and one.kind.key == "free_text")
    return HipaaCheck(
        findings, unread, count_rows(table), inputs=(("table", table.source),), notes=table.notes
    )


def _held(table: Table, column: ColumnSuggestion) -> Iterator[Held]:
    if column.profile.filled == 0:
        return
    yield from _strewn(column)
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
        yield kind.hipaa, HeldBy(column.name, column.reason, sure, column.profile.filled, limited)


def _strewn(column: ColumnSuggestion) -> Iterator[Held]:
    """Identifiers inside values of a column that is something else."""
    for name in strewn(column.profile):
        kind = kind_named(PATTERNS[name].kind)
        if kind.hipaa and (column.kind is None or column.kind.key != kind.key):
            cells = column.profile.patterns[name]
            looked = column.profile.looked_at
            reason = f"{PATTERNS[name].says} in {cells:,} of {plural(looked, 'value')} looked at"
            sure: Confidence = "likely" if name in ("email", "ssn") else "possible"
            yield kind.hipaa, HeldBy(column.name, reason, sure, cells, limited=True)


def _ages(table: Table, column: ColumnSuggestion) -> Iterator[Held]:
    times = next((IN_A_YEAR[word] for word in words_of(column.name) if word in IN_A_YEAR), 1)
    above = count_above(table, column.name, OLDEST * times + (times - 1))
    if above.cells:
        reason = f"{plural(above.cells, 'age')} over {OLDEST}, allowed only as one class, 90 or older"
        single = above.distinct == 1
        reason += "; they all are the same, perhaps that class" if single else ""
        sure = "possible" if single else column.confidence
        yield "C", HeldBy(column.name, reason, sure, above.cells, limited=False)


def _dates(table: Table, column: ColumnSuggestion) -> Iterator[Held]:
    cells = count_exact_dates(table, column.name)
    if cells:
        what = column.kind.says if column.kind else "a date"
        reason = f"{plural(cells, 'value')} more exact than a year ({what})"
        yield "C", HeldBy(column.name, reason, _at_least_likely(column), cells, limited=False)


def _postal(table: Table, column: ColumnSuggestion) -> Iterator[Held]:
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
        yield "B", HeldBy(column.name, "; ".join(parts), column.confidence, cells, limited=False)


def _at_least_likely(column: ColumnSuggestion) -> Confidence:
    """Whether a date is a quasi-identifier can be doubtful when that it is a date is not."""
    return "likely" if column.confidence == "possible" else column.confidence
