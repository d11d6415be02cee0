"""Bookmarks: their titles without the values, leading to pages only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.clean.destinations import Destinations
from reidrisk.documents.pdf.removal.values import Values

if TYPE_CHECKING:
    from pikepdf import Pdf

_MOST = 200_000
"""More bookmarks than any report has: a ring."""
_LINKS = ("/Parent", "/Prev", "/Next", "/First", "/Last", "/Count", "/F", "/C")


def clean_outlines(pdf: Pdf, places: Destinations, values: Values) -> None:
    """Clean every bookmark; none at all stay where their chain is broken."""
    import pikepdf

    root = pdf.Root.get("/Outlines")
    if not isinstance(root, pikepdf.Dictionary):
        return
    _only(root, ("/Type", "/First", "/Last", "/Count"))
    seen: set[tuple[int, int]] = set()
    waiting = [root.get("/First")]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, pikepdf.Dictionary):
            continue
        if item.objgen in seen or len(seen) > _MOST:
            del pdf.Root["/Outlines"]
            return
        seen.add(item.objgen)
        waiting += [item.get("/Next"), item.get("/First")]
        _clean(item, places, values)


def _clean(item: Any, places: Destinations, values: Values) -> None:
    place, title = places.of(item), str(item.get("/Title", ""))
    _only(item, _LINKS)
    item["/Title"] = values.cleaned(title)
    if place is not None:
        item["/Dest"] = place


def _only(item: Any, names: tuple[str, ...]) -> None:
    for name in list(item.keys()):
        if name not in names:
            del item[name]
