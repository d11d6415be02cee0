"""The quasi-identifiers of every participant as numbers, and what of each stands in the documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.study.study import section_rule
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import packed
from reidrisk.text.corpus import Role
from reidrisk.text.roles import default_roles

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

Treatment = Literal["redact", "replace"]
"""What is done where no rule of a section says otherwise."""
OUTSIDE = "outside any section"


@dataclass(frozen=True, slots=True)
class FindingRoles:
    """The word of the study's schema, and for what it does not name that of the type's scheme."""

    direct: frozenset[str]
    quasi: frozenset[str]
    """Quasi-identifiers, dates and events of participants."""
    single: frozenset[str] = frozenset()
    """Variables of which a participant has one value."""

    @classmethod
    def of(cls, study: Study) -> FindingRoles:
        """By the roles of the study's variables."""
        roles = study.roles
        events = [name for names in roles.events.values() for name in names]
        known = frozenset({*roles.quasi, *roles.dates})
        direct = frozenset({study.subject, *roles.direct})
        return cls(direct, known | frozenset(events), known - frozenset(events))

    def names_participant(self, finding: DocumentFinding) -> bool:
        """Whether a direct identifier is one of a participant, not of staff or of nobody known."""
        return self.role(finding) == "direct" and (bool(finding.subjects) or finding.variable in self.direct)

    def role(self, finding: DocumentFinding) -> Role:
        """A type of nobody's scheme is a quasi-identifier: rather one too many."""
        if finding.category == "CCI":
            return "ignored"
        if finding.variable in self.direct:
            return "direct"
        if finding.variable in self.quasi:
            return "quasi"
        return default_roles().get(finding.type.upper(), ("quasi", ""))[0] or "quasi"


@dataclass(frozen=True, slots=True, eq=False)
class CodedParticipants:
    """One row a participant, one column a variable; equal numbers are equal values, a missing one too."""

    variables: tuple[str, ...]
    original: Ints = field(repr=False)
    released: Ints = field(repr=False)
    """What stands in the released data; the same as `original` where nothing is said about them."""
    is_deidentified: bool

    def __len__(self) -> int:
        return len(self.original)

    @property
    def changed(self) -> tuple[str, ...]:
        """Variables that are released with fewer values than they have."""
        kept = [len(np.unique(codes)) for codes in self.original.T]
        left = [len(np.unique(codes)) for codes in self.released.T]
        return tuple(name for name, one, two in zip(self.variables, kept, left, strict=True) if two < one)

    def class_sizes(self, released: Iterable[str], original: Iterable[str] = ()) -> Ints:
        """For every participant: how many are alike on these variables, some as released, some as they are.

        Nothing known leaves everybody alike.
        """
        place = self.classes(released, original)
        return np.asarray(np.bincount(place)[place], dtype=np.int64)

    def classes(self, released: Iterable[str], original: Iterable[str] = ()) -> Ints:
        """For every participant: the number of the class on these variables."""
        columns = [self.released[:, self._at(name)] for name in released]
        columns += [self.original[:, self._at(name)] for name in original]
        if not columns:
            return np.zeros(len(self), dtype=np.int64)
        keys = packed(np.stack(columns, axis=1), range(len(columns)))
        return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.int64)

    def _at(self, name: str) -> int:
        if name not in self.variables:
            raise InvalidSetting.among("A quasi-identifier of the study", name, self.variables)
        return self.variables.index(name)


def participants_of(study: Study) -> CodedParticipants:
    """Every participant of the study's first table, by the quasi-identifiers of its schema."""
    table, variables = study.data.participants, study.roles.quasi
    places = [table.columns.index(name) for name in variables]
    rows = [tuple(row[at] for at in places) for row in table.rows]
    released = study.released
    if released is None:
        new = rows
    else:
        new = [
            tuple(
                None if value is None else released.value(number, name, value)
                for name, value in zip(variables, row, strict=True)
            )
            for number, row in enumerate(rows, start=1)
        ]
    return coded(variables, rows, new, is_deidentified=released is not None)


def coded(
    variables: Sequence[str],
    rows: Sequence[Sequence[object]],
    released: Sequence[Sequence[object]] | None = None,
    *,
    is_deidentified: bool = False,
) -> CodedParticipants:
    """From the values themselves.

    >>> coded(["SEX", "AGE"], [("F", 26), ("M", 26), ("F", 26)]).class_sizes(["SEX"]).tolist()
    [2, 1, 2]
    """
    original = _codes(rows, len(variables))
    new = original if released is None else _codes(released, len(variables))
    return CodedParticipants(tuple(variables), original, new, is_deidentified)


