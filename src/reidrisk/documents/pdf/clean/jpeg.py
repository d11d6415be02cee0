"""Photographs carry notes of their own: camera, author, place, a small copy of the picture."""

from __future__ import annotations

_START_OF_SCAN = 0xDA
_NEEDED = {0xE0, 0xEE, 0xE2}
"""Segments that say how colours are to be read."""


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
