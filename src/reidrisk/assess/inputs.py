"""The inputs of a part: whether they exist, and a hash of their content."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reidrisk.core.places import POSTGRES
from reidrisk.core.regular_files import hash_regular
from reidrisk.core.wording import path_text

FIRST_VERSION = "To write a first version, run: reidrisk init FILES --out release.yaml"
"""The hint if there is no release file."""


@dataclass(frozen=True, slots=True)
class PartInput:
    """An input of a part: a file, or all files of a folder or pattern."""

    path: str
    """As the release file names it."""
    sha256: str | None
    """None for a table on a server, which may change without notice."""
    bytes: int | None

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)


def is_server(source: str) -> bool:
    """Whether a source is a table on a server rather than a file."""
    return source.startswith(POSTGRES)


def source_exists(source: str, folder: Path) -> bool:
    """Whether there is anything to read."""
    try:
        return is_server(source) or any(file.exists() for file in source_files(source, folder))
    except (OSError, ValueError):
        return False


def source_files(source: str, folder: Path) -> list[Path]:
    """The files that a path, a folder or a pattern stands for."""
    path = folder / source
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.is_file())
    if path.is_file() or not glob.has_magic(source):
        return [path]
    return sorted(file for name in glob.glob(str(path), recursive=True) if (file := Path(name)).is_file())  # noqa: PTH207


def hash_inputs(sources: Iterable[str], folder: Path, *, shown: Iterable[str]) -> tuple[PartInput, ...]:
    """The hash of every source, under the name to show."""
    return tuple(_hash_input(source, folder, name) for source, name in zip(sources, shown, strict=True))


def _hash_input(source: str, folder: Path, name: str) -> PartInput:
    if is_server(source):
        return PartInput(name, None, None)
    files = source_files(source, folder)
    if len(files) == 1 and files[0] == folder / source:
        return PartInput(name, *file_hash(files[0]))
    inside = all(file.is_relative_to(folder) for file in files)
    return PartInput(name, *_hash_of_all(files, folder if inside else folder / source))


def _hash_of_all(files: Iterable[Path], folder: Path) -> tuple[str, int]:
    """The hash of the list of files as `sha256sum` prints it, and their size."""
    whole, size = hashlib.sha256(), 0
    for file in files:
        digest, own = file_hash(file)
        whole.update(f"{digest}  {path_text(file.relative_to(folder).as_posix())}\n".encode())
        size += own
    return whole.hexdigest(), size


def output_hash(path: Path) -> str:
    """SHA-256 of a file that was written, or of the list of all files of a folder."""
    if path.is_dir():
        return _hash_of_all(sorted(file for file in path.rglob("*") if not file.is_dir()), path)[0]
    return file_hash(path)[0]


def file_hash(path: Path) -> tuple[str, int]:
    """SHA-256 and number of bytes of a file, which may be a link to one; a pipe is not waited for."""
    return hash_regular(path, follow=True)
