"""Names of institutions whose kind comes first, as in Spanish, French, Italian and Portuguese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.detect.dictionaries.lexicon import section_words
from reidrisk.detect.finding import Finding

_CARE = section_words("care-first")
_KINDS = _CARE | section_words("institution-first")
_LITTLE = "|".join(sorted(section_words("romance-links"), key=lambda word: (-len(word), word)))
_ENDS = "|".join(sorted(section_words("after-institution")))
_CAPITAL = rf"(?!(?i:{_ENDS})(?!\w))" + r"(?:(?:Dra?|Univ|Sta|Sto)\.|[^\W\d_a-zß-öø-ÿ][\w'’-]{0,24})"
_HEADS = "|".join(sorted({form for word in _KINDS for form in (word.capitalize(), word.upper())}))
NAME = re.compile(
    rf"(?<![\w'’-])(?P<kind>{_HEADS})(?P<name>(?: (?:(?:{_LITTLE}) ){{0,3}}"
    rf"(?:[\"“«]?{_CAPITAL}[\"”»]?|\d{{1,2}} de [^\W\d_]{{4,10}}(?!\w))){{1,8}})"
)
"""The kind of an institution and the capitalized words after it, with little words between them."""
_LINKED = re.compile(rf" (?:{_LITTLE}) ")
_LITTLE_WORD = re.compile(rf"(?<!\w)(?:{_LITTLE})(?!\w)")
_NOT_A_NAME = re.compile(r"(?i:historia|evaluación|exploración|evolución|práctica) $")
"""Words before `Clínica` that make it an adjective."""
_FEWEST, _SHARE = 3, 0.08
"""Little words from which on a text counts as one of these languages: their number, and share of words."""
_LONGEST_BEFORE = 12


class InstitutionDetector:
    """Finds Hospital General de Villanueva, Universidad de Montemar, Centro Penitenciario de Alborada.

    In a text of another language, a little word must follow the kind: `Hospital de Montemar`, not
    `Hospital Course`.
    """

    def find(self, text: str) -> list[Finding]:
        """The institutions in one text."""
        return list(_institutions(text))


def _institutions(text: str) -> Iterator[Finding]:
    is_romance: bool | None = None
    for match in NAME.finditer(text):
        if _NOT_A_NAME.search(text, max(0, match.start() - _LONGEST_BEFORE), match.start()):
            continue
        if not _LINKED.match(match["name"]):
            is_romance = _is_romance(text) if is_romance is None else is_romance
            if not is_romance:
                continue
        kind = "HOSPITAL" if match["kind"].lower() in _CARE else "ORGANIZATION"
        yield Finding(match.start(), match.end(), kind, 0.85, "dictionary:institution")


def _is_romance(text: str) -> bool:
    number = sum(1 for _ in _LITTLE_WORD.finditer(text))
    return number >= max(_FEWEST, _SHARE * len(text.split()))
