"""The result of a comparison of tools: every tool's risk, and the differences with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.result import Result
from reidrisk.core.wording import probability
from reidrisk.text.result import RiskPart, TextRisk

Method = Literal["paired bootstrap", "shares of leaking documents"]
PAIRED: Method = "paired bootstrap"
PLAIN: Method = "shares of leaking documents"
FEW = (
    "Too few documents leak under either tool for resampling: some differences are those of the plain shares "
    "of leaking documents, every leak recognised."
)
SHARED_SETTINGS = ("profile", "engine", "level", "sided", "needed", "resamples", "gold", "ignore_words")


@dataclass(frozen=True, slots=True)
class RiskDifference:
    """The risk that the first tool leaves, less that of the second."""

    estimate: Estimate
    method: Method
    plain: Estimate
    """Difference of the shares of documents that leak, without any model."""
    only_a: int
    """Documents that leak under the first tool alone."""
    only_b: int

    @property
    def lower(self) -> Literal["a", "b"] | None:
        """The tool with the lower risk; None where the interval holds 0."""
        if self.estimate.low <= 0 <= self.estimate.high:
            return None
        return "a" if self.estimate.high < 0 else "b"

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        plain = self.plain.to_dict() | {"only_a": self.only_a, "only_b": self.only_b}
        return {**self.estimate.to_dict(), "lower": self.lower, "method": self.method, "plain": plain}


@dataclass(frozen=True, slots=True)
class Difference:
    """Two tools, by name; None for a role that the gold standard does not hold."""

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
        """The names, least risk first: by the larger of both risks, each as a multiple of its limit."""
        pairs = sorted(zip(self.risks, self.names, strict=True), key=lambda pair: (_excess(pair[0]), pair[1]))
        return tuple(name for _, name in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        tools = [risk.to_dict() | {"name": name} for name, risk in zip(self.names, self.risks, strict=True)]
        settings = tools[0]["settings"]
        shared = {name: settings[name] for name in SHARED_SETTINGS if name in settings}
        return {
            "kind": "text_comparison",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": shared | {"release": settings["release"]},
            "seed": self.risks[0].seed,
            "versions": versions(),
            "reasons": [_reason(name, risk) for name, risk in zip(self.names, self.risks, strict=True)],
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


def _reason(name: str, risk: TextRisk) -> str:
    word = "acceptable" if risk.acceptable else "not acceptable"
    said = [_limit(role, part) for role, part in (("direct", risk.direct), ("quasi", risk.quasi)) if part]
    return f"{name}: upper limits {' and '.join(said)}: {word}."


def _limit(role: str, part: RiskPart) -> str:
    return f"{role} {probability(part.estimate.high)} (at most {probability(part.threshold)})"
