"""The XML of i2b2/UTHealth 2014 and MEDDOCAN: a text, and tags with offsets into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, locate_error, unreadable
from reidrisk.text.formats.reader import ReadSettings, SourceFile, load_text, with_suffix
from reidrisk.text.formats.safe_xml import parse_xml, root_of

_SHAPE = "The file must have one <TEXT> and one <TAGS> inside its root element."


class I2b2Reader:
    """One document per file, named like the file."""

    name = "i2b2-2014"
    title = "XML of i2b2/n2c2 2014 or MEDDOCAN: <TEXT> and <TAGS> in one file per document"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """XML files."""
        return with_suffix(files, ".xml")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the root element decides
        """Whether the root element has one of the two names."""
        return root_of(head) in ("deIdi2b2", "MEDDOCAN")

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file."""
        place = Location(display_path(path), None, display_path(path.stem))
        data = load_text(path, settings)
        with ErrorsAt(place):
            text, tags = parse_tagged(data)
        seen: set[str] = set()
        annotations = []
        for number, tag in enumerate(tags, 1):
            try:
                annotations.append(_annotation(tag, seen))
            except BadData as error:
                raise locate_error(error, place.annotation(number)) from None
        document = Document(place.document or "", tuple(annotations), text, place.source)
        yield check_fit(document, [tag.attributes.get("text") for tag in tags])


def _annotation(tag: I2b2Tag, seen: set[str]) -> Annotation:
    name = tag.attributes.get("id")
    if name is not None and name in seen:
        raise unreadable("its id was used before", hint="Give every tag of a file a unique id.")
    if name is not None:
        seen.add(name)
    start, end = (fields.whole_number(tag.attributes.get(key)) for key in ("start", "end"))
    fields.check_offsets(start, end)
    return Annotation(start, end, tag.attributes.get("TYPE", "").strip() or tag.name)


@dataclass(frozen=True, slots=True)
class I2b2Tag:
    """An element of TAGS."""

    name: str
    attributes: dict[str, str]


def parse_tagged(data: str) -> tuple[str, list[I2b2Tag]]:
    """The text and the tags of a file."""
    handler = _TagHandler()
    parse_xml(data, handler)
    return handler.result()


@dataclass(slots=True)
class _TagHandler:
    """Collects the direct content of the root's TEXT and TAGS."""

    _path: list[str] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    _tags: list[I2b2Tag] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        depth = len(self._path)
        if depth == 2:
            self._parts.append(name)
        elif depth == 3 and self._path[1] == "TAGS":
            self._tags.append(I2b2Tag(name, attributes))
        elif depth == 3 and self._path[1] == "TEXT":
            hint = "Tags inside the text belong to the format of 2006, which has no offsets."
            raise unreadable("the TEXT contains elements", hint=hint)

    def end(self, _name: str) -> None:
        self._path.pop()

    def characters(self, data: str) -> None:
        if len(self._path) == 2 and self._path[1] == "TEXT":
            self._text.append(data)

    def result(self) -> tuple[str, list[I2b2Tag]]:
        for part in ("TEXT", "TAGS"):
            if self._parts.count(part) != 1:
                raise unreadable(f"the file has {self._parts.count(part)} <{part}> elements", hint=_SHAPE)
        return "".join(self._text), self._tags
