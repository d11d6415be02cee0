"""Towns, states and countries, and places recognized by the words before them."""

from __future__ import annotations

import re

from reidrisk.detect.dictionaries.lexicon import Lexicon, WordKind, section_words
from reidrisk.detect.dictionaries.runs import (
    ALSO_DEGREES,
    AT_BEFORE,
    COUNTRIES,
    PLACE_BEFORE,
    PLACE_LABELS,
    SAINTS,
    SENT,
    STATE_AFTER,
    STATES,
    STREET_ENDS,
    Run,
    Word,
)
from reidrisk.detect.finding import Finding

ZIP_AFTER = re.compile(r",? {1,2}\d{5}")
_MOST_WORDS = 4
_ALSO_NAMES = section_words("also-people")


class Segment:
    """Consecutive words of a run that may be one name or place."""

    def __init__(self, text: str, run: Run, first: int, last: int) -> None:
        self.text = text
        self.run = run
        self.words = run.words[first : last + 1]
        self.gaps = run.gaps[first:last]
        self.opens = run.opens and first == 0
        self.before = run.before if first == 0 else run.words[first - 1].low
        self.before_that = run.before_that if first == 0 else run.before if first == 1 else ""
        self.start, self.end = self.words[0].start, self.words[-1].end

    def finding(self, kind: str, confidence: float, source: str) -> Finding:
        """A finding that covers the whole segment."""
        return Finding(self.start, self.end, kind, confidence, source)


def place(segment: Segment, lexicon: Lexicon) -> list[Finding]:
    """Places in a segment that the dictionaries know."""
    found: list[Finding] = []
    at = 0
    words = segment.words
    while at < len(words):
        for size in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            piece = words[at : at + size]
            finding = _known_place(segment, piece, at, lexicon)
            if finding is not None:
                found.append(finding)
                at += size
                break
        else:
            at += 1
    return found


def _known_place(segment: Segment, piece: list[Word], at: int, lexicon: Lexicon) -> Finding | None:
    start, end = piece[0].start, piece[-1].end
    name = segment.text[start:end].lower().replace(". ", " ")
    cued = at == 0 and segment.before in PLACE_BEFORE
    if name in STATES:
        doubtful = name in _ALSO_NAMES and not cued and not (at and segment.words)
        return Finding(start, end, "STATE", 0.45 if doubtful else 0.85, "dictionary:state")
    if name in lexicon.countries or name in COUNTRIES:
        if len(name) <= 3 and not piece[0].upper:
            return None
        doubtful = name in _ALSO_NAMES and not cued
        return Finding(start, end, "COUNTRY", 0.4 if doubtful else 0.75, "dictionary:country")
    town = name in lexicon.towns or name.replace("st ", "saint ") in lexicon.towns
    after = _abbreviation_after(
        segment.text, end, sure=cued or (town and len(piece) == len(segment.words))
    ) or _state_after(segment.text, end)
    if after and not piece[0].clinical and not piece[0].initial:
        return Finding(start, after, "CITY", 0.93, "dictionary:city")
    if not town:
        return None
    return Finding(
        start, end, "CITY", _town(piece, cued=cued, opens=segment.opens and at == 0), "dictionary:city"
    )


def _abbreviation_after(text: str, end: int, *, sure: bool) -> int | None:
    """End of a state abbreviation; one that is also a degree needs a town or a ZIP code."""
    match = STATE_AFTER.match(text, end, end + 12)
    if match is None:
        return None
    zip_follows = ZIP_AFTER.match(text, match.end()) is not None
    return match.end("state") if sure or zip_follows or match["state"] not in ALSO_DEGREES else None


def _state_after(text: str, end: int) -> int | None:
    """End of a state name that follows a comma."""
    if text[end : end + 2] != ", ":
        return None
    rest = text[end + 2 : end + 20].lower()
    for state in STATES:
        if rest.startswith(state):
            return end + 2 + len(state)
    return None


def _town(piece: list[Word], *, cued: bool, opens: bool) -> float:
    if all(word.kinds & (WordKind.COMMON | WordKind.CLINICAL) for word in piece):
        return (
            0.6 if cued and not opens and len(piece) > 1 else 0.3 if cued and not piece[0].clinical else 0.05
        )
    if len(piece) > 1:
        return 0.9 if cued else 0.75
    named = bool(piece[0].kinds & WordKind.NAME)
    if cued:
        return 0.85 if not piece[0].upper else 0.6
    return 0.3 if named or piece[0].upper else 0.55


def _after_street(segment: Segment) -> bool:
    """Whether a street or an apartment, followed by a comma, comes before."""
    if segment.run.touches or segment.words[0] is not segment.run.words[0]:
        return False
    return segment.before in STREET_ENDS or segment.before_that in STREET_ENDS


def place_from_context(segment: Segment) -> Finding | None:
    """A place that is not in any dictionary: `seen at Cedar Crest`, `St. Vincent's`."""
    words = segment.words
    if words[0].low in SAINTS and len(words) > 1 and not words[0].upper:
        return segment.finding(
            "HOSPITAL", 0.85 if segment.before in PLACE_BEFORE else 0.65, "dictionary:saint"
        )
    if segment.before in PLACE_LABELS or _after_street(segment):
        return segment.finding("CITY", 0.8, "dictionary:address")
    if segment.opens or any(word.clinical for word in words):
        return None
    return _after_preposition(segment)


def _after_preposition(segment: Segment) -> Finding | None:
    short = all(word.upper for word in segment.words)
    if segment.before in AT_BEFORE:
        return segment.finding("HOSPITAL", 0.6 if short else 0.75, "dictionary:at")
    if segment.before in ("to", "from") and segment.before_that in SENT:
        return segment.finding("HOSPITAL", 0.55 if short else 0.65, "dictionary:sent")
    if segment.before in ("in", "near") and any(word.unknown for word in segment.words):
        return segment.finding("LOCATION-OTHER", 0.55, "dictionary:in")
    return None
