"""What of each participant stands in the documents after they were treated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.risk.roles import FindingRoles
from reidrisk.documents.section_rules import section_rule

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

Treatment = Literal["redact", "replace"]
"""What is done where no rule of a section says otherwise."""
OUTSIDE = "outside any section"


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
