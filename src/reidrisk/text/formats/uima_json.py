"""UIMA CAS as JSON: feature structures with types and references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.text.corpus import Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.strict_json import load_json
from reidrisk.text.formats.uima_cas import Cas, FeatureStructure

STRUCTURES = "%FEATURE_STRUCTURES"


class UimaJsonReader:
    """One document per file, named by its metadata."""

    name = "uima-json"
    title = "UIMA CAS JSON, as WebAnno and INCEpTION export it"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """JSON files."""
        return with_suffix(files, ".json")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it is an object with the keywords of the format."""
        value = first_value(head).value
        return isinstance(value, dict) and bool(value.keys() & {"%TYPES", STRUCTURES, "%HEADER"})

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file."""
        place = Location(display_path(path), None, display_path(path.stem))
        content = load_json(path, settings)
        with ErrorsAt(place):
            content = fields.object_of(content, "the CAS")
            found = fields.list_of(content.get(STRUCTURES), f'"{STRUCTURES}"')
            cas = Cas([_structure(item) for item in found])
        yield cas.document(place)


def _structure(item: Any) -> FeatureStructure:
    item = fields.object_of(item, "a feature structure")
    name, kind = fields.identifier(item.get("%ID")), item.get("%TYPE")
    if name is None or type(kind) is not str:
        hint = "Export the CAS again; every feature structure has both."
        raise unreadable("a feature structure has no %ID or no %TYPE", hint=hint)
    # names of references start with @, those of anchors may start with ^
    features = item
    if "@sofa" in item:
        features = features | {"sofa": fields.identifier(item["@sofa"])}
    if "^begin" in item or "^end" in item:
        features = features | {"begin": item.get("^begin", 0), "end": item.get("^end")}
    return FeatureStructure(name, kind, features)
