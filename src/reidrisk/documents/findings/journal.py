"""The journal of a reviewer: one line per decision, appended while the reviewer works, and never rewritten.

Journals are in a folder next to the findings, one file per reviewer:

    findings.json  findings.reviews/anna.jsonl  findings.reviews/ben.jsonl

The first line says who reviews and which documents. Every other line has an id. A line that arrives twice,
for example because a connection broke, counts once. `undo` is a line, too: it takes back the line that it
names.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args

from reidrisk.core.about import own_version
from reidrisk.core.appending import append_whole, wait_for_turn
from reidrisk.core.recovery import sync_folder
from reidrisk.core.regular_files import read_regular
from reidrisk.core.trail import log_written
from reidrisk.core.wording import path_text
from reidrisk.documents.findings.finding import ACTIONS, Action, Decision, DocumentFindings, Review
from reidrisk.errors import InvalidSetting, UnmatchedDocuments, UnreadableFile

KIND = "document_review_journal"
SCHEMA = 1
FOLDER, SUFFIX = ".reviews", ".jsonl"
REVIEWED = ".reviewed.json"
"""How the names of review files end."""
MOST_BYTES = 256 * 2**20
Mark = Literal["seen", "undo", "finish"]
"""What a line can say beside a decision: a page was read, a line is taken back, or the review is finished."""
MARKS: tuple[Mark, ...] = get_args(Mark)
_ID = re.compile(r"[0-9A-Za-z_-]{8,64}")
Place = tuple[str, str, int, int]
"""Document, block, start and end."""
_KEYS = {
    "place": ("document", "block", "start", "end", "type", "variable", "subjects"),
    "seen": ("document", "block"),
    "undo": ("of",),
    "finish": (),
}


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One line: a decision, a page that was read, a line that is taken back, or the end of the review."""

    id: str
    time: str
    """ISO 8601, in UTC, to the second."""
    action: Action | Mark
    decision: Decision | None = None
    page: tuple[str, str] | None = None
    """Document and block that were read completely."""
    of: str | None = None
    """The id of the line that is taken back."""

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise InvalidSetting(
                "A decision has no usable id.", hint="An id has 8 to 64 letters, digits, - or _."
            )
        try:
            datetime.fromisoformat(self.time)
        except ValueError:
            raise InvalidSetting(
                "A decision has no usable time.", hint="Write it as 2026-03-01T09:30:00Z."
            ) from None
        given = (self.decision is not None, self.page is not None, self.of is not None)
        if given != (self.action in ACTIONS, self.action == "seen", self.action == "undo"):
            raise InvalidSetting(
                "A line of a journal says too much or too little.",
                hint=f"It has one action: {', '.join((*ACTIONS, *MARKS))}.",
            )

    @classmethod
    def of_decision(cls, decision: Decision, *, id: str, time: str) -> JournalLine:  # noqa: A002 - as in the file
        """The line of a decision."""
        return cls(id, time, decision.action, decision)

    @property
    def place(self) -> Place | None:
        """Where it decides."""
        return None if self.decision is None else (self.decision.document, *self.decision.place)

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        record: dict[str, Any] = {"id": self.id, "time": self.time, "action": self.action}
        if self.decision is not None:
            values = {name: getattr(self.decision, name) for name in _KEYS["place"]}
            values["subjects"] = list(self.decision.subjects)
            return record | {name: value for name, value in values.items() if value not in (None, [])}
        if self.page is not None:
            return record | dict(zip(_KEYS["seen"], self.page, strict=True))
        return record if self.of is None else record | {"of": self.of}

    @classmethod
    def from_dict(cls, given: Any) -> JournalLine:
        """What `to_dict` wrote; InvalidSetting for anything else."""
        if not isinstance(given, dict):
            raise InvalidSetting("A line of a journal is not an object.", hint="Do not edit journals.")
        action = given.get("action")
        if action not in (*ACTIONS, *MARKS):
            raise InvalidSetting.among("The action of a line", str(action)[:20], (*ACTIONS, *MARKS))
        known = ("id", "time", "action", *_KEYS["place" if action in ACTIONS else action])
        if not set(given) <= set(known) or not _are_texts(given, ("id", "time", "document", "block", "of")):
            raise InvalidSetting("A line of a journal has a wrong value.", hint="Do not edit journals.")
        return cls(
            str(given.get("id", "")),
            str(given.get("time", "")),
            action,
            _decision(given) if action in ACTIONS else None,
            (given.get("document", ""), given.get("block", "")) if action == "seen" else None,
            given.get("of") if action == "undo" else None,
        )


