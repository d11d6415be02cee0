"""UIMA CAS as XMI: each feature structure an element, its features attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reidrisk.text.corpus import Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.location import ErrorsAt, Location, display_path
from reidrisk.text.formats.reader import ReadSettings, SourceFile, load_text, with_suffix
from reidrisk.text.formats.safe_xml import parse_xml, root_of
from reidrisk.text.formats.uima_cas import Cas, FeatureStructure

TYPE_SYSTEM = "typeSystemDescription"
_NUMBERS = ("begin", "end")


class UimaXmiReader:
    """One document per file, named by its metadata. The type system beside it is not needed."""

    name = "uima-xmi"
    title = "UIMA CAS XMI, as WebAnno and INCEpTION export it"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """XMI files."""
        return with_suffix(files, ".xmi")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the root element decides
        """Whether the root element is XMI, or that of the type system."""
        root = root_of(head)
        return root.rpartition(":")[2] == "XMI" or root == TYPE_SYSTEM

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file; a type system contains none."""
        place = Location(display_path(path), None, display_path(path.stem))
        elements = _Elements()
        with ErrorsAt(place):
            parse_xml(load_text(path, settings), elements)
        if elements.root != TYPE_SYSTEM:
            yield Cas(elements.structures).document(place)


@dataclass(slots=True)
class _Elements:
    """Collects the elements directly inside the root."""

    root: str = ""
    structures: list[FeatureStructure] = field(default_factory=list)
    _packages: dict[str, str] = field(default_factory=dict)
    _depth: int = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        for key, value in attributes.items():
            if key.startswith("xmlns:"):
                self._packages[key[6:]] = (
                    value.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
                )
        if self._depth == 1:
            self.root = name
        elif self._depth == 2:
            self._take(name, attributes)

    def _take(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, own = name.rpartition(":")
        package = self._packages.get(prefix, prefix)
        features: dict[str, object] = dict(attributes)
        for key in _NUMBERS:
            if key in attributes:
                features[key] = fields.whole_number(attributes[key])
        kind = f"{package}.{own}" if package else own
        self.structures.append(FeatureStructure(attributes.get("xmi:id", ""), kind, features))

    def end(self, name: str) -> None:  # noqa: ARG002 - the depth identifies the element
        self._depth -= 1

    def characters(self, data: str) -> None:
        """Features that are lists have their own elements; none of them is used."""
