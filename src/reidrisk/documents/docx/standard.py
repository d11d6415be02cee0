"""The words of which programs make the names of their own styles; both writing and proving go by them."""

from __future__ import annotations

import re

from reidrisk.documents.words import words

_WORDS = words(
    "heading toc index list table body normal header footer title subtitle strong emphasis quote caption "
    "hyperlink footnote endnote annotation comment default plain no balloon block book intense subtle "
    "revision page placeholder date signature salutation closing envelope macro message note line html "
    "document followed light medium dark colorful grid custom object office place style text char accent "
    "paragraph bullet number continue indent first of figures authorities reference subject string font web "
    "acronym address cite code definition keyboard preformatted sample typewriter variable simple classic "
    "columns contemporary elegant professional theme shading top bottom form z mention tag the a unresolved "
    "smart hashtag visited internet link numbering symbols contents spacing bibliography effects d return "
    "toa map e mail outline level characters anchor frame"
)
_PARTS = re.compile(r"\d+|[A-Z]{2,}(?![a-z])|[^\W\d_][a-z]*|[^\s\-\d()]")


def is_standard_style(name: str) -> bool:
    """Whether the name or id of a style is made of words of built-in styles and of numbers only.

    >>> [is_standard_style(name) for name in ("Table 3D effects 1", "TOCHeading", "Normal (Web)", "Ann 1")]
    [True, True, True, False]
    """
    return all(word.isdigit() or word.casefold() in _WORDS for word in _PARTS.findall(name))
