"""The text of a block as it is searched: values that line ends and page ends tear apart are whole again."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reidrisk.detect.known.writings import fold_text
from reidrisk.documents.document import Block
from reidrisk.documents.words import words

_GAP = re.compile(r"(?P<torn>(?<=[^\W_])[-/\u2010\u2011]\s*\n\s*(?=[^\W_]))|(?P<cell>[^\S\n]*\|[^\S\n]*)|\s+")
_LAST = re.compile(r"(?<![^\W_])[^\W\d_]{2,20}$")
_LONGEST = 24
_FIRST = re.compile(r"[^\W\d_]+")
_JOINED = words(
    """twenty thirty forty fifty sixty seventy eighty ninety one two three four five six seven eight nine year
    african non half self co pre post"""
)
"""Words that keep the hyphen behind them."""
_LOOK = 200
"""Characters of the next page that are read with a page, so that what begins there is seen whole."""
_MAIN = ("body", "text")
"""Blocks of other kinds of documents that are the text itself."""
_EDGE = 3
"""Lines at the top and at the bottom of a page that may run through all pages."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Text with single blanks, tabs, line ends and blank lines, and where each character stands."""

    block: Block
    text: str = field(repr=False)
    low: str = field(repr=False)
    """The same in lower case, without accents, with spaces for all blanks."""
    offsets: array[int] = field(repr=False)
    own: int
    """Characters of this block; those after them are of the next one."""
    following: Block | None = None
    is_wrapped: bool = True
    """Whether lines end where a page ends, not where a paragraph does."""
    goes_on: bool = True
    """Whether it is part of the document's main text, not a header, a note or a bookmark."""

    def places(self, start: int, end: int) -> Iterator[tuple[Block, int, int]]:
        """Where a stretch of the text stands in its block and, behind it, in the next one."""
        for block, first, last in (
            (self.block, start, min(end, self.own)),
            (self.following, max(start, self.own), end),
        ):
            if block is not None and first < last:
                yield block, self.offsets[first], self.offsets[last - 1] + 1


def flows(blocks: Iterable[Block], *, is_wrapped: bool) -> Iterator[Flow]:
    """The blocks one at a time, each with the start of the next; lines that run through are flows apart."""
    before: Block | None = None
    here: Block | None = None
    for after in _padded(blocks):
        if here is not None:
            yield from _flows(before, here, after, is_wrapped=is_wrapped)
        before, here = here, after


def _padded(blocks: Iterable[Block]) -> Iterator[Block | None]:
    yield from blocks
    yield None


def _flows(before: Block | None, here: Block, after: Block | None, *, is_wrapped: bool) -> Iterator[Flow]:
    body, aside = _body(before, here, after) if is_wrapped else ([(0, len(here.text))], [])
    pieces = [_read(here.text, span) for span in body]
    text, offsets = _stripped(*_joined(pieces))
    own = len(text)
    main = _is_page(here) or here.name in _MAIN
    joined = after if after is not None and is_wrapped and _is_page(here) and _is_page(after) else None
    if joined is not None:
        ahead, places = _stripped(*_joined([_read(joined.text, one) for one in _body(here, joined, None)[0]]))
        tear = "" if text[-1:] in ("-", "/") else "\n"
        text += tear + ahead[:_LOOK]
        offsets.extend(places[:1] * len(tear))
        offsets.extend(places[:_LOOK])
    yield Flow(here, text, fold_text(text), offsets, own, joined, is_wrapped, main)
    for span in aside:
        line, places = _read(here.text, span)
        yield Flow(here, line, fold_text(line), places, len(line), None, is_wrapped=False, goes_on=False)


def _is_page(block: Block) -> bool:
    return block.name.startswith("page ")


def _read(text: str, span: tuple[int, int]) -> tuple[str, array[int]]:
    """A stretch of a text with blanks made one, and the offset of each character that is left."""
    start, end = span
    parts: list[str] = []
    offsets = array("q")
    at = start
    for gap in _GAP.finditer(text, start, end):
        parts.append(text[at : gap.start()])
        offsets.extend(range(at, gap.start()))
        mark = _hyphen(text, gap) if gap["torn"] else "\t" if gap["cell"] else _blank(gap[0])
        parts.append(mark)
        offsets.extend([gap.start()] * len(mark))
        at = gap.end()
    parts.append(text[at:end])
    offsets.extend(range(at, end))
    return "".join(parts), offsets


def _hyphen(text: str, gap: re.Match[str]) -> str:
    """Nothing where a hyphen parts a word, as in Ger-many; the sign itself in ids, dates and 54-year-old."""
    sign = gap[0][0]
    before = _LAST.search(text[max(0, gap.start() - _LONGEST) : gap.start()])
    after = _FIRST.match(text, gap.end())
    if sign == "/" or before is None or after is None or not after[0].islower():
        return sign
    kept = before[0].casefold() in _JOINED or after[0].startswith(("year", "old"))
    return sign if kept else ""


def _blank(gap: str) -> str:
    lines = gap.count("\n")
    if lines:
        return "\n" if lines == 1 else "\n\n"
    return "\t" if "\t" in gap else " "


def _joined(pieces: list[tuple[str, array[int]]]) -> tuple[str, array[int]]:
    text, offsets = "", array("q")
    for piece, places in pieces:
        text += piece
        offsets.extend(places)
    return text, offsets


def _stripped(text: str, offsets: array[int]) -> tuple[str, array[int]]:
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    return text[start:end], offsets[start:end]


def _body(
    before: Block | None, here: Block, after: Block | None
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The page without the lines that run through its neighbours, and these lines."""
    lines = _lines(here.text)
    running: list[tuple[int, int]] = []
    for edge, pick in ((lines[:_EDGE], slice(0, _EDGE)), (lines[-_EDGE:], slice(-_EDGE, None))):
        for neighbour in (before, after):
            if neighbour is None or not _is_page(here):
                continue
            others = [neighbour.text[slice(*span)].split() for span in _lines(neighbour.text)[pick]]
            running += [span for span in edge if _runs(here.text[slice(*span)].split(), others)]
    aside = sorted(set(running))
    body, at = [], 0
    for start, end in aside:
        body.append((at, start))
        at = end
    body.append((at, len(here.text)))
    return [span for span in body if here.text[slice(*span)].strip()], aside


def _lines(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"[^\n]*\S[^\n]*", text)]


def _runs(words: list[str], others: list[list[str]]) -> bool:
    """Whether a line is that of a neighbour, up to the number of the page."""
    for other in others:
        if len(other) == len(words):
            differ = [(one, two) for one, two in zip(words, other, strict=True) if one != two]
            if not differ or (len(differ) == 1 and all(_next(one, two) for one, two in differ)):
                return True
    return False


def _next(one: str, two: str) -> bool:
    return one.isdigit() and two.isdigit() and abs(int(one) - int(two)) == 1
