"""Text files and folders of text files, in any encoding."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.encoding import HEAD, byte_order_mark
from reidrisk.core.files import write_bytes
from reidrisk.core.recovery import sync_file
from reidrisk.core.shown_ids import naming
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.resynthesis.corpus.note import Note, SourceOptions, Write, person_in
from reidrisk.resynthesis.real import remove_accents
from reidrisk.text.formats.reader import file_errors

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding of a file, with its byte order mark."""

    name: str
    mark: bytes = b""

    @property
    def before(self) -> int:
        """Characters before the text: annotations of a UTF-8 file count its byte order mark as one."""
        return int(self.mark == codecs.BOM_UTF8)

    def encode(self, text: str) -> bytes:
        """Encode a text like the original file; letters missing in the encoding lose their accents."""
        try:
            return self.mark + text.encode(self.name)
        except UnicodeEncodeError:
            return self.mark + remove_accents(text).encode(self.name, "replace")


def encoding_of(path: Path, given: str | None) -> Encoding:
    """The given encoding, or the one that the first bytes indicate."""
    if given is not None:
        try:
            return Encoding(codecs.lookup(given).name)
        except LookupError:
            raise InvalidSetting(
                f"There is no encoding {given!r}.",
                hint="Common encodings are utf-8, cp1252, latin-1, utf-16.",
            ) from None
    with file_errors(path), path.open("rb") as file:
        found = byte_order_mark(file.read(HEAD))
    return Encoding(found.encoding or "utf-8", found.mark)


def read_text(path: Path, given: str | None) -> tuple[str, Encoding]:
    """Read a whole text file."""
    encoding = encoding_of(path, given)
    with file_errors(path):
        data = path.read_bytes()
    try:
        text = data.removeprefix(encoding.mark).decode(encoding.name)
    except UnicodeDecodeError:
        raise encoding_error(path, encoding) from None
    if "\0" in text:
        raise binary_file_error(path, text.index("\0"))
    return text, encoding


def encoding_error(path: Path, encoding: Encoding) -> UnreadableFile:
    """The error for a wrong encoding, with the position of the first invalid byte."""
    at, decoder = 0, codecs.getincrementaldecoder(encoding.name)()
    with file_errors(path), path.open("rb") as file:
        file.seek(len(encoding.mark))
        while chunk := file.read(_CHUNK):
            if b"\0" in chunk and encoding.name == "utf-8":
                return binary_file_error(path, at + chunk.index(b"\0"))
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                at += error.start - pending
                break
            at += len(chunk)
    return UnreadableFile(
        f"{path_text(path)}: byte {len(encoding.mark) + at} (from 0) is not valid {encoding.name}.",
        hint="Set the encoding, for example with --encoding cp1252.",
    )


def binary_file_error(path: Path, at: int) -> UnreadableFile:
    """The error for a binary file."""
    return UnreadableFile(
        f"{path_text(path)} is not a text file: it contains a zero byte at {at}.",
        hint="Leave out images, PDF and Office files. UTF-16 text without a byte order mark needs "
        "--encoding utf-16-le.",
    )


SUFFIXES = (".txt", ".text", ".md")


class TextFile:
    """A single text file."""

    unit, total = "files", 1

    def __init__(self, path: Path, options: SourceOptions) -> None:
        self._path, self._options = path, options
        self.warnings: list[str] = []

    def notes(self) -> Iterator[Note]:
        """The text of the file."""
        text, encoding = read_text(self._path, self._options.encoding)
        name = path_text(self._path.stem)
        yield Note(name, person_in(name, self._options.person), text, encoding, 1, encoding.before)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """Write the new file in the encoding of the original."""
        yield lambda note, text: write_bytes(out, note.record.encode(text))


class TextFolder:
    """All text files in a folder and its subfolders; the new files have the same names."""

    unit = "files"

    def __init__(self, root: Path, options: SourceOptions) -> None:
        self._root, self._options = root, options
        with file_errors(root):
            every = [path for path in sorted(root.rglob("*")) if _visible(path, root) and path.is_file()]
        self._files = [path for path in every if path.suffix.lower() in SUFFIXES]
        if not self._files:
            raise UnreadableFile(
                f"{path_text(root)} contains no text files.", hint=f"Text files end in {', '.join(SUFFIXES)}."
            )
        left = len(every) - len(self._files)
        self.warnings = (
            [f"{plural(left, 'other file')} in the folder not read and not copied."] if left else []
        )
        self.total = len(self._files)

    def notes(self) -> Iterator[Note]:
        """The texts, in order of their file names."""
        for number, path in enumerate(self._files, start=1):
            inside = path.relative_to(self._root)
            name = path_text(inside.with_suffix("").as_posix())
            root = path_text(self._root)
            with naming(path_text(path), within=root, file=number, files=self.total, document=number):
                text, encoding = read_text(path, self._options.encoding)
                person = person_in(name, self._options.person)
            yield Note(name, person, text, (inside, encoding), number, encoding.before)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """Write each new file to disk before the next one: an interrupted run goes on after the last."""

        def write(note: Note, text: str) -> None:
            inside, encoding = note.record
            target = out / inside
            with file_errors(target):
                target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(target, encoding.encode(text))
            sync_file(target)

        yield write


def _visible(path: Path, root: Path) -> bool:
    return not any(part.startswith(".") for part in path.relative_to(root).parts)
