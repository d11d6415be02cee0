"""Where the figures of a report come from: each one leads to a field of the JSON file.

A document is built twice, from plain values and from values that leave marks (`traced`). The plain document
is the report; the other one only tells which field stands behind which letters. On a page each figure has a
hidden id and the path of its field. The annex lists all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from html import escape
from itertools import count
from operator import itemgetter
from typing import Any

from reidrisk.core.audience import INTERNAL_TEXT
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Block, Chapter, Formula, Prose, References, ReportDocument, Signature
from reidrisk.report.numbers import count as count_text
from reidrisk.report.parts import Column, Table
from reidrisk.report.traced import (
    ENTRIES,
    KEY,
    NONE_OF,
    NUMBER,
    NUMBER_OF,
    Calculation,
    FigureMark,
    JsonField,
    Origin,
    Trace,
    TracedNumber,
    TracedText,
    fields_of,
    path_text,
)

TITLE = "Where the figures come from"
NAME = "origins"
MOST_WRITTEN = 4
"""A calculation with more fields is not written out."""
MOST_ALIKE = 3
"""More fields that differ only in their place in a list are one path with [*]."""
MOST_PATHS = 6
SAME = " = "
"""Between the ids of a figure that is shown in several places."""
MOST_IN_ROW = 10
"""Figures in a row of the list."""
_PLACE = re.compile(r"\[(\d+)\]")
LONGEST = 60
"""Longer texts are cut in the list."""
ABOUT = (
    "Every figure of the report and of this annex, in the order of reading, with the field of the JSON file "
    "that it comes from. On the page of the report, each figure has the id in the first column and the path "
    "of its field. A figure that is shown in several places is listed where it is first, as f1 = f9."
)
DIGITS = "The last column is empty, or left out, where the figures that are shown have all digits."
OF_SHARED = "The fields are those that may be passed on. If single results were given, each is a part."
OF_SIGNATURES = "Figures of signatures come from the files in the folder signatures, beside the JSON file."
HOW_TO_READ = (
    "Paths begin at the top of the JSON file; [0] is the first entry of a list, [*] stands for all of them. "
    "A figure that was calculated from fields is shown with its calculation."
)
IN_ANNEX = "For those who check the report: where each of its figures comes from."
NOT_TRACED = "The figures of this report could not be traced to fields of the JSON file."


Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that a report shows, and where it comes from."""

    id: str
    chapter: str
    text: str
    """As it is shown; the title of a chart."""
    origin: Origin | tuple[JsonField, ...]
    """Several fields for a chart."""
    value: float | str | None = None
    """With all digits; None for a chart."""
    form: str = ""
    """How the number was formatted."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields that it comes from."""
        origin = self.origin
        return _paths(origin if isinstance(origin, tuple) else tuple(fields_of(origin)))

    @property
    def source(self) -> str:
        """The field, the calculation, or all fields if they are many."""
        origin = self.origin
        if isinstance(origin, JsonField):
            return path_text(origin.steps)
        if isinstance(origin, Calculation) and (text := _calculation(origin)):
            return text
        return f"{'drawn' if isinstance(origin, tuple) else 'calculated'} from {', '.join(self.paths)}"


def _paths(found: Sequence[JsonField]) -> tuple[str, ...]:
    """Each path once; entries of one list, and what is too much to name, by what they have in common."""
    steps = list(dict.fromkeys(one.steps for one in found))
    alike: dict[Steps, list[Steps]] = {}
    for one in steps:
        alike.setdefault(tuple(-1 if isinstance(step, int) else step for step in one), []).append(one)
    steps = [path for own in alike.values() for path in ([_shape(own)] if len(own) > MOST_ALIKE else own)]
    while len(steps) > MOST_PATHS:
        longest = max(map(len, steps))
        steps = list(dict.fromkeys(one[:-1] if len(one) == longest else one for one in steps))
    return tuple(map(path_text, steps))


def _shape(alike: Sequence[Steps]) -> Steps:
    """Paths as one, with * where they differ."""
    return tuple(same[0] if len(set(same)) == 1 else "*" for same in zip(*alike, strict=True))


