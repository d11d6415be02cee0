"""Fonts list the letters they hold, often as texts first used them: what is removed is not spelled there."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts.font import Font
from reidrisk.documents.pdf.fonts.load import Fonts
from reidrisk.documents.pdf.glyph import Content, Glyph
from reidrisk.documents.pdf.lettering.embed import to_unicode

if TYPE_CHECKING:
    from pikepdf import Pdf


class Spelling:
    """Which codes of which font are still drawn."""

    def __init__(self) -> None:
        self._used: dict[Font, set[int]] = defaultdict(set)
        self._gone: dict[Font, set[int]] = defaultdict(set)

    def count(self, content: Content, removed: set[Glyph]) -> None:
        """Take note of the codes of one page."""
        for show in content.shows:
            used, gone = self._used[show.font], self._gone[show.font]
            for glyph in show.glyphs:
                (gone if glyph in removed else used).add(glyph.number)

    def prune(self, pdf: Pdf, fonts: Fonts) -> None:
        """Fonts of which something was removed list only what is still drawn, in an order without sense."""
        import pikepdf

        for key, font in fonts.known().items():
            if not self._gone[font]:
                continue
            source: Any = pdf.get_object(key)
            if isinstance(source.get("/ToUnicode"), pikepdf.Stream):
                texts = {code: font.texts[code] for code in self._used[font] if code in font.texts}
                source["/ToUnicode"] = pdf.make_stream(to_unicode(texts, size=1 if font.cmap is None else 2))
            encoding = source.get("/Encoding")
            if isinstance(encoding, pikepdf.Dictionary) and "/Differences" in encoding:
                copy = pikepdf.Dictionary(dict(encoding.items()))
                copy["/Differences"] = _differences(encoding["/Differences"], self._used[font])
                source["/Encoding"] = copy


def _differences(listed: Any, used: set[int]) -> Any:
    import pikepdf

    items: list[Any] = []
    code = 0
    for item in listed:
        if isinstance(item, int):
            code = item
            continue
        if code in used:
            items += [code, item]
        code += 1
    return pikepdf.Array(items)
