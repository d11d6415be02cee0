"""MessagePack, as far as spaCy uses it: values from bytes and back."""

from __future__ import annotations

import struct
from typing import Any

from reidrisk.text.formats.location import unreadable

_DEEPEST = 40
_MOST = 5_000_000
"""Largest number of values in a file: small values need much more memory than space in the file."""
_DAMAGED = "Save the file again; it is incomplete or was written by another program."
_FIXED = {
    0xCA: ">f",
    0xCB: ">d",
    0xCC: ">B",
    0xCD: ">H",
    0xCE: ">I",
    0xCF: ">Q",
    0xD0: ">b",
    0xD1: ">h",
    0xD2: ">i",
    0xD3: ">q",
}
_SIZED = {
    0xC4: ("bin", ">B"),
    0xC5: ("bin", ">H"),
    0xC6: ("bin", ">I"),
    0xD9: ("str", ">B"),
    0xDA: ("str", ">H"),
    0xDB: ("str", ">I"),
    0xDC: ("array", ">H"),
    0xDD: ("array", ">I"),
    0xDE: ("map", ">H"),
    0xDF: ("map", ">I"),
}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(data: bytes) -> Any:
    """The single value that the bytes contain."""
    decoder = _Decoder(data)
    try:
        value = decoder.value(0)
    except (struct.error, IndexError, UnicodeDecodeError, TypeError):
        raise unreadable("its MessagePack data are damaged", hint=_DAMAGED) from None
    if decoder.position != len(data):
        raise unreadable("there is more data after its MessagePack data", hint=_DAMAGED)
    return value


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self.count = 0

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise unreadable("its MessagePack data are nested too deeply", hint=_DAMAGED)
        self.count += 1
        if self.count > _MOST:
            raise unreadable("its MessagePack data contain too many values", hint=_DAMAGED)
        code = self.data[self.position]
        self.position += 1
        if code <= 0x7F or code >= 0xE0:
            return code if code <= 0x7F else code - 0x100
        if code in _CONSTANTS:
            return _CONSTANTS[code]
        if code in _FIXED:
            return self._number(_FIXED[code])
        kind, size = self._sized(code)
        if kind in ("bin", "str"):
            raw = self._take(size)
            return raw if kind == "bin" else raw.decode("utf-8")
        # every item needs at least one byte: a size beyond the data means damage
        if size > len(self.data) - self.position:
            raise IndexError
        if kind == "array":
            return [self.value(depth + 1) for _ in range(size)]
        return {_key(self.value(depth + 1)): self.value(depth + 1) for _ in range(size)}

    def _sized(self, code: int) -> tuple[str, int]:
        if 0x80 <= code <= 0x8F:
            return "map", code - 0x80
        if 0x90 <= code <= 0x9F:
            return "array", code - 0x90
        if 0xA0 <= code <= 0xBF:
            return "str", code - 0xA0
        if code not in _SIZED:
            raise unreadable("its MessagePack data contain an unknown kind of value", hint=_DAMAGED)
        kind, layout = _SIZED[code]
        return kind, self._number(layout)

    def _number(self, layout: str) -> Any:
        (value,) = struct.unpack_from(layout, self.data, self.position)
        self.position += struct.calcsize(layout)
        return value

    def _take(self, size: int) -> bytes:
        end = self.position + size
        if end > len(self.data):
            raise IndexError
        taken = self.data[self.position : end]
        self.position = end
        return taken


def _key(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def pack(value: Any) -> bytes:
    """A value as bytes: None, whole numbers, text, bytes, lists and dictionaries."""
    if value is None or isinstance(value, bool):
        return bytes([0xC0 if value is None else 0xC2 + value])
    if isinstance(value, int):
        return bytes([value]) if 0 <= value <= 0x7F else struct.pack(">Bq", 0xD3, value)
    if isinstance(value, str | bytes):
        raw = value.encode("utf-8") if isinstance(value, str) else value
        return struct.pack(">BI", 0xDB if isinstance(value, str) else 0xC6, len(raw)) + raw
    if isinstance(value, list):
        return struct.pack(">BI", 0xDD, len(value)) + b"".join(map(pack, value))
    pairs = b"".join(pack(key) + pack(item) for key, item in value.items())
    return struct.pack(">BI", 0xDF, len(value)) + pairs
