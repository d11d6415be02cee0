"""Of whom each stretch of a text tells: sections, narratives, rows of tables, sentences with a name."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from reidrisk.documents.detection.flow import Flow
from reidrisk.documents.detection.ids import IdMention
from reidrisk.documents.words import words

_WORDS = re.compile(r"[^\W\d_]+")
_KINDS = (
    ("subject", re.compile(r"\b(?:subject|participant|patient|usubjid|subjid|id)s?\b")),
    ("age", re.compile(r"\bage\b")),
    ("sex", re.compile(r"\b(?:sex|gender)\b")),
    ("race", re.compile(r"\b(?:race|ethnicity|ethnic|ethnic group|origin)\b")),
    ("site", re.compile(r"\b(?:site|centre|center|hospital|clinic)s?\b")),
    ("country", re.compile(r"\b(?:country|region)\b")),
)
_USUAL = words(
    """subject participant patient subjects participants patients id no number initials site centre center
    country region age years yrs year sex gender race ethnicity ethnic group date of birth death first
    last dose treatment arm reason term reported preferred verbatim start stop end day days onset
    severity serious outcome cause visit event adverse relation related action taken name city principal
    investigator unit result value test parameter status medical history duration study week time system
    organ class soc pt and"""
)
_MOST_WORDS = 60
Header = frozenset[str]
TITLES: dict[str, str] = {
    "1": r"title",
    "2": r"synopsis",
    "3": r"contents",
    "4": r"abbreviation|definition",
    "5": r"ethic",
    "6": r"investigator|administrat",
    "7": r"introduction",
    "8": r"objective",
    "9": r"plan|method|design",
    "10": r"patient|subject|participant|population|disposition",
    "11": r"efficacy",
    "12": r"safety",
    "13": r"discussion|conclusion",
    "14": r"tables|figures|graphs",
    "15": r"reference",
    "16": r"appendi",
}
"""Words that the main headings of the guideline have."""
_UNNUMBERED = {
    "synopsis": "2",
    "ethics": "5",
    "introduction": "7",
    "study objectives": "8",
    "investigational plan": "9",
    "study patients": "10",
    "study subjects": "10",
    "study participants": "10",
    "efficacy evaluation": "11",
    "safety evaluation": "12",
    "discussion and overall conclusions": "13",
    "reference list": "15",
    "appendices": "16",
}
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,5})\.?\s+(?P<title>[A-Z(\"'].*)")
_LEADERS = re.compile(r"\.{3,}|(?:\. ){3,}|…|\t\s*\d{1,4}$")
_DEPTH = 3
"""Numbers of the guideline have three parts."""
_LONGEST = 160
_LINES = 64
"""Lines that are kept: the same one is asked about again and again before the next."""
Mode = Literal["prose", "narrative", "table"]
Kind = Literal["blank", "heading", "caption", "head", "narrative"]
_CAPTION = re.compile(r"(?:Table|Listing|Figure|Appendix|Annex)\s+\d[\d.]*[A-Za-z]?\b[.:]?\s*(?P<title>.*)")
_NARRATIVE = re.compile(r"(?:Narratives?|Subject|Participant|Patient|Case)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])(?<!Dr\.)(?<!No\.)(?<!vs\.)(?<!approx\.)(?<!St\.)[ \n](?=[A-Z(])")
_FEW_WORDS = re.compile(r"[^\s;]+(?: [^\s;]+)?(?:;|\n|$)")
_LEADS_ON = re.compile(
    r"(?:\b(?:subject|participant|patient|number|and|or|no|id|of|for|to|in|by|from|with)s?\.?|[,(&/:-])\s*\Z",
    re.IGNORECASE,
)
"""The end of a line whose sentence goes on."""
_LONG_HEADING = 90
_WORDS_OF_A_SENTENCE = 10
Owners = tuple[int, ...]


def header_of(line: str) -> Header | None:
    """The kinds of columns that a line heads: words of heads only, and more than one column."""
    low = line.casefold()
    said = _WORDS.findall(low)
    if not 2 <= len(said) <= _MOST_WORDS or low.rstrip().endswith((".", ";", ":")):
        return None
    kinds = frozenset(kind for kind, pattern in _KINDS if pattern.search(low))
    usual = sum(word in _USUAL for word in said)
    if "subject" not in kinds and len(kinds) < 2:
        return None
    is_head = usual >= 0.6 * len(said) or ("\t" in line and usual >= 0.4 * len(said))
    return kinds if is_head and not re.search(r"\d{3}", low) else None


def columns_in(text: str) -> Header:
    """The kinds of columns that are named in the lines between a caption and the first row."""
    low = text.casefold()
    return frozenset(kind for kind, pattern in _KINDS if pattern.search(low))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading by its number."""

    number: tuple[int, ...]

    @property
    def section(self) -> str:
        """The section of the guideline that it opens or belongs to."""
        return ".".join(str(part) for part in self.number[:_DEPTH])


