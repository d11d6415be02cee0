"""Pictures without what they remember: who made them, where and when."""

from __future__ import annotations

import re

PNG = b"\x89PNG\r\n\x1a\n"
_SHOWN = frozenset(
    (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"bKGD", b"sBIT")
)
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a4944415478da63f80f00010101001cb08c990000000049454e44ae426082"
)
"""A picture of one white point."""
_START_OF_SCAN = 0xDA
_NEEDED = {0xE0, 0xEE, 0xE2}
"""Segments that say how colours are to be read."""


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
    """A JPEG without its notes (Exif, XMP, IPTC, comments, small pictures); other data stay as they are."""
    if not data.startswith(b"\xff\xd8\xff"):
        return data
    parts, place = [data[:2]], 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker, size = data[place + 1], int.from_bytes(data[place + 2 : place + 4], "big")
        end = place + 2 + size
        if marker == 0xD9:
            parts.append(data[place : place + 2])
            break
        if marker == 0xDA:
            following = _NEXT_MARKER.search(data, end)
            end = following.start() if following else len(data)
        if _shows(marker, data[place + 4 : place + 16]):
            parts.append(data[place:end])
        place = end
    return b"".join(parts) if parts[-1] == b"\xff\xd9" else b"".join([*parts, b"\xff\xd9"])


def _shows(marker: int, head: bytes) -> bool:
    """Whether a piece of a JPEG is needed to show it."""
    if marker == 0xE0:
        return head.startswith(b"JFIF")
    if marker == 0xE2:
        return head.startswith(b"ICC_PROFILE")
    return marker != 0xFE and not 0xE1 <= marker <= 0xED and marker != 0xEF


def strip_gif(data: bytes) -> bytes:
    """A GIF without its notes and whatever follows its end."""
    place = 13 + _table(data[10:11])
    parts = [data[:place]]
    while place < len(data) and data[place] in (0x21, 0x2C):
        start = place
        place += 2 if data[place] == 0x21 else 11 + _table(data[place + 9 : place + 10])
        while place < len(data) and data[place]:
            place += data[place] + 1
        place += 1
        if (
            data[start] == 0x2C
            or data[start + 1 : start + 2] == b"\xf9"
            or data[start + 3 : start + 11] == b"NETSCAPE"
        ):
            parts.append(data[start:place])
    return b"".join([*parts, b";"])


def _table(flags: bytes) -> int:
    """Bytes of the colours that follow."""
    return 3 * 2 ** ((flags[0] & 7) + 1) if flags and flags[0] & 0x80 else 0


def stripped(data: bytes) -> bytes:
    """A picture without what it remembers, as far as its kind is known."""
    if data.startswith(PNG):
        return strip_png(data)
    return strip_gif(data) if data.startswith(b"GIF8") else strip_jpeg(data)


def without_notes(data: bytes) -> bytes:
    """A JPEG without the segments that only tell about it; the picture stays bit for bit."""
    if data[:2] != b"\xff\xd8":
        return data
    kept, at = [data[:2]], 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == _START_OF_SCAN:
            break
        length = int.from_bytes(data[at + 2 : at + 4])
        note = kind == 0xFE or (0xE0 <= kind <= 0xEF and kind not in _NEEDED)
        if not note:
            kept.append(data[at : at + 2 + length])
        at += 2 + length
    return b"".join([*kept, data[at:]])
