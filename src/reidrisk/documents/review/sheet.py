"""Sheets that people fill in, and how what they write becomes decisions."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from reidrisk.core.files import whole_file
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import CONFIDENTIAL, Action, Decision, DocumentFinding, by_block
from reidrisk.documents.review.same_values import SameValues
from reidrisk.errors import InvalidSetting, UnreadableFile

_PLACE = r"(?P<document>.+):(?P<block>[^:]+):(?P<start>\d+)-(?P<end>\d+)"
_MARKED = re.compile(_PLACE)
_ADDED = re.compile(rf"{_PLACE}:(?P<type>[^:]+)")
COLUMNS = (
    *("id", "document", "block", "section", "start", "end", "type", "confidence", "found_by"),
    *("decision", "new_type"),
)
TEXTS = ("before", "text", "after")
DECISIONS = ("accept", "reject", "retype", "add", "cci", "seen")
AROUND = 40
"""Characters of context on either side."""
Page = tuple[str, str]
Texts = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Known:
    """The findings that decisions can name, and texts of blocks where they are at hand."""

    file: FindingsFile
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict, repr=False)
    """Document and block -> text."""
    _places: dict[str, tuple[str, str, int, int]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for one in self.file.documents:
            self._places.update(
                {found.name_in(one.document): (one.document, *found.place) for found in one.findings}
            )
        for review in self.file.reviews:
            for decision in review.decisions:
                self._places.setdefault(name_of(decision), (decision.document, *decision.place))

    def on(self, name: str, action: Action, kind: str | None = None) -> Decision:
        """A decision on a finding that is named by its id."""
        return Decision(*self.place_of(name), action, kind)

    def place_of(self, name: str) -> tuple[str, str, int, int]:
        """Document, block, start and end of a finding that is named by its id."""
        if name not in self._places:
            raise InvalidSetting(
                "An id is that of no finding.", hint="Ids stand in the file of findings and in sheets."
            )
        return self._places[name]

    def same_value(self, name: str) -> tuple[str, ...]:
        """The ids of all findings with the type and text of this one, where the text is at hand."""
        self.on(name, "accept")
        if not self.texts:
            raise InvalidSetting(
                "Findings with the same value cannot be found without the text.",
                hint="Name the documents: --source DOCUMENT.",
            )
        same = SameValues()
        for one in self.file.documents:
            for block, findings in by_block(one.findings).items():
                if (one.document, block) in self.texts:
                    same.add(one.document, findings, self.texts[one.document, block])
        return same.of(name)

    def added(self, text: str) -> Decision:
        """A place DOC:BLOCK:START-END:TYPE that nobody had found."""
        said = _ADDED.fullmatch(text)
        if said is None:
            raise InvalidSetting(
                "A place to add is none.",
                hint="Write DOCUMENT:BLOCK:START-END:TYPE, such as csr.pdf:page 3:120-128:DATE.",
            )
        return self.at(said["document"], said["block"], int(said["start"]), int(said["end"]), said["type"])

    def confidential(self, text: str) -> Decision:
        """A place DOC:BLOCK:START-END that is commercially confidential."""
        said = _MARKED.fullmatch(text)
        if said is None:
            raise InvalidSetting(
                "A place that is confidential is none.",
                hint="Write DOCUMENT:BLOCK:START-END, such as csr.pdf:page 3:120-128.",
            )
        place = said["document"], said["block"], int(said["start"]), int(said["end"])
        return self.at(*place, CONFIDENTIAL)

    def at(self, document: str, block: str, start: int, end: int, kind: str) -> Decision:
        """A place that nobody had found, by its offsets."""
        self.require(document, block)
        text = self.texts.get((document, block))
        if text is not None and (end > len(text) or not text[start:end].strip()):
            raise InvalidSetting(
                f"A place to add in {block} of {document} holds no text.",
                hint=f"Offsets count characters of the block from 0; this one has {len(text):,}.",
            )
        return Decision(document, block, start, end, "add", kind)

    def written(self, document: str, block: str, text: str, kind: str) -> list[Decision]:
        """Every place of a block at which a text stands, as whole words."""
        self.require(document, block)
        whole = self.texts.get((document, block))
        if whole is None:
            raise InvalidSetting(
                f"A place to add in {block} of {document} has a text and no offsets.",
                hint="Name the document, so that the text can be looked for: --source DOCUMENT.",
            )
        return written(document, block, text, kind, whole)

    def require(self, document: str, block: str) -> None:
        """Refuse a block that is not there."""
        own = self.file.document(document)
        if own is None:
            raise InvalidSetting.among(
                "A document of these findings", document, [one.document for one in self.file.documents]
            )
        if block not in own.blocks:
            raise InvalidSetting(
                f"{document} has no block {block!r}.",
                hint=_named(own.blocks),
            )

    def seen(self, text: str) -> tuple[str, str]:
        """A block DOC:BLOCK that was read as a whole."""
        document, _, block = text.rpartition(":")
        self.require(document, block)
        return document, block


def written(document: str, block: str, text: str, kind: str, whole: str) -> list[Decision]:
    """Decisions to add every place of a block, which has the text `whole`, at which a text stands."""
    pattern = r"\s+".join(re.escape(part) for part in text.split())
    found = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", whole)]
    if not found:
        raise InvalidSetting(
            f"A text to add does not stand in {block} of {document}.",
            hint="Write it as it stands there; line ends count as spaces.",
        )
    return [Decision(document, block, start, end, "add", kind) for start, end in found]


def name_of(decision: Decision) -> str:
    """The id of the place of a decision: that which a finding there has."""
    return DocumentFinding(*decision.place, "OTHER", 1.0, "reviewer").name_in(decision.document)


def without_doubles(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Decisions each once; two on one place are refused."""
    found: dict[tuple[str, str, int, int], Decision] = {}
    for one in decisions:
        place = (one.document, *one.place)
        if found.setdefault(place, one) != one:
            raise InvalidSetting(
                f"There are two decisions on one place in {one.block} of {one.document}.",
                hint="Decide once: accept, reject, retype, add or cci.",
            )
    return tuple(found.values())


