"""Values of one participant where a text tells of them; common words and numbers count only in context."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from reidrisk.detect.known.writings import fold_text, number_in_words
from reidrisk.documents.detection.beside import TOGETHER, Candidate, IdChain, chains
from reidrisk.documents.detection.ids import IdMention
from reidrisk.documents.detection.owners import Stretch
from reidrisk.documents.study.schema import is_age, is_date
from reidrisk.documents.study.study import Study
from reidrisk.documents.study.writings import (
    PLURAL_SEXES,
    RACES,
    SEXES,
    UNTOLD,
    country_writings,
    initials_writings,
)

_BEFORE = 40
_AGE_BEFORE = re.compile(
    r"\bturn(?:ed|ing)\s$"
    r"|\b(?:age[ds]?|aged)\b(?:\W{0,3}(?:of|is|was|about|around|approximately|at enrolment|at baseline|years"
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
    r"\b(?:subjects?|participants?|patients?|years?|old|aged|age|m[ae]n|wom[ae]n|males?|females?|boys?|girls?|both|race|ethnic\w*|descent|described|origin|who|[fm])\b"
)
_SITE_BEFORE = re.compile(
    r"\b(?:site|centre|center|investigator|hospital|clinic)s?(?:\s(?:no|number|id|nr|code))?[.:#]?\s?(?:\()?$"
)
Kind = Literal["age", "sex", "race", "country", "site", "initials", "number", "event", "text"]
TYPES: dict[Kind, str] = {
    "age": "AGE",
    "country": "COUNTRY",
    "site": "HOSPITAL",
    "initials": "PATIENT",
}
"""Types of the i2b2 scheme; it has none for the other kinds."""
_NAMES: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"SEX|GENDER"), "sex"),
    (re.compile(r"RACE\w*|ETHNIC\w*"), "race"),
    (re.compile(r"COUNTRY\w*"), "country"),
    (re.compile(r"SITE(?:ID|NO|NUM)?|CENT(?:RE|ER)(?:ID)?|INVID"), "site"),
    (re.compile(r"\w*INIT\w*"), "initials"),
)
_BESIDE = frozenset(("age", "sex", "race", "country", "site", "initials"))
"""Kinds of values that stand right beside an id without a word that says what they are."""
_SEX_LETTERS = frozenset(("f", "m"))
_PLURALS = frozenset(form for forms in PLURAL_SEXES.values() for form in forms)
Writing = tuple[re.Match[str], list[str]]
"""A writing at a place, and the variables whose value it is."""
Matches = Callable[[int], list[Writing]]
_SHORTEST = 3
_MOST_PEOPLE = 4096
"""Whose patterns are kept ready."""
_FORMS: dict[Kind, Callable[[str], tuple[str, ...]]] = {
    "age": lambda low: (low, *number_in_words(int(low))) if low.isdigit() else (low,),
    "sex": lambda low: (*SEXES.get(low, (low,)), *PLURAL_SEXES.get(low[:1], ())),
    "race": lambda low: RACES.get(low, (low,)),
    "country": country_writings,
    "initials": initials_writings,
    "site": lambda low: (low,),
    "number": lambda low: (low,),
}


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


@dataclass(frozen=True, slots=True)
class Trait:
    """A value of somebody in one of its writings, at a place."""

    start: int
    end: int
    subjects: tuple[int, ...] = field(repr=False)
    variable: str
    kind: Kind


def kind_of(variable: str, values: set[str]) -> Kind:
    """What a variable holds, by its CDISC name or by its values."""
    if is_age(variable):
        return "age"
    named = next((kind for pattern, kind in _NAMES if pattern.fullmatch(variable.upper())), None)
    if named is not None:
        return named
    return "number" if values and all(_is_number(value) for value in values) else "text"


def type_of(kind: Kind, variable: str) -> str:
    """The type of findings; names of sites are hospitals."""
    if kind == "text" and re.match(r"SITE|CENT|HOSP|CLINIC|FACIL", variable.upper()):
        return "HOSPITAL"
    return TYPES.get(kind, "OTHER")


class Traits:
    """The values of all participants, found one person at a time."""

    def __init__(self, study: Study) -> None:
        data, roles = study.data, study.roles
        events = [name for columns in roles.events.values() for name in columns if not is_date(name)]
        events.sort(key=study.dropped.__contains__)  # what was typed as it is coded is the coded term
        known = dict.fromkeys((*roles.direct, *roles.quasi, *events))
        self._data = data
        self._kinds: dict[str, Kind] = {
            name: "event" if name in events else kind_of(name, data.all_of(name))
            for name in known
            if name != study.subject and not is_date(name)
        }
        self._of = lru_cache(maxsize=_MOST_PEOPLE)(self._pattern)

    def kind(self, variable: str) -> Kind:
        """What a variable holds."""
        return self._kinds[variable]

    def of_kind(self, *kinds: Kind) -> list[str]:
        """The variables of some kinds."""
        return [name for name, kind in self._kinds.items() if kind in kinds]

    def find(self, low: str, text: str, stretch: Stretch, ids: Sequence[IdMention] = ()) -> Iterator[Trait]:
        """What a stretch says of its owners; where values are shared the likeliest owner has them.

        `ids` are those in the stretch: values right beside one belong to it.
        """
        seen: set[tuple[int, int]] = set()
        matches = cache(lambda subject: list(self._matches(low, stretch, subject)))
        for one in self._beside(low, text, stretch, ids, matches) if ids else ():
            if (one.start, one.end) not in seen:
                seen.add((one.start, one.end))
                yield one
        sentence = low[stretch.start : stretch.end]
        for subject in stretch.owners:
            once: set[str] = set()
            for match, variables in matches(subject):
                if match.span() in seen or _is_plural(match[0]):
                    continue
                around = Around.of(low, text, match.span(), stretch)
                for variable in variables:
                    kind = self._kinds[variable]
                    if says(kind, around, sentence, once):
                        seen.add(match.span())
                        yield Trait(*match.span(), (subject,), variable, kind)
                        break

    def _beside(
        self, low: str, text: str, stretch: Stretch, ids: Sequence[IdMention], matches: Matches
    ) -> Iterator[Trait]:
        """Values right beside ids, of whom the ids name."""
        named = dict.fromkeys(subject for one in ids for subject in one.subjects)
        values = [
            Candidate(*match.span(), subject, variable, self._kinds[variable])
            for subject in named
            for match, variables in matches(subject)
            for variable in variables
            if self._kinds[variable] in _BESIDE and _is_written(match, text)
        ]
        for chain in chains(low, ids, values):
            for one in chain.values:
                owners = chain.owners(one)
                if (
                    not owners
                    or one.subject != owners[0]
                    or not self._counts(one, chain, (low, text), stretch)
                ):
                    continue
                yield Trait(one.start, one.end, owners, one.variable, self._kinds[one.variable])

    def _counts(self, one: Candidate, chain: IdChain, texts: tuple[str, str], stretch: Stretch) -> bool:
        """Whether a value beside an id is one; in a table its columns say so."""
        low, text = texts
        if _is_plural(low[one.start : one.end]):
            return len(chain.subjects) > 1
        is_table = stretch.mode == "table" and bool(stretch.header)
        if is_table and one.kind in stretch.header:
            return False
        return chain.says(one, low, text, alone=not is_table)

    def shows(self, low: str, text: str, mention: IdMention) -> bool:
        """Whether two values of whom a number names stand right behind it on its line."""
        end = text.find("\n", mention.end)
        line = Stretch(
            mention.start, end if end >= 0 else len(low), mention.subjects, "prose", frozenset(), None
        )
        found = self._beside(low, text, line, [mention], lambda one: list(self._matches(low, line, one)))
        return len({one.kind for one in found} & TOGETHER) > 1

    def _matches(self, low: str, stretch: Stretch, subject: int) -> Iterator[tuple[re.Match[str], list[str]]]:
        """The writings of a participant's values in a stretch, and whose variables they are."""
        pattern, variables = self._of(subject)
        if pattern is None:
            return
        for match in pattern.finditer(low, stretch.start, stretch.end):
            yield match, variables[" ".join(match[0].split())]

    def _pattern(self, subject: int) -> tuple[re.Pattern[str] | None, dict[str, list[str]]]:
        """All writings of a participant's values, the longest first, and whose variables they are."""
        variables: dict[str, list[str]] = {}
        for name, kind in self._kinds.items():
            for value in self._data.of(subject, name):
                for form in _writings(kind, value):
                    variables.setdefault(form, []).append(name)
        if not variables:
            return None, {}
        return _pattern_of(variables), variables


