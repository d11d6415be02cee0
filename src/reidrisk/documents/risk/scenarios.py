"""What each scenario makes of leaks, classes and words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reidrisk.context.qualitative import QualitativeRisk, qualitative_risk
from reidrisk.context.release import Release
from reidrisk.core.inventory import InventoryItem
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.documents.review.measure import ReviewCoverage
from reidrisk.documents.risk.classes import NEEDED, Classes, DocumentCriterion, Leaked, with_leaks
from reidrisk.documents.risk.known import StudyExposure
from reidrisk.documents.risk.leaks import Sides, Stage, combined_risk, leak_risk, of_whole_documents
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.errors import NothingToMeasure
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.evidence import Evidence
from reidrisk.text.result import TextRisk
from reidrisk.text.verdict import COPY

TOLERANCE = 1 + 1e-9
PAPER_RECOGNITION = 0.1
REVIEW = "review of the documents"
REMAINING = (
    "How many identifiers are left after treatment is not said: the risk before it stands. Say it with "
    "remaining=low, moderate or high."
)


@dataclass(frozen=True, slots=True)
class Case:
    """How what was counted is judged."""

    threshold: Threshold
    settings: DocumentSettings
    release: Release | None
    seed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scenario finds."""

    sides: Sides
    stages: tuple[Stage, Stage]
    accepted: bool
    reasons: tuple[tuple[bool, str], ...]
    """Whether each speaks for the documents, and what it says."""
    warnings: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    """What speaks against the documents whatever the classes are: leaks, a missing review, what stays."""
    unmeasured: tuple[InventoryItem, ...] = ()
    """What stops the verdict because nobody looked at it."""
    criteria: tuple[DocumentCriterion, ...] = ()
    qualitative: tuple[QualitativeRisk, QualitativeRisk | None] | None = None


def outcome(measured: DocumentMeasure, case: Case) -> Outcome:
    """The scenario that was measured."""
    if measured.scenario == "qualitative":
        return _with_unmasked(measured, in_words(measured, case))
    leaking = measured.scenario in ("redacted", "replaced")
    found = _leaking(measured, case) if leaking else _data_only(measured, case)
    warnings = (*_warnings(measured), *found.warnings, *_no_events(measured, case, found))
    return _with_unmasked(measured, replace(found, warnings=warnings))


def _no_events(measured: DocumentMeasure, case: Case, found: Outcome) -> tuple[str, ...]:
    """That nobody knows an event was accepted; the reason is printed."""
    if case.settings.known or found.sides.exposure is None or measured.scenario == "redacted":
        return ()
    return (f"Events of participants were not counted: {case.settings.known_reason}.",)


def _warnings(measured: DocumentMeasure) -> tuple[str, ...]:
    found = []
    if measured.scenario == "replaced" and not measured.is_deidentified:
        found.append(
            "The study file does not describe de-identified data: values count as released unchanged."
        )
    if measured.seen is not None and measured.seen.open:
        number = plural(measured.seen.open, "finding")
        found.append(f"No class counts {number} that could not be assigned to a participant.")
    if measured.seen is not None and measured.seen.unmasked_others:
        number = plural(measured.seen.unmasked_others, "direct identifier")
        found.append(f"Kept sections contain {number} of staff, or of nobody known: check whose they are.")
    return tuple(found)


def _data_only(measured: DocumentMeasure, case: Case) -> Outcome:
    """What the data tell of everybody or of those mentioned; and leaks, unless every page was reviewed."""
    exposure = measured.counted
    if exposure is None:
        why = "The documents mention no participant."
        stages = (Stage(0.0, why), Stage(0.0, why))
        return Outcome(Sides(), stages, accepted=True, reasons=((True, why),), criteria=measured.criteria)
    classes = class_reasons(exposure, case.threshold)
    found = Outcome(
        sides=Sides(catch=Triangular.constant(exposure.highest), exposure=exposure),
        stages=(_before(measured), Stage(exposure.highest, _stage_words(exposure))),
        accepted=all(holds for holds, _ in classes),
        reasons=classes,
        criteria=measured.criteria,
    )
    if measured.is_reviewed and measured.review is not None:
        pages = plural(measured.review.pages, "page")
        full = f"People read all {pages} of the documents, and what they added is treated too: no leaks."
        return replace(found, reasons=(*classes, (True, full)))
    return _not_reviewed(measured, _with_leak(measured, case, found))


