"""`assess`: from a release file to a verdict, and to a folder that can be checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reidrisk.assess.folder import Written, check_folder, write_folder
from reidrisk.assess.measuring import Measurement, measure_parts
from reidrisk.assess.outcome import Judgement
from reidrisk.assess.parts.part import Progress, Work
from reidrisk.assess.read import ReleaseFile, read_release
from reidrisk.assess.released import write_released
from reidrisk.assess.remedies.context import context_remedies
from reidrisk.assess.remedies.parts import part_remedies
from reidrisk.assess.remedies.remedy import Remedy, ranked
from reidrisk.assess.remedies.together import together
from reidrisk.assess.result import Assessment
from reidrisk.assess.review import read_previous
from reidrisk.assess.sensitivity import sensitivity
from reidrisk.assess.store import Store
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
    """Whether a release is acceptable: every part measured, then judged in the context of the release.

    `release` is a YAML file, or what it would hold. With `out` everything that is needed to repeat the
    assessment is written there, and parts that have not changed since are not measured again. With
    `changes`, such as {"context.controls": "high"}, it is a what-if: nothing is written, and data are
    read only where a change needs it. `previous` is the folder of an earlier assessment to compare with;
    `threads` says how many parts are measured at a time.
    """
    if threads is not None and threads < 1:
        raise InvalidSetting(f"{threads} threads cannot work.", hint="Use 1 or more.")
    earlier = None if previous is None else read_previous(previous)
    found = read_release(release, changes)
    target = None if out is None else Path(out)
    if target is not None and not found.is_changed:
        check_folder(target, found)
    store = Store(target, is_read_only=found.is_changed)
    work = Work(found.seed, progress)
    measurements = measure_parts(found.parts, work, store, threads=threads or 1)
    done = judged(found, measurements, previous=earlier)
    if target is not None and not found.is_changed:
        files = write_released(done, work, target)
        write_folder(Written(done, measurements, files), target)
        store.clear()
    return done


def judged(
    release: ReleaseFile, measurements: Sequence[Measurement], *, previous: Mapping[str, Any] | None = None
) -> Assessment:
    """Everything that follows from what was measured; no data are read."""
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
    if not now.refused:
        return ()
    found = [*context_remedies(release, measurements, now)]
    for outcome in now.refused:
        found += part_remedies(outcome, now)
    return ranked([*found, *together(found, measurements, now)])
