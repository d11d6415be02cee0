"""brat standoff: NAME.txt beside NAME.ann, or NAME.ann alone from a tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from reidrisk.errors import UnreadableFile
from reidrisk.text.corpus import Annotation, Document, Role
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, unreadable
from reidrisk.text.formats.reader import (
    BYTE_ORDER_MARK,
    ReadSettings,
    SourceFile,
    file_errors,
    load_text,
    with_suffix,
)

_PLACE = re.compile(r"(T\S*)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t(.*))?", re.DOTALL)
_ROLE = re.compile(r"[AM][0-9]+\s+Identifier\s+(T\S*)(?:\s+(\S*))?\s*")
_SAME = re.compile(r"\*\s+Equiv((?:\s+\S+)+)\s*")
_OTHER = re.compile(r"[AMREN][0-9]|#|\*|\s*\Z")
_SHAPE = "Write an annotation as: T1, tab, TYPE START END, tab, the marked text."
_MAX_DIGITS = 18


_PAIR_HINT = "Put NAME.ann beside NAME.txt; a document without identifiers has an empty NAME.ann."


class BratReader:
    """One document per .ann file; its text is in the .txt file with the same name."""

    name = "brat"
    title = "brat standoff: a folder of NAME.txt and NAME.ann, or .ann files alone from a tool"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """The .ann files. A .txt file without one is refused, because its document would be lost."""
        chosen = with_suffix(files, ".ann")
        stems = {path.stem for path in chosen}
        for path in with_suffix(files, ".txt") if chosen else []:
            if path.stem not in stems:
                raise UnreadableFile(f"{display_path(path)} has no annotation file.", hint=_PAIR_HINT)
        return chosen

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the name decides
        """Whether it is an .ann file, or a .txt file with an .ann file beside it."""
        return path.suffix.lower() == ".ann" or (path.suffix == ".txt" and _beside(path, ".ann"))

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of an .ann file, named like the file."""
        if path.suffix == ".txt":
            if not _beside(path, ".ann"):
                raise UnreadableFile(f"{display_path(path)} has no annotation file.", hint=_PAIR_HINT)
            path = path.with_suffix(".ann")
        source, name = display_path(path), display_path(path.stem)
        standoff = Standoff()
        # a line ends with \n only: a stored text may contain other separators that splitlines would use
        lines = load_text(path, settings).removeprefix(BYTE_ORDER_MARK).split("\n")
        for number, line in enumerate(lines, 1):
            with ErrorsAt(Location(source, number)):
                standoff.take(line.removesuffix("\r"))
        with ErrorsAt(Location(source, None, name)):
            annotations = standoff.annotations()
        # unchanged: every \r and a byte order mark count as characters
        text = load_text(path.with_suffix(".txt"), settings) if _beside(path, ".txt") else None
        yield check_fit(Document(name, annotations, text, source), standoff.surfaces)


def _beside(path: SourceFile, suffix: str) -> bool:
    other = path.with_suffix(suffix)
    with file_errors(other):
        return other.exists()


@dataclass(slots=True)
class Standoff:
    """The content of an .ann file, read line by line."""

    surfaces: list[str | None] = field(default_factory=list)
    _marked: dict[str, tuple[str, fields.Pieces]] = field(default_factory=dict)
    _roles: dict[str, Role] = field(default_factory=dict)
    _same: list[list[str]] = field(default_factory=list)

    _CR: ClassVar[str] = "Save the file with Unix or Windows line ends."

    def take(self, line: str) -> None:
        """Read a line; relations, events and notes are skipped."""
        if "\r" in line:
            raise unreadable("the line contains a carriage return that does not end a line", hint=self._CR)
        if line.startswith("T"):
            self._take_place(line)
        elif match := _ROLE.fullmatch(line):
            self._take_role(match[1], match[2])
        elif match := _SAME.fullmatch(line):
            self._same.append(match[1].split())
        elif not _OTHER.match(line):
            raise unreadable("this is not a line of a brat .ann file", hint=_SHAPE)

    def _take_place(self, line: str) -> None:
        match = _PLACE.fullmatch(line)
        if match is None:
            raise unreadable("the annotation is not in the syntax of brat", hint=_SHAPE)
        name, kind, offsets, surface = match.groups()
        if name in self._marked:
            raise unreadable("its id was used before", hint="Renumber the T lines.")
        pairs = [pair.split(" ") for pair in offsets.split(";")]
        self._marked[name] = kind, fields.pieces_of([[_number(a), _number(b)] for a, b in pairs])
        self.surfaces.append(surface or None)

    def _take_role(self, name: str, value: str | None) -> None:
        role = fields.role_of(value, "Identifier")
        if self._roles.setdefault(name, role) != role:
            raise unreadable("the annotation has two identifier types", hint="Keep one Identifier line.")

    def annotations(self) -> tuple[Annotation, ...]:
        """The annotations in file order, with their roles and entities."""
        entities = _entities(self._same)
        if not self._roles.keys() | entities.keys() <= self._marked.keys():
            hint = "Remove A and * lines whose T line is missing."
            raise unreadable("an attribute or equivalence refers to a missing annotation", hint=hint)
        result = []
        for name, (kind, pieces) in self._marked.items():
            fragments = pieces if len(pieces) > 1 else ()
            start, end = pieces[0][0], pieces[-1][1]
            annotation = Annotation(start, end, kind, self._roles.get(name), entities.get(name), fragments)
            result.append(annotation)
        return tuple(result)


def _number(digits: str) -> int:
    """An offset. Python refuses thousands of digits; a truncated number is refused later anyway."""
    return int(digits[: _MAX_DIGITS + 1]) if len(digits) > _MAX_DIGITS else int(digits)


def _entities(groups: list[list[str]]) -> dict[str, str]:
    """One entity for all annotations that equivalences connect, named after the first."""
    above: dict[str, str] = {}

    def root(name: str) -> str:
        while above.setdefault(name, name) != name:
            above[name] = name = above[above[name]]
        return name

    for group in groups:
        first = root(group[0])
        for name in group[1:]:
            above[root(name)] = first
    return {name: root(name) for name in list(above)}
