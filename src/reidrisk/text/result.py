"""The result of a text evaluation: complete, without any text, and repeatable."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

import numpy as np

from reidrisk.context.release import Release
from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Ints
from reidrisk.stats.recall import f_measure, macro_average, ratio
from reidrisk.text.evidence import Evidence, LabelEvidence, TypeEvidence
from reidrisk.text.models import quasi_recall
from reidrisk.text.settings import IntervalKind, TextSettings


@dataclass(frozen=True, slots=True)
class RiskPart:
    """The risk from one role of identifiers."""

    estimate: Estimate
    """Mean and the limits that decide."""
    plug_in: float
    interval: IntervalKind
    threshold: float
    """What the upper limit must not exceed."""
    acceptable: bool
    other: Estimate | None = None
    """The same risk with the other interval."""
    by_document: float | None = None
    """The plug-in value from every document's own values."""
    drawing_error: float | None = None
    plain_count_exceeds: bool = False
    """Whether the documents that leaked, counted without any model, are already too many."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        other = {} if self.other is None else {"other_interval": _other(self.interval) | self.other.to_dict()}
        extra = {"plug_in_by_document": self.by_document, "drawing_error": self.drawing_error}
        return {
            **self.estimate.to_dict(),
            "plug_in": self.plug_in,
            "interval": self.interval,
            "threshold": self.threshold,
            "acceptable": self.acceptable,
            "plain_count_exceeds": self.plain_count_exceeds,
            **other,
            **{name: number(value) for name, value in extra.items() if value is not None},
        }


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether recognition may count for a type, under both rules."""

    type: str
    role: str
    documents: int
    recall: float
    cutoff: float
    observed: bool
    significant: bool
    applied: bool | None
    """What the settings chose; None where every draw decides."""
    undecided: bool
    """Whether the interval of the recall holds the cutoff."""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """What another engine finds for the same upper limit."""

    engine: str
    role: str
    interval: str
    high: float
    difference: float
    """Relative to the limit that stands in the result."""


