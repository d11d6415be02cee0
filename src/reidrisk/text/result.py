"""The result of a text evaluation: complete, without any text, and repeatable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.context.release import Release
from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Ints
from reidrisk.stats.decision import Decision
from reidrisk.stats.recall import f_measure, macro_average, ratio
from reidrisk.text.corpus import Role
from reidrisk.text.evidence import Evidence, LabelEvidence, TypeEvidence, number_or_none
from reidrisk.text.gates import quasi_recall
from reidrisk.text.improve import Improvements, improvements
from reidrisk.text.models import TextCase
from reidrisk.text.sampling import TextSampling
from reidrisk.text.settings import TextSettings
from reidrisk.text.verdict import CrossCheck, Gate, RiskPart, overall_decision, overall_needed

if TYPE_CHECKING:
    from reidrisk.text.baseline import BaselineComparison

COUNTED: tuple[Role, ...] = ("direct", "quasi")
NAMES = {"direct": "direct identifier", "quasi": "quasi-identifier"}


@dataclass(frozen=True, slots=True)
class DocumentGroup:
    """A group of documents with a verdict of its own."""

    name: str
    documents: int
    risk: TextRisk | None
    """None if the group contains no identifier."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        if self.risk is None:
            nothing = dict.fromkeys(
                ("acceptable", "decision", "documents_needed", "direct", "quasi", "observed", "precision")
            )
            reason = "The gold standard marks no identifier in these documents."
            return {"group": self.name, "documents": self.documents, **nothing, "reason": reason}
        whole = self.risk.summary()
        return {"group": self.name, "documents": self.documents, **whole}


