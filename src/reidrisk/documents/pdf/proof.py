"""Search a PDF for values in other ways than it is read: by other programs, and in all that it holds.

Nothing here shares code with the removal. Each reader gives names of places and their texts.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

from reidrisk.documents.pdf.by_pdfminer import read_pages
from reidrisk.documents.proof.texts import Again, Names, Unread
from reidrisk.errors import FailedCheck, MissingPackage

STANDARD = frozenset((files("reidrisk.documents.pdf") / "standard_names.txt").read_text("ascii").split())
_NAME = re.compile(r"/([A-Za-z0-9]+)")
_STRING = re.compile(
    rb"\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]+>|>>|[\[\]]|T[jJ*dDm]|['\"]|ET|(?<![\w.])-\d{3,}", re.DOTALL
)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_GAP = -180
"""Thousandths of the size of letters: programs that write no spaces move on by more."""
_OCTAL = tuple(b"%d" % digit for digit in range(8))
_PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_NUMBER = re.compile(rb"(?<![\w/#])[-+]?(?:\d+\.?\d*|\.\d+)(?![\w.])")
"""A number that says where to draw or where something is, rather than one that somebody wrote."""
_WRITTEN = re.compile(rb"\((?:[^()\\]|\\.)*\)|%[^\r\n]*", re.DOTALL)
"""A string or a comment."""
_COMMENT = re.compile(rb"%[^\r\n]*")
_FONTS = ("/Type1C", "/CIDFontType0C", "/OpenType")
"""Kinds of font programs."""
_FONT_OR_IMAGE = re.compile(rb"/Length1\b|/Type1C\b|/CIDFontType0C\b|/OpenType\b|/Subtype\s*/Image\b|/XRef\b")
_ICC, _ICC_AT = b"acsp", slice(36, 40)
"""What a color profile says of itself, and where."""
_DATA = re.compile(rb"stream\r?\n")
_LONG_HEX = re.compile(r"[0-9A-Fa-f]{12,}")
_ANY_NAME = re.compile(r"/[^\s()<>\[\]{}/%]+")
_KEYWORD = re.compile(r"\b(?:obj|endobj|xref|trailer|startxref|stream|endstream|true|false|null)\b")
_OWN_MARKS = re.compile(rb"%PDF-\d\.\d|%%EOF")
_TAG = re.compile(r"<[^<>]*>")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_PIECE = 2**20
_MOST = 2**27
"""Bytes that are unpacked of one stream."""
_HEX = re.compile(rb"<([0-9A-Fa-f\s]{4,})>")


def by_pdfium(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as PDFium (the reader of browsers) finds it."""
    for number, text in _by_pdfium(path):
        yield f"page {number} (PDFium)", text


def _by_pdfium(source: Path | bytes) -> Iterator[tuple[int, str]]:
    try:
        import pypdfium2
    except ImportError:
        raise MissingPackage.of_extra("pypdfium2", "documents") from None
    document = pypdfium2.PdfDocument(source)
    try:
        for number in range(len(document)):
            try:
                page = document[number]
                text = page.get_textpage()
                yield number + 1, text.get_text_range()
                text.close()
                page.close()
            except pypdfium2.PdfiumError:
                yield number + 1, Unread("PDFium cannot show it")
    finally:
        document.close()


