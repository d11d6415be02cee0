"""The desk of reviewers: findings by page, what each reviewer decided so far, and how far they are.

Findings are read once. Decisions go to the journal of the reviewer, and journals are read again only from
where they ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any

from reidrisk.documents.findings.file import FindingsFile, read_findings
from reidrisk.documents.findings.finding import Decision, DocumentFinding, DocumentFindings, by_block
from reidrisk.documents.findings.journal import (
    JournalLine,
    Place,
    ReviewJournal,
    decide_by,
    journal_paths,
    read_journals,
)
from reidrisk.documents.review.opinions import REVIEWER, judged
from reidrisk.documents.review.same_values import SameValues
from reidrisk.errors import InvalidSetting, UnmatchedDocuments

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Which findings are shown; None: all."""

    type: str | None = None
    source: str | None = None
    """The part that found them, such as `known` or `pattern`, without what follows the colon."""
    subject: int | None = None
    """The participant, by the number of the row in the data."""

    def has(self, one: DocumentFinding) -> bool:
        """Whether a finding is shown."""
        return (
            (self.type is None or one.type == self.type)
            and (self.source is None or source_of(one) == self.source)
            and (self.subject is None or self.subject in one.subjects)
        )


def source_of(one: DocumentFinding) -> str:
    """The part that found it, such as `known`, `pattern`, `model` or `reviewer`."""
    return one.source.partition(":")[0]


@dataclass(frozen=True, slots=True)
class PageState:
    """How far a reviewer is on a page."""

    block: str
    findings: int
    decided: int
    added: int
    is_seen: bool
    """Whether the reviewer read it completely."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        counts = {"findings": self.findings, "decided": self.decided, "added": self.added}
        return {"block": self.block, **counts, "seen": self.is_seen}


@dataclass(frozen=True, slots=True)
class DeskFinding:
    """A finding, and what the reviewer decided about it."""

    name: str
    """Its id."""
    found: DocumentFinding
    line: str | None = None
    """The id of the line in the journal that decides, which can be taken back."""
    decision: Decision | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON types, without any text of the document."""
        one, decision = self.found, self.decision
        return {
            "id": self.name,
            "start": one.start,
            "end": one.end,
            "type": one.type,
            "source": one.source,
            "confidence": round(one.confidence, 4),
            "subjects": list(one.subjects),
            "variable": one.variable,
            "section": one.section,
            "line": self.line,
            "action": None if decision is None else decision.action,
            "new_type": None if decision is None else decision.type,
        }


@dataclass(slots=True)
class _OwnDecisions:
    """What one reviewer decided: in review files before, and in the journal."""

    journal: ReviewJournal
    before: dict[Place, Decision] = field(default_factory=dict)
    seen_before: set[tuple[str, str]] = field(default_factory=set)
    pages: set[tuple[str, str]] = field(default_factory=set)
    """Pages that were read completely."""
    finished: str | None = None
    """The line that says that the review is finished."""
    _known: int = 0
    _last: dict[Place, JournalLine] = field(default_factory=dict)

    def refresh(self) -> None:
        """Take in what was appended; all lines are read again only if one of them takes back another."""
        self.journal.refresh()
        lines = self.journal.lines
        if len(lines) == self._known:
            return
        new = list(islice(lines.values(), self._known, None))
        self._known = len(lines)
        if any(one.action == "undo" for one in new):
            self._last, self.pages, self.finished = {}, set(self.seen_before), None
            new = self.journal.standing()
        for one in new:
            decide_by(self._last, one)
            if one.page is not None:
                self.pages.add(one.page)
            if one.action == "finish":
                self.finished = one.id

    def on(self, place: Place) -> tuple[str | None, Decision | None]:
        line = self._last.get(place)
        return (line.id, line.decision) if line is not None else (None, self.before.get(place))

    def added(self, document: str) -> list[Decision]:
        """Places of a document that this reviewer added."""
        every = [*self.before.values(), *(one.decision for one in self._last.values() if one.decision)]
        found = {one.place: one for one in every if one.action == "add" and one.document == document}
        return list(found.values())


