"""The score of a context: its risk, the threshold that it allows, and the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from reidrisk.context.attempt import deliberate, spread
from reidrisk.context.checklist import Checklist, Practice, data, practices
from reidrisk.context.context import DEFAULT_PRESET, NO_REASON, Context
from reidrisk.context.preset import PresetThreshold, Rule, precedents
from reidrisk.context.questionnaire import Rating, questionnaire
from reidrisk.context.release import SEMI_PUBLIC_ATTEMPT, Release
from reidrisk.context.rule import ContextRule, PartKind, Statistic, rule_for
from reidrisk.context.settings import Access, Treatment
from reidrisk.context.sources import OURS, cite, source
from reidrisk.context.thresholds import CUSTODIAN, ThresholdPermission, lacking, permission
from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.stats.uncertain import Triangular

PROMISE = "no_reidentification"
PROMISE_CLAUSE = "The recipient does not try to re-identify or contact anybody in the data."


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence for the agreement, and what it contributes to the score."""

    practice: str
    clause: str
    counted_for: str

    def to_dict(self) -> dict[str, Any]:
        """JSON types; the wording of every clause is our own."""
        return {
            "practice": self.practice,
            "clause": self.clause,
            "counted_for": self.counted_for,
            "ours": True,
        }


def agreement(context: Context) -> tuple[Clause, ...]:
    """The clauses that the score depends on; a public release has none, because nobody is bound."""
    if context.access == "public":
        return ()
    promise = Clause(PROMISE, PROMISE_CLAUSE, f"{context.access.replace('_', '-')} access")
    if context.access == "semi_public":
        return (promise,)
    counted = _counted_for(context)
    return (promise, *(Clause(one.id, one.clause, counted) for one in _counted(context)))


def _counted(context: Context) -> Iterator[Practice]:
    """The practices without which the level of controls would be lower."""
    controls = context.controls
    if controls.level == "low":
        return
    for one in practices() if controls.checklist is None else controls.checklist.in_place:
        if controls.level == "high" or one.is_core:
            yield one


def _counted_for(context: Context) -> str:
    level, motives = context.controls.level, context.motives.level
    stated = ", as stated" if context.controls.origin == "stated" else ""
    with_it, without = deliberate(level, motives), deliberate("low", motives)
    text = f"controls {level}{stated}: chance of an attempt {with_it:g} instead of {without:g}"
    if context.chosen.rung.needs is not None:
        text += f"; the threshold of 1/{context.chosen.threshold.cell_size}"
    return text


PUBLIC_CELL_SIZE = 11
"""The smallest cell size with a precedent for public releases."""


def notes(context: Context) -> list[str]:
    """Notes for the reader, in the order of the questions."""
    return [*_policy(context), *_access(context), *_recipient(context), *_threshold(context)]


def _policy(context: Context) -> Iterator[str]:
    if context.preset_name is None:
        yield f"No preset is named, so the preset {DEFAULT_PRESET} is used, with its cell size of five."
    if context.preset.proposals:
        yield (
            f"The preset {context.preset.name} does not set a number: the custodian or the expert chooses "
            "the threshold and gives the reason."
        )


def _access(context: Context) -> Iterator[str]:
    if not context.access_stated and context.preset.access is None:
        yield "Access is not stated, so the release counts as public and an attempt as certain."
    if context.access == "public" and context.controls.origin != "assumed":
        yield "Controls are not counted, because they bind nobody in a public release."
    if context.access == "semi_public" and context.controls.origin != "assumed":
        yield (
            "Controls are not counted: for a semi-public release, the chance of an attempt is always 0.6, "
            "whatever the terms of use are."
        )


def _recipient(context: Context) -> Iterator[str]:
    if context.access != "non_public":
        return
    controls = context.controls
    if controls.origin == "assumed":
        yield "Controls are not stated, so they count as low."
    if controls.origin == "stated":
        rests = ", so they cannot justify a higher threshold" if context.chosen.later else ""
        yield f"Controls are stated as {controls.level} without the checklist of practices{rests}."
    if controls.checklist is not None and (left := len(controls.checklist.unanswered)):
        yield f"Checklist: {plural(left, 'practice')} without an answer, counted as not in place."
    if controls.checklist is not None and (out := len(controls.checklist.not_applicable)):
        yield f"Checklist: {plural(out, 'practice')} marked as not applicable. Please review the reasons."
    yield from _rated("Motives and capacity", "motives", context.motives)
    if context.acquaintance is None:
        yield "No prevalence is stated, so the risk from acquaintances is unknown and not counted."
    if context.breach is None:
        yield "No chance of a breach is stated, so that risk is unknown and not counted."


