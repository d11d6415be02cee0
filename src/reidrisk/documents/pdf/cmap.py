"""What codes and glyphs say: character maps, and the names of glyphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

_TOKEN = re.compile(
    rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])|/([^\s<>\[\]/()]+)|([^\s<>\[\]/()]+)|(\((?:[^()\\]|\\.)*\))"
)
_MOST = 70_000
"""A range never has more codes than there are; a file that says so is wrong."""

Token = bytes | str | int | list["Token"]
_UNI = re.compile(r"uni((?:[0-9A-F]{4})+)$")
_U = re.compile(r"u([0-9A-F]{4,6})$")
_ENCODINGS = {"/StandardEncoding": 1, "/MacRomanEncoding": 2, "/WinAnsiEncoding": 3, "/PDFDocEncoding": 4}
_BUILT_IN = re.compile(rb"dup\s+(\d+)\s*/([^\s/]+)\s+put")


@dataclass(slots=True)
class CMap:
    """A character map."""

    sizes: list[tuple[int, int, int]] = field(default_factory=list)
    """Code spaces: number of bytes, lowest code, highest code."""
    cids: dict[int, int] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    uses: str = ""
    vertical: bool = False

    def length(self, data: bytes, at: int) -> int:
        """How many bytes the code at a place has."""
        for size, low, high in self.sizes:
            code = data[at : at + size]
            if len(code) == size and _within(code, low.to_bytes(size), high.to_bytes(size)):
                return size
        return min((size for size, _, _ in self.sizes), default=1)


def _within(code: bytes, low: bytes, high: bytes) -> bool:
    return all(least <= byte <= most for byte, least, most in zip(code, low, high, strict=True))


def parse_cmap(data: bytes) -> CMap:
    """Read an embedded character map, of codes to glyphs or of codes to text."""
    cmap, before, block = CMap(), None, list[Token]()
    for part in _tokens(data):
        if isinstance(part, str):
            if part == "usecmap" and isinstance(before, str):
                cmap.uses = before.removeprefix("/")
            elif part.startswith("end"):
                _take(cmap, part, block)
            if part.startswith(("begin", "end")):
                block = []
        else:
            if before == "/WMode" and part == 1:
                cmap.vertical = True
            block.append(part)
        before = part
    cmap.sizes.sort()
    return cmap


def _take(cmap: CMap, ending: str, block: list[Token]) -> None:
    """Add what a block lists: code spaces, or single codes or ranges of them with glyphs or texts."""
    width = 3 if ending.endswith("range") and ending != "endcodespacerange" else 2
    for row in _rows(block, width):
        first, last = row[0], row[width - 2]
        if isinstance(first, bytes) and isinstance(last, bytes):
            _take_row(cmap, ending, (first, last), row[-1])


def _take_row(cmap: CMap, ending: str, codes: tuple[bytes, bytes], given: Token) -> None:
    first, last = (int.from_bytes(code) for code in codes)
    if ending == "endcodespacerange":
        if isinstance(given, bytes) and 0 < len(codes[0]) == len(given) <= 4:
            cmap.sizes.append((len(given), first, int.from_bytes(given)))
    elif ending.startswith("endcid") and isinstance(given, int):
        cmap.cids |= {code: given + code - first for code in range(first, min(last, first + _MOST) + 1)}
    elif ending.startswith("endbf"):
        _take_range(cmap, first, last, given)


def _take_range(cmap: CMap, first: int, last: int, texts: Token) -> None:
    codes = range(first, min(last, first + _MOST) + 1)
    if isinstance(texts, list):
        for code, text in zip(codes, texts, strict=False):
            if isinstance(text, bytes):
                cmap.texts[code] = _utf16(text)
    elif isinstance(texts, bytes) and texts:
        size, start = len(texts), int.from_bytes(texts)
        for code in codes:
            value = start + code - first
            if value < 1 << 8 * size:
                cmap.texts[code] = _utf16(value.to_bytes(size))


def _rows(block: list[Token], width: int) -> Iterator[list[Token]]:
    for at in range(0, len(block) - width + 1, width):
        yield block[at : at + width]


def _utf16(data: bytes) -> str:
    if len(data) == 1:
        return data.decode("latin-1")
    return data.decode("utf-16-be", "replace")


def _tokens(data: bytes) -> Iterator[Token]:
    """Hex strings as bytes, numbers, names with a slash, operators, and lists of these."""
    held: list[Token] | None = None
    for found in _TOKEN.finditer(re.sub(rb"%[^\r\n]*", b"", data)):
        if found[2]:
            held = []
        elif found[3]:
            if held is not None:
                yield held
            held = None
        else:
            token = _one(found)
            if held is None:
                yield token
            else:
                held.append(token)


def _one(found: re.Match[bytes]) -> Token:
    if found[1] is not None:
        digits = re.sub(rb"\s", b"", found[1])
        return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))
    if found[4]:
        return "/" + found[4].decode("latin-1")
    word = (found[5] or b"").decode("latin-1")
    return int(word) if re.fullmatch(r"[+-]?\d+", word) else word


@cache
def says(name: str) -> str | None:
    """The text of a glyph by its name, None if the name does not say which."""
    from pdfminer.glyphlist import glyphname2unicode

    stem = name.split(".", maxsplit=1)[0]
    if not stem:
        return None
    parts = [_part(part, glyphname2unicode) for part in stem.split("_")]
    return None if None in parts else "".join(part for part in parts if part)


def _part(name: str, known: dict[str, str]) -> str | None:
    if name in known:
        return known[name]
    if found := _UNI.match(name):
        digits = found[1]
        return "".join(chr(int(digits[at : at + 4], 16)) for at in range(0, len(digits), 4))
    if found := _U.match(name):
        return chr(int(found[1], 16)) if int(found[1], 16) < 0x110000 else None
    return None


@cache
def encoding(name: str) -> dict[int, str]:
    """Codes and glyph names of a named encoding."""
    from pdfminer.latin_enc import ENCODING

    column = _ENCODINGS.get(name, 1)
    codes = {code: str(row[0]) for row in ENCODING if isinstance(code := row[column], int)}
    if name == "/WinAnsiEncoding":
        codes |= {0xA0: "space", 0xAD: "hyphen"}
    return codes


def with_differences(base: dict[int, str], differences: Any) -> dict[int, str]:
    """An encoding after the exceptions that a font lists."""
    codes, code = dict(base), 0
    for item in differences:
        if isinstance(item, int):
            code = item
        else:
            codes[code] = _glyph_name(item)
            code += 1
    return codes


def _glyph_name(item: Any) -> str:
    try:
        return str(item).removeprefix("/")
    except UnicodeDecodeError:
        return ""


def built_in(program: bytes) -> dict[int, str]:
    """The encoding written in the readable part of a Type 1 font program."""
    head = program[: program.find(b"eexec")]
    return {int(code): name.decode("latin-1") for code, name in _BUILT_IN.findall(head)}
