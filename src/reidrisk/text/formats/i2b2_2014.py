"""The XML of i2b2/UTHealth 2014 and MEDDOCAN: a text, and tags with offsets into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import settled
from reidrisk.text.formats.i2b2_xml import Tag, parse_tagged
from reidrisk.text.formats.place import At, Place, placed, shown, unreadable
from reidrisk.text.formats.reader import ReadSettings, load_text, with_suffix
from reidrisk.text.formats.safe_xml import root_of
from reidrisk.text.formats.source import SourceFile


class I2b2Reader:
    """One document for each file, named as the file."""

    name = "i2b2-2014"
    title = "XML of i2b2/n2c2 2014 or MEDDOCAN: <TEXT> and <TAGS> in one file per document"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """XML files."""
        return with_suffix(files, ".xml")

    def recognises(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the root element decides
        """The root element has one of the two names."""
        return root_of(head) in ("deIdi2b2", "MEDDOCAN")

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file."""
        place = Place(shown(path), None, shown(path.stem))
        data = load_text(path, settings)
        with At(place):
            text, tags = parse_tagged(data)
        seen: set[str] = set()
        annotations = []
        for number, tag in enumerate(tags, 1):
            try:
                annotations.append(_annotation(tag, seen))
            except BadData as error:
                raise placed(error, place.annotation(number)) from None
        document = Document(place.document or "", tuple(annotations), text, place.source)
        yield settled(document, [tag.attributes.get("text") for tag in tags])


def _annotation(tag: Tag, seen: set[str]) -> Annotation:
    name = tag.attributes.get("id")
    if name is not None and name in seen:
        raise unreadable("its id was given to a tag before", hint="Give every tag of a file its own id.")
    if name is not None:
        seen.add(name)
    start, end = (fields.whole_number(tag.attributes.get(key)) for key in ("start", "end"))
    fields.check_offsets(start, end)
    return Annotation(start, end, tag.attributes.get("TYPE", "").strip() or tag.name)
