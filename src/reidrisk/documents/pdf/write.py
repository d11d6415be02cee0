"""Write a PDF with its changes, and nothing else that could carry a value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.files import whole_path
from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.opening import opened
from reidrisk.documents.pdf.pictures.compare import pages_that_differ
from reidrisk.documents.pdf.rewriting import Rewriting


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a PDF; pages are counted from 1."""

    pages: int
    changes: int
    scanned: tuple[int, ...] = ()
    """Pages that are pictures: what nobody recognised on them is still there."""
    unreadable: tuple[int, ...] = ()
    """Pages with fonts that do not tell what they say: values there were not found."""
    rasterised: tuple[int, ...] = ()
    """Pages that became pictures because they could not be changed in themselves."""
    cramped: int = 0
    """New values that had to be set smaller than is good to read."""

    @property
    def concerns(self) -> tuple[str, ...]:
        """What the user must be told, in words."""
        said = []
        if self.scanned:
            said.append(f"Scanned: {_listed(self.scanned)}. Only recognised text was searched.")
        if self.unreadable:
            said.append(f"Fonts do not tell what they say: {_listed(self.unreadable)}. Look at these pages.")
        if self.rasterised:
            said.append(f"Now pictures without text: {_listed(self.rasterised)}.")
        if self.cramped:
            said.append(f"New values set very small to fit: {self.cramped}.")
        return tuple(said)


def _listed(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(str(number) for number in numbers[:10])
    more = f" and {len(numbers) - 10} more" if len(numbers) > 10 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{more}"


def write_pdf(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    values: Iterable[str] = (),
    check: Callable[[Path], None] | None = None,
) -> Written:
    """Write a copy of `source` with the changes; `check` sees the file before it gets its name.

    What is taken out of the pages is also taken out of bookmarks, links and other texts, and so are `values`.
    """
    by_block: dict[str, list[Change]] = defaultdict(list)
    for change in sorted(changes):
        by_block[change.block].append(change)
    with opened(source) as pdf, whole_path(out, folder=False) as part:
        work = Rewriting(pdf, Path(source), look or Look())
        for value in values:
            work.values.add(value, "PPD")
        work.run(by_block)
        _save(work, part)
        if check is not None:
            check(part)
        count = sum(len(listed) for listed in by_block.values())
        seen = tuple(work.scanned), tuple(work.unreadable), tuple(sorted(work.rasterised))
        return Written(len(pdf.pages), count, *seen, work.cramped)


def _save(work: Rewriting, part: Path) -> None:
    """Save, and look whether all pages still look the same; those that do not become pictures."""
    work.pdf.save(part, deterministic_id=True)
    differ = pages_that_differ(work.source, part, work.boxes)
    wrong = [page for page in differ if page not in (*work.rasterised, *work.restyled)]
    for number in wrong:
        work.to_picture(number)
    if wrong:
        work.pdf.save(part, deterministic_id=True)
