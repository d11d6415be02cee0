"""The result of a text evaluation: complete, without any text, and repeatable."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any

from reidrisk.context.release import Release
from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.text import rows
from reidrisk.text.corpus import Role
from reidrisk.text.evidence import Evidence
from reidrisk.text.settings import IntervalKind, TextSettings

if TYPE_CHECKING:
    from reidrisk.text.improve import Improvements


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
            **{name: rows.number(value) for name, value in extra.items() if value is not None},
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


@dataclass(frozen=True, slots=True)
class DocumentGroup:
    """Some of the documents, counted and judged on their own."""

    name: str
    documents: int
    risk: TextRisk | None
    """None where the group holds no identifier."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        if self.risk is None:
            nothing = dict.fromkeys(("acceptable", "direct", "quasi", "observed", "precision"))
            reason = "The gold standard marks no identifier in these documents."
            return {"group": self.name, "documents": self.documents, **nothing, "reason": reason}
        whole = self.risk.summary()
        return {"group": self.name, "documents": self.documents, **whole}


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
    groups: tuple[DocumentGroup, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether both risks are below their limits."""
        return self.accepted

    @cached_property
    def improvements(self) -> Improvements:
        """What would make the risk acceptable, worked out when first asked for."""
        from reidrisk.text.improve import improvements

        return improvements(self)

    def summary(self) -> dict[str, Any]:
        """The verdict and the risks, without what they rest on."""
        return {
            "acceptable": self.acceptable,
            "direct": _part(self.direct, "direct"),
            "quasi": _part(self.quasi, "quasi"),
            "observed": self._observed(),
            "precision": rows.number(self.evidence.precision),
        }

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
            "by_type": [rows.type_row(kind, evidence.documents) for kind in evidence.types],
            "by_group": [rows.group_row(evidence, role) for role in COUNTED],
            "not_evaluated": [{"type": name, "role": role} for name, role in evidence.absent],
            "type_map": [{**asdict(mapping), "annotations": times} for mapping, times in evidence.mapping],
            "quasi_model": rows.quasi_model_row(evidence, settings),
            "combined": self._combined(),
            "observed": self._observed(),
            "leaks_per_document": {
                "direct": rows.histogram(evidence.direct_leaks),
                "quasi": rows.histogram(evidence.leaked_values),
            },
            "precision": rows.number(evidence.precision),
            "masking": rows.masking_row(evidence),
            "labelled": rows.labelled_rows(evidence.labels),
            "crosschecks": [asdict(check) for check in self.crosschecks],
            "improvements": self.improvements.to_dict(),
            "document_groups": [group.to_dict() for group in self.groups],
            "notes": list(evidence.notes),
            "alignment": rows.alignment_row(evidence),
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
        if not rows.shares_a_label(self.evidence.labels):
            reasons["labelled"] = "The tool shares no label with the gold standard."
        return reasons


COUNTED: tuple[Role, ...] = ("direct", "quasi")
NAMES = {"direct": "direct identifier", "quasi": "quasi-identifier"}


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
    return {**asdict(gate), "recall": rows.number(gate.recall)}
