"""Write a document that has no pages, and say what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.files import whole_path
from reidrisk.errors import InvalidSetting

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
