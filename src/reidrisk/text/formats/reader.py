"""What a reader is, and how every reader opens files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO, Literal, Protocol

from reidrisk.core.input_limits import FIELD
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.text.corpus import Document, Misaligned
from reidrisk.text.formats.location import ErrorsAt, display_path, locate_error, unreadable


class SourceFile(Protocol):
    """The methods of a file that readers use; `pathlib.Path` has all of them."""

    @property
    def name(self) -> str:
        """The name without its folder."""

    @property
    def suffix(self) -> str:
        """The end of the name from its last dot."""

    @property
    def stem(self) -> str:
        """The name without its suffix."""

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """The bytes."""

    def exists(self) -> bool:
        """Whether there is such a file."""

    def with_name(self, name: str) -> SourceFile:
        """The file with another name in the same folder."""

    def with_suffix(self, suffix: str) -> SourceFile:
        """The file in the same folder that differs only in the suffix."""


MIB = 1024 * 1024
HEAD_BYTES = MIB
"""How much of a file is read to recognize its format."""
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """The user's settings for reading."""

    annotator: str = "first"
    """Whose annotations to read if a file has several annotators: "first" or a name."""
    max_bytes: int = 128 * MIB
    """Largest file, for formats that must be loaded as a whole."""
    misaligned: Misaligned = "refuse"
    """What to do with annotations that do not fit their text: stop, leave them out, or look for their text.
    """
    max_line: int = field(default_factory=FIELD.now)
    """Longest line in bytes, for formats that are read line by line."""

    def __post_init__(self) -> None:
        """Refuse settings that would allow no file."""
        if not self.annotator:
            raise InvalidSetting("The annotator has no name.", hint='Use "first" or a name from the file.')
        if min(self.max_bytes, self.max_line) < 1:
            raise InvalidSetting("A size limit is less than one byte.", hint="Leave the limit out.")


class AnnotationReader(Protocol):
    """A reader of one annotation format."""

    @property
    def name(self) -> str:
        """What the user calls the format on the command line."""

    @property
    def title(self) -> str:
        """One line for help texts."""

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """The files of a folder that this reader would read, by their names."""

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether the file, which starts with `head`, has this format."""

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of one file."""


def with_suffix(files: Sequence[SourceFile], *suffixes: str) -> list[SourceFile]:
    """The files whose name ends in one of the suffixes, in any case."""
    return [path for path in files if path.suffix.lower() in suffixes]


@contextmanager
def file_errors(path: SourceFile) -> Iterator[None]:
    """Turn errors of the operating system into ours."""
    try:
        yield
    except FileNotFoundError:
        raise UnreadableFile.missing(display_path(path)) from None
    except PermissionError:
        hint = "Ask for permission to read it, or copy it to a folder of your own."
        raise UnreadableFile(f"{display_path(path)} cannot be read: permission denied.", hint=hint) from None
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(
            f"{display_path(path)} cannot be read: {reason}.", hint="Check the path."
        ) from None


def load_bytes(path: SourceFile, settings: ReadSettings) -> bytes:
    """The whole file, unless it is too large."""
    with file_errors(path), path.open("rb") as file:
        data = file.read(settings.max_bytes + 1)
    if len(data) > settings.max_bytes:
        problem = f"the file must be loaded as a whole and is larger than {settings.max_bytes:,} bytes"
        too_large = unreadable(problem, hint="Split it, or convert it to JSONL, which is read line by line.")
        raise locate_error(too_large, display_path(path))
    return data


def load_text(path: SourceFile, settings: ReadSettings) -> str:
    """The whole file as text, with unchanged line ends and byte order mark, unless it is too large."""
    data = load_bytes(path, settings)
    with ErrorsAt(display_path(path)):
        return decode_utf8(data)


def decode_utf8(data: bytes, *, before: int = 0) -> str:
    """UTF-8 as text; `before` is the position of the data in the file."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"byte {before + error.start} (from 0) is not valid UTF-8"
    raise unreadable(problem, hint="Save the file as UTF-8, for example with iconv.")


_SUFFIXES = "ann jsonl ndjson json xml xmi conll bio iob iob2 tsv spacy bdocjs text deid phi phrase"


_ANNOTATIONS = frozenset(f".{name}" for name in _SUFFIXES.split())


_ABOUT = ("readme", "license", "licence", "changelog")


def plain_texts(files: Sequence[SourceFile]) -> list[SourceFile]:
    """The .txt files, if no file of the folder has the name of an annotation file.

    In a folder of annotation files, a .txt file may belong to one of them, or be a README.
    """
    if any(path.suffix.lower() in _ANNOTATIONS for path in files):
        return []
    texts = [path for path in files if path.suffix.lower() == ".txt"]
    return [path for path in texts if not path.stem.lower().startswith(_ABOUT)]
