"""A documents part: clinical documents of a trial, measured once and judged in any context."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.kind import PartCase, ReleasePart, RunControl
from reidrisk.assess.kinds.text import leaking_types, recognition_of, without_leaks
from reidrisk.assess.moved_dates import MovedDates
from reidrisk.assess.sketch import DraftFile, PartSketch, draft_line
from reidrisk.assess.verdict import (
    PartVerdict,
    Rejudge,
    Remedy,
    RiskFigure,
    decide_records,
    known_events,
    verdict_words,
)
from reidrisk.context.release import Release
from reidrisk.context.rule import WORDS
from reidrisk.context.score import ContextScore
from reidrisk.core.place import SettingPlace
from reidrisk.core.settings import (
    PART_NAME,
    AnyValue,
    Choice,
    Entry,
    FileName,
    MappingOf,
    SettingGroup,
    TextSetting,
)
from reidrisk.core.wording import path_text, probability
from reidrisk.core.yaml_file import read_yaml, yaml_text
from reidrisk.documents.findings.journal import journal_paths
from reidrisk.documents.review.measure import ReviewCoverage
from reidrisk.documents.risk.known import StudyExposure
from reidrisk.documents.risk.measure import LEAKING, measure_documents
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.run import DocumentRisk, risk_of
from reidrisk.documents.risk.scenarios import Case
from reidrisk.documents.risk.settings import SCENARIOS, DocumentSettings, Scenario, document_settings
from reidrisk.documents.risk.told import ToldParticipants, told_by_documents
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.study import ReleasedTables, ReleaseRules, Study
from reidrisk.errors import ReidRiskError
from reidrisk.text.input_settings import RECOGNITION

LEAK_STATISTIC = "upper limit of the risk of a participant"
BEFORE = "highest risk of a participant, before treatment"

DOCUMENTS_FORM = SettingGroup(
    {
        "name": PART_NAME,
        "kind": Entry(Choice(("documents",)), "Clinical documents of a trial.", needed=True),
        "study": Entry(
            FileName(), "The study: a YAML file that names the data and the documents.", needed=True
        ),
        "scenario": Entry(Choice(SCENARIOS), "How the documents are published.", needed=True),
        "findings": Entry(
            FileName(), "What was found in the documents.  [detected if the scenario needs it]"
        ),
        "review": Entry(FileName(), "Findings with a reviewed sample.  [from the study]"),
        "recognition": Entry(
            RECOGNITION.kind,
            "With scenario replaced: the probability that a leaked original is recognized among replaced "
            "values.",
        ),
        "confidential": Entry(
            MappingOf(TextSetting("justification")),
            "Why places that reviewers marked are commercially confidential, by document (csr.pdf) or "
            "page (csr.pdf:page 3).",
        ),
        "settings": Entry(
            MappingOf(AnyValue("value")),
            "known, known_reason, combine, catch, given_catch, direct_limit, remaining, profile; options of "
            "a text evaluation.",
        ),
    },
    title="A documents part",
    about="As on the command line of `reidrisk document risk`.",
)


class DocumentsPart(ReleasePart):
    """Data of the participants of a trial, its documents, and how they are published."""

    kind: ClassVar[str] = "documents"
    form: ClassVar[SettingGroup] = DOCUMENTS_FORM
    sketch_order: ClassVar[int] = 1

    @property
    def study_file(self) -> Path:
        """The file that describes the study."""
        return Path(self.path(str(self.given["study"])))

    @cached_property
    def study(self) -> Study:
        """The study; none of its data are read."""
        return read_study(self.study_file)

    @property
    def scenario(self) -> Scenario:
        """How the documents are published."""
        found: Scenario = self.given["scenario"]
        return found

    @property
    def settings(self) -> DocumentSettings:
        """How the risk is computed."""
        stated = dict(self.given.get("settings") or {})
        return document_settings(str(stated.pop("profile", "recommended")), stated)

    def release(self, score: ContextScore) -> Release | None:
        """How detected identifiers are treated, in a context; None if the risk is told in words."""
        if self.scenario == "qualitative":
            return None
        if self.scenario == "replaced":
            return score.release("resynthesis", recognition_of(self.given.get("recognition")))
        return score.release("redaction")

    def check(self, place: SettingPlace, score: ContextScore) -> None:
        """Check the study, settings, recognition and files."""
        if self.study_file.is_file():
            with place.at("study").names_line():
                _ = self.study
            with place.at("settings").names_line():
                _ = self.settings
            with place.at("recognition").names_line():
                self.release(score)
        self.check_sources(place)

    @property
    def moved_dates(self) -> MovedDates | None:
        """By the rules of the study for released data, which hold for its documents too."""
        rules = self.study.deidentified
        if not isinstance(rules, ReleaseRules) or rules.shift_days is None:
            return None
        return MovedDates(f"deidentified.shift in {self.study_file.name}", rules.shift_days, rules.key)

    def sources(self) -> tuple[str, ...]:
        """The study, its data, findings and reviews; the documents if they are searched."""
        named = [str(self.given[name]) for name in ("study", "findings", "review") if self.given.get(name)]
        if not self.study_file.is_file():
            return tuple(named)
        study = self.study
        inside = list(study.tables.values())
        if isinstance(study.deidentified, ReleasedTables):
            inside += [*study.deidentified.tables.values(), study.deidentified.link]
        if self.scenario != "qualitative" and study.review is not None and not self.given.get("review"):
            inside.append(study.review)
        reviewed = [
            self.path(str(self.given[name])) for name in ("findings", "review") if self.given.get(name)
        ]
        for one in (*reviewed, *([] if study.review is None else [study.review])):
            inside += journal_paths(str(one))
        if self._has_review or (not self.given.get("findings") and self._needs_detection):
            inside += study.document_paths()
        return tuple(dict.fromkeys([*named, *map(self._relative_path, inside)]))

    @property
    def _has_review(self) -> bool:
        """Whether a review may cover every page, which only the documents themselves show."""
        named = self.given.get("review") or self.given.get("findings") or self.study.review
        return named is not None and self.scenario in ("ipd", "ipd_mentioned")

    @property
    def _needs_detection(self) -> bool:
        mentions = self.scenario == "replaced" and self.settings.catch == "mentioned"
        return mentions or self.scenario == "ipd_mentioned"

    def _relative_path(self, path: Path) -> str:
        return path_text(os.path.relpath(path, self.folder))

    def counted(self) -> Mapping[str, Any]:
        """All settings but recognition, which is only for the verdict."""
        names = ("study", "scenario", "findings", "review")
        return {**{name: self.given.get(name) for name in names}, "settings": self.settings.to_dict()}

    def measure(self, control: RunControl) -> dict[str, Any]:  # noqa: ARG002 - nothing here is random
        """Count classes, mentions and leaks; no text and no row of a participant is stored."""
        findings, review = self._files()
        measured = measure_documents(
            self.study, self.scenario, findings=findings, review=review, settings=self.settings
        )
        return measured.to_dict()

    def _files(self) -> tuple[str | None, str | None]:
        """The findings and the review, as they are opened."""
        found, read = (
            None if self.given.get(name) is None else self.path(str(self.given[name]))
            for name in ("findings", "review")
        )
        return found, read

    def told(self, link: str | None) -> ToldParticipants | str:
        """What the documents tell about each participant, by the study's key or another column."""
        findings, review = self._files()
        return told_by_documents(
            self.study,
            self.scenario,
            settings=self.settings,
            findings=findings,
            review=review,
            link=link,
        )

    def judge(
        self, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
    ) -> PartVerdict:
        """The risk of the scenario."""
        return self.judge_measure(DocumentMeasure.from_dict(measured), score, seed=seed, quick=quick)

    def judge_measure(
        self, found: DocumentMeasure, score: ContextScore, *, seed: int, quick: bool = True
    ) -> PartVerdict:
        """The verdict for other counts."""
        settings = self.settings
        if quick:
            settings = replace(settings, text=replace(settings.text, crosscheck=False))
        same = found.scenario == self.scenario
        release = self.release(score) if same else score.release("redaction")
        risk = risk_of(found, Case(score.threshold, settings, release, seed))
        verdict = (
            _judge_by_leaks(risk, score) if found.scenario in LEAKING else _judge_by_classes(risk, score)
        )
        return replace(
            verdict,
            initial=RiskFigure(BEFORE, risk.stages[0].highest),
            measures=tuple(
                _measure_sentence(one.measure, one.variables, one.detail) for one in found.measures
            ),
            inventory=risk.inventory,
            result=None if quick else self._result(risk),
        )

    def _result(self, risk: DocumentRisk) -> dict[str, Any]:
        """The result, with the justification of what is commercially confidential, or null."""
        result: dict[str, Any] = self.with_short_paths(risk.to_dict())
        given = self.given.get("confidential") or {}
        if result["confidential"] is not None:
            result["confidential"] = [
                {
                    **row,
                    "justification": given.get(
                        f"{row['document']}:{row['page']}", given.get(row["document"])
                    ),
                }
                for row in result["confidential"]
            ]
        return result

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """Mask more, show less, or detect more; the smallest change first."""
        found = DocumentMeasure.from_dict(measured)

        def rejudge(changed: DocumentMeasure) -> Rejudge:
            return lambda score: self.judge_measure(changed, score, seed=case.seed)

        if found.seen is not None and found.seen.unmasked:
            masked = replace(found, seen=replace(found.seen, unmasked=0))
            text = "Redact direct identifiers in the sections that are kept"
            yield from case.remedy("drop", text, rejudge(masked), None, 1)
        if found.scenario in LEAKING:
            yield from _detect_more(found, rejudge, case)
        if found.scenario in ("ipd", "ipd_mentioned") and not found.is_reviewed:
            yield from _review_all(found, rejudge, case)
        if found.scenario == "replaced":
            change = {f"parts.{self.name}.scenario": "redacted"}
            redacted = replace(found, scenario="redacted")
            text, outside = "Redact instead of replacing", "Write the documents again, redacted."
            yield from case.remedy("drop", text, rejudge(redacted), change, 3, outside=outside)
        if found.scenario not in LEAKING:
            yield from _show_less(found, rejudge, case)

    @classmethod
    def sketch(cls, file: DraftFile) -> PartSketch | None:
        """For a YAML file that names the data of participants, and so describes a study."""
        if file.path.suffix.lower() not in (".yaml", ".yml"):
            return None
        try:
            content = read_yaml(file.path)
        except ReidRiskError:
            return None
        return DocumentsSketch(file.written) if isinstance(content, Mapping) and "ipd" in content else None


