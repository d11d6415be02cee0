"""GATE XML: a text with numbered nodes, and annotations between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.annotation_sets import annotation_of, chosen_set, without_words
from reidrisk.text.formats.location import (
    ErrorsAt,
    Location,
    display_path,
    make_numbered,
    misaligned,
    unreadable,
)
from reidrisk.text.formats.reader import ReadSettings, SourceFile, load_text, with_suffix
from reidrisk.text.formats.rulers import Ruler, utf16_ruler
from reidrisk.text.formats.safe_xml import parse_xml, root_of

_SHAPE = "A GateDocument contains one TextWithNodes, then AnnotationSet elements."
_CODE_POINTS = "node numbers were read as code points"
_TWO = "node numbers were read as UTF-16 units that count a line end as two"


class GateXmlReader:
    """One document per file, named like the file. The setting `annotator` names the annotation set."""

    name = "gate-xml"
    title = "GATE XML: <GateDocument> with <TextWithNodes> and annotation sets"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """XML files."""
        return with_suffix(files, ".xml")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the root element decides
        """Whether the root element is GateDocument."""
        return root_of(head) == "GateDocument"

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of the file."""
        place = Location(display_path(path), None, display_path(path.stem))
        found = _GateContent()
        with ErrorsAt(place):
            parse_xml(load_text(path, settings), found)
            if found.texts != 1:
                raise unreadable(f"the file has {found.texts} TextWithNodes elements", hint=_SHAPE)
        text = "".join(found.text)
        items, notes = chosen_set(found.sets, settings.annotator, place)
        counting = _counting(text, found.nodes)
        exact = counting is not None
        marks = make_numbered(items, place, lambda item: item.annotation(found.nodes, exact=exact))
        kept, left_out = without_words(marks)
        more = (counting,) if counting else ()
        document = Document(place.document or "", kept, text, place.source, (*notes, *left_out, *more))
        yield check_fit(document, [None] * len(kept))


@dataclass(slots=True)
class _GateAnnotation:
    """An Annotation element."""

    kind: str
    start: str | None
    end: str | None
    features: dict[str, str] = field(default_factory=dict)

    def annotation(self, nodes: dict[int, int], *, exact: bool) -> Annotation:
        """The annotation, from the positions of its nodes."""
        first, last = fields.whole_number(self.start), fields.whole_number(self.end)
        if first not in nodes or last not in nodes:
            hint = "StartNode and EndNode must be ids of Node elements in the text."
            raise misaligned("it names a node that is not in the text", hint=hint)
        if not exact:
            hint = "The id of a node is its offset in UTF-16 units; save the document from GATE again."
            raise misaligned("the ids of the nodes do not match their positions in the text", hint=hint)
        return annotation_of(nodes[first], nodes[last], self.kind, self.features)


@dataclass(slots=True)
class _GateContent:
    """Collects text, nodes and annotation sets."""

    text: list[str] = field(default_factory=list)
    nodes: dict[int, int] = field(default_factory=dict)
    """Id of a node to its position in code points."""
    sets: dict[str, list[_GateAnnotation]] = field(default_factory=dict)
    texts: int = 0
    _length: int = 0
    _path: list[str] = field(default_factory=list)
    _set: list[_GateAnnotation] = field(default_factory=list)
    _feature: list[str] = field(default_factory=lambda: ["", ""])

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        depth, within = len(self._path), self._path[1:2]
        if depth == 2 and name == "TextWithNodes":
            self.texts += 1
        elif depth == 2 and name == "AnnotationSet":
            self._set = self.sets.setdefault(_set_name(attributes.get("Name", "")), [])
        elif depth == 3 and within == ["TextWithNodes"]:
            self._take_node(name, attributes.get("id"))
        elif depth == 3 and within == ["AnnotationSet"] and name == "Annotation":
            kind, start, end = (attributes.get(key) for key in ("Type", "StartNode", "EndNode"))
            self._set.append(_GateAnnotation(kind or "", start, end))
        elif depth == 4 and within == ["AnnotationSet"] and name == "Feature":
            self._feature = ["", ""]

    def _take_node(self, name: str, given: str | None) -> None:
        if name != "Node":
            raise unreadable("the TextWithNodes contains an element that is not a Node", hint=_SHAPE)
        node = fields.whole_number(given)
        if self.nodes.setdefault(node, self._length) != self._length:
            raise unreadable("two nodes have the same id", hint="Save the document from GATE again.")

    def end(self, name: str) -> None:
        self._path.pop()
        if name == "Feature" and len(self._path) == 3 and self._path[1] == "AnnotationSet" and self._set:
            self._set[-1].features[self._feature[0].strip()] = self._feature[1]

    def characters(self, data: str) -> None:
        depth = len(self._path)
        if depth == 2 and self._path[1] == "TextWithNodes":
            self.text.append(data)
            self._length += len(data)
        elif depth == 5 and self._path[4] in ("Name", "Value"):
            self._feature[self._path[4] == "Value"] += data


def _set_name(name: str) -> str:
    if name and not fields.looks_like_name(name):
        raise unreadable(
            "the name of an annotation set is too long or not printable", hint="Use one short line."
        )
    return name


def _counting(text: str, nodes: dict[int, int]) -> str | None:
    """Empty if the node ids are UTF-16 offsets; a note if they use another unit; None if neither."""
    plain = Ruler.of("", [])
    candidates = {"": utf16_ruler(text), _CODE_POINTS: plain, _TWO: utf16_ruler(text, line_ends=2)}
    for note, ruler in candidates.items():
        if all(ruler.position(node) == position for node, position in nodes.items()):
            return note
    return None
