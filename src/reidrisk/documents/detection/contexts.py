"""Whether a number or a common word is what it looks like: the words around it say so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reidrisk.documents.detection.owners import Stretch

_BEFORE = 40
_AGE_BEFORE = re.compile(
    r"\b(?:age[ds]?|aged)\b(?:\W{0,3}(?:of|is|was|about|around|approximately|at enrolment|at baseline|years"
    r"|and|\d{1,3})){0,3}\W{0,3}$|\bage(?:/\w+){1,3}: ?$|\b(?:f|m|female|male)\s?/\s?$"
)
_AGE_AFTER = re.compile(
    r"[fm]\b|[ -]?(?:years?|yrs?)[ -](?:old|of age)|[ -]?y/?\.?o\b|-year\b|[ -]years?\b|[ -]yrs?\b"
    r"|\s?/\s?(?:f|m|female|male)\b|,? (?:f|m)\b(?!\.)|,? (?:male|female|man|woman)\b|, sex\b"
)
_NO_AGE_BEFORE = re.compile(
    r"\b(?:for|since|over|past|last|within|after|every|during|than|least|under|below|above|between|of)\s$"
    r"|[<>≥≤]\s?$"
)
_NO_AGE_AFTER = re.compile(
    r"[ -]?years?\s(?:or|and)\s(?:older|above|over|more|younger)|[ -]?years?\s(?:ago|later|before|after)"
)
_SEX_BEFORE = re.compile(r"\b(?:sex|gender)\W{0,3}$|\d\s?(?:years?|yrs?|y/?o|y)?(?:[ -]old)?\s?[/,]?\s?$")
_SEX_AFTER = re.compile(r"\s?/")
_NO_RACE_AFTER = re.compile(
    r"[-,]?\s(?:blood|cells?|counts?|matter|stools?|tarry|tablets?|capsules?|powder|round|sputum|eschar|noise|box(?:es)?"
    r"|coat|tongue|vomit|lesions?|spots?|patch(?:es)?|discharge|urine)\b"
)
_NO_RACE_BEFORE = re.compile(
    r"\b(?:stools?|urine|sputum|tongue|lesions?|tablets?|capsules?)\s(?:is|are|was|were|turned)\s$"
)
_PERSON = re.compile(
    r"\b(?:subject|participant|patient|years?|old|aged|age|man|woman|male|female|boy|girl|race|ethnic\w*|descent|described|origin|who|[fm])\b"
)
_SITE_BEFORE = re.compile(
    r"\b(?:site|centre|center|investigator|hospital|clinic)s?(?:\s(?:no|number|id|nr|code))?[.:#]?\s?(?:\()?$"
)


@dataclass(frozen=True, slots=True)
class Around:
    """A value at a place, with what stands around it."""

    text: str
    value: str
    before: str
    after: str
    span: tuple[int, int]
    stretch: Stretch

    @classmethod
    def of(cls, low: str, text: str, span: tuple[int, int], stretch: Stretch) -> Around:
        """The place in a text, of which `low` is the folded form; words around it are folded."""
        start, end = span
        before = low[max(stretch.start, start - _BEFORE) : start]
        after = low[end : min(stretch.end + 1, end + _BEFORE)]
        return cls(text, text[start:end], before, after, span, stretch)

    def is_cell(self, column: str) -> bool:
        """Whether it stands alone in a row whose table has such a column."""
        start, end = self.span
        if self.stretch.mode != "table" or column not in self.stretch.header:
            return False
        left = start == 0 or self.text[start - 1] in "\t\n /|"
        right = end >= len(self.text) or self.text[end] in "\t\n /|"
        return left and right


def says(kind: str, around: Around, sentence: str, once: set[str]) -> bool:
    """Whether a value of a kind is meant; `once` are the columns that a row has already shown."""
    if kind in ("age", "sex", "site"):
        told = _TESTS[kind](around) or (kind not in once and around.is_cell(kind))
        once.update((kind,) if told else ())
        return told
    if kind == "race":
        return _is_race(around, sentence)
    if kind in ("country", "initials"):
        return _TESTS[kind](around)
    return kind != "number"


def is_site_named(low: str, start: int) -> bool:
    """Whether the words before a number say that it is that of a site."""
    return _SITE_BEFORE.search(low[max(0, start - _BEFORE) : start]) is not None


def _is_age(around: Around) -> bool:
    before, after = around.before, around.after
    if (
        re.search(r"\d[.,/-]$", before)
        or re.match(r"[.,]\d|%|\s?-\s?\d", after)
        or _NO_AGE_AFTER.match(after)
    ):
        return False
    if _AGE_BEFORE.search(before):
        return True
    return _AGE_AFTER.match(after) is not None and not _NO_AGE_BEFORE.search(before)


def _is_sex(around: Around) -> bool:
    if len(around.value) > 1:
        return True
    told = _SEX_BEFORE.search(around.before) or _SEX_AFTER.match(around.after)
    return around.value.isupper() and told is not None


def _is_race(around: Around, sentence: str) -> bool:
    if _NO_RACE_AFTER.match(around.after) or _NO_RACE_BEFORE.search(around.before):
        return False
    header = around.stretch.header
    if around.stretch.mode == "table":
        return "race" in header or not header
    return _PERSON.search(sentence) is not None


def _is_site(around: Around) -> bool:
    return not around.value.isdigit() or _SITE_BEFORE.search(around.before) is not None


_TESTS: dict[str, Callable[[Around], bool]] = {
    "age": _is_age,
    "sex": _is_sex,
    "site": _is_site,
    "country": lambda around: len(around.value) > 3 or around.value.isupper(),
    "initials": lambda around: around.value == around.value.upper(),
}