def by_pdfminer(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as pdfminer finds it."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        pages = len(pdf.pages)
    for number, texts in read_pages(path, pages):
        where = f"page {number} (pdfminer)"
        if texts is None:
            yield where, Unread("pdfminer cannot read it")
            continue
        yield where, texts[0]
        yield from ((where, Again(text)) for text in texts[1:])


def by_poppler(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as Poppler finds it; nothing where it is not installed."""
    program = shutil.which("pdftotext")
    if program is None:
        return
    done = subprocess.run([program, "-enc", "UTF-8", str(path), "-"], capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        raise FailedCheck("Poppler cannot read the file: nothing is proved.", hint="Is it whole?")
    for number, text in enumerate(done.stdout.decode("utf-8", "replace").split("\f")[:-1], 1):
        yield f"page {number} (Poppler)", text


def objects_of(path: Path) -> Iterator[tuple[str, str]]:
    """A name and the texts of every object, with streams decoded and strings read in each usual way."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        pages = {part.objgen for page in pdf.pages for part in _contents(page.obj)}
        for entry in pdf.trailer.items():
            yield from _object("the trailer", entry)
        for number, item in enumerate(pdf.objects, 1):
            yield from _object(f"object {number}", item)
            if isinstance(item, pikepdf.Stream):
                drawn = item.objgen in pages or item.get("/Subtype") == "/Form" or "/PatternType" in item
                yield from _stream(f"the stream of object {number}", item, drawn=drawn)


def _object(where: str, item: Any) -> Iterator[tuple[str, str]]:
    """The strings of an object, and the names in it."""
    strings: list[str] = []
    names: list[str] = []
    _collect(item, 0, strings, names)
    if strings:
        yield where, "\n".join(strings)
    if names:
        yield where, Names("\n".join(names))


def _contents(page: Any) -> list[Any]:
    import pikepdf

    held = page.get("/Contents")
    return list(held) if isinstance(held, pikepdf.Array) else [] if held is None else [held]


def _stream(where: str, stream: Any, *, drawn: bool) -> Iterator[tuple[str, str]]:
    """The texts of a stream; `drawn`: its numbers are coordinates, which may look like a short identifier."""
    import pikepdf

    if stream.get("/Subtype") in ("/Image", *_FONTS) or "/Length1" in stream:
        return
    if stream.get("/Type") in ("/ObjStm", "/XRef"):  # objects are looked at one by one
        return
    try:
        data = stream.read_bytes()
    except (pikepdf.PdfError, NotImplementedError):
        return
    yield from _decoded(where, data, drawn=drawn)


def _decoded(where: str, data: bytes, *, drawn: bool = False) -> Iterator[tuple[str, str]]:
    """What the bytes of a stream say in each usual encoding."""
    if data[_ICC_AT] == _ICC:
        yield where, Names(data.decode("latin-1"))
        return
    if b"beginbf" in data:
        yield where, _spelled(data)
        yield where, Names(_HEX.sub(b" ", data).decode("latin-1"))
        return
    yield where, _shown(data)
    if drawn:
        yield where, b"\n".join(_COMMENT.findall(data)).decode("latin-1")
        yield where, Names(_other_names(data))
        return
    is_xml = data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:1] == b"<"
    for text in _encodings(data):
        if is_xml:
            yield where, _xml_text(text)
        else:
            yield where, _ANY_NAME.sub(" ", text)
    if not is_xml:
        yield where, Names(_other_names(data))


def _other_names(data: bytes) -> str:
    """Names in a stream that are not those of PDF itself."""
    return " ".join(set(_NAME.findall(data.decode("latin-1"))) - STANDARD)


def _encodings(data: bytes) -> Iterator[str]:
    yield data.decode("latin-1")
    if not data.isascii():
        yield data.decode("utf-8", "replace")
    if b"\0" in data:
        yield data.decode("utf-16-be", "replace")
        yield data.decode("utf-16-le", "replace")


def _xml_text(text: str) -> str:
    """The texts and attributes of XML, without its tags and namespaces.

    >>> _xml_text('<a xmlns:b="http://c"><b:creator d="Ann">L&#233;a</b:creator></a>').split()
    ['Ann', 'Léa']
    """
    return html.unescape(_TAG.sub(_attributes, text))


def _attributes(tag: re.Match[str]) -> str:
    if tag[0].startswith(("<!", "<?")):
        return tag[0][2:-1]
    said = [one[2] or one[3] or "" for one in _ATTRIBUTE.finditer(tag[0]) if not one[1].startswith("xmlns")]
    return " ".join(["", *said, ""]) if said else " "


def outside_of_objects(path: Path) -> Iterator[tuple[str, str]]:
    """What the bytes of a file say besides its streams: comments, lost objects, what follows its end."""
    data = path.read_bytes()
    end = data.rfind(b"%%EOF")
    start = max(data.find(b"%PDF-"), 0)
    for where, piece in (("the start of the file", data[:start]), ("the end of the file", data[end:])):
        for text in _encodings(_OWN_MARKS.sub(b" ", piece)):
            yield f"bytes at {where}", text
    for piece in _between_streams(data, start):
        yield from _bare_text(_OWN_MARKS.sub(b" ", piece))


def _between_streams(data: bytes, start: int) -> Iterator[bytes]:
    """The bytes of a file without its streams, in pieces that are not too large."""
    parts: list[bytes] = []
    size, last = 0, start
    for first, stop in (*_stream_spans(data), (len(data), len(data))):
        while (cut := data.find(b"endobj", last + _PIECE, first)) >= 0:
            yield b" ".join([*parts, data[last:cut]])
            parts, size, last = [], 0, cut
        parts.append(data[last:first])
        size, last = size + first - last, stop
        if size > _PIECE:
            yield b" ".join(parts)
            parts, size = [], 0
    yield b" ".join(parts)


def _bare_text(between: bytes) -> Iterator[tuple[str, str]]:
    where = "the bytes of the file"
    yield where, b"\n".join(_WRITTEN.findall(between)).decode("latin-1")
    bare = _NUMBER.sub(b" ", between).decode("latin-1")
    yield where, _KEYWORD.sub(" ", _ANY_NAME.sub(" ", bare))
    for found in _LONG_HEX.finditer(between.decode("latin-1")):
        spelled = bytes.fromhex(found[0][: len(found[0]) // 2 * 2])
        yield where, spelled.decode("latin-1")
        yield where, spelled.decode("utf-16-be", "replace")


def _stream_spans(data: bytes) -> Iterator[tuple[int, int]]:
    """First and last byte of each stream of a file, whether or not its table of objects has it."""
    at = 0
    while (found := _DATA.search(data, at)) is not None:
        stop = data.find(b"endstream", found.end())
        if stop < 0:
            return
        yield found.end(), stop
        at = stop + len(b"endstream")


def lost_streams(path: Path) -> Iterator[tuple[str, str]]:
    """What streams say that the file holds and its table of objects does not have any more."""
    import pikepdf

    data = path.read_bytes()
    with pikepdf.open(path) as pdf:
        if pdf.is_encrypted:
            return
        known = {
            hash(item.read_raw_bytes().rstrip(b"\r\n"))
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream)
        }
    for first, stop in _stream_spans(data):
        raw = data[first:stop]
        head = data[max(0, first - 2000) : first].rpartition(b" obj")[2]
        if hash(raw.rstrip(b"\r\n")) in known or _FONT_OR_IMAGE.search(head):
            continue
        try:
            unpacked = zlib.decompressobj().decompress(raw, _MOST) if b"/FlateDecode" in head else raw
        except zlib.error:
            continue
        yield "a stream that is no longer used", _shown(unpacked)
        yield "a stream that is no longer used", Names(_other_names(unpacked))
        if _is_text(unpacked):
            yield from _decoded("a stream that is no longer used", unpacked)


def _is_text(data: bytes) -> bool:
    """Whether bytes are no tables of numbers and no content of pages."""
    return data.lstrip()[:1] == b"<" and data.lstrip()[:2] != b"<<"


def older_versions(path: Path) -> Iterator[tuple[str, str]]:
    """The pages of a file as they were before it was changed, where programs only added to its end."""
    import pypdfium2

    data = path.read_bytes()
    ends = [found.end() for found in re.finditer(rb"%%EOF", data)][:-1]
    if b"/Linearized" in data[:1024]:
        ends = ends[1:]
    for version, end in enumerate(ends, 1):
        try:
            for number, text in _by_pdfium(data[:end]):
                yield f"page {number} in older version {version} of the file", text
        except pypdfium2.PdfiumError:
            continue


def _shown(data: bytes) -> str:
    """The strings of a content stream, one after the other.

    >>> _shown(b"[(Jan)-300(Ko)20(walski)] TJ 0 -14 Td (left) Tj").split()
    ['Jan', 'Kowalski', 'left']
    """
    words: list[str] = []
    listed = False
    for found in _STRING.finditer(data):
        token = found[0]
        if token[:1] == b"(":
            words.append(_letters(_unescaped(token[1:-1]) if b"\\" in token else token[1:-1]))
        elif token[:1] == b"<":
            words.append(_letters(_hex(token[1:-1])))
        elif token in (b"[", b"]"):
            listed = token == b"["
        elif token in (b"T*", b"'", b'"', b"ET", b"Td", b"TD", b"Tm", b">>"):
            words.append("\n")
        elif listed and token[:1] == b"-" and int(token) < _GAP:
            words.append(" ")
    return "".join(words)


def _letters(data: bytes) -> str:
    return data[2:].decode("utf-16-be", "replace") if data[:2] == b"\xfe\xff" else data.decode("latin-1")


def _spelled(data: bytes) -> str:
    """What the letters listed in a font's character map spell."""
    return "".join(_hex(found[1]).decode("utf-16-be", "replace") for found in list(_HEX.finditer(data))[1::2])


def _hex(digits: bytes) -> bytes:
    plain = digits if digits.isalnum() else re.sub(rb"\s", b"", digits)
    return bytes.fromhex((plain + b"0" * (len(plain) % 2)).decode("ascii"))


def _unescaped(data: bytes) -> bytes:
    def one(found: re.Match[bytes]) -> bytes:
        code = found[1]
        if code[:1] in _OCTAL:
            return bytes([int(code, 8) & 0xFF])
        return _PLAIN.get(code, b"" if code in (b"\n", b"\r", b"\r\n") else code)

    return _ESCAPE.sub(one, data)


def _named(item: Any) -> str:
    """A name; one that is not UTF-8 as the bytes that are written."""
    try:
        return str(item)
    except UnicodeDecodeError:
        return bytes(item.unparse()).decode("latin-1")


def _collect(item: Any, depth: int, strings: list[str], names: list[str]) -> None:
    """The strings and names of an object; what it points to is looked at by itself."""
    import pikepdf

    if depth > 20 or isinstance(item, int | Decimal | float):
        return
    if isinstance(item, pikepdf.String):
        strings += [str(item), bytes(item).decode("latin-1")]
    elif isinstance(item, pikepdf.Name):
        _name(_named(item), names)
    elif isinstance(item, pikepdf.Dictionary | pikepdf.Stream):
        for name, part in item.items():
            _name(name, names)
            _part(part, depth, strings, names)
    elif isinstance(item, pikepdf.Array | tuple):
        for part in item:
            _part(part, depth, strings, names)
    elif isinstance(item, str):
        _name(item, names)


def _part(part: Any, depth: int, strings: list[str], names: list[str]) -> None:
    if not isinstance(part, int | Decimal | float) and not getattr(part, "is_indirect", False):
        _collect(part, depth + 1, strings, names)


def _name(written: str, names: list[str]) -> None:
    plain = written.removeprefix("/")
    if plain not in STANDARD:
        names.append(plain)


TEXT_READERS = (by_pdfium, by_pdfminer, by_poppler)
"""Readers of all texts, by which values are searched and counted."""
CONTENT_READERS = (objects_of, outside_of_objects, lost_streams, older_versions)
"""Readers of everything else."""


def reader_names() -> tuple[str, ...]:
    """All that take part in a proof, in words."""
    poppler = ("Poppler",) if shutil.which("pdftotext") else ()
    return ("PDFium", "pdfminer", *poppler, "objects and streams by pikepdf", "bytes of the file")
