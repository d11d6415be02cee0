"""What each reviewer holds of each place, how far they agree, and the findings as they left them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isnan
from typing import Literal, get_args

from reidrisk.documents.findings.finding import (
    CONFIDENTIAL,
    Decision,
    DocumentFinding,
    DocumentFindings,
    Review,
)
from reidrisk.errors import InvalidSetting, UnmatchedDocuments
from reidrisk.stats.agreement import cohen_kappa, fleiss_kappa

Place = tuple[str, int, int]
NONE = "none"
"""The label of a place that somebody holds for no identifier."""
Rule = Literal["careful", "majority"]
RULES: dict[Rule, str] = {
    "careful": "what anybody holds for an identifier is one",
    "majority": "what at least half of those who judged it hold for an identifier is one",
}
REVIEWER = "reviewer"
"""The source of a finding that a reviewer added."""


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
    blocks, known, name = frozenset(document.blocks), set(found), document.document
    known.update(
        one.place
        for review in reviews
        for one in review.decisions
        if one.action == "add" and one.document == name
    )
    for review in sorted(reviews, key=lambda one: one.time):
        for decision in review.decisions:
            if decision.document != name:
                continue
            if decision.block not in blocks or decision.place not in known:
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


@dataclass(frozen=True, slots=True)
class ReviewAgreement:
    """Two or more reviewers on the same places."""

    reviewers: tuple[str, ...]
    places: int
    """Judged by all of them."""
    same: int
    kappa: float | None
    """Cohen's for two, Fleiss' for more; None where chance alone would always agree."""


def agreement(names: Sequence[str], places: Sequence[Judged]) -> ReviewAgreement | None:
    """How far all these reviewers agree; None for fewer than two."""
    if len(names) < 2:
        return None
    rows = [
        tuple(place.opinions[name] or NONE for name in names)
        for place in places
        if all(name in place.opinions for name in names)
    ]
    same = sum(len(set(row)) == 1 for row in rows)
    kappa = _kappa(rows) if rows else float("nan")
    return ReviewAgreement(tuple(names), len(rows), same, None if isnan(kappa) else kappa)


def _kappa(rows: Sequence[tuple[str, ...]]) -> float:
    if len(rows[0]) == 2:
        return cohen_kappa(Counter((one, two) for one, two in rows))
    labels = sorted({label for row in rows for label in row})
    return fleiss_kappa([[row.count(label) for label in labels] for row in rows])


def pairs(names: Sequence[str], places: Sequence[Judged]) -> tuple[ReviewAgreement, ...]:
    """Every two of them."""
    found = (agreement(pair, places) for pair in combinations(names, 2))
    return tuple(one for one in found if one is not None)


def check_rule(rule: str) -> None:
    """Refuse a rule that is none."""
    if rule not in get_args(Rule):
        raise InvalidSetting.among("The rule where reviewers differ", rule, RULES)


def decided(
    document: DocumentFindings, reviews: Sequence[Review], *, rule: Rule = "careful"
) -> DocumentFindings:
    """What is left of the findings of a document, and what was added."""
    check_rule(rule)
    kept = [one for place in judged(document, reviews) if (one := settled(place, rule)) is not None]
    return replace(document, findings=tuple(_apart(kept)))


def settled(place: Judged, rule: Rule) -> DocumentFinding | None:
    """The finding at a place, or None if it is none."""
    said = [kind for kind in place.opinions.values() if kind is not None]
    if place.opinions and (not said or (rule == "majority" and 2 * len(said) < len(place.opinions))):
        return None
    if place.found is not None:
        return _of_type(place.found, _type(said, place.found.type))
    if place.added is None:  # pragma: no cover - a place is found or added
        return None
    kind = _type(said, place.added.type or "")
    told = (place.added.subjects, place.added.variable)
    return _of_type(DocumentFinding(*place.place, kind, 1.0, REVIEWER, *told), kind)


def _of_type(finding: DocumentFinding, kind: str) -> DocumentFinding:
    """A finding with a type; what is confidential tells of no participant."""
    if kind.upper() != CONFIDENTIAL:
        return finding if kind == finding.type else replace(finding, type=kind)
    return replace(finding, type=CONFIDENTIAL, category=CONFIDENTIAL, subjects=(), variable=None)


def _type(said: Sequence[str], own: str) -> str:
    """The type that most hold it for; in a tie its own."""
    if not said:
        return own
    votes = Counter(said)
    most = max(votes.values())
    best = [kind for kind in votes if votes[kind] == most]
    return own if own in best else best[0]


def _apart(findings: Iterable[DocumentFinding]) -> list[DocumentFinding]:
    """Findings that overlap become one; what is confidential makes room for what tells of somebody."""
    every = list(findings)
    personal = _joined(one for one in every if one.is_personal)
    confidential = _joined(one for one in every if not one.is_personal)
    if not confidential:
        return personal
    rest = [part for one in confidential for part in _beside(one, personal)]
    return sorted([*personal, *rest], key=lambda one: one.place)


def _beside(one: DocumentFinding, others: Iterable[DocumentFinding]) -> Iterator[DocumentFinding]:
    """The parts of a finding that none of the others, which are in order, holds."""
    at = one.start
    for other in others:
        if other.block == one.block and other.start < one.end and at < other.end:
            if at < other.start:
                yield replace(one, start=at, end=other.start)
            at = other.end
    if at < one.end:
        yield replace(one, start=at)


def _joined(findings: Iterable[DocumentFinding]) -> list[DocumentFinding]:
    """Findings that overlap become one; what a reviewer added says what it is."""
    joined: list[DocumentFinding] = []
    for one in sorted(findings, key=lambda one: one.place):
        last = joined[-1] if joined else None
        if last is None or last.block != one.block or last.end <= one.start:
            joined.append(one)
            continue
        told = one if one.source == REVIEWER else last
        joined[-1] = replace(told, start=last.start, end=max(last.end, one.end))
    return joined
