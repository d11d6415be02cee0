"""Findings and reviews as a file: places and decisions; texts of the documents only if asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar, get_args

from reidrisk.core.about import own_version
from reidrisk.core.collector import pause_collector
from reidrisk.core.files import whole_file
from reidrisk.core.input_limits import check_depth
from reidrisk.core.wording import path_text
from reidrisk.documents.document import Category
from reidrisk.documents.findings.finding import ACTIONS, Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.documents.findings.journal import fold_journals
from reidrisk.errors import InvalidSetting, UnreadableFile

_WORDS = {str: "text", int: "a whole number", list: "a list", dict: "an object"}
Made = TypeVar("Made")
KIND = "document_findings"
SCHEMA = 1
"""Raised when files change their shape."""
_SHA256 = 64
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(slots=True)
class Value:
    """A value of a file, and where it stands."""

    source: str
    content: Any
    above: Value | None = None
    """What it is part of; None for the whole file."""
    name: str | int = ""
    """Its name there, or its number in a list."""

    @property
    def where(self) -> str:
        """Its place in words; it is made only for a message, because files have many values."""
        above = "" if self.above is None else self.above.where
        if isinstance(self.name, int):
            return f"{above}[{self.name}]"
        return f"{above}.{self.name}" if above else self.name

    def wrong(
        self, problem: str, *, hint: str = "Was it written by this version of reidrisk?"
    ) -> UnreadableFile:
        """The error that says what is wrong here."""
        return UnreadableFile(f"{self.source}: {self.where or 'the file'} {problem}.", hint=hint)

    def fields(self, *known: str) -> dict[str, Value]:
        """The values of an object, which has no other names than these."""
        content = self._of(dict)
        unknown = content.keys() - known
        if unknown:
            raise self.wrong(f"has a name that is not known: {min(unknown)[:40]!r}")
        return {name: Value(self.source, content.get(name), self, name) for name in known}

    def items(self) -> Iterator[Value]:
        """The values of a list."""
        for number, content in enumerate(self._of(list), 1):
            yield Value(self.source, content, self, number)

    def text(self) -> str:
        """A text that is not empty."""
        content: str = self._of(str)
        if not content:
            raise self.wrong("is empty")
        return content

    def optional_text(self) -> str | None:
        """A text, or nothing."""
        return None if self.content is None else self.text()

    def whole(self) -> int:
        """A whole number."""
        number: int = self._of(int)
        return number

    def share(self) -> float:
        """A number between 0 and 1."""
        number = self.content
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
            raise self.wrong("is not a number between 0 and 1")
        return float(number)

    def _of(self, kind: type) -> Any:
        if not isinstance(self.content, kind) or isinstance(self.content, bool):
            raise self.wrong(f"is not {_WORDS[kind]}" if self.content is not None else "is missing")
        return self.content


def read_json(path: Path) -> Value:
    """The content of a file as a whole."""
    source = path_text(path)
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
        if isinstance(content, dict):  # documents and reviews are lists whose shape is checked value by value
            others = {name: value for name, value in content.items() if name not in ("documents", "reviews")}
            check_depth(others, source)
        return Value(source, content)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{source} cannot be read: {reason}.", hint="Check the path.") from None
    except (ValueError, RecursionError):
        raise UnreadableFile(
            f"{source} is not a JSON file.", hint="Give a file of `document detect --out`."
        ) from None


@dataclass(frozen=True, slots=True)
class FindingsFile:
    """What a file of findings holds."""

    schema: int
    settings: Mapping[str, Any]
    documents: tuple[DocumentFindings, ...]
    reviews: tuple[Review, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What stands at findings, by their names; empty unless the file was made with --show-text."""
    finished: tuple[str, ...] = ()
    """Reviewers whose journals say that they have finished."""

    def document(self, name: str) -> DocumentFindings | None:
        """The findings of the document with this file name."""
        return next((one for one in self.documents if one.document == name), None)


def write_findings(
    path: str | Path,
    documents: Sequence[DocumentFindings],
    *,
    settings: Mapping[str, Any],
    reviews: Sequence[Review] = (),
    texts: Mapping[str, str] | None = None,
) -> None:
    """Write findings, one a line; `texts` are what stands there, by the names of the findings."""
    names = Counter(one.document for one in documents)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InvalidSetting(
            f"Two documents are called {twice[0]}.", hint="Rename one of them, or work on them one by one."
        )
    with whole_file(path) as file:
        file.writelines(_lines(documents, settings, reviews, texts or {}))


