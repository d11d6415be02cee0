"""What objects of every kind may carry along, and strings that tell a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.clean.jpeg import without_notes
from reidrisk.documents.pdf.removal.values import Values

if TYPE_CHECKING:
    from pikepdf import Pdf

_BAGGAGE = (
    "/Metadata", "/PieceInfo", "/LastModified", "/Thumb", "/AF", "/AA", "/OPI", "/Alternates",
    "/SeparationInfo",
    "/PresSteps", "/DPart", "/Measure", "/PtData", "/OC", "/Ref", "/JS", "/CharSet", "/CIDSet", "/Threads",
    "/Desc", "/UF", "/EF",
)  # fmt: skip
_FONT_NAMES = ("/BaseFont", "/FontName", "/FontFamily")


def clean_objects(pdf: Pdf, values: Values) -> None:
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


def _clean(item: Any, values: Values, depth: int) -> None:
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
        elif name in _FONT_NAMES and values.within(str(part)):
            item[name] = pikepdf.Name.Font if isinstance(part, pikepdf.Name) else pikepdf.String("Font")
        elif isinstance(part, pikepdf.String) and values.within(str(part)):
            del item[name]
        elif isinstance(part, pikepdf.Dictionary | pikepdf.Array) and not part.is_indirect:
            _clean(part, values, depth + 1)
