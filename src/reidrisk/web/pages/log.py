"""The log: who did what when, and whether somebody changed it. As `reidrisk log` shows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import Response

from reidrisk.errors import ReidRiskError
from reidrisk.web.page import ASSESSMENT, ReleaseFolder, render

if TYPE_CHECKING:
    from reidrisk.core.trail import Trail

router = APIRouter()
MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class ShownLog:
    """One of the two logs of a release."""

    title: str
    about: str
    trail: Trail | None
    problem: ReidRiskError | None = None

    @property
    def left_out(self) -> int:
        """Lines that the page does not show."""
        return max(0, len(self.trail.entries) - MOST_LINES) if self.trail is not None else 0


@router.get("/r/{release}/log")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """Both logs, the latest lines first."""
    logs = (
        _log(folder, "The release", "Changes of the release file, runs, and who looked at values."),
        _log(folder / ASSESSMENT, "The assessment", "What was written into its folder, such as signatures."),
    )
    return render(request, "log.html", folder=folder, current="log", logs=logs, most=MOST_LINES)


def _log(folder: Path, title: str, about: str) -> ShownLog:
    from reidrisk.core.trail import LOG_PATH, read_trail

    if not (folder / LOG_PATH).is_file():
        return ShownLog(title, about, None)
    try:
        return ShownLog(title, about, read_trail(folder))
    except ReidRiskError as error:
        return ShownLog(title, about, None, error)
