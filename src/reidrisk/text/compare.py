"""Compare several tools on one gold standard: their risks, and the differences with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np

from reidrisk.context.release import Release
from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import probability, undecided_words
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools
from reidrisk.stats.bootstrap import (
    FEWEST_LEAKING_DOCUMENTS,
    BootstrapDraws,
    DocumentCounts,
    bootstrap,
    difference_interval,
    share_difference,
)
from reidrisk.text import models
from reidrisk.text.evaluate import Source, TextFiles, evaluate_text, source_names
from reidrisk.text.paired import DocumentRisks, difference_of, document_risks
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting
from reidrisk.text.verdict import RiskPart

Method = Literal["paired limits", "paired bootstrap", "shares of leaking documents"]
OBSERVED: Method = "paired limits"
"""Limits of the mean difference by document: they hold without a model of leaks."""
PAIRED: Method = "paired bootstrap"
PLAIN: Method = "shares of leaking documents"
FEW = (
    "Too few documents leak under either tool for resampling: some differences compare the plain shares of "
    "leaking documents, as if every leak were recognized."
)
SHARED_SETTINGS = (
    "profile",
    "limit",
    "engine",
    "level",
    "sided",
    "needed",
    "resamples",
    "gold",
    "ignore_words",
)


def compare_tools(  # noqa: PLR0913 - as for one tool
    gold: Source,
    tools: Mapping[str, Source] | Sequence[Source],
    *,
    release: Release | None = None,
    threshold: Threshold | None = None,
    settings: TextSettings | None = None,
    counting: Counting | None = None,
    seed: int = 7,
) -> TextComparison:
    """Evaluate several tools on the same gold standard, and compare every two of them.

    Tools have the names you give, or the last part of their path.

    >>> from reidrisk.demo import clinical_notes, simulate_tool
    >>> notes = clinical_notes(documents=40, seed=7)
    >>> tools = {"old": simulate_tool(notes, recall=0.9), "new": simulate_tool(notes, recall=0.99)}
    >>> compare_tools(notes, tools).ranking
    ('new', 'old')
    """
    sources = list(tools.values()) if isinstance(tools, Mapping) else list(tools)
    names = list(tools) if isinstance(tools, Mapping) else tool_names(sources)
    if not isinstance(gold, str | Path | TextFiles):
        gold = list(gold)  # read once for every tool
    risks = [
        evaluate_text(
            gold,
            tool,
            release=release,
            threshold=threshold,
            settings=settings,
            counting=counting,
            seed=seed,
        )
        for tool in sources
    ]
    return compare_risks(risks, names=names)


def compare_risks(risks: Sequence[TextRisk], *, names: Sequence[str]) -> TextComparison:
    """Compare results with the same gold standard, release, threshold, settings and seed."""
    _check(risks, names)
    observed = risks[0].settings.limit == "observed"
    difference = _by_document(risks) if observed else _by_resampling(risks)
    differences = tuple(
        Difference(names[one], names[two], *difference(one, two))
        for one, two in combinations(range(len(risks)), 2)
    )
    return TextComparison(tuple(names), tuple(risks), differences)


def tool_names(tools: Sequence[Source]) -> list[str]:
    """The last part of each path without its suffix; with a number if two are equal."""
    return source_names(tools, "tool")


def _check(risks: Sequence[TextRisk], names: Sequence[str]) -> None:
    if len(risks) < 2 or len(names) != len(risks) or len(set(names)) < len(names):
        raise InvalidSetting(
            "A comparison needs two or more tools, each with a unique name.",
            hint="Give the outputs of two tools for the same gold standard.",
        )
    first = risks[0]
    for other in risks[1:]:
        one, two = first.evidence, other.evidence
        same_gold = np.array_equal(one.holds, two.holds) and np.array_equal(one.instances, two.instances)
        same = (first.release, first.threshold, first.settings, first.seed) == (
            other.release,
            other.threshold,
            other.settings,
            other.seed,
        )
        if not (same and same_gold and one.direct_types == two.direct_types):
            raise InvalidSetting(
                "The results differ in gold standard, release, threshold, settings or seed: they cannot be "
                "compared.",
                hint="Evaluate all tools with one command.",
            )


Pair = tuple["RiskDifference | None", "RiskDifference | None"]
"""The difference between two tools from direct identifiers, and from quasi-identifiers."""


def _by_document(risks: Sequence[TextRisk]) -> Callable[[int, int], Pair]:
    """Differences between the observed risks of the same documents."""
    found = [document_risks(risk) for risk in risks]

    def difference(one: int, two: int) -> Pair:
        direct, quasi = (
            _observed(risks[one], found[one][role], found[two][role]) if role in found[one] else None
            for role in ("direct", "quasi")
        )
        return direct, quasi

    return difference


def _observed(risk: TextRisk, first: DocumentRisks, second: DocumentRisks) -> RiskDifference:
    leaking = first.values > 0, second.values > 0
    return RiskDifference(difference_of(risk, first, second), OBSERVED, *_plain(risk, leaking))


def _by_resampling(risks: Sequence[TextRisk]) -> Callable[[int, int], Pair]:
    """Differences between the risks of a model, with the same resampled documents for every tool."""
    drawn = [_resampled(risk) for risk in risks]

    def difference(one: int, two: int) -> Pair:
        both, draws = (risks[one], risks[two]), (drawn[one], drawn[two])
        return _direct(*both, draws), _quasi(*both, draws)

    return difference


def _resampled(risk: TextRisk) -> BootstrapDraws:
    """Draws of both risks; with the same seed, every tool gets the same resampled documents."""
    evidence, settings = risk.evidence, risk.settings
    counts = DocumentCounts(
        evidence.holds, evidence.leaks, evidence.values, evidence.instances, evidence.caught
    )
    return bootstrap(
        counts,
        models.direct_model(evidence, risk.release, settings),
        models.quasi_model(evidence, risk.release, settings),
        resamples=settings.resamples,
        rng=np.random.default_rng(risk.seed),
    )


def _direct(
    one: TextRisk, two: TextRisk, drawn: tuple[BootstrapDraws, BootstrapDraws]
) -> RiskDifference | None:
    first, second = drawn[0].direct, drawn[1].direct
    if first is None or second is None or one.direct is None or two.direct is None:
        return None
    value = one.direct.plug_in - two.direct.plug_in
    ends = difference_interval(first, second, one.settings.levels)
    leaking = (one.evidence.direct_leaks > 0, two.evidence.direct_leaks > 0)
    return _difference(one, Estimate(value, *ends, one.settings.level), leaking, seen=leaking)


def _quasi(
    one: TextRisk, two: TextRisk, drawn: tuple[BootstrapDraws, BootstrapDraws]
) -> RiskDifference | None:
    first, second = drawn[0].quasi, drawn[1].quasi
    if first is None or second is None:
        return None
    value = _quasi_value(one) - _quasi_value(two)
    ends = difference_interval(first, second, one.settings.levels)
    needed = one.settings.needed
    leaking = (one.evidence.leaked_values >= needed, two.evidence.leaked_values >= needed)
    seen = (one.evidence.leaked_values > 0, two.evidence.leaked_values > 0)  # what the recall is based on
    return _difference(one, Estimate(value, *ends, one.settings.level), leaking, seen=seen)


def _quasi_value(risk: TextRisk) -> float:
    """The risk as resampling computes it: equation 19 with the mean number of values."""
    settings = replace(risk.settings, mode="continuous")
    model = models.quasi_model(risk.evidence, risk.release, settings)
    return 0.0 if model is None else models.quasi_plug_in(risk.evidence, model, settings)


def _difference(
    risk: TextRisk, resampled: Estimate, leaking: tuple[Bools, Bools], *, seen: tuple[Bools, Bools]
) -> RiskDifference:
    """The resampled difference; if too few documents leak, the difference of the plain shares."""
    plain, *only = _plain(risk, leaking)
    if int(np.count_nonzero(seen[0] | seen[1])) >= FEWEST_LEAKING_DOCUMENTS:
        return RiskDifference(resampled, PAIRED, plain, *only)
    attempt = risk.release.attempt.mean
    value, low, high = (attempt * part for part in (plain.value, plain.low, plain.high))
    scaled = Estimate(value, low, high, risk.settings.level)
    return RiskDifference(scaled, PLAIN, plain, *only)


def _plain(risk: TextRisk, leaking: tuple[Bools, Bools]) -> tuple[Estimate, int, int]:
    """The difference of the plain shares, and how many documents leak under one of both tools only."""
    first, second = leaking
    only = int(np.count_nonzero(first & ~second)), int(np.count_nonzero(second & ~first))
    share = share_difference(*only, risk.evidence.documents, levels=risk.settings.levels)
    return Estimate(*share, risk.settings.level), *only


@dataclass(frozen=True, slots=True)
class RiskDifference:
    """Risk of the first tool minus risk of the second."""

    estimate: Estimate
    method: Method
    plain: Estimate
    """Difference of the plain shares of leaking documents, without any model."""
    only_a: int
    """Documents that leak under the first tool only."""
    only_b: int

    @property
    def lower(self) -> Literal["a", "b"] | None:
        """The tool with the lower risk; None if the interval includes 0."""
        if self.estimate.low <= 0 <= self.estimate.high:
            return None
        return "a" if self.estimate.high < 0 else "b"

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        plain = self.plain.to_dict() | {"only_a": self.only_a, "only_b": self.only_b}
        return {**self.estimate.to_dict(), "lower": self.lower, "method": self.method, "plain": plain}


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences between two tools; None for a role that the gold standard does not contain."""

    a: str
    b: str
    direct: RiskDifference | None
    quasi: RiskDifference | None

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        parts = {"direct": self.direct, "quasi": self.quasi}
        roles = {role: None if part is None else part.to_dict() for role, part in parts.items()}
        return {"a": self.a, "b": self.b, **roles}