def _measure_sentence(measure: str, variables: tuple[str, ...], detail: str) -> str:
    columns = f" of {', '.join(variables)}" if variables else ""
    return f"{measure[0].upper()}{measure[1:]}{columns}: {detail}."


def _judge_by_leaks(risk: DocumentRisk, score: ContextScore) -> PartVerdict:
    both = risk.sides.combined
    return PartVerdict(
        acceptable=risk.acceptable,
        statistic=LEAK_STATISTIC,
        risk=risk.highest,
        low=None if both is None else both.estimate.low,
        high=None if both is None else risk.highest,
        attempt=score.attempt.mean,
        overall=risk.highest,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=" ".join(text for _, text in risk.reasons),
        final=RiskFigure(LEAK_STATISTIC, risk.highest),
    )


def _judge_in_words(risk: DocumentRisk, score: ContextScore) -> PartVerdict:
    """For a risk that is described, not computed."""
    return PartVerdict(
        acceptable=risk.acceptable,
        statistic=WORDS,
        risk=risk.highest,
        attempt=1.0,
        overall=risk.highest,
        threshold=score.threshold.probability,
        cell_size=None,
        sentence=" ".join(text for _, text in risk.reasons),
        final=RiskFigure(WORDS, risk.highest),
    )


def _judge_by_classes(risk: DocumentRisk, score: ContextScore) -> PartVerdict:
    exposure = risk.sides.exposure
    if exposure is None or risk.highest is None:
        return _judge_in_words(risk, score)
    decision = decide_records(score, smallest=exposure.smallest, average=exposure.average, part="documents")
    enough = decision.acceptable and not exposure.is_bound
    more = risk.highest > exposure.highest
    statistic = decision.statistic
    if exposure.events is not None:
        statistic += known_events(risk.settings.known)
    notes = "".join(f" {text}" for text in risk.obstacles)
    known = risk.highest if more else decision.risk
    return PartVerdict(
        acceptable=enough and not risk.obstacles,
        statistic=statistic,
        risk=known,
        attempt=1.0 if more else decision.attempt,
        overall=known if more else decision.overall,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=(
            f"The {statistic} is {probability(decision.risk)}; {decision.why}: "
            f"{verdict_words(enough)}.{notes}{_accepted(risk)}"
        ),
        final=RiskFigure(statistic, known),
        figures_acceptable=enough and len(risk.obstacles) <= len(risk.inventory.unmeasured),
    )


