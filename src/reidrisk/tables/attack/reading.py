"""Read the released values of a column: which original values each one may have been."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack.columns import Compared, Extent, cover
from reidrisk.tables.attack.domain import DistinctColumn, Domain, date_interval, number_interval, spell
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import STAR, Objects

SEPARATORS = (", ", ",", "; ", ";", "|", " or ", "/")
BRACKETS = {"{": "}", "[": "]", "(": ")"}
NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class ReadableColumn:
    """A released column in comparable form."""

    compared: Compared = field(repr=False)
    unread: int
    """Number of distinct released values that match no known value."""
    empty_is_suppressed: bool
    """Whether empty cells may be any value, not only missing ones."""


@dataclass(frozen=True, slots=True, eq=False)
class _Meaning:
    """The single value that each released value means, or -1, and the sets of values of all others."""

    exact: Ints
    wider: dict[int, Ints]


def read_column(
    released: DistinctColumn, domain: Domain, counts: Ints, hierarchy: Hierarchy | None = None
) -> ReadableColumn:
    """Read a column by its hierarchy, if there is one, and otherwise by how each value is written.

    `counts` are the rows with each known value in the table to compare with. The empty cell comes after the
    released values.
    """
    is_point = has_single_values(released, domain) and hierarchy is None
    meaning = _points(released, domain) if is_point else _texts(released, domain, counts, hierarchy)
    suppressed = _is_suppressed(released, domain, counts)
    _add_empty(meaning, domain, suppressed=suppressed)
    unread = 0 if is_point else sum(not held.size for held in meaning.wider.values())
    found = cover(meaning.exact, meaning.wider, len(domain))
    if domain.kind == "category":
        return ReadableColumn(Compared(found), unread, suppressed)
    extent, unit = _extents(released, domain, meaning, is_point=is_point)
    known = np.append(domain.numbers, [np.nan] * domain.has_missing) / unit
    compared = Compared(found, extent, Extent(known, np.zeros(known.size)), is_ordered=is_point)
    return ReadableColumn(compared, unread, suppressed)


def has_single_values(released: DistinctColumn, domain: Domain) -> bool:
    """Whether released values are single numbers or times; a day includes its times."""
    if released.kind != domain.kind:
        return False
    return domain.kind == "number" or _has_times(released.values) or not _has_times(domain.numbers)


def _has_times(moments: Floats) -> bool:
    return bool(np.any(moments % 1))


def _points(released: DistinctColumn, domain: Domain) -> _Meaning:
    place = np.searchsorted(domain.numbers, released.values)
    inside = np.minimum(place, max(domain.present - 1, 0))
    same = domain.numbers[inside] == released.values if domain.present else np.zeros(place.size, np.bool_)
    return _Meaning(np.append(np.where(same, inside, -1), -1), {})


def _texts(released: DistinctColumn, domain: Domain, counts: Ints, hierarchy: Hierarchy | None) -> _Meaning:
    texts = [spell(value, released.kind) for value in released.values.tolist()]
    wider = _by_hierarchy(texts, domain, counts, hierarchy) if hierarchy else {}
    exact = np.full(len(texts) + 1, -1, dtype=np.int64)
    place = {text: at for at, text in enumerate(domain.texts)}
    for at, text in enumerate(texts):
        if at in wider:
            continue
        if text in (STAR, ""):
            wider[at] = np.arange(len(domain))
        elif text in place:
            exact[at] = place[text]
        else:
            wider[at] = _stands_for(text, domain, place)
    for at in [at for at, held in wider.items() if held.size == 1]:
        exact[at] = wider.pop(at)[0]
    return _Meaning(exact, wider)


def _is_suppressed(released: DistinctColumn, domain: Domain, counts: Ints) -> bool:
    """Whether cells were suppressed: there are more empty cells than in the other table, beyond chance."""
    rows = max(released.rows, 1)
    share = float(counts[domain.present :].sum() / max(counts.sum(), 1))
    return released.missing / rows > share + 2 * sqrt(share * (1 - share) / rows)


def _add_empty(meaning: _Meaning, domain: Domain, *, suppressed: bool) -> None:
    """An empty cell may be any value if suppressed, or else a missing value."""
    if suppressed:
        meaning.wider[meaning.exact.size - 1] = np.arange(len(domain))
    elif domain.has_missing:
        meaning.exact[-1] = domain.present


def _stands_for(text: str, domain: Domain, place: Mapping[str, int]) -> Ints:
    if domain.kind == "category":
        return _categories(text, domain, place)
    interval = number_interval(text) if domain.kind == "number" else date_interval(text)
    return NOTHING if interval is None else np.array(interval.places(domain.numbers), dtype=np.int64)


def _categories(text: str, domain: Domain, place: Mapping[str, int]) -> Ints:
    """Return values with the same prefix, or the members of a set."""
    start = text.rstrip(STAR)
    if len(start) < len(text):
        begun = _begun(start, domain)
        same = [at for at in begun if len(domain.texts[at]) == len(text)]
        return np.array(same or list(begun), dtype=np.int64)
    members = _members(text, place)
    return members if members.size else np.array(_begun(text, domain), dtype=np.int64)


def _begun(start: str, domain: Domain) -> range:
    first = bisect_left(domain.texts, start)
    return range(first, bisect_left(domain.texts, start + chr(0x10FFFF), lo=first))


def _members(text: str, known: Mapping[str, int]) -> Ints:
    inner = text[1:-1] if len(text) > 1 and BRACKETS.get(text[0]) == text[-1] else text
    for separator in SEPARATORS:
        parts = [part.strip().strip("'\"") for part in inner.split(separator)]
        if (len(parts) > 1 or inner != text) and all(part in known for part in parts):
            return np.array(sorted({known[part] for part in parts}), dtype=np.int64)
    return NOTHING


def _by_hierarchy(texts: list[str], domain: Domain, counts: Ints, hierarchy: Hierarchy) -> dict[int, Ints]:
    """Return the values under each label: at one level if that has all labels, otherwise at the lowest."""
    levels = hierarchy.on(domain.objects(), counts)
    tables = [_labels(labels) for labels in levels.labels]
    known = {at: text for at, text in enumerate(texts) if text != STAR}
    whole = next((table for table in tables if all(text in table for text in known.values())), None)
    found = {}
    for at, text in known.items():
        table = whole if whole is not None else next((one for one in tables if text in one), {})
        if text in table:
            found[at] = table[text]
    return found


def _labels(labels: Objects) -> Mapping[str, Ints]:
    under: dict[str, list[int]] = {}
    for at, label in enumerate(labels.tolist()):
        if label is not None:
            text = spell(label, "number") if isinstance(label, float) else str(label)
            under.setdefault(text, []).append(at)
    return {text: np.array(places, dtype=np.int64) for text, places in under.items()}


def _extents(
    released: DistinctColumn, domain: Domain, meaning: _Meaning, *, is_point: bool
) -> tuple[Extent, float]:
    """Return the position or range of each released value, and the range used as the unit."""
    low = np.full(meaning.exact.size, np.nan)
    if is_point:
        low[:-1] = released.values
    known = (meaning.exact >= 0) & (meaning.exact < domain.present)
    low[known] = domain.numbers[meaning.exact[known]]
    high: Floats = low.copy()
    for at, held in meaning.wider.items():
        inside = held[held < domain.present]
        if inside.size:
            low[at], high[at] = domain.numbers[inside.min()], domain.numbers[inside.max()]
    every = np.concatenate([domain.numbers, low[np.isfinite(low)]])
    unit = (float(np.ptp(every)) if every.size else 0.0) or 1.0
    return Extent((low + high) / 2 / unit, (high - low) / 2 / unit), unit
