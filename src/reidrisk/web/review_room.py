"""What the document page keeps in memory: open documents, findings under review, and who has seen what.

All of it can be made again from the release folder. Documents are opened once for all sessions and closed if
others are needed; findings are read again if their file has changed.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting, ReidRiskError, UnmatchedDocuments
from reidrisk.web.page import NotFound, confined

if TYPE_CHECKING:
    from reidrisk.documents.page_view import DocumentView
    from reidrisk.documents.review.desk import ReviewDesk

MOST_DOCUMENTS, MOST_DESKS, MOST_REMEMBERED = 3, 4, 10_000
QUIET = 0.4
"""Seconds without a request, after which pages are read ahead."""
Signature = tuple[int, int, int]
Answer = TypeVar("Answer")


def signature(path: Path) -> Signature:
    """What changes if a file does."""
    try:
        found = path.stat()
    except OSError:
        raise UnmatchedDocuments(
            f"{path.name} is missing.", hint="Put the file back, and load again."
        ) from None
    return found.st_mtime_ns, found.st_size, found.st_ino


@dataclass(frozen=True, slots=True)
class LocatedPart:
    """Where the files of a documents part are."""

    findings: Path | None
    documents: dict[str, Path]
    """By name, in the order of the study."""
    missing: tuple[str, ...] = ()
    """Documents that are not in the release folder."""

    def document(self, name: str) -> Path:
        """The file of a document; 404 if the part has none of this name."""
        if name not in self.documents:
            raise NotFound
        return self.documents[name]


@dataclass(eq=False)
class _OpenView:
    signature: Signature
    stack: ExitStack
    view: DocumentView
    users: int = 0


@dataclass(eq=False)
class ReviewRoom:
    """One for each server; `room_of(request)`."""

    _parts: dict[tuple[Path, str], tuple[tuple[Signature, ...], LocatedPart]] = field(default_factory=dict)
    _views: OrderedDict[Path, _OpenView] = field(default_factory=OrderedDict)
    _desks: OrderedDict[Path, tuple[Signature, ReviewDesk]] = field(default_factory=OrderedDict)
    _shown: set[tuple[str, Path]] = field(default_factory=set)
    _hashes: dict[Path, tuple[Signature, str]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _readers: dict[tuple[Path, Path], threading.Thread] = field(default_factory=dict)
    _reading: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 1, "read pages"))
    _painting: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 1, "paint pages"))
    """Pages are read in one thread and painted in another: every thread keeps memory of its own."""
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _desk_lock: threading.RLock = field(default_factory=threading.RLock)
    _view_lock: threading.RLock = field(default_factory=threading.RLock)
    last_request: float = 0.0

    # --- where things are ---

    def part(self, folder: Path, name: str) -> LocatedPart:
        """The files of a part; read again if the release file or the study has changed."""
        self.last_request = time.monotonic()
        with self._lock:
            known = self._parts.get((folder, name))
        if known is not None and known[0] == self._signatures(folder, known[1]):
            return known[1]
        found = _located(folder, name)
        with self._lock:
            self._parts[folder, name] = (self._signatures(folder, found), found)
        return found

    @staticmethod
    def _signatures(folder: Path, part: LocatedPart) -> tuple[Signature, ...]:
        others = () if part.findings is None or not part.findings.exists() else (signature(part.findings),)
        return (signature(folder / RELEASE_FILE), *others)

    # --- findings ---

    def desk(self, findings: Path) -> ReviewDesk:
        """The findings of a file, under review."""
        from reidrisk.documents.review.desk import ReviewDesk

        with self._desk_lock:
            now = signature(findings)
            known = self._desks.get(findings)
            if known is None or known[0] != now:
                self._desks[findings] = (now, ReviewDesk(findings))
            self._desks.move_to_end(findings)
            while len(self._desks) > MOST_DESKS:
                self._desks.popitem(last=False)
            return self._desks[findings][1]

    # --- documents ---

    @contextmanager
    def view(self, path: Path) -> Iterator[DocumentView]:
        """An open document; it stays open for the next request."""
        found = self._lend(path)
        try:
            yield found.view
        finally:
            with self._lock:
                found.users -= 1

    def _lend(self, path: Path) -> _OpenView:
        from reidrisk.documents.page_view import open_view

        with self._view_lock:
            now = signature(path)
            known = self._views.get(path)
            if known is not None and known.signature == now:
                with self._lock:
                    known.users += 1
                self._views.move_to_end(path)
                return known
            stack = ExitStack()
            made = _OpenView(now, stack, stack.enter_context(open_view(path)), users=1)
            self._views[path] = made
            self._close_others()
            return made

    def _close_others(self) -> None:
        unused = [path for path, one in self._views.items() if not one.users]
        for path in unused[: max(0, len(self._views) - MOST_DOCUMENTS)]:
            self._views.pop(path).stack.close()

    def read(self, path: Path, work: Callable[[DocumentView], Answer]) -> Answer:
        """Do something with the text of a document."""
        return self._reading.submit(self._with_view, path, work).result()

    def paint(self, path: Path, work: Callable[[DocumentView], Answer]) -> Answer:
        """Do something with the pictures or sizes of a document."""
        return self._painting.submit(self._with_view, path, work).result()

    def _with_view(self, path: Path, work: Callable[[DocumentView], Answer]) -> Answer:
        with self.view(path) as view:
            return work(view)

    def sha256(self, path: Path) -> str:
        """The hash of a document; computed again if the file has changed."""
        from reidrisk.documents.document import sha256_of

        now = signature(path)
        with self._lock:
            known = self._hashes.get(path)
        if known is None or known[0] != now:
            known = (now, sha256_of(path))
            with self._lock:
                self._hashes[path] = known
        return known[1]

    def warm_up(self, findings: Path, document: Path) -> None:
        """Read the findings and open the document while the browser loads the page."""

        def work() -> None:
            with suppress(ReidRiskError, OSError, RuntimeError):
                first = self.paint(document, lambda view: view.blocks[0].name)
                self.desk(findings)
                self.read(document, lambda view: view.boxes(first, []))

        threading.Thread(target=work, daemon=True, name="warm up").start()

    def read_ahead(self, findings: Path, document: Path) -> None:
        """Read all pages of a document while nobody asks for anything, so that same values can be found."""
        key = (findings, document)
        with self._lock:
            running = self._readers.get(key)
            if running is not None and running.is_alive():
                return
            thread = threading.Thread(target=self._read, args=key, daemon=True, name="read ahead")
            self._readers[key] = thread
        thread.start()

    def _read(self, findings: Path, document: Path) -> None:
        try:
            desk = self.desk(findings)
            for block in desk.blocks_with_findings(document.name):
                while time.monotonic() - self.last_request < QUIET:
                    time.sleep(QUIET / 2)
                self.take_in(desk, document, block)
        except (ReidRiskError, OSError):
            return  # whoever asks for the page is told
        except RuntimeError:
            return  # the server stops

    def take_in(self, desk: ReviewDesk, document: Path, block: str) -> None:
        """Remember the values of the findings of a page."""
        if not desk.has_taken_in(document.name, block):
            self.read(document, partial(_take_in, desk, document.name, block))

    # --- people ---

    def show(self, session: str, document: Path) -> bool:
        """Remember that a session asked to see a document; whether that is new."""
        with self._lock:
            is_new = (session, document) not in self._shown
            if len(self._shown) > MOST_REMEMBERED:
                self._shown.clear()
            self._shown.add((session, document))
            return is_new

    def is_shown(self, session: str, document: Path) -> bool:
        """Whether a session asked to see a document."""
        return (session, document) in self._shown

    def call(self, session: str, name: str) -> None:
        """Let a session on the user's own machine review under a name."""
        with self._lock:
            if len(self._names) > MOST_REMEMBERED:
                self._names.clear()
            self._names[session] = name

    def called(self, session: str) -> str | None:
        """The name that a session reviews under, if it said one."""
        return self._names.get(session)


def _take_in(desk: ReviewDesk, document: str, block: str, view: DocumentView) -> None:
    desk.require(document, view.sha256)
    desk.take_in(document, block, view.text(block))


def _located(folder: Path, name: str) -> LocatedPart:
    from reidrisk.assess.document_jobs import document_files

    files = document_files(folder, name)
    findings = files.findings
    if findings is not None and not findings.resolve().is_relative_to(folder.resolve()):
        raise InvalidSetting(
            "The findings are not in the release folder.",
            hint="Copy them there, and name them in the release.",
        )
    documents: dict[str, Path] = {}
    missing: list[str] = []
    for path in files.documents:
        inside = path.resolve().is_relative_to(folder.resolve())
        if inside:
            documents[path.name] = confined(folder, str(path.resolve().relative_to(folder.resolve())))
        else:
            missing.append(path.name)
    return LocatedPart(None if findings is None else findings.resolve(), documents, tuple(missing))


_ROOM = threading.Lock()


def room_of(request: Any) -> ReviewRoom:
    """The room of this server."""
    state = request.app.state
    with _ROOM:
        if not hasattr(state, "review_room"):
            state.review_room = ReviewRoom()
        found: ReviewRoom = state.review_room
        return found
