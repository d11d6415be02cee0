"""Search any redacted document for values."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.documents.digest import sha256_of
from reidrisk.documents.kinds import kind_of
from reidrisk.documents.proof.kinds import prove_document
from reidrisk.documents.verify.covered import covered_words
from reidrisk.documents.verify.result import DocumentProof
from reidrisk.documents.verify.values import GivenValues, read_values
from reidrisk.errors import NothingToMeasure, UnreadableFile

_READERS = {
    ".pdf": ("PDFium", "pdfminer", "objects and streams by pikepdf", "bytes of the file"),
    ".docx": ("paragraphs by lxml", "all parts of the package", "bytes of the file"),
}
_OTHERS = ("text", "bytes of the file")


def verify_document(
    path: str | Path,
    values: str | Path | Iterable[str],
    *,
    source: str | Path | None = None,
    office: bool = False,
) -> DocumentProof:
    """Whether values are still in a document, whoever redacted it.

    `values` are texts, or a file: one a line, a table whose cells are meant, or findings of `source`.
    """
    file = Path(path)
    _check(file)
    given = _given(values, source)
    proof = prove_document(file, given.values, office=office)
    is_pdf = file.suffix.lower() == ".pdf"
    return DocumentProof(
        document=file.name,
        sha256=sha256_of(file),
        proof=proof,
        skipped=given.skipped,
        covered=covered_words(file) if is_pdf else (),
        readers=_readers(file.suffix.lower(), office=office),
        settings={
            "document": path_text(path),
            "values": path_text(values) if isinstance(values, str | Path) else "given",
            "source": None if source is None else path_text(source),
            "office": office,
        },
    )


def _readers(suffix: str, *, office: bool) -> tuple[str, ...]:
    """By what a document of a kind is read."""
    readers = _READERS.get(suffix, _OTHERS)
    if suffix == ".pdf" and shutil.which("pdftotext"):
        return (*readers[:2], "Poppler", *readers[2:])
    return (*readers, "LibreOffice") if suffix == ".docx" and office else readers


def _given(values: str | Path | Iterable[str], source: str | Path | None) -> GivenValues:
    if isinstance(values, str | Path):
        return read_values(values, source=source)
    listed = tuple(dict.fromkeys(value for value in values if value.strip()))
    if not listed:
        raise NothingToMeasure("There is no value to search for.", hint="Give at least one.")
    return GivenValues(listed)


def _check(path: Path) -> None:
    """An empty file holds no value, and proves nothing."""
    kind_of(path)
    try:
        size = path.stat().st_size
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(
            f"{path_text(path)} cannot be read: {reason}.", hint="Check the path."
        ) from error
    if not size:
        raise UnreadableFile(f"{path_text(path)} is empty: 0 bytes.", hint="Is it the right file?")
