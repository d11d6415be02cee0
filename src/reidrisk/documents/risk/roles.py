"""What a finding is to the risk: a direct identifier, a quasi-identifier, or neither."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.text.corpus import Role
from reidrisk.text.roles import default_roles

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study


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