def _threshold(context: Context) -> Iterator[str]:
    if context.preset.by_invasion:
        yield from _rated("Invasion of privacy", "invasion", context.invasion)
    threshold = context.chosen.threshold
    if threshold.reason == NO_REASON:
        yield "The threshold was set without a reason; an auditor will ask for one."
    if context.access == "public" and threshold.cell_size < PUBLIC_CELL_SIZE:
        yield (
            f"Public releases have precedents for cell sizes of 11 and 20; 1/{threshold.cell_size} "
            "accepts more risk."
        )


def _rated(subject: str, name: str, rating: Rating) -> Iterator[str]:
    asked = questionnaire(name)
    if rating.origin == "assumed":
        yield f"{subject}: nothing is stated, so it counts as {rating.level}."
    if rating.unanswered:
        left = len(rating.unanswered)
        yield (
            f"{subject}: {left} of {len(asked.questions)} questions have no answer; "
            "the worst answer is assumed."
        )


def controls(context: Context) -> dict[str, Any]:
    """The level of controls and the practices behind it."""
    sheet = context.controls.checklist
    return {
        "level": context.controls.level,
        "from": context.controls.origin,
        "practices": len(practices()),
        "answered": len(sheet.answers) if sheet else 0,
        "in_place": len(sheet.in_place) if sheet else 0,
        "missing": [one.id for one in sheet.missing] if sheet else [],
        "without_evidence": [one.id for one in sheet.unproved] if sheet else [],
        "not_applicable": [one.id for one in sheet.not_applicable] if sheet else [],
        "checklist": [_row(one, sheet) for one in practices()] if sheet else [],
        "rule": data()["levels"]["rule"],
        "ours": sheet is not None,
        "source": f"{source(data()['source'])}, {data()['detail']}",
    }


def _row(practice: Practice, sheet: Checklist) -> dict[str, Any]:
    answer = sheet.answers.get(practice.id)
    return {
        "practice": practice.id,
        "group": data()["groups"][practice.group],
        "text": practice.text,
        "guidelines": list(practice.marks),
        "boards": practice.boards,
        "core": practice.is_core,
        "answer": answer.state if answer else None,
        "evidence": answer.evidence if answer else "",
        "reason": answer.reason if answer else "",
    }


def next_threshold(context: Context) -> dict[str, Any] | None:
    """The next higher threshold, and what is missing for it."""
    if not context.chosen.later:
        return None
    rung = context.chosen.later[0]
    gaps = _gaps(rung, context.controls.checklist)
    return {
        "cell_size": rung.threshold.cell_size,
        "probability": rung.threshold.probability,
        "reason": rung.threshold.reason,
        "allowed": permission(rung, context.ground).allowed,
        "missing": gaps,
        "missing_count": len(gaps),
        "level_needed": rung.needs,
        "access_needed": "non_public" if rung.needs and context.access != "non_public" else None,
    }


def _gaps(rung: PresetThreshold, sheet: Checklist | None) -> list[dict[str, str]]:
    """Practices that are missing or have no evidence; all of them if there is no checklist."""
    if rung.needs is None:
        return []
    lacks = (sheet or Checklist({})).needed_for(rung.needs)
    return [{"practice": one.id, "text": lacking(one, what), "lacks": what} for one, what in lacks]


def sources(context: Context) -> list[str]:
    """Citations for everything that the score uses."""
    used = [context.preset.source, context.chosen.rung.source]
    if context.access != "public":
        used += ["ipc_2016", "el_emam_2013"]
    if context.access == "non_public":
        used += [data()["source"], "kniola_2016"]
    named = [name for name in used if name != CUSTODIAN]
    return cite([*named, "scaiano_2016", OURS])


CAP = Threshold.from_cell_size(3, "SPEC 7.5; our own choice if a preset does not set a cap")
"""The cap for single records."""
UNDECIDED = "A context alone, without data, does not lead to a verdict."
SETTLED = {"public": 1.0, "semi_public": SEMI_PUBLIC_ATTEMPT}
"""The chance of an attempt if there is no known recipient."""


