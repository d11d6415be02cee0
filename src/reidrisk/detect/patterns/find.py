"""Find identifiers by patterns and cue words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from reidrisk.detect.dictionaries.lexicon import section_words
from reidrisk.detect.finding import Finding
from reidrisk.detect.patterns import contact, dates, numbers
from reidrisk.detect.patterns.pattern import CERTAIN, Anchor, IdentifierPattern, any_of

_WIDTH = 44
_RECORDS = ("VEHICLE", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "DEVICE", "SSN", "BIOID")
_KINDS = (*_RECORDS, "USERNAME", "STREET", "ZIP", "FAX", "PHONE", "IDNUM", "ROOM")
_LONGEST_FIRST = {
    kind: sorted(section_words(f"cue-{kind.lower()}"), key=lambda word: (-len(word), word)) for kind in _KINDS
}
_AFTER = "|".join(
    re.escape(word) for word in sorted(section_words("cue-after"), key=lambda word: (-len(word), word))
)
_CUE = re.compile(
    r"(?<![a-z])(?:"
    + "|".join(f"(?P<{kind}>{'|'.join(map(re.escape, words))})" for kind, words in _LONGEST_FIRST.items())
    + rf")(?:['’]s)?(?:[ \t]{{0,2}}(?:{_AFTER})(?![a-z])){{0,4}}"
    + r"[ \t]{0,2}[:#.=()\[\]\"“'\-–—]{0,3}[ \t]{0,2}[#:(]{0,2}$"
)
_UP_TO_CUE = re.compile(r"(?s:.*)[\d\n]")
"""What no cue reaches across; in tables the same few words are left."""
_LOOSE = section_words("cue-loose")
_ROOMS = section_words("cue-room") | {"box", "psc", "postbox"}
_LAST_WORD = re.compile(r"([a-z]{1,12})[ #.:]{0,4}$")
_CONFIDENCE = {"PHONE": 0.6, "FAX": 0.6, "ROOM": 0.85, "IDNUM": 0.9}
_FEWEST_DIGITS = {"ROOM": 1, "STREET": 1, "USERNAME": 1, "ZIP": 3}
_FEW = 3
"""Numbers with fewer digits are only considered after a word for a room."""
_LONG = 6
_UNITS = re.compile(
    r"[ -]?(?:mg|mcg|ml|cm|mm|years?|yrs?|days?|weeks?|months?|hours?|minutes?|%|patients|percent|mmhg|kg"
    r"|times|x\b)"
)
VALUE = re.compile(r"[A-Za-z0-9]{1,20}(?:[-/._][A-Za-z0-9]{1,20}){0,5}(?: \d{3,6}(?!\w)){0,3}")


def find_after_cue(text: str, start: int) -> Iterator[Finding]:
    """The identifier at a position, if the words before it announce one."""
    match = VALUE.match(text, start)
    if match is None:
        return
    value = match[0]
    digits = sum(character.isdigit() for character in value)
    before = text[max(0, start - _WIDTH) : start].lower()
    if digits < _FEW and len(value) < _LONG and not _ends_with_room(before):
        return
    found = _cue(_UP_TO_CUE.sub("", before))
    if found is None or _UNITS.match(text[match.end() : match.end() + 12].lower()):
        return
    kind, word = found
    fewest = _FEWEST_DIGITS.get(kind, 4 if word in _LOOSE else 3)
    if digits >= fewest or (digits >= 2 and len(value) >= _LONG):
        yield Finding(*match.span(), kind, _CONFIDENCE.get(kind, 0.95), "pattern:cue")


@lru_cache(maxsize=2**12)
def _cue(before: str) -> tuple[str, str] | None:
    """The kind of identifier that the words at the end of a text announce, and the first of these words."""
    found = _CUE.search(before)
    return None if found is None or found.lastgroup is None else (found.lastgroup, found[found.lastgroup])


def _ends_with_room(before: str) -> bool:
    last = _LAST_WORD.search(before)
    return last is not None and last[1] in _ROOMS


ALL = (
    *contact.CONTACT_PATTERNS,
    *numbers.PATTERNS,
    *dates.DATE_PATTERNS,
    *dates.AGE_PATTERNS,
    *contact.PLACE_PATTERNS,
)
NUMBER = re.compile(r"(?<!\w)(?<!\d[.,])[^\W\d_]{0,12}[-#/]?\d")
"""A word that contains a digit, except for the decimals of a number."""
BEGINS: dict[Anchor, str] = {
    "word": r"(?=[JFMASONDTWCEHVLIPRBGYjfmasondw][aepucohrinAEPUCOHR])",
    "age": r"(?=[HhTtMmAaOoFfSsEeNn])",
    "link": r"(?=[hfw])",
}
"""First letters of the words of an anchor: checking them first makes the search three times as fast."""
SETTLED = 0.7
"""Numbers inside a finding with more confidence than this are not searched again."""
_LOCAL = frozenset(".+%'-_")
_LONGEST_LOCAL = 64
_LEADS = "(+"


class PatternDetector:
    """Finds identifiers that can be recognized by their form."""

    def __init__(self, *, universal: bool = False) -> None:
        chosen = [pattern for pattern in ALL if pattern.universal or not universal]
        anchors: tuple[Anchor, ...] = ("number", "code", "lead", "word", "link", "at", "age")
        self._at = {anchor: tuple(one for one in chosen if one.anchor == anchor) for anchor in anchors}
        self._any = {anchor: any_of(patterns) for anchor, patterns in self._at.items()}
        self._words = {anchor: _at_word(self._any[anchor], begins) for anchor, begins in BEGINS.items()}
        self._cues = not universal

    def find(self, text: str) -> list[Finding]:
        """The findings of all patterns; they may overlap."""
        found = list(self._numbers(text))
        found += self._find_at(text, "word")
        found += self._find_at(text, "age")
        if "://" in text or "www." in text:
            found += self._find_at(text, "link")
        if "@" in text:
            found += [
                finding for start in _locals(text) for finding in _try_patterns(self._at["at"], text, start)
            ]
        return found

    def _find_at(self, text: str, anchor: Anchor) -> Iterator[Finding]:
        expression = self._words[anchor]
        if expression is not None:
            for match in expression.finditer(text):
                yield from _try_patterns(self._at[anchor], text, match.start())

    def _numbers(self, text: str) -> Iterator[Finding]:
        done = 0
        for match in NUMBER.finditer(text):
            start = match.start()
            if start < done:
                continue
            found = [*self._at_number(text, start)]
            if self._cues and not any(finding.confidence > CERTAIN for finding in found):
                found += find_after_cue(text, start)
            yield from found
            done = max((finding.end for finding in found if finding.confidence > SETTLED), default=done)

    def _at_number(self, text: str, start: int) -> Iterator[Finding]:
        lead = start - 1 if start and text[start - 1] in _LEADS else start
        anchor: Anchor = "code" if text[start].isalpha() else "number"
        yield from self._try_anchor("lead", text, lead)
        yield from self._try_anchor(anchor, text, start)

    def _try_anchor(self, anchor: Anchor, text: str, start: int) -> Iterator[Finding]:
        expression = self._any[anchor]
        if expression is not None and expression.match(text, start):
            yield from _try_patterns(self._at[anchor], text, start)


def _at_word(expression: re.Pattern[str] | None, begins: str) -> re.Pattern[str] | None:
    return None if expression is None else re.compile(rf"(?<!\w){begins}(?:{expression.pattern})")


def _try_patterns(patterns: tuple[IdentifierPattern, ...], text: str, start: int) -> Iterator[Finding]:
    for pattern in patterns:
        match = pattern.expression.match(text, start)
        confidence = None if match is None else pattern.check(match)
        if match is None or confidence is None:
            continue
        group: int | str = "value" if "value" in pattern.expression.groupindex else 0
        kind = "FAX" if pattern.type == "PHONE" and contact.is_fax(text, match.start()) else pattern.type
        yield Finding(*match.span(group), kind, confidence, f"pattern:{pattern.name}")


def _locals(text: str) -> Iterator[int]:
    """Where the local part before each @ starts."""
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
