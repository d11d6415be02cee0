"""PDF as a format of documents: pages are interpreted once, read as blocks, and written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path

from reidrisk.core.collector import pause_collector
from reidrisk.core.files import whole_path
from reidrisk.documents.document import ANYWHERE, UNPROVED, Change, Check, DocumentFormat, Look, Written
from reidrisk.documents.pdf.covered import covered_words
from reidrisk.documents.pdf.damage import lost_letters, pages_that_differ, require_letters
from reidrisk.documents.pdf.figures import attachments_of, pictures_of
from reidrisk.documents.pdf.pages import Pages
from reidrisk.documents.pdf.proof import CONTENT_READERS, TEXT_READERS, reader_names
from reidrisk.documents.pdf.reading import PageBlock, blocks_of, open_unguarded, read_pdf, stumbling
from reidrisk.documents.pdf.second_look import places_seen
from reidrisk.documents.pdf.writing import Rewriting
from reidrisk.errors import InvalidSetting

_SLIGHT, _WORSE = 0.01, 2
"""A page that differs by this share of its pixels stays if its picture differs so many times more."""


class OpenPdf:
    """A PDF that is open; its pages are kept from reading to writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pages: Pages | None = Pages(open_unguarded(path), path)
        self._left_out: dict[str, str] = {}

    def close(self) -> None:
        """Let go of the file and of all that was read of it; the room serves others only if nothing stays."""
        if self._pages is not None:
            self._pages.pdf.close()
        self._pages = None

    @property
    def _open_pages(self) -> Pages:
        if self._pages is None:
            raise InvalidSetting(f"{self.path} was written and closed.", hint="Open it again.")
        return self._pages

    @cached_property
    def blocks(self) -> tuple[PageBlock, ...]:
        """The pages, and what stands besides them."""
        with stumbling(self.path), pause_collector():
            return tuple(blocks_of(self._open_pages.pdf, self._open_pages.kept()))

    def leave_out(self, pages: Mapping[str, str]) -> None:
        """Put an explanation in the place of pages when it is written: why, by the names of their blocks."""
        self._left_out |= pages

    def seen_by_others(self, values: Mapping[int, Sequence[str]]) -> list[tuple[str, int, int]]:
        """Block, start and end of values as other readers see them, by pages or for ANYWHERE."""
        everywhere = tuple(values.get(ANYWHERE, ()))
        pages = self._open_pages
        wanted = {
            number: (*values.get(number, ()), *everywhere) for number in range(1, len(pages.pdf.pages) + 1)
        }
        return list(places_seen(pages, self.path, wanted)) if values else []

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
            written = self._written(part, by_block, look or Look(), values)
            self.close()  # those who check the file need the room
            if check is not None:
                check(part)
        return written

    def _written(
        self, part: Path, changes: dict[str, list[Change]], look: Look, values: Iterable[str]
    ) -> Written:
        work = Rewriting(self._open_pages.pdf, self._open_pages, look, left_out=self._left_out)
        for value in values:
            work.values.add(value, "PPD")
        with pause_collector():
            work.run(changes)
        _save(work, part)
        return Written(
            blocks=len(work.pdf.pages),
            changes=sum(len(listed) for listed in changes.values()),
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
    lost = (
        {*differ} & {page for page, _, _ in lost_letters(work.pages.path, part, work.letters)}
        if differ
        else ()
    )
    for number in differ:
        work.to_picture(number, part)
    if differ:
        work.pdf.save(part, deterministic_id=True)
        _keep_text(work, part, {number: share for number, share in differ.items() if number not in lost})
    own = {
        number: letters
        for number, letters in work.letters.items()
        if number not in {*meant, *work.rasterised}
    }
    require_letters(work.pages.path, part, own)


def _keep_text(work: Rewriting, part: Path, differ: Mapping[int, float]) -> None:
    """Take back pictures that are less like their pages than the text is.

    Programs show a damaged page in different ways, and a picture has only one of them.
    """
    near = {number: share for number, share in differ.items() if share <= _SLIGHT}
    pictures = pages_that_differ(work.pages.path, part, work.boxes, only=near) if near else {}
    worse = [number for number, share in near.items() if pictures.get(number, 0.0) >= _WORSE * share]
    for number in worse:
        work.from_picture(number)
    if worse:
        work.pdf.save(part, deterministic_id=True)


@contextmanager
def opened_pdf(path: Path) -> Iterator[OpenPdf]:
    """A PDF that is to be read and written."""
    with closing(OpenPdf(path)) as document:
        yield document


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
