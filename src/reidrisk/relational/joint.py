"""The risk of people over all parts of a release to one recipient: tables, texts and documents together.

What parts tell about a person is combined before anybody is renamed (`together.py`). Here is the result: all
parts, each alone, and all without each, with one verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import percent, plural, probability
from reidrisk.errors import NothingToMeasure
from reidrisk.relational.risk import USUAL
from reidrisk.relational.together import (
    JointPart,
    JointSettings,
    MovedDays,
    PartsMeasure,
    TextLeaks,
    measure_parts,
)
from reidrisk.stats.class_risk import CURVE
from reidrisk.stats.events.joined import JoinedKnown, bounds_without_join

__all__ = ["JointPart", "JointRisk", "JointSettings", "MovedDays", "TextLeaks", "joint_risk"]


@dataclass(frozen=True)
class JointRisk(Result):
    """The risk of people over all parts together, and without each of them."""

    names: tuple[str, ...]
    people: int
    threshold: Threshold
    settings: JointSettings = field(repr=False)
    together: PartsMeasure = field(repr=False)
    alone: tuple[PartsMeasure, ...] = field(repr=False)
    without: tuple[PartsMeasure | None, ...] = field(repr=False)
    added: tuple[PartsMeasure, ...] = field(repr=False)
    """The parts up to each, in their order."""
    bounds: tuple[float, float]
    unlinked: tuple[tuple[str, str], ...] = ()
    """Parts that could not be linked, with the reason."""

    def measured(self) -> dict[str, Any]:
        """Everything that does not depend on the threshold, as JSON types."""
        return {
            "names": list(self.names),
            "people": self.people,
            "together": self.together.to_dict(),
            "alone": [one.to_dict() for one in self.alone],
            "without": [None if one is None else one.to_dict() for one in self.without],
            "added": [one.to_dict() for one in self.added],
            "bounds": list(self.bounds),
            "unlinked": [list(pair) for pair in self.unlinked],
        }

    @classmethod
    def from_measured(
        cls, given: Mapping[str, Any], settings: JointSettings, threshold: Threshold
    ) -> JointRisk:
        """Judge what was measured at another threshold."""
        return cls(
            names=tuple(given["names"]),
            people=given["people"],
            threshold=threshold,
            settings=settings,
            together=PartsMeasure.from_dict(given["together"]),
            alone=tuple(PartsMeasure.from_dict(one) for one in given["alone"]),
            without=tuple(None if one is None else PartsMeasure.from_dict(one) for one in given["without"]),
            added=tuple(PartsMeasure.from_dict(one) for one in given["added"]),
            bounds=(given["bounds"][0], given["bounds"][1]),
            unlinked=tuple((name, why) for name, why in given["unlinked"]),
        )

    @property
    def figures_acceptable(self) -> bool:
        """Whether the upper limit of every person is at most the threshold."""
        return self.together.highest <= self.threshold.probability * (1 + 1e-9)

    @property
    def acceptable(self) -> bool:
        """Whether nobody is above the threshold, and every part could be linked."""
        return self.figures_acceptable and not self.unlinked

    @property
    def breaking(self) -> tuple[str, ...]:
        """The parts without which nobody would be above the threshold."""
        if self.figures_acceptable:
            return ()
        pairs = zip(self.names, self.without, strict=True)
        return tuple(
            name
            for name, one in pairs
            if one is not None and one.highest <= self.threshold.probability * (1 + 1e-9)
        )

    def reasons(self) -> tuple[Reason, ...]:
        """Explain the verdict."""
        found = [Reason(self._sentence(), self.figures_acceptable)]
        found += [
            Reason(f"The part {name} could not be linked: {why}", holds=False) for name, why in self.unlinked
        ]
        return tuple(found)

    def _sentence(self) -> str:
        share = self.together.share_above(self.threshold)
        start = (
            f"What {plural(len(self.names), 'part')} ({', '.join(self.names)}) tell together: the most "
            f"exposed person has a risk of at most {probability(self.together.highest)}, the threshold is "
            f"{probability(self.threshold.probability)}; {percent(share)} of {self.people:,} people are "
            "above it"
        )
        if self.figures_acceptable:
            return f"{start}: acceptable."
        alone = [
            name
            for name, one in zip(self.names, self.alone, strict=True)
            if one.highest > self.threshold.probability * (1 + 1e-9)
        ]
        if self.breaking:
            parts = " or without ".join(self.breaking)
            return f"{start}: not acceptable. It would be acceptable without {parts}."
        own = f" Above it alone: {', '.join(alone)}." if alone else ""
        return f"{start}: not acceptable.{own}"

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; no value of a person."""
        limit = self.threshold
        return {
            "kind": "joint_risk",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {
                "parts": list(self.names),
                "known": self.settings.known,
                "leaks": self.settings.leaks,
                "same": {name: list(places) for name, places in self.settings.same.items()},
            },
            "seed": self.settings.seed,
            "versions": versions(),
            "reasons": texts(self.reasons()),
            "holds": holds(self.reasons()),
            "warnings": [],
            "threshold": {**asdict(limit), "cell_size": limit.cell_size},
            "people": self.people,
            **{key: value for key, value in self.together.figures(limit).items() if key != "acceptable"},
            "bounds": {"low": self.bounds[0], "high": self.bounds[1]},
            "method": self.together.by_known[-1].method,
            "by_known": [self._row(one) for one in self.together.by_known],
            "parts": self._parts(),
            "breaking": list(self.breaking),
            "unlinked": [{"part": name, "reason": why} for name, why in self.unlinked],
            "risk_curve": [
                {
                    "risk": risk,
                    "share_of_people": float(np.count_nonzero(self.together.high <= risk * (1 + 1e-9)))
                    / self.people,
                }
                for risk in CURVE
            ],
            "undefined": {},
        }

    def _row(self, one: JoinedKnown) -> dict[str, Any]:
        share, low, high = one.share_below(self.threshold.cell_size)
        return {
            "known": one.known,
            "method": one.method,
            "subsets": one.subsets,
            "highest": 1 / int(one.floor.min()),
            "average": one.average,
            "share_above_threshold": share,
            "share_low": low,
            "share_high": high,
        }

    def _parts(self) -> list[dict[str, Any]]:
        rows = []
        before = 0.0
        for place, name in enumerate(self.names):
            without = self.without[place]
            after = self.added[place].share_above(self.threshold)
            rows.append(
                {
                    "part": name,
                    "alone": self.alone[place].figures(self.threshold),
                    "without": None if without is None else without.figures(self.threshold),
                    "up_to_here": self.added[place].figures(self.threshold),
                    "adds": after - before,
                }
            )
            before = after
        return rows


