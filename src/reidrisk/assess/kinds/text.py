"""A text part: a de-identification tool evaluated against a gold standard.

Leaks are counted once; the risk in any context is computed from the counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from reidrisk.assess.kind import PartCase, ReleasePart, RunControl
from reidrisk.assess.moved_dates import MovedDates
from reidrisk.assess.sketch import DraftFile, PartSketch, draft_line
from reidrisk.assess.verdict import PartVerdict, Rejudge, Remedy, RiskFigure, SensitivityRow, verdict_words
from reidrisk.context.recognition import Recognition
from reidrisk.context.release import Release
from reidrisk.context.score import ContextScore
from reidrisk.context.settings import Treatment
from reidrisk.core.inventory import Inventory, InventoryItem
from reidrisk.core.place import SettingPlace
from reidrisk.core.settings import (
    PART_NAME,
    Choice,
    Entry,
    FileName,
    SettingGroup,
    WholeNumber,
    form_entries,
)
from reidrisk.core.stopping import check_stop
from reidrisk.core.wording import needed_words, path_text, probability, undecided_words
from reidrisk.core.yaml_file import yaml_text
from reidrisk.errors import ReidRiskError
from reidrisk.text.assess import Provenance, RiskOnly, assess, assess_only
from reidrisk.text.compare import TextComparison, compare_tools
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.counts_file import ASSUMED, read_counts, without_documents
from reidrisk.text.evaluate import READING, TextFiles, gather_evidence, named_inputs
from reidrisk.text.evidence import Evidence, TypeEvidence, evidence_from_dict, evidence_to_dict
from reidrisk.text.input_settings import (
    COUNTING_SETTINGS,
    GOLD_FORMAT,
    IGNORE_WORDS,
    RECOGNITION,
    TOOL_FORMAT,
    TREATMENT,
    WORD_LISTS,
)
from reidrisk.text.leaks import LeakList
from reidrisk.text.read import FORMATS, read_documents
from reidrisk.text.result import TextRisk
from reidrisk.text.roles import TypeMap
from reidrisk.text.settings import PROFILE, TEXT_SETTINGS, TextSettings, settings
from reidrisk.text.tally import Counting
from reidrisk.text.verdict import RiskPart

COUNTED = ("gold", "tool", "counts", "gold_format", "tool_format", *(one.name for one in COUNTING_SETTINGS))
ABOUT_DOCUMENTS = ("gold_format", "tool_format", *(one.name for one in COUNTING_SETTINGS))
"""Keys that need documents."""
ROLES = {"direct": "direct identifiers", "quasi": "quasi-identifiers"}
LIMITS = {"direct": "the upper limit of the benchmark", "quasi": "the threshold"}
RECOGNITIONS = (0.1, 0.27, 0.68, 1.0)
"""Published values of recognition, and certainty."""
SURROGATES = 0.27
SURROGATES_SOURCE = "recognition 0.27 as in Carrell et al. 2020, JAMIA 27(9):1374"
GOLD_NAMES = re.compile(r"gold|truth|reference|manual|annotat", re.IGNORECASE)
TOOL_NAMES = re.compile(r"tool|system|pred|output|auto|masked|result", re.IGNORECASE)
TABLE_SUFFIXES = (
    ".csv",
    ".tsv",
    ".tab",
    ".parquet",
    ".pq",
    ".xlsx",
    ".sas7bdat",
    ".xpt",
    ".dta",
    ".sav",
    ".duckdb",
)
"""Files that are always tables, so they are not tried as annotations."""

TEXT_FORM = SettingGroup(
    {
        "name": PART_NAME,
        "kind": Entry(
            Choice(("text",)),
            "A text de-identification tool, evaluated against a gold standard.",
            needed=True,
        ),
        "gold": Entry(FileName(), "The gold standard: a file or folder of annotations."),
        "tool": Entry(FileName(), "The tool's annotations of the same documents."),
        "counts": Entry(FileName(), "Counts by type (CSV), instead of `gold` and `tool`."),
        **form_entries((GOLD_FORMAT, TOOL_FORMAT, TREATMENT, RECOGNITION, *COUNTING_SETTINGS)),
        "date_days": Entry(
            WholeNumber(14, 3650),
            "The dates of a person in the released texts are moved by at most this many days, as "
            "`text deidentify --set date_days=N` does. Other parts of the same people must move them alike.",
        ),
        "key": Entry(FileName(), "The key file with which the texts were made. Needs `date_days`."),
        "settings": Entry(
            SettingGroup(form_entries(TEXT_SETTINGS)), "Settings of the evaluation, including `profile`."
        ),
    },
    title="A text part",
    about="`settings` takes the [settings of a text evaluation](text-settings.md).",
)


class TextPart(ReleasePart):
    """Documents with a gold standard and the annotations of a tool."""

    kind: ClassVar[str] = "text"
    form: ClassVar[SettingGroup] = TEXT_FORM
    sketch_order: ClassVar[int] = 2

    @property
    def settings(self) -> TextSettings:
        """How the risk is computed."""
        stated = dict(self.given.get("settings") or {})
        chosen = settings(str(stated.pop(PROFILE.name, PROFILE.default)), stated)
        return without_documents(chosen) if self.has_counts else chosen

    @property
    def treatment(self) -> Treatment:
        """What is done to detected identifiers."""
        found: Treatment = self.given.get("treatment") or TREATMENT.default
        return found

    @property
    def recognition(self) -> object:
        """In the form that a release takes; None if it is not stated."""
        return recognition_of(self.given.get("recognition"))

    @property
    def counting(self) -> Counting:
        """The rules for counting documents."""
        types = self.given.get("types")
        words = str(self.given.get("ignore_words") or IGNORE_WORDS.default)
        chosen = Counting.choose(
            types=self._types_path(types) if isinstance(types, str) else None,
            ignore_words=words if words in WORD_LISTS else self.path(words),
            patient=self.given.get("patient"),
            cluster=self.given.get("cluster"),
            split_patients=self.given.get("split_patients"),
        )
        if not isinstance(types, Mapping):
            return chosen
        return replace(chosen, types=TypeMap.from_dict(dict(types), source=f"{self.name}.types"))

    def _types_path(self, types: str) -> str:
        return types if "=" in types else self.path(types)

    def check(self, place: SettingPlace, score: ContextScore) -> None:
        """Check files, settings, recognition, formats and types."""
        self._check_inputs(place)
        self.check_sources(place)
        self._check_key(place)
        with place.at("settings").names_line():
            _ = self.settings
        with place.at("recognition").names_line():
            score.release(self.treatment, self.recognition)
        for side in (GOLD_FORMAT.name, TOOL_FORMAT.name):
            named = self.given.get(side)
            if named is not None and named not in FORMATS:
                raise place.at(side).among(str(named), list(FORMATS))
        for key in (one.name for one in COUNTING_SETTINGS):
            with place.at(key).names_line(f"{self.name}.types"):
                _ = TextPart(self.name, {key: self.given.get(key)}, self.folder).counting

    def _check_inputs(self, place: SettingPlace) -> None:
        """Gold standard and tool, or counts."""
        hint = "Give the gold standard and the tool's output (gold, tool), or only counts."
        if not self.has_counts:
            for side in ("gold", "tool"):
                if not self.given.get(side):
                    raise place.wrong(f"needs the setting {side!r}.", hint=hint)
            return
        for key in ("gold", "tool", *ABOUT_DOCUMENTS):
            if self.given.get(key):
                raise place.at(key).wrong("needs documents, but the part has only counts.", hint=hint)

    def _check_key(self, place: SettingPlace) -> None:
        """Refuse a key that decides nothing, or does not exist."""
        key = self.given.get("key")
        if key is None:
            return
        if self.given.get("date_days") is None:
            raise place.at("key").wrong(
                "is only for texts whose dates were moved.", hint="Write date_days: N, too."
            )
        if not (self.folder / key).is_file():
            raise place.at("key").missing(
                key,
                hint="Name the key file that was used for text deidentify, or leave the setting out.",
            )

    @property
    def moved_dates(self) -> MovedDates | None:
        """As the release file says it."""
        days, key = self.given.get("date_days"), self.given.get("key")
        return None if days is None else MovedDates("date_days", days, Path(self.path(key)) if key else None)

    @property
    def has_counts(self) -> bool:
        """Whether only counts by type are given."""
        return bool(self.given.get("counts"))

    def sources(self) -> tuple[str, ...]:
        """Both sides, and files with types and words; or the counts."""
        if self.has_counts:
            return (str(self.given["counts"]),)
        types, words = self.given.get("types"), self.given.get("ignore_words")
        files = [str(self.given[side]) for side in ("gold", "tool") if self.given.get(side)]
        files += [types] if isinstance(types, str) and "=" not in types else []
        files += [str(words)] if words and words not in WORD_LISTS else []
        return tuple(files)

    def counted(self) -> Mapping[str, Any]:
        """The inputs, and the few settings on which reading depends."""
        chosen = self.settings
        stated = {name: self.given.get(name) for name in COUNTED}
        return {**stated, "settings": {name: getattr(chosen, name) for name in READING}}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """Count leaks, or read counts; no text is stored."""
        if self.has_counts:
            path = Path(self.path(self.given["counts"]))
            inputs = self.with_short_paths([["counts", path_text(path)]])
            return {"evidence": evidence_to_dict(read_counts(path)), "inputs": inputs}
        gold, tool = (self._files(side) for side in ("gold", "tool"))
        counting = self.counting

        def report(number: int) -> None:
            check_stop()
            if number % 100 == 0:
                control.report(self.name, "documents", number)

        evidence = gather_evidence(gold, tool, settings=self.settings, counting=counting, progress=report)
        inputs = self.with_short_paths([list(pair) for pair in named_inputs(gold, tool, counting)])
        return {"evidence": evidence_to_dict(evidence), "inputs": inputs}

    def leaks(self, *, context_of: int | None = None) -> LeakList:
        """Where the tool leaks, without any text; with the text around one leak if its number is given."""
        found = LeakList(context_of=context_of)
        if self.has_counts:
            return found
        counting, chosen = self.counting, self.settings

        def add(document: Document, masked: Sequence[Annotation], _: object) -> None:
            check_stop()
            found.add(document, masked, counting, chosen)

        gather_evidence(
            self._files("gold"), self._files("tool"), settings=chosen, counting=counting, others=[add]
        )
        return found

    def compare_with(self, tools: Mapping[str, str], score: ContextScore, *, seed: int) -> TextComparison:
        """This tool and others on the same gold standard; files are named as in the release file."""
        own = {self.name: self._files("tool")}
        others = {name: TextFiles(Path(self.path(path))) for name, path in tools.items()}
        return compare_tools(
            self._files("gold"),
            own | others,
            release=score.release(self.treatment, self.recognition),
            threshold=score.threshold,
            settings=self.settings,
            counting=self.counting,
            seed=seed,
        )

    def both_sides(self) -> tuple[TextFiles, TextFiles]:
        """The gold standard and the tool's annotations."""
        return self._files("gold"), self._files("tool")

    def _files(self, side: str) -> TextFiles:
        return TextFiles(Path(self.path(self.given[side])), self.given.get(f"{side}_format"))

    def judge(
        self, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
    ) -> PartVerdict:
        """The risk from both roles; the role closest to its limit, or furthest above it, decides."""
        release = score.release(self.treatment, self.recognition)
        evidence = evidence_from_dict(measured["evidence"])
        if quick:
            return self.judge_evidence(evidence, release, score, seed=seed)
        inputs = tuple((str(name), value) for name, value in measured["inputs"])
        provenance = Provenance(seed, inputs, (ASSUMED,) if self.has_counts else ())
        risk = assess(evidence, release, score.threshold, self.settings, provenance=provenance)
        return replace(self._verdict(risk, evidence, score), result=self.with_short_paths(risk.to_dict()))

    def judge_evidence(
        self, evidence: Evidence, release: Release, score: ContextScore, *, seed: int
    ) -> PartVerdict:
        """The verdict for other counts or another release, without the full result."""
        risk = assess_only(evidence, release, score.threshold, self.settings, seed=seed)
        return self._verdict(risk, evidence, score)

    def _verdict(self, risk: TextRisk | RiskOnly, evidence: Evidence, score: ContextScore) -> PartVerdict:
        by_role = {"direct": risk.direct, "quasi": risk.quasi}
        known = {role: one for role, one in by_role.items() if one is not None}
        statistic, worst = _worst_role(known)
        # The observed risk from direct identifiers is compared without the attempt, on both sides.
        attempt = 1.0 if worst is not None and worst.with_attempt is not None else score.attempt.mean
        high = worst.estimate.high if worst else None
        return PartVerdict(
            acceptable=risk.acceptable,
            statistic=statistic,
            risk=high,
            low=worst.estimate.low if worst else None,
            high=high,
            attempt=attempt,
            overall=high,
            threshold=worst.threshold if worst else score.threshold.probability,
            cell_size=score.threshold.cell_size if worst is risk.quasi else None,
            sentence=_sentence(known, score.attempt.mean),
            decision=risk.decision,
            documents_needed=risk.documents_needed,
            initial=_initial_figure(evidence),
            final=RiskFigure(statistic, high),
            measures=self._measures(evidence),
        )

    def _measures(self, evidence: Evidence) -> tuple[str, ...]:
        how = (
            "redacts them"
            if self.treatment == "redaction"
            else "replaces them with realistic surrogates (resynthesis)"
        )
        if self.has_counts:
            return (f"A tool searched {evidence.documents:,} documents for identifiers and {how}.",)
        recall = evidence.word_recall()
        masked = "" if np.isnan(recall) else f" It masks {100 * recall:.1f} % of the identifying words."
        return (f"A tool searches {evidence.documents:,} documents for identifiers and {how}.{masked}",)

    def leaves(self, parts: Sequence[ReleasePart]) -> Inventory:  # noqa: ARG002 - part of the contract
        """The texts, whose risk the evaluation of the tool estimates."""
        done = "identifiers redacted" if self.treatment == "redaction" else "identifiers replaced"
        reason = "the risk that the tool leaves was estimated"
        return Inventory((InventoryItem("texts", "text", done, "measured", reason),))

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """A tool that misses nothing of a type; surrogates instead of redaction."""
        evidence = evidence_from_dict(measured["evidence"])

        def rejudge(changed: Evidence) -> Rejudge:
            return lambda score: self.judge_evidence(
                changed, score.release(self.treatment, self.recognition), score, seed=case.seed
            )

        yield from _more_documents(case)
        leaking = leaking_types(evidence)
        for kind in leaking:
            text = f"Use a tool that misses no {kind.type} ({kind.leaking_documents:,} documents leak one)"
            yield from case.remedy("tool", text, rejudge(without_leaks(evidence, [kind.type])), None, 5)
        if len(leaking) > 1:
            changed = without_leaks(evidence, [kind.type for kind in leaking])
            text = "Use a tool that misses no direct identifier"
            yield from case.remedy("tool", text, rejudge(changed), None, 5 + len(leaking))
        if self.treatment == "redaction":
            yield from self._surrogates(evidence, case)

    def _surrogates(self, evidence: Evidence, case: PartCase) -> Iterator[Remedy]:
        change = {
            f"parts.{self.name}.treatment": "resynthesis",
            f"parts.{self.name}.recognition": SURROGATES,
        }
        text = f"Replace detected identifiers with surrogates ({SURROGATES_SOURCE})"

        def rejudge(score: ContextScore) -> PartVerdict:
            release = score.release("resynthesis", SURROGATES)
            return self.judge_evidence(evidence, release, score, seed=case.seed)

        outside = "Replace the identifiers in the texts before they are released."
        yield from case.remedy("tool", text, rejudge, change, 4, outside=outside)

    def sensitivity(
        self,
        measured: Mapping[str, Any],
        verdict: PartVerdict | None,
        score: ContextScore,
        *,
        seed: int,
    ) -> Iterator[SensitivityRow]:
        """Other values of recognition, with resynthesis; other rules for the gate."""
        if self.treatment == "resynthesis":
            evidence = evidence_from_dict(measured["evidence"])
            for value in RECOGNITIONS:
                release = score.release("resynthesis", value)
                found = self.judge_evidence(evidence, release, score, seed=seed)
                yield SensitivityRow.of(self.name, f"recognition {value:g}", found)
        if verdict is not None and verdict.result is not None:
            yield from _gate_rows(self.name, verdict.statistic, verdict.result["gate_comparison"])

    @classmethod
    def sketch(cls, file: DraftFile) -> PartSketch | None:
        """For any file or folder that a reader of annotations accepts."""
        if file.is_url or file.name.lower().endswith(TABLE_SUFFIXES):
            return None
        try:
            next(iter(read_documents(file.path)), None)
        except ReidRiskError:
            return None
        return TextSketch(file.written)


