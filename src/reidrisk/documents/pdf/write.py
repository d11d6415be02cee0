"""Write a PDF with its changes, and nothing else that could carry a value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.files import placed_whole
from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.opening import opened
from reidrisk.documents.pdf.rewriting import Rewriting


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a PDF."""

    pages: int
    changes: int
    cramped: int = 0
    """New values that had to be set smaller than is good to read."""


def write_pdf(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    check: Callable[[Path], None] | None = None,
) -> Written:
    """Write a copy of `source` with the changes; `check` sees the file before it gets its name."""
    by_block: dict[str, list[Change]] = defaultdict(list)
    for change in sorted(changes):
        by_block[change.block].append(change)
    with opened(source) as pdf, placed_whole(out, folder=False) as part:
        work = Rewriting(pdf, look or Look())
        work.run(by_block)
        pdf.save(part, deterministic_id=True)
        if check is not None:
            check(part)
        pages = len(pdf.pages)
    return Written(pages, sum(len(listed) for listed in by_block.values()), work.cramped)
