"""What pages that people read as a whole say of the detection, and how many more should be read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.core.estimate import Estimate
from reidrisk.core.wording import plural
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import CONFIDENTIAL, DocumentFinding, DocumentFindings, by_block
from reidrisk.documents.review.opinions import Rule, decided, seen_by
from reidrisk.errors import InvalidSetting
from reidrisk.stats.choices import Model
from reidrisk.stats.proportion import interval
from reidrisk.stats.sample_size import documents_assured, fewest_documents
from reidrisk.text.roles import default_roles

Page = tuple[str, str]
LEVEL = 0.95
MODEL: Model = "jeffreys_modified"


@dataclass(frozen=True, slots=True)
class ReviewCoverage:
    """How much of all documents was read."""

    documents: int
    pages: int
    """Of the documents that the review knows."""
    reviewed: int
    """Pages that somebody read as a whole."""
    missing: tuple[str, ...] = ()
    """Documents that the review does not know, or knows in another version."""

    @classmethod
    def of(cls, file: FindingsFile, wanted: Mapping[str, str]) -> ReviewCoverage:
        """Compare what was seen with all pages; `wanted` are the documents by name with their SHA-256."""
        known = {one.document: one.sha256 for one in file.documents}
        missing = tuple(sorted(name for name, digest in wanted.items() if known.get(name) != digest))
        pages = {
            (one.document, block)
            for one in file.documents
            for block in one.blocks
            if one.document not in missing
        }
        seen = {place for review in file.reviews for place in review.seen}
        return cls(len(known.keys() | wanted.keys()), len(pages), len(pages & seen), missing)

    @property
    def is_full(self) -> bool:
        """Whether every page of every document was read."""
        return not self.missing and 0 < self.pages == self.reviewed

    def sentence(self) -> str:
        """What was read."""
        read = f"{self.reviewed:,} of {plural(self.pages, 'page')} in the review file were read completely"
        if self.missing:
            lacks = "is" if len(self.missing) == 1 else "are"
            read += f"; {', '.join(self.missing)} {lacks} not in it, or changed since"
        return read

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {**asdict(self), "missing": list(self.missing), "full": self.is_full}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> ReviewCoverage:
        """What `to_dict` wrote."""
        numbers = {name: given[name] for name in ("documents", "pages", "reviewed")}
        return cls(**numbers, missing=tuple(given["missing"]))


def draw_pages(documents: Sequence[DocumentFindings], number: int, *, seed: int) -> tuple[Page, ...]:
    """So many pages, in the order of the documents; more of them hold the fewer."""
    every = [(one.document, block) for one in documents for block in one.blocks]
    if number < 1:
        raise InvalidSetting(f"{number} pages cannot be drawn.", hint="Draw at least one.")
    chosen = set(sorted(every, key=lambda page: _rank(page, seed))[:number])
    return tuple(page for page in every if page in chosen)


def _rank(page: Page, seed: int) -> bytes:
    text = "\0".join((str(seed), *page))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()


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
        every, left = by_block(before.findings), by_block(after.findings)
        for page in pages:
            found, gold = every.get(page, []), left.get(page, [])
            missed = False
            for one in gold:
                if not one.is_personal:
                    continue
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
    """Direct or quasi; a type that nobody knows counts as direct, and what is confidential as none."""
    if kind.upper() == CONFIDENTIAL:
        return "confidential"
    return default_roles().get(kind.upper(), (None, ""))[0] or "direct"


def _meets(one: DocumentFinding, other: DocumentFinding) -> bool:
    return one.start < other.end and other.start < one.end
