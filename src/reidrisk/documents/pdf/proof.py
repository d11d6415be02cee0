"""Search a PDF for values in other ways than it is read: by other programs, and in all that it holds.

Nothing here shares code with the removal. Each reader gives names of places and their texts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from reidrisk.errors import FailedCheck, MissingPackage

STANDARD = frozenset((files("reidrisk.documents.pdf") / "standard_names.txt").read_text("ascii").split())
_FOLDED = frozenset(name.casefold() for name in STANDARD)
_NAME = re.compile(r"/([A-Za-z0-9]+)")
_STRING = re.compile(rb"\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]+>|\]|T[jJ*dDm]|['\"]|ET", re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_OPERAND = re.compile(
    rb"(\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]+>|%[^\r\n]*)"
    rb"|(?<![\w/#])(?:[-+]?(?:\d+\.?\d*|\.\d+)|B[DM]C|EMC|SCN|scn)(?![\w.])",
    re.DOTALL,
)
"""A number that says where to draw, or an operator that could be initials; strings and comments stay."""
_HEXED = 6
"""Shorter values in hexadecimal are short numbers, which the table of a file's objects is full of."""
_FONTS = ("/Type1C", "/CIDFontType0C", "/OpenType")
"""Kinds of font programs."""
_NOTICE = re.compile(rb"Copyright[ -~]{0,200}")
"""The notice of a font's makers, whose years are nobody's dates."""
_HEX = re.compile(rb"<([0-9A-Fa-f\s]{4,})>")
_ALONE = 80
"""Pages that one process reads sooner than another has started."""


