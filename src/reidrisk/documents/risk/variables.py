"""What becomes of each variable in the documents: its treatment, what it still tells, and how often it stands
there replaced, redacted or as it is; and the places that are commercially confidential."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import fsum, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.risk.participants import FindingRoles, Treatment
from reidrisk.documents.study.study import section_rule
from reidrisk.stats.utility import column_information

if TYPE_CHECKING:
    from reidrisk.documents.study.released import Released
    from reidrisk.documents.study.study import Study

Pairs = Sequence[tuple[int, str, str | None]]
"""Participant, value, and what is released instead; None if nothing is."""
FATES = ("replaced", "unchanged", "redacted", "left_out", "kept")
"""A new value; the value that the released data have too; a box; a section that goes; one that stays."""
_BY_RULE = {"keep": "kept", "leave_out": "left_out", "redact": "redacted"}
_A_DAY = "2020-02-20"


@dataclass(frozen=True, slots=True)
class DocumentVariable:
    """A variable of the study's data, or a type of identifier that the data do not have."""

    variable: str
    role: str
    treatment: str
    in_data: bool
    values_before: int | None = None
    """Different values in the data; None for what the data do not have."""
    values_after: int | None = None
    """The same as they are released; 0 if nothing is."""
    information_kept: float | None = None
    """Share of the bits of its values that the released values tell."""
    unique_before: float | None = None
    """Share of participants with a value that no other participant has, in this variable alone."""
    unique_after: float | None = None
    replaced: int = 0
    unchanged: int = 0
    redacted: int = 0
    left_out: int = 0
    kept: int = 0

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class ConfidentialPage:
    """How many places of a page are commercially confidential; never their text."""

    document: str
    page: str
    places: int

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


def confidential_pages(documents: Iterable[DocumentFindings]) -> tuple[ConfidentialPage, ...]:
    """The pages with confidential places, in the order of the documents."""
    found: list[ConfidentialPage] = []
    for document in documents:
        counts = Counter(one.block for one in document.findings if not one.is_personal)
        pages = [block for block in document.blocks if counts[block]]
        found += [ConfidentialPage(document.document, page, counts[page]) for page in pages]
    return tuple(found)


def document_variables(
    study: Study, documents: Iterable[DocumentFindings], treatment: Treatment
) -> tuple[DocumentVariable, ...]:
    """Every variable with a role in the study, and every other type that was found, by role."""
    places = _places(study, documents, treatment)
    released = study.released if treatment == "replace" else None
    found = []
    for name, role in _roles(study).items():
        if study.data.table_of(name) is None:
            continue
        words = "redacted" if treatment == "redact" else _words(released, name)
        told = _told(_pairs(study, released, name, treatment), len(study.data))
        found.append(
            DocumentVariable(name, role, words, in_data=True, **told, **places.pop((name, True), {}))
        )
    roles = FindingRoles.of(study)
    for (name, _), counts in sorted(places.items()):
        done = [fate.replace("_", " ") for fate in FATES if counts.get(fate)]
        role = _role_word(roles, name)
        found.append(DocumentVariable(name, role, " or ".join(done), in_data=False, **counts))
    return tuple(found)


def _roles(study: Study) -> dict[str, str]:
    """Variables by their first role."""
    roles = study.roles
    events = [name for columns in study.events.values() for name in columns]
    groups = (
        ("direct identifier", (study.subject, *roles.direct)),
        ("quasi-identifier", roles.quasi),
        ("date", roles.dates),
        ("event", events),
    )
    found: dict[str, str] = {}
    for role, names in groups:
        for name in names:
            found.setdefault(name, role)
    return found


def _role_word(roles: FindingRoles, name: str) -> str:
    finding = DocumentFinding("", 0, 1, name, 1.0, "")
    return {"direct": "direct identifier", "quasi": "quasi-identifier"}.get(roles.role(finding), "other")


def _words(released: Released | None, name: str) -> str:
    return "unchanged" if released is None else released.treatment(name)


def _pairs(study: Study, released: Released | None, name: str, treatment: Treatment) -> Pairs:
    values = study.data.by_subject(name)
    if treatment == "redact":
        return [(subject, value, None) for subject, own in values.items() for value in own]
    if released is None:
        return [(subject, value, value) for subject, own in values.items() for value in own]
    return [
        (subject, value, released.value(subject, name, value))
        for subject, own in values.items()
        for value in own
    ]


def _told(pairs: Pairs, participants: int) -> dict[str, Any]:
    """How many values there are, what they tell, and whom they single out, before and after."""
    before = Counter(value for _, value, _ in pairs)
    after = Counter(new for _, _, new in pairs if new is not None)
    if not pairs:
        return {"values_before": 0, "values_after": 0, "unique_before": 0.0, "unique_after": 0.0}
    both = Counter((value, new) for _, value, new in pairs)
    lost = fsum(
        number * log2(len(pairs) / before[value] if new is None else after[new] / number)
        for (value, new), number in both.items()
    )
    counts = np.array(list(before.values()), dtype=np.int64)
    return {
        "values_before": len(before),
        "values_after": len(after),
        "information_kept": column_information(counts, counts, lost).kept,
        "unique_before": _unique(((subject, value) for subject, value, _ in pairs), participants),
        "unique_after": _unique(((one, new) for one, _, new in pairs if new is not None), participants),
    }


def _unique(pairs: Iterable[tuple[int, str]], participants: int) -> float:
    owners: dict[str, set[int]] = {}
    for subject, value in pairs:
        owners.setdefault(value, set()).add(subject)
    return len({next(iter(own)) for own in owners.values() if len(own) == 1}) / participants


def _places(
    study: Study, documents: Iterable[DocumentFindings], treatment: Treatment
) -> dict[tuple[str, bool], Mapping[str, int]]:
    """The places of each variable, or of each type without one, by what becomes of them."""
    released = study.released
    known = set(_roles(study))

    @cache
    def fate_of(subjects: tuple[int, ...], variable: str | None, kind: str) -> str:
        return _fate(study, released, subjects, variable, kind)

    counts: dict[tuple[str, bool], Counter[str]] = {}
    for document in documents:
        for one in document.findings:
            if not one.is_personal:
                continue
            rule = section_rule(study.sections, one.section, otherwise=treatment)
            fate = _BY_RULE.get(rule) or fate_of(one.subjects, one.variable, one.type)
            key = (one.variable, True) if one.variable in known else (one.variable or one.type, False)
            counts.setdefault((str(key[0]), key[1]), Counter())[fate] += 1
    return {key: dict(own) for key, own in counts.items()}


def _fate(
    study: Study, released: Released | None, subjects: tuple[int, ...], variable: str | None, kind: str
) -> str:
    """Replaced if all participants who can be meant have one new value, as when documents are written."""
    if released is None or (variable is None and kind != "DATE"):
        return "redacted"
    old: set[str] = set()
    new: set[str | None] = set()
    for subject in subjects:
        values = (_A_DAY,) if variable is None else study.data.of(subject, variable)
        old |= set(values[:1])
        new |= {
            released.day(subject, one) if variable is None else released.value(subject, variable, one)
            for one in values[:1]
        }
    if len(new) != 1 or None in new:
        return "redacted"
    return "unchanged" if new == old else "replaced"
