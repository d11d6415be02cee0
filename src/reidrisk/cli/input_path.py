"""Files and folders that commands read: one that is missing gives the same error in every command."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import Any, Literal

import click

from reidrisk.core.shell import shell_word
from reidrisk.errors import UnreadableFile

Reads = Literal["path", "file", "folder", "table", "name"]
"""What a parameter takes: anything on disk, a file, a folder, a table (also a URL, a pattern, or one table of
a database), or a name that may be a path."""
_PLACE = re.compile(r"\w[\w+.-]+:")
"""How a URL or another place that is not on this disk begins; C: is a drive of Windows."""
_FILE = re.compile(r"\.[A-Za-z]\w{0,7}$")
RELEASE = "release.yaml"
"""What people mean when they name a folder with such a file."""


class InputPath(click.Path):
    """A path to read, which is checked before the command does anything."""

    def __init__(self, reads: Reads = "path", *, hint: str = "") -> None:
        super().__init__()
        self.reads = reads
        self.hint = hint

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a path where there is nothing, or a folder in place of a file."""
        text = os.fsdecode(super().convert(value, param, ctx))
        if self._is_elsewhere(text):
            return text
        try:
            self._check(text)
        except (OSError, ValueError):  # no name of a file, or no right to look: the command will say
            return text
        return text

    def _is_elsewhere(self, text: str) -> bool:
        """Whether it is not a path on this disk."""
        if self.reads == "name":
            return "=" in text or "," in text or not (_FILE.search(text) or {"/", os.sep} & set(text))
        return self.reads == "table" and _PLACE.match(text) is not None

    def _check(self, text: str) -> None:
        path = Path(text)
        if not path.exists():
            if self.reads in {"table", "path"} and glob.has_magic(text):
                if not any(glob.iglob(text, recursive=True)):  # noqa: PTH207 - the folder is in the pattern
                    raise UnreadableFile(f"No file has a name like {text}.", hint="Check the pattern.")
                return
            before, mark, _ = text.rpartition("#")
            if self.reads == "table" and mark and Path(before).is_file():
                return
            raise UnreadableFile.missing(text, hint=self.hint)
        if self.reads == "file" and path.is_dir():
            inside = path / RELEASE
            named = f"Name the file in it: {shell_word(str(inside))}" if inside.is_file() else "Name a file."
            raise UnreadableFile(f"{text} is a folder.", hint=named)
        if self.reads == "folder" and not path.is_dir():
            raise UnreadableFile(f"{text} is not a folder.", hint="Name a folder.")


RELEASE_FILE = InputPath("file", hint="To write a first version, run: reidrisk init FILES --out release.yaml")
