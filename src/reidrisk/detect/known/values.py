"""Known values and where a text mentions them: one pass over the text for millions of values."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.detect.finding import Finding
from reidrisk.detect.known.dates import mentioned_dates
from reidrisk.detect.known.folding import folded
from reidrisk.detect.known.index import ValueIndex
from reidrisk.detect.known.kinds import type_of
from reidrisk.detect.known.rows import Row, read_rows

CONFIDENCE = {"whole": 0.98, "piece": 0.75, "name": 0.9, "day": 0.95}
_BETWEEN_NAMES = re.compile(r"(?:,? |-|,)(?:[A-Za-z]\.? )?")
_LONGEST_GAP = 5


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a text names a value of one or more people."""

    start: int
    end: int
    rows: Sequence[int] = field(repr=False)
    """The people, by the number of their row from 0; several where the value does not tell them apart."""
    column: str
    how: str
    """`whole`, `piece` of an id, `name` for a name or a part of one, `day` for a date without its year."""


class KnownValues:
    """The values of a table, found in all their writings."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._index = ValueIndex(rows)

    @classmethod
    def read(cls, path: Path) -> KnownValues:
        """The values of a file: CSV, TSV, JSON, JSON lines, Parquet, or a list with one value a line."""
        return cls(read_rows(path))

    def find(self, text: str) -> list[Finding]:
        """Every mention as a finding; the column stands in its source."""
        found = []
        for start, end, owners in self._places(text):
            column, kind, how = self._index.about(owners[0])
            found.append(Finding(start, end, type_of(column, kind), CONFIDENCE[how], f"known:{column}"))
        return found

    def find_mentions(self, text: str) -> list[Mention]:
        """Every mention with the people it can mean; parts of a name that stand together are one mention."""
        found: list[Mention] = []
        for start, end, owners in self._places(text):
            mentions = [self._mention(start, end, owner) for owner in owners]
            joined = _joined(text, found[-1], mentions) if found else None
            if joined is None:
                found += mentions
            else:
                found[-1] = joined
        return found

    def _mention(self, start: int, end: int, owner: int) -> Mention:
        column, _, how = self._index.about(owner)
        return Mention(start, end, self._index.rows(owner), column, how)

    def _places(self, text: str) -> Iterator[tuple[int, int, Sequence[int]]]:
        """The longest known values from left to right that are whole words."""
        low = folded(text)
        places: list[tuple[int, int, Sequence[int]]] = list(self._index.matches(low))
        if self._index.has_dates:
            for start, end, meanings in mentioned_dates(low):
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


def _joined(text: str, before: Mention, mentions: list[Mention]) -> Mention | None:
    if before.how != "name" or mentions[0].how != "name" or mentions[0].start - before.end > _LONGEST_GAP:
        return None
    if not _BETWEEN_NAMES.fullmatch(text, before.end, mentions[0].start):
        return None
    for mention in mentions:
        shared = array("q", sorted(set(before.rows) & set(mention.rows)))
        if shared:
            return Mention(before.start, mention.end, shared, before.column, "name")
    return None


def _whole_word(text: str, start: int, end: int) -> bool:
    left = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    return left and (end == len(text) or not (text[end].isalnum() and text[end - 1].isalnum()))
