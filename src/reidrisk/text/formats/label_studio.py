"""Label Studio: exports as JSON or JSON_MIN, of plain text or HTML pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import Any

from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Annotation, Document, Role
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.spans import span_of
from reidrisk.text.formats.strict_json import load_json

_TAG = re.compile(r"""<(/?[a-zA-Z]|[!?])(?:[^>"']|"[^"]*"|'[^']*')*>""")
_LINE_BREAK = re.compile(r"<br[\s/>]", re.IGNORECASE)
_LONGEST_TAG = 2000
"""How far to search for the end of a tag while respecting quotation marks; longer tags contain data."""


ROLE_WORDS: dict[str, Role] = fields.ROLE_OF | {"DIREKTE": "direct", "KVASI": "quasi"}
"""Labels that are roles, as in the Danish benchmark."""
LABEL_KEYS = ("labels", "hypertextlabels", "paragraphlabels")
_SHAPE = "A region has start, end and labels; export the project as JSON or JSON_MIN."


_TASK = ("annotations", "completions", "predictions")
_SHORT = ("annotation_id", "annotator", "lead_time")
_IDS = ("doc_id", "document_id")
_PAGE = "the text is that of an HTML page without its tags; a line break counts as one character"


class LabelStudioReader:
    """One document per annotated task; the setting `annotator` chooses the annotator."""

    name = "label-studio"
    title = "Label Studio JSON or JSON_MIN, Text and HyperText"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """JSON files."""
        return with_suffix(files, ".json")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it has a task with data and annotations, or the keys of JSON_MIN."""
        value = first_value(head).value
        first = value[0] if isinstance(value, list) and value else value
        if not isinstance(first, dict) or isinstance(first.get("annotations"), dict):
            return False
        if "id" in first and first.keys() & {"annotations", "completions"}:
            return True
        return ("data" in first and bool(first.keys() & {*_TASK})) or bool(first.keys() & {*_SHORT})

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The annotated documents; the first has a note on how many were left out."""
        place = Location(display_path(path))
        content = load_json(path, settings)
        with ErrorsAt(place):
            items = fields.list_of(content if isinstance(content, list) else [content], "the file")
            tasks = [fields.object_of(task, f"task {number}") for number, task in enumerate(items, 1)]
            only_predicted = not any(_finished_work(task) or _is_short(task) for task in tasks)
        found = [
            document
            for number, task in enumerate(tasks, 1)
            if (document := _document(task, number, settings, place, predicted=only_predicted)) is not None
        ]
        if tasks and not found and settings.annotator != "first":
            names = sorted({name for task in tasks for work in _finished_work(task) for name in _names(work)})
            raise InvalidSetting.among(f"The annotator of {place}", settings.annotator, names)
        left_out = len(tasks) - len(found)
        for number, document in enumerate(found):
            if left_out and not number:
                note = f"{left_out} tasks without a finished annotation were left out"
                yield replace(document, notes=(*document.notes, note))
            else:
                yield document


def _is_short(task: dict[str, Any]) -> bool:
    return "data" not in task


def _finished_work(task: dict[str, Any]) -> list[dict[str, Any]]:
    """The finished annotations of people."""
    work = task.get("annotations") or task.get("completions")
    return [one for one in _listed(work) if isinstance(one, dict) and not one.get("was_cancelled")]


def _listed(value: Any) -> list[Any]:
    return [] if value is None else fields.list_of(value, "the work on a task")


def _names(work: dict[str, Any]) -> list[str]:
    """Possible names of an annotator: number, e-mail address, or other values of the field."""
    by = work.get("completed_by")
    given = list(by.values()) if isinstance(by, dict) else [by]
    return [name for name in map(fields.identifier, given) if name and fields.looks_like_name(name)]


def _document(
    task: dict[str, Any], number: int, settings: ReadSettings, place: Location, *, predicted: bool
) -> Document | None:
    """The document of a task; None if the annotator did not annotate it."""
    data = task if _is_short(task) else task.get("data")
    with ErrorsAt(place):
        data = fields.object_of(data, f'"data" of task {number}')
        given = next((data[key] for key in _IDS if data.get(key) is not None), task.get("id", number))
        name = fields.document_id(given, "id")
    place = place.of(name)
    with ErrorsAt(place):
        work, notes = _chosen(task, settings.annotator, predicted=predicted)
        if work is None:
            return None
    regions = regions_of(work, place)
    with ErrorsAt(place):
        text = _text(data, regions)
    if regions.page:
        text, notes = html_text(text), (*notes, _PAGE)
    document = Document(name, regions.annotations, text, place.source, notes)
    return check_fit(document, regions.surfaces)


def _chosen(task: dict[str, Any], annotator: str, *, predicted: bool) -> tuple[Any, tuple[str, ...]]:
    """The list of regions to read, with a note if there was a choice."""
    if _is_short(task):
        lists = [value for value in task.values() if isinstance(value, list) and _has_regions(value)]
        return [region for regions in lists for region in regions], ()
    if predicted:
        found = [one for one in _listed(task.get("predictions")) if isinstance(one, dict)]
        return (found[0].get("result"), ("predictions were read",)) if found else (None, ())
    found = _finished_work(task)
    if annotator != "first":
        found = [work for work in found if annotator in _names(work)]
    if not found:
        return None, ()
    notes = (f"annotation 1 of {len(found)} was read",) if len(found) > 1 else ()
    return found[0].get("result"), notes


def _has_regions(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(value, dict) and "end" in value for value in values)


def _text(data: dict[str, Any], regions: Regions) -> str:
    """The text: the field named "text", the labeled field, or the only text field."""
    texts = {key: value for key, value in data.items() if type(value) is str}
    for key in ("text", *regions.targets):
        if key in texts:
            return texts[key]
    if len(texts) != 1:
        hint = 'Name the field with the text "text".'
        raise unreadable(f"the task has {len(texts)} fields that could be the text", hint=hint)
    return next(iter(texts.values()))


@dataclass(frozen=True, slots=True)
class Regions:
    """The labeled regions of a task."""

    annotations: tuple[Annotation, ...]
    surfaces: list[str | None]
    targets: tuple[str, ...]
    """The names of the objects that were labeled."""
    page: bool
    """Whether offsets refer to the text of an HTML page."""


def regions_of(value: Any, place: Location) -> Regions:
    """The regions in a list of results, one per label; relations and choices are skipped."""
    annotations: list[Annotation] = []
    surfaces: list[str | None] = []
    targets: dict[str, None] = {}
    page = False
    number = 0
    with ErrorsAt(place):
        results = [fields.object_of(item, "a region") for item in fields.list_of(value, '"result"')]
    for result in results:
        inside = result.get("value", result if "end" in result else None)
        if not isinstance(inside, dict) or _labels(inside) is None:
            continue
        number += 1
        with ErrorsAt(place.annotation(number)):
            page = page or "globalOffsets" in inside
            for annotation, surface in _region(result, inside):
                annotations.append(annotation)
                surfaces.append(surface)
        if isinstance(result.get("to_name"), str):
            targets[result["to_name"]] = None
    return Regions(tuple(annotations), surfaces, tuple(targets), page)


def _labels(inside: dict[str, Any]) -> Any:
    return next((inside[key] for key in LABEL_KEYS if key in inside), None)


def _region(result: dict[str, Any], inside: dict[str, Any]) -> list[tuple[Annotation, str | None]]:
    labels = [
        fields.annotation_type(label, "labels") for label in fields.list_of(_labels(inside), '"labels"')
    ]
    where = inside.get("globalOffsets", inside)
    where = fields.object_of(where, '"globalOffsets"')
    start: Any = where.get("start")
    end: Any = where.get("end")
    if type(start) is str:
        hint = "Export the project again: newer versions add globalOffsets to regions of HTML pages."
        raise unreadable("its offsets are paths in an HTML page", hint=hint)
    fields.check_offsets(start, end)
    surface = fields.optional_text(inside.get("text"), "text")
    entity = result.get("entity_id")
    name = None if entity is None else fields.named(entity, "entity_id")
    score = fields.number_of(result.get("score"))
    if len(labels) == 1 and labels[0] not in ROLE_WORDS and name is None and score is None:
        return [(span_of(start, end, labels[0], "labels"), surface)]
    kinds = [label for label in labels if label not in ROLE_WORDS] or labels[:1]
    role = next((ROLE_WORDS[label] for label in labels if label in ROLE_WORDS), None)
    if not kinds:
        raise unreadable("it has no label", hint=_SHAPE)
    return [(Annotation(start, end, kind, role, name, (), score), surface) for kind in kinds]


def html_text(page: str) -> str:
    """The text of an HTML page as Label Studio counts it: text nodes, and one character per <br>."""
    parts: list[str] = []
    last = 0
    position = page.find("<")
    while position >= 0:
        end = _end(page, position)
        if end > position:
            parts.append(unescape(page[last:position]))
            if _LINE_BREAK.match(page, position):
                parts.append("\n")
            last = end
        position = page.find("<", max(end, position + 1))
    return "".join([*parts, unescape(page[last:])])


def _end(page: str, start: int) -> int:
    """The end of the tag or comment that starts at `start`; 0 if none starts there."""
    if page.startswith("<!--", start):
        end = page.find("-->", start + 4)
        return len(page) if end < 0 else end + 3
    if page[start + 1 : start + 2] not in ("!", "?", "/") and not page[start + 1 : start + 2].isalpha():
        return 0
    tag = _TAG.match(page, start, start + _LONGEST_TAG)
    if tag is not None:
        return tag.end()
    end = page.find(">", start)
    return len(page) if end < 0 else end + 1
