"""The shipped font: which glyph draws a character, and how wide it is."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from struct import unpack_from

MISSING = 0
"""The glyph for a character that the font does not have."""


class Face:
    """A TrueType font, read as far as setting a line of text needs."""

    def __init__(self, program: bytes) -> None:
        self.program = program
        tables = self._tables()
        self._units: int = unpack_from(">H", program, tables[b"head"] + 18)[0]
        self._widths = self._read_widths(tables)
        self._glyphs = self._read_glyphs(tables[b"cmap"])

    def glyph(self, letter: str) -> int:
        """The number of the glyph of a character."""
        return self._glyphs.get(ord(letter), MISSING)

    def width(self, glyph: int) -> float:
        """The width of a glyph, in units of the font size."""
        at = min(glyph, len(self._widths) - 1)
        return float(self._widths[at]) / self._units

    def measure(self, text: str) -> float:
        """The width of a line, in units of the font size."""
        return sum(self.width(self.glyph(letter)) for letter in text)

    def lacks(self, text: str) -> bool:
        """Whether a character of the text has no glyph."""
        return any(self.glyph(letter) == MISSING for letter in text)

    def _tables(self) -> dict[bytes, int]:
        count = unpack_from(">H", self.program, 4)[0]
        rows = (unpack_from(">4sIII", self.program, 12 + 16 * row) for row in range(count))
        return {tag: offset for tag, _, offset, _ in rows}

    def _read_widths(self, tables: dict[bytes, int]) -> list[int]:
        count = unpack_from(">H", self.program, tables[b"hhea"] + 34)[0]
        pairs = unpack_from(f">{2 * count}h", self.program, tables[b"hmtx"])
        return [width & 0xFFFF for width in pairs[::2]]

    def _read_glyphs(self, cmap: int) -> dict[int, int]:
        count = unpack_from(">H", self.program, cmap + 2)[0]
        for row in range(count):
            platform, _, offset = unpack_from(">HHI", self.program, cmap + 4 + 8 * row)
            if platform in (0, 3) and unpack_from(">H", self.program, cmap + offset)[0] == 4:
                return self._segments(cmap + offset)
        return {}

    def _segments(self, at: int) -> dict[int, int]:
        """The map of characters in its common form: ranges with a step or a list."""
        count = unpack_from(">H", self.program, at + 6)[0] // 2
        ends = unpack_from(f">{count}H", self.program, at + 14)
        starts = unpack_from(f">{count}H", self.program, at + 16 + 2 * count)
        steps = unpack_from(f">{count}H", self.program, at + 16 + 4 * count)
        lists = at + 16 + 6 * count
        glyphs: dict[int, int] = {}
        for row, (first, last, step) in enumerate(zip(starts, ends, steps, strict=True)):
            offset = unpack_from(">H", self.program, lists + 2 * row)[0]
            for code in range(first, min(last, 0xFFFE) + 1):
                if offset == 0:
                    glyphs[code] = (code + step) & 0xFFFF
                else:
                    found = unpack_from(">H", self.program, lists + 2 * row + offset + 2 * (code - first))[0]
                    glyphs[code] = (found + step) & 0xFFFF if found else MISSING
        return glyphs


@cache
def shipped() -> Face:
    """The font that comes with the package."""
    return Face((files("reidrisk.documents.pdf.lettering") / "DejaVuSans.ttf").read_bytes())