def _calculation(origin: Origin | float) -> str:
    """A calculation as a formula; empty if it has too many fields."""
    if isinstance(origin, JsonField):
        return path_text(origin.steps)
    if not isinstance(origin, Calculation):
        return f"{origin:g}"
    if sum(1 for _ in zip(fields_of(origin), range(MOST_WRITTEN + 1), strict=False)) > MOST_WRITTEN:
        return ""
    parts = [
        f"({text})" if isinstance(one, Calculation) and one.sign in "+-*/%" else text
        for one in origin.parts
        if (text := _calculation(one))
    ]
    if origin.sign in (ENTRIES, NUMBER_OF, NONE_OF, KEY):
        return f"{origin.sign} {', '.join(parts)}"
    return f" {origin.sign} ".join(parts) if len(parts) > 1 else f"{origin.sign} {parts[0]}"


class FigureText(str):
    """A text of a report that knows its figures. On a page they get their ids; elsewhere it is a text."""

    figures: tuple[tuple[int, int, Figure], ...]
    """From where to where each figure reaches, in their order."""

    @classmethod
    def of(cls, text: str, figures: Sequence[tuple[int, int, Figure]]) -> FigureText:
        """A text with its figures."""
        made = cls(text)
        made.figures = tuple(figures)
        return made

    def __html__(self) -> str:
        """The text for a page, as templates ask for it."""
        html, last = "", 0
        for start, end, figure in self.figures:
            fields = escape(" ".join(figure.paths))
            shown = escape(self[start:end])
            html += escape(self[last:start]) + f'<span id="{figure.id}" data-field="{fields}">{shown}</span>'
            last = end
        return html + escape(self[last:])

    def strip(self, chars: str | None = None, /) -> str:
        """Without the spaces around it, which mark rows that belong to the row above."""
        text = super().strip(chars)
        before = len(self) - len(self.lstrip(chars))
        moved = [(start - before, end - before, one) for start, end, one in self.figures]
        return FigureText.of(text, [(max(start, 0), min(end, len(text)), one) for start, end, one in moved])


def with_figures(built: ReportDocument, marked: ReportDocument, trace: Trace) -> ReportDocument:
    """The report with ids for its figures, and with the list of them in its annex."""
    reader = _Reader(trace)
    shown = reader.document(built, marked)
    return _with_list(shown, _listed(reader.found, is_shared=built.audience != INTERNAL_TEXT))


def without_figures(built: ReportDocument) -> ReportDocument:
    """The report without ids; its annex says so."""
    return _with_list(built, (Prose((NOT_TRACED,)),))


def _with_list(shown: ReportDocument, blocks: tuple[Block, ...]) -> ReportDocument:
    about = Chapter("about", "About this annex", (Prose((IN_ANNEX,)),), is_appendix=True)
    annex = shown.annex or replace(shown, title=f"Annex: {shown.title}", chapters=(about,), is_annex=True)
    listed = Chapter(NAME, TITLE, blocks, is_appendix=True)
    return replace(shown, annex=replace(annex, chapters=(*annex.chapters, listed)))


def _listed(found: Sequence[Figure], *, is_shared: bool) -> tuple[Block, ...]:
    """A table for each chapter that has figures; a figure that is shown again is listed where it is first."""
    same: dict[tuple[str, str], list[Figure]] = {}
    for one in found:
        same.setdefault((one.source, one.text), []).append(one)
    chapters: dict[str, list[list[Figure]]] = {}
    for own in same.values():
        chapters.setdefault(own[0].chapter, []).append(own)
    tables = (_table(title, own, is_shared=is_shared) for title, own in chapters.items())
    is_signed = any(one.source.startswith("signatures[") for one in found)
    notes = (*((OF_SHARED,) if is_shared else ()), *((OF_SIGNATURES,) if is_signed else ()))
    digits = () if is_shared else (DIGITS,)
    return (Prose((ABOUT, HOW_TO_READ, *digits, *notes)), *tables)


