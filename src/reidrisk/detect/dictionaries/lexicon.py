"""The word lists that detection uses, read once per process."""

from __future__ import annotations

import gzip
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LISTS = ("english.lists.txt", "languages.lists.txt")


@cache
def _sections() -> dict[str, frozenset[str]]:
    room = files("reidrisk.detect").joinpath("data")
    found: dict[str, frozenset[str]] = {}
    for file in LISTS:
        for block in room.joinpath(file).read_text(encoding="utf-8").split("\n[")[1:]:
            name, _, words = block.partition("]")
            entries = words.partition("\n")[2].split()
            found[name] = frozenset(word.replace("_", " ") for word in entries)
    return found


def section_words(section: str) -> frozenset[str]:
    """The words and phrases of one section of the lists, in lower case."""
    return _sections()[section]


class WordKind:
    """What a word can be. Plain integers, because Python's enum flags are slow to combine."""

    WOMAN = 1
    MAN = 2
    SURNAME = 4
    COMMON = 8
    CLINICAL = 16
    ALSO_WORD = 32
    FIRST = WOMAN | MAN
    NAME = FIRST | SURNAME


_SECTIONS = {
    "woman": WordKind.WOMAN,
    "man": WordKind.MAN,
    "surname": WordKind.SURNAME,
    "common": WordKind.COMMON,
    "also": WordKind.ALSO_WORD,
}
_ENDINGS = tuple(section_words("clinical-endings"))
_FEWEST_OF_ENDING = 6
_KIND_LETTERS = (
    (WordKind.FIRST, "f"),
    (WordKind.SURNAME, "s"),
    (WordKind.COMMON, "c"),
    (WordKind.CLINICAL, "m"),
    (WordKind.ALSO_WORD, "w"),
)
_FORMS = (("oras", "or"), ("ora", "or"), ("as", "o"), ("os", "o"), ("es", ""), ("a", "o"), ("s", ""))
"""Endings of words for women and for several people in Romance languages, and of the form that lists have."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words in lower case with their kinds, and place names of one or more words."""

    words: dict[str, int]
    towns: frozenset[str]
    countries: frozenset[str]
    jobs: frozenset[str]

    def lists(self, word: str) -> str:
        """Letters for the lists that hold a word, in any language; empty if none does.

        First names f, surnames s, common words c, words of medicine m, names that are also words w, towns t,
        countries and states n, professions j, institutions i, words of streets r, words before the number of
        a flat u.
        """
        low = word.lower()
        kinds = self.kinds(low)
        found = "".join(letter for kind, letter in _KIND_LETTERS if kinds & kind)
        found += "t" if low in self.towns else ""
        found += "n" if low in self.countries or low in section_words("states") else ""
        found += "j" if self._is_job(low) else ""
        return found + "".join(letter for letter, words in _listed_words() if low in words)

    def _is_job(self, low: str) -> bool:
        if low in self.jobs:
            return True
        return len(low) > _FEWEST_OF_ENDING and any(
            low.endswith(ending) and low.removesuffix(ending) + plain in self.jobs for ending, plain in _FORMS
        )

    def kinds(self, word: str) -> int:
        """The kinds of a word, upper or lower case; 0 for unknown words."""
        low = word.lower()
        found = self.words.get(low)
        if found is None:
            found = self._compound(low)
            if not found and low.endswith(_ENDINGS) and len(low) >= _FEWEST_OF_ENDING:
                found = WordKind.CLINICAL
        return found

    def is_common(self, word: str) -> bool:
        """Whether a word is a common or medical word, so that it is not a name on its own."""
        return bool(self.kinds(word) & (WordKind.COMMON | WordKind.CLINICAL))

    def _compound(self, low: str) -> int:
        """Kinds of a word with hyphens, taken from its parts, or of a word written without its accents."""
        if "-" in low:
            parts = [self.words.get(part, 0) for part in low.split("-") if part]
            both = [part for part in parts if part]
            if len(both) == len(parts) and both:
                clinical = any(part & WordKind.CLINICAL for part in parts)
                return WordKind.CLINICAL if clinical else parts[0] & parts[-1] or parts[0]
            return 0
        folded = fold_word(low)
        return self.words.get(folded, 0) if folded != low else 0


@cache
def _listed_words() -> tuple[tuple[str, frozenset[str]], ...]:
    streets = section_words("street-first") | section_words("street-last") | section_words("street-ends")
    return (
        ("i", section_words("institution") | section_words("facility-head")),
        ("r", frozenset(word.rstrip(".") for word in streets)),
        ("u", frozenset(word.rstrip(".") for word in section_words("unit-words"))),
    )


@cache
def english() -> Lexicon:
    """The dictionaries of the package, read once per process."""
    content = gzip.decompress(files("reidrisk.detect").joinpath("data/english.words.gz").read_bytes())
    sections: dict[str, list[str]] = {}
    for block in content.decode().removeprefix("[").split("\n["):
        name, _, words = block.partition("]\n")
        sections[name] = words.split("\n")
    kinds: dict[str, int] = {}
    for name, kind in _SECTIONS.items():
        for word in sections[name]:
            kinds[word] = kinds.get(word, 0) | kind
    for word in section_words("irregular"):
        kinds[word] = kinds.get(word, 0) | WordKind.COMMON
    for word in section_words("clinical") | section_words("eponyms"):
        kinds[word] = kinds.get(word, 0) & WordKind.FIRST | WordKind.CLINICAL
    towns, countries, jobs = (frozenset(sections[name]) for name in ("town", "country", "job"))
    return Lexicon(kinds, towns, countries, jobs | section_words("profession"))


def fold_word(word: str) -> str:
    """The word without accents and ligatures, which many writers leave out."""
    if word.isascii():
        return word
    plain = word.replace("ß", "ss").replace("ø", "o").replace("ł", "l").replace("đ", "d").replace("æ", "ae")
    return "".join(part for part in unicodedata.normalize("NFD", plain) if not unicodedata.combining(part))
