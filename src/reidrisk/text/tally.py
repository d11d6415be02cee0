"""Count, document by document, what the tool caught and what leaked. No text is kept."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from reidrisk.core.user_pattern import UserPattern
from reidrisk.core.wording import plural
from reidrisk.errors import BadData, MisalignedOffsets, NothingToMeasure, UnknownType
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.text.corpus import Annotation, Document, MisalignedMark, Role
from reidrisk.text.evidence import Evidence, Kind, LabelEvidence, LeakedValues, TypeEvidence, TypeMapping
from reidrisk.text.grouping import Grouping, folder_of, stem_of
from reidrisk.text.matching import (
    IgnoredWords,
    Mask,
    MasksByLabel,
    Places,
    WordCounter,
    masked_among,
    masked_words,
)
from reidrisk.text.roles import TypeMap
from reidrisk.text.settings import TextSettings
from reidrisk.text.values import normalize

DOCUMENT_COLUMNS = ("direct_leaks", "values", "leaked_values", "instances", "caught")
"""Fields of `Evidence` with one number per document."""


@dataclass(frozen=True, slots=True)
class Counting:
    """The rules by which documents are counted."""

    types: TypeMap = field(default_factory=TypeMap)
    ignored: IgnoredWords = field(default_factory=IgnoredWords.default)
    patient: UserPattern | None = None
    """Searched in document ids; documents with the same first group, or the same match, are one patient."""
    by: Grouping | None = None
    """Groups of documents that are also counted separately."""
    cluster: Grouping | None = None
    """Documents of one author, template or source, which leak alike."""
    split_patients: UserPattern | None = None
    """Searched in texts; each match begins the part about another patient, which counts as a document."""

    @classmethod
    def choose(
        cls,
        *,
        types: str | None = None,
        ignore_words: str = "default",
        patient: str | None = None,
        by: str | None = None,
        cluster: str | None = None,
        split_patients: str | None = None,
    ) -> Counting:
        """From command-line text: a types file or list, a word list, regular expressions, two groupings."""
        pattern = _compiled(
            "patient", patient, "For ids such as 110-02 with the patient before the dash: --patient '^(.+)-'"
        )
        start = "For texts in which each patient begins with a line such as Patient: 12: '^Patient: '"
        split = _compiled("split_patients", split_patients, start, multiline=True)
        grouping = None if by is None else Grouping.parse(by)
        clusters = None if cluster is None else Grouping.parse_cluster(cluster)
        return cls(
            TypeMap.choose(types), IgnoredWords.choose(ignore_words), pattern, grouping, clusters, split
        )


def _compiled(name: str, text: str | None, hint: str, *, multiline: bool = False) -> UserPattern | None:
    return None if text is None else UserPattern(text, f"The {name} pattern", hint, multiline)


DocumentLabels = tuple[str | None, str, str, str | None]
"""Cluster, folder, id without its number, and stratum of a document."""


class GroupLabels:
    """To which cluster, likely cluster and stratum each document belongs. Names of clusters are not kept."""

    def __init__(self, counting: Counting, settings: TextSettings) -> None:
        self._cluster = counting.cluster
        self._strata = None if settings.strata is None else Grouping.parse(settings.strata)
        self._numbers: tuple[dict[str, int], ...] = ({}, {}, {}, {})
        self._columns = tuple(array("q") for _ in range(4))
        self._missing = 0
        self._overlaps = 0

    def of(self, document: Document) -> DocumentLabels:
        """The labels of a document, as they are read."""
        cluster = None if self._cluster is None else self._cluster.key_of(document)
        stratum = None if self._strata is None else self._strata.of(document)
        return cluster, folder_of(document), stem_of(document.id), stratum

    def add(self, labels: DocumentLabels, clusters: Sequence[str | None] = ()) -> None:
        """Note the labels of a document, or of a patient's first one, with the clusters of all of them."""
        cluster, *rest = labels
        self._overlaps += sum(other != cluster for other in clusters)
        if self._cluster is not None and cluster is None:
            self._missing += 1
            cluster = f"\x00{self._missing}"  # a cluster of its own
        for numbers, column, name in zip(self._numbers, self._columns, (cluster, *rest), strict=True):
            column.append(numbers.setdefault(name or "", len(numbers)))

    def state(self) -> dict[str, Any]:
        """The labels so far, to be added to those of other documents."""
        names = [list(numbers) for numbers in self._numbers]
        return {"names": names, "columns": self._columns, "overlaps": self._overlaps}

    def add_state(self, other: dict[str, Any]) -> None:
        """Add the labels of other documents."""
        self._overlaps += other["overlaps"]
        for at, (names, column) in enumerate(zip(other["names"], other["columns"], strict=True)):
            places = [self._place(at, name) for name in names]
            self._columns[at].extend(places[number] for number in column)

    def _place(self, at: int, name: str) -> int:
        if at == 0 and name.startswith("\x00"):
            self._missing += 1
            name = f"\x00{self._missing}"
        numbers = self._numbers[at]
        return numbers.setdefault(name, len(numbers))

    def finish(self) -> dict[str, Any]:
        """The fields of `Evidence`."""
        clusters, folders, stems, strata = (_ints(column) for column in self._columns)
        found: dict[str, Any] = {}
        if self._cluster is not None:
            found["clusters"] = clusters
            gaps = {"without_cluster": self._missing, "in_other_cluster": self._overlaps}
            found["cluster_gaps"] = {name: number for name, number in gaps.items() if number}
        else:
            likely = (one for one in (folders, stems) if _may_be_clusters(one))
            found["likely_clusters"] = next(likely, None)
        if self._strata is not None:
            names = sorted(self._numbers[3])
            place = np.array([names.index(name) for name in self._numbers[3]], dtype=np.int64)
            found |= {"strata": place[strata], "strata_names": tuple(names)}
        return found


