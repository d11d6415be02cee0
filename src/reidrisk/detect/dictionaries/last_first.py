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
_NOT_A_NAME = Kind.COMMON | Kind.CLINICAL


def turned_names(text: str, lexicon: Lexicon) -> Iterator[Finding]:
    """Names with the surname first."""
    for match in TURNED.finditer(text):
        last, first = lexicon.kinds(match["last"]), lexicon.kinds(match["first"])
        if (last | first) & Kind.CLINICAL:
            continue
        before = text[max(0, match.start() - 16) : match.start()].lower().rstrip(" :\t").rpartition(" ")[2]
        cued = before.rpartition("\n")[2] in PEOPLE
        confidence = _confidence(last, first, cued=cued)
        if confidence:
            yield Finding(*match.span(), "NAME", confidence, "dictionary:last-first")


def _confidence(last: int, first: int, *, cued: bool) -> float:
    if cued and not (last & first & Kind.COMMON):
        return 0.93
    if first & Kind.FIRST and not first & _NOT_A_NAME and not last & Kind.FIRST:
        return 0.75 if last & Kind.SURNAME and not last & _NOT_A_NAME else 0.0
    return 0.0