def _more_documents(case: PartCase) -> Iterator[Remedy]:
    """Where too few documents were examined: how many would do."""
    needed = case.verdict.documents_needed
    words = needed_words(needed)
    if case.verdict.decision == "undecided" and words:
        text = f"Annotate and evaluate more {needed['unit'] if needed else 'documents'}. {words}"
        yield case.untested_remedy("tool", text, None, 3)


def recognition_of(given: Any) -> object:
    """Recognition from a number, three numbers, a text as on the command line, or a value per type."""
    if given is None or isinstance(given, int | float):
        return given
    if isinstance(given, Mapping) and set(given) == {"beta"}:
        return Recognition.parse([_recognition_text(given)])
    if isinstance(given, Mapping):
        pairs = [(name, _recognition_text(value)) for name, value in given.items()]
        return Recognition.parse(text if name == "default" else f"{name}={text}" for name, text in pairs)
    return Recognition.parse([_recognition_text(given)])


def _recognition_text(given: Any) -> str:
    if isinstance(given, Mapping) and "beta" in given:
        return f"beta:{','.join(str(number) for number in given['beta'])}"
    return ",".join(str(number) for number in given) if isinstance(given, list) else str(given)


def _worst_role(known: Mapping[str, RiskPart]) -> tuple[str, RiskPart | None]:
    """The role with the highest risk relative to its limit; roles that are not acceptable come first."""
    if not known:
        return "nothing to measure", None
    role = max(
        known,
        key=lambda name: (not known[name].acceptable, known[name].estimate.high / known[name].threshold),
    )
    return f"upper limit of the risk from {ROLES[role]}", known[role]


