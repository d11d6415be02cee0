"""Values of participants that a detector may have missed in documents, for the risk over all parts.

The recall of each variable comes from reviewed pages, or from figures. Whoever the documents mention has at
least one instance of every variable in them, and as many as were found; whoever they do not mention leaks
nothing. A value that the documents tell anyway cannot leak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.context.release import Release
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.review.opinions import REVIEWER, decided
from reidrisk.documents.risk.evidence import POOLED
from reidrisk.documents.risk.leaks import WholeDocuments, leak_risk, of_whole_documents
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.relational.joint import TextLeaks
from reidrisk.relational.risk import USUAL
from reidrisk.stats.leaked_values import LeakKind
from reidrisk.text.evidence import Evidence

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

SEED = 7


@dataclass(frozen=True, slots=True)
class MissedValues:
    """How well each variable is found, and how often it stands of each participant."""

    kinds: tuple[LeakKind, ...]
    values: Mapping[str, Mapping[int, str]] = field(repr=False)
    """By variable and participant: all values, together."""
    found: Mapping[tuple[int, str], int] | None = field(repr=False)
    """By participant and variable: instances that were found; None if nobody knows."""
    missed: frozenset[tuple[int, str]] | None = field(repr=False)
    """Participants and variables that reviewers added, if these read every page."""
    named: frozenset[int] = field(repr=False)
    """Participants of whom reviewers added a direct identifier."""
    repeats: int
    """Instances of a value, where nobody counted them."""
    direct: float
    """Upper limit of the chance that a direct identifier of a participant leaks."""

    def beside(self, people: Sequence[int], told: Mapping[str, Sequence[str | None]]) -> TextLeaks:
        """What may leak of these participants beyond what is told of them anyway."""
        mentioned = None if self.found is None else {subject for subject, _ in self.found}
        here = np.array([mentioned is None or one in mentioned for one in people], dtype=np.bool_)
        values = tuple(self._values(kind.name, people, told) for kind in self.kinds)
        instances = np.array(
            [[self._instances(one, kind.name) for kind in self.kinds] for one in people], dtype=np.int64
        ).reshape(len(people), len(self.kinds))
        leaked = direct = None
        if self.missed is not None:
            leaked = np.array(
                [[(one, kind.name) in self.missed for kind in self.kinds] for one in people], dtype=np.bool_
            ).reshape(len(people), len(self.kinds))
            direct = np.array([float(one in self.named) for one in people])
        return TextLeaks(
            self.kinds, values, instances * here[:, None], leaked, np.where(here, self.direct, 0.0), direct
        )

    def _values(
        self, name: str, people: Sequence[int], told: Mapping[str, Sequence[str | None]]
    ) -> tuple[str | None, ...]:
        own: list[str | None] = [str(one) for one in people]
        if name in self.values:
            own = [self.values[name].get(one) for one in people]
        known = told.get(name, [None] * len(people))
        return tuple(None if value == other else value for value, other in zip(own, known, strict=True))

    def _instances(self, subject: int, name: str) -> int:
        return self.repeats if self.found is None else max(1, self.found.get((subject, name), 0))


def missed_values(
    study: Study,
    evidence: Evidence,
    whole: WholeDocuments | None,
    *,
    found: Sequence[DocumentFindings] | None,
    reviewed: FindingsFile | None,
    settings: DocumentSettings,
) -> MissedValues:
    """From the evidence of reviewed pages or figures, and what was found on all pages."""
    kinds = tuple(_kinds(study, evidence))
    counted = None if found is None else _counted(found)
    added = [] if reviewed is None else _added(reviewed)
    direct = {study.subject, *study.roles.direct}
    return MissedValues(
        kinds=kinds,
        values={
            kind.name: {
                subject: " | ".join(sorted(set(own)))
                for subject, own in study.data.by_subject(kind.name).items()
            }
            for kind in kinds
            if study.data.table_of(kind.name) is not None
        },
        found=counted,
        missed=frozenset((who, one.variable or one.type) for one in added for who in one.subjects)
        if reviewed is not None and whole is None
        else None,
        named=frozenset(who for one in added if one.variable in direct for who in one.subjects),
        repeats=ceil(evidence.repeats.mean()) if len(evidence.repeats) else 1,
        direct=_direct(evidence, whole, settings),
    )


def _kinds(study: Study, evidence: Evidence) -> list[LeakKind]:
    """The recall of each variable; of all together where one was not seen on the pages that were read."""
    own = {one.type: (one.caught, one.instances) for one in evidence.of_role("quasi") if one.instances}
    if not own:
        return []
    pooled = tuple(sum(pair[at] for pair in own.values()) for at in (0, 1))
    names = dict.fromkeys((*study.roles.quasi, *(name for name in own if name != POOLED)))
    return [LeakKind(name, *own.get(name, pooled)) for name in names]


def _added(reviewed: FindingsFile) -> list[DocumentFinding]:
    every = (decided(document, reviewed.reviews).findings for document in reviewed.documents)
    return [one for findings in every for one in findings if one.source == REVIEWER and one.is_personal]


def _counted(found: Sequence[DocumentFindings]) -> Counter[tuple[int, str]]:
    """Instances by participant and variable; a finding that may mean several counts for each."""
    return Counter(
        (subject, one.variable or one.type)
        for document in found
        for one in document.findings
        if one.is_personal
        for subject in one.subjects
    )


def _direct(evidence: Evidence, whole: WholeDocuments | None, settings: DocumentSettings) -> float:
    quick = replace(settings, text=replace(settings.text, crosscheck=False))
    leak = leak_risk(evidence, Release.public("redaction"), USUAL, quick, seed=SEED)
    if whole is not None:
        leak = of_whole_documents(leak, whole, quick)
    return 0.0 if leak.direct is None else leak.direct.estimate.high
