"""What the name of a column says about its content."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
WORD = re.compile(r"[^\W\d_]+|\d+")


def words_of(name: str) -> tuple[str, ...]:
    """Split a name into words in lower case, without accents; a number is a word.

    >>> words_of("patientBirthDate"), words_of("Code_Postal"), words_of("USUBJID"), words_of("zip3")
    (('patient', 'birth', 'date'), ('code', 'postal'), ('usubjid',), ('zip', '3'))
    >>> words_of("Année de naissance"), words_of("Größe")
    (('annee', 'de', 'naissance'), ('grosse',))
    """
    plain = name if name.isascii() else _without_accents(name)
    return tuple(WORD.findall(HUMP.sub(" ", plain).casefold()))


def _without_accents(name: str) -> str:
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)
    )


Role = Literal["direct identifier", "quasi-identifier", "sensitive", "text", "unit candidate", "other"]
Confidence = Literal["certain", "likely", "possible"]
Unit = Literal["person", "visit", "record"]
Check = Literal["age", "date", "postal"]

ABOUT_PERSONS = (
    *("patient", "patients", "pat", "pt", "subject", "subj", "person", "client", "participant"),
    *("paciente", "pac"),
)
"""Words at the beginning or end of a name that say whom it is about."""
DESCRIBING = ("type", "flag", "count", "status", "indicator", "yn", "category", "known", "missing", "consult")
"""Words at the end of a name that describe an identifier and are not one, as in `phone_type`."""
ASKING = ("has", "is", "any")
"""Such words at the beginning of a name."""
LONGEST_CODE = 8
"""Names of CDISC variables have at most eight letters."""


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """A kind of column that can be recognized by its name."""

    key: str
    says: str
    role: Role
    sure: Confidence
    strong: bool = False
    """Whether it certainly identifies people."""
    unit: Unit | None = None
    hipaa: str | None = None
    """The letter in 45 CFR 164.514(b)(2)(i)."""
    check: Check | None = None
    """What to count in the values before the HIPAA identifier is reported."""


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A kind, and the phrase in the name that matched it."""

    kind: ColumnKind
    phrase: str


@dataclass(frozen=True, slots=True)
class _KindNames:
    kind: ColumnKind
    anywhere: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Each phrase between spaces, without any, and as words."""
    whole: tuple[tuple[str, ...], ...]
    endings: tuple[str, ...]


@lru_cache(maxsize=4096)
def kind_of_name(column: str) -> NameMatch | None:
    """Find the kind with the longest phrase in the name; None if no phrase matches.

    >>> [kind_of_name(name).kind.key for name in ("dateOfBirth", "drug_name", "SITEID", "plz")]
    ['date_of_birth', 'drug', 'facility', 'postal_code']
    >>> kind_of_name("flux_capacity") is None
    True
    """
    words = words_of(column)
    own = _own_words(words)
    spaced, joined = f" {' '.join(words)} ", "".join(words)
    glued = {joined, "".join(own), *_without_person(joined)}
    best: tuple[int, NameMatch] | None = None
    about = len(words) > 1 and (words[-1] in DESCRIBING or words[0] in ASKING)
    for names in _list():
        if about and names.kind.strong:
            continue
        found = [phrase for inside, bare, phrase in names.anywhere if inside in spaced or bare in glued]
        found += [phrase for phrase in names.whole if phrase in (words, own)]
        phrase = max(found, key=lambda one: len("".join(one)), default=None)
        if phrase and (best is None or len("".join(phrase)) > best[0]):
            best = len("".join(phrase)), NameMatch(names.kind, " ".join(phrase))
    return best[1] if best else _by_ending(words)


def _own_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out the word that says whom a column is about, as in `patient_age` and `nombre_pac`."""
    if len(words) < 2:
        return words
    return words[1:] if words[0] in ABOUT_PERSONS else words[:-1] if words[-1] in ABOUT_PERSONS else words


def kind_named(key: str) -> ColumnKind:
    """Return a kind by its key in the list."""
    return _by_key()[key]


def kind_keys() -> frozenset[str]:
    """Return all keys of the list."""
    return frozenset(_by_key())


def _without_person(glued: str) -> list[str]:
    return [glued.removeprefix(word) for word in ABOUT_PERSONS if glued.startswith(word)]


def _by_ending(words: tuple[str, ...]) -> NameMatch | None:
    letters = "".join(words)
    if len(letters) > LONGEST_CODE or len([word for word in words if not word.isdigit()]) > 2:
        return None
    for names in _list():
        for ending in names.endings:
            if letters.endswith(ending) and len(letters) > len(ending) + 1:
                return NameMatch(names.kind, f"…{ending.upper()}")
    return None


@lru_cache(maxsize=1)
def _list() -> tuple[_KindNames, ...]:
    text = files("reidrisk.tables").joinpath("data/column_names.toml").read_text(encoding="utf-8")
    return tuple(_entry(key, entry) for key, entry in tomllib.loads(text).items())


@lru_cache(maxsize=1)
def _by_key() -> Mapping[str, ColumnKind]:
    return {names.kind.key: names.kind for names in _list()}


def _entry(key: str, entry: dict[str, Any]) -> _KindNames:
    kind = ColumnKind(
        key,
        **{
            name: entry[name]
            for name in ("says", "role", "sure", "strong", "unit", "hipaa", "check")
            if name in entry
        },
    )
    anywhere, whole = (tuple(words_of(name) for name in entry.get(part, ())) for part in ("names", "whole"))
    ready = tuple((f" {' '.join(phrase)} ", "".join(phrase), phrase) for phrase in anywhere)
    return _KindNames(kind, ready, whole, tuple(entry.get("endings", ())))


def looks_direct(column: str) -> str | None:
    """Say what the column contains if its name is certainly that of a direct identifier; otherwise None.

    Row, record and visit numbers do not count: by themselves they identify nobody.

    >>> looks_direct("Patient_Name"), looks_direct("healthCardNumber")
    ('a name of a person', 'a health card or health plan number')
    >>> [looks_direct(name) for name in ("id", "record_id", "visit_id", "drug_name", "age")]
    [None, None, None, None, None]
    """
    match = kind_of_name(column)
    return match.kind.says if match and match.kind.strong else None


def direct_suspects(columns: Iterable[str]) -> dict[str, str]:
    """Return the columns that are certainly direct identifiers, and what each contains."""
    found = ((column, looks_direct(column)) for column in columns)
    return {column: says for column, says in found if says is not None}
