"""Notes, fields and links: those that are seen have become part of the page; only harmless links stay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reidrisk.documents.pdf.clean.destinations import Destinations
from reidrisk.documents.pdf.fonts.font import number
from reidrisk.documents.pdf.removal.values import Values

Bounds = tuple[float, float, float, float]


def clean_annotations(
    page: Any, places: Destinations, values: Values, boxes: Iterable[Bounds]
) -> list[Bounds]:
    """Keep the links of a page that tell nothing; the bounds of what was dropped."""
    import pikepdf

    listed = page.get("/Annots")
    kept, dropped = [], []
    for annotation in listed if isinstance(listed, pikepdf.Array) else []:
        if not isinstance(annotation, pikepdf.Dictionary):
            continue
        bounds = _bounds(annotation.get("/Rect"))
        link = _link(annotation, places, values)
        if link is None or bounds is None or any(_meet(bounds, box) for box in boxes):
            dropped += [bounds] if bounds is not None else []
        else:
            _become(annotation, link)
            kept.append(annotation)
    if "/Annots" in page:
        del page["/Annots"]
    if kept:
        page["/Annots"] = pikepdf.Array(kept)
    return dropped


def _link(annotation: Any, places: Destinations, values: Values) -> dict[str, Any] | None:
    """What a link keeps; None for other kinds and for links that tell something."""
    import pikepdf

    if annotation.get("/Subtype") != "/Link":
        return None
    names = ("/Type", "/Subtype", "/Rect", "/Border", "/QuadPoints", "/StructParent", "/F", "/H", "/C")
    link = {name: annotation[name] for name in names if name in annotation}
    if (place := places.of(annotation)) is not None:
        return link | {"/Dest": place}
    action = annotation.get("/A")
    address = action.get("/URI") if isinstance(action, pikepdf.Dictionary) else None
    if isinstance(address, pikepdf.String) and not values.within(str(address), parts=True):
        return link | {"/A": pikepdf.Dictionary(S=pikepdf.Name.URI, URI=address)}
    return None


def _become(annotation: Any, link: dict[str, Any]) -> None:
    for name in list(annotation.keys()):
        if name not in link:
            del annotation[name]
    for name, entry in link.items():
        annotation[name] = entry


def _bounds(rectangle: Any) -> Bounds | None:
    if rectangle is None or len(rectangle) != 4:
        return None
    left, bottom, right, top = (number(part) for part in rectangle)
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
