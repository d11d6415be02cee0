"""Attributes that are words of the format itself, which a proof must not take for words of the document."""

from __future__ import annotations

import re
from functools import lru_cache

from reidrisk.documents.words import words

_FOR_PEOPLE = words(
    "descr title alt altText tooltip string author initials instr Target name tag alias userId displayText"
)
"""Attributes whose values are searched whatever they look like."""
_VALUED = words(
    "alias tag tblCaption tblDescription lvlText listEntry docVar helpText statusText default name aliases"
)
"""Elements whose `val` is searched whatever it looks like."""
_NEVER = words(
    "ascii hAnsi cs eastAsia typeface panose ContentType PartName Type Id Extension TargetMode Ignorable "
    "Requires loTypeId qsTypeId csTypeId uri uniqueId presName styleLbl minVer"
)
_STYLING = words(
    "style name pStyle rStyle tblStyle basedOn next link lsdException numStyleLink styleLink bookmarkStart "
    "hyperlink theme clrScheme fontScheme fmtScheme"
)
_STYLE_WORDS = words(
    "heading toc index list table body normal header footer title subtitle strong emphasis quote caption "
    "hyperlink footnote endnote annotation comment default plain no balloon block book intense subtle "
    "revision page placeholder date signature salutation closing envelope macro message note line html "
    "document followed light medium dark colorful grid custom object office place style text char accent "
    "paragraph bullet number continue indent first of figures authorities reference subject string font web "
    "acronym address cite code definition keyboard preformatted sample typewriter variable simple classic "
    "columns contemporary elegant professional theme shading top bottom form z mention tag the a unresolved "
    "smart hashtag visited internet link numbering symbols contents"
)
"""Words of which the names of built-in styles are made."""
_NAME_WORDS = re.compile(r"\d+|[^\W\d_][a-z]*|[^\s\-\d]")
_ENTRY = re.compile(
    r"/?(?:(?:word|docProps|_rels|media|charts|theme|diagrams|[\[\]a-zA-Z_]+Types\])[/.])*"
    r"(?:document|header|footer|footnotes|endnotes|comments|commentsExtended|styles|numbering|settings|fontTable|"
    r"theme|image|chart|chartEx|chartStyle|chartColorStyle|chartUserShapes|themeOverride|diagram[A-Z][a-zA-Z]+)?"
    r"\d*\.?(?:xml|png|jpeg|gif|bmp|tiff|emf|wmf|bin)?(?:\.rels|rels)?"
)
_GIVEN = re.compile(r"Object \d+|Author")
"""Names that are given to what had others."""
_FIELD_WORDS = re.compile(
    r"\b(?:PAGE|NUMPAGES|SECTION|SECTIONPAGES|REF|PAGEREF|NOTEREF|TOC|SEQ|STYLEREF|HYPERLINK|FORMTEXT|FORMCHECKBOX|"
    r"FORMDROPDOWN|MERGEFORMAT|CHARFORMAT|arabic|roman|Table|Figure)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"[-+]?[\d.,]+(?:pt|px|in|cm|mm|em|%)?|[0-9A-Fa-f]{3,8}|#?[0-9A-Fa-f]{6}|rId\d+|_x0000_\w+"
)
_WORDS = words(
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


@lru_cache(maxsize=2**16)
def says_something(element: str, attribute: str, value: str) -> bool:
    """Whether an attribute could hold a word of the document.

    >>> says_something("jc", "w:val", "center"), says_something("docPr", "descr", "Center")
    (False, True)
    """
    short = attribute.rpartition(":")[2]
    if attribute.startswith("xmlns"):
        return "schemas." not in value and "w3.org" not in value
    if short in _NEVER or element in ("font", "altName") or not value.strip() or _GIVEN.fullmatch(value):
        return False
    if short == "Target" and is_usual_entry(value):
        return False
    if element in _STYLING and _is_built_in(value):
        return False
    if short in _FOR_PEOPLE or element in _VALUED:
        return True
    return value not in _WORDS and not _MEASURE.fullmatch(value)


def is_usual_entry(name: str) -> bool:
    """Whether the name of an entry says only what it is.

    >>> is_usual_entry("word/header2.xml"), is_usual_entry("word/media/Ann.png")
    (True, False)
    """
    return _ENTRY.fullmatch(name) is not None


def field_arguments(code: str) -> str:
    """The code of a field without the words of the format."""
    return _FIELD_WORDS.sub("", code)


def _is_built_in(name: str) -> bool:
    """Whether a name is made of words of built-in styles and of numbers only."""
    return all(word.isdigit() or word.casefold() in _STYLE_WORDS for word in _NAME_WORDS.findall(name))
