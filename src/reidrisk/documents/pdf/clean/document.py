"""What a document keeps besides its pages: only what is known to be needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.clean.annotations import Bounds, clean_annotations
from reidrisk.documents.pdf.clean.destinations import Destinations
from reidrisk.documents.pdf.clean.objects import clean_objects
from reidrisk.documents.pdf.clean.outlines import clean_outlines
from reidrisk.documents.pdf.clean.structure import Touched, clean_structure
from reidrisk.documents.pdf.removal.values import Values

if TYPE_CHECKING:
    from pikepdf import Pdf

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


def clean_document(
    pdf: Pdf, values: Values, touched: Touched, boxes: dict[int, list[Bounds]]
) -> dict[int, list[Bounds]]:
    """Drop all that is not known to be needed, and the values from the rest.

    `boxes` are the places that were changed, by the number of their page from 1; given back are those of
    notes and links that were dropped.
    """
    places = Destinations(pdf)
    _only(pdf.Root, _CATALOG)
    for name in list(pdf.trailer.keys()):
        if name not in ("/Root", "/Size"):
            del pdf.trailer[name]
    dropped: dict[int, list[Bounds]] = {}
    for number, page in enumerate(pdf.pages, 1):
        _only(page.obj, _PAGE)
        dropped[number] = clean_annotations(page.obj, places, values, boxes.get(number, []))
    clean_outlines(pdf, places, values)
    clean_structure(pdf, values, touched)
    _clean_intents(pdf)
    pdf.remove_unreferenced_resources()
    clean_objects(pdf, values)
    return dropped


def _clean_intents(pdf: Pdf) -> None:
    """Colour profiles stay, remarks about them do not."""
    for intent in pdf.Root.get("/OutputIntents") or []:
        _only(intent, ("/Type", "/S", "/OutputConditionIdentifier", "/DestOutputProfile"))


def _only(item: Any, names: tuple[str, ...]) -> None:
    for name in list(item.keys()):
        if name not in names:
            del item[name]