def _are_texts(given: Mapping[str, Any], names: Iterable[str]) -> bool:
    return all(isinstance(given[name], str) and given[name] for name in names if name in given)


def _decision(given: Mapping[str, Any]) -> Decision:
    start, end, subjects = given.get("start"), given.get("end"), given.get("subjects", [])
    kind, variable = given.get("type"), given.get("variable")
    numbers = [start, end, *(subjects if isinstance(subjects, list) else [None])]
    whole = all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in numbers)
    texts = isinstance(kind, str | None) and isinstance(variable, str | None)
    if not whole or not texts or "document" not in given or "block" not in given:
        raise InvalidSetting("A decision of a journal has no place.", hint="Do not edit journals.")
    place = (str(given["document"]), str(given["block"]), int(given["start"]), int(given["end"]))
    return Decision(*place, given["action"], kind, variable, tuple(subjects))


def journal_folder(findings: str | Path) -> Path:
    """Where the journals of findings are; those of a review file are the same.

    >>> journal_folder("a/findings.json").name, journal_folder("a/findings.reviewed.json").name
    ('findings.reviews', 'findings.reviews')
    """
    path = Path(findings)
    return path.with_name(path.name.removesuffix(REVIEWED).removesuffix(".json") + FOLDER)


def journal_path(findings: str | Path, reviewer: str) -> Path:
    """The journal of a reviewer.

    >>> journal_path("findings.json", "anna").name
    'anna.jsonl'
    """
    plain = re.sub(r"[^a-z0-9]+", "-", reviewer.casefold()).strip("-")[:40]
    if plain != reviewer:
        plain = "-".join(filter(None, (plain, hashlib.sha256(reviewer.encode()).hexdigest()[:8])))
    return journal_folder(findings) / f"{plain}{SUFFIX}"


def journal_paths(findings: str | Path) -> tuple[Path, ...]:
    """The journals that are there, in the order of their names."""
    folder = journal_folder(findings)
    return tuple(sorted(folder.glob(f"*{SUFFIX}"))) if folder.is_dir() else ()


