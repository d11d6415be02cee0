"""XML with a TEXT and TAGS: what stands directly in the two."""

from __future__ import annotations

from dataclasses import dataclass, field

from reidrisk.text.formats.place import unreadable
from reidrisk.text.formats.safe_xml import parse_xml

_SHAPE = "The file holds one <TEXT> and one <TAGS> inside its root element."


@dataclass(frozen=True, slots=True)
class Tag:
    """An element of TAGS."""

    name: str
    attributes: dict[str, str]


def parse_tagged(data: str) -> tuple[str, list[Tag]]:
    """The text and the tags of a file."""
    handler = _Handler()
    parse_xml(data, handler)
    return handler.result()


@dataclass(slots=True)
class _Handler:
    """Collects what stands directly inside the root's TEXT and TAGS."""

    _path: list[str] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    _tags: list[Tag] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        depth = len(self._path)
        if depth == 2:
            self._parts.append(name)
        elif depth == 3 and self._path[1] == "TAGS":
            self._tags.append(Tag(name, attributes))
        elif depth == 3 and self._path[1] == "TEXT":
            hint = "Tags inside the text are the format of 2006, which has no offsets."
            raise unreadable("the TEXT holds elements", hint=hint)

    def end(self, _name: str) -> None:
        self._path.pop()

    def characters(self, data: str) -> None:
        if len(self._path) == 2 and self._path[1] == "TEXT":
            self._text.append(data)

    def result(self) -> tuple[str, list[Tag]]:
        for part in ("TEXT", "TAGS"):
            if self._parts.count(part) != 1:
                raise unreadable(f"the file has {self._parts.count(part)} <{part}> elements", hint=_SHAPE)
        return "".join(self._text), self._tags