@dataclass(frozen=True)
class ContextScore(Result):
    """The chance of an attempt, the rule and the threshold that follow from a context."""

    context: Context

    @property
    def acceptable(self) -> bool:
        """Always False: a context without data decides nothing."""
        return False

    @property
    def access(self) -> Access:
        """Who can get the data."""
        return self.context.access

    @property
    def threshold(self) -> Threshold:
        """The largest acceptable risk."""
        return self.context.chosen.threshold

    @property
    def rule(self) -> Rule:
        """`cell_size`: the highest risk alone; `overall`: a statistic times the context risk."""
        return self.context.rule

    def rule_for(self, part: PartKind) -> ContextRule:
        """What decides about one kind of part: its row of the table of rules, with the numbers."""
        named = self.context.cap or (self.context.preset.cap and self.context.preset.cap.threshold)
        row = rule_for(self.rule, self.access, part)
        return ContextRule(row, self.threshold, self.context_risk, named or CAP)

    @property
    def statistic(self) -> Statistic:
        """Which statistic of the record risks is compared with the threshold."""
        return self.rule_for("table").row.statistic

    @property
    def cap(self) -> float:
        """The largest acceptable risk of a single record, whatever the average is."""
        return self.rule_for("table").largest_single

    @property
    def deliberate(self) -> Triangular:
        """The chance of a deliberate attempt."""
        if self.access in SETTLED:
            return Triangular.constant(SETTLED[self.access])
        return spread(deliberate(self.context.controls.level, self.context.motives.level))

    @property
    def risks(self) -> dict[str, float | None]:
        """The risks from a deliberate attempt, an acquaintance and a breach; None if not stated."""
        known, lost = self.context.acquaintance, self.context.breach
        return {
            "deliberate": self.deliberate.mode,
            "acquaintance": None if known is None else known.risk,
            "breach": None if lost is None else lost.probability,
        }

    @property
    def context_risk(self) -> float:
        """The largest of the three risks; 1 for a public release."""
        return max(risk for risk in self.risks.values() if risk is not None)

    @property
    def attempt(self) -> Triangular:
        """The chance of a deliberate attempt, or of an acquaintance or breach if that is higher."""
        least = max((risk for risk in list(self.risks.values())[1:] if risk is not None), default=0.0)
        own = self.deliberate
        return Triangular(max(own.low, least), max(own.mode, least), max(own.high, least))

    def release(self, treatment: Treatment = "redaction", recognition: object = None) -> Release:
        """The release of texts in this context."""
        if self.access == "public":
            return Release.public(treatment, recognition=recognition)
        known = Release.non_public(treatment, attempt=self.attempt, recognition=recognition)
        return replace(known, access=self.access)

    def permits(self, threshold: Threshold) -> ThresholdPermission:
        """Whether a threshold may be used in this context, and what is missing for it."""
        chosen = self.context.chosen
        if chosen.threshold.accepts(threshold.probability):
            return permission(chosen.rung, self.context.ground)
        for rung in chosen.later:
            if rung.threshold.accepts(threshold.probability):
                return permission(rung, self.context.ground)
        return ThresholdPermission(
            allowed=False,
            missing=(f"a policy that allows it; {self.context.preset.name} does not in this context",),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        own, raised = self.deliberate, self.attempt
        return {
            "kind": "context_score",
            "version": own_version(),
            "acceptable": None,
            "settings": self.context.to_settings(),
            "seed": None,
            "versions": versions(),
            "reasons": [UNDECIDED],
            "holds": [None],
            "preset": self.context.preset.to_dict(),
            "access": self.access,
            "rule": self.rule,
            "statistic": self.statistic,
            "cap": self.cap,
            "attempt": _triangle(raised),
            "deliberate": _triangle(own),
            "risks": self.risks,
            "undefined": self._undefined(),
            "context_risk": self.context_risk,
            "threshold": self.context.chosen.to_dict(),
            "controls": controls(self.context),
            "motives": self.context.motives.to_dict(questionnaire("motives")),
            "invasion": {
                **self.context.invasion.to_dict(questionnaire("invasion")),
                "counted": bool(self.context.preset.by_invasion),
            },
            "next_threshold": next_threshold(self.context),
            "agreement": [clause.to_dict() for clause in agreement(self.context)],
            "notes": notes(self.context),
            "sources": sources(self.context),
            "precedents": [one.to_dict() for one in precedents()],
        }

    def _undefined(self) -> dict[str, str]:
        if self.access == "public":
            return dict.fromkeys(
                (name for name, risk in self.risks.items() if risk is None),
                "not needed: the release is public, so an attempt is certain",
            )
        reasons = {"acquaintance": "no prevalence is stated", "breach": "no chance of a breach is stated"}
        return {name: reasons[name] for name, risk in self.risks.items() if risk is None}


def score_context(context: Context) -> ContextScore:
    """Score a context: chance of an attempt, rule, threshold, and what a higher threshold needs.

    >>> from reidrisk import Context
    >>> known = {"preset": "hospital", "access": "non_public", "controls": "medium", "motives": "low"}
    >>> score = score_context(Context.of(known))
    >>> score.threshold.cell_size, score.attempt.mode
    (5, 0.2)
    """
    return ContextScore(context)


def _triangle(given: Triangular) -> dict[str, float]:
    return {"value": given.mean, "low": given.low, "mode": given.mode, "high": given.high}
