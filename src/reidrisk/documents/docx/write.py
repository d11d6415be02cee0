"""Write a Word document with values taken out, and with nothing left beside the text that could tell them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reidrisk.documents.document import Change, Look
from reidrisk.documents.docx.clean.by_value import remove_values
from reidrisk.documents.docx.clean.document import clean
from reidrisk.documents.docx.package import opened_package
from reidrisk.documents.docx.reading import texts_of
from reidrisk.documents.docx.saving import save
from reidrisk.documents.places import apply_changes
from reidrisk.documents.written import Check, Written, new_file


def write_docx(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    check: Check | None = None,
) -> Written:
    """Write a copy of `source` with the changes; `check` sees the file before it gets its name."""
    with opened_package(source) as package:
        notes = clean(package)
        texts = list(texts_of(package))
        removed = apply_changes(texts, changes, look or Look())
        blanked = remove_values(package, removed)
        if blanked:
            notes += (f"pictures left out because letters in them spelled a removed value: {blanked}",)
        with new_file(source, out, check) as part:
            save(package, part)
    return Written(len(texts), len(removed), notes)
