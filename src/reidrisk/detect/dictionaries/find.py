"""Find names, places and facilities by word lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.detect.dictionaries.addresses import find_addresses
from reidrisk.detect.dictionaries.lexicon import Lexicon, WordKind, english
from reidrisk.detect.dictionaries.names import find_last_first_names, is_title, name
from reidrisk.detect.dictionaries.places import Segment, place, place_from_context
from reidrisk.detect.dictionaries.recase import has_no_capitals, recase
from reidrisk.detect.dictionaries.runs import (
    FACILITY,
    FACILITY_HEAD,
    FACILITY_LINKS,
    FACILITY_SURE,
    OPENERS,
    ORGANIZATION_HEAD,
    SAINTS,
    TITLES,
    TITLES_BEFORE,
    Run,
    Word,
    runs,
)
from reidrisk.detect.finding import Finding


def facility(run: Run) -> tuple[Finding, int, int] | None:
    """A facility in a run, with the positions of its first and last word; None if there is none."""
    heads = [place for place, word in enumerate(run.words) if word.low in FACILITY_HEAD]
    if not heads:
        return _organization(run)
    last = heads[-1]
    last = _with_where(run, last)
    first = _first(run, last)
    words = run.words[first : last + 1]
    if len(words) < 2 or any(word.low in TITLES for word in words):
        return None
    confidence = _confidence(run, first, words)
    if confidence is None:
        return None
    return Finding(words[0].start, words[-1].end, "HOSPITAL", confidence, "dictionary:facility"), first, last


def _first(run: Run, last: int) -> int:
    """Position of the first word of the name, after words that only start a sentence."""
    first = 0
    while first < last and run.words[first].low in OPENERS and (first or run.opens):
        first += 1
    return first


def _with_where(run: Run, last: int) -> int:
    """Position of the last word: in `Hospital of Springfield` the rest of the run belongs to the name."""
    if last < len(run.gaps) and run.gaps[last] in (" of ", " of the ", " for ", " at "):
        return len(run.words) - 1
    return last


def _confidence(run: Run, first: int, words: list[Word]) -> float | None:
    strong = any(word.low in FACILITY_SURE for word in words)
    telling = [word for word in words if word.low not in FACILITY and not word.clinical and not word.initial]
    telling = [word for word in telling if not (word.upper and word.kinds & WordKind.COMMON)]
    if telling and any(not word.kinds & WordKind.COMMON or word.low in SAINTS for word in telling):
        return 0.95 if strong else 0.75
    opens = run.opens and first == 0
    if telling:
        return (0.9 if not opens else 0.7) if strong else 0.5
    if strong and not opens and not words[0].upper:
        return 0.7
    return None


def _organization(run: Run) -> tuple[Finding, int, int] | None:
    heads = [place for place, word in enumerate(run.words) if word.low in ORGANIZATION_HEAD]
    if not heads:
        return None
    last = _with_where(run, heads[-1])
    first = _first(run, last)
    words = run.words[first : last + 1]
    telling = [word for word in words if word.low not in ORGANIZATION_HEAD and not word.clinical]
    telling = [word for word in telling if not (word.upper and word.kinds & WordKind.COMMON)]
    if len(words) < 2 or not telling or any(word.low in TITLES for word in words):
        return None
    known = any(not word.kinds & WordKind.COMMON for word in telling)
    confidence = 0.85 if known else 0.6
    return (
        Finding(words[0].start, words[-1].end, "ORGANIZATION", confidence, "dictionary:organization"),
        first,
        last,
    )


LOW_LABEL = re.compile(
    r"(?<!\w)(?:name|patient|attending|physician|provider|surgeon|nurse|kin): {0,6}"
    r"(?P<value>[a-z][a-z'-]{1,24}(?: [a-z][a-z'-]{0,24}\.?){1,3})(?=\r?\n|$)"
)
"""A label and a name, both in lower case, that take up the rest of a line."""
LOW_TITLE = re.compile(
    r"(?<!\w)(?:mr|mrs|ms|dr|miss|prof)\.? {1,2}(?P<value>[a-z][a-z'-]{1,24}(?: [a-z][a-z'-]{1,24})?)"
)


class DictionaryDetector:
    """Finds names, facilities and places by word lists and by context."""

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or english()

    def find(self, text: str) -> list[Finding]:
        """The findings in one text; they may overlap."""
        if has_no_capitals(text):
            text = recase(text, self._lexicon)
        found: list[Finding] = []
        for run in runs(text, self._lexicon):
            found += self._find_in_run(text, run)
        found += find_last_first_names(text, self._lexicon)
        found += self._in_lower_case(text)
        found += find_addresses(text, self._lexicon)
        return found

    def _find_in_run(self, text: str, run: Run) -> Iterator[Finding]:
        if len(run.words) == 1 and run.words[0].kinds & (WordKind.COMMON | WordKind.CLINICAL) and run.opens:
            return
        whole = facility(run)
        first, last = -1, -1
        if whole is not None:
            finding, first, last = whole
            yield finding
        for segment, titled in _segments(text, run, first, last):
            yield from self._people_and_places(segment, titled=titled)

    def _people_and_places(self, segment: Segment, *, titled: bool) -> Iterator[Finding]:
        person = name(segment, titled=titled)
        if person is not None and titled:
            yield person
            return
        places = place(segment, self._lexicon)
        best = max((finding.confidence for finding in places), default=0.0)
        longest = max((finding.end - finding.start for finding in places), default=0)
        if person is not None and (person.confidence >= best or person.end - person.start > longest):
            yield person
        yield from places
        if best < 0.5 and (person is None or person.confidence < 0.6):
            guess = place_from_context(segment)
            if guess is not None:
                yield guess

    def _in_lower_case(self, text: str) -> Iterator[Finding]:
        for match in LOW_LABEL.finditer(text):
            kinds = [self._lexicon.kinds(word) for word in match["value"].split()]
            if any(
                kind & WordKind.NAME and not kind & (WordKind.COMMON | WordKind.CLINICAL) for kind in kinds
            ):
                yield Finding(*match.span("value"), "NAME", 0.85, "dictionary:label")
        for match in LOW_TITLE.finditer(text):
            words = match["value"].split()
            kinds = [self._lexicon.kinds(word) for word in words]
            named = [
                kind & WordKind.NAME and not kind & (WordKind.COMMON | WordKind.CLINICAL) for kind in kinds
            ]
            if named[0]:
                end = match.end("value") if all(named) else match.start("value") + len(words[0])
                yield Finding(match.start("value"), end, "NAME", 0.85, "dictionary:title")


def _segments(text: str, run: Run, first: int, last: int) -> Iterator[tuple[Segment, bool]]:
    """The run without its facility, split at titles, at medical words and where a name must end."""
    begin = 0
    titled = run.touches and run.before in TITLES_BEFORE
    for at, word in enumerate(run.words):
        named = titled and (at == begin or word.kinds & WordKind.FIRST)
        leaves = first <= at <= last or is_title(word) or (word.clinical and not named)
        leaves = leaves or (at == 0 and run.opens and _only_opens(word))
        if leaves or (at and run.gaps[at - 1] in FACILITY_LINKS):
            if begin < at:
                yield Segment(text, run, begin, at - 1), titled
            titled = is_title(word)
            begin = at + 1 if leaves else at
    if begin < len(run.words):
        yield Segment(text, run, begin, len(run.words) - 1), titled


def _only_opens(word: Word) -> bool:
    """Whether a word is capitalized only because it starts a sentence."""
    return word.low in OPENERS or bool(word.kinds & WordKind.COMMON and not word.kinds & WordKind.FIRST)
