"""The shipped font: how text is set in it, made to fit a place, and embedded in a PDF."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from struct import unpack_from
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.own_letters import OwnLetters

if TYPE_CHECKING:
    from pikepdf import Pdf

MISSING = 0
"""The glyph for a character that the font does not have."""
_LIKE = 0.92
"""The shipped font has large small letters: so much smaller it looks like its neighbours."""
_NARROW = 0.88
"""The width of labels: the shipped font is wide."""
_NARROWEST, _WIDEST = 0.7, 1.1
_SMALL = 0.8
_SQUEEZED, _TIGHTEST = 0.5, 0.35
"""Narrow letters are read more easily than small ones."""
_POINTS = 6.0
"""Letters of this size can be read, whatever stands beside them."""
_HAIR, HAIR = "\u00a0", 0.000999
"""A letter that draws nothing, and its width: nothing for programs that cut widths to whole numbers."""
FONT = "/ReidLetters"
STATE = "/ReidOpaque"


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

    def written(self, text: str) -> float:
        """The width of a line by the widths that the font has in a document."""
        return sum(round(1000 * self.width(self.glyph(letter))) for letter in text) / 1000

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
    return Face((files("reidrisk.documents.pdf") / "DejaVuSans.ttf").read_bytes())


@dataclass(frozen=True, slots=True)
class Fit:
    """Size of the letters and how much they are narrowed."""

    size: float
    stretch: float
    width: float
    cramped: bool = False
    """Whether it had to be smaller than is good to read."""


def fitted(text: str, *, size: float, width: float, room: float) -> Fit:
    """Fit a new value in the shipped font: beyond the place if that is free, narrower, a little smaller."""
    return fit_width(shipped().measure(text), size=size * _LIKE, neighbours=size, width=width, room=room)


def natural_width(text: str, size: float) -> float:
    """The width of a new value in the shipped font, narrowed as far as nobody minds."""
    return shipped().measure(text) * size * _LIKE * _NARROW


def fit_width(measure: float, *, size: float, neighbours: float, width: float, room: float) -> Fit:
    """Fit letters of a measure: narrower first, then smaller, at last squeezed.

    They keep 80 % of the size of their neighbours, or 6 points, and are smaller only if nothing else helps.
    """
    full = measure * size or 1e-6
    limit = max(width, room)
    wished = max(width, min(limit, full))
    least = min(_SMALL * neighbours, _POINTS) / size
    stretch = min(_WIDEST, max(_NARROWEST, wished / full))
    share = 1.0 if full * stretch <= wished else max(_SMALL, least, wished / (full * stretch))
    if full * stretch * share > limit:
        stretch = max(_SQUEEZED, limit / (full * share))
    if full * stretch * share > limit:
        share = max(least, limit / (full * stretch))
    if full * stretch * share > limit:
        stretch = max(_TIGHTEST, limit / (full * share))
    if full * stretch * share > limit:
        share = limit / (full * stretch)
    return Fit(size * share, stretch, full * stretch * share, cramped=share < least)


def label_fit(text: str, *, height: float, width: float) -> Fit:
    """Fit a label into its box: as large as the box allows, narrowed before it is made small."""
    size = 0.72 * height
    full = shipped().measure(text) * size or 1e-6
    space = 0.92 * width
    stretch = min(_NARROW, space / full)
    if stretch < 0.5:
        size *= max(stretch / 0.5, 0.05)
        stretch = min(0.5, space / (shipped().measure(text) * size))
    return Fit(size, stretch, shipped().measure(text) * size * stretch)


class Lettering:
    """The font and the graphics state that drawn boxes and values use in one document."""

    def __init__(self, pdf: Pdf) -> None:
        import pikepdf

        self._pdf = pdf
        self._used: dict[int, str] = {}
        self.own = OwnLetters()
        """What the document's own fonts have, as far as its pages were read."""
        self.font: Any = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Font))
        self.state: Any = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.ExtGState, ca=1, CA=1, BM=pikepdf.Name.Normal, SMask=pikepdf.Name("/None")
            )
        )

    def encode(self, text: str) -> bytes:
        """The text as a hexadecimal string of glyph numbers."""
        numbers = []
        for letter in text.replace(_HAIR, " "):
            glyph = shipped().glyph(letter)
            self._used[glyph] = letter
            numbers.append(f"{glyph:04X}")
        return f"<{''.join(numbers)}>".encode("ascii")

    def hair(self) -> bytes:
        """A space of next to no width, as a hexadecimal string."""
        glyph = shipped().glyph(_HAIR)
        self._used[glyph] = " "
        return f"<{glyph:04X}>".encode("ascii")

    def finish(self) -> None:
        """Describe the font once everything is set in it."""
        import pikepdf

        if not self._used:
            return
        face = shipped()
        name = pikepdf.Name("/REIDRK+DejaVuSans")
        program = self._pdf.make_stream(face.program, Length1=len(face.program))
        descriptor = pikepdf.Dictionary(
            Type=pikepdf.Name.FontDescriptor, FontName=name, Flags=4, FontBBox=[-1021, -463, 1793, 1232],
            ItalicAngle=0, Ascent=928, Descent=-236, CapHeight=729, StemV=80,
            FontFile2=program,
        )  # fmt: skip
        widths: list[Any] = []
        for glyph in sorted(self._used):
            width = (
                round(1000 * face.width(glyph)) if glyph != face.glyph(_HAIR) else Decimal(str(1000 * HAIR))
            )
            widths += [glyph, pikepdf.Array([width])]
        descendant = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.CIDFontType2, BaseFont=name, DW=600,
            W=pikepdf.Array(widths),
            CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            CIDToGIDMap=pikepdf.Name.Identity, FontDescriptor=self._pdf.make_indirect(descriptor),
        )  # fmt: skip
        self.font.Subtype = pikepdf.Name.Type0
        self.font.BaseFont = name
        self.font.Encoding = pikepdf.Name("/Identity-H")
        self.font.DescendantFonts = pikepdf.Array([self._pdf.make_indirect(descendant)])
        self.font.ToUnicode = self._pdf.make_stream(to_unicode(self._used))


def to_unicode(used: dict[int, str], *, size: int = 2) -> bytes:
    """The character map that tells what codes of so many bytes say.

    Codes often follow the text that first used them, so that their order would spell it: the map goes through
    two halves of the alphabet at once.
    """
    listed = sorted(used.items(), key=lambda pair: (pair[1], pair[0]))
    half = (len(listed) + 1) // 2
    apart = [one for pair in zip_longest(listed[:half], listed[half:]) for one in pair if one is not None]
    rows = [
        f"<{code:0{2 * size}X}> <{text.encode('utf-16-be', 'replace').hex().upper()}>" for code, text in apart
    ]
    blocks = []
    for at in range(0, len(rows), 100):
        part = rows[at : at + 100]
        blocks.append("\n".join([f"{len(part)} beginbfchar", *part, "endbfchar"]))
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
            "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
            f"1 begincodespacerange <{'00' * size}> <{'FF' * size}> endcodespacerange",
            *blocks,
            "endcmap CMapName currentdict /CMap defineresource pop end end",
        ]
    ).encode("ascii")