def _with_leak(measured: DocumentMeasure, case: Case, found: Outcome) -> Outcome:
    """Leaks as the reviewed pages show them; the upper limit of the risk enters the decision."""
    evidence, catch = measured.evidence, found.sides.catch
    if evidence is None or catch is None:
        return found
    release = case.release or Release.public("redaction")
    leak = leak_risk(evidence, release, case.threshold, case.settings, seed=case.seed)
    if measured.whole is not None:
        leak = of_whole_documents(leak, measured.whole, case.settings)
    limit = _direct_limit(case, leak)
    both = combined_risk(leak, measured.whole, catch, case.settings)
    direct = None if leak.direct is None else leak.direct.estimate.high
    quasi = None if both is None else both.estimate.high
    checks = (_direct_check(leak, limit), _quasi_check(case, leak, quasi))
    known = [value for value in (direct, quasi, found.stages[1].highest) if value is not None]
    why = "upper limit of the largest risk: leaks on pages that nobody read, and what the data tell"
    return replace(
        found,
        sides=replace(found.sides, leak=leak, direct_limit=limit, combined=both),
        stages=(found.stages[0], Stage(max(known), why)),
        accepted=found.accepted and all(holds for holds, _ in checks),
        reasons=(*found.reasons, *checks),
        warnings=(*found.warnings, *(text for text in leak.warnings if text != COPY)),
        obstacles=tuple(text for holds, text in checks if not holds),
        criteria=_with_leaks(measured, evidence),
    )


def _not_reviewed(measured: DocumentMeasure, found: Outcome) -> Outcome:
    """What only a full review would have shown."""
    review = measured.review
    if measured.scenario == "ipd_mentioned" and measured.of_mentioned is not None:
        risk = probability(measured.of_mentioned.highest)
        said = f"From the findings alone the risk would be {risk}. That counts only after a full review."
        found = replace(found, warnings=(said, *found.warnings))
    if review is not None and not review.missing and measured.evidence is not None:
        said = f"Leaks are estimated: {review.sentence()}."
        found = replace(found, warnings=(said, *found.warnings))
    elif review is not None or measured.evidence is None:
        found = _refused(found, _unreviewed(review))
    if measured.keeps_sections:
        why = (
            "Sections are kept as they are, and not every page was reviewed: a direct identifier may stay "
            "there, the risk is taken as 1."
        )
        found = replace(_refused(found, why), stages=(found.stages[0], Stage(1.0, why)))
    return found


def _unreviewed(review: ReviewCoverage | None) -> str:
    if review is None:
        return "No review: nobody read the documents to see what the detection missed, so leaks are unknown."
    if review.missing:
        return f"The review is not complete: {review.sentence()}, so leaks in it are unknown."
    return f"{review.sentence()}; they hold no identifier, so nothing tells how much was missed."


def _refused(found: Outcome, why: str) -> Outcome:
    """Figures stay; the verdict is stopped."""
    item = InventoryItem(REVIEW, "documents", "kept", "unmeasured", why.rstrip("."))
    return replace(
        found,
        accepted=False,
        reasons=(*found.reasons, (False, f"{why.rstrip('.')}: not acceptable.")),
        obstacles=(*found.obstacles, why),
        unmeasured=(*found.unmeasured, item),
    )


def _leaking(measured: DocumentMeasure, case: Case) -> Outcome:
    """Through what leaked; where values were replaced, also through what stands there now."""
    if measured.evidence is None:
        raise NothingToMeasure(
            f"The scenario {measured.scenario} needs the recall of the detection, from a reviewed sample.",
            hint="Name it in the study: review: {findings: FILE} or {recall: …}; or take the scenario ipd.",
        )
    release = case.release or _release(measured, case)
    leak = leak_risk(measured.evidence, release, case.threshold, case.settings, seed=case.seed)
    if measured.whole is not None:
        leak = of_whole_documents(leak, measured.whole, case.settings)
    limit = _direct_limit(case, leak)
    catch, exposure = _caught(measured, case) if measured.scenario == "replaced" else (None, None)
    both = None if catch is None else combined_risk(leak, measured.whole, catch, case.settings)
    direct = None if leak.direct is None else leak.direct.estimate.high
    quasi = both.estimate.high if both else None if leak.quasi is None else leak.quasi.estimate.high
    checks = (_direct_check(leak, limit), _quasi_check(case, leak, quasi))
    known = [value for value in (direct, quasi) if value is not None]
    return Outcome(
        sides=Sides(leak, limit, catch, exposure, both),
        stages=(
            _before(measured),
            Stage(max(known, default=None), "upper limit of the larger of both risks"),
        ),
        accepted=all(passed for passed, _ in checks),
        reasons=checks,
        warnings=(*_extrapolated(measured), *(text for text in leak.warnings if text != COPY)),
        criteria=_with_leaks(measured, measured.evidence),
    )


def _extrapolated(measured: DocumentMeasure) -> tuple[str, ...]:
    if measured.whole is None:
        return ()
    return (
        f"Not all of {plural(measured.whole.pages, 'page')} were reviewed: recall is that of the pages read, "
        "how often participants are told of is that of all pages.",
    )


def _with_leaks(measured: DocumentMeasure, evidence: Evidence) -> tuple[DocumentCriterion, ...]:
    leaked = Leaked(evidence.documents_with_direct_leak, evidence.documents_with_leaks(NEEDED))
    return with_leaks(measured.criteria, leaked)


