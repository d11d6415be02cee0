"""The words that a column name is made of, however it is spelled."""

from __future__ import annotations

import re
import unicodedata

HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
WORD = re.compile(r"[^\W\d_]+|\d+")


def words_of(name: str) -> tuple[str, ...]:
    """The words in lower case, without accents; a number is a word.

    >>> words_of("patientBirthDate"), words_of("Code_Postal"), words_of("USUBJID"), words_of("zip3")
    (('patient', 'birth', 'date'), ('code', 'postal'), ('usubjid',), ('zip', '3'))
    >>> words_of("Année de naissance"), words_of("Größe")
    (('annee', 'de', 'naissance'), ('grosse',))
    """
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)
    )
    return tuple(WORD.findall(HUMP.sub(" ", plain).casefold()))


def holds(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Whether the phrase stands in the words, one after the other.

    >>> holds(("patient", "birth", "date"), ("birth", "date")), holds(("drug", "name"), ("first", "name"))
    (True, False)
    """
    size = len(phrase)
    return any(words[at : at + size] == phrase for at in range(len(words) - size + 1))
