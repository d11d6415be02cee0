"""Verify the folder of an assessment: nothing was changed, and a new run gives the same result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.assess.folder import AS_RUN, MANIFEST, AssessmentFiles, read_manifest, write_folder
from reidrisk.assess.inputs import file_hash, hash_inputs, is_server, source_exists
from reidrisk.assess.kind import Progress, RunControl
from reidrisk.assess.measurement import WAITING, MeasurementStore, measure_parts
from reidrisk.assess.release_file import ReleaseFile, limits_to_repeat, read_content
from reidrisk.assess.result import ASSESSMENT
from reidrisk.assess.run import judge_measurements
from reidrisk.core.file_set import at_once
from reidrisk.core.limits import within
from reidrisk.core.scratch import work_folder_here
from reidrisk.core.wording import path_text, plural
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import ReidRiskError, UnreadableFile

PASSWORD_MARK = ":…@"  # noqa: S105 - what replaces a password in a URL
CANNOT_REPEAT = "The assessment cannot be repeated"


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether an assessment is unchanged and a new run gives the same result."""

    folder: str
    files: int
    inputs: int
    is_repeated: bool
    differences: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether there is no difference."""
        return not self.differences

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "kind": "verification",
            "folder": self.folder,
            "holds": self.holds,
            "files": self.files,
            "inputs": self.inputs,
            "repeated": self.is_repeated,
            "differences": list(self.differences),
        }

    def __str__(self) -> str:
        how = "hashes checked, run again" if self.is_repeated else "hashes checked, not run again"
        checked = f"{plural(self.files, 'file')}, {plural(self.inputs, 'input')}; {how}"
        if self.holds:
            return f"VERIFIED: {self.folder} is unchanged ({checked})."
        lines = "\n".join(f"  - {text}" for text in self.differences)
        return f"NOT VERIFIED: {self.folder} ({checked}).\n{lines}"


def verify(
    folder: str | Path, *, quick: bool = False, progress: Progress | None = None, threads: int | None = None
) -> Verification:
    """Compare hashes of files and inputs; unless `quick`, assess again and compare every byte."""
    place = Path(folder)
    manifest = read_manifest(place)
    if manifest is None:
        raise UnreadableFile(
            f"{path_text(place)} contains no assessment.",
            hint="Name a folder that `reidrisk assess --out` wrote.",
        )
    found = [*_check_files(place, manifest), *_check_inputs(place, manifest), *_check_tables(place, manifest)]
    repeats = not quick and not found
    if repeats:
        found += _repeat(place, manifest, RunControl(manifest["seed"], progress), threads or 1)
    return Verification(
        path_text(place), len(manifest["files"]), len(manifest["inputs"]), repeats, tuple(found)
    )


def _check_files(place: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    listed = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    for name, digest in listed.items():
        path = place / name
        if not path.is_file():
            yield f"{name} is missing."
        elif file_hash(path)[0] != digest:
            yield f"{name} was changed."
    here = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    for name in sorted(here - {*listed, MANIFEST}):
        if not name.startswith(f"{WAITING}/"):
            yield f"{path_text(name)} does not belong to the assessment."


def _check_inputs(place: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    below = place / manifest["release"]["folder"]
    for entry in manifest["inputs"]:
        source = entry["path"]
        if is_server(source):
            continue
        if not source_exists(source, below):
            yield f"The input {source} of {entry['part']} is missing."
        elif hash_inputs([source], below, shown=[source])[0].sha256 != entry["sha256"]:
            yield f"The input {source} of {entry['part']} has changed."


def _check_tables(place: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    for entry in manifest["outputs"]:
        path = place / manifest["release"]["folder"] / entry["path"]
        if not path.is_file():
            yield f"The table {entry['path']} of {entry['part']} is missing."
        elif file_hash(path)[0] != entry["sha256"]:
            yield f"The table {entry['path']} of {entry['part']} has changed."


def _repeat(place: Path, manifest: Mapping[str, Any], control: RunControl, threads: int) -> Iterator[str]:
    """Assess again from the inputs only, in a temporary folder, and compare."""
    text = (place / AS_RUN).read_text(encoding="utf-8")
    if PASSWORD_MARK in text:
        yield f"{CANNOT_REPEAT}: passwords are not stored. Run `reidrisk assess` and compare."
        return
    below = place / manifest["release"]["folder"]
    try:
        release = read_content(read_yaml(place / AS_RUN), folder=below, source=manifest["release"]["file"])
    except ReidRiskError as error:
        yield f"{CANNOT_REPEAT}: {error.problem}"
        return
    try:
        work = work_folder_here(place.resolve().parent)
    except OSError:
        yield f"{CANNOT_REPEAT}: the folder beside it cannot be written."
        return
    try:
        with at_once(), within(limits_to_repeat(release)):  # what is written here is compared at once
            _assess_again(release, work.path / "again", control, threads)
            for entry in manifest["files"]:
                yield from _compare_file(place, work.path / "again", entry["path"])
            for entry in manifest["outputs"]:
                yield from _compare_table(release, entry, control, work.path)
    finally:
        work.remove()


def _assess_again(release: ReleaseFile, again: Path, control: RunControl, threads: int) -> None:
    measurements = measure_parts(release.parts, control, MeasurementStore(None), threads=threads)
    write_folder(AssessmentFiles(judge_measurements(release, measurements), measurements, ()), again)


def _compare_table(
    release: ReleaseFile, entry: Mapping[str, Any], control: RunControl, scratch: Path
) -> Iterator[str]:
    """Write a released table again and compare it."""
    part = next((one for one in release.parts if one.name == entry["part"]), None)
    writer = None if part is None else part.writer()
    if writer is None:
        yield f"The table {entry['path']} belongs to no part of the release."
        return
    if entry["secret"] != writer.fingerprint:
        yield f"The table {entry['path']} of {writer.name} was written with another key."
        return
    again = scratch / Path(entry["path"]).name
    writer.write(control, again)
    if file_hash(again)[0] != entry["sha256"]:
        yield f"The table {entry['path']} of {writer.name} differs when it is written again."


def _compare_file(place: Path, again: Path, name: str) -> Iterator[str]:
    """Compare a file that follows from the data; reports are made from these files."""
    if not name.endswith((".json", ".csv", ".yaml")):
        return
    if not (again / name).is_file():
        yield f"{name} is not written when it is run again."
    elif name == ASSESSMENT:
        then, now = (json.loads((one / name).read_text(encoding="utf-8")) for one in (place, again))
        differ = [key for key in then if key != "monitoring" and then[key] != now.get(key)]
        if differ:
            yield f"{name} differs when it is run again, in: {', '.join(differ)}."
        elif then["monitoring"] is None and (place / name).read_bytes() != (again / name).read_bytes():
            yield f"{name} differs when it is run again."
    elif (place / name).read_bytes() != (again / name).read_bytes():
        yield f"{name} differs when it is run again."
