"""Marked content keeps its structure and loses the texts that tell what was removed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reidrisk.documents.pdf.glyph import Mark

_PLAIN = ("/MCID", "/Type", "/Subtype", "/Attached", "/BBox")
_TEXTS = ("/ActualText", "/Alt", "/E")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def clean_mark(mark: Mark, keeps: Callable[[Mark, str], bool]) -> bytes | None:
    """The operator that begins a marked stretch, with only what structure needs; None: it stays."""
    if mark.tag == "/OC" or (mark.properties is None and not keeps(mark, mark.tag)):
        return b"/Span BMC"
    if mark.properties is None:
        return None
    entries = [(name, mark.properties[name]) for name in _PLAIN if name in mark.properties]
    texts = [(name, mark.properties[name]) for name in _TEXTS if name in mark.properties]
    entries += [(name, text) for name, text in texts if keeps(mark, str(text))]
    if "/Lang" in mark.properties and _LANGUAGE.fullmatch(str(mark.properties["/Lang"])):
        entries.append(("/Lang", mark.properties["/Lang"]))
    listed = b" ".join(name.encode("ascii") + b" " + _direct(entry) for name, entry in entries)
    tag = mark.tag.encode("utf-8") if keeps(mark, mark.tag) or "/MCID" in mark.properties else b"/Span"
    return tag + b" <<" + listed + b">> BDC"


def _direct(entry: Any) -> bytes:
    import pikepdf

    if isinstance(entry, pikepdf.Object):
        return bytes(entry.unparse(resolved=True))
    return str(entry).encode("ascii")