@lru_cache(maxsize=_LINES)
def heading_of(line: str) -> Heading | None:
    """The heading that a line looks like; entries of a list of contents have dots or a page behind them."""
    text = line.strip().lstrip("#").strip()
    if not text or len(text) > _LONGEST or _LEADERS.search(text):
        return None
    match = _NUMBERED.fullmatch(text)
    if match is None:
        number = _UNNUMBERED.get(text.casefold())
        return None if number is None else Heading((int(number),))
    parts = tuple(int(part) for part in match["number"].split("."))
    if not 1 <= parts[0] <= 16 or match["title"].endswith((".", ";", ",")) or "\t" in match["title"]:
        return None
    if len(parts) == 1 and not re.search(TITLES[str(parts[0])], match["title"].casefold()):
        return None
    return Heading(parts)


@lru_cache(maxsize=_LINES)
def title_of(line: str) -> str | None:
    """A heading, a caption, or an entry of a list of contents without its dots and page; None for others."""
    leaders = _LEADERS.search(line)
    title = line if leaders is None else line[: leaders.start()]
    if title.strip() and (heading_of(title) is not None or _is_caption(title)):
        return title
    return None


@dataclass(slots=True)
class Sections:
    """Follows the headings of one document."""

    section: str | None = None
    _last: tuple[int, ...] = ()
    _seen: set[tuple[int, ...]] = field(default_factory=set)

    def heading(self, line: str, following: str) -> Heading | None:
        """The heading that a line is here, if it is one; `following` is the next line."""
        found = heading_of(line)
        if found is None or _is_entry(found, heading_of(following)):
            return None
        again = found.number in self._seen and found.number[0] <= self._last[0]
        return found if again or found.number > self._last else None

    def open(self, heading: Heading) -> None:
        """Go on behind a heading."""
        self._seen.add(heading.number)
        self._last = heading.number
        self.section = heading.section


