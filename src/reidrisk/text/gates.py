"""Whether recognition may count: only for identifiers that the tool demonstrably finds often enough.

With the limits of the observed risk, the rule `significant` asks for the upper limit of the share of leaks,
by the same computation as the limit of the risk. A single gate is tested at the level of that limit; several
types of direct identifiers share a stricter one, because each of their gates could open by chance. With the
limits of the model, the rule asks for the lower bound of the recall, as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan

from reidrisk.context.recognition import Recognition
from reidrisk.stats.choices import GateRule
from reidrisk.stats.decision import TOLERANCE, passes
from reidrisk.stats.gate import gate_open, shared_level
from reidrisk.stats.observed_limit import ObservedRisk
from reidrisk.text.evidence import Evidence
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


@dataclass(frozen=True, slots=True)
class GateTest:
    """The share of leaks of a type, and the level at which its upper limit decides on the gate."""

    share: ObservedRisk
    level: float


def direct_gates(
    evidence: Evidence, recognition: Recognition, settings: TextSettings, rule: GateRule, *, times: float = 1
) -> dict[str, bool]:
    """Whether recognition counts, by direct type; with every document observed this many times."""
    most = 1 - settings.direct_cutoff
    if rule == "significant" and settings.limit == "observed":
        tests = direct_tests(evidence, recognition, settings, times=times)
        return {name: passes(test.share, most, test.level) for name, test in tests.items()}
    return {
        kind.type: is_gate_open(
            kind.all_or_nothing_recall,
            kind.documents * times,
            settings,
            rule=rule,
            cutoff=settings.direct_cutoff,
        )
        for kind in evidence.of_role("direct")
    }


def direct_tests(
    evidence: Evidence, recognition: Recognition, settings: TextSettings, *, times: float = 1
) -> dict[str, GateTest]:
    """How the gate of each direct type is tested with the limits of the observed risk."""
    design, level = sample_design(evidence, settings), settings.levels[1]
    shares = {
        kind.type: direct_leak_share(evidence, kind.type, design).times(times)
        for kind in evidence.of_role("direct")
    }
    together = _tested_together(shares, recognition, settings)
    reached = 1 - settings.direct_cutoff
    shared = shared_level((shares[name].chance(reached * TOLERANCE, upper=True) for name in together), level)
    return {name: GateTest(share, shared if name in together else level) for name, share in shares.items()}


def _tested_together(
    shares: Mapping[str, ObservedRisk], recognition: Recognition, settings: TextSettings
) -> set[str]:
    """The types that share the error: recognition is below 1, and enough documents hold them.

    A type that stays closed even if nothing leaks cannot open by chance. How many documents hold it tells
    nothing about its leaks, so that it may be left out.
    """
    level, most = settings.levels[1], 1 - settings.direct_cutoff
    return {
        name
        for name, share in shares.items()
        if recognition.of(name).mean < 1 and passes(replace(share, sums=0 * share.sums), most, level)
    }


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
