"""The verdict on a text evaluation: the risks that decide, the reasons and the warnings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.reason import Reason
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import needed_words, plural, probability
from reidrisk.stats.decision import Decision, UnitsNeeded
from reidrisk.text import models
from reidrisk.text.evidence import Evidence, number_or_none
from reidrisk.text.settings import DecidingInterval, TextSettings

COPY = "The tool masks exactly what the gold standard marks. Is it a copy?"
DISAGREEMENT = 0.01
"""Engines whose limits differ by more than this share are reported."""


@dataclass(frozen=True, slots=True)
class RiskPart:
    """The risk from direct identifiers, or from quasi-identifiers, as it decides."""

    estimate: Estimate
    """Mean and limits; the upper limit decides."""
    plug_in: float
    """The formula at the observed shares; for the observed risk, its mean."""
    interval: DecidingInterval
    threshold: float
    """The largest upper limit that is acceptable."""
    acceptable: bool
    other: Estimate | None = None
    """The same risk with the other kind of interval."""
    by_document: float | None = None
    """The plug-in value computed from each document's own values."""
    drawing_error: float | None = None
    plain_count_exceeds: bool = False
    """Whether the share of leaking documents, counted without any model, is already too high."""
    undecided: bool = False
    """Whether too few documents were examined to accept or refuse."""
    needed: UnitsNeeded | None = None
    """How many documents or clusters would do, if it is undecided."""
    examined: tuple[int, str] = (0, "documents")
    """How many units were examined, and what they are."""
    with_attempt: tuple[Estimate, float] | None = None
    """Risk and threshold times the chance of an attempt, where those that decide leave it out."""
    model: RiskPart | None = None
    """The figures of the model, which do not decide."""

    @property
    def decision(self) -> Decision:
        """Accepted, refused, or undecided."""
        return "accepted" if self.acceptable else "undecided" if self.undecided else "refused"

    @property
    def by_model(self) -> RiskPart:
        """The figures of the model, whether or not they decide."""
        return self.model or self

    @property
    def documents_needed(self) -> dict[str, Any] | None:
        """How many documents would do, as JSON types."""
        if self.needed is None:
            return None
        number, unit = self.examined
        return {"unit": unit, "examined": number, **self.needed.to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        outcome = {"decision": self.decision, "documents_needed": self.documents_needed}
        if self.model is None:
            return self.figures() | outcome
        own = {
            **self.estimate.to_dict(),
            "plug_in": self.plug_in,
            "interval": self.interval,
            "threshold": self.threshold,
            "acceptable": self.acceptable,
            **outcome,
        }
        if self.with_attempt is not None:
            estimate, threshold = self.with_attempt
            own["with_attempt"] = {**estimate.to_dict(), "threshold": threshold}
        return own | {"model": self.model.figures()}

    def figures(self) -> dict[str, Any]:
        """What the model says."""
        other = {} if self.other is None else {"other_interval": self._other_kind() | self.other.to_dict()}
        extra = {"plug_in_by_document": self.by_document, "drawing_error": self.drawing_error}
        return {
            **self.estimate.to_dict(),
            "plug_in": self.plug_in,
            "interval": self.interval,
            "threshold": self.threshold,
            "acceptable": self.acceptable,
            "plain_count_exceeds": self.plain_count_exceeds,
            **other,
            **{name: number_or_none(value) for name, value in extra.items() if value is not None},
        }

    def _other_kind(self) -> dict[str, Any]:
        return {"interval": "per_document" if self.interval == "parameter" else "parameter"}


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether recognition may count for a type, under each of the two rules."""

    type: str
    role: str
    documents: int
    recall: float
    cutoff: float
    observed: bool
    significant: bool
    applied: bool | None
    """The answer under the rule of the settings; None where every draw decides."""
    undecided: bool
    """Whether the interval of the recall includes the cutoff."""
    upper_leak: float | None = None
    """Upper limit of the share of leaks, which the rule `significant` compares with 1 minus the cutoff."""
    level: float | None = None
    """The level of this upper limit; types that are tested together have a higher one than a single type."""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The same upper limit, computed by another engine."""

    engine: str
    role: str
    interval: str
    high: float
    difference: float
    """Relative to the limit in the result."""


def is_acceptable(direct: RiskPart | None, quasi: RiskPart | None, settings: TextSettings) -> bool:
    """Whether both risks are below their limits; the settings decide on a risk that was not evaluated."""
    return all(part_holds(part, settings) for part in (direct, quasi))


def overall_decision(direct: RiskPart | None, quasi: RiskPart | None, settings: TextSettings) -> Decision:
    """Accepted if both risks are, refused if one is or was not evaluated, otherwise undecided."""
    if is_acceptable(direct, quasi, settings):
        return "accepted"
    open_ = [part for part in (direct, quasi) if not part_holds(part, settings)]
    return "undecided" if all(part is not None and part.undecided for part in open_) else "refused"


def overall_needed(direct: RiskPart | None, quasi: RiskPart | None) -> dict[str, Any] | None:
    """How many documents would do for all risks that are undecided: the larger of both numbers."""
    open_ = [part.documents_needed for part in (direct, quasi) if part is not None and part.undecided]
    known = [needed for needed in open_ if needed is not None]
    if not known or len(known) < len(open_):
        return None
    whole = dict(known[0])
    for name in ("if_nothing_more_leaks", "if_share_stays", "with_chance"):
        numbers = [needed[name] for needed in known]
        whole[name] = None if None in numbers else max(numbers)
    return whole


def part_holds(part: RiskPart | None, settings: TextSettings) -> bool:
    """Whether one risk is acceptable; the settings decide if it was not evaluated."""
    return settings.unevaluated == "accept" if part is None else part.acceptable


def reasons(
    direct: RiskPart | None, quasi: RiskPart | None, threshold: Threshold, settings: TextSettings
) -> tuple[Reason, ...]:
    """The reasons for the verdict, one per risk."""
    return (
        _reason("Direct identifiers", direct, "the benchmark's upper limit", settings),
        _reason("Quasi-identifiers", quasi, f"the threshold ({threshold.reason})", settings),
    )


def _reason(name: str, part: RiskPart | None, limit: str, settings: TextSettings) -> Reason:
    holds = part_holds(part, settings)
    if part is None:
        therefore = (
            "as you chose, this does not count against the release"
            if holds
            else "so the release is not acceptable on this basis"
        )
        return Reason(f"{name}: not evaluated, because the gold standard marks none; {therefore}.", holds)
    if part.undecided:
        return Reason(f"{name}: {_undecided(part, limit)}", holds)
    below = part.estimate.high <= part.threshold or part.acceptable
    sentence = (
        f"{name}: the upper limit of the risk, {probability(part.estimate.high)}, "
        f"{'does not exceed' if below else 'exceeds'} {limit}, {probability(part.threshold)}"
    )
    if below and not part.acceptable:
        sentence += ", but the documents that leaked, counted without any model, are already too many"
    return Reason(f"{sentence}: {'acceptable' if part.acceptable else 'not acceptable'}.", holds)


def _undecided(part: RiskPart, limit: str) -> str:
    """Why a risk is undecided, and what would help."""
    low, high = probability(part.estimate.low), probability(part.estimate.high)
    few = (
        f"too few {part.examined[1]} to decide. {limit[0].upper()}{limit[1:]}, "
        f"{probability(part.threshold)}, is between the lower and the upper limit of the risk, {low} and "
        f"{high}."
    )
    if part.estimate.value >= part.threshold:
        return f"{few} The estimate, {probability(part.estimate.value)}, is above it too."
    return f"{few} {needed_words(part.documents_needed)}".rstrip()


def recognition_counts(release: Release) -> bool:
    """Whether any leak may go unrecognized, so that gates matter."""
    return any(h.mean < 1 for h in (release.recognition.default, *release.recognition.by_type.values()))


def warnings(
    evidence: Evidence, settings: TextSettings, observed: tuple[Estimate, Estimate], release: Release
) -> tuple[str, ...]:
    """Questions that a statistician would ask about the data."""
    found = [] if evidence.only_counts else _model_too_low(evidence, settings, observed)
    if evidence.absent:
        names = ", ".join(name for name, _ in evidence.absent)
        found.append(f"Not evaluated, because no document contains them: {names}.")
    perfect = [kind.type for kind in evidence.of_role("direct") if kind.leaking_documents == 0]
    if perfect and settings.uncertainty in ("normal", "normal_clip", "truncnorm"):
        found.append(
            "The normal model shows no uncertainty for a perfect recall, even if there are few documents: "
            f"{', '.join(perfect)}."
        )
    if evidence.unmatched:
        found.append(
            f"{plural(evidence.unmatched['only_gold'], 'document')} of the gold standard without tool output "
            f"count as unmasked; {plural(evidence.unmatched['only_tool'], 'document')} without gold standard "
            "do not count."
        )
    if evidence.precision == 1 and evidence.word_recall() == 1:
        found.append(COPY)
    if release.treatment == "resynthesis" and not recognition_counts(release):
        found.append("Re-synthesis with recognition 1 protects no more than redaction.")
    return tuple(found)


def doubts(
    direct: RiskPart | None,
    quasi: RiskPart | None,
    crosschecks: tuple[CrossCheck, ...],
    gates: tuple[Gate, ...],
    release: Release,
) -> tuple[str, ...]:
    """Questions that a statistician would ask about the computation."""
    found = _disagreements(crosschecks)
    names = ", ".join(gate.type for gate in gates if gate.observed != gate.significant)
    if names and recognition_counts(release):
        found.append(
            f"Recall is above the cutoff, but not significantly, for: {names}. The two gate rules give "
            "different risks; both are shown."
        )
    limits = {"direct": direct, "quasi": quasi}
    for check in crosschecks:
        part = limits[check.role]
        if (
            part is not None
            and part.model is None
            and (check.high <= part.threshold) != (part.estimate.high <= part.threshold)
        ):
            found.append(
                f"The engines disagree on whether the {check.role} risk is below its limit: the two are "
                "almost equal."
            )
    for role, part in limits.items():
        if part is None or part.drawing_error is None:
            continue
        if abs(part.estimate.high - part.threshold) < 3 * part.drawing_error:
            found.append(
                f"The {role} risk differs from its limit by less than the error of random draws: use more "
                "draws, or the exact engine."
            )
    return tuple(found)


def _model_too_low(
    evidence: Evidence, settings: TextSettings, observed: tuple[Estimate, Estimate]
) -> list[str]:
    """Warn where the model expects fewer leaking documents than were observed.

    The model assumes here that every leak is recognized and that an attempt is certain.
    """
    bare = models.unprotected_risks(evidence, settings)
    named = zip(("direct identifiers", "quasi-identifiers"), bare, observed, strict=True)
    return [
        f"The model underestimates the leaks of {name}: it expects leaks in a share of {probability(value)} "
        f"of documents, but {probability(share.value)} was observed (at least {probability(share.low)})."
        for name, value, share in named
        if value is not None and value < share.low
    ]


def _disagreements(crosschecks: tuple[CrossCheck, ...]) -> list[str]:
    return [
        f"The {check.engine} engine finds an upper limit of {probability(check.high)} for "
        f"{check.role} identifiers, which differs from the one shown by {100 * check.difference:+.1f} %."
        for check in crosschecks
        if abs(check.difference) > DISAGREEMENT
    ]
