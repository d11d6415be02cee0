"""Texts in files of their own, whatever their encoding."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.encoding import HEAD, byte_order_mark
from reidrisk.core.files import write_bytes
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.resynthesis.corpus.note import Note, SourceOptions, Write, person_in
from reidrisk.resynthesis.real import unaccented
from reidrisk.text.formats.reader import file_errors

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file writes its characters."""

    name: str
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """As the file had it; a letter of a surrogate that the encoding lacks loses its accent."""
        try:
            return self.mark + text.encode(self.name)
        except UnicodeEncodeError:
            return self.mark + unaccented(text).encode(self.name, "replace")


def encoding_of(path: Path, given: str | None) -> Encoding:
    """The encoding that is named, or the one that the first bytes tell."""
    if given is not None:
        try:
            return Encoding(codecs.lookup(given).name)
        except LookupError:
            raise InvalidSetting(
                f"There is no encoding {given!r}.", hint="Usual ones are utf-8, cp1252, latin-1, utf-16."
            ) from None
    with file_errors(path), path.open("rb") as file:
        found = byte_order_mark(file.read(HEAD))
    return Encoding(found.encoding or "utf-8", found.mark)


def read_text(path: Path, given: str | None) -> tuple[str, Encoding]:
    """A whole text file."""
    encoding = encoding_of(path, given)
    with file_errors(path):
        data = path.read_bytes()
    try:
        text = data.removeprefix(encoding.mark).decode(encoding.name)
    except UnicodeDecodeError:
        raise wrong_encoding(path, encoding) from None
    if "\0" in text:
        raise no_text(path, text.index("\0"))
    return text, encoding


def wrong_encoding(path: Path, encoding: Encoding) -> UnreadableFile:
    """The refusal, with the place of the first byte that does not fit."""
    at, decoder = 0, codecs.getincrementaldecoder(encoding.name)()
    with file_errors(path), path.open("rb") as file:
        file.seek(len(encoding.mark))
        while chunk := file.read(_CHUNK):
            if b"\0" in chunk and encoding.name == "utf-8":
                return no_text(path, at + chunk.index(b"\0"))
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                at += error.start - pending
                break
            at += len(chunk)
    return UnreadableFile(
        f"{path_text(path)}: byte {len(encoding.mark) + at} (from 0) is not valid {encoding.name}.",
        hint="Name the encoding, for example --encoding cp1252.",
    )


def no_text(path: Path, at: int) -> UnreadableFile:
    """The refusal of a binary file."""
    return UnreadableFile(
        f"{path_text(path)} is no text: it holds a zero byte at {at}.",
        hint="Leave out images, PDF and Office files; UTF-16 text without a mark needs --encoding utf-16-le.",
    )


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
