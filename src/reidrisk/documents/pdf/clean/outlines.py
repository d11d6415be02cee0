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
    found = bookmarks(pdf)
    if len({item.objgen for item in found}) < len(found):
        del pdf.Root["/Outlines"]
        return
    for item in found:
        _clean(item, places, values)


def bookmarks(pdf: Pdf) -> list[Any]:
    """All bookmarks, from first to last; one that comes again ends the list."""
    import pikepdf

    root = pdf.Root.get("/Outlines")
    waiting = [root.get("/First")] if isinstance(root, pikepdf.Dictionary) else []
    seen: set[tuple[int, int]] = set()
    found: list[Any] = []
    while waiting and len(found) < _MOST:
        item = waiting.pop()
        if not isinstance(item, pikepdf.Dictionary):
            continue
        found.append(item)
        if item.objgen in seen:
            break
        seen.add(item.objgen)
        waiting += [item.get("/Next"), item.get("/First")]
    return found


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
