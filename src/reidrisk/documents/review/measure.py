"""What pages that people read as a whole say of the detection, and how many more should be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reidrisk.core.estimate import Estimate
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.review.decided import Rule, decided
from reidrisk.documents.review.opinions import seen_by
from reidrisk.errors import InvalidSetting
from reidrisk.stats.choices import Model
from reidrisk.stats.proportion import interval
from reidrisk.stats.sample_size import documents_assured, fewest_documents
from reidrisk.text.roles import default_roles

LEVEL = 0.95
MODEL: Model = "jeffreys_modified"


@dataclass(frozen=True, slots=True)
class WantedRecall:
    """What the reviewed pages should show: so many pages in a hundred lose nothing that identifies."""

    recall: float = 0.95
    """The lower limit to be shown of the share of pages on which everything was found."""
    expected: float = 0.99
    """The share that is expected."""
    assurance: float = 0.8
    """The chance of showing it, if the share is as expected."""

    def __post_init__(self) -> None:
        for name in ("recall", "expected", "assurance"):
            if not 0 < getattr(self, name) <= 1 or (name != "expected" and getattr(self, name) == 1):
                raise InvalidSetting(
                    f"The {name} of a review is a share below 1, not {getattr(self, name)}.",
                    hint="For example a recall of 0.95 where 0.99 is expected, with an assurance of 0.8.",
                )


@dataclass(frozen=True, slots=True)
class PagesNeeded:
    """How many pages must be read to show a recall."""

    wanted: WantedRecall
    none_missed: int | None
    """If nothing that was missed is found on them."""
    assured: int | None
    """For the chance that is wanted; None if no number suffices."""
    as_seen: int | None
    """If no further page with a miss is found beside those already seen."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found and missed on pages read as a whole."""

    pages: int
    missing: int
    """Pages on which something was missed."""
    identifiers: int
    found: int
    wrong: int
    """Findings that reviewers rejected there."""
    by_role: tuple[tuple[str, int, int], ...]
    """Role, identifiers, found."""

    @property
    def recall(self) -> Estimate | None:
        """The share of identifiers that were found, on all these pages together."""
        return share(self.found, self.identifiers)

    @property
    def page_recall(self) -> Estimate | None:
        """The share of pages on which nothing was missed."""
        return share(self.pages - self.missing, self.pages)

    @property
    def precision(self) -> Estimate | None:
        """The share of findings that are identifiers."""
        return share(self.found, self.found + self.wrong)


def share(successes: int, trials: int) -> Estimate | None:
    """A share with its interval (Jeffreys', exact at the ends); None of nothing."""
    if not trials:
        return None
    low, high = interval(successes, trials, method="jeffreys_modified", level=LEVEL)
    return Estimate(successes / trials, low, high, LEVEL)


def pages_needed(wanted: WantedRecall, measured: Measured) -> PagesNeeded:
    """How many pages show the wanted recall, as exact binomial limits say."""
    upper, level = 1 - wanted.recall, (1 + LEVEL) / 2
    return PagesNeeded(
        wanted,
        fewest_documents(0, upper=upper, level=level, model=MODEL),
        documents_assured(
            recall=wanted.expected, upper=upper, assurance=wanted.assurance, level=level, model=MODEL
        ),
        fewest_documents(measured.missing, upper=upper, level=level, model=MODEL),
    )


def measure(file: FindingsFile, *, rule: Rule = "careful") -> Measured:
    """Compare what was found with what reviewers left, on the pages that they read as a whole."""
    counts = _Counts()
    for document in file.documents:
        pages = set().union(*seen_by(file.reviews, document.document).values(), set())
        if pages:
            counts.add(document, decided(document, file.reviews, rule=rule), pages)
    return counts.measured()


class _Counts:
    def __init__(self) -> None:
        self.pages = self.missing = self.wrong = 0
        self.roles: dict[str, list[int]] = {}

    def add(self, before: DocumentFindings, after: DocumentFindings, pages: Iterable[str]) -> None:
        """One document."""
        for page in pages:
            found = [one for one in before.findings if one.block == page]
            gold = [one for one in after.findings if one.block == page]
            missed = False
            for one in gold:
                caught = covered(one, found)
                missed |= not caught
                tally = self.roles.setdefault(role_of(one.type), [0, 0])
                tally[0] += 1
                tally[1] += caught
            self.pages += 1
            self.missing += missed
            self.wrong += sum(not any(_meets(one, other) for other in gold) for one in found)

    def measured(self) -> Measured:
        """The figures."""
        rows = tuple((role, tally[0], tally[1]) for role, tally in sorted(self.roles.items()))
        return Measured(
            self.pages,
            self.missing,
            sum(identifiers for _, identifiers, _ in rows),
            sum(found for _, _, found in rows),
            self.wrong,
            rows,
        )


def covered(one: DocumentFinding, found: Sequence[DocumentFinding]) -> bool:
    """Whether findings cover a place from start to end."""
    at = one.start
    for other in sorted(found, key=lambda other: other.start):
        if other.start <= at < other.end:
            at = other.end
    return at >= one.end


def role_of(kind: str) -> str:
    """Direct or quasi; a type that nobody knows counts as direct."""
    return default_roles().get(kind.upper(), (None, ""))[0] or "direct"


def _meets(one: DocumentFinding, other: DocumentFinding) -> bool:
    return one.start < other.end and other.start < one.end
