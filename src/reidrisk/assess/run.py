"""`assess`: from a release file to a verdict, and to a folder that can be verified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from reidrisk.assess.folder import AssessmentFiles, check_folder, write_folder, write_released
from reidrisk.assess.judgement import Judgement
from reidrisk.assess.kind import Progress, RunControl
from reidrisk.assess.measurement import Measurement, MeasurementStore, measure_parts
from reidrisk.assess.release_file import ReleaseFile, read_release
from reidrisk.assess.remedies import find_remedies
from reidrisk.assess.result import Assessment, joint_item, read_previous
from reidrisk.assess.verdict import Remedy, SensitivityRow
from reidrisk.context.changes import change_settings
from reidrisk.context.preset import PresetThreshold
from reidrisk.context.score import ContextScore
from reidrisk.context.settings import LEVELS
from reidrisk.context.thresholds import CUSTODIAN, ThresholdChoice
from reidrisk.core.file_set import together
from reidrisk.core.limits import within
from reidrisk.core.stopping import Stop, check_stop, stoppable
from reidrisk.core.threshold import Threshold
from reidrisk.core.trail import Recorder, is_recording, recorded
from reidrisk.errors import InvalidSetting


def assess(  # noqa: PLR0913 - every one is named
    release: str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
    previous: str | Path | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    threads: int | None = None,
    allow_outside: bool = False,
) -> Assessment:
    """Whether a release is acceptable: measure every part, then judge it in the context of the release.

    `release` is a YAML file, or its content. With `out`, everything needed to repeat the assessment is
    written to that folder, and parts that have not changed since the last run are not measured again. With
    `changes`, such as {"context.controls": "high"}, it is a what-if: nothing is written, and data are read
    only if a change requires it. `previous` is the folder of an earlier assessment to compare with.
    `threads` is the number of parts to measure at the same time. Paths in a release file must stay inside its
    folder unless `allow_outside`.

    `stop` is called often. With "best", searches end with the best solution so far; a part without any could
    not be judged. With "cancel", Cancelled is raised and nothing is written but the measurements of parts
    that are finished, which the next run uses.
    """
    if threads is not None and threads < 1:
        raise InvalidSetting(f"The number of threads is {threads}.", hint="Use 1 or more.")
    earlier = None if previous is None else read_previous(previous)
    read = read_release(release, changes, allow_outside=allow_outside)
    control = RunControl(read.seed, progress, stop)
    with within(read.limits), _recorded(release), stoppable(stop), together():
        return _assessed(read, None if out is None else Path(out), earlier, control, threads or 1)


@contextmanager
def _recorded(release: str | Path | Mapping[str, Any]) -> Iterator[None]:
    """Log what is written, unless a command does."""
    if is_recording():
        yield
        return
    inputs = () if isinstance(release, Mapping) else (Path(release).resolve(),)
    with recorded(Recorder("rr.assess", inputs=inputs)):
        yield


def _assessed(
    read: ReleaseFile,
    folder: Path | None,
    earlier: Mapping[str, Any] | None,
    control: RunControl,
    threads: int,
) -> Assessment:
    if folder is not None and not read.is_changed:
        check_folder(folder, read)
    store = MeasurementStore(folder, is_read_only=read.is_changed)
    measurements = measure_parts(read.parts, control, store, threads=threads)
    assessment = judge_measurements(read, measurements, previous=earlier)
    check_stop()
    if folder is not None and not read.is_changed:
        with together() as files:  # tables and assessment appear together
            released = write_released(assessment, control, folder)
            write_folder(AssessmentFiles(assessment, measurements, released), folder)
            files.then(store.clear)
    return assessment


def judge_measurements(
    release: ReleaseFile, measurements: Sequence[Measurement], *, previous: Mapping[str, Any] | None = None
) -> Assessment:
    """Everything that follows from the measurements; no data are read."""
    now = Judgement.of(measurements, release.score, seed=release.seed)
    return Assessment(
        release=release,
        judgement=now,
        remedies=_remedies(release, measurements, now),
        sensitivity=sensitivity(release, measurements, now),
        previous=previous,
    )


def _remedies(
    release: ReleaseFile, measurements: Sequence[Measurement], now: Judgement
) -> tuple[Remedy, ...]:
    """Remedies; none makes the release acceptable as long as nobody said what its parts tell together."""
    found = find_remedies(release, measurements, now)
    item = joint_item(release)
    if item is None or item.status != "unmeasured":
        return found
    return tuple(replace(one, acceptable_after=False) if one.acceptable_after else one for one in found)


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
