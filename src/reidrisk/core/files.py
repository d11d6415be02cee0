"""Write files and folders completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from reidrisk.core.file_set import cannot_write, current_set, errors_about, together
from reidrisk.errors import UnreadableFile


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file for writing; it appears under its name only once it is complete."""
    with _whole(writable(path), path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        yield file


def write_bytes(path: str | Path, content: bytes, *, mode: int | None = None) -> None:
    """Write a file completely or not at all, with the usual permissions or those of `mode`."""
    with _whole(writable(path), path, mode=mode) as part:
        part.write_bytes(content)


def write_new(path: str | Path, content: bytes, *, mode: int) -> None:
    """Write a file with these permissions; a file that is already there is never replaced."""
    with _whole(Path(path).resolve(), path, mode=mode, new=True) as part:
        part.write_bytes(content)


@contextmanager
def whole_path(path: str | Path, *, folder: bool, suffix: str = "") -> Iterator[Path]:
    """A temporary file or folder, which gets the name `path` once it is complete.

    Until then its name ends with `suffix`.
    """
    with _whole(new_folder(path) if folder else writable(path), path, folder=folder, suffix=suffix) as part:
        yield part


@contextmanager
def _whole(
    target: Path,
    path: str | Path,
    *,
    folder: bool = False,
    suffix: str = "",
    mode: int | None = None,
    new: bool = False,
) -> Iterator[Path]:
    """Where to write; it gets its name with the other files of its set, or when the block ends."""
    with errors_about(path), together() as files:
        if files.holds(target):
            yield target
            return
        part = files.stage(target, shown=path, folder=folder, suffix=suffix, mode=mode, new=new)
        try:
            yield part
        except BaseException:
            files.drop(part)
            raise


def new_folder(path: str | Path) -> Path:
    """Check that a folder can be created at `path`; nothing is written yet."""
    try:
        target = Path(path).resolve()
        nowhere = not target.parent.is_dir()
        if not nowhere:
            _visit(target.parent)
        taken = target.exists() and not (target.is_dir() and not any(target.iterdir()))
    except (OSError, RuntimeError, ValueError) as error:
        raise cannot_write(path, error) from error
    if taken:
        raise UnreadableFile(
            f"{path} already exists and is not an empty folder.",
            hint="Choose a folder that does not exist yet.",
        )
    if nowhere:
        raise cannot_write(path, FileNotFoundError(2, "its parent folder does not exist"))
    return target


def writable(path: str | Path) -> Path:
    """Check that a file can be written at `path`; nothing is written yet.

    Links are followed. Anything but a regular file, such as a device, is never replaced.
    """
    try:
        target = Path(path).resolve()
        odd = target.exists() and not target.is_file()
        nowhere = not target.parent.is_dir()
        if not nowhere:
            _visit(target.parent)
    except (OSError, RuntimeError, ValueError) as error:
        raise cannot_write(path, error) from error
    if odd:
        raise UnreadableFile(
            f"{path} is not a regular file and is not replaced.", hint="Choose a file to write to."
        )
    if nowhere:
        raise cannot_write(path, FileNotFoundError(2, "its folder does not exist"))
    return target


def _visit(folder: Path) -> None:
    """The folder of an output: what killed runs left in it is completed or removed before the work begins."""
    files = current_set()
    if files is not None and not files.holds(folder / "any"):
        files.visit(folder)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file completely or not at all."""
    with whole_file(path) as file:
        file.write(text)
