"""The structure for screen readers stays; texts in it that tell what was removed do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.removal.values import Values

if TYPE_CHECKING:
    from pikepdf import Pdf

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


def clean_structure(pdf: Pdf, values: Values, touched: Touched) -> None:
    """Clean every element of the structure."""
    import pikepdf

    root = pdf.Root.get("/StructTreeRoot")
    if not isinstance(root, pikepdf.Dictionary):
        return
    _only(root, _ROOT)
    kept = _kept_objects(pdf)
    for element in elements(pdf):
        _clean(element, values, touched)
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


def _clean(element: Any, values: Values, touched: Touched) -> None:
    for name in _TEXTS:
        text = element.get(name)
        if text is not None and (values.within(str(text), parts=True) or _is_touched(element, touched)):
            del element[name]
    _only(element, (*_ELEMENT, *_TEXTS))
    if "/Lang" in element and not _LANGUAGE.fullmatch(str(element["/Lang"])):
        del element["/Lang"]
    if "/ID" in element and values.within(str(element["/ID"])):
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


def _only(item: Any, names: tuple[str, ...]) -> None:
    for name in list(item.keys()):
        if name not in names:
            del item[name]
