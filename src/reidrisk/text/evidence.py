"""The counts of an evaluation corpus, by type and by document, without text or ids; also as JSON.

As JSON, documents with the same counts are one entry, so that nobody can tell which document is which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from math import isnan, nan
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.recall import f_measure, ratio
from reidrisk.text.corpus import Role

Kind = tuple[str, Role]
"""A type or group of types, and its role."""


@dataclass(frozen=True, slots=True, order=True)
class TypeMapping:
    """How an annotation type of the gold standard was counted."""

    type: str
    counted_as: str
    role: Role
    source: str
    """Where the role comes from: your types, the annotation itself, or the scheme of its format."""


@dataclass(frozen=True, slots=True)
class TypeEvidence:
    """The counts of one annotation type, or group of types, in one role."""

    type: str
    role: Role
    documents: int
    leaking_documents: int
    instances: int
    caught: int
    words: int
    masked_words: int
    excused: int = 0
    """Instances that count as caught although an ignored word stayed visible."""
    values: int = 0
    """Distinct values per document, summed; counted for quasi-identifiers only."""

    @property
    def micro_recall(self) -> float:
        """Share of instances that were caught."""
        return ratio(self.caught, self.instances)

    @property
    def masking_recall(self) -> float:
        """Share of words that were masked."""
        return ratio(self.masked_words, self.words)

    @property
    def all_or_nothing_recall(self) -> float:
        """Share of documents in which nothing of the type leaked."""
        return ratio(self.documents - self.leaking_documents, self.documents)


@dataclass(frozen=True, slots=True)
class LabelEvidence:
    """The counts of one type if the tool's label must be correct too."""

    type: str
    wanted: int
    found: int
    """Annotations that both sides have with this label and the same words."""
    marked: int

    @property
    def recall(self) -> float:
        """Share of wanted annotations that the tool has with the right label."""
        return ratio(self.found, self.wanted)

    @property
    def precision(self) -> float:
        """Share of the tool's annotations with this label that the gold standard has."""
        return ratio(self.found, self.marked)

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision."""
        return f_measure(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class DoubtfulPlace:
    """A place in an original where the released text fits in more than one way."""

    document: str
    start: int
    end: int
    ways: int
    """At least this many."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """How released texts, which have no offsets, were aligned with their originals."""

    documents: int
    masked: int
    """Number of masked places."""
    white_space: int
    """Documents that match their originals only if differences in white space are ignored."""
    kept_in_part: int
    """Identifiers of which some words were replaced and others are still in the released text."""
    doubtful: int
    doubtful_documents: int
    places: tuple[DoubtfulPlace, ...] = ()
    """The doubtful places; only the first ones if there are very many."""


@dataclass(frozen=True, slots=True)
class MisalignedPlace:
    """An annotation that did not fit its text."""

    side: str
    """gold or tool."""
    document: str
    type: str
    start: int
    end: int
    """As stated in the file."""
    found_start: int | None
    """Where its text was found; None if it was skipped."""
    found_end: int | None


@dataclass(frozen=True, slots=True)
class Misalignment:
    """The annotations that did not fit their text, and what became of them."""

    gold_skipped: int
    """Each counts as a leak in its document."""
    gold_moved: int
    tool_skipped: int
    """Each masks nothing, and counts as a mistake in precision."""
    tool_moved: int
    """Each masks only what it covers at its stated place too."""
    places: tuple[MisalignedPlace, ...] = ()
    """Only the first ones if there are very many."""


@dataclass(frozen=True, eq=False)
class LeakedValues:
    """The quasi-identifier values that leaked, one entry per value and document."""

    types: tuple[str, ...] = ()
    document: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    type: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Index in `types`."""
    instances: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Leaked instances of the value."""

    def of_type(self, name: str) -> tuple[Ints, Ints]:
        """Documents and leaked instances of the values of one type."""
        if name not in self.types:
            return self.document[:0], self.instances[:0]
        own = self.type == self.types.index(name)
        return self.document[own], self.instances[own]


@dataclass(frozen=True)
class Evidence:
    """All counts that the risk is computed from."""

    types: tuple[TypeEvidence, ...]
    """Direct and quasi-identifiers."""
    mapping: tuple[tuple[TypeMapping, int], ...]
    """How each type was counted, and its number of annotations."""
    labels: tuple[LabelEvidence, ...]
    direct_types: tuple[str, ...]
    holds: Bools
    """Documents x direct types: does the document contain the type?"""
    leaks: Bools
    """Documents x direct types: did any of it leak?"""
    direct_leaks: Ints
    """Leaked instances of direct identifiers in each document."""
    values: Ints
    """Distinct quasi-identifier values in each document."""
    leaked_values: Ints
    instances: Ints
    """Quasi-identifier instances in each document."""
    caught: Ints
    repeats: Ints
    """How often each value occurs, document after document."""
    masked_words: int
    masked_identifier_words: int
    records: int
    """Documents read; more than the documents counted where patients were merged."""
    notes: tuple[str, ...]
    absent: tuple[Kind, ...] = ()
    """Types that your map names but no document contains."""
    unmatched: Mapping[str, int] = field(default_factory=dict)
    """Number of documents that only one side has, if the settings allow it."""
    alignment: Alignment | None = None
    """Set if the tool gave texts without offsets."""
    misaligned: Misalignment | None = None
    """Set if annotations did not fit their text and the settings allow it."""
    leaked: LeakedValues = field(default_factory=LeakedValues)
    clusters: Ints | None = None
    """The cluster of each document, as a number; None if no clusters were named."""
    cluster_gaps: Mapping[str, int] = field(default_factory=dict)
    """Number of documents without a cluster, and of documents in another cluster than their patient."""
    likely_clusters: Ints | None = None
    """Groups of documents by their ids, if no clusters were named; None if the ids show no groups."""
    strata: Ints | None = None
    """The stratum of each document, as its place in `strata_names`."""
    strata_names: tuple[str, ...] = ()
    only_counts: bool = False
    """Whether only the counts by type are known, and the documents are laid out to fit them."""
    gold: str | None = None
    """A hash of the gold standard as it was read; None if its documents were not read in order."""

    @property
    def documents(self) -> int:
        """Number of documents, one per patient."""
        return int(self.values.size)

    @property
    def precision(self) -> float:
        """Share of masked words that belong to an identifier."""
        return ratio(self.masked_identifier_words, self.masked_words)

    @property
    def absent_direct(self) -> tuple[str, ...]:
        """Direct types that your map names but no document contains: not evaluated."""
        return tuple(name for name, role in self.absent if role == "direct")

    def of_role(self, role: Role) -> tuple[TypeEvidence, ...]:
        """The types of one role."""
        return tuple(kind for kind in self.types if kind.role == role)

    def word_recall(self) -> float:
        """Share of identifier words that are masked, direct and quasi-identifiers together."""
        return ratio(sum(kind.masked_words for kind in self.types), sum(kind.words for kind in self.types))

    @cached_property
    def quasi_recall(self) -> float:
        """Micro-average recall of quasi-identifiers, by instance."""
        return ratio(float(self.caught.sum()), float(self.instances.sum()))

    @cached_property
    def quasi_word_recall(self) -> float:
        """Micro-average recall of quasi-identifiers, by word."""
        quasi = self.of_role("quasi")
        return ratio(sum(kind.masked_words for kind in quasi), sum(kind.words for kind in quasi))

    @cached_property
    def documents_with_quasi(self) -> int:
        """Number of documents with any quasi-identifier."""
        return int(np.count_nonzero(self.instances))

    def documents_with_leaks(self, needed: int) -> int:
        """Number of documents in which at least `needed` distinct quasi-identifier values leaked."""
        return int(np.count_nonzero(self.leaked_values >= needed))

    @cached_property
    def documents_with_direct_leak(self) -> int:
        """Number of documents in which any direct identifier leaked."""
        return int(np.count_nonzero(self.direct_leaks))

    @cached_property
    def quasi_cluster_spread(self) -> float:
        """Standard error of the quasi-identifier recall with documents as clusters."""
        n, total = self.documents, float(self.instances.sum())
        if n < 2 or total == 0:
            return nan
        off = self.caught - self.quasi_recall * self.instances
        return float(np.sqrt(n / (n - 1) * np.sum(off**2)) / total)


NUMBERS = ("direct_leaks", "values", "leaked_values", "instances", "caught")
"""Fields of `Evidence` with one number per document."""
PLAIN = ("masked_words", "masked_identifier_words", "records")
Profile = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]
]
"""Direct types of a document, those that leak, its numbers, how often each value occurs, and for
each leaked value its type and leaked instances."""
LABELS = ("clusters", "likely_clusters", "strata")
"""Fields of `Evidence` with the group of each document, where documents are grouped."""


def evidence_to_dict(evidence: Evidence) -> dict[str, Any]:
    """Evidence as JSON types; documents with the same counts are one entry."""
    profiles = _profiles(evidence)
    documents = Counter(zip(profiles, _labels(evidence, profiles), strict=True))
    return {
        "types": [asdict(kind) for kind in evidence.types],
        "mapping": [{**asdict(mapping), "annotations": times} for mapping, times in evidence.mapping],
        "labels": [asdict(label) for label in evidence.labels],
        "direct_types": list(evidence.direct_types),
        "leaked_types": list(evidence.leaked.types),
        "documents": [
            _entry(profile, number) | dict(labels) for (profile, labels), number in sorted(documents.items())
        ],
        **{name: int(getattr(evidence, name)) for name in PLAIN},
        "notes": list(evidence.notes),
        "absent": [list(kind) for kind in evidence.absent],
        "unmatched": dict(evidence.unmatched),
        "alignment": None if evidence.alignment is None else asdict(evidence.alignment),
        "cluster_gaps": dict(evidence.cluster_gaps),
        "strata_names": list(evidence.strata_names),
        "only_counts": evidence.only_counts,
        "misaligned": None if evidence.misaligned is None else asdict(evidence.misaligned),
    }


def evidence_from_dict(given: Mapping[str, Any]) -> Evidence:
    """Evidence from what `evidence_to_dict` returned."""
    entries = [entry for entry in given["documents"] for _ in range(entry["documents"])]
    width = len(given["direct_types"])
    numbers: dict[str, Any] = {name: _ints([entry[name] for entry in entries]) for name in NUMBERS}
    return Evidence(
        types=tuple(TypeEvidence(**kind) for kind in given["types"]),
        mapping=tuple(_mapping(row) for row in given["mapping"]),
        labels=tuple(LabelEvidence(**label) for label in given["labels"]),
        direct_types=tuple(given["direct_types"]),
        holds=_marks([entry["holds"] for entry in entries], width),
        leaks=_marks([entry["leaks"] for entry in entries], width),
        repeats=_ints([times for entry in entries for times in entry["repeats"]]),
        **numbers,
        **{name: given[name] for name in PLAIN},
        notes=tuple(given["notes"]),
        absent=tuple((name, role) for name, role in given["absent"]),
        unmatched=dict(given["unmatched"]),
        alignment=_alignment(given["alignment"]),
        misaligned=_misalignment(given.get("misaligned")),
        leaked=_leaked([entry["leaked"] for entry in entries], given["leaked_types"]),
        clusters=_labels_of("clusters", entries),
        likely_clusters=_labels_of("likely_clusters", entries),
        strata=_labels_of("strata", entries),
        cluster_gaps=dict(given.get("cluster_gaps") or {}),
        strata_names=tuple(given.get("strata_names") or ()),
        only_counts=bool(given.get("only_counts")),
    )


def _profiles(evidence: Evidence) -> list[Profile]:
    numbers = np.stack([getattr(evidence, name) for name in NUMBERS], axis=1).tolist()
    repeats = np.split(evidence.repeats, np.cumsum(evidence.values)[:-1])
    leaked: list[list[tuple[int, int]]] = [[] for _ in range(evidence.documents)]
    found = evidence.leaked
    for at, kind, times in zip(found.document, found.type, found.instances, strict=True):
        leaked[at].append((int(kind), int(times)))
    return [
        (
            tuple(np.flatnonzero(evidence.holds[at]).tolist()),
            tuple(np.flatnonzero(evidence.leaks[at]).tolist()),
            tuple(numbers[at]),
            tuple(sorted(repeats[at].tolist())),
            tuple(sorted(leaked[at])),
        )
        for at in range(evidence.documents)
    ]


def _labels(evidence: Evidence, profiles: list[Profile]) -> list[tuple[tuple[str, int], ...]]:
    """The groups of each document. Clusters are numbered by what they contain, not by their order."""
    columns: list[list[tuple[str, int]]] = []
    for name in LABELS:
        groups: Ints | None = getattr(evidence, name)
        if groups is None:
            continue
        numbers = groups.tolist() if name == "strata" else _renumbered(groups.tolist(), profiles)
        columns.append([(name, number) for number in numbers])
    return list(zip(*columns, strict=True)) if columns else [()] * len(profiles)


def _renumbered(groups: list[int], profiles: list[Profile]) -> list[int]:
    members: dict[int, list[Profile]] = {}
    for group, profile in zip(groups, profiles, strict=True):
        members.setdefault(group, []).append(profile)
    order = sorted((sorted(found), group) for group, found in members.items())
    new = {group: place for place, (_, group) in enumerate(order)}
    return [new[group] for group in groups]


def _labels_of(name: str, entries: list[dict[str, Any]]) -> Ints | None:
    return _ints([entry[name] for entry in entries]) if entries and name in entries[0] else None


def _entry(profile: Profile, number: int) -> dict[str, Any]:
    holds, leaks, numbers, repeats, leaked = profile
    counted = dict(zip(NUMBERS, numbers, strict=True))
    return {
        "documents": number,
        "holds": list(holds),
        "leaks": list(leaks),
        **counted,
        "repeats": list(repeats),
        "leaked": [list(value) for value in leaked],
    }


def _mapping(row: Mapping[str, Any]) -> tuple[TypeMapping, int]:
    fields = {name: value for name, value in row.items() if name != "annotations"}
    return TypeMapping(**fields), row["annotations"]


def _alignment(given: Mapping[str, Any] | None) -> Alignment | None:
    if given is None:
        return None
    return Alignment(**{**given, "places": tuple(DoubtfulPlace(**place) for place in given["places"])})


def _misalignment(given: Mapping[str, Any] | None) -> Misalignment | None:
    if given is None:
        return None
    return Misalignment(**{**given, "places": tuple(MisalignedPlace(**place) for place in given["places"])})


def _leaked(rows: list[list[list[int]]], types: list[str]) -> LeakedValues:
    values = [(at, kind, times) for at, row in enumerate(rows) for kind, times in row]
    document, kinds, instances = np.array(values, dtype=np.int64).reshape(-1, 3).T
    return LeakedValues(tuple(types), document, kinds, instances)


def _marks(rows: list[list[int]], width: int) -> Any:
    found = np.zeros((len(rows), width), dtype=np.bool_)
    for at, places in enumerate(rows):
        found[at, places] = True
    return found


def _ints(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


def number_or_none(value: float) -> float | None:
    """A plain number; None if it is undefined (NaN)."""
    return None if isnan(value) else float(value)
