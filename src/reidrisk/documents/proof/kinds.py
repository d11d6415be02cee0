"""Prove that removed values are gone, whatever kind of document it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reidrisk.documents.docx.office import by_office
from reidrisk.documents.docx.proof import DOCX_CONTENTS, DOCX_TEXTS
from reidrisk.documents.plain.proof import HTML_CONTENTS, HTML_TEXTS, RTF_CONTENTS, RTF_TEXTS, TEXT_TEXTS
from reidrisk.documents.proof.before import Before
from reidrisk.documents.proof.prove import CONTENT_READERS, TEXT_READERS, Proof, Reader, prove
from reidrisk.errors import UnreadableFile

_READERS: dict[str, tuple[Sequence[Reader], Sequence[Reader]]] = {
    ".pdf": (TEXT_READERS, CONTENT_READERS),
    ".docx": (DOCX_TEXTS, DOCX_CONTENTS),
    ".html": (HTML_TEXTS, HTML_CONTENTS),
    ".htm": (HTML_TEXTS, HTML_CONTENTS),
    ".rtf": (RTF_TEXTS, RTF_CONTENTS),
    ".txt": (TEXT_TEXTS, ()),
    ".md": (TEXT_TEXTS, ()),
}
"""Readers of texts and of everything else, by the extension of a file."""


def prove_document(
    path: str | Path,
    values: Sequence[str],
    *,
    kept: Mapping[str, int] | None = None,
    before: Before | None = None,
    office: bool = False,
) -> Proof:
    """Search a document for values by readers of its kind; `office` asks LibreOffice too, if it is there."""
    end = Path(path).suffix.lower()
    if end not in _READERS:
        raise UnreadableFile(
            f"{path} is no kind of document that is known.", hint=f"Known: {', '.join(_READERS)}."
        )
    texts, contents = _READERS[end]
    if office and end == ".docx":
        texts = (*texts, by_office)
    return prove(path, values, kept=kept, before=before, texts=texts, contents=contents)