@dataclass(frozen=True)
class TextComparison(Result):
    """Several tools on the same gold standard."""

    _main_table = "tools"
    names: tuple[str, ...]
    risks: tuple[TextRisk, ...]
    differences: tuple[Difference, ...]

    @property
    def acceptable(self) -> bool:
        """Whether every tool is acceptable."""
        return all(risk.acceptable for risk in self.risks)

    @property
    def ranking(self) -> tuple[str, ...]:
        """The names, lowest risk first: by the larger of both risks, each divided by its limit."""
        pairs = sorted(zip(self.risks, self.names, strict=True), key=lambda pair: (_excess(pair[0]), pair[1]))
        return tuple(name for _, name in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        tools = [risk.to_dict() | {"name": name} for name, risk in zip(self.names, self.risks, strict=True)]
        settings = tools[0]["settings"]
        findings = [_reason(name, risk) for name, risk in zip(self.names, self.risks, strict=True)]
        if len(self.differences) == 1:
            findings += _safer(self.differences[0])
        shared = {name: settings[name] for name in SHARED_SETTINGS if name in settings}
        return {
            "kind": "text_comparison",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": shared | {"release": settings["release"]},
            "seed": self.risks[0].seed,
            "versions": versions(),
            "reasons": texts(findings),
            "holds": holds(findings),
            "warnings": self._warnings(),
            "documents": self.risks[0].evidence.documents,
            "threshold": tools[0]["threshold"],
            "benchmark": self.risks[0].benchmark.to_dict(),
            "ranking": list(self.ranking),
            "tools": tools,
            "differences": [difference.to_dict() for difference in self.differences],
        }

    def _warnings(self) -> list[str]:
        parts = [part for one in self.differences for part in (one.direct, one.quasi) if part]
        return [FEW] if any(part.method == PLAIN for part in parts) else []


def _excess(risk: TextRisk) -> float:
    parts = [part for part in (risk.direct, risk.quasi) if part is not None]
    return max((part.estimate.high / part.threshold for part in parts), default=0.0)


def _reason(name: str, risk: TextRisk) -> Reason:
    word = "acceptable" if risk.acceptable else "not acceptable"
    if risk.decision == "undecided":
        headline = undecided_words(risk.documents_needed)
        word = f"{headline[0].lower()}{headline[1:]}"
    limits = [_limit(role, part) for role, part in (("direct", risk.direct), ("quasi", risk.quasi)) if part]
    return Reason(f"{name}: upper limits {' and '.join(limits)}: {word}.", risk.acceptable)


def _safer(difference: Difference) -> list[Reason]:
    """Which of two tools is safer, for each role; or that nobody can tell."""
    found = []
    for role, part in (("direct identifiers", difference.direct), ("quasi-identifiers", difference.quasi)):
        if part is None:
            continue
        ends = sorted(abs(end) for end in (part.estimate.low, part.estimate.high))
        level = f"{100 * (part.estimate.level or 0):g} %"
        if part.lower is None:
            text = (
                f"For {role}, the difference between {difference.a} and {difference.b} may be due to chance "
                f"({level} interval {probability(part.estimate.low)} to {probability(part.estimate.high)})."
            )
        else:
            safe, other = difference.a, difference.b
            safe, other = (safe, other) if part.lower == "a" else (other, safe)
            text = (
                f"For {role}, {safe} is safer than {other}: its risk is lower by "
                f"{probability(abs(part.estimate.value))} ({level} interval {probability(ends[0])} to "
                f"{probability(ends[1])})."
            )
        found.append(Reason(text, None))
    return found


def _limit(role: str, part: RiskPart) -> str:
    return f"{role} {probability(part.estimate.high)} (at most {probability(part.threshold)})"
