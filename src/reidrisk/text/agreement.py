"""The result of comparing annotators: agreement, conflicts and the merged gold standard."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.text.agreement_tally import Agreement
from reidrisk.text.conflicts import KINDS, Conflict, write_conflicts
from reidrisk.text.corpus import Corpus
from reidrisk.text.formats.jsonl import write_jsonl
from reidrisk.text.rows import number

DEFINITIONS = {
    "f1": "pairwise, same start, end and type; Hripcsak and Rothschild 2005, doi:10.1197/jamia.M1733",
    "f1_overlap": "pairwise, overlapping marks of the same type",
    "kappa": "on words; two annotators: Cohen 1960, doi:10.1177/001316446002000104; more: Fleiss 1971, "
    "doi:10.1037/h0031619",
    "gamma": "on spans, after Mathet, Widlöcher and Métivier 2015, doi:10.1162/COLI_a_00227; mean over "
    "pairs, position, category and missing spans weighted alike",
}


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators."""

    a: str
    b: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """All annotators on one type."""

    type: str
    agreement: Agreement
    conflicts: int
    """Places in conflict at which anybody used the type."""


@dataclass(frozen=True)
class TextAgreement(Result):
    """How far annotators agree, and the gold standard that follows."""

    annotators: tuple[tuple[str, int], ...]
    """Names, and how many marks each made."""
    documents: int
    """Annotated by everybody: agreement is measured on these."""
    all_documents: int
    words: int
    overall: Agreement
    pairs: tuple[PairAgreement, ...]
    by_type: tuple[TypeAgreement, ...]
    agreed: int
    """Places that all marked alike."""
    conflicts: tuple[Conflict, ...] = field(repr=False)
    gold: Corpus = field(repr=False)
    inputs: tuple[tuple[str, str], ...]
    seed: int

    @property
    def acceptable(self) -> bool:
        """Whether no conflict is left open; no statement about any risk."""
        return self.open == 0

    @property
    def open(self) -> int:
        """Conflicts that neither the rule nor a decision settled; they are marked, to be careful."""
        return sum(conflict.settled == "open" for conflict in self.conflicts)

    def write_gold(self, path: str | Path) -> None:
        """The merged gold standard as JSON lines."""
        write_jsonl(self.gold, Path(path))

    def write_conflicts(self, path: str | Path, *, show_text: bool = False) -> None:
        """The conflicts as CSV with a column for decisions; the text itself only if asked for."""
        write_conflicts(self.conflicts, [name for name, _ in self.annotators], path, show_text=show_text)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no text, no ids."""
        kinds = Counter(conflict.kind for conflict in self.conflicts)
        settled = Counter(conflict.settled for conflict in self.conflicts)
        return {
            "kind": "text_agreement",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.inputs),
            "seed": self.seed,
            "versions": versions(),
            "definitions": DEFINITIONS,
            "reasons": self._reasons(),
            "warnings": self._warnings(),
            "annotators": [{"name": name, "annotations": marks} for name, marks in self.annotators],
            "documents": self.documents,
            "all_documents": self.all_documents,
            "words": self.words,
            "overall": _row(self.overall),
            "pairs": [{"a": one.a, "b": one.b, **_row(one.agreement)} for one in self.pairs],
            "by_type": [
                {"type": one.type, **_row(one.agreement), "conflicts": one.conflicts} for one in self.by_type
            ],
            "places": {"agreed": self.agreed, "in_conflict": len(self.conflicts)},
            "conflicts": {kind: kinds[kind] for kind in KINDS if kinds[kind]},
            "settled": dict(sorted(settled.items())),
            "merged": {"annotations": sum(len(one.annotations) for one in self.gold)},
        }

    def _reasons(self) -> list[str]:
        every = self.agreed + len(self.conflicts)
        found = [
            f"{self.agreed:,} of {plural(every, 'place')} were marked alike by everybody, "
            f"{len(self.conflicts):,} are in conflict."
        ]
        if self.open:
            found.append(
                f"{plural(self.open, 'conflict')} {'is' if self.open == 1 else 'are'} open: a tie that "
                "people must settle. In the merged gold standard whatever anybody marked there is marked."
            )
        return found

    def _warnings(self) -> list[str]:
        found = []
        if self.all_documents > self.documents:
            found.append(
                f"{plural(self.all_documents - self.documents, 'document')} were not annotated by everybody: "
                "agreement is not measured there, and the gold standard takes them from those who have them."
            )
        if any(mark.entity is not None for one in self.gold for mark in one.annotations):
            found.append("Entity ids are those of the first annotator; marks of others have none.")
        return found


def _row(agreement: Agreement) -> dict[str, float | None]:
    return {name: number(value) for name, value in asdict(agreement).items()}