def _may_be_clusters(groups: Ints) -> bool:
    """Whether there are at least two groups, and on average at least two documents in each."""
    return bool(groups.size) and 2 <= int(groups.max()) + 1 <= groups.size / 2


class _PatientCounts:
    """The running counts of one patient."""

    __slots__ = ("clusters", "kinds", "labels", "values")

    def __init__(self, labels: DocumentLabels) -> None:
        self.labels = labels
        self.clusters: list[str | None] = []
        """The cluster of each document, if several documents are one patient."""
        self.kinds: dict[Kind, list[int]] = {}
        """Instances, leaked instances, words, masked words, instances caught except for ignored words."""
        self.values: dict[tuple[str, str], list[int]] = {}
        """Instances and leaked instances of each distinct quasi-identifier value."""


class _TypeUse:
    """How annotations of one type and role are counted, and how many there were."""

    __slots__ = ("kind", "mapping", "times")

    def __init__(self, mark: Annotation, types: TypeMap) -> None:
        role, source = types.role(mark)
        counted_as = types.counted_as(mark.type)
        self.mapping = TypeMapping(mark.type, counted_as, role, source) if role else None
        self.kind: Kind | None = (counted_as, role) if role and role != "ignored" else None
        self.times = 0


class EvidenceTally:
    """Takes documents one at a time, and turns the counts into evidence."""

    def __init__(self, counting: Counting, settings: TextSettings) -> None:
        self._counting = counting
        # Millions of annotations have few labels.
        self._stands_for = cache(counting.types.label_stands_for)
        self._compared_as = cache(counting.types.compared_as)
        self._same_label = settings.label == "same_label"
        # Entity ids are unique within a document only: for merged patients the text decides.
        self._by_entity = settings.distinct == "entity" and counting.patient is None
        self._date_order = settings.date_order
        self._words = WordCounter(counting.ignored)
        self._labels = LabelTally(self._words)
        self._open: dict[str, _PatientCounts] = {}
        self._mapped: dict[tuple[str, Role | None], _TypeUse] = {}
        self._unknown: Counter[str] = Counter()
        self._totals: dict[Kind, list[int]] = {}
        self._direct = (array("q"), array("q"), array("q"))
        self._direct_types: dict[str, int] = {}
        self._columns = {name: array("q") for name in DOCUMENT_COLUMNS}
        self._repeats = array("q")
        self._leaked = (array("q"), array("q"), array("q"))
        self._quasi_types: dict[str, int] = {}
        self._groups = GroupLabels(counting, settings)
        self._seen = 0
        self._content: Any = hashlib.sha256()
        self._notes: Counter[str] = Counter()

    def add(
        self, gold: Document, marks: tuple[Annotation, ...], lost: tuple[MisalignedMark, ...] = ()
    ) -> None:
        """Count one document against what the tool marked in it.

        `lost` are annotations of the tool that mask nothing, because they do not fit the text.
        """
        if gold.text is None:
            raise BadData(
                f"{gold.where}, has no text.",
                hint="The gold standard needs the texts: words are compared, not only offsets.",
            )
        check_gold(gold, gold.text)
        check_marks(gold, gold.text, marks)
        self._seen += 1
        self._note_content(gold, gold.text)
        self._notes.update(gold.notes)
        unit = self._unit(gold)
        counted = [(mark, kind) for mark in gold.annotations if (kind := self._kind(mark)) is not None]
        self._match(unit, gold.text, counted, marks)
        self._count_skipped(unit, gold)
        self._labels.add_lost(lost, self._counting.types)
        if self._counting.patient is None:
            self._close(unit)

    def state(self, hide: Callable[[str], str]) -> dict[str, Any]:
        """What was counted so far, to be added to the counts of other documents; `hide` replaces values."""
        return {
            "mapped": [(key, use.times) for key, use in self._mapped.items()],
            "unknown": self._unknown,
            "totals": self._totals,
            "direct": (list(self._direct_types), self._direct),
            "leaked": (list(self._quasi_types), self._leaked),
            "columns": self._columns,
            "repeats": self._repeats,
            "seen": self._seen,
            "notes": self._notes,
            "groups": self._groups.state(),
            "labels": self._labels.state(),
            "open": [
                (
                    patient,
                    (unit.labels, unit.clusters, unit.kinds),
                    [(kind, hide(value), times) for (kind, value), times in unit.values.items()],
                )
                for patient, unit in self._open.items()
            ],
        }

    def add_state(self, other: dict[str, Any]) -> None:
        """Add the counts of other documents, which come after those added so far."""
        self._content = None
        for key, times in other["mapped"]:
            if key not in self._mapped:
                self._mapped[key] = _TypeUse(Annotation(0, 1, *key), self._counting.types)
            self._mapped[key].times += times
        self._unknown.update(other["unknown"])
        for kind, counts in other["totals"].items():
            _add_to(self._totals.setdefault(kind, [0] * 8), counts)
        before = len(self._columns["values"])
        types, (documents, columns, leaked) = other["direct"]
        places = [self._direct_types.setdefault(name, len(self._direct_types)) for name in types]
        _extend(self._direct, documents, columns, leaked, before=before, places=places)
        types, (documents, columns, leaked) = other["leaked"]
        places = [self._quasi_types.setdefault(name, len(self._quasi_types)) for name in types]
        _extend(self._leaked, documents, columns, leaked, before=before, places=places)
        for name, column in other["columns"].items():
            self._columns[name].extend(column)
        self._repeats.extend(other["repeats"])
        self._seen += other["seen"]
        self._notes.update(other["notes"])
        self._groups.add_state(other["groups"])
        self._labels.add_state(other["labels"])
        for patient, (labels, clusters, kinds), values in other["open"]:
            unit = self._open.setdefault(patient, _PatientCounts(labels))
            unit.clusters += clusters
            for kind, counts in kinds.items():
                _add_to(unit.kinds.setdefault(kind, [0] * 5), counts)
            for kind, value, times in values:
                _add_to(unit.values.setdefault((kind, value), [0, 0]), times)

    def finish(self) -> Evidence:
        """The evidence of all documents added."""
        for unit in self._open.values():
            self._close(unit)
        self._open.clear()
        self._check_usable()
        holds, leaks = self._direct_matrices()
        return Evidence(
            types=tuple(_type_evidence(kind, counts) for kind, counts in sorted(self._totals.items())),
            mapping=tuple(sorted((one.mapping, one.times) for one in self._mapped.values() if one.mapping)),
            labels=self._labels.finish(),
            direct_types=tuple(self._direct_types),
            holds=holds,
            leaks=leaks,
            direct_leaks=_ints(self._columns["direct_leaks"]),
            values=_ints(self._columns["values"]),
            leaked_values=_ints(self._columns["leaked_values"]),
            instances=_ints(self._columns["instances"]),
            caught=_ints(self._columns["caught"]),
            repeats=_ints(self._repeats),
            masked_words=self._labels.masked_words,
            masked_identifier_words=self._labels.masked_identifier_words,
            records=self._seen,
            notes=tuple(
                f"{note} ({plural(times, 'document')})" for note, times in sorted(self._notes.items())
            ),
            absent=self._absent(),
            leaked=LeakedValues(tuple(self._quasi_types), *(_ints(store) for store in self._leaked)),
            gold=None if self._content is None else self._content.hexdigest(),
            **self._groups.finish(),
        )

    def _note_content(self, gold: Document, text: str) -> None:
        """Add a document to the hash of the gold standard; lengths keep neighbors apart."""
        marks = [(one.start, one.end, one.type, one.role, one.fragments) for one in gold.annotations]
        for part in (gold.id, text, repr(marks)):
            content = part.encode("utf-8", "surrogatepass")
            self._content.update(b"%d:" % len(content))
            self._content.update(content)

    def _unit(self, gold: Document) -> _PatientCounts:
        pattern = self._counting.patient
        labels = self._groups.of(gold)
        if pattern is None:
            return _PatientCounts(labels)
        patient = pattern.first(gold.id)
        if patient is None:
            raise BadData(
                f"The patient pattern does not fit {gold.shown} of the gold standard.",
                hint="It is searched in every document id; its first group, or all of it, is the patient.",
            )
        unit = self._open.setdefault(patient, _PatientCounts(labels))
        unit.clusters.append(labels[0])
        return unit

    def _kind(self, mark: Annotation) -> Kind | None:
        """The type and role that an annotation counts as; None if it does not count."""
        key = (mark.type, mark.role)
        mapped = self._mapped.get(key)
        if mapped is None:
            mapped = self._mapped[key] = _TypeUse(mark, self._counting.types)
        mapped.times += 1
        if mapped.mapping is None:
            self._unknown[mark.type] += 1
        return mapped.kind

    def _match(
        self,
        unit: _PatientCounts,
        text: str,
        counted: list[tuple[Annotation, Kind]],
        marks: tuple[Annotation, ...],
    ) -> None:
        stands_for, compared_as = self._stands_for, self._compared_as
        labelled = [(mark, stands_for(mark.type)) for mark in marks]
        mask, by_label = Mask(marks), MasksByLabel(labelled)
        self._labels.add(text, [(mark, compared_as(kind[0])) for mark, kind in counted], labelled, mask)
        for mark, kind in counted:
            own_mask = by_label[compared_as(kind[0])] if self._same_label else mask
            seen = masked_words(text, mark, own_mask, self._words)
            leaked = seen.masked < seen.words
            counts = unit.kinds.setdefault(kind, [0, 0, 0, 0, 0])
            counts[0] += 1
            counts[1] += leaked
            counts[2] += seen.words
            counts[3] += seen.masked
            counts[4] += seen.excused and not leaked
            if kind[1] == "quasi":
                value = unit.values.setdefault((kind[0], self._value(text, mark)), [0, 0])
                value[0] += 1
                value[1] += leaked

    def _count_skipped(self, unit: _PatientCounts, gold: Document) -> None:
        """Count the gold standard's annotations whose place is unknown: each is a leak, never a catch."""
        for number, one in enumerate(gold.misaligned):
            kind = self._kind(one.stated) if one.found is None else None
            if kind is None:
                continue
            counts = unit.kinds.setdefault(kind, [0, 0, 0, 0, 0])
            counts[0] += 1
            counts[1] += 1
            counts[2] += words_stored(one, self._words)
            self._labels.want(self._compared_as(kind[0]))
            if kind[1] == "quasi":
                value = unit.values.setdefault((kind[0], self._skipped_value(gold, number)), [0, 0])
                value[0] += 1
                value[1] += 1

    def _skipped_value(self, gold: Document, number: int) -> str:
        """The value of a skipped annotation, by its entity or stored text, or a value of its own."""
        one = gold.misaligned[number]
        if one.stated.entity is not None and self._by_entity:
            return f"entity {one.stated.entity}"
        if one.surface is not None and one.surface.strip():
            return normalize(one.surface, date_order=self._date_order)
        return f"misaligned {gold.id} {number}"

    def _value(self, text: str, mark: Annotation) -> str:
        if mark.entity is not None and self._by_entity:
            return f"entity {mark.entity}"
        if not mark.fragments:
            return normalize(text[mark.start : mark.end], date_order=self._date_order)
        surface = " ".join(text[start:end] for start, end in mark.fragments)
        return normalize(surface, date_order=self._date_order)

    def _close(self, unit: _PatientCounts) -> None:
        document = len(self._columns["values"])
        self._groups.add(unit.labels, unit.clusters)
        direct_leaks = instances = leaked = 0
        for kind, counts in unit.kinds.items():
            total = self._totals.setdefault(kind, [0] * 8)
            total[0] += 1
            total[1] += counts[1] > 0
            for place, count in enumerate(counts, start=2):
                total[place] += count
            if kind[1] == "direct":
                direct_leaks += counts[1]
                self._note_direct(document, kind[0], leaked=counts[1] > 0)
            else:
                instances += counts[0]
                leaked += counts[1]
        for (name, _), (times, missed) in unit.values.items():
            self._repeats.append(times)
            self._totals[name, "quasi"][7] += 1
            if missed:
                place = self._quasi_types.setdefault(name, len(self._quasi_types))
                for store, number in zip(self._leaked, (document, place, missed), strict=True):
                    store.append(number)
        leaked_values = sum(value[1] > 0 for value in unit.values.values())
        row = (direct_leaks, len(unit.values), leaked_values, instances, instances - leaked)
        for column, number in zip(self._columns.values(), row, strict=True):
            column.append(number)

    def _note_direct(self, document: int, kind: str, *, leaked: bool) -> None:
        column = self._direct_types.setdefault(kind, len(self._direct_types))
        for store, number in zip(self._direct, (document, column, int(leaked)), strict=True):
            store.append(number)

    def _direct_matrices(self) -> tuple[Bools, Bools]:
        shape = (len(self._columns["values"]), len(self._direct_types))
        holds, leaks = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
        document, column, leaked = (_ints(store) for store in self._direct)
        holds[document, column] = True
        leaks[document[leaked > 0], column[leaked > 0]] = True
        return holds, leaks

    def _absent(self) -> tuple[Kind, ...]:
        types = self._counting.types
        named = {(types.counted_as(kind), role) for kind, role in types.roles.items() if role != "ignored"}
        return tuple(sorted(named - set(self._totals)))

    def _check_usable(self) -> None:
        if self._unknown:
            listed = ", ".join(f"{kind} ({times})" for kind, times in self._unknown.most_common())
            raise UnknownType(
                f"These annotation types of the gold standard have no known role: {listed}.",
                hint="Declare each as direct, quasi or ignored: --types FILE or TYPE=quasi,…",
            )
        if not self._seen:
            raise NothingToMeasure(
                "The gold standard has no document.", hint="Check the path and the format."
            )
        if not self._totals:
            raise NothingToMeasure(
                "The gold standard marks neither direct identifiers nor quasi-identifiers.",
                hint="Recall and risk can only be measured if the gold standard marks what should be found.",
            )


