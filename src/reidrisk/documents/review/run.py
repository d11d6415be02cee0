"""Review findings: take in decisions, and say what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.findings.review import Review
from reidrisk.documents.review.agreement import agreement, pairs
from reidrisk.documents.review.decided import Rule, check_rule, settled
from reidrisk.documents.review.journal import together
from reidrisk.documents.review.measure import WantedRecall, measure, pages_needed
from reidrisk.documents.review.opinions import judged, reviewers
from reidrisk.documents.review.result import DocumentReview, JudgedPlace
from reidrisk.documents.review.sample import draw_pages
from reidrisk.errors import InvalidSetting

ENOUGH = "enough"


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
