"""Documents and findings for the tests of review, anonymization and verification."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from reidrisk.documents.document import sha256_of
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.formats import read_document
from tests.documents.docx.building import Made, paragraph
from tests.documents.pdf.building import line, pages

PERSON, NUMBER, AGE, DAY = "Wilhelmina Zott", "DEMO-301-0104", "54", "12MAR2019"
LINES = (
    ("Patient", PERSON, "was a", AGE, "year old woman."),
    ("Subject", NUMBER, "was enrolled on", DAY, "and took 54 mg."),
    ("The dose of 54 mg was given at site 54."),
)
TYPES = {PERSON: "NAME", NUMBER: "ID", AGE: "AGE", DAY: "DATE"}
TEXT = "\n".join(one if isinstance(one, str) else " ".join(one) for one in LINES)


def pdf(path: Path, texts: list[str] | None = None) -> Path:
    """A PDF with a page for each text."""
    contents: list[str | bytes] = [
        "".join(line(part, y=700 - 20 * at) for at, part in enumerate(text.split("\n")))
        for text in texts or [TEXT]
    ]
    return pages(path, contents)


def docx(path: Path, text: str = TEXT) -> Path:
    """A Word document with a paragraph for each line."""
    return Made("".join(paragraph(part) for part in text.split("\n"))).save(path)


def txt(path: Path, text: str = TEXT) -> Path:
    """A plain text."""
    path.write_text(text, encoding="utf-8")
    return path


MAKERS: dict[str, Callable[[Path], Path]] = {".pdf": pdf, ".docx": docx, ".txt": txt}


def found_in(path: Path, *values: str) -> DocumentFindings:
    """The first place of each value on each page; a value that is none of ours has the type OTHER."""
    blocks, found = list(read_document(path)), []
    for block in blocks:
        for value in values or tuple(TYPES):
            place = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", block.text)
            if place is not None:
                kind = TYPES.get(value, "OTHER")
                found.append(DocumentFinding(block.name, *place.span(), kind, 1.0, "known"))
    ordered = tuple(sorted(found, key=lambda one: one.place))
    return DocumentFindings(path.name, sha256_of(path), tuple(one.name for one in blocks), ordered)


def text_of(path: Path) -> str:
    """All blocks of a document."""
    return "\n".join(block.text for block in read_document(path))