def _add_to(sums: list[int], others: Sequence[int]) -> None:
    for place, number in enumerate(others):
        sums[place] += number


def _extend(
    stores: tuple[array[int], ...],
    documents: Iterable[int],
    types: Iterable[int],
    leaked: Iterable[int],
    *,
    before: int,
    places: Sequence[int],
) -> None:
    """Append rows of other documents, numbered after ours, with our numbers of types."""
    stores[0].extend(before + document for document in documents)
    stores[1].extend(places[number] for number in types)
    stores[2].extend(leaked)


def _type_evidence(kind: Kind, counts: list[int]) -> TypeEvidence:
    documents, leaking, instances, leaked, words, masked, excused, values = counts
    caught = instances - leaked
    return TypeEvidence(*kind, documents, leaking, instances, caught, words, masked, excused, values)


def _ints(column: array[int]) -> Ints:
    return np.array(column, dtype=np.int64)


Labelled = list[tuple[Annotation, str]]
"""Annotations, each with the type or group that its label means."""


class LabelTally:
    """Running counts of masked words and of labels, for the conventional measures."""

    def __init__(self, counter: WordCounter) -> None:
        self.masked_words = 0
        self.masked_identifier_words = 0
        self._counter = counter
        self._counts: dict[str, list[int]] = {}
        """By type: in the gold standard, in both, marked by the tool."""

    def add(self, text: str, gold: Labelled, marks: Labelled, mask: Mask) -> None:
        """Count a document."""
        gold_mask = Mask(mark for mark, _ in gold)
        for start, end in zip(mask.starts, mask.ends, strict=True):
            words, _ = self._counter.places(text[start:end])
            self.masked_words += len(words)
            self.masked_identifier_words += masked_among(words, start, end, gold_mask)
        self._pair(text, gold, marks)

    def state(self) -> tuple[int, int, dict[str, list[int]]]:
        """What was counted so far, to be added to the counts of other documents."""
        return self.masked_words, self.masked_identifier_words, self._counts

    def add_state(self, other: tuple[int, int, dict[str, list[int]]]) -> None:
        """Add the counts of other documents."""
        self.masked_words += other[0]
        self.masked_identifier_words += other[1]
        for label, counts in other[2].items():
            _add_to(self._of(label), counts)

    def want(self, label: str) -> None:
        """Count an annotation of the gold standard that nobody can find."""
        self._of(label)[0] += 1

    def add_lost(self, lost: Iterable[MisalignedMark], types: TypeMap) -> None:
        """Count annotations of the tool that mask nothing: mistakes in every precision."""
        for one in lost:
            self.masked_words += words_stored(one, self._counter)
            self._of(types.label_stands_for(one.stated.type))[2] += 1

    def finish(self) -> tuple[LabelEvidence, ...]:
        """The counts by type."""
        return tuple(LabelEvidence(kind, *counts) for kind, counts in sorted(self._counts.items()))

    def _of(self, label: str) -> list[int]:
        return self._counts.setdefault(label, [0, 0, 0])

    def _pair(self, text: str, gold: Labelled, marks: Labelled) -> None:
        """Pair annotations of both sides one to one: the same label, and the same words that count."""
        wanted, marked = _by_label(gold), _by_label(marks)
        for label, own in wanted.items():
            self._of(label)[0] += len(own)
        for label, own in marked.items():
            counts = self._of(label)
            counts[2] += len(own)
            if label in wanted:
                counts[1] += self._pairs(text, wanted[label], own)

    def _pairs(self, text: str, gold: list[Annotation], marks: list[Annotation]) -> int:
        """The number of pairs. Most annotations are identical; only the others are compared word by word."""
        left: dict[Places, list[Annotation]] = {}
        for mark in gold:
            left.setdefault(mark.fragments or ((mark.start, mark.end),), []).append(mark)
        others = []
        for mark in marks:
            same = left.get(mark.fragments or ((mark.start, mark.end),))
            if same:
                same.pop()
            else:
                others.append(mark)
        found = len(marks) - len(others)
        if not others or found == len(gold):
            return found
        unpaired = Counter(self._words(text, mark) for same in left.values() for mark in same)
        return found + (unpaired & Counter(self._words(text, mark) for mark in others)).total()

    def _words(self, text: str, mark: Annotation) -> Places:
        """The places of the words that count in an annotation."""
        return tuple(
            (start + first, start + last)
            for start, end in mark.pieces
            for first, last in self._counter.places(text[start:end])[0]
        )


