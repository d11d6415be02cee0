"""`assess`: from a release file to a verdict, and to a folder that can be verified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reidrisk.assess.folder import AssessmentFiles, check_folder, write_folder, write_released
from reidrisk.assess.judgement import Judgement
from reidrisk.assess.kind import Progress, RunControl
from reidrisk.assess.measurement import Measurement, MeasurementStore, measure_parts
from reidrisk.assess.release_file import ReleaseFile, read_release
from reidrisk.assess.remedies import find_remedies
from reidrisk.assess.result import Assessment, read_previous
from reidrisk.assess.sensitivity import sensitivity
from reidrisk.errors import InvalidSetting


def assess(
    release: str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
    previous: str | Path | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
) -> Assessment:
    """Whether a release is acceptable: measure every part, then judge it in the context of the release.

    `release` is a YAML file, or its content. With `out`, everything needed to repeat the assessment is
    written to that folder, and parts that have not changed since the last run are not measured again. With
    `changes`, such as {"context.controls": "high"}, it is a what-if: nothing is written, and data are read
    only if a change requires it. `previous` is the folder of an earlier assessment to compare with.
    `threads` is the number of parts to measure at the same time.
    """
    if threads is not None and threads < 1:
        raise InvalidSetting(f"The number of threads is {threads}.", hint="Use 1 or more.")
    earlier = None if previous is None else read_previous(previous)
    read = read_release(release, changes)
    folder = None if out is None else Path(out)
    if folder is not None and not read.is_changed:
        check_folder(folder, read)
    store = MeasurementStore(folder, is_read_only=read.is_changed)
    control = RunControl(read.seed, progress)
    measurements = measure_parts(read.parts, control, store, threads=threads or 1)
    assessment = judge_measurements(read, measurements, previous=earlier)
    if folder is not None and not read.is_changed:
        released = write_released(assessment, control, folder)
        write_folder(AssessmentFiles(assessment, measurements, released), folder)
        store.clear()
    return assessment


def judge_measurements(
    release: ReleaseFile, measurements: Sequence[Measurement], *, previous: Mapping[str, Any] | None = None
) -> Assessment:
    """Everything that follows from the measurements; no data are read."""
    now = Judgement.of(measurements, release.score, seed=release.seed)
    return Assessment(
        release=release,
        judgement=now,
        remedies=find_remedies(release, measurements, now),
        sensitivity=sensitivity(release, measurements, now),
        previous=previous,
    )
