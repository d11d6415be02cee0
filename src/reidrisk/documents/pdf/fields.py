"""Form fields that bring no drawing: readers draw them from what they hold, and so do we."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts import number
from reidrisk.documents.pdf.note_places import line_width
from reidrisk.documents.pdf.notes import color
from reidrisk.documents.pdf.operators import number as written

if TYPE_CHECKING:
    from pikepdf import Pdf

_BUTTON = "/Btn"


def draw_fields(pdf: Pdf) -> None:
    """Give every field its text, its ground and its border, if it has no drawing of its own."""
    import pikepdf

    form = pdf.acroform
    for page in pdf.pages:
        with suppress(pikepdf.PdfError, ValueError, RuntimeError):  # a damaged form: fields stay undrawn
            for widget in form.get_widget_annotations_for_page(page):
                if "/AP" not in widget.obj and len(widget.obj.get("/Rect", [])) == 4:
                    _draw(pdf, widget, form.get_field_for_annotation(widget))


def _draw(pdf: Pdf, widget: Any, field: Any) -> None:
    import pikepdf

    note = widget.obj
    left, bottom, right, top = (number(part) for part in note["/Rect"])
    box = (0, 0, abs(right - left), abs(top - bottom))
    ground = _ground(note, *box[2:])
    if field.field_type != _BUTTON and field.value_as_string:
        field.generate_appearance(widget)
    drawn = note.get("/AP")
    if isinstance(drawn, pikepdf.Dictionary) and isinstance(drawn.get("/N"), pikepdf.Stream):
        drawn["/N"].write(ground + drawn["/N"].read_bytes())
    elif ground:
        form = pdf.make_stream(
            ground, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=pikepdf.Array(box)
        )
        note["/AP"] = pikepdf.Dictionary(N=form)


def _ground(note: Any, wide: float, tall: float) -> bytes:
    """What is drawn under the text of a field."""
    import pikepdf

    looks = note.get("/MK")
    if not isinstance(looks, pikepdf.Dictionary):
        return b""
    fill = color(looks.get("/BG"), (b"g", b"rg", b"k"))
    stroke = color(looks.get("/BC"), (b"G", b"RG", b"K"))
    width = line_width(note)
    parts = []
    if fill:
        parts.append(fill + _rectangle(0, 0, wide, tall) + b" f")
    if stroke and width:
        inner = _rectangle(width / 2, width / 2, wide - width, tall - width)
        parts.append(stroke + written(width) + b" w " + inner + b" S")
    return b"q\n" + b"\n".join(parts) + b"\nQ\n" if parts else b""


def _rectangle(*sides: float) -> bytes:
    return b" ".join(map(written, sides)) + b" re"
