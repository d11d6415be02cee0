"""Review findings: take in decisions, and say what follows; the result never has text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import CONFIDENTIAL, DocumentFinding, Review
from reidrisk.documents.findings.journal import JournalLine, ReviewJournal
from reidrisk.documents.findings.journal import Place as JournalPlace
from reidrisk.documents.review.journal import together
from reidrisk.documents.review.measure import (
    Measured,
    Page,
    PagesNeeded,
    WantedRecall,
    draw_pages,
    measure,
    pages_needed,
    role_of,
    share,
)
from reidrisk.documents.review.opinions import (
    Judged,
    ReviewAgreement,
    Rule,
    agreement,
    check_rule,
    judged,
    pairs,
    reviewers,
    settled,
)
from reidrisk.errors import InvalidSetting

ENOUGH = "enough"


@dataclass(frozen=True, slots=True)
class JudgedPlace:
    """A place with its document and what became of it."""

    document: str
    place: Judged
    name: str
    stays: bool
    type: str


@dataclass(frozen=True)
class DocumentReview(Result):
    """A review of findings in documents."""

    _main_table = "by_type"
    file: FindingsFile = field(repr=False)
    places: tuple[JudgedPlace, ...] = field(repr=False)
    agreement: ReviewAgreement | None
    pairs: tuple[ReviewAgreement, ...]
    measured: Measured
    needed: PagesNeeded
    drawn: tuple[Page, ...]
    settings: Mapping[str, Any]
    seed: int

    @property
    def conflicts(self) -> tuple[JudgedPlace, ...]:
        """Places on which reviewers differ."""
        return tuple(one for one in self.places if one.place.in_conflict)

    @property
    def acceptable(self) -> bool:
        """Whether reviewers differ nowhere; no statement about any risk."""
        return not self.conflicts

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        pages = sum(len(one.blocks) for one in self.file.documents)
        reasons = self._reasons(pages)
        return {
            "kind": "document_review",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.settings),
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "warnings": self._warnings(),
            "documents": len(self.file.documents),
            "pages": pages,
            "findings": sum(len(one.findings) for one in self.file.documents),
            "reviewers": self._reviewers(),
            "decided": self._decided(),
            "by_type": self._by_type(),
            "agreement": None if self.agreement is None else asdict(self.agreement),
            "pairs": [asdict(one) for one in self.pairs],
            "conflicts": [_conflict(one) for one in self.conflicts],
            "measured": _measured(self.measured),
            "needed": asdict(self.needed),
            "drawn": [{"document": document, "block": block} for document, block in self.drawn],
        }

    def _reviewers(self) -> list[dict[str, Any]]:
        rows: dict[str, Counter[str]] = {}
        seen: dict[str, set[Page]] = {}
        for review in self.file.reviews:
            rows.setdefault(review.reviewer, Counter()).update(one.action for one in review.decisions)
            seen.setdefault(review.reviewer, set()).update(review.seen)
        return [
            {
                "reviewer": name,
                **{action: counts[action] for action in ("accept", "reject", "retype", "add")},
                "pages": len(seen[name]),
            }
            for name, counts in rows.items()
        ]

    def _decided(self) -> dict[str, int]:
        found = [one for one in self.places if one.place.found is not None]
        judged = [one for one in found if one.place.opinions]
        return {
            "accepted": sum(one.stays for one in judged),
            "rejected": sum(not one.stays for one in judged),
            "added": sum(
                one.stays and one.type != CONFIDENTIAL for one in self.places if one.place.found is None
            ),
            "open": len(found) - len(judged),
            "confidential": sum(one.stays and one.type == CONFIDENTIAL for one in self.places),
        }

    def _by_type(self) -> list[dict[str, Any]]:
        rows: dict[str, Counter[str]] = {}
        for one in self.places:
            found = one.place.found
            counts = rows.setdefault(found.type if found is not None else one.type, Counter())
            counts["findings"] += found is not None
            counts["rejected"] += found is not None and not one.stays
            counts["retyped"] += found is not None and one.stays and one.type != found.type
            counts["added"] += found is None and one.stays
        names = ("findings", "rejected", "retyped", "added")
        return [
            {"type": kind, "role": role_of(kind), **{name: counts[name] for name in names}}
            for kind, counts in sorted(rows.items(), key=lambda pair: (-pair[1]["findings"], pair[0]))
        ]

    def _reasons(self, pages: int) -> list[Reason]:
        decided = self._decided()
        found = [
            f"{decided['accepted']:,} findings accepted, {decided['rejected']:,} rejected, "
            f"{decided['added']:,} added, {decided['open']:,} open."
        ]
        if decided["confidential"]:
            found.append(
                f"{plural(decided['confidential'], 'place')} marked as commercially confidential (CCI). They "
                "are no personal data and count in no figure of what was missed."
            )
        recall = self.measured.recall
        if recall is not None:
            found.append(
                f"{self.measured.pages:,} of {plural(pages, 'page')} were read in full. On these pages, "
                f"{self.measured.found:,} of {plural(self.measured.identifiers, 'identifier')} had been "
                "detected."
            )
        if self.conflicts:
            number = len(self.conflicts)
            found.append(
                f"Reviewers disagree on {plural(number, 'place')}; a place stays an identifier if any "
                "reviewer marked it as one."
            )
        return [Reason(text, None) for text in found]

    def _warnings(self) -> list[str]:
        if not self.file.reviews:
            return ["Nobody has reviewed anything yet."]
        if not self.measured.pages:
            return [
                "No page was read as a whole, so nothing is known of what was missed: draw pages with "
                "--sample, read them, and say so."
            ]
        return []


def _conflict(one: JudgedPlace) -> dict[str, Any]:
    kinds = set(one.place.opinions.values())
    return {
        "id": one.name,
        "document": one.document,
        "block": one.place.place[0],
        "start": one.place.place[1],
        "end": one.place.place[2],
        "kind": "identifier or not" if None in kinds else "type",
        "opinions": dict(one.place.opinions),
        "stays": one.stays,
    }


def _measured(measured: Measured) -> dict[str, Any]:
    return {
        "pages": measured.pages,
        "pages_with_misses": measured.missing,
        "identifiers": measured.identifiers,
        "found": measured.found,
        "wrong": measured.wrong,
        "recall": _estimate(measured.recall),
        "page_recall": _estimate(measured.page_recall),
        "precision": _estimate(measured.precision),
        "undefined": None if measured.pages else "no page was read as a whole",
        "by_role": [
            {
                "role": role,
                "identifiers": identifiers,
                "found": found,
                "recall": _estimate(share(found, identifiers)),
            }
            for role, identifiers, found in measured.by_role
        ],
    }


def _estimate(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else estimate.to_dict()


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """How a review is read."""

    rule: Rule = "careful"
    """What counts where reviewers differ."""
    wanted: WantedRecall = WantedRecall()  # noqa: RUF009 - frozen
    sample: int | str | None = None
    """Pages to draw, or `enough` for as many as the wanted recall takes."""
    seed: int = 7

    def __post_init__(self) -> None:
        check_rule(self.rule)
        if isinstance(self.sample, str) and self.sample != ENOUGH:
            raise InvalidSetting(
                "The number of pages to draw is none.", hint=f"Give a whole number, or {ENOUGH}."
            )


def review_documents(
    findings: str | Path | FindingsFile | Sequence[str | Path],
    *,
    reviews: Sequence[Review] = (),
    options: ReviewOptions | None = None,
) -> DocumentReview:
    """What reviewers decided on findings, of one file or of several that were made from one."""
    own = options or ReviewOptions()
    if isinstance(findings, FindingsFile):
        file, named = findings, ["given"]
    else:
        paths = [findings] if isinstance(findings, str | Path) else list(findings)
        file, named = together(paths), [path_text(path) for path in paths]
    file = replace(file, reviews=(*file.reviews, *reviews))
    places = _places(file, own.rule)
    names = reviewers(file.reviews)
    every = [one.place for one in places]
    measured = measure(file, rule=own.rule)
    needed = pages_needed(own.wanted, measured)
    number = needed.assured if own.sample == ENOUGH else own.sample
    drawn = () if number is None else draw_pages(file.documents, int(number), seed=own.seed)
    return DocumentReview(
        file=file,
        places=places,
        agreement=agreement(names, every),
        pairs=pairs(names, every) if len(names) > 2 else (),
        measured=measured,
        needed=needed,
        drawn=drawn,
        settings={"findings": named, "rule": own.rule, "sample": own.sample},
        seed=own.seed,
    )


def _places(file: FindingsFile, rule: Rule) -> tuple[JudgedPlace, ...]:
    found = []
    for document in file.documents:
        for place in judged(document, file.reviews):
            left = settled(place, rule)
            shown = left or place.found or DocumentFinding(*place.place, "OTHER", 1.0, "reviewer")
            name = shown.name_in(document.document)
            found.append(JudgedPlace(document.document, place, name, left is not None, shown.type))
    return tuple(found)


def journal_lines(
    review: Review, journal: ReviewJournal, *, undo: Sequence[JournalPlace] = (), finish: bool = False
) -> list[JournalLine]:
    """A review as lines of a journal; `undo` takes back the last words on these places.

    The id of a line follows from what it says: the same decision with the same time counts once.
    """
    time = review.time
    lines = [
        JournalLine.of_decision(one, id=_line_id(review, repr(asdict(one))), time=time)
        for one in review.decisions
    ]
    lines += [JournalLine(_line_id(review, repr(page)), time, "seen", page=page) for page in review.seen]
    for place in undo:
        last = journal.last_on(place)
        if last is None:
            raise InvalidSetting(
                f"{review.reviewer} decided nothing there that could be undone.",
                hint="Only decisions in the own journal can be undone.",
            )
        lines.append(JournalLine(_line_id(review, f"undo {last.id}"), time, "undo", of=last.id))
    if finish:
        lines.append(JournalLine(_line_id(review, "finish"), time, "finish"))
    return lines


def _line_id(review: Review, content: str) -> str:
    return sha256(f"{review.reviewer}\0{review.time}\0{content}".encode()).hexdigest()[:24]


def review_time(given: str | None) -> str:
    """A time as it is kept: in UTC, to the second; now if none is given."""
    if given is None:
        moment = datetime.now(UTC)
    else:
        try:
            moment = datetime.fromisoformat(given)
        except ValueError:
            raise InvalidSetting(
                "The time of a review is none.", hint="Write it as 2026-03-01T09:30:00Z."
            ) from None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
