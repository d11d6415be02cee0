"""Draw pages to read: at random over all documents, the same ones for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.errors import InvalidSetting

Page = tuple[str, str]


def draw_pages(documents: Sequence[DocumentFindings], number: int, *, seed: int) -> tuple[Page, ...]:
    """So many pages, in the order of the documents; more of them hold the fewer."""
    every = [(one.document, block) for one in documents for block in one.blocks]
    if number < 1:
        raise InvalidSetting(f"{number} pages cannot be drawn.", hint="Draw at least one.")
    chosen = set(sorted(every, key=lambda page: _rank(page, seed))[:number])
    return tuple(page for page in every if page in chosen)


def _rank(page: Page, seed: int) -> bytes:
    text = "\0".join((str(seed), *page))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()
