"""Words of the format itself, which are no words of a document; both writing and proving go by them."""

from __future__ import annotations

import re

from reidrisk.documents.words import words

_STYLE_WORDS = words(
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
"""Of which programs make the names of their own styles."""
LOOK_WORDS = words(
    "auto center left right both start end top bottom middle single double thick thin none nil clear "
    "continuous default preserve true false on off begin separate nextPage oddPage evenPage nextColumn page "
    "column textWrapping paragraph character table numbering first even odd dxa pct exact atLeast atleast "
    "bullet decimal lowerLetter upperLetter lowerRoman upperRoman hybridMultilevel multilevel singleLevel "
    "tab space nothing baseline superscript subscript dotted dashed dash dot dotDash wave words black white "
    "red blue green yellow cyan magenta darkBlue margin text portrait landscape restart continue fixed "
    "autofit inside outside around square tight through char line rect ellipse diamond solid flat round "
    "bevel miter major minor minorHAnsi majorHAnsi minorEastAsia majorEastAsia minorBidi majorBidi accent1 "
    "accent2 accent3 accent4 accent5 accent6 dark1 dark2 light1 light2 hyperlink followedHyperlink "
    "background1 background2 text1 text2 tx1 tx2 bg1 bg2 dk1 dk2 lt1 lt2 phClr windowText window norm col "
    "bar standard clustered stacked nextTo low high cross t b l r ctr cat val external roman swiss modern "
    "script decorative variable pitch absolute relative visible hidden wrap horz vert lrTb tbRl btLr "
    "doNotCompress compressPunctuation separator continuationSeparator normal bold italic underline strike "
    "position width height shape frame stretch tile sq rnd med lg sm tri arrow oval stealth between midCat "
    "zero gap span crossBetween mar long short full rounded linear percentStacked marker circle plus star x "
    "picture"
)
"""Of which attributes say how something looks."""
_PARTS = re.compile(r"\d+|[A-Z]{2,}(?![a-z])|[^\W\d_][a-z]*|[^\s\-\d()]")


def is_standard_style(name: str) -> bool:
    """Whether the name or id of a style is made of words of built-in styles and of numbers only.

    >>> [is_standard_style(name) for name in ("Table 3D effects 1", "TOCHeading", "Normal (Web)", "Ann 1")]
    [True, True, True, False]
    """
    return all(word.isdigit() or word.casefold() in _STYLE_WORDS for word in _PARTS.findall(name))