class ReviewDesk:
    """Findings under review. All of it can be called from several threads."""

    def __init__(self, findings: str | Path) -> None:
        self.path = Path(findings)
        self.file: FindingsFile = read_findings(self.path)
        self._blocks = {one.document: by_block(one.findings) for one in self.file.documents}
        self._own: dict[str, _OwnDecisions] = {}
        self._same: dict[str, SameValues] = {}
        self._taken_in: dict[str, set[str]] = {}
        self._differing: dict[str, tuple[tuple[int, ...], dict[str, dict[str, str | None]]]] = {}
        self._places: dict[tuple[str, str], set[tuple[str, int, int]]] = {}
        self._named: dict[Path, str] = {}
        self._lock = RLock()

    def document(self, name: str) -> DocumentFindings:
        """The findings of a document."""
        found = self.file.document(name)
        if found is None:
            raise InvalidSetting.among(
                "A document of these findings", name, [one.document for one in self.file.documents]
            )
        return found

    def require(self, document: str, sha256: str) -> None:
        """Refuse a document that has changed since the findings were made."""
        if self.document(document).sha256 != sha256:
            raise UnmatchedDocuments(
                f"{document} has changed since its findings were made.",
                hint="Detect again: findings belong to one version of a document.",
            )

    def _of(self, reviewer: str) -> _OwnDecisions:
        own = self._own.get(reviewer)
        if own is None:
            documents = {one.document: one.sha256 for one in self.file.documents}
            own = _OwnDecisions(ReviewJournal.of(self.path, reviewer, documents))
            for review in sorted(self.file.reviews, key=lambda one: one.time):
                if review.reviewer == reviewer and not review.in_journal:
                    own.before.update({(one.document, *one.place): one for one in review.decisions})
                    own.seen_before.update(review.seen)
            own.pages = set(own.seen_before)
            self._own[reviewer] = own
        own.refresh()
        return own

    def page(self, document: str, block: str, reviewer: str) -> list[DeskFinding]:
        """The findings of a page, and what the reviewer added there, in the order of the text."""
        with self._lock:
            own = self._of(reviewer)
            found = self._blocks_of(document).get(block, [])
            shown = [
                DeskFinding(one.name_in(document), one, *own.on((document, *one.place))) for one in found
            ]
            known = {one.place for one in found}
            for decision in own.added(document):
                if decision.block == block and decision.place not in known:
                    one = DocumentFinding(*decision.place, decision.type or "OTHER", 1.0, REVIEWER)
                    shown.append(
                        DeskFinding(one.name_in(document), one, *own.on((document, *decision.place)))
                    )
            return sorted(shown, key=lambda one: (one.found.start, one.found.end))

    def _blocks_of(self, document: str) -> Mapping[str, list[DocumentFinding]]:
        self.document(document)
        return self._blocks[document]

    def pages(
        self, document: str, reviewer: str, *, only: FindingFilter | None = None
    ) -> tuple[PageState, ...]:
        """How far the reviewer is on every page, of all findings or of those of a filter."""
        with self._lock:
            own, shown = self._of(reviewer), only or FindingFilter()
            added = Counter(one.block for one in own.added(document))
            blocks = self._blocks_of(document)
            return tuple(
                self._page_state(
                    document, block, [one for one in blocks.get(block, ()) if shown.has(one)], own
                )
                if only is not None
                else self._page_state(document, block, blocks.get(block, ()), own, added[block])
                for block in self.document(document).blocks
            )

    @staticmethod
    def _page_state(
        document: str, block: str, findings: Sequence[DocumentFinding], own: _OwnDecisions, added: int = 0
    ) -> PageState:
        is_seen = (document, block) in own.pages
        decided = (
            len(findings)
            if is_seen
            else sum(own.on((document, *one.place))[1] is not None for one in findings)
        )
        return PageState(block, len(findings), decided, added, is_seen)

    def kinds(self, document: str) -> dict[str, list[dict[str, Any]]]:
        """The types, sources and participants of the findings of a document, and how many each has."""
        every = self.document(document).findings
        counts: dict[str, Iterable[tuple[Any, int]]] = {
            "types": Counter(one.type for one in every).most_common(),
            "sources": Counter(source_of(one) for one in every).most_common(),
            "participants": sorted(Counter(number for one in every for number in one.subjects).items()),
        }
        return {
            name: [{"value": value, "findings": count} for value, count in listed]
            for name, listed in counts.items()
        }

    def record(self, reviewer: str, lines: Sequence[JournalLine]) -> int:
        """Append lines to the journal of a reviewer; tells how many were new."""
        with self._lock:
            own = self._of(reviewer)
            documents = {line.place[0] for line in lines if line.place is not None}
            added = {
                (name, *one.place)
                for name in documents
                for who in self._own.values()
                for one in who.added(self.document(name).document)
            }
            for line in lines:
                self._check(line, added)
            return own.journal.append(lines)

    def _check(self, line: JournalLine, added: set[Place]) -> None:
        """Refuse a decision about what is not there."""
        document, block = (line.place or ("", ""))[:2] if line.page is None else line.page
        if line.action in ("undo", "finish"):
            return
        if block not in self.document(document).blocks:
            raise InvalidSetting(f"{document} has no such page.", hint="Load the page again.")
        decision = line.decision
        if decision is None or decision.action == "add":
            return
        known = self._places.get((document, block))
        if known is None:
            known = {one.place for one in self._blocks_of(document).get(block, ())}
            self._places[document, block] = known
        if decision.place not in known and line.place not in added:
            raise InvalidSetting(
                "A decision is about a place that is no finding.", hint="Load the page again."
            )

    def is_finished(self, reviewer: str) -> bool:
        """Whether the reviewer said so."""
        with self._lock:
            return self._of(reviewer).finished is not None

    def finish_line(self, reviewer: str) -> str | None:
        """The id of the line that says so, which can be taken back."""
        with self._lock:
            return self._of(reviewer).finished

    def reviewers(self) -> dict[str, bool]:
        """Everybody with a journal next to the findings, and whether they have finished."""
        with self._lock:
            paths = journal_paths(self.path)
            if not set(paths) <= set(self._named):
                self._named = {one.path: one.reviewer for one in read_journals(self.path)}
            names = [self._named[path] for path in paths if path in self._named]
            return {name: self._of(name).finished is not None for name in names}

    def differences(self, document: str) -> dict[str, dict[str, str | None]]:
        """Places on which reviewers differ, by id: the type that each holds them for, None for none.

        Nobody sees it before everybody with a journal has finished, so that each judges alone.
        """
        with self._lock:
            state = self.reviewers()
            if len(state) < 2 or not all(state.values()):
                return {}
            known = tuple(len(self._of(name).journal.lines) for name in state)
            if self._differing.get(document, ((), {}))[0] != known:
                file = read_findings(self.path)
                found = {
                    DocumentFinding(*one.place, "OTHER", 1.0, REVIEWER).name_in(document): dict(one.opinions)
                    for one in judged(self.document(document), file.reviews)
                    if one.in_conflict
                }
                self._differing[document] = (known, found)
            return self._differing[document][1]

    def take_in(self, document: str, block: str, text: str) -> None:
        """Remember the values of the findings of a page, so that the same ones can be found elsewhere."""
        with self._lock:
            done = self._taken_in.setdefault(document, set())
            if block not in done:
                findings = self._blocks_of(document).get(block, ())
                self._same.setdefault(document, SameValues()).add(document, findings, text)
                done.add(block)

    def has_taken_in(self, document: str, block: str) -> bool:
        """Whether the values of a page are known."""
        return block in self._taken_in.get(document, ())

    def blocks_with_findings(self, document: str) -> tuple[str, ...]:
        """The pages that have findings, in order."""
        own = self._blocks_of(document)
        return tuple(block for block in self.document(document).blocks if block in own)

    def same_value(self, document: str, name: str) -> tuple[DocumentFinding, ...]:
        """All findings with the type and text of this one on the pages that were taken in."""
        with self._lock:
            same = self._same.get(document)
            names = set(same.of(name) if same is not None else (name,))
            every = self.document(document).findings
            return tuple(one for one in every if one.name_in(document) in names)

    def lines_of(self, reviewer: str, group: str) -> tuple[str, ...]:
        """The ids of the lines of a reviewer that belong together because they begin alike."""
        with self._lock:
            return tuple(name for name in self._of(reviewer).journal.lines if name.startswith(f"{group}-"))
