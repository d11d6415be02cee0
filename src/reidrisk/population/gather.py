"""Check, add up and sort rows of counts from a source, and build a population from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.people import AgeGroups, Codes, Population
from reidrisk.stats.arrays import Bools, Ints

OLDEST = 150
"""The highest age at which a band may begin or end."""
ROOM = 2**62
"""Upper limit for the number into which the codes of all columns are packed."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceBands:
    """The age bands of the rows of a source."""

    first: Ints = field(repr=False)
    last: Ints = field(repr=False)
    """For an open band, the end that was chosen for it."""
    open: Bools = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class CountRows:
    """Rows of counts in any order; combinations may repeat."""

    labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    codes: Mapping[str, Codes] = field(repr=False)
    counts: Ints = field(repr=False)
    bands: SourceBands | None = field(default=None, repr=False)
    distinct: bool = True
    """Whether each combination should occur once; False if columns of the source are left out."""


def checked_years(given: int | None) -> int | None:
    """Check the number of years of an open band."""
    if given is not None and (isinstance(given, bool) or not isinstance(given, int) or given < 1):
        raise InvalidSetting(
            "The open age band at the top must have a whole number of years, 1 or more.",
            hint="Set open_band_years, for example 15 for 85 and over.",
        )
    return given


def refuse_beyond(first: int, years: int) -> None:
    """Refuse an open band that would end above the highest age."""
    if first + years - 1 > OLDEST:
        raise InvalidSetting(
            f"An open age band of {years} years from age {first} would end above age {OLDEST}.",
            hint=f"Set open_band_years to at most {OLDEST - first + 1}.",
        )


def gather_counts(
    rows: CountRows, *, areas: Sequence[str], fields: Sequence[str], source: str, notes: Sequence[str] = ()
) -> Population:
    """One sorted row for each combination with people; repeated rows are added up with a note."""
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
        ages = AgeGroups(first.astype(np.int16), (last - first + 1).astype(np.int16))
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


def _packed(rows: CountRows, names: Sequence[str], source: str) -> Ints:
    """The codes of all columns as one number per row."""
    packed = np.zeros(len(rows.counts), dtype=np.int64)
    room = (OLDEST + 1) ** 2
    for name in names:
        room *= len(rows.labels[name]) + 1
        if room >= ROOM:
            raise BadData(
                f"{source} has too many columns with too many values.", hint="List only the fields you need."
            )
        packed = packed * len(rows.labels[name]) + rows.codes[name]
    return packed


def _sorted(group: Ints, bands: SourceBands | None) -> tuple[Ints, Bools]:
    """The sort order of the rows, and which rows in that order repeat the one before."""
    key = group if bands is None else (group * (OLDEST + 1) + bands.first) * (OLDEST + 1) + bands.last
    if np.all(key[1:] > key[:-1]):
        return np.arange(len(key)), np.zeros(len(key), dtype=np.bool_)
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    return order, np.concatenate(([False], ordered[1:] == ordered[:-1]))


def _refuse_overlaps(group: Ints, bands: SourceBands, order: Ints, *, source: str) -> None:
    """Refuse bands of one group that share an age; an open band includes all higher ages."""
    first = bands.first[order]
    last = np.where(bands.open[order], OLDEST, bands.last[order])
    neighbours = (group[1:] == group[:-1]) & (first[1:] <= last[:-1])
    equal = (first[1:] == first[:-1]) & (last[1:] == last[:-1])
    shared = int(np.count_nonzero(neighbours & ~equal))
    if shared:
        raise BadData(
            f"{source}: {plural(shared, 'pair')} of age bands of one group share an age.",
            hint="Each age must be in only one band of its group: 0-4 and 5-9, not 0-5 and 5-9. "
            "Remove rows of totals.",
        )
