"""Runs the patterns over a text: one pass finds the anchors, patterns are tried only there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.detect.finding import Finding
from reidrisk.detect.patterns import ages, contact, cues, dates, numbers, places
from reidrisk.detect.patterns.pattern import Anchor, Pattern

ALL = (*contact.PATTERNS, *numbers.PATTERNS, *dates.PATTERNS, *ages.PATTERNS, *places.PATTERNS)
NUMBER = re.compile(r"(?<!\w)(?<!\d[.,])[^\W\d_]{0,12}[-#/]?\d")
"""A word that holds a digit, but not the decimals of a number."""
WORD = re.compile(dates.WORD_ANCHOR)
AGE = re.compile(ages.AGE_ANCHOR)
LINK = re.compile(r"https?://|ftp://|www\.")
_LOCAL = frozenset(".+%'-_")
_LONGEST_LOCAL = 64
_LEADS = "(+"


class PatternDetector:
    """Finds what can be recognised by how it is written."""

    def __init__(self, *, universal: bool = False) -> None:
        chosen = [pattern for pattern in ALL if pattern.universal or not universal]
        self._at: dict[Anchor, tuple[Pattern, ...]] = {
            anchor: tuple(pattern for pattern in chosen if pattern.anchor == anchor)
            for anchor in ("number", "lead", "word", "link", "at", "age")
        }
        self._cues = not universal

    def find(self, text: str) -> list[Finding]:
        """The findings of all patterns; they may overlap."""
        found = list(self._numbers(text))
        for anchor, places_of in (("word", WORD), ("age", AGE), ("link", LINK)):
            found += self._anchored(text, anchor, places_of)
        if "@" in text:
            found += [finding for start in _locals(text) for finding in _tried(self._at["at"], text, start)]
        return found

    def _anchored(self, text: str, anchor: Anchor, expression: re.Pattern[str]) -> Iterator[Finding]:
        patterns = self._at[anchor]
        if patterns:
            for match in expression.finditer(text):
                yield from _tried(patterns, text, match.start())

    def _numbers(self, text: str) -> Iterator[Finding]:
        done = 0
        for match in NUMBER.finditer(text):
            start = match.start()
            if start < done:
                continue
            lead = start - 1 if start and text[start - 1] in _LEADS else start
            found = [*_tried(self._at["lead"], text, lead), *_tried(self._at["number"], text, start)]
            if self._cues:
                found += _cued(text, start)
            yield from found
            done = max((finding.end for finding in found if finding.confidence > 0.7), default=done)


def _tried(patterns: tuple[Pattern, ...], text: str, start: int) -> Iterator[Finding]:
    for pattern in patterns:
        match = pattern.expression.match(text, start)
        if match is None:
            continue
        confidence = pattern.check(match)
        if confidence is None:
            continue
        group: int | str = "value" if "value" in pattern.expression.groupindex else 0
        kind = "FAX" if pattern.type == "PHONE" and contact.is_fax(text, match.start()) else pattern.type
        yield Finding(*match.span(group), kind, confidence, f"pattern:{pattern.name}")


def _cued(text: str, start: int) -> Iterator[Finding]:
    match = cues.VALUE.match(text, start)
    weighed = None if match is None else cues.weigh(match)
    if match is not None and weighed is not None:
        kind, confidence = weighed
        yield Finding(*match.span(), kind, confidence, "pattern:cue")


def _locals(text: str) -> Iterator[int]:
    """Where the name before each @ begins."""
    at = text.find("@")
    while at >= 0:
        start = at
        while (
            start and at - start < _LONGEST_LOCAL and (text[start - 1].isalnum() or text[start - 1] in _LOCAL)
        ):
            start -= 1
        if start < at:
            yield start
        at = text.find("@", at + 1)
