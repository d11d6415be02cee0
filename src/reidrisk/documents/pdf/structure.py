"""Bookmarks and the structure for screen readers: they stay, without texts that tell what was removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts import name_text
from reidrisk.documents.pdf.values import RemovedValues

if TYPE_CHECKING:
    from pikepdf import Pdf

_KINDS = ("/XYZ", "/Fit", "/FitH", "/FitV", "/FitR", "/FitB", "/FitBH", "/FitBV")
_MOST = 200_000
"""More bookmarks than any report has: a ring."""
_LINKS = ("/Parent", "/Prev", "/Next", "/First", "/Last", "/Count", "/F", "/C")
Touched = set[tuple[tuple[int, int], int]]
"""Parts of pages, by page object and number of the marked stretch, of which something was removed."""
_ELEMENT = ("/Type", "/S", "/P", "/K", "/Pg", "/A", "/C", "/ID", "/Lang", "/R", "/NS")
_TEXTS = ("/ActualText", "/Alt", "/E")
_ROOT = (
    "/Type",
    "/K",
    "/ParentTree",
    "/ParentTreeNextKey",
    "/RoleMap",
    "/ClassMap",
    "/IDTree",
    "/Namespaces",
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class Destinations:
    """The named destinations of a document, read before the names are dropped."""

    def __init__(self, pdf: Pdf) -> None:
        import pikepdf

        self._named: dict[str, Any] = {}
        old = pdf.Root.get("/Dests")
        if isinstance(old, pikepdf.Dictionary):
            self._named |= dict(old.items())
        names = pdf.Root.get("/Names")
        tree = names.get("/Dests") if isinstance(names, pikepdf.Dictionary) else None
        if isinstance(tree, pikepdf.Dictionary):
            self._named |= {str(name): place for name, place in pikepdf.NameTree(tree).items()}
        self._pages = {page.obj.objgen for page in pdf.pages}

    def of(self, item: Any) -> Any:
        """The explicit destination of a link or bookmark; None where it does not lead to a page."""
        import pikepdf

        place = item.get("/Dest")
        action = item.get("/A")
        if place is None and isinstance(action, pikepdf.Dictionary) and action.get("/S") == "/GoTo":
            place = action.get("/D")
        if isinstance(place, pikepdf.Name | pikepdf.String):
            place = self._named.get(name_text(place))
        if isinstance(place, pikepdf.Dictionary):
            place = place.get("/D")
        return self._explicit(place)

    def _explicit(self, place: Any) -> Any:
        import pikepdf

        if not isinstance(place, pikepdf.Array) or len(place) < 2 or name_text(place[1]) not in _KINDS:
            return None
        if not isinstance(place[0], pikepdf.Dictionary) or place[0].objgen not in self._pages:
            return None
        numbers = [part if not isinstance(part, pikepdf.Object) else None for part in list(place)[2:6]]
        return pikepdf.Array([place[0], place[1], *numbers])


def clean_outlines(pdf: Pdf, places: Destinations, values: RemovedValues) -> None:
    """Clean every bookmark; none at all stay where their chain is broken."""
    import pikepdf

    root = pdf.Root.get("/Outlines")
    if not isinstance(root, pikepdf.Dictionary):
        return
    keep_only(root, ("/Type", "/First", "/Last", "/Count"))
    found = bookmarks(pdf)
    if len({item.objgen for item in found}) < len(found):
        del pdf.Root["/Outlines"]
        return
    for item in found:
        _clean_bookmark(item, places, values)


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


def _clean_bookmark(item: Any, places: Destinations, values: RemovedValues) -> None:
    place, title = places.of(item), str(item.get("/Title", ""))
    keep_only(item, _LINKS)
    item["/Title"] = values.cleaned(title)
    if place is not None:
        item["/Dest"] = place


def keep_only(item: Any, names: tuple[str, ...]) -> None:
    """Leave only entries of these names in a dictionary of a PDF."""
    for name in list(item.keys()):
        if name not in names:
            del item[name]


def clean_structure(pdf: Pdf, values: RemovedValues, touched: Touched) -> None:
    """Clean every element of the structure."""
    import pikepdf

    root = pdf.Root.get("/StructTreeRoot")
    if not isinstance(root, pikepdf.Dictionary):
        return
    keep_only(root, _ROOT)
    kept = _kept_objects(pdf)
    for element in elements(pdf):
        _clean_element(element, values, touched)
        _drop_lost(element, kept)


def elements(pdf: Pdf) -> Iterator[Any]:
    """Every element of the structure, from first to last."""
    import pikepdf

    root = pdf.Root.get("/StructTreeRoot")
    waiting: list[Any] = _kids(root)[::-1] if isinstance(root, pikepdf.Dictionary) else []
    seen: set[tuple[int, int]] = set()
    while waiting:
        element = waiting.pop()
        if not isinstance(element, pikepdf.Dictionary) or element.get("/Type") in ("/MCR", "/OBJR"):
            continue
        if element.objgen in seen and element.objgen != (0, 0):
            continue
        seen.add(element.objgen)
        yield element
        waiting += _kids(element)[::-1]


def _kept_objects(pdf: Pdf) -> set[tuple[int, int]]:
    return {link.objgen for page in pdf.pages for link in page.obj.get("/Annots") or []}


def _clean_element(element: Any, values: RemovedValues, touched: Touched) -> None:
    names = element.keys()
    for name in names.intersection(_TEXTS):
        if values.within(str(element[name]), parts=True) or _is_touched(element, touched):
            del element[name]
    for name in names.difference(_ELEMENT, _TEXTS):
        del element[name]
    if "/Lang" in names and not _LANGUAGE.fullmatch(str(element["/Lang"])):
        del element["/Lang"]
    if "/ID" in names and values.within(str(element["/ID"])):
        del element["/ID"]


def _is_touched(element: Any, touched: Touched) -> bool:
    """Whether something of an element, or of one in it, was removed."""
    import pikepdf

    waiting = [(element, element.get("/Pg"))]
    for _ in range(100_000):
        if not waiting:
            break
        item, page = waiting.pop()
        if isinstance(item, pikepdf.Dictionary):
            page = item.get("/Pg", page)
            if "/MCID" in item:
                waiting.append((int(item["/MCID"]), page))
            elif item.get("/Type") != "/OBJR":
                waiting += [(kid, page) for kid in _kids(item)]
        elif isinstance(item, int) and page is not None and (page.objgen, item) in touched:
            return True
    return False


def _drop_lost(element: Any, kept: set[tuple[int, int]]) -> None:
    """References to notes that are no longer there go."""
    import pikepdf

    kids = _kids(element)
    stay = [kid for kid in kids if not _is_lost(kid, kept)]
    if len(stay) != len(kids):
        element["/K"] = pikepdf.Array(stay)


def _is_lost(kid: Any, kept: set[tuple[int, int]]) -> bool:
    import pikepdf

    if not isinstance(kid, pikepdf.Dictionary) or kid.get("/Type") != "/OBJR":
        return False
    target = kid.get("/Obj")
    return target is None or target.objgen not in kept


def _kids(element: Any) -> list[Any]:
    import pikepdf

    kids = element.get("/K")
    if kids is None:
        return []
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]
