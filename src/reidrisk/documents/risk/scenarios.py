"""What each scenario makes of leaks, classes and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reidrisk.context.qualitative import QualitativeRisk, qualitative_risk
from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.documents.risk.catch import Classes, classes_of_everybody, classes_of_mentioned
from reidrisk.documents.risk.criteria import Criterion, criteria
from reidrisk.documents.risk.evidence import reviewed_evidence
from reidrisk.documents.risk.leaks import combined_risk, leak_risk
from reidrisk.documents.risk.result import Sides, Stage
from reidrisk.documents.risk.roles import FindingRoles
from reidrisk.documents.risk.settings import Scenario
from reidrisk.documents.risk.shown import Treatment
from reidrisk.errors import NothingToMeasure
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.result import TextRisk

if TYPE_CHECKING:
    from reidrisk.documents.risk.run import Case

DEFAULT_THRESHOLD = Threshold.from_cell_size(5, "cell size of five, the default")
TOLERANCE = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scenario finds."""

    sides: Sides
    stages: tuple[Stage, Stage]
    accepted: bool
    reasons: tuple[tuple[bool, str], ...]
    """Whether each speaks for the documents, and what it says."""
    warnings: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    qualitative: tuple[QualitativeRisk, QualitativeRisk | None] | None = None


def treatment(scenario: Scenario) -> Treatment:
    """What is done to findings where no section says otherwise."""
    return "redact" if scenario == "redacted" else "replace"


def outcome(case: Case) -> Outcome:
    """The scenario of the case."""
    if case.scenario == "qualitative":
        return _qualitative(case)
    found = _leaking(case) if case.scenario in ("redacted", "replaced") else _data_only(case)
    return _with_unmasked(case, found)


def warnings(case: Case, threshold: Threshold | None) -> tuple[str, ...]:
    """What the owner of the documents must know."""
    found = []
    if threshold is None and case.study.threshold is None and case.scenario != "qualitative":
        found.append(
            "No threshold was named: a cell size of five is assumed. EMA and Health Canada ask for 0.09 "
            "for published documents; say whether to the letter (12 alike) or as a cell size of 11."
        )
    if case.scenario == "replaced" and not case.people.is_deidentified:
        found.append("Nothing is said about de-identified data: values are taken to be released as they are.")
    if case.shown is not None and case.shown.open:
        found.append(
            f"{plural(case.shown.open, 'finding')} could not be given to a participant and add to no class."
        )
    return tuple(found)


def _data_only(case: Case) -> Outcome:
    """Leaks are excluded by a full review: the class of everybody, or of those who are mentioned."""
    if case.scenario == "ipd" or case.shown is None:
        classes = classes_of_everybody(case.people)
    else:
        mentioned = classes_of_mentioned(case.people, case.shown)
        if mentioned is None:
            return _nobody(case)
        classes = mentioned
    accepted = classes.smallest >= case.threshold.cell_size
    after = Stage(classes.highest, _class_words(classes))
    return Outcome(
        sides=Sides(catch=Triangular.constant(classes.highest), classes=classes),
        stages=(_before(case), after),
        accepted=accepted,
        reasons=((accepted, _class_reason(classes, case.threshold, accepted=accepted)),),
        criteria=_criteria(case),
    )


def _nobody(case: Case) -> Outcome:
    why = "The documents mention no participant."
    return Outcome(Sides(), (Stage(0.0, why), Stage(0.0, why)), accepted=True, reasons=((True, why),), criteria=_criteria(case))


def _leaking(case: Case) -> Outcome:
    """Through what leaked; where values were replaced, also through what stands there now."""
    if case.review is None:
        raise NothingToMeasure(
            f"The scenario {case.scenario} needs the recall of the detection, from a reviewed sample.",
            hint="Name it in the study, review: {findings: FILE}, or take the scenario ipd after a full review.",
        )
    evidence = reviewed_evidence(case.review, FindingRoles.of(case.study))
    leak = leak_risk(evidence, _release(case), case.threshold, case.settings, seed=case.seed)
    limit = _direct_limit(case, leak)
    catch, classes = _caught(case) if case.scenario == "replaced" else (None, None)
    both = None if catch is None else combined_risk(leak, catch, case.settings)
    sides = Sides(leak, limit, catch, classes, both)
    direct = None if leak.direct is None else leak.direct.estimate.high
    quasi = both.estimate.high if both else None if leak.quasi is None else leak.quasi.estimate.high
    checks = (_direct_check(leak, limit), _quasi_check(case, leak, quasi))
    known = [value for value in (direct, quasi) if value is not None]
    after = Stage(max(known, default=None), "upper limit of the larger of both risks")
    return Outcome(
        sides=sides,
        stages=(_before(case), after),
        accepted=all(passed for passed, _ in checks),
        reasons=checks,
        warnings=leak.warnings,
        criteria=_criteria(case),
    )


def _release(case: Case) -> Release:
    if case.release is not None:
        return case.release
    if case.scenario == "redacted":
        return Release.public("redaction")
    paper = 0.1 if case.settings.text.profile == "paper" else None
    return Release.public("resynthesis", recognition=paper)