def _table(title: str, found: Sequence[Sequence[Figure]], *, is_shared: bool) -> Table:
    """The figures of a chapter, each with all places where it is shown.

    A shared report does not give more digits than it shows.
    """
    ids = {own[0].id: SAME.join(one.id for one in own) for own in found}
    rows = []
    for own in _alike([one for one, *_ in found]):
        shown = _listed_once(_cut(one.text) for one in own)
        names, sources = ", ".join(ids[one.id] for one in own), _sources([one.source for one in own])
        rows.append((names, shown, sources, *([] if is_shared else [_values_text(own)])))
    heads = ["ids", "shown", "field of the JSON file"]
    heads += ["all digits"] if any(row[3:] not in ((), ("",)) for row in rows) else []
    return Table(
        title,
        f"Figures: {count_text(len(found))}. Entries of one list share a row; ids, figures, places in the "
        "list and values are in the same order.",
        tuple(Column(head, is_prose=True) for head in heads),
        tuple(row[: len(heads)] for row in rows),
    )


def _alike(found: Sequence[Figure]) -> Iterator[list[Figure]]:
    """Figures whose sources differ at most in the place in one list, a few at a time."""
    groups: dict[tuple[str, ...], list[Figure]] = {}
    for one in found:
        *first, last = _PLACE.split(one.source)
        groups.setdefault((*first[:-1], last) if first else (last,), []).append(one)
    for own in groups.values():
        for at in range(0, len(own), MOST_IN_ROW):
            yield own[at : at + MOST_IN_ROW]


def _sources(sources: Sequence[str]) -> str:
    """Sources that differ in the place in one list as one.

    >>> _sources(["rows[3].share", "rows[7].share"])
    'rows[3, 7].share'
    """
    if len(set(sources)) == 1:
        return sources[0]
    *_, last = _PLACE.finditer(sources[0])
    places = ", ".join(_PLACE.findall(one)[-1] for one in sources)
    return f"{sources[0][: last.start(1)]}{places}{sources[0][last.end(1) :]}"


def _listed_once(texts: Iterable[str]) -> str:
    """Texts in their order; one if all are the same."""
    found = list(texts)
    return found[0] if len(set(found)) == 1 else "; ".join(found)


def _values_text(own: Sequence[Figure]) -> str:
    """The values with all digits; empty if the figures that are shown have them."""
    if all(_shows_all(one) for one in own):
        return ""
    return _listed_once(_value_text(one) for one in own)


def _shows_all(figure: Figure) -> bool:
    if figure.value is None or isinstance(figure.value, str):
        return figure.value in (None, figure.text)
    return json.dumps(figure.value) == figure.text.replace(",", "")


