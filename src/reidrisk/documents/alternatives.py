"""One pattern for many words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable


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
