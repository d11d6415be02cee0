"""Values of one participant where a text tells of them; common words and numbers count only in context."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from reidrisk.detect.known.writings import fold_text, number_in_words
from reidrisk.documents.detection.contexts import Around, says
from reidrisk.documents.detection.owners import Stretch
from reidrisk.documents.study.cdisc import is_age, is_date
from reidrisk.documents.study.study import Study
from reidrisk.documents.study.writings import RACES, SEXES, UNTOLD, country_writings, initials_writings

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
_SHORTEST = 3
_MOST_PEOPLE = 4096
"""Whose patterns are kept ready."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A value of somebody in one of its writings, at a place."""

    start: int
    end: int
    subject: int = field(repr=False)
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

    def find(self, low: str, text: str, stretch: Stretch) -> Iterator[Trait]:
        """What a stretch says of its owners; where values are shared the likeliest owner has them."""
        seen: set[tuple[int, int]] = set()
        sentence = low[stretch.start : stretch.end]
        for subject in stretch.owners:
            pattern, variables = self._of(subject)
            if pattern is None:
                continue
            once: set[str] = set()
            for match in pattern.finditer(low, stretch.start, stretch.end):
                if match.span() in seen:
                    continue
                around = Around.of(low, text, match.span(), stretch)
                for variable in variables[" ".join(match[0].split())]:
                    kind = self._kinds[variable]
                    if says(kind, around, sentence, once):
                        seen.add(match.span())
                        yield Trait(*match.span(), subject, variable, kind)
                        break

    def _pattern(self, subject: int) -> tuple[re.Pattern[str] | None, dict[str, list[str]]]:
        """All writings of a participant's values, the longest first, and whose variables they are."""
        variables: dict[str, list[str]] = {}
        for name, kind in self._kinds.items():
            for value in self._data.of(subject, name):
                for form in _writings(kind, value):
                    variables.setdefault(form, []).append(name)
        if not variables:
            return None, {}
        forms = sorted(variables, key=lambda form: (-len(form), form))
        return re.compile("|".join(_pattern_of(form) for form in forms)), variables


def _pattern_of(form: str) -> str:
    """A writing as a whole word; an age may be written as 54yo and with the sex as 54F."""
    before = r"(?<![^\W\d_])" if form in ("f", "m") else r"(?<![^\W_])"
    after = r"(?=(?:yo|yrs?|y|[fm])\b|(?![^\W_]))" if form.isdigit() else r"(?![^\W_])"
    return before + re.escape(form).replace(r"\ ", r"\s") + after


_FORMS: dict[Kind, Callable[[str], tuple[str, ...]]] = {
    "age": lambda low: (low, *number_in_words(int(low))) if low.isdigit() else (low,),
    "sex": lambda low: SEXES.get(low, (low,)),
    "race": lambda low: RACES.get(low, (low,)),
    "country": country_writings,
    "initials": initials_writings,
    "site": lambda low: (low,),
    "number": lambda low: (low,),
}


def _writings(kind: Kind, value: str) -> tuple[str, ...]:
    low = " ".join(fold_text(value).split())
    if low in UNTOLD:
        return ()
    if kind in _FORMS:
        return _FORMS[kind](low)
    return (low,) if len(low) >= _SHORTEST else ()


def _is_number(value: str) -> bool:
    return re.fullmatch(r"[-+]?\d+(?:\.\d+)?", value) is not None