def write_sheet(
    path: str | Path, file: FindingsFile, *, pages: Sequence[Page] | None, texts: Texts | None
) -> int:
    """Write a sheet of the findings, on certain pages only if they are given; tells how many rows it has.

    `texts` are those of the blocks; without them the sheet holds places only.
    """
    rows = list(_rows(file, None if pages is None else set(pages), texts))
    columns = COLUMNS if texts is None and not file.texts else (*COLUMNS, *TEXTS)
    with whole_file(path) as target:
        if Path(path).suffix.lower() in (".yaml", ".yml"):
            shown = [{name: row[name] for name in columns if row.get(name) is not None} for row in rows]
            yaml.safe_dump(shown, target, sort_keys=False, allow_unicode=True, width=110)
        else:
            writer = csv.DictWriter(target, columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return len(rows)


def _rows(file: FindingsFile, pages: set[Page] | None, texts: Texts | None) -> Iterator[dict[str, Any]]:
    for one in file.documents:
        findings = by_block(one.findings)
        for block in one.blocks:
            if pages is not None and (one.document, block) not in pages:
                continue
            for found in findings.get(block, ()):
                yield _row(one.document, found, file, texts)
            if pages is not None:
                yield {"document": one.document, "block": block, "decision": "", "found_by": "read this page"}


def _row(document: str, found: DocumentFinding, file: FindingsFile, texts: Texts | None) -> dict[str, Any]:
    name = found.name_in(document)
    whole = (texts or {}).get((document, found.block))
    shown: dict[str, Any] = {"text": file.texts.get(name)}
    if whole is not None:
        shown = {
            "before": _line(whole[max(0, found.start - AROUND) : found.start]),
            "text": _line(whole[found.start : found.end]),
            "after": _line(whole[found.end : found.end + AROUND]),
        }
    return {
        "id": name,
        "document": document,
        "block": found.block,
        "section": found.section,
        "start": found.start,
        "end": found.end,
        "type": found.type,
        "confidence": round(found.confidence, 2),
        "found_by": found.source,
        "decision": "",
        "new_type": "",
        **shown,
    }


def _line(text: str) -> str:
    return " ".join(text.split())


def read_sheet(path: str | Path, known: Known) -> tuple[list[Decision], list[Page]]:
    """Decisions of a sheet that was filled in, and the pages that were read as a whole."""
    decisions: list[Decision] = []
    seen: list[Page] = []
    for number, row in _filled(Path(path)):
        said = row.get("decision", "").casefold()
        if not said:
            continue
        try:
            if said not in DECISIONS:
                raise InvalidSetting("The decision is none.", hint=f"Write {', '.join(DECISIONS)}.")
            if said == "seen":
                known.require(row.get("document", ""), row.get("block", ""))
                seen.append((row["document"], row["block"]))
            else:
                decisions += _decisions(said, row, known)
        except InvalidSetting as error:
            raise UnreadableFile(
                f"{path_text(path)}, row {number}: {error.problem}", hint=error.hint
            ) from None
    return decisions, seen


def _decisions(said: str, row: Mapping[str, str], known: Known) -> list[Decision]:
    kind = row.get("new_type") or (row.get("type") if said == "add" else None) or None
    if said == "accept":
        return [known.on(row.get("id", ""), "accept")]
    if said == "reject":
        return [known.on(row.get("id", ""), "reject")]
    if said == "cci":
        kind = CONFIDENTIAL
        if row.get("id"):
            return [known.on(row["id"], "retype", kind)]
    if kind is None:
        raise InvalidSetting("The new type is missing.", hint="Write it into the column new_type.")
    if said == "retype":
        return [known.on(row.get("id", ""), "retype", kind)]
    document, block = row.get("document", ""), row.get("block", "")
    start, end = row.get("start", ""), row.get("end", "")
    if start.isdecimal() and end.isdecimal():
        return [known.at(document, block, int(start), int(end), kind)]
    if row.get("text"):
        return known.written(document, block, row["text"], kind)
    raise InvalidSetting("What is added has no place.", hint="Write start and end, or the text itself.")


def _filled(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows with their numbers, all cells as texts."""
    if path.suffix.lower() in (".yaml", ".yml"):
        content = read_yaml(path)
        if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
            raise UnreadableFile(f"{path_text(path)} is no list of rows.", hint="Use the sheet as it was.")
        rows: list[dict[str, Any]] = content
        first = 1
    else:
        rows, first = _csv(path), 2
    for number, row in enumerate(rows, first):
        unknown = [name for name in row if name not in (*COLUMNS, *TEXTS)]
        if unknown:
            raise UnreadableFile(
                f"{path_text(path)}, row {number} has a column that no sheet has.",
                hint=f"Columns are: {', '.join((*COLUMNS, *TEXTS))}.",
            )
        yield number, {name: "" if value is None else str(value).strip() for name, value in row.items()}


def _csv(path: Path) -> list[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            rows: list[dict[str, Any]] = list(
                csv.DictReader(file, delimiter=max(",;\t", key=head.count), strict=True)
            )
            return rows
    except (OSError, UnicodeDecodeError, csv.Error):
        raise UnreadableFile(
            f"{path_text(path)} cannot be read as CSV in UTF-8.", hint="Use the sheet as it was, filled in."
        ) from None


def _named(blocks: Sequence[str]) -> str:
    """How the blocks of a document are named."""
    if not blocks:
        return "It has none at all."
    if len(blocks) == 1:
        return f"Its only block is {blocks[0]!r}."
    return f"Blocks are named as in the findings, from {blocks[0]!r} to {blocks[-1]!r}."
