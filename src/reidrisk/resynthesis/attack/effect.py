"""What a recognition does to the risk of the same texts."""

from __future__ import annotations

from collections.abc import Iterator

from reidrisk.context.release import Release
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.resynthesis.attack.result import RiskRow
from reidrisk.stats.uncertain import Beta
from reidrisk.text.assess import assess_only
from reidrisk.text.evidence import Evidence
from reidrisk.text.settings import TextSettings
from reidrisk.text.verdict import RiskPart

PUBLISHED = ((0.1, "Carrell 2013"), (0.27, "Carrell 2020"), (0.68, "Carrell 2019"))
"""Recognitions that may be cited, for comparison."""


def effect_on_risk(
    evidence: Evidence, measured: tuple[float, Beta] | None, settings: TextSettings, *, seed: int
) -> Iterator[RiskRow]:
    """The risks of a public release if every leak is recognised, as measured, and as published."""
    threshold = Threshold.from_cell_size(5, "cell size of five, for comparison")
    cases: list[tuple[str, float, Release]] = [("every leak recognised", 1.0, Release.public("redaction"))]
    if measured is not None:
        value, posterior = measured
        cases.append(("measured here", value, Release.public("resynthesis", recognition=posterior)))
        cases += [
            (name, value, Release.public("resynthesis", recognition=value)) for value, name in PUBLISHED
        ]
    for name, value, release in cases:
        risk = assess_only(evidence, release, threshold, settings, seed=seed)
        yield RiskRow(name, value, _estimate(risk.direct), _estimate(risk.quasi))


def _estimate(part: RiskPart | None) -> Estimate | None:
    return None if part is None else part.estimate