class ReviewJournal:
    """The journal of one reviewer, as far as it was read; `refresh` reads what others appended since."""

    def __init__(self, path: Path, reviewer: str, documents: Mapping[str, str]) -> None:
        if not reviewer.strip():
            raise InvalidSetting("A review has no reviewer.", hint="Name one, such as --reviewer anna.")
        self.path, self.reviewer = path, reviewer
        self.documents = dict(documents)
        """The documents by name with their SHA-256."""
        self.lines: dict[str, JournalLine] = {}
        """By id, in the order of the file."""
        self._read_to = 0
        self._read_lines = 0

    @classmethod
    def of(cls, findings: str | Path, reviewer: str, documents: Mapping[str, str]) -> ReviewJournal:
        """The journal of a reviewer next to findings, whether it is there already or not."""
        found = cls(journal_path(findings, reviewer), reviewer, documents)
        found.refresh()
        return found

    @classmethod
    def read(cls, path: Path) -> ReviewJournal:
        """A journal that is there."""
        head = _parsed(path, 1, read_regular(path, most=MOST_BYTES).partition(b"\n")[0])
        _check_head(path, head)
        found = cls(path, head["reviewer"], head["documents"])
        found.refresh()
        return found

    def refresh(self) -> None:
        """Read what was appended since the last time; an incomplete last line was never confirmed."""
        if not self.path.exists():
            return
        content = read_regular(self.path, most=MOST_BYTES, start=self._read_to)
        complete = content[: content.rfind(b"\n") + 1]
        for line in complete.splitlines():
            self._read_lines += 1
            given = _parsed(self.path, self._read_lines, line)
            if self._read_lines == 1:
                self._check_own(given)
                continue
            try:
                one = JournalLine.from_dict(given)
            except InvalidSetting as error:
                raise _broken(self.path, self._read_lines, f"makes no sense: {error.problem}") from None
            self.lines.setdefault(one.id, one)
        self._read_to += len(complete)

    def _check_own(self, head: Any) -> None:
        _check_head(self.path, head)
        if head["reviewer"] != self.reviewer:
            raise _broken(self.path, 1, "is the journal of another reviewer")
        for name, digest in head["documents"].items():
            if self.documents.setdefault(name, digest) != digest:
                raise UnmatchedDocuments(
                    f"{path_text(self.path)} was made on another version of {path_text(name)}.",
                    hint="The document has changed: detect again, and begin a new review.",
                )

    def append(self, lines: Sequence[JournalLine]) -> int:
        """Add lines; they are on the disk when this returns. Tells how many of them were new."""
        self.refresh()
        self._new(lines)  # before a file is made for nothing
        try:
            self.path.parent.mkdir(exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(self.path, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
            try:
                wait_for_turn(descriptor)
                self.refresh()
                new = self._new(lines)
                if new:
                    self._write(descriptor, new)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise UnreadableFile(
                f"{path_text(self.path)} cannot be written: {error.strerror or 'refused'}.",
                hint="Check the permissions and the free disk space, and decide again.",
            ) from None
        log_written(self.path)
        return len(new)

    def _new(self, lines: Sequence[JournalLine]) -> list[JournalLine]:
        """The lines that are not there yet, each once."""
        found: dict[str, JournalLine] = {}
        for one in lines:
            if one.of is not None and one.of not in self.lines and one.of not in found:
                raise InvalidSetting(
                    "There is no such decision to take back.", hint="Only your own decisions can be undone."
                )
            if one.id not in self.lines:
                found.setdefault(one.id, one)
        return list(found.values())

    def _write(self, descriptor: int, lines: Sequence[JournalLine]) -> None:
        """Write complete lines, or leave the file as it was."""
        if os.fstat(descriptor).st_size > self._read_to:
            os.ftruncate(descriptor, self._read_to)  # a line that a crash cut short, and nobody was told of
        head = [] if self._read_to else [self._head()]
        content = b"".join(_json(one) for one in (*head, *(line.to_dict() for line in lines)))
        append_whole(descriptor, content, size=self._read_to)
        if head:
            sync_folder(self.path.parent)
        self._read_to += len(content)
        self._read_lines += len(head) + len(lines)
        self.lines.update({one.id: one for one in lines})

    def _head(self) -> dict[str, Any]:
        about = {"kind": KIND, "schema": SCHEMA, "version": own_version()}
        return about | {"reviewer": self.reviewer, "documents": self.documents}

    def standing(self) -> list[JournalLine]:
        """The lines that nobody took back, in order."""
        taken_back: set[str] = set()
        kept = []
        for one in reversed(self.lines.values()):
            if one.id in taken_back:
                continue
            if one.of is not None:
                taken_back.add(one.of)
            else:
                kept.append(one)
        return kept[::-1]

    @property
    def is_finished(self) -> bool:
        """Whether the reviewer said so."""
        return any(one.action == "finish" for one in self.standing())

    def last_on(self, place: Place) -> JournalLine | None:
        """The last word on a place."""
        return next((one for one in reversed(self.standing()) if one.place == place), None)

    def added(self) -> set[Place]:
        """Every place that was ever added."""
        return {one.place for one in self.lines.values() if one.action == "add" and one.place is not None}

    def decisions(self) -> dict[Place, JournalLine]:
        """The last word on every place; what was added and then rejected is gone."""
        last: dict[Place, JournalLine] = {}
        for one in self.standing():
            decide_by(last, one)
        return last

    def pages(self) -> dict[tuple[str, str], str]:
        """The pages that were read completely, and when."""
        return {one.page: one.time for one in self.standing() if one.page is not None}

    def reviews(self) -> Iterator[Review]:
        """What stands, as reviews: one for each time."""
        times: dict[str, tuple[list[Decision], list[tuple[str, str]]]] = {}
        for line in self.decisions().values():
            if line.decision is not None:
                times.setdefault(line.time, ([], []))[0].append(line.decision)
        for page, time in self.pages().items():
            times.setdefault(time, ([], []))[1].append(page)
        for time, (decisions, pages) in sorted(times.items()):
            yield Review(self.reviewer, time, tuple(decisions), tuple(pages), in_journal=True)


def decide_by(last: dict[Place, JournalLine], line: JournalLine) -> None:
    """Take one more line into the last words on every place; not for a line that takes back another."""
    if line.decision is None or line.place is None:
        return
    before = last.get(line.place)
    joined = line if before is None else _after(before, line)
    if joined is None:
        del last[line.place]
    else:
        last[line.place] = joined


def _after(before: JournalLine, line: JournalLine) -> JournalLine | None:
    """The line that counts after both; None if nothing is left of what the reviewer added."""
    decision = line.decision
    if before.action != "add" or before.decision is None or decision is None or line.action == "add":
        return line
    if line.action == "reject":
        return None
    kind = decision.type or before.decision.type
    return replace(line, action="add", decision=replace(before.decision, type=kind))


@dataclass(frozen=True, slots=True)
class JournalFold:
    """What all journals of findings say."""

    reviews: tuple[Review, ...] = field(default=(), repr=False)
    finished: tuple[str, ...] = ()
    """Reviewers who said that they have finished."""


def read_journals(findings: str | Path) -> list[ReviewJournal]:
    """All journals next to findings; one whose first line a crash cut short has nothing yet."""
    return [
        ReviewJournal.read(path)
        for path in journal_paths(findings)
        if b"\n" in read_regular(path, most=MOST_BYTES)
    ]


def fold_journals(findings: str | Path, documents: Sequence[DocumentFindings]) -> JournalFold:
    """Read all journals next to findings, which are about these documents.

    A decision about a place that somebody added and took back later counts no more.
    """
    journals = read_journals(findings)
    if not journals:
        return JournalFold()
    known = {one.document: one.sha256 for one in documents}
    for one in journals:
        _check_documents(one, known)
    once = set[Place]().union(*(one.added() for one in journals))
    now = {place for one in journals for place, line in one.decisions().items() if line.action == "add"}
    gone = once - now
    if gone:
        gone -= {(one.document, *found.place) for one in documents for found in one.findings}
    reviews = [
        replace(
            review, decisions=tuple(one for one in review.decisions if (one.document, *one.place) not in gone)
        )
        if gone
        else review
        for journal in journals
        for review in journal.reviews()
    ]
    finished = tuple(one.reviewer for one in journals if one.is_finished)
    return JournalFold(tuple(sorted(reviews, key=lambda one: one.time)), finished)


def _check_documents(journal: ReviewJournal, documents: Mapping[str, str]) -> None:
    for name, digest in journal.documents.items():
        if documents.get(name) != digest:
            raise UnmatchedDocuments(
                f"{path_text(journal.path)} is the journal of other findings.",
                hint="Were the findings made anew? Move the folder with the journals away, and review again.",
            )


def _check_head(path: Path, head: Any) -> None:
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise _broken(path, 1, "is not the head of a review journal")
    if head.get("schema") != SCHEMA:
        raise _broken(path, 1, f"does not have schema {SCHEMA}")
    documents = head.get("documents")
    if not isinstance(head.get("reviewer"), str) or not head["reviewer"].strip():
        raise _broken(path, 1, "names no reviewer")
    if not isinstance(documents, dict) or not all(isinstance(one, str) for one in documents.values()):
        raise _broken(path, 1, "names no documents")


def _broken(path: Path, number: int, problem: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path_text(path)}: line {number} {problem}.",
        hint="Journals are written by reidrisk alone. Take the file from a backup.",
    )


def _parsed(path: Path, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise _broken(path, number, "is not JSON") from None


def _json(content: Mapping[str, Any]) -> bytes:
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"
