"""Notes that stay notes, because every program draws them in its own way: a sign, or a line, and no word."""

from __future__ import annotations

from typing import Any

from reidrisk.documents.pdf.fonts import name_text, number
from reidrisk.documents.pdf.note_places import Bounds, bounds_of, line_width

_SIGN = 24
"""The size of the sign of a note: programs draw it from one corner of its place, however small that is."""
_SIGNS = ("/Comment", "/Help", "/Insert", "/Key", "/NewParagraph", "/Note", "/Paragraph")
_UNSEEN, _KEPT = 2 | 32, 4 | 8 | 16
"""Flags of notes that are not shown, and those that say how a note is shown."""
_FARTHEST, _WIDEST = 20_000, 100
_COLORS = (0, 1, 3, 4)


def bare(note: Any) -> Any:
    """Everything a note needs to look as before, rebuilt from numbers and standard names.

    None for a note with a drawing of its own, one that shows words, and one that nobody would see.
    """
    import pikepdf

    if "/AP" in note or int(number(note.get("/F"))) & _UNSEEN:
        return None
    looks = {"/Text": _sign, "/Line": _line}.get(name_text(note.get("/Subtype", "")))
    shape = looks(note) if looks is not None else None
    place, color = _numbers(note.get("/Rect"), _FARTHEST), _numbers(note.get("/C"), 1)
    if shape is None or len(place) != 4 or len(color) not in _COLORS:
        return None
    entries = {"/Type": pikepdf.Name.Annot, "/Rect": pikepdf.Array(place), **shape}
    entries["/F"] = int(number(note.get("/F"))) & _KEPT
    if "/C" in note:
        entries["/C"] = pikepdf.Array(color)
    if opaque := _numbers(pikepdf.Array([note.get("/CA", 1)]), 1):
        entries["/CA"] = opaque[0]
    return pikepdf.Dictionary(entries)


def reach_of(note: Any) -> Bounds | None:
    """All that such a note may cover on its page."""
    if (bounds := bounds_of(note)) is None:
        return None
    margin = _SIGN if note.get("/Subtype") == "/Text" else 0
    left, bottom, right, top = bounds
    return left - margin, bottom - margin, right + margin, top + margin


def _sign(note: Any) -> dict[str, Any] | None:
    import pikepdf

    name = note.get("/Name", pikepdf.Name.Note)
    if name not in _SIGNS:
        return None
    return {"/Subtype": pikepdf.Name.Text, "/Name": pikepdf.Name(str(name))}


def _line(note: Any) -> dict[str, Any] | None:
    """A plain line whose place is empty: some programs show it, and others do not."""
    import pikepdf

    place, points = _numbers(note.get("/Rect"), _FARTHEST), _numbers(note.get("/L"), _FARTHEST)
    if len(place) != 4 or len(points) != 4 or (place[0] != place[2] and place[1] != place[3]):
        return None
    style, ends, width = note.get("/BS"), note.get("/LE"), line_width(note)
    dashed = isinstance(style, pikepdf.Dictionary) and style.get("/S", "/S") != "/S"
    pointed = ends is not None and not (
        isinstance(ends, pikepdf.Array) and {*map(name_text, ends)} <= {"/None"}
    )
    if dashed or pointed or note.get("/Cap") or not 0 <= width <= _WIDEST:
        return None
    line = {"/Subtype": pikepdf.Name.Line, "/L": pikepdf.Array(points)}
    return line | {"/BS": pikepdf.Dictionary(W=round(width, 2))}


def _numbers(listed: Any, most: float) -> list[float]:
    """Numbers as they are needed to draw; none where one is none, or is too large to say something drawn."""
    import pikepdf

    if not isinstance(listed, pikepdf.Array):
        return []
    found = [round(number(part, float(most + 1)), 3) for part in listed]
    return found if all(abs(part) <= most for part in found) else []
