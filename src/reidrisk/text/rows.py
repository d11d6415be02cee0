"""What was counted, as rows of the result file."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.recall import f_measure, macro_average, ratio
from reidrisk.text.corpus import Role
from reidrisk.text.evidence import Evidence, LabelEvidence, TypeEvidence
from reidrisk.text.models import quasi_recall
from reidrisk.text.settings import TextSettings


def number(value: float) -> float | None:
    """A plain number, or None for what is undefined."""
    return None if isnan(value) else float(value)


def alignment_row(evidence: Evidence) -> dict[str, Any]:
    """How texts without offsets were laid beside their originals; empty where the tool gave offsets."""
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
        "micro_recall": number(kind.micro_recall),
        "masking_recall": number(kind.masking_recall),
        "all_or_nothing_recall": number(kind.all_or_nothing_recall),
    }


def group_row(evidence: Evidence, role: Role) -> dict[str, Any]:
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


def quasi_model_row(evidence: Evidence, settings: TextSettings) -> dict[str, Any]:
    """The inputs of equation 12, as the settings have them."""
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


def histogram(counts: Ints) -> list[dict[str, int]]:
    """Documents by number of leaks."""
    leaks, documents = np.unique(counts, return_counts=True)
    pairs = zip(leaks.tolist(), documents.tolist(), strict=True)
    return [{"leaks": leak, "documents": number_of} for leak, number_of in pairs]


def masking_row(evidence: Evidence) -> dict[str, Any]:
    """Words masked, whatever the label."""
    recall, precision = evidence.word_recall(), evidence.precision
    return {
        "recall": number(recall),
        "precision": number(precision),
        "f1": number(f_measure(precision, recall)),
        "f2": number(f_measure(precision, recall, beta=2)),
        "masked_words": evidence.masked_words,
    }


def labelled_rows(labels: tuple[LabelEvidence, ...]) -> dict[str, Any]:
    """The conventional evaluation, in which the label must be right too."""
    if not shares_a_label(labels):
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


def shares_a_label(labels: tuple[LabelEvidence, ...]) -> bool:
    """Whether any label occurs on both sides."""
    return any(label.wanted and label.marked for label in labels)


def _scores(recall: float, precision: float) -> dict[str, float | None]:
    f1 = f_measure(precision, recall)
    return {"recall": number(recall), "precision": number(precision), "f1": number(f1)}
