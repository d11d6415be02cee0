"""The result of assessing a release: one verdict, why, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from reidrisk.assess.outcome import Judgement
from reidrisk.assess.read import ReleaseFile
from reidrisk.assess.remedies.remedy import Remedy
from reidrisk.assess.review import compared, review
from reidrisk.assess.sensitivity import Row
from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import plural, probability

ABOUT = ("name", "purpose", "custodian", "recipient", "prepared_by", "date")


@dataclass(frozen=True)
class Assessment(Result):
    """Whether a release is acceptable in its context."""

    release: ReleaseFile
    judgement: Judgement
    remedies: tuple[Remedy, ...] = ()
    sensitivity: tuple[Row, ...] = ()
    previous: Mapping[str, Any] | None = field(default=None, repr=False)
    """An earlier assessment that this one is compared with."""

    @property
    def acceptable(self) -> bool:
        """Whether every part could be judged and is at or below its limit."""
        return self.judgement.acceptable

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of parts that could not be judged."""
        return tuple(outcome.part.name for outcome in self.judgement.failed)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        return dict(self._content)

    @cached_property
    def _content(self) -> dict[str, Any]:
        context, about = self.judgement.score.to_dict(), self.release.about
        found: dict[str, Any] = {
            "kind": "assessment",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.release.content),
            "seed": self.release.seed,
            "versions": versions(),
            "release": {**{name: about.get(name) for name in ABOUT}, "review": review(about)},
            "context": context,
            "verdict": {"acceptable": self.acceptable, "sentence": self._sentence()},
            "reasons": self._reasons(),
            "remedies": [remedy.to_dict(rank) for rank, remedy in enumerate(self.remedies, start=1)],
            "parts": [outcome.to_dict() for outcome in self.judgement.outcomes],
            "agreement": context["agreement"],
            "sensitivity": [row.to_dict() for row in self.sensitivity],
        }
        changes = None if self.previous is None else compared(found, self.previous)
        return {**found, "monitoring": changes}

    def _sentence(self) -> str:
        failed, refused = self.judgement.failed, self.judgement.refused
        parts = plural(len(self.judgement.outcomes), "part")
        if self.acceptable:
            return (
                f"Acceptable: {'the part is' if parts == '1 part' else f'all {parts} are'} within the limits."
            )
        said = []
        if failed:
            said.append(f"could not be judged: {', '.join(outcome.part.name for outcome in failed)}")
        if refused:
            said.append(f"risk too high in: {', '.join(outcome.part.name for outcome in refused)}")
        return f"Not acceptable; {'; '.join(said)}."

    def _reasons(self) -> list[dict[str, Any]]:
        score = self.judgement.score
        threshold, names = score.threshold, {"public": "public", "semi_public": "semi-public"}
        attempt = f"an attempt of {score.context_risk:g}"
        told = (
            f"The release is {names.get(score.access, 'non-public')}, with {attempt}; the threshold is "
            f"{probability(threshold.probability)}, 1/{threshold.cell_size} ({threshold.reason})."
        )
        reasons: list[dict[str, Any]] = [{"part": None, "text": told, "holds": None}]
        for outcome in self.judgement.outcomes:
            text = (
                outcome.to_dict()["judged"]["sentence"] if outcome.judged is None else outcome.judged.sentence
            )
            reasons.append({"part": outcome.part.name, "text": text, "holds": outcome.acceptable})
        return reasons