def _sentence(known: Mapping[str, RiskPart], attempt: float) -> str:
    clauses = [
        f"{ROLES[role]}: upper limit {probability(one.estimate.high)}, {LIMITS[role]} is "
        f"{probability(one.threshold)}, {_decision_words(one)}"
        for role, one in known.items()
    ]
    clauses += [
        f"{ROLES[role]}: none in the gold standard, so not evaluated" for role in ROLES if role not in known
    ]
    text = "; ".join(clauses)
    direct = known.get("direct")
    without = " for quasi-identifiers" if direct is not None and direct.with_attempt is not None else ""
    return f"{text[0].upper()}{text[1:]} (with an attempt probability of {attempt:.2g}{without})."


def _decision_words(part: RiskPart) -> str:
    """Acceptable, not acceptable, or how many documents would do to decide."""
    if not part.undecided:
        return verdict_words(part.acceptable)
    headline = undecided_words(part.documents_needed)
    return f"{headline[0].lower()}{headline[1:]}"


def _initial_figure(evidence: Evidence) -> RiskFigure:
    """Before any masking: the share of documents with a direct identifier."""
    held = evidence.holds.any(axis=1) if evidence.holds.size else np.zeros(evidence.documents, dtype=np.bool_)
    share = float(np.count_nonzero(held)) / max(evidence.documents, 1)
    return RiskFigure("share of documents with a direct identifier, before masking", share)


