"""What identifies anybody by the detector for texts, without what a report says of nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from reidrisk.detect.detector import CombinedDetector
from reidrisk.detect.finding import Finding
from reidrisk.detect.known.writings import fold_text
from reidrisk.documents.detection.owners import Stretch, header_of, heading_of, title_of
from reidrisk.documents.study.ids import pieces_of
from reidrisk.documents.study.schema import STUDY
from reidrisk.documents.study.study import Study
from reidrisk.documents.study.writings import country_names, dates_in
from reidrisk.documents.words import words

_CHUNK = 20_000
"""Characters that are looked at together."""
_OWNED = frozenset(("AGE", "COUNTRY", "STATE"))
"""Types that identify somebody only where the text tells of somebody."""
_WORDY = frozenset(
    ("NAME", "PATIENT", "DOCTOR", "ORGANIZATION", "CITY", "HOSPITAL", "LOCATION-OTHER", "STREET")
)
_WORD = re.compile(r"[^\W\d_]+")
_TREATMENT = re.compile(r"(?:ACT)?ARM\w*|TRT\w*|EXTRT|STUDYID")
_NUMBERING = re.compile(r"(?i:(?:table|listing|figure|section|appendix|version)s?\s)$|(?:^|\n)\s*$")
_STUDY_WORDS = words(
    """participant participants subject subjects site sites day days week weeks visit table listing section
    clinical report study narrative placebo baseline amendment protocol version term preferred age sex race
    country treatment centre"""
)
_OLD = re.compile(r"[ -]?(?:years?|yrs?)[ -]old\b(?!\s(?:or|and)\b)|[ -]?y/?o\b", re.IGNORECASE)
"""One person's age; criteria speak of people aged 18 years or older."""
_REGISTERED = re.compile(r"\b(?:EudraCT|EU CT|IND|ISRCTN|NCT)\W{0,2}(?:[Nn]o\.?|[Nn]umber)?\W{0,2}\d")
"""Numbers of a trial in public registers."""
_BEFORE = 12
_NUMBERED = re.compile(r"\s*(?:[A-Z][a-z]+ )?(?P<number>\d+(?:\.\d+)*)[.:]?(?=\s|$)")
_SURELY = 0.9
"""Confidence in a word that no list has, in a heading."""


def general_findings(detector: CombinedDetector, text: str) -> Iterator[Finding]:
    """The findings of a long text, piece by piece, cut at ends of lines."""
    for start, end in _chunks(text):
        for one in detector.find(text[start:end]):
            yield Finding(one.start + start, one.end + start, one.type, one.confidence, one.source)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        end = len(text)
        if end - at > _CHUNK:
            cut = text.rfind("\n", at + 1, at + _CHUNK)
            end = cut + 1 if cut > 0 else at + _CHUNK
        yield at, end
        at = end


def outside(finding: Finding, taken: Sequence[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """The parts of a finding that others have not taken, as far as they hold a word or number."""
    at = finding.start
    for start, end in (*taken, (finding.end, finding.end)):
        if start > at:
            left = text[at:start]
            shift = len(left) - len(left.lstrip(" \t\n,;:.()/-"))
            right = left.rstrip(" \t\n,;:(/-")
            if sum(map(str.isalnum, left)) >= 3 or (at, start) == (finding.start, finding.end):
                yield at + shift, at + len(right)
        at = max(at, end)


def is_heading_word(one: Finding, text: str) -> bool:
    """Whether a finding is only words of a heading, a caption or a list of contents, or their numbers."""
    start = text.rfind("\n", 0, one.start) + 1
    title = title_of(_line(text, one.start))
    if title is None:
        return False
    found = text[one.start : min(one.end, start + len(title))]
    number = _NUMBERED.match(title)
    if (
        one.type in ("IPADDR", "STREET")
        and number is not None
        and one.start - start <= number.start("number")
    ):
        found = found[max(0, number.end() - (one.start - start)) :]
    if _has_number(found) or "@" in found:
        return False
    return not any(_may_be_name(word, one) for word in _WORD.findall(found))


def _may_be_name(word: str, one: Finding) -> bool:
    """Whether a word is a name or place, or one that nobody knows and that was surely found."""
    from reidrisk.detect.dictionaries.lexicon import english

    low = fold_text(word)
    if _is_common(low) or low in _STUDY_WORDS:
        return False
    return bool(set(english().lists(low)) & set("fstni")) or (
        one.confidence >= _SURELY and not word.islower()
    )


class Plausible:
    """Knows the words of a study and of reports in general."""

    def __init__(self, study: Study) -> None:
        table = study.data.participants
        names = [name for name in table.columns if _TREATMENT.fullmatch(name.upper())]
        values = {value for name in names for value in study.data.all_of(name)}
        self._countries = {word for name in country_names() for word in name.split()} | _STUDY_WORDS
        numbers = study.data.all_of(STUDY) if STUDY in table.columns else {study.name}
        self._study = {word for value in values for word in _WORD.findall(fold_text(value))} | _STUDY_WORDS
        self._study |= {piece for value in numbers for piece in pieces_of(fold_text(value))}

    def keeps(self, one: Finding, text: str, stretch: Stretch | None) -> bool:
        """Whether a finding may be somebody's."""
        found = text[one.start : one.end]
        said = _WORD.findall(fold_text(found))
        pieces = pieces_of(fold_text(found))
        of_study = bool(pieces) and all(piece in self._study for piece in pieces)
        if of_study or _REGISTERED.search(text, max(0, one.start - _BEFORE), one.end):
            return False
        if one.type in _OWNED:
            somebody = stretch is not None and bool(stretch.owners)
            return somebody or (one.type == "AGE" and _OLD.match(text, one.end) is not None)
        if one.type == "DATE":
            return _is_day(found)
        if one.type == "IPADDR":
            return not _NUMBERING.search(text[max(0, one.start - _BEFORE) : one.start])
        if one.type in _WORDY:
            return self._is_name(one, said, found, _line(text, one.start))
        return one.source != "model" or _has_number(found) or "@" in found

    def _is_name(self, one: Finding, said: list[str], found: str, line: str) -> bool:
        if not said or all(word in self._countries for word in said):
            return False
        if heading_of(line) is not None or header_of(line) is not None:
            return False
        if "model" not in one.source:
            return True
        return not all(word in self._study or _is_common(word) for word in said) and not _has_number(found)


@lru_cache(maxsize=2**14)
def _is_day(found: str) -> bool:
    """Whether it is a date with its month, not a day of the study, a ratio or a year alone."""
    return any(
        one.month is not None and (one.year is not None or any(name == "n" for name, _, _ in one.spans))
        for one in dates_in(found)
    )


def _has_number(found: str) -> bool:
    return any(sign.isdigit() for sign in found)


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)]


@cache
def _is_common(word: str) -> bool:
    from reidrisk.detect.dictionaries.lexicon import english

    return english().is_common(word)
