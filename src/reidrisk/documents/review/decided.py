"""The findings as reviewers left them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.findings.review import Review
from reidrisk.documents.review.opinions import Judged, judged
from reidrisk.errors import InvalidSetting

Rule = Literal["careful", "majority"]
RULES: dict[Rule, str] = {
    "careful": "what anybody holds for an identifier is one",
    "majority": "what at least half of those who judged it hold for an identifier is one",
}
REVIEWER = "reviewer"
"""The source of a finding that a reviewer added."""


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
        return replace(place.found, type=_type(said, place.found.type))
    if place.added is None:  # pragma: no cover - a place is found or added
        return None
    block, start, end = place.place
    return DocumentFinding(
        block,
        start,
        end,
        _type(said, place.added.type or ""),
        1.0,
        REVIEWER,
        place.added.subjects,
        place.added.variable,
    )


def _type(said: Sequence[str], own: str) -> str:
    """The type that most hold it for; in a tie its own."""
    votes = Counter(said)
    most = max(votes.values(), default=0)
    best = [kind for kind in votes if votes[kind] == most]
    return own if own in best or not best else best[0]


def _apart(findings: Iterable[DocumentFinding]) -> list[DocumentFinding]:
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
