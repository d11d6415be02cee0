"""Check a table against the 18 identifiers of HIPAA Safe Harbor.

The lists are 45 CFR 164.514(b)(2)(i)(A) to (R), Safe Harbor, and 164.514(e)(2)(i) to (xvi), which a
limited data set must not contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reidrisk.core.about import own_version, versions
from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.reference_lists import POPULATION_LIMIT, RESTRICTED
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.tables.column_kinds import Confidence, kind_of_name, words_of
from reidrisk.tables.column_role import SAMPLE_ROWS, ColumnSuggestion, expressions, suggest_role
from reidrisk.tables.inside import inside_rules

Status = Literal["found", "possible", "none found", "not checked"]
FoundBy = Literal["column name", "whole values", "inside values"]
NAME: FoundBy = "column name"
WHOLE: FoundBy = "whole values"
INSIDE: FoundBy = "inside values"
EVERYWHERE = (NAME, WHOLE, INSIDE)
AFTER_A_WORD = "Inside values, only numbers after a word that says what they are, such as"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One item of the two lists."""

    letter: str
    """The letter in 164.514(b)(2)(i)."""
    limited: str | None
    """The item in 164.514(e)(2); None if a limited data set may contain it."""
    says: str
    checked: tuple[FoundBy, ...]
    """Where it can be recognized."""
    limit: str = ""
    """What cannot be recognized."""