def _accepted(risk: DocumentRisk) -> str:
    """Events that were left out of the figures, and the reason."""
    reason = risk.settings.known_reason
    return "" if reason is None else f" Events of participants were not counted: {reason}."


RejudgeMeasure = Callable[[DocumentMeasure], Rejudge]


def _detect_more(found: DocumentMeasure, rejudge: RejudgeMeasure, case: PartCase) -> Iterator[Remedy]:
    evidence = found.evidence
    if evidence is None:
        return
    for kind in leaking_types(evidence):
        changed = replace(found, evidence=without_leaks(evidence, [kind.type]))
        text = f"Use a detector that misses no {kind.type} (it was missed for {kind.leaking_documents:,})"
        yield from case.remedy("tool", text, rejudge(changed), None, 5)


def _review_all(found: DocumentMeasure, rejudge: RejudgeMeasure, case: PartCase) -> Iterator[Remedy]:
    """The verdict if people read every page and what they find is treated too."""
    review = found.review or ReviewCoverage(1, 1, 1)
    full = replace(review, reviewed=review.pages, missing=())
    changed = replace(found, review=full, evidence=None, whole=None)
    yield from case.remedy("tool", "Review every page of the documents", rejudge(changed), None, 4)


def _show_less(found: DocumentMeasure, rejudge: RejudgeMeasure, case: PartCase) -> Iterator[Remedy]:
    if found.scenario == "ipd" and found.mentioned is not None:
        change = {f"parts.{case.name}.scenario": "ipd_mentioned"}
        fewer = replace(found, scenario="ipd_mentioned")
        text = "Count only participants and values that the documents mention"
        yield from case.remedy("tool", text, rejudge(fewer), change, 1)
    for name, less in found.without:
        changed = _exposed_as(found, less)
        yield from case.remedy("drop", f"Redact {name} instead of replacing it", rejudge(changed), None, 2)
    counted = found.counted
    if counted is not None and counted.events is not None:
        tables = ", ".join(counted.events.tables)
        changed = _exposed_as(found, replace(counted, events=None))
        text = f"Remove the terms and dates of events ({tables})"
        yield from case.remedy("drop", text, rejudge(changed), None, 3)


