"""Runs of capitalized words, and the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reidrisk.detect.dictionaries.lexicon import Lexicon, WordKind, section_words

TITLES = section_words("titles")
TITLES_BEFORE = TITLES - section_words("kin")
"""Titles that count as titles even in lower case."""
PEOPLE = section_words("people")
NAME_WORDS = frozenset(("name", "names", "nickname", "surname"))
SPEAKS = section_words("speaks")
"""Verbs before the name of somebody who is quoted."""
DEGREE = re.compile(
    r",? {0,2}(?:M\.?D|D\.?O|Ph\.?D|R\.?N|N\.?P|P\.?A(?:-C)?|F\.?N\.?P|L\.?P\.?N|B\.?S\.?N|M\.?S\.?N"
    r"|A\.?P\.?R\.?N|L\.?C\.?S\.?W|M\.?S\.?W|D\.?D\.?S|D\.?M\.?D|Pharm\.?D|Psy\.?D|D\.?P\.?M"
    r"|C\.?R\.?N\.?A|M\.?P\.?H|FACS|FACP|FRCP"
    r"|Jr|Sr|III|Esq)\b"
)
PLACE_BEFORE = section_words("place-before")
PLACE_LABELS = section_words("place-labels")
STREET_ENDS = section_words("street-ends")
AT_BEFORE = section_words("at")
SENT = section_words("sent")
STATES = section_words("states")
COUNTRIES = section_words("countries")
STATE_AFTER = re.compile(
    r"(?:, ?| (?=[A-Z]{2},? \d{5}))(?P<state>AL|AK|AZ|AR|CA|CO|CT|DE|D\.?C\.?|FL|GA|HI|ID|IL|IN|IA|KS|KY"
    r"|LA|ME|MD|MA|MI"
    r"|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|ON|BC|QC|AB"
    r"|NSW|QLD|UK|USA)"
    r"\b(?!['’-]\w)"
)
ALSO_DEGREES = frozenset(("MD", "MA", "PA", "MS", "DC"))
"""State abbreviations that can also be a degree after a person's name."""
FACILITY = section_words("facility")
FACILITY_HEAD = section_words("facility-head")
FACILITY_SURE = section_words("facility-sure")
ORGANIZATION_HEAD = section_words("organization-head")
OPENERS = section_words("openers")
"""Words that are capitalized only because they start a sentence."""
SAINTS = section_words("saints")
ABBREVIATED = section_words("abbreviated")
WITH_EPONYM = tuple(section_words("with-eponym"))
_PARTICLES = (
    *(
        "af",
        "al",
        "bin",
        "da",
        "dal",
        "das",
        "de",
        "de la",
        "de las",
        "de los",
        "de los",
        "degli",
        "dei",
        "del",
    ),
    *("della", "delle", "der", "di", "do", "dos", "du", "e", "el", "het", "ibn", "la", "le", "op de", "ten"),
    *("ter", "und", "van", "van 't", "van de", "van den", "van der", "van het", "vom", "von", "von der", "y"),
    *("zu", "zum", "zur"),
)
PARTICLES = frozenset(f" {particle} " for particle in _PARTICLES)
PARTICLES_BEFORE = re.compile(
    r"(?<!\w)(?:(?:van|von|de|del|della|der|den|het|'t|ter|ten|la|di|da|bin|ibn|dos|du|le|zu|af) ){1,3}$"
)
"""Lower-case particles at the start of a surname; they end where the capitalized word starts."""
FACILITY_LINKS = frozenset((" of ", " of the ", " for ", " and ", " & ", " at ", " - ", "/"))


CAPITAL = re.compile(r"(?<!\w)[^\W\d_a-zß-öø-ÿ]\w*(?:['’&-]\w+){0,3}")
"""A word that starts with a capital; letters beyond Latin-1 are checked again later."""
_POSSESSIVE = ("'s", "’s", "'S", "’S")
_CONTRACTED = frozenset(("I'm", "I’m", "I've", "I’ve", "I'll", "I’ll", "I'd", "I’d"))
_SENTENCE_END = frozenset('.?!:;\n\r•*"“(|>-')
_LONGEST = 12


