"""Find the identifiers of the HIPAA lists in a table: by names, patterns, and counts of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.core.reference_lists import POPULATION_LIMIT, RESTRICTED
from reidrisk.core.wording import plural
from reidrisk.engine.classes import count_rows
from reidrisk.engine.profile import column_profiles
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.value_checks import count_above, count_exact_dates, count_postal
from reidrisk.tables.column_kinds import Confidence, kind_named
from reidrisk.tables.column_role import ColumnSuggestion, suggested
from reidrisk.tables.column_words import words_of
from reidrisk.tables.hipaa import IDENTIFIERS, Finding, HeldBy, HipaaCheck
from reidrisk.tables.value_patterns import PATTERNS, SAMPLE_ROWS, expressions, strewn

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