def _lines(
    documents: Sequence[DocumentFindings],
    settings: Mapping[str, Any],
    reviews: Sequence[Review],
    texts: Mapping[str, str],
) -> Iterator[str]:
    head = {"kind": KIND, "schema": SCHEMA, "version": own_version(), "settings": dict(settings)}
    yield _json(head)[:-1] + ', "documents": ['
    for number, one in enumerate(documents):
        about = {
            "document": one.document,
            "sha256": one.sha256,
            "blocks": list(one.blocks),
            "concerns": list(one.concerns),
        }
        yield ("," if number else "") + "\n" + _json(about)[:-1] + ', "findings": ['
        yield from _joined(_finding(one.document, found, texts) for found in one.findings)
        yield "]}"
    yield '],\n"reviews": ['
    yield from _joined(_review(one) for one in reviews)
    yield "]}\n"


def _joined(objects: Iterator[dict[str, Any]]) -> Iterator[str]:
    for number, one in enumerate(objects):
        yield ("," if number else "") + "\n " + _json(one)


def _json(content: Any) -> str:
    return _ENCODER.encode(content)


def _finding(document: str, one: DocumentFinding, texts: Mapping[str, str]) -> dict[str, Any]:
    name = one.name_in(document)
    record: dict[str, Any] = {
        "id": name,
        "block": one.block,
        "start": one.start,
        "end": one.end,
        "type": one.type,
        "confidence": round(one.confidence, 4),
        "source": one.source,
        "subjects": list(one.subjects),
        "variable": one.variable,
        "section": one.section,
        "category": one.category,
    }
    return record | {"text": texts[name]} if name in texts else record


def _review(one: Review) -> dict[str, Any]:
    return {
        "reviewer": one.reviewer,
        "time": one.time,
        "decisions": [_decision(decision) for decision in one.decisions],
        "seen": [{"document": document, "block": block} for document, block in one.seen],
    }


def _decision(one: Decision) -> dict[str, Any]:
    record = {name: getattr(one, name) for name in ("document", "block", "start", "end", "action")}
    optional = {"type": one.type, "variable": one.variable, "subjects": list(one.subjects)}
    return record | {name: value for name, value in optional.items() if value}


@pause_collector()
def read_findings(path: str | Path) -> FindingsFile:
    """Read a file of findings with the journals next to it; nothing in it is guessed."""
    whole = read_json(Path(path))
    fields = whole.fields("kind", "schema", "version", "settings", "documents", "reviews")
    if fields["kind"].content != KIND:
        raise whole.wrong("holds no findings in documents", hint="Give a file of `document detect --out`.")
    if fields["schema"].content != SCHEMA:
        raise whole.wrong(f"has not schema {SCHEMA}", hint="Detect again with this version of reidrisk.")
    settings = fields["settings"].content
    if not isinstance(settings, dict):
        raise fields["settings"].wrong("is not an object")
    texts: dict[str, str] = {}
    documents = tuple(_read_document(one, texts) for one in fields["documents"].items())
    names = [one.document for one in documents]
    if len(set(names)) < len(names):
        raise fields["documents"].wrong("names a document twice")
    reviews = tuple(_read_review(one, set(names)) for one in fields["reviews"].items())
    journals = fold_journals(path, documents)
    every = (*reviews, *journals.reviews)
    return FindingsFile(SCHEMA, settings, documents, every, texts, journals.finished)


def _read_document(value: Value, texts: dict[str, str]) -> DocumentFindings:
    fields = value.fields("document", "sha256", "blocks", "concerns", "findings")
    name, sha256 = fields["document"].text(), fields["sha256"].text()
    if len(sha256) != _SHA256 or not set(sha256) <= set("0123456789abcdef"):
        raise fields["sha256"].wrong("is no SHA-256")
    blocks = tuple(one.text() for one in fields["blocks"].items())
    if len(set(blocks)) < len(blocks):
        raise fields["blocks"].wrong("names a block twice")
    known = frozenset(blocks)
    findings = _usual_findings(fields["findings"].content, name, known, texts)
    if findings is None:
        findings = [_read_finding(one, name, known, texts) for one in fields["findings"].items()]
    ordered = tuple(sorted(findings, key=attrgetter("block", "start", "end")))
    last: dict[str, int] = {}
    for one in ordered:
        if one.start < last.get(one.block, 0):
            raise fields["findings"].wrong(f"overlap in {one.block}")
        last[one.block] = one.end
    concerns = tuple(one.text() for one in fields["concerns"].items())
    return DocumentFindings(name, sha256, blocks, ordered, concerns)


_FINDING_KEYS = frozenset(
    (
        *("id", "block", "start", "end", "type", "confidence", "source"),
        *("subjects", "variable", "section", "category", "text"),
    )
)


