"""Find known values, such as those of study data, however a text writes them."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.detect.finding import Finding
from reidrisk.detect.known import writings
from reidrisk.detect.known.rows import Row, ValueKind, dates_of, kind_of, read_rows, type_of
from reidrisk.detect.known.writings import Meaning, find_date_mentions, fold_text
from reidrisk.errors import MissingPackage

_NAME_PART = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
About = tuple[str, ValueKind, str]
"""Column, kind of value, and whether the written form is the whole value."""


class ValueIndex:
    """The values of all rows, indexed by their written forms and by date."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._abouts: dict[About, int] = {}
        self._about: list[About] = []
        self._about_of: array[int] = array("H")
        self._rows: list[int | array[int]] = []
        """The row of a value, or an array if there are several; most ids belong to one person."""
        self._by_date: dict[Meaning, list[int]] = {}
        self._forms: dict[str, int | list[int]] = {}
        seen: dict[tuple[str, str], tuple[int, ...]] = {}
        for number, row in enumerate(rows):
            for column, value in row:
                known = seen.get((column, value))
                if known is None:
                    seen[column, value] = known = self._add(column, value, seen)
                for owner in known:
                    self._own(owner, number)
        self._owners = list(self._forms.values())
        self._automaton = automaton_of(list(self._forms))
        self._forms = {}

    @property
    def has_dates(self) -> bool:
        """Whether any value is a date."""
        return bool(self._by_date)

    def about(self, owner: int) -> About:
        """Column and kind of a value, and whether it is the whole value."""
        return self._about[self._about_of[owner]]

    def rows(self, owner: int) -> Sequence[int]:
        """The rows that contain a value."""
        rows = self._rows[owner]
        return (rows,) if isinstance(rows, int) else rows

    def of_date(self, meaning: Meaning) -> Sequence[int]:
        """The values that are this date, or this day and month of any year."""
        return self._by_date.get(meaning, ())

    def matches(self, low: str) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Every written form in a folded text, overlapping or not, with its values."""
        if self._automaton is None:
            return
        for number, start, end in self._automaton.find_matches_as_indexes(low, overlapping=True):
            owners = self._owners[number]
            yield start, end, (owners,) if isinstance(owners, int) else owners

    def _add(self, column: str, value: str, seen: dict[tuple[str, str], tuple[int, ...]]) -> tuple[int, ...]:
        """Number a new value: one number, two for an id and its pieces, one for each part of a name."""
        kind = kind_of(column, value)
        if kind == "date":
            return self._add_date(column, value)
        if kind == "name":
            parts = [part for part in _NAME_PART.findall(fold_text(value)) if len(part) >= writings.SHORTEST]
            return tuple(self._part(column, part, seen) for part in parts)
        owners: dict[str, int] = {}
        for form, how in _writings(kind, value):
            owner = owners.get(how)
            if owner is None:
                owners[how] = owner = self._number((column, kind, how))
            self._lead(form, owner)
        return tuple(owners.values())

    def _part(self, column: str, part: str, seen: dict[tuple[str, str], tuple[int, ...]]) -> int:
        key = (f"{column}\0part", part)
        known = seen.get(key)
        if known is None:
            seen[key] = known = (self._number((column, "name", "name")),)
            self._lead(part, known[0])
        return known[0]

    def _add_date(self, column: str, value: str) -> tuple[int, ...]:
        whole, day = self._number((column, "date", "whole")), self._number((column, "date", "day"))
        for meant in dates_of(value):
            self._by_date.setdefault(meant, []).append(whole)
            self._by_date.setdefault((meant.month, meant.day), []).append(day)
        return whole, day

    def _number(self, about: About) -> int:
        if about not in self._abouts:
            self._abouts[about] = len(self._about)
            self._about.append(about)
        self._about_of.append(self._abouts[about])
        self._rows.append(-1)
        return len(self._rows) - 1

    def _lead(self, form: str, owner: int) -> None:
        known = self._forms.get(form)
        if known is None:
            self._forms[form] = owner
        elif isinstance(known, int):
            if known != owner:
                self._forms[form] = [known, owner]
        elif known[-1] != owner:
            known.append(owner)

    def _own(self, owner: int, number: int) -> None:
        rows = self._rows[owner]
        if rows == -1:
            self._rows[owner] = number
        elif isinstance(rows, int):
            if rows != number:
                self._rows[owner] = array("q", (rows, number))
        elif rows[-1] != number:
            rows.append(number)


def _writings(kind: ValueKind, value: str) -> Iterator[tuple[str, str]]:
    if kind == "age":
        yield from ((form, "whole") for form in sorted(writings.age_writings(int(value))))
    elif kind == "phone":
        digits = "".join(character for character in value if character.isdigit())
        yield from ((form, "whole") for form in (fold_text(value), *writings.phone_writings(digits)))
    elif kind == "id":
        for form, piece in writings.id_writings(value):
            if writings.is_distinctive(form):
                yield form, "piece" if piece else "whole"
    elif len(value) >= writings.SHORTEST:
        yield fold_text(value), "whole"


def automaton_of(forms: list[str]) -> Any:
    """Finds all of the forms at once; None without any."""
    if not forms:
        return None
    try:
        from ahocorasick_rs import AhoCorasick, Implementation, MatchKind
    except ImportError:
        raise MissingPackage.of_extra("ahocorasick-rs", "text") from None
    return AhoCorasick(
        forms,
        matchkind=MatchKind.Standard,
        store_patterns=False,
        implementation=Implementation.ContiguousNFA,
    )


CONFIDENCE = {"whole": 0.98, "piece": 0.75, "name": 0.9, "day": 0.95}
_BETWEEN_NAMES = re.compile(r"(?:,? |-|,)(?:[A-Za-z]\.? )?")
_LONGEST_GAP = 5


@dataclass(frozen=True, slots=True)
class ValueMention:
    """A place where a text contains a value of one or more people."""

    start: int
    end: int
    rows: Sequence[int] = field(repr=False)
    """The people, by row number from 0; several if the value does not distinguish them."""
    column: str
    how: str
    """`whole`, `piece` of an id, `name` for a name or part of one, `day` for a date without its year."""


class KnownValues:
    """Finds the values of a table in all their written forms."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._index = ValueIndex(rows)

    @classmethod
    def read(cls, path: Path) -> KnownValues:
        """Read a CSV, TSV, JSON, JSON lines or Parquet file, or a list with one value per line."""
        return cls(read_rows(path))

    def find(self, text: str) -> list[Finding]:
        """Every mention as a finding; its source names the column."""
        found = []
        for start, end, owners in self._places(text):
            column, kind, how = self._index.about(owners[0])
            found.append(Finding(start, end, type_of(column, kind), CONFIDENCE[how], f"known:{column}"))
        return found

    def find_mentions(self, text: str) -> list[ValueMention]:
        """Every mention with the people it may refer to; adjacent parts of a name are one mention."""
        found: list[ValueMention] = []
        for start, end, owners in self._places(text):
            mentions = [self._mention(start, end, owner) for owner in owners]
            joined = _join(text, found[-1], mentions) if found else None
            if joined is None:
                found += mentions
            else:
                found[-1] = joined
        return found

    def _mention(self, start: int, end: int, owner: int) -> ValueMention:
        column, _, how = self._index.about(owner)
        return ValueMention(start, end, self._index.rows(owner), column, how)

    def _places(self, text: str) -> Iterator[tuple[int, int, Sequence[int]]]:
        """The longest known values that are whole words, from left to right."""
        low = fold_text(text)
        places: list[tuple[int, int, Sequence[int]]] = list(self._index.matches(low))
        if self._index.has_dates:
            for start, end, meanings in find_date_mentions(low):
                days = [owner for meaning in meanings for owner in self._index.of_date(meaning)]
                if days:
                    places.append((start, end, days))
        done = 0
        for start, end, owners in sorted(places, key=lambda place: (place[0], -place[1])):
            if start < done or not _whole_word(text, start, end):
                continue
            if text[start].islower() and self._index.about(owners[0])[2] == "name":
                continue
            yield start, end, owners
            done = end


def _join(text: str, before: ValueMention, mentions: list[ValueMention]) -> ValueMention | None:
    if before.how != "name" or mentions[0].how != "name" or mentions[0].start - before.end > _LONGEST_GAP:
        return None
    if not _BETWEEN_NAMES.fullmatch(text, before.end, mentions[0].start):
        return None
    for mention in mentions:
        shared = array("q", sorted(set(before.rows) & set(mention.rows)))
        if shared:
            return ValueMention(before.start, mention.end, shared, before.column, "name")
    return None


def _whole_word(text: str, start: int, end: int) -> bool:
    left = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    return left and (end == len(text) or not (text[end].isalnum() and text[end - 1].isalnum()))
