"""The shipped font as an object of a PDF, with only the characters that were set in it listed."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.lettering.face import shipped

if TYPE_CHECKING:
    from pikepdf import Pdf

FONT = "/ReidLetters"
STATE = "/ReidOpaque"


class Lettering:
    """The font and the graphics state that drawn boxes and values use in one document."""

    def __init__(self, pdf: Pdf) -> None:
        import pikepdf

        self._pdf = pdf
        self._used: dict[int, str] = {}
        self.font: Any = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Font))
        self.state: Any = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.ExtGState, ca=1, CA=1, BM=pikepdf.Name.Normal, SMask=pikepdf.Name("/None")
            )
        )

    def encode(self, text: str) -> bytes:
        """The text as a hexadecimal string of glyph numbers."""
        numbers = []
        for letter in text:
            glyph = shipped().glyph(letter)
            self._used[glyph] = letter
            numbers.append(f"{glyph:04X}")
        return f"<{''.join(numbers)}>".encode("ascii")

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
            widths += [glyph, pikepdf.Array([round(1000 * face.width(glyph))])]
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
