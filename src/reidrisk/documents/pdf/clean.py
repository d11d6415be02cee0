"""What a document keeps besides its pages: only what is known to be needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts import name_text, number
from reidrisk.documents.pdf.structure import Destinations, Touched, clean_outlines, clean_structure, keep_only
from reidrisk.documents.pdf.values import RemovedValues
from reidrisk.documents.pictures import without_notes

if TYPE_CHECKING:
    from pikepdf import Pdf

Bounds = tuple[float, float, float, float]
_BAGGAGE = (
    "/Metadata", "/PieceInfo", "/LastModified", "/Thumb", "/AF", "/AA", "/OPI", "/Alternates",
    "/SeparationInfo",
    "/PresSteps", "/DPart", "/Measure", "/PtData", "/OC", "/Ref", "/JS", "/CharSet", "/CIDSet", "/Threads",
    "/Desc", "/UF", "/EF",
)  # fmt: skip
_FONT_NAMES = ("/BaseFont", "/FontName", "/FontFamily")
_CATALOG = (
    "/Type",
    "/Pages",
    "/StructTreeRoot",
    "/MarkInfo",
    "/Lang",
    "/Outlines",
    "/OutputIntents",
    "/Version",
)
_PAGE = (
    "/Type", "/Parent", "/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox", "/Rotate", "/UserUnit",
    "/Contents", "/Resources", "/Group", "/StructParents", "/Tabs", "/Annots",
)  # fmt: skip


def clean_annotations(
    page: Any, places: Destinations, values: RemovedValues, boxes: Iterable[Bounds]
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


def _link(annotation: Any, places: Destinations, values: RemovedValues) -> dict[str, Any] | None:
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


def clean_objects(pdf: Pdf, values: RemovedValues) -> None:
    """Clean every object that the document still has."""
    import pikepdf

    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary | pikepdf.Stream | pikepdf.Array):
            _clean(item, values, 0)
        if (
            isinstance(item, pikepdf.Stream)
            and item.get("/Filter") == "/DCTDecode"
            and "/DecodeParms" not in item
        ):
            data = item.read_raw_bytes()
            plain = without_notes(data)
            if plain != data:
                item.write(plain, filter=pikepdf.Name.DCTDecode)


def _clean(item: Any, values: RemovedValues, depth: int) -> None:
    import pikepdf

    if depth > 30:
        return
    if isinstance(item, pikepdf.Array):
        for at, part in enumerate(item):
            if isinstance(part, pikepdf.String) and values.within(str(part)):
                item[at] = pikepdf.String("")
            elif isinstance(part, pikepdf.Dictionary | pikepdf.Array) and not part.is_indirect:
                _clean(part, values, depth + 1)
        return
    for name, part in list(item.items()):
        if name in _BAGGAGE:
            del item[name]
        elif name in _FONT_NAMES and values.within(name_text(part)):
            item[name] = pikepdf.Name.Font if isinstance(part, pikepdf.Name) else pikepdf.String("Font")
        elif isinstance(part, pikepdf.String) and values.within(str(part)):
            del item[name]
        elif isinstance(part, pikepdf.Dictionary | pikepdf.Array) and not part.is_indirect:
            _clean(part, values, depth + 1)


def clean_document(
    pdf: Pdf, values: RemovedValues, touched: Touched, boxes: dict[int, list[Bounds]]
) -> dict[int, list[Bounds]]:
    """Drop all that is not known to be needed, and the values from the rest.

    `boxes` are the places that were changed, by the number of their page from 1; given back are those of
    notes and links that were dropped.
    """
    places = Destinations(pdf)
    keep_only(pdf.Root, _CATALOG)
    for name in list(pdf.trailer.keys()):
        if name not in ("/Root", "/Size"):
            del pdf.trailer[name]
    dropped: dict[int, list[Bounds]] = {}
    for place, page in enumerate(pdf.pages, 1):
        keep_only(page.obj, _PAGE)
        dropped[place] = clean_annotations(page.obj, places, values, boxes.get(place, []))
    clean_outlines(pdf, places, values)
    clean_structure(pdf, values, touched)
    _clean_intents(pdf)
    pdf.remove_unreferenced_resources()
    clean_objects(pdf, values)
    return dropped


def _clean_intents(pdf: Pdf) -> None:
    """Colour profiles stay, remarks about them do not."""
    for intent in pdf.Root.get("/OutputIntents") or []:
        keep_only(intent, ("/Type", "/S", "/OutputConditionIdentifier", "/DestOutputProfile"))