def _value_text(figure: Figure) -> str:
    if figure.value is None:
        return ""
    is_same = figure.value == figure.text
    return "the same text" if is_same else _cut(json.dumps(figure.value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


Place = tuple[int, int, FigureMark]


class _Reader:
    """Reads both documents side by side and numbers the figures."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.found: list[Figure] = []
        self.chapter = "Title page"
        self.numbers = count(1)
        self.by_number: dict[str, list[str]] = {}
        """The texts of the JSON file by the numbers in them, the longest first."""
        for text in sorted(trace.texts, key=len, reverse=True):
            for number in set(NUMBER.findall(text)):
                self.by_number.setdefault(number, []).append(text)

    def document(self, built: ReportDocument, marked: ReportDocument) -> ReportDocument:
        """A document with its annex."""
        self.chapter = "Title page"
        head = {
            name: self.part(getattr(built, name), getattr(marked, name))
            for name in ("subtitle", "facts", "seals")
        }
        chapters = tuple(map(self.read_chapter, built.chapters, marked.chapters))
        annex = built.annex
        if annex is not None and marked.annex is not None:
            annex = self.document(annex, marked.annex)
        return replace(built, **head, chapters=chapters, annex=annex)

    def read_chapter(self, built: Chapter, marked: Chapter) -> Chapter:
        """The blocks of a chapter."""
        self.chapter = built.title
        return replace(built, blocks=self.part(built.blocks, marked.blocks))

    def part(self, built: Any, marked: Any) -> Any:
        """A text, a block or a part of one; what differs without its marks stays as it is."""
        if isinstance(built, str):
            return self.text(built, marked) if isinstance(marked, str) else built
        if isinstance(built, tuple):
            if not isinstance(marked, tuple) or len(built) != len(marked):
                return built
            return tuple(map(self.part, built, marked))
        if isinstance(built, Chart):
            return self.chart(built, marked)
        if not is_dataclass(built) or isinstance(built, type | Formula | References | Signature):
            return built
        return self.fields(built, marked)

    def fields(self, built: Any, marked: Any, *, only: Sequence[str] = ()) -> Any:
        """A dataclass whose texts were read."""
        changed = {}
        for name in only or [one.name for one in fields(built)]:
            before = getattr(built, name)
            after = self.part(before, getattr(marked, name))
            if after is not before:
                changed[name] = after
        return replace(built, **changed) if changed else built

    def chart(self, built: Chart, marked: Chart) -> Chart:
        """A chart: the figures of its texts, and behind its caption the fields that it draws."""
        shown: Chart = self.fields(built, marked, only=("title", "caption"))
        drawn = tuple(dict.fromkeys(_drawn(marked.draw)))
        if not drawn:
            return shown
        end = len(shown.caption)
        one = Figure(f"f{next(self.numbers)}", self.chapter, f"chart: {built.title}", drawn)
        self.found.append(one)
        own = shown.caption.figures if isinstance(shown.caption, FigureText) else ()
        return replace(shown, caption=FigureText.of(shown.caption, (*own, (end, end, one))))

    def text(self, built: str, marked: str) -> str:
        """A text with the figures that the marks tell, and those that stand in a text of the JSON file."""
        if isinstance(marked, TracedText):
            places = [(0, len(built), FigureMark(marked.origin, built, ""))]
        else:
            same, places = self.trace.read(marked)
            places = places if same == built else []
        places += self.quoted(built, places)
        if not places:
            return built
        places.sort(key=itemgetter(0, 1))
        return FigureText.of(built, [self.figure(built, one) for one in places])

    def figure(self, text: str, place: Place) -> tuple[int, int, Figure]:
        """A figure with the next id."""
        start, end, mark = place
        id_ = f"f{next(self.numbers)}"
        one = Figure(id_, self.chapter, text[start:end], mark.origin, mark.value, mark.form)
        self.found.append(one)
        return start, end, one

    def quoted(self, text: str, known: Sequence[Place]) -> list[Place]:
        """Texts of the JSON file in a longer text, such as a list of them, or a part of such a text."""
        found = list(known)
        for number in NUMBER.finditer(text):
            if _is_free(number.start(), number.end(), found):
                place = self.quote(text, number.span(), found)
                found += [] if place is None else [place]
        return found[len(known) :]

    def quote(self, text: str, number: tuple[int, int], found: Sequence[Place]) -> Place | None:
        """The text of the JSON file that a number stands in; the longest that fits."""
        start, end = number
        candidates = self.by_number.get(text[start:end], ())
        for one in candidates:
            at = text.find(one, max(0, end - len(one)), start + len(one))
            is_recognizable = one == text or len(one) - (end - start) >= LEAST_WORDS
            if at >= 0 and is_recognizable and _is_free(at, at + len(one), found):
                return at, at + len(one), FigureMark(self.trace.texts[one], one, "")
        whole = next((one for one in reversed(candidates) if text in one), None)
        if whole is None or found or len(text) < LEAST_PART:
            return None
        return 0, len(text), FigureMark(self.trace.texts[whole], whole, "")


LEAST_WORDS = 4
"""Letters beside its number that make a text of the JSON file recognizable in a longer one."""
LEAST_PART = 20
"""Letters that make a part of a text of the JSON file recognizable."""


def _is_free(start: int, end: int, found: Sequence[Place]) -> bool:
    return not any(one_start < end and start < one_end for one_start, one_end, _ in found)


def _drawn(given: Any) -> Iterator[JsonField]:
    """The fields of everything that a chart draws."""
    if isinstance(given, TracedNumber | TracedText):
        yield from fields_of(given.origin)
    elif isinstance(given, partial):
        yield from _drawn(given.keywords)
    elif isinstance(given, dict):
        yield from _drawn(tuple(given.values()))
    elif isinstance(given, list | tuple):
        for one in given:
            yield from _drawn(one)
    elif is_dataclass(given) and not isinstance(given, type):
        yield from _drawn(tuple(getattr(given, one.name) for one in fields(given)))
