"""Count, document by document, how far annotators agree. Nothing of the text is kept."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from reidrisk.stats.agreement import PairedDocument, Spans, cohen_kappa, fleiss_kappa, gamma
from reidrisk.stats.recall import macro_average, ratio
from reidrisk.text.conflicts import Marks, key_of
from reidrisk.text.words import WORD

ALL = ""
"""In the place of a type: all of them, the type itself being compared too."""
OUTSIDE = "outside"
Counts = Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree; `nan` where there is nothing to compare."""

    f1: float
    """Same start, end and type: the harmonic mean that does not depend on who is taken as right."""
    f1_overlap: float
    """Overlapping marks of the same type."""
    kappa: float
    """On words: Cohen's for two, Fleiss' for more annotators."""
    gamma: float
    """On spans; for more than two annotators the mean over pairs."""


class _Pair:
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
        self._pairs = {pair: _Pair() for pair in combinations(range(annotators), 2)}
        self._annotators = annotators
        self._types: dict[str, int] = {}
        self._chosen: dict[str, Counter[tuple[tuple[str, int], ...]]] = {}
        """By type: how often words were labelled in each way, labels with the number who chose them."""
        self.words = 0

    @property
    def types(self) -> list[str]:
        """Every type that anybody used."""
        return sorted(self._types)

    def add(self, text: str, marks: Sequence[Marks]) -> None:
        """Count a document."""
        for own in marks:
            for mark in own:
                self._types.setdefault(mark.type, len(self._types))
        places = [match.span() for match in WORD.finditer(text)]
        self.words += len(places)
        labels = [_labelled(own, places) for own in marks]
        self._count_choices(labels)
        spans = [Spans.of((mark.start, mark.end, self._types[mark.type]) for mark in own) for own in marks]
        for (one, two), pair in self._pairs.items():
            _count_marks(pair, marks[one], marks[two])
            _count_words(pair, labels[one], labels[two])
            pair.documents.append(PairedDocument(spans[one], spans[two], len(text)))

    def of_pair(self, one: int, two: int, kind: str, *, seed: int) -> Agreement:
        """Agreement of two annotators on a type, or on all."""
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
        """Agreement of all annotators on a type, or on all."""
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
        """Which labels each word was given by how many; words that nobody marked are counted at the end."""
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


def _labelled(marks: Marks, places: Sequence[tuple[int, int]]) -> dict[int, frozenset[str]]:
    """The types of each marked word; a word that is marked in part is marked."""
    starts, ends = [start for start, _ in places], [end for _, end in places]
    found: dict[int, frozenset[str]] = {}
    for mark in marks:
        for start, end in mark.pieces:
            for word in range(bisect_right(ends, start), bisect_left(starts, end)):
                found[word] = found.get(word, frozenset()) | {mark.type}
    return found


def _count_marks(pair: _Pair, first: Marks, second: Marks) -> None:
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


def _count_words(pair: _Pair, first: dict[int, frozenset[str]], second: dict[int, frozenset[str]]) -> None:
    for word in first.keys() | second.keys():
        one, two = first.get(word, frozenset()), second.get(word, frozenset())
        whole = "+".join(sorted(one)) or OUTSIDE, "+".join(sorted(two)) or OUTSIDE
        pair.words.setdefault(ALL, Counter())[whole] += 1
        for kind in one | two:
            said = kind if kind in one else OUTSIDE, kind if kind in two else OUTSIDE
            pair.words.setdefault(kind, Counter())[said] += 1