def _gate_rows(part: str, statistic: str, comparison: Mapping[str, Any]) -> Iterator[SensitivityRow]:
    """The rows that the full result already has."""
    role = "direct" if ROLES["direct"] in statistic else "quasi"
    for rule, found in comparison.items():
        high = (found[role] or {"high": None})["high"]
        yield SensitivityRow(part, f"gate rule {rule}", high, high, found["acceptable"])


def leaking_types(evidence: Evidence) -> list[TypeEvidence]:
    """Types of direct identifiers that leak, those in most documents first."""
    leaking = [kind for kind in evidence.of_role("direct") if kind.leaking_documents]
    return sorted(leaking, key=lambda one: -one.leaking_documents)


def without_leaks(evidence: Evidence, types: list[str]) -> Evidence:
    """The same documents with a tool that misses nothing of some types of direct identifiers."""
    places = [evidence.direct_types.index(name) for name in types]
    leaks = evidence.leaks.copy()
    leaks[:, places] = False
    return replace(
        evidence,
        types=tuple(
            _without_misses(kind) if kind.role == "direct" and kind.type in types else kind
            for kind in evidence.types
        ),
        leaks=leaks,
        direct_leaks=np.where(leaks.any(axis=1), evidence.direct_leaks, 0),
    )


def _without_misses(kind: TypeEvidence) -> TypeEvidence:
    return replace(kind, leaking_documents=0, caught=kind.instances, masked_words=kind.words)


