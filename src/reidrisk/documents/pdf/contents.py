"""The instructions of a page or a form, also where its content is not written as it should be."""

from __future__ import annotations

import re
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

_PICTURES = ("/JBIG2Decode", "/DCTDecode", "/JPXDecode", "/CCITTFaxDecode")
"""Filters of images: a stream that needs one holds no instructions."""
_TOKEN = re.compile(
    rb"\s+|%[^\r\n]*|<<|>>|<[0-9A-Fa-f\s]*>|[\[\]{}]|/[^\s\[\]<>(){}/%]*|[^\s\[\]<>(){}/%]+", re.DOTALL
)
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)")
_OPENS, _CLOSES = re.compile(rb"(?<!\\)\("), re.compile(rb"(?<!\\)\)")
_DATA = re.compile(rb"ID\s.*?\sEI(?=\s|$)", re.DOTALL)
"""The bytes of an image that stands among the instructions."""


def instructions(source: Any) -> list[Any] | None:
    """What a page or a form says to draw; None where that cannot be told."""
    parts = _streams(source)
    if len(parts) == 1 and (parsed := _parsed(parts[0])) is not None:
        return parsed
    written = [_read(part) for part in parts]
    if None in written:
        return None
    data = _joined([part for part in written if part is not None])
    parsed = _parsed_bytes(data)
    if parsed is None:
        mended = _mended(data)
        parsed = _parsed_bytes(mended) or _parsed_bytes(mended, strict=False)
    return parsed


def _streams(source: Any) -> list[Any]:
    """The streams with instructions, in their order."""
    import pikepdf

    held = source.obj.get("/Contents") if isinstance(source, pikepdf.Page) else source
    listed = list(held) if isinstance(held, pikepdf.Array) else [held]
    return [one for one in listed if isinstance(one, pikepdf.Stream) and not _is_picture(one)]


def _is_picture(stream: Any) -> bool:
    import pikepdf

    given = stream.get("/Filter")
    filters = list(given) if isinstance(given, pikepdf.Array) else [given]
    return any(one in _PICTURES for one in filters)


def _read(stream: Any) -> bytes | None:
    import pikepdf

    try:
        return bytes(stream.read_bytes())
    except (pikepdf.PdfError, pikepdf.DependencyError, NotImplementedError):
        return _inflated(stream.read_raw_bytes()) if stream.get("/Filter") == "/FlateDecode" else None


def _inflated(data: bytes) -> bytes | None:
    """As much of damaged data as can be read, which is what readers show; None where that is nothing."""
    found = zlib.decompressobj()
    parts: list[bytes] = []
    with suppress(zlib.error):
        for at in range(len(data)):
            parts.append(found.decompress(data[at : at + 1]))  # noqa: PERF401 - the good ones stay
    return b"".join(parts) or None


def _joined(written: list[bytes]) -> bytes:
    """Streams one after the other; a string that is open at the end of one goes on in the next."""
    whole: list[bytes] = []
    is_open = False
    for data in written:
        whole += [data] if is_open else [b"\n", data]
        is_open = _leaves_open(b"(" + data if is_open else data)
    return b"".join(whole)


def _leaves_open(data: bytes) -> bool:
    """Whether a string goes on after the end of a stream."""
    if len(_OPENS.findall(data)) == len(_CLOSES.findall(data)):
        return False
    return any(token[:1] == b"(" and not _ends(token) for token in tokens(data))


def _ends(string: bytes) -> bool:
    return len(string) > 1 and string.endswith(b")") and _string_end(string, 0) == len(string)


def _parsed(stream: Any, *, strict: bool = True) -> list[Any] | None:
    """The instructions of a stream; if `strict`, None where something about them is odd."""
    import pikepdf

    with warnings.catch_warnings():
        warnings.simplefilter("error" if strict else "ignore")
        try:
            return list(pikepdf.parse_content_stream(stream))
        except (pikepdf.PdfError, pikepdf.DependencyError, NotImplementedError, TypeError, UserWarning):
            return None


def _parsed_bytes(data: bytes, *, strict: bool = True) -> list[Any] | None:
    _, stream = _scratch()
    stream.write(data)
    return _parsed(stream, strict=strict)


@cache
def _scratch() -> tuple[Any, Any]:
    """A document with a stream to parse from; it stays, because what is parsed points into it."""
    import pikepdf

    pdf = pikepdf.new()
    return pdf, pdf.make_stream(b"")


def _mended(data: bytes) -> bytes:
    """Content without operators in the middle of an array, and with every array closed."""
    parts: list[bytes] = []
    depth = 0
    for token in tokens(data):
        if token == b"[":
            depth += 1
        elif token == b"]":
            if not depth:
                continue
            depth -= 1
        elif depth and not (token[:1] in b"(</" or token == b">>" or _NUMBER.fullmatch(token)):
            if token in (b"TJ", b"ET"):
                parts += [b"]"] * depth
                depth = 0
            else:
                continue
        parts.append(token if token[:1] != b"(" or _ends(token) else token + b")")
    return b" ".join([*parts, *[b"]"] * depth])


def tokens(data: bytes) -> Iterator[bytes]:
    """The tokens of content, without white space and comments; an image among them is one.

    >>> list(tokens(b"[(a\\\\)(b)) -3] TJ % c"))
    [b'[', b'(a\\\\)(b))', b'-3', b']', b'TJ']
    """
    at = 0
    while at < len(data):
        if data[at : at + 1] == b"(":
            end = _string_end(data, at)
            yield data[at:end]
            at = end
            continue
        found = (_DATA.match(data, at) if data[at : at + 2] == b"ID" else None) or _TOKEN.match(data, at)
        if found is None:
            at += 1
            continue
        if not found[0].isspace() and not found[0].startswith(b"%"):
            yield found[0]
        at = found.end()


def _string_end(data: bytes, at: int) -> int:
    """Where a string ends that begins at a place: after the bracket that closes it, or with the data."""
    depth = 0
    while at < len(data):
        byte = data[at : at + 1]
        if byte == b"\\":
            at += 1
        elif byte == b"(":
            depth += 1
        elif byte == b")":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return len(data)
