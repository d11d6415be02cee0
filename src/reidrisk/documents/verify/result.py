"""What a search of a document for values found: where, and which by its number; never the value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.documents.proof.prove import Proof
from reidrisk.documents.verify.covered import Covered


@dataclass(frozen=True)
class DocumentProof(Result):
    """Whether a document is free of values."""

    document: str
    sha256: str
    proof: Proof
    skipped: int
    """Cells of a table that were too short to tell anything."""
    covered: tuple[Covered, ...]
    readers: tuple[str, ...]
    settings: Mapping[str, Any]

    @property
    def acceptable(self) -> bool:
        """Whether none of the values is there."""
        return self.proof.holds

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: numbers of values, never values."""
        places = Counter(hit.value for hit in self.proof.hits)
        return {
            "kind": "document_proof",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.settings),
            "seed": None,
            "versions": versions(),
            "document": self.document,
            "sha256": self.sha256,
            "reasons": self._reasons(),
            "warnings": self._warnings(),
            "holds": self.proof.holds,
            "values": self.proof.values,
            "values_found": len(places),
            "values_skipped": self.skipped,
            "places": self.proof.places,
            "readers": list(self.readers),
            "hits": [{"value": hit.value, "where": hit.where} for hit in self.proof.hits],
            "covered": [{"page": one.page, "words": one.words} for one in self.covered],
        }

    def _reasons(self) -> list[str]:
        searched = f"{plural(self.proof.places, 'place')} of the file"
        if self.proof.holds:
            return [f"None of {plural(self.proof.values, 'value')} was found in {searched}."]
        found = len({hit.value for hit in self.proof.hits})
        return [f"{found:,} of {plural(self.proof.values, 'value')} found in {searched}."]

    def _warnings(self) -> list[str]:
        said = []
        if self.covered:
            words = sum(one.words for one in self.covered)
            pages = ", ".join(str(one.page) for one in self.covered[:10])
            more = ", …" if len(self.covered) > 10 else ""
            said.append(
                f"{plural(words, 'word')} can still be read under boxes that were drawn over them, on "
                f"page {pages}{more}: covered is not removed."
            )
        if self.skipped:
            said.append(
                f"{plural(self.skipped, 'value')} of fewer than 3 characters in the table "
                f"{'was' if self.skipped == 1 else 'were'} not searched: they stand in every document."
            )
        return said
