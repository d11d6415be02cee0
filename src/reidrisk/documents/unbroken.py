"""A value that the end of a line has cut, as it would stand in one line."""

from __future__ import annotations

import re

_CUT = re.compile(r"(\w*)([-\u00ad\u2010])[^\S\n]*\n\s*(?=(\w?))")
_TENS = frozenset(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])


def unbroken(text: str) -> str:
    """Spaces become single ones, and a hyphen goes that was put in to part a word.

    >>> unbroken("04-\\nNov-2019"), unbroken("Sep-\\ntember 4,\\n2019"), unbroken("fifty-\\nfour")
    ('04-Nov-2019', 'September 4, 2019', 'fifty-four')
    """
    return " ".join(_CUT.sub(_joined, text).split())


def _joined(cut: re.Match[str]) -> str:
    before, hyphen, after = cut[1], cut[2], cut[3]
    parts_a_word = before.isalpha() and after.islower() and before.casefold() not in _TENS
    return before if hyphen == "\u00ad" or parts_a_word else before + hyphen
