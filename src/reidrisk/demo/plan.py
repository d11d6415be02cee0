"""Plan which identifiers each synthetic note contains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reidrisk.text.corpus import Role

PUBLISHED_DOCUMENTS = 120


@dataclass(frozen=True, slots=True)
class Tally:
    """One row of the published table: a type with its counts."""

    type: str
    role: Role
    documents: int
    """Documents that contain the type."""
    annotations: int
    most: int
    """Largest number of annotations per document, so that no note becomes a list of names."""


PUBLISHED = (
    Tally("ID", "direct", 105, 438, 11),
    Tally("PHONE", "direct", 34, 78, 6),
    Tally("STREET", "direct", 10, 14, 2),
    Tally("NAME", "direct", 118, 1332, 30),
    Tally("DATE", "quasi", 111, 703, 18),
    Tally("ORGANIZATION", "quasi", 50, 110, 6),
    Tally("AGE", "quasi", 2, 3, 2),
    Tally("ZIP", "quasi", 9, 13, 2),
    Tally("COUNTRY", "quasi", 2, 3, 2),
    Tally("STATE", "quasi", 32, 47, 4),
    Tally("CITY", "quasi", 43, 78, 5),
)
ROLE_OF: dict[str, Role] = {row.type: row.role for row in PUBLISHED}


def _scale_count(count: int, documents: int) -> int:
    return (2 * count * documents + PUBLISHED_DOCUMENTS) // (2 * PUBLISHED_DOCUMENTS)


def table_for(documents: int) -> tuple[Tally, ...]:
    """Scale the table to a number of documents; a rare type keeps at least one annotation.

    >>> [(row.documents, row.annotations) for row in table_for(120)][:2]
    [(105, 438), (34, 78)]
    >>> next((row.documents, row.annotations) for row in table_for(4) if row.type == "AGE")
    (1, 1)
    """
    rows = []
    for row in PUBLISHED:
        holding = max(1, _scale_count(row.documents, documents))
        annotations = max(holding, _scale_count(row.annotations, documents))
        rows.append(replace(row, documents=holding, annotations=annotations))
    return tuple(rows)


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOCIAL_WORK, HISTORY, PROGRESS, DISCHARGE = "social-work", "history-physical", "progress", "discharge"
GROUPS = ("random", SOCIAL_WORK, HISTORY, PROGRESS)
ASSORTMENT = (DISCHARGE, SOCIAL_WORK, DISCHARGE, HISTORY, PROGRESS)
"""Kinds of the random group, used in turn; nearly half are discharge summaries."""

_AFFINITY: Mapping[str, Mapping[str, float]] = {
    "ID": {SOCIAL_WORK: 0.6},
    "PHONE": {SOCIAL_WORK: 4.0, DISCHARGE: 2.0},
    "STREET": {SOCIAL_WORK: 4.0},
    "ORGANIZATION": {SOCIAL_WORK: 2.0, DISCHARGE: 2.0},
    "STATE": {SOCIAL_WORK: 2.0, HISTORY: 1.5},
    "CITY": {SOCIAL_WORK: 2.0, HISTORY: 1.5},
    "COUNTRY": {SOCIAL_WORK: 3.0, PROGRESS: 0.3},
    "DATE": {DISCHARGE: 1.5},
}
"""How much more likely a type is in a kind of note than in others."""
_COMPANIONS = {"STREET": "CITY", "STATE": "CITY", "ZIP": "STREET"}
"""Parts of an address occur together: the first is more likely if the second is planned."""
_COMPANY = 8.0
_ORDER = ("CITY", "STATE", "STREET", "ZIP")


@dataclass(frozen=True, slots=True)
class NotePlan:
    """The plan of one note."""

    id: str
    kind: str
    counts: Mapping[str, int]
    """Number of annotations by type, without types that do not occur."""


def allot(total: int, weights: Floats, *, most: int | Ints, rng: np.random.Generator) -> Ints:
    """Distribute `total` at random in proportion to the weights, with no share above its `most`."""
    shares = np.zeros(len(weights), dtype=np.int64)
    while (left := total - int(shares.sum())) > 0:
        still_open = np.where(shares < most, weights, 0.0)
        drawn = rng.multinomial(left, still_open / still_open.sum())
        shares = np.minimum(shares + drawn, most)
    return shares


def plan_notes(documents: int, *, rng: np.random.Generator) -> tuple[NotePlan, ...]:
    """Ids, kinds and counts for a number of notes; the totals match the table exactly."""
    names = _named_kinds(documents)
    length = rng.gamma(4.0, 0.25, documents)
    counts: dict[str, Ints] = {}
    rows = {row.type: row for row in table_for(documents)}
    for kind_of in (*_ORDER, *(name for name in rows if name not in _ORDER)):
        weights = np.array([_AFFINITY.get(kind_of, {}).get(kind, 1.0) for _, kind in names])
        companion = _COMPANIONS.get(kind_of)
        if companion is not None:
            weights = weights * np.where(counts[companion] > 0, _COMPANY, 1.0)
        counts[kind_of] = _spread(rows[kind_of], weights, length=length, rng=rng)
    return tuple(
        NotePlan(note, kind, {name: int(counts[name][at]) for name in rows if counts[name][at]})
        for at, (note, kind) in enumerate(names)
    )


def _named_kinds(documents: int) -> list[tuple[str, str]]:
    """Four groups of equal size; the first ones have one more note if the number is not divisible by four."""
    names = []
    for at, group in enumerate(GROUPS):
        size = documents // 4 + (at < documents % 4)
        for number in range(size):
            kind = ASSORTMENT[number % len(ASSORTMENT)] if group == "random" else group
            names.append((f"{group}-{number + 1:03d}", kind))
    return names


def _spread(row: Tally, weights: Floats, *, length: Floats, rng: np.random.Generator) -> Ints:
    """One annotation for each chosen document; the rest is skewed toward a few documents."""
    share = weights / weights.sum()
    chosen = rng.choice(len(weights), size=row.documents, replace=False, p=share)
    counts = np.zeros(len(weights), dtype=np.int64)
    skew = length[chosen] * rng.gamma(1.5, 1.0, row.documents) + 1e-6
    extra = allot(row.annotations - row.documents, skew, most=row.most - 1, rng=rng)
    counts[chosen] = 1 + extra
    return counts
