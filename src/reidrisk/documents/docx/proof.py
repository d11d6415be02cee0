"""Search a Word document for values in other ways than it is read: by a plain parser, by patterns, by Office.

Nothing here knows how documents are read or changed. Each reader gives names of places and their texts.
"""

from __future__ import annotations

import html
import re
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from reidrisk.documents.docx.vocabulary import field_arguments, is_usual_entry, says_something
from reidrisk.errors import UnreadableFile

_LINE = frozenset(("p", "tr", "br", "cr", "pt", "v", "tab", "ptab", "tc"))
_ASIDE = frozenset(("txbxContent", "rt"))
_END = re.compile(r"<(?:\w+:)?(?:br|cr|tab|ptab)\b[^>]*>|</(?:\w+:)?(?:p|pt|v|tc)>")
_CODE = re.compile(r"(?<=instrText>)[^<]*|(?<=instrText xml:space=.preserve.>)[^<]*")
_TAG = re.compile(r"<(?!!)[^>]*>")
_HYPHEN = re.compile(r"<(?:\w+:)?noBreakHyphen\b[^>]*>")
_LETTERS = re.compile(rb"[\x20-\x7e\x80-\xff]{10,}")
_WIDE = re.compile(rb"(?:[\x20-\x7e\xa0-\xff]\0){6,}|(?:[\x00-\xff][\x01\x02]|[\x20-\x7e]\0){6,}")


def by_parser(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each XML entry as a plain parser finds it."""
    for name, data in _entries(path):
        if _is_xml(data):
            yield f"{name} (parser)", _heard(data, path, _Texts()).said


def attributes_of(path: Path) -> Iterator[tuple[str, str]]:
    """What the attributes of each XML entry say, without the words of the format itself."""
    for name, data in _entries(path):
        if _is_xml(data):
            yield f"attributes of {name}", _heard(data, path, _Attributes()).said


def by_patterns(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each XML entry with its tags simply cut away, as small tools do it."""
    for name, data in _entries(path):
        if _is_xml(data):
            text = _CODE.sub(lambda found: field_arguments(found[0]), _decoded(data))
            lines = _HYPHEN.sub("-", _END.sub("\n", text))
            yield f"{name} (patterns)", html.unescape(_TAG.sub("", lines))


def raw_entries(path: Path) -> Iterator[tuple[str, str]]:
    """The letters in entries that are no XML, such as pictures; names of entries; notes of the zip file."""
    with zipfile.ZipFile(path) as archive:
        yield (
            "the table of contents",
            "\n".join(name for name in archive.namelist() if not is_usual_entry(name)),
        )
        told = [info.comment + b"\n" + info.extra for info in archive.infolist()]
        yield "notes of the zip file", b"\n".join([archive.comment, *told]).decode("latin-1")
    for name, data in _entries(path):
        if not _is_xml(data):
            yield name, b"\n".join(_LETTERS.findall(data)).decode("utf-8", "replace")
            yield name, b"\n".join(_LETTERS.findall(data)).decode("latin-1")
            yield name, "\n".join(word.decode("utf-16-le", "replace") for word in _WIDE.findall(data))


DOCX_TEXTS = (by_parser, by_patterns)
"""Readers of all texts, by which values are searched and counted."""
DOCX_CONTENTS = (attributes_of, raw_entries)
"""Readers of everything else."""


def _heard(data: bytes, path: Path, listener: _Listener) -> _Listener:
    parser = expat.ParserCreate()
    parser.StartElementHandler = listener.start
    parser.EndElementHandler = listener.end
    parser.CharacterDataHandler = listener.characters
    parser.CommentHandler = listener.aside
    parser.ProcessingInstructionHandler = lambda target, text: listener.aside(f"{target} {text}")
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes no keyword
    except expat.ExpatError:
        raise _unreadable(path) from None
    return listener


class _Listener(ABC):
    """Hears a file being parsed."""

    @property
    @abstractmethod
    def said(self) -> str:
        """What was heard."""

    def start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: B027 - not all listen to it
        """An element begins."""

    def end(self, name: str) -> None:  # noqa: B027 - not all listen to it
        """An element ends."""

    def characters(self, data: str) -> None:  # noqa: B027 - not all listen to it
        """A piece of text."""

    def aside(self, data: str) -> None:  # noqa: B027 - not all listen to it
        """A comment or an instruction."""


class _Attributes(_Listener):
    """What attributes say, without the words of the format."""

    def __init__(self) -> None:
        self._values: list[str] = []

    @property
    def said(self) -> str:
        return "\n".join(self._values)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        short = name.rpartition(":")[2]
        self._values += [value for key, value in attributes.items() if says_something(short, key, value)]


class _Texts(_Listener):
    """All texts. A text box inside a line is put after the text of the file."""

    def __init__(self) -> None:
        self._lines: list[list[str]] = [[]]
        self._done: list[str] = []
        self._in_code = False

    @property
    def said(self) -> str:
        return "".join(["".join(line) for line in self._lines] + self._done)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        short = name.rpartition(":")[2]
        self._in_code = short == "instrText"
        if short in _ASIDE:
            self._lines.append([])
        elif short in ("br", "cr", "tab", "ptab"):
            self._lines[-1].append("\n")
        elif short == "noBreakHyphen":
            self._lines[-1].append("-")
        elif short == "sym":
            self._symbol([value for key, value in attributes.items() if key.endswith("char")])

    def _symbol(self, codes: list[str]) -> None:
        for code in codes:
            if re.fullmatch("[0-9A-Fa-f]{1,4}", code):
                number = int(code, 16)
                self._lines[-1].append(chr(number - 0xF000 if 0xF020 <= number <= 0xF0FF else number))

    def end(self, name: str) -> None:
        short = name.rpartition(":")[2]
        self._in_code = False
        if short in _ASIDE and len(self._lines) > 1:
            self._done.append("".join(self._lines.pop()) + "\n")
        elif short in _LINE:
            self._lines[-1].append("\n")

    def characters(self, data: str) -> None:
        self._lines[-1].append(field_arguments(data) if self._in_code else data)

    def aside(self, data: str) -> None:
        self._done.append(data + "\n")


def _entries(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                yield info.filename, archive.read(info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
        raise _unreadable(path) from None


def _is_xml(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:1] == b"<"


def _decoded(data: bytes) -> str:
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")


def _unreadable(path: Path) -> UnreadableFile:
    return UnreadableFile(f"{path} cannot be read: nothing is proved.", hint="Is it a DOCX, and whole?")
