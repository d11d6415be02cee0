"""Progress of work on documents, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.stopping import check_stop

Progress = Callable[[str, int, int], None]
"""Called with the name of a document, and how many pages of all documents are done and to do."""


@dataclass(eq=False)
class PageProgress:
    """Counts the pages of several documents. A document without pages counts as one."""

    progress: Progress | None
    pages: dict[Path, int]
    done: int = 0

    @classmethod
    def of(cls, paths: Sequence[Path], progress: Progress | None) -> PageProgress:
        """Count the pages of all documents, if anybody listens."""
        return cls(progress, {} if progress is None else {path: page_count(path) for path in paths})

    @contextmanager
    def document(self, path: Path) -> Iterator[None]:
        """Work on one document; it may be read several times, and counts once."""
        check_stop()
        own, most = self.pages.get(path, 1), 0

        def page(number: int) -> None:
            nonlocal most
            check_stop()
            if most < number < own:
                most = number
                self._tell(path, number)

        self._tell(path, 0)
        token = _LISTENER.set(page)
        try:
            yield
        finally:
            _LISTENER.reset(token)
        self.done += own
        self._tell(path, 0)

    def _tell(self, path: Path, number: int) -> None:
        if self.progress is not None:
            self.progress(path.name, self.done + number, sum(self.pages.values()))


def page_count(path: Path) -> int:
    """The pages of a PDF; 1 for any other document, and for one that cannot be opened."""
    try:
        with path.open("rb") as file:
            if b"%PDF-" not in file.read(1024):
                return 1
        import pikepdf

        with pikepdf.open(path) as pdf:
            return max(len(pdf.pages), 1)
    except Exception:  # noqa: BLE001 - what is wrong with the document is told when it is read
        return 1


_LISTENER: ContextVar[Callable[[int], None] | None] = ContextVar("page_listener", default=None)


def page_done(number: int) -> None:
    """A reader of documents has read a page."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(number)
