"""Surrogates for person names: one per name, regardless of case, order, initials and endings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from reidrisk.resynthesis.codes import LOWER, UPPER
from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.real import plain
from reidrisk.resynthesis.vocabulary import FIRST, SURNAME, invent_word, name_lists, word_list

NamePartKind = Literal["word", "initial", "kept"]
_WORD = re.compile(r"(?!(?<=\w['’])[sS]\b)[^\W\d_]+(?:['’](?![sS]\b)[^\W\d_]+)*")
_PREFIX = re.compile(r"[^\W\d_]{1,2}['’]")
_TITLES = word_list(
    "mr mrs ms mx miss dr drs doctor prof professor sir madam rev sister brother herr frau señor señora sr "
    "sra don doña mme monsieur madame nurse pt patient md do rn np pa phd dds lpn cna msw esq jr ii iii iv"
)
_NO_SURNAME_AFTER = word_list("jr ii iii iv sister brother nurse pt patient don doña")
_PARTICLES = word_list(
    "van von der den de la le du del della di da das dos do ter ten zu zum y e bin ibn ben al el abu st ní ó"
)
_SHORT_TITLES = word_list("md rn dr jr")
_LETTERS = "ABCDEFGHJKLMNPRSTVW"
"""Common initials."""


@dataclass(frozen=True, slots=True)
class NamePart:
    """A word of a name: its position and kind."""

    start: int
    end: int
    text: str
    kind: NamePartKind
    role: str = ""


def parts_of_name(value: str, known: dict[str, str] | None = None) -> list[NamePart]:
    """The words of a name with their roles; `known` gives roles of words from elsewhere in the document."""
    raw = [_part(match, value) for match in _WORD.finditer(value)]
    if all(part.kind == "kept" for part in raw):
        raw = [NamePart(part.start, part.end, part.text, "word") for part in raw]
    replaced = [part for part in raw if part.kind != "kept"]
    if not replaced:
        return raw
    roles = _roles(value, raw, replaced, known or {})
    return [NamePart(part.start, part.end, part.text, part.kind, roles.get(part.start, "")) for part in raw]


def _part(match: re.Match[str], value: str) -> NamePart:
    text = match[0]
    low, after = text.casefold(), value[match.end() : match.end() + 1]
    kind: NamePartKind = "word"
    if _is_title(text, after) or (low in _PARTICLES and (text.islower() or len(text) > 1)):
        kind = "kept"
    elif len(text) == 1 or (_is_short(text) and not name_lists().is_listed(text)):
        kind = "initial"
    start, end = match.span()
    prefix = _PREFIX.match(text)
    if kind == "word" and prefix and len(text) > prefix.end() + 1:
        start += prefix.end()
    return NamePart(start, end, value[start:end], kind)


def _is_title(text: str, after: str) -> bool:
    """Whether a word is a title; two capitals are initials unless a period follows or they are common."""
    low, initials = text.casefold(), len(text) < 3 and text.isupper()
    return low in _TITLES and (after == "." or not initials or low in _SHORT_TITLES)


def _is_short(text: str) -> bool:
    return len(text) <= 3 and text.isupper() and text.isascii()


def _roles(
    value: str, raw: list[NamePart], replaced: list[NamePart], known: dict[str, str]
) -> dict[int, str]:
    comma = value.find(",")
    before = [part for part in replaced if comma >= 0 and part.end <= comma]
    if before and len(before) < len(replaced) and any(part.kind == "word" for part in before):
        return {part.start: SURNAME if part in before else FIRST for part in replaced}
    if len(replaced) == 1:
        return {replaced[0].start: _role_alone(raw, replaced[0], known)}
    last = replaced[-1]
    if (
        last.kind == "initial"
        and replaced[0].kind == "word"
        and name_lists().home(replaced[0].text, FIRST)[2] is False
    ):
        return {part.start: SURNAME if part.kind == "word" else FIRST for part in replaced}
    joined = [part for part in replaced if _is_joined(value, part, last)]
    return {part.start: SURNAME if part in joined else FIRST for part in replaced}


def _is_joined(value: str, part: NamePart, last: NamePart) -> bool:
    """Whether only a hyphen connects a word to the last one."""
    between = value[part.end : last.start]
    return part is last or (part.kind == "word" == last.kind and between == "-")


def _role_alone(raw: list[NamePart], part: NamePart, known: dict[str, str]) -> str:
    titles = {one.text.casefold() for one in raw if one.kind == "kept"} & set(_TITLES)
    if titles - set(_NO_SURNAME_AFTER):
        return SURNAME
    if plain(part.text) in known:
        return known[plain(part.text)]
    lists = name_lists()
    return FIRST if lists.home(part.text, FIRST)[2] and not lists.home(part.text, SURNAME)[2] else SURNAME


class NameBook:
    """The names of one document, so that initials and single names match the full names."""

    def __init__(self, values: Iterable[str], draw: Draw) -> None:
        self._draw = draw
        self._known: dict[str, str] = {}
        self._people: set[tuple[str, str]] = set()
        for value in sorted(set(values)):
            self._learn([part for part in parts_of_name(value) if part.kind == "word"])

    def _learn(self, words: list[NamePart]) -> None:
        firsts = [plain(part.text) for part in words if part.role == FIRST]
        surnames = [plain(part.text) for part in words if part.role == SURNAME]
        if firsts and surnames:
            self._people.add((firsts[0], surnames[-1]))
            for role, names in ((FIRST, firsts), (SURNAME, surnames)):
                self._known.update((name, role) for name in names)

    def role_of(self, word: str) -> str | None:
        """The role of a word in the document, first name or surname; None if unknown."""
        return self._known.get(plain(word))

    def surrogate(self, value: str) -> str:
        """The value with every word replaced; titles, particles and punctuation stay."""
        parts = parts_of_name(value, self._known)
        surname = next(
            (plain(one.text) for one in reversed(parts) if one.kind == "word" and one.role == SURNAME), ""
        )
        text, at = "", 0
        for part in parts:
            text += value[at : part.start] + self._new(part, surname)
            at = part.end
        return text + value[at:]

    def _new(self, part: NamePart, surname: str) -> str:
        if part.kind == "kept":
            return part.text
        if part.kind == "word":
            return in_case_of(part.text, new_name(part.text, part.role, self._draw))
        if len(part.text) > 1:
            return self._initials(part.text)
        return in_case_of(part.text, self._initial(part.text, part.role, surname))

    def _initial(self, letter: str, role: str, surname: str) -> str:
        """The first letter of the surrogate if the document has the full name; otherwise another letter."""
        for first, last in sorted(self._people):
            name = first if role == FIRST else last
            if name.startswith(plain(letter)) and (role != FIRST or not surname or last == surname):
                return new_name(name, role, self._draw)[:1].upper()
        return self._letter(letter, surname)

    def _initials(self, letters: str) -> str:
        wanted = plain(letters[0]), plain(letters[-1])
        for first, last in sorted(self._people):
            if (first[:1], last[:1]) == wanted:
                ends = [
                    new_name(name, role, self._draw)[:1].upper()
                    for name, role in ((first, FIRST), (last, SURNAME))
                ]
                return ends[0] + "".join(self._letter(one, last) for one in letters[1:-1]) + ends[1]
        return "".join(self._letter(one, str(at)) for at, one in enumerate(letters))

    def _letter(self, letter: str, surname: str) -> str:
        options = [one for one in _LETTERS if one != letter.upper()]
        if letter.upper() not in UPPER:
            return self._draw.code(letter, "initial") or letter
        return self._draw.keyed.pick(options, "initial", plain(letter), surname, self._draw.scope)


def new_name(name: str, role: str, draw: Draw) -> str:
    """The surrogate of a first name or surname: from the lists if the name is listed, otherwise invented."""
    return draw.once(f"name {role}", name, lambda: _new_name(name, role, draw))


def _new_name(name: str, role: str, draw: Draw) -> str:
    key = plain(name)
    lists = name_lists()
    if not any(letter in LOWER for letter in key):
        return draw.code(name, "name") or name
    home, gender, listed = lists.home(name, role)
    options = lists.options(home, role, gender, accents=not name.isascii())

    def choose(names: tuple[str | int, ...]) -> str:
        return draw.keyed.pick(options, *names) if listed else invent_word(draw.keyed, options, role, *names)

    def invent(names: tuple[str | int, ...]) -> str:
        return invent_word(draw.keyed, options, role, "beyond the lists", *names)

    fits = draw.filter_for(name)
    new = draw.first(choose, key, role, accepts=lambda one: fits(one) and lists.is_listed(one) == listed)
    return new or draw.first(invent, key, role, accepts=fits) or draw.code(name, "name") or name