@dataclass(slots=True)
class Word:
    """One capitalized word."""

    start: int
    end: int
    """End without a possessive s."""
    low: str
    kinds: int
    initial: bool
    """Whether it is a single letter, as in `J.`"""
    upper: bool
    """Whether it is all capitals."""

    @property
    def known_name(self) -> bool:
        """Whether it is a listed name and not also a common word."""
        return bool(self.kinds & WordKind.NAME) and not self.kinds & (WordKind.COMMON | WordKind.CLINICAL)

    @property
    def first_name(self) -> bool:
        """Whether it is a listed first name and not also a common word."""
        return bool(self.kinds & WordKind.FIRST) and not self.kinds & (WordKind.COMMON | WordKind.CLINICAL)

    @property
    def unknown(self) -> bool:
        """Whether it is not in any list and is not an abbreviation."""
        return not self.kinds and not self.initial and not self.upper

    @property
    def clinical(self) -> bool:
        """Whether it is a word used in medicine or on forms."""
        return bool(self.kinds & WordKind.CLINICAL)


@dataclass(slots=True)
class Run:
    """Consecutive capitalized words."""

    words: list[Word]
    gaps: list[str]
    """The text between the words."""
    before: str
    """The word before, in lower case; empty at the start of a line."""
    before_that: str
    opens: bool
    """Whether it starts a sentence or line, so that the first capital means nothing."""
    touches: bool = False
    """Whether no comma or other punctuation separates it from the word before."""


def runs(text: str, lexicon: Lexicon) -> Iterator[Run]:
    """The runs of a text, in order."""
    words: list[Word] = []
    gaps: list[str] = []
    for match in CAPITAL.finditer(text):
        if not match[0][0].isupper():
            continue
        word = _word(match, lexicon)
        if words:
            gap = text[words[-1].end : word.start] if word.start - words[-1].end <= _LONGEST else None
            if gap is not None and len(words) < _LONGEST and _joins(gap, words[-1]):
                words.append(word)
                gaps.append(gap)
                continue
            yield _run(text, words, gaps)
        words, gaps = [word], []
    if words:
        yield _run(text, words, gaps)


def _word(match: re.Match[str], lexicon: Lexicon) -> Word:
    surface, start, end = match[0], match.start(), match.end()
    if surface in _CONTRACTED:
        surface, end = "I", start + 1
    elif surface.endswith(_POSSESSIVE) and len(surface) > 3:
        surface, end = surface[:-2], end - 2
    return Word(
        start,
        end,
        surface.lower(),
        lexicon.kinds(surface),
        len(surface) == 1 and surface.isupper(),
        len(surface) > 1 and surface.isupper(),
    )


def _joins(gap: str, word: Word) -> bool:
    if gap == " " or gap in PARTICLES or gap in FACILITY_LINKS:
        return True
    if gap in (". ", "."):
        return word.initial or word.low in ABBREVIATED
    return gap in ("'s ", "’s ", "  ", "-")


def _run(text: str, words: list[Word], gaps: list[str]) -> Run:
    particles = PARTICLES_BEFORE.search(text, max(0, words[0].start - _LONGEST), words[0].start)
    if particles is not None:
        words[0].start = particles.start()
    start = words[0].start
    lead = text[max(0, start - 40) : start]
    bare = lead.rstrip(" \t")
    opens = not bare or bare[-1] in _SENTENCE_END
    if opens and bare and bare[-1] == "." and bare.rpartition(" ")[2].lower().rstrip(".") in ABBREVIATED:
        opens = False
    if not bare or bare[-1] in "\n\r":
        return Run(words, gaps, "", "", opens)
    pieces = bare.rsplit(None, 2)
    last = pieces[-1].lower().strip(".,:;?()\"“'’#-") if pieces else ""
    opens = opens and last not in NAME_WORDS
    that = pieces[-2].lower().strip(".,:;?()\"“'’") if len(pieces) > 1 else ""
    return Run(words, gaps, last, that, opens, bare[-1] == "." or bare[-1].isalnum())
