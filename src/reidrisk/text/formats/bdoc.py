"""The JSON of GATE for Python (bdoc): text, annotation sets, and the unit of offsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import convert_offsets
from reidrisk.text.formats.annotation_sets import annotation_of, chosen_set, without_words
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, make_numbered, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.rulers import Ruler, utf16_ruler
from reidrisk.text.formats.strict_json import load_json

_COUNTING = 'Write "p" for code points (Python) or "j" for UTF-16 units (Java).'


class BdocReader:
    """One document per file, named like the file. The setting `annotator` names the annotation set."""

    name = "bdoc"
    title = 'GATE JSON of gatenlp: {"text", "annotation_sets", "offset_type"}'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """JSON files, and files with the suffix of the format."""
        return with_suffix(files, ".bdocjs", ".json")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether the object has annotation sets; after a long text they may be beyond the head."""
        first = first_value(head)
        if not isinstance(first.value, dict):
            return False
        return "annotation_sets" in first.value or path.suffix.lower() == ".bdocjs"

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file."""
        place = Location(display_path(path), None, display_path(path.stem))
        content = load_json(path, settings)
        with ErrorsAt(place):
            content = fields.object_of(content, "the document")
            text = fields.optional_text(content.get("text"), "text")
            if text is None:
                raise unreadable('the document has no "text"', hint="Save the document with its text.")
            sets = _sets(content.get("annotation_sets"))
            ruler = _ruler(content.get("offset_type", "p"), text)
        items, notes = chosen_set(sets, settings.annotator, place)
        kept, left_out = without_words(make_numbered(items, place, _annotation))
        document = Document(place.document or "", kept, text, place.source, (*notes, *left_out))
        yield convert_offsets(document, [None] * len(kept), ruler)


def _sets(value: Any) -> dict[str, list[Any]]:
    sets = {}
    for name, content in fields.object_of(value, '"annotation_sets"').items():
        if name and not fields.looks_like_name(name):
            raise unreadable(
                "the name of an annotation set is too long or not printable", hint="Use one short line."
            )
        inside = fields.object_of(content, "an annotation set")
        sets[name] = fields.list_of(inside.get("annotations"), '"annotations"')
    return sets


def _ruler(counting: Any, text: str) -> Ruler:
    if counting == "j":
        return utf16_ruler(text)
    if counting == "p":
        return Ruler.of("", [])
    raise unreadable('"offset_type" is neither "p" nor "j"', hint=_COUNTING)


def _annotation(item: Any) -> Annotation:
    item = fields.object_of(item, "it")
    features = fields.object_of(item.get("features") or {}, '"features"')
    return annotation_of(item.get("start"), item.get("end"), item.get("type"), features)
