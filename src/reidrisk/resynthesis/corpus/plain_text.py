"""Text files: one, or a folder of them with the folders inside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.core.files import write_bytes
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import UnreadableFile
from reidrisk.resynthesis.corpus.decoding import read_text
from reidrisk.resynthesis.corpus.note import Note, SourceOptions, Write, person_in
from reidrisk.text.formats.reader import file_errors

SUFFIXES = (".txt", ".text", ".md")


class TextFile:
    """A single text."""

    unit, total = "files", 1

    def __init__(self, path: Path, options: SourceOptions) -> None:
        self._path, self._options = path, options
        self.warnings: list[str] = []

    def notes(self) -> Iterator[Note]:
        """The one text."""
        text, encoding = read_text(self._path, self._options.encoding)
        name = path_text(self._path.stem)
        yield Note(name, person_in(name, self._options.person), text, encoding, 1)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """Written in the encoding that it had."""
        yield lambda note, text: write_bytes(out, note.record.encode(text))


class TextFolder:
    """Every text file below a folder; the new files have the same names."""

    unit = "files"

    def __init__(self, root: Path, options: SourceOptions) -> None:
        self._root, self._options = root, options
        with file_errors(root):
            every = [path for path in sorted(root.rglob("*")) if _visible(path, root) and path.is_file()]
        self._files = [path for path in every if path.suffix.lower() in SUFFIXES]
        if not self._files:
            raise UnreadableFile(
                f"{path_text(root)} holds no text file.", hint=f"Text files end in {', '.join(SUFFIXES)}."
            )
        left = len(every) - len(self._files)
        self.warnings = (
            [f"{plural(left, 'other file')} in the folder not read and not copied."] if left else []
        )
        self.total = len(self._files)

    def notes(self) -> Iterator[Note]:
        """In the order of their names."""
        for number, path in enumerate(self._files, start=1):
            text, encoding = read_text(path, self._options.encoding)
            inside = path.relative_to(self._root)
            name = path_text(inside.with_suffix("").as_posix())
            yield Note(name, person_in(name, self._options.person), text, (inside, encoding), number)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """Each file complete or absent."""

        def write(note: Note, text: str) -> None:
            inside, encoding = note.record
            target = out / inside
            with file_errors(target):
                target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(target, encoding.encode(text))

        yield write


def _visible(path: Path, root: Path) -> bool:
    return not any(part.startswith(".") for part in path.relative_to(root).parts)
