"""How far annotators agree: the result, and the counts it is computed from. No text is kept."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.stats.agreement import PairedDocument, Spans, cohen_kappa, fleiss_kappa, gamma
from reidrisk.stats.recall import macro_average, ratio
from reidrisk.text.conflicts import KINDS, Conflict, Marks, key_of, write_conflicts
from reidrisk.text.corpus import Corpus
from reidrisk.text.evidence import number_or_none
from reidrisk.text.formats.jsonl import write_jsonl
from reidrisk.text.matching import WORD

ALL = ""
"""Used instead of a type: all types together, where the types are compared too."""
OUTSIDE = "outside"
Counts = Counter[tuple[str, str]]


DEFINITIONS = {
    "f1": "pairwise, same start, end and type; Hripcsak and Rothschild 2005, doi:10.1197/jamia.M1733",
    "f1_overlap": "pairwise, overlapping marks of the same type",
    "kappa": "on words; two annotators: Cohen 1960, doi:10.1177/001316446002000104; more: Fleiss 1971, "
    "doi:10.1037/h0031619",
    "gamma": "on spans, after Mathet, Widlöcher and Métivier 2015, doi:10.1162/COLI_a_00227; mean over "
    "pairs; position, category and missing spans have equal weight",
}


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """The agreement of two annotators."""

    a: str
    b: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """The agreement of all annotators on one type."""

    type: str
    agreement: Agreement
    conflicts: int
    """Conflicts in which anybody used the type."""


@dataclass(frozen=True)
class TextAgreement(Result):
    """How far annotators agree, and the merged gold standard."""

    _main_table = "by_type"
    annotators: tuple[tuple[str, int], ...]
    """Names, and the number of marks of each."""
    documents: int
    """Documents that everybody annotated; agreement is measured on these."""
    all_documents: int
    words: int
    overall: Agreement
    pairs: tuple[PairAgreement, ...]
    by_type: tuple[TypeAgreement, ...]
    agreed: int
    """Places that everybody marked in the same way."""
    conflicts: tuple[Conflict, ...] = field(repr=False)
    gold: Corpus = field(repr=False)
    inputs: tuple[tuple[str, Any], ...]
    seed: int
    misaligned: tuple[int, int] = (0, 0)
    """Annotations that did not fit the text: skipped, and moved."""

    @property
    def acceptable(self) -> bool:
        """Whether no conflict is open. This says nothing about risk."""
        return self.open == 0

    @property
    def open(self) -> int:
        """Conflicts that neither the rule nor a decision resolved; to be careful, they are marked."""
        return sum(conflict.settled == "open" for conflict in self.conflicts)

    def write_gold(self, path: str | Path) -> None:
        """Write the merged gold standard as JSON lines."""
        write_jsonl(self.gold, Path(path))

    def write_conflicts(self, path: str | Path, *, show_text: bool = False) -> None:
        """Write the conflicts as CSV with a column for decisions; the text only with `show_text`."""
        write_conflicts(self.conflicts, [name for name, _ in self.annotators], path, show_text=show_text)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no text, no ids."""
        kinds = Counter(conflict.kind for conflict in self.conflicts)
        settled = Counter(conflict.settled for conflict in self.conflicts)
        findings = self._findings()
        return {
            "kind": "text_agreement",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.inputs),
            "seed": self.seed,
            "versions": versions(),
            "definitions": DEFINITIONS,
            "reasons": texts(findings),
            "holds": holds(findings),
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

    def _findings(self) -> list[Reason]:
        every = self.agreed + len(self.conflicts)
        counts = (
            f"Everybody marked {self.agreed:,} of {plural(every, 'place')} in the same way; "
            f"{len(self.conflicts):,} are in conflict."
        )
        found = [Reason(counts, None)]
        if self.open:
            ties = (
                f"{plural(self.open, 'conflict')} {'is' if self.open == 1 else 'are'} open: a tie that "
                "people must resolve. There, the merged gold standard marks whatever anybody marked."
            )
            found.append(Reason(ties, holds=False))
        return found

    def _warnings(self) -> list[str]:
        found = []
        if any(self.misaligned):
            skipped, moved = self.misaligned
            found.append(
                f"{plural(skipped + moved, 'annotation')} did not fit the text: {skipped:,} skipped, "
                f"{moved:,} moved. A skipped one is in nobody's work; the others' marks there are a conflict."
            )
        if self.all_documents > self.documents:
            found.append(
                f"{plural(self.all_documents - self.documents, 'document')} were not annotated by everybody: "
                "agreement is not measured on them, and the gold standard takes them from whoever has them."
            )
        if any(mark.entity is not None for one in self.gold for mark in one.annotations):
            found.append("Entity ids come from the first annotator; marks of other annotators have none.")
        return found


