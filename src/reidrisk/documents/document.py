"""What every document is to the rest: blocks that are read, changes that are written, and its format."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from reidrisk.core.files import whole_path
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile

if TYPE_CHECKING:
    from reidrisk.documents.proof.ocr import FoundPicture

Category = Literal["PPD", "CCI"]
"""Protected personal data, or commercially confidential information."""
_CHUNK = 2**20
Check = Callable[[Path], None]
"""Looks at a file before it gets its name, and raises an error if it must not."""
Reader = Callable[[Path], Iterable[tuple[str, str]]]
"""Gives names of places in a file and their texts; a proof reads by it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text with offsets of its own: a page of a PDF, or a part of a DOCX such as a footer."""

    name: str
    """Unique in its document, such as `page 12`, `body`, `footer 2` or `comments`."""
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """A place of a block that is taken out, and what stands there afterwards."""

    block: str
    start: int
    end: int
    """Offsets are code points of the block's text, the end is exclusive."""
    new: str | None = field(default=None, repr=False)
    """The value that replaces it; None: a box with the label."""
    label: str = "PPD"
    category: Category = "PPD"

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidSetting(
                f"A change in {self.block} runs from {self.start} to {self.end}.",
                hint="Offsets count characters from 0; the end is exclusive and greater than the start.",
            )


@dataclass(frozen=True, slots=True)
class Look:
    """Boxes: white on blue for personal data, white on black for what is confidential."""

    personal: str = "#0000ff"
    confidential: str = "#000000"
    text: str = "#ffffff"
    labels: bool = True
    """Whether a box shows its label."""


def sha256_of(path: str | Path) -> str:
    """The SHA-256 of a file, read piece by piece."""
    digest = hashlib.sha256()
    try:
        with Path(path).open("rb") as file:
            while piece := file.read(_CHUNK):
                digest.update(piece)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path_text(path)} cannot be read: {reason}.", hint="Check the path.") from None
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a document, and what its owner should know; pages are counted from 1."""

    blocks: int
    """Pages of a PDF, or other blocks."""
    changes: int
    notes: tuple[str, ...] = ()
    """What was left out or could not be looked at, in words: never a text of the document."""
    scanned: tuple[int, ...] = ()
    """Pages that are pictures: what nobody recognised on them is still there."""
    unreadable: tuple[int, ...] = ()
    """Pages with fonts that do not tell what they say: values there were not found."""
    rasterised: tuple[int, ...] = ()
    """Pages that became pictures because they could not be changed in themselves."""
    left_out: tuple[int, ...] = ()
    """Pages with an explanation in their place."""
    cramped: int = 0
    """New values that had to be set smaller than is good to read."""

    @property
    def concerns(self) -> tuple[str, ...]:
        """What the user must be told, in words."""
        said = list(self.notes)
        if self.scanned:
            said.append(f"Scanned: {_listed(self.scanned)}. Only recognised text was searched.")
        if self.unreadable:
            said.append(f"Fonts do not tell what they say: {_listed(self.unreadable)}. Look at these pages.")
        if self.rasterised:
            said.append(f"Now pictures without text: {_listed(self.rasterised)}.")
        if self.left_out:
            said.append(f"Left out, with an explanation in their place: {_listed(self.left_out)}.")
        if self.cramped:
            said.append(f"New values set very small to fit: {self.cramped}.")
        return tuple(said)


def _listed(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(str(number) for number in numbers[:10])
    more = f" and {len(numbers) - 10} more" if len(numbers) > 10 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{more}"


UNPROVED = ".unproved"
"""How names of documents end until they are proved: no program opens them by accident."""


@contextmanager
def new_file(source: str | Path, out: str | Path, check: Check | None) -> Iterator[Path]:
    """A place to write a document; it gets its name once it is complete and was checked."""
    if Path(out).resolve() == Path(source).resolve():
        raise InvalidSetting(f"{out} would be written over itself.", hint="Name another file: inputs stay.")
    with whole_path(out, folder=False, suffix=UNPROVED) as part:
        yield part
        if check is not None:
            check(part)


class OpenDocument(Protocol):
    """A document that is open: what is found out when it is read serves when it is written."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def blocks(self) -> Sequence[Block]:
        """Its texts."""

    def write(
        self, out: str | Path, changes: Iterable[Change], *, look: Look | None, check: Check | None
    ) -> Written:
        """Write a copy with the changes, once; `check` sees the file before it gets its name."""


ANYWHERE = 0
"""Stands for the number of a page where values may be on any."""


@runtime_checkable
class PagedDocument(OpenDocument, Protocol):
    """A document with pages that can be left out one by one."""

    def leave_out(self, pages: Mapping[str, str]) -> None:
        """Put an explanation in the place of pages when it is written: why, by the names of their blocks."""

    def seen_by_others(self, values: Mapping[int, Sequence[str]]) -> list[tuple[str, int, int]]:
        """Block, start and end of values as other readers see them, by pages or for ANYWHERE."""


@dataclass(frozen=True, slots=True)
class CoveredPage:
    """A page with words under boxes."""

    page: int
    words: int


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """A format of documents: how it is read, written and proved."""

    suffixes: tuple[str, ...]
    opened: Callable[[Path], AbstractContextManager[OpenDocument]]
    """Opens a document that is to be read and written."""
    texts: tuple[Reader, ...]
    """Readers of texts for the proof. They share no code with those that read and write."""
    contents: tuple[Reader, ...] = ()
    """Readers of everything else for the proof."""
    readers: Callable[[], tuple[str, ...]] = lambda: ("text", "bytes of the file")
    """All that take part in the proof, in words."""
    office: Reader | None = None
    """LibreOffice as one more reader of texts, if it is asked for."""
    covered: Callable[[Path], tuple[CoveredPage, ...]] | None = None
    """Finds words under boxes, in a format that draws any."""
    enclosed: Callable[[Path], Iterator[tuple[str, bytes | None]]] | None = None
    """Files within a document, such as attachments, by names that tell nothing; None: cannot be unpacked."""
    pictures: Callable[[Path], Iterator[FoundPicture]] | None = None
    """Pictures of a document, and pages that must be looked at, unless they are files within it."""
    streamed: Callable[[Path], Iterator[Block]] | None = None
    """Reads blocks one at a time and keeps nothing of them, where that differs from opening."""
    is_wrapped: bool = False
    """Whether lines of its text end where the page is full, not where a paragraph does."""

    def read(self, path: str | Path) -> Iterator[Block]:
        """The blocks of a document, one at a time."""
        if self.streamed is not None:
            yield from self.streamed(Path(path))
            return
        with self.opened(Path(path)) as document:
            yield from document.blocks

    def write(
        self,
        source: str | Path,
        out: str | Path,
        changes: Iterable[Change],
        *,
        look: Look | None = None,
        check: Check | None = None,
    ) -> Written:
        """Write a copy of `source` with the changes; `check` sees the file before it gets its name."""
        with self.opened(Path(source)) as document:
            return document.write(out, changes, look=look, check=check)