def _codes(rows: Sequence[Sequence[object]], width: int) -> Ints:
    codes = np.zeros((len(rows), width), dtype=np.int64)
    for column in range(width):
        known: dict[object, int] = {}
        for at, row in enumerate(rows):
            codes[at, column] = known.setdefault(row[column], len(known))
    return codes


@dataclass(frozen=True, slots=True)
class SectionCount:
    """What was found in one section, and what is done there."""

    section: str
    rule: str
    direct: int
    quasi: int
    participants: int

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found in all documents."""

    documents: int
    mentioned: int
    """Participants."""
    direct: int
    """Direct identifiers of participants."""
    unmasked: int
    """Direct identifiers of participants that stay, where a section is kept as it is."""
    unmasked_others: int
    """Direct identifiers of staff, or of nobody known, that stay there."""
    open: int
    """Findings of which nobody knows whom they mean."""
    sections: tuple[SectionCount, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Variables of participants, by the number of their row, that can be read in the documents."""

    mentioned: Mapping[int, frozenset[str]] = field(repr=False)
    """Before anything is done: participants and their variables that appear."""
    released: Mapping[int, frozenset[str]] = field(repr=False)
    """Afterwards, with the value of the released data."""
    kept: Mapping[int, frozenset[str]] = field(repr=False)
    """Afterwards, with the value itself, where a section is kept as it is."""
    seen: Seen
    released_events: Mapping[int, frozenset[str]] = field(default_factory=dict, repr=False)
    """Terms and dates of events that can be read afterwards, as they are released."""
    kept_events: Mapping[int, frozenset[str]] = field(default_factory=dict, repr=False)
    """The same where a section is kept as it is."""


def shown(study: Study, documents: Iterable[DocumentFindings], treatment: Treatment) -> Shown:
    """Count what was found, and what of it can still be read."""
    roles = FindingRoles.of(study)
    variables = frozenset(study.roles.quasi)
    events = frozenset(name for columns in study.events.values() for name in columns) | set(study.roles.dates)
    by_rule: dict[str, dict[int, set[str]]] = {"mentioned": {}, "replace": {}, "keep": {}}
    happened: dict[str, dict[int, set[str]]] = {"replace": {}, "keep": {}}
    counts: dict[str, Counter[str]] = {}
    people: dict[str, set[int]] = {}
    rules: dict[str, str] = {}
    totals: Counter[str] = Counter()
    files = 0
    for document in documents:
        files += 1
        for one in document.findings:
            role = roles.role(one)
            if role == "ignored":
                continue
            rule = section_rule(study.sections, one.section, otherwise=treatment)
            place = one.section or OUTSIDE
            rules[place] = rule
            counts.setdefault(place, Counter())[role] += 1
            people.setdefault(place, set()).update(one.subjects)
            named = roles.names_participant(one)
            totals["direct"] += named
            totals["unmasked"] += named and rule == "keep"
            totals["others"] += role == "direct" and not named and rule == "keep"
            totals["open"] += not one.subjects
            if one.variable in variables:
                for kind in ("mentioned", rule):
                    for subject in one.subjects if kind in by_rule else ():
                        by_rule[kind].setdefault(subject, set()).add(str(one.variable))
            else:
                for subject in one.subjects:
                    by_rule["mentioned"].setdefault(subject, set())
                    if one.variable in events and rule in happened:
                        happened[rule].setdefault(subject, set()).add(str(one.variable))
    sections = tuple(
        SectionCount(place, rules[place], own["direct"], own["quasi"], len(people[place]))
        for place, own in sorted(counts.items(), key=lambda item: _order(item[0]))
    )
    frozen = {kind: _frozen(found) for kind, found in by_rule.items()}
    seen = Seen(
        documents=files,
        mentioned=len(frozen["mentioned"]),
        direct=totals["direct"],
        unmasked=totals["unmasked"],
        unmasked_others=totals["others"],
        open=totals["open"],
        sections=sections,
    )
    told = {kind: _frozen(found) for kind, found in happened.items()}
    return Shown(frozen["mentioned"], frozen["replace"], frozen["keep"], seen, told["replace"], told["keep"])


def _frozen(found: Mapping[int, set[str]]) -> dict[int, frozenset[str]]:
    return {subject: frozenset(names) for subject, names in sorted(found.items())}


def _order(section: str) -> tuple[bool, list[tuple[int, str]]]:
    parts = [(int(part) if part.isdecimal() else 10**6, part) for part in section.split(".")]
    return section == OUTSIDE, parts
