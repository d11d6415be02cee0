"""PDF as a format of documents: pages are interpreted once, read as blocks, and written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.collector import pause_collector
from reidrisk.core.files import whole_path
from reidrisk.documents.document import ANYWHERE, UNPROVED, Change, Check, DocumentFormat, Look, Written
from reidrisk.documents.pdf.covered import covered_words
from reidrisk.documents.pdf.damage import pages_that_differ, require_letters
from reidrisk.documents.pdf.figures import attachments_of, pictures_of
from reidrisk.documents.pdf.pages import Pages
from reidrisk.documents.pdf.proof import CONTENT_READERS, TEXT_READERS, reader_names
from reidrisk.documents.pdf.reading import PageBlock, blocks_of, opened_unguarded, read_pdf, stumbling
from reidrisk.documents.pdf.second_look import places_seen
from reidrisk.documents.pdf.writing import Rewriting

if TYPE_CHECKING:
    from pikepdf import Pdf


class OpenPdf:
    """A PDF that is open; its pages are kept from reading to writing."""

    def __init__(self, path: Path, pdf: Pdf) -> None:
        self.path, self._pdf = path, pdf
        self._pages = Pages(pdf, path)
        self._left_out: dict[str, str] = {}

    @cached_property
    def blocks(self) -> tuple[PageBlock, ...]:
        """The pages, and what stands besides them."""
        with stumbling(self.path), pause_collector():
            return tuple(blocks_of(self._pdf, self._pages.kept()))

    def leave_out(self, pages: Mapping[str, str]) -> None:
        """Put an explanation in the place of pages when it is written: why, by the names of their blocks."""
        self._left_out |= pages

    def seen_by_others(self, values: Mapping[int, Sequence[str]]) -> list[tuple[str, int, int]]:
        """Block, start and end of values as other readers see them, by pages or for ANYWHERE."""
        everywhere = tuple(values.get(ANYWHERE, ()))
        found: list[tuple[str, int, int]] = []
        for number in range(1, len(self._pdf.pages) + 1):
            wanted = (*values.get(number, ()), *everywhere)
            if wanted:
                page = self._pages.read(number)
                found += [(page.name, *place) for place in places_seen(page, self.path, wanted)]
                page.forget()
        return found

    def write(
        self,
        out: str | Path,
        changes: Iterable[Change],
        *,
        look: Look | None = None,
        check: Check | None = None,
        values: Iterable[str] = (),
    ) -> Written:
        """Write a copy with the changes, and close the document.

        What is taken out of the pages is also taken out of bookmarks, links and other texts, and so are
        `values`.
        """
        by_block: dict[str, list[Change]] = defaultdict(list)
        for change in sorted(changes):
            by_block[change.block].append(change)
        with stumbling(self.path), whole_path(out, folder=False, suffix=UNPROVED) as part:
            work = Rewriting(self._pdf, self._pages, look or Look(), left_out=self._left_out)
            for value in values:
                work.values.add(value, "PPD")
            with pause_collector():
                work.run(by_block)
            _save(work, part)
            pages = len(self._pdf.pages)
            self._pdf.close()  # those who check the file need the room
            if check is not None:
                check(part)
        return Written(
            blocks=pages,
            changes=sum(len(listed) for listed in by_block.values()),
            scanned=tuple(work.scanned),
            unreadable=tuple(work.unreadable),
            rasterised=tuple(sorted(work.rasterised)),
            left_out=tuple(sorted(work.explained)),
            cramped=work.cramped,
        )


def _save(work: Rewriting, part: Path) -> None:
    """Save, and look whether all pages still look the same; those that do not become pictures.

    A page that lost text besides what was to go is not released.
    """
    work.pdf.save(part, deterministic_id=True)
    meant = {*work.rasterised, *work.restyled, *work.explained}
    differ = pages_that_differ(work.pages.path, part, work.boxes, besides=meant)
    for number in differ:
        work.to_picture(number)
    if differ:
        work.pdf.save(part, deterministic_id=True)
    own = {number: letters for number, letters in work.letters.items() if number not in {*meant, *differ}}
    require_letters(work.pages.path, part, own)


@contextmanager
def opened_pdf(path: Path) -> Iterator[OpenPdf]:
    """A PDF that is to be read and written."""
    with opened_unguarded(path) as pdf:
        yield OpenPdf(path, pdf)


FORMAT = DocumentFormat(
    suffixes=(".pdf",),
    opened=opened_pdf,
    texts=TEXT_READERS,
    contents=CONTENT_READERS,
    readers=reader_names,
    covered=covered_words,
    enclosed=attachments_of,
    pictures=pictures_of,
    streamed=read_pdf,
    is_wrapped=True,
)


def write_pdf(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    values: Iterable[str] = (),
    check: Check | None = None,
) -> Written:
    """Write a copy of `source` with the changes; `check` sees the file before it gets its name."""
    with opened_pdf(Path(source)) as document:
        return document.write(out, changes, look=look, check=check, values=values)
