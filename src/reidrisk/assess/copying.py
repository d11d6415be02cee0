"""Copy a release: its files and settings, without the assessment, the signatures and the log."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from reidrisk.assess.editing import edited_release
from reidrisk.assess.manifest import MANIFEST
from reidrisk.assess.paths import is_inside
from reidrisk.assess.release_file import read_release
from reidrisk.assess.state import is_release_folder
from reidrisk.core.files import whole_path
from reidrisk.core.trail import FOLDER, RELEASE_FILE, Recorder, is_recording, recorded
from reidrisk.core.wording import path_text
from reidrisk.errors import UnreadableFile


def copy_release(folder: str | Path, target: str | Path, *, name: str | None = None) -> Path:
    """Copy the release in a folder to a new folder; `name` is the new name of the release.

    What was measured and signed belongs to the original: the copy has its inputs and its release file, and
    is to be assessed anew. Links that lead out of the folder are not followed and not copied. Released
    tables are copied too, as other files are; the next assessment replaces them.
    """
    source, place = Path(folder), Path(target)
    if not is_release_folder(source):
        raise UnreadableFile(
            f"{path_text(source)} has no release file.", hint=f"Name a folder with a file {RELEASE_FILE}."
        )
    if is_inside(place, source):
        raise UnreadableFile(
            f"{path_text(place)} is inside the folder to be copied.", hint="Name a folder beside it."
        )
    read_release(source / RELEASE_FILE, allow_outside=True)
    inputs = ((source / RELEASE_FILE).resolve(),)
    with (
        nullcontext() if is_recording() else recorded(Recorder("rr.copy_release", inputs=inputs)),
        whole_path(place, folder=True) as draft,
    ):
        shutil.copytree(source, draft, ignore=_left_out(source), symlinks=True, dirs_exist_ok=True)
        if name is not None:
            renamed = edited_release(source / RELEASE_FILE, {"release.name": name}, allow_outside=True)
            (draft / RELEASE_FILE).write_bytes(renamed)
    return place


def _left_out(source: Path) -> Callable[[str, list[str]], list[str]]:
    """What belongs to the original only: assessments, jobs and logs, and links that lead elsewhere."""

    def of(folder: str, names: list[str]) -> list[str]:
        return [one for one in names if _belongs_to(source, Path(folder) / one)]

    return of


def _belongs_to(source: Path, path: Path) -> bool:
    leads_out = path.is_symlink() and (path.readlink().is_absolute() or not is_inside(path, source))
    return path.name == FOLDER or (path / MANIFEST).exists() or leads_out or not _is_plain(path)


def _is_plain(path: Path) -> bool:
    return path.is_file() or path.is_dir()
