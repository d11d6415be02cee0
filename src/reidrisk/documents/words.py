"""Sets of words, as the lists of names in formats are."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(words("b a"))
    ['a', 'b']
    """
    return frozenset(text.split())