@dataclass(frozen=True)
class TextRisk(Result):
    """The probability of re-identification that remains after a tool has de-identified texts."""

    _main_table = "by_type"
    evidence: Evidence
    release: Release
    threshold: Threshold
    settings: TextSettings
    seed: int
    direct: RiskPart | None
    quasi: RiskPart | None
    benchmark: Estimate
    gates: tuple[Gate, ...]
    gate_comparison: tuple[tuple[str, dict[str, Any]], ...]
    observed: tuple[Estimate, Estimate]
    """Shares of documents with a direct leak, and with enough quasi-identifier leaks."""
    crosschecks: tuple[CrossCheck, ...]
    findings: tuple[Reason, ...]
    """Why the verdict is what it is, one per risk."""
    warnings: tuple[str, ...]
    accepted: bool
    benchmark_with_attempt: Estimate | None = None
    """The benchmark times the chance of an attempt, where the one that decides leaves it out."""
    sampling: TextSampling | None = None
    """Clusters and strata, where they change the limits."""
    inputs: tuple[tuple[str, Any], ...] = ()
    groups: tuple[DocumentGroup, ...] = ()
    keeps_documents: bool = False
    """Whether the result says which documents leak, by number, so that a later version can be compared."""
    baseline: BaselineComparison | None = None

    @property
    def acceptable(self) -> bool:
        """Whether both risks are below their limits."""
        return self.accepted

    @property
    def decision(self) -> Decision:
        """Accepted, refused, or undecided because too few documents were examined."""
        return overall_decision(self.direct, self.quasi, self.settings)

    @property
    def documents_needed(self) -> dict[str, Any] | None:
        """How many documents would do, if the verdict is undecided."""
        return overall_needed(self.direct, self.quasi) if self.decision == "undecided" else None

    @property
    def reasons(self) -> tuple[str, ...]:
        """The sentences that explain the verdict."""
        return tuple(texts(self.findings))

    @cached_property
    def improvements(self) -> Improvements:
        """What would make the risk acceptable, computed when first needed."""
        case = TextCase(self.evidence, self.release, self.threshold, self.settings, self.seed)
        return improvements(case, self.direct, self.quasi)

    @property
    def all_settings(self) -> dict[str, Any]:
        """The settings, inputs and release as JSON types."""
        return self.settings.to_dict() | dict(self.inputs) | {"release": self.release.to_dict()}

    def keeping_documents(self) -> TextRisk:
        """The same result, which also says what leaked in which document, by number.

        Write it with `to_json()`: a later version of the tool can be compared with it.
        """
        return replace(self, keeps_documents=True)

    def compared_with(self, baseline: TextRisk | Mapping[str, Any] | str | Path) -> TextRisk:
        """The same result, with a comparison with an earlier version of the tool: `baseline.is_worse`.

        `baseline` is a result, or the file that `reidrisk text evaluate --json` wrote.
        """
        from reidrisk.text.baseline import compare_with_baseline

        given = baseline.keeping_documents().to_dict() if isinstance(baseline, TextRisk) else baseline
        return replace(self, keeps_documents=True, baseline=compare_with_baseline(self, given))

    def summary(self) -> dict[str, Any]:
        """The verdict and the risks, without the evidence."""
        return {
            "acceptable": self.acceptable,
            "decision": self.decision,
            "documents_needed": self.documents_needed,
            "direct": _part(self.direct, "direct"),
            "quasi": _part(self.quasi, "quasi"),
            "observed": self._observed(),
            "precision": number_or_none(self.evidence.precision),
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        evidence, settings = self.evidence, self.settings
        findings = (*self.findings, *(self.baseline.findings if self.baseline else ()))
        return {
            "kind": "text_risk",
            "version": own_version(),
            "acceptable": self.acceptable,
            "decision": self.decision,
            "documents_needed": self.documents_needed,
            "settings": self.all_settings,
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(findings),
            "holds": holds(findings),
            "warnings": list(self.warnings),
            "threshold": {**asdict(self.threshold), "cell_size": self.threshold.cell_size},
            "direct": _part(self.direct, "direct"),
            "quasi": _part(self.quasi, "quasi"),
            "benchmark": self._benchmark(),
            "gates": [_gate(gate) for gate in self.gates],
            "gate_comparison": dict(self.gate_comparison),
            **(TextSampling() if self.sampling is None else self.sampling).to_dict(),
            "documents": evidence.documents,
            "records": evidence.records,
            "by_type": [
                type_row(kind, evidence.documents) | _unknown(evidence, kind.role) for kind in evidence.types
            ],
            "by_group": [group_row(evidence, role) | _unknown(evidence, role) for role in COUNTED],
            "not_evaluated": [{"type": name, "role": role} for name, role in evidence.absent],
            "type_map": [{**asdict(mapping), "annotations": times} for mapping, times in evidence.mapping],
            "quasi_model": quasi_model_row(evidence, settings),
            "combined": self._combined(),
            "observed": self._observed(),
            "leaks_per_document": {
                "direct": [] if evidence.only_counts else histogram(evidence.direct_leaks),
                "quasi": [] if evidence.only_counts else histogram(evidence.leaked_values),
            },
            "precision": number_or_none(evidence.precision),
            "masking": masking_row(evidence),
            "labelled": labelled_rows(evidence.labels),
            "crosschecks": [asdict(check) for check in self.crosschecks],
            "improvements": self.improvements.to_dict(),
            "document_groups": [group.to_dict() for group in self.groups],
            "notes": list(evidence.notes),
            "alignment": alignment_row(evidence),
            "misaligned": asdict(evidence.misaligned) if evidence.misaligned else {},
            "unmatched": dict(evidence.unmatched),
            "undefined": self._undefined(),
            **self._documents(),
        }

    def _documents(self) -> dict[str, Any]:
        """For comparisons with other versions of the tool, where they were asked for."""
        found: dict[str, Any] = {} if self.baseline is None else {"baseline": self.baseline.to_dict()}
        if self.keeps_documents and not self.evidence.only_counts:
            from reidrisk.text.baseline import leaks_by_document

            found["by_document"] = leaks_by_document(self)
        return found

    def _benchmark(self) -> dict[str, Any]:
        with_attempt = self.benchmark_with_attempt
        own = {} if with_attempt is None else {"with_attempt": with_attempt.to_dict()}
        return self.benchmark.to_dict() | own

    def _observed(self) -> dict[str, Any]:
        direct, quasi = self.observed
        return {
            "documents_with_direct_leak": self.evidence.documents_with_direct_leak,
            **self._quasi_observed(quasi),
            "share_with_direct_leak": direct.to_dict() if self.direct else None,
        }

    def _quasi_observed(self, share: Estimate) -> dict[str, Any]:
        names = ("documents_with_two_quasi_leaks", "documents_with_needed_quasi_leaks")
        if self.evidence.only_counts:
            return dict.fromkeys((*names, "share_with_needed_quasi_leaks"))
        numbers = [self.evidence.documents_with_leaks(needed) for needed in (2, self.settings.needed)]
        found: dict[str, Any] = dict(zip(names, numbers, strict=True))
        return found | {"share_with_needed_quasi_leaks": share.to_dict() if self.quasi else None}

    def _combined(self) -> dict[str, Any]:
        """The risk through either role; an upper bound if leaks of both roles occur together."""
        if self.direct is None or self.quasi is None:
            return {"plug_in": None}
        attempt = self.release.attempt.mean
        shares = [part.by_model.plug_in / attempt for part in (self.direct, self.quasi)]
        neither = (1 - shares[0]) * (1 - shares[1])
        return {"plug_in": attempt * (1 - neither)}

    def _undefined(self) -> dict[str, str]:
        """Why numbers are null."""
        reasons = {}
        if self.evidence.only_counts:
            reasons["precision, masking, leaks_per_document, observed"] = "Only counts were given."
        elif isnan(self.evidence.precision):
            reasons["precision, masking"] = "The tool masked nothing."
        for part, role in ((self.direct, "direct"), (self.quasi, "quasi")):
            if part is None:
                names = f"{role}, observed.share_with_{'' if role == 'direct' else 'needed_'}{role}_leak"
                reasons[f"{names}, combined, by_group"] = f"The gold standard marks no {NAMES[role]}."
        if self.quasi is None:
            reasons["quasi_model"] = "The gold standard marks no quasi-identifier."
        if not shares_a_label(self.evidence.labels):
            reasons["labelled"] = "The tool shares no label with the gold standard."
        return reasons


def _part(part: RiskPart | None, role: str) -> dict[str, Any]:
    if part is not None:
        return part.to_dict()
    nothing = dict.fromkeys(
        (
            "value",
            "plug_in",
            "low",
            "high",
            "level",
            "interval",
            "threshold",
            "acceptable",
            "decision",
            "documents_needed",
        )
    )
    return {**nothing, "reason": f"The gold standard marks no {NAMES[role]}: not evaluated."}


def _gate(gate: Gate) -> dict[str, Any]:
    return {**asdict(gate), "recall": number_or_none(gate.recall)}


def _unknown(evidence: Evidence, role: Role) -> dict[str, None]:
    """Where only counts are known: in how many documents quasi-identifiers leak."""
    known = not evidence.only_counts or role == "direct"
    return {} if known else {"leaking_documents": None, "all_or_nothing_recall": None}


def alignment_row(evidence: Evidence) -> dict[str, Any]:
    """How texts without offsets were aligned with their originals; empty where the tool gave offsets."""
    if evidence.alignment is None:
        return {}
    return asdict(evidence.alignment) | {"places": [asdict(place) for place in evidence.alignment.places]}


def type_row(kind: TypeEvidence, documents: int) -> dict[str, Any]:
    """One type."""
    return {
        "type": kind.type,
        "role": kind.role,
        "documents": kind.documents,
        "leaking_documents": kind.leaking_documents,
        "instances": kind.instances,
        "leaked_instances": kind.instances - kind.caught,
        "caught_but_for_ignored_words": kind.excused,
        "weight": kind.documents / documents,
        "micro_recall": number_or_none(kind.micro_recall),
        "masking_recall": number_or_none(kind.masking_recall),
        "all_or_nothing_recall": number_or_none(kind.all_or_nothing_recall),
    }


def group_row(evidence: Evidence, role: Role) -> dict[str, Any]:
    """All types of a role together."""
    kinds = evidence.of_role(role)
    instances, caught = sum(kind.instances for kind in kinds), sum(kind.caught for kind in kinds)
    if role == "direct":
        holding, leaking = int(evidence.holds.any(axis=1).sum()), evidence.documents_with_direct_leak
    else:
        holding, leaking = evidence.documents_with_quasi, int((evidence.caught < evidence.instances).sum())
    macro, undefined = macro_average([kind.micro_recall for kind in kinds])
    words, masked = sum(kind.words for kind in kinds), sum(kind.masked_words for kind in kinds)
    return {
        "group": role,
        "documents": holding,
        "leaking_documents": leaking,
        "instances": instances,
        "leaked_instances": instances - caught,
        "micro_recall": number_or_none(ratio(caught, instances)),
        "macro_recall": number_or_none(macro),
        "undefined_types": undefined,
        "masking_recall": number_or_none(ratio(masked, words)),
        "all_or_nothing_recall": number_or_none(ratio(holding - leaking, holding)),
    }


def quasi_model_row(evidence: Evidence, settings: TextSettings) -> dict[str, Any]:
    """The inputs of equation 12 under these settings."""
    values = int(evidence.repeats.size)
    present = settings.denominator == "present"
    documents = evidence.documents_with_quasi if present else evidence.documents
    return {
        "recall": number_or_none(quasi_recall(evidence, settings)),
        "values_per_document": number_or_none(ratio(values, documents)),
        "instances_per_value": number_or_none(ratio(float(evidence.repeats.sum()), values)),
        "documents": evidence.documents_with_quasi,
        "values": values,
    }


def histogram(counts: Ints) -> list[dict[str, int]]:
    """Number of documents by number of leaks."""
    leaks, documents = np.unique(counts, return_counts=True)
    pairs = zip(leaks.tolist(), documents.tolist(), strict=True)
    return [{"leaks": leak, "documents": number_of} for leak, number_of in pairs]


def masking_row(evidence: Evidence) -> dict[str, Any]:
    """Recall and precision of masked words, whatever their label."""
    recall, precision = evidence.word_recall(), evidence.precision
    return {
        "recall": number_or_none(recall),
        "precision": number_or_none(precision),
        "f1": number_or_none(f_measure(precision, recall)),
        "f2": number_or_none(f_measure(precision, recall, beta=2)),
        "masked_words": evidence.masked_words,
    }


def labelled_rows(labels: tuple[LabelEvidence, ...]) -> dict[str, Any]:
    """The conventional evaluation, in which the label must be correct too."""
    if not shares_a_label(labels):
        return {"micro": None, "macro": None, "reason": "The tool shares no label with the gold standard."}
    wanted, found = sum(label.wanted for label in labels), sum(label.found for label in labels)
    marked = sum(label.marked for label in labels)
    recall, precision = ratio(found, wanted), ratio(found, marked)
    macro_recall, no_recall = macro_average([label.recall for label in labels])
    macro_precision, no_precision = macro_average([label.precision for label in labels])
    return {
        "micro": _scores(recall, precision),
        "macro": _scores(macro_recall, macro_precision)
        | {"undefined_recalls": no_recall, "undefined_precisions": no_precision},
        "by_type": [{"type": label.type, **_scores(label.recall, label.precision)} for label in labels],
    }


def shares_a_label(labels: tuple[LabelEvidence, ...]) -> bool:
    """Whether any label occurs on both sides."""
    return any(label.wanted and label.marked for label in labels)


def _scores(recall: float, precision: float) -> dict[str, float | None]:
    f1 = f_measure(precision, recall)
    return {
        "recall": number_or_none(recall),
        "precision": number_or_none(precision),
        "f1": number_or_none(f1),
    }
