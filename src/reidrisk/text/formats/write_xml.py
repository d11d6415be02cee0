"""Writers of the XML formats of i2b2 2006 and 2014."""

from __future__ import annotations

import re

from reidrisk.text.corpus import Document
from reidrisk.text.formats.write_json import surface
from reidrisk.text.formats.writer import FILE_NAME, NOT_IN_XML, Capabilities, FilePerDocument, SingleFile

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTES = _IN_TEXT | str.maketrans({"\n": "&#10;", "\t": "&#9;", '"': "&quot;"})
_TRIMMED = re.compile(r"\S(?:.*\S)?", re.DOTALL)


def content(text: str) -> str:
    """Escaped text between tags; carriage returns are written so that parsers keep them."""
    return text.translate(_IN_TEXT)


def attribute(text: str) -> str:
    """Escaped text of an attribute, with quotation marks."""
    return f'"{text.translate(_IN_ATTRIBUTES)}"'


def _record(document: Document, _: int) -> str:
    text, parts, last = document.text or "", [], 0
    for mark in sorted(document.annotations, key=lambda mark: mark.start):
        inside = content(text[mark.start : mark.end])
        parts += [content(text[last : mark.start]), f"<PHI TYPE={attribute(mark.type)}>{inside}</PHI>"]
        last = mark.end
    body = "".join([*parts, content(text[last:])])
    return f"<RECORD ID={attribute(document.id)}>\n<TEXT>{body}</TEXT>\n</RECORD>"


def _standoff(document: Document) -> dict[str, str]:
    tags = "".join(
        f'<PHI id="P{number}" start="{mark.start}" end="{mark.end}" text={attribute(surface(document, mark))}'
        f' TYPE={attribute(mark.type)} comment="" />\n'
        for number, mark in enumerate(document.annotations)
    )
    text = content(document.text or "")
    body = f"<deIdi2b2>\n<TEXT>{text}</TEXT>\n<TAGS>\n{tags}</TAGS>\n</deIdi2b2>\n"
    return {f"{document.id}.xml": DECLARATION + body}


I2B2_2006 = SingleFile(
    "i2b2-2006",
    "i2b2-2006",
    Capabilities(overlaps=False, characters=NOT_IN_XML),
    suffix=".xml",
    part=_record,
    before=f"{DECLARATION}<ROOT>\n",
    after="\n</ROOT>\n",
)
I2B2_2014 = FilePerDocument(
    "i2b2-2014",
    "i2b2-2014",
    Capabilities(types=_TRIMMED, names=FILE_NAME, characters=NOT_IN_XML),
    _standoff,
)
