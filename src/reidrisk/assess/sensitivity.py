"""How much the verdict depends on assumptions: thresholds, controls, and assumptions of a kind of part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reidrisk.assess.judgement import Judgement
from reidrisk.assess.measurement import Measurement
from reidrisk.assess.release_file import ReleaseFile
from reidrisk.assess.verdict import SensitivityRow
from reidrisk.context.changes import change_settings
from reidrisk.context.preset import PresetThreshold
from reidrisk.context.score import ContextScore
from reidrisk.context.settings import LEVELS
from reidrisk.context.thresholds import CUSTODIAN, ThresholdChoice
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting

CELL_SIZES = (3, 5, 11, 20)
"""The most common thresholds, SPEC 7.4."""


def sensitivity(
    release: ReleaseFile, measurements: Sequence[Measurement], now: Judgement
) -> tuple[SensitivityRow, ...]:
    """Every part that was measured, under each other assumption."""
    thresholds, controls = list(_thresholds(release.score)), list(_controls(release))
    found: list[SensitivityRow] = []
    for one in measurements:
        if one.measured is None:
            continue
        found += _rows(one, thresholds, release.seed)
        rows = list(_rows(one, controls, release.seed))
        found += rows if len({(row.overall, row.acceptable) for row in rows}) > 1 else []
        verdict = now.verdict_on(one.part.name)
        found += one.part.sensitivity(one.measured, verdict, release.score, seed=release.seed)
    return tuple(found)


def _rows(
    one: Measurement, scores: Sequence[tuple[str, ContextScore]], seed: int
) -> Iterator[SensitivityRow]:
    for what, score in scores:
        verdict = one.part.judge(one.measured or {}, score, seed=seed, quick=True)
        yield SensitivityRow.of(one.part.name, what, verdict)


def _thresholds(score: ContextScore) -> Iterator[tuple[str, ContextScore]]:
    for size in CELL_SIZES:
        threshold = Threshold.from_cell_size(size, f"cell size of {size}, to see what depends on it")
        chosen = ThresholdChoice(PresetThreshold(threshold, CUSTODIAN), is_stated=True)
        yield f"threshold 1/{size}", ContextScore(replace(score.context, chosen=chosen))


def _controls(release: ReleaseFile) -> Iterator[tuple[str, ContextScore]]:
    """Levels of controls, if they matter: for a known recipient."""
    if release.score.access != "non_public":
        return
    for level in LEVELS:
        content = change_settings(release.content["context"], {"controls": level})
        try:
            yield f"controls {level}", release.score_in(content)
        except InvalidSetting:  # the stated threshold depends on the checklist
            continue
