"""Numbers that are identifiers because of the words before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.detect.finding import Finding
from reidrisk.detect.lists import listed

_WIDTH = 44
_RECORDS = ("VEHICLE", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "DEVICE", "SSN", "BIOID")
_KINDS = (*_RECORDS, "USERNAME", "STREET", "ZIP", "FAX", "PHONE", "IDNUM", "ROOM")
_LONGEST_FIRST = {
    kind: sorted(listed(f"cue-{kind.lower()}"), key=lambda word: (-len(word), word)) for kind in _KINDS
}
_AFTER = "|".join(
    re.escape(word) for word in sorted(listed("cue-after"), key=lambda word: (-len(word), word))
)
_CUE = re.compile(
    r"(?<![a-z])(?:"
    + "|".join(f"(?P<{kind}>{'|'.join(map(re.escape, words))})" for kind, words in _LONGEST_FIRST.items())
    + rf")(?:['’]s)?(?:[ \t]{{0,2}}(?:{_AFTER})(?![a-z])){{0,4}}"
    + r"[ \t]{0,2}[:#.=()\[\]\"“'\-–—]{0,3}[ \t]{0,2}[#:(]{0,2}$"
)
_LOOSE = listed("cue-loose")
_ROOMS = listed("cue-room") | {"box", "psc", "postbox"}
_LAST_WORD = re.compile(r"([a-z]{1,12})[ #.:]{0,4}$")
_CONFIDENCE = {"PHONE": 0.6, "FAX": 0.6, "ROOM": 0.85, "IDNUM": 0.9}
_FEWEST_DIGITS = {"ROOM": 1, "STREET": 1, "USERNAME": 1, "ZIP": 5}
_FEW = 3
"""Numbers of fewer digits are only looked at after the word for a room."""
_LONG = 6
_UNITS = re.compile(
    r"[ -]?(?:mg|mcg|ml|cm|mm|years?|yrs?|days?|weeks?|months?|hours?|minutes?|%|patients|percent|mmhg|kg"
    r"|times|x\b)"
)
VALUE = re.compile(r"[A-Za-z0-9]{1,20}(?:[-/._][A-Za-z0-9]{1,20}){0,5}(?: \d{3,6}(?!\w)){0,3}")


def cued(text: str, start: int) -> Iterator[Finding]:
    """The identifier at a place, if the words before it announce one."""
    match = VALUE.match(text, start)
    if match is None:
        return
    value = match[0]
    digits = sum(character.isdigit() for character in value)
    before = text[max(0, start - _WIDTH) : start].lower()
    if digits < _FEW and len(value) < _LONG and not _ends_with_room(before):
        return
    found = _CUE.search(before)
    if found is None or found.lastgroup is None or _UNITS.match(text[match.end() : match.end() + 12].lower()):
        return
    kind = found.lastgroup
    fewest = _FEWEST_DIGITS.get(kind, 4 if found[kind] in _LOOSE else 3)
    if digits >= fewest or (digits >= 2 and len(value) >= _LONG):
        yield Finding(*match.span(), kind, _CONFIDENCE.get(kind, 0.95), "pattern:cue")


def _ends_with_room(before: str) -> bool:
    last = _LAST_WORD.search(before)
    return last is not None and last[1] in _ROOMS
