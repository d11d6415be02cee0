"""The folder of an assessment: everything to repeat it, nothing of the inputs, whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from reidrisk.assess.manifest import MANIFEST, entries, manifest_of, manifest_text, read_manifest, way_to
from reidrisk.assess.measuring import Measurement
from reidrisk.assess.read import ReleaseFile
from reidrisk.assess.released import Released
from reidrisk.assess.result import Assessment
from reidrisk.assess.review import ASSESSMENT
from reidrisk.assess.store import MEASURED, PARTS, WAITING, kept_text
from reidrisk.assess.tables import csv_tables
from reidrisk.core.files import write_text
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile

AS_RUN, RESULT = "release.yaml", "result.json"


@dataclass(frozen=True, slots=True)
class Written:
    """What goes into a folder."""

    done: Assessment
    measurements: Sequence[Measurement]
    released: Sequence[Released]


def check_folder(folder: Path, release: ReleaseFile) -> None:
    """Before any work: the folder is ours or new, and no input lies in it."""
    if folder.exists() and not folder.is_dir():
        raise UnreadableFile(f"{path_text(folder)} is no folder.", hint="Name a folder with --out.")
    if not folder.parent.resolve().is_dir():
        raise UnreadableFile(
            f"{path_text(folder)} cannot be made: its folder does not exist.", hint="Make it first."
        )
    strange = folder.is_dir() and {path.name for path in folder.iterdir()} - {WAITING}
    if strange and read_manifest(folder) is None:
        raise InvalidSetting(
            f"{path_text(folder)} holds other things and no assessment.",
            hint="Name a new folder, or that of an earlier assessment.",
        )
    here = folder.resolve()
    for part in release.parts:
        for source in part.sources():
            if "://" not in source and (part.folder / source).resolve().is_relative_to(here):
                raise InvalidSetting(
                    f"{path_text(source)} lies in the folder that is written.",
                    hint="Name another with --out.",
                )


def write_folder(written: Written, folder: Path) -> None:
    """Make everything beside the folder, then move it in file by file; the manifest is the last."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.resolve().parent))
    try:
        names = list(_write(written, draft))
        before = read_manifest(folder) or {}
        (draft / MANIFEST).write_text(
            manifest_text(_manifest(written, draft, names, folder)), encoding="utf-8", newline="\n"
        )
        for name in (*names, MANIFEST):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).replace(folder / name)
        _remove(folder, [entry["path"] for entry in before.get("files", [])], kept=names)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def add_files(folder: str | Path, names: Iterable[str]) -> None:
    """Take files that were made later, such as reports, into the manifest."""
    place = Path(folder)
    content = read_manifest(place)
    if content is None:
        raise UnreadableFile(f"{path_text(place)} holds no assessment.", hint="Run `reidrisk assess` first.")
    every = {*(entry["path"] for entry in content["files"]), *names}
    files = {name: place / name for name in every if (place / name).is_file()}
    write_text(place / MANIFEST, manifest_text({**content, "files": entries(files)}))


def _write(written: Written, draft: Path) -> Iterable[str]:
    """Every file but the manifest; their names."""
    done = written.done
    content = done.to_dict()
    yield _text(draft, ASSESSMENT, done.to_json())
    yield _text(draft, AS_RUN, release_text(content["settings"]))
    for part, measurement in zip(content["parts"], written.measurements, strict=True):
        below = f"{PARTS}/{part['name']}"
        if part["result"] is None or measurement.measured is None:
            continue
        kept = kept_text(part["name"], measurement.key, measurement.measured)
        yield _text(draft, f"{below}/{MEASURED}", kept)
        yield _text(draft, f"{below}/{RESULT}", manifest_text(part["result"]))
        for name, text in csv_tables(part["result"]).items():
            yield _text(draft, f"{below}/{name}", text)


def release_text(content: Any) -> str:
    """The release file as it was run, its context in it."""
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)


def _text(draft: Path, name: str, text: str) -> str:
    path = draft / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
    return name


def _manifest(written: Written, draft: Path, names: list[str], folder: Path) -> dict[str, Any]:
    release = written.done.release
    inputs = [
        {"part": one.part.name, **source.to_dict()} for one in written.measurements for source in one.inputs
    ]
    return manifest_of(
        {name: draft / name for name in names},
        seed=release.seed,
        release={"file": release.source, "folder": way_to(release.folder, folder)},
        inputs=inputs,
        outputs=[one.to_dict() for one in written.released],
    )


def _remove(folder: Path, before: Iterable[str], *, kept: Iterable[str]) -> None:
    """Files of the last assessment that this one does not have; nothing else is touched."""
    for name in set(before) - set(kept):
        path = (folder / name).resolve()
        if path.is_relative_to(folder.resolve()) and path.is_file():
            path.unlink()
            if path.parent != folder.resolve() and not any(path.parent.iterdir()):
                path.parent.rmdir()
