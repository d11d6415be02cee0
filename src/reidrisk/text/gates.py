"""Whether recognition may count: only for identifiers that the tool demonstrably finds often enough.

With the limits of the observed risk, the rule `significant` asks for the upper limit of the share of leaks,
by the same computation and at the same level as the limit of the risk. With those of the model, it asks for
the lower bound of the recall, as before.
"""

from __future__ import annotations

from math import isnan

from reidrisk.stats.choices import GateRule
from reidrisk.stats.decision import passes
from reidrisk.stats.gate import gate_open
from reidrisk.stats.observed_limit import ObservedRisk
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.observed import direct_leak_share, quasi_leak_share, sample_design
from reidrisk.text.settings import TextSettings


def is_gate_open(
    recall: float, support: float, settings: TextSettings, *, rule: GateRule, cutoff: float
) -> bool:
    """Whether recognition counts, given only a recall and the number of documents behind it."""
    if rule == "significant" and settings.limit == "observed" and support > 0 and not isnan(recall):
        share = ObservedRisk.of_share((1 - recall) * support, support)
        return passes(share, 1 - cutoff, settings.levels[1])
    return gate_open(
        recall,
        support,
        cutoff=cutoff,
        rule=rule,
        method=settings.gate_method,
        level=settings.gate_level,
    )


def direct_gate(evidence: Evidence, kind: TypeEvidence, settings: TextSettings, rule: GateRule) -> bool:
    """Whether recognition counts for a direct type."""
    if rule == "significant" and settings.limit == "observed":
        share = direct_leak_share(evidence, kind.type, sample_design(evidence, settings))
        return passes(share, 1 - settings.direct_cutoff, settings.levels[1])
    recall, documents = kind.all_or_nothing_recall, kind.documents
    return is_gate_open(recall, documents, settings, rule=rule, cutoff=settings.direct_cutoff)


def direct_gates(evidence: Evidence, settings: TextSettings, rule: GateRule) -> dict[str, bool]:
    """Whether recognition counts, by direct type."""
    return {kind.type: direct_gate(evidence, kind, settings, rule) for kind in evidence.of_role("direct")}


def quasi_gate(evidence: Evidence, settings: TextSettings, rule: GateRule) -> bool:
    """Whether recognition counts for quasi-identifiers, which share one gate."""
    observed = settings.limit == "observed" and not evidence.only_counts
    if rule == "significant" and observed and evidence.repeats.size:
        share = quasi_leak_share(evidence, sample_design(evidence, settings))
        return passes(share, 1 - settings.quasi_cutoff, settings.levels[1])
    recall = quasi_recall(evidence, settings)
    return is_gate_open(
        recall, evidence.documents_with_quasi, settings, rule=rule, cutoff=settings.quasi_cutoff
    )


def quasi_recall(evidence: Evidence, settings: TextSettings) -> float:
    """The pooled recall, by instance or by word, depending on the settings."""
    return evidence.quasi_recall if settings.unit == "all_tokens" else evidence.quasi_word_recall
