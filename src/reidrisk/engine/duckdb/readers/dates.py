"""Numbers and dates as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from reidrisk.core.reading import DIRECTIVES
from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.many_columns import aggregated
from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

EXACT = 2**53
"""Beyond this a double no longer holds every integer."""


def whole_numbers(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """The relation with doubles as integers where every value is whole, so that 34.0 reads 34."""
    return _narrowed(relation, "DOUBLE", "BIGINT", f"{{0}} = trunc({{0}}) AND abs({{0}}) < {EXACT}")


def whole_days(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """The relation with moments as dates where every one is a midnight."""
    return _narrowed(relation, "TIMESTAMP", "DATE", "{0} = date_trunc('day', {0})")


def times_of_day(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """The relation with moments as times where every one is on the day that spreadsheets call 0."""
    return _narrowed(relation, "TIMESTAMP", "TIME", "CAST({0} AS DATE) = DATE '1899-12-31'")


def _narrowed(relation: DuckDBPyRelation, wide: str, narrow: str, fits: str) -> DuckDBPyRelation:
    kinds = zip(relation.columns, relation.types, strict=True)
    doubtful = [name for name, kind in kinds if str(kind).startswith(wide)]
    if not doubtful:
        return relation
    tests = [f"bool_and({fits.format(quoted(name))})" for name in doubtful]
    answers = aggregated(relation, tests)
    whole = {name for name, answer in zip(doubtful, answers, strict=True) if answer}
    return relation.project(
        ", ".join(
            f"CAST({quoted(name)} AS {narrow}) AS {quoted(name)}" if name in whole else quoted(name)
            for name in relation.columns
        )
    )


SAMPLE_ROWS = 1000
SHOWN_ROWS = 5
EARLIEST, LATEST = 1000, 9999
"""Years of four digits: 22 for %Y would be a year of antiquity."""
ISO = "%Y-%m-%d"
ISO_TIME = r"[T ]\d\d:\d\d(:\d\d([.]\d+)?)?(Z|[+-]\d\d:?\d\d)?"
ISO_TEXT = rf"\d{{4}}(-\d\d(-\d\d({ISO_TIME})?)?)?"
"""ISO 8601, also with a missing day, or a missing month and day, and with a time."""
DIGITS = re.compile(r"(?:\d\D*){4}")
"""Every date has four digits or more: a day, a month and two of a year, or the four of a year."""
PART_WORDS = {"d": "day", "m": "month", "Y": "year", "y": "year"}


@dataclass(frozen=True, slots=True)
class DateForm:
    """How the dates of one column are written."""

    format: str
    is_upper: bool = False
    """Whether the names of months are in capital letters, as SAS writes them."""

    @property
    def kind(self) -> str:
        """The type of the column: dates, or dates with times."""
        return "TIMESTAMP" if {"H", "I"} & set(DIRECTIVES.findall(self.format)) else "DATE"

    @property
    def described(self) -> str:
        """The format with the order of its parts in words."""
        parts = [PART_WORDS[part] for part in DIRECTIVES.findall(self.format) if part in PART_WORDS]
        return f"{self.format} ({', '.join(parts)})" if len(parts) == 3 else self.format

    def tried(self, text: str) -> str:
        """SQL of a text as a moment; NULL if the format does not fit."""
        return f"try_strptime(trim({text}), {literal(self.format)})"

    def fits(self, text: str) -> str:
        """SQL of whether the format fits a text."""
        return f"coalesce(year({self.tried(text)}) BETWEEN {EARLIEST} AND {LATEST}, false)"

    def read(self, text: str) -> str:
        """SQL of a text as a date."""
        return f"CAST({self.tried(text)} AS {self.kind})"

    def written(self, column: str) -> str:
        """SQL of a date as a text of this form."""
        text = f"strftime({column}, {literal(self.format)})"
        return f"upper({text})" if self.is_upper else text


@cache
def _shapes() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """What dates look like, and the formats that may read them; prepared when a column may have dates."""
    times = {
        "": "",
        r" \d{1,2}:\d\d": " %H:%M",
        r" \d{1,2}:\d\d:\d\d": " %H:%M:%S",
        r"T\d\d:\d\d:\d\d": "T%H:%M:%S",
        r":\d\d:\d\d:\d\d": ":%H:%M:%S",
        r" \d{1,2}:\d\d ?[AaPp][Mm]": " %I:%M %p",
        r" \d{1,2}:\d\d:\d\d ?[AaPp][Mm]": " %I:%M:%S %p",
    }
    return tuple(
        (re.compile(days + hours), tuple(form + time for form in forms))
        for (days, forms), (hours, time) in product(_day_shapes(), times.items())
    )


def _day_shapes() -> Iterator[tuple[str, tuple[str, ...]]]:
    for mark in "/.-":
        two, at = r"\d{1,2}", re.escape(mark)
        day_first, month_first = f"%d{mark}%m", f"%m{mark}%d"
        yield rf"{two}{at}{two}{at}\d{{4}}", (f"{day_first}{mark}%Y", f"{month_first}{mark}%Y")
        yield (
            rf"{two}{at}{two}{at}\d\d",
            (f"{day_first}{mark}%y", f"{month_first}{mark}%y", f"%y{mark}{month_first}"),
        )
        yield rf"\d{{4}}{at}{two}{at}{two}", (f"%Y{mark}%m{mark}%d",)
    for mark in ("", "-", " "):
        yield rf"\d{{1,2}}{mark}[A-Za-z]{{3}}{mark}\d{{4}}", (f"%d{mark}%b{mark}%Y",)
    yield r"\d{1,2}[.]? [A-Za-z]{4,9} \d{4}", ("%d %B %Y", "%d. %B %Y")
    yield r"[A-Za-z]{3} \d{1,2}, \d{4}", ("%b %d, %Y",)
    yield r"[A-Za-z]{3,9} \d{1,2}, \d{4}", ("%B %d, %Y",)


def find_forms(
    texts: DuckDBPyRelation, names: Sequence[str], *, only_iso: bool = False
) -> dict[str, tuple[DateForm, ...]]:
    """The forms that fit every cell of each column: one if it is decided, several if it is ambiguous.

    Columns that no form fits are left out, and so are columns without a value.
    """
    if not names:
        return {}
    found = {}
    for name, values in _samples(texts, names).items():
        likely = likely_formats(values)
        forms = [one for one in likely if one.startswith(ISO)] if only_iso else likely
        fitting = _fitting(texts, name, forms) if values and forms else ()
        if fitting:
            found[name] = fitting
    return found


def likely_formats(values: Sequence[str], *, most: bool = False) -> list[str]:
    """The formats whose shape all values have, or with `most` the largest part of them."""
    if not values:
        return []
    if most:
        counts = [(sum(bool(shape.fullmatch(text)) for text in values), forms) for shape, forms in _shapes()]
        best = max(counts, key=lambda one: one[0])
        return list(best[1]) if best[0] else []
    if not all(map(DIGITS.search, values)):
        return []
    return [form for shape, forms in _shapes() if all(map(shape.fullmatch, values)) for form in forms]


def sample_of(texts: DuckDBPyRelation, name: str) -> list[str]:
    """Different filled cells of the first rows."""
    return _samples(texts, [name])[name]


def _samples(texts: DuckDBPyRelation, names: Sequence[str]) -> dict[str, list[str]]:
    head = aggregated(texts.limit(SAMPLE_ROWS), [f"list(DISTINCT {_cell(name)})" for name in names])
    found = {name: _filled(values) for name, values in zip(names, head, strict=True)}
    for name in names:
        if not found[name]:  # the first rows are empty
            filled = texts.project(f"{_cell(name)} AS c").filter("c IS NOT NULL")
            rows = filled.limit(SAMPLE_ROWS).fetchall()
            found[name] = [row[0] for row in rows]
    return found


def _filled(values: Sequence[str | None] | None) -> list[str]:
    return [text for text in values or () if text is not None]


def _fitting(texts: DuckDBPyRelation, name: str, formats: Sequence[str]) -> tuple[DateForm, ...]:
    cell = _cell(name)
    forms = [DateForm(form) for form in formats]
    pairs = list(combinations(range(len(forms)), 2))
    counts = [f"count({cell})", f"count(*) FILTER (WHERE {cell} <> upper({cell}))"]
    counts += [f"count(*) FILTER (WHERE {one.fits(cell)})" for one in forms]
    counts += [
        f"count(*) FILTER (WHERE {forms[a].tried(cell)} IS DISTINCT FROM {forms[b].tried(cell)})"
        for a, b in pairs
    ]
    filled, lower, *rest = texts.aggregate(", ".join(counts)).fetchone() or (0, 0)
    fits, differ = rest[: len(forms)], dict(zip(pairs, rest[len(forms) :], strict=True))
    kept: list[int] = []
    for at, number in enumerate(fits):
        if number == filled and all(differ[before, at] for before in kept):
            kept.append(at)
    upper = not lower
    return tuple(DateForm(forms[at].format, upper and _names_months(forms[at].format)) for at in kept)


def _names_months(form: str) -> bool:
    return bool({"b", "B"} & set(DIRECTIVES.findall(form)))


def given_form(texts: DuckDBPyRelation, name: str, form: str) -> DateForm | None:
    """The form of a column with the format that a person gave; None if it does not fit every cell."""
    found = _fitting(texts, name, [form])
    return found[0] if found else None


def given_forms(
    texts: DuckDBPyRelation, names: Sequence[str], formats: Mapping[str, str], *, place: str, lenient: bool
) -> dict[str, DateForm]:
    """The forms of columns by the formats that a person gave; the empty name means all columns.

    A column that is named must have dates of its format, unless `lenient`.
    """
    found = {}
    wanted = {name: formats.get(name, formats.get("")) for name in names}
    asked = {name: form for name, form in wanted.items() if form is not None}
    for name in _likely(texts, asked) if asked else ():
        fitted = given_form(texts, name, asked[name])
        if fitted is not None:
            found[name] = fitted
    for name in asked:
        if name in formats and name not in found and not lenient and not _is_empty(texts, name):
            fits = DateForm(formats[name]).fits(_cell(name))
            raise unreadable(texts, name, fits, what=f"a date of the format {formats[name]}", place=place)
    return found


def _likely(texts: DuckDBPyRelation, formats: Mapping[str, str]) -> list[str]:
    """The columns with a value whose first rows all fit their format."""
    parts = [
        f"count(*) FILTER (WHERE {_cell(name)} IS NOT NULL AND NOT {DateForm(form).fits(_cell(name))})"
        for name, form in formats.items()
    ]
    head = aggregated(texts.limit(SAMPLE_ROWS), parts)
    return [name for name, odd in zip(formats, head, strict=True) if not odd and not _is_empty(texts, name)]


def _is_empty(texts: DuckDBPyRelation, name: str) -> bool:
    found = texts.aggregate(f"count({_cell(name)})").fetchone()
    return not found or not found[0]


def _cell(name: str) -> str:
    """SQL of a cell as a text; NULL if it is empty."""
    return f"nullif(trim(CAST({quoted(name)} AS VARCHAR)), '')"


def iso_day(text: str) -> str:
    """SQL of the day of an ISO 8601 text: the middle of the month or year if it is partial; else NULL."""
    bare = f"trim({text})"
    day = f"left({bare}, 10) || CASE length({bare}) WHEN 7 THEN '-15' WHEN 4 THEN '-07-01' ELSE '' END"
    return f"CASE WHEN regexp_full_match({bare}, {literal(ISO_TEXT)}) THEN TRY_CAST({day} AS DATE) END"


def full_iso_day(text: str) -> str:
    """SQL of the day of an ISO 8601 text; NULL if the text does not say the day."""
    return f"CASE WHEN length(trim({text})) >= 10 THEN {iso_day(text)} END"


def unreadable(
    texts: DuckDBPyRelation, name: str, fits: str, *, what: str, place: str, advice: str = ""
) -> BadData:
    """An error with the number of cells that do not fit and their first rows, never a value."""
    cell = _cell(name)
    numbered = texts.project(f"{quoted(name)}, row_number() OVER () AS reidrisk_row")
    odd = numbered.filter(f"{cell} IS NOT NULL AND ({fits}) IS NOT TRUE")
    [number] = odd.aggregate("count(*)").fetchone() or (0,)
    rows = odd.order("reidrisk_row").limit(SHOWN_ROWS).project("reidrisk_row").fetchall()
    shown = ", ".join(str(row[0]) for row in rows)
    more = ", …" if number > SHOWN_ROWS else ""
    return BadData(
        f"{place}: {plural(number, 'cell')} of column {name!r} cannot be read as {what}: "
        f"{'row' if number == 1 else 'rows'} {shown}{more} (row 1 is the first below the header).",
        hint=f"If these cells mean that the value is missing, name what they contain: --null VALUE, or null: "
        f"in a file. {advice or 'Otherwise correct them.'}",
    )


def ambiguous(name: str, forms: Sequence[DateForm], *, place: str) -> BadData:
    """An error that names the readings of a column of dates."""
    readings = " or ".join(one.described for one in forms)
    options = " or ".join(f"--date-format {name}={one.format}" for one in forms)
    return BadData(
        f"{place}: the dates of column {name!r} are ambiguous. They can be read as {readings}, "
        "with different results.",
        hint=f"Say which it is: {options}; in a file write date_format: {{{name}: FORMAT}}.",
    )


def missing_sql(text: str, values: Sequence[str]) -> str:
    """SQL of a text, with NULL in place of the values that mean missing."""
    listed = ", ".join(literal(value.strip()) for value in values)
    return f"CASE WHEN trim({text}) IN ({listed}) THEN NULL ELSE {text} END" if values else text


def missing_counts(texts: DuckDBPyRelation, names: Sequence[str], values: Sequence[str]) -> dict[str, int]:
    """How many cells of each column are read as missing; columns without any are left out."""
    if not values or not names:
        return {}
    listed = ", ".join(literal(value.strip()) for value in values)
    tests = [f"count(*) FILTER (WHERE trim({quoted(name)}) IN ({listed}))" for name in names]
    found = aggregated(texts, tests)
    return {name: int(number) for name, number in zip(names, found, strict=True) if number}


def reading_notes(
    forms: Mapping[str, DateForm], missing: Mapping[str, int], null: Sequence[str] = ()
) -> tuple[str, ...]:
    """How cells were read, as shown to the user; `null` are the texts that the user named."""
    named = (f"texts that mean missing: {', '.join(null)}",) if null else ()
    dates = (f"column {name!r}: dates read as {form.format}" for name, form in forms.items())
    empty = (f"column {name!r}: {plural(number, 'cell')} read as missing" for name, number in missing.items())
    return (*dates, *named, *empty)
