"""What a context means for a release: how likely an attempt is, and which risk is accepted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from reidrisk.context.agreement import agreement
from reidrisk.context.attempt import deliberate, spread
from reidrisk.context.context import Context
from reidrisk.context.describe import controls, next_threshold, sources
from reidrisk.context.notes import notes
from reidrisk.context.preset import Rule, precedents
from reidrisk.context.questionnaire import questionnaire
from reidrisk.context.release import SEMI_PUBLIC_ATTEMPT, Access, Release, Treatment
from reidrisk.context.thresholds import Permits, permission
from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.stats.uncertain import Triangular

Statistic = Literal["highest", "strict_average"]
CAP = 1 / 3
"""The highest risk of a record beside an average, SPEC 7.5; ours where a preset says nothing."""
UNDECIDED = "A context decides nothing without data."
SETTLED = {"public": 1.0, "semi_public": SEMI_PUBLIC_ATTEMPT}
"""The attempt where there is no known recipient."""


@dataclass(frozen=True)
class ContextScore(Result):
    """What one context gives to every job: the attempt, the rule and the threshold."""

    context: Context

    @property
    def acceptable(self) -> bool:
        """A context without data decides nothing, so it never speaks for a release."""
        return False

    @property
    def access(self) -> Access:
        """Who can have the data."""
        return self.context.access

    @property
    def threshold(self) -> Threshold:
        """The largest risk that is accepted."""
        return self.context.chosen.threshold

    @property
    def rule(self) -> Rule:
        """`cell_size`: the highest risk alone; `overall`: a statistic times the risk of the context."""
        return self.context.rule

    @property
    def statistic(self) -> Statistic:
        """Which risk of the records is compared."""
        known = self.rule == "overall" and self.access == "non_public"
        return "strict_average" if known else "highest"

    @property
    def left(self) -> float:
        """What the threshold leaves for the data once the risk of the context is taken into account."""
        return min(1.0, self.threshold.probability / self.context_risk)

    @property
    def cap(self) -> float:
        """The largest risk of a single record that can pass, whatever the average."""
        if self.rule == "cell_size":
            return self.threshold.probability
        if self.statistic == "highest":
            return self.left
        named = self.context.cap or (self.context.preset.cap and self.context.preset.cap.threshold)
        return named.probability if named else CAP

    @property
    def deliberate(self) -> Triangular:
        """The chance that somebody tries on purpose."""
        if self.access in SETTLED:
            return Triangular.constant(SETTLED[self.access])
        return spread(deliberate(self.context.controls.level, self.context.motives.level))

    @property
    def risks(self) -> dict[str, float | None]:
        """Of a deliberate attempt, an acquaintance and a breach; None where nothing is stated."""
        known, lost = self.context.acquaintance, self.context.breach
        return {
            "deliberate": self.deliberate.mode,
            "acquaintance": None if known is None else known.risk,
            "breach": None if lost is None else lost.probability,
        }

    @property
    def context_risk(self) -> float:
        """The largest of the three risks; 1 for a public release."""
        return max(risk for risk in self.risks.values() if risk is not None)

    @property
    def attempt(self) -> Triangular:
        """The deliberate attempt, raised where an acquaintance or a breach is more likely."""
        least = max((risk for risk in list(self.risks.values())[1:] if risk is not None), default=0.0)
        own = self.deliberate
        return Triangular(max(own.low, least), max(own.mode, least), max(own.high, least))

    def release(self, treatment: Treatment = "redaction", recognition: object = None) -> Release:
        """The release of texts in this context."""
        if self.access == "public":
            return Release.public(treatment, recognition=recognition)
        known = Release.non_public(treatment, attempt=self.attempt, recognition=recognition)
        return replace(known, access=self.access)

    def permits(self, threshold: Threshold) -> Permits:
        """Whether a threshold may be used in this context, and what is missing for it."""
        chosen = self.context.chosen
        if chosen.threshold.accepts(threshold.probability):
            return permission(chosen.rung, self.context.ground)
        for rung in chosen.later:
            if rung.threshold.accepts(threshold.probability):
                return permission(rung, self.context.ground)
        return Permits(
            allowed=False,
            missing=(f"a policy that allows it: {self.context.preset.name} does not in this context",),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        own, raised = self.deliberate, self.attempt
        return {
            "kind": "context_score",
            "version": own_version(),
            "acceptable": None,
            "settings": self.context.said(),
            "seed": None,
            "versions": versions(),
            "reasons": [UNDECIDED],
            "holds": [None],
            "preset": self.context.preset.to_dict(),
            "access": self.access,
            "rule": self.rule,
            "statistic": self.statistic,
            "cap": self.cap,
            "attempt": _triangle(raised),
            "deliberate": _triangle(own),
            "risks": self.risks,
            "undefined": self._undefined(),
            "context_risk": self.context_risk,
            "threshold": self.context.chosen.to_dict(),
            "controls": controls(self.context),
            "motives": self.context.motives.to_dict(questionnaire("motives")),
            "invasion": {
                **self.context.invasion.to_dict(questionnaire("invasion")),
                "counted": bool(self.context.preset.by_invasion),
            },
            "next_threshold": next_threshold(self.context),
            "agreement": [clause.to_dict() for clause in agreement(self.context)],
            "notes": notes(self.context),
            "sources": sources(self.context),
            "precedents": [one.to_dict() for one in precedents()],
        }

    def _undefined(self) -> dict[str, str]:
        if self.access == "public":
            return dict.fromkeys(
                (name for name, risk in self.risks.items() if risk is None),
                "not asked for: the release is public and an attempt is certain",
            )
        reasons = {"acquaintance": "no prevalence is stated", "breach": "no chance of a breach is stated"}
        return {name: reasons[name] for name, risk in self.risks.items() if risk is None}


def score_context(context: Context) -> ContextScore:
    """What a context means: attempt, rule, threshold, and what a higher threshold asks for."""
    return ContextScore(context)


def _triangle(given: Triangular) -> dict[str, float]:
    return {"value": given.mean, "low": given.low, "mode": given.mode, "high": given.high}
