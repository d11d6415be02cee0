"""Check a released file against the answer key of its messy table.

The file is read as plain text, without the engine, so that an error in the engine cannot hide a leak.
Leaks name columns, kinds and numbers of rows, never a value.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.stats import binom

from reidrisk.demo.messy.key import DATES, AnswerKey, FullDetail, fold
from reidrisk.errors import BadData

_NUMBER = re.compile(r"(?<![^\W_])\+?\(?\d[\d\s().+/-]*\d(?![^\W_])")
_DATE = re.compile(r"(\d{4}([-./])\d{1,2}\2\d{1,2}|\d{1,2}([-./])\d{1,2}\3\d{4})([ T][\d:.]+)?")
_SHORTEST = 7
"""A number or code with fewer characters than this is not counted: it can occur by chance."""
_SHORTEST_NAME = 6
_GROUPS = 6
"""Groups of digits in a number: a French phone number has five, with the country code six."""
_MATCHED = 20
"""Rows that must be matched with the raw file before dates are compared row by row."""
_SAME = 0.3
"""Share of equal dates in matched rows that is not chance: the first day of each week gives 1 in 7."""
_SURE = 0.001
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class KeyLeak:
    """Something that the answer key lists and that a released file still holds."""

    column: str
    """The column of the released file."""
    kind: str
    rows: int
    """Released rows that hold it."""


def leaks(released: str | Path, key: AnswerKey) -> tuple[KeyLeak, ...]:
    """Compare a released file (CSV or SAS transport) with the key; an empty answer means no leak."""
    columns, rows = read_rows(released)
    search = _Search.of(key)
    found: Counter[tuple[str, str]] = Counter()
    for row in rows:
        found.update(_row_leaks(columns, row, search))
    sources = _matched(columns, rows, key)
    for detail in key.quasi:
        at = next((at for at, name in enumerate(columns) if _same_name(name, detail.column)), None)
        if at is not None:
            cells = [detail.normal(row[at]) if at < len(row) else None for row in rows]
            found[columns[at], detail.kind] += _detail_rows(cells, sources, detail, key)
    return tuple(KeyLeak(*place, number) for place, number in sorted(found.items()) if number)


def read_rows(path: str | Path) -> tuple[list[str], list[list[str]]]:
    """Column names and cells of a file as plain text."""
    source = Path(path)
    if source.suffix.lower() == ".xpt":
        return _transport(source)
    content = source.read_bytes()
    if source.suffix.lower() not in (".csv", ".txt", ".tsv") or b"\0" in content:
        raise BadData(
            f"The checker cannot read {source.name!r}.", hint="Release the table as a CSV or XPT file."
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    header = text.partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t|", key=header.count))
    columns = next(lines, [])
    return columns, [row for row in lines if row]


def _transport(path: Path) -> tuple[list[str], list[list[str]]]:
    import pyreadstat

    content, _ = pyreadstat.read_xport(str(path), output_format="dict")
    cells = [[_text(value) for value in values] for values in content.values()]
    return list(content), [list(row) for row in zip(*cells, strict=True)]


def _text(value: object) -> str:
    if value is None or value != value:  # noqa: PLR0124  NaN is a missing number
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _same_name(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


@dataclass(frozen=True, slots=True)
class _Search:
    """The identifiers of a key, arranged so that a cell is searched quickly."""

    codes: dict[str, str]
    """Kind by number or code without separators and leading zeros."""
    texts: dict[str, dict[str, str]]
    """Kind by lower-case text, by its first word: e-mail, IP and street addresses."""
    names: dict[str, set[tuple[frozenset[str], frozenset[str]]]]
    """Words of surname and first name, by the longest word of the surname."""
    parts: dict[str, set[str]]
    """Single parts of names, by their column."""

    @classmethod
    def of(cls, key: AnswerKey) -> _Search:
        """Arrange the identifiers of a key."""
        search = cls({}, defaultdict(dict), defaultdict(set), defaultdict(set))
        for known in (one for several in key.identifiers.values() for one in several):
            last, comma, first = known.value.partition(",")
            if known.kind in ("phone", "id"):
                search.codes.update(dict.fromkeys(_whole_codes(known.value), known.kind))
            elif known.kind != "name":
                text = fold(known.value)
                search.texts[_tokens(text)[0]][text] = known.kind
            elif comma:
                words = _words(last), _words(first)
                if len("".join(words[0] | words[1])) >= _SHORTEST_NAME:
                    search.names[max(sorted(words[0]), key=len)].add(words)
            else:
                search.parts[known.column.strip().casefold()].add(fold(known.value).strip())
        return search


@lru_cache(maxsize=100_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", fold(text)))


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


@lru_cache(maxsize=100_000)
def _codes(text: str) -> frozenset[str]:
    """Numbers and codes in a text: words, neighboring groups of digits, and the whole text."""
    if _DATE.fullmatch(text.strip()):
        return frozenset()  # the digits of some dates are also the number of somebody
    found = [*_tokens(text), "".join(_tokens(text))]
    for run in _NUMBER.findall(text):
        groups = re.findall(r"\d+", run)
        spans = [(at, at + size) for at in range(len(groups)) for size in range(1, _GROUPS + 1)]
        found += ["".join(groups[start:stop]) for start, stop in spans]
    return _long_enough(found)


def _whole_codes(value: str) -> frozenset[str]:
    """An identifier without separators, and its digits alone."""
    return _long_enough(["".join(_tokens(value)), re.sub(r"\D", "", value)])


def _long_enough(codes: Iterable[str]) -> frozenset[str]:
    bare = (fold(code).lstrip("0") for code in codes if len(code) >= _SHORTEST)
    return frozenset(code for code in bare if len(code) >= _SHORTEST)


def _row_leaks(columns: Sequence[str], row: Sequence[str], search: _Search) -> set[tuple[str, str]]:
    """Column and kind of every direct identifier in a row."""
    found = set()
    cells = [(name, cell, _words(cell)) for name, cell in zip(columns, row, strict=False) if cell.strip()]
    together = {word for _, _, words in cells for word in words}
    for name, cell, words in cells:
        found |= {(name, search.codes[code]) for code in _codes(cell) & search.codes.keys()}
        found |= {(name, kind) for kind in _texts(cell, search)}
        if fold(cell).strip() in search.parts.get(name.strip().casefold(), ()):
            found.add((name, "name"))
        for word in words & search.names.keys():
            if any(last <= words and first <= together for last, first in search.names[word]):
                found.add((name, "name"))
    return found


def _texts(cell: str, search: _Search) -> Iterator[str]:
    """Kinds of the e-mail, IP and street addresses in a cell."""
    folded = fold(cell)
    for token in set(_tokens(folded)) & search.texts.keys():
        yield from (kind for text, kind in search.texts[token].items() if text in folded)


def _detail_rows(
    cells: Sequence[str | None], sources: Mapping[int, int], detail: FullDetail, key: AnswerKey
) -> int:
    """Released rows in which a column still has the full detail of the raw file."""
    if detail.kind not in DATES:
        held = Counter(cell for cell in cells if cell and cell in detail.values)
        return 0 if detail.kind == "age over 89" and _top_coded(held, detail, key) else sum(held.values())
    where = key.columns.index(detail.column)
    raw = [detail.normal(row[where]) for row in key.rows]
    pairs = [(cells[here], raw[source]) for here, source in sources.items() if cells[here]]
    if len(pairs) >= _MATCHED:
        same = sum(one == other for one, other in pairs)
        return round(same / len(pairs) * sum(map(bool, cells))) if same > _SAME * len(pairs) else 0
    return _more_than_chance([cell for cell in cells if cell], [day for day in raw if day])


def _top_coded(held: Counter[str], detail: FullDetail, key: AnswerKey) -> bool:
    """Whether 90 stands for everybody who is older."""
    where = key.columns.index(detail.column)
    before = sum(detail.normal(row[where]) == "90" for row in key.rows)
    return set(held) == {"90"} and held["90"] > before


def _matched(columns: Sequence[str], rows: Rows, key: AnswerKey) -> dict[int, int]:
    """Raw rows of released rows, where columns that the key does not list tell them apart."""
    pairs = []
    for at, name in enumerate(columns):
        raw = next((at for at, other in enumerate(key.columns) if _same_name(name, other)), None)
        if raw is None or key.columns[raw] in key.listed:
            continue
        if {_cell(row, at) for row in rows} <= {_cell(row, raw) for row in key.rows} | {""}:
            pairs.append((at, raw))
    signs: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(key.rows):
        signs[tuple(_cell(row, raw) for _, raw in pairs)].append(number)
    found = {
        number: signs.get(tuple(_cell(row, at) for at, _ in pairs), []) for number, row in enumerate(rows)
    }
    return {number: sources[0] for number, sources in found.items() if len(sources) == 1}


def _cell(row: Sequence[str], at: int) -> str:
    return _comparable(row[at]) if at < len(row) else ""


@lru_cache(maxsize=100_000)
def _comparable(cell: str) -> str:
    text = cell.strip().casefold().replace(",", ".")
    try:
        return f"{float(text):.10g}"
    except ValueError:
        return text


def _more_than_chance(cells: Sequence[str], raw: Sequence[str]) -> int:
    """Released days that are days of the raw file, if shifted dates would not agree as well."""
    if not cells:
        return 0
    held = (Counter(cells) & Counter(raw)).total()
    rng = np.random.default_rng(0)
    days = [date.fromisoformat(day) for day in raw]
    chance = max(_agreement(days, raw, len(cells), step=step, rng=rng) for step in (1, 7))
    unlikely = bool(binom.sf(held - 1, len(cells), min(chance, 0.999)) < _SURE)
    return held if held > (1 + chance) / 2 * len(cells) and unlikely else 0


def _agreement(
    days: Sequence[date], raw: Iterable[str], size: int, *, step: int, rng: np.random.Generator
) -> float:
    """Share of dates that are days of the raw file after a random shift of each."""
    shares = []
    for _ in range(5):
        drawn = rng.choice(len(days), min(size, len(days)), replace=False)
        moves = rng.choice([-1, 1], len(drawn)) * rng.integers(1, 183 // step, len(drawn)) * step
        moved = [
            (days[at] + timedelta(days=int(move))).isoformat() for at, move in zip(drawn, moves, strict=True)
        ]
        shares.append((Counter(moved) & Counter(raw)).total() / len(moved))
    return float(np.mean(shares))
