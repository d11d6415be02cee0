"""From rows of counts as a source gives them to a population: checked, added up and sorted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.people import Ages, Codes, Population
from reidrisk.stats.arrays import Bools, Ints

OLDEST = 150
"""No band begins or ends above this age."""
ROOM = 2**62
"""Codes of all columns are packed into one number below this."""


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """The age bands of rows as a source writes them."""

    first: Ints = field(repr=False)
    last: Ints = field(repr=False)
    """Of an open band: as far as somebody decided."""
    open: Bools = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Counts in any order; combinations may repeat."""

    labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    codes: Mapping[str, Codes] = field(repr=False)
    counts: Ints = field(repr=False)
    bands: Bands | None = field(default=None, repr=False)
    distinct: bool = True
    """Whether each combination should be there once; False where columns of the source are left out."""


def checked_years(given: int | None) -> int | None:
    """The number of years of an open band, if it makes sense."""
    if given is not None and (isinstance(given, bool) or not isinstance(given, int) or given < 1):
        raise InvalidSetting(
            "The open age band at the top holds a whole number of years, 1 or more.",
            hint="Set open_band_years, for example 15 for 85 and over.",
        )
    return given


def refuse_beyond(first: int, years: int) -> None:
    """An open band that would hold people older than anybody."""
    if first + years - 1 > OLDEST:
        raise InvalidSetting(
            f"An open age band of {years} years from {first} on would go beyond the age of {OLDEST}.",
            hint=f"Set open_band_years to at most {OLDEST - first + 1}.",
        )


def gathered(
    rows: Rows, *, areas: Sequence[str], fields: Sequence[str], source: str, notes: Sequence[str] = ()
) -> Population:
    """One row for each combination that has people, sorted; equal rows are added up with a note."""
    group = _packed(rows, (*areas, *fields), source)
    order, same = _sorted(group, rows.bands)
    if rows.bands is not None:
        _refuse_overlaps(group[order], rows.bands, order, source=source)
    starts = np.flatnonzero(~same)
    counts = np.add.reduceat(rows.counts[order], starts) if len(order) else rows.counts
    twice = len(order) - len(starts)
    odd = twice and rows.distinct
    told = (f"rows of the same group and age were added up: {twice:,}",) if odd else ()
    kept = order[starts][counts > 0]
    ages = None
    if rows.bands is not None:
        first, last = rows.bands.first[kept], rows.bands.last[kept]
        ages = Ages(first.astype(np.int16), (last - first + 1).astype(np.int16))
    return Population(
        areas=tuple(areas),
        fields=tuple(fields),
        labels={name: rows.labels[name] for name in (*areas, *fields)},
        codes={name: rows.codes[name][kept] for name in (*areas, *fields)},
        counts=counts[counts > 0],
        ages=ages,
        source=source,
        notes=(*notes, *told),
    )


def _packed(rows: Rows, names: Sequence[str], source: str) -> Ints:
    """The codes of all columns as one number a row."""
    packed = np.zeros(len(rows.counts), dtype=np.int64)
    room = (OLDEST + 1) ** 2
    for name in names:
        room *= len(rows.labels[name]) + 1
        if room >= ROOM:
            raise BadData(
                f"{source} has too many columns with too many values.", hint="Name the fields you need."
            )
        packed = packed * len(rows.labels[name]) + rows.codes[name]
    return packed


def _sorted(group: Ints, bands: Bands | None) -> tuple[Ints, Bools]:
    """An order of the rows, and which of them in that order equal the one before."""
    key = group if bands is None else (group * (OLDEST + 1) + bands.first) * (OLDEST + 1) + bands.last
    if np.all(key[1:] > key[:-1]):
        return np.arange(len(key)), np.zeros(len(key), dtype=np.bool_)
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    return order, np.concatenate(([False], ordered[1:] == ordered[:-1]))


def _refuse_overlaps(group: Ints, bands: Bands, order: Ints, *, source: str) -> None:
    """Bands of one group may not share an age; an open band shares with everything above it."""
    first = bands.first[order]
    last = np.where(bands.open[order], OLDEST, bands.last[order])
    neighbours = (group[1:] == group[:-1]) & (first[1:] <= last[:-1])
    equal = (first[1:] == first[:-1]) & (last[1:] == last[:-1])
    shared = int(np.count_nonzero(neighbours & ~equal))
    if shared:
        raise BadData(
            f"{source}: {plural(shared, 'pair')} of age bands of one group share an age.",
            hint="Each age belongs to one band of its group: 0-4 and 5-9, not 0-5 and 5-9. "
            "Remove rows of totals.",
        )
