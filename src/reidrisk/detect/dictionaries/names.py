"""Names of people, found by word lists and context."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.detect.dictionaries.lexicon import Lexicon, WordKind, section_words
from reidrisk.detect.dictionaries.places import Segment
from reidrisk.detect.dictionaries.runs import DEGREE, NAME_WORDS, PEOPLE, SPEAKS, TITLES, WITH_EPONYM, Word
from reidrisk.detect.finding import Finding

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
LAST_FIRST = re.compile(
    rf"(?<!\w)(?P<last>{_CAPITAL}[\w'’-]{{1,30}}), ?(?P<first>{_CAPITAL}[\w'’-]{{1,30}})(?: {_CAPITAL}\b\.?)?"
)
NEXT_CAPITAL = re.compile(rf" {_CAPITAL}\w")
UNKNOWN = 0.25
"""Confidence in a single capitalized word that is in no list and does not start a sentence."""
_TERM = re.compile(
    r"(?i)\w{3,}(?:iasis|itis|osis|[ae]mia|rrh?o?ea|penia|pathy|algia|ectomy|ostomy|plasty|scopy|graphy|uria|trophy"
    r"|globin|inine|cytes?|philia|phils?|genic|tions?|tional(?:ly)?|ments?|ness|ities|ical(?:ly)?|izing|ised|ized)"
)
"""Endings of terms in medicine and of words made from others, which names do not have."""
_NOT_A_NAME = WordKind.COMMON | WordKind.CLINICAL


def find_last_first_names(text: str, lexicon: Lexicon) -> Iterator[Finding]:
    """Find names with the surname first."""
    for match in LAST_FIRST.finditer(text):
        if not (match["last"][0].isupper() and match["first"][0].isupper()):
            continue
        last, first = lexicon.kinds(match["last"]), lexicon.kinds(match["first"])
        if (last | first) & WordKind.CLINICAL or match["first"].startswith(("I'", "I’")):
            continue
        cued, alone = _around(text, match)
        if not cued and not alone:
            continue
        confidence = _confidence(last, first, cued=cued)
        if confidence:
            yield Finding(*match.span(), "NAME", confidence, "dictionary:last-first")


def _around(text: str, match: re.Match[str]) -> tuple[bool, bool]:
    """Whether a word for a person comes before, and whether no other name is next to the two words.

    In `Ann Smith, Mary Jones` and `Dr. Smith, Mary Jones` the comma separates two people.
    """
    before = text[max(0, match.start() - 24) : match.start()]
    last = before.rstrip(" :\t").rpartition(" ")[2].rpartition("\n")[2]
    joined = before.endswith(" ") and not before.rstrip().endswith((":", ";", ",")) and last[:1].isupper()
    followed = NEXT_CAPITAL.match(text, match.end()) is not None
    return last.lower().strip(".") in PEOPLE, not joined and not followed


def _confidence(last: int, first: int, *, cued: bool) -> float:
    if cued and not (last & first & WordKind.COMMON):
        return 0.93
    if first & WordKind.FIRST and not first & _NOT_A_NAME:
        return 0.75 if last & WordKind.SURNAME and not last & _NOT_A_NAME else 0.0
    return 0.0


_SHORTEST_UPPER = 4
_CALLED = frozenset(("call", "called", "calling", "calls", "name", "named"))
_SAYS = re.compile(
    rf"(?:,? who)? (?:{'|'.join(sorted(section_words('says'), key=lambda verb: (-len(verb), verb)))})(?!\w)"
    r"|: ?[\"“]"
)
"""What a person does, right after the name; or what is quoted of the person."""
_PLAIN = re.compile(
    rf"(?:(?:[a-z]+ )*(?:Mc|Mac|O['’]|D['’]|De|La))?{_CAPITAL}[^\W\d_A-Z]+(?:[-'’][^\W\d_]+)*"
)
"""A word as names are written: letters, and no capitals among them as in `PaCO`."""


def name(segment: Segment, *, titled: bool) -> Finding | None:
    """A name in a segment; None if there is no evidence for one."""
    words = segment.words
    if titled:
        return _finding(segment, _name_after_title(words), 0.97, "title")
    if _eponym(segment):
        return None
    if DEGREE.match(segment.text, segment.end, segment.end + 12) and _nameable(words):
        return _finding(segment, words, 0.96, "degree")
    cued = _is_cued(segment)
    if len(words) == 1:
        return _finding(segment, words, _single(segment, words[0], cued=cued), "name")
    return _finding(segment, words, _several(segment, cued=cued), "name")


def _is_cued(segment: Segment) -> bool:
    """Whether the words before introduce a person."""
    before, that = segment.before, segment.before_that
    if before in PEOPLE or before in SPEAKS or (that in NAME_WORDS and before in ("is", "was", "to")):
        return True
    return that in _CALLED and before in ("her", "him", "me", "them", "you")


def _finding(segment: Segment, words: list[Word], confidence: float, how: str) -> Finding | None:
    if not words or confidence <= 0:
        return None
    end = words[-1].end
    if words[-1].initial and segment.text[end : end + 1] == ".":
        end += 1
    return Finding(words[0].start, end, "NAME", confidence, f"dictionary:{how}")


def _name_after_title(words: list[Word]) -> list[Word]:
    """All words after a title, up to one that cannot be part of a name."""
    for place, word in enumerate(words):
        if place and word.clinical and not word.kinds & WordKind.FIRST:
            return words[:place]
    return words


def _eponym(segment: Segment) -> bool:
    after = (
        segment.text[segment.end : segment.end + 24]
        .lower()
        .removeprefix("'s")
        .removeprefix("’s")
        .lstrip(" -'’")
    )
    return after.startswith(WITH_EPONYM)


def _nameable(words: list[Word]) -> bool:
    return any(not word.kinds & (WordKind.COMMON | WordKind.CLINICAL) for word in words)


def _single(segment: Segment, word: Word, *, cued: bool) -> float:
    if word.initial or word.clinical:
        return 0.0
    if word.upper:
        return _single_capitals(word, cued=cued)
    if word.first_name:
        return 0.9 if cued else 0.75
    if word.kinds & WordKind.COMMON:
        return _single_common(segment, word, cued=cued)
    if word.kinds & WordKind.SURNAME:
        return 0.88 if cued else 0.3 if segment.opens else 0.45
    return _single_unknown(segment, cued=cued)


def _single_unknown(segment: Segment, *, cued: bool) -> float:
    """A word in no list: what stands before or after it decides."""
    if cued and not segment.opens:
        return 0.65
    if _SAYS.match(segment.text, segment.end, segment.end + 24):
        return 0.5
    if _TERM.fullmatch(segment.text, segment.start, segment.end):
        return 0.05
    plain = _PLAIN.fullmatch(segment.text, segment.start, segment.end) is not None
    return UNKNOWN if plain and not segment.opens else 0.15


def _single_common(segment: Segment, word: Word, *, cued: bool) -> float:
    """A common word such as `Frank`: a name only where its capital or the words before say so."""
    if segment.opens or not word.kinds & WordKind.NAME:
        return 0.05
    if cued:
        return 0.6
    return 0.3 if word.kinds & WordKind.FIRST else 0.05


def _single_capitals(word: Word, *, cued: bool) -> float:
    if len(word.low) < _SHORTEST_UPPER or not word.known_name:
        return 0.0
    return 0.8 if cued else 0.55 if word.first_name else 0.15


def _several(segment: Segment, *, cued: bool) -> float:
    words = segment.words
    if all(word.upper or word.initial for word in words):
        return _capitals(words, cued=cued)
    first, last = words[0], words[-1]
    known = sum(word.known_name for word in words)
    if first.first_name:
        return 0.96 if known > 1 or last.initial else 0.88 if not last.kinds & WordKind.COMMON else 0.75
    if first.initial:
        return 0.9 if last.known_name or last.unknown else 0.1
    if first.kinds & WordKind.FIRST and (known or last.initial) and not segment.opens:
        return 0.88
    if first.kinds & WordKind.FIRST and (known or last.initial):
        return 0.8
    return _confidence_if_unlisted(segment, known, cued=cued)


def _confidence_if_unlisted(segment: Segment, known: int, *, cued: bool) -> float:
    """Confidence in a name whose first word is not in any list of first names."""
    words = segment.words
    strange, initials = sum(word.unknown for word in words), sum(word.initial for word in words)
    if known and (known + strange + initials == len(words) or words[-1].initial):
        return 0.85 if cued or known > 1 else 0.75
    if strange and (strange + initials == len(words) or words[-1].initial):
        return 0.85 if cued else 0.6
    if cued and (known or strange) and not segment.opens:
        return 0.7
    return 0.15


def _capitals(words: list[Word], *, cued: bool) -> float:
    known = sum(word.known_name and not word.initial for word in words)
    if any(word.first_name for word in words) and known + sum(word.initial for word in words) >= 2:
        return 0.9
    return 0.8 if cued and known else 0.1


def is_title(word: Word) -> bool:
    """Whether a word is a title, as in `Dr. Smith`."""
    return word.low in TITLES