def _row(agreement: Agreement) -> dict[str, float | None]:
    return {name: number_or_none(value) for name, value in asdict(agreement).items()}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree; `nan` where there is nothing to compare."""

    f1: float
    """Same start, end and type; does not depend on which annotator is taken as correct."""
    f1_overlap: float
    """Overlapping marks of the same type."""
    kappa: float
    """On words: Cohen's kappa for two annotators, Fleiss' kappa for more."""
    gamma: float
    """On spans; for more than two annotators the mean over pairs."""


class _PairCounts:
    """The running counts of two annotators."""

    def __init__(self) -> None:
        self.marked: Counter[str] = Counter()
        self.exact: Counter[str] = Counter()
        self.overlapping: Counter[str] = Counter()
        self.words: dict[str, Counts] = {}
        self.documents: list[PairedDocument] = []


class AgreementTally:
    """Takes documents that every annotator has, one at a time."""

    def __init__(self, annotators: int) -> None:
        self._pairs = {pair: _PairCounts() for pair in combinations(range(annotators), 2)}
        self._annotators = annotators
        self._types: dict[str, int] = {}
        self._chosen: dict[str, Counter[tuple[tuple[str, int], ...]]] = {}
        """By type: how often each combination of labels and numbers of annotators occurred."""
        self.words = 0

    @property
    def types(self) -> list[str]:
        """Every type that anybody used, sorted."""
        return sorted(self._types)

    def add(self, text: str, marks: Sequence[Marks]) -> None:
        """Count a document."""
        for own in marks:
            for mark in own:
                self._types.setdefault(mark.type, len(self._types))
        places = [match.span() for match in WORD.finditer(text)]
        self.words += len(places)
        labels = [_labels_of_words(own, places) for own in marks]
        self._count_choices(labels)
        spans = [Spans.of((mark.start, mark.end, self._types[mark.type]) for mark in own) for own in marks]
        for (one, two), pair in self._pairs.items():
            _count_marks(pair, marks[one], marks[two])
            _count_words(pair, labels[one], labels[two])
            pair.documents.append(PairedDocument(spans[one], spans[two], len(text)))

    def of_pair(self, one: int, two: int, kind: str, *, seed: int) -> Agreement:
        """Agreement of two annotators on one type, or on all types."""
        pair = self._pairs[one, two]
        words = Counter(pair.words.get(kind, {}))
        words[OUTSIDE, OUTSIDE] += self.words - words.total()
        spans = pair.documents if kind == ALL else self._only(pair.documents, kind)
        return Agreement(
            f1=ratio(2 * pair.exact[kind], pair.marked[kind]),
            f1_overlap=ratio(pair.overlapping[kind], pair.marked[kind]),
            kappa=cohen_kappa(words),
            gamma=gamma(spans, rng=np.random.default_rng(seed)),
        )

    def of_all(self, kind: str, *, seed: int) -> Agreement:
        """Agreement of all annotators on one type, or on all types."""
        found = [self.of_pair(one, two, kind, seed=seed) for one, two in self._pairs]
        if len(found) == 1:
            return found[0]
        return Agreement(
            f1=macro_average([one.f1 for one in found])[0],
            f1_overlap=macro_average([one.f1_overlap for one in found])[0],
            kappa=self._fleiss(kind),
            gamma=macro_average([one.gamma for one in found])[0],
        )

    def _only(self, documents: list[PairedDocument], kind: str) -> list[PairedDocument]:
        own = self._types[kind]
        return [PairedDocument(one.first.only(own), one.second.only(own), one.length) for one in documents]

    def _count_choices(self, labels: Sequence[dict[int, frozenset[str]]]) -> None:
        """Count the labels of each marked word; words that nobody marked are added at the end."""
        for word in set().union(*labels):
            given = [own.get(word, frozenset()) for own in labels]
            whole = Counter("+".join(sorted(kinds)) or OUTSIDE for kinds in given)
            self._chosen.setdefault(ALL, Counter())[tuple(sorted(whole.items()))] += 1
            for kind in frozenset().union(*given):
                by = sum(kind in kinds for kinds in given)
                row = ((kind, by), (OUTSIDE, self._annotators - by))
                self._chosen.setdefault(kind, Counter())[row] += 1

    def _fleiss(self, kind: str) -> float:
        rows = Counter(self._chosen.get(kind, {}))
        rows[((OUTSIDE, self._annotators),)] += self.words - rows.total()
        names = sorted({name for row in rows for name, _ in row})
        table = [[dict(row).get(name, 0) for name in names] for row in rows]
        return fleiss_kappa(table, list(rows.values()))


def _labels_of_words(marks: Marks, places: Sequence[tuple[int, int]]) -> dict[int, frozenset[str]]:
    """The types of each marked word; a partly marked word counts as marked."""
    starts, ends = [start for start, _ in places], [end for _, end in places]
    found: dict[int, frozenset[str]] = {}
    for mark in marks:
        for start, end in mark.pieces:
            for word in range(bisect_right(ends, start), bisect_left(starts, end)):
                found[word] = found.get(word, frozenset()) | {mark.type}
    return found


def _count_marks(pair: _PairCounts, first: Marks, second: Marks) -> None:
    for own in (first, second):
        pair.marked.update(mark.type for mark in own)
        pair.marked[ALL] += len(own)
    same = {key_of(mark) for mark in first} & {key_of(mark) for mark in second}
    pair.exact.update(key[3] for key in same)
    pair.exact[ALL] += len(same)
    for own, others in ((first, second), (second, first)):
        for mark in own:
            if any(mark.type == one.type and mark.start < one.end and one.start < mark.end for one in others):
                pair.overlapping[mark.type] += 1
                pair.overlapping[ALL] += 1


def _count_words(
    pair: _PairCounts, first: dict[int, frozenset[str]], second: dict[int, frozenset[str]]
) -> None:
    for word in first.keys() | second.keys():
        one, two = first.get(word, frozenset()), second.get(word, frozenset())
        whole = "+".join(sorted(one)) or OUTSIDE, "+".join(sorted(two)) or OUTSIDE
        pair.words.setdefault(ALL, Counter())[whole] += 1
        for kind in one | two:
            pair_of_labels = kind if kind in one else OUTSIDE, kind if kind in two else OUTSIDE
            pair.words.setdefault(kind, Counter())[pair_of_labels] += 1
