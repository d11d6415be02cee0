"""The evidence of a text evaluation: a reviewed sample of pages, or documents that have figures of recall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.review.opinions import REVIEWER, decided
from reidrisk.documents.risk.participants import FindingRoles
from reidrisk.documents.study.recall import QuasiRecall, RecallFigures
from reidrisk.errors import NothingToMeasure
from reidrisk.stats.arrays import Ints
from reidrisk.text.corpus import Role
from reidrisk.text.evidence import Evidence, Kind, LeakedValues, TypeEvidence
from reidrisk.text.values import normalize

POOLED = "quasi-identifiers"


@dataclass(slots=True)
class _Unit:
    """What was counted in one virtual document."""

    kinds: dict[Kind, list[int]] = field(default_factory=dict)
    """Instances and leaked instances."""
    values: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """The same for each value of a quasi-identifier."""


def reviewed_evidence(file: FindingsFile, roles: FindingRoles, *, only_seen: bool = True) -> Evidence:
    """What the reviewed pages show: what was found there counts as caught, what reviewers added as leaked.

    With `only_seen` false the same of all pages, for how much they hold.

    A finding that can mean several participants counts for each of them; one that a reviewer added without
    saying whom it means, for who stands nearest.
    """
    seen = {(document, block) for review in file.reviews for document, block in review.seen}
    units: dict[int, _Unit] = {}
    marked = right = open_ = nearest = 0
    for document in file.documents:
        pages = {block for name, block in seen if name == document.document}
        every = decided(document, file.reviews).findings
        findings = [one for one in every if one.is_personal]
        confidential = {one.place for one in every if not one.is_personal}
        marked += sum(one.block in pages and one.place not in confidential for one in document.findings)
        for given in findings:
            one = _with_nearest(given, findings)
            nearest += one is not given
            role = roles.role(one)
            if (only_seen and one.block not in pages) or role == "ignored":
                continue
            right += one.source != REVIEWER
            open_ += not one.subjects
            for subject in one.subjects:
                value = _value(document, one, file.texts, roles)
                _count(units.setdefault(subject, _Unit()), one, role, value)
    if not seen or not units:
        raise NothingToMeasure(
            "No page of the reviewed findings was read as a whole, or none of those holds an identifier.",
            hint="Review a sample of pages: reidrisk document review FINDINGS --sample N --reviewer NAME.",
        )
    return _evidence(tuple(units.values()), (marked, right), _notes(file, len(seen), (open_, nearest)))


def _with_nearest(one: DocumentFinding, findings: Sequence[DocumentFinding]) -> DocumentFinding:
    """What a reviewer added without saying whom it means is taken to mean who stands nearest on the page."""
    if one.subjects or one.source != REVIEWER:
        return one
    near = [other for other in findings if other.block == one.block and other.subjects]
    if not near:
        return one
    closest = min(near, key=lambda other: max(other.start - one.end, one.start - other.end))
    return replace(one, subjects=closest.subjects)


def _count(unit: _Unit, one: DocumentFinding, role: Role, value: str) -> None:
    kind = (one.variable or one.type, role)
    leaked = one.source == REVIEWER
    counts = unit.kinds.setdefault(kind, [0, 0])
    counts[0] += 1
    counts[1] += leaked
    if role == "quasi":
        times = unit.values.setdefault((kind[0], value), [0, 0])
        times[0] += 1
        times[1] += leaked


def _value(
    document: DocumentFindings, one: DocumentFinding, texts: Mapping[str, str], roles: FindingRoles
) -> str:
    """What tells values apart: their texts where the file holds them.

    Without them a variable of which a participant has one value is one, and all others are different ones:
    rather too many values that can leak than too few.
    """
    name = one.name_in(document.document)
    if name in texts:
        return normalize(texts[name])
    return "" if one.variable in roles.single else name


def _evidence(units: tuple[_Unit, ...], words: tuple[int, int], notes: tuple[str, ...]) -> Evidence:
    kinds = sorted({kind for unit in units for kind in unit.kinds}, key=lambda kind: (kind[1], kind[0]))
    direct = tuple(name for name, role in kinds if role == "direct")
    holds = np.array([[(name, "direct") in unit.kinds for name in direct] for unit in units], dtype=bool)
    leaks = np.array(
        [[unit.kinds.get((name, "direct"), [0, 0])[1] > 0 for name in direct] for unit in units], dtype=bool
    )
    return Evidence(
        types=tuple(_type(kind, units) for kind in kinds),
        mapping=(),
        labels=(),
        direct_types=direct,
        holds=holds.reshape(len(units), len(direct)),
        leaks=leaks.reshape(len(units), len(direct)),
        direct_leaks=_ints(sum(_of(unit, "direct", 1)) for unit in units),
        values=_ints(len(unit.values) for unit in units),
        leaked_values=_ints(sum(times[1] > 0 for times in unit.values.values()) for unit in units),
        instances=_ints(sum(_of(unit, "quasi", 0)) for unit in units),
        caught=_ints(sum(_of(unit, "quasi", 0)) - sum(_of(unit, "quasi", 1)) for unit in units),
        repeats=_ints(times[0] for unit in units for times in unit.values.values()),
        masked_words=words[0],
        masked_identifier_words=words[1],
        records=len(units),
        notes=notes,
        leaked=_leaked(units),
    )


def _of(unit: _Unit, role: Role, at: int) -> list[int]:
    return [counts[at] for kind, counts in unit.kinds.items() if kind[1] == role]


def _type(kind: Kind, units: tuple[_Unit, ...]) -> TypeEvidence:
    own = [unit.kinds[kind] for unit in units if kind in unit.kinds]
    instances, leaked = (sum(counts[at] for counts in own) for at in (0, 1))
    values = sum(name == kind[0] for unit in units for name, _ in unit.values) if kind[1] == "quasi" else 0
    leaking = sum(counts[1] > 0 for counts in own)
    caught = instances - leaked
    return TypeEvidence(*kind, len(own), leaking, instances, caught, instances, caught, 0, values)


def _leaked(units: tuple[_Unit, ...]) -> LeakedValues:
    rows = [
        (at, name, times[1])
        for at, unit in enumerate(units)
        for (name, _), times in unit.values.items()
        if times[1]
    ]
    names = tuple(Counter(name for _, name, _ in rows))
    return LeakedValues(
        names,
        _ints(at for at, _, _ in rows),
        _ints(names.index(name) for _, name, _ in rows),
        _ints(times for _, _, times in rows),
    )


def _notes(file: FindingsFile, pages: int, guessed: tuple[int, int]) -> tuple[str, ...]:
    open_, nearest = guessed
    people = len({one.reviewer for one in file.reviews})
    notes = [
        f"Recall was measured on {plural(pages, 'page')} that {plural(people, 'reviewer')} read as a whole."
    ]
    if nearest:
        number = plural(nearest, "identifier")
        notes.append(f"{number} that reviewers added were given to the participant who stands nearest.")
    if open_:
        number = plural(open_, "identifier")
        notes.append(
            f"{number} on them, of staff or of nobody known, are left out: they name no participant."
        )
    if not file.texts:
        notes.append(
            "The findings hold no texts: age, sex and the like count as one value of a participant wherever "
            "they stand, every event as a value of its own."
        )
    return tuple(notes)


def _ints(numbers: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(list(numbers), dtype=np.int64)


def figures_evidence(figures: RecallFigures) -> Evidence:
    """Documents that have these figures."""
    n = figures.documents
    names = tuple(figures.direct)
    holds, leaks = np.zeros((n, len(names)), dtype=bool), np.zeros((n, len(names)), dtype=bool)
    for at, one in enumerate(figures.direct.values()):
        holds[: one.documents, at] = True
        leaks[: one.leaking, at] = True
    values, repeats = _spread(figures.quasi, n)
    instances = np.array([part.sum() for part in np.split(repeats, np.cumsum(values)[:-1])], dtype=np.int64)
    recall = 1.0 if figures.quasi is None else figures.quasi.recall
    types = [
        TypeEvidence(
            name, "direct", one.documents, one.leaking, one.documents, one.documents - one.leaking, 0, 0
        )
        for name, one in figures.direct.items()
    ]
    caught = shared(round(recall * int(instances.sum())), instances)
    if figures.quasi is not None:
        totals = int(instances.sum()), int(caught.sum())
        types.append(
            TypeEvidence(POOLED, "quasi", figures.quasi.documents, 0, *totals, 0, 0, values=int(values.sum()))
        )
    return Evidence(
        types=tuple(types),
        mapping=(),
        labels=(),
        direct_types=names,
        holds=holds,
        leaks=leaks,
        direct_leaks=leaks.sum(axis=1).astype(np.int64),
        values=values,
        leaked_values=np.zeros(n, dtype=np.int64),
        instances=instances,
        caught=caught,
        repeats=repeats,
        masked_words=0,
        masked_identifier_words=0,
        records=n,
        notes=(f"Recall was given as figures for {plural(n, 'participant')}; it was not measured here.",),
    )


def _spread(quasi: QuasiRecall | None, documents: int) -> tuple[Ints, Ints]:
    """Values of each participant, and instances of each value."""
    none = np.zeros(0, dtype=np.int64)
    if quasi is None:
        return np.zeros(documents, dtype=np.int64), none
    total = round(quasi.values * documents)
    own = even(total, quasi.documents)
    values = np.concatenate([own, np.zeros(documents - quasi.documents, dtype=np.int64)])
    return values, even(round(quasi.instances * total), total)


def even(total: int, parts: int) -> Ints:
    """Whole numbers as alike as can be.

    >>> even(7, 3).tolist()
    [3, 2, 2]
    """
    each, left = divmod(total, parts)
    return np.array([each + (at < left) for at in range(parts)], dtype=np.int64)


def shared(total: int, sizes: Ints) -> Ints:
    """So many of all instances, from each document about the same share.

    >>> shared(5, np.array([4, 4])).tolist()
    [2, 3]
    """
    whole = int(sizes.sum())
    if not whole:
        return np.zeros_like(sizes)
    upto = np.cumsum(sizes) * total // whole
    return np.asarray(np.diff(upto, prepend=0), dtype=np.int64)
