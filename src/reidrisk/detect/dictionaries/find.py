"""Looks at every run of words with capitals and says which are people, facilities or places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.detect.dictionaries.context import FACILITY_LINKS, OPENERS, TITLES_BEFORE
from reidrisk.detect.dictionaries.facilities import facility
from reidrisk.detect.dictionaries.last_first import turned_names
from reidrisk.detect.dictionaries.lexicon import Kind, Lexicon, english
from reidrisk.detect.dictionaries.names import is_title, name
from reidrisk.detect.dictionaries.places import Segment, place, told_place
from reidrisk.detect.dictionaries.runs import Run, Word, runs
from reidrisk.detect.finding import Finding

LOW_TITLE = re.compile(
    r"(?<!\w)(?:mr|mrs|ms|dr|miss|prof)\.? {1,2}(?P<value>[a-z][a-z'-]{1,24}(?: [a-z][a-z'-]{1,24})?)"
)


class DictionaryDetector:
    """Finds names, facilities and places by lists of words and by what stands around them."""

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or english()

    def find(self, text: str) -> list[Finding]:
        """The findings; they may overlap."""
        found: list[Finding] = []
        for run in runs(text, self._lexicon):
            found += self._look(text, run)
        found += turned_names(text, self._lexicon)
        found += self._in_lower_case(text)
        return found

    def _look(self, text: str, run: Run) -> Iterator[Finding]:
        if len(run.words) == 1 and run.words[0].kinds & (Kind.COMMON | Kind.CLINICAL) and run.opens:
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
        if person is not None and person.confidence >= best:
            yield person
        yield from places
        if best < 0.5 and (person is None or person.confidence < 0.6):
            told = told_place(segment)
            if told is not None:
                yield told

    def _in_lower_case(self, text: str) -> Iterator[Finding]:
        for match in LOW_TITLE.finditer(text):
            words = match["value"].split()
            kinds = [self._lexicon.kinds(word) for word in words]
            named = [kind & Kind.NAME and not kind & (Kind.COMMON | Kind.CLINICAL) for kind in kinds]
            if named[0]:
                end = match.end("value") if all(named) else match.start("value") + len(words[0])
                yield Finding(match.start("value"), end, "NAME", 0.85, "dictionary:title")


def _segments(text: str, run: Run, first: int, last: int) -> Iterator[tuple[Segment, bool]]:
    """The run without its facility, cut at titles, at words of medicine and where a name cannot go on."""
    begin = 0
    titled = run.touches and run.before in TITLES_BEFORE
    for place_, word in enumerate([*run.words, None]):
        inside = first <= place_ <= last
        cut = word is None or inside or is_title(word) or (word.clinical and not (titled and place_ == begin))
        opening = (
            word is not None
            and place_ == 0
            and run.opens
            and word.kinds & Kind.COMMON
            and not word.kinds & Kind.FIRST
        )
        gap_cuts = 0 < place_ < len(run.words) and run.gaps[place_ - 1] in FACILITY_LINKS
        if cut or opening or gap_cuts:
            if begin < place_:
                yield Segment(text, run, begin, place_ - 1), titled
            titled = word is not None and is_title(word)
            begin = place_ if gap_cuts and not cut else place_ + 1


def _only_opens(word: Word) -> bool:
    """Whether a word has its capital only because it begins a sentence."""
    return bool(word.kinds & Kind.COMMON) and (not word.kinds & Kind.FIRST or word.low in OPENERS)