@dataclass(frozen=True)
class TextSketch(PartSketch):
    """A gold standard, and the tool to evaluate if there is a file for it."""

    tool: str | None = None
    is_paired: ClassVar[bool] = True
    kind: ClassVar[str] = "text"

    @property
    def reason(self) -> str:
        """Which is which follows from the names only."""
        if self.tool is None:
            return "It contains annotations of texts. The tool's annotations of the same texts are missing."
        return "They contain annotations of texts. Their names show which are those of the tool."

    @property
    def files(self) -> tuple[str, ...]:
        """Gold standard and tool."""
        return (self.path,) if self.tool is None else (self.path, self.tool)

    @property
    def wanted_name(self) -> str:
        """The usual name."""
        return "notes"

    @classmethod
    def pair(cls, sketches: Sequence[PartSketch]) -> list[Self]:
        """Match gold standards and tools by the names of the files; other files take turns."""
        paths = [one.path for one in sketches if isinstance(one, cls)]
        gold = [path for path in paths if GOLD_NAMES.search(Path(path).name)]
        tool = [path for path in paths if path not in gold and TOOL_NAMES.search(Path(path).name)]
        rest = [path for path in paths if path not in gold and path not in tool]
        while rest:
            (gold if len(gold) <= len(tool) else tool).append(rest.pop(0))
        if not gold:
            gold, tool = tool[:1], tool[1:]
        pairs = [cls(path, tool[at] if at < len(tool) else None) for at, path in enumerate(gold)]
        return pairs + [cls(gold[0], path) for path in tool[len(gold) :]]

    def lines(self, name: str) -> Iterator[str]:
        """The YAML of a text part."""
        yield draft_line("name", name, first=True)
        yield draft_line("kind", "text", "a text de-identification tool, evaluated against a gold standard")
        yield draft_line("gold", yaml_text(self.path), "annotations made by people")
        if self.tool is None:
            yield "    tool: TO-BE-NAMED        # the tool's annotations of the same documents"
        else:
            remark = "the tool's annotations; chosen by the file name, swap them if wrong"
            yield draft_line("tool", yaml_text(self.tool), remark)
        yield draft_line("treatment", "redaction", "or resynthesis: detected identifiers become surrogates")
        yield "    # recognition: 0.27      # with resynthesis: how often a leak is recognized"
        yield "    # types: types.yaml      # which types are direct, quasi or ignored"
