"""What a document keeps besides its pages: only what is known to be needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.bare_notes import bare, reach_of
from reidrisk.documents.pdf.fonts import name_text, number
from reidrisk.documents.pdf.note_places import Bounds, meet
from reidrisk.documents.pdf.structure import Destinations, Touched, clean_outlines, clean_structure, keep_only
from reidrisk.documents.pdf.values import RemovedValues
from reidrisk.documents.pictures import without_notes

if TYPE_CHECKING:
    from pikepdf import Pdf

_BAGGAGE = (
    "/Metadata", "/PieceInfo", "/LastModified", "/Thumb", "/AF", "/AA", "/OPI", "/Alternates",
    "/SeparationInfo",
    "/PresSteps", "/DPart", "/Measure", "/PtData", "/OC", "/Ref", "/JS", "/CharSet", "/CIDSet", "/Threads",
    "/Desc", "/UF", "/EF",
)  # fmt: skip
_FONT_NAMES = ("/BaseFont", "/FontName", "/FontFamily")
_NEEDED = ("/Registry", "/Ordering")
_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_LEVELS = 2
_LOOKS = (
    (re.compile("courier|mono|consol|typewriter", re.IGNORECASE), "Courier"),
    (re.compile("times|roman|georgia|cambria|garamond|palatino", re.IGNORECASE), "Times"),
)
_BOLD, _SLANTED = re.compile("bold|black", re.IGNORECASE), re.compile("italic|oblique", re.IGNORECASE)
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
    pdf: Pdf, page: Any, places: Destinations, values: RemovedValues, boxes: list[Bounds]
) -> list[Bounds]:
    """Keep the links and notes of a page that reveal nothing; return the bounds of the others, which go."""
    import pikepdf

    listed = page.get("/Annots")
    kept, dropped = [], []
    for annotation in listed if isinstance(listed, pikepdf.Array) else []:
        if not isinstance(annotation, pikepdf.Dictionary):
            continue
        stays = _kept(pdf, annotation, places, values, boxes)
        if stays is not None:
            kept.append(stays)
        elif (bounds := _bounds(annotation.get("/Rect"))) is not None:
            dropped.append(bounds)
    if "/Annots" in page:
        del page["/Annots"]
    if kept:
        page["/Annots"] = pikepdf.Array(kept)
    return dropped


def _kept(
    pdf: Pdf, annotation: Any, places: Destinations, values: RemovedValues, boxes: list[Bounds]
) -> Any | None:
    """Return the link, or a rebuilt note, if it reveals nothing and does not touch a box."""
    link, made = _link(annotation, places, values), bare(annotation)
    bounds = _bounds(annotation.get("/Rect")) if made is None else reach_of(made)
    if (link is None and made is None) or bounds is None or any(meet(bounds, box) for box in boxes):
        return None
    if link is None:
        return pdf.make_indirect(made)
    _become(annotation, link)
    return annotation


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
            plain = "Font" if _is_embedded(item) else _like(item, name_text(part), values)
            item[name] = (
                pikepdf.Name(f"/{plain}") if isinstance(part, pikepdf.Name) else pikepdf.String("Font")
            )
        elif isinstance(part, pikepdf.String) and values.within(str(part)):
            if name in _NEEDED:  # without it some programs do not take the font, our own included
                item[name] = pikepdf.String("R")
            else:
                del item[name]
        elif isinstance(part, pikepdf.Dictionary | pikepdf.Array) and not part.is_indirect:
            _clean(part, values, depth + 1)


def _is_embedded(font: Any, depth: int = 0) -> bool:
    """Whether a font, or the description of one, brings its letters: then its name decides nothing."""
    import pikepdf

    below = font.get("/DescendantFonts")
    if isinstance(below, pikepdf.Array) and len(below) and depth < _LEVELS:
        return isinstance(below[0], pikepdf.Dictionary) and _is_embedded(below[0], depth + 1)
    described = font.get("/FontDescriptor", font)
    return "/CharProcs" in font or any(name in described for name in _PROGRAMS)


def _is_described(font: Any, depth: int = 0) -> bool:
    """Whether a font says how it looks, or is such a description itself."""
    import pikepdf

    below = font.get("/DescendantFonts")
    if isinstance(below, pikepdf.Array) and len(below) and depth < _LEVELS:
        return isinstance(below[0], pikepdf.Dictionary) and _is_described(below[0], depth + 1)
    return "/FontDescriptor" in font or "/FontName" in font


def _like(font: Any, name: str, values: RemovedValues) -> str:
    """The name of a standard font that looks like one whose own name contains a value.

    A font with a description is chosen by that, unless its name says which one is meant.
    """
    found = next((plain for pattern, plain in _LOOKS if pattern.search(name)), None)
    if found is None and _is_described(font):
        return "Font"
    family = found or "Helvetica"
    slanted = "Italic" if family == "Times" else "Oblique"
    style = ("Bold" if _BOLD.search(name) else "") + (slanted if _SLANTED.search(name) else "")
    styled = f"{family}-{style}" if style else family
    return family if values.within(styled) else styled


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
        dropped[place] = clean_annotations(pdf, page.obj, places, values, boxes.get(place, []))
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
