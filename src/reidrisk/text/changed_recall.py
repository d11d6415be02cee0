"""The counts of a corpus if the tool had caught more, or less, of a type.

Leaks that disappear are taken first from documents that leak most, where this helps least. Leaks that appear
are put first where they harm most: into documents that do not leak yet, or that lack the fewest leaks of
quasi-identifiers to be at risk. The answer is therefore cautious in both directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.text.corpus import Role
from reidrisk.text.counts_file import CountRow, evidence_of_counts
from reidrisk.text.evidence import Evidence, LeakedValues, TypeEvidence, number_or_none
from reidrisk.text.models import TextCase
from reidrisk.text.settings import TextSettings
from reidrisk.text.what_if import DirectLeaks, QuasiLeaks, caught_of

EXACT = 1e-9
"""A recall that differs by less is the same."""


@dataclass(frozen=True, slots=True)
class RecallChange:
    """The recall of a type before and after a change."""

    type: str
    role: Role
    before: float
    asked: float
    after: float
    """The nearest recall that is possible with these documents and not above the one asked for."""

    def to_dict(self) -> dict[str, object]:
        """JSON types."""
        return {
            "type": self.type,
            "role": self.role,
            "before": number_or_none(self.before),
            "asked": self.asked,
            "after": number_or_none(self.after),
        }


def recall_of(kind: TypeEvidence, settings: TextSettings) -> float:
    """All-or-nothing recall of a direct type; of a quasi type the recall of instances, or of words."""
    if kind.role == "direct":
        return kind.all_or_nothing_recall
    found, total = caught_of(kind, settings)
    return found / total if total else float("nan")


def change_recall(case: TextCase, recalls: Mapping[str, float]) -> tuple[TextCase, tuple[RecallChange, ...]]:
    """The same documents with a tool that has these recalls, and what was changed."""
    wanted = _wanted(case, recalls)
    if case.evidence.only_counts:
        evidence = _from_counts(case, wanted)
    else:
        evidence = _quasi(replace(case, evidence=_direct(case, wanted)), wanted)
    after = {(kind.type, kind.role): recall_of(kind, case.settings) for kind in evidence.types}
    changes = tuple(
        RecallChange(
            kind.type,
            kind.role,
            recall_of(kind, case.settings),
            recalls[kind.type],
            after[kind.type, kind.role],
        )
        for kind in wanted
    )
    return replace(case, evidence=evidence), changes


def _wanted(case: TextCase, recalls: Mapping[str, float]) -> dict[TypeEvidence, float]:
    known = sorted({kind.type for kind in case.evidence.types})
    for name, recall in recalls.items():
        if name not in known:
            raise InvalidSetting.among("A type in these counts", name, known)
        if not 0 <= recall <= 1:
            raise InvalidSetting(
                f"A recall must be from 0 to 1, not {recall:g}.", hint="For example: --recall NAME=0.99"
            )
    return {kind: recalls[kind.type] for kind in case.evidence.types if kind.type in recalls}


def _leaking_after(kind: TypeEvidence, recall: float) -> int:
    """Documents that leak a direct type at this recall; rounded up."""
    return kind.documents - floor(kind.documents * recall + EXACT)


def _direct(case: TextCase, wanted: Mapping[TypeEvidence, float]) -> Evidence:
    """Direct identifiers leak in fewer or more documents."""
    evidence, roles = case.evidence, DirectLeaks(case, 0.0)
    new = {
        kind.type: _leaking_after(kind, recall) for kind, recall in wanted.items() if kind.role == "direct"
    }
    old = {name: roles.leaking.get(name, 0) for name in new}
    leaks = roles.leaks_after({name: old[name] - new[name] for name in new if new[name] < old[name]})
    for name, leaking in new.items():
        column = evidence.direct_types.index(name)
        if leaking > old[name]:
            caught = np.flatnonzero(evidence.holds[:, column] & ~leaks[:, column])
            least_first = caught[np.argsort(leaks[caught].sum(axis=1), kind="stable")]
            leaks[least_first[: leaking - old[name]], column] = True
    types = tuple(
        _direct_type(kind, new[kind.type]) if kind.role == "direct" and kind.type in new else kind
        for kind in evidence.types
    )
    numbers = np.where(leaks.any(axis=1), np.maximum(evidence.direct_leaks, 1), 0)
    return replace(evidence, leaks=leaks, types=types, direct_leaks=numbers)


def _direct_type(kind: TypeEvidence, leaking: int) -> TypeEvidence:
    """The counts of a direct type; missed instances and words change in proportion."""
    if leaking == kind.leaking_documents:
        return kind
    missed = (kind.instances - kind.caught, kind.words - kind.masked_words)
    per_document = [number / kind.leaking_documents if kind.leaking_documents else 1.0 for number in missed]
    instances, words = (ceil(number * leaking - EXACT) for number in per_document)
    return replace(
        kind,
        leaking_documents=leaking,
        caught=max(kind.instances - instances, 0),
        masked_words=max(kind.words - words, 0),
    )


def _quasi(case: TextCase, wanted: Mapping[TypeEvidence, float]) -> Evidence:
    """Values of quasi-identifiers are caught, or leak."""
    evidence = case.evidence
    for kind, recall in wanted.items():
        if kind.role != "quasi":
            continue
        before = recall_of(kind, case.settings)
        if recall > before + EXACT:
            evidence = _caught(replace(case, evidence=evidence), kind, recall)
        elif recall < before - EXACT:
            evidence = _missed(evidence, kind, recall, case.settings)
    return evidence


def _caught(case: TextCase, kind: TypeEvidence, recall: float) -> Evidence:
    """As many leaked values of a type are caught as the recall allows."""
    evidence, roles = case.evidence, QuasiLeaks(case, 0.0)
    low, high = 0, roles.leaking.get(kind.type, 0)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if roles.recall(kind.type, middle) <= recall + EXACT else (low, middle - 1)
    if low == 0:
        return evidence
    left, caught = roles.values_after({kind.type: low})
    gained = int(caught.sum() - evidence.caught.sum())
    words = round(roles.recall(kind.type, low) * kind.words) if case.settings.unit == "token_level" else None
    return replace(
        evidence,
        leaked_values=left,
        caught=caught,
        leaked=_without(evidence.leaked, kind.type, roles.fixed_values(kind.type, low)),
        types=_with_type(evidence, kind, gained, words),
    )


def _missed(evidence: Evidence, kind: TypeEvidence, recall: float, settings: TextSettings) -> Evidence:
    """As many instances of a type are missed as the recall demands, each a value of its own if possible."""
    found, total = caught_of(kind, settings)
    lost = found - floor(recall * total + EXACT)
    words = None
    if settings.unit == "token_level":
        words = kind.masked_words - lost
        lost = min(ceil(kind.caught * lost / max(found, 1)), kind.caught)
    room = np.minimum(evidence.values - evidence.leaked_values, evidence.caught)
    values = _most_harm(room, evidence.leaked_values, lost, settings.needed)
    caught = evidence.caught - values
    rest = _filled(lost - int(values.sum()), caught)
    documents = np.repeat(np.arange(values.size), values)
    return replace(
        evidence,
        leaked_values=evidence.leaked_values + values,
        caught=caught - rest,
        leaked=_with(evidence.leaked, kind.type, documents),
        types=_with_type(evidence, kind, -lost, words),
    )


def _most_harm(room: Ints, leaked: Ints, lost: int, needed: int) -> Ints:
    """How many more values leak in each document, so that most documents reach the number that is needed."""
    lacking = np.maximum(needed - leaked, 0)
    reached = np.flatnonzero((lacking > 0) & (room >= lacking))
    order = reached[np.argsort(lacking[reached], kind="stable")]
    ends = np.cumsum(lacking[order])
    full = order[ends <= lost]
    values = np.zeros_like(room)
    values[full] = lacking[full]
    return values + _filled(lost - int(values.sum()), room - values)


def _filled(total: int, room: Ints) -> Ints:
    """A total filled into places with limited room, the first places first."""
    before = np.cumsum(room) - room
    return np.asarray(np.clip(total - before, 0, room), dtype=np.int64)


def _with_type(
    evidence: Evidence, kind: TypeEvidence, gained: int, words: int | None
) -> tuple[TypeEvidence, ...]:
    """All types, one of them with more or fewer instances caught; its words in proportion."""
    caught = kind.caught + gained
    missed = kind.instances - kind.caught
    if words is None and gained >= 0:
        words = kind.masked_words + floor((kind.words - kind.masked_words) * gained / max(missed, 1))
    elif words is None:
        words = floor(kind.masked_words * caught / max(kind.caught, 1))
    new = replace(kind, caught=caught, masked_words=words)
    return tuple(new if one == kind else one for one in evidence.types)


def _without(leaked: LeakedValues, name: str, fixed: Ints) -> LeakedValues:
    kept = np.ones(leaked.document.size, dtype=np.bool_)
    kept[np.flatnonzero(leaked.type == leaked.types.index(name))[fixed]] = False
    return replace(
        leaked, document=leaked.document[kept], type=leaked.type[kept], instances=leaked.instances[kept]
    )


def _with(leaked: LeakedValues, name: str, documents: Ints) -> LeakedValues:
    types = leaked.types if name in leaked.types else (*leaked.types, name)
    own = np.full(documents.size, types.index(name), dtype=np.int64)
    return LeakedValues(
        types,
        np.concatenate([leaked.document, documents]),
        np.concatenate([leaked.type, own]),
        np.concatenate([leaked.instances, np.ones(documents.size, dtype=np.int64)]),
    )


def _from_counts(case: TextCase, wanted: Mapping[TypeEvidence, float]) -> Evidence:
    """Without documents: the counts of the types change, and documents are laid out anew."""
    evidence = case.evidence
    rows = []
    for name in (*evidence.direct_types, None):
        kinds = [
            kind
            for kind in evidence.types
            if (kind.role == "direct" and kind.type == name) or (name is None and kind.role == "quasi")
        ]
        rows += [_count_row(kind, wanted.get(kind)) for kind in kinds]
    return evidence_of_counts(rows, evidence.documents, "the counts")


def _count_row(kind: TypeEvidence, recall: float | None) -> CountRow:
    leaking, caught = kind.leaking_documents, kind.caught
    if recall is not None and kind.role == "direct":
        new = _direct_type(kind, _leaking_after(kind, recall))
        leaking, caught = new.leaking_documents, new.caught
    elif recall is not None:
        caught = floor(kind.instances * recall + EXACT)
    numbers = {
        "documents": kind.documents,
        "leaking_documents": leaking,
        "instances": kind.instances,
        "caught": caught,
        "values": kind.values,
    }
    return CountRow(kind.type, str(kind.role), numbers)
