"""What each released value of a column may stand for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from math import sqrt
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.columns import Compared, Extent
from reidrisk.stats.attack.covers import cover
from reidrisk.tables.attack.domain import Domain, as_number, is_number, spelled
from reidrisk.tables.attack.intervals import date_interval, number_interval
from reidrisk.tables.hierarchy.chain import STAR, Objects
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

SEPARATORS = (", ", ",", "; ", ";", "|", " or ", "/")
BRACKETS = {"{": "}", "[": "]", "(": ")"}
NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """The distinct values of a released column and what is known about them."""

    column: str
    values: Objects = field(repr=False)
    missing: float
    """Share of empty cells in the release."""
    rows: int
    known_missing: float
    """Share of empty cells in the table that the release is held against."""
    counts: Ints = field(repr=False)
    """Rows of that table with each known value."""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A column made comparable."""

    compared: Compared = field(repr=False)
    unread: int
    """Distinct released values that stand for nothing known."""
    empty_is_suppressed: bool
    """Whether an empty cell may be any value, rather than a value that was missing before."""


def read_column(released: Released, domain: Domain, hierarchy: Hierarchy | None = None) -> Read:
    """By the hierarchy, if there is one, and otherwise by the way each value is written."""
    wider = _by_hierarchy(released, domain, hierarchy) if hierarchy else {}
    exact = np.full(released.values.size, -1, dtype=np.int64)
    suppressed = _is_suppressed(released)
    place = _places(domain)
    for at, value in enumerate(released.values.tolist()):
        if at in wider:
            continue
        if value is None and not suppressed:
            wider[at] = np.array([domain.present]) if domain.has_missing else NOTHING
        elif value is None or (isinstance(value, str) and value.strip() in (STAR, "")):
            wider[at] = np.arange(len(domain.values))
        elif (found := place.get(_key(value, domain), -1)) >= 0:
            exact[at] = found
        else:
            wider[at] = _stands_for(value, domain, place)
    for at in [at for at, held in wider.items() if held.size == 1]:
        exact[at] = wider.pop(at)[0]
    unread = sum(not held.size and not _is_point(released.values[at], domain) for at, held in wider.items())
    found_cover = cover(exact, wider, len(domain.values))
    if domain.kind == "category":
        return Read(Compared(found_cover), unread, suppressed)
    extent, span = _extents(released, domain, exact, wider)
    known = np.append(domain.numbers, [np.nan] * domain.has_missing) / span
    compared = Compared(
        found_cover,
        extent,
        Extent(known, np.zeros(known.size)),
        is_ordered=hierarchy is None and _all_points(released.values, domain),
    )
    return Read(compared, unread, suppressed)


def _is_suppressed(released: Released) -> bool:
    """More empty cells than the other table has, by more than chance: cells were suppressed."""
    share = released.known_missing
    return released.missing > share + 2 * sqrt(share * (1 - share) / max(released.rows, 1))


def _places(domain: Domain) -> dict[Any, int]:
    keys = domain.texts if domain.kind == "category" else domain.numbers.tolist()
    return {key: at for at, key in enumerate(keys)}


def _key(value: Any, domain: Domain) -> Any:
    if domain.kind == "category":
        return spelled(value)
    return as_number(value) if _is_point(value, domain) else None


def _is_point(value: Any, domain: Domain) -> bool:
    """Whether it is a number or a day as it is, known or not; an empty cell is one too."""
    if value is None:
        return True
    if domain.kind == "date":
        return isinstance(value, date)
    return domain.kind == "number" and is_number(value)


def _all_points(values: Objects, domain: Domain) -> bool:
    return all(_is_point(value, domain) for value in values.tolist())


def _stands_for(value: Any, domain: Domain, place: Mapping[Any, int]) -> Ints:
    text = spelled(value)
    if domain.kind == "category":
        return _categories(text, domain, place)
    if domain.kind == "number" and is_number(value):
        return NOTHING
    interval = number_interval(text) if domain.kind == "number" else date_interval(text)
    return NOTHING if interval is None else np.array(interval.places(domain.numbers), dtype=np.int64)


def _categories(text: str, domain: Domain, place: Mapping[Any, int]) -> Ints:
    """Values that begin alike, or the members of a set."""
    start = text.rstrip(STAR)
    if len(start) < len(text):
        begun = _begun(start, domain)
        same = [at for at in begun if len(domain.texts[at]) == len(text)]
        return np.array(same or list(begun), dtype=np.int64)
    members = _members(text, place)
    return members if members.size else np.array(_begun(text, domain), dtype=np.int64)


def _begun(start: str, domain: Domain) -> range:
    first = bisect_left(domain.texts, start)
    last = bisect_left(domain.texts, start + chr(0x10FFFF), lo=first)
    return range(first, last)


def _members(text: str, known: Mapping[Any, int]) -> Ints:
    inner = text[1:-1] if len(text) > 1 and BRACKETS.get(text[0]) == text[-1] else text
    for separator in SEPARATORS:
        parts = [part.strip().strip("'\"") for part in inner.split(separator)]
        if (len(parts) > 1 or inner != text) and all(part in known for part in parts):
            return np.array(sorted({known[part] for part in parts}), dtype=np.int64)
    return NOTHING


def _by_hierarchy(released: Released, domain: Domain, hierarchy: Hierarchy) -> dict[int, Ints]:
    """The values under each label: on one level if that explains all labels, else on the lowest."""
    levels = hierarchy.on(domain.values, released.counts)
    tables = [_labels(labels) for labels in levels.labels]
    texts = {
        at: spelled(value)
        for at, value in enumerate(released.values.tolist())
        if value is not None and spelled(value) != STAR
    }
    whole = next((table for table in tables if all(text in table for text in texts.values())), None)
    found = {}
    for at, text in texts.items():
        table = whole if whole is not None else next((one for one in tables if text in one), {})
        if text in table:
            found[at] = table[text]
    return found


def _labels(labels: Objects) -> Mapping[str, Ints]:
    under: dict[str, list[int]] = {}
    for at, label in enumerate(labels.tolist()):
        if label is not None:
            under.setdefault(spelled(label), []).append(at)
    return {text: np.array(places, dtype=np.int64) for text, places in under.items()}


def _extents(
    released: Released, domain: Domain, exact: Ints, wider: Mapping[int, Ints]
) -> tuple[Extent, float]:
    """Where each released value lies, at a number or between two, and the range that is their unit."""
    low, high = np.full(exact.size, np.nan), np.full(exact.size, np.nan)
    known = (exact >= 0) & (exact < domain.present)
    low[known] = high[known] = domain.numbers[exact[known]]
    for at, held in wider.items():
        inside = held[held < domain.present]
        value = released.values[at]
        if inside.size:
            low[at], high[at] = domain.numbers[inside.min()], domain.numbers[inside.max()]
        elif value is not None and _is_point(value, domain):
            low[at] = high[at] = as_number(value)
    every = np.concatenate([domain.numbers, low[np.isfinite(low)], high[np.isfinite(high)]])
    span = float(np.ptp(every)) if every.size else 0.0
    unit = span or 1.0
    return Extent((low + high) / 2 / unit, (high - low) / 2 / unit), unit
