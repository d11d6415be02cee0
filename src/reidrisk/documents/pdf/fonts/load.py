"""Fonts are read once for a document, however many pages use them."""

from __future__ import annotations

from typing import Any

from reidrisk.documents.pdf.fonts.composite import composite_font
from reidrisk.documents.pdf.fonts.font import Font
from reidrisk.documents.pdf.fonts.simple import simple_font


class Fonts:
    """The fonts of one document."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Font] = {}

    def of(self, source: Any) -> Font:
        """The font that a dictionary describes; what is none says nothing and is half a letter wide."""
        import pikepdf

        if not isinstance(source, pikepdf.Dictionary):
            return Font(None, {}, {}, 0.5)
        if source.objgen not in self._known or source.objgen == (0, 0):
            composite = source.get("/Subtype") == "/Type0"
            self._known[source.objgen] = composite_font(source) if composite else simple_font(source)
        return self._known[source.objgen]

    def known(self) -> dict[tuple[int, int], Font]:
        """The fonts that were read, by the number of their object."""
        return {key: font for key, font in self._known.items() if key != (0, 0)}
