"""Identifiers marked inside plain text: <Type>...</Type> or <<TYPE:...>>."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import settled
from reidrisk.text.formats.place import At, Place, misaligned, shown, unreadable
from reidrisk.text.formats.plain_files import plain_texts
from reidrisk.text.formats.reader import BYTE_ORDER_MARK, ReadSettings, decoded, load_bytes
from reidrisk.text.formats.source import SourceFile

TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_TAG = re.compile(rf"<(/?)({TYPE_NAME.pattern})>")
_DOUBLE = re.compile(rf"<<({TYPE_NAME.pattern}):(.*?)>>", re.DOTALL)
_PAIR = re.compile(rb"<([A-Za-z_][A-Za-z0-9_.\-]*)>[^<]*</\1>")
_DOUBLE_START = re.compile(r"<<[A-Za-z_][A-Za-z0-9_.\-]*:")
_DOUBLE_HEAD = re.compile(rb"<<[A-Za-z_][A-Za-z0-9_.\-]*:[^>]*>>")
_CLOSE = "Close every tag with the same name, and before the next one begins."


class InlineReader:
    """One document for each file, named as the file. Text that only looks like a tag stays text."""

    name = "inline"
    title = "plain text with identifiers as <Type>...</Type> or <<TYPE:...>>"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Text files that belong to no other file."""
        return plain_texts(files)

    def recognises(self, path: SourceFile, head: bytes) -> bool:
        """A text file with at least one tag that is closed, or one value between double brackets."""
        if path.suffix.lower() not in (".txt", ".text", "") or b"<" not in head:
            return False
        return _PAIR.search(head) is not None or _DOUBLE_HEAD.search(head) is not None

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file."""
        place = Place(shown(path), None, shown(path.stem))
        data = load_bytes(path, settings)
        with At(place):
            marked = decoded(data)
            notes: tuple[str, ...] = ()
            if marked.startswith(BYTE_ORDER_MARK):
                marked, notes = marked[1:], ("the byte order mark was left out of the text",)
            double, single = _DOUBLE_START.search(marked), _closed_names(marked)
            if double and single:
                raise unreadable("both kinds of tags are there", hint="Use one kind of tag in a file.")
            text, annotations = _doubles(marked) if double else _singles(marked, single)
        document = Document(place.document or "", annotations, text, place.source, notes)
        yield settled(document, [None] * len(annotations))


def _closed_names(marked: str) -> frozenset[str]:
    """The names of tags that are closed somewhere; others are text."""
    return frozenset(name for slash, name in _TAG.findall(marked) if slash)


def _singles(marked: str, names: frozenset[str]) -> tuple[str, tuple[Annotation, ...]]:
    parts: list[str] = []
    annotations: list[Annotation] = []
    length, last, opened = 0, 0, None
    for tag in _TAG.finditer(marked):
        slash, name = tag.groups()
        if name not in names:
            continue
        parts.append(marked[last : tag.start()])
        length, last = length + tag.start() - last, tag.end()
        with At(f"annotation {len(annotations) + 1}"):
            if not slash:
                if opened is not None:
                    raise misaligned("another tag begins inside it", hint=_CLOSE)
                opened = length, name
                continue
            if opened is None or opened[1] != name:
                raise misaligned("a tag is closed that is not open", hint=_CLOSE)
            fields.check_offsets(opened[0], length)
            annotations.append(Annotation(opened[0], length, fields.annotation_type(name, "tag")))
            opened = None
    if opened is not None:
        with At(f"annotation {len(annotations) + 1}"):
            raise misaligned("its tag is not closed", hint=_CLOSE)
    return "".join([*parts, marked[last:]]), tuple(annotations)


def _doubles(marked: str) -> tuple[str, tuple[Annotation, ...]]:
    parts: list[str] = []
    annotations: list[Annotation] = []
    length, last = 0, 0
    for mark in _DOUBLE.finditer(marked):
        kind, value = mark.groups()
        parts += [marked[last : mark.start()], value]
        start = length + mark.start() - last
        length, last = start + len(value), mark.end()
        with At(f"annotation {len(annotations) + 1}"):
            if _DOUBLE_START.search(value):
                raise misaligned("its brackets are not closed", hint="Write <<TYPE:text>>.")
            fields.check_offsets(start, length)
            annotations.append(Annotation(start, length, fields.annotation_type(kind, "tag")))
    if _DOUBLE_START.search(marked, last):
        with At(f"annotation {len(annotations) + 1}"):
            raise misaligned("its brackets are not closed", hint="Write <<TYPE:text>>.")
    return "".join([*parts, marked[last:]]), tuple(annotations)
