"""What every kind of document is to the rest: blocks that are read, changes that are written, and a hash."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from reidrisk.core.files import whole_path
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile

Category = Literal["PPD", "CCI"]
"""Protected personal data, or commercially confidential information."""


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


_CHUNK = 2**20


def sha256_of(path: str | Path) -> str:
    """The SHA-256 of a file, read piece by piece."""
    digest = hashlib.sha256()
    try:
        with Path(path).open("rb") as file:
            while piece := file.read(_CHUNK):
                digest.update(piece)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(
            f"{path_text(path)} cannot be read: {reason}.", hint="Check the path."
        ) from error
    return digest.hexdigest()


Check = Callable[[Path], None]
"""Looks at a file before it gets its name, and raises an error if it must not."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a document, and what its owner should know."""

    blocks: int
    changes: int
    notes: tuple[str, ...] = ()
    """What was left out or could not be looked at, in words: never a text of the document."""


@contextmanager
def new_file(source: str | Path, out: str | Path, check: Check | None) -> Iterator[Path]:
    """A place to write a document; it gets its name once it is complete and was checked."""
    if Path(out).resolve() == Path(source).resolve():
        raise InvalidSetting(f"{out} would be written over itself.", hint="Name another file: inputs stay.")
    with whole_path(out, folder=False) as part:
        yield part
        if check is not None:
            check(part)
