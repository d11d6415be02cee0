"""Identifiers marked inside plain text: <Type>...</Type> or <<TYPE:...>>."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import (
    ErrorsAt,
    Location,
    display_path,
    locate_error,
    misaligned,
    unreadable,
)
from reidrisk.text.formats.reader import (
    BYTE_ORDER_MARK,
    ReadSettings,
    SourceFile,
    decode_utf8,
    load_bytes,
    plain_texts,
)
from reidrisk.text.formats.spans import span_of

TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_TAG = re.compile(rf"<(/?)({TYPE_NAME.pattern})>")
_PAIR = re.compile(rb"<([A-Za-z_][A-Za-z0-9_.\-]*)>[^<]*</\1>")
_DOUBLE_START = re.compile(rf"<<({TYPE_NAME.pattern}):")
_DOUBLE_HEAD = re.compile(rb"<<[A-Za-z_][A-Za-z0-9_.\-]{0,99}:[^>]{0,200}>>")
_CLOSE = "Close every tag with the same name, before the next one starts."


class InlineReader:
    """One document per file, named like the file. Text that only looks like a tag stays text."""

    name = "inline"
    title = "plain text with identifiers as <Type>...</Type> or <<TYPE:...>>"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Text files that do not belong to another file."""
        return plain_texts(files)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether it is a text file with a closed tag, or a value in double brackets."""
        if path.suffix.lower() not in (".txt", ".text", "") or b"<" not in head:
            return False
        return _PAIR.search(head) is not None or _DOUBLE_HEAD.search(head) is not None

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file."""
        place = Location(display_path(path), None, display_path(path.stem))
        data = load_bytes(path, settings)
        with ErrorsAt(place):
            marked = decode_utf8(data)
            notes: tuple[str, ...] = ()
            if marked.startswith(BYTE_ORDER_MARK):
                marked, notes = marked[1:], ("the byte order mark was left out of the text",)
            double, single = _DOUBLE_START.search(marked), _closed_names(marked)
            if double and single:
                raise unreadable(
                    "the file has both kinds of tags", hint="Use only one kind of tag in a file."
                )
            text, annotations = _doubles(marked) if double else _singles(marked, single)
        document = Document(place.document or "", annotations, text, place.source, notes)
        yield check_fit(document, [None] * len(annotations))


def _closed_names(marked: str) -> frozenset[str]:
    """The names of tags that are closed somewhere; all others are text."""
    return frozenset(name for slash, name in _TAG.findall(marked) if slash)


def _singles(marked: str, names: frozenset[str]) -> tuple[str, tuple[Annotation, ...]]:
    parts: list[str] = []
    annotations: list[Annotation] = []
    length, last = 0, 0
    opened: tuple[int, str] | None = None
    try:
        for tag in _TAG.finditer(marked):
            slash, name = tag.groups()
            if name not in names:
                continue
            start, end = tag.span()
            parts.append(marked[last:start])
            length, last = length + start - last, end
            if not slash:
                _expect(opened is None, "another tag starts inside it")
                opened = length, name
                continue
            if opened is None or opened[1] != name:
                raise misaligned("a tag is closed that is not open", hint=_CLOSE)
            annotations.append(span_of(opened[0], length, name, "tag"))
            opened = None
        _expect(opened is None, "its tag is not closed")
    except BadData as error:
        raise locate_error(error, f"annotation {len(annotations) + 1}") from None
    return "".join([*parts, marked[last:]]), tuple(annotations)


def _expect(fits: bool, problem: str) -> None:  # noqa: FBT001 - it reads as a sentence
    if not fits:
        raise misaligned(problem, hint=_CLOSE)


def _doubles(marked: str) -> tuple[str, tuple[Annotation, ...]]:
    parts: list[str] = []
    annotations: list[Annotation] = []
    length, last = 0, 0
    try:
        # search the end by hand: a pattern would search again from every start without an end
        while mark := _DOUBLE_START.search(marked, last):
            end = marked.find(">>", mark.end())
            value = marked[mark.end() : end]
            if end < 0 or _DOUBLE_START.search(value):
                raise misaligned("its brackets are not closed", hint="Write <<TYPE:text>>.")
            parts += [marked[last : mark.start()], value]
            start = length + mark.start() - last
            length, last = start + len(value), end + 2
            annotations.append(span_of(start, length, mark[1], "tag"))
    except BadData as error:
        raise locate_error(error, f"annotation {len(annotations) + 1}") from None
    return "".join([*parts, marked[last:]]), tuple(annotations)
