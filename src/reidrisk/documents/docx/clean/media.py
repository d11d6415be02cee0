"""Pictures: what they remember besides the picture is cut out; texts that can be seen in them are not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reidrisk.documents.docx.package import Package, Part
from reidrisk.documents.places import Edit

_PNG = b"\x89PNG\r\n\x1a\n"
_SHOWN = frozenset(
    (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"bKGD", b"sBIT")
)
_LETTERS = re.compile(rb"[\x20-\x7e\xa1-\xff]{4,}")
_WIDE_LETTERS = re.compile(rb"(?:[\x20-\x7e\xa1-\xff]\0){4,}")
BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a4944415478da63f80f00010101001cb08c990000000049454e44ae426082"
)
"""A picture of one white point."""
_KINDS = frozenset(
    f"image/{kind}" for kind in ("png", "jpeg", "jpg", "gif", "bmp", "tiff", "x-emf", "emf", "x-wmf", "wmf")
)


def clean_media(package: Package) -> int:
    """Strip all pictures; gives how many stay, whose sight nobody searched."""
    pictures = package.of_kind("image")
    for part in pictures:
        if part.type not in _KINDS:
            blank(part)
            continue
        data = package.content(part)
        stripped = strip_png(data) if data.startswith(_PNG) else strip_jpeg(data)
        if stripped != data:
            part.data = stripped
    return len(pictures)


def blank(part: Part) -> None:
    """Put a white point in the place of a picture."""
    part.data, part.type = BLANK, "image/png"


@dataclass(frozen=True, slots=True)
class LettersPlace:
    """Letters that a drawing holds as such."""

    part: Part

    def edit(self, edits: Sequence[Edit]) -> None:  # noqa: ARG002 - nothing of the drawing stays
        """A drawing that tells a value is not kept."""
        blank(self.part)


def letters_of(package: Package, part: Part) -> Iterator[str]:
    """Words that stand as letters in a drawing made of lines (EMF, WMF)."""
    if part.data is None and part.type.endswith("mf"):
        data = package.content(part)
        for found in _WIDE_LETTERS.finditer(data):
            yield found[0].decode("utf-16-le")
        for found in _LETTERS.finditer(data):
            yield found[0].decode("latin-1")


def strip_png(data: bytes) -> bytes:
    """A PNG without its notes, times and whatever follows its end."""
    parts, place = [data[:8]], 8
    while place + 12 <= len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        kind = data[place + 4 : place + 8]
        if kind in _SHOWN:
            parts.append(data[place : place + 12 + size])
        place += 12 + size
        if kind == b"IEND":
            break
    return b"".join(parts)


def strip_jpeg(data: bytes) -> bytes:
    """A JPEG without its notes (Exif, XMP, IPTC, comments); other data stay as they are."""
    if not data.startswith(b"\xff\xd8\xff"):
        return data
    parts, place = [data[:2]], 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker, size = data[place + 1], int.from_bytes(data[place + 2 : place + 4], "big")
        if marker == 0xDA:
            end = data.rfind(b"\xff\xd9")
            parts.append(data[place : end + 2] if end > place else data[place:])
            break
        told = marker == 0xFE or 0xE1 <= marker <= 0xED or marker == 0xEF
        if not told:
            parts.append(data[place : place + 2 + size])
        place += 2 + size
    return b"".join(parts)