def by_pdfium(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as PDFium (the reader of browsers) finds it."""
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingPackage.of_extra("pypdfium2", "documents") from error
    document = pypdfium2.PdfDocument(path)
    try:
        for number in range(len(document)):
            page = document[number]
            text = page.get_textpage()
            yield f"page {number + 1} (PDFium)", text.get_text_range()
            text.close()
            page.close()
    finally:
        document.close()


def by_pdfminer(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as pdfminer finds it."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    pages = len(document)
    document.close()
    for number, text in read_pages(path, pages):
        yield f"page {number} (pdfminer)", text


def by_poppler(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as Poppler finds it; nothing where it is not installed."""
    program = shutil.which("pdftotext")
    if program is None:
        return
    done = subprocess.run([program, "-enc", "UTF-8", str(path), "-"], capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        raise FailedCheck("Poppler cannot read the file: nothing is proved.", hint="Is it whole?")
    for number, text in enumerate(done.stdout.decode("utf-8", "replace").split("\f"), 1):
        yield f"page {number} (Poppler)", text


def is_standard(word: str) -> bool:
    """Whether a word is one that PDF itself uses."""
    return word.casefold() in _FOLDED


def without_standard(content: str) -> str:
    """The text of a stream without the names that PDF itself uses."""
    return _NAME.sub(lambda found: " " if found[1] in STANDARD else found[0], content)


def objects_of(path: Path) -> Iterator[tuple[str, str]]:
    """A name and the texts of every object, with streams decoded and strings read in each usual way."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        pages = {part.objgen for page in pdf.pages for part in _contents(page.obj)}
        for entry in pdf.trailer.items():
            yield "the trailer", " ".join(_texts(entry, 0))
        for number, item in enumerate(pdf.objects, 1):
            texts = list(_texts(item, 0))
            if texts:
                yield f"object {number}", "\n".join(texts)
            if isinstance(item, pikepdf.Stream):
                drawn = item.objgen in pages or item.get("/Subtype") == "/Form" or "/PatternType" in item
                yield from _stream(f"the stream of object {number}", item, drawn=drawn)


def _contents(page: Any) -> list[Any]:
    import pikepdf

    held = page.get("/Contents")
    return list(held) if isinstance(held, pikepdf.Array) else [] if held is None else [held]


def _stream(where: str, stream: Any, *, drawn: bool) -> Iterator[tuple[str, str]]:
    """The texts of a stream; `drawn`: its numbers are coordinates, which may look like a short identifier."""
    import pikepdf

    if stream.get("/Subtype") == "/Image" or "/Length1" in stream:
        return
    try:
        data = stream.read_bytes()
    except (pikepdf.PdfError, NotImplementedError):
        return
    if stream.get("/Subtype") in _FONTS:
        data = _NOTICE.sub(b" ", data)
    if drawn:
        data = _OPERAND.sub(lambda found: found[1] or b" ", data)
    if b"beginbf" in data:
        yield where, _spelled(data)
        data = _HEX.sub(b" ", data)
    yield where, without_standard(data.decode("latin-1"))
    if not data.isascii():
        yield where, data.decode("utf-8", "replace")
    if b"\0" in data:
        yield where, data.decode("utf-16-be", "replace")
        yield where, data.decode("utf-16-le", "replace")
    yield where, _shown(data)


def _shown(data: bytes) -> str:
    """The strings of a content stream, one after the other."""
    words: list[str] = []
    for found in _STRING.finditer(data):
        token = found[0]
        if token[:1] == b"(":
            words.append(_unescaped(token[1:-1]).decode("latin-1"))
        elif token[:1] == b"<":
            words.append(_hex(token[1:-1]).decode("latin-1"))
        elif token in (b"T*", b"'", b'"', b"ET", b"Td", b"TD", b"Tm"):
            words.append("\n")
    return "".join(words)


def _spelled(data: bytes) -> str:
    """What the letters listed in a font's character map spell."""
    return "".join(_hex(found[1]).decode("utf-16-be", "replace") for found in list(_HEX.finditer(data))[1::2])


def _hex(digits: bytes) -> bytes:
    plain = digits if digits.isalnum() else re.sub(rb"\s", b"", digits)
    return bytes.fromhex((plain + b"0" * (len(plain) % 2)).decode("ascii"))


def _unescaped(data: bytes) -> bytes:
    def one(found: re.Match[bytes]) -> bytes:
        code = found[1]
        if code[:1].isdigit():
            return bytes([int(code, 8) & 0xFF])
        return _PLAIN.get(code, b"" if code in (b"\n", b"\r", b"\r\n") else code)

    return _ESCAPE.sub(one, data)


def _texts(item: Any, depth: int) -> Iterator[str]:
    """The strings and names of an object; what it points to is looked at by itself."""
    import pikepdf

    if depth > 20:
        return
    if isinstance(item, pikepdf.String):
        yield str(item)
        yield bytes(item).decode("latin-1")
    elif isinstance(item, pikepdf.Name):
        if str(item)[1:] not in STANDARD:
            yield str(item)[1:]
    elif isinstance(item, pikepdf.Array):
        for part in item:
            yield from _part(part, depth)
    elif isinstance(item, pikepdf.Dictionary | pikepdf.Stream):
        for name, part in item.items():
            if name[1:] not in STANDARD:
                yield name[1:]
            yield from _part(part, depth)
    elif isinstance(item, tuple):
        for part in item:
            yield from _part(part, depth)
    elif isinstance(item, str) and item.removeprefix("/") not in STANDARD:
        yield item.removeprefix("/")


def _part(part: Any, depth: int) -> Iterator[str]:
    if not getattr(part, "is_indirect", False):
        yield from _texts(part, depth + 1)


def encoded(value: str) -> set[bytes]:
    """A value as bytes, in the encodings and spellings in which a file may hold it."""
    found: set[bytes] = set()
    if is_standard(value):
        return found
    for text in {value, value.upper(), value.lower()}:
        for encoding in ("utf-8", "latin-1", "cp1250", "utf-16-be", "utf-16-le"):
            try:
                data = text.encode(encoding)
            except UnicodeEncodeError:
                continue
            found.add(data)
            if len(data) >= _HEXED:
                found |= {data.hex().encode("ascii"), data.hex().upper().encode("ascii")}
    return found


def read_pages(path: Path, pages: int) -> Iterator[tuple[int, str]]:
    """Number from 1 and text of each page."""
    processes = min(os.cpu_count() or 1, 4, pages // _ALONE)
    if processes < 2:
        yield from _read(path, range(pages))
        return
    bounds = [pages * part // processes for part in range(processes + 1)]
    command = [sys.executable, "-m", __name__, str(path)]
    children = [
        subprocess.Popen(  # noqa: S603 - its complaints may quote the document
            [*command, str(first), str(last)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for first, last in pairwise(bounds)
    ]
    try:
        # All are listened to at once: who is not would wait until its words are taken.
        with ThreadPoolExecutor(processes) as listeners:
            for written in listeners.map(_said, children):
                for line in written.splitlines():
                    number, text = json.loads(line)
                    yield number, text
    finally:
        for child in children:
            child.kill()
            child.wait()


def _said(child: subprocess.Popen[bytes]) -> bytes:
    written, _ = child.communicate()
    if child.returncode:
        raise FailedCheck("pdfminer cannot read the file: nothing is proved.", hint="Is it whole?")
    return written


def _read(path: Path, numbers: range) -> Iterator[tuple[int, str]]:
    try:
        from pdfminer.high_level import extract_pages
        from pdfminer.layout import LAParams
    except ImportError as error:
        raise MissingPackage.of_extra("pdfminer.six", "documents") from error
    settings = LAParams(boxes_flow=None, all_texts=True)
    found = extract_pages(path, page_numbers=list(numbers), laparams=settings)
    for number, page in zip(numbers, found, strict=False):
        yield number + 1, "\n".join(_laid_out(page))


def _laid_out(layout: Any) -> Iterator[str]:
    if hasattr(layout, "get_text"):
        yield layout.get_text()
    elif hasattr(layout, "__iter__"):
        for item in layout:
            yield from _laid_out(item)


TEXT_READERS = (by_pdfium, by_pdfminer, by_poppler)
"""Readers of all texts, by which values are searched and counted."""
CONTENT_READERS = (objects_of,)
"""Readers of everything else."""


def reader_names() -> tuple[str, ...]:
    """All that take part in a proof, in words."""
    poppler = ("Poppler",) if shutil.which("pdftotext") else ()
    return ("PDFium", "pdfminer", *poppler, "objects and streams by pikepdf", "bytes of the file")


def main() -> None:
    """Write the pages of a file, from one number to another, to the standard output."""
    path, first, last = sys.argv[1:4]
    for number, text in _read(Path(path), range(int(first), int(last))):
        sys.stdout.write(json.dumps([number, text]) + "\n")


if __name__ == "__main__":
    main()
