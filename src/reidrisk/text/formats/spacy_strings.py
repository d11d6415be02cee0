"""How spaCy numbers strings: a hash of their bytes, except for its built-in names."""

from __future__ import annotations

from collections.abc import Iterable

_MASK = 2**64 - 1
_FACTOR = 0xC6A4A7935BD1E995
_SEED = 1
_BLOCKS = {
    64: "ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD "
    "SENT_START SPACY PROB LANG ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM "
    "VERB X EOL SPACE",
    380: "PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY "
    "QUANTITY ORDINAL CARDINAL acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop "
    "csubj csubjpass dep det dobj expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj "
    "nsubjpass num number oprd obj obl parataxis partmod pcomp pobj poss possessive preconj prep prt punct "
    "quantmod relcl rcmod root xcomp acl",
}
SYMBOLS = {
    name: number for first, names in _BLOCKS.items() for number, name in enumerate(names.split(), first)
}
"""Built-in names with fixed numbers, as far as they can be words of a text or types of an entity."""


def murmur64(data: bytes, seed: int = _SEED) -> int:
    """MurmurHash64A.

    >>> murmur64(b"coffee")
    3197928453018144401
    """
    size = len(data)
    found = seed ^ (size * _FACTOR & _MASK)
    whole = size - size % 8
    for place in range(0, whole, 8):
        part = int.from_bytes(data[place : place + 8], "little") * _FACTOR & _MASK
        part = (part ^ part >> 47) * _FACTOR & _MASK
        found = (found ^ part) * _FACTOR & _MASK
    if whole < size:
        found = (found ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _MASK
    found = (found ^ found >> 47) * _FACTOR & _MASK
    return found ^ found >> 47


def number_of(text: str) -> int:
    """The number of a string."""
    if not text:
        return 0
    return SYMBOLS.get(text) or murmur64(text.encode("utf-8"))


def table_of(strings: Iterable[str]) -> dict[int, str]:
    """A table from numbers to strings; a built-in name is found by its number and by its hash."""
    table = {0: ""}
    for text in strings:
        table[murmur64(text.encode("utf-8"))] = text
        table[number_of(text)] = text
    return table
