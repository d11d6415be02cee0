"""Pictures without what they remember: who made them, where and when."""

from __future__ import annotations

PNG = b"\x89PNG\r\n\x1a\n"
_SHOWN = frozenset(
    (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"bKGD", b"sBIT")
)
BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a4944415478da63f80f00010101001cb08c990000000049454e44ae426082"
)
"""A picture of one white point."""


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
