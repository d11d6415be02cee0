"""What each reviewer holds of each place of a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.findings.review import Decision, Review
from reidrisk.errors import UnmatchedDocuments

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Judged:
    """A place that was found or added, and what reviewers think it is."""

    place: Place
    found: DocumentFinding | None
    """None where nobody but a reviewer found it."""
    opinions: Mapping[str, str | None] = field(repr=False)
    """Reviewers who judged it: the type they hold it for, None for no identifier."""
    added: Decision | None = None
    """The first decision that added it."""

    @property
    def in_conflict(self) -> bool:
        """Whether reviewers differ."""
        return len(set(self.opinions.values())) > 1


def reviewers(reviews: Iterable[Review]) -> tuple[str, ...]:
    """Everybody who reviewed, in the order of their first review."""
    return tuple(dict.fromkeys(one.reviewer for one in reviews))


def seen_by(reviews: Iterable[Review], document: str) -> dict[str, set[str]]:
    """The blocks of a document that each reviewer read as a whole."""
    found: dict[str, set[str]] = {}
    for one in reviews:
        found.setdefault(one.reviewer, set()).update(block for name, block in one.seen if name == document)
    return found


def judged(document: DocumentFindings, reviews: Sequence[Review]) -> tuple[Judged, ...]:
    """Every place with its opinions, in the order of the document.

    A finding on a page that somebody read as a whole and said nothing of is accepted by them; a place
    that somebody else added there is none to them.
    """
    found = {one.place: one for one in document.findings}
    last = _last_words(document, reviews, found)
    seen = seen_by(reviews, document.document)
    order = {name: number for number, name in enumerate(document.blocks)}
    places = sorted({*found, *last}, key=lambda place: (order.get(place[0], len(order)), *place))
    return tuple(_judged(place, found.get(place), last.get(place, {}), seen) for place in places)


def _last_words(
    document: DocumentFindings, reviews: Sequence[Review], found: Mapping[Place, DocumentFinding]
) -> dict[Place, dict[str, Decision]]:
    last: dict[Place, dict[str, Decision]] = {}
    for review in sorted(reviews, key=lambda one: one.time):
        for decision in review.decisions:
            if decision.document != document.document:
                continue
            known = decision.place in found or any(
                one.action == "add" for one in last.get(decision.place, {}).values()
            )
            if decision.block not in document.blocks or (decision.action != "add" and not known):
                raise UnmatchedDocuments(
                    f"{review.reviewer} decided on a place in {decision.block} of {document.document} that "
                    "is not among the findings.",
                    hint="Were the findings made anew? Decisions belong to the file that they were made on.",
                )
            last.setdefault(decision.place, {})[review.reviewer] = decision
    return last


def _judged(
    place: Place,
    found: DocumentFinding | None,
    decisions: Mapping[str, Decision],
    seen: Mapping[str, set[str]],
) -> Judged:
    added = next((one for one in decisions.values() if one.action == "add"), None)
    own = found.type if found is not None else added.type if added is not None else None
    opinions: dict[str, str | None] = {}
    for reviewer, blocks in seen.items():
        if reviewer in decisions:
            decision = decisions[reviewer]
            opinions[reviewer] = None if decision.action == "reject" else decision.type or own
        elif place[0] in blocks:
            opinions[reviewer] = None if found is None else found.type
    return Judged(place, found, opinions, added)
