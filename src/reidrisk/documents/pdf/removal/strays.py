"""Streams that draw without being part of a page: patterns, masks and the letters of drawn fonts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts.load import Fonts
from reidrisk.documents.pdf.glyph import Content
from reidrisk.documents.pdf.interpret import Interpreter
from reidrisk.documents.pdf.layers import Layers
from reidrisk.documents.pdf.layout.text import page_text
from reidrisk.documents.pdf.removal.plan import Plan
from reidrisk.documents.pdf.removal.streams import Work
from reidrisk.documents.pdf.removal.values import Values

if TYPE_CHECKING:
    from pikepdf import Pdf


def clean_strays(pdf: Pdf, values: Values) -> set[int]:
    """Write such streams again; one that tells a value loses its text. Pages that look different by it."""
    layers, fonts = Layers(pdf.Root), Fonts()
    changed = set()
    for stream, resources in _strays([page.obj.get("/Resources") for page in pdf.pages]):
        content = Interpreter(fonts, layers).run(stream, resources)
        if not content.drawn:
            continue
        glyphs = [glyph for show in content.shows if not show.drawn.path for glyph in show.glyphs]
        plan = Plan()
        if values.within(page_text(glyphs, content.spans).text) or values.within(_drawn_text(content)):
            plan.removed = set(glyphs)
            changed.add(stream.objgen)
        stream.write(Work(content, plan, values).written(content.drawn[0], {}))
    if not changed:
        return set()
    reached = ((number, _strays([page.obj.get("/Resources")])) for number, page in enumerate(pdf.pages, 1))
    return {number for number, strays in reached if any(stream.objgen in changed for stream, _ in strays)}


def _drawn_text(content: Content) -> str:
    return "".join(glyph.text or "" for glyph in content.glyphs)


def _strays(waiting: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Every such stream that resources reach, with the resources it uses itself."""
    seen: set[tuple[int, int]] = set()
    while waiting:
        resources = waiting.pop()
        if resources is None:
            continue
        for stream, own in [*_masks(resources), *_patterns(resources), *_letters(resources)]:
            if stream.objgen not in seen:
                seen.add(stream.objgen)
                waiting.append(own)
                yield stream, own
        for form in _forms(resources):
            if form.objgen not in seen:
                seen.add(form.objgen)
                waiting.append(form.get("/Resources"))


def _forms(resources: Any) -> list[Any]:
    import pikepdf

    return [
        found
        for found in _entries(resources, "/XObject")
        if isinstance(found, pikepdf.Stream) and found.get("/Subtype") == "/Form"
    ]


def _patterns(resources: Any) -> list[tuple[Any, Any]]:
    import pikepdf

    found = _entries(resources, "/Pattern")
    return [(item, item.get("/Resources")) for item in found if isinstance(item, pikepdf.Stream)]


def _masks(resources: Any) -> list[tuple[Any, Any]]:
    import pikepdf

    masks = [state.get("/SMask") for state in _entries(resources, "/ExtGState")]
    groups = [mask.get("/G") for mask in masks if isinstance(mask, pikepdf.Dictionary)]
    return [(group, group.get("/Resources")) for group in groups if isinstance(group, pikepdf.Stream)]


def _letters(resources: Any) -> list[tuple[Any, Any]]:
    import pikepdf

    return [
        (glyph, font.get("/Resources", resources))
        for font in _entries(resources, "/Font")
        if font.get("/Subtype") == "/Type3" and "/CharProcs" in font
        for _, glyph in font["/CharProcs"].items()
        if isinstance(glyph, pikepdf.Stream)
    ]


def _entries(resources: Any, kind: str) -> list[Any]:
    import pikepdf

    listed = resources.get(kind)
    if not isinstance(listed, pikepdf.Dictionary):
        return []
    return [entry for _, entry in listed.items() if isinstance(entry, pikepdf.Dictionary | pikepdf.Stream)]
