"""Notes on pages: those that readers draw by themselves get a drawing that can become part of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts import number
from reidrisk.documents.pdf.operators import number as written

if TYPE_CHECKING:
    from pikepdf import Pdf

_LINES = ("/Underline", "/StrikeOut", "/Squiggly")
_DEEPEST = 8
_ROUND = 0.5523
"""How far the handles of four curves reach that make a circle."""


def draw_notes(pdf: Pdf) -> None:
    """Give every note its own drawing that has none, and let highlights mix with the text under them."""
    import pikepdf

    for page in pdf.pages:
        listed = page.obj.get("/Annots")
        for note in listed if isinstance(listed, pikepdf.Array) else []:
            if not isinstance(note, pikepdf.Dictionary):
                continue
            drawn = note.get("/AP")
            if isinstance(drawn, pikepdf.Dictionary):
                _blend(drawn.get("/N"), 0)
            else:
                _draw(pdf, note)


def _blend(form: Any, depth: int) -> None:
    """As a note it mixes with what is under it; as part of the page it would not if it were a group."""
    import pikepdf

    if not isinstance(form, pikepdf.Stream) or depth > _DEEPEST:
        return
    group = form.get("/Group")
    if isinstance(group, pikepdf.Dictionary) and not group.get("/I") and not group.get("/K"):
        del form["/Group"]
    resources = form.get("/Resources")
    inner = resources.get("/XObject") if isinstance(resources, pikepdf.Dictionary) else None
    for _, below in inner.items() if isinstance(inner, pikepdf.Dictionary) else ():
        _blend(below, depth + 1)


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


def bounds_of(note: Any) -> tuple[float, float, float, float] | None:
    """All that a note may reach on its page; None where it has no place."""
    points = _numbers(note, "/L", "/Vertices", "/QuadPoints", "/Rect")
    points += [number(value) for stroke in note.get("/InkList") or [] for value in stroke]
    if len(points) < 4:
        return None
    across, upward, margin = points[::2], points[1::2], _width(note) + 1
    return min(across) - margin, min(upward) - margin, max(across) + margin, max(upward) + margin


def _numbers(note: Any, *names: str) -> list[float]:
    """The coordinates of the first entry that has some."""
    import pikepdf

    for name in names:
        listed = note.get(name)
        if isinstance(listed, pikepdf.Array) and len(listed) >= 4:
            return [number(value) for value in listed]
    return []


def _groups(points: Sequence[float], size: int) -> Iterator[Sequence[float]]:
    """The coordinates by so many; what is over at the end is left out."""
    for at in range(0, len(points) - size + 1, size):
        yield points[at : at + size]


def _width(note: Any) -> float:
    style, border = note.get("/BS"), note.get("/Border")
    if style is not None:
        return number(style.get("/W"), 1.0)
    return number(border[2], 1.0) if border is not None and len(border) > 2 else 1.0


def _color(listed: Any, operators: tuple[bytes, bytes, bytes]) -> bytes:
    """The operator that sets a color of one, three or four parts; nothing where there is none."""
    parts = [] if listed is None else [written(number(value)) for value in listed]
    operator = {1: operators[0], 3: operators[1], 4: operators[2]}.get(len(parts))
    return b"" if operator is None else b" ".join([*parts, operator]) + b"\n"


def _pen(note: Any) -> bytes:
    color = _color(note.get("/C"), (b"G", b"RG", b"K"))
    return color + written(_width(note)) + b" w\n"


def _path(points: list[float]) -> bytes:
    pairs = [written(x) + b" " + written(y) for x, y in _groups(points, 2)]
    return b" ".join([pairs[0] + b" m", *(pair + b" l" for pair in pairs[1:])])


def _line(note: Any) -> bytes:
    points = _numbers(note, "/L")
    return _pen(note) + _path(points) + b" S" if points else b""


def _polyline(note: Any) -> bytes:
    points = _numbers(note, "/Vertices")
    end = b" s" if note.get("/Subtype") == "/Polygon" else b" S"
    return _pen(note) + _path(points) + end if points else b""


def _ink(note: Any) -> bytes:
    strokes = [[number(value) for value in stroke] for stroke in note.get("/InkList") or []]
    drawn = [_path(stroke) + b" S" for stroke in strokes if len(stroke) >= 4]
    return _pen(note) + b"\n".join(drawn) if drawn else b""


def _frame(note: Any) -> tuple[float, float, float, float] | None:
    points = _numbers(note, "/Rect")
    if len(points) != 4:
        return None
    half = _width(note) / 2
    left, right = sorted(points[::2])
    bottom, top = sorted(points[1::2])
    return left + half, bottom + half, right - half, top - half


def _paint(note: Any) -> tuple[bytes, bytes]:
    """Colors, and the operator that strokes, fills or does both."""
    fill = _color(note.get("/IC"), (b"g", b"rg", b"k"))
    if not _width(note):
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
    points = _numbers(note, "/QuadPoints")
    return list(_groups(points, 8))


def _highlight(note: Any) -> bytes:
    color = _color(note.get("/C"), (b"g", b"rg", b"k"))
    quads = [_path([*quad[:4], quad[6], quad[7], quad[4], quad[5]]) + b" h f" for quad in _quads(note)]
    return color + b"\n".join(quads) if color and quads else b""


def _text_line(note: Any) -> bytes:
    """A line under text, or through it."""
    up = 0.45 if note.get("/Subtype") == "/StrikeOut" else 0.05
    lines = []
    for x1, y1, x2, y2, x3, y3, x4, y4 in _quads(note):
        ends = [x3 + up * (x1 - x3), y3 + up * (y1 - y3), x4 + up * (x2 - x4), y4 + up * (y2 - y4)]
        lines.append(_path(ends) + b" S")
    return _pen(note) + b"\n".join(lines) if lines else b""
