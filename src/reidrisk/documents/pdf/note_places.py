"""Where notes are on their page, as numbers that a file may hold in any form."""

from __future__ import annotations

from typing import Any

from reidrisk.documents.pdf.fonts import number

Bounds = tuple[float, float, float, float]


def meet(one: Bounds, other: Bounds) -> bool:
    """Whether two places share a point."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def bounds_of(note: Any) -> Bounds | None:
    """All that a note may reach on its page; None where it has no place."""
    points = numbers(note, "/L", "/Vertices", "/QuadPoints", "/Rect")
    points += [number(value) for stroke in note.get("/InkList") or [] for value in stroke]
    if len(points) < 4:
        return None
    across, upward, margin = points[::2], points[1::2], line_width(note) + 1
    return min(across) - margin, min(upward) - margin, max(across) + margin, max(upward) + margin


def numbers(note: Any, *names: str) -> list[float]:
    """The coordinates of the first entry that has some."""
    import pikepdf

    for name in names:
        listed = note.get(name)
        if isinstance(listed, pikepdf.Array) and len(listed) >= 4:
            return [number(value) for value in listed]
    return []


def line_width(note: Any) -> float:
    """How wide the border or the line of a note is."""
    import pikepdf

    style, border = note.get("/BS"), note.get("/Border")
    if isinstance(style, pikepdf.Dictionary):
        return number(style.get("/W"), 1.0)
    return number(border[2], 1.0) if isinstance(border, pikepdf.Array) and len(border) > 2 else 1.0