IDENTIFIERS = (
    Identifier(
        "A",
        "i",
        "names",
        EVERYWHERE,
        "Inside values, names are recognized after a title or a label, and by a list of common first names. "
        "Rare first names, names written in small letters and names in other scripts are not recognized.",
    ),
    Identifier(
        "B",
        "ii",
        "places smaller than a state: street, city, county, postal code",
        EVERYWHERE,
        'Inside values, towns are recognized only before a state, after words such as "lives in", and in '
        "names of hospitals.",
    ),
    Identifier(
        "C",
        None,
        "dates except the year, and ages over 89",
        EVERYWHERE,
        "Inside values, dates without a year, days of the week, and short forms such as 4/23 are not "
        "recognized.",
    ),
    Identifier(
        "D",
        "iii",
        "telephone numbers",
        EVERYWHERE,
        "A number without separators counts only after a word such as phone or call.",
    ),
    Identifier("E", "iv", "fax numbers", (NAME, INSIDE), f"{AFTER_A_WORD} fax."),
    Identifier("F", "v", "e-mail addresses", EVERYWHERE),
    Identifier(
        "G",
        "vi",
        "social security numbers",
        EVERYWHERE,
        "Nine digits without hyphens count only after the words social security or SSN.",
    ),
    Identifier("H", "vii", "medical record numbers", (NAME, INSIDE), f"{AFTER_A_WORD} MRN or patient ID."),
    Identifier("I", "viii", "health plan beneficiary numbers", (NAME, INSIDE), f"{AFTER_A_WORD} member ID."),
    Identifier(
        "J",
        "ix",
        "account numbers",
        (NAME, INSIDE),
        f"{AFTER_A_WORD} account; also card numbers and IBANs.",
    ),
    Identifier(
        "K", "x", "certificate and license numbers", (NAME, INSIDE), f"{AFTER_A_WORD} driver's license."
    ),
    Identifier(
        "L",
        "xi",
        "vehicle identifiers and license plates",
        (NAME, INSIDE),
        f"{AFTER_A_WORD} license plate; also vehicle identification numbers of 17 characters.",
    ),
    Identifier(
        "M",
        "xii",
        "device identifiers and serial numbers",
        (NAME, INSIDE),
        f"{AFTER_A_WORD} serial number; also MAC addresses.",
    ),
    Identifier("N", "xiii", "web addresses (URLs)", EVERYWHERE),
    Identifier("O", "xiv", "IP addresses", EVERYWHERE),
    Identifier(
        "P", "xv", "biometric identifiers", (NAME,), "Values cannot be checked; only names of columns were."
    ),
    Identifier(
        "Q",
        "xvi",
        "full-face photographs and comparable images",
        (NAME, INSIDE),
        "Images cannot be checked; only names of columns and of image files were.",
    ),
    Identifier(
        "R",
        None,
        "any other unique identifying number, characteristic or code",
        EVERYWHERE,
        "Numbers are recognized if nearly every row has another one, or after a word such as passport or "
        "case number. Other characteristics, such as a rare occupation, cannot be checked.",
    ),
)
UNSEEN = ("P", "Q")
"""Identifiers whose values no program can recognize in a table."""
NOT_CHECKED = (
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
    found_by: FoundBy = NAME


@dataclass(frozen=True, slots=True)
class HipaaFinding:
    """One item of the list and the columns that contain it."""

    identifier: Identifier
    columns: tuple[IdentifierColumn, ...]

    @property
    def status(self) -> Status:
        """The finding under Safe Harbor."""
        return self._status(self.columns, unseen=self.identifier.letter in UNSEEN)

    @property
    def limited_status(self) -> Status | None:
        """The finding under the rule for limited data sets; None if that rule does not list the item."""
        if self.identifier.limited is None:
            return None
        held = tuple(one for one in self.columns if one.limited)
        return self._status(held, unseen=self.identifier.letter in UNSEEN)

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
            "checked_by": list(self.identifier.checked),
            "limit": self.identifier.limit or None,
            "columns": [
                {
                    "column": one.column,
                    "reason": one.reason,
                    "found_by": one.found_by,
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

    _main_table = "identifiers"
    findings: tuple[HipaaFinding, ...]
    unread: tuple[str, ...]
    """Columns of free text, in which identifiers may remain that no pattern recognizes."""
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
            f"{plural(len(self.unread), 'column')} of free text ({', '.join(self.unread)}): searched for "
            "patterns only. Sentences can identify people in other ways; use `reidrisk text`, or leave the "
            "text out."
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


@limited
def hipaa_check(
    table: Any,
    *,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> HipaaCheck:
    """List the Safe Harbor (18) and limited data set (16) identifiers that a table still contains.

    Columns are recognized by name, pattern and uniqueness; ages, dates and ZIP codes by their values.
    All values of text columns are searched for identifiers inside them. Suppressed cells are ignored,
    and only counts are kept. Passing is necessary for Safe Harbor but not sufficient.
    `limits` says how much of the machine may be used.

    >>> import pyarrow as pa
    >>> check = hipaa_check(pa.table({"zip": ["02138", "60601"], "sex": ["F", "M"]}))
    >>> check.acceptable, [one.identifier.letter for one in check.remaining]
    (False, ['B'])
    """
    with open_table(table, reading=reading) as opened:
        profiles = opened.profiles(expressions(), sample_rows=SAMPLE_ROWS)
        return check_opened(opened, [suggest_role(profile) for profile in profiles])


def check_opened(table: Table, columns: Sequence[ColumnSuggestion]) -> HipaaCheck:
    """Check an open table whose columns already have suggestions."""
    rows = table.count()
    visible = table.search.visible(tuple(column.name for column in columns))
    inside = _count_inside(table, columns, rows)
    held = [
        found
        for column in columns
        if visible[column.name]
        for found in (
            *_found_inside(column, inside.get(column.name, {}), visible[column.name]),
            *_identifiers_in(table, column, visible[column.name]),
        )
    ]
    findings = tuple(
        HipaaFinding(one, tuple(column for letter, column in held if letter == one.letter))
        for one in IDENTIFIERS
    )
    unread = tuple(one.name for one in columns if one.kind and one.kind.key == "free_text")
    return HipaaCheck(
        findings,
        unread,
        rows,
        inputs=(("table", table.source), ("searched", "all rows; suppressed and empty cells are ignored")),
        notes=table.notes,
    )


def _identifiers_in(table: Table, column: ColumnSuggestion, cells: int) -> Iterator[LetteredColumn]:
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
        how = _found_by(column)
        yield kind.hipaa, IdentifierColumn(column.name, column.reason, sure, cells, limited, how)


def _found_by(column: ColumnSuggestion) -> FoundBy:
    """Whether the name of the column or its values show what it is."""
    match = kind_of_name(column.name)
    return NAME if match and column.kind and match.kind.key == column.kind.key else WHOLE


def _count_inside(
    table: Table, columns: Sequence[ColumnSuggestion], rows: int
) -> dict[str, Mapping[str, int]]:
    """Count what is inside the values of text columns, in all rows."""
    texts = [column for column in columns if column.profile.shape == "text"]
    if rows <= SAMPLE_ROWS:
        return {column.name: column.profile.patterns for column in texts}
    searches = {name: rule.search for name, rule in inside_rules().items()}
    found = table.search.matches([column.name for column in texts], searches)
    return {name: counts for name, (_, counts) in found.items()}


def _found_inside(
    column: ColumnSuggestion, counts: Mapping[str, int], filled: int
) -> Iterator[LetteredColumn]:
    """Yield identifiers inside the values of a text column of another kind."""
    own = column.kind.hipaa if column.kind else None
    is_known = column.kind is not None and column.kind.strong
    for name, rule in inside_rules().items():
        cells = counts.get(name, 0)
        if cells and rule.letter != own and not (is_known and rule.sure == "possible"):
            reason = f"{rule.says} inside {cells:,} of {plural(filled, 'value')}"
            limited = rule.letter not in ("C", "R") and rule.kind not in WITHOUT_STREET
            yield rule.letter, IdentifierColumn(column.name, reason, rule.sure, cells, limited, INSIDE)


def _ages(table: Table, column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    times = next((IN_A_YEAR[word] for word in words_of(column.name) if word in IN_A_YEAR), 1)
    above = table.search.above(column.name, OLDEST * times + (times - 1))
    if above.cells:
        reason = f"{plural(above.cells, 'age')} over {OLDEST}, allowed only as one group, 90 or older"
        single = above.distinct == 1
        reason += "; they are all the same, perhaps that group" if single else ""
        sure = "possible" if single else column.confidence
        how = _found_by(column)
        yield "C", IdentifierColumn(column.name, reason, sure, above.cells, limited=False, found_by=how)


def _dates(table: Table, column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    cells = table.search.exact_dates(column.name)
    if cells:
        what = column.kind.says if column.kind else "a date"
        reason = f"{plural(cells, 'value')} more exact than a year ({what})"
        sure, how = _at_least_likely(column), _found_by(column)
        yield "C", IdentifierColumn(column.name, reason, sure, cells, limited=False, found_by=how)


def _postal(table: Table, column: ColumnSuggestion) -> Iterator[LetteredColumn]:
    counts = table.search.postal(column.name, sorted(RESTRICTED[CENSUS]))
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
        sure, how = column.confidence, _found_by(column)
        yield "B", IdentifierColumn(column.name, "; ".join(parts), sure, cells, limited=False, found_by=how)


def _at_least_likely(column: ColumnSuggestion) -> Confidence:
    """Return at least "likely": that it is a date is certain, even if its role is not."""
    return "likely" if column.confidence == "possible" else column.confidence
