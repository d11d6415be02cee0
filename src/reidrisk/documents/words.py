"""Words of texts: sets of them, one pattern for many, and values that the end of a line has cut."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

_CUT = re.compile(r"(\w*)([-\u00ad\u2010])[^\S\n]*\n\s*(?=(\w?))")
_TENS = frozenset(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])


def words(text: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(words("b a"))
    ['a', 'b']
    """
    return frozenset(text.split())


def alternatives(words: Iterable[str]) -> str:
    """A pattern that finds any of the words, the longest first, and tries each beginning only once.

    >>> alternatives(["ann", "anna", "bo"])
    '(?:ann(?:a)?|bo)'
    """
    by_first: dict[str, list[str]] = defaultdict(list)
    ends = False
    for word in words:
        if word:
            by_first[word[0]].append(word[1:])
        else:
            ends = True
    parts = [re.escape(first) + alternatives(dict.fromkeys(rest)) for first, rest in by_first.items()]
    if not parts:
        return ""
    body = parts[0] if len(parts) == 1 and not ends else f"(?:{'|'.join(parts)})"
    return f"{body}?" if ends else body


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
