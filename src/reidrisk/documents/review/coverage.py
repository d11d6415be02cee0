"""Which pages of which documents people read as a whole: a full review is a fact, not an assumption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.documents.findings.file import FindingsFile


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