def _usual_findings(
    given: Any, document: str, blocks: frozenset[str], texts: dict[str, str]
) -> list[DocumentFinding] | None:
    """The findings of a list in which nothing is wrong; None if something is, so that it can be named.

    This is what makes a report with fifty thousand findings open in half a second.
    """
    found: list[DocumentFinding] = []
    try:
        for one in given:
            block, start, end, kind, source = (
                one["block"],
                one["start"],
                one["end"],
                one["type"],
                one["source"],
            )
            confidence, subjects = one["confidence"], one["subjects"]
            variable, section, text = one.get("variable"), one.get("section"), one.get("text")
            if (
                type(start) is not int
                or type(end) is not int
                or type(confidence) not in (float, int)
                or not (type(block) is type(kind) is type(source) is str and kind and source)
                or block not in blocks
                or one["category"] not in _CATEGORIES
                or type(subjects) is not list
                or (subjects and not all(type(number) is int and number >= 1 for number in subjects))
                or not (variable is None or (type(variable) is str and variable))
                or not (section is None or (type(section) is str and section))
                or not (text is None or (type(text) is str and text))
                or not one.keys() <= _FINDING_KEYS
            ):
                return None
            made = DocumentFinding(
                block,
                start,
                end,
                kind,
                float(confidence),
                source,
                tuple(subjects),
                variable,
                section,
                one["category"],
            )
            name = made.name_in(document)
            if name != one["id"]:
                return None
            found.append(made)
            if text is not None:
                texts[name] = text
    except (KeyError, TypeError, AttributeError, InvalidSetting):
        return None
    return found


def _read_finding(
    value: Value, document: str, blocks: frozenset[str], texts: dict[str, str]
) -> DocumentFinding:
    fields = value.fields(
        *("id", "block", "start", "end", "type", "confidence", "source"),
        *("subjects", "variable", "section", "category", "text"),
    )
    block = fields["block"].text()
    if block not in blocks:
        raise fields["block"].wrong("is none of the document's blocks")
    found = _made(
        value,
        DocumentFinding,
        block=block,
        start=fields["start"].whole(),
        end=fields["end"].whole(),
        type=fields["type"].text(),
        confidence=fields["confidence"].share(),
        source=fields["source"].text(),
        subjects=_subjects(fields["subjects"]),
        variable=fields["variable"].optional_text(),
        section=fields["section"].optional_text(),
        category=_category(fields["category"]),
    )
    if fields["id"].text() != found.name_in(document):
        raise fields["id"].wrong("does not fit its place", hint="Ids follow from places: do not edit them.")
    if fields["text"].content is not None:
        texts[found.name_in(document)] = fields["text"].text()
    return found


def _read_review(value: Value, documents: set[str]) -> Review:
    fields = value.fields("reviewer", "time", "decisions", "seen")
    decisions = tuple(_read_decision(one, documents) for one in fields["decisions"].items())
    seen = []
    for one in fields["seen"].items():
        place = one.fields("document", "block")
        seen.append((_known(place["document"], documents), place["block"].text()))
    return _made(
        value,
        Review,
        reviewer=fields["reviewer"].text(),
        time=fields["time"].text(),
        decisions=decisions,
        seen=tuple(seen),
    )


def _read_decision(value: Value, documents: set[str]) -> Decision:
    fields = value.fields("document", "block", "start", "end", "action", "type", "variable", "subjects")
    action = fields["action"].content
    if action not in ACTIONS:
        raise fields["action"].wrong(f"is none of {', '.join(ACTIONS)}")
    return _made(
        value,
        Decision,
        document=_known(fields["document"], documents),
        block=fields["block"].text(),
        start=fields["start"].whole(),
        end=fields["end"].whole(),
        action=action,
        type=fields["type"].optional_text(),
        variable=fields["variable"].optional_text(),
        subjects=() if fields["subjects"].content is None else _subjects(fields["subjects"]),
    )


def _known(value: Value, documents: set[str]) -> str:
    name = value.text()
    if name not in documents:
        raise value.wrong("is none of the documents of the file")
    return name


def _subjects(value: Value) -> tuple[int, ...]:
    numbers = tuple(one.whole() for one in value.items())
    if any(number < 1 for number in numbers):
        raise value.wrong("counts participants from 1")
    return numbers


def _category(value: Value) -> Category:
    for category in _CATEGORIES:
        if value.content == category:
            return category
    raise value.wrong("is neither PPD nor CCI")


def _made(value: Value, kind: type[Made], **given: Any) -> Made:
    try:
        return kind(**given)
    except InvalidSetting as error:
        raise value.wrong("makes no sense", hint=error.problem) from None
