"""Are values really gone from a redacted document? It is read by code that shares nothing with writing."""

from __future__ import annotations

import html
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from reidrisk.validate.check import Bench, Observed
from reidrisk.validate.traps import HARMLESS, HiddenValues, trap_docx, trap_pdf

STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
HEX = re.compile(rb"<([0-9A-Fa-f\s]{4,})>")
TAG = re.compile(rb"<[^>]*>")


def redacted_pdf(bench: Bench) -> Observed:
    """Redact the trap PDF by its values, and search the result."""
    return _redacted(bench, "trap.pdf", trap_pdf, pdf_texts)


def redacted_docx(bench: Bench) -> Observed:
    """The same for a Word document."""
    return _redacted(bench, "trap.docx", trap_docx, docx_texts)


def _redacted(
    bench: Bench, name: str, build: Callable[[Path], HiddenValues], read: Callable[[Path], Iterable[str]]
) -> Observed:
    from reidrisk.documents.anonymize.run import anonymize_documents

    source = bench.folder / name
    hidden = build(source)
    before = survivors(hidden, read(source))
    unseen = sorted(set(hidden.by_place) - set(before))
    if unseen:  # otherwise the check could not fail there
        return Observed(
            holds=False, text=f"The reader does not see these places of the source: {', '.join(unseen)}."
        )
    out = bench.folder / "out"
    done = anonymize_documents([source], out, values=tuple(hidden.by_place.values()))
    if not done.acceptable:
        return Observed(holds=False, text="The document was refused: it could not be redacted.")
    texts = list(read(out / name))
    left = survivors(hidden, texts)
    if left:
        return Observed(holds=False, text=f"Values survive in: {', '.join(left)}.")
    if not any(HARMLESS in text for text in texts):
        return Observed(holds=False, text="Harmless text was lost.")
    number = len(hidden.by_place)
    return Observed(holds=True, text=f"{number} of {number} hidden values are gone; the harmless text stays.")


def survivors(hidden: HiddenValues, texts: Iterable[str]) -> list[str]:
    """The places whose value is in one of the texts, however it is cut or written."""
    seen = [re.sub(r"[\s\x00]", "", text).casefold() for text in texts]
    return [
        place for place, value in hidden.by_place.items() if any(value.casefold() in text for text in seen)
    ]


def pdf_texts(path: Path) -> list[str]:
    """Every byte, every stream unpacked, every hexadecimal string, and the text that PDFium sees."""
    data = path.read_bytes()
    pieces = [data]
    for found in STREAM.finditer(data):
        try:
            pieces.append(zlib.decompressobj().decompress(found[1]))
        except zlib.error:
            continue
    texts = []
    for piece in pieces:
        texts += [piece.decode("latin-1"), piece.decode("utf-16-be", errors="ignore")]
        texts += [_unhexed(found[1]) for found in HEX.finditer(piece)]
    return [*texts, *_pdfium(path)]


def _unhexed(digits: bytes) -> str:
    plain = re.sub(rb"\s", b"", digits)
    plain = plain if len(plain) % 2 == 0 else plain + b"0"
    return bytes.fromhex(plain.decode()).decode("latin-1").replace("\xfe\xff", "")


def _pdfium(path: Path) -> list[str]:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        return [str(page.get_textpage().get_text_range()) for page in document]
    finally:
        document.close()


def docx_texts(path: Path) -> list[str]:
    """Every part of the package: as it is, without tags, and its name."""
    texts = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            plain = html.unescape(TAG.sub(b"", data).decode("utf-8", errors="replace"))
            whole = html.unescape(data.decode("latin-1"))
            texts += [name, plain, whole, data.decode("utf-16-le", errors="ignore")]
    return texts