def _is_entry(found: Heading, after: Heading | None) -> bool:
    """Whether a heading follows at once that is not below this one, as in a list of contents."""
    return after is not None and after.number[: len(found.number)] != found.number


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text that tells of somebody, or of nobody."""

    start: int
    end: int
    owners: Owners = field(repr=False)
    """Participants, the most likely first; none if it tells of nobody that is known."""
    mode: Mode
    header: Header
    """Kinds of columns of the table, where it is one."""
    section: str | None
    goes_on: bool = False
    """Whether it is a further line of a row."""


@dataclass(slots=True)
class Walk:
    """Goes through a document from its first to its last line; pages take over from each other."""

    sections: Sections = field(default_factory=Sections)
    mode: Mode = "prose"
    owners: Owners = ()
    header: Header = frozenset()
    accepted: list[IdMention] = field(default_factory=list)
    """Ids of the last text that was walked through, those that are one only as a cell among them."""
    _head: str | None = None
    """Lines since the caption of a table, until its first row."""

    def aside(self) -> Walk:
        """For what stands beside the text: it is in the same section and tells of nobody yet."""
        return Walk(Sections(self.sections.section))

    def stretches(self, flow: Flow, ids: Sequence[IdMention]) -> list[Stretch]:
        """The stretches of a text in order; what they leave out is blank."""
        self.accepted = []
        found: list[Stretch] = []
        lines = [match.span() for match in re.finditer(r"[^\n]+|\n\n", flow.text[: flow.own])]
        paragraph: list[tuple[int, int]] = []
        for (start, end), (first, last) in zip(lines, _following(lines, flow.text), strict=True):
            line, after = flow.text[start:end], flow.text[first:last]
            here = between(ids, start, end)
            heading = self.sections.heading(line, after)
            kind = self._kind(line, here) if heading is None else "heading"
            if kind is not None:
                found += self._told(flow, paragraph, ids)
                paragraph = []
                if heading is not None:
                    self.sections.open(heading)
                self._take(kind, line, here)
                if kind != "blank":
                    found.append(self._stretch(start, end, self.owners))
                    self.accepted += [one for one in here if one.is_sure]
            elif self.mode == "table":
                found += self._row(flow, (start, end), here)
                _join_rows(found)
            else:
                paragraph.append((start, end))
                if not flow.is_wrapped:
                    found += self._told(flow, paragraph, ids)
                    paragraph = []
        found += self._told(flow, paragraph, ids)
        return found

    def _kind(self, line: str, here: Sequence[IdMention]) -> Kind | None:
        """What a line is if it is neither text nor a heading."""
        if line.isspace():
            return "blank"
        if _is_caption(line):
            return "caption"
        if not here and header_of(line) is not None:
            return "head"
        return "narrative" if self._opens_narrative(line, here) else None

    def _opens_narrative(self, line: str, here: Sequence[IdMention]) -> bool:
        short = len(line) <= _LONG_HEADING and not line.rstrip().endswith((".", ",", ";"))
        named = any(one.is_sure for one in here) and self.mode != "table"
        return named and short and "\t" not in line and _NARRATIVE.match(line) is not None

    def _take(self, kind: Kind, line: str, here: Sequence[IdMention]) -> None:
        """Go on behind a blank line, a heading, a caption, a head of a table or a title of a narrative."""
        people = _people([one for one in here if one.is_sure])
        if kind == "blank":
            self.owners = () if self.mode == "prose" else self.owners
        elif kind == "heading":
            self.mode, self.owners, self.header, self._head = "prose", (), frozenset(), None
            if people:
                self.mode, self.owners = "narrative", people
        elif kind == "caption":
            self.mode, self.owners, self.header, self._head = "table", (), frozenset(), ""
        elif kind == "narrative":
            self.mode, self.owners, self._head = "narrative", people, None
        else:
            known = header_of(line) or frozenset()
            self.header = known if self._head is None else self.header | known
            self._head = f"{self._head or ''}\n{line}"
            self.mode, self.owners = "table", ()

    def _row(self, flow: Flow, span: tuple[int, int], here: Sequence[IdMention]) -> list[Stretch]:
        """A line of a table: it belongs to the id in it, or goes on with the row before."""
        start, end = span
        line = flow.text[start:end]
        if self._head is not None and not here:
            if _is_sentence(line):
                self.mode, self.owners, self._head = "prose", (), None
                return self._told(flow, [span], here)
            self._head += f"\n{line}"
            return [self._stretch(start, end, ())]
        if self._head is not None:
            self.header |= columns_in(self._head)
            self._head = None
        rows = [one for one in here if one.is_sure or "subject" in self.header]
        self.accepted += rows
        if not rows and _is_sentence(line):
            self.mode, self.owners = "prose", ()
            return [self._stretch(start, end, ())]
        if not rows:
            return [replace(self._stretch(start, end, self.owners), goes_on=True)]
        found = []
        borders = [start, *(one.start for one in rows[1:]), end]
        for one, first, last in zip(rows, borders, borders[1:], strict=False):
            self.owners = one.subjects
            found.append(self._stretch(first, last, one.subjects))
        return found

    def _told(self, flow: Flow, lines: list[tuple[int, int]], ids: Sequence[IdMention]) -> list[Stretch]:
        """A paragraph: sentences belong to whom they name, others to whom the one before named."""
        if not lines:
            return []
        found = []
        teller = self.owners if self.mode == "narrative" else ()
        for first, last in _told_apart(flow.text, lines, ids):
            here = [one for one in between(ids, first, last) if one.is_sure]
            self.accepted += here
            if here:
                self.owners = tuple(dict.fromkeys((*_people(here), *teller)))
            found.append(self._stretch(first, last, self.owners))
            if teller:
                self.owners = teller
            elif here:
                self.owners = here[-1].subjects
        if self.mode == "prose" and not flow.is_wrapped:
            self.owners = ()
        return found

    def _stretch(self, start: int, end: int, owners: Owners) -> Stretch:
        return Stretch(start, end, owners, self.mode, self.header, self.sections.section)


def _following(lines: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """For each line the next one that is not blank."""
    found, after = [], (0, 0)
    for start, end in reversed(lines):
        found.append(after)
        if not text[start:end].isspace():
            after = (start, end)
    return found[::-1]


def _join_rows(found: list[Stretch]) -> None:
    """A line that goes on with the row before is one stretch with it."""
    if len(found) > 1:
        before, last = found[-2:]
        same = (before.owners, before.mode, before.header) == (last.owners, last.mode, last.header)
        if same and last.owners and last.goes_on:
            found[-2:] = [replace(before, end=last.end)]


def _people(mentions: Sequence[IdMention]) -> Owners:
    return tuple(dict.fromkeys(subject for one in mentions for subject in one.subjects))


def between(ids: Sequence[IdMention], start: int, end: int) -> Sequence[IdMention]:
    """The ids that begin in a stretch; all of them are in order."""
    first = bisect_left(ids, start, key=lambda one: one.start)
    last = bisect_left(ids, end, key=lambda one: one.start)
    return ids[first:last]


def _is_caption(line: str) -> bool:
    match = _CAPTION.fullmatch(line.strip())
    return match is not None and not match["title"].rstrip().endswith((".", ";", ","))


def _is_sentence(line: str) -> bool:
    return "\t" not in line and len(line.split()) >= _WORDS_OF_A_SENTENCE


def _told_apart(
    text: str, lines: Sequence[tuple[int, int]], ids: Sequence[IdMention]
) -> Iterator[tuple[int, int]]:
    """The sentences of a paragraph; lines that follow each other and begin with ids are rows of a list."""
    starts = {one.start for one in ids if one.is_sure}
    opens = [
        start in starts and not _LEADS_ON.search(text[max(0, start - _LONG_HEADING) : start])
        for start, _ in lines
    ]
    at = lines[0][0]
    for number, (start, _) in enumerate(lines):
        listed = opens[number] and (any(opens[number + 1 : number + 2]) or (number > 0 and opens[number - 1]))
        if listed and start > at:
            yield from _sentences(text, at, lines[number - 1][1])
            at = start
    yield from _sentences(text, at, lines[-1][1])


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in _SENTENCE.finditer(text, start, end):
        if text[match.start() - 1] == ";" and _FEW_WORDS.match(text, match.end(), end):
            continue  # a list of values
        yield at, match.start()
        at = match.end()
    if at < end:
        yield at, end
