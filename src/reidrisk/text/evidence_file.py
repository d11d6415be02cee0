"""Evidence as JSON and back: counts of documents that are alike, in no order that tells which they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.text.evidence import (
    Alignment,
    DoubtfulPlace,
    Evidence,
    LabelEvidence,
    LeakedValues,
    TypeEvidence,
    TypeMapping,
)

NUMBERS = ("direct_leaks", "values", "leaked_values", "instances", "caught")
"""One number a document each, as `Evidence` names them."""
PLAIN = ("masked_words", "masked_identifier_words", "records")
Profile = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]
]
"""Direct types that a document holds, those that leak, its numbers, how often each value occurs,
and for each leaked value its type and leaked instances."""


def evidence_to_dict(evidence: Evidence) -> dict[str, Any]:
    """JSON types; documents that are alike in every count are one entry."""
    documents = Counter(_profiles(evidence))
    return {
        "types": [asdict(kind) for kind in evidence.types],
        "mapping": [{**asdict(mapping), "annotations": times} for mapping, times in evidence.mapping],
        "labels": [asdict(label) for label in evidence.labels],
        "direct_types": list(evidence.direct_types),
        "leaked_types": list(evidence.leaked.types),
        "documents": [_entry(profile, number) for profile, number in sorted(documents.items())],
        **{name: int(getattr(evidence, name)) for name in PLAIN},
        "notes": list(evidence.notes),
        "absent": [list(kind) for kind in evidence.absent],
        "unmatched": dict(evidence.unmatched),
        "alignment": None if evidence.alignment is None else asdict(evidence.alignment),
    }


def evidence_from_dict(given: Mapping[str, Any]) -> Evidence:
    """What `evidence_to_dict` wrote."""
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
        leaked=_leaked([entry["leaked"] for entry in entries], given["leaked_types"]),
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
    said = {name: value for name, value in row.items() if name != "annotations"}
    return TypeMapping(**said), row["annotations"]


def _alignment(given: Mapping[str, Any] | None) -> Alignment | None:
    if given is None:
        return None
    return Alignment(**{**given, "places": tuple(DoubtfulPlace(**place) for place in given["places"])})


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