def joint_risk(
    parts: Sequence[JointPart],
    settings: JointSettings | None = None,
    *,
    threshold: Threshold | None = None,
    unlinked: Sequence[tuple[str, str]] = (),
) -> JointRisk:
    """Measure what all parts tell together, what each tells alone, and what is left without each."""
    chosen, limit = settings or JointSettings(), threshold or USUAL
    if not parts or not any(part.people for part in parts):
        raise NothingToMeasure("The parts have no people.", hint="Check the link between the parts.")
    keys = tuple(sorted({key for part in parts for key in part.people}))
    together = measure_parts(parts, keys, chosen)
    alone = tuple(measure_parts([part], keys, chosen) for part in parts)
    without = tuple(
        measure_parts([other for other in parts if other is not part], keys, chosen)
        if len(parts) > 1
        else None
        for part in parts
    )
    added = tuple(
        alone[0]
        if number == 1
        else together
        if number == len(parts)
        else measure_parts(parts[:number], keys, chosen)
        for number in range(1, len(parts) + 1)
    )
    return JointRisk(
        names=tuple(part.name for part in parts),
        people=len(keys),
        threshold=limit,
        settings=chosen,
        together=together,
        alone=alone,
        without=without,
        added=added,
        bounds=_bounds(alone),
        unlinked=tuple(unlinked),
    )


def _bounds(alone: Sequence[PartsMeasure]) -> tuple[float, float]:
    """What the parts alone say about the most exposed person, without joining them."""
    people = len(alone[0].support)
    rows = np.unique(np.stack([one.support for one in alone], axis=1), axis=0)
    found = [bounds_without_join(people, row) for row in rows.tolist()]
    return max(low for low, _ in found), max(high for _, high in found)
