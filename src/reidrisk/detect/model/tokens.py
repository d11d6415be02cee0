"""Cut a text into tokens. Every character that is no white space belongs to exactly one of them."""

from __future__ import annotations

import re

CHUNK = re.compile(r"\S{1,256}")
"""What stands between white space; endless ones are cut, so that no token is endless."""
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u200c\u200d"
)
TOKEN = re.compile(
    rf"[{_UNSPACED}]"  # scripts that put no space between words: one character a token
    r"|\d+"
    rf"|[^\W\d_{_UNSPACED}][{_MARKS}]*(?:[^\W\d_{_UNSPACED}][{_MARKS}]*)*"
    r"|(?P<sign>[^\w\s]|_)(?:(?P=sign){2,})?"
    r"|\S",
)


def pieces(chunk: str) -> list[tuple[int, int]]:
    """Start and end of the tokens of a piece of text: words, numbers, signs, runs of three signs or more.

    >>> pieces("Dr.Ruiz-12/03")
    [(0, 2), (2, 3), (3, 7), (7, 8), (8, 10), (10, 11), (11, 13)]
    """
    return [match.span() for match in TOKEN.finditer(chunk)]
