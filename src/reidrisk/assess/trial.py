"""Try a remedy of an assessment: what the verdict would be, without writing anything."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reidrisk.assess.jobs import start_trial
from reidrisk.assess.remedies import remedy_changes, remedy_of
from reidrisk.assess.result import Assessment
from reidrisk.assess.run import assess
from reidrisk.assess.state import ASSESSMENT_FOLDER
from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting


def trial_changes(folder: str | Path, rank: int, evidence: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The settings to try: with the evidence that is given, and as if the rest of it were there."""
    remedy = remedy_of(folder, rank)
    if not remedy["trial"]:
        raise InvalidSetting(
            "This change is not a setting: it must be made to the data, the tool or the documents.",
            hint="Make the change there, and run the assessment again.",
        )
    if evidence and all(evidence.get(key, "").strip() for key in remedy["needs_evidence"]):
        return remedy_changes(remedy, evidence)
    return dict(remedy["trial"])


def try_remedy(
    folder: str | Path,
    rank: int,
    evidence: Mapping[str, str] | None = None,
    *,
    allow_outside: bool = False,
) -> Assessment:
    """The assessment of the release in a folder with a remedy of its last assessment, compared with that one.

    Nothing is written. Data are read only if the change requires it.
    """
    place = Path(folder)
    return assess(
        place / RELEASE_FILE,
        out=place / ASSESSMENT_FOLDER,
        changes=trial_changes(place, rank, evidence),
        previous=place / ASSESSMENT_FOLDER,
        allow_outside=allow_outside,
    )


def start_remedy_trial(
    folder: str | Path,
    rank: int,
    evidence: Mapping[str, str] | None = None,
    *,
    by: str | None = None,
    allow_outside: bool = False,
) -> str:
    """The same in a process of its own; returns the id of the job."""
    changes = trial_changes(folder, rank, evidence)
    return start_trial(folder, changes, by=by, remedy=rank, allow_outside=allow_outside)
