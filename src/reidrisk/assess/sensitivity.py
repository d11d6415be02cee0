"""How much the verdict depends on what was chosen: thresholds, controls, recognition, gate rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from reidrisk.assess.judge.choose import judge
from reidrisk.assess.judge.judged import Judged
from reidrisk.assess.judge.text import ROLES, judge_counts
from reidrisk.assess.measuring import Measurement
from reidrisk.assess.outcome import Judgement
from reidrisk.assess.parts.text import TextPart
from reidrisk.assess.read import ReleaseFile
from reidrisk.context.changes import changed_content
from reidrisk.context.preset import Rung
from reidrisk.context.score import ContextScore
from reidrisk.context.settings import LEVELS
from reidrisk.context.thresholds import CUSTODIAN, Chosen
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.text.evidence import evidence_from_dict

CELL_SIZES = (3, 5, 11, 20)
"""The thresholds in most use, SPEC 7.4."""
RECOGNITION = (0.1, 0.27, 0.68, 1.0)
"""Published values, and certainty."""


@dataclass(frozen=True, slots=True)
class Row:
    """A part under one other choice."""

    part: str
    what: str
    risk: float | None
    overall: float | None
    acceptable: bool

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def of(cls, part: str, what: str, judged: Judged) -> Row:
        """From a judgement."""
        return cls(part, what, judged.risk, judged.overall, judged.acceptable)


def sensitivity(release: ReleaseFile, measurements: Sequence[Measurement], now: Judgement) -> tuple[Row, ...]:
    """Every part that was measured, under each choice."""
    thresholds, controls = list(_thresholds(release.score)), list(_controls(release))
    found: list[Row] = []
    for one in measurements:
        if one.measured is not None:
            found += _under(one, thresholds, release.seed)
            rows = list(_under(one, controls, release.seed))
            found += rows if len({(row.overall, row.acceptable) for row in rows}) > 1 else []
            found += _of_texts(one, release, now)
    return tuple(found)


def _under(one: Measurement, others: Sequence[tuple[str, ContextScore]], seed: int) -> Iterator[Row]:
    for what, score in others:
        judged = judge(one.part, one.measured or {}, score, seed=seed, quick=True)
        yield Row.of(one.part.name, what, judged)


def _of_texts(one: Measurement, release: ReleaseFile, now: Judgement) -> Iterator[Row]:
    measured = one.measured or {}
    if isinstance(one.part, TextPart):
        yield from _recognition(one.part, measured, release)
        yield from _gates(one.part.name, now.of_part(one.part.name))


def _thresholds(score: ContextScore) -> Iterator[tuple[str, ContextScore]]:
    for size in CELL_SIZES:
        threshold = Threshold.from_cell_size(size, f"cell size of {size}, to see what depends on it")
        chosen = Chosen(Rung(threshold, CUSTODIAN), is_stated=True)
        yield f"threshold 1/{size}", ContextScore(replace(score.context, chosen=chosen))


def _controls(release: ReleaseFile) -> Iterator[tuple[str, ContextScore]]:
    """Levels of controls, where they count: for a known recipient."""
    if release.score.access != "non_public":
        return
    for level in LEVELS:
        content = changed_content(release.content["context"], {"controls": level})
        try:
            yield f"controls {level}", release.scored(content)
        except InvalidSetting:  # a threshold that was named rests on the checklist
            continue


def _recognition(part: TextPart, measured: Any, release: ReleaseFile) -> Iterator[Row]:
    if part.treatment != "resynthesis":
        return
    score = release.score
    evidence = evidence_from_dict(measured["evidence"])
    for value in RECOGNITION:
        judged = judge_counts(part, evidence, score.release("resynthesis", value), score, seed=release.seed)
        yield Row.of(part.name, f"recognition {value:g}", judged)


def _gates(name: str, judged: Judged | None) -> Iterator[Row]:
    """As the result has them already."""
    if judged is None or judged.result is None:
        return
    for rule, found in judged.result["gate_comparison"].items():
        role = "direct" if ROLES["direct"] in judged.statistic else "quasi"
        high = (found[role] or {"high": None})["high"]
        yield Row(name, f"gate rule {rule}", high, high, found["acceptable"])