@dataclass(frozen=True)
class TextRisk(Result):
    """The probability of re-identification that a text de-identification tool leaves."""

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
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    accepted: bool
    inputs: tuple[tuple[str, Any], ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether both risks are below their limits."""
        return self.accepted

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        evidence, settings = self.evidence, self.settings
        return {
            "kind": "text_risk",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": settings.to_dict() | dict(self.inputs) | {"release": self.release.to_dict()},
            "seed": self.seed,
            "versions": versions(),
            "reasons": list(self.reasons),
            "warnings": list(self.warnings),
            "threshold": {**asdict(self.threshold), "cell_size": self.threshold.cell_size},
            "direct": _part(self.direct, "direct"),
            "quasi": _part(self.quasi, "quasi"),
            "benchmark": self.benchmark.to_dict(),
            "gates": [_gate(gate) for gate in self.gates],
            "gate_comparison": dict(self.gate_comparison),
            "documents": evidence.documents,
            "records": evidence.records,
            "by_type": [_by_type(kind, evidence.documents) for kind in evidence.types],
            "by_group": [_by_group(evidence, role) for role in ("direct", "quasi")],
            "not_evaluated": [{"type": name, "role": role} for name, role in evidence.absent],
            "type_map": [{**asdict(mapping), "annotations": times} for mapping, times in evidence.mapping],
            "quasi_model": _quasi_model(evidence, settings),
            "combined": self._combined(),
            "observed": self._observed(),
            "leaks_per_document": {
                "direct": _histogram(evidence.direct_leaks),
                "quasi": _histogram(evidence.leaked_values),
            },
            "precision": number(evidence.precision),
            "masking": _masking(evidence),
            "labelled": _labelled(evidence.labels),
            "crosschecks": [asdict(check) for check in self.crosschecks],
            "notes": list(evidence.notes),
            "unmatched": dict(evidence.unmatched),
            "undefined": self._undefined(),
        }

    def _observed(self) -> dict[str, Any]:
        direct, quasi = self.observed
        return {
            "documents_with_direct_leak": self.evidence.documents_with_direct_leak,
            "documents_with_two_quasi_leaks": self.evidence.documents_with_leaks(2),
            "documents_with_needed_quasi_leaks": self.evidence.documents_with_leaks(self.settings.needed),
            "share_with_direct_leak": direct.to_dict() if self.direct else None,
            "share_with_needed_quasi_leaks": quasi.to_dict() if self.quasi else None,
        }

    def _combined(self) -> dict[str, Any]:
        """Either risk, an upper bound where leaks of both kinds come together."""
        if self.direct is None or self.quasi is None:
            return {"plug_in": None}
        attempt = self.release.attempt.mean
        neither = (1 - self.direct.plug_in / attempt) * (1 - self.quasi.plug_in / attempt)
        return {"plug_in": attempt * (1 - neither)}

    def _undefined(self) -> dict[str, str]:
        """Why a number is null."""
        reasons = {}
        if isnan(self.evidence.precision):
            reasons["precision, masking"] = "The tool masked nothing."
        for part, role in ((self.direct, "direct"), (self.quasi, "quasi")):
            if part is None:
                names = f"{role}, observed.share_with_{'' if role == 'direct' else 'needed_'}{role}_leak"
                reasons[f"{names}, combined, by_group"] = f"The gold standard marks no {NAMES[role]}."
        if self.quasi is None:
            reasons["quasi_model"] = "The gold standard marks no quasi-identifier."
        if not _shares_a_label(self.evidence.labels):
            reasons["labelled"] = "The tool shares no label with the gold standard."
        return reasons


NAMES = {"direct": "direct identifier", "quasi": "quasi-identifier"}


def number(value: float) -> float | None:
    """A plain number, or None for what is undefined."""
    return None if isnan(value) else float(value)


def _other(kind: IntervalKind) -> dict[str, str]:
    return {"interval": "per_document" if kind == "parameter" else "parameter"}


def _part(part: RiskPart | None, role: str) -> dict[str, Any]:
    if part is not None:
        return part.to_dict()
    nothing = dict.fromkeys(
        ("value", "plug_in", "low", "high", "level", "interval", "threshold", "acceptable")
    )
    return {**nothing, "reason": f"The gold standard marks no {NAMES[role]}: not evaluated."}


def _gate(gate: Gate) -> dict[str, Any]:
    return {**asdict(gate), "recall": number(gate.recall)}


def _by_type(kind: TypeEvidence, documents: int) -> dict[str, Any]:
    return {
        "type": kind.type,
        "role": kind.role,
        "documents": kind.documents,
        "leaking_documents": kind.leaking_documents,
        "instances": kind.instances,
        "leaked_instances": kind.instances - kind.caught,
        "caught_but_for_ignored_words": kind.excused,
        "weight": kind.documents / documents,
        "micro_recall": number(kind.micro_recall),
        "masking_recall": number(kind.masking_recall),
        "all_or_nothing_recall": number(kind.all_or_nothing_recall),
    }


def _by_group(evidence: Evidence, role: Any) -> dict[str, Any]:
    """All types of a role as one."""
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
        "micro_recall": number(ratio(caught, instances)),
        "macro_recall": number(macro),
        "undefined_types": undefined,
        "masking_recall": number(ratio(masked, words)),
        "all_or_nothing_recall": number(ratio(holding - leaking, holding)),
    }


def _quasi_model(evidence: Evidence, settings: TextSettings) -> dict[str, Any]:
    values = int(evidence.repeats.size)
    present = settings.denominator == "present"
    documents = evidence.documents_with_quasi if present else evidence.documents
    return {
        "recall": number(quasi_recall(evidence, settings)),
        "values_per_document": number(ratio(values, documents)),
        "instances_per_value": number(ratio(float(evidence.repeats.sum()), values)),
        "documents": evidence.documents_with_quasi,
        "values": values,
    }


def _histogram(counts: Ints) -> list[dict[str, int]]:
    leaks, documents = np.unique(counts, return_counts=True)
    pairs = zip(leaks.tolist(), documents.tolist(), strict=True)
    return [{"leaks": leak, "documents": number_of} for leak, number_of in pairs]


def _masking(evidence: Evidence) -> dict[str, Any]:
    recall, precision = evidence.word_recall(), evidence.precision
    return {
        "recall": number(recall),
        "precision": number(precision),
        "f1": number(f_measure(precision, recall)),
        "f2": number(f_measure(precision, recall, beta=2)),
        "masked_words": evidence.masked_words,
    }


def _labelled(labels: tuple[LabelEvidence, ...]) -> dict[str, Any]:
    """The conventional evaluation, in which the label must be right too."""
    if not _shares_a_label(labels):
        return {"micro": None, "macro": None, "reason": "The tool shares no label with the gold standard."}
    wanted, found = sum(label.wanted for label in labels), sum(label.found for label in labels)
    marked, right = sum(label.marked for label in labels), sum(label.right for label in labels)
    recall, precision = ratio(found, wanted), ratio(right, marked)
    macro_recall, no_recall = macro_average([label.recall for label in labels])
    macro_precision, no_precision = macro_average([label.precision for label in labels])
    return {
        "micro": _scores(recall, precision),
        "macro": _scores(macro_recall, macro_precision)
        | {"undefined_recalls": no_recall, "undefined_precisions": no_precision},
        "by_type": [{"type": label.type, **_scores(label.recall, label.precision)} for label in labels],
    }


def _shares_a_label(labels: tuple[LabelEvidence, ...]) -> bool:
    return any(label.wanted and label.marked for label in labels)


def _scores(recall: float, precision: float) -> dict[str, float | None]:
    f1 = f_measure(precision, recall)
    return {"recall": number(recall), "precision": number(precision), "f1": number(f1)}
