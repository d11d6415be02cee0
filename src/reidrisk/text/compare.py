"""Compare several tools on one gold standard: their risks, and the differences with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from reidrisk.stats.arrays import Bools, Floats
from reidrisk.stats.bootstrap import (
    FEWEST_LEAKING_DOCUMENTS,
    BootstrapDraws,
    DocumentCounts,
    bootstrap,
    bootstrap_means,
    difference_interval,
    share_difference,
)
from reidrisk.text import models
from reidrisk.text.assess import judged_roles
from reidrisk.text.evaluate import Source, TextFiles, evaluate_text, source_names
from reidrisk.text.models import TextCase
from reidrisk.text.observed import sample_design
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting
from reidrisk.text.verdict import RiskPart

Method = Literal["paired bootstrap", "shares of leaking documents"]
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
    drawn = [_resampled(risk) for risk in risks]
    differences = tuple(
        Difference(
            names[one],
            names[two],
            _direct(risks[one], risks[two], (drawn[one], drawn[two])),
            _quasi(risks[one], risks[two], (drawn[one], drawn[two])),
        )
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


def _resampled(risk: TextRisk) -> BootstrapDraws:
    """Draws of both risks; with the same seed, every tool gets the same resampled documents."""
    evidence, settings = risk.evidence, risk.settings
    if settings.limit == "observed":
        return _resampled_means(risk)
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


def _resampled_means(risk: TextRisk) -> BootstrapDraws:
    """Draws of the mean observed risk, with documents or clusters resampled."""
    case = TextCase(risk.evidence, risk.release, risk.threshold, risk.settings, risk.seed)
    roles = judged_roles(case, risk.benchmark.high)
    design = sample_design(risk.evidence, risk.settings)
    group = np.arange(risk.evidence.documents) if design.cluster is None else design.cluster
    weight = np.ones(group.size) if design.weight is None else design.weight

    def by_unit(values: Floats) -> Floats:
        return np.asarray(np.bincount(group, weights=weight * values), dtype=float)

    sums = [by_unit(one.documents.values) for one in roles.values()]
    rng = np.random.default_rng(risk.seed)
    means = bootstrap_means(by_unit(np.ones(group.size)), sums, resamples=risk.settings.resamples, rng=rng)
    drawn = dict(zip(roles, means, strict=True))
    quasi = drawn.get("quasi")
    if quasi is not None:
        catch = risk.settings.given_catch
        quasi = risk.release.attempt.mean * (catch + (1 - catch) * quasi)
    return BootstrapDraws(drawn.get("direct"), quasi)


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
    """The risk as resampling computes it: observed, or equation 19 with the mean number of values."""
    if risk.settings.limit == "observed":
        return 0.0 if risk.quasi is None else risk.quasi.estimate.value
    settings = replace(risk.settings, mode="continuous")
    model = models.quasi_model(risk.evidence, risk.release, settings)
    return 0.0 if model is None else models.quasi_plug_in(risk.evidence, model, settings)


def _difference(
    risk: TextRisk, resampled: Estimate, leaking: tuple[Bools, Bools], *, seen: tuple[Bools, Bools]
) -> RiskDifference:
    """The resampled difference; if too few documents leak, the difference of the plain shares."""
    first, second = leaking
    only = int(np.count_nonzero(first & ~second)), int(np.count_nonzero(second & ~first))
    share = share_difference(*only, risk.evidence.documents, levels=risk.settings.levels)
    plain = Estimate(*share, risk.settings.level)
    if int(np.count_nonzero(seen[0] | seen[1])) >= FEWEST_LEAKING_DOCUMENTS:
        return RiskDifference(resampled, PAIRED, plain, *only)
    attempt = risk.release.attempt.mean
    value, low, high = (attempt * part for part in share)
    scaled = Estimate(value, low, high, risk.settings.level)
    return RiskDifference(scaled, PLAIN, plain, *only)


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


def _limit(role: str, part: RiskPart) -> str:
    return f"{role} {probability(part.estimate.high)} (at most {probability(part.threshold)})"