def _direct_limit(case: Case, leak: TextRisk) -> float:
    limits = {"benchmark": leak.benchmark.high, "threshold": case.threshold.probability}
    return limits.get(case.settings.direct_limit, min(limits.values()))


def _direct_check(leak: TextRisk, limit: float) -> tuple[bool, str]:
    if leak.direct is None:
        accepted = leak.settings.unevaluated == "accept"
        return accepted, "Direct identifiers: not evaluated, the reviewed pages hold none."
    high = leak.direct.estimate.high
    veto = leak.direct.plain_count_exceeds and leak.settings.plain_count == "veto"
    accepted = high <= limit * TOLERANCE and not veto
    return accepted, _said("Direct identifiers", high, limit, accepted=accepted)


def _quasi_check(case: Case, leak: TextRisk, high: float | None) -> tuple[bool, str]:
    if leak.quasi is None or high is None:
        accepted = leak.settings.unevaluated == "accept"
        return accepted, "Quasi-identifiers: not evaluated, the reviewed pages hold none."
    veto = leak.quasi.plain_count_exceeds and leak.settings.plain_count == "veto"
    accepted = case.threshold.accepts(high) and not veto
    return accepted, _said("Quasi-identifiers", high, case.threshold.probability, accepted=accepted)


def _said(what: str, high: float, limit: float, *, accepted: bool) -> str:
    verb = "does not exceed" if high <= limit * TOLERANCE else "exceeds"
    more = "" if accepted or verb == "exceeds" else ", but the leaks counted without any model are too many"
    verdict = "acceptable" if accepted else "not acceptable"
    return (
        f"{what}: the upper limit of the risk, {probability(high)}, {verb} {probability(limit)}{more}: "
        f"{verdict}."
    )


def _caught(case: Case) -> tuple[Triangular, Classes | None]:
    if case.settings.given_catch is not None:
        return case.settings.given_catch, None
    classes: Classes | None = classes_of_everybody(case.people)
    if case.settings.catch == "mentioned" and case.shown is not None:
        classes = classes_of_mentioned(case.people, case.shown)
    return Triangular.constant(classes.highest if classes else 0.0), classes


def _with_unmasked(case: Case, found: Outcome) -> Outcome:
    """A direct identifier that stays re-identifies for certain."""
    if case.shown is None or not case.shown.unmasked:
        return found
    why = f"{plural(case.shown.unmasked, 'direct identifier')} stay in sections that are kept: the risk is 1."
    stages = (found.stages[0], Stage(1.0, why))
    return Outcome(
        found.sides, stages, False, ((False, why), *found.reasons), found.warnings, found.criteria  # noqa: FBT003
    )


def _before(case: Case) -> Stage:
    """The risk of the documents as they are."""
    if case.shown is not None and case.shown.direct:
        number = plural(case.shown.direct, "direct identifier")
        return Stage(1.0, f"{number} of participants were found in the documents")
    classes = None
    if case.shown is not None:
        classes = classes_of_mentioned(case.people, case.shown, original=True)
    classes = classes or classes_of_everybody(case.people, original=True)
    return Stage(classes.highest, _class_words(classes))


def _class_words(classes: Classes) -> str:
    smallest = classes.smallest
    alike = "is alone in their class" if smallest == 1 else f"is one of {smallest:,} who are alike"
    return f"the most exposed of {plural(classes.participants, 'participant')} {alike}"


def _class_reason(classes: Classes, threshold: Threshold, *, accepted: bool) -> str:
    words = _class_words(classes)
    return (
        f"{words[0].upper()}{words[1:]}, a risk of {probability(classes.highest)}; the threshold is "
        f"{probability(threshold.probability)} ({threshold.reason}). "
        f"{classes.below(threshold.cell_size):,} are in classes smaller than {threshold.cell_size}: "
        f"{'acceptable' if accepted else 'not acceptable'}."
    )


def _criteria(case: Case) -> tuple[Criterion, ...]:
    if case.shown is None:
        return ()
    return criteria(case.people, case.shown, level=case.settings.text.level)


def _qualitative(case: Case) -> Outcome:
    before = case.study.qualitative
    if before is None:
        raise NothingToMeasure(
            "The qualitative scenario needs its four factors.",
            hint="Write qualitative: {identifiers: …, population: …, participants: …, centres: …} in the "
            "study, each low, moderate or high.",
        )
    left = case.settings.remaining
    after = None if left is None else qualitative_risk(**{**before.factors, "identifiers": left})
    final = after or before
    accepted = final.level == "low"
    reason = f"The risk is {before.level} before treatment"
    reason += f" and {after.level} after it" if after else ". " + before.action
    verdict = "acceptable" if accepted else "not acceptable, only low is"
    notes = () if after or before.level == "low" else (REMAINING,)
    stages = (Stage(None, "in words", before.level), Stage(None, "in words", final.level))
    return Outcome(
        Sides(),
        stages,
        accepted,
        ((accepted, f"{reason.rstrip('.')}: {verdict}."),),
        notes,
        _criteria(case),
        (before, after),
    )


REMAINING = (
    "How many identifiers are left after treatment is not said: the risk before it stands. Say it with "
    "remaining=low, moderate or high."
)