def _release(measured: DocumentMeasure, case: Case) -> Release:
    if measured.scenario == "redacted":
        return Release.public("redaction")
    paper = PAPER_RECOGNITION if case.settings.text.profile == "paper" else None
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


def _caught(measured: DocumentMeasure, case: Case) -> tuple[Triangular, StudyExposure | None]:
    if case.settings.given_catch is not None:
        return case.settings.given_catch, None
    exposure = measured.of_mentioned if case.settings.catch == "mentioned" else measured.of_everybody
    return Triangular.constant(exposure.highest if exposure else 0.0), exposure


def _with_unmasked(measured: DocumentMeasure, found: Outcome) -> Outcome:
    """A direct identifier that stays re-identifies for certain."""
    if measured.seen is None or not measured.seen.unmasked:
        return found
    number = plural(measured.seen.unmasked, "direct identifier")
    why = f"Sections that are kept as they are contain {number}: the risk is 1."
    stages = found.stages if found.qualitative else (found.stages[0], Stage(1.0, why))
    return replace(
        found,
        stages=stages,
        accepted=False,
        reasons=((False, why), *found.reasons),
        obstacles=(*found.obstacles, why),
    )


def _before(measured: DocumentMeasure) -> Stage:
    """The risk of the documents as they are."""
    if measured.seen is not None and measured.seen.direct:
        number = plural(measured.seen.direct, "direct identifier")
        return Stage(1.0, f"the documents contain {number} of participants")
    return Stage(measured.before.highest, _class_words(measured.before))


def _class_words(classes: Classes) -> str:
    smallest = classes.smallest
    alike = "is alone in their class" if smallest == 1 else f"is one of {smallest:,} who are alike"
    return f"the most exposed of {plural(classes.participants, 'participant')} {alike}"


def _stage_words(exposure: StudyExposure) -> str:
    """The same in few words."""
    events = exposure.events
    if events is None or not events.worst.known:
        return _class_words(exposure.classes)
    known = plural(events.worst.known, "known event")
    if exposure.smallest == 1:
        return f"{known} can single out a participant"
    return f"with {known}, at least {exposure.smallest:,} participants fit"


def _exposed(exposure: StudyExposure) -> str:
    """The most exposed participant, in words."""
    if exposure.events is None:  # pragma: no cover - only asked for events
        return _class_words(exposure.classes)
    others = "nobody else" if exposure.smallest == 1 else f"{exposure.smallest - 1:,} others"
    known = plural(exposure.events.worst.known, "event")
    return (
        f"the most exposed of {plural(exposure.classes.participants, 'participant')} matches "
        f"{others}, for somebody who also knows {known}"
    )


def class_reasons(exposure: StudyExposure, threshold: Threshold) -> tuple[tuple[bool, str], ...]:
    """On static quasi-identifiers alone, then with known events, which decide."""
    static = exposure.classes.smallest >= threshold.cell_size
    first = (static, _class_reason(exposure.classes, threshold, accepted=static))
    if exposure.events is None or not exposure.events.worst.known:
        return (first,)
    accepted = exposure.accepts(threshold.cell_size)
    tables = ", ".join(exposure.events.tables)
    bound = "at least " if exposure.is_bound else ""
    words = _exposed(exposure)
    text = (
        f"{words[0].upper()}{words[1:]} (of {tables}), a risk of {bound}{probability(exposure.highest)}; "
        f"{exposure.below(threshold.cell_size):,} are in groups smaller than {threshold.cell_size}"
    )
    if exposure.is_bound:
        text += ". Only a sample of the possible knowledge was examined, which proves nothing"
    return first, (accepted, f"{text}: {'acceptable' if accepted else 'not acceptable'}.")


def _class_reason(classes: Classes, threshold: Threshold, *, accepted: bool) -> str:
    words = _class_words(classes)
    return (
        f"{words[0].upper()}{words[1:]}, a risk of {probability(classes.highest)}; the threshold is "
        f"{probability(threshold.probability)} ({threshold.reason}). "
        f"{classes.below(threshold.cell_size):,} are in classes smaller than {threshold.cell_size}: "
        f"{'acceptable' if accepted else 'not acceptable'}."
    )


def in_words(measured: DocumentMeasure, case: Case) -> Outcome:
    """Acceptable is what is low; after treatment only the number of identifiers is another."""
    before = measured.qualitative
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
    reason += f" and {after.level} after it" if after else ""
    verdict = "acceptable" if accepted else "not acceptable, only low is"
    verdict += f". {final.action.rstrip('.')}"
    return Outcome(
        sides=Sides(),
        stages=(Stage(None, "in words", before.level), Stage(None, "in words", final.level)),
        accepted=accepted,
        reasons=((accepted, f"{reason}: {verdict}."),),
        warnings=() if after or accepted else (REMAINING,),
        criteria=measured.criteria,
        qualitative=(before, after),
    )
