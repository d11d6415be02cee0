"""`Last, First`: a name turned round at a comma."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.detect.dictionaries.context import PEOPLE
from reidrisk.detect.dictionaries.lexicon import Kind, Lexicon
from reidrisk.detect.finding import Finding

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
TURNED = re.compile(
    rf"(?<!\w)(?P<last>{_CAPITAL}[\w'’-]{{1,30}}), ?(?P<first>{_CAPITAL}[\w'’-]{{1,30}})(?: {_CAPITAL}\b\.?)?"
)
NEXT_CAPITAL = re.compile(rf" {_CAPITAL}\w")
_NOT_A_NAME = Kind.COMMON | Kind.CLINICAL


def turned_names(text: str, lexicon: Lexicon) -> Iterator[Finding]:
    """Names with the surname first."""
    for match in TURNED.finditer(text):
        if not (match["last"][0].isupper() and match["first"][0].isupper()):
            continue
        last, first = lexicon.kinds(match["last"]), lexicon.kinds(match["first"])
        if (last | first) & Kind.CLINICAL or match["first"].startswith(("I'", "I’")):
            continue
        cued, alone = _around(text, match)
        if not cued and not alone:
            continue
        confidence = _confidence(last, first, cued=cued)
        if confidence:
            yield Finding(*match.span(), "NAME", confidence, "dictionary:last-first")


def _around(text: str, match: re.Match[str]) -> tuple[bool, bool]:
    """Whether a word for people stands before, and whether no other name touches the two words.

    In `Ann Smith, Mary Jones` and `Dr. Smith, Mary Jones` the comma parts two people.
    """
    before = text[max(0, match.start() - 24) : match.start()]
    last = before.rstrip(" :\t").rpartition(" ")[2].rpartition("\n")[2]
    joined = before.endswith(" ") and not before.rstrip().endswith((":", ";", ",")) and last[:1].isupper()
    followed = NEXT_CAPITAL.match(text, match.end()) is not None
    return last.lower().strip(".") in PEOPLE, not joined and not followed


def _confidence(last: int, first: int, *, cued: bool) -> float:
    if cued and not (last & first & Kind.COMMON):
        return 0.93
    if first & Kind.FIRST and not first & _NOT_A_NAME:
        return 0.75 if last & Kind.SURNAME and not last & _NOT_A_NAME else 0.0
    return 0.0
