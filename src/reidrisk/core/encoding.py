"""Byte order marks: the encoding that the first bytes of a text file declare."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_ENCODINGS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
HEAD = 4
"""Bytes that are enough to recognize a byte order mark."""


@dataclass(frozen=True, slots=True)
class ByteOrderMark:
    """The bytes of a mark, and the encoding that they declare."""

    mark: bytes
    encoding: str | None
    """None without a mark."""


def byte_order_mark(data: bytes) -> ByteOrderMark:
    """The byte order mark at the start of a file; without one, the mark is empty.

    >>> byte_order_mark(b"\\xff\\xfea\\x00").encoding, byte_order_mark(b"a").mark
    ('utf-16-le', b'')
    """
    for mark, encoding in _ENCODINGS.items():
        if data.startswith(mark):
            return ByteOrderMark(mark, encoding)
    return ByteOrderMark(b"", None)
