"""A file to draft a part for, and the lines of YAML that a draft consists of."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from reidrisk.core.wording import path_text

WIDTH = 27


@dataclass(frozen=True)
class DraftFile:
    """A file that a user named for a draft; of a table only the column names are read."""

    given: str | Path
    folder: Path | None = None
    """The folder of the release file; None if it is the current one."""

    @property
    def written(self) -> str:
        """The path or URL as the release file names it."""
        if self.is_url or self.folder is None:
            return self.name
        if self.path.is_absolute() and not self.path.is_relative_to(self.folder.absolute()):
            return self.name
        return path_text(os.path.relpath(self.path, self.folder))

    @property
    def name(self) -> str:
        """The path or URL as text."""
        return path_text(self.given)

    @property
    def is_url(self) -> bool:
        """Whether it is a table on a server."""
        return "://" in self.name

    @property
    def path(self) -> Path:
        """The path of a file."""
        return Path(self.given)

    @property
    def source(self) -> str | Path:
        """What a reader of tables takes."""
        return self.name if self.is_url else self.given

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns, if it is a table."""
        from reidrisk.engine.opening import open_table
        from reidrisk.tables.draft import fitting_reading

        with open_table(self.source, reading=fitting_reading(self.source)) as table:
            return tuple(table.columns)


@dataclass(frozen=True, slots=True)
class DraftedColumn:
    """A column of a table, the role that the draft gives it, and why."""

    name: str
    role: str
    """`quasi`, `direct`, `text`, `sensitive`, `event`, `unit`, `dropped`, or `open`: not decided."""
    suggested: str
    """The suggested role in the words of the field, such as "direct identifier"."""
    confidence: str
    reason: str
    kind: str | None = None
    """What the column seems to contain, such as `postal_code`."""


@dataclass(frozen=True)
class PartSketch(ABC):
    """What a draft says about a part."""

    path: str
    kind: ClassVar[str]
    """The value of `kind:` in the release file."""
    is_paired: ClassVar[bool] = False
    """Whether a part of this kind takes several files, so that `pair` brings them together."""

    @property
    def wanted_name(self) -> str:
        """A name for the part, after its file."""
        bare = re.sub(r"[?#].*", "", self.path).rstrip("/")
        return re.sub(r"[^A-Za-z0-9_-]+", "-", Path(bare).name.split(".")[0]).strip("-_")[:60] or "part"

    @property
    @abstractmethod
    def reason(self) -> str:
        """Why the file is taken for a part of this kind."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the part."""
        return (self.path,)

    @property
    def columns(self) -> tuple[DraftedColumn, ...]:
        """The columns of a table with their roles."""
        return ()

    @abstractmethod
    def lines(self, name: str) -> Iterator[str]:
        """The YAML of the part under a name."""

    @classmethod
    def pair(cls, sketches: Sequence[PartSketch]) -> list[Self]:
        """Sketches of this kind, with the files of one part together."""
        return [one for one in sketches if isinstance(one, cls)]


def draft_line(key: str, value: str, remark: str = "", *, first: bool = False) -> str:
    """A setting with a remark beside it, or above it if the line is long."""
    text = f"  {'- ' if first else '  '}{key}: {value}"
    if not remark:
        return text
    return f"{text:<{WIDTH + 2}}# {remark}" if len(text) <= WIDTH else f"    # {remark}:\n{text}"