def _exposed_as(found: DocumentMeasure, less: StudyExposure) -> DocumentMeasure:
    """The counts with other figures for those who count."""
    if found.scenario == "ipd_mentioned" and found.is_reviewed:
        return replace(found, mentioned=less.classes, mentioned_events=less.events)
    return replace(found, everybody=less.classes, everybody_events=less.events)


@dataclass(frozen=True)
class DocumentsSketch(PartSketch):
    """A study."""

    kind: ClassVar[str] = "documents"

    @property
    def reason(self) -> str:
        """What only such a file has."""
        return "It describes a study: it names the data of the participants."

    @property
    def wanted_name(self) -> str:
        """The usual name."""
        return "documents"

    def lines(self, name: str) -> Iterator[str]:
        """The YAML of a documents part."""
        yield draft_line("name", name, first=True)
        yield draft_line("kind", "documents", "clinical documents of a trial")
        yield draft_line("study", yaml_text(self.path), "names the data of participants and the documents")
        yield draft_line("scenario", "ipd", "all participants in the data; needs a review of every page")
        yield "    # scenario: ipd_mentioned # or only who is mentioned; redacted, replaced, or qualitative"
        yield "    # findings: findings.json # from: reidrisk document detect"
        yield "    # review: findings.reviewed.json # from: reidrisk document review"
        yield "    # recognition: 0.27      # with replaced: how often a leak is recognized"