def _by_label(side: Labelled) -> dict[str, list[Annotation]]:
    found: dict[str, list[Annotation]] = {}
    for mark, label in side:
        found.setdefault(label, []).append(mark)
    return found


def words_stored(mark: MisalignedMark, counter: WordCounter) -> int:
    """The number of words of a misaligned annotation by its stored text; at least one."""
    return max(len(counter.places(mark.surface or "")[0]), 1)


def check_gold(gold: Document, text: str) -> None:
    """Refuse annotations beyond the text or of white space: they would always count as caught."""
    for number, mark in enumerate(gold.annotations, start=1):
        if mark.end > len(text) or text[mark.start : mark.end].isspace():
            raise MisalignedOffsets(
                f"{gold.place(number)}, is beyond the end of the text or covers only white space.",
                hint="Check that the offsets count characters of exactly this text.",
            )


def check_marks(gold: Document, text: str, marks: Iterable[Annotation]) -> None:
    """Refuse tool annotations beyond the end of the text."""
    for number, mark in enumerate(marks, start=1):
        if mark.end > len(text):
            raise MisalignedOffsets(
                f"The tool's annotation {number} of {gold.shown} ends at {mark.end}, "
                f"but the text has {len(text)} characters.",
                hint="Offsets count characters of the gold standard's text. Did the tool read another text?",
            )
