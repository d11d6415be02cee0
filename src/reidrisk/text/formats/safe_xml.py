"""Parse XML safely: document type and entity declarations are refused, and nothing is fetched."""

from __future__ import annotations

import re
from typing import NoReturn, Protocol
from xml.parsers import expat

from reidrisk.core.input_limits import NESTING
from reidrisk.text.formats.location import unreadable
from reidrisk.text.formats.reader import BYTE_ORDER_MARK

_BEGIN = re.compile(rb"<(?:!--|([A-Za-z_:][^\s>/]*))")


class XmlHandler(Protocol):
    """Receives the elements and texts of a file while it is parsed."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element starts."""

    def end(self, name: str) -> None:
        """An element ends."""

    def characters(self, data: str) -> None:
        """A piece of text, with references resolved and line ends as `\\n`."""


def parse_xml(data: str, handler: XmlHandler) -> None:
    """Parse a whole file, and pass every element and text to the handler."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth, most = 0, NESTING.now()

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > most:
            raise NESTING.exceeded("the XML")
        handler.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(name)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.characters
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    try:
        # a str is always parsed as UTF-8, whatever encoding the file claims
        parser.Parse(data.removeprefix(BYTE_ORDER_MARK), True)  # noqa: FBT003 - expat takes no keyword
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        problem = f"line {error.lineno}, column {error.offset + 1}: the XML is malformed: {reason}"
        hint = "Check that the file is complete and that & and < are escaped."
        raise unreadable(problem, hint=hint) from None


def root_of(head: bytes) -> str:
    """The name of the first element of a file that starts with `head`; empty if there is none."""
    position = 0
    while found := _BEGIN.search(head, position):
        if found[1] is not None:
            return found[1].decode("utf-8", "replace")
        position = head.find(b"-->", found.end())
        if position < 0:
            break
    return ""


def _refuse(*_: object) -> NoReturn:
    hint = "Remove the DOCTYPE: annotation files do not need one, and entities can be used for attacks."
    raise unreadable("the XML declares a document type or an entity", hint=hint)
