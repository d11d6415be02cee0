"""What a glyph's name says, and which names a simple font's codes have."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_UNI = re.compile(r"uni((?:[0-9A-F]{4})+)$")
_U = re.compile(r"u([0-9A-F]{4,6})$")
_ENCODINGS = {"/StandardEncoding": 1, "/MacRomanEncoding": 2, "/WinAnsiEncoding": 3, "/PDFDocEncoding": 4}


@cache
def says(name: str) -> str | None:
    """The text of a glyph by its name, None where the name tells nothing."""
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
            codes[code] = str(item).removeprefix("/")
            code += 1
    return codes


_BUILT_IN = re.compile(rb"dup\s+(\d+)\s*/([^\s/]+)\s+put")


def built_in(program: bytes) -> dict[int, str]:
    """The encoding written in the readable part of a Type 1 font program."""
    head = program[: program.find(b"eexec")]
    return {int(code): name.decode("latin-1") for code, name in _BUILT_IN.findall(head)}