def _is_plural(form: str) -> bool:
    return form in _PLURALS


def _is_written(match: re.Match[str], text: str) -> bool:
    """Whether a single letter stands there as a capital."""
    return len(match[0]) > 1 or not match[0].isalpha() or text[match.start() : match.end()].isupper()


def _pattern_of(forms: Iterable[str]) -> re.Pattern[str]:
    """Writings as whole words, the longest first; a sex may stand right behind an age, as in 54F.

    What stands before a word is looked at once for all of them: that is three times as fast.
    """
    ordered = sorted(forms, key=lambda form: (-len(form), form))
    letters = "".join(form for form in ordered if form in _SEX_LETTERS)
    words = "|".join(_word_of(form) for form in ordered if form not in _SEX_LETTERS)
    parts = [rf"(?<![^\W_])(?:{words})"] if words else []
    parts += [rf"(?<![^\W\d_])[{letters}](?![^\W_])"] if letters else []
    return re.compile("|".join(parts))


def _word_of(form: str) -> str:
    """A writing and the end of its word; an age may be written as 54yo and with the sex as 54F."""
    after = r"(?=(?:yo|yrs?|y|[fm])\b|(?![^\W_]))" if form.isdigit() else r"(?![^\W_])"
    return re.escape(form).replace(r"\ ", r"\s") + after


def _writings(kind: Kind, value: str) -> tuple[str, ...]:
    low = " ".join(fold_text(value).split())
    if low in UNTOLD:
        return ()
    if kind in _FORMS:
        return _FORMS[kind](low)
    return (low,) if len(low) >= _SHORTEST else ()


def _is_number(value: str) -> bool:
    return re.fullmatch(r"[-+]?\d+(?:\.\d+)?", value) is not None
