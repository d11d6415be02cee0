"""What the head of a table says about its columns."""

from __future__ import annotations

import re

from reidrisk.documents.words import words

_WORDS = re.compile(r"[^\W\d_]+")
_KINDS = (
    ("subject", re.compile(r"\b(?:subject|participant|patient|usubjid|subjid|id)s?\b")),
    ("age", re.compile(r"\bage\b")),
    ("sex", re.compile(r"\b(?:sex|gender)\b")),
    ("race", re.compile(r"\b(?:race|ethnicity|ethnic|ethnic group|origin)\b")),
    ("site", re.compile(r"\b(?:site|centre|center|hospital|clinic)s?\b")),
    ("country", re.compile(r"\b(?:country|region)\b")),
)
_USUAL = words(
    """subject participant patient subjects participants patients id no number initials site centre center
    country region age years yrs year sex gender race ethnicity ethnic group date of birth death first
    last dose treatment arm reason term reported preferred verbatim start stop end day days onset
    severity serious outcome cause visit event adverse relation related action taken name city principal
    investigator unit result value test parameter status medical history duration study week time system
    organ class soc pt and"""
)
_MOST_WORDS = 60
Header = frozenset[str]


def header_of(line: str) -> Header | None:
    """The kinds of columns that a line heads: words of heads only, and more than one column."""
    low = line.casefold()
    said = _WORDS.findall(low)
    if not 2 <= len(said) <= _MOST_WORDS or low.rstrip().endswith((".", ";", ":")):
        return None
    kinds = frozenset(kind for kind, pattern in _KINDS if pattern.search(low))
    usual = sum(word in _USUAL for word in said)
    if "subject" not in kinds and len(kinds) < 2:
        return None
    is_head = usual >= 0.6 * len(said) or ("\t" in line and usual >= 0.4 * len(said))
    return kinds if is_head and not re.search(r"\d{3}", low) else None


def columns_in(text: str) -> Header:
    """The kinds of columns that are named in the lines between a caption and the first row."""
    low = text.casefold()
    return frozenset(kind for kind, pattern in _KINDS if pattern.search(low))
