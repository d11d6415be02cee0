"""A reviewed sample of pages as the evidence of a text evaluation: one virtual document a participant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.review.decided import REVIEWER, decided
from reidrisk.documents.risk.roles import FindingRoles
from reidrisk.errors import NothingToMeasure
from reidrisk.text.corpus import Role
from reidrisk.text.evidence import Evidence, Kind, LeakedValues, TypeEvidence
from reidrisk.text.values import normalize


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
        marked += sum(one.block in pages for one in document.findings)
        findings = decided(document, file.reviews).findings
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
