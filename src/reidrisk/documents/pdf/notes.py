"""Notes on pages: those that readers draw by themselves get a drawing that can become part of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.bare_notes import bare
from reidrisk.documents.pdf.fonts import number
from reidrisk.documents.pdf.glyphs import IDENTITY, Matrix, at, times
from reidrisk.documents.pdf.note_places import Bounds, bounds_of, line_width, numbers
from reidrisk.documents.pdf.operators import number as written

if TYPE_CHECKING:
    from pikepdf import Pdf

_MARKED = "/ReidMarked"
"""An entry of a page with the places of notes that mark text; it goes when the document is cleaned."""
_LINES = ("/Underline", "/StrikeOut", "/Squiggly")
_DEEPEST = 8
_CORNERS, _MATRIX = 4, 6
_UPRIGHT = 16
"""The flag of notes that do not turn with their page."""
_ROUND = 0.5523
"""How far the handles of four curves reach that make a circle."""


def draw_notes(pdf: Pdf) -> None:
    """Give every note its own drawing that has none, and let highlights mix with the text under them.

    Notes that stay notes get none.
    """
    import pikepdf

    for page in pdf.pages:
        listed = page.obj.get("/Annots")
        for note in listed if isinstance(listed, pikepdf.Array) else []:
            if not isinstance(note, pikepdf.Dictionary) or bare(note) is not None:
                continue
            _remember(page.obj, note)
            drawn = note.get("/AP")
            form = drawn.get("/N") if isinstance(drawn, pikepdf.Dictionary) else None
            if not isinstance(drawn, pikepdf.Dictionary) or (_blend(form, 0) and _is_ignored(note, form)):
                _draw(pdf, note)
            else:
                _fit(pdf, note, drawn)


def _fit(pdf: Pdf, note: Any, drawn: Any) -> None:
    """Let a drawing fill the place of its note exactly: what makes it part of the page rounds its scale."""
    import pikepdf

    form, place, box = drawn.get("/N"), numbers(note, "/Rect"), None
    if isinstance(form, pikepdf.Stream):
        given = numbers(form, "/Matrix")
        a, b, c, d, e, f = given if len(given) == _MATRIX else IDENTITY
        box = _bounds((a, b, c, d, e, f), numbers(form, "/BBox"))
    if box is None or len(place) != _CORNERS or int(number(note.get("/F"))) & _UPRIGHT:
        return
    (left, right), (bottom, top) = sorted(place[::2]), sorted(place[1::2])
    x, y = (right - left) / (box[2] - box[0]), (top - bottom) / (box[3] - box[1])
    if (x, y) == (1.0, 1.0) or not x or not y:
        return
    move = (x, 0.0, 0.0, y, left - x * box[0], bottom - y * box[1])
    try:
        copy = pdf.make_stream(form.read_bytes())
    except pikepdf.PdfError:
        return
    for name, entry in form.items():
        if name not in ("/Length", "/Filter", "/DecodeParms"):
            copy[name] = entry
    copy["/Matrix"] = pikepdf.Array([Decimal(f"{part:.9f}") for part in times((a, b, c, d, e, f), move)])
    note["/AP"] = pikepdf.Dictionary(N=copy)


def _bounds(matrix: Matrix, corners: list[float]) -> tuple[float, float, float, float] | None:
    """What a box covers once it is moved; None where that has no extent."""
    if len(corners) != _CORNERS:
        return None
    across, upward = zip(*(at(matrix, x, y) for x in corners[::2] for y in corners[1::2]), strict=True)
    box = min(across), min(upward), max(across), max(upward)
    return box if box[0] < box[2] and box[1] < box[3] else None


def _is_ignored(note: Any, form: Any) -> bool:
    """Whether readers draw a highlight themselves: some do if its drawing sets no state."""
    import pikepdf

    resources = form.get("/Resources")
    stateless = isinstance(resources, pikepdf.Dictionary) and "/ExtGState" not in resources
    return stateless and note.get("/Subtype") == "/Highlight" and bool(_highlight(note))


def _remember(page: Any, note: Any) -> None:
    """Boxes go on top of what marks text: a highlight over a box would change its color."""
    import pikepdf

    if note.get("/Subtype") in ("/Highlight", *_LINES) and (bounds := bounds_of(note)) is not None:
        if not isinstance(page.get(_MARKED), pikepdf.Array):
            page[_MARKED] = pikepdf.Array()
        page[_MARKED].append(pikepdf.Array(bounds))


def marked_on(page: Any) -> list[Bounds]:
    """Where notes marked the text of a page."""
    import pikepdf

    listed = page.get(_MARKED)
    places: Any = listed if isinstance(listed, pikepdf.Array) else []
    return [
        (number(place[0]), number(place[1]), number(place[2]), number(place[3]))
        for place in places
        if isinstance(place, pikepdf.Array) and len(place) == 4
    ]


def _blend(form: Any, depth: int) -> bool:
    """As a note it mixes with what is under it; as part of the page it would not if it were a group.

    Gives back whether it mixes: a group of which nothing does is mixed as a whole, and stays one.
    """
    import pikepdf

    if not isinstance(form, pikepdf.Stream) or depth > _DEEPEST:
        return False
    states, inner = (_entries(form.get("/Resources"), kind) for kind in ("/ExtGState", "/XObject"))
    mixes = any(
        isinstance(state, pikepdf.Dictionary) and state.get("/BM", "/Normal") != "/Normal" for state in states
    )
    below = [_blend(one, depth + 1) for one in inner]
    mixes |= any(below)
    group = form.get("/Group")
    if mixes and isinstance(group, pikepdf.Dictionary) and not group.get("/I") and not group.get("/K"):
        del form["/Group"]
    return mixes


def _entries(resources: Any, kind: str) -> list[Any]:
    import pikepdf

    listed = resources.get(kind) if isinstance(resources, pikepdf.Dictionary) else None
    return [entry for _, entry in listed.items()] if isinstance(listed, pikepdf.Dictionary) else []


def _draw(pdf: Pdf, note: Any) -> None:
    import pikepdf

    kind = str(note.get("/Subtype", ""))
    shapes = {
        "/Line": _line,
        "/PolyLine": _polyline,
        "/Polygon": _polyline,
        "/Ink": _ink,
        "/Square": _square,
        "/Circle": _circle,
        "/Highlight": _highlight,
        **dict.fromkeys(_LINES, _text_line),
    }
    shape = shapes[kind](note) if kind in shapes else b""
    box = bounds_of(note)
    if not shape or box is None:
        return
    mix = pikepdf.Name.Multiply if kind == "/Highlight" else pikepdf.Name.Normal
    opaque = number(note.get("/CA"), 1.0)
    state = pikepdf.Dictionary(Type=pikepdf.Name.ExtGState, BM=mix, CA=opaque, ca=opaque)
    form = pdf.make_stream(
        b"/ReidNote gs\n" + shape, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form,
        BBox=pikepdf.Array(box), Resources=pikepdf.Dictionary(ExtGState=pikepdf.Dictionary(ReidNote=state)),
    )  # fmt: skip
    note["/Rect"] = pikepdf.Array(box)
    note["/AP"] = pikepdf.Dictionary(N=form)


def _groups(points: Sequence[float], size: int) -> Iterator[Sequence[float]]:
    """The coordinates by so many; what is over at the end is left out."""
    for first in range(0, len(points) - size + 1, size):
        yield points[first : first + size]


def color(listed: Any, operators: tuple[bytes, bytes, bytes]) -> bytes:
    """The operator that sets a color of one, three or four parts; nothing where there is none."""
    parts = [] if listed is None else [written(number(value)) for value in listed]
    operator = {1: operators[0], 3: operators[1], 4: operators[2]}.get(len(parts))
    return b"" if operator is None else b" ".join([*parts, operator]) + b"\n"


def _pen(note: Any) -> bytes:
    ink = color(note.get("/C"), (b"G", b"RG", b"K"))
    return ink + written(line_width(note)) + b" w\n"


def _path(points: list[float]) -> bytes:
    pairs = [written(x) + b" " + written(y) for x, y in _groups(points, 2)]
    return b" ".join([pairs[0] + b" m", *(pair + b" l" for pair in pairs[1:])])


def _line(note: Any) -> bytes:
    points = numbers(note, "/L")
    return _pen(note) + _path(points) + b" S" if points else b""


def _polyline(note: Any) -> bytes:
    points = numbers(note, "/Vertices")
    end = b" s" if note.get("/Subtype") == "/Polygon" else b" S"
    return _pen(note) + _path(points) + end if points else b""


def _ink(note: Any) -> bytes:
    strokes = [[number(value) for value in stroke] for stroke in note.get("/InkList") or []]
    drawn = [_path(stroke) + b" S" for stroke in strokes if len(stroke) >= 4]
    return _pen(note) + b"\n".join(drawn) if drawn else b""


def _frame(note: Any) -> tuple[float, float, float, float] | None:
    points = numbers(note, "/Rect")
    if len(points) != 4:
        return None
    half = line_width(note) / 2
    left, right = sorted(points[::2])
    bottom, top = sorted(points[1::2])
    return left + half, bottom + half, right - half, top - half


def _paint(note: Any) -> tuple[bytes, bytes]:
    """Colors, and the operator that strokes, fills or does both."""
    fill = color(note.get("/IC"), (b"g", b"rg", b"k"))
    if not line_width(note):
        return fill, b" f" if fill else b" n"
    return _pen(note) + fill, b" B" if fill else b" S"


def _square(note: Any) -> bytes:
    frame = _frame(note)
    if frame is None:
        return b""
    left, bottom, right, top = frame
    colors, paint = _paint(note)
    sides = (left, bottom, right - left, top - bottom)
    return colors + b" ".join(map(written, sides)) + b" re" + paint


def _circle(note: Any) -> bytes:
    frame = _frame(note)
    if frame is None:
        return b""
    left, bottom, right, top = frame
    x, y, a, b = (left + right) / 2, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2
    u, v = _ROUND * a, _ROUND * b
    curves = [
        (x + a, y + v, x + u, y + b, x, y + b), (x - u, y + b, x - a, y + v, x - a, y),
        (x - a, y - v, x - u, y - b, x, y - b), (x + u, y - b, x + a, y - v, x + a, y),
    ]  # fmt: skip
    colors, paint = _paint(note)
    start = written(x + a) + b" " + written(y) + b" m "
    return (
        colors + start + b" ".join(b" ".join(map(written, curve)) + b" c" for curve in curves) + b" h" + paint
    )


def _quads(note: Any) -> list[Sequence[float]]:
    points = numbers(note, "/QuadPoints")
    return list(_groups(points, 8))


def _highlight(note: Any) -> bytes:
    ink = color(note.get("/C"), (b"g", b"rg", b"k"))
    quads = [_stripe(quad) for quad in _quads(note)]
    return ink + b"\n".join(quads) if ink and quads else b""


def _stripe(quad: Sequence[float]) -> bytes:
    """A highlight. Its first point stands twice: renderers move plain boxes to whole pixels, but not this."""
    x1, y1, x2, y2, x3, y3, x4, y4 = quad
    return _path([x3, y3, x3, y3, x1, y1, x2, y2, x4, y4]) + b" h f"


def _text_line(note: Any) -> bytes:
    """A line under text, or through it."""
    up = 0.45 if note.get("/Subtype") == "/StrikeOut" else 0.05
    lines = []
    for x1, y1, x2, y2, x3, y3, x4, y4 in _quads(note):
        ends = [x3 + up * (x1 - x3), y3 + up * (y1 - y3), x4 + up * (x2 - x4), y4 + up * (y2 - y4)]
        lines.append(_path(ends) + b" S")
    return _pen(note) + b"\n".join(lines) if lines else b""
