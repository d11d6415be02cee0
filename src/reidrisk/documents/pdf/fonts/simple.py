"""Fonts with one byte a code: Type 1, TrueType, Type 3."""

from __future__ import annotations

import re
from typing import Any

from reidrisk.documents.pdf.fonts.cmap import parse_cmap
from reidrisk.documents.pdf.fonts.font import Font, number
from reidrisk.documents.pdf.fonts.names import built_in, encoding, says, with_differences

_SUBSET = re.compile(r"/[A-Z]{6}\+")
_SYMBOLIC = 4


def simple_font(source: Any) -> Font:
    """Read a font dictionary of the simple kinds."""
    names = _names(source)
    texts = {code: text for code, name in names.items() if (text := says(name)) is not None}
    texts |= unicode_of(source)
    scale = 0.001
    if source.get("/Subtype") == "/Type3":
        matrix = source.get("/FontMatrix")
        scale = number(matrix[0], 0.001) if matrix is not None and len(matrix) == 6 else 0.001
    font = Font(None, texts, _widths(source, names, scale), _missing(source) * scale)
    if source.get("/Subtype") != "/Type3":
        font.ascent, font.descent = heights(source.get("/FontDescriptor"))
    return font


def unicode_of(source: Any) -> dict[int, str]:
    """The texts of codes that the font itself gives."""
    import pikepdf

    stream = source.get("/ToUnicode")
    if not isinstance(stream, pikepdf.Stream):
        return {}
    try:
        return parse_cmap(stream.read_bytes()).texts
    except pikepdf.PdfError:
        return {}


def heights(descriptor: Any) -> tuple[float, float]:
    """How far letters reach above and below the line, kept to what boxes can use."""
    if descriptor is None:
        return 0.78, -0.22
    ascent, descent = number(descriptor.get("/Ascent")) / 1000, number(descriptor.get("/Descent")) / 1000
    return (ascent if 0.5 < ascent < 1.0 else 0.78), (descent if -0.4 < descent < -0.1 else -0.22)


def _names(source: Any) -> dict[int, str]:
    import pikepdf

    given = source.get("/Encoding")
    if isinstance(given, pikepdf.Name):
        return encoding(str(given))
    base: dict[int, str] = _own(source)
    if isinstance(given, pikepdf.Dictionary):
        if "/BaseEncoding" in given:
            base = encoding(str(given["/BaseEncoding"]))
        return with_differences(base, given.get("/Differences") or [])
    return base


def _own(source: Any) -> dict[int, str]:
    """The encoding of a font that names none: its program's, or the standard one."""
    descriptor = source.get("/FontDescriptor")
    if source.get("/Subtype") == "/Type3":
        return {}
    if descriptor is None:
        base = str(source.get("/BaseFont", ""))
        return {} if base in ("/Symbol", "/ZapfDingbats") else encoding("/StandardEncoding")
    if "/FontFile" in descriptor and (found := built_in(_program(descriptor["/FontFile"]))):
        return found
    symbolic = int(number(descriptor.get("/Flags"))) & _SYMBOLIC
    if symbolic and _SUBSET.match(str(source.get("/BaseFont", ""))):
        return {}
    return encoding("/StandardEncoding")


def _program(stream: Any) -> bytes:
    import pikepdf

    try:
        return bytes(stream.read_bytes())
    except pikepdf.PdfError:
        return b""


def _widths(source: Any, names: dict[int, str], scale: float) -> dict[int, float]:
    listed = source.get("/Widths")
    if listed is not None:
        first = int(number(source.get("/FirstChar")))
        return {first + at: number(width) * scale for at, width in enumerate(listed)}
    return _standard_widths(str(source.get("/BaseFont", "")), names)


def _standard_widths(base: str, names: dict[int, str]) -> dict[int, float]:
    """Widths of the fonts that every reader has."""
    from pdfminer.fontmetrics import FONT_METRICS

    name = base.removeprefix("/")
    _, by_letter = FONT_METRICS.get(name) or FONT_METRICS["Helvetica"]
    return {
        code: by_letter[text] / 1000 for code, glyph in names.items() if (text := says(glyph)) in by_letter
    }


def _missing(source: Any) -> float:
    descriptor = source.get("/FontDescriptor")
    return number(descriptor.get("/MissingWidth")) if descriptor is not None else 0.0
