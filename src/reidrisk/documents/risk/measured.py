"""What was counted in a study and its documents, from which the risk follows, and what lowered it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from reidrisk.context.qualitative import QualitativeRisk, qualitative_risk
from reidrisk.documents.review.measure import ReviewCoverage
from reidrisk.documents.risk.classes import Classes, DocumentCriterion, SubjectGroup
from reidrisk.documents.risk.known import KnownEvents, StudyExposure
from reidrisk.documents.risk.leaks import WholeDocuments
from reidrisk.documents.risk.participants import SectionCount, Seen
from reidrisk.documents.risk.settings import Scenario
from reidrisk.documents.risk.variables import ConfidentialPage, DocumentVariable
from reidrisk.documents.study.schema import SITE
from reidrisk.text.evidence import Evidence, evidence_from_dict, evidence_to_dict

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

SUPPRESSED = "suppressed"
RULES = {
    "leave_out": "left out",
    "redact": "everything found is redacted",
    "replace": "everything found is replaced",
    "keep": "kept as it is",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that was done to lower the risk."""

    measure: str
    variables: tuple[str, ...]
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {"measure": self.measure, "variables": list(self.variables), "detail": self.detail}


@dataclass(frozen=True, slots=True)
class DocumentMeasure:
    """Everything that was counted for one scenario; no threshold is in it, and nobody's name."""

    scenario: Scenario
    study: str
    participants: int
    is_deidentified: bool
    everybody: Classes
    """All participants on all quasi-identifiers, as they are released."""
    before: Classes
    """The same as they are; of those who are mentioned, on what appears, if that is known."""
    mentioned: Classes | None = None
    """Those who are mentioned, on what can be read of them; None if nobody is, or that is not known."""
    everybody_events: KnownEvents | None = None
    """The same to somebody who knows events of a participant; None where there are none."""
    mentioned_events: KnownEvents | None = None
    without: tuple[tuple[str, StudyExposure], ...] = ()
    """What would count, if one quasi-identifier, each in turn, were redacted instead."""
    seen: Seen | None = None
    """What was found in the documents; None if nobody looked."""
    evidence: Evidence | None = field(default=None, repr=False)
    """What leaked on the reviewed pages; None without a review."""
    whole: WholeDocuments | None = None
    """What all pages hold, where only some were reviewed."""
    review: ReviewCoverage | None = None
    """How much of the documents was reviewed; None without a review file."""
    keeps_sections: bool = False
    """Whether sections are published as they are."""
    criteria: tuple[DocumentCriterion, ...] = ()
    measures: tuple[Measure, ...] = ()
    variables: tuple[DocumentVariable, ...] = ()
    """What becomes of each variable."""
    confidential: tuple[ConfidentialPage, ...] | None = None
    """Pages with places that are commercially confidential; None if nobody looked."""
    qualitative: QualitativeRisk | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_reviewed(self) -> bool:
        """Whether people read every page."""
        return self.review is not None and self.review.is_full

    @property
    def counted(self) -> StudyExposure | None:
        """Those who are mentioned, on what is told of them, or everybody; None if nobody is mentioned.

        Until every page is reviewed, nobody knows what the documents do not mention: everybody counts.
        """
        if self.scenario == "ipd_mentioned" and self.is_reviewed:
            return self.of_mentioned
        return self.of_everybody

    @property
    def of_everybody(self) -> StudyExposure:
        """All participants."""
        return StudyExposure(self.everybody, self.everybody_events)

    @property
    def of_mentioned(self) -> StudyExposure | None:
        """Those who are mentioned; None if nobody is."""
        return None if self.mentioned is None else StudyExposure(self.mentioned, self.mentioned_events)

    def to_dict(self) -> dict[str, Any]:
        """JSON types; rows of participants stay out."""
        return {
            "scenario": self.scenario,
            "study": self.study,
            "participants": self.participants,
            "is_deidentified": self.is_deidentified,
            "everybody": _rows(self.everybody),
            "before": _rows(self.before),
            "mentioned": None if self.mentioned is None else _rows(self.mentioned),
            "everybody_events": _events_dict(self.everybody_events),
            "mentioned_events": _events_dict(self.mentioned_events),
            "without": [[name, _rows(one.classes), _events_dict(one.events)] for name, one in self.without],
            "seen": None if self.seen is None else asdict(self.seen),
            "evidence": None if self.evidence is None else evidence_to_dict(self.evidence),
            "whole": None if self.whole is None else self.whole.to_dict(),
            "review": None if self.review is None else self.review.to_dict(),
            "keeps_sections": self.keeps_sections,
            "criteria": [asdict(one) for one in self.criteria],
            "measures": [one.to_dict() for one in self.measures],
            "variables": [one.to_dict() for one in self.variables],
            "confidential": confidential_rows(self.confidential),
            "qualitative": None if self.qualitative is None else dict(self.qualitative.factors),
            "inputs": dict(self.inputs),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> DocumentMeasure:
        """What `to_dict` wrote."""
        plain = ("scenario", "study", "participants", "is_deidentified", "keeps_sections", "inputs")
        evidence, factors = given["evidence"], given["qualitative"]
        return cls(
            **{name: given[name] for name in plain},
            everybody=_classes(given["everybody"]),
            before=_classes(given["before"]),
            mentioned=None if given["mentioned"] is None else _classes(given["mentioned"]),
            everybody_events=_events(given["everybody_events"]),
            mentioned_events=_events(given["mentioned_events"]),
            without=tuple(
                (name, StudyExposure(_classes(rows), _events(events)))
                for name, rows, events in given["without"]
            ),
            seen=None if given["seen"] is None else _seen(given["seen"]),
            evidence=None if evidence is None else evidence_from_dict(evidence),
            whole=None if given["whole"] is None else WholeDocuments.from_dict(given["whole"]),
            review=None if given["review"] is None else ReviewCoverage.from_dict(given["review"]),
            criteria=tuple(DocumentCriterion(**one) for one in given["criteria"]),
            measures=tuple(
                Measure(one["measure"], tuple(one["variables"]), one["detail"]) for one in given["measures"]
            ),
            variables=tuple(DocumentVariable(**one) for one in given["variables"]),
            confidential=None
            if given["confidential"] is None
            else tuple(ConfidentialPage(**one) for one in given["confidential"]),
            qualitative=None if factors is None else qualitative_risk(**factors),
        )


def confidential_rows(pages: tuple[ConfidentialPage, ...] | None) -> list[dict[str, Any]] | None:
    """The pages as JSON types."""
    return None if pages is None else [one.to_dict() for one in pages]


def _rows(classes: Classes) -> list[list[Any]]:
    return [[one.class_size, list(one.variables), one.participants] for one in classes.groups]


def _classes(rows: list[list[Any]]) -> Classes:
    return Classes(tuple(SubjectGroup(size, tuple(names), number) for size, names, number in rows))


def _events_dict(found: KnownEvents | None) -> dict[str, Any] | None:
    return None if found is None else found.to_dict()


def _events(given: Mapping[str, Any] | None) -> KnownEvents | None:
    return None if given is None else KnownEvents.from_dict(given)


def _seen(given: Mapping[str, Any]) -> Seen:
    return Seen(**{**given, "sections": tuple(SectionCount(**one) for one in given["sections"])})


def measures(study: Study, scenario: Scenario) -> tuple[Measure, ...]:
    """In the order of their effect: what is masked everywhere, what is released instead, sections."""
    roles = study.roles
    direct = (study.subject, *roles.direct)
    found = []
    if scenario == "redacted":
        found.append(Measure("redaction", (*direct, *roles.quasi, *roles.dates), "removed and boxed"))
    elif scenario != "qualitative":
        found += _replaced(study)
    found += [
        Measure("section", (), f"{section}: {RULES[rule]}")
        for section, rule in sorted(study.sections.items())
    ]
    return tuple(found)


def _replaced(study: Study) -> list[Measure]:
    from reidrisk.documents.study.study import ReleaseRules

    rules = study.deidentified
    if rules is None:
        return []
    if not isinstance(rules, ReleaseRules):
        return [Measure("replacement", study.roles.quasi, "by the values of the released tables")]
    found = []
    released = study.released
    recoded = (*rules.recode, *(() if SITE in rules.recode else (SITE,)))
    recoded = tuple(name for name in recoded if released and "new value" in released.treatment(name))
    if recoded:
        found.append(Measure("recoding", recoded, "by a key; the form is kept"))
    if rules.shift_days is not None:
        days = f"one offset per participant, at most {rules.shift_days} days"
        found.append(Measure("date shift", study.roles.dates, days))
    found += [
        Measure("generalization", (name,), f"to the level {level}")
        for name, level in rules.levels.items()
        if level != SUPPRESSED
    ]
    gone = tuple(name for name, level in rules.levels.items() if level == SUPPRESSED)
    if gone:
        found.append(Measure("suppression", gone, "no value is released"))
    dropped = tuple(
        sorted(name for name in study.dropped if released and released.treatment(name) == "removed")
    )
    if dropped:
        found.append(Measure("removal", dropped, "not released"))
    return found
