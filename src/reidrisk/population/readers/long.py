"""Read counts in long form: area…, field…, age_lo, age_hi, n."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.engine.results import CodedColumns
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.population.gather import OLDEST, CountRows, SourceBands, gather_counts, refuse_beyond
from reidrisk.population.people import AREAS, Population, coarse_first
from reidrisk.stats.arrays import Floats

COUNT = "n"
AGES = ("age_lo", "age_hi", "age")
MODELLED = "modelled"
"""The column that says how modelled counts were computed."""
LARGEST = 2**53


@dataclass(frozen=True, slots=True)
class LongForm:
    """The role of each column, by its name in the file."""

    areas: tuple[str, ...]
    fields: tuple[str, ...]
    ages: tuple[str, ...]
    """age_lo and age_hi, or age alone, or none."""
    count: str
    modelled: tuple[str, ...] = ()
    """The column that says how modelled counts were computed, if there is one."""

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        *,
        areas: Sequence[str] | None,
        fields: Sequence[str] | None,
        source: str,
    ) -> LongForm:
        """Assign roles to columns, as specified or recognized by name."""
        known = {name.strip().casefold(): name for name in columns}
        if COUNT not in known:
            raise UnknownColumn(
                f"{source} has no column {COUNT!r} with the number of people.",
                hint=f"Long form has areas, fields, age_lo, age_hi and {COUNT}. "
                f"Columns are: {', '.join(columns)}.",
            )
        free = [name for name in known if name not in (COUNT, MODELLED, *AGES)]
        where = _wanted(areas, known, source) if areas is not None else [n for n in free if n in AREAS]
        rest = [name for name in free if name not in where]
        what = _wanted(fields, known, source) if fields is not None else rest
        both = sorted(set(where) & set(what)) or sorted({*where, *what} & {COUNT, MODELLED, *AGES})
        if both:
            raise InvalidSetting(
                f"{source}: column {both[0]!r} has two roles.",
                hint="A column can be an area, a field, an age or the count.",
            )
        return cls(
            tuple(known[name] for name in where),
            tuple(known[name] for name in what),
            _age_columns(known, source),
            known[COUNT],
            tuple(own for name, own in known.items() if name == MODELLED),
        )


def read_long(
    source: Any,
    *,
    areas: Sequence[str] | None = None,
    fields: Sequence[str] | None = None,
    open_band_years: int | None = None,
    scan: ScanSettings | None = None,
) -> Population:
    """Read a table of counts in any supported format; codes remain text, so 01 is not 1."""
    with open_table(source, settings=scan) as table:
        form = LongForm.of(table.columns, areas=areas, fields=fields, source=table.source)
        texts = (*form.areas, *form.fields, *form.modelled)
        found = table.as_stored(()).rows.columns(texts, (form.count, *form.ages))
        where, columns, notes = table.source, table.columns, _notes(table)
    if not len(found):
        raise NothingToMeasure(f"{where} has no rows.", hint="Check the file.")
    _refuse_gaps(found, (*form.areas, *form.fields), where)
    plain = {name: name.strip().casefold() for name in (*form.areas, *form.fields)}
    rows = CountRows(
        {new: tuple(map(str, found.labels[name])) for name, new in plain.items()},
        {new: found.codes[name] for name, new in plain.items()},
        _whole(found.numbers[form.count], form.count, where, most=LARGEST),
        _bands(found, form.ages, open_band_years, where),
        distinct=len(columns) == len(found.codes) + len(found.numbers),
    )
    places = [plain[name] for name in form.areas]
    if areas is None:
        places = coarse_first(places, rows.labels)
    people = gather_counts(
        rows, areas=places, fields=[plain[name] for name in form.fields], source=where, notes=notes
    )
    if rows.bands is not None and rows.bands.open.any():
        told = f"the open age band is counted as {plural(open_band_years or 1, 'year')} of birth"
        people = replace(people, notes=(*people.notes, told))
    computed = [text for name in form.modelled for text in found.labels[name] if text]
    return replace(people, modelled="; ".join(computed[:3])) if computed else people


def _notes(table: Table) -> tuple[str, ...]:
    return tuple(note for note in table.notes if note.startswith("column "))


def _wanted(names: Sequence[str], known: dict[str, str], source: str) -> list[str]:
    if isinstance(names, str):
        names = (names,)
    for name in names:
        if name.strip().casefold() not in known:
            raise UnknownColumn.among(name, list(known.values()), source=source)
    return [name.strip().casefold() for name in names]


def _age_columns(known: dict[str, str], source: str) -> tuple[str, ...]:
    given = [name for name in AGES if name in known]
    if given not in ([], ["age"], ["age_lo", "age_hi"]):
        raise BadData(
            f"{source} has the age columns {', '.join(given)}.",
            hint="Give age_lo and age_hi, or age alone for single years, or none.",
        )
    return tuple(known[name] for name in given)


def _refuse_gaps(found: CodedColumns, names: Sequence[str], source: str) -> None:
    for name in names:
        labels = found.labels[name]
        empty = [code for code, label in enumerate(labels) if label is None or not label.strip()]
        missing = int(np.isin(found.codes[name], empty).sum()) if empty else 0
        if missing:
            raise BadData(
                f"{source}: column {name!r} is empty in {plural(missing, 'row')}.",
                hint="Fill in every row, with unknown where the value is not known, and remove rows "
                "of totals.",
            )


def _whole(numbers: Floats, name: str, source: str, *, most: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Check for whole numbers of 0 or more; rows with anything else are counted and refused."""
    for wrong, what in (
        (~np.isfinite(numbers), "is empty"),
        (numbers < 0, "is negative"),
        (numbers != np.trunc(numbers), "is not a whole number"),
        (numbers > most, f"is above {most:,}"),
    ):
        number = int(np.count_nonzero(wrong))
        if number:
            raise BadData(
                f"{source}: column {name!r} {what} in {plural(number, 'row')}.",
                hint="Counts and ages must be whole numbers, 0 or more; round modelled counts first.",
            )
    return numbers.astype(np.int64)


def _bands(found: CodedColumns, names: tuple[str, ...], years: int | None, source: str) -> SourceBands | None:
    if not names:
        return None
    first = _whole(found.numbers[names[0]], names[0], source, most=OLDEST)
    if len(names) == 1:
        return SourceBands(first, first, np.zeros(len(first), dtype=np.bool_))
    upper = found.numbers[names[1]]
    unbounded = np.isnan(upper)
    if unbounded.any() and years is None:
        raise InvalidSetting(
            f"{source}: column {names[1]!r} is empty in {plural(int(unbounded.sum()), 'row')}: "
            "these age bands are open.",
            hint="Set the number of years of birth in such a band: open_band_years "
            "(--open-band-years on the command line), for example 1 for 110 and over.",
        )
    if unbounded.any():
        refuse_beyond(int(first[unbounded].max()), years or 1)
    decided = first + (years or 1) - 1
    last = np.where(
        unbounded, decided, _whole(np.where(unbounded, 0.0, upper), names[1], source, most=OLDEST)
    )
    reversed_bands = int(np.count_nonzero(last < first))
    if reversed_bands:
        raise BadData(
            f"{source}: {names[1]!r} is below {names[0]!r} in {plural(reversed_bands, 'row')}.",
            hint="age_lo is the youngest and age_hi the oldest age in the band.",
        )
    return SourceBands(first, last, unbounded)
